"""Tablebase access. Method names follow python-chess where they mean the same."""

from __future__ import annotations

import ctypes
import os
import threading
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, NamedTuple, NoReturn, Optional, Sequence, Union

from ._library import UNKNOWN, CError, CPosition, CTableInfo
from .position import (
    Move,
    Position,
    PositionArray,
    bad_argument,
    call,
    check,
    encoded,
    integer,
    library,
    list_moves,
    to_c,
)

if TYPE_CHECKING:
    import numpy

_WDL = 1
_DTW = 2
_CACHE_ONLY = 1


class Result(NamedTuple):
    """Value of a position.

    Attributes:
        outcome (int): 1 for a win, 0 for a draw, -1 for a loss of the side to move.
        plies (int | None): Plies to the end of the game; None for a draw, or if the tables store no
            distances.
    """

    outcome: int
    plies: Optional[int]


class RankedMove(NamedTuple):
    """A move and its value.

    Attributes:
        move (Move): The move.
        outcome (int): For the side that makes the move.
        plies (int | None): Plies to the end of the game, counting this move; None as in Result.
    """

    move: Move
    outcome: int
    plies: Optional[int]


@dataclass(frozen=True)
class TableInfo:
    """A material that has a table file.

    Attributes:
        material (str): The name, e.g. "KKMvKM".
        pieces (int): Number of pieces.
        wdl_bytes (int): Size of the file with outcomes; 0 if it is missing.
        dtw_bytes (int): Size of the file with distances; 0 if it is missing.
    """

    material: str
    pieces: int
    wdl_bytes: int
    dtw_bytes: int


Positions = Union[PositionArray, Sequence[Position], Iterable[Position], "numpy.ndarray[Any, Any]"]


class Tablebase:
    """Tables of one rule set.

    Any number of threads may probe one Tablebase concurrently; Python's lock is released during a call.
    """

    def __init__(
        self,
        folders: Union[str, os.PathLike[str], Sequence[Union[str, os.PathLike[str]]]],
        *,
        rules: str = "frisian",
        cache_bytes: int = 256 << 20,
    ) -> None:
        """Opens the tables of a rule set; use it in a `with` statement.

        Args:
            folders: One folder or several, with tables in <folder>/<rules>/, or packs; a table found in
                several is read from the first.
            rules: The name of a rule set.
            cache_bytes: Memory for decoded blocks, allocated at once; 0 caches none.

        Raises:
            MissingTableError: A folder is missing, or none has a table of the rule set.
            BadInputError: `rules` is unknown, or an argument is out of range.
            TableFileError: A folder cannot be read, or a pack is damaged.
            ResourceError: The memory is not available.
        """
        self._handle: Optional[ctypes.c_void_p] = None
        self._n_calls = 0  # running now; guarded by the lock, as is the handle
        self._lock = threading.Lock()
        self.rules = rules
        handle = ctypes.c_void_p()
        n_bytes = integer(cache_bytes, "cache_bytes", 0, _MAX_SIZE)
        name = encoded(rules, "rules")
        call(library.einspul_open, _path_list(folders), name, n_bytes, None, handle)
        self._handle = handle

    def close(self) -> None:
        """Releases files and memory once running calls have ended; closing twice is allowed.

        Later calls raise ValueError.
        """
        with self._lock:
            handle, self._handle = self._handle, None
            if self._n_calls > 0:  # the last of these closes it
                self._closing, handle = handle, None
        if handle is not None:
            library.einspul_close(handle)

    _closing: Optional[ctypes.c_void_p] = None

    def __enter__(self) -> "Tablebase":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()

    def __reduce__(self) -> NoReturn:
        """Copies and pickles would share the handle, and close it twice."""
        raise TypeError("a Tablebase cannot be copied or pickled; open the tables again")

    def _call(self, function: Callable[..., int], *arguments: Any) -> int:
        """Calls a function of the library on the handle, which close() does not close during the call."""
        with self._lock:
            handle = self._handle
            if handle is None:
                raise ValueError("the tablebase is closed")
            self._n_calls += 1
        try:
            return function(handle, *arguments)
        finally:
            with self._lock:
                self._n_calls -= 1
                closing = None
                if self._n_calls == 0:
                    closing, self._closing = self._closing, None
            if closing is not None:
                library.einspul_close(closing)

    # --- one position ---

    def probe(self, position: Position, *, cache_only: bool = False) -> Result:
        """Probes the outcome and the distance of a position.

        Captures are resolved by making them, so a probe may need more than one table.

        Args:
            position: A legal position of at most eight pieces under the rule set of this tablebase.
            cache_only: Do not read or decode anything. Use this in a search that must not wait for the
                disk.

        Returns:
            The outcome for the side to move, and the plies to the end of the game. `plies` is None for a
            draw, and for a win or loss if the tables store outcomes only; see `probe_dtw`.

        Raises:
            BadInputError: The position is not legal under the rule set.
            MissingTableError: A required table is missing; the message names the material.
            NotCachedError: `cache_only` is set and a block is not in the cache.
            UndecidedError: The 25-move rule may draw first.
            TableFileError: A file cannot be read or is damaged; the message names it.
            ValueError: The tablebase is closed.

        Example:
            >>> tables.probe(Position.from_fen("W:WK3,27:BK48"))
            Result(outcome=1, plies=41)
        """
        return Result(*self._probe(position, cache_only)[:2])

    def probe_wdl(self, position: Position, *, cache_only: bool = False) -> int:
        """Probes the outcome of a position.

        Args:
            position: As in `probe`.
            cache_only: As in `probe`.

        Returns:
            1 for a win of the side to move, 0 for a draw, -1 for a loss.

        Raises:
            Error: As in `probe`.

        Example:
            >>> tables.probe_wdl(Position.from_fen("W:W28,K46:BK43"))
            0
        """
        outcome, error = ctypes.c_int(), CError()
        flags = _CACHE_ONLY * bool(cache_only)
        check(self._call(library.einspul_probe, to_c(position), flags, outcome, None, error), error)
        return outcome.value

    def probe_dtw(self, position: Position) -> Optional[int]:
        """Probes the distance of a position.

        Args:
            position: As in `probe`.

        Returns:
            Plies to the end of the game: odd for a win, even for a loss, None for a draw.

        Raises:
            MissingTableError: Also if the tables store no distances.
            Error: As in `probe`.

        Example:
            >>> tables.probe_dtw(Position.from_fen("W:WK46:BK5"))
            2
        """
        _, plies, status, error = self._probe(position, False)
        check(status, error)
        return plies

    def _probe(
        self, position: Position, cache_only: bool
    ) -> tuple[int, Optional[int], int, CError]:
        """Outcome, plies, and the status with its error; raises it if the outcome is not known."""
        outcome, plies, error = ctypes.c_int(), ctypes.c_int(), CError()
        flags = _CACHE_ONLY * bool(cache_only)
        status = self._call(
            library.einspul_probe, to_c(position), flags, outcome, plies, error
        )
        if outcome.value == UNKNOWN:
            check(status, error)
        return outcome.value, None if plies.value < 0 else plies.value, status, error

    # --- many positions ---

    def probe_many(
        self,
        positions: Positions,
        *,
        distances: bool = True,
        statuses: bool = False,
        cache_only: bool = False,
    ) -> Any:
        """Probes many positions in one call.

        Several times as fast as single calls: waits for memory overlap, and arrays need no conversion.

        Args:
            positions: An iterable of Position, a PositionArray, or a NumPy array of
                `PositionArray.dtype()`, which is flattened. A list is converted at each call.
            distances: Also return plies.
            statuses: Return a status for each position instead of raising for the first failure.
            cache_only: As in `probe`.

        Returns:
            `outcomes`, or a tuple (outcomes[, plies][, statuses]), each with one element per position:
            int32 NumPy arrays if the input is a NumPy array, otherwise `array.array("i")`. Outcomes are
            1, 0, -1, or 2 if unknown; plies are -1 for a draw or if they are unknown; statuses are 0 or
            a number for `status_name`.

        Raises:
            TypeError: A NumPy array of another dtype.
            Error: Without `statuses`, the error of the first position whose outcome is unknown.

        Example:
            >>> first = Position.from_fen("W:WK3,27:BK48")
            >>> outcomes, plies = tables.probe_many([first, first])
            >>> list(plies)
            [41, 41]
        """
        n, address, owner, (outcomes, plies, found) = _arrays(positions)
        flags, numbers = _CACHE_ONLY * bool(cache_only), ctypes.c_int * n
        self._call(
            library.einspul_probe_many,
            address,
            n,
            flags,
            numbers.from_buffer(outcomes),
            numbers.from_buffer(plies) if distances else None,
            numbers.from_buffer(found),
        )
        if not statuses and UNKNOWN in outcomes:
            unknown = next(i for i in range(n) if outcomes[i] == UNKNOWN)
            c = CPosition.from_address(address + unknown * ctypes.sizeof(CPosition))
            error = CError()
            self._call(library.einspul_probe, c, flags, None, None, error)  # for the text
            check(found[unknown], error)
        values = (outcomes, plies) if distances else (outcomes,)
        if statuses:
            return (*values, found)
        return values if distances else outcomes

    # --- moves ---

    def moves(self, position: Position) -> list[RankedMove]:
        """Lists all legal moves with their values, best first.

        Args:
            position: As in `probe`; the tables must have the position after every move.

        Returns:
            The moves, each with its outcome for the moving side and its plies, which count the move;
            empty if the side to move has lost.

        Raises:
            Error: As in `probe`, if a move's outcome is unknown.

        Example:
            >>> tables.moves(Position.from_fen("W:WK3,27:BK48"))[0].move.text
            '3-25'
        """

        def probe_moves(_: object, *arguments: Any) -> int:
            return self._call(library.einspul_probe_moves, *arguments)

        return [RankedMove(*ranked) for ranked in list_moves(probe_moves, None, position, self.rules)]

    # --- available tables ---

    def tables(self) -> list[TableInfo]:
        """Lists the materials that have a file.

        Returns:
            One element per material, in the order of generation.

        Raises:
            ValueError: The tablebase is closed.

        Example:
            >>> tables.tables()[0].material
            'KvK'
        """
        n = self._call(library.einspul_list, None, 0)
        found = (CTableInfo * n)()
        self._call(library.einspul_list, found, n)
        return [
            TableInfo(info.material.decode(), info.pieces, info.wdl_bytes, info.dtw_bytes)
            for info in found
        ]

    def complete(self, *, distances: bool = False) -> int:
        """Finds the largest number of pieces up to which every material can be probed.

        Opens all these tables: a damaged or unreadable table does not count.

        Args:
            distances: Require distances, instead of outcomes alone.

        Returns:
            The number of pieces; 0 if none.

        Raises:
            ValueError: The tablebase is closed.

        Example:
            >>> tables.complete() >= 2
            True
        """
        return int(self._call(library.einspul_complete, _metric(distances)))

    def preload(
        self, pieces: int = 8, *, distances: bool = False, max_bytes: Optional[int] = None
    ) -> None:
        """Decodes tables into the cache before a search, fewest pieces first.

        Stops when the cache is full, so nothing already cached is evicted. A table that fails does not
        stop the others.

        Args:
            pieces: Load the materials of 2 to this many pieces.
            distances: Decode distances instead of outcomes.
            max_bytes: Stop after about this many decoded bytes; None for no limit.

        Raises:
            TableFileError, ResourceError: A table failed; the others have been loaded.

        Example:
            >>> tables.preload(3, max_bytes=1 << 20)
        """
        pieces = integer(pieces, "pieces", -(1 << 31), (1 << 31) - 1)
        limit = _MAX_SIZE if max_bytes is None else integer(max_bytes, "max_bytes", 0, _MAX_SIZE)
        error = CError()
        metric = _metric(distances)
        check(self._call(library.einspul_preload, pieces, metric, limit, error), error)


open_tablebase = Tablebase  # alias, as in python-chess


_MAX_SIZE = ctypes.c_size_t(-1).value


def _path_list(folders: Any) -> bytes:
    """Joins folders into the list that the library reads, separated as in PATH.

    Raises:
        BadInputError: A path contains a NUL byte, or, in a list of several, the separator: the list would be
            cut there.
    """
    if isinstance(folders, (str, os.PathLike)):
        folders = [folders]
    paths = [os.fsencode(folder) for folder in folders]
    separator = os.pathsep.encode()
    for path in paths:
        if b"\0" in path:
            raise bad_argument("a path contains a NUL byte")
        if separator in path and len(paths) > 1:
            name = os.fsdecode(path)
            raise bad_argument(f"{name} has a '{os.pathsep}', which separates folders in a list")
    return separator.join(paths)


def _metric(distances: bool) -> int:
    return _DTW if distances else _WDL


def _is_numpy(positions: object) -> bool:
    return type(positions).__module__ == "numpy"


def _arrays(positions: Any) -> tuple[int, int, Any, list[Any]]:
    """The number of positions, their address, the object that owns them, and buffers for three numbers of
    each."""
    if _is_numpy(positions):
        import numpy

        if positions.dtype != PositionArray.dtype():
            raise TypeError(f"expected an array with dtype PositionArray.dtype(), got {positions.dtype}")
        items = numpy.ascontiguousarray(positions).reshape(-1)
        buffers = [numpy.zeros(len(items), dtype=numpy.int32) for _ in range(3)]
        return len(items), items.ctypes.data, items, buffers
    if not isinstance(positions, PositionArray):
        positions = PositionArray(positions)
    zeros = bytes(4 * len(positions))
    return len(positions), positions.address, positions, [array("i", zeros) for _ in range(3)]
