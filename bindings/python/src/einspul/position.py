"""Positions, moves and arrays of positions. Works without tables."""

from __future__ import annotations

import ctypes
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Optional

from ._library import FEN_SIZE, MOVE_TEXT_SIZE, CError, CMove, CPosition, load
from .errors import BadInputError, error_class

if TYPE_CHECKING:
    import numpy

WHITE = 0
BLACK = 1
_MAX_MOVES = 64
_BAD_ARGUMENT = 14
_MAX_SET = (1 << 64) - 1
_MAX_BYTE = 255

library = load()


def status_name(status: int) -> str:
    """Returns the name of a status number, e.g. "NO_TABLE"; "UNKNOWN" for other numbers."""
    return str(library.einspul_status_name(integer(status, "status", -(1 << 31), (1 << 31) - 1)).decode())


def bad_argument(text: str) -> BadInputError:
    """The error for an argument that the library cannot be given."""
    return BadInputError(_BAD_ARGUMENT, "BAD_ARGUMENT", text)


def integer(value: Any, name: str, low: int, high: int) -> int:
    """Returns an argument as an int. ctypes would drop the bits that do not fit.

    Raises:
        TypeError: The value is not an integer.
        BadInputError: It is out of range.
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an int, not {type(value).__name__}") from None
    if not low <= number <= high:
        raise bad_argument(f"{name} is {number}, but must be {low} to {high}")
    return number


def encoded(text: Any, name: str) -> bytes:
    """Returns a text as bytes. C would see it end at a NUL byte.

    Raises:
        TypeError: The value is not a str.
        BadInputError: It contains a NUL byte.
    """
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str, not {type(text).__name__}")
    if "\0" in text:
        raise bad_argument(f"{name} contains a NUL byte")
    return text.encode()


def check(status: int, error: CError) -> None:
    """Raises the exception of a status that is not OK."""
    if status == 0:
        return
    name = status_name(status)
    raise error_class(status, name)(status, name, error.text.decode("utf-8", "replace"))


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a library function whose last parameter is the error struct; raises if its status is not OK.

    Hot paths call `check` directly to save about 100 ns.
    """
    error = CError()
    check(function(*arguments, error), error)


def version() -> str:
    """Returns the version of the loaded library, e.g. "0.1.0"."""
    return str(library.einspul_version().decode())


def rule_sets() -> list[str]:
    """Returns the names of all rule sets, "frisian" first."""
    names = library.einspul_rules_list()
    found: list[str] = []
    while names[len(found)] is not None:
        found.append(names[len(found)].decode())
    return found


@dataclass(frozen=True)
class Position:
    """A position with its rule state; the defaults are those of a fresh state.

    Attributes:
        white_men (int): Set of squares; square n is bit n - 1.
        white_kings (int): Set of squares.
        black_men (int): Set of squares.
        black_kings (int): Set of squares.
        side (int): The side to move, WHITE (0) or BLACK (1).
        clock (int): Plies since two kings against one arose, or the count of the rule set; 0 if none
            applies.
        run_square (tuple[int, int]): By side (White, Black), the square of the king that moved last.
        run_count (tuple[int, int]): By side, the simple moves in a row of that king, 0 to 3.
        limited (int): 0, or 1 + the side under the Article 18 limit after a capture (1 White, 2 Black).

    Example:
        >>> Position.from_fen("W:W28,K46:BK43").pieces
        3
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
        """Parses a FEN, including its rule state.

        Args:
            fen: For example "W:W28,K46:BK43" or "W:W28,K46:BK43:H0:F1:+0+246".
            rules: The name of a rule set.

        Returns:
            The position.

        Raises:
            BadInputError: The FEN is not valid; the message names the error and its column.

        Example:
            >>> Position.from_fen("W:W28,K46:BK43").pieces
            3
        """
        to = CPosition()
        call(library.einspul_fen_read, encoded(rules, "rules"), encoded(fen, "fen"), to)
        return cls._from_c(to)

    def fen(self, rules: str = "frisian") -> str:
        """Writes the FEN of a legal position.

        Args:
            rules: The name of a rule set.

        Returns:
            The FEN, including the rule state unless it is fresh.

        Raises:
            BadInputError: The position is not legal under the rule set.

        Example:
            >>> Position.from_fen("w:w28,k46:bk43").fen()
            'W:W28,K46:BK43'
        """
        to = ctypes.create_string_buffer(FEN_SIZE)
        call(library.einspul_fen_write, encoded(rules, "rules"), to_c(self), to)
        return to.value.decode()

    def moves(self, rules: str = "frisian") -> list["Move"]:
        """Lists all legal moves, without probing.

        Args:
            rules: The name of a rule set.

        Returns:
            The moves, ordered by squares; empty if the side to move has lost.

        Raises:
            BadInputError: The position is not legal under the rule set.

        Example:
            >>> [move.text for move in Position.from_fen("W:W28:B22").moves()]
            ['28x17']
        """
        found = list_moves(library.einspul_moves, encoded(rules, "rules"), self, rules)
        return [move for move, _, _ in found]

    def play(self, move: str, rules: str = "frisian") -> "Position":
        """Plays a legal move.

        Args:
            move: "32-28", "28x39", or the full path of an ambiguous capture.
            rules: The name of a rule set.

        Returns:
            The position after the move, with its rule state updated.

        Raises:
            IllegalMoveError: The text matches no legal move, or more than one.
            BadInputError: The position is not legal under the rule set.

        Example:
            >>> str(Position.from_fen("W:W28:B22").play("28x17"))
            'B:W17:B'
        """
        c = to_c(self)
        call(library.einspul_play, encoded(rules, "rules"), c, encoded(move, "move"))
        return self._from_c(c)

    def advance(
        self, before: "Position", from_square: int, to_square: int, captured: int = 0,
        rules: str = "frisian",
    ) -> "Position":
        """Fills in the rule state after a move, for engines that make moves themselves.

        Args:
            before: The position before the move.
            from_square: Where the piece came from, counted from 1.
            to_square: Where it went, counted from 1.
            captured: Set of the captured squares; 0 for a simple move.
            rules: The name of a rule set.

        Returns:
            This position, which has the pieces and the side to move after a legal move from `before`,
            with king runs, clock and limit. Whether the move is legal is not checked.

        Raises:
            BadInputError: A number is out of range.

        Example:
            >>> before = Position.from_fen("W:W28,K46:BK43")
            >>> after = Position.from_fen("B:W28,K41:BK43")
            >>> str(after.advance(before, 46, 41))
            'B:W28,K41:BK43:H0:F1:+0+141'
        """
        c = to_c(self)
        squares = (
            integer(from_square, "from_square", 1, 64),
            integer(to_square, "to_square", 1, 64),
            integer(captured, "captured", 0, _MAX_SET),
        )
        library.einspul_advance(encoded(rules, "rules"), to_c(before), *squares, c)
        return self._from_c(c)

    def __str__(self) -> str:
        """The FEN (identical under all rule sets of a board), or the field values if the position is
        illegal."""
        try:
            return self.fen()
        except BadInputError:
            return repr(self)

    @property
    def pieces(self) -> int:
        """Number of men and kings of both sides."""
        sets = self.white_men | self.white_kings | self.black_men | self.black_kings
        return bin(sets).count("1")

    @classmethod
    def _from_c(cls, c: CPosition) -> "Position":
        (white_men, black_men), (white_kings, black_kings) = c.men, c.kings
        pieces = white_men, white_kings, black_men, black_kings
        runs = (c.run_square[0], c.run_square[1]), (c.run_count[0], c.run_count[1])
        return cls(*pieces, c.side, c.clock, *runs, c.limited)


def _checked(position: Position) -> Position:
    """Returns a position of plain ints in range; raises an error that names a field out of range."""
    if not isinstance(position, Position):
        raise TypeError(f"expected a Position, not {type(position).__name__}")
    fields: dict[str, Any] = {}
    for name in ("white_men", "white_kings", "black_men", "black_kings"):
        fields[name] = integer(getattr(position, name), name, 0, _MAX_SET)
    for name, most in (("side", BLACK), ("clock", _MAX_BYTE), ("limited", _MAX_BYTE)):
        fields[name] = integer(getattr(position, name), name, 0, most)
    for name in ("run_square", "run_count"):
        try:
            white, black = getattr(position, name)
        except (TypeError, ValueError):
            raise TypeError(f"{name} must be a pair (White, Black)") from None
        fields[name] = integer(white, name, 0, _MAX_BYTE), integer(black, name, 0, _MAX_BYTE)
    return Position(**fields)


def _fits(position: Position) -> bool:
    """True if all fields are ints that fit, which takes a fraction of the time of _checked."""
    try:
        sets = position.white_men | position.white_kings | position.black_men | position.black_kings
        side = position.side
        (square0, square1), (count0, count1) = position.run_square, position.run_count
        small = side | position.clock | position.limited | square0 | square1 | count0 | count1
    except (AttributeError, TypeError, ValueError):
        return False
    return type(sets) is type(small) is int and 0 <= sets <= _MAX_SET and 0 <= small <= _MAX_BYTE and side <= 1


def to_c(position: Position) -> CPosition:
    """Returns the library's form of a position."""
    return _fill(CPosition(), position)


def _fill(to: CPosition, position: Position) -> CPosition:
    """Copies the fields of a position after a range check; the library checks their meaning."""
    if not _fits(position):
        position = _checked(position)
    to.men[0], to.men[1] = position.white_men, position.black_men
    to.kings[0], to.kings[1] = position.white_kings, position.black_kings
    to.side, to.clock, to.limited = position.side, position.clock, position.limited
    to.run_square[0], to.run_square[1] = position.run_square
    to.run_count[0], to.run_count[1] = position.run_count
    return to


@dataclass(frozen=True)
class Move:
    """A legal move.

    Attributes:
        text (str): The notation, e.g. "32-28" or "28x39".
        from_square (int): Counted from 1.
        to_square (int): Counted from 1; equal to `from_square` if a capture ends where it began.
        captured (int): Set of the captured squares.
        after (Position): The position after the move.
    """

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
    """Lists moves with outcome and plies by a function that fills an array of the library's moves.

    Args:
        function: The function.
        tables: Its first argument: a handle, or the name of a rule set.
        position: Its second argument.
        rules: The name of the rule set, for the notation.
    """
    capacity, c = _MAX_MOVES, to_c(position)
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
    """Positions in the library's memory layout; build once and probe repeatedly without conversion.

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
        """Address of the first position, valid as long as the array."""
        return ctypes.addressof(self._items)

    @staticmethod
    def dtype() -> "numpy.dtype[Any]":
        """Returns the layout of a position for NumPy (40 bytes); `men` and `kings` are by side."""
        import numpy

        return numpy.dtype(CPosition)
