"""Runs a plan with make while its processes are killed: plan_check.py PROGRAM HASHES FOLDER [--seed N].

While make runs a plan, its processes are killed at random, with kill -9 and with SIGTERM; make, which
then stops, is called again. Every table must be one that data/hashes.tsv has; a second run must generate
nothing; no file of a killed process may outlast `generate`. Then a damaged input must stop its readers
with an error that names it.
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

KILLS = 4
HASHES_CHECK = pathlib.Path(__file__).parent.parent / "systems" / "same_hashes.py"


class Run:
    """A plan in a makefile, and the folder of its tables."""

    def __init__(self, options, name, *arguments):
        self.options = options
        self.name = name
        self.folder = options.folder / name
        self.tables = self.folder / "tables of $a #set"  # make must not see words in it
        self.folder.mkdir(parents=True)
        self.log = open(self.folder / "log", "wb")
        with open(self.folder / "plan", "wb") as plan:
            subprocess.run([options.program, "plan", *arguments, "--tables", self.tables, "--format",
                            "make"], check=True, stdout=plan)

    def begin(self, *targets):
        return subprocess.Popen(["make", "-j3", "-O", "-f", "plan", *targets], cwd=self.folder,
                                stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def run(self, *targets):
        return self.begin(*targets).wait(600)

    def processes(self):
        """The processes that are generating tables."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except (OSError, ValueError):
                continue
            if b"--only" in words and os.fsencode(self.tables) in words and \
                    words[0].endswith(b"/einspul"):
                found.append(int(entry.name))
        return found

    def kill_one(self, make, killed):
        """Kills a process of this make at a random moment; False if make ended first."""
        while make.poll() is None:
            time.sleep(random.uniform(0.002, 0.1))
            processes = self.processes()
            try:
                if processes:
                    os.kill(random.choice(processes), (signal.SIGKILL, signal.SIGTERM)[killed % 2])
                    return True
            except ProcessLookupError:
                pass
        return False

    def kill_at_random(self):
        """Runs the plan to its end while KILLS processes are killed, one after another. If it finishes before
        that, it starts over without tables."""
        killed = 0
        for _ in range(10 * KILLS):
            make = self.begin()
            killed += self.kill_one(make, killed)  # what make does then is to wait for the others and to stop
            if killed == KILLS:
                make.wait(600)
                break
            if make.wait(600) == 0:
                shutil.rmtree(self.tables)
        if killed < KILLS:
            sys.exit(f"{self.name}: only {killed} processes could be killed")
        if self.run() != 0:
            sys.exit(f"{self.name}: it fails though nothing is killed:\n{self.tail()}")

    def tail(self):
        self.log.flush()
        return (self.folder / "log").read_text(errors="replace")[-3000:]

    def state(self):
        return [(p, p.stat().st_ino, p.stat().st_mtime_ns)
                for p in sorted(self.tables.rglob("*")) if p.suffix in (".wdl", ".dtw")]

    def check(self):
        path = self.folder / "frisian.list"
        with open(path, "wb") as file:
            subprocess.run([self.options.program, "list", "--files", "--tables", self.tables],
                           check=True, stdout=file)
        subprocess.run([sys.executable, "-B", HASHES_CHECK, self.options.hashes, path], check=True)

    def check_again(self):
        before = self.state()
        if self.run() != 0:
            sys.exit(f"{self.name}: a second run fails:\n{self.tail()}")
        if self.state() != before:
            sys.exit(f"{self.name}: a second run makes tables that are there")
        # Make does not call for existing files, so the part file of a process killed between writing its
        # last table and removing its part remains until the next generate that locks the folder.
        subprocess.run([self.options.program, "generate", "--pieces", "4", "--tables", self.tables],
                       check=True, stdout=self.log, stderr=self.log)
        if self.state() != before:
            sys.exit(f"{self.name}: generate makes tables that are there")
        left = [p for p in self.tables.rglob("*") if p.is_file() and p.stat().st_size > 0
                and p.suffix not in (".wdl", ".dtw")]
        if left:
            sys.exit(f"{self.name}: left behind: {left[:10]}")


def check_damage(run):
    """Fails if a run continues past a table with a flipped bit."""
    folder = run.tables / "frisian"
    victim = folder / "KKvK.dtw"
    data = bytearray(victim.read_bytes())
    data[int.from_bytes(data[96:104], "little") - 20] ^= 1  # in the last block
    victim.write_bytes(data)
    for name in ("KKMvK", "KMMvK"):  # KMMvK needs KKMvK, and that KKvK
        for metric in ("wdl", "dtw"):
            (folder / f"{name}.{metric}").unlink()
    if run.run() == 0:
        sys.exit("damage: a run with a damaged input is as if it were sound")
    if "KKvK.dtw" not in run.tail():
        sys.exit(f"damage: the damaged file is not named:\n{run.tail()}")
    if (folder / "KKMvK.dtw").exists() or (folder / "KMMvK.dtw").exists():
        sys.exit("damage: what depends on a damaged table is made")
    victim.unlink()
    if run.run() != 0:
        sys.exit(f"damage: it cannot be repaired:\n{run.tail()}")
    run.check()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("hashes", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    options.program = options.program.absolute()
    options.folder = options.folder.absolute()
    random.seed(options.seed)
    print(f"seed {options.seed}")
    shutil.rmtree(options.folder, ignore_errors=True)
    run = Run(options, "kills", "--pieces", "4", "--cores", "1")
    run.kill_at_random()
    run.check()
    run.check_again()
    check_damage(run)


if __name__ == "__main__":
    main()
