#!/usr/bin/env python3
"""Draws how long the wins of a material take: histogram.py TABLES [MATERIAL [POSITIONS]].

Random positions of the material (default KMvK), White to move, fresh rule state; a bar for every ten
plies.
"""

import random
import sys
from collections import Counter

import einspul


def random_positions(material: str, n: int, rng: random.Random) -> list[einspul.Position]:
    """Placements of the material that the rules know: no man stands on its promotion row."""
    white, black = material.split("v")
    found: list[einspul.Position] = []
    while len(found) < n:
        squares = rng.sample(range(50), len(white) + len(black))
        sets = {"white_men": 0, "white_kings": 0, "black_men": 0, "black_kings": 0}
        for side, pieces in (("white", white), ("black", black)):
            for piece in pieces:
                sets[f"{side}_{'kings' if piece == 'K' else 'men'}"] |= 1 << squares.pop()
        if sets["white_men"] & 0x1F == 0 and sets["black_men"] >> 45 == 0:
            found.append(einspul.Position(**sets))
    return found


def main() -> None:
    tables = sys.argv[1]
    material = sys.argv[2] if len(sys.argv) > 2 else "KMvK"
    n = int(sys.argv[3]) if len(sys.argv) > 3 else 20000
    positions = random_positions(material, n, random.Random(1))
    with einspul.open_tablebase(tables) as tablebase:
        outcomes, plies = tablebase.probe_many(positions)
    wins = Counter(ply // 10 for outcome, ply in zip(outcomes, plies) if outcome == 1)
    print(f"{material}, White to move: {sum(wins.values())} wins in {n} positions")
    most = max(wins.values(), default=1)
    for bar in range(max(wins, default=0) + 1):
        print(f"{10 * bar:3}-{10 * bar + 9:3} {wins[bar]:6} {'#' * (60 * wins[bar] // most)}")


if __name__ == "__main__":
    main()
