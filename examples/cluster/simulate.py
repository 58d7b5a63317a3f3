"""Simulates the run time of a plan on identical nodes:

    einspul plan --pieces 7 --cores 16 | simulate.py --nodes 4 --cores 16 --memory 60

A material starts as soon as its prerequisites are done and a node has capacity, the one with the
longest path first. Prints hours from the first start to the last end, core-hours, hours of the longest
path (no number of nodes is faster), the largest minimum memory of a material, and TiB of disk."""
import argparse
import csv
import heapq
import sys

SERIAL_SHARE = 0.01  # serial fraction of the work; an assumption, not measured
START_SECONDS = 1.0  # scheduler latency per process


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, default=1)
    parser.add_argument("--cores", type=int, required=True, help="cores of a node")
    parser.add_argument("--memory", type=float, required=True, help="memory of a node, in GiB")
    given = parser.parse_args()
    rows = list(csv.DictReader(sys.stdin, delimiter="\t"))
    cores = [int(row["cores"]) for row in rows]
    memory = [max(min(int(row["wanted-memory"]), given.memory * 2**30), int(row["least-memory"]))
            for row in rows]
    work = [float(row["core-seconds"]) for row in rows]
    seconds = [s * (SERIAL_SHARE + (1 - SERIAL_SHARE) / n) + START_SECONDS for s, n in zip(work, cores)]
    number = {row["material"]: i for i, row in enumerate(rows)}
    needs = [[] if row["needs"] == "-" else [number[need] for need in row["needs"].split(",")]
             for row in rows]
    dependents = [[j for j in range(len(rows)) if i in needs[j]] for i in range(len(rows))]
    path = [0.0] * len(rows)
    for i in reversed(range(len(rows))):  # prerequisites precede their dependents
        path[i] = seconds[i] + max((path[dependent] for dependent in dependents[i]), default=0)
        if cores[i] > given.cores or memory[i] > given.memory * 2**30:
            sys.exit(f"simulate.py: no node has the capacity for {rows[i]['material']}")
    waiting = [len(need) for need in needs]
    ready = [i for i in range(len(rows)) if waiting[i] == 0]
    nodes = [[given.cores, given.memory * 2**30] for _ in range(given.nodes)]
    running, now = [], 0.0
    while ready or running:
        for i in sorted(ready, key=lambda i: -path[i]):
            node = next((n for n in nodes if n[0] >= cores[i] and n[1] >= memory[i]), None)
            if node is not None:
                ready.remove(i)
                node[0] -= cores[i]
                node[1] -= memory[i]
                heapq.heappush(running, (now + seconds[i], i, node))
        now, done, node = heapq.heappop(running)
        node[0] += cores[done]
        node[1] += memory[done]
        for dependent in dependents[done]:
            waiting[dependent] -= 1
            if waiting[dependent] == 0:
                ready.append(dependent)
    print("hours\tcore-hours\tlongest-path\tleast-memory-GiB\tdisk-TiB")
    print(f"{now / 3600:.2f}\t{sum(work) / 3600:.1f}\t{max(path) / 3600:.2f}"
          f"\t{max(int(row['least-memory']) for row in rows) / 2**30:.1f}"
          f"\t{sum(int(row['disk']) for row in rows) / 2**40:.2f}")


if __name__ == "__main__":
    main()
