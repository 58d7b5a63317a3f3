#!/usr/bin/env python3
"""Probes per second through Python beside C: python.py BENCH_PROBE TABLES [PIECES].

Random positions with random king runs, all blocks decoded before; EINSPUL_LIBRARY names the library,
and PYTHONPATH the package. Prints a table; the C figures are those of bench_probe in the same run.
"""

import random
import subprocess
import sys
import time

import numpy

import einspul

N = 100_000


def random_array(n: int, pieces: int) -> numpy.ndarray:
    """Positions of a rule set with king runs; illegal ones are drawn again."""
    rng = random.Random(4)
    items = numpy.zeros(n, dtype=einspul.PositionArray.dtype())
    for item in items:
        while True:
            sets = [0, 0, 0, 0]  # White's men, Black's men, White's kings, Black's kings
            for square in rng.sample(range(50), pieces):
                sets[rng.randrange(4)] |= 1 << square
            if (sets[0] | sets[2]) and (sets[1] | sets[3]) and not (sets[0] & 0x1F or sets[1] >> 45):
                break
        item["men"], item["kings"], item["side"] = sets[:2], sets[2:], rng.randrange(2)
        for side in range(2):
            kings = [square + 1 for square in range(50) if sets[2 + side] >> square & 1]
            if kings and sets[side] and rng.randrange(2):
                item["run_square"][side] = rng.choice(kings)
                item["run_count"][side] = rng.randint(1, 3)
    return items


def rate(run, n: int) -> float:
    """Millions a second, the best of three passes after one that fills the cache."""
    run()
    best = 0.0
    for _ in range(3):
        start = time.perf_counter()
        run()
        best = max(best, n / (time.perf_counter() - start) / 1e6)
    return best


def c_rates(bench: str, tables: str, pieces: int) -> dict[str, float]:
    """Best rates of one thread by kind of call, from bench_probe."""
    text = subprocess.run(
        [bench, "--tables", tables, "--pieces", str(pieces), "--metric", "wdl"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    rows = [line.split() for line in text.splitlines()]
    return {row[1]: float(row[6]) for row in rows if row[:1] == ["wdl"] and row[2:3] == ["1"]}


def main() -> None:
    bench, tables = sys.argv[1], sys.argv[2]
    pieces = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    items = random_array(N, pieces)
    with einspul.open_tablebase(tables) as tablebase:
        as_list = [
            einspul.Position(
                *(int(item[name][side]) for side in range(2) for name in ("men", "kings")),
                side=int(item["side"]),
                run_square=tuple(int(square) for square in item["run_square"]),
                run_count=tuple(int(count) for count in item["run_count"]),
            )
            for item in items
        ]
        made = einspul.PositionArray(as_list)
        rates = {
            "probe_wdl, one call a position": rate(
                lambda: [tablebase.probe_wdl(position) for position in as_list], N
            ),
            "probe_many, a list": rate(lambda: tablebase.probe_many(as_list, distances=False), N),
            "probe_many, a PositionArray": rate(
                lambda: tablebase.probe_many(made, distances=False), N
            ),
            "probe_many, a NumPy array": rate(
                lambda: tablebase.probe_many(items, distances=False), N
            ),
        }
    for kind, value in c_rates(bench, tables, pieces).items():
        rates[f"C, {kind}"] = value
    print(f"outcomes of {pieces} pieces, one thread")
    for name, value in rates.items():
        print(f"{name:32} {value:8.3f} M/s")


if __name__ == "__main__":
    main()
