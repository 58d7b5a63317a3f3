//! The part of einspul.h that the crate calls, with its layouts and numbers.

use std::os::raw::{c_char, c_int, c_uint};

pub const FEN_SIZE: usize = 320;
pub const ERROR_TEXT_SIZE: usize = 320;
pub const MOVE_TEXT_SIZE: usize = 160;
pub const PATH_SIZE: usize = 52;
pub const MATERIAL_SIZE: usize = 12;

#[repr(C)]
pub struct Error {
    pub status: c_int,
    pub text: [c_char; ERROR_TEXT_SIZE],
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Position {
    pub men: [u64; 2],
    pub kings: [u64; 2],
    pub side: u8,
    pub clock: u8,
    pub run_square: [u8; 2],
    pub run_count: [u8; 2],
    pub limited: u8,
    pub reserved: u8,
}

#[repr(C)]
pub struct Handle {
    _private: [u8; 0],
}

#[repr(C)]
pub struct Options {
    pub size: usize,
    pub folders: *const *const c_char,
    pub n_folders: usize,
    pub rules: *const c_char,
    pub cache_bytes: usize,
    pub io: c_int,
    pub callbacks: *const std::ffi::c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Move {
    pub text: [c_char; MOVE_TEXT_SIZE],
    pub from: u8,
    pub to: u8,
    pub n_path: u8,
    pub path: [u8; PATH_SIZE],
    pub captured: u64,
    pub after: Position,
    pub outcome: c_int,
    pub plies: c_int,
}

// As a C compiler lays them out.
const _: () = assert!(std::mem::size_of::<Position>() == 40);
const _: () = assert!(std::mem::size_of::<Move>() == 272);
const _: () = assert!(std::mem::size_of::<Error>() == 324);

extern "C" {
    pub fn einspul_version() -> *const c_char;
    pub fn einspul_status_name(status: c_int) -> *const c_char;
    pub fn einspul_options_init_sized(options: *mut Options, size: usize);
    pub fn einspul_open(options: *const Options, handle: *mut *mut Handle, error: *mut Error) -> c_int;
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
        capacity: usize,
        n_moves: *mut usize,
        error: *mut Error,
    ) -> c_int;
    pub fn einspul_play(
        rules: *const c_char,
        position: *const Position,
        text: *const c_char,
        after: *mut Position,
        error: *mut Error,
    ) -> c_int;
    pub fn einspul_probe_wdl(
        handle: *mut Handle,
        position: *const Position,
        flags: c_uint,
        outcome: *mut c_int,
        error: *mut Error,
    ) -> c_int;
    pub fn einspul_probe_dtw(
        handle: *mut Handle,
        position: *const Position,
        flags: c_uint,
        outcome: *mut c_int,
        plies: *mut c_int,
        error: *mut Error,
    ) -> c_int;
    pub fn einspul_probe_dtw_batch(
        handle: *mut Handle,
        positions: *const Position,
        n: usize,
        flags: c_uint,
        outcomes: *mut c_int,
        plies: *mut c_int,
        statuses: *mut c_int,
        error: *mut Error,
    ) -> c_int;
    pub fn einspul_probe_bounds(
        handle: *mut Handle,
        position: *const Position,
        flags: c_uint,
        worst: *mut c_int,
        best: *mut c_int,
        error: *mut Error,
    ) -> c_int;
    pub fn einspul_probe_moves(
        handle: *mut Handle,
        position: *const Position,
        moves: *mut Move,
        capacity: usize,
        n_moves: *mut usize,
        error: *mut Error,
    ) -> c_int;
    pub fn einspul_missing(
        handle: *const Handle,
        pieces: c_int,
        metric: c_int,
        materials: *mut [c_char; MATERIAL_SIZE],
        capacity: usize,
    ) -> usize;
    pub fn einspul_complete(handle: *mut Handle, metric: c_int) -> c_int;
}
