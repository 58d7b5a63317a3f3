//! Exact endgame tables for draughts, read by the shared library libeinspul.
//!
//! ```
//! use einspul::{Position, Tables};
//!
//! # fn main() -> Result<(), einspul::Error> {
//! # let folder = std::env::var("EINSPUL_TABLES").unwrap();
//! let tables = Tables::open(folder, "frisian")?;
//! let position = Position::from_fen("W:WK3,27:BK48", "frisian")?;
//! let value = tables.probe(&position)?;
//! assert_eq!(value.plies, Some(41));
//! # Ok(())
//! # }
//! ```
//!
//! Squares are numbered from 1 as in draughts notation; a set of squares is a `u64` in which square n is
//! bit n - 1. Plies count the moves of both sides.

#![warn(missing_docs)]

mod ffi;

use std::ffi::{CStr, CString};
use std::fmt;
use std::mem::MaybeUninit;
use std::os::raw::{c_char, c_int, c_uint};
use std::path::Path;
use std::ptr;

const NOTHING: c_uint = 0;
const CACHE_ONLY: c_uint = 1;
const MAX_MOVES: usize = 64; // initial capacity; positions with more moves take a second call
const MAX_SQUARES: u8 = 50;
const BAD_ARGUMENT: c_int = 14;

/// An error returned by the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Status number, stable across versions.
    pub status: i32,
    /// Status name, e.g. `"NO_TABLE"`.
    pub name: String,
    /// One line that names the cause.
    pub text: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text)
    }
}

impl std::error::Error for Error {}

impl Error {
    fn from_status(status: c_int, text: String) -> Error {
        // SAFETY: for every number, einspul_status_name returns a static NUL-terminated string.
        let name = unsafe { copy_c_str(ffi::einspul_status_name(status)) };
        Error { status, name, text }
    }

    fn bad_argument(text: &str) -> Error {
        Error::from_status(BAD_ARGUMENT, text.to_owned())
    }

    /// Error for a string with an interior NUL byte.
    fn interior_nul() -> Error {
        Error::bad_argument("the text contains a NUL byte")
    }
}

/// A value, or the error of the library.
pub type Result<T> = std::result::Result<T, Error>;

/// Copies a C string.
///
/// # Safety
/// `text` is NUL-terminated.
unsafe fn copy_c_str(text: *const c_char) -> String {
    CStr::from_ptr(text).to_string_lossy().into_owned()
}

fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::interior_nul())
}

/// Joins paths into the platform's PATH-like list, in raw bytes (UTF-8 on Windows). One path needs no
/// separator, so it may contain one.
fn c_paths(paths: &[&Path]) -> Result<CString> {
    let list = match paths {
        [path] => path.as_os_str().to_owned(),
        _ => std::env::join_paths(paths)
            .map_err(|_| Error::bad_argument("a path in a list has a separator in it"))?,
    };
    #[cfg(unix)]
    let bytes = std::os::unix::ffi::OsStrExt::as_bytes(list.as_os_str());
    #[cfg(not(unix))]
    let bytes = &*list.to_string_lossy();
    CString::new(bytes).map_err(|_| Error::interior_nul())
}

/// Calls a function of the library and returns its error.
fn call(function: impl FnOnce(*mut ffi::Error) -> c_int) -> Result<()> {
    let mut error = MaybeUninit::<ffi::Error>::uninit();
    match function(error.as_mut_ptr()) {
        0 => Ok(()),
        // SAFETY: a non-zero status always fills in `error`.
        status => Err(Error::from_status(status, unsafe {
            copy_c_str((*error.as_ptr()).text.as_ptr())
        })),
    }
}

/// Returns the version of the linked library, e.g. `"0.1.0"`.
pub fn version() -> String {
    unsafe { copy_c_str(ffi::einspul_version()) }
}

/// Outcome of a game under perfect play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The side to move loses.
    Loss = -1,
    /// Neither side can win.
    Draw = 0,
    /// The side to move wins.
    Win = 1,
}

impl Outcome {
    fn from_raw(number: c_int) -> Outcome {
        match number {
            1 => Outcome::Win,
            -1 => Outcome::Loss,
            _ => Outcome::Draw,
        }
    }
}

/// Value of a position or a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// For the side to move; of a move, for the side that makes it.
    pub outcome: Outcome,
    /// Plies to the end of the game with best play: odd for a win, even for a loss. `None` for a draw, or
    /// if the tables store no distances.
    pub plies: Option<u32>,
}

impl Value {
    fn from_raw(outcome: c_int, plies: c_int) -> Value {
        Value {
            outcome: Outcome::from_raw(outcome),
            plies: u32::try_from(plies).ok(),
        }
    }
}

/// A position with its rule state, laid out as in C. Arrays are by side: White, Black. In a fresh state the
/// fields after `side` are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    /// Sets of squares with men.
    pub men: [u64; 2],
    /// Sets of squares with kings.
    pub kings: [u64; 2],
    /// The side to move: 0 White, 1 Black.
    pub side: u8,
    /// Plies since two kings against one arose, or the count of the rule set; 0 if none applies.
    pub clock: u8,
    /// The square of the king that moved last, counted from 1; 0 if `run_count` is 0.
    pub run_square: [u8; 2],
    /// The simple moves in a row of that king, 0 to 3.
    pub run_count: [u8; 2],
    /// 0, or 1 + the side under the Article 18 limit after a capture (1 White, 2 Black).
    pub limited: u8,
    /// Must be 0.
    pub reserved: u8,
}

impl Position {
    /// Parses a FEN including its rule state.
    ///
    /// # Errors
    ///
    /// * `BAD_FEN`: not a FEN; `text` says what is wrong and where.
    /// * `BAD_POSITION`: no legal game reaches the position.
    /// * `BAD_RULES`: `rules` is not a rule set of the library.
    /// * `BAD_ARGUMENT`: a string contains a NUL byte.
    ///
    /// # Examples
    ///
    /// ```
    /// let position = einspul::Position::from_fen("W:W28,K46:BK43", "frisian")?;
    /// assert_eq!(position.kings[0], 1 << 45);
    /// # Ok::<(), einspul::Error>(())
    /// ```
    pub fn from_fen(fen: &str, rules: &str) -> Result<Position> {
        let (rules, fen) = (c_string(rules)?, c_string(fen)?);
        let mut to = Position::default();
        call(|error| unsafe {
            ffi::einspul_fen_read(rules.as_ptr(), fen.as_ptr(), &mut to, error)
        })?;
        Ok(to)
    }

    /// Returns the FEN of a legal position.
    ///
    /// # Errors
    ///
    /// `BAD_POSITION`, `BAD_RULES`, `BAD_ARGUMENT` as in [`Position::from_fen`].
    pub fn fen(&self, rules: &str) -> Result<String> {
        let rules = c_string(rules)?;
        let mut fen = [0 as c_char; ffi::FEN_SIZE];
        call(|error| unsafe {
            ffi::einspul_fen_write(rules.as_ptr(), self, fen.as_mut_ptr(), error)
        })?;
        Ok(unsafe { copy_c_str(fen.as_ptr()) })
    }

    /// Returns all legal moves in the order of squares, without values.
    ///
    /// # Errors
    ///
    /// `BAD_POSITION`, `BAD_RULES`, `BAD_ARGUMENT` as in [`Position::from_fen`]; `NO_MEMORY`.
    ///
    /// # Examples
    ///
    /// ```
    /// let position = einspul::Position::from_fen("W:W28:B22", "frisian")?;
    /// assert_eq!(position.moves("frisian")?[0].text, "28x17");
    /// # Ok::<(), einspul::Error>(())
    /// ```
    pub fn moves(&self, rules: &str) -> Result<Vec<Move>> {
        let rules = c_string(rules)?;
        list_moves(&rules, self, |moves, capacity, error| unsafe {
            ffi::einspul_moves(rules.as_ptr(), self, moves, capacity, error)
        })
    }

    /// Returns the position after a legal move, given as `"32-28"`, `"28x39"` or a full path.
    ///
    /// # Errors
    ///
    /// * `BAD_MOVE`: no legal move, or the text fits several.
    /// * `BAD_POSITION`, `BAD_RULES`, `BAD_ARGUMENT` as in [`Position::from_fen`].
    ///
    /// # Examples
    ///
    /// ```
    /// let position = einspul::Position::from_fen("W:W28:B22", "frisian")?;
    /// assert_eq!(position.play("28x17", "frisian")?.fen("frisian")?, "B:W17:B");
    /// # Ok::<(), einspul::Error>(())
    /// ```
    pub fn play(&self, text: &str, rules: &str) -> Result<Position> {
        let (rules, text) = (c_string(rules)?, c_string(text)?);
        let mut to = *self;
        call(|error| unsafe { ffi::einspul_play(rules.as_ptr(), &mut to, text.as_ptr(), error) })?;
        Ok(to)
    }

    /// Fills in the rule state after a move, for engines that make moves themselves.
    ///
    /// `self` has the pieces and the side to move after a legal move from `before`; the result also has
    /// the king runs, clock and limit. `from` and `to` are squares counted from 1, `captured` is a set of
    /// squares (0 for a simple move). Whether the move is legal is not checked: after a wrong one the rule
    /// state is meaningless, and with an unknown rule set it is left unchanged.
    ///
    /// # Errors
    ///
    /// `BAD_ARGUMENT` if a side or a square is out of range, or `rules` contains a NUL byte.
    pub fn advance(
        &self,
        before: &Position,
        from: u8,
        to: u8,
        captured: u64,
        rules: &str,
    ) -> Result<Position> {
        let rules = c_string(rules)?;
        if self.side > 1 || before.side > 1 {
            return Err(Error::bad_argument("a side is neither 0 nor 1"));
        }
        if ![from, to]
            .iter()
            .all(|square| (1..=MAX_SQUARES).contains(square))
        {
            return Err(Error::bad_argument("a square is out of range"));
        }
        let mut after = *self;
        let (from, to) = (c_int::from(from), c_int::from(to));
        unsafe { ffi::einspul_advance(rules.as_ptr(), before, from, to, captured, &mut after) };
        Ok(after)
    }
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The notation, e.g. `"32-28"` or `"28x39"`.
    pub text: String,
    /// Where the piece comes from, counted from 1.
    pub from: u8,
    /// Where it goes, counted from 1; equal to `from` if a capture ends where it began.
    pub to: u8,
    /// Set of the captured squares.
    pub captured: u64,
    /// The position after the move.
    pub after: Position,
    /// For the moving side, counting this move; `None` for moves listed without probing.
    pub value: Option<Value>,
}

/// Calls a listing function, and again with a larger buffer if needed.
fn list_moves(
    rules: &CString,
    position: &Position,
    fill: impl Fn(*mut ffi::Move, c_int, *mut ffi::Error) -> c_int,
) -> Result<Vec<Move>> {
    let mut found = Vec::with_capacity(MAX_MOVES);
    let mut n = 0;
    loop {
        let allocated = found.capacity();
        let capacity = c_int::try_from(allocated).unwrap_or(c_int::MAX);
        call(|error| {
            let listed = fill(found.as_mut_ptr(), capacity, error);
            n = usize::try_from(listed).unwrap_or(0);
            if listed < 0 {
                unsafe { (*error).status }
            } else {
                0
            }
        })?;
        if n <= allocated {
            break;
        }
        found.reserve(n);
    }
    // SAFETY: the call filled in `n` moves.
    unsafe { found.set_len(n) };
    found
        .iter()
        .map(|c| Move::from_raw(rules, position, c))
        .collect()
}

impl Move {
    fn from_raw(rules: &CString, position: &Position, c: &ffi::Move) -> Result<Move> {
        let mut text = [0 as c_char; ffi::MOVE_TEXT_SIZE];
        call(|error| unsafe {
            ffi::einspul_move_write(rules.as_ptr(), position, c, text.as_mut_ptr(), error)
        })?;
        let outcome = c_int::from(c.outcome);
        Ok(Move {
            text: unsafe { copy_c_str(text.as_ptr()) },
            from: c.from,
            to: c.to,
            captured: c.captured,
            after: c.after,
            value: (outcome != ffi::UNKNOWN)
                .then(|| Value::from_raw(outcome, c_int::from(c.plies))),
        })
    }
}

/// What tables are used for: outcomes only, or outcomes and distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Win, draw or loss.
    Outcomes = 1,
    /// Also plies to the end of the game.
    Distances = 2,
}

/// Open tables of one rule set; closed when dropped. Any number of threads may probe concurrently.
pub struct Tables {
    handle: *mut ffi::Handle,
    rules: CString,
}

// SAFETY: all calls on a handle are thread-safe except close, and `drop` has exclusive access.
unsafe impl Send for Tables {}
unsafe impl Sync for Tables {}

impl Drop for Tables {
    fn drop(&mut self) {
        unsafe { ffi::einspul_close(self.handle) }
    }
}

impl Tables {
    /// Opens the tables of a rule set in one folder or pack.
    ///
    /// Equivalent to [`Tables::open_all`] with one path and a 256 MiB cache. The cache is allocated at
    /// once; table files are opened and checked when first used.
    ///
    /// # Errors
    ///
    /// * `NO_FOLDER`: `folder` does not exist or holds no table of `rules`.
    /// * `BAD_RULES`: `rules` is not one of the rule sets of the library.
    /// * `IO`: the folder cannot be read.
    /// * `NO_MEMORY`: the cache cannot be allocated.
    /// * `NOT_A_TABLE`, `WRONG_VERSION`, `TRUNCATED`, `BAD_HEADER`, `CORRUPT`: `folder` is a damaged pack.
    /// * `BAD_ARGUMENT`: a string or path contains a NUL byte.
    pub fn open(folder: impl AsRef<Path>, rules: &str) -> Result<Tables> {
        Tables::open_all(&[folder.as_ref()], rules, None)
    }

    /// Opens tables in several folders or packs; for each material the first that has it wins.
    /// `cache_bytes` bounds the memory for decoded blocks, 256 MiB unless given.
    ///
    /// # Errors
    ///
    /// As in [`Tables::open`]; `BAD_ARGUMENT` also if one of several paths contains the separator of
    /// lists of paths.
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

    /// Probes the outcome of a position and, if the tables store distances, the plies to the end of the
    /// game.
    ///
    /// May read from disk; see [`Tables::probe_cached`] for a probe that does not.
    ///
    /// # Errors
    ///
    /// * `BAD_POSITION`: not a legal position of the rule set.
    /// * `NO_TABLE`: a required table is missing; `text` names the material.
    /// * `UNDECIDED`: the 25-move rule may draw first.
    /// * `IO`, `TRUNCATED`, `BAD_HEADER`, `BAD_BLOCK`, `CORRUPT`: a table file cannot be used; `text`
    ///   names it.
    /// * `NO_MEMORY`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use einspul::{Outcome, Position, Tables, Value};
    /// # let tables = Tables::open(std::env::var("EINSPUL_TABLES").unwrap(), "frisian")?;
    /// let position = Position::from_fen("W:WK3,27:BK48", "frisian")?;
    /// assert_eq!(tables.probe(&position)?, Value { outcome: Outcome::Win, plies: Some(41) });
    /// # Ok::<(), einspul::Error>(())
    /// ```
    pub fn probe(&self, position: &Position) -> Result<Value> {
        self.probe_with(position, Metric::Distances, NOTHING)
    }

    /// Probes the outcome alone, which needs no table with distances.
    ///
    /// # Errors
    ///
    /// As in [`Tables::probe`].
    pub fn probe_wdl(&self, position: &Position) -> Result<Outcome> {
        Ok(self
            .probe_with(position, Metric::Outcomes, NOTHING)?
            .outcome)
    }

    /// Probes the outcome from memory, without reading or decoding a block.
    ///
    /// # Errors
    ///
    /// `NOT_CACHED` if a block would have to be read; else as in [`Tables::probe`].
    pub fn probe_cached(&self, position: &Position) -> Result<Outcome> {
        Ok(self
            .probe_with(position, Metric::Outcomes, CACHE_ONLY)?
            .outcome)
    }

    fn probe_with(&self, position: &Position, metric: Metric, flags: c_uint) -> Result<Value> {
        let (mut outcome, mut plies) = (ffi::UNKNOWN, -1);
        let to: *mut c_int = if metric == Metric::Distances {
            &mut plies
        } else {
            ptr::null_mut()
        };
        let done = call(|error| unsafe {
            ffi::einspul_probe(self.handle, position, flags, &mut outcome, to, error)
        });
        match outcome {
            ffi::UNKNOWN => done.map(|_| Value::from_raw(outcome, plies)),
            _ => Ok(Value::from_raw(outcome, plies)), // without a distance too
        }
    }

    /// Probes many positions in one call, which overlaps memory waits. Element `i` is the result for
    /// `positions[i]`, with the errors of [`Tables::probe`].
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> Result<(), einspul::Error> {
    /// # let tables = einspul::Tables::open(std::env::var("EINSPUL_TABLES").unwrap(), "frisian")?;
    /// let position = einspul::Position::from_fen("W:WK46:BK5", "frisian")?;
    /// for value in tables.probe_many(&[position, position]) {
    ///     assert_eq!(value?.plies, Some(2));
    /// }
    /// # Ok(())
    /// # }
    /// ```
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
                outcome => Ok(Value::from_raw(outcome, plies[i])),
            })
            .collect()
    }

    /// Returns all legal moves with their values, best first.
    ///
    /// # Errors
    ///
    /// As in [`Tables::probe`], if the outcome of a move is unknown.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> Result<(), einspul::Error> {
    /// # let tables = einspul::Tables::open(std::env::var("EINSPUL_TABLES").unwrap(), "frisian")?;
    /// let position = einspul::Position::from_fen("W:WK3,27:BK48", "frisian")?;
    /// assert_eq!(tables.moves(&position)?[0].text, "3-25");
    /// # Ok(())
    /// # }
    /// ```
    pub fn moves(&self, position: &Position) -> Result<Vec<Move>> {
        list_moves(&self.rules, position, |moves, capacity, error| unsafe {
            ffi::einspul_probe_moves(self.handle, position, moves, capacity, error)
        })
    }

    /// Returns the largest number of pieces up to which every material can be probed; 0 if none.
    pub fn complete(&self, metric: Metric) -> u32 {
        let n = unsafe { ffi::einspul_complete(self.handle, metric as c_int) };
        u32::try_from(n).unwrap_or(0)
    }
}
