#!/usr/bin/env python3
"""Peak memory of `generate` beside its limit: memory.py [OPTION...] EINSPUL TABLES MATERIAL...

For each material and each limit a copy of TABLES without the tables of the material is made, and
they are generated in it under that limit. TABLES must hold what the material needs. In place of a
material a number stands for all of 2 to so many pieces, which begin with no table. A line a run:
material, metric, threads, limit, peak (the kernel's count of resident memory, all of the program's),
both in MB, what is left of the limit, seconds of the processor, and seconds in all. A limit too
small is a line with the least limit that the program names, which is run then. Exit status 1 when a
peak is above its limit, or what is named as the least is refused.

  --rules NAME      default: frisian
  --metric METRIC   default: dtw
  --threads N       default: 2
  --memory LIST     limits in GiB, between commas; 0: none (default: 0.25,0.4,0.5,1)
  --scratch DIR     where copies go (default: beside TABLES)
"""

import argparse
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

GIB = 1 << 30


def generate(arguments: list[str]) -> tuple[int, int, float, float, str]:
    """Runs the program: exit status, peak in bytes, seconds of the processor and in all, its last line."""
    began = time.monotonic()
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as process:
        lines = process.stderr.read().splitlines()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    return process.returncode, usage.ru_maxrss * 1024, seconds, time.monotonic() - began, lines[-1]


def run(options: argparse.Namespace, material: str, limit: int) -> int | None:
    """One run under a limit in bytes; the least limit if that is refused, else None."""
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        folder = pathlib.Path(folder)
        arguments = [options.einspul, "generate", "--rules", options.rules, "--metric", options.metric]
        if material.isdigit():
            arguments += ["--pieces", material]
        else:
            arguments += ["--material", material]
            hidden = shutil.ignore_patterns(".*")
            shutil.copytree(options.tables / options.rules, folder / options.rules, ignore=hidden)
            for path in (folder / options.rules).glob(f"{material}.*"):
                path.unlink()
        arguments += ["--threads", str(options.threads), "--tables", str(folder)]
        arguments += ["--memory", f"{limit / GIB:.9f}"] if limit > 0 else []
        status, peak, seconds, elapsed, line = generate(arguments)
    row = [material, options.metric, str(options.threads), f"{limit / 1e6:.0f}"]
    refused = re.search(r"([0-9.]+) MiB of memory are needed", line)
    if status != 0 and refused:
        print("\t".join(row + [f"refused: {refused[1]} MiB"]), flush=True)
        return math.ceil(float(refused[1]) * (1 << 20))
    if status != 0:
        sys.exit(line)
    left = f"{(limit - peak) / 1e6:.0f}" if limit > 0 else "-"
    row += [f"{peak / 1e6:.0f}", left, f"{seconds:.0f}", f"{elapsed:.0f}"]
    print("\t".join(row), flush=True)
    options.exceeded |= 0 < limit < peak
    return None


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("einspul")
    parser.add_argument("tables", type=pathlib.Path)
    parser.add_argument("materials", nargs="+")
    parser.add_argument("--rules", default="frisian")
    parser.add_argument("--metric", default="dtw")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", default="0.25,0.4,0.5,1")
    parser.add_argument("--scratch", type=pathlib.Path)
    options = parser.parse_args()
    options.scratch = options.scratch or options.tables.parent
    options.exceeded = False
    print("material\tmetric\tthreads\tlimit\tpeak\tleft\tprocessor-s\telapsed-s", flush=True)
    for material in options.materials:
        least = None
        for limit in sorted(float(text) for text in options.memory.split(",")):
            named = run(options, material, int(limit * GIB))
            least = named or least
        if least is not None and run(options, material, least) is not None:
            sys.exit("what is named as the least limit is refused")
    sys.exit(1 if options.exceeded else 0)


if __name__ == "__main__":
    main()
