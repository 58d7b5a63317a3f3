#!/usr/bin/env python3
"""Prints N random positions of two and three pieces with random Frisian king runs: positions.py N."""

import random
import sys


def pieces(men: list[int], kings: list[int]) -> str:
    return ",".join([str(square) for square in men] + [f"K{square}" for square in kings])


def run(rng: random.Random, men: list[int], kings: list[int]) -> str:
    """A king run as a FEN writes it."""
    if men and kings and rng.random() < 0.5:
        return f"+{rng.randint(1, 3)}{rng.choice(kings):02}"
    return "+0"


def main() -> None:
    rng = random.Random(1)
    left = int(sys.argv[1])
    while left > 0:
        white_men, white_kings, black_men, black_kings = sets = [[], [], [], []]
        for square in rng.sample(range(1, 51), rng.choice((2, 3, 3, 3))):
            rng.choice(sets).append(square)
        if not white_men + white_kings or not black_men + black_kings:
            continue
        if min(white_men, default=50) <= 5 or max(black_men, default=1) >= 46:
            continue
        black_run, white_run = run(rng, black_men, black_kings), run(rng, white_men, white_kings)
        print(
            f"{rng.choice('WB')}:W{pieces(white_men, white_kings)}:B{pieces(black_men, black_kings)}"
            f":H0:F1:{black_run}{white_run}"
        )
        left -= 1


if __name__ == "__main__":
    main()
