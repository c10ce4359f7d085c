"""The refusals of the core as values: the key of a rule and the fields that it names.

`str()` is English, for developers; for readers the catalogue words the same key with the same fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from string import Formatter
from types import MappingProxyType
from typing import Any, ClassVar

# Fields that are slugs, in the words of the templates: `{file_kind!w}`.
WORDS: Mapping[str, str] = MappingProxyType(
    {
        "bzip2": "a bzip2 archive",
        "database": "a database",
        "gif": "a GIF picture",
        "jpeg": "a JPEG picture",
        "arrow": "an Arrow file",
        "binary-excel": "a binary Excel workbook",
        "document": "a document with text",
        "hdf": "an HDF5 file",
        "html": "a web page",
        "json": "a JSON file",
        "mail": "a mail or a web archive",
        "matlab": "a MATLAB file",
        "numbers": "an Apple Numbers document",
        "numpy": "a NumPy array",
        "old-office": "an old Office document",
        "parquet": "a Parquet file",
        "pdf": "a PDF document",
        "png": "a PNG picture",
        "r-data": "an R data file",
        "rar": "a RAR archive",
        "sas": "a SAS file",
        "seven-zip": "a 7z archive",
        "slides": "a presentation",
        "spss": "an SPSS file",
        "stata": "a Stata file",
        "xml": "an XML file",
        "xz": "an xz archive",
        "zip": "a ZIP archive",
        "zstd": "a zstd archive",
        "save": "save the table as CSV and upload that",
        "sheet": "open it, save it as .xlsx or .ods and upload that",
        "export": "open it in Numbers, export it as Excel or CSV and upload that",
        "unpack": "unpack it first or use gzip",
        "lower": "the lower bound",
        "upper": "the upper bound",
        "compared": "the value compared with",
    }
)

# One sentence for each rule: the object, the rule and the value.
TEMPLATES: Mapping[str, str] = MappingProxyType(
    {
        # Declared parameters
        "number_from": "{name} must be at least {low:g}; got {got!r}",
        "number_above": "{name} must be greater than {low:g}; got {got!r}",
        "number_in": "{name} must be at least {low:g} and at most {high:g}; got {got!r}",
        "number_above_in": "{name} must be greater than {low:g} and at most {high:g}; got {got!r}",
        "number_in_below": "{name} must be at least {low:g} and less than {high:g}; got {got!r}",
        "number_between": "{name} must be greater than {low:g} and less than {high:g}; got {got!r}",
        "whole_from": "{name} must be a whole number at least {low:g}; got {got!r}",
        "whole_in": "{name} must be a whole number at least {low:g} and at most {high:g}; got {got!r}",
        "choice": "{name} must be one of {options:, }; got {got!r}",
        # Counts of reports
        "counted_none": "a table of counts must have at least one line; got none",
        "counted_long": "a table of counts must have at most {most} letters",
        "counted_many": "a table of counts must have at most {most} answers",
        "counted_few": "a table of counts must have at least 2 answers; got {got}",
        "counted_line": "line {line} must hold an answer and a count; got {got!r}",
        "counted_doubt": "line {line} can be read in several ways; got {got!r}",
        "counted_whole": "line {line} must hold a whole number; got {got!r}",
        "counted_large": "line {line} must hold a count of at most {most}",
        "counted_unnamed": "either all answers have names or none; got a bare {got}",
        "counted_twice": "every answer must stand in one line; got {got!r} twice",
        "counted_totals": "a table of counts may have one total; got {first} and {other}",
        "reports_fewer": "reports must be at least the largest count {count}; got {n}",
        "reports_unlike": "each of {n} reports names one answer, so counts must sum to it; got {got}",
        "reports_uncounted": "reports must speak for single answers",
        "reports_bits": "column {column!r} must hold 0 and 1 alone",
        # Mechanisms
        "no_reports": "an estimate needs at least one report; got 0",
        "values_not_numbers": "values must be numbers in one list; got {dtype} with {axes} axes",
        "values_not_rows": "values must be rows of {width} numbers; got {dtype} in rows of {got}",
        "values_nan": "values must be numbers; got nan",
        "columns_lengths": "columns must be equally long, with bounds for each; got {got!s}",
        "pairs_many": "two vectors are compared where their coordinates differ in few ways; got {got} kinds of reports",
        "values_not_whole": "values must be a list of whole numbers; got {dtype} with {axes} axes",
        "values_outside": "values must be at least 0 and at most {most}; got {got}",
        "values_none": "values must hold at least one number; got none among {n}",
        "population_categories": "the population must list the categories 0 to {most}; got {got} values",
        "coins_carry_nothing": "yes_given_yes and yes_given_no must differ, or the answers carry nothing; got {got:g}",
        "partition_cells": "side must make at most {most} cells, so at least {least:.6g}; got {got} cells",
        "steps_not_whole": "low and high must be whole numbers; got {low!r} and {high!r}",
        "channel_too_large": "the whole channel is listed for {name} of at most {most}; got {got}",
        "function_not_pairs": "xs and ys must be finite numbers in pairs; got {xs} and {ys}",
        "function_not_rising": "xs must rise and lie in [-1, 1]; got {xs!s}",
        "function_zero": "ys must not all be 0: there would be nothing to ask",
        "sigma_wide": "epsilon and delta must allow a σ of at most {most:g}; got {epsilon!r} and {delta!r}",
        "gaussian_epsilon": "epsilon must be at most 1 for the classical σ; got {got!r}",
        "answer_not_whole": "the answer must be a whole number; got {got!r}",
        "scores_unfit": "scores must be {k} finite numbers in one list; got {dtype} of shape {got}",
        "subset_too_large": "omega must be less than k = {k}; got {got}",
        "toss_weights": "the weights of a toss must sum to at most 2^53; got {got}",
        "toss_draw": "a draw must be below the sum of the weights, {total}; got {got}",
        "toss_totals": "totals must be {places} whole numbers; got {got}",
        "rappor_order": "q must be greater than p = {p:g}; got {got:g}",
        "slug_not_numbers": "slug must be a mechanism for numbers; got {got!r}",
        "likelihood_support": "maximum likelihood needs reports that support values; got {slug}",
        # Populations, scales and laws
        "counts_unpaired": "a population needs one count for each value; got {counts} for {values}",
        "counts_negative": "counts must be at least 0; got {got}",
        "count_outside": "count must be at least 0 and at most n, and n at most {users}; got {least} to {most} of {n}",
        "scale_bound": "{name} must be a number from -1e14 to 1e14; got {got!r}",
        "scale_order": "low must be less than high; got {low:g} and {high:g}",
        "phi_text": "phi must be numbers with blanks between; got {got!r}",
        "phi_count": "phi must have one number for each of the {answers} answers; got {got}",
        "phi_outside": "phi must be from -1 to 1; got {got}",
        "phi_zero": "phi must differ from 0 for at least one answer; got only zeros",
        "weights": "weights must be {least} to {most} numbers that are not negative and not all 0; got {got}",
        "laws_shapes": "two laws must list the same outcomes; got shapes {first} and {second}",
        "law_negative": "probabilities must be at least 0; got {got!r}",
        "law_sum": "probabilities must sum to 1; got {got!r}",
        "slope_missing": "the slope of f at infinity must be given where q is 0 and p is {p!r}",
        "gamma_small": "gamma must be at least 1; got {got!r}",
        "order_small": "order must be greater than 0; got {got!r}",
        "beta_small": "beta must be greater than the order of the derivative, {order}; got {got!r}",
        "loss_irregular": "the loss must at most multiply where the error grows by half; got {got!r}",
        "trials_not_rising": "the numbers of trials must rise; got {got!s}",
        # Experiments
        "scales_differ": (
            "both groups must have one scale; got PublicScale(low={first_low!r}, high={first_high!r}) "
            "and PublicScale(low={second_low!r}, high={second_high!r})"
        ),
        "people_not_atoms": "people must be counted atoms to be split; got {shape} numbers, all different",
        "answers_unpaired": "answers must be one for each of {exhibits} exhibits; got {got}",
        "specimen_none": "one of {mechanisms} mechanisms must accept its own small parameters; got none",
        "person_outside": "person must be at most n = {n}; got {got}",
        "yes_outside": "yes must be at most n = {n}; got {got}",
        "crowd_outside": "everybody must lie in the range of ±{reach:g}; got {low:g} to {high:g}",
        "groups_few": "n must be at least {least}, one person for each test; got {got}",
        "design_blind": "the design must let answers depend on the truth; got equal chances of a yes",
        # Tables
        "column_unknown": "column {column!r} must be one of this table's {columns} columns",
        "column_not_numbers": "column {column!r} must hold numbers; it holds {kind} values",
        "dataset_unknown": "the dataset must be one of {options:, }; got {got!r}",
        "file_large": '"{file}" has {size} MB; use a table of at most {most} MB',
        "file_unpacks_large": '"{file}" unpacks to more than {most} MB; use a table of at most {most} MB',
        "file_damaged": '"{file}" is a damaged gzip file; compress it again or upload it unpacked',
        "book_damaged": '"{file}" is a damaged workbook; open it, save it again and upload that',
        "book_locked": '"{file}" is locked with a password; open it, save it without one and upload that',
        "book_empty": '"{file}" has no sheet with a cell in it; choose another workbook',
        "book_large": '"{file}" must have at most {most} cells in a sheet and open fast; save the sheet as CSV',
        "book_sheets": '"{file}" must have at most {most} sheets; got {sheets}: save the one you need as CSV',
        "file_empty": '"{file}" is empty; use a file with a line of column names and at least one row',
        "file_foreign": '"{file}" is {kind!w}, not a table of text; {remedy!w}',
        "file_drawn": '"{file}" holds a table drawn with characters or in LaTeX; save it as CSV or a workbook',
        "file_json": '"{file}" is JSON, but no list of records or of equally long rows; save the table as CSV',
        "file_nested": '"{file}" is {kind!w} with lists or records inside column {column!r}; keep one value per cell',
        "file_tableless": '"{file}" is {kind!w} without a table; save the table as CSV and upload that',
        "file_broken": '"{file}" is {kind!w} that is damaged or incomplete; save it again and upload that',
        "file_zip": '"{file}" is a ZIP archive in which one table must stand; got {count}: unpack it, upload one',
        "file_zip_locked": '"{file}" is a ZIP archive locked with a password; unpack it and upload the table',
        "file_zip_damaged": '"{file}" is a ZIP archive that is damaged or packed in a rare way; pack it again',
        "file_null": '"{file}" has a null character, which no text has; save the table as CSV and upload that',
        "file_no_text": '"{file}" is not a table of text; save the table as CSV and upload that',
        "file_long": '"{file}" has more than {most} rows; use a part of it that has no more',
        "file_wide": '"{file}" has {columns} columns; use a table of at most {most}',
        "file_encoding": '"{file}" is not written in {encoding}; choose another encoding',
        "file_no_rows": '"{file}" has column names only; add at least one row below them',
        "line_longer": (
            'a line of "{file}" has more cells than the first, which has {width}; '
            "check the separator, or quote the cells that contain it"
        ),
        "line_cells": (
            'line {line} of "{file}" has {cells} cells, more than the first, which has {width}; '
            "check the separator, or quote the cells that contain it"
        ),
        "quote_open": 'row {row} of "{file}" opens a quote that never ends; close it, or read without quotes',
        "file_unreadable": '"{file}" cannot be read as a table; check its separator and its quotes',
        "cell_open": "a quoted cell does not end in row {row}; close the quote, or read the file without quotes",
        "cell_long": "a cell of row {row} has more than {most} letters; shorten it",
        # Questions
        "column_kind": "column {column!r} must be of kind {wanted}; it is of kind {kind}",
        "day_with_time": "{which!w} must be a day without a time; got {got}",
        "not_number_or_day": "{which!w} must be a finite number or a date; got {got!r}",
        "relation_unknown": "the relation must be one of {options: }; got {got!r}",
        "bounds_mixed": "both bounds must be numbers or both dates; got {low} and {high}",
        "bounds_crossed": "the lower bound must not be greater than the upper bound; got {low} and {high}",
        "bound_outside": "{which!w} must be a number from -1e14 to 1e14; got {got!r}",
        "bounds_order": "the lower bound must be less than the upper bound; got {low} and {high}",
        "mean_of_nobody": "a mean must be over at least 1 row; the conditions select 0: choose wider ones",
        "mean_in_parts": "a mean over a private number of rows must be released as SUM and COUNT; ask its parts",
        "mean_rows": "n must be at least 1; got {got}",
        # Matrices
        "row_sum": "row {row} must sum to 1; got {got:.10g}",
        "matrix_counts": "rows must be distributions; got counts of trials, {got} in a row, which an audit judges",
        "matrix_turned": "rows must sum to 1; row {row} sums to {got:.10g} while each column sums to 1",
        "row_sums": "row {row} must sum to 1; got {got:.10g} (and {others} more)",
        "text_long": "the text must have at most {most} letters; got {got}",
        "matrix_empty": "the matrix must have at least one row; got an empty text",
        "matrix_large": "the matrix must have at most {most} entries; got {rows} rows of {columns}",
        "matrix_entries": "the matrix must have at most {most} entries; got {got}",
        "matrix_shape": "the matrix must have rows and columns; got shape {shape}",
        "row_length": "row {row} must have {width} entries like row 1; got {got}",
        "entry_infinite": "row {row}, column {column} must be a finite number; got {got:g}",
        "entry_large": "row {row}, column {column} must be at most 1e300; got {got:g}",
        "entry_negative": "row {row}, column {column} must be at least 0; got {got:g}",
        "entry_no_number": "row {row}, column {column} must be a number; got {got!r}",
        # Counts of an audit
        "counts_none": "the counts must hold at least one number; got none",
        "counts_many": "the counts must be at most {most} numbers; got {got}",
        "count_not_whole": "a count must be a whole number from 0 to 1e15; got {got!r}",
        "outcomes_unpaired": "both inputs must have as many outcomes; got {first} and {second}",
        "counts_single": "the counts must be of at least 2 outcomes; got {got}",
        "counts_empty": "each input must have been run at least once; the counts of one are all 0",
        "row_zero": "row {row} must have an entry greater than 0; got only zeros",
        "group_outside": "a group must name reports from 0 to {most}; got {got}",
        "group_twice": "a report must be in at most one group; got {got} twice",
        # The account
        "level_no_number": "a level must be a number; got {got!r}",
        "level_outside": "a level must be greater than 0 and finite; got {got}",
        "level_digits": "a level must have at most {most} digits; got {got}",
        "k_small": "k must be at least 1; got {got!r}",
        "rows_many": "the ledger must have at most {most} rows; got {got}",
        "row_unread": "line {line} must be a level, with a kind before and a delta behind it; got {got!r}",
        "row_total": "line {line} must be a release, and no total of others; got {got!r}",
        "row_described": "line {line} must have a σ from 0.1 or a ρ up to 50, a share from 1e-9 to 1; got {got!r}",
        "row_delta": "line {line} must have no delta of its own, as it is described by σ or ρ; got {got!r}",
        "row_refused": "line {line} must have a level above 0 and at most 50, and a delta below 1; got {got!r}",
        "row_tiny": "line {line} must have a level of at least 1e-100 and a delta, if any, of 1e-300; got {got!r}",
        "row_wide": "line {line} must have a level and a delta that a σ of at most 1e8 keeps; got {got!r}",
        "losses_many": "losses must lie on at most {most} points of a lattice; got {got:g}",
        "times_not_whole": "a question must be asked a whole number of times, 1 to 10^18; got {got}",
        "budget_exceeded": "a question must cost at most what is left, {left:f} of {total:f}; got {got:f}",
    }
)


class _English(Formatter):
    """Templates in which `{slug!w}` writes a slug in words and `{several:, }` joins a list with the given separator."""

    def convert_field(self, value: Any, conversion: Any) -> Any:
        return WORDS[value] if conversion == "w" else super().convert_field(value, conversion)

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, tuple):
            return format_spec.join(map(str, value))
        return str(super().format_field(value, format_spec))


class Refusal(ValueError):  # noqa: N818  what is refused is a value before it is an error
    """A value that breaks a rule: the rule's key, and the fields that its sentence names.

    >>> import ldpcore
    >>> try:
    ...     ldpcore.build("grr", -1.0, ["red", "green"])
    ... except ldpcore.Refusal as refused:
    ...     print(refused.key, "|", refused)
    number_above_in | epsilon must be greater than 0 and at most 50; got -1.0
    """

    templates: ClassVar[Mapping[str, str]] = TEMPLATES  # the sentence of each key

    def __init__(self, key: str, /, **fields: Any) -> None:
        super().__init__(key)
        self.key = key
        self.fields: Mapping[str, Any] = MappingProxyType(fields)

    def __str__(self) -> str:
        return _English().format(self.templates[self.key], **self.fields)

    def __reduce__(self) -> tuple[Callable[[], Refusal], tuple[()]]:
        return partial(type(self), self.key, **self.fields), ()
