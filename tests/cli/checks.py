"""Shared helpers: counted checks with failure reports, and an interactive subprocess."""

import queue
import subprocess
import threading

SECONDS = 300  # to answer, on a machine that is busy
failures = 0


def check(truth, what):
    global failures
    if not truth:
        print("wrong:", what)
        failures += 1


def status():
    """The exit status of the script."""
    print("%d wrong" % failures)
    return 1 if failures else 0


class Conversation:
    """A program that reads lines and answers with lines, while its input stays open."""

    def __init__(self, *command):
        self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip("\n"))
        self.lines.put(None)

    def send(self, line):
        self.process.stdin.write((line if isinstance(line, bytes) else line.encode()) + b"\n")
        self.process.stdin.flush()

    def next_line(self):
        """The next line; None at end of output. A program that stays silent is killed."""
        try:
            line = self.lines.get(timeout=SECONDS)
        except queue.Empty:
            line = None
        if line is None:
            self.process.kill()
        return line
