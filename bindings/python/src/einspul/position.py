"""Positions, moves and arrays of positions; nothing here needs tables."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Optional

from ._library import FEN_SIZE, MOVE_TEXT_SIZE, CError, CMove, CPosition, load
from .errors import BadInputError, error_class

if TYPE_CHECKING:
    import numpy

WHITE = 0
BLACK = 1
_MOST_MOVES = 64

library = load()


def status_name(status: int) -> str:
    """The name of a status number, as "NO_TABLE"; "UNKNOWN" for other numbers."""
    return str(library.einspul_status_name(status).decode())


def check(status: int, error: CError) -> None:
    """Raises the exception of a status that is not OK."""
    if status == 0:
        return
    name = status_name(status)
    raise error_class(status, name)(status, name, error.text.decode("utf-8", "replace"))


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function of the library whose last argument is its error, and checks its status. Where
    every 100 ns count, `check` is called directly."""
    error = CError()
    check(function(*arguments, error), error)


def version() -> str:
    """The version of the library that was found, as "0.1.0"."""
    return str(library.einspul_version().decode())


def rule_sets() -> list[str]:
    """The names of all rule sets, "frisian" first."""
    names = library.einspul_rules_list()
    found: list[str] = []
    while names[len(found)] is not None:
        found.append(names[len(found)].decode())
    return found


@dataclass(frozen=True)
class Position:
    """A position with its rule state; the defaults are a fresh state.

    `run_square` and `run_count` are by side (White, Black): the king that moved last and its simple
    moves in a row, 0 to 3. `clock` counts plies since two kings against one arose, and goes on after a
    capture in it, when `limited` is 1 + the side that had two kings. Under frisian-lidraughts and
    international-fmjd it is the count of those rules, and `limited` 0.
    """

    white_men: int = 0
    white_kings: int = 0
    black_men: int = 0
    black_kings: int = 0
    side: int = WHITE
    clock: int = 0
    run_square: tuple[int, int] = (0, 0)
    run_count: tuple[int, int] = (0, 0)
    limited: int = 0

    @classmethod
    def from_fen(cls, fen: str, rules: str = "frisian") -> "Position":
        """Reads a FEN, rule state included; BadInputError says what is wrong and where."""
        to = CPosition()
        text = fen.encode()
        if b"\0" in text:
            raise ValueError("the FEN contains a NUL byte")
        call(library.einspul_fen_read, rules.encode(), text, to)
        return cls._from_c(to)

    def fen(self, rules: str = "frisian") -> str:
        """The FEN of a legal position."""
        to = ctypes.create_string_buffer(FEN_SIZE)
        call(library.einspul_fen_write, rules.encode(), self._to_c(), to)
        return to.value.decode()

    def moves(self, rules: str = "frisian") -> list["Move"]:
        """All legal moves, in the order of squares, without values."""
        found = list_moves(library.einspul_moves, rules.encode(), self, rules)
        return [move for move, _, _ in found]

    def play(self, move: str, rules: str = "frisian") -> "Position":
        """The position after a legal move ("32-28", "28x39" or a full path), runs and clock carried."""
        c = self._to_c()
        call(library.einspul_play, rules.encode(), c, move.encode())
        return self._from_c(c)

    def advance(
        self, before: "Position", from_square: int, to_square: int, captured: int = 0,
        rules: str = "frisian",
    ) -> "Position":
        """This position, which has the pieces after a legal move from `before`, with the runs and the
        clock after it; for programs that make moves themselves. Nothing is checked."""
        c = self._to_c()
        squares = from_square, to_square, captured
        library.einspul_advance(rules.encode(), before._to_c(), *squares, c)
        return self._from_c(c)

    def __str__(self) -> str:
        """The FEN, which is the same under all rules of a board; of an illegal position the fields."""
        try:
            return self.fen()
        except BadInputError:
            return repr(self)

    @property
    def pieces(self) -> int:
        """Men and kings of both sides."""
        sets = self.white_men | self.white_kings | self.black_men | self.black_kings
        return bin(sets).count("1")

    def _to_c(self) -> CPosition:
        return _fill(CPosition(), self)

    @classmethod
    def _from_c(cls, c: CPosition) -> "Position":
        (white_men, black_men), (white_kings, black_kings) = c.men, c.kings
        pieces = white_men, white_kings, black_men, black_kings
        runs = (c.run_square[0], c.run_square[1]), (c.run_count[0], c.run_count[1])
        return cls(*pieces, c.side, c.clock, *runs, c.limited)


def _fill(to: CPosition, position: Position) -> CPosition:
    to.men[0], to.men[1] = position.white_men, position.black_men
    to.kings[0], to.kings[1] = position.white_kings, position.black_kings
    to.side, to.clock, to.limited = position.side, position.clock, position.limited
    to.run_square[0], to.run_square[1] = position.run_square
    to.run_count[0], to.run_count[1] = position.run_count
    return to


@dataclass(frozen=True)
class Move:
    """A legal move. `captured` is a set of squares."""

    text: str
    from_square: int
    to_square: int
    captured: int
    after: Position

    def __str__(self) -> str:
        return self.text


def list_moves(
    function: Callable[..., int], tables: Any, position: Position, rules: str
) -> list[tuple[Move, int, Optional[int]]]:
    """Moves with outcome and plies from a function that fills an array of the library's moves;
    `tables` are open ones, or the name of a rule set."""
    capacity, c = _MOST_MOVES, position._to_c()
    while True:
        moves, error = (CMove * capacity)(), CError()
        n = function(tables, c, moves, capacity, error)
        if n < 0:
            check(error.status, error)
        if n <= capacity:
            break
        capacity = n
    text = ctypes.create_string_buffer(MOVE_TEXT_SIZE)
    found = []
    for move in moves[:n]:
        call(library.einspul_move_write, rules.encode(), c, move, text)
        after = Position._from_c(move.after)
        squares = move.from_square, move.to_square, move.captured
        plies = None if move.plies < 0 else move.plies
        found.append((Move(text.value.decode(), *squares, after), move.outcome, plies))
    return found


class PositionArray:
    """Many positions side by side, as the library wants them: made once, probed often.

    With NumPy, `dtype()` is the layout of one position, and arrays of it can be probed as they are.
    """

    def __init__(self, positions: Iterable[Position]) -> None:
        items = list(positions)
        self._items = (CPosition * len(items))()
        for to, position in zip(self._items, items):
            _fill(to, position)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Position]:
        return (Position._from_c(item) for item in self._items)

    @property
    def address(self) -> int:
        """Where the first position lies; valid as long as the array."""
        return ctypes.addressof(self._items)

    @staticmethod
    def dtype() -> "numpy.dtype[Any]":
        """The layout of a position for NumPy (40 bytes); `men` and `kings` are by side."""
        import numpy

        return numpy.dtype(CPosition)
