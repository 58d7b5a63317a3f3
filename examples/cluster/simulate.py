"""How long a plan takes on nodes that are all alike:

    einspul plan --pieces 7 --cores 16 | simulate.py --nodes 4 --cores 16 --memory 60

A material starts as soon as what it needs is done and a node has room, the one with the longest path
first. Prints hours from the first start to the last end, core-hours, hours of the longest path (no
number of nodes is faster), the most memory that a material needs at least, and TiB of disk."""
import argparse
import csv
import heapq
import sys

SERIAL_SHARE = 0.01  # of the work that one core does while the others wait: taken, not measured
START_SECONDS = 1.0  # that a scheduler takes to start a process


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, default=1)
    parser.add_argument("--cores", type=int, required=True, help="of a node")
    parser.add_argument("--memory", type=float, required=True, help="of a node, in GiB")
    given = parser.parse_args()
    rows = list(csv.DictReader(sys.stdin, delimiter="\t"))
    cores = [int(row["cores"]) for row in rows]
    room = [max(min(int(row["wanted-memory"]), given.memory * 2**30), int(row["least-memory"]))
            for row in rows]
    work = [float(row["core-seconds"]) for row in rows]
    seconds = [s * (SERIAL_SHARE + (1 - SERIAL_SHARE) / n) + START_SECONDS for s, n in zip(work, cores)]
    number = {row["material"]: i for i, row in enumerate(rows)}
    needs = [[] if row["needs"] == "-" else [number[need] for need in row["needs"].split(",")]
             for row in rows]
    users = [[j for j in range(len(rows)) if i in needs[j]] for i in range(len(rows))]
    path = [0.0] * len(rows)
    for i in reversed(range(len(rows))):  # needs stand before their users
        path[i] = seconds[i] + max((path[user] for user in users[i]), default=0)
        if cores[i] > given.cores or room[i] > given.memory * 2**30:
            sys.exit(f"simulate.py: no node has room for {rows[i]['material']}")
    waiting = [len(need) for need in needs]
    ready = [i for i in range(len(rows)) if waiting[i] == 0]
    nodes = [[given.cores, given.memory * 2**30] for _ in range(given.nodes)]
    running, now = [], 0.0
    while ready or running:
        for i in sorted(ready, key=lambda i: -path[i]):
            node = next((n for n in nodes if n[0] >= cores[i] and n[1] >= room[i]), None)
            if node is not None:
                ready.remove(i)
                node[0] -= cores[i]
                node[1] -= room[i]
                heapq.heappush(running, (now + seconds[i], i, node))
        now, done, node = heapq.heappop(running)
        node[0] += cores[done]
        node[1] += room[done]
        for user in users[done]:
            waiting[user] -= 1
            if waiting[user] == 0:
                ready.append(user)
    print("hours\tcore-hours\tlongest-path\tleast-memory-GiB\tdisk-TiB")
    print(f"{now / 3600:.2f}\t{sum(work) / 3600:.1f}\t{max(path) / 3600:.2f}"
          f"\t{max(int(row['least-memory']) for row in rows) / 2**30:.1f}"
          f"\t{sum(int(row['disk']) for row in rows) / 2**40:.2f}")


if __name__ == "__main__":
    main()
