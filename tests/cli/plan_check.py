"""What `einspul plan` prints, and that make, ninja and a queue do with it what generate does.

usage: plan_check.py PROGRAM FOLDER EXAMPLES

Folders have names that a shell and make each read in their own way. Instead of Slurm
there are commands of its names that keep a queue of their own; Slurm itself is a part of
scripts/test-systems."""

import csv
import json
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys
import time

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
    rows = [{"job": str(i), "cores": cores, "memory": memory, "core-seconds": seconds / (0.01 + 0.99 / cores),
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


# --- signals --------------------------------------------------------------------------------------


def check_signals():
    """Slurm sends SIGTERM twice: the second would end a job before it kept what it finished."""

    def twice(number, seconds=0.01):
        run = subprocess.Popen([PROGRAM, "generate", "--pieces", "5", "--tables", FOLDER / "stopped"],
                               stderr=subprocess.PIPE)
        run.stderr.readline()
        run.stderr.readline()  # of the plan: now it is at work
        time.sleep(0.5)
        for _ in range(2):
            run.send_signal(number)
            time.sleep(seconds)
        run.stderr.read()
        return run.wait(60)

    check([twice(signal.SIGTERM) for _ in range(3)] == [75] * 3, "two SIGTERMs are not one")
    # Two signals that find the run asleep are one to it, and after the first it may end before the
    # second; so it has several tries, of a shorter time.
    check(any(twice(signal.SIGINT, 0.002) == -signal.SIGINT for _ in range(20)),
          "Ctrl-C twice does not end a run")


def check_logs():
    """Nobody could tell a job that hangs from one that is at work, or which program made what."""
    environment = dict(os.environ, EINSPUL_LOG_SECONDS="1")
    version = call(PROGRAM, "--version").stdout.strip()
    check(re.fullmatch(r"einspul \d+\.\d+\.\d+ \(build [0-9a-f]{16}\)", version), version)
    job = call(PROGRAM, "generate", "--job", "KKvK", "--tables", FOLDER / "log", "--threads", "1",
               "--memory", "0.1", "--wait", "1", env=environment)
    check(job.returncode == 66 and f"KKvK: {version}, frisian, threads 1\n" in job.stderr and
          "KvK.dtw is needed and not there; looking again in 1 s" in job.stderr, f"a job: {job}")
    for name in ("KvK", "KKvK"):
        job = call(PROGRAM, "generate", "--job", name, "--tables", FOLDER / "log", "--memory", "0.1")
    check("KKvK: memory 0.100 GiB allowed, inputs: KvK\n" in job.stderr, f"its inputs: {job}")
    run = call(PROGRAM, "generate", "--pieces", "4", "--metric", "wdl", "--threads", "1", "--tables",
               FOLDER / "log", env=environment)
    check(re.search(r"(?m)^\d+ %, (solving|reading) \w+, \d+ s, processor time \d+ s$", run.stderr),
          f"no progress in the log: {run}")


QSUB = r"""
after=
[ "$(ls "$QUEUE" | wc -l)" -lt "${ROOM-100}" ] || exit 1
for word; do
    case $word in
    depend=afterok:*) after=${word#depend=afterok:} ;;
    esac
done
for job in $(echo "$after" | tr : ' '); do
    [ -e "$QUEUE/$job" ] || { echo "no job $job" >&2; exit 1; }
done
sh >&2 || exit 1
number=$(ls "$QUEUE" | wc -l)
touch "$QUEUE/$number"
echo "$number"
"""


def check_pbs(whole):
    """The recipe for PBS, with a qsub that runs a job at once: what generate makes, or nothing."""
    commands, queue, tables = FOLDER / "pbs-commands", FOLDER / "pbs-queue", FOLDER / ("pbs" + ODD)
    commands.mkdir()
    queue.mkdir()
    for name, text in (("qsub", QSUB), ("qdel", 'echo "$@" >"$QUEUE/deleted"')):
        (commands / name).write_text("#!/bin/sh\n" + text)
        (commands / name).chmod(stat.S_IRWXU)
    script = subprocess.run(("awk", "-f", EXAMPLES / "pbs.awk"), input=plan("--pieces", 3),
                            text=True, capture_output=True, check=True).stdout
    environment = {**os.environ, "PATH": f"{commands}:{os.environ['PATH']}", "QUEUE": str(queue),
                   "EINSPUL": PROGRAM, "TABLES": str(tables)}
    result = call("sh", "-c", script, env={**environment, "ROOM": "2"})
    check(result.returncode == 1 and (queue / "deleted").read_text() == "0 1\n", f"half: {result}")
    (queue / "deleted").unlink()
    result = call("sh", "-c", script, env=environment)
    check(result.returncode == 0 and files(tables)[0] == whole, f"PBS: {result}")


# --- the script for Slurm -------------------------------------------------------------------------

# Commands of Slurm's names. sbatch checks what it is given, then runs all tasks of the array, if those it
# depends on have ended well; the last job it only remembers. A file or a variable makes a command fail.
STUBS = {
    "scontrol": r"""
case $1 in
show) printf 'MaxArraySize            = 2\nMaxJobCount             = %s\n' "${MAX_JOBS-1000}" ;;
requeue) echo "$2" >>"$QUEUE/requeued" ;;
esac
""",
    "squeue": r"""
[ -z "${SQUEUE_FAILS-}" ] || { echo "slurm_load_jobs error" >&2; exit 1; }
case " $* " in
*" -j "*) echo RUNNING ;;
*) cat "$QUEUE/listed" 2>/dev/null || : ;;
esac
""",
    "scancel": 'echo "$@" >>"$QUEUE/cancelled"; rm -f "$QUEUE/listed"',
    "sleep": ":",
    "sbatch": r"""
array= after= cpus= mem= try= last= at_once=
for word; do
    echo "$word" >>"$QUEUE/seen"
    case $word in
    --test-only) try=yes ;;
    --array=*) array=${word#--array=0-}; at_once=${array#*%}; array=${array%%%*} ;;
    --dependency=afterok:*) after=${word#--dependency=afterok:} ;;
    --dependency=afterany*) last=yes ;;
    --cpus-per-task=*) cpus=${word#*=} ;;
    --mem=*) mem=${word#*=} mem=${mem%M} ;;
    -*) ;;
    *) break ;;
    esac
    shift
done
if [ -n "$try" ]; then
    [ "$mem" -le "${NODE_MIB-1000000}" ] || { echo "sbatch: no such node" >&2; exit 1; }
    exit 0
fi
for job in $(echo "$after" | tr : ' '); do
    [ -e "$QUEUE/$job.job" ] || { echo "no job $job" >&2; exit 1; }
done
number=$(($(ls "$QUEUE" | grep -c 'job$') + 1))
[ "$number" -ne "${FAILS_AT-0}" ] || { echo "sbatch: error: AssocMaxSubmitJobLimit" >&2; exit 1; }
echo well >"$QUEUE/$number.job"
echo "$mem" >"$QUEUE/$number.mem"
if [ -n "$last" ]; then
    shift
    echo "$@" >"$QUEUE/last"
else
    ! grep -q ill $(for job in $(echo "$after" | tr : ' '); do echo "$QUEUE/$job.job"; done) /dev/null ||
        { echo ill >"$QUEUE/$number.job"; array=-1; }
    for task in $(seq 0 "$array"); do
        SLURM_ARRAY_JOB_ID=$number SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_PER_TASK=$cpus sh "$@" ||
            echo ill >"$QUEUE/$number.job"
    done
fi
echo "$number;cluster"
""",
}


class Slurm:
    """The script of a plan, and a queue of its own."""

    def __init__(self, name, *options):
        self.tables = FOLDER / ("slurm" + ODD + name)
        self.queue = FOLDER / ("queue" + name.replace(" ", "-"))
        self.queue.mkdir()
        self.script = FOLDER / ("plan.slurm" + name)
        self.script.write_text(plan("--pieces", 3, "--tables", self.tables, "--format", "slurm",
                                    "--seconds", 1, *options))

    def run(self, *arguments, **environment):
        return call("sh", self.script, *arguments, env={
            **os.environ, "PATH": f"{FOLDER / 'commands'}:{os.environ['PATH']}",
            "QUEUE": str(self.queue), **environment})

    def have(self, name):
        path = self.queue / name
        return path.read_text().split() if path.exists() else []

    def forget(self):
        for path in self.queue.iterdir():
            path.unlink()


def make_stubs():
    commands = FOLDER / "commands"
    commands.mkdir()
    for name, text in STUBS.items():
        (commands / name).write_text("#!/bin/sh\n" + text + "\n")
        (commands / name).chmod(stat.S_IRWXU)


def check_slurm(whole):
    slurm = Slurm("")
    tables = slurm.tables
    first = slurm.run("--sbatch", "--partition=long", "--qos=mine", AT_ONCE="7")
    check(first.returncode == 0 and files(tables)[0] == whole, f"slurm: {first}")
    seen = set(slurm.have("seen"))
    check({"--signal=B:TERM@300", "--requeue", "--kill-on-invalid-dep=yes", "--partition=long",
           "--qos=mine"} < seen and any(word.startswith("--array=0-") and word.endswith("%7")
                                        for word in seen), f"sbatch is not told all: {seen}")
    check(any(re.fullmatch(r"--job-name=s0a0-einspul-\w{8}", word) for word in seen), "names of arrays")
    check(slurm.have("last")[3:] == ["--sbatch", "--partition=long", "--qos=mine"], "the last job")
    check(slurm.run("submit", "--partition=x").returncode == 2, "an option without --sbatch")
    second = slurm.run()
    check("0 jobs are submitted" in second.stdout, f"what is done is done again: {second}")
    (tables / "frisian" / "KKvM.wdl").unlink()
    third = slurm.run()
    check("1 jobs are submitted" in third.stdout and files(tables)[0] == whole, f"repair: {third}")
    logs = list(tables.glob(".slurm-*/*/0/*.log"))
    check(len(logs) > 3, f"logs of jobs: {logs}")
    # Logs and lists go into a folder of the run's own, not wherever a link of its name leads.
    logs = logs[0].parents[2]
    logs.rename(FOLDER / "logs")
    logs.symlink_to(FOLDER / "logs")
    before = sorted(FOLDER.glob("logs/**/*"))
    linked = slurm.run()
    check(linked.returncode == 2 and "a symbolic link" in linked.stderr
          and sorted(FOLDER.glob("logs/**/*")) == before, f"written through a link: {linked}")
    logs.unlink()
    text = slurm.script.read_text()
    slurm.script.write_text(text.replace("(build ", "(build 9"))
    other = slurm.run()
    check(other.returncode == 2 and "make it anew" in other.stderr,
          f"a plan of another build is run: {other}")


def check_requests():
    """A node cannot have what is asked for, and half a plan waits in the queue for ever."""
    for cores, memory in ((1, 2), (16, 60), (16, 2), (3, 0.7)):
        text = plan("--pieces", 6 if memory > 10 else 3, "--cores", cores, "--memory", memory, "--format",
                    "slurm")
        asked = [(int(n), int(mib)) for n, mib in re.findall(r"(?m)^array \S+ (\d+) \S+ (\d+) ", text)]
        check(asked and all(mib * cores <= memory * 1024 * n for n, mib in asked),
              f"more than their share of {memory} GiB and {cores} cores: {asked}")
    slurm = Slurm(" request")
    refused = slurm.run(NODE_MIB="1")
    check(refused.returncode == 1 and "nothing is submitted" in refused.stderr
          and "no such node" in refused.stderr and not list(slurm.queue.glob("*.job")),
          f"what no node can run is submitted: {refused}")
    # The second array that is submitted fails: the first is cancelled.
    undone = slurm.run(FAILS_AT="2")
    check(undone.returncode == 1 and slurm.have("cancelled") == ["1"]
          and "nothing stays submitted" in undone.stderr, f"half a plan is submitted: {undone}")


def check_queue(whole):
    """A second submission would run every job twice, and so would one that cannot see the queue."""
    slurm = Slurm(" queue")
    name = re.search(r"(?m)^name=(.*)", slurm.script.read_text())[1]
    for mode in ("submit", "again", "cancel", "status"):
        blind = slurm.run(mode, SQUEUE_FAILS="yes")
        check(blind.returncode == 1 and "squeue does not answer" in blind.stderr
              and not slurm.have("seen"), f"{mode} without a queue: {blind}")
    (slurm.queue / "listed").write_text(f"8 RUNNING s0a0-{name}\n9 PENDING other\n")
    second = slurm.run()
    check(second.returncode == 1 and "1 tasks are in the queue" in second.stderr
          and not slurm.have("cancelled"), f"a second submission: {second}")
    check(slurm.run("status").stdout.split()[:3] == ["1", "RUNNING", f"s0a0-{name}"], "status")
    again = slurm.run("again")
    check(again.returncode == 0 and slurm.have("cancelled")[0] == "8" and files(slurm.tables)[0] == whole,
          f"again: {again}")
    submitting = next(slurm.tables.glob(".slurm-*")) / "submitting"
    check(not submitting.exists(), "a submission that ended is still at work")
    submitting.mkdir()
    (submitting / "by").write_text("process 1 on another")
    locked = slurm.run()
    check(locked.returncode == 1 and "process 1 on another" in locked.stderr, f"two at once: {locked}")


def check_portions(whole):
    """A queue with a limit takes a plan in portions: the last job of each submits the next."""
    slurm = Slurm(" portions")
    first = slurm.run(MAX_JOBS="3")
    check(first.returncode == 0 and "2 have room in the queue" in first.stdout
          and "2 jobs are submitted" in first.stdout, f"the first portion: {first}")
    for _ in range(20):
        if not (slurm.queue / "last").exists():
            break
        words = slurm.have("last")
        (slurm.queue / "last").unlink()
        turn = slurm.run(*words[words.index("turn"):], MAX_JOBS="3")
        check(turn.returncode == 0, f"a portion: {turn}")
    check(files(slurm.tables)[0] == whole, "portions leave something out")


FAILING = """#!/bin/sh
echo "$@" >>"$QUEUE/arguments"
case " $* " in
*" --job KvM+KKvK "*)
    n=$(wc -l <"$QUEUE/failed" 2>/dev/null || echo 0)
    if [ "$n" -lt "$FAILURES" ]; then
        echo failed >>"$QUEUE/failed"
        HOW
    fi
    ;;
esac
exec "$REAL" "$@"
"""


def check_failures(whole):
    """A job that Slurm kills for its memory gets more; one that is stopped again and again gives up; one
    that fails always is not submitted for ever."""
    program = FOLDER / "failing"
    slurm = Slurm(" memory", "--seconds", 60)
    check("\nKvM+KKvK\n" in slurm.script.read_text(), "a plan of other jobs")
    environment = {"EINSPUL": str(program), "REAL": PROGRAM, "EINSPUL_SCRATCH": "$TMPDIR",
                   "TMPDIR": str(FOLDER)}

    def turn(how, failures, *words):
        program.write_text(FAILING.replace("HOW", how))
        program.chmod(stat.S_IRWXU)
        return slurm.run(*words, **environment, FAILURES=str(failures))

    def memories():
        return [int((slurm.queue / f"{i}.mem").read_text()) for i in
                range(1, 1 + len(list(slurm.queue.glob("*.mem"))))]

    begun = turn("kill -9 $$", 2)
    n_arrays = len(memories())
    check(begun.returncode == 0 and slurm.have("last")[1:] == ["3", "5"], f"a job is killed: {begun}")
    asked = memories()[1]
    for more in (1.5, 2):
        words = slurm.have("last")
        result = turn("kill -9 $$", 2, *words[words.index("turn"):])
        check(result.returncode == 0 and int(asked * more) in memories()[n_arrays:],
              f"{more} of {asked} MiB: {memories()} {result}")
    check(files(slurm.tables)[0] == whole, "a job that got more memory is not done")
    log = next(slurm.tables.glob(".slurm-*/*/0/KvM+KKvK.log")).read_text()
    check(f"--scratch {FOLDER}\n" in (slurm.queue / "arguments").read_text(), "$TMPDIR of the job")
    check(log.count("status 137") == 2 and log.count("begin KvM+KKvK task") == 3, f"its log: {log}")

    slurm.forget()
    shutil.rmtree(slurm.tables)
    result = turn("exit 75", 1)
    check(result.returncode == 0 and slurm.have("requeued") == ["2_0"], f"a job is stopped: {result}")
    slurm.forget()
    environment |= {"SLURM_RESTART_COUNT": "21"}
    result = turn("exit 75", 1)
    check(not slurm.have("requeued") and not slurm.have("failed"), f"a job is restarted: {result}")
    log = next(slurm.tables.glob(".slurm-*/*/0/KvM+KKvK.log")).read_text()
    check("given up after 20 restarts" in log, f"restarts: {log}")

    del environment["SLURM_RESTART_COUNT"]
    result = turn("exit 66", 99)
    for left in (2, 1, 0):
        words = slurm.have("last")
        check(words[words.index("turn") + 1] == str(left + 1), f"turns: {words}")
        result = turn("exit 66", 99, *words[words.index("turn"):])
    check(result.returncode == 1 and "given up" in result.stderr, f"without end: {result}")


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
    check_pbs(whole)
    check_status(whole)
    check_signals()
    check_logs()
    make_stubs()
    check_slurm(whole)
    check_requests()
    check_queue(whole)
    check_portions(whole)
    check_failures(whole)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
