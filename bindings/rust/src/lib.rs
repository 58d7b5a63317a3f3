//! Exact endgame tables for draughts, read by the shared library libeinspul.
//!
//! ```no_run
//! use einspul::{Position, Tables};
//!
//! # fn main() -> Result<(), einspul::Error> {
//! let tables = Tables::open("data/tables", "frisian")?;
//! let position = Position::from_fen("W:WK3,27:BK48", "frisian")?;
//! let value = tables.probe(&position)?;
//! println!("{:?}", value.plies); // Some(41)
//! # Ok(())
//! # }
//! ```
//!
//! Squares are numbered as in draughts notation; a set of squares is a `u64` in which square n is bit
//! n - 1. Outcomes are for the side to move, plies are moves of one side to the end of the game.

mod ffi;

use std::ffi::{CStr, CString};
use std::fmt;
use std::mem::MaybeUninit;
use std::os::raw::{c_char, c_int, c_uint};
use std::path::Path;
use std::ptr;

const NOTHING: c_uint = 0;
const CACHE_ONLY: c_uint = 1;
const MOST_MOVES: usize = 64; // in one go; positions with more are asked twice
const BAD_ARGUMENT: c_int = 14;

/// Why a call failed: the library's status number, its name as "NO_TABLE", and one line that names the
/// cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub status: i32,
    pub name: String,
    pub text: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text)
    }
}

impl std::error::Error for Error {}

impl Error {
    fn of_status(status: c_int, text: String) -> Error {
        // The library returns a string that never ends for every number.
        let name = unsafe { string(ffi::einspul_status_name(status)) };
        Error { status, name, text }
    }

    /// A text with a zero byte, which C cannot take.
    fn of_zero_byte() -> Error {
        Error::of_status(BAD_ARGUMENT, "a zero byte in a text".to_owned())
    }
}

pub type Result<T> = std::result::Result<T, Error>;

/// Copies a C string.
///
/// # Safety
/// `text` ends with a zero byte.
unsafe fn string(text: *const c_char) -> String {
    CStr::from_ptr(text).to_string_lossy().into_owned()
}

fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::of_zero_byte())
}

/// Paths as the library takes them: a list of their bytes, on Windows UTF-8.
fn c_paths(paths: &[&Path]) -> Result<CString> {
    let list = std::env::join_paths(paths)
        .map_err(|_| Error::of_status(BAD_ARGUMENT, "a path with a separator in it".to_owned()))?;
    #[cfg(unix)]
    let bytes = std::os::unix::ffi::OsStrExt::as_bytes(list.as_os_str());
    #[cfg(not(unix))]
    let bytes = &*list.to_string_lossy();
    CString::new(bytes).map_err(|_| Error::of_zero_byte())
}

/// Calls a function of the library with room for its error.
fn call(function: impl FnOnce(*mut ffi::Error) -> c_int) -> Result<()> {
    let mut error = MaybeUninit::<ffi::Error>::uninit();
    match function(error.as_mut_ptr()) {
        0 => Ok(()),
        // An error is filled in with every other status.
        status => Err(Error::of_status(status, unsafe { string((*error.as_ptr()).text.as_ptr()) })),
    }
}

/// The version of the library, as "0.1.0".
pub fn version() -> String {
    unsafe { string(ffi::einspul_version()) }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Loss = -1,
    Draw = 0,
    Win = 1,
}

impl Outcome {
    fn of(number: c_int) -> Outcome {
        match number {
            1 => Outcome::Win,
            -1 => Outcome::Loss,
            _ => Outcome::Draw,
        }
    }
}

/// Outcome, and plies to the end of the game with best play; None for a draw,
/// or where the tables have no distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub outcome: Outcome,
    pub plies: Option<u32>,
}

impl Value {
    fn of(outcome: c_int, plies: c_int) -> Value {
        Value { outcome: Outcome::of(outcome), plies: u32::try_from(plies).ok() }
    }
}

/// A position with its rule state: pieces and runs by side (White, Black), the side to move (0 White, 1
/// Black). What the fields after `side` mean einspul.h says; they are 0 in a fresh state. Laid out as in C.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    pub men: [u64; 2],
    pub kings: [u64; 2],
    pub side: u8,
    pub clock: u8,
    pub run_square: [u8; 2],
    pub run_count: [u8; 2],
    pub limited: u8,
    /// 0
    pub reserved: u8,
}

impl Position {
    /// Reads a FEN, rule state included. BAD_FEN, BAD_POSITION, BAD_RULES.
    pub fn from_fen(fen: &str, rules: &str) -> Result<Position> {
        let (rules, fen) = (c_string(rules)?, c_string(fen)?);
        let mut to = Position::default();
        call(|error| unsafe {
            ffi::einspul_fen_read(rules.as_ptr(), fen.as_ptr(), &mut to, error)
        })?;
        Ok(to)
    }

    /// The FEN of a legal position.
    pub fn fen(&self, rules: &str) -> Result<String> {
        let rules = c_string(rules)?;
        let mut fen = [0 as c_char; ffi::FEN_SIZE];
        call(|error| unsafe {
            ffi::einspul_fen_write(rules.as_ptr(), self, fen.as_mut_ptr(), error)
        })?;
        Ok(unsafe { string(fen.as_ptr()) })
    }

    /// All legal moves in the order of squares, without values.
    pub fn moves(&self, rules: &str) -> Result<Vec<Move>> {
        let rules = c_string(rules)?;
        list_moves(&rules, self, |moves, capacity, error| unsafe {
            ffi::einspul_moves(rules.as_ptr(), self, moves, capacity, error)
        })
    }

    /// The position after a legal move, as "32-28", "28x39" or a full path.
    pub fn play(&self, text: &str, rules: &str) -> Result<Position> {
        let (rules, text) = (c_string(rules)?, c_string(text)?);
        let mut to = *self;
        call(|error| unsafe { ffi::einspul_play(rules.as_ptr(), &mut to, text.as_ptr(), error) })?;
        Ok(to)
    }

    /// This position, which has the pieces after a legal move from `before`, with the runs and the clock
    /// after it, for programs that make moves themselves. Nothing is checked.
    pub fn advance(
        &self,
        before: &Position,
        from: u8,
        to: u8,
        captured: u64,
        rules: &str,
    ) -> Result<Position> {
        let rules = c_string(rules)?;
        let mut after = *self;
        let (from, to) = (c_int::from(from), c_int::from(to));
        unsafe { ffi::einspul_advance(rules.as_ptr(), before, from, to, captured, &mut after) };
        Ok(after)
    }
}

/// A legal move. `value` is for the side that makes the move, this move included, and None where no
/// tables were asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub text: String,
    pub from: u8,
    pub to: u8,
    pub captured: u64,
    pub after: Position,
    pub value: Option<Value>,
}

/// What a function of the library lists, asked again where there are more moves than room.
fn list_moves(
    rules: &CString,
    position: &Position,
    fill: impl Fn(*mut ffi::Move, c_int, *mut ffi::Error) -> c_int,
) -> Result<Vec<Move>> {
    let mut found = Vec::with_capacity(MOST_MOVES);
    let mut n = 0;
    loop {
        let room = found.capacity();
        let capacity = c_int::try_from(room).unwrap_or(c_int::MAX);
        call(|error| {
            let listed = fill(found.as_mut_ptr(), capacity, error);
            n = usize::try_from(listed).unwrap_or(0);
            if listed < 0 {
                unsafe { (*error).status }
            } else {
                0
            }
        })?;
        if n <= room {
            break;
        }
        found.reserve(n);
    }
    unsafe { found.set_len(n) }; // filled by the call
    found.iter().map(|c| move_of(rules, position, c)).collect()
}

fn move_of(rules: &CString, position: &Position, c: &ffi::Move) -> Result<Move> {
    let mut text = [0 as c_char; ffi::MOVE_TEXT_SIZE];
    call(|error| unsafe {
        ffi::einspul_move_write(rules.as_ptr(), position, c, text.as_mut_ptr(), error)
    })?;
    let outcome = c_int::from(c.outcome);
    Ok(Move {
        text: unsafe { string(text.as_ptr()) },
        from: c.from,
        to: c.to,
        captured: c.captured,
        after: c.after,
        value: (outcome != ffi::UNKNOWN).then(|| Value::of(outcome, c_int::from(c.plies))),
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    Outcomes = 1,
    Distances = 2,
}

/// Open tables of one rule set; closed when dropped. Any number of threads may probe at once.
pub struct Tables {
    handle: *mut ffi::Handle,
    rules: CString,
}

// The library locks what calls share; only closing needs a handle for itself, and drop has that.
unsafe impl Send for Tables {}
unsafe impl Sync for Tables {}

impl Drop for Tables {
    fn drop(&mut self) {
        unsafe { ffi::einspul_close(self.handle) }
    }
}

impl Tables {
    /// Opens the tables in `folder`/`rules`. NO_FOLDER, BAD_RULES, IO.
    pub fn open(folder: impl AsRef<Path>, rules: &str) -> Result<Tables> {
        Tables::open_all(&[folder.as_ref()], rules, None)
    }

    /// Opens tables in several folders or packs, the first hit counts; `cache_bytes` bounds the memory for
    /// decoded blocks, 256 MiB unless given.
    pub fn open_all(folders: &[&Path], rules: &str, cache_bytes: Option<usize>) -> Result<Tables> {
        let rules = c_string(rules)?;
        let paths = c_paths(folders)?;
        let bytes = cache_bytes.unwrap_or(256 << 20);
        let mut handle = ptr::null_mut();
        call(|error| unsafe {
            ffi::einspul_open(
                paths.as_ptr(),
                rules.as_ptr(),
                bytes,
                ptr::null(),
                &mut handle,
                error,
            )
        })?;
        Ok(Tables { handle, rules })
    }

    /// Outcome, and plies where the tables have distances. NO_TABLE names the material that is missing.
    pub fn probe(&self, position: &Position) -> Result<Value> {
        self.ask(position, Metric::Distances, NOTHING)
    }

    /// The outcome alone.
    pub fn probe_wdl(&self, position: &Position) -> Result<Outcome> {
        Ok(self.ask(position, Metric::Outcomes, NOTHING)?.outcome)
    }

    /// The outcome where that needs no reading or decoding; NOT_CACHED elsewhere.
    pub fn probe_cached(&self, position: &Position) -> Result<Outcome> {
        Ok(self.ask(position, Metric::Outcomes, CACHE_ONLY)?.outcome)
    }

    fn ask(&self, position: &Position, metric: Metric, flags: c_uint) -> Result<Value> {
        let (mut outcome, mut plies) = (ffi::UNKNOWN, -1);
        let to: *mut c_int = if metric == Metric::Distances { &mut plies } else { ptr::null_mut() };
        let done = call(|error| unsafe {
            ffi::einspul_probe(self.handle, position, flags, &mut outcome, to, error)
        });
        match outcome {
            ffi::UNKNOWN => done.map(|_| Value::of(outcome, plies)),
            _ => Ok(Value::of(outcome, plies)), // without a distance too
        }
    }

    /// Outcome and plies of many positions, faster than one after another.
    pub fn probe_many(&self, positions: &[Position]) -> Vec<Result<Value>> {
        let n = positions.len();
        let (mut outcomes, mut plies) = (vec![ffi::UNKNOWN; n], vec![-1; n]);
        unsafe {
            ffi::einspul_probe_many(
                self.handle,
                positions.as_ptr(),
                n,
                NOTHING,
                outcomes.as_mut_ptr(),
                plies.as_mut_ptr(),
                ptr::null_mut(),
            )
        };
        (0..n)
            .map(|i| match outcomes[i] {
                ffi::UNKNOWN => self.probe(&positions[i]), // for its error
                outcome => Ok(Value::of(outcome, plies[i])),
            })
            .collect()
    }

    /// All legal moves with their values, best first.
    pub fn moves(&self, position: &Position) -> Result<Vec<Move>> {
        list_moves(&self.rules, position, |moves, capacity, error| unsafe {
            ffi::einspul_probe_moves(self.handle, position, moves, capacity, error)
        })
    }

    /// The largest number of pieces up to which every material can be answered; 0 for none.
    pub fn complete(&self, metric: Metric) -> u32 {
        let n = unsafe { ffi::einspul_complete(self.handle, metric as c_int) };
        u32::try_from(n).unwrap_or(0)
    }
}
