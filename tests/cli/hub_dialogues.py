"""Replays recorded dialogues of Hub clients, one file per client.

    hub_dialogues.py PROGRAM TABLES FILE...

TABLES has tables of three pieces under `frisian` and `frisian-lidraughts`. A line of a file that begins
with `>` is sent; `<` is a pattern for a line of the engine; earlier lines are skipped, as clients
do, but parsed as clients parse them, and an `error` among them is a failure. `--` gives an option of the engine.
"""

import re
import sys

import checks
from checks import check

# The analysis board of lidraughts.org.
EVALUATION = re.compile(r'info depth=\d+ mean-depth=\S+ score=\S+ nodes=\d+ time=\S+ (nps=\S+ )?pv="?[-0-9xX ]+"?')


def reads_quotes(line):
    """draughtsnet: a quoted value ends at the next word that ends with a quote."""
    words = line.split()[1:]
    open_quote = False
    for word in words:
        if open_quote:
            open_quote = not word.endswith('"')
        elif '="' in word:
            open_quote = True
    return not open_quote


def reads_pairs(line):
    """pydraughts: outside quotes each word has exactly one equals sign."""
    rest = line.partition(" ")[2]
    words = re.split(r' +(?![^"]*"(?:(?:[^"]*"){2})*[^"]*$)', rest)
    return rest == "" or all(word.count("=") == 1 for word in words)


def check_line(name, line):
    command = line.split()[0]
    check(command in ("id", "param", "wait", "ready", "pong", "info", "done"), f"{name}: {line}")
    if command == "info":
        check(reads_quotes(line), f"{name}: a quote without an end: {line}")
        check(reads_pairs(line), f"{name}: not name=value: {line}")
    if command == "done":
        check(reads_pairs(line) and "=" in line, f"{name}: {line}")
    if command == "info" and " score=" in line and " pv=" in line:
        check(EVALUATION.fullmatch(line), f"{name}: not read as an evaluation: {line}")


def play(program, tables, path):
    name = path.rpartition("/")[2]
    with open(path, encoding="utf-8") as file:
        script = [line.rstrip("\n") for line in file]
    options = [word for line in script if line.startswith("--") for word in line.split()]
    engine = checks.Conversation(program, "hub", "--tables", tables, *options)
    n_expected = 0
    for number, text in enumerate(script, 1):
        if text.startswith("> "):
            engine.send(text[2:])
        while text.startswith("< "):
            line = engine.next_line()
            if line is None:
                sys.exit(f"wrong: {name}:{number}: no line like {text[2:]}")
            check_line(f"{name}:{number}", line)
            n_expected += 1
            if re.fullmatch(text[2:], line):
                break
            if line.startswith("done"):  # a client stops waiting there
                engine.process.kill()
                sys.exit(f"wrong: {name}:{number}: {line}, and no line like {text[2:]}")
    engine.process.stdin.close()
    check(engine.process.wait(checks.SECONDS) == 0, f"{name}: exit status")
    check(n_expected > 0, f"{name}: nothing was expected")


def main():
    program, tables, *paths = sys.argv[1:]
    for path in paths:
        play(program, tables, path)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
