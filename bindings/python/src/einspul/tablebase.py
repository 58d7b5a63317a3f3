"""Open tables and what they answer. Names follow python-chess where the thing is the same."""

from __future__ import annotations

import ctypes
import os
import threading
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, NamedTuple, Optional, Sequence, Union

from ._library import UNKNOWN, CError, CPosition, CTableInfo
from .errors import MissingTableError, UndecidedError
from .position import Move, Position, PositionArray, call, check, library, list_moves

if TYPE_CHECKING:
    import numpy

_WDL = 1
_DTW = 2
_CACHE_ONLY = 1


class Result(NamedTuple):
    """Outcome (1, 0, -1) for the side to move, and plies to the end of the game; None for a
    draw, or where the tables have no distances."""

    outcome: int
    plies: Optional[int]


class RankedMove(NamedTuple):
    """A move, its outcome for the side that makes it, and plies to the end, this move included."""

    move: Move
    outcome: int
    plies: Optional[int]


@dataclass(frozen=True)
class TableInfo:
    """A material that has a file; sizes are in bytes, 0 when there is none."""

    material: str
    pieces: int
    wdl_bytes: int
    dtw_bytes: int


Positions = Union[PositionArray, Sequence[Position], Iterable[Position], "numpy.ndarray[Any, Any]"]


class Tablebase:
    """Tables of one rule set. Any number of threads may probe one Tablebase at once; the library does
    not hold Python's lock meanwhile. Close it when no other thread uses it."""

    def __init__(
        self,
        folders: Union[str, os.PathLike[str], Sequence[Union[str, os.PathLike[str]]]],
        *,
        rules: str = "frisian",
        cache_bytes: int = 256 << 20,
    ) -> None:
        """Opens the tables of a rule set; use it in a `with` statement. `folders` are roots, with tables in
        <folder>/<rules>/, or packs. `cache_bytes` bounds the memory for decoded blocks.
        MissingTableError where a folder is missing or empty."""
        if isinstance(folders, (str, os.PathLike)):
            folders = [folders]
        paths = os.pathsep.encode().join(os.fsencode(folder) for folder in folders)
        handle = ctypes.c_void_p()
        self._handle: Optional[ctypes.c_void_p] = None
        self._lock = threading.Lock()
        self.rules = rules
        call(library.einspul_open, paths, rules.encode(), cache_bytes, None, handle)
        self._handle = handle

    def close(self) -> None:
        """Releases files and memory; closing twice is allowed."""
        with self._lock:
            handle, self._handle = self._handle, None
        if handle is not None:
            library.einspul_close(handle)

    def __enter__(self) -> "Tablebase":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()

    def _open(self) -> ctypes.c_void_p:
        if self._handle is None:
            raise ValueError("the tablebase is closed")
        return self._handle

    # --- one position ---

    def probe(self, position: Position, *, cache_only: bool = False) -> Result:
        """Outcome and plies. MissingTableError names the material that is not there; with
        `cache_only` nothing is read or decoded, and NotCachedError says that it had to be."""
        outcome, plies = self._probe(position, cache_only)[:2]
        return Result(outcome, plies)

    def probe_wdl(self, position: Position, *, cache_only: bool = False) -> int:
        """1 for a win of the side to move, 0 for a draw, -1 for a loss. Errors as probe."""
        outcome = ctypes.c_int()
        call(library.einspul_probe, self._open(), position._to_c(), _CACHE_ONLY * cache_only, outcome, None)
        return outcome.value

    def probe_dtw(self, position: Position) -> Optional[int]:
        """Plies to the end of the game: odd for a win, even for a loss, None for a draw."""
        _, plies, status, error = self._probe(position, False)
        check(status, error)
        return plies

    def _probe(
        self, position: Position, cache_only: bool
    ) -> tuple[int, Optional[int], int, CError]:
        """Outcome, plies, and the status with its error; raises it if the outcome is not known."""
        outcome, plies, error = ctypes.c_int(), ctypes.c_int(), CError()
        status = library.einspul_probe(
            self._open(), position._to_c(), _CACHE_ONLY * cache_only, outcome, plies, error
        )
        if outcome.value == UNKNOWN:
            check(status, error)
        return outcome.value, None if plies.value < 0 else plies.value, status, error

    def get_wdl(self, position: Position, default: Optional[int] = None) -> Optional[int]:
        """As probe_wdl, but `default` where a table is missing, or does not decide."""
        try:
            return self.probe_wdl(position)
        except (MissingTableError, UndecidedError):
            return default

    def get_dtw(self, position: Position, default: Optional[int] = None) -> Optional[int]:
        """As probe_dtw, but `default` where a table is missing, or does not decide."""
        try:
            return self.probe_dtw(position)
        except (MissingTableError, UndecidedError):
            return default

    # --- many positions ---

    def probe_many(
        self,
        positions: Positions,
        *,
        distances: bool = True,
        statuses: bool = False,
        cache_only: bool = False,
    ) -> Any:
        """Outcomes, and plies with `distances` (-1 for a draw), of many positions at once.

        Returns outcomes or a tuple: (outcomes, plies), and with `statuses` last the status of each
        position, 0 where it was answered, else a number that `status_name` tells; its outcome is then
        2, and the others are answered nevertheless. Without `statuses` the first position that cannot
        be answered raises its exception. NumPy arrays of int32 for a NumPy array of
        PositionArray.dtype(), else array.array('i'). Several times as fast as single calls.
        """
        n, address, keep, (outcomes, plies, found) = _arrays(positions)
        flags, numbers = _CACHE_ONLY * cache_only, ctypes.c_int * n
        library.einspul_probe_many(
            self._open(),
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
            library.einspul_probe(self._open(), c, flags, None, None, error)  # for the text
            check(found[unknown], error)
        values = (outcomes, plies) if distances else (outcomes,)
        if statuses:
            return (*values, found)
        return values if distances else outcomes

    # --- moves and lines ---

    def moves(self, position: Position) -> list[RankedMove]:
        """All legal moves, best first, each with what it is worth to the side that makes it."""
        found = list_moves(library.einspul_probe_moves, self._open(), position, self.rules)
        return [RankedMove(*ranked) for ranked in found]

    def line(self, position: Position, drawn_plies: int = 20) -> list[Move]:
        """An optimal line: to the end of a won or lost game, of a drawn one `drawn_plies` plies."""
        plies = self.probe(position).plies
        found: list[Move] = []
        while len(found) < (drawn_plies if plies is None else plies):
            ranked = self.moves(position)
            if not ranked:
                break
            found.append(ranked[0].move)
            position = ranked[0].move.after
        return found

    def play(self, position: Position, move: str) -> Position:
        """The position after a legal move under the tables' rule set."""
        return position.play(move, self.rules)

    # --- what is there ---

    def tables(self) -> list[TableInfo]:
        """Materials that have a file, in the order of generation."""
        n = library.einspul_list(self._open(), None, 0)
        found = (CTableInfo * n)()
        library.einspul_list(self._open(), found, n)
        return [
            TableInfo(info.material.decode(), info.pieces, info.wdl_bytes, info.dtw_bytes)
            for info in found
        ]

    def complete(self, *, distances: bool = False) -> int:
        """The largest number of pieces up to which every material can be answered; 0 for none. Opens
        all tables: one that is damaged, or there by name only, does not count."""
        return int(library.einspul_complete(self._open(), _metric(distances)))

    def preload(
        self, pieces: int = 8, *, distances: bool = False, most_bytes: Optional[int] = None
    ) -> None:
        """Decodes the tables of up to so many pieces into the cache, until it is full or some
        `most_bytes` are decoded."""
        room = ctypes.c_size_t(-1).value if most_bytes is None else most_bytes
        call(library.einspul_preload, self._open(), pieces, _metric(distances), room)


open_tablebase = Tablebase  # the name that python-chess has for it


def _metric(distances: bool) -> int:
    return _DTW if distances else _WDL


def _is_numpy(positions: object) -> bool:
    return type(positions).__module__ == "numpy"


def _arrays(positions: Any) -> tuple[int, int, Any, list[Any]]:
    """The number of positions, where they lie, what must live meanwhile, and room for three numbers of
    each."""
    if _is_numpy(positions):
        import numpy

        if positions.dtype != PositionArray.dtype():
            raise TypeError(f"expected an array with dtype PositionArray.dtype(), got {positions.dtype}")
        items = numpy.ascontiguousarray(positions).reshape(-1)
        room = [numpy.zeros(len(items), dtype=numpy.int32) for _ in range(3)]
        return len(items), items.ctypes.data, items, room
    if not isinstance(positions, PositionArray):
        positions = PositionArray(positions)
    zeros = bytes(4 * len(positions))
    return len(positions), positions.address, positions, [array("i", zeros) for _ in range(3)]
