"""make and ninja under fire: cluster_check.py PROGRAM HASHES FOLDER SMALL [--seed N].

Jobs of the plan are killed at random while make or ninja runs it; the runner, which then stops, is
called again. What comes out must be what one `generate` makes.
"""

import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

KILLS = 20
N_LEVELS = 19  # of KMvKM: two men of 0 to 9 steps each
HERE = pathlib.Path(__file__).parent
NINJA = HERE.parent.parent / "examples" / "cluster" / "ninja.awk"


class Run:
    """A plan, the program that runs it, and the folder its tables go to."""

    def __init__(self, options, name, command, *arguments):
        self.options = options
        self.name = name
        self.folder = options.folder / name
        self.tables = self.folder / "tables"
        self.command = command
        self.arguments = arguments
        self.folder.mkdir(parents=True)
        self.log = open(self.folder / "log", "wb")

    def plan(self, form):
        recipe = form == "ninja"
        text = subprocess.run(
            [self.options.program, "plan", *self.arguments, "--tables", self.tables, "--format",
             "tsv" if recipe else form], check=True, capture_output=True).stdout
        if recipe:
            text = subprocess.run(["awk", "-f", NINJA], input=text, check=True,
                                  capture_output=True).stdout
        (self.folder / "plan").write_bytes(text)

    def begin(self):
        return subprocess.Popen([*self.command, "-f", "plan"], cwd=self.folder,
                                stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
                                env=dict(os.environ, EINSPUL=str(self.options.program),
                                         TABLES=str(self.tables)))

    def jobs(self):
        """Processes of jobs that are at work now."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except (OSError, ValueError):
                continue
            if b"--job" in words and os.fsencode(self.tables) in words and \
                    words[0].endswith(b"/einspul"):
                found.append(int(entry.name))
        return found

    def kill_at_random(self, n_kills):
        """Runs the plan to its end; on the way n_kills jobs are killed. Returns how many were."""
        killed = 0
        status = None
        while status != 0:
            runner = self.begin()
            while killed < n_kills and runner.poll() is None:
                time.sleep(random.uniform(0.02, 0.4))
                jobs = self.jobs()
                if not jobs:
                    continue
                how = signal.SIGKILL if killed % 2 == 0 else signal.SIGTERM
                try:
                    os.kill(random.choice(jobs), how)
                except ProcessLookupError:
                    continue
                killed += 1
            status = runner.wait(1200)
            if status != 0 and killed == n_kills:
                n_kills = -1  # the last kill ended this runner: once more to the end
            elif status != 0 and n_kills < 0:
                sys.exit(f"{self.name}: it fails though nothing was killed:\n{self.tail()}")
        return killed

    def tail(self):
        self.log.flush()
        return (self.folder / "log").read_text(errors="replace")[-3000:]

    def state(self):
        files = sorted(p for p in self.tables.rglob("*") if p.suffix in (".wdl", ".dtw"))
        return [(p, p.stat().st_ino, p.stat().st_mtime_ns) for p in files]

    def check_again(self):
        """A second run makes nothing; the time it takes is that of asking."""
        before = self.state()
        begun = time.monotonic()
        if self.begin().wait(600) != 0:
            sys.exit(f"{self.name}: a second run fails:\n{self.tail()}")
        if self.state() != before:
            sys.exit(f"{self.name}: a second run makes tables that are there")
        print(f"{self.name}: a second run took {time.monotonic() - begun:.1f} s")

    def check_left_over(self):
        """Slices and temporary files are gone with the last job; the record of sound tables stays."""
        left = [p for p in self.tables.rglob("*") if p.is_file() and p.stat().st_size > 0
                and p.suffix not in (".wdl", ".dtw") and p.name != ".checked"]
        if left:
            sys.exit(f"{self.name}: left behind: {left[:10]}")

    def check_hashes(self):
        path = self.folder / "frisian.list"
        with open(path, "wb") as file:
            subprocess.run([self.options.program, "list", "--files", "--tables", self.tables],
                           check=True, stdout=file)
        subprocess.run([sys.executable, "-B", HERE / "same_hashes.py", self.options.hashes, path],
                       check=True)


def run_under_fire(options, name, form, command, *arguments):
    run = Run(options, name, command, *arguments)
    run.plan(form)
    begun = time.monotonic()
    killed = run.kill_at_random(KILLS)
    print(f"{name}: {killed} jobs killed, {time.monotonic() - begun:.1f} s")
    if killed < KILLS:
        sys.exit(f"{name}: only {killed} jobs could be killed")
    run.check_hashes()
    run.check_again()
    run.check_left_over()
    return run


def check_damage(run):
    """A flipped bit in a table that is there: who reads it stops, and nothing behind that begins."""
    folder = run.tables / "frisian"
    victim = folder / "KKvK.dtw"
    data = bytearray(victim.read_bytes())
    data[int.from_bytes(data[96:104], "little") - 20] ^= 1  # in the last block
    victim.write_bytes(data)
    for name in ("KKMvK", "KMMvK"):  # KMMvK needs KKMvK, and that KKvK
        for metric in ("wdl", "dtw"):
            (folder / f"{name}.{metric}").unlink()
    if run.begin().wait(600) == 0:
        sys.exit("damage: a run with a damaged input is as if it were sound")
    if "KKvK.dtw" not in run.tail():
        sys.exit(f"damage: the damaged file is not named:\n{run.tail()}")
    if (folder / "KKMvK.dtw").exists() or (folder / "KMMvK.dtw").exists():
        sys.exit("damage: what depends on a damaged table is made")
    victim.unlink()
    if run.begin().wait(600) != 0:
        sys.exit(f"damage: it cannot be repaired:\n{run.tail()}")
    run.check_hashes()


def check_full_disk(options, run, needs):
    """A scratch disk without room ends a job with the status of disks; nothing seems to be done."""
    subprocess.run([*run.command, "-f", "plan", *needs], cwd=run.folder, check=True,
                   stdin=subprocess.DEVNULL, stdout=run.log, stderr=run.log)
    job = [options.program, "generate", "--tables", run.tables, "--job", "KMvKM.l0-8",
           "--threads", "1", "--memory", "0.05"]
    full = subprocess.run([*job, "--scratch", options.small], capture_output=True, text=True)
    if full.returncode != 74 or str(options.small) not in full.stderr:
        sys.exit(f"full disk: {full}")
    if list((run.tables / "frisian" / ".slices").rglob("KMvKM.l*")):
        sys.exit("full disk: a slice is there all the same")


def check_parts(options):
    """Every level of a material in three parts, each part by two processes at the same time. The
    clock of one is three hours ahead: a node whose clock is wrong. First the scratch disk is full."""
    run = Run(options, "parts", ("make", "-j4"), "--material", "KMvKM", "--cores", "1", "--memory",
              "2")
    run.plan("make")
    text = (run.folder / "plan").read_text()
    head, tail = text.split("\nKMvKM:", 1)
    needs, rest = tail.split("\n", 1)
    recipe, rest = rest.split("\n", 1)
    if "$(JOB) $@" not in recipe:
        sys.exit(f"parts: a makefile of another form: {recipe}")
    rules, before = [], needs
    for level in range(N_LEVELS):
        parts = [f"KMvKM.l{level}.p{part}of3" for part in (1, 2, 3)]
        for part in parts:
            for copy in "ab":
                call = recipe.replace("$@", part).strip()
                call = f"faketime -f +3h {call}" if copy == "b" else call
                rules.append(f"{part}/{copy}: {before}\n\t{call}")
        before = " ".join(f"{part}/{copy}" for part in parts for copy in "ab")
    rules.append(f"KMvKM: {before}\n{recipe.replace('$@', 'KMvKM.table')}")
    (run.folder / "plan").write_text(head + "\n" + "\n".join(rules) + "\n" + rest)
    check_full_disk(options, run, needs.split())
    if run.begin().wait(1200) != 0:
        sys.exit(f"parts: {run.tail()}")
    run.check_hashes()
    run.check_left_over()
    print(f"parts: {6 * N_LEVELS} processes made the slices of one material")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("hashes", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("small", type=pathlib.Path, help="a folder on a disk of 64 KiB")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    options.program = options.program.absolute()
    options.folder = options.folder.absolute()
    random.seed(options.seed)
    print(f"seed {options.seed}")
    shutil.rmtree(options.folder, ignore_errors=True)
    small = ("--cores", "1", "--memory", "2", "--seconds")
    run = run_under_fire(options, "make", "make", ("make", "-j2"), "--pieces", "4", *small, "1")
    check_damage(run)
    run_under_fire(options, "ninja", "ninja", ("ninja", "-j2"), "--material", "KKMvKK", *small, "2")
    check_parts(options)


if __name__ == "__main__":
    main()
