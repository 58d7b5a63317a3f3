#!/usr/bin/env python3
"""The published statistics: statistics_check.py PROGRAM TABLES RESULTS data/statistics/RULES-N[-M].tsv…

- Each file covers all materials of its piece counts, or those with tables of the rule set's own.
- Totals equal the number of positions, which this script counts by placing pieces, without the program.
- Longest wins and losses are given if there are any, and only then; if one is known of a set, of all of
  it or of whole materials.
- `einspul stats` counts the published numbers in the Frisian tables of three pieces.
- The figures of RESULTS (docs/results.md) follow from these counts: symmetric material counts once, with
  White to move.
"""

import collections
import csv
import itertools
import math
import pathlib
import re
import subprocess
import sys

SMALL_BOARD = {"brazilian", "english"}
WITH_RUNS = {"frisian", "frisian-lidraughts"}

# Materials whose values depend on a clock, with its range, and whether other material has tables of its
# own.
N_CLOCKS = {
    "frisian-lidraughts": {"KvK": 4, "KKvK": 14},
    "international-fmjd": {"KvK": 10, "KKvK": 10, "KMvK": 10, "KKKvK": 32, "KKMvK": 32, "KMMvK": 32},
}
BORROWS = {"international-fmjd"}

# Files with only some of the materials of their number of pieces.
SOME_MATERIALS = {
    "frisian-7": {"KKKKKKvK", "KKKKKKvM", "KKKKKMvK"},
    "english-8": {"KKKKKKKvK", "KKKKKKvKK", "KKKKKvKKK", "KKKKvKKKK"},
}
# Files with all but these, whose distances no table can store.
WITHOUT = {"english-7": {"KMMMvKKM", "KMMMvKMM", "MMMMvKKM", "KMMMvMMM", "MMMMvKMM", "MMMMvMMM"}}


def expect(condition: bool, text: str) -> None:
    if not condition:
        sys.exit(f"wrong: {text}")


def materials(n_pieces: int) -> set[str]:
    """The stronger side first: more pieces, then more kings."""
    found = set()
    for n_white in range(1, n_pieces):
        n_black = n_pieces - n_white
        for white, black in itertools.product(range(n_white + 1), range(n_black + 1)):  # kings
            if (n_white, white) >= (n_black, black):
                found.add("K" * white + "M" * (n_white - white) + "v" +
                          "K" * black + "M" * (n_black - black))
    return found


def counts(name: str) -> tuple[int, int, int, int]:
    white, black = name.split("v")
    return white.count("K"), white.count("M"), black.count("K"), black.count("M")


def n_placements(rules: str, name: str) -> int:
    """Places men first: up to that many of either colour on the row where the other cannot stand."""
    white_kings, white_men, black_kings, black_men = counts(name)
    row, squares = (4, 32) if rules in SMALL_BOARD else (5, 50)
    both = squares - 2 * row
    n = sum(
        math.comb(row, white_men - white) * math.comb(both, white) *
        math.comb(row, black_men - black) * math.comb(both - white, black)
        for white in range(white_men + 1) for black in range(black_men + 1))
    left = squares - white_men - black_men
    return n * math.comb(left, white_kings) * math.comb(left - white_kings, black_kings)


def n_states(rules: str, name: str) -> int:
    """The clocks, or the runs (none, or one to three moves of one king) of each side with men."""
    if name in N_CLOCKS.get(rules, {}):
        return N_CLOCKS[rules][name]
    if rules not in WITH_RUNS:
        return 1
    white_kings, white_men, black_kings, black_men = counts(name)
    return ((1 + 3 * white_kings if white_men > 0 else 1) *
            (1 + 3 * black_kings if black_men > 0 else 1))


def is_limited(rules: str, name: str) -> bool:
    return rules == "frisian" and name == "KKvK"


def check_row(where: str, row: dict[str, str], n: int) -> None:
    wins, draws, losses = (int(row[name]) for name in ("wins", "draws", "losses"))
    expect(wins + draws + losses == n, f"{where}: {wins + draws + losses} positions, there are {n}")
    longest = row["max-win"]
    expect((row["fen"] == "-") == (longest == "-"), f"{where}: a longest win without position")
    if row["fen"] != "-":
        expect(row["fen"][0] == row["side"][0].upper(), f"{where}: another side to move")
        expect(wins > 0 and int(longest) % 2 == 1, f"{where}: {longest} plies")
    if row["max-loss"] != "-":
        expect(losses > 0 and int(row["max-loss"]) % 2 == 0, f"{where}: {row['max-loss']} plies")


def rules_and_pieces(path: pathlib.Path) -> tuple[str, int, int]:
    """From RULES-N.tsv or RULES-N-M.tsv; the name of a rule set may contain a hyphen."""
    found = re.fullmatch(r"(.+?)-(\d)(?:-(\d))?", path.stem)
    expect(found is not None, f"{path.name}: no name of statistics")
    rules, first, last = found.groups()
    return rules, int(first), int(last or first)


def check_file(path: pathlib.Path) -> int:
    rules, first, last = rules_and_pieces(path)
    groups = collections.defaultdict(dict)
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            where = row["states"], row["side"]
            expect(where not in groups[row["material"]], f"{path.name}: {row['material']} twice")
            groups[row["material"]][where] = row
    everything = set().union(*(materials(n) for n in range(first, last + 1)))
    wanted = SOME_MATERIALS.get(path.stem, everything - WITHOUT.get(path.stem, set()))
    if rules in BORROWS:
        wanted &= set(N_CLOCKS[rules])
    expect(set(groups) == wanted, f"{path.name}: {sorted(set(groups) ^ wanted)}")

    n_all_states = 0
    for name, rows in groups.items():
        kinds = ["fresh", "all"] + ["raw"] * is_limited(rules, name)
        expect(set(rows) == set(itertools.product(kinds, ("white", "black"))),
               f"{path.name}: rows of {name}")
        n = n_placements(rules, name)
        n_all = n * n_states(rules, name)
        for (kind, side), row in rows.items():
            check_row(f"{path.name}: {name} {side} {kind}", row, n if kind == "fresh" else n_all)
        known = {row["max-win"] != "-" or row["max-loss"] != "-" for row in rows.values()
                 if int(row["wins"]) + int(row["losses"]) > 0}
        expect(len(known) == 1, f"{path.name}: distances of {name} are known of some rows only")
        white, black = counts(name)[:2], counts(name)[2:]
        if white == black:
            for kind in kinds:
                expect(all(rows[kind, "white"][column] == rows[kind, "black"][column]
                           for column in ("wins", "draws", "losses", "max-win", "max-loss")),
                       f"{path.name}: {name}, colours differ")
        n_all_states += n_all if white == black else 2 * n_all
    print(f"{path.name}: {len(groups)} materials, {n_all_states} states with colours merged")
    return n_all_states


def check_counted(program: str, tables: str, path: pathlib.Path) -> None:
    published = path.read_text(encoding="utf-8").splitlines()
    small = [name for n in (2, 3) for name in sorted(materials(n))]
    printed = subprocess.run([program, "stats", *small, "--tables", tables], check=True,
                             capture_output=True, encoding="utf-8").stdout.splitlines()
    expect(len(printed) > 4 * len(small), f"{len(printed)} lines of statistics")
    for line in printed:
        expect(line in published, f"counted, but not published: {line}")


# --- docs/results.md -------------------------------------------------------------------------------

def shares(wins: int, draws: int, losses: int) -> list[str]:
    n = wins + draws + losses
    return [f"{100 * part / n:.1f}" for part in (wins, draws, losses)]


class Counts:
    """Fresh positions of a rule set: wins, draws and losses by material and side to move."""

    def __init__(self, rules: str, files: list[pathlib.Path]) -> None:
        self.rows: dict[str, dict[str, list[int]]] = collections.defaultdict(dict)
        for path in files:
            if rules_and_pieces(path)[0] == rules:
                with path.open(encoding="utf-8") as file:
                    for row in csv.DictReader(file, delimiter="\t"):
                        if row["states"] == "fresh":
                            self.rows[row["material"]][row["side"]] = [
                                int(row[name]) for name in ("wins", "draws", "losses")]

    def of_first(self, name: str) -> list[int]:
        """For the side named first, with either side to move."""
        white, black = self.rows[name]["white"], self.rows[name]["black"]
        return [a + b for a, b in zip(white, reversed(black))]

    def of_mover(self, first: int, last: int) -> list[int]:
        """For the side to move, over all materials of that many pieces."""
        total = [0, 0, 0]
        for name, sides in self.rows.items():
            if first <= len(name) - 1 <= last:
                white, black = name.split("v")
                for side in ("white",) if white == black else ("white", "black"):
                    total = [a + b for a, b in zip(total, sides[side])]
        return total


def check_results(document: pathlib.Path, files: list[pathlib.Path]) -> None:
    text = document.read_text(encoding="utf-8")
    games = [Counts(rules, files) for rules in ("frisian", "international", "english")]
    frisian = games[0]

    printed = re.findall(r"([KM]+v[KM]+)((?: +\d+\.\d){3})\b", text)
    expect({name for name, _ in printed} == set(frisian.rows), "materials of docs/results.md")
    for name, row in printed:
        expect(row.split() == shares(*frisian.of_first(name)), f"docs/results.md: {name}")

    rows = re.findall(r"^(\d)((?: +\d+\.\d){9})$", text, re.MULTILINE)
    expect([n for n, _ in rows] == list("23456"), f"docs/results.md: rows of {rows}")
    for n, row in rows:
        computed = sum((shares(*game.of_mover(int(n), int(n))) for game in games), [])
        expect(row.split() == computed, f"docs/results.md: {n} pieces, {computed}")

    total = frisian.of_mover(2, 5)
    sentence = f"{shares(*total)[1]} % of the {sum(total):,} positions of two to five pieces are drawn"
    expect(sentence in " ".join(text.split()), f"docs/results.md lacks: {sentence}")

    rows = re.findall(r"^([KM]+v[KM]+) +([\d,]+) +[\d.]+ % +([\d.]+) %", text, re.MULTILINE)
    expect(len(rows) == 10, f"docs/results.md: {len(rows)} most affected materials")
    for name, n, won in rows:
        white, black = name.split("v")
        counted = frisian.of_first(name)
        expect(n == f"{sum(counted) // (1 + (white == black)):,}", f"docs/results.md: {n} of {name}")
        expect(won == shares(*counted)[0], f"docs/results.md: {name} is won in {won} %")


def main() -> None:
    program, tables, document, *paths = sys.argv[1:]
    files = [pathlib.Path(path) for path in paths]
    expect(len(files) > 0, "no files")
    for path in files:
        check_file(path)
    check_results(pathlib.Path(document), files)
    check_counted(program, tables, next(path for path in files if path.stem == "frisian-2-5"))


main()
