#!/usr/bin/env python3
"""Benchmarks table generation: generate.py [OPTION...] EINSPUL [NUMBER|MATERIAL...]

Runs `EINSPUL generate` for each NUMBER (all materials of 2 to NUMBER pieces, from scratch; default: 4)
or MATERIAL (one table, from a copy of the tables in --tables that it needs), and prints one line per
run: tables, metric, threads, memory limit, states, wall and processor seconds, million states per
second of processor time, peak resident memory, bytes of the new files. The figures are the kernel's,
for the whole process.

With --against OTHER each run is followed by a run of that program; the last column is the ratio of
processor times, EINSPUL to OTHER, and a last line has the median of these ratios. On a busy machine,
compare ratios rather than seconds. With --memory a limit that is too small gives a line with the
minimum that the program names, which is then run; the exit status is 1 if a peak exceeds its limit.

  --rules NAME      default: frisian
  --metric METRIC   default: both
  --threads LIST    separated by commas (default: 1)
  --memory LIST     limits in GiB, separated by commas; 0: none (default: 0)
  --repeat N        runs of each kind (default: 1)
  --against OTHER   another program to compare with
  --tables DIR      default: data/tables
  --scratch DIR     where new tables go (default: beside --tables)
"""

import argparse
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

GIB = 1 << 30
STATISTICS = pathlib.Path(__file__).parent.parent / "data/statistics"
COLUMNS = "what metric threads limit-MB states wall-s processor-s M/s peak-MB bytes ratio"


def states_by_material(rules: str) -> dict[str, int]:
    """Returns the published number of states by material, both sides to move, king runs included."""
    states: dict[str, int] = {}
    for path in STATISTICS.glob(f"{rules}-[0-9]*.tsv"):
        for line in path.read_text().splitlines()[1:]:
            material, _, kind, *counts = line.split("\t")[:6]
            if kind == "all":
                states[material] = states.get(material, 0) + sum(map(int, counts))
    return states


def generate(arguments: list[str]) -> tuple[int, int, float, float, str]:
    """Runs the program; returns exit status, peak bytes, processor and wall seconds, last line."""
    began = time.monotonic()
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as process:
        lines = process.stderr.read().splitlines()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    return process.returncode, usage.ru_maxrss * 1024, seconds, time.monotonic() - began, lines[-1]


class Bench:
    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.exceeded = False
        self.states = states_by_material(options.rules)

    def n_states(self, what: str) -> int:
        pieces = int(what) if what.isdigit() else 0
        return sum(n for material, n in self.states.items()
                   if material == what or len(material) - 1 <= pieces)

    def run(self, program: str, what: str, threads: str, limit: int) -> tuple[list[str], float, int]:
        """Runs once; returns the row, processor seconds, and the minimum limit if `limit` is refused, else 0."""
        options = self.options
        with tempfile.TemporaryDirectory(dir=options.scratch) as name:
            folder = pathlib.Path(name) / options.rules
            wanted = ["--pieces" if what.isdigit() else "--material", what]
            if not what.isdigit():
                shutil.copytree(options.tables / options.rules, folder,
                                ignore=shutil.ignore_patterns(".*", f"{what}.*"))
            before = sum(path.stat().st_size for path in folder.glob("*"))
            status, peak, seconds, wall, line = generate(
                [program, "generate", "--rules", options.rules, "--metric", options.metric, *wanted,
                 "--threads", threads, "--tables", name] +
                (["--memory", f"{limit / GIB:.9f}"] if limit > 0 else []))
            n_bytes = sum(path.stat().st_size for path in folder.glob("[A-Z]*")) - before
        row = [what, options.metric, threads, f"{limit / 1e6:.0f}" if limit > 0 else "-"]
        refused = re.search(r"needs ([0-9.]+) MiB of memory", line)
        if status != 0 and refused:
            return row + [f"refused: {refused[1]} MiB"], 0, math.ceil(float(refused[1]) * (1 << 20))
        if status != 0:
            sys.exit(line)
        self.exceeded |= 0 < limit < peak
        n_states = self.n_states(what)
        return row + [str(n_states), f"{wall:.1f}", f"{seconds:.2f}", f"{n_states / seconds / 1e6:.1f}",
                      f"{peak / 1e6:.0f}", str(n_bytes)], seconds, 0

    def pair(self, what: str, threads: str, limit: int, ratios: list[float]) -> int:
        """Runs both programs and prints a row; returns the minimum limit, as `run` does."""
        row, seconds, least = self.run(self.options.einspul, what, threads, limit)
        if self.options.against and least == 0:
            _, other, _ = self.run(self.options.against, what, threads, limit)
            ratios.append(seconds / other)
            row.append(f"{ratios[-1]:.3f}")
        print("\t".join(row), flush=True)
        return least

    def all(self) -> None:
        options = self.options
        limits = [int(float(text) * GIB) for text in options.memory.split(",")]
        ratios: list[float] = []
        print("\t".join(COLUMNS.split()), flush=True)
        for what in options.what or ["4"]:
            for threads in options.threads.split(","):
                least = 0
                for limit in sorted(limits):
                    for _ in range(options.repeat):
                        least = self.pair(what, threads, limit, ratios) or least
                if least > 0 and self.pair(what, threads, least, ratios) > 0:
                    sys.exit("the minimum limit that the program names is refused")
        if ratios:
            print(f"median of {len(ratios)} ratios\t{statistics.median(ratios):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("einspul")
    parser.add_argument("what", nargs="*")
    parser.add_argument("--rules", default="frisian")
    parser.add_argument("--metric", default="both")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--memory", default="0")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--against")
    parser.add_argument("--tables", type=pathlib.Path, default=pathlib.Path("data/tables"))
    parser.add_argument("--scratch", type=pathlib.Path)
    options = parser.parse_args()
    options.scratch = options.scratch or options.tables.parent
    bench = Bench(options)
    bench.all()
    sys.exit(1 if bench.exceeded else 0)


if __name__ == "__main__":
    main()
