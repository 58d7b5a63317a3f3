#!/usr/bin/env python3
"""solve_check.py PROGRAM TABLES [OPTION…]: compares what `einspul solve` proves with larger tables.

Random positions of as many pieces as the largest tables in TABLES are solved with the tables that
have a piece less; what is proved must be the outcome in the tables. Exit status 1 if any differs.

options:
  --rules NAME     default: english
  --pieces N       pieces of the positions (default: 5)
  --positions N    default: 5000
  --nodes N        limit of each search (default: 20000)
  --seed N         default: 1"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

AGREES = {"win": {"win"}, "draw": {"draw"}, "loss": {"loss"}, "not-win": {"draw", "loss"},
          "not-loss": {"draw", "win"}, "open": {"win", "draw", "loss"}}


def n_pieces(path):
    return sum(letter in "KM" for letter in path.stem)


def fen(numbers, n, squares):
    """A random position; it may be one that the program refuses."""
    fields = {"W": [], "B": []}
    kings = numbers.random()
    for square in numbers.sample(range(1, squares + 1), n):
        fields[numbers.choice("WB")].append(("K" if numbers.random() < kings else "") + str(square))
    return f"{numbers.choice('WB')}:W{','.join(fields['W'])}:B{','.join(fields['B'])}"


def rows(command, fens):
    """Returns the outcome of each position, and False where it was refused."""
    ran = subprocess.run(command, input="\n".join(fens) + "\n", capture_output=True, text=True, check=False)
    lines = [line.split("\t") for line in ran.stdout.splitlines()]
    if [cells[0] for cells in lines] != fens:
        sys.exit(f"{' '.join(command)}: {ran.stderr}")
    return [cells[1] if cells[1] in AGREES else None for cells in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program")
    parser.add_argument("tables")
    parser.add_argument("--rules", default="english")
    parser.add_argument("--pieces", type=int, default=5)
    parser.add_argument("--positions", type=int, default=5000)
    parser.add_argument("--nodes", default="20000")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    numbers = random.Random(given.seed)
    squares = 32 if given.rules in ("english", "brazilian") else 50
    common = ["--rules", given.rules, "--tables"]
    fens = []
    while len(fens) < given.positions:
        made = [fen(numbers, given.pieces, squares) for _ in range(given.positions)]
        truths = rows([given.program, "probe", "-", *common, given.tables], made)
        fens += [(text, truth) for text, truth in zip(made, truths) if truth is not None]
    fens = fens[:given.positions]
    with tempfile.TemporaryDirectory() as folder:
        few = pathlib.Path(folder, given.rules)
        few.mkdir()
        for path in pathlib.Path(given.tables, given.rules).resolve().iterdir():
            if path.suffix == ".wdl" and n_pieces(path) < given.pieces:
                (few / path.name).symlink_to(path)
        proved = rows([given.program, "solve", "-", "--nodes", given.nodes, *common, folder], [text for text, _ in fens])
    wrong = [(text, truth, found) for (text, truth), found in zip(fens, proved) if truth not in AGREES.get(found, ())]
    for row in wrong:
        print("wrong", *row, sep="\t")
    whole = sum(found in ("win", "draw", "loss") for found in proved)
    half = sum(found in ("not-win", "not-loss") for found in proved)
    print(f"{given.rules}: {len(fens)} positions of {given.pieces} pieces, {whole} decided, {half} half, {len(wrong)} wrong")
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
