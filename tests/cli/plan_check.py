"""What `einspul plan` prints, and that make, ninja and a queue do with it what generate does.

usage: plan_check.py PROGRAM FOLDER EXAMPLES

Folders have names that a shell and make each read in their own way. Instead of Slurm
there are commands of its names that keep a queue of their own; Slurm itself is a part of
scripts/test-systems."""

import csv
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys

import checks
from checks import check

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[3])
import simulate

PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = pathlib.Path(sys.argv[2]).absolute()
EXAMPLES = pathlib.Path(sys.argv[3]).absolute()
ODD = "a b$c'd#e{f}\"g"
ODDER = ODD + "$(h)\\#i`j`;k:l%m \\"  # a backslash at the end


def call(*arguments, **more):
    return subprocess.run([str(a) for a in arguments], stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, timeout=300, **more)


def plan(*arguments):
    result = call(PROGRAM, "plan", *arguments)
    check(result.returncode == 0, f"plan {arguments}: {result.stderr}")
    return result.stdout


def files(folder):
    """Bytes of all tables below a folder, and the times they were written."""
    tables = sorted(p for p in folder.rglob("*") if p.suffix in (".wdl", ".dtw"))
    return ({str(p.relative_to(folder)): p.read_bytes() for p in tables},
            [(p.stat().st_ino, p.stat().st_mtime_ns) for p in tables])


def make_whole():
    whole = FOLDER / "whole"
    result = call(PROGRAM, "generate", "--pieces", 3, "--tables", whole)
    check(result.returncode == 0, result.stderr)
    return files(whole)[0]


# --- a plan as data -------------------------------------------------------------------------------


def check_rows():
    """A scheduler that reads the plan would wait for ever, or for a job that is in no line."""
    for rules, pieces, seconds in (("frisian", 4, 1800), ("frisian", 5, 1), ("english", 6, 60)):
        options = ("--rules", rules, "--pieces", pieces, "--seconds", seconds, "--cores", 4,
                   "--memory", 64)
        rows = list(csv.DictReader(plan(*options).splitlines(), delimiter="\t"))
        objects = [json.loads(line) for line in plan(*options, "--format", "json").splitlines()]
        check(len(rows) == len(objects) > 3, f"{len(rows)} lines, {len(objects)} objects")
        seen = set()
        for row, one in zip(rows, objects):
            check(list(row) == list(one), "columns and members have other names")
            check(all(row[k] == ("-" if v is None else v) if isinstance(v, str) or v is None
                      else float(row[k]) == v for k, v in one.items()), f"{row} is not {one}")
            needs = [] if row["needs"] == "-" else row["needs"].split(",")
            check(all(need in seen for need in needs), f"{row['job']} needs what comes later")
            check(row["job"] not in seen, f"{row['job']} is there twice")
            check(int(row["memory"]) <= 64 << 30 and int(row["cores"]) <= 4, "more than a node has")
            seen.add(row["job"])


def simulated(jobs, nodes, cores, memory, start_seconds):
    """Jobs are (seconds, cores, memory, needs by number); a byte of memory is as good as any."""
    rows = [{"job": str(i), "cores": cores, "memory": memory, "core-seconds": seconds * cores,
             "needs": ",".join(map(str, needs)) or "-"}
            for i, (seconds, cores, memory, needs) in enumerate(jobs)]
    return simulate.simulate(rows, nodes, cores, memory, start_seconds)


def check_simulation():
    """Someone would buy time on a cluster by figures that are not those of the plan."""
    # A of 10 s; B of 20 s and C of 30 s need it; D of 10 s needs both.
    light = [(10, 1, 1, []), (20, 1, 1, [0]), (30, 1, 1, [0]), (10, 1, 1, [1, 2])]
    heavy = [(10, 1, 1, []), (20, 1, 6, [0]), (30, 1, 6, [0]), (10, 1, 1, [1, 2])]  # B or C
    # One of 10 s; one of 10 s that leads to 90 s more; one of 100 s on both cores. The longest path
    # goes first, and who finds no room lets a later one pass.
    passing = [(10, 1, 1, []), (10, 1, 1, []), (90, 1, 1, [1]), (100, 2, 1, [])]
    for jobs, cluster, makespan, idle, path in (
            (light, (1, 1, 10, 0), 70, 0, 50),
            (light, (1, 2, 10, 0), 50, 0.3, 50),
            (light, (2, 1, 10, 0), 50, 0.3, 50),
            (light, (1, 4, 10, 0), 50, 0.65, 50),
            (light, (1, 2, 10, 1), 53, 1 - 70 / 106, 53),
            (heavy, (1, 2, 10, 0), 70, 0.5, 50),
            (heavy, (2, 1, 10, 0), 50, 0.3, 50),
            (passing, (1, 2, 10, 0), 200, 1 - 310 / 400, 100),
            (passing, (2, 2, 10, 0), 100, 1 - 310 / 400, 100)):
        got = simulated(jobs, *cluster)
        check(all(abs(a - b) < 1e-9 for a, b in zip(got, (makespan, idle, path))),
              f"{jobs} on {cluster}: {got}")
    try:
        simulated(heavy, 4, 4, 5, 0)
        check(False, "a job without room is simulated")
    except ValueError as fault:
        check("no node has room for 1" in str(fault), fault)
    text = plan("--pieces", 6, "--cores", 8, "--memory", 64)
    result = subprocess.run([sys.executable, "-B", EXAMPLES / "simulate.py", "--nodes", "4",
                             "--cores", "8", "--memory", "64"], input=text, text=True,
                            capture_output=True)
    check(result.returncode == 0 and len(result.stdout.splitlines()) == 2, result)


def check_refusals():
    for arguments, text in (
            ((), "--pieces N or --material NAME is expected"),
            (("--pieces", 3, "--material", "KvK"), "exclude each other"),
            (("--pieces", 9), "from 2 to 8"),
            (("--pieces", 3, "--format", "pbs"), "expected tsv, json, make"),
            (("--pieces", 3, "--tables", "a", "--tables", "b"), "one folder"),
            (("--pieces", 3, "--left", "--status"), "exclude each other"),
            (("--pieces", 3, "--status", "--format", "slurm"), "is tsv or json"),
            (("--pieces", 6, "--memory", 0.1), "GiB of memory"),
            *((("--pieces", 3, "--format", form, "--tables", path),
               f"a path with '{shown}' cannot be written into a plan for {form}")
              for form in ("make", "slurm")
              for path, shown in (("a\nb", "\\n"), ("a\r", "\\r"), ("a\tb", "\\t"), ("\x7f", "\\x7f"))),
            *((("--pieces", 3, "--format", "slurm", "--tables", path), f"a path with '{shown}'")
              for path, shown in (("a\\", "\\\\"), ("a%jb", "%")))):
        result = call(PROGRAM, "plan", *arguments)
        check(result.returncode == 2 and text in result.stderr and result.stdout == "",
              f"plan {arguments}: {result.returncode} {result.stderr}")


# --- programs that run it -------------------------------------------------------------------------


def run_form(form, name, whole, command, options=()):
    """Runs a plan twice: what generate makes, and then nothing."""
    tables = FOLDER / (form + ODDER)
    text = FOLDER / f"plan.{form}"
    text.write_text(plan("--pieces", 3, "--tables", tables, "--format", form, *options))
    (FOLDER / "KvK").write_text("a file that has the name of a job")
    for turn in ("first", "second"):
        result = call(*command(text), cwd=FOLDER)
        check(result.returncode == 0, f"{name}, {turn}: {result.stdout} {result.stderr}")
        if turn == "first":
            made, times = files(tables)
            check(made == whole, f"{name} makes other tables: {sorted(made)}")
    check(files(tables)[1] == times, f"{name} makes tables that are there")
    return tables


def check_make(whole):
    tables = run_form("make", "make", whole, lambda text: ("make", "-j2", "-f", text))
    # A file that was damaged since is made anew, though it is there.
    victim = tables / "frisian" / "KKvK.dtw"
    victim.write_bytes(victim.read_bytes()[:100])
    result = call("make", "-f", FOLDER / "plan.make", cwd=FOLDER)
    check(result.returncode == 0 and files(tables)[0] == whole, f"damage stays: {result.stderr}")


def check_ninja(whole):
    """The recipe of examples/cluster, twice: what generate makes, and then nothing."""
    tables = FOLDER / ("ninja" + ODDER)
    rows = plan("--pieces", 3, "--seconds", 1, "--cores", 2, "--memory", 2)
    text = FOLDER / "plan.ninja"
    text.write_text(subprocess.run(("awk", "-f", EXAMPLES / "ninja.awk"), input=rows, text=True,
                                   capture_output=True, check=True).stdout)
    (FOLDER / "KvK").write_text("a file that has the name of a job")
    environment = dict(os.environ, EINSPUL=PROGRAM, TABLES=str(tables))
    for turn in ("first", "second"):
        result = call("ninja", "-j2", "-f", text, cwd=FOLDER, env=environment)
        check(result.returncode == 0, f"ninja, {turn}: {result.stdout} {result.stderr}")
        if turn == "first":
            made, times = files(tables)
            check(made == whole, f"ninja makes other tables: {sorted(made)}")
    check(files(tables)[1] == times, "ninja makes tables that are there")


def check_paths():
    """The text of a plan, read by what will read it, holds the paths it was made for."""
    for path in (ODDER, "a", "end ", "'", "#", "\\#", "$", "\u00e9\u20ac"):
        tables = f"{FOLDER}/{path}"
        make = plan("--pieces", 2, "--tables", tables, "--format", "make")
        text = subprocess.run(("make", "-f", "-", "show"), text=True, capture_output=True,
                              input=make + "\n.PHONY: show\nshow:\n"
                              "\t@printf %s $(call quoted,$(TABLES))\n").stdout
        check(text == tables, f"make reads {text}, not {tables}")


def check_status(whole):
    tables = FOLDER / "status"
    shutil.copytree(FOLDER / "whole", tables)
    for metric in ("wdl", "dtw"):
        (tables / "frisian" / f"MvM.{metric}").unlink()
    (tables / "frisian" / ".MvM.dtw.0123456789abcdef.tmp").write_bytes(b"begun")
    rows = {row["material"]: row for row in csv.DictReader(
        plan("--pieces", 3, "--status", "--tables", tables).splitlines(), delimiter="\t")}
    check(len(rows) == len(whole) // 2, f"{len(rows)} materials")
    for name, row in rows.items():
        state = "running" if name == "MvM" else "done"
        check(row["state"] == state, f"{name} is {state}, not {row['state']}")
        check((float(row["core-hours-left"]) == 0) == (state == "done") or
              float(row["core-hours"]) < 0.001, f"what is left of {name}")
    os.utime(tables / "frisian" / ".MvM.dtw.0123456789abcdef.tmp", (1e9, 1e9))
    check("MvM\tmissing" in plan("--pieces", 3, "--status", "--tables", tables),
          "a stale file passes for a running job")
    left = plan("--pieces", 3, "--left", "--tables", tables).splitlines()[1:]
    check(left and all("MvM" in line.split("\t")[0] for line in left), f"left: {left}")


# --- the script for Slurm -------------------------------------------------------------------------

# Commands of Slurm's names. sbatch checks what it is given, then runs all tasks of the array.
STUBS = {
    "scontrol": "echo 'MaxArraySize            = 2'",
    "squeue": ":",
    "scancel": ":",
    "sbatch": r"""
array= after= cpus=
for word; do
    case $word in
    --array=*) array=${word#--array=0-} ;;
    --dependency=afterok:*) after=${word#--dependency=afterok:} ;;
    --cpus-per-task=*) cpus=${word#*=} ;;
    --signal=B:TERM@300 | --requeue | --kill-on-invalid-dep=yes) echo "$word" >>"$QUEUE/seen" ;;
    -*) ;;
    *) break ;;
    esac
    shift
done
for job in $(echo "$after" | tr : ' '); do
    [ -e "$QUEUE/$job" ] || { echo "no job $job" >&2; exit 1; }
done
number=$(ls "$QUEUE" | wc -l)
for task in $(seq 0 "$array"); do
    SLURM_ARRAY_JOB_ID=$number SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_PER_TASK=$cpus sh "$@" || exit 1
done
touch "$QUEUE/$number"
echo "$number;cluster"
""",
}


def check_slurm(whole):
    commands = FOLDER / "commands"
    queue = FOLDER / "queue"
    commands.mkdir()
    queue.mkdir()
    for name, text in STUBS.items():
        (commands / name).write_text("#!/bin/sh\n" + text + "\n")
        (commands / name).chmod(stat.S_IRWXU)
    tables = FOLDER / ("slurm" + ODD)
    script = FOLDER / "plan.slurm"
    script.write_text(plan("--pieces", 3, "--tables", tables, "--format", "slurm", "--seconds", 1))
    environment = {**os.environ, "PATH": f"{commands}:{os.environ['PATH']}", "QUEUE": str(queue)}
    first = call("sh", script, env=environment)
    check(first.returncode == 0 and files(tables)[0] == whole, f"slurm: {first}")
    check({"--signal=B:TERM@300", "--requeue", "--kill-on-invalid-dep=yes"} ==
          set((queue / "seen").read_text().split()), "sbatch is not told all")
    second = call("sh", script, env=environment)
    check("0 jobs are submitted" in second.stdout, f"what is done is done again: {second}")
    (tables / "frisian" / "KKvM.wdl").unlink()
    third = call("sh", script, env=environment)
    check("1 jobs are submitted" in third.stdout and files(tables)[0] == whole, f"repair: {third}")
    logs = list(tables.glob(".slurm-*/*/0/*.log"))
    check(len(logs) > 3, f"logs of jobs: {logs}")
    # Logs and lists go into a folder of the run's own, not wherever a link of its name leads.
    logs = logs[0].parents[2]
    logs.rename(FOLDER / "logs")
    logs.symlink_to(FOLDER / "logs")
    before = sorted(FOLDER.glob("logs/**/*"))
    linked = call("sh", script, env=environment)
    check(linked.returncode == 2 and "a symbolic link" in linked.stderr
          and sorted(FOLDER.glob("logs/**/*")) == before, f"written through a link: {linked}")
    logs.unlink()
    text = script.read_text().replace("version=", "version=9.")
    script.write_text(text)
    other = call("sh", script, env=environment)
    check(other.returncode == 2 and "make it anew" in other.stderr,
          f"a plan of another version is run: {other}")


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    check_rows()
    check_simulation()
    check_refusals()
    check_paths()
    whole = make_whole()
    check_make(whole)
    check_ninja(whole)
    check_status(whole)
    check_slurm(whole)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
