"""The collector: the same tally however reports come, bounded memory, and nothing half counted."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ldpcore
from ldpcore.library.designs import Design
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.base import LocalRandomizer, Mechanism
from tests.library.members import design_of
from tests.rationing import ALL

ROOT = Path(__file__).resolve().parent.parent.parent
GRR = ldpcore.build("grr", 1.0, 12)
LOCAL = tuple(member for member in REGISTRY if issubclass(member, LocalRandomizer))


def write_csv(design: Design, reports: Any, path: Path) -> None:
    columns = design.columns(reports)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        writer.writerows([["" if cell != cell else cell for cell in row] for row in rows])


@pytest.mark.parametrize("member", LOCAL, ids=lambda member: member.slug)
def test_chunks_files_and_tables_make_one_tally(member: type[Mechanism], tmp_path: Path) -> None:
    design, values = design_of(member)
    reports = design.privatize(values, np.random.default_rng(1))
    whole = design.tally(reports)
    write_csv(design, reports, tmp_path / "reports.csv")
    pq.write_table(pa.table(design.columns(reports)), tmp_path / "reports.parquet")
    table = pd.DataFrame(design.columns(reports))
    ways = [
        ldpcore.collect(design, iter([reports[:7], reports[7:7], reports[7:]])),
        ldpcore.collect(design, [table[:20], table[20:]]),
        ldpcore.collect(design, tmp_path / "reports.csv", at_once=31),
        ldpcore.collect(design, str(tmp_path / "reports.parquet"), at_once=31),
    ]
    for tally in ways:
        assert tally.n == whole.n
        if whole.counts.dtype.kind in "iu":
            assert np.array_equal(tally.counts, whole.counts)
        else:
            assert np.allclose(tally.counts, whole.counts, rtol=1e-12, atol=1e-9)


def damaged(folder: Path) -> Iterator[tuple[Any, str]]:
    """Sources that cannot be used, and what is said of each."""
    good = "report\n" + "".join(f"{place % 12}\n" for place in range(100))

    def file(name: str, content: str | bytes) -> Path:
        path = folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    yield file("cut.csv", good[:-1]), "cut.csv must end its last line, or nobody can tell whether it was cut; line 101"
    yield file("other.csv", good.replace("report", "answer")), "other.csv must have the columns report; got answer"
    yield file("empty.csv", ""), "empty.csv must have the columns a line of names; got nothing"
    yield (
        file("text.csv", good.replace("11\n", "x\n", 1)),
        "line 13 of text.csv must hold a number in column 'report'; got 'x'",
    )
    yield file("part.csv", good.replace("11\n", "1.5\n", 1)), "must hold a number in column 'report'; got '1.5'"
    yield (
        file("gap.csv", good.replace("11\n", '""\n', 1)),
        "line 13 of gap.csv must hold a number in column 'report'; got ''",
    )
    yield file("wide.csv", good.replace("11\n", "1,1\n", 1)), "line 13 of wide.csv must have 1 cells; got 2"
    yield (
        file("foreign.csv", good + "12\n"),
        "foreign.csv: report 100 must be one that grr can make, a whole number from",
    )
    yield (
        file("below.csv", good + "-1\n"),
        "report 100 must be one that grr can make, a whole number from 0 to 11; got -1",
    )
    yield file("bytes.csv", b"report\n\xff\xfe\n"), "bytes.csv: line"
    yield file("huge.csv", good + "9" * 30 + "\n"), "line 102 of huge.csv must hold a number in column 'report'"
    pq.write_table(pa.table({"report": list(range(12)) * 100}), folder / "good.parquet")
    whole = (folder / "good.parquet").read_bytes()
    yield file("cut.parquet", whole[: len(whole) // 2]), "cut.parquet must be a whole Parquet file"
    yield file("none.parquet", b""), "none.parquet must be a whole Parquet file"
    pq.write_table(pa.table({"answer": [1]}), folder / "other.parquet")
    yield folder / "other.parquet", "other.parquet must have the columns report; got answer"
    pq.write_table(pa.table({"report": [1, None]}), folder / "gaps.parquet")
    yield folder / "gaps.parquet", "column 'report' of gaps.parquet must have no gaps; got 1"
    pq.write_table(pa.table({"report": ["a", "b"]}), folder / "texts.parquet")
    yield folder / "texts.parquet", "texts.parquet: reports of grr must be whole numbers in one list"
    yield folder / "absent.csv", "absent.csv must be a file that can be read; got no file"
    yield folder, "reports must come as chunks"
    yield "reports.xlsx", "reports must come as chunks"
    yield 7, "reports must come as chunks"
    yield np.array(7), "reports of grr must be whole numbers in one list"
    yield pd.DataFrame({"answer": [1]}), "reports of grr must stand in the columns report; got answer"
    yield [[0, 1], [0.5]], "reports of grr must be whole numbers in one list"
    yield [[0, 1], [2, 12]], "report 3 must be one that grr can make"
    yield [{"answer": [1]}], "reports of grr must stand in the columns report; got answer"


def test_what_is_no_report_is_refused_and_nothing_is_counted(tmp_path: Path) -> None:
    sources = list(damaged(tmp_path))
    assert len(sources) > 20
    for source, said in sources:
        with pytest.raises(ldpcore.Refusal) as refused:
            ldpcore.collect(GRR, source)
        assert said in str(refused.value), source


def test_parquet_cut_anywhere_is_refused(tmp_path: Path) -> None:
    """A file that lost its end, or a piece in the middle, is never half counted."""
    path = tmp_path / "reports.parquet"
    pq.write_table(pa.table({"report": np.random.default_rng(0).integers(0, 12, 20_000)}), path)
    whole = path.read_bytes()
    for cut in (1, 4, 8, 100, len(whole) // 2, len(whole) - 4):
        path.write_bytes(whole[:-cut])
        with pytest.raises(ldpcore.Refusal):
            ldpcore.collect(GRR, path)


def test_memory_of_the_collector_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Twelve million reports, in one row group, take no more than a few batches beyond what PyArrow itself does."""
    path = tmp_path / "reports.parquet"
    pq.write_table(pa.table({"report": np.arange(12_000_000, dtype=np.int64) % 12}), path, row_group_size=12_000_000)
    script = (
        "import resource, sys, ldpcore\n"
        "import pyarrow.parquet, ldpcore.library.parquetfile\n"
        "design = ldpcore.build('grr', 1.0, 12)\n"
        "design.tally([0])\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "assert ldpcore.collect(design, sys.argv[1]).n == 12_000_000\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    assert int(told.stdout) < 120_000  # kilobytes, where all reports at once take 96 000 and their checks as much again


def test_workers_of_a_dask_cluster_make_the_same_tally() -> None:
    """By day one worker within this process, at night two: each is a process that imports everything."""
    import dask.bag
    import dask.dataframe
    import distributed

    reports = GRR.privatize(np.arange(12_000) % 12, np.random.default_rng(0))
    whole = GRR.tally(reports)
    table = pd.DataFrame({"report": reports})
    with distributed.LocalCluster(
        n_workers=2 if ALL else 1, threads_per_worker=1, processes=ALL, dashboard_address=None
    ) as cluster:
        with distributed.Client(cluster):
            assert ldpcore.collect(GRR, dask.dataframe.from_pandas(table, npartitions=37)) == whole
            assert ldpcore.collect(GRR, dask.bag.from_sequence(reports.tolist(), npartitions=11)) == whole
            hashed = ldpcore.build("olh", 1.0, 12)
            sent = hashed.privatize(np.arange(500) % 12, np.random.default_rng(0))
            bag = dask.bag.from_sequence(sent.tolist(), npartitions=5)
            assert ldpcore.collect(hashed, bag) == hashed.tally(sent)
            with pytest.raises(ldpcore.Refusal, match="one that grr can make"):
                ldpcore.collect(GRR, dask.bag.from_sequence([0, 1, 99], npartitions=2))
        study = ldpcore.Study(["grr", "oue"], levels=[1.0, 2.0], n=[1000], k=[5, 9], seeds=range(4))
        pd.testing.assert_frame_equal(study.run(cluster.scheduler_address), study.run())
