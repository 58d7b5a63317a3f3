/* einspul: exact endgame tables for Frisian, international, Brazilian and English draughts.
 *
 * The one public header, for C and C++. The library never prints or exits, and keeps no state
 * outside its handles except the board tables of the rule sets, which are computed once and then
 * constant. Any number of threads may use one handle concurrently, except while it is being closed;
 * all other functions are thread-safe.
 *
 * A function that can fail fills `error`, unless it is NULL, with one line that names the cause:
 * the file, the block, the square, the missing material. After EINSPUL_OK `error` means nothing.
 * NULL for a required pointer gives BAD_ARGUMENT; a function that cannot fail does nothing, or
 * returns 0. Other invalid pointers are not detected.
 *
 * After fork, the child may use or close a handle only if no other thread was inside a call on it
 * at the time: a lock held by such a call is never released in the child, which would deadlock. If
 * in doubt, open a new handle in the child. Files are opened close-on-exec.
 *
 * A position includes its rule state: Frisian king runs, and clocks. Update it with einspul_advance
 * at every move; a position set up from the board alone has none, and may get another answer.
 *
 * Squares are numbered as in draughts notation; in a set, square n is bit n - 1. `rules` names a
 * rule set, such as "frisian"; NULL means "frisian".
 *
 *   einspul *tables;
 *   einspul_position position;
 *   einspul_outcome outcome;
 *   int plies;
 *   if (einspul_open("data/tables", "frisian", 64 << 20, NULL, &tables, NULL) == EINSPUL_OK &&
 *       einspul_fen_read("frisian", "W:WK2,K11:BK22", &position, NULL) == EINSPUL_OK &&
 *       einspul_probe(tables, &position, 0, &outcome, &plies, NULL) == EINSPUL_OK)
 *       printf("%d, %d plies\n", outcome, plies);
 *   einspul_close(tables);
 */
#ifndef EINSPUL_H
#define EINSPUL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) || !defined(__GNUC__)
#define EINSPUL_API
#else
#define EINSPUL_API __attribute__((visibility("default")))
#endif

#define EINSPUL_VERSION_MAJOR 0
#define EINSPUL_VERSION_MINOR 1
#define EINSPUL_VERSION_PATCH 0

/* The version of the linked library, such as "0.1.0". */
EINSPUL_API const char *einspul_version(void);

/* The names of all rule sets, "frisian" first, ended by NULL. */
EINSPUL_API const char *const *einspul_rules_list(void);

/* ---- Status ---------------------------------------------------------------------------------- */

/* Values never change. 10-19: invalid input; 20-29: the answer is not available; 30-39: a file
 * cannot be read, is damaged, or is not the one expected; 40-49: the operation was not
 * completed. */
typedef enum einspul_status {
    EINSPUL_OK = 0,
    EINSPUL_BAD_FEN = 10,
    EINSPUL_BAD_POSITION = 11,
    EINSPUL_BAD_RULES = 12,
    EINSPUL_BAD_MATERIAL = 13,
    EINSPUL_BAD_ARGUMENT = 14,
    EINSPUL_BAD_MOVE = 15,   /* not a legal move, or an ambiguous one */
    EINSPUL_NO_TABLE = 20,   /* no table of a required material */
    EINSPUL_NO_METRIC = 21,  /* the table has no distances */
    EINSPUL_NOT_CACHED = 22, /* a cache-only probe needs a block that is not in memory */
    EINSPUL_NO_FOLDER = 23,  /* a folder is missing, or holds no tables of the rule set */
    EINSPUL_UNDECIDED = 24,  /* the 25-move rule may draw first */
    EINSPUL_IO = 30,
    EINSPUL_NOT_A_TABLE = 31,
    EINSPUL_WRONG_VERSION = 32, /* not one that this library reads; mostly a later one */
    EINSPUL_WRONG_RULES = 33,
    EINSPUL_WRONG_MATERIAL = 34,
    EINSPUL_TRUNCATED = 35,
    EINSPUL_BAD_HEADER = 36,  /* header or block index fails its checksum */
    EINSPUL_BAD_BLOCK = 37,   /* a block fails its checksum */
    EINSPUL_CORRUPT = 38,     /* checksums hold, but the content contradicts itself */
    EINSPUL_OLD_VERSION = 39, /* earlier than this library reads */
    EINSPUL_NO_MEMORY = 40,
    EINSPUL_NO_SPACE = 41,
    EINSPUL_LOCKED = 42,
    EINSPUL_TOO_LONG = 43, /* generation only: a loss in more than 252 plies */
    EINSPUL_STOPPED = 45   /* generation only: interrupted */
} einspul_status;

#define EINSPUL_ERROR_TEXT_SIZE 320

typedef struct einspul_error {
    einspul_status status;
    char text[EINSPUL_ERROR_TEXT_SIZE]; /* NUL-terminated; one line without a line feed */
} einspul_error;

/* The name of a status, such as "NO_TABLE"; "UNKNOWN" for other values. */
EINSPUL_API const char *einspul_status_name(einspul_status status);

/* ---- Positions and moves --------------------------------------------------------------------- */

enum { EINSPUL_WHITE = 0, EINSPUL_BLACK = 1 };

/* A position with its rule state. In a fresh state all fields after `side` are 0; einspul_advance
 * updates them. The side to move may have no pieces: its last ones were just captured, and it has
 * lost in 0 plies.
 *
 * Article 18 of the Frisian rules draws the game after both sides have made seven moves in two
 * kings against one. The limit stays in force after the lone king captures one of the two:
 * `limited` then records the side that had two, and `clock` keeps running. Under other rule
 * sets with a clock it counts the plies that docs/rules.md names, and `limited` is 0. */
typedef struct einspul_position {
    uint64_t men[2];       /* by side; bit n-1 is square n, 1..50 or 1..32 */
    uint64_t kings[2];     /* by side */
    uint8_t side;          /* to move: EINSPUL_WHITE or EINSPUL_BLACK */
    uint8_t clock;         /* plies since 2K v 1K arose, or as counted by the rule set; else 0 */
    uint8_t run_square[2]; /* by side: square 1..50 of the king that moved last, if run_count > 0 */
    uint8_t run_count[2];  /* by side: its simple moves in a row, 0..3 */
    uint8_t limited;       /* after a capture in 2K v 1K: 1 + the side that had two; else 0 */
    uint8_t reserved;      /* 0 */
} einspul_position;

/* Outcomes are for the side to move; the outcome of a move is for the side that makes it. */
typedef enum einspul_outcome {
    EINSPUL_LOSS = -1,
    EINSPUL_DRAW = 0,
    EINSPUL_WIN = 1,
    EINSPUL_UNKNOWN = 2
} einspul_outcome;

typedef struct einspul_move {
    einspul_position after; /* the position after the move, with its rule state */
    uint64_t captured;      /* set of squares; 0 for a simple move */
    uint8_t from, to;       /* squares, 1..50 or 1..32; equal if a capture returns to its start */
    int8_t outcome;         /* an einspul_outcome; UNKNOWN without tables */
    uint8_t reserved;       /* 0 */
    int16_t plies;          /* to the end of the game, with this move; -1 if drawn or unknown */
} einspul_move;

/* Enough moves for every position with at most eight pieces, and for every one in play. */
#define EINSPUL_MAX_MOVES 256

/* Lists all legal moves, ordered by from, to and captured squares. Moves that differ only in the
 * order of their captures are one move. Takes 0.1 to 0.8 microseconds with four pieces.
 *
 * moves     receives at most `capacity` moves, with unknown outcomes; may be NULL if `capacity` is
 *           0
 *
 * Returns the number of legal moves, which may be larger than `capacity`; 0: the side to move has
 * lost. Returns -1 on error:
 *   BAD_RULES     unknown rule set
 *   BAD_POSITION  not a position of the rule set
 *   BAD_ARGUMENT  a pointer is NULL
 *   NO_MEMORY */
EINSPUL_API int einspul_moves(const char *rules, const einspul_position *position,
                              einspul_move *moves, int capacity, einspul_error *error);

#define EINSPUL_MOVE_TEXT_SIZE 160

/* Writes the notation of a legal move: "32-28", "28x39", or, if that would be ambiguous, the full
 * path.
 *
 * move  only `from`, `to` and `captured` are read
 * text  has EINSPUL_MOVE_TEXT_SIZE bytes
 *
 * Errors: BAD_MOVE, not a legal move, or an ambiguous one; those of einspul_moves. */
EINSPUL_API einspul_status einspul_move_write(const char *rules, const einspul_position *position,
                                              const einspul_move *move, char *text,
                                              einspul_error *error);

/* Makes the legal move given in notation, such as "32-28", "28x39" or a full path. Errors:
 * BAD_MOVE, not a legal move, or an ambiguous one; those of einspul_moves. */
EINSPUL_API einspul_status einspul_play(const char *rules, einspul_position *position,
                                        const char *move, einspul_error *error);

/* For engines with their own make-move: `after` has the pieces and the side to move reached from
 * `before` by a legal move; this sets its clock, run_square, run_count and limited.
 *
 * from, to  squares, 1..50 or 1..32
 * captured  set of squares; 0 for a simple move
 *
 * Takes about 15 nanoseconds and never fails. Does nothing for an unknown rule set, or if a side
 * or square is none of the board; whether the move is legal is not checked. */
EINSPUL_API void einspul_advance(const char *rules, const einspul_position *before, int from,
                                 int to, uint64_t captured, einspul_position *after);

/* Parses a FEN including its rule state. Strict (docs/rules.md): anything unexpected is an error.
 * Errors:
 *   BAD_FEN       not a FEN
 *   BAD_POSITION  a FEN, but not of a legal position of the rule set
 *   BAD_RULES     unknown rule set
 *   BAD_ARGUMENT  a pointer is NULL */
EINSPUL_API einspul_status einspul_fen_read(const char *rules, const char *fen,
                                            einspul_position *position, einspul_error *error);

#define EINSPUL_FEN_SIZE 320

/* Writes the FEN of a position into `fen`, which has EINSPUL_FEN_SIZE bytes. A side to move without
 * pieces has an empty list, as in `B:WK5:B`, which can be read back. Errors: BAD_POSITION,
 * BAD_RULES, BAD_ARGUMENT. */
EINSPUL_API einspul_status einspul_fen_write(const char *rules, const einspul_position *position,
                                             char *fen, einspul_error *error);

/* ---- Opening --------------------------------------------------------------------------------- */

typedef struct einspul einspul;

/* Functions that read files in place of the system's. All are required, and `user` is passed to
 * each. `open` and `size` are called during einspul_open, from its thread; afterwards `read_at` by any
 * number of threads concurrently, even on one file, and `close` from einspul_close. Callbacks must
 * not call into the handle. */
typedef struct einspul_callbacks {
    /* Opens a pack named in `tables`; NULL if it does not exist. */
    void *(*open)(void *user, const char *name);
    /* The size of the file in bytes; negative if unknown: IO. */
    int64_t (*size)(void *user, void *file);
    /* Reads `n_bytes` bytes, all within the size; returns 0 if all were read. */
    int (*read_at)(void *user, void *file, uint64_t offset, void *bytes, size_t n_bytes);
    void (*close)(void *user, void *file);
    void *user;
} einspul_callbacks;

/* Opens all tables of a rule set.
 *
 * tables       a folder with tables in <folder>/<rules>/, a file made by `einspul pack`, or a list
 *              of these, separated as in PATH (":", or ";" on Windows, where paths are UTF-8); a
 *              table found in several is read from the first. Relative paths are made absolute, so
 *              a later change of directory does no harm.
 * cache_bytes  memory for decoded blocks; 0 caches none. A sixteenth of it, at least 512 KiB even
 *              if that exceeds it, is for computed values that no table stores. docs/embedding.md
 *              says how much all tables need. Reserved at once; where the system provides pages on
 *              first use, it does so in steps of 2 MiB.
 * callbacks    read the files, or NULL; `tables` is then a list of packs
 * handle       becomes NULL after an error; release it with einspul_close
 *
 * Headers and block indices are checked when a table is first used, blocks when they are decoded. A
 * damaged header or index is final for the handle. Other errors are treated as transient, and the
 * next call tries again: IO (also missing permission, too many open files, or a file that is not
 * regular), TRUNCATED, NO_MEMORY, and BAD_BLOCK or CORRUPT of a block. An unusable file does not
 * affect other tables. Replacing a table by a rename, as einspul does, does not disturb handles
 * that have it open; overwriting one in place gives an error, never a wrong value. At most 420
 * files are open.
 *
 * Errors:
 *   NO_FOLDER     a folder is missing, none has a table of the rule set, or none is named
 *   IO            a folder cannot be read
 *   BAD_RULES     unknown rule set
 *   BAD_ARGUMENT  a pointer is NULL, or a callback
 *   NO_MEMORY
 *   NOT_A_TABLE, WRONG_VERSION, TRUNCATED, BAD_HEADER, CORRUPT  a file that is not an intact pack */
EINSPUL_API einspul_status einspul_open(const char *tables, const char *rules, size_t cache_bytes,
                                        const einspul_callbacks *callbacks, einspul **handle,
                                        einspul_error *error);

/* Releases a handle; NULL is allowed. No other call on the handle may be running. */
EINSPUL_API void einspul_close(einspul *handle);

/* ---- Probing --------------------------------------------------------------------------------- */

/* Flags of a probe; unknown ones give BAD_ARGUMENT. */
enum {
    EINSPUL_CACHE_ONLY = 1, /* answer from memory only, else NOT_CACHED */
    EINSPUL_NO_CAPTURE = 2  /* the side to move has no capture: if it has one, the answer is wrong;
                               builds without NDEBUG then give BAD_ARGUMENT */
};

typedef enum einspul_metric { EINSPUL_WDL = 1, EINSPUL_DTW = 2 } einspul_metric;

/* Probes a position of at most eight pieces under all rules of the handle's rule set. Positions
 * with a capture are resolved by searching the captures, and values that a compressed table omits
 * by searching all moves, so a probe may need several tables. A side without a legal move has lost.
 *
 * flags    0, or flags joined by |
 * outcome  for the side to move, or UNKNOWN; may be NULL
 * plies    to the end of the game with best play: odd for a win, even for a loss, 0 for a side
 *          without a move; -1 for a draw, or if not known. NULL: distances are not probed
 * error    may be NULL; a refused probe then takes some tens of nanoseconds, as it writes no text
 *
 * Returns EINSPUL_OK if the outcome is known, and so is the distance, unless `plies` is NULL or the
 * outcome is a draw. Errors:
 *   NO_TABLE      no table of the material, or of one that captures lead to
 *   NO_METRIC     the distance is not known, as only tables without distances are available; the
 *                 outcome is known
 *   UNDECIDED     under the rules of the FMJD, quiet play may draw first: the outcome is not
 *                 known, or, with `plies`, only the outcome is
 *   NOT_CACHED    with EINSPUL_CACHE_ONLY
 *   BAD_POSITION  not a position of the rule set
 *   BAD_ARGUMENT  unknown flags, or a pointer is NULL
 *   file and memory errors as at einspul_open */
EINSPUL_API einspul_status einspul_probe(einspul *handle, const einspul_position *position,
                                         unsigned flags, einspul_outcome *outcome, int *plies,
                                         einspul_error *error);

/* Like einspul_probe, for an array of `n` positions. Up to twice as fast when the tables exceed the
 * processor's caches, because waits for memory overlap; use batches of a few dozen or more.
 *
 * outcomes, plies, statuses  arrays of n; each may be NULL
 *
 * Returns the number of positions whose status is EINSPUL_OK. */
EINSPUL_API size_t einspul_probe_many(einspul *handle, const einspul_position *positions, size_t n,
                                      unsigned flags, einspul_outcome *outcomes, int *plies,
                                      einspul_status *statuses);

/* Lists all legal moves with outcomes and plies, best first: wins before draws before losses, short
 * wins and long losses first. Draws, and other moves without a distance, are ordered by the
 * material left after the most damaging reply, then by the share of replies that are mistakes,
 * which takes a few hundred probes; remaining ties by squares.
 *
 * moves     receives at most `capacity` moves; only these are fully sorted. May be NULL if
 *           `capacity` is 0
 *
 * Returns the number of legal moves, which may be larger than `capacity`, or -1 if the outcome of
 * any move is unknown; errors of einspul_probe. */
EINSPUL_API int einspul_probe_moves(einspul *handle, const einspul_position *position,
                                    einspul_move *moves, int capacity, einspul_error *error);

/* ---- Available tables ------------------------------------------------------------------------ */

#define EINSPUL_MATERIAL_SIZE 12

typedef struct einspul_table_info {
    char material[EINSPUL_MATERIAL_SIZE]; /* "KKMvKM" */
    int has_wdl, has_dtw;                 /* 1 if the file exists */
    int pieces;
    uint64_t wdl_bytes, dtw_bytes; /* file sizes; 0 if absent */
} einspul_table_info;

/* Lists the materials that have a file, in generation order. Writes at most `capacity` entries and
 * returns the number of materials, which may be larger but is at most 210. */
EINSPUL_API size_t einspul_list(const einspul *handle, einspul_table_info *tables, size_t capacity);

/* The largest N such that every material of 2..N pieces has a usable table for `metric`, or 0.
 * Every table gives outcomes; distances need a .dtw file, except for KvK and KKvK under Article 18,
 * whose tables all have them. Opens all of these tables; one that is unreadable or damaged does not
 * count. */
EINSPUL_API int einspul_complete(einspul *handle, einspul_metric metric);

/* Fills the cache before a search that probes with EINSPUL_CACHE_ONLY: decodes the tables of
 * 2..`pieces` pieces, fewest pieces first.
 *
 * most_bytes  stops after about this many bytes (SIZE_MAX: no limit), and before a block would
 *             evict another
 *
 * A table that fails does not stop the others; the first error is returned: BAD_ARGUMENT, file and
 * memory errors as at einspul_open. */
EINSPUL_API einspul_status einspul_preload(einspul *handle, int pieces, einspul_metric metric,
                                           size_t most_bytes, einspul_error *error);

#ifdef __cplusplus
}
#endif

#endif
