"""Deterministic generator of the texts that every interface is tested with.

Each text belongs to a rule set and to a kind. Whether a text is right is not decided here: what
counts is that all interfaces say the same of it.
"""

import random
import zlib
from typing import NamedTuple
from urllib.parse import quote

N_TEXTS = {"random": 440, "clock": 60, "written": 60, "lidraughts": 120, "finished": 20, "illegal": 50,
           "people": 80, "malformed": 90}
RUNS = ("frisian", "frisian-no18", "frisian-lidraughts")
FIFTY_PLIES = "international-fmjd"  # a clock in every material
LONG = ("W:WK1,12:B16,K50", "W:W12,K45:BK6,16", "W:WK13,16:B4,K32", "W:WK1,35:B39,K45", "W:WK45,46:BK1,33")
VARIANTS = {"international": "standard", FIFTY_PLIES: "standard", "brazilian": "brazilian", "english": "english"}


class Text(NamedTuple):
    rules: str
    kind: str
    text: str
    plain: str = ""  # the same position as a program writes it; or empty


class Dice:
    """Uses only random(), whose sequence is stable across Python versions."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random

    def below(self, n: int) -> int:
        return int(self.random() * n)

    def choice(self, items):
        return items[self.below(len(items))]

    def weighted(self, items):
        """Weighted choice from (item, weight) pairs."""
        at = self.random() * sum(weight for _, weight in items)
        for item, weight in items:
            at -= weight
            if at < 0:
                return item
        return items[-1][0]

    def shuffled(self, items) -> list:
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]


class State:
    """Pieces by side (0 White, 1 Black), side to move, king runs and clock."""

    def __init__(self, men, kings, side) -> None:
        self.men, self.kings, self.side = men, kings, side
        self.runs = [(0, 0), (0, 0)]  # count, square
        self.clock = 0
        self.limited = ""


class Maker:
    def __init__(self, rules: str, seed: int) -> None:
        self.rules = rules
        self.dice = Dice(seed)
        self.plain: dict[str, str] = {}
        self.row, self.squares = (4, 32) if rules in ("brazilian", "english") else (5, 50)

    # --- states ------------------------------------------------------------------------------------

    def counts(self):
        """Kings and men of both sides; materials in small sets of tables are more frequent."""
        dice = self.dice
        n = dice.weighted([(2, 15), (3, 45), (4, 28), (5, 12)])
        if n == 4 and dice.random() < .6:
            return dice.choice([((2, 0), (2, 0)), ((1, 1), (1, 1)), ((2, 0), (1, 1)), ((3, 0), (1, 0))])
        n_white = 1 + dice.below(n - 1)
        white, black = dice.below(n_white + 1), dice.below(n - n_white + 1)
        return (white, n_white - white), (black, n - n_white - black)

    def state(self, counts=None) -> State:
        dice = self.dice
        counts = counts or self.counts()
        if dice.below(2):
            counts = counts[1], counts[0]
        free = dice.shuffled(range(1, self.squares + 1))
        men = [[], []]
        for side, (_, n_men) in enumerate(counts):
            for square in [s for s in free if not self.promotes(side, s)][:n_men]:
                free.remove(square)
                men[side].append(square)
        kings = [[free.pop() for _ in range(n_kings)] for n_kings, _ in counts]
        state = State(men, kings, dice.below(2))
        if self.rules in RUNS:
            for side in (0, 1):
                if men[side] and kings[side] and dice.random() < .7:
                    count = 1 + dice.below(3)
                    state.runs[side] = count, dice.choice(kings[side])
        return state

    def promotes(self, side: int, square: int) -> bool:
        return square <= self.row if side == 0 else square > self.squares - self.row

    # --- writing -----------------------------------------------------------------------------------

    def pieces(self, state: State, side: int, more=()) -> str:
        items = [str(s) for s in state.men[side]] + [f"K{s}" for s in state.kings[side]] + list(more)
        return "WB"[side] + ",".join(self.dice.shuffled(items))

    def fen(self, state: State, tail=None, more=((), ())) -> str:
        lists = [self.pieces(state, side, more[side]) for side in (0, 1)]
        if tail is None:
            tail = ""
            runs = "".join(f"+{n}{square:02}" if n else "+0" for n, square in reversed(state.runs))
            if runs != "+0+0" or state.clock or state.limited:
                tail = f":H{state.clock}:F1:{runs}{state.limited}"
        return f"{'WB'[state.side]}:{lists[0]}:{lists[1]}{tail}"

    # --- kinds -------------------------------------------------------------------------------------

    def make_random(self) -> str:
        return self.fen(self.state())

    def make_clock(self) -> str:
        """Two kings against one with a clock, and positions after a capture there."""
        dice = self.dice
        if self.rules == FIFTY_PLIES and dice.below(5) == 0:
            return f"{dice.choice(LONG)}:H{30 + dice.below(20)}"
        if self.rules == FIFTY_PLIES and dice.below(3):
            state = self.state()
            state.clock = dice.below(60)
            return self.fen(state)
        if dice.random() < .25:
            state = self.state(((1, 0), (1, 0)))
            state.limited = f":L{dice.choice('WB')}{dice.below(18)}"
        else:
            state = self.state(((2, 0), (1, 0)))
            state.clock = dice.below(18)
        return self.fen(state)

    def make_written(self) -> str:
        """A position in other spellings: order, spaces, a dot, ranges, lower case."""
        dice = self.dice
        text = self.fen(self.state())
        way = dice.below(6)
        if way == 0:
            return text + "."
        if way == 1:
            parts = text.split(":")
            return ":".join([parts[0], parts[2], parts[1], *parts[3:]])
        if way == 2:
            return "".join(f" {c} " if c in ":,.+" and dice.below(3) == 0 else c for c in text)
        if way == 3:
            return f" {text}\t"
        if way == 4:
            return text.lower()
        first = 1 + dice.below(self.squares - 3)
        return f"{dice.choice('WB')}:WK{first}-{first + 1}:BK{first + 2}-{first + 2 + dice.below(2)}"

    def make_lidraughts(self) -> str:
        """Positions as lidraughts.org writes them: fields unknown to the tables, ghosts, links."""
        dice = self.dice
        state = self.state()
        taken = sum(state.men + state.kings, [])
        way = dice.below(9)
        number = f":F{1 + dice.below(80)}"
        if way == 0:
            return self.fen(state, f":H{dice.below(101)}{number}")
        if way == 1:
            return self.fen(state, f":H0{number}:+0+0")
        if way == 2:  # a run whose king is gone, or was never there
            return self.fen(state, f":H0{number}:+{dice.below(4)}{1 + dice.below(self.squares):02}+0")
        if way == 3:  # counts without squares
            return self.fen(state, f":H0{number}:+{dice.below(4)}+{dice.below(4)}")
        if way == 4:  # ghosts
            ghosts = [f"{dice.choice('GP')}{s}" for s in
                      [1 + dice.below(self.squares) for _ in range(1 + dice.below(2))] if s not in taken]
            return self.fen(state, f":H0{number}", (ghosts, ()) if state.side else ((), ghosts))
        text = self.fen(state)
        if way == 5:
            return f'[FEN "{text}"]'
        variant = dice.choice([VARIANTS.get(self.rules, "frisian")] * 4 + ["frysk", "russian"])
        if way == 6:
            return f"https://lidraughts.org/analysis/{variant}/{text}"
        if way == 7:
            return f"https://lidraughts.org/editor/{variant}?fen={text.replace(':', '%3A')}&color=white"
        return f"lidraughts.org/analysis/{variant}/{text.replace(',', ',_')}"

    def make_finished(self) -> str:
        """Finished games and near misses."""
        dice = self.dice
        state = self.state()
        way = dice.below(5)
        if way < 2:  # the side to move has nothing left; or the other one
            gone = state.side if dice.below(4) else 1 - state.side
            state.men[gone], state.kings[gone] = [], []
            state.runs[gone] = 0, 0
            if not state.men[1 - gone] or dice.below(3):
                state.runs[1 - gone] = 0, 0
            return self.fen(state)
        if way == 2:
            return dice.choice(["W:W:B", "B:W:B", "W::", "B:W:B:H0:F1"])
        # A king that may not move, in front of its man; a man that is blocked.
        corner = 1 + dice.below(self.row)
        far = self.squares - dice.below(self.row)
        if way == 3:
            man = corner + self.row
            return f"W:WK{corner},{man}:BK{far}:H0:F1:+0+3{corner:02}"
        return f"W:W{self.row + 1}:B1,{2 + dice.below(self.row)}"

    def make_illegal(self) -> str:
        """Well-formed but illegal positions."""
        dice = self.dice
        state = self.state()
        side = dice.below(2)
        square = dice.choice(sum(state.men + state.kings, []))
        way = dice.below(9)
        if way == 0:
            return self.fen(state, more=([f"{dice.choice(['', 'K'])}{self.squares + 1 + dice.below(50)}"], ()))
        if way == 1:
            return self.fen(state, more=([f"{dice.choice(['', 'K'])}{square}"], ()))
        if way == 2:  # a man where it would be a king
            home = 1 + dice.below(self.row)
            return self.fen(state, more=([str(home)], ()) if side == 0 else ((), [str(self.squares + 1 - home)]))
        if way == 3:
            return self.fen(state, f":H0:F1:+{4 + dice.below(6)}{square:02}+0")
        if way == 4:
            return self.fen(state, f":H0:F1:+1{self.squares + 1 + dice.below(40)}+0")
        if way == 5:
            return self.fen(state, f":H{101 + dice.below(1000)}:F1")
        if way == 6:
            return self.fen(state, f":H0:F1:+0+0:L{dice.choice('WB')}{dice.below(30)}")
        if way == 7:
            return self.fen(state, more=((), ["0"]))
        return self.fen(state, more=([f"{square}-{dice.below(self.squares + 9)}"], ()))

    def in_letters(self, fen: str) -> str:
        """a1 is White's lower left corner; the rule state is left as it is."""
        fields = fen.split(":")
        for i in (1, 2):
            pieces = []
            for piece in fields[i][1:].split(","):
                king, square = piece[:1] * (piece[:1] == "K"), int(piece.lstrip("K")) - 1
                row, place = divmod(square, self.row)
                pieces.append(f"{king}{'abcdefghij'[2 * place + (row % 2 == 0)]}{2 * self.row - row}")
            fields[i] = fields[i][0] + ",".join(pieces)
        return ":".join(fields)

    def make_people(self) -> str:
        """A position as copied from books, mails and addresses."""
        dice = self.dice
        variant = VARIANTS.get(self.rules, "frisian")
        fen = self.fen(self.state())
        way = dice.below(13)
        text = fen if way > 2 else self.in_letters(fen)
        if way == 1 and not any(c in text for c in "gh"):
            head, *lists = text.split(":", 3)
            text = ":".join([head, *[part.upper() for part in lists[:2]], *lists[2:]])
        if way in (2, 3):
            text = f"https://lidraughts.org/editor?variant={variant}&fen={quote(text, safe='')}"
        if way == 4:
            text = f"https://lidraughts.org/analysis/puzzle/{variant}/{text.replace(',', ',_')}"
        if way == 5:
            text = dice.choice([f'"{text}"', f"'{text}'", f"FEN: {text}", f'FEN "{text}"', f"fen={text}", f'/FEN "{text}"/'])
        if way == 6:
            text = f"{text[0]}:{text}"
        if way == 7:
            fen = "W" + fen[1:]
            text = "?" + fen[1:]
        if way == 8:
            text = f'[SetUp "1"][FEN "{text}"]'
        if way == 9:
            text = f'[Event "x"] [FEN "{text}"] [Result "*"]'
        if way == 10:
            text = text.replace(",", ",\u00a0")
        if way == 11:
            text = f"\u201e{text}\u201c"
        if way == 12:
            text = "".join(f"%{ord(c):02x}" if dice.below(2) else c for c in text)
            text = f"http://lidraughts.org/analysis/{variant}/{text}"
        self.plain[text] = fen
        return text

    def make_malformed(self) -> str:
        """Typing errors and garbage."""
        dice = self.dice
        if dice.below(12) == 0:
            return dice.choice(["x", "W", "W:", "WB", ":::", "W:W1", "startpos", "?", "W:W1:B", "K", "+0+0", "[FEN]",
                                "https://lidraughts.org/", "https://example.com/x", "[Event \"W:W1:B2\"]",
                                "W:Wfoo:BK3", "W:W51:B3", "W:W1-50:B1-50", "W:W28,K46:BK43:H99999999999", "é:W28:B2",
                                "W:W28;K46:BK43", "W:W28,K46:BK43:+0", "W:W28,K46:BK43:H0:F1:+0+1", "0", "-1", "W:WK:BK1"])
        text = self.make_random() if dice.below(3) else self.make_lidraughts()
        for _ in range(1 + dice.below(3)):
            at = dice.below(len(text))
            piece = dice.choice("WB:,.K+-0123456789HFGPL [x")
            text = [text[:at] + text[at + 1:], text[:at] + piece + text[at:], text[:at] + piece + text[at + 1:],
                    text[:at]][dice.weighted([(0, 3), (1, 3), (2, 3), (3, 1)])]
            if not text:
                return "W"
        return text


def make(rule_sets: list[str], share: float = 1) -> list[Text]:
    """All texts: `share` of the usual number, each once per rule set."""
    texts = []
    for rules in rule_sets:
        maker = Maker(rules, zlib.crc32(rules.encode()))
        seen = set()
        for kind, n in N_TEXTS.items():
            most = 20 * n  # of some kinds there are few
            wanted = len(seen) + max(1, round(n * share))
            while len(seen) < wanted and most > 0:
                text = getattr(maker, f"make_{kind}")()
                most -= 1
                if text.strip(" \t") and text not in seen:
                    seen.add(text)
                    texts.append(Text(rules, kind, text, maker.plain.get(text, "")))
    return texts
