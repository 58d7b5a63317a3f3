"""The server from the client's side: einspul serve on a free local port, tested over sockets.

    serve_check.py PROGRAM TABLES FOLDER PAGE

TABLES are Frisian tables of two and three pieces. FOLDER is recreated. PAGE is the folder of the
page's files. interfaces_check.py compares its answers on positions and games with the program's.
"""
import atexit
import contextlib
import gzip
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

PROGRAM, TABLES, FOLDER, PAGE = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
N_POSITIONS = 60
N_GARBAGE = 300
IDLE = 20  # idle timeout of the server in seconds
HANG = 300  # seconds after which a test counts as hung, on a slow machine too


class Server:
    """A running server; stops it as a user would, and checks its exit."""

    def __init__(self, tables, *arguments):
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--tables", str(tables), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)  # also where a check fails
        line = self.process.stdout.readline()
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/(einspul/)?\n", line)
        assert match, f"first line {line!r}, {self.process.stderr.read() if not line else ''}"
        self.port = int(match[1])

    def ask(self, path, method="GET", body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANG)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, answer, data.decode()

    def bytes(self, path, headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANG)
        connection.request("GET", path, None, headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        assert answer.headers["Content-Encoding"] == "gzip" and answer.headers["Vary"] == "Accept-Encoding", path
        return data

    def json(self, path, **more):
        status, answer, text = self.ask(path, **more)
        assert status == 200, f"{path}: {status} {text}"
        assert answer.headers["Content-Type"] == "application/json", path
        return json.loads(text)

    def error(self, path, **more):
        """The status, the text, and [code, arguments…] of an error."""
        status, answer, text = self.ask(path, **more)
        data = json.loads(text)
        assert status >= 400 and answer.headers["Content-Type"] == "application/json", f"{path}: {status} {text}"
        assert set(data) == {"error", "code", "arguments"} and data["error"], f"{path}: {text}"
        return status, data["error"], [data["code"], *data["arguments"]]

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=HANG)
        assert self.process.returncode == 0, f"exit status {self.process.returncode}: {err}"
        assert out == "" and err == "", f"more output: {out!r} {err!r}"


def program(*arguments, text=None):
    return subprocess.run([PROGRAM, *arguments, "--tables", str(TABLES)], input=text, text=True,
                          capture_output=True, check=True).stdout


def random_fen(choose):
    """A Frisian position of two or three pieces, with king runs if there can be one."""
    white = choose.choice([1, 1, 2])
    n = [white, choose.choice([1, 2]) if white == 1 else 1]
    squares = choose.sample(range(1, 51), sum(n))
    lists, runs = [], []
    for side, size in enumerate(n):
        men, kings = [], []
        for _ in range(size):
            square = squares.pop()
            home = square <= 5 if side == 0 else square >= 46
            (kings if home or choose.random() < .5 else men).append(square)
        lists.append(",".join([str(s) for s in men] + [f"K{s}" for s in kings]))
        run = choose.randrange(4) if men and kings else 0
        runs.append(f"{run}{choose.choice(kings):02}" if run else "0")
    fen = f"{choose.choice('WB')}:W{lists[0]}:B{lists[1]}"
    return fen if runs == ["0", "0"] else f"{fen}:H0:F1:+{runs[1]}+{runs[0]}"


def quote(fen):
    return fen.replace("+", "%2B")


# --- answers ---------------------------------------------------------------------------------------

def check_tree(ask):
    """Fails if an author's variations, comments or marks are lost, or belong to another move."""
    tags = '[Annotator "A"]\n[FEN "W:WK3,27:BK48"]\n'
    answer = ask(tags + "{Start} 1. 3-25! {good} ({first} 1. 3-8 $2 {mine} (1. 3-9 48-34) 48-30) (1. 99-98 no) ()\n"
                 "48-42 2. 27-21 (2. 25-39 42-48 ; deep\n 39-6 6-39 1-0) 42-15 99-98 {rest} 2-0 {end}")
    assert (answer["tags"], answer["result"]) == (tags, "2-0"), answer
    texts = [{name: node[name] for name in ("comments", "before", "marks", "unread") if name in node} for node in answer["tree"]]
    assert [(node.get("san"), node["parent"]) for node in answer["tree"]] == [
        (None, None), ("3-25", 0), ("3-8", 0), ("3-9", 0), ("48-34", 3), ("48-30", 2), ("48-42", 1), ("27-21", 6),
        ("25-39", 6), ("42-48", 8), ("39-6", 9), ("42-15", 7)], answer["tree"]
    assert texts == [
        {"comments": ["Start"]}, {"marks": ["!"], "comments": ["good"], "unread": ["(1. 99-98 no)", "()"]},
        {"before": ["first"], "marks": ["$2"], "comments": ["mine"]}, {}, {}, {}, {}, {}, {}, {"comments": [" deep"]},
        {"unread": ["6-39 1-0"]}, {"unread": ["99-98 {rest}"], "comments": ["end"]}], texts
    for node in answer["tree"][1:]:
        assert node["side"] == ("white", "black")[node["fen"][0] == "B"] and node["path"], node
    assert [step["fen"] for step in answer["steps"]] == [answer["tree"][i]["fen"] for i in (0, 1, 6, 7, 11)], answer
    for broken in ("(", ")", "((1. 3-8)", "1. 3-25 (1. 3-8 {", "{x} (1. 3-8) 1. 3-25 (2. x) /FEN \"x\"/ (" + "(1. 3-8 " * 80, "1. 3-25 (/FEN \"W:W33:B28\"/ 1. x)"):
        assert ask(tags + broken)["tree"], broken
    assert ask("[GameType \"26\"] 1. c3-d4 {x} *")["tree"] == []


def check_annotate(server):
    """Fails if a game in PDN is read, judged or listed wrongly."""
    def ask(text, arguments="", rules="frisian"):
        return server.json(f"/v1/{rules}/annotate{arguments}", method="POST", body=text.encode("utf-8"))
    game = '[White "A\u00e9"][FEN "W:WK3,27:BK48"]\n1. 3-8(?) 48-34 /FEN "W:W33:B28"/ 1. x 1-0\n\n[Event "b"]\n1. 32-29\n'
    answer = ask(game)
    assert [one["white"] for one in answer["games"]] == ["A\u00e9", None] and answer["games"][1]["line"] == 4, answer
    assert (answer["rules"], answer["game"], answer["note"]) == ("frisian", 1, "no GameType: judged by frisian"), answer
    steps = answer["steps"]
    assert [step.get("san") for step in steps] == [None, "3-8", "48-34", None, "33x22"], steps
    assert (steps[0]["category"], steps[0]["comment"]) == ("win", "Tables: White wins in 41 plies"), steps[0]
    assert (steps[1]["nag"], steps[1]["text"], steps[1]["category"], steps[1]["line"]) == (2, "3-8", "draw", 2), steps[1]
    assert steps[1]["best"]["san"] == "3-25" and steps[1]["best"]["dtw"] == -40, steps[1]["best"]
    assert steps[3]["setup"] and steps[3]["fen"] == "W:W33:B28" and steps[4]["captures"] == [28], steps[3:]
    for step in steps:  # the values are those of the position by itself
        alone = server.json(f"/v1/frisian/position?fen={urllib.parse.quote(step['fen'], safe='')}")
        assert (step["category"], step["dtw"], step["side"]) == (alone["category"], alone["dtw"], alone["side"]), step
    assert re.sub(r"( \$[24])? \{ Tables: [^}]*\}|\{ Tables: [^}]*\} ", "", answer["pdn"]) == game.split("\n\n")[0], answer["pdn"]
    frisian = game.replace("[FEN", '[GameType "40"][FEN', 1)
    assert ask(frisian)["pdn"].strip() == program("annotate", "-", text=frisian.split("\n\n")[0]).strip()
    answer = ask(game, "?game=2")
    assert answer["error"]["text"] == "line 5, game 2, move 1 of White, '32-29', under frisian: no legal move; legal: " \
        "31-26 31-27 32-27 32-28 33-28 33-29 34-29 34-30 35-30", answer["error"]
    assert (answer["error"]["code"], answer["error"]["line"], len(answer["steps"])) == ("BAD_MOVE", 5, 1), answer
    answer = ask('[GameType "26"]\n1. c3-d4 *')
    assert answer["error"]["code"] == "NO_FOLDER" and answer["steps"] == [] and "frisian" in answer["error"]["text"], answer
    assert ask("1. 33-28 18-23 2. 39-33 12-18 3. 44-39 7-12 4. 31-27 20-24 5. 37-31 *")["note"] == \
        "no GameType: judged by frisian, but legal under international"
    codes = [note["code"] for note in ask('[FEN "?:W28,K46:BK43:H9"] *')["notes"]]
    assert codes == ["RULES_ASSUMED", "SIDE_ASSUMED", "CLOCK_IGNORED"], codes
    for position in ["W:WK3,27:BK48", "https://lidraughts.org/analysis/frisian/W:WK3,27:BK48", '"W:WK3,27:BK48"', "W:Wkf10,c5:Bke1"]:
        answer = ask(position)
        assert len(answer["steps"]) == 1 and answer["steps"][0]["category"] == "win", (position, answer)
    site = '[Site "https://lidraughts.org/abcdefgh"][GameType "40"]\n1. 32-28 *'
    assert ask(site)["note"] == "no tables of frisian-lidraughts here, by which lidraughts.org plays: judged by frisian"
    assert "lidraughts.org plays by 'frisian-lidraughts'" in ask("https://lidraughts.org/analysis/frisian/W:W28:B3")["note"]
    assert "note" not in ask(site.replace("lidraughts.org", "example.org"))
    assert ask("1. 32-28 *", "?notation=letters")["steps"][1]["san"] == "d4-e5"
    wide = server.json("/v1/frisian/annotate", method="POST", body="[White \"\u00c9\"] 1. 32\u201328 *".encode("utf-16"))
    assert wide["games"][0]["white"] == "\u00c9" and wide["steps"][1]["san"] == "32-28", wide
    check_tree(ask)
    san = [move["san"] for move in server.json("/v1/frisian/position?fen=W:We5:Bke1")["moves"]]
    assert sorted(san) == ["e5-d6", "e5-f6"], san
    san = [move["san"] for move in server.json("/v1/frisian/position?notation=numbers&fen=W:We5:Bke1")["moves"]]
    assert sorted(san) == ["28-22", "28-23"], san
    assert server.json("/v1/frisian/mainline?notation=letters&fen=W:WK3,27:BK48")["mainline"][0]["san"] == "f10-j6"


def check_positions(server):
    """Fails if the list of moves or the line differs from the program's."""
    choose = random.Random(2)
    for _ in range(N_POSITIONS):
        fen = random_fen(choose)
        data = server.json(f"/frisian?fen={quote(fen)}")
        assert data == server.json(f"/v1/frisian/position?fen={quote(fen)}")
        assert {**server.json(f"/frisian?fen={quote(fen)}&moves=0"), "moves": data["moves"]} == data
        moves = [line.split("\t") for line in program("moves", fen).splitlines()]
        assert len(moves) == len(data["moves"]), fen
        for (san, outcome, plies), move in zip(moves, data["moves"]):
            assert ("replies" in move) == (plies == "-" and data["category"] != "unknown"), f"{fen} {move}"
            after = {"win": "loss", "loss": "win", "draw": "draw"}[outcome]
            assert (move["san"], move["category"]) == (san, after), f"{fen}: {move}"
            assert plies == "-" or abs(move["dtw"]) == int(plies) - 1, f"{fen}: {move}"
            assert move["wdl"] == {"win": 2, "draw": 0, "loss": -2}[after]
            assert move["variant_loss"] == (plies == "1"), f"{fen}: {move}"
            assert move["uci"] == "".join(f"{square:02}" for square in move["path"])
            assert bool(move["captures"]) == ("x" in san)
        if not moves:
            assert data["variant_loss"] and data["category"] == "loss" and data["dtw"] == 0
        elif data["dtw"] is not None and len(moves) > 0:
            line = [row.split("\t")[1] for row in program("line", fen).splitlines()]
            main = server.json(f"/frisian/mainline?fen={quote(fen)}")
            assert [step["san"] for step in main["mainline"]] == line, fen
            assert len(line) == abs(data["dtw"])


def check_state(server):
    """Fails if king runs or clocks in an answer are wrong."""
    data = server.json("/frisian?fen=W:W28,K46:BK43:H0:F1:+0+346")  # pluses that were not encoded
    assert data["fen"] == "W:W28,K46:BK43:H0:F1:+0+346"
    assert data["white_run"] == {"count": 3, "square": 46, "limit": 3, "must_rest": True}
    assert data["black_run"] is None and data["clock"] is None
    assert all(move["path"][0] == 28 for move in data["moves"])
    spaced = server.json("/frisian?fen=" + quote("W:W28,K46:BK43:H0:F1:%20+0%20+%20346"))  # as it was typed
    assert spaced["fen"] == "W:W28,K46:BK43:H0:F1:+0+346"
    # A space in a piece list is not a decoded plus: the message names the character that was sent.
    assert server.error("/frisian?fen=W:%2017:BK5")[1].endswith("'1'"), "a space became a plus"
    clock = server.json("/frisian?fen=B:WK26,K27:BK48:H5")["clock"]
    assert clock == {"plies": 5, "side": "white", "limit": 7, "moves_left": 4, "goes_on": False}
    data = server.json("/frisian?fen=W:W28,K46:BK43:H2:F50")
    assert data["fen"] == "W:W28,K46:BK43" and "H2" in data["note"]
    assert data["notes"] == [{"code": "CLOCK_IGNORED", "arguments": ["2"]}], data


def check_finished(server):
    """Fails if the server refuses a FEN of its own, or does not recognise a finished game."""
    move = next(move for move in server.json("/frisian?fen=W:WK27:B18")["moves"] if move["fen"].startswith("B:WK4:"))
    assert move["fen"] == "B:WK4:B" and move["variant_loss"]
    for fen in ("B:WK4:B", "W:W:BK3,9", "B:W28,K46:B:H0:F1:%2B0%2B246"):
        data = server.json(f"/frisian?fen={fen}")
        assert data["fen"] == fen.replace("%2B", "+") and data["moves"] == [] and "note" not in data
        assert data["variant_loss"] and (data["category"], data["wdl"], data["dtw"]) == ("loss", -2, 0)
        assert data["material"] is None
        data = server.json(f"/frisian/mainline?fen={fen}")
        assert data["mainline"] == [] and data["variant_loss"] and data["winner"] == ("w" if fen[0] == "B" else "b")
        assert all(row["variant_loss"] for row in server.json(f"/v1/frisian/compare?fen={fen}")["verdicts"])
        plain = fen.replace("%2B", "+")
        row = server.json("/v1/frisian/batch", method="POST", body=plain)["positions"][0]
        assert row == {"fen": plain, "category": "loss", "dtw": 0}
        text = f'# "a", comment\n"{plain}","b",3\n#\n'  # a table of a spreadsheet
        assert server.json("/v1/frisian/batch", method="POST", body=text)["positions"] == \
            [{"fen": f'"{plain}","b",3', "category": "loss", "dtw": 0}]
        lines = program("probe", "-", text=text).splitlines()
        assert lines == [f'"{plain}","b",3\tloss\t0'], lines
        assert program("probe", "--strict", plain) == f"{plain}\tloss\t0\n"
        assert program("moves", plain) == program("line", plain) == ""
    # White took the last piece after its seven moves: a draw, also when the FEN comes back.
    move = server.json("/frisian?fen=W:WK46,K2:BK41:H14")["moves"][0]
    assert move["fen"].startswith("B:") and move["fen"].endswith(":B:H0:F1:+0+0:LW15"), move
    data = server.json(f"/frisian?fen={quote(move['fen'])}")
    assert (data["fen"], data["category"], data["variant_loss"], data["moves"]) == (move["fen"], "draw", False, []), data
    squares = server.json("/v1/frisian/map?square=4&fen=B:WK4:B")["squares"]
    assert len(squares) == 50 and all(row["variant_loss"] and row["dtw"] == 0 for row in squares)
    for fen in ("W:WK4:B", "B:W:BK4", "W:W:B", "B:W:B", "B:WK4", "B:WK4:BG9"):
        status, text, code = server.error(f"/frisian?fen={fen}")
        assert status == 400 and code[0] in ("BAD_POSITION", "NO_PIECES", "TEXT_ENDS") and ("has no pieces" in text or "expected" in text), f"{fen}: {status} {text}"
        assert "error" in server.json("/v1/frisian/batch", method="POST", body=fen)["positions"][0]


def check_combined_answer(server):
    """Fails if the combined answer differs from the separate calls, or gives a wrong reason for a draw."""
    for fen in ("W:WK2,K4:BK23", "W:W28,K46:BK43:H0:F1:+0+346", "W:WK3,27:BK48"):
        data = server.json(f"/v1/frisian/position?line=12&compare=1&fen={quote(fen)}")
        assert data["mainline"] == server.json(f"/v1/frisian/mainline?plies=12&fen={quote(fen)}")["mainline"]
        assert data["verdicts"] == server.json(f"/v1/frisian/compare?fen={quote(fen)}")["verdicts"]
    clocked = "W:WK2,K4:BK23:H4:F1"  # Article 18 alone makes the draw, whatever has been counted
    data = server.json(f"/v1/frisian/position?compare=1&fen={clocked}")
    assert (data["category"], data["unlimited"]["dtw"], data["fresh"]["category"]) == ("draw", 15, "draw")
    data = server.json(f"/v1/frisian/position?compare=1&fen={quote('W:W28,K46:BK43:H0:F1:+0+346')}")
    assert data["unlimited"] is None and data["fresh"]["category"] == "draw"
    data = server.json("/v1/frisian/position?compare=1&fen=W:WK3,27:BK48")
    assert data["unlimited"] is None and data["fresh"] is None and "mainline" not in data
    many = server.json("/v1/frisian/position?partial=1&line=12&compare=1&fen=W:W31-40:B1-5")
    assert many["mainline"] is None and many["category"] == "unknown"
    row = next(one for one in server.json("/v1/rules")["rule_sets"] if one["rules"] == "frisian")
    assert row["pieces"] == max(one["pieces"] for one in server.json("/v1/frisian/tables")["materials"] if one["dtw_bytes"])


def check_map(server):
    """Fails if the square map disagrees with probes."""
    data = server.json("/v1/frisian/map?square=46&fen=W:W28,K46:BK43")
    fens = [row["fen"] for row in data["squares"]]
    assert len(fens) == 48 and all(row["square"] not in (28, 43) for row in data["squares"])
    lines = program("probe", "-", text="\n".join(fens)).splitlines()
    assert [line.split("\t")[1] for line in lines] == [row["category"] for row in data["squares"]]
    men = server.json("/v1/frisian/map?square=28&fen=W:W28,K46:BK43")["squares"]
    assert all(row["square"] > 5 for row in men), "a man on its promotion row"


def check_material(server):
    """Fails if shares, histogram and table disagree."""
    for name in ("KMvK", "KKvK", "MvM"):
        data = server.json(f"/v1/frisian/material/{name}")
        assert data == server.json(f"/v1/frisian/material/{name}"), "the second time"
        stats = [line.split("\t") for line in program("stats", name).splitlines()[1:]]
        for _, side, states, wins, draws, losses, max_win, max_loss, fen in stats:
            counts = data["sides"][side][states]
            assert [counts[k] for k in ("wins", "draws", "losses")] == [int(wins), int(draws), int(losses)]
            told = [None if text == "-" else int(text) for text in (max_win, max_loss)]
            assert [counts["max_win"], counts["max_loss"]] == told
            assert sum(n for _, n in counts["win_plies"]) == int(wins)
            assert sum(n for _, n in counts["loss_plies"]) == int(losses)
            longest = data["sides"][side]["longest"]
            if states == "fresh":
                assert longest[0] == {"fen": fen, "plies": int(max_win)} and len(longest) == min(10, int(wins))
                for win in longest:
                    assert server.json(f"/frisian?fen={win['fen']}")["dtw"] == win["plies"]
    assert server.json("/v1/frisian/material/KvKM")["material"] == "KMvK"
    large = server.json("/v1/frisian/material/KKMvKM")
    assert large["source"] == "published" and large["sides"]["white"]["fresh"]["wins"] > 0
    assert "KKMvKM" in large["missing"] and "KKvK" in large["leads_to"] + large["needs"]
    assert server.json("/v1/frisian/material/KKKvKKKM")["sides"] is None


def check_find(server):
    """Fails if the server's search and `einspul find` differ."""
    cases = [("KMvK", {}, []), ("KMvK", {"outcome": "win", "distance": "39-"}, ["--outcome", "win", "--distance", "39-"]),
             ("KvKM", {"side": "white", "quiet": "1"}, ["--side", "white", "--quiet"]),
             ("MvM", {"zugzwang": "full"}, ["--zugzwang", "full"]), ("MvM", {"zugzwang": "half"}, ["--zugzwang", "half"]),
             ("KMvK", {"only_move": "1", "moves": "2-", "on": "W28,BK43"}, ["--only-move", "--moves", "2-", "--on", "W28,BK43"]),
             ("KMvK", {"study": "1", "quiet": "1"}, ["--study", "--quiet"]),
             ("KMvK", {"tries": "5000", "seed": "7"}, ["--tries", "5000", "--seed", "7"]),
             ("KMvK", {"depends_on": "run", "shortest": "1"}, ["--depends-on", "run", "--shortest"]),
             ("KKvK", {"depends_on": "clock"}, ["--depends-on", "clock"])]
    for material, query, options in cases:
        query = {"material": material, "limit": "40", **query}
        data = server.json("/v1/frisian/find?" + "&".join(f"{name}={value}" for name, value in query.items()))
        assert data["found"] == int(program("find", material, "--count", *options)), f"{query}: {data['found']}"
        lines = [line.split("\t") for line in program("find", material, "--limit", "40", *options).splitlines()]
        assert [row["fen"] for row in data["positions"]] == [line[0] for line in lines], query
        for row, (_, outcome, plies) in zip(data["positions"], lines):
            assert row["category"] == outcome and (plies == "-" or abs(row["dtw"]) == int(plies)), row
    both = server.json("/v1/frisian/find?material=KMvK,MvM&limit=0")
    assert both["found"] == both["looked_at"] == 211680 + 2 * 1985 and both["positions"] == []
    for query, words in (("", "material="), ("material=KMvQ", "Q"), ("material=KMvK&distance=9-3", "distance"),
                         ("material=KMvK&distance=-", "distance"), ("material=KMvK&distance=x", "distance"),
                         ("material=KMvK&outcome=won", "outcome"), ("material=KMvK&on=W51", "on"),
                         ("material=KMvK&on=W28K43", "on"), ("material=KMvK&only_move=yes", "only_move"),
                         ("material=KMvK&side=green", "side"), ("material=KMvK&limit=501", "limit"),
                         ("material=KMvK&tries=1000001", "tries"), ("material=KMvK&study=yes", "study"),
                         ("material=KKMvKM", "too many"),
                         ("material=" + ",".join(f"{one}vK,{one}vM" for one in "KK KM MM KKK KKM KMM MMM KKKK KKKM".split()), "16")):
        status, text, (code, *about) = server.error(f"/v1/frisian/find?{query}")
        assert status == 400 and words in text, f"{query}: {status} {text}"
        name, _, value = query.split("&")[-1].partition("=")
        expected = {"": ("BAD_ARGUMENT", ["material"]), "material=KMvQ": ("BAD_MATERIAL", [name, value]),
                    "material=KKMvKM": ("TOO_MANY_POSITIONS", [])}.get(query, ("BAD_ARGUMENT", [name, value]))
        assert (code, about) == expected, f"{query}: {code} {about}"
    status, _, about = server.error("/v1/frisian/find?material=KMvK&differs_from=frisian-free")
    assert (status, about) == (404, ["NO_TABLE", "differs_from", "frisian-free"])
    counted = [server.json(f"/v1/frisian/find?limit=0&material={names}")["found"] for names in ("KMvK", "KMvK,KMvK", "KMvK,KvKM")]
    assert len(set(counted)) == 1, f"a material named twice counts twice: {counted}"


def check_solve(server):
    """Fails if the server's proof differs from the program's, or claims more than is proved."""
    for fen in ("W:WK35,K21:BK9,16", "B:WK6,K15:BK43,36", "W:WK1:BK50"):
        fen, outcome, _, _, size = program("solve", fen).strip().split("\t")
        data = server.json(f"/v1/frisian/solve?fen={fen}&seconds=60")
        assert data["category"] == outcome and str(data["proof"]) == size, data
        assert data["wdl"] == {"win": 2, "draw": 0, "loss": -2}[outcome], data
    for fen in ("W:W46,K50,41:BK1,K2,12", "W:W46-50:B1-5"):  # a second decides half of the first, of the second nothing
        data = server.json(f"/v1/frisian/solve?fen={fen}&seconds=1")
        assert data["wdl"] == {"win": 2, "draw": 0, "loss": -2}.get(data["category"]), data
    for _ in range(60):
        data = server.json("/v1/frisian/solve?fen=W:W46,47,48:BK3&seconds=1")
        if data["category"] != "not-loss" and data["category"] != "open":
            break
    assert data["category"] == "win", f"a search begins anew when it is requested again: {data}"
    legal = server.json("/v1/frisian/position?fen=W:WK35,K21:BK9,16&partial=1")["moves"]
    move = server.json("/v1/frisian/solve?fen=W:WK35,K21:BK9,16")["move"]
    assert move["uci"] in [other["uci"] for other in legal], move
    for query, words in (("", "argument fen"), ("fen=W:WK1:BK50&seconds=-1", "seconds=-1"), ("fen=W:WK1:BK50&seconds=61", "seconds=61"),
                         ("fen=W:WK1", "pieces"), ("fen=W:WK1:BK50&threads=2", "threads")):
        status, text, _ = server.error(f"/v1/frisian/solve?{query}")
        assert status == 400 and words in text, f"{query}: {status} {text}"
    # Moves in another notation than the FEN cannot be compared with those of the other calls.
    moves = server.json("/v1/frisian/solve?seconds=0&fen=W:WKa1,c1:BKb10")["moves"]
    assert moves and all(re.match(r"[a-j]\d", move["san"]) for move in moves), moves


def check_proof_files(server):
    """Fails if the proofs of a file are not kept, or one is kept unchecked."""
    file = FOLDER / "one.proof"
    fen = "W:WK12,K33:B30,K50"
    outcome, size = program("solve", fen, "--proof", str(file)).split("\t")[1::3]
    assert outcome == "win" and at_once(server, fen)["category"] == "open"
    text = file.read_text()
    moves = [line.split("\t")[1] for line in text.splitlines() if line.startswith("W:") and line.count("\t") == 2]
    for wrong, words in (("", "not a proof file"), ("x", "not a proof file"), (text[:text.rindex("proofs")], "cut"), (text.replace("\tfrisian\t", "\tenglish\t"), "english"),
                         (text.replace("white\twins", "black\twins"), "")):
        status, error, _ = server.error("/v1/frisian/proof", method="POST", body=wrong.encode())
        assert status == 400 and words in error and moves, (wrong[:80], status, error)
        assert at_once(server, fen)["category"] == "open", wrong[:80]
    answer = server.json("/v1/frisian/proof", method="POST", body=text.encode())
    assert answer["proofs"] == [{"fen": fen, "category": "win", "proof": int(size)}], answer
    known = at_once(server, fen)
    assert known["category"] == "win" and known["move"]["san"] in moves, known


def check_previews(server):
    """Fails if the title of a link preview has another outcome or reveals what the page hides."""
    def title(path):
        return re.search(r'og:title" content="([^"]*)"', server.ask(path)[2])[1]
    assert title("/?rules=frisian&fen=W:WK3,27:BK48") == "White to move: White wins in 41 plies. W:WK3,27:BK48 (frisian)"
    assert title("/?fen=B:WK3,27:BK48") == "Black to move: a draw. B:WK3,27:BK48 (frisian)"
    assert title("/?fen=W:W31-40:B1-5") == "White to move: W:W31,32,33,34,35,36,37,38,39,40:B1,2,3,4,5 (frisian)"
    for path in ("/", "/?fen=W:WK3,27:BK48&embed&hide", "/?fen=%22%3E%3Cscript%3E", "/?rules=none&fen=W:WK3,27:BK48", "/train?fen=W:WK3,27:BK48"):
        assert title(path) == "einspul", path
    assert server.bytes("/?fen=W:WK3,27:BK48", {"Accept-Encoding": "gzip"})


def pieces(fen):
    return len(re.findall(r"\d+", fen.partition(":H")[0].partition(":+")[0]))


def at_once(server, fen):
    return server.json(f"/v1/frisian/solve?seconds=0&fen={urllib.parse.quote(fen)}")


def check_strategy(server):
    """Fails if a proof cannot be stepped through, or its claim about a later position is wrong."""
    judged = {}
    for start, outcome, side in (("W:WK35,K21:BK9,16", "win", "W"), ("B:WK6,K15:BK43,36", "draw", "B")):
        assert server.json(f"/v1/frisian/solve?fen={start}&seconds=60")["category"] == outcome
        waiting, seen = [start], set()
        while waiting and len(seen) < 100:
            fen = waiting.pop()
            if fen in seen:
                continue
            seen.add(fen)
            known = at_once(server, fen)
            assert known["nodes"] == 0, known
            if not known["moves"]:  # a blocked opponent has lost
                assert fen[0] != side and known["category"] == "loss", known
                continue
            if pieces(fen) <= 3 or known["moves"][0]["captures"]:
                continue  # the tables have it
            if fen[0] != side:  # every reply is met
                assert known["category"] in (["loss"] if outcome == "win" else ["draw", "not-win"]), known
                assert all(move["category"] in ("win", "not-loss", "draw") for move in known["moves"]), known
                waiting += [move["fen"] for move in known["moves"]]
                continue
            assert known["category"] in (["win"] if outcome == "win" else ["draw", "not-loss"]), known
            assert known["move"]["uci"] in [move["uci"] for move in known["moves"]], known
            waiting.append(known["move"]["fen"])
            judged.update((move["fen"], move["category"]) for move in known["moves"] if move["category"] in ("win", "draw", "loss"))
        assert len(seen) > 3, seen
    for line in program("solve", "-", text="\n".join(judged)).splitlines():
        fen, category = line.split("\t")[:2]
        assert judged[fen] == category, line
    assert at_once(server, "W:W46-50:B1-5")["category"] == "open"


def check_solving(server):
    """Fails if the progress of a proof search is not reported, or is reported for another position."""
    fen = "W:W46-50:B1-5"
    search = Search(server, long_search(40))
    wait_until(lambda: at_once(server, fen)["running"] and at_once(server, fen)["nodes"] > 0, "no progress is seen")
    first = at_once(server, fen)
    wait_until(lambda: at_once(server, fen)["nodes"] > first["nodes"], "it does not go on")
    other = at_once(server, "W:W45-49:B1-5")
    assert not other["running"] and other["nodes"] == 0, other
    search.leave()
    wait_until(lambda: not at_once(server, fen)["running"], "an abandoned search goes on")


def check_query_texts(server):
    """Fails if program and server read a text of a query differently."""
    texts = {"on": ["W28", "WK28,BK28", "W28,BK28", "W28,W28", "W5", "B5", "B46", "WK5,BK46", "K28", "W0", "W51", "W028", "W28,",
                    ",W28", "w28", "W 28", "WKK28", "W99999999999", "W28;B7", "E12", "W28,E12,E5", "W12,E12", "EK12", "E0", "E"],
             "distance": ["5", "5-20", "5-", "-20", "-", "20-5", "5-5", "0", "007", "10000", "10001", "5--", "+5", " 5", "x", "5-x",
                          "1-2-3", "99999999999999999999"],
             "moves": ["2-", "0", "1-1", "-0", "2.5"],
             "outcome": ["win", "draw,loss", "loss,loss", "Win", "win,", ",", "won", "any"],
             "side": ["white", "black", "white,black", "w", "white,"],
             "zugzwang": ["full", "half", "any", "full,half", "none"],
             "depends_on": ["run", "clock", "run,clock", "time"]}
    for name, several in texts.items():
        material = "KMvK" if name == "depends_on" else "KvM"
        for text in several:
            option = "--" + name.replace("_", "-")
            done = subprocess.run([PROGRAM, "find", material, "--count", "--tables", str(TABLES), f"{option}={text}"], text=True,
                                  capture_output=True)
            path = f"/v1/frisian/find?material={material}&limit=0&{name}={urllib.parse.quote(text)}"
            if done.returncode == 0:
                data = server.json(path)
                assert data["found"] == int(done.stdout), f"{name}={text}: {data} {done}"
            else:
                status, answer, about = server.error(path)
                expected = done.stderr.removeprefix(f"einspul find: {option} {text}: ")
                assert done.stderr != expected and status == 400 and answer == f"{name}={text}: {expected}"[:len(answer)], \
                    f"{name}={text}: {status} {answer} {done}"
                assert about == ["BAD_ARGUMENT", name, text]


def check_conditions(server):
    """Fails if a condition of a search is missing in the program, the server or the page."""
    conditions = server.json("/v1/rules")["conditions"]
    names = [condition["name"] for condition in conditions]
    assert names[0] == "outcome" and conditions[0] == {"name": "outcome", "usual": True, "flag": False,
                                                       "words": ["win", "draw", "loss"]}
    assert {"name": "study", "usual": True, "flag": True, "words": None} in conditions
    known = server.error("/v1/frisian/find?x=1")[1].split("known: ")[1].rstrip(")").split(", ")
    assert known == [*names, "material", "differs_from", "limit", "sample", "seed", "tries"]
    options = program("find", "--help")
    words = (PAGE / "words.js").read_text()
    for condition in conditions:
        assert f"--{condition['name'].replace('_', '-')}" in options, condition
        assert f"  search_{condition['name']}: [" in words, condition
        assert all(re.search(rf"^  ({condition['name']}_)?{word}: \[", words, re.M) for word in condition["words"] or ()), condition


def check_listings(server):
    """Fails if rule sets or tables are not listed."""
    sets = server.json("/v1/rules")["rule_sets"]
    assert server.json("/v1/frisian/lists")["lists"] == [] and server.ask("/v1/frisian/list?name=x")[0] == 404
    assert [row["rules"] for row in sets] == ["frisian"] and sets[0]["squares"] == 50
    rows = server.json("/v1/frisian/tables")["materials"]
    there = [row["material"] for row in rows if row["dtw_bytes"]]
    assert there == [line.split("\t")[0] for line in program("list").splitlines()[1:]]
    verdicts = server.json("/v1/frisian/compare?fen=W:W28,K46:BK43")["verdicts"]
    assert [(row["rules"], row["category"]) for row in verdicts] == [("frisian", "draw")]


# --- errors and limits -----------------------------------------------------------------------------

def check_errors(server):
    """Fails if an error has the wrong status, code or text."""
    cases = [
        ("GET", "/frisian", None, 400, "missing argument fen"),
        ("GET", "/frisian?fen=W:W99:BK1", None, 400, "square 99"),
        ("GET", "/frisian?fen=%00", None, 400, ""),
        ("GET", "/frisian?fen=W:WK1%00:BK5", None, 400, ""),
        ("GET", "/frisian?fen=W:WK1,K2,K3:BK5", None, 404, "KKKvK"),
        ("GET", "/frisian/mainline?fen=W:WK1,K2,K3:BK5", None, 404, "KKKvK"),
        ("GET", "/frisian/mainline?fen=W:WK1:BK5&plies=0", None, 400, "plies=0"),
        ("GET", "/v1/frisian/map?fen=W:WK1:BK5&square=51", None, 400, "square=51"),
        ("GET", "/v1/frisian/map?fen=W:WK1:BK5&square=2", None, 400, "square"),
        ("GET", "/v1/frisian/material/KKMK", None, 400, "KKMK"),
        ("GET", "/frisian?fen=W:WK1:BK5&fan=1", None, 400, "fan: unknown argument (known: fen, partial"),
        ("GET", "/frisian?FEN=W:WK1:BK5", None, 400, "FEN: unknown argument"),
        ("GET", "/frisian?fen%00=W:WK1:BK5", None, 400, "unknown argument"),
        ("GET", "/frisian%00?fen=W:WK1:BK5", None, 404, "no such"),
        ("GET", "/%00frisian?fen=W:WK1:BK5", None, 404, "no such"),
        ("GET", "/v1/frisian/position%00/x?fen=W:WK1:BK5", None, 404, "unknown API call"),
        ("GET", "/v1/frisian/material/KvK%00x", None, 400, "KvK"),
        ("GET", "/v1/frisian/material/KvK%FF", None, 400, "KvK"),
        ("GET", "/robots.txt%00", None, 404, "no such"),
        ("GET", "/%FF%C3", None, 404, "no such"),
        ("GET", "/frisian?fen=W:WK1:BK5%FF", None, 400, ""),
        ("GET", "/v1/frisian/list?name=%FF", None, 404, "no list"),
        ("GET", "/standard?fen=W:WK1:BK5", None, 404, "no 'international' tables; available: frisian"),
        ("GET", "/fromPosition?fen=W:WK1:BK5", None, 404, "no 'international' tables; available: frisian"),
        ("GET", "/lidraughts/frisian?fen=W:WK1:BK5", None, 404, "no 'frisian-lidraughts' tables; available: frisian"),
        ("GET", "/lidraughts?fen=W:WK1:BK5", None, 404, "no such"),
        ("GET", "/breakthrough?fen=W:WK1:BK5", None, 404, "no such"),
        ("GET", "/frisian?fen=W:WK1:BK5&fen=W:WK2:BK5", None, 400, "fen: given twice"),
        ("GET", "/frisian?fen=W:WK1:BK5&partial=yes", None, 400, "partial=yes"),
        ("GET", "/frisian/mainline?fen=W:WK1:BK5&ply=3", None, 400, "ply: unknown argument (known: fen, plies"),
        ("GET", "/v1/frisian/compare?fen=W:WK1:BK5&rules=english", None, 400, "rules: unknown"),
        ("GET", "/v1/frisian/map?fen=W:WK1:BK5&sqaure=1", None, 400, "sqaure: unknown"),
        ("GET", "/v1/frisian/find?material=MvM&zugswang=full", None, 400, "zugswang: unknown argument (known: outcome"),
        ("GET", "/v1/frisian/find?material=MvM&zugswang=full", None, 400, "zugzwang"),
        ("GET", "/v1/frisian/material/KvK?side=white", None, 400, "side: unknown argument (known: none)"),
        ("GET", "/v1/frisian/tables?x", None, 400, "x: unknown"),
        ("GET", "/frisian?" + "&" * 25000, None, 400, "unknown"),
        ("GET", "/frisian?fen=W:WK1:BK5" + "&partial=1" * 6000, None, 400, "given twice"),
        ("GET", "/v1/rules?x=", None, 400, "x: unknown"),
        ("POST", "/v1/frisian/annotate", "", 400, "game 1 does not exist (games: 0)"),
        ("POST", "/v1/frisian/annotate?game=3", "1. 32-28 * 1. 31-27 *", 400, "game 3 does not exist (games: 2)"),
        ("POST", "/v1/frisian/annotate?notation=x", "*", 400, "expected numbers or letters"),
        ("GET", "/v1/frisian/annotate", None, 405, "POST"),
        ("POST", "/v1/frisian/batch?fens=7", "W:WK1:BK5", 400, "fens: unknown"),
        ("GET", "/international?fen=W:WK1:BK5", None, 404, "international"),
        ("GET", "/v1/chess/position?fen=W:WK1:BK5", None, 404, "no such"),
        ("GET", "/v1/frisian/dance", None, 404, "api.md"),
        ("GET", "/v1/frisian/position/more", None, 404, "api.md"),
        ("GET", "/" + "x" * 5000, None, 404, "no such"),
        ("POST", "/frisian?fen=W:WK1:BK5", "", 405, "GET"),
        ("GET", "/v1/frisian/batch", None, 405, "POST"),
        ("DELETE", "/", None, 405, "GET"),
        ("POST", "/v1/frisian/batch", "[1, 2]", 400, "element 1"),
        ("POST", "/v1/frisian/batch", "[\"W:WK1", 400, "line 1"),
        ("POST", "/v1/frisian/batch", "{\"fens\": 7}", 400, "array"),
        ("POST", "/v1/frisian/batch", "[" * 5000, 400, "line 1"),
        ("POST", "/v1/frisian/batch", "W:WK1:BK5\n" * 4097, 400, "4096"),
        ("POST", "/v1/frisian/batch", "x" * (512 * 1024 + 1), 413, "524288"),
    ]
    for method, path, body, status, words in cases:
        got, text, about = server.error(path, method=method, body=body)
        assert got == status and words in text, f"{method} {path[:80]}: {got} {text!r}"
        codes = {400: ("BAD_ARGUMENT", "NO_SUCH_SQUARE", "UNEXPECTED", "BAD_MATERIAL", "BAD_REQUEST"), 404: ("NOT_FOUND", "NO_TABLE", "NO_RULES"),
                 405: ("NOT_ALLOWED",), 413: ("TOO_LARGE",)}
        assert about[0] in codes[status], f"{path[:80]}: {about}"
    assert server.error("/international?fen=W:WK1:BK5")[2] == ["NO_RULES", "international", "frisian"]
    assert server.error("/frisian?fen=W:WK1:BK5&fan=1")[2] == ["BAD_ARGUMENT", "fan"]
    assert server.error("/frisian?fen=W:W99:BK1")[2] == ["NO_SUCH_SQUARE", "99", "4"]
    data = server.json("/v1/frisian/position?partial=1&fen=W:WK1,K2,K3:BK5")
    assert data["category"] == "unknown" and "KKKvK" in data["missing"] and data["moves"]


def check_huge_content_length(server):
    """Fails if a body with a huge Content-Length is read."""
    client = connect(server)
    client.sendall(b"POST /v1/frisian/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000000\r\n\r\n")
    assert client.recv(100).startswith(b"HTTP/1.1 413 "), "no answer"
    client.close()


def check_large_headers(server):
    """Fails if too large an address or headers are accepted, or close the connection without an answer."""
    for path, headers, code in ((f"/frisian?fen={'W' * 70000}", {}, 414), ("/" + "x" * 70000, {}, 414),
                                ("/frisian?fen=W:WK1:BK5", {"X": "x" * 70000}, 431),
                                ("/frisian?fen=W:WK1:BK5", {"X": "x" * 30000}, 200)):
        assert server.ask(path, headers=headers)[0] == code, f"{path[:20]}: not {code}"


def check_request_smuggling(server):
    """Fails if ambiguous lengths allow request smuggling."""
    for lengths in (b"Content-Length: 4\r\nTransfer-Encoding: chunked", b"transfer-encoding: chunked\r\nContent-Length: 4",
                    b"Content-Length: 9\r\nContent-Length: 4", b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity"):
        with connect(server) as client:
            client.sendall(b"POST /v1/frisian/batch HTTP/1.1\r\nHost: localhost\r\n" + lengths +
                           b"\r\n\r\n9\r\nW:WK1:BK5\r\n0\r\n\r\nGET /v1/rules HTTP/1.1\r\nHost: localhost\r\n\r\n")
            data = bytearray()
            while part := client.recv(65536):  # until the server closes the connection
                data += part
        assert data.startswith(b"HTTP/1.1 400 ") and data.count(b"HTTP/1.1") == 1 and b"Content-Length" in data, data


def sent(file):
    """Strips imports, exports, comments and empty lines from a module of the page."""
    text = re.sub(r"^(import .*|export | *//.*)", "", file.read_text(), flags=re.MULTILINE)
    return re.sub(r"\n\n+", "\n", text)


def check_headers(server):
    """Fails if CORS blocks other sites, or the Content-Security-Policy allows foreign resources."""
    status, answer, text = server.ask("/")
    assert status == 200 and answer.headers["Content-Type"] == "text/html; charset=utf-8"
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "http" not in policy and "unsafe" not in policy
    tag = answer.headers["ETag"]
    assert server.ask("/", headers={"If-None-Match": tag})[0] == 304
    assert server.ask("/", headers={"If-None-Match": '"other"'})[0] == 200
    assert server.ask("/game")[2] == text and server.ask("/material")[2] == text
    status, answer, body = server.ask("/frisian?fen=W:WK1:BK5", "HEAD")
    assert status == 200 and body == "" and int(answer.headers["Content-Length"]) > 0
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    status, answer, _ = server.ask("/frisian", "OPTIONS")
    assert status == 204 and "GET" in answer.headers["Access-Control-Allow-Methods"]
    answer = server.ask("/v1/frisian/batch", "OPTIONS")[1]  # JSON from another page
    assert "POST" in answer.headers["Access-Control-Allow-Methods"] and answer.headers["Access-Control-Allow-Headers"] == "Content-Type"
    assert server.ask("/style.css")[2] == (PAGE / "style.css").read_text() and "style-src 'self'" in policy, policy
    types = {"/": "text/html", "/app.js": "text/javascript", "/style.css": "text/css", "/icon.svg": "image/svg+xml"}
    assert server.ask("/icon.svg")[1].headers["Cache-Control"] == "max-age=86400"  # not again with every move
    packed = 0
    for path, media in types.items():
        status, answer, text = server.ask(path)
        assert status == 200 and answer.headers["Content-Type"].startswith(media), path
        packed += len(server.bytes(path, {"Accept-Encoding": "gzip, br"}))
        assert gzip.decompress(server.bytes(path, {"Accept-Encoding": "gzip, br"})).decode() == text, path
        hosts = r"https?://(?!www\.w3\.org/|lidraughts\.org/analysis/\$)"  # a link to follow, nothing to load
        assert not re.search(hosts, text), f"{path} names a host"
    assert packed <= 62000, f"the page has {packed} bytes"
    path = "/frisian?fen=W:WK46,28:BK43&compare=1&line=20"
    assert json.loads(gzip.decompress(server.bytes(path, {"Accept-Encoding": "gzip"}))) == server.json(path)
    assert server.ask("/frisian?fen=x", headers={"Accept-Encoding": "gzip"})[1].headers["Content-Encoding"] is None
    status, answer, robots = server.ask("/robots.txt", headers={"Accept-Encoding": "gzip"})
    assert status == 200 and answer.headers["Content-Type"].startswith("text/plain") and "Disallow: /\n" in robots
    app = server.ask("/app.js")[2]
    assert all(sent(file).strip() in app for file in PAGE.glob("*.js"))
    assert app.count("class Board ") == 1 and not re.search(r"^(import|export) ", app, re.MULTILINE)


def check_outcomes_only():
    """Fails if tables without distances give a distance, or a lost game is not reported."""
    tables = FOLDER / "outcomes"
    subprocess.run([PROGRAM, "generate", "--pieces", "2", "--metric", "wdl", "--tables", str(tables)],
                   check=True, capture_output=True)
    server = Server(tables)
    data = server.json("/frisian?fen=W:WK26:B10")  # king against man: no distances
    assert (data["category"], data["wdl"]) == ("win", 2)
    assert data["dtw"] is None and data["dtz"] is None and data["dtm"] is None
    data = server.json("/frisian?fen=W:WK27:B18")  # takes the last piece
    assert all(move["variant_loss"] and move["category"] == "loss" for move in data["moves"]) and data["moves"]
    assert server.json("/v1/frisian/material/KvM")["sides"]["white"]["fresh"]["win_plies"] is None
    status, _, text = server.ask("/frisian/mainline?fen=W:WK26:B10")
    assert status == 404 and "distances" in text, f"{status} {text}"
    row = server.json("/v1/frisian/batch", method="POST", body="W:WK26:B10")["positions"][0]
    assert (row["category"], row["dtw"]) == ("win", None)
    server.end()


def check_folders():
    """Fails if tables on a second disk are not served, or an unmounted disk counts as empty."""
    second = FOLDER / "second"
    for rules, pieces in (("english", 2), ("frisian-lidraughts", 3)):
        subprocess.run([PROGRAM, "generate", "--pieces", str(pieces), "--rules", rules, "--tables", str(second)],
                       check=True, capture_output=True)
    server = Server(FOLDER / "outcomes", "--tables", str(second))
    sets = [one["rules"] for one in server.json("/v1/rules")["rule_sets"]]
    assert sets == ["frisian", "english", "frisian-lidraughts"], sets
    assert server.json("/english?fen=W:WK26:BK10")["category"] in ("win", "draw", "loss")
    data = server.json("/frisian-lidraughts?fen=W:WK1,K2:BK14:H12")  # the count ends at a capture
    assert (data["category"], data["dtw"], data["moves"][0]["san"]) == ("win", 3, "1-12"), data
    assert data["clock"] == {"plies": 12, "side": None, "limit": 7, "moves_left": 1, "plies_left": 2, "quiet": False,
                             "goes_on": False}
    # A game of lidraughts.org is judged by its rules if there are tables for them.
    game = '[GameType "40"]\n[FEN "W:WK1,K2:BK14:H12"]\n\n1. 1-6 *'
    for text, rules, nag in ((game, "frisian", None), (f'[Site "https://lidraughts.org/a1b2C3d4"]\n{game}', "frisian-lidraughts", 2)):
        data = server.json("/v1/frisian/annotate", method="POST", body=text)
        assert (data["rules"], data["steps"][1].get("nag")) == (rules, nag), data
    link = "https://lidraughts.org/analysis/frisian/W:WK1,K2:BK14:H12"
    data = server.json("/v1/frisian/annotate", method="POST", body=link)
    assert (data["rules"], data["steps"][0]["category"], "note" in data) == ("frisian-lidraughts", "win", False), data
    # Each rule set reads the text separately: it may use a count that this one ignores.
    row = server.json("/v1/frisian/compare?fen=W:WK1,K14:B5,6:H4")["verdicts"][-1]
    assert row["rules"] == "frisian-lidraughts" and row["category"] == "unknown" and "error" in row, row
    rows = server.json("/v1/frisian/compare?fen=W:WK1:BK14,K2:H3:F1:%2B0%2B0")["verdicts"]
    assert [row["fen"] for row in rows] == ["W:WK1:BK2,K14:H3:F1:+0+0"] * 2, rows
    server.end()


def check_base():
    """Fails if the page or the API cannot share a host with other pages, below a path."""
    for base in ("/einspul", "/einspul/"):
        server = Server(TABLES, "--base", base)
        status, answer, _ = server.ask("/einspul")
        assert (status, answer.headers["Location"]) == (301, "/einspul/"), answer.headers
        page = server.ask("/einspul/game")[2]
        for address in re.findall(r'(?:href|src)="([^"]*)"', page):
            path = urllib.parse.urljoin("/einspul/game", address)
            if not address.startswith("#"):
                assert path.startswith("/einspul/") and server.ask(path)[0] == 200, address
        calls = re.findall(r"[`'](/?v1/)", server.ask("/einspul/app.js")[2])
        assert calls and set(calls) == {"v1/"}, calls
        fen = "fen=W:WK46,28:BK43"
        assert server.json(f"/einspul/v1/frisian/position?{fen}") == server.json(f"/einspul/frisian?{fen}")
        for path in ("/", f"/frisian?{fen}", "/einspulx/", "/einspul//", "/einspul/einspul/"):
            assert server.error(path)[0] == 404, path
        server.end()
    for base in ("einspul", "/a b", "//host", "/../x", "/" + 70 * "a"):
        run = subprocess.run([PROGRAM, "serve", "--port", "0", "--tables", str(TABLES), "--base", base], text=True,
                             capture_output=True, timeout=HANG)
        assert run.returncode == 2 and "such as /einspul" in run.stderr, f"{base}: {run}"


def check_new_tables():
    """Fails if tables generated while the server runs need a restart, or harm a call that uses the old ones."""
    tables = FOLDER / "growing"
    (tables / "frisian").mkdir(parents=True)
    for name in ("KvK", "MvK", "KvM", "MvM"):
        for file in (TABLES / "frisian").glob(f"{name}.*"):
            shutil.copy(file, tables / "frisian")
    server = Server(tables)
    path = "/v1/frisian/position?fen=W:WK1,K6:BK14"
    assert server.error(path)[0] == 404 and server.error("/v1/english/tables")[0] == 404
    assert server.json("/frisian?fen=W:WK1:BK14")["category"] in ("win", "draw", "loss")
    open_proof = threading.Thread(target=server.json, args=("/v1/frisian/solve?seconds=2&fen=W:WK35,K21:BK9,16",))
    open_proof.start()
    shutil.copytree(TABLES / "frisian", tables / "frisian", dirs_exist_ok=True)
    subprocess.run([PROGRAM, "generate", "--pieces", "2", "--rules", "english", "--tables", str(tables)], check=True,
                   capture_output=True)
    wait_until(lambda: server.ask(path)[0] == 200, "new tables of a rule set")
    wait_until(lambda: server.ask("/v1/english/tables")[0] == 200, "a new rule set")
    open_proof.join()
    assert server.json("/v1/frisian/material/KKvK")["sides"]
    (tables / "frisian" / "README").write_text("no table")
    shutil.rmtree(tables / "english")  # what cannot be opened leaves the earlier tables
    time.sleep(6)
    assert server.json(path)["category"] in ("win", "draw")
    server.end()


def check_prepared_lists():
    """Fails if a prepared list is missing, truncated, or gives access to other files."""
    folder = FOLDER / "lists" / "frisian"
    folder.mkdir(parents=True)
    (folder / "Long wins.tsv").write_text(program("find", "KMvK", "--outcome", "win", "--distance", "30-", "--limit", "0"))
    (folder / "Losses é.tsv").write_text(program("find", "MvM", "--outcome", "loss", "--limit", "9"))
    (folder / "broken.tsv").write_text("W:WK1:BK5\tdraw\t-\nW:WK1:B\tdraw\t-\n")
    (folder / "nameless.tsv").write_text("\twin\t3\n")  # no FEN
    (folder / "notes.txt").write_text("no list")
    for i, line in enumerate(("W:WK1:BK5\tdraw\t3", "W:WK1:BK5\twin\t4", "W:WK1:BK5\twin\t3x", "W:WK1:BK5\tloss\t-2",
                              "W:WK1:BK5\twin\t99999", "W:WK1:BK5\tdraw\t-\0")):
        (folder / f"plies{i}.tsv").write_text(line + "\n")
    # Paths that would block, are endless, or are not files.
    os.mkfifo(folder / "fifo.tsv")
    (folder / "endless.tsv").symlink_to("/dev/zero")
    (folder / "nowhere.tsv").symlink_to(folder / "none.tsv")
    (folder / "folder.tsv").mkdir()
    with open(os.fsencode(folder) + b"/no utf \xff.tsv", "wb") as file:
        file.write(b"W:WK1:BK5\tdraw\t-\n")
    (FOLDER / "lists" / "secret.tsv").write_text("W:WK1:BK5\tdraw\t-\n")
    server = Server(TABLES, "--lists", str(FOLDER / "lists"))
    assert server.json("/v1/frisian/lists")["lists"] == ["Long wins", "Losses é", "broken", "nameless",
                                                              *(f"plies{i}" for i in range(6))]
    found = server.json("/v1/frisian/find?material=KMvK&outcome=win&distance=30-&limit=500")
    assert found["found"] > 500
    rows = []
    while data := server.json(f"/v1/frisian/list?name=Long%20wins&from={len(rows)}&limit=60")["positions"]:
        rows += data
    assert rows[:500] == found["positions"] and len(rows) == found["found"]
    data = server.json("/v1/frisian/list?name=Losses%20%C3%A9&limit=3")
    assert data["found"] == 9 and [row["category"] for row in data["positions"]] == ["loss"] * 3
    assert data["positions"] == server.json("/v1/frisian/find?material=MvM&outcome=loss&limit=3")["positions"]
    for i in range(6):
        status, _, text = server.ask(f"/v1/frisian/list?name=plies{i}")
        assert status == 500 and "line 1" in text, f"plies{i}: {status} {text}"
    for name in ("../secret", "..%2Fsecret", "secret", "notes", "notes.txt", "", "Long%20wins.tsv", ".", "fifo", "endless",
                 "nowhere", "folder", "no%20utf%20%ff", "no%20utf%20%C3%BF"):
        status, _, text = server.ask(f"/v1/frisian/list?name={name}")
        assert status == 404 and "no list" in text, f"{name}: {status} {text}"
    assert server.json("/v1/frisian/list?name=broken&limit=1")["found"] == 2
    status, _, text = server.ask("/v1/frisian/list?name=broken")
    assert status == 500 and "line 2" in text, f"{status} {text}"
    status, _, text = server.ask("/v1/frisian/list?name=nameless")
    assert status == 500 and "line 1" in text, f"{status} {text}"
    # Read once: later changes or removal have no effect.
    (folder / "Losses é.tsv").unlink()
    assert server.json("/v1/frisian/list?name=Losses%20%C3%A9&limit=3") == data
    server.end()
    with open(folder / "large.tsv", "wb") as file:
        file.truncate(1 << 40)
    ended = subprocess.run([PROGRAM, "serve", "--port", "0", "--tables", str(TABLES), "--lists", str(FOLDER / "lists")],
                           capture_output=True, text=True, timeout=HANG)
    assert ended.returncode == 1 and "large.tsv" in ended.stderr, ended
    ended = subprocess.run([PROGRAM, "serve", "--port", "0", "--tables", str(TABLES), "--lists", str(FOLDER / "nowhere")],
                           capture_output=True, text=True, timeout=HANG)
    assert ended.returncode == 2 and "nowhere" in ended.stderr, ended


def check_site():
    """Fails if lidraughts clients get the official rules instead of the site's, or their names of games are unknown."""
    folder = FOLDER / "site"
    subprocess.run([PROGRAM, "generate", "--pieces", "3", "--rules", "frisian-lidraughts", "--tables", str(folder)], check=True,
                   capture_output=True)
    server = Server(TABLES, "--tables", str(folder))
    fen = "W:WK1,K2:BK14:H12"  # the eighth move, behind a king given up on the seventh
    for path, rules, category in (("/frisian", "frisian", "draw"), ("/frysk", "frisian", "draw"),
                                  ("/v1/Frysk/position", "frisian", "draw"),
                                  ("/frisian-lidraughts", "frisian-lidraughts", "win"),
                                  ("/lidraughts/frisian", "frisian-lidraughts", "win"),
                                  ("/lidraughts/frysk", "frisian-lidraughts", "win"),
                                  ("/lidraughts/frisian/mainline", "frisian-lidraughts", "win")):
        data = server.json(f"{path}?fen={fen}")
        assert (data["rules"], data["category"]) == (rules, category), f"{path}: {data}"
    proved = "fen=W:WK35,K21:BK9,16"  # what is proved under one rule set says nothing under another
    assert server.json(f"/v1/frisian/solve?seconds=60&{proved}")["category"] == "win"
    assert [server.json(f"/v1/{rules}/solve?seconds=0&{proved}")["category"] for rules in ("frisian", "frisian-lidraughts")] \
        == ["win", "open"]
    server.end()


def check_texts():
    """Fails if a text is untranslated."""
    lines = (PAGE / "words.js").read_text().splitlines()
    rows = [re.fullmatch(r"  '?([\w-]+)'?: \[(.*)\],", line) for line in lines[2:-1]]
    for line, row in zip(lines[2:-1], rows):
        words = re.findall(r"'((?:[^'\\]|\\.)+)'", row.group(2)) if row else []
        assert len(words) == 3 and len(row.group(2)) == sum(map(len, words)) + 10, line
        assert len({tuple(sorted(re.findall(r"{\w+}", text))) for text in words for text in text.split(" ¦ ")}) == 1, line
    english = {row.group(1) for row in rows}
    page = "".join(file.read_text() for file in (*PAGE.glob("*.js"), PAGE / "index.html") if file.name != "words.js")
    used = set(re.findall(r"\btext\('(\w+)'", page))
    assert used <= english, used - english
    # Besides literals: texts that start with the name of a condition or a literal, pieces, rule sets,
    # singular forms.
    begins = (*re.findall(r"`(\w+_)\$\{", page), "zugzwang_", "depends_on_")
    made = r"(white|black)_(man|king)|(frisian|international|english|brazilian)(-\w+)?"
    bases = {key.removesuffix("_1") for key in english}
    unused = {key for key in bases if not re.search(rf"['\"]{key}['\"]|words\.{key}\b", page) and not key.startswith(begins) and not re.fullmatch(made, key)}
    assert not unused, f"texts that nothing says: {unused}"


def check_modules():
    """Fails if modules of the page import each other in a cycle."""
    imports = {file.name: set(re.findall(r"^import .*?'\./([\w-]+\.js)';", file.read_text(), re.MULTILINE)) for file in PAGE.glob("*.js")}
    while imports:
        alone = {name for name, own in imports.items() if not own & imports.keys()}
        assert alone, f"a circle among {sorted(imports)}"
        imports = {name: own for name, own in imports.items() if name not in alone}


def check_damage():
    """Fails if a damaged table gives a 4xx status or crashes the server."""
    copy = FOLDER / "damaged"
    shutil.copytree(TABLES, copy)
    with open(copy / "frisian" / "KvM.dtw", "r+b") as file:
        file.seek(60)
        file.write(b"\xff\xff\xff\xff")
    server = Server(copy)
    status, _, text = server.ask("/frisian?fen=W:WK46:B13")
    assert status == 500 and "KvM.dtw" in text, f"{status} {text}"
    assert server.ask("/frisian?fen=W:WK46:BK5")[0] == 200
    server.end(signal.SIGINT)


# --- clients that mean harm, or do not mean it -----------------------------------------------------

def connect(server):
    return socket.create_connection(("127.0.0.1", server.port), HANG)


def connections(server):
    """The number of connections that the server holds."""
    held = set()
    for link in pathlib.Path(f"/proc/{server.process.pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            held.add(link.readlink().name)
    rows = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(f":{server.port:04X}") and row[3] != "0A" and f"socket:[{row[9]}]" in held for row in rows)


def work(server, *paths):
    """The server's processor time, in seconds, for simultaneous requests; independent of other load."""
    def seconds():
        return sum(map(int, pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13])) \
            / os.sysconf("SC_CLK_TCK")
    begin = seconds()
    searches = [Search(server, path) for path in paths]
    assert [search.status(HANG) for search in searches] == [200] * len(paths)
    for search in searches:
        search.leave()
    return seconds() - begin


def wait_until(holds, what):
    end = time.monotonic() + HANG
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(.1)


def answers(server):
    assert server.json("/frisian?fen=W:WK46:BK41")["category"] == "win"


def check_silent_clients(server):
    """Fails if idle clients block others, or keep their connections for ever."""
    held, readers = [], []
    body = ("W:WK46:BK41\n" * 4000).encode()
    begin = time.monotonic()
    for _ in range(8):  # ask for much and read nothing
        client = connect(server)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(b"POST /v1/frisian/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        readers.append(client)
    answers(server)
    assert connections(server) >= 8 or time.monotonic() - begin > IDLE, \
        "answers only when those that do not read are let go"
    for i in range(600):
        client = connect(server)
        client.sendall([b"", b"GET /frisian?fen=W", b"GET / HTTP/1.1\r\nHost: localhost\r\n",
                        b"POST /v1/frisian/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n\r\nW:"][i % 4])
        held.append(client)
    answers(server)  # one of those that wait until others are let go
    assert connections(server) <= 512, "too many connections"
    while held[1].recv(100):
        pass
    for client in held:
        client.close()
    wait_until(lambda: connections(server) == 0, "those that do not read are not let go")
    for client in readers:
        client.close()


def check_busy(server):
    """Fails if probes wait for a running count."""
    threads = [threading.Thread(target=server.ask, args=("/v1/frisian/material/MMvM",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    answers(server)
    for thread in threads:
        thread.join()



def long_search(seconds):
    """Starts a search of known duration, a different one for each number."""
    return f"/v1/frisian/solve?fen=W:W46-50:B1-5&seconds={seconds}"


class Search:
    """A request for a long call."""

    def __init__(self, server, path):
        self.client = connect(server)
        self.client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

    def status(self, seconds):
        """The status code of the answer; None while it waits."""
        self.client.settimeout(seconds)
        try:
            return int(self.client.recv(65536, socket.MSG_PEEK).split()[1])
        except socket.timeout:
            return None

    def leave(self):
        self.client.close()


def codes(searches, n_waiting):
    """The status codes received once at most so many requests wait, or after some time."""
    end = time.monotonic() + HANG
    while True:
        found = [search.status(.01) for search in searches]
        if found.count(None) <= n_waiting or time.monotonic() > end:
            return found


def check_abandoned(server):
    """Fails if abandoned searches are not cancelled."""
    left = [Search(server, long_search(31 + i)) for i in range(30)]
    found = codes(left, 17)
    assert found.count(None) in (16, 17) and set(found) == {None, 503}, found  # 16 wait, one is in work
    answers(server)
    assert codes(left, 17).count(None) > 0, "answers only when all is found"
    for search in left:
        search.leave()
    assert work(server, "/v1/frisian/find?material=MvM&limit=2") < 20, "abandoned searches go on"
    assert server.json("/v1/frisian/find?material=MvM&limit=2")["found"] == 2 * 1985
    wait_until(lambda: connections(server) == 0, "abandoned connections stay")


def check_search_progress(server):
    """Fails if the progress of a search is not reported, or is reported for another one."""
    find = "/v1/frisian/find?limit=1&study=1&material=KMvK,KMvM,KKvM,KKvK,MMvK,MMvM&seed="
    path = find.replace("find", "progress")
    for seed in range(100):
        search = Search(server, f"{find}{seed}")
        shares = []
        while search.status(.001) is None and not (shares and shares[-1] > 0):
            shares.append(server.json(f"{path}{seed}")["share"])
        other = server.json(f"{path}{seed + 1}")
        search.leave()
        if shares and 0 < shares[-1] < 1:
            break
    assert shares == sorted(shares) and 0 < shares[-1] < 1, shares
    assert other == {"running": False, "share": 0}
    wait_until(lambda: not server.json(f"{path}{seed}")["running"], "an abandoned search goes on")


def check_identical_searches(server):
    """Fails if identical searches are not merged, or one is cancelled while a client still waits."""
    two = [Search(server, long_search(30)) for i in range(2)]
    assert two[0].status(.2) is None
    two[0].leave()
    assert two[1].status(1) is None, "a search ends that somebody still waits for"
    for search in two:
        search.leave()
    path = "/v1/frisian/find?material=KMvK,KMvM&only_move=1&limit=3"
    again = path.replace("&limit=3", "").replace("?", "?limit=3&")  # in another order
    alone = work(server, path)
    data = server.json(path)
    assert data["found"] > 0 and len(data["positions"]) == 3
    together = work(server, *[path, again] * 20)
    assert together < 10 * alone + .2, f"{alone:.2f} s alone, {together:.2f} s forty at once"


def check_proofs_block_nobody(server):
    """Fails if proofs keep searches waiting."""
    proofs = [Search(server, long_search(31 + i)) for i in range(30)]
    n_waiting = codes(proofs, 17).count(None)
    assert n_waiting in (16, 17), n_waiting  # 16 wait, one is in work
    found = Search(server, "/v1/frisian/find?material=MvM&limit=3")
    assert codes([found], 0) == [200]
    for search in [*proofs, found]:
        search.leave()


def check_hosts(server):
    """Fails if a page whose name was pointed at this machine may query a server that is only for it."""
    for host, status in (("localhost", 200), (f"LocalHost:{server.port}", 200), ("127.0.0.1", 200), ("[::1]:80", 200),
                         ("evil.example", 421), ("127.0.0.1.evil.example:80", 421), ("localhost.evil.example", 421), ("[::1].x", 421)):
        assert server.ask("/v1/rules", headers={"Host": host})[0] == status, host
    assert server.error("/", headers={"Host": "evil.example"})[2] == ["MISDIRECTED"]
    with connect(server) as client:
        client.sendall(b"GET /v1/rules HTTP/1.0\r\n\r\n")
        assert b" 200 " in client.recv(20)


def check_bodies(server):
    """Fails if a compressed body, or one in parts, is read as rows of rubbish."""
    for headers in ({"Content-Encoding": "gzip"}, {"Content-Type": "multipart/form-data; boundary=x"}):
        for call in ("batch", "annotate"):
            error = server.error(f"/v1/frisian/{call}", method="POST", body="x", headers=headers)
            assert (error[0], error[2]) == (415, ["UNSUPPORTED"]), error
    server.json("/v1/frisian/batch", method="POST", body="W:WK1:BK5", headers={"Content-Encoding": "identity"})


def check_statistics_first(server):
    """Fails if short counts wait for searches."""
    searches = [Search(server, long_search(2 + i)) for i in range(3)]
    assert searches[0].status(.2) is None
    counted = Search(server, "/v1/frisian/material/KMvK")
    assert codes([counted], 0) == [200]
    assert [search.status(.01) for search in searches].count(None) >= 2, "counted after the searches"
    for search in [*searches, counted]:
        search.leave()


def check_caching(server):
    """Fails if slow answers are not cacheable, or positions are cached across restarts."""
    for path, fresh in (("/v1/frisian/find?material=KvK&limit=1", "max-age=60"), ("/v1/frisian/material/KvM", "max-age=60"),
                        ("/frisian?fen=W:WK1:BK5", "no-cache"), ("/v1/frisian/find", "no-cache"), ("/", "no-cache")):
        assert server.ask(path)[1].headers.get_all("Cache-Control") == [fresh], path


def garbage(choose):
    """Garbage, or a request with random changes."""
    requests = [b"GET /frisian?fen=W:W28,K46:BK43 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                b"GET /v1/frisian/map?square=46&fen=W:W28,K46:BK43 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                b"POST /v1/frisian/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 24\r\n\r\n[\"W:WK1:BK5\",\"W:WK1:B7\"]",
                b"POST /v1/frisian/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nW:WK1\r\n0\r\n\r\n"]
    data = bytearray(choose.choice(requests))
    for _ in range(choose.randrange(12)):
        at = choose.randrange(len(data))
        action = choose.randrange(4)
        if action == 0:
            data[at] = choose.randrange(256)
        elif action == 1:
            data[at:at] = bytes(choose.randrange(256) for _ in range(choose.randrange(1, 20)))
        elif action == 2:
            del data[at:at + choose.randrange(1, 8)]
            data += b"x"
        else:
            data[at:at] = choose.choice([b"%00", b"%", b"+", b"\r\n", b":", b",", b"K", b"-", b"99999999999"])
    return bytes(data) if choose.random() < .9 else choose.randbytes(choose.randrange(1, 3000))


def check_fuzz(server):
    """Fails if garbage input stops the server or corrupts other answers."""
    choose = random.Random(3)
    for _ in range(N_GARBAGE):
        with connect(server) as client:
            client.settimeout(.02)
            try:
                client.sendall(garbage(choose))
                if choose.random() < .5:
                    client.shutdown(socket.SHUT_WR)
                client.recv(65536)
            except OSError:
                pass
        assert server.process.poll() is None, "the server has ended"
    answers(server)
    wait_until(lambda: connections(server) == 0, "clients that left hold their connections")


def check_calls():
    """Fails if command-line errors pass, or the server binds the wrong address."""
    for arguments, code, words in ((["--listen", "nowhere"], 2, "nowhere"), (["--listen", "*"], 2, "0.0.0.0"),
                                   (["--port", "70000"], 2, "70000"),
                                   (["--tables", str(FOLDER / "none")], 2, "/none: No such file or directory"),
                                   (["--listen", "192.0.2.1"], 1, "192.0.2.1")):
        done = subprocess.run([PROGRAM, "serve", "--tables", str(TABLES), *arguments], text=True,
                              capture_output=True, timeout=HANG)
        assert done.returncode == code and words in done.stderr and done.stdout == "", f"{arguments}: {done}"
    for address, shown in (("127.1", "127.0.0.1"), ("0x7f000001", "127.0.0.1"), ("::1", "[::1]")):
        process = subprocess.Popen([PROGRAM, "serve", "--tables", str(TABLES), "--port", "0", "--listen", address], text=True,
                                   stdout=subprocess.PIPE)
        assert process.stdout.readline().startswith(f"http://{shown}:"), address
        process.terminate()
        process.communicate()
    first = Server(TABLES)
    done = subprocess.run([PROGRAM, "serve", "--tables", str(TABLES), "--port", str(first.port)], text=True,
                          capture_output=True, timeout=HANG)
    assert done.returncode == 1 and str(first.port) in done.stderr, done
    search = Search(first, long_search(60))
    with connect(first) as client:  # in the middle of a request, and of a search
        client.sendall(b"GET /frisian?f")
        assert search.status(.2) is None
        first.end()
    assert search.status(1) == 503


def in_background(check):
    """Starts a check that mostly waits, on a server of its own; returns a function that waits for its end."""
    failures = []

    def run():
        try:
            server = Server(TABLES)
            check(server)
            server.end()
        except BaseException as failure:
            failures.append(failure)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()

    def end():
        thread.join()
        if failures:
            raise failures[0]
    return end


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    end_silent = in_background(check_silent_clients)
    server = Server(TABLES)
    for check in (check_positions, check_state, check_finished, check_combined_answer, check_map, check_abandoned, check_identical_searches,
                  check_statistics_first, check_proofs_block_nobody, check_hosts, check_bodies,
                  check_search_progress, check_caching, check_material, check_find, check_solve, check_proof_files, check_previews, check_strategy, check_solving, check_query_texts,
                  check_conditions, check_listings,
                  check_errors, check_huge_content_length,
                  check_large_headers, check_request_smuggling, check_headers, check_busy, check_fuzz):
        check(server)
    server.end()
    check_texts()
    check_modules()
    check_outcomes_only()
    check_folders()
    check_site()
    check_base()
    check_new_tables()
    check_prepared_lists()
    check_damage()
    check_calls()
    end_silent()
    shutil.rmtree(FOLDER)


main()
