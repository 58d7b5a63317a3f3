#!/usr/bin/env python3
"""solve.py PROGRAM [OPTION…]: what `einspul solve` decides within 0.1, 1 and 10 seconds.

Random quiet positions, the same on every machine: kings and men mixed, few kings, and men alone with
even numbers or one man more. For each kind and number of pieces the share that is decided, and the
positions looked at per second of all that took a tenth of a second or more: in shorter searches the
time goes into reading tables.

options:
  --tables DIR     where the tables are (default: data/tables)
  --rules NAME     rule set (default: frisian)
  --pieces N,N…    default: 6,7,8,10
  --number N       positions of each kind and number (default: 100)
  --seconds N      most for a position (default: 10)
  --threads N      positions at once, each on a processor of its own (default: 1)"""
import argparse
import random
import subprocess
import sys

KINGS = {"mixed": 0.4, "few-kings": 0.15, "men": 0}  # the share of kings
TIMES = (0.1, 1, 10)


def random_fen(choose, kind, n, squares, row):
    """A position without a man on its promotion row."""
    white = n // 2 + (choose.random() < 0.5 if n % 2 else 0)
    used, sides = set(), {"W": [], "B": []}
    for i in range(n):
        side = "W" if i < white else "B"
        king = choose.random() < KINGS[kind]
        while True:
            square = choose.randint(1, squares)
            promoted = square <= row if side == "W" else square > squares - row
            if square not in used and (king or not promoted):
                break
        used.add(square)
        sides[side].append(f"{'K' if king else ''}{square}")
    return f"{choose.choice('WB')}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"


def is_quiet(program, fen, options):
    """Neither side could capture if it were to move."""
    for side in "WB":
        listed = subprocess.run([program, "moves", side + fen[1:], *options], capture_output=True, text=True)
        if "x" in listed.stdout.partition("\t")[0] or not listed.stdout:
            return False
    return True


def print_shares(kind, n, lines):
    rows = [line.split("\t") for line in lines]
    decided = [float(row[3]) for row in rows if row[1] in ("win", "draw", "loss")]
    long = [(int(row[2]), float(row[3])) for row in rows if float(row[3]) >= 0.1]
    print(kind, n, len(rows), *(sum(seconds <= time for seconds in decided) for time in TIMES),
          sum(row[4] != "-" for row in rows if row[1] in ("win", "draw", "loss")),
          round(sum(nodes for nodes, _ in long) / sum(seconds for _, seconds in long)) if long else "-",
          sep="\t", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--tables", default="data/tables")
    parser.add_argument("--rules", default="frisian")
    parser.add_argument("--pieces", default="6,7,8,10")
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    squares, row = (32, 4) if given.rules in ("english", "brazilian") else (50, 5)
    options = ["--tables", given.tables, "--rules", given.rules]
    print("kind\tpieces\tpositions\t" + "\t".join(f"{time} s" for time in TIMES) + "\tcertified\tnodes a second")
    for n in map(int, given.pieces.split(",")):
        for kind in KINGS:
            choose = random.Random(f"{kind} {n}")
            fens = []
            while len(fens) < given.number:
                fen = random_fen(choose, kind, n, squares, row)
                if is_quiet(given.program, fen, options):
                    fens.append(fen)
            solved = subprocess.run([given.program, "solve", "-", *options, "--seconds", str(given.seconds),
                                     "--threads", str(given.threads)],
                                    input="\n".join(fens), capture_output=True, text=True)
            print_shares(kind, n, solved.stdout.splitlines())


if __name__ == "__main__":
    sys.exit(main())
