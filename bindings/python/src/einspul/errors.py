"""Exceptions. Each carries the library's status number and status name."""

from __future__ import annotations


class Error(Exception):
    """Base class: a library call failed.

    Attributes:
        status (int): The status number, stable across versions.
        name (str): The name of the status, e.g. "NO_TABLE".
    """

    def __init__(self, status: int, name: str, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.name = name

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[type[Error], tuple[int, str, str]]:
        return type(self), (self.status, self.name, str(self))


class BadInputError(Error, ValueError):
    """Invalid position, FEN, rule set, material or argument (status 10-19)."""


class IllegalMoveError(BadInputError):
    """The text matches no legal move, or more than one."""


class MissingTableError(Error, KeyError):
    """A required table or folder is missing, or has no distances (status 20, 21, 23)."""

    __str__ = Error.__str__


class NotCachedError(Error):
    """A probe with `cache_only` needs a block that is not in the cache (status 22)."""


class UndecidedError(Error):
    """The 25-move rule may draw the game first, which tables cannot decide (status 24)."""


class TableFileError(Error, OSError):
    """A file cannot be read or is damaged; the message names it (status 30-39)."""

    __str__ = Error.__str__
    __reduce__ = Error.__reduce__


class ResourceError(Error):
    """Out of memory, or another resource is exhausted (status 40-49)."""


_OF_NAME: dict[str, type[Error]] = {
    "BAD_MOVE": IllegalMoveError,
    "NOT_CACHED": NotCachedError,
    "UNDECIDED": UndecidedError,
}
_OF_TENS: dict[int, type[Error]] = dict(
    enumerate((BadInputError, MissingTableError, TableFileError, ResourceError), 1)
)


def error_class(status: int, name: str) -> type[Error]:
    """Returns the exception class of a status."""
    return _OF_NAME.get(name, _OF_TENS.get(status // 10, Error))
