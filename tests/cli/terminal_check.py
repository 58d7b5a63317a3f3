"""Output on a terminal (a pseudo terminal) and on a pipe.

usage: terminal_check.py PROGRAM TABLES

The program runs on a pseudo terminal; its whole output is compared or searched."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile

import checks
from checks import check

PROGRAM, TABLES = sys.argv[1:3]
FEN = "W:W28,K46:BK43:H0:F1:+0+346"


def environment(changes):
    kept = {k: v for k, v in os.environ.items()
            if k not in ("NO_COLOR", "TERM", "LANG", "LC_ALL", "LC_CTYPE")}
    return {**kept, "EINSPUL_TABLES": TABLES, **changes}


END = b"\0end\0"


def on_terminal(*arguments, **changes):
    """Output and exit status on a terminal. The terminal is kept open until everything is read, because some
    kernels drop unread output when the last writer closes."""
    master, slave = pty.openpty()
    process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=slave,
                               stderr=slave, env=environment(changes))
    output = b""
    ended = False
    while not output.endswith(END):
        if select.select([master], [], [], 0.02)[0]:
            output += os.read(master, 65536)
        elif not ended and process.poll() is not None:
            os.write(slave, END)
            ended = True
    os.close(slave)
    os.close(master)
    return output[:-len(END)].decode().replace("\r\n", "\n"), process.wait(60)


def piped(*arguments, **changes):
    process = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL,
                             capture_output=True, env=environment(changes), timeout=300)
    return process.stdout.decode(), process.returncode


BOARD = """\
White to move, KMvK (frisian)

   1    ·   ·   ·   ·   ·   5
   6  ·   ·   ·   ·   ·    10
  11    ·   ·   ·   ·   ·  15
  16  ·   ·   ·   ·   ·    20
  21    ·   ·   ·   ·   ·  25
  26  ·   ·   ⛀   ·   ·    30
  31    ·   ·   ·   ·   ·  35
  36  ·   ·   ·   ·   ·    40
  41    ·   ·   ⛃   ·   ·  45
  46  ⛁   ·   ·   ·   ·    50

  ⛀ White man  ⛁ White king  ⛂ Black man  ⛃ Black king

"""
RUN = "White's king on 46 has moved 3 times in a row and must rest.\n"

# Fails if a piece on the board is misplaced. Without colours the board can be compared whole.
for plain in ({"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": "1"}):
    output, status = on_terminal("probe", FEN, LANG="en_US.UTF-8", **plain)
    check(output == BOARD + RUN + "Draw.\n\n" and status == 0, output)

# Colours if requested; letters if the terminal has no UTF-8.
output, status = on_terminal("probe", FEN, LANG="C.UTF-8", TERM="xterm")
check("\033[1m⛀\033[0m" in output and "Draw." in output, output)
output, status = on_terminal("probe", FEN, LANG="C", TERM="dumb")
check("  26  .   .   w   .   .    30\n" in output and output.isascii(), output)
output, status = on_terminal("probe", FEN, LANG="C.UTF-8", LC_ALL="C", TERM="dumb")
check(output.isascii(), output)

# Fails if the outcome is not that of the side to move, or the winner is not named.
output, status = on_terminal("probe", "W:WK46:BK5", TERM="dumb")
check("Black wins in 2 plies (1 move).\n" in output, output)
output, status = on_terminal("probe", "W:WK46:BK41", LANG="C.UTF-8", TERM="xterm")
check("\033[32mWhite wins in 1 ply (1 move).\033[0m\n" in output, output)
output, status = on_terminal("probe", "W:WK1,K2:BK6:H3", TERM="dumb")
check("Move limit: White has 6 of 7 moves left.\n" in output, output)

# Fails if a position without an answer is printed as a row among boards, or does not name the next step.
output, status = on_terminal("probe", "W:WK1,K2,K3,K4:BK50", "W:WK46:BK41", TERM="dumb")
check("no table for KKKKvK" in output and "'einspul solve'" in output and "\terror" not in output
      and status == 2, output)

# Moves and lines.
output, status = on_terminal("moves", "W:WK3,27:BK48", TERM="dumb")
check("White wins in 41 plies (21 moves).\n\n  3-25           win in 41 plies\n  3-17           draw\n" in output,
      output)
output, status = on_terminal("moves", FEN, TERM="dumb")
check("Draws: first those that keep most material" in output, output)
output, status = on_terminal("find", "KvK", "--distance", "99", TERM="dumb")
check("no positions found" in output and status == 0, output)
# Fails if a draw by Article 18 has no reason, or a win without any rule's help has one.
output, status = on_terminal("probe", "W:WK1,K2:BK6:H9", TERM="dumb")
check(re.search(r"Draw\.\n\nWithout Article 18, White would win in \d+ plies\.\n\n"
                "If no moves had been counted, White would win in \d+ plies\.\n", output), output)
output, status = on_terminal("probe", "W:WK3,27:BK48", TERM="dumb")
check(output.endswith("White wins in 41 plies (21 moves).\n\n"), output)

# Fails if `find` floods a terminal without --limit, or does not say that there are more.
output, status = on_terminal("find", "KMvK", "--outcome", "win", TERM="dumb")
check(output.count(" to move, KMvK (frisian)") == 3 and "KMvK\t" not in output
      and "showing 3 of " in output and "--limit" in output, output)


def without_progress(output):
    return output.rsplit("\033[K", 1)[-1]


# Fails if columns do not line up: each number must end where its heading ends.
def check_columns(output, n_words):
    lines = [line for line in without_progress(output).splitlines() if line and not line.startswith("einspul")]
    ends = [match.end() for match in re.finditer(r"\S+", lines[0])]
    check(len(lines) > 2 and len(ends) >= n_words and "\t" not in output, output)
    for line in lines[1:]:
        cells = list(re.finditer(r"\S+", line))
        for cell, end in zip(cells, ends):
            check(not re.fullmatch(r"[\d,]+|-", cell[0]) or cell.end() == end, line)


check_columns(on_terminal("stats", "KMvK", "KvK", TERM="dumb")[0], 9)
check_columns(on_terminal("find", "KMvK", "--limit", "5", TERM="dumb")[0], 3)
for arguments in (("stats", "KMvK"), ("find", "KMvK", "--limit", "5")):
    on_pipe, status = piped(*arguments)
    output, _ = on_terminal(*arguments, "--tsv", TERM="dumb")
    check(without_progress(output).startswith(on_pipe) and "\t" in on_pipe, output)


def first_output(master, process):
    """Waits for output; fails if the process ends without any."""
    ended = False
    while not select.select([master], [], [], 0.1)[0]:
        check(not ended, "no progress")
        ended = process.poll() is not None
    return os.read(master, 65536)


# Fails if Ctrl-C during long work gives no message and status, or a row. The first sign of progress
# shows that the work has begun.
with tempfile.TemporaryDirectory() as copies:
    shutil.copytree(f"{TABLES}/frisian", f"{copies}/frisian")
    for said, arguments in ((b"search stopped", "find KMvK KKvK KMvM MMvM MMvK KKvM --study"),
                            (b"verify: stopped", "verify KKvK KMvK KMvM KKvM --samples 3000000"),
                            (b"stopped; run the same command again", "compress KMvK KMvM KKvK MMvM MMvK KKvM")):
        master, slave = pty.openpty()
        process = subprocess.Popen([PROGRAM, *arguments.split(), "--threads", "1"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=slave,
                                   env=environment({"EINSPUL_TABLES": copies}))
        output = first_output(master, process)
        process.send_signal(signal.SIGINT)
        status = process.wait(60)
        while select.select([master], [], [], 0.1)[0]:
            output += os.read(master, 65536)
        rows = process.stdout.read()
        check(status == 1 and said in output and b"KKvM\tdtw" not in rows, output)
        check(b" %  " in output and (said[:6] == b"search" or re.search(rb"ing \w+[.]\w+, \d+ of \d+ tables", output)),
              output)

# Fails if a line is not numbered as in a game, or does not end with its last position and result.
output, status = on_terminal("line", "W:WK46:BK5", TERM="dumb")
check(re.search(r"Black wins in 2 plies \(1 move\)\.\n\n   1\. 46-\d+ +5x\d+\n\n   1 ", output)
      and output.endswith("White has no move and has lost.\n"), output)
output, status = on_terminal("line", "B:WK46:BK5", TERM="dumb")
check(re.search(r"\n   1\. \.\.\. +5-\d+\n   2\. 46x\d+ *\n", output), output)
output, status = on_terminal("line", "--plies", "3", FEN, TERM="dumb")
check(re.search(r"   1\. \S+ +\S+\n   2\. \S+ *\n\n   1 ", output) and "--plies" in output, output)

# Fails if a position that its moves decide gets no outcome.
output, status = on_terminal("moves", "W:WK46,28,33:BK43,4", TERM="dumb")
check("Not in the tables.\n\n" in output and " not in the tables\n" in output, output)
output, status = on_terminal("moves", "--solve", "60", "W:WK46,28,33:BK43,4", TERM="dumb")
check("\nDraw.\n\n" in output and "not " not in output, output)

# The map: W, D and L on the squares the king may stand on.
output, status = on_terminal("map", "W:W28,K46:BK43", "--piece", "46", LANG="C.UTF-8", TERM="dumb")
lines, _ = piped("map", "W:W28,K46:BK43", "--piece", "46")
rows = [line.split("\t") for line in lines.splitlines()]
check([int(row[0]) for row in rows] == [n for n in range(1, 51) if n not in (28, 43)], lines)
counts = [sum(row[1] == name for row in rows) for name in ("win", "draw", "loss")]
check("%d wins, %d draws, %d losses.\n" % tuple(counts) in output and min(counts[:2]) > 0, output)
cells = "".join(line[5:25] for line in output.split("(frisian)\n\n")[1].splitlines()[:10])
check(output.count("\n   1 ") == 1 and "White king from 46 on each square" in output, output)
letters = {"win": "W", "draw": "D", "loss": "L"}
check([c for c in cells if c in "WDL"] == [letters[row[1]] for row in rows], cells)
answers, _ = piped("probe", *[row[3] for row in rows])
check(answers == "".join("%s\t%s\t%s\n" % (row[3], row[1], row[2]) for row in rows), answers)

# Fails if a board is drawn on a pipe, or with --tsv or --json.
for arguments in (("probe", FEN), ("moves", FEN), ("line", "W:WK46:BK5"),
                  ("map", FEN, "--piece", "46")):
    on_pipe, status = piped(*arguments, LANG="C.UTF-8", TERM="xterm")
    check(status == 0 and "\t" in on_pipe and "\033" not in on_pipe, on_pipe)
    check(on_terminal(*arguments, "--tsv", LANG="C.UTF-8", TERM="xterm") == (on_pipe, 0), arguments)
    as_json, _ = piped(*arguments, "--json")
    check(on_terminal(*arguments, "--json", TERM="xterm") == (as_json, 0), arguments)
check(piped("probe", FEN)[0] == FEN + "\tdraw\t-\n", "the line of a pipe")

sys.exit(checks.status())
