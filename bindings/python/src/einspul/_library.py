"""ctypes declarations of the C API, and the search for the shared library.

Searched in order: the file that EINSPUL_LIBRARY names, a library inside the package (a platform
wheel), and the system's library path. Nothing is compiled.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import pathlib
from ctypes import POINTER, c_char, c_char_p, c_int, c_int8, c_int16, c_size_t, c_uint8, c_uint64
from ctypes import c_uint, c_void_p

FEN_SIZE = 320
MOVE_TEXT_SIZE = 160
UNKNOWN = 2
ERROR_TEXT_SIZE = 320
MATERIAL_SIZE = 12


class CError(ctypes.Structure):
    _fields_ = [("status", c_int), ("text", c_char * ERROR_TEXT_SIZE)]


class CPosition(ctypes.Structure):
    _fields_ = [
        ("men", c_uint64 * 2),
        ("kings", c_uint64 * 2),
        ("side", c_uint8),
        ("clock", c_uint8),
        ("run_square", c_uint8 * 2),
        ("run_count", c_uint8 * 2),
        ("limited", c_uint8),
        ("reserved", c_uint8),
    ]


class CMove(ctypes.Structure):
    _fields_ = [
        ("after", CPosition),
        ("captured", c_uint64),
        ("from_square", c_uint8),
        ("to_square", c_uint8),
        ("outcome", c_int8),
        ("reserved", c_uint8),
        ("plies", c_int16),
    ]


class CTableInfo(ctypes.Structure):
    _fields_ = [
        ("material", c_char * MATERIAL_SIZE),
        ("has_wdl", c_int),
        ("has_dtw", c_int),
        ("pieces", c_int),
        ("wdl_bytes", c_uint64),
        ("dtw_bytes", c_uint64),
    ]


_HANDLE = c_void_p
_POSITION = POINTER(CPosition)
_ERROR = POINTER(CError)
_INT = POINTER(c_int)
_MOVES = POINTER(CMove)

# name: (result, arguments), as einspul.h declares them
_FUNCTIONS: dict[str, tuple[object, list[object]]] = {
    "einspul_version": (c_char_p, []),
    "einspul_status_name": (c_char_p, [c_int]),
    "einspul_rules_list": (POINTER(c_char_p), []),
    "einspul_open": (c_int, [c_char_p, c_char_p, c_size_t, c_void_p, POINTER(_HANDLE), _ERROR]),
    "einspul_close": (None, [_HANDLE]),
    "einspul_fen_read": (c_int, [c_char_p, c_char_p, _POSITION, _ERROR]),
    "einspul_fen_write": (c_int, [c_char_p, _POSITION, c_char_p, _ERROR]),
    "einspul_moves": (c_int, [c_char_p, _POSITION, _MOVES, c_int, _ERROR]),
    "einspul_move_write": (c_int, [c_char_p, _POSITION, _MOVES, c_char_p, _ERROR]),
    "einspul_play": (c_int, [c_char_p, _POSITION, c_char_p, _ERROR]),
    "einspul_advance": (None, [c_char_p, _POSITION, c_int, c_int, c_uint64, _POSITION]),
    "einspul_probe": (c_int, [_HANDLE, _POSITION, c_uint, _INT, _INT, _ERROR]),
    "einspul_probe_many": (
        c_size_t,
        [_HANDLE, c_void_p, c_size_t, c_uint, c_void_p, c_void_p, c_void_p],
    ),
    "einspul_probe_moves": (c_int, [_HANDLE, _POSITION, _MOVES, c_int, _ERROR]),
    "einspul_list": (c_size_t, [_HANDLE, POINTER(CTableInfo), c_size_t]),
    "einspul_complete": (c_int, [_HANDLE, c_int]),
    "einspul_preload": (c_int, [_HANDLE, c_int, c_int, c_size_t, _ERROR]),
}


def load() -> ctypes.CDLL:
    """Loads the shared library. Raises OSError if it cannot be found."""
    inside = sorted(pathlib.Path(__file__).parent.glob("libeinspul.*"))
    path = os.environ.get("EINSPUL_LIBRARY") or (inside[0] if inside else None)
    path = path or ctypes.util.find_library("einspul")
    if path is None:
        raise OSError(
            "libeinspul is not installed; install it, or name the file in EINSPUL_LIBRARY"
        )
    library = ctypes.CDLL(str(path))
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library
