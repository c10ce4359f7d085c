"""Refusals of the library beside those of the mathematics: one English sentence for each rule.

Readers of the app never meet these: its pages ask the mathematics by questions of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from ldpcore.refusals import Refusal

SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        # Building
        "mechanism_unknown": (
            "mechanism must be one of those that ldpcore.serving(domain) names, such as {options:, }; got {got!r}"
        ),
        "domain_unfit": "{slug} must be built for {wanted}; got {got}",
        "domain_size": "{slug} must be built for a number of labels that it serves; got {got}",
        "level_missing": "{slug} must be built from a level; got none",
        "level_given": "{slug} must be built from {settings:, } and no level; got level {got!r}",
        "setting_missing": "{slug} must be built with the setting {settings:, }; got none",
        "setting_unknown": "a setting of {slug} must be one of {settings:, }; got {got!r}",
        # Domains
        "labels_few": "a domain must have at least 2 labels; got {got}",
        "labels_twice": "every label must stand once in a domain; got {got!r} twice",
        "label_kind": "a label must be a text, a number or a truth value; got {got!r}",
        "cells_whole": "cells must be a whole number of at least 1 along each axis; got {got!r}",
        "axes_few": "a domain must have at least one axis; got none",
        # Values and reports
        "value_unknown": "value {place} must be one of the {k} labels of the domain; got {got!r}",
        "values_one_list": "values must be one list; got {axes} axes",
        "values_unread": "values must be {wanted}; got {got}",
        "value_no_number": "value {place} must be a number; got {got!r}",
        "reports_unread": "reports of {slug} must be {wanted}; got {got}",
        "report_impossible": "report {place} must be one that {slug} can make, {wanted}; got {got!r}",
        "columns_missing": "reports of {slug} must stand in the columns {wanted:, }; got {got:, }",
        "columns_lengths": "columns of reports must be equally long; got {got!s}",
        "rng_unfit": (
            "rng must be a numpy.random.Generator: numpy.random.default_rng(seed), or ldpcore.randomness.secure() "
            "where people are real; got {got}"
        ),
        # Tallies
        "tally_other": "tallies must be of one design to be merged; got {first} and {other}",
        "tally_none": "at least one tally must be there to be merged; got none",
        "tally_shape": "a tally of {slug} must have {wanted} counts; got {got}",
        "tally_count": "a tally of {n} reports of {slug} must have counts that they can make, {wanted}; got {got}",
        "sampled_unfit": "only shares and means can be those of a sampled population; got {slug}",
        # JSON
        "json_unread": "{what} must be JSON; got {got}",
        "json_format": "{what} must have the format {wanted!r}; got {got!r}",
        "json_version": "{what} must have the version {wanted}, which this release reads; got {got!r}",
        "json_field": "{what} must have the field {field!r} as {wanted}; got {got!r}",
        "json_size": "{what} must have at most {most} letters; got {got}",
        # Collecting
        "source_unknown": (
            "reports must come as chunks, as one array or table, as the path of a .csv or .parquet file, or as a Dask "
            "collection; got {got}"
        ),
        "file_missing": "{file} must be a file that can be read; got {got}",
        "file_damaged": "{file} must be a whole Parquet file; got {got}",
        "file_cut": "{file} must end its last line, or nobody can tell whether it was cut; line {line} has no end",
        "file_column": "{file} must have the columns {wanted:, }; got {got:, }",
        "file_line": "line {line} of {file} must have {wanted} cells; got {got}",
        "file_cell": "line {line} of {file} must hold a number in column {column!r}; got {got!r}",
        "table_cell": (
            "{where} of {file} must hold a number in column {column!r}, or --missing must name what stands there; "
            "got {got!r}"
        ),
        "file_gap": "column {column!r} of {file} must have no gaps; got {got}",
        "file_row": "{file}: {reason}",
        "extra_missing": "{what} must be installed for this: pip install 'ldp-explorer[{extra}]'; got none",
        # Studies
        "study_axis": "{name} of a study must be a list of at least one; got {got!r}",
        "study_population": "a population of {slug} must be one of {options:, }; got {got!r}",
        "study_where": "a study must be run in 'serial', in 'processes' or at a scheduler's address; got {got!r}",
        "study_store": "{file} must hold rows of a study as this release writes them; got {got}",
        # Plans and the command
        "plan_kind": "{slug} must be a mechanism for categories or for numbers; got one for {got}",
        "plan_none": "a mechanism for {k} labels must exist; got none",
        "option_needed": "{option} must be given; got none",
        "option_pair": "{options:, } must be given together; got {got}",
    }
)


class LibraryRefusal(Refusal):
    """A value that the library was handed and cannot use, in one sentence: the object, the rule and the value."""

    templates: ClassVar[Mapping[str, str]] = SENTENCES
