"""The shared library by ctypes: its structures, its functions, and where it is found.

Searched in order: the file that EINSPUL_LIBRARY names, a library inside the package (a platform
wheel), and the system's library path. Nothing is compiled.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import pathlib
from ctypes import POINTER, c_char, c_char_p, c_int, c_size_t, c_uint8, c_uint64, c_uint, c_void_p

FEN_SIZE = 320
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


class COptions(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("folders", POINTER(c_char_p)),
        ("n_folders", c_size_t),
        ("rules", c_char_p),
        ("cache_bytes", c_size_t),
        ("io", c_int),
        ("callbacks", c_void_p),
    ]


class CMove(ctypes.Structure):
    _fields_ = [
        ("text", c_char * 160),
        ("from_square", c_uint8),
        ("to_square", c_uint8),
        ("n_path", c_uint8),
        ("path", c_uint8 * 52),
        ("captured", c_uint64),
        ("after", CPosition),
        ("outcome", c_int),
        ("plies", c_int),
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


class CGame(ctypes.Structure):
    _fields_ = [
        ("start", CPosition),
        ("n_squares", c_int),
        ("n_rows", c_int),
        ("pdn_game_type", c_int),
    ]


class CCounters(ctypes.Structure):
    _fields_ = [
        ("hits", c_uint64),
        ("misses", c_uint64),
        ("decoded_blocks", c_uint64),
        ("decoded_bytes", c_uint64),
        ("decoding_ns", c_uint64),
        ("cached_bytes", c_uint64),
    ]


_HANDLE = c_void_p
_POSITION = POINTER(CPosition)
_ERROR = POINTER(CError)
_INT = POINTER(c_int)

# name: (result, arguments), as einspul.h declares them
_FUNCTIONS: dict[str, tuple[object, list[object]]] = {
    "einspul_version": (c_char_p, []),
    "einspul_status_name": (c_char_p, [c_int]),
    "einspul_rules_list": (POINTER(c_char_p), []),
    "einspul_options_init_sized": (None, [POINTER(COptions), c_size_t]),
    "einspul_open": (c_int, [POINTER(COptions), POINTER(_HANDLE), _ERROR]),
    "einspul_close": (None, [_HANDLE]),
    "einspul_fen_read": (c_int, [c_char_p, c_char_p, _POSITION, _ERROR]),
    "einspul_fen_write": (c_int, [c_char_p, _POSITION, c_char_p, _ERROR]),
    "einspul_moves": (
        c_int,
        [c_char_p, _POSITION, POINTER(CMove), c_size_t, POINTER(c_size_t), _ERROR],
    ),
    "einspul_play": (c_int, [c_char_p, _POSITION, c_char_p, _POSITION, _ERROR]),
    "einspul_play_squares": (
        c_int,
        [c_char_p, _POSITION, c_int, c_int, c_uint64, _POSITION, _ERROR],
    ),
    "einspul_get_game_sized": (c_int, [c_char_p, POINTER(CGame), c_size_t, _ERROR]),
    "einspul_probe_wdl": (c_int, [_HANDLE, _POSITION, c_uint, _INT, _ERROR]),
    "einspul_probe_dtw": (c_int, [_HANDLE, _POSITION, c_uint, _INT, _INT, _ERROR]),
    "einspul_probe_bounds": (c_int, [_HANDLE, _POSITION, c_uint, _INT, _INT, _ERROR]),
    "einspul_probe_wdl_batch": (
        c_int,
        [_HANDLE, c_void_p, c_size_t, c_uint, c_void_p, c_void_p, _ERROR],
    ),
    "einspul_probe_dtw_batch": (
        c_int,
        [_HANDLE, c_void_p, c_size_t, c_uint, c_void_p, c_void_p, c_void_p, _ERROR],
    ),
    "einspul_probe_moves": (
        c_int,
        [_HANDLE, _POSITION, POINTER(CMove), c_size_t, POINTER(c_size_t), _ERROR],
    ),
    "einspul_list": (c_size_t, [_HANDLE, POINTER(CTableInfo), c_size_t]),
    "einspul_missing": (c_size_t, [_HANDLE, c_int, c_int, c_void_p, c_size_t]),
    "einspul_complete": (c_int, [_HANDLE, c_int]),
    "einspul_ready": (c_int, [_HANDLE, _POSITION, c_int, c_uint]),
    "einspul_preload": (
        c_int,
        [_HANDLE, c_char_p, c_int, c_int, c_size_t, POINTER(c_uint64), _ERROR],
    ),
    "einspul_get_counters_sized": (None, [_HANDLE, POINTER(CCounters), c_size_t]),
}


def _candidates() -> list[str]:
    named = os.environ.get("EINSPUL_LIBRARY")
    if named:
        return [named]
    folder = pathlib.Path(__file__).parent
    inside = sorted(str(path) for path in folder.glob("libeinspul.*"))
    found = ctypes.util.find_library("einspul")
    return inside + ([found] if found else [])


def load() -> ctypes.CDLL:
    """The shared library; OSError says where it was looked for."""
    candidates = _candidates()
    if not candidates:
        raise OSError(
            "libeinspul is not installed; install it, or name the file in EINSPUL_LIBRARY"
        )
    library = ctypes.CDLL(candidates[0])
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library
