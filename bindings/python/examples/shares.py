#!/usr/bin/env python3
"""Plots how often each material is won, drawn and lost: shares.py TABLES PICTURE [PIECES [POSITIONS]].

For every material of so many pieces (default 3) random positions (default 5000 each), the stronger
side to move, fresh rule state, captures included. PICTURE is a file that matplotlib can write, as
shares.svg; its bars are sorted by wins.
"""

import random
import sys

import matplotlib

matplotlib.use("Agg")  # writes files, needs no screen
import matplotlib.pyplot as plt

import einspul

from histogram import random_positions


def shares(tables: einspul.Tablebase, material: str, n: int, rng: random.Random) -> list[float]:
    """Shares of wins, draws and losses in n random positions."""
    positions = random_positions(material, n, rng)
    outcomes = list(tables.probe_many(positions, distances=False))
    return [outcomes.count(outcome) / n for outcome in (1, 0, -1)]


def main() -> None:
    folder, picture = sys.argv[1:3]
    pieces = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    n = int(sys.argv[4]) if len(sys.argv) > 4 else 5000
    rng = random.Random(1)
    with einspul.open_tablebase(folder) as tables:
        names = [table.material for table in tables.tables() if table.pieces == pieces]
        rows = sorted((shares(tables, name, n, rng), name) for name in names)
    figure, axes = plt.subplots(figsize=(8, 1 + len(rows) / 3))
    left = [0.0] * len(rows)
    for i, (label, colour) in enumerate((("win", "#2a6"), ("draw", "#bbb"), ("loss", "#c44"))):
        part = [row[i] for row, _ in rows]
        axes.barh([name for _, name in rows], part, left=left, color=colour, label=label)
        left = [a + b for a, b in zip(left, part)]
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of positions")
    axes.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1))
    figure.tight_layout()
    figure.savefig(picture)
    for row, name in reversed(rows):
        print(f"{name:8} {row[0]:6.1%} won {row[1]:6.1%} drawn {row[2]:6.1%} lost")


if __name__ == "__main__":
    main()
