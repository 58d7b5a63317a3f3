"""Exact endgame tables for draughts.

>>> import einspul
>>> with einspul.open_tablebase("data/tables") as tables:
...     position = einspul.Position.from_fen("W:W28,K46:BK43")
...     print(tables.probe_wdl(position))
0

Outcomes are 1 (win), 0 (draw) and -1 (loss) for the side to move; distances are plies (moves of one
side) to the end of the game, odd for a win, even for a loss, None for a draw. Squares are numbered as
in draughts notation; a set of squares is an int in which square n is bit n - 1.
"""

from .errors import (
    BadInputError,
    Error,
    IllegalMoveError,
    MissingTableError,
    NotCachedError,
    ResourceError,
    TableFileError,
    UndecidedError,
)
from .position import (
    BLACK,
    WHITE,
    Move,
    Position,
    PositionArray,
    rule_sets,
    version,
)
from .tablebase import (
    RankedMove,
    Result,
    TableInfo,
    Tablebase,
    open_tablebase,
    status_name,
)

__all__ = [
    "BLACK",
    "WHITE",
    "BadInputError",
    "Error",
    "IllegalMoveError",
    "MissingTableError",
    "Move",
    "NotCachedError",
    "Position",
    "PositionArray",
    "RankedMove",
    "ResourceError",
    "Result",
    "TableFileError",
    "TableInfo",
    "Tablebase",
    "UndecidedError",
    "open_tablebase",
    "rule_sets",
    "status_name",
    "version",
]
__version__ = "0.1.0"
