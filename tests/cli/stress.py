"""Everything at once in one folder, and kill -9: generate, compress, verify, stats and probe.

usage: stress.py PROGRAM HASHES FOLDER [--seconds S] [--pieces N] [--seed N] [--preload LIBRARY]

Writers are killed at random, tables are removed at random. Whatever a process says meanwhile must be
right, or an error it may meet; status 3 would say that a table is wrong, and none is. At the end the
tables are completed once more, and the hash of the values of each must be the one in HASHES.
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

RULES = ("frisian", "english")

# What may be said where a table was removed, or another writer is at work.
MET = re.compile(
    r"another process is writing here|no tables? of|there is none|is needed and not there"
    r"|has no distances|neither all \.wdl nor all \.dtw"
)
# And where locks do nothing.
MET_WITHOUT_LOCKS = re.compile(
    r"has replaced it meanwhile|it leaves out values|cannot put it in its place: No such file"
    r"|a part of it is damaged|\.part: |room for values on disk"
)


class Stress:
    def __init__(self, options):
        self.options = options
        self.tables = os.path.join(options.folder, "tables")
        self.whole = os.path.join(options.folder, "whole")
        self.end = 0.0
        self.faults = []
        self.counts = {}
        self.lock = threading.Lock()
        self.environment = dict(os.environ, OMP_WAIT_POLICY="passive")
        if options.preload:
            self.environment["LD_PRELOAD"] = options.preload

    def fault(self, text):
        with self.lock:
            self.faults.append(text)

    def count(self, what):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + 1

    def run(self, *arguments, tables=None, killed_after=None, text=""):
        """Runs the program; returns its status, None when it was killed, and what it printed."""
        process = subprocess.Popen(
            [self.options.program, *arguments, "--tables", tables or self.tables],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.environment, text=True)
        timer = None
        if killed_after is not None:
            timer = threading.Timer(killed_after, process.send_signal, (signal.SIGKILL,))
            timer.start()
        try:
            output, errors = process.communicate(text, timeout=300)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.fault(f"{' '.join(arguments)}: it hangs")
            return None, "", ""
        finally:
            if timer is not None:
                timer.cancel()
        status = process.returncode
        name = arguments[0]
        if status == -signal.SIGKILL:
            self.count(f"{name} killed")
            return None, output, errors
        self.count(f"{name} {'done' if status == 0 else 'refused'}")
        if status not in (0, 1, 2):
            self.fault(f"{' '.join(arguments)}: status {status}: {output[-300:]} {errors[-300:]}")
        elif status != 0:
            self.check_errors(arguments, errors + output)
        return status, output, errors

    def check_errors(self, arguments, text):
        for line in text.splitlines():
            if not line.startswith("einspul ") or MET.search(line):
                continue
            if self.options.preload and MET_WITHOUT_LOCKS.search(line):
                continue
            self.fault(f"{' '.join(arguments)}: {line}")

    # What is known.

    def learn(self):
        """Whole tables in a folder of their own, and what they answer."""
        self.rows = {}
        self.answers = {}
        for rules in RULES:
            made = self.run("generate", "--pieces", str(self.options.pieces), "--rules", rules,
                            tables=self.whole)
            counted = self.run("stats", "--rules", rules, tables=self.whole)
            fens = [random_fen(rules, self.options.pieces) for _ in range(2000)]
            probed = self.run("probe", "-", "--rules", rules, tables=self.whole,
                              text="".join(fen + "\n" for fen in fens))
            if made[0] != 0 or counted[0] != 0 or probed[0] is None:
                sys.exit(f"the tables cannot be made: {made} {counted[2]} {probed[2]}")
            for line in counted[1].splitlines()[1:]:
                material, side, states, _ = line.split("\t", 3)
                self.rows[rules, material, side, states] = line
            for line in probed[1].splitlines():
                fen, answer = line.split("\t", 1)
                if "error" not in answer:
                    self.answers[rules, fen] = answer
        self.materials = sorted({key[1] for key in self.rows})
        if len(self.answers) < 1000:
            sys.exit("hardly any position can be probed")

    def completed(self):
        """That all tables are there and right in the end."""
        expected = {}
        with open(self.options.hashes, encoding="ascii") as file:
            for line in file.read().splitlines()[1:]:
                rules, material, metric, value_hash = line.split("\t")[:4]
                if rules in RULES and material in self.materials:
                    expected[rules, material, metric] = value_hash
        found = {}
        for rules in RULES:
            made = self.run("generate", "--pieces", str(self.options.pieces), "--rules", rules)
            checked = self.run("verify", "--level", "checksums", "--rules", rules)
            listed = self.run("list", "--files", "--rules", rules)
            for what, result in (("generate", made), ("verify", checked), ("list", listed)):
                if result[0] != 0:
                    self.fault(f"{what} at the end: {result}")
            for line in listed[1].splitlines()[1:]:
                material, metric, _, value_hash = line.split("\t")[:4]
                found[rules, material, metric] = value_hash
            left = [name for name in os.listdir(os.path.join(self.tables, rules))
                    if name.startswith(".") and name not in (".lock", ".values")]
            if left:
                self.fault(f"{rules}: {left} is left at the end")
        if found != expected or not expected:
            self.fault(f"the hashes differ: {set(found.items()) ^ set(expected.items())}")
        return len(found)

    # Who does what.

    def write(self, rng, *arguments):
        """Runs a writer, and kills it or not; leaves the folder to others for a moment then."""
        self.run(*arguments, killed_after=rng.random() / 3 if rng.random() < 0.6 else None)
        time.sleep(rng.random() / 5)

    def generate(self, rng):
        rules = rng.choice(RULES)
        folder = os.path.join(self.tables, rules)
        names = [name for name in os.listdir(folder) if name[0] != "."] if os.path.isdir(
            folder) else []
        for name in rng.sample(names, min(len(names), rng.randrange(6))):
            try:
                os.unlink(os.path.join(folder, name))
            except FileNotFoundError:
                pass
        arguments = ["generate", "--rules", rules, "--threads", rng.choice("12"),
                     "--metric", rng.choice(("wdl", "dtw", "both")),
                     "--level", rng.choice(("1", "3", "5"))]
        if rng.random() < 0.3:
            arguments += ["--material", rng.choice(self.materials)]
        else:
            arguments += ["--pieces", str(self.options.pieces)]
        self.write(rng, *arguments)

    def compress(self, rng):
        arguments = ["compress", "--rules", rng.choice(RULES), "--threads", rng.choice("12")]
        if rng.random() < 0.7:
            arguments += rng.sample(self.materials, 2)
        if rng.random() < 0.3:
            arguments += ["--whole"]
        self.write(rng, *arguments)

    def verify(self, rng):
        arguments = ["verify", "--rules", rng.choice(RULES), "--threads", "1"]
        if rng.random() < 0.5:
            arguments += ["--level", "checksums"]
        else:
            arguments += ["--samples", "2000", "--seed", str(rng.randrange(1000))]
        for line in self.run(*arguments)[1].splitlines()[1:]:
            if line.split("\t")[3] != "0":
                self.fault(f"verify: {line}")

    def stats(self, rng):
        rules = rng.choice(RULES)
        for line in self.run("stats", rng.choice(self.materials), "--rules", rules,
                             "--threads", "1")[1].splitlines()[1:]:
            material, side, states, rest = line.split("\t", 3)
            expected = self.rows[rules, material, side, states]
            # Outcomes alone have no distances, and no position to show.
            if line != expected and (rest.split("\t")[3:] != ["-", "-", "-"] or
                                     line.split("\t")[:6] != expected.split("\t")[:6]):
                self.fault(f"stats: {line}, not {expected}")

    def probe(self, rng):
        rules = rng.choice(RULES)
        fens = rng.sample([key[1] for key in self.answers if key[0] == rules], 200)
        for line in self.run("probe", "-", "--rules", rules,
                             text="".join(fen + "\n" for fen in fens))[1].splitlines():
            fen, answer = line.split("\t", 1)
            expected = self.answers[rules, fen]
            if answer.startswith("error: "):
                if not MET.search(answer):
                    self.fault(f"probe: {line}")
            elif answer not in (expected, expected.split("\t")[0] + "\t-"):
                self.fault(f"probe: {line}, not {expected}")

    def repeat(self, what, seed):
        rng = random.Random(seed)
        while time.monotonic() < self.end and not self.faults:
            what(rng)

    def all_at_once(self):
        shutil.copytree(self.whole, self.tables)
        self.end = time.monotonic() + self.options.seconds
        workers = [self.generate, self.generate, self.compress, self.verify, self.stats, self.probe]
        threads = [threading.Thread(target=self.repeat, args=(what, self.options.seed * 100 + i))
                   for i, what in enumerate(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def random_fen(rules, pieces):
    """A position of two to so many pieces."""
    last, row = (50, 5) if rules == "frisian" else (32, 4)
    n = random.randrange(2, pieces + 1)
    squares = random.sample(range(1, last + 1), n)
    sides = ["", ""]
    for i, square in enumerate(squares):
        side = i if i < 2 else random.randrange(2)
        promoted = square <= row if side == 0 else square > last - row
        king = promoted or random.random() < 0.5
        sides[side] += ("," if sides[side] else "") + ("K" if king else "") + str(square)
    return f"{random.choice('WB')}:W{sides[0]}:B{sides[1]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("hashes")
    parser.add_argument("folder")
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--pieces", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--preload", default="")
    options = parser.parse_args()

    random.seed(options.seed)
    shutil.rmtree(options.folder, ignore_errors=True)
    os.makedirs(options.folder)
    stress = Stress(options)
    stress.learn()
    stress.counts.clear()
    stress.all_at_once()
    counts = dict(sorted(stress.counts.items()))
    n_tables = stress.completed()
    print(", ".join(f"{what}: {n}" for what, n in counts.items()))
    for what in ("generate", "compress", "verify", "stats", "probe"):
        if counts.get(f"{what} done", 0) == 0:
            stress.fault(f"{what} never came to its end")
    for what in ("generate", "compress"):
        if counts.get(f"{what} killed", 0) == 0:
            stress.fault(f"{what} was never killed")
    for fault in stress.faults:
        print(fault, file=sys.stderr)
    if stress.faults:
        sys.exit(1)
    print(f"{n_tables} tables, all values right")
    shutil.rmtree(options.folder)


main()
