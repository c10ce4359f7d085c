"""The memory for reading western files: `python -m tests.westerns 250000 "{0};{1};{2}\\n" …`, rows and a line of each.

In a process that has read nothing else: Arrow remembers the most memory that it ever had. So what takes least stands
first.
"""

from __future__ import annotations

import json
import sys
import tracemalloc

import pyarrow as pa

from ldpcore.reading.dialects import read_table

HEAD = "name;ort;zahl\n"


def western(line: str, rows: int) -> tuple[str, int, int, int]:
    """The encoding and the rows of a western file, the memory beyond what is idle to read it, and its size."""
    raw = (HEAD + "".join(line.format(i, i % 977 + 1, i % 1000) for i in range(rows))).encode("cp1252")
    read_table(raw[:100_000], "table.csv")  # what is made once is not counted
    pool = pa.default_memory_pool()
    tracemalloc.start()
    before = pool.bytes_allocated()
    table, understood = read_table(raw, "table.csv")
    taken = tracemalloc.get_traced_memory()[1] + pool.max_memory() - before
    tracemalloc.stop()
    return understood.reading.encoding, table.n, taken, len(raw)


if __name__ == "__main__":
    print(json.dumps([western(line, int(rows)) for rows, line in zip(sys.argv[1::2], sys.argv[2::2], strict=True)]))
