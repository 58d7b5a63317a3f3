"""Exact endgame tables for draughts.

>>> import einspul
>>> with einspul.open_tablebase("data/tables") as tables:
...     position = einspul.Position.from_fen("W:W28,K46:BK43")
...     print(tables.probe_wdl(position))
0

Outcomes are 1 (win), 0 (draw) and -1 (loss) for the side to move; distances count plies to the end
of the game under optimal play: odd for a win, even for a loss, None for a draw. Squares are numbered as
in draughts notation; a set of squares is an int in which square n is bit n - 1.
"""

# `X as X` re-exports the names for type checkers (PEP 484).
from .errors import (
    BadInputError as BadInputError,
    Error as Error,
    IllegalMoveError as IllegalMoveError,
    MissingTableError as MissingTableError,
    NotCachedError as NotCachedError,
    ResourceError as ResourceError,
    TableFileError as TableFileError,
    UndecidedError as UndecidedError,
)
from .position import (
    BLACK as BLACK,
    WHITE as WHITE,
    Move as Move,
    Position as Position,
    PositionArray as PositionArray,
    rule_sets as rule_sets,
    status_name as status_name,
    version as version,
)
from .tablebase import (
    RankedMove as RankedMove,
    Result as Result,
    TableInfo as TableInfo,
    Tablebase as Tablebase,
    open_tablebase as open_tablebase,
)

__version__ = "0.1.0"
