//! Raw declarations from einspul.h; tests/install/layouts.py checks them against the header.

use std::os::raw::{c_char, c_int, c_uint, c_void};

use super::Position;

pub const FEN_SIZE: usize = 320;
pub const ERROR_TEXT_SIZE: usize = 320;
pub const MOVE_TEXT_SIZE: usize = 160;
pub const UNKNOWN: c_int = 2;

#[repr(C)]
pub struct Error {
    pub status: c_int,
    pub text: [c_char; ERROR_TEXT_SIZE],
}

#[repr(C)]
pub struct Handle {
    _private: [u8; 0],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Move {
    pub after: Position,
    pub captured: u64,
    pub from: u8,
    pub to: u8,
    pub outcome: i8,
    pub reserved: u8,
    pub plies: i16,
}

extern "C" {
    pub fn einspul_version() -> *const c_char;
    pub fn einspul_status_name(status: c_int) -> *const c_char;
    pub fn einspul_open(
        tables: *const c_char,
        rules: *const c_char,
        cache_bytes: usize,
        callbacks: *const c_void,
        handle: *mut *mut Handle,
        error: *mut Error,
    ) -> c_int;
    pub fn einspul_close(handle: *mut Handle);
    pub fn einspul_fen_read(
        rules: *const c_char,
        fen: *const c_char,
        position: *mut Position,
        error: *mut Error,
    ) -> c_int;
    pub fn einspul_fen_write(
        rules: *const c_char,
        position: *const Position,
        fen: *mut c_char,
        error: *mut Error,
    ) -> c_int;
    pub fn einspul_moves(
        rules: *const c_char,
        position: *const Position,
        moves: *mut Move,
        capacity: c_int,
        error: *mut Error,
    ) -> c_int;
    pub fn einspul_move_write(
        rules: *const c_char,
        position: *const Position,
        move_: *const Move,
        text: *mut c_char,
        error: *mut Error,
    ) -> c_int;
    pub fn einspul_play(
        rules: *const c_char,
        position: *mut Position,
        text: *const c_char,
        error: *mut Error,
    ) -> c_int;
    pub fn einspul_advance(
        rules: *const c_char,
        before: *const Position,
        from: c_int,
        to: c_int,
        captured: u64,
        after: *mut Position,
    );
    pub fn einspul_probe(
        handle: *mut Handle,
        position: *const Position,
        flags: c_uint,
        outcome: *mut c_int,
        plies: *mut c_int,
        error: *mut Error,
    ) -> c_int;
    pub fn einspul_probe_many(
        handle: *mut Handle,
        positions: *const Position,
        n: usize,
        flags: c_uint,
        outcomes: *mut c_int,
        plies: *mut c_int,
        statuses: *mut c_int,
    ) -> usize;
    pub fn einspul_probe_moves(
        handle: *mut Handle,
        position: *const Position,
        moves: *mut Move,
        capacity: c_int,
        error: *mut Error,
    ) -> c_int;
    pub fn einspul_complete(handle: *mut Handle, metric: c_int) -> c_int;
}
