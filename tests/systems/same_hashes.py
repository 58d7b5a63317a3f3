#!/usr/bin/env python3
"""Compares value hashes with the published ones: same_hashes.py data/hashes.tsv RULES.list…

A list is the output of `einspul list --files` for the rule set it is named after. Exits with 1 if a
hash differs or is not published, or if nothing was compared.
"""

import csv
import pathlib
import sys


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        published = {
            (row["rules"], row["material"], row["metric"]): row["values"]
            for row in csv.DictReader(file, delimiter="\t")
        }
    n_same = n_wrong = 0
    for name in sys.argv[2:]:
        rules = pathlib.Path(name).stem
        with open(name, encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                if published.get((rules, row["material"], row["metric"])) == row["values"]:
                    n_same += 1
                else:
                    n_wrong += 1
                    print(f"{rules} {row['material']}.{row['metric']}: {row['values']} is not published")
    print(f"{n_same} hashes are those published, {n_wrong} are not")
    return 0 if n_same > 0 and n_wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
