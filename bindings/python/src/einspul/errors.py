"""What can go wrong, as exceptions; each has the library's status number and name."""

from __future__ import annotations


class Error(Exception):
    """A call of the library failed. `status` is its number, `name` as "NO_TABLE"."""

    def __init__(self, status: int, name: str, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.name = name

    def __str__(self) -> str:
        return str(self.args[0])


class BadInputError(Error, ValueError):
    """The caller's position, FEN, rule set, material or argument (status 10 to 19)."""


class IllegalMoveError(BadInputError):
    """No legal move, or one text for several."""


class MissingTableError(Error, KeyError):
    """A table that is needed is not there, or has no distances (status 20, 21, 23)."""

    __str__ = Error.__str__


class NotCachedError(Error):
    """A probe with `cache_only` needs a block that is not in memory (status 22)."""


class UndecidedError(Error):
    """Under international-fmjd a draw by 25 moves of kings may come first, and no table tells
    (status 24)."""


class TableFileError(Error, OSError):
    """A file cannot be read or is damaged; the text names it (status 30 to 39)."""

    __str__ = Error.__str__


class ResourceError(Error):
    """The machine ran out of something (status 40 to 49)."""


_OF_NAME: dict[str, type[Error]] = {
    "BAD_MOVE": IllegalMoveError,
    "NOT_CACHED": NotCachedError,
    "UNDECIDED": UndecidedError,
}
_OF_TENS: dict[int, type[Error]] = dict(
    enumerate((BadInputError, MissingTableError, TableFileError, ResourceError), 1)
)


def error_class(status: int, name: str) -> type[Error]:
    """The exception of a status."""
    return _OF_NAME.get(name, _OF_TENS.get(status // 10, Error))
