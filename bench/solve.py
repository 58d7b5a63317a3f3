#!/usr/bin/env python3
"""solve.py PROGRAM [OPTION…]: how many of the endings in endings.tsv `einspul solve` decides.

endings.tsv has positions that are hard for the search: the first quiet positions with six to twelve
pieces of real games, and English problems of six to eight pieces. Each is solved by a process of its
own; a position is decided in a time if search, proof and check take no more processor time than that.

options:
  --tables DIR     where the tables are (default: data/tables)
  --rules NAME,…   default: all of the file
  --pieces N,N…    default: all of the file
  --seconds N,N…   processor time (default: 1,10,60)
  --option=TEXT    passed to solve, such as --option=--threads=2
  --each           a line for each position"""
import argparse
import collections
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(process):
    """Returns the processor time of a running process; 0 if it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS
    except (OSError, IndexError):
        return 0


def solve(command, most):
    """Returns the outcome, processor seconds, seconds and nodes of one position."""
    began = time.monotonic()
    before = os.times()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        while process.poll() is None and processor_seconds(process) <= most:
            try:
                process.wait(0.02)
            except subprocess.TimeoutExpired:
                pass
        process.send_signal(signal.SIGKILL)
        line = process.stdout.read()
        process.wait()
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    cells = line.rstrip("\n").split("\t")
    if len(cells) < 5 or cells[4] == "-":
        return "open", used, time.monotonic() - began, "-"
    return cells[1], used, time.monotonic() - began, cells[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--tables", default="data/tables")
    parser.add_argument("--rules")
    parser.add_argument("--pieces")
    parser.add_argument("--seconds", default="1,10,60")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--each", action="store_true")
    given = parser.parse_args()
    times = [float(text) for text in given.seconds.split(",")]
    lines = (pathlib.Path(__file__).parent / "endings.tsv").read_text().splitlines()[1:]
    kinds = collections.defaultdict(list)
    for rules, fen in (line.split("\t") for line in lines):
        n = len(re.findall(r"\d+", fen))
        if (given.rules is None or rules in given.rules.split(",")) and \
                (given.pieces is None or str(n) in given.pieces.split(",")):
            kinds[rules, n].append(fen)
    print("rules\tpieces\tpositions\t" + "\t".join(f"{text} s" for text in given.seconds.split(",")) +
          "\tprocessor seconds\tseconds", flush=True)
    for (rules, n), fens in sorted(kinds.items()):
        found = []
        for fen in fens:
            command = [given.program, "solve", fen, "--rules", rules, "--tables", given.tables, "--seconds", "0",
                       *given.option]
            found.append(solve(command, max(times)))
            if given.each:
                print(rules, fen, *found[-1], sep="\t", flush=True)
        whole = [row for row in found if row[0] in ("win", "draw", "loss")]
        print(rules, n, len(fens), *(sum(row[1] <= most for row in whole) for most in times),
              f"{sum(row[1] for row in found):.1f}", f"{sum(row[2] for row in found):.1f}", sep="\t", flush=True)


if __name__ == "__main__":
    sys.exit(main())
