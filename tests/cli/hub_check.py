"""A client of the Hub protocol that waits as user interfaces and bots do: for `wait`, `ready`,
`done` and `pong`, whatever else is said.

    hub_check.py PROGRAM TABLES FOLDER

TABLES has Frisian tables of three pieces; FOLDER is made anew. An engine that does not answer stops
its user's program for ever, and one that answers with an illegal move loses the game. What the
engine plays where its tables do not answer, or call moves equal, is judged here as well.
"""

import pathlib
import queue
import shutil
import subprocess
import sys
import threading

import checks
from checks import check

PROGRAM, TABLES, FOLDER = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
SECONDS = 60  # to answer, on a machine that is busy
PLIES = 60
NO_MOVE = 'move=""'


class Client:
    """Talks to an engine. What came before an answer that was waited for is in `said`."""

    def __init__(self, *arguments):
        self.engine = subprocess.Popen([PROGRAM, "hub", *map(str, arguments)],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = queue.Queue()
        self.said = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.engine.stdout:
            self.lines.put(line.decode().rstrip("\n"))
        self.lines.put(None)

    def send(self, line):
        self.engine.stdin.write(line.encode() + b"\n")
        self.engine.stdin.flush()

    def wait(self, word):
        """What follows the word; without an answer nothing that comes after makes sense."""
        self.said = []
        while True:
            try:
                line = self.lines.get(timeout=SECONDS)
            except queue.Empty:
                line = None
            if line is None:
                self.engine.kill()
                sys.exit(f"wrong: no '{word}', only {self.said}")
            command, _, rest = line.partition(" ")
            if command == word:
                return rest
            self.said.append(line)

    def ask(self, line, word):
        self.send(line)
        return self.wait(word)

    def errors(self):
        return [line for line in self.said if line.startswith("error ")]

    def go(self, how="think"):
        """The move, in the form of the protocol."""
        answer = self.ask(f"go {how}", "done").split()
        check(answer and answer[0].startswith("move="), f"done {answer}")
        return answer[0] if answer[0] == NO_MOVE else answer[0].removeprefix("move=")

    def quit(self):
        self.send("quit")
        check(self.engine.wait(SECONDS) == 0, "exit status")


def start(*arguments):
    client = Client(*arguments)
    client.ask("hub", "wait")
    client.ask("init", "ready")
    return client


def is_legal(client, position, moves):
    """By the engine's replay, which its choice has no part in."""
    client.send(f'pos {position} moves="{" ".join(moves)}"')
    client.ask("ping", "pong")
    return not client.errors()


def play_itself(client, position, what):
    """A game against itself. Its end, if it has one, is answered too."""
    moves = []
    for _ in range(PLIES):
        check(is_legal(client, position, moves), f"{what}: {moves}: {client.said}")
        move = client.go()
        if move == NO_MOVE:
            check(any("no legal move" in line for line in client.errors()), f"{what}: no move")
            return moves
        moves.append(move)
    return moves


def check_games():
    """From the first position to far below the number of pieces that tables have."""
    client = start("--tables", TABLES)
    for variant in ("normal", "frisian", "english", "brazilian", "frisian-free"):
        client.send(f"set-param name=variant value={variant}")
        moves = play_itself(client, "start", variant)
        check(len(moves) > 40, f"{variant}: {len(moves)} moves")
    client.quit()


def check_without_tables():
    """A folder that is missing must not cost the client its game, or its life."""
    client = start("--tables", FOLDER / "missing")
    check(any("No such file" in line for line in client.errors()), f"init: {client.said}")
    check(len(play_itself(client, "start", "no tables")) == PLIES, "a game ended early")
    check(client.errors() != [] and not any("score=" in line for line in client.said),
          f"a guess passes for an answer: {client.said}")
    client.quit()


def check_what_is_not_understood():
    """The protocol is to be extended: other commands and arguments are ignored."""
    client = start("--tables", TABLES)
    many = " ".join(f"x{i}={i}" for i in range(100))
    for line in ("", "  ", "observe", f"observe {many}", "info depth=1", f"level {many}", "= =",
                 f"new-game {many}", "stop", "ponder-hit", "\x1b[2J"):
        client.send(line)
    client.ask("ping and=more", "pong")
    check(client.said == [], f"answers to what is not understood: {client.said}")
    for line in ("go", f"go {many} think {many}", 'go think name="open', "\t go \t think",
                 "go think\0"):
        client.send(f'pos {many} fen=W:WK3,27:BK48 {many} moves=""')
        check(client.ask(line, "done").startswith("move=3-25"), f"{line}: {client.said}")
        check(client.errors() == [] or "\0" in line, f"{line}: {client.said}")
    client.quit()


def check_pondering():
    client = start("--tables", TABLES)
    for fen, move in (("W:WK3,27:BK48", "3-25"), ("W:W31-50:B1-20", None)):
        for end in ("stop", "ponder-hit"):
            client.send(f"pos fen={fen}")
            client.send("go ponder")
            client.ask("ping", "pong")
            check(not any(line.startswith("done") for line in client.said), "done too early")
            found = client.ask(end, "done").split()[0].removeprefix("move=")
            check(move in (None, found), f"{fen}: {found}")
    client.quit()


def check_no_move():
    """Where there is nothing to play the search ends all the same, with a move that is empty."""
    client = start("--tables", TABLES)
    blank = "e" * 47
    for line, text in ((f"pos pos=Wb{blank}e", "no position"),  # of 49 squares
                       ("pos fen=W:W28:B28", "no position"),
                       ('pos start moves="32-38"', "no position"),
                       ("pos", "no position"),
                       ("pos start " + "x" * 70000, "no position"),
                       (f"pos pos=BWee{blank}", "no legal move"),
                       (f"pos pos=B{'e' * 44}beeeew", "no legal move")):
        for how in ("think", "analyze"):
            client.send("pos fen=W:WK3,27:BK48")
            client.send(line)
            client.send(f"go {how}")
            if how == "analyze":
                client.send("stop")
            check(client.wait("done") == NO_MOVE, f"{line[:60]}: a move of another position")
            check(any(text in error for error in client.errors()), f"{line[:60]}: {client.said}")
    client.quit()


# Frisian; what is there is KvK and KKvK.
PARTLY = (
    ("W:WK15,6:BK22", {"6-1"}),  # wins
    ("W:WK40,6:BK49", {"6-1"}),  # draws, and the king may move anywhere unknown
    ("W:WK18,8:BK2", None),      # 8-3 loses
)


def check_partly_known():
    """Of moves that no table knows any may lose: what is known to win or draw comes first."""
    partly = FOLDER / "partly" / "frisian"
    partly.mkdir(parents=True)
    for name in ("KvK", "KKvK"):
        for path in (pathlib.Path(TABLES) / "frisian").glob(f"{name}.*"):
            shutil.copy(path, partly)
    client = start("--tables", partly.parent)
    for fen, best in PARTLY:
        client.send(f"pos fen={fen}")
        move = client.go()
        check(move in best if best else move != "8-3", f"{fen}: {move}")
        check(any("no table of" in line for line in client.errors()), f"{fen}: {client.said}")
    client.quit()


# Frisian. All moves listed draw, in the order in which they are to be listed and played.
DRAWN = (
    ("W:WK30,33:BK47", "33-28 30-2 30-43"),  # the others give the man away
    ("W:W9,34:BK36", "9-4 9-3"),             # 9 of 12 answers lose, not 3 of 9
    ("W:W20,45:B33", "45-40 20-14 20-15"),   # half of the answers lose, not none
)


def check_drawn_moves():
    """The first of all drawn moves often throws away what could still be won; or list and engine differ."""
    client = start("--tables", TABLES)
    for fen, drawn in DRAWN:
        table = subprocess.run([PROGRAM, "moves", fen, "--tables", TABLES], text=True,
                               capture_output=True, check=True).stdout
        found = [row.split("\t")[0] for row in table.splitlines() if "\tdraw" in row]
        check(found == drawn.split(), f"{fen}: drawn moves are {found}")
        client.send(f"pos fen={fen}")
        check(client.go() == found[0], f"{fen}: not {found[0]}")
        check(client.errors() == [], client.said)
    client.quit()


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    check_games()
    check_without_tables()
    check_what_is_not_understood()
    check_pondering()
    check_no_move()
    check_partly_known()
    check_drawn_moves()
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
