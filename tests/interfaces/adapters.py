"""Adapters for every interface: each takes texts of one rule set and returns an answer for each, or None where
it cannot be asked.

A value is an outcome for the side to move and the plies to the end of the game, as "win 39", "loss 0",
"draw", or "win" where there are no distances.
"""

import atexit
import http.client
import json
import re
import subprocess
import sys
from typing import NamedTuple, Optional
from urllib.parse import quote, unquote

NAMES = {-1: "loss", 0: "draw", 1: "win"}
GAME_TYPES = {"frisian": 40, "international": 20, "english": 21, "brazilian": 26}  # by the first word of the name


class Answer(NamedTuple):
    value: Optional[str]  # None: refused
    message: Optional[str] = None  # of a refusal; None: the interface gives none
    note: Optional[str] = None  # what was ignored; None: the interface has no notes


def value_of(outcome: str, plies) -> str:
    return outcome if plies is None or outcome == "draw" else f"{outcome} {plies}"


def run(arguments: list[str], text: str, statuses=(0, 2)) -> tuple[str, str]:
    done = subprocess.run(arguments, input=text.encode(), capture_output=True, check=False)
    if done.returncode not in statuses:
        sys.exit(f"{' '.join(arguments)}: exit status {done.returncode}\n{done.stderr.decode()}")
    return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


# --- the library, in C --------------------------------------------------------------------------------

class Said(NamedTuple):
    """The library's answers for a text, read strictly and leniently."""
    strict: Answer
    batch: Optional[Answer]
    is_strict: bool  # it can be read strictly
    lenient: Answer
    ranked: Answer  # the best move
    n_legal: int
    undecided: bool  # a draw by quiet play may come first
    drawn: bool  # by a count that has reached its limit
    over: bool  # there is no legal move, whether or not there are distances, or a table
    best: list[tuple[str, str]]  # the best moves, or all where they have no value: as text and for Hub
    wrong: list[str]


def answer_from(fields: list[str], note: Optional[str] = None) -> Answer:
    status, outcome, plies, *message = fields
    if status != "OK":
        return Answer(None, " ".join(message) or None, note)
    return Answer(value_of(NAMES[int(outcome)], None if plies == "-1" else int(plies)), None, note)


def ask_library(program: str, tables: str, rules: str, texts: list[str]) -> list[Said]:
    said = []
    out, _ = run([program, rules, tables], "\n".join(texts) + "\n")
    lines: list[list[str]] = []
    for line in out.splitlines():
        if line != ".":
            lines.append(line.split("\t"))
            continue
        fields = {name: rest for name, *rest in lines}
        said.append(Said(
            answer_from(fields["single"]),
            answer_from(fields["batch"]) if "batch" in fields else None,
            "strict" in fields,
            answer_from(fields["lenient"], fields.get("note", [""])[0]),
            answer_from(fields["ranked"]) if "ranked" in fields else Answer(None),
            int(fields.get("legal", ["0"])[0]),
            "undecided" in fields,
            "drawn" in fields,
            fields.get("legal") == ["0"],
            [(rest[0], rest[1]) for name, *rest in lines if name == "best"],
            [rest[0] for name, *rest in lines if name == "wrong"]))
        lines = []
    assert len(said) == len(texts), f"library_adapter {rules}: {len(said)} of {len(texts)} texts"
    return said


# --- the program --------------------------------------------------------------------------------------

def ask_probe(program: str, tables: str, rules: str, texts: list[str], *options: str) -> list[Answer]:
    """Reads lines of text, outcome and plies, or of text and error."""
    out, _ = run([program, "probe", "-", "--tsv", "--rules", rules, "--tables", tables, *options],
                 "\n".join(texts) + "\n")
    answers = []
    for line in out.splitlines():
        *_, outcome, plies = line.split("\t")
        if plies.startswith("error: "):
            answers.append(Answer(None, plies[len("error: "):] if "\\" not in plies else None))
        else:
            answers.append(Answer(value_of(outcome, None if plies == "-" else int(plies))))
    return answers


def ask_probe_json(program: str, tables: str, rules: str, texts: list[str]) -> list[Answer]:
    out, _ = run([program, "probe", "-", "--json", "--rules", rules, "--tables", tables],
                 "\n".join(texts) + "\n")
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["fen"] for row in rows] == texts, f"probe --json {rules}: other positions"
    return [Answer(None, row["error"]) if "error" in row else
            Answer(value_of(row["outcome"], row["plies"]), None, row.get("note", "")) for row in rows]


def ask_hub(program: str, tables: str, rules: str, texts: list[str], said: list[Said]):
    """Checks that the score is the value, and that `done` gives one of the best moves; if the tables do not
    cover all moves, any legal one, after the message."""
    asked = [i for i, text in enumerate(texts) if '"' not in text]
    lines = ["init"]
    for i in asked:
        lines += [f'pos fen="{texts[i]}"', "ping", "go", "ping"]
    out, _ = run([program, "hub", "--rules", rules, "--tables", tables], "\n".join(lines + ["quit"]) + "\n")
    blocks = [block.splitlines() for block in out.split("pong\n")]
    answers: list[Optional[Answer]] = [None] * len(texts)
    assert len(blocks) == 2 * len(asked) + 1, f"hub {rules}: {len(blocks)} blocks"
    assert blocks[0].pop(0) == "ready", f"hub {rules}: not ready"
    for number, i in enumerate(asked):
        answers[i] = hub_answer(blocks[2 * number], blocks[2 * number + 1], [move for _, move in said[i].best],
                                said[i].drawn)
    return answers


def hub_answer(to_pos: list[str], to_go: list[str], best: list[str], drawn: bool) -> Optional[Answer]:
    matches = [re.fullmatch(r'(?:error|info) message="(.*)"', line) for line in to_pos + to_go]
    message = next((match[1] for match in matches if match), None)
    info = next((line for line in to_go if line.startswith("info depth=")), "")
    done = [line.split()[1] for line in to_go if line.startswith("done ")]
    score = re.search(r" score=(-?[\d.]+)", info)
    refused = any("message" in line for line in to_pos)
    wanted = [f"move={move}" for move in best] if best and not refused else ['move=""']
    if len(done) != 1 or (done[0] not in wanted and not drawn):
        return Answer(f"done {done}, and not one of {wanted}")
    if drawn:  # its moves are judged as if the game went on
        return Answer("draw") if score is not None else None
    if message is not None:
        return Answer("loss 0") if message.startswith("the game is over") else Answer(None, message)
    if score is None:
        return Answer(f"no score: {info}")
    size = abs(float(score[1]))
    outcome = NAMES[(float(score[1]) > 0) - (float(score[1]) < 0)]
    return Answer(value_of(outcome, None if size == 90 else round((100 - size) * 100)))


def ask_annotate(program: str, tables: str, rules: str, texts: list[str], said: list[Said]):
    """Annotates a game of one best move: the comment before it is the value, and no other may follow. A
    finished game has no move to annotate."""
    answers: list[Optional[Answer]] = [None] * len(texts)
    asked, lines = {}, []
    for i, text in enumerate(texts):
        if '"' in text or "\\" in text or (said[i].lenient.value is not None and not said[i].best):  # over
            continue
        asked[len(lines) + 1] = i
        move = said[i].best[0][0] if said[i].best else "1-2"
        lines += [f'[Event "{i}"]', f'[GameType "{GAME_TYPES[rules.partition("-")[0]]}"]', f'[FEN "{text}"]', "",
                  f"1. {move} *", ""]
    out, err = run([program, "annotate", "-", "--rules", rules, "--tables", tables], "\n".join(lines))
    messages = {int(match[1]): match[2] for match in re.finditer(r": line (\d+), .*?, under [\w-]+: (?:FEN: )?(.*)", err)}
    games = re.split(r'^\[Event "(\d+)"\]$', out, flags=re.MULTILINE)[1:]
    written = dict(zip(map(int, games[::2]), games[1::2]))
    for line, i in asked.items():
        move_text = " ".join(written[i].split("\n\n", 1)[1].split())
        match = re.match(r"\{ Tables: ([^}]*) \} (.*)", move_text)
        if line in messages:
            answers[i] = Answer(None, messages[line])
        elif match is None:
            answers[i] = Answer(None)
        else:
            answers[i] = annotate_answer(match[1], match[2], texts[i])
    return answers


def annotate_answer(comment: str, rest: str, text: str) -> Answer:
    if "{" in rest or "$" in rest:
        return Answer(f"blames the best move: {rest}")
    match = re.fullmatch(r"(?:a draw|(White|Black) (?:wins(?: in (\d+) pl(?:y|ies))?|has won))(?: \([\w-]+\))?", comment)
    if match is None:
        return Answer(f"says {comment}")
    winner, plies = match.groups()
    if winner is None:
        return Answer("draw")
    turn = re.search(r"(?:^|[\"'/=_ \s\u201e])([WwBb])\s*:", unquote(text))
    mover = {"w": "White", "b": "Black"}[turn[1].lower()] if turn else "White"
    return Answer(value_of("win" if winner == mover else "loss", plies))


# --- the server ---------------------------------------------------------------------------------------

class Server:
    def __init__(self, program: str, tables: str) -> None:
        self.process = subprocess.Popen([program, "serve", "--port", "0", "--tables", tables],
                                        stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)  # also where a check fails
        self.address = self.process.stdout.readline().strip()
        self.port = int(self.address.rstrip("/").rsplit(":", 1)[1])
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def ask(self, method: str, path: str, body=None) -> tuple[int, str]:
        self.connection.request(method, path, body)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        return answer.status, text if answer.status == 200 else json.loads(text)["error"]

    def end(self) -> None:
        self.connection.close()
        self.process.terminate()
        self.process.wait(60)


def api_value(row: dict) -> str:
    plies = row["dtw"]
    if plies is not None and (row["category"], plies > 0) not in (("win", True), ("loss", False)):
        return f"{row['category']} with dtw {plies}"
    return value_of(row["category"], None if plies is None else abs(plies))


def api_partial(server: Server, rules: str, text: str, one: Said) -> Optional[str]:
    """Returns a description of the first difference, or None, for a partial answer: a missing table must
    still leave all moves, and the value if it is known from the others."""
    status, body = server.ask("GET", f"/v1/{rules}/position?partial=1&fen={quote(text, safe='')}")
    data = json.loads(body) if status == 200 else {"category": body, "moves": []}
    value = one.lenient.value.split()[0] if one.lenient.value else "unknown" if one.n_legal else "loss"
    right = data["category"] == value and len(data["moves"]) == one.n_legal
    return None if right else f"partial: {data['category']}, {len(data['moves'])} moves"


def ask_api(server: Server, rules: str, texts: list[str], said: list[Said]):
    answers: list[Optional[Answer]] = []
    for text, one in zip(texts, said):
        status, body = server.ask("GET", f"/v1/{rules}/position?notation=numbers&fen={quote(text, safe='')}")
        if status == 404 and not one.undecided:
            body = api_partial(server, rules, text, one) or body
        if status != 200:
            answers.append(Answer(None, body.rstrip("\n")))
            continue
        data = json.loads(body)
        best = [move["san"] for move in data["moves"][:len(one.best)]]
        if one.ranked.value is None:
            answers.append(Answer(api_value(data), None, data.get("note", "")))
        elif len(data["moves"]) != one.n_legal or sorted(best) != sorted(move for move, _ in one.best):
            answers.append(Answer(f"{len(data['moves'])} moves, the best of them {best}"))
        else:
            answers.append(Answer(api_value(data), None, data.get("note", "")))
    return answers


def ask_api_batch(server: Server, rules: str, texts: list[str]) -> list[Answer]:
    status, body = server.ask("POST", f"/v1/{rules}/batch", json.dumps({"fens": texts}))
    assert status == 200, f"batch {rules}: {status} {body}"
    rows = json.loads(body)["positions"]
    assert [row["fen"] for row in rows] == texts, f"batch {rules}: other positions"
    return [Answer(None, row["error"]) if row["category"] == "unknown" else
            Answer(api_value(row), None, row.get("note", "")) for row in rows]


NOTE = re.compile(r"(?: \$[24])? \{ Tables: [^}]*\}|\{ Tables: [^}]*\} ")


def ask_games(program: str, tables: str, server: Server, games) -> list[str]:
    """Returns a description of each difference between program, server and the expected reading of games."""
    wrong = []
    for game in games:
        out, err = run([program, "annotate", "-", "--rules", game.rules, "--tables", tables], game.text)
        answers, number, pdn = [], 1, ""
        while number <= (len(answers[0]["games"]) if answers else 1):
            status, body = server.ask("POST", f"/v1/{game.rules}/annotate?game={number}", game.text.encode())
            assert status == 200, f"{game.name}: {body}"
            answers.append(json.loads(body))
            number += 1
        moves = "|".join(" ".join(step.get("san", "/") for step in answer["steps"][1:]) for answer in answers)
        errors = [answer["error"]["text"] for answer in answers if "error" in answer]
        pdn = "".join(answer["pdn"] for answer in answers)
        told = [line for line in err.splitlines() if "no GameType" not in line]
        texts = {"the program's text": NOTE.sub("", out), "the server's text": NOTE.sub("", pdn)}
        wrong += [f"{game.name}: {interface}: {text!r}" for interface, text in texts.items() if text.strip() != game.text.strip()]
        wrong += [f"{game.name}: {len(told)} messages, and {len(errors)} of the server"] if len(told) != len(errors) else []
        wrong += [f"{game.name}: {one} and {other}" for one, other in zip(told, errors) if not one.endswith(other)]
        wrong += [f"{game.name}: read as {moves}"] if moves != game.moves else []
        if (game.error or "") not in " ".join(errors) or bool(game.error) != bool(errors):
            wrong.append(f"{game.name}: {errors} is told")
    return wrong


# --- bindings -----------------------------------------------------------------------------------------

def python_moves(tablebase, position, one: Said) -> Optional[str]:
    """Returns a description of the first fault in the list of moves, best first, or None."""
    import einspul
    try:
        moves = [move.move.text for move in tablebase.moves(position)]
    except einspul.MissingTableError as error:
        return None if str(error) == one.ranked.message else str(error)
    right = len(moves) == one.n_legal and set(moves[:len(one.best)]) == {move for move, _ in one.best}
    return None if right else f"{len(moves)} moves: {moves}"


def ask_python(tables: str, rules: str, texts: list[str], said: list[Said]) -> list[Answer]:
    """Asks the Python package, imported only here because it loads the library that the environment names."""
    import einspul
    answers = []
    with einspul.open_tablebase(tables, rules=rules) as tablebase:
        for text, one in zip(texts, said):
            try:
                position = einspul.Position.from_fen(text, rules)
                try:
                    outcome, plies = tablebase.probe(position)
                except einspul.MissingTableError as error:
                    if error.name != "NO_METRIC":
                        raise
                    outcome, plies = tablebase.probe_wdl(position), None
                moves = python_moves(tablebase, position, one)
                answers.append(Answer(moves or value_of(NAMES[outcome], plies)))
            except einspul.Error as error:
                answers.append(Answer(None, str(error)))
    return answers


def ask_node(arguments: list[str], texts: list[tuple[str, str]]) -> list[Answer]:
    """Runs a script that reads pairs of rule set and text as JSON and writes [value, message, note] for each."""
    out, _ = run(["node", *arguments], json.dumps(texts), (0,))
    answers = [Answer(*row) for row in json.loads(out)]
    assert len(answers) == len(texts), f"{arguments[0]}: {len(answers)} of {len(texts)} texts"
    return answers
