"""A blocking client of the Hub protocol: like user interfaces and bots, it waits for `wait`, `ready`,
`done` and `pong`, whatever else arrives.

    hub_check.py PROGRAM TABLES FOLDER

TABLES has Frisian tables of three pieces; FOLDER is recreated. An engine that does not answer blocks
its client, and one that answers with an illegal move loses the game. Also checks the engine's choice
beyond the tables and among equal moves.
"""

import pathlib
import random
import shutil
import subprocess
import sys
import time

import checks
from checks import check

PROGRAM, TABLES, FOLDER = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
PLIES = 60
NO_MOVE = 'move=""'


class Client(checks.Conversation):
    """Talks to an engine. `said` holds the lines before an awaited answer."""

    def __init__(self, *arguments):
        super().__init__(PROGRAM, "hub", *arguments)
        self.said = []

    def wait(self, word):
        """Returns the rest of the line that begins with a word; exits if none comes."""
        self.said = []
        while True:
            line = self.next_line()
            if line is None:
                sys.exit(f"wrong: no '{word}', only {self.said}")
            command, _, rest = line.partition(" ")
            if command == word:
                return rest
            self.said.append(line)

    def ask(self, line, word):
        self.send(line)
        return self.wait(word)

    def infos(self):
        return [line for line in self.said if line.startswith("info message=")]

    def errors(self):
        return [line for line in self.said if line.startswith("error ")]

    def go(self, how="think"):
        """The chosen move, in the form of the protocol."""
        answer = self.ask(f"go {how}", "done").split()
        check(answer and answer[0].startswith("move="), f"done {answer}")
        return answer[0] if answer[0] == NO_MOVE else answer[0].removeprefix("move=")

    def quit(self):
        self.send("quit")
        check(self.process.wait(checks.SECONDS) == 0, "exit status")


def start(*arguments):
    client = Client(*arguments)
    client.ask("hub", "wait")
    client.ask("init", "ready")
    return client


def is_legal(client, position, moves):
    """Judged by replaying the move in an engine, independently of the engine's choice."""
    client.send(f'pos {position} moves="{" ".join(moves)}"')
    client.ask("ping", "pong")
    return not client.errors()


def play_itself(client, position, what):
    """Plays a game of the engine against itself, up to and including its final position."""
    moves = []
    for _ in range(PLIES):
        check(is_legal(client, position, moves), f"{what}: {moves}: {client.said}")
        move = client.go()
        if move == NO_MOVE:
            check(any("no legal move" in line for line in client.infos()), f"{what}: no move")
            check(any("score=-100.00" in line for line in client.said), f"{what}: lost, without a score")
            return moves
        moves.append(move)
    return moves


def check_games():
    """Games from the first position down to few pieces, far into the tables."""
    client = start("--tables", TABLES)
    for variant in ("normal", "frisian", "english", "brazilian", "frisian-free"):
        client.send(f"set-param name=variant value={variant}")
        moves = play_itself(client, "start", variant)
        check(len(moves) > 40, f"{variant}: {len(moves)} moves")
    client.quit()


def check_without_tables():
    """Fails if a missing folder loses the game or crashes the client."""
    client = start("--tables", FOLDER / "missing")
    check(any("No such file" in line for line in client.errors()), f"init: {client.said}")
    check(len(play_itself(client, "start", "no tables")) == PLIES, "a game ended early")
    check(client.errors() == [], f"the same fault before every move: {client.said}")
    check(not any("score=" in line for line in client.said), f"a guess passes for an answer: {client.said}")
    client.quit()


def check_what_is_not_understood():
    """Fails if unknown commands or arguments are not ignored: the protocol may be extended."""
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


def check_nonsense():
    """Fails if arbitrary bytes stop the engine, or change its answers."""
    client = start("--tables", TABLES)
    pieces = [b"pos", b"=", b'"', b"go", b"fen=", b"W:W28,K46:BK43", b"x", b"moves", b"46-41", b"stop", b"level", b"\t",
              b"set-param", b"name=variant", b"value=english", b"hub"]
    choose = random.Random(5)
    for _ in range(3000):
        line = b"".join((choose.choice(pieces) if choose.random() < .7 else choose.randbytes(1)) + b" " * choose.randrange(2)
                        for _ in range(choose.randrange(9)))
        if line.split()[:1] != [b"quit"]:
            client.send(line.replace(b"\n", b"\0"))
        client.ask("ping", "pong")
    client.send("set-param name=variant value=frisian")
    client.send("pos fen=W:WK3,27:BK48")
    check(client.go() == "3-25" and client.errors() == [], f"after nonsense: {client.said}")
    client.quit()


def check_answers_at_once():
    """Fails if a search gives no line at once, because an analysing client sends `stop` only after one; or if
    a late `stop` ends the next search."""
    client = start("--tables", TABLES)
    for fen, move in (("W:WK3,27:BK48", "3-25"), ("W:W31-50:B1-20", None)):
        for how in ("ponder", "analyze"):
            client.send(f"pos fen={fen}")
            found = client.go(how)
            check(move in (None, found), f"{fen}: {found}")
            client.send("stop")
            client.send("ponder-hit")
            client.ask("ping", "pong")
            check(client.said == [], f"{how}: an answer to what is over: {client.said}")
    client.quit()


def check_answers_during_a_search():
    """Fails if a client that pings, stops, quits or leaves during a search waits for its end, or if a line
    that comes during a search is lost."""
    kings = "pos fen=W:WK36,K46,K47,K48,K49,K50:BK1,K2,K3,K4,K5,K6"
    for how in ("stop", "quit", "end"):
        client = start("--tables", TABLES)
        client.send("level move-time=6000")
        client.send(kings)
        client.send("go think")
        began = time.monotonic()
        client.ask("ping", "pong")
        check(client.said == [], f"{how}: no search, but {client.said}")
        if how == "end":
            client.process.stdin.close()
        else:
            client.send(how)
        check(client.wait("done") != NO_MOVE, f"{how}: no move")
        if how == "stop":
            client.send("pos fen=W:WK46:BK41")
            client.send("go think")
            client.send("pos fen=W:WK3,27:BK48")
            check(client.wait("done").startswith("move=46x5"), client.said)
            client.ask("ping", "pong")
            check(client.go() == "3-25", client.said)
            client.quit()
        check(client.process.wait(checks.SECONDS) == 0, f"{how}: {client.process.returncode}")
        check(time.monotonic() - began < 60, f"{how}: answered after {time.monotonic() - began} s")


def check_other_engines_parameters():
    """Fails if a parameter of Scan gives an error, which clients treat as fatal, or if an unknown variant
    gives none."""
    client = start("--tables", TABLES)
    for name in ("threads", "tt-size", "bb-size", "book", "Skill Level", "UCI_AnalyseMode"):
        client.send(f'set-param name="{name}" value=3')
    client.ask("ping", "pong")
    check(client.said == [], f"parameters of others: {client.said}")
    client.send("set-param name=variant value=losing")
    client.send("pos start")
    check(client.go() == NO_MOVE and client.errors() != [], f"a move of another game: {client.said}")
    client.send("set-param name=variant value=frysk")
    client.send("pos start")
    check(client.go() != NO_MOVE and client.errors() == [], f"frysk: {client.said}")
    client.quit()


def squares(fen):
    """A FEN in the form of the protocol."""
    side, *lists = fen.split(":")
    board = ["e"] * 50
    for colour, *rest in lists:
        for piece in "".join(rest).split(","):
            board[int(piece.lstrip("K")) - 1] = colour if piece.startswith("K") else colour.lower()
    return f"pos={side}{''.join(board)}"


def check_game_goes_on():
    """Fails if the rule state is not carried through the game, so that an illegal move is announced as a win."""
    client = start("--tables", TABLES)
    # Three moves of the white king, and a position like the first, in which a fourth would win if it
    # were legal.
    fens = ("W:WK5,16:BK7 B:WK19,16:BK7 W:WK19,16:BK12 B:WK46,16:BK12 W:WK46,16:BK34 B:WK5,16:BK34 "
            "W:WK5,16:BK7").split()
    moves = "5-19 7-12 19-46 12-34 46-5 34-7"
    last = squares(fens[-1])

    def score(text):
        client.send(text)
        move = client.ask("go", "done").split()[0]
        check(client.errors() == [], f"{text}: {client.said}")
        return client.said[-1].split("score=")[1].split()[0], move

    fresh, bound = ("99.79", "move=5-19"), ("0.00", "move=16-11")
    check(score(f"pos {last}") == fresh, "a position without a game")
    check(score(f'pos {last} moves="{moves}"') == bound, "the moves of the game")
    for step in (1, 2, 3):  # the last is no way to tell a game
        client.send("new-game")
        found = [score(f"pos {squares(fen)}") for fen in fens[::step]][-1]
        check(found == (fresh if step == 3 else bound), f"positions alone, each {step}.: {found}")
        check(score(f"pos {last}") == found, "asked again")
    # An expected move is not played; then a move is taken back.
    client.send("new-game")
    score(f"pos {last}")
    score(f'pos {squares(fens[0])} moves="5-19 7-1"')
    for fen in fens[2::2]:
        found = score(f"pos {squares(fen)}")
    check(found == bound, f"after a move that was not played: {found}")
    score(f"pos {squares(fens[4])}")
    check(score(f"pos {last}") == bound, "after a move was taken back")
    client.send("new-game")
    check(score(f"pos {last}") == fresh, "the run of another game")
    for text in ('"W5=3"', '"W5=3 B7=1"', "W05=3", '"B7=0 W5=3"'):
        check(score(f"pos {last} wolf={text}") == bound, f"wolf={text}")
    for text in ("", ' wolf=""', ' wolf="W5=0"', ' wolf="W16=3 W50=2 Q5=3 W5 W5=x"',
                 ' wolf="W5=4"', ' wolf="W5=9"'):  # a king has at most three
        check(score(f"pos {last}{text}") == fresh, f"no run:{text}")
    client.quit()


def check_no_move():
    """Fails if a search without a legal move does not end with an empty move."""
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
            check(client.wait("done") == NO_MOVE, f"{line[:60]}: a move of another position")
            check(any(text in error for error in client.errors() + client.infos()), f"{line[:60]}: {client.said}")
    client.quit()


# Frisian, with the tables KvK and KKvK only.
PARTLY = (
    ("W:WK15,6:BK22", {"6-1"}),  # wins
    ("W:WK40,6:BK49", {"6-1"}),  # draws, and the king may move anywhere unknown
    ("W:WK18,8:BK2", None),      # 8-3 loses
)


def check_partly_known():
    """Fails if an unknown move, which may lose, is preferred to a known win or draw."""
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
        check(any("no table for" in line for line in client.infos()), f"{fen}: {client.said}")
        check(client.errors() == [], f"{fen}: {client.said}")
    client.quit()


# Frisian. All listed moves draw; their order is that of the list and of the engine's choice.
DRAWN = (
    ("W:WK30,33:BK47", "33-28 30-2 30-43"),  # the others give the man away
    ("W:W9,34:BK36", "9-4 9-3"),             # 9 of 12 answers lose, not 3 of 9
    ("W:W20,45:B33", "45-40 20-14 20-15"),   # half of the answers lose, not none
)


def check_drawn_moves():
    """Fails if the choice among drawn moves gives winning chances away, or differs from the list."""
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
    check_nonsense()
    check_answers_at_once()
    check_answers_during_a_search()
    check_other_engines_parameters()
    check_game_goes_on()
    check_no_move()
    check_partly_known()
    check_drawn_moves()
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
