"""Simulates a plan of jobs on nodes that are all alike:

    einspul plan --pieces 6 --cores 16 --memory 60 | simulate.py --nodes 4 --cores 16 --memory 60

Jobs start as soon as what they need is done and a node has room, the one with the longest path first;
one that finds no room lets a later one pass. Disks and the network are as fast as they were where the
rates were measured. Prints seconds from the first start to the last end, the share of cores that were
idle, seconds of the longest path (no number of nodes is faster), and the most jobs at once."""
import argparse
import csv
import heapq
import sys

SERIAL_SHARE = 0.01  # of a job's work that one core does while the others wait: as the plan has it
START_SECONDS = 1.0  # a scheduler takes to start a job; its cores wait


def simulate(rows, n_nodes, n_cores, memory, start_seconds=START_SECONDS):
    """(makespan, share of idle cores, longest path, most jobs at once); ValueError names a job that no
    node has room for."""
    jobs = {row["job"]: row for row in rows}
    needs = {job: [] if row["needs"] == "-" else row["needs"].split(",") for job, row in jobs.items()}
    cores = {job: int(row["cores"]) for job, row in jobs.items()}
    room = {job: int(row["memory"]) for job, row in jobs.items()}
    seconds = {job: float(row["core-seconds"]) * (SERIAL_SHARE + (1 - SERIAL_SHARE) / cores[job]) +
               start_seconds for job, row in jobs.items()}
    users = {job: [] for job in jobs}
    path = {}
    for job in jobs:
        if cores[job] > n_cores or room[job] > memory:
            raise ValueError(f"no node has room for {job}")
        for need in needs[job]:
            users[need].append(job)
    for job in reversed(jobs):  # needs stand before their users
        path[job] = seconds[job] + max((path[user] for user in users[job]), default=0)
    order = {job: number for number, job in enumerate(sorted(jobs, key=lambda job: -path[job]))}
    waiting = {job: len(needs[job]) for job in jobs}
    ready = sorted((job for job in jobs if waiting[job] == 0), key=order.get)
    nodes = [[n_cores, memory] for _ in range(n_nodes)]
    running, now, most, work = [], 0.0, 0, 0.0
    while ready or running:
        for job in list(ready):
            node = next((node for node in nodes if node[0] >= cores[job] and node[1] >= room[job]), None)
            if node is None:
                continue
            ready.remove(job)
            node[0] -= cores[job]
            node[1] -= room[job]
            heapq.heappush(running, (now + seconds[job], order[job], job, node))
            work += (seconds[job] - start_seconds) * cores[job]
        most = max(most, len(running))
        now, _, done, node = heapq.heappop(running)
        node[0] += cores[done]
        node[1] += room[done]
        for user in users[done]:
            waiting[user] -= 1
            if waiting[user] == 0:
                ready.append(user)
        ready.sort(key=order.get)
    idle = 1 - work / (now * n_nodes * n_cores) if now > 0 else 0
    return now, idle, max(path.values(), default=0), most


def main():
    parser = argparse.ArgumentParser(description="simulate a plan of jobs")
    parser.add_argument("--nodes", type=int, default=1)
    parser.add_argument("--cores", type=int, required=True, help="of a node")
    parser.add_argument("--memory", type=float, required=True, help="of a node, in GiB")
    given = parser.parse_args()
    rows = list(csv.DictReader(sys.stdin, delimiter="\t"))
    try:
        makespan, idle, path, most = simulate(rows, given.nodes, given.cores, given.memory * 2**30)
    except ValueError as fault:
        sys.exit(f"simulate.py: {fault}")
    print("makespan\tidle\tlongest-path\tmost-running")
    print(f"{makespan:.3f}\t{idle:.3f}\t{path:.3f}\t{most}")


if __name__ == "__main__":
    main()
