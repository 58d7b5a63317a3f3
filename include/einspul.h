/* einspul: exact endgame tables for Frisian, international, Brazilian and English draughts.
 *
 * The one public header, for C and C++. The library never prints, never exits and has no state
 * outside its handles except the boards of rule sets, constants that are computed once. Any number
 * of threads may use a handle at once, except while it is being closed; all other functions are
 * thread-safe too.
 *
 * Functions that can fail fill `error`, unless it is NULL, with one line that names the cause: the
 * file, the block, the square, the missing material. A required pointer that is NULL is
 * BAD_ARGUMENT; functions that cannot fail then do nothing, or return 0. Pointers that are not NULL
 * cannot be checked.
 *
 * After fork, the child may use or close a handle only if no other thread was in a call on it at
 * that moment: locks held by such a call are never released in the child, which would wait for
 * ever. A child that cannot be sure of this opens a handle of its own. Files are closed by exec.
 *
 * Squares are numbered as in draughts notation: square n is bit n-1 of a set. `rules` is the name
 * of a rule set, such as "frisian"; NULL is "frisian". */
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

/* The version of the linked library, as "0.1.0". */
EINSPUL_API const char *einspul_version(void);

/* The names of all rule sets, "frisian" first, ended by NULL. */
EINSPUL_API const char *const *einspul_rules_list(void);

/* ---- Status ---------------------------------------------------------------------------------- */

/* Numbers never change. 10..: bad input; 20..: something is missing; 30..: a file is damaged or
 * wrong; 40..: resources are exhausted. */
typedef enum einspul_status {
    EINSPUL_OK = 0,
    EINSPUL_BAD_FEN = 10,
    EINSPUL_BAD_POSITION = 11,
    EINSPUL_BAD_RULES = 12,
    EINSPUL_BAD_MATERIAL = 13,
    EINSPUL_BAD_ARGUMENT = 14,
    EINSPUL_BAD_MOVE = 15,   /* not a legal move, or an ambiguous one */
    EINSPUL_NO_TABLE = 20,   /* no table of a required material; the text names it */
    EINSPUL_NO_METRIC = 21,  /* the table has no distances */
    EINSPUL_NOT_CACHED = 22, /* a cache-only probe met a block that is not in memory */
    EINSPUL_NO_FOLDER = 23,  /* a folder is missing, or holds no tables of the rule set */
    EINSPUL_UNDECIDED = 24,  /* a draw by quiet play may come first (international-fmjd) */
    EINSPUL_IO = 30,
    EINSPUL_NOT_A_TABLE = 31,
    EINSPUL_WRONG_VERSION = 32,
    EINSPUL_WRONG_RULES = 33,
    EINSPUL_WRONG_MATERIAL = 34,
    EINSPUL_TRUNCATED = 35,
    EINSPUL_BAD_HEADER = 36, /* header or block index fails its checksum */
    EINSPUL_BAD_BLOCK = 37,  /* a block fails its checksum */
    EINSPUL_CORRUPT = 38,    /* checksums hold, but the content contradicts itself */
    EINSPUL_NO_MEMORY = 40,
    EINSPUL_NO_SPACE = 41,
    EINSPUL_LOCKED = 42,
    EINSPUL_TOO_LONG = 43, /* a loss in more than 252 plies, which no table holds; of generation */
    EINSPUL_STOPPED = 45   /* generation was stopped; no call of this library returns it */
} einspul_status;

#define EINSPUL_ERROR_TEXT_SIZE 320

typedef struct einspul_error {
    einspul_status status;
    char text[EINSPUL_ERROR_TEXT_SIZE]; /* ends with a zero byte; one line, no line feed */
} einspul_error;

/* The name of a status, as "NO_TABLE"; "UNKNOWN" for other numbers. */
EINSPUL_API const char *einspul_status_name(einspul_status status);

/* ---- Positions and moves --------------------------------------------------------------------- */

enum { EINSPUL_WHITE = 0, EINSPUL_BLACK = 1 };

/* A position with its rule state. In a fresh state all fields after `side` are 0; einspul_advance
 * brings them forward. A side to move without pieces has lost in 0 plies: its last pieces were
 * captured.
 *
 * Article 18 of the Frisian rules gives two kings seven moves to beat one. The limit still applies
 * after the lone king has captured one of the two: `limited` then names the side under the limit,
 * and `clock` keeps counting. Under frisian-lidraughts and international-fmjd `clock` counts the
 * plies that docs/rules.md names, and `limited` is 0. */
typedef struct einspul_position {
    uint64_t men[2];       /* by side; bit n-1 is square n, 1..50 or 1..32 */
    uint64_t kings[2];     /* by side */
    uint8_t side;          /* to move: EINSPUL_WHITE or EINSPUL_BLACK */
    uint8_t clock;         /* plies since 2K v 1K arose, or of another count; 0 where none counts */
    uint8_t run_square[2]; /* by side: square 1..50 of the king that moved last, if run_count > 0 */
    uint8_t run_count[2];  /* by side: its simple moves in a row, 0..3 */
    uint8_t limited;       /* after a capture in 2K v 1K: 1 + the side that had two; else 0 */
    uint8_t reserved;      /* 0 */
} einspul_position;

/* A value is that of the side to move, or, of a move, that of the side that makes it. */
typedef enum einspul_outcome {
    EINSPUL_LOSS = -1,
    EINSPUL_DRAW = 0,
    EINSPUL_WIN = 1,
    EINSPUL_UNKNOWN = 2
} einspul_outcome;

typedef struct einspul_move {
    einspul_position after; /* the position after the move, with its rule state */
    uint64_t captured;      /* set of squares; 0 for a simple move */
    uint8_t from, to;       /* squares, 1..50 or 1..32; equal where a capture goes round */
    int8_t outcome;         /* an einspul_outcome; UNKNOWN without tables */
    uint8_t reserved;       /* 0 */
    int16_t plies;          /* to the end of the game, this move included; -1: draw, or not known */
} einspul_move;

/* Room for the moves of any position with at most eight pieces, and of any that occurs in play. */
#define EINSPUL_MAX_MOVES 256

/* All legal moves, ordered by from, to and captured squares. Moves that differ only in the order of
 * their captures are one move. Fills at most `capacity` entries (`moves` may be NULL if that is 0).
 * Returns the number of legal moves, which may be larger (0: the side to move has lost), or -1 with
 * an error: BAD_RULES, BAD_POSITION, NO_MEMORY. Takes 0.1 to 0.8 microseconds with four pieces. */
EINSPUL_API int einspul_moves(const char *rules, const einspul_position *position,
                              einspul_move *moves, int capacity, einspul_error *error);

#define EINSPUL_MOVE_TEXT_SIZE 160

/* The text of a legal move of a position, of which `from`, `to` and `captured` are read: "32-28",
 * "28x39", or, if that would be ambiguous, the full path. `text` has EINSPUL_MOVE_TEXT_SIZE bytes.
 * BAD_MOVE; errors of einspul_moves. */
EINSPUL_API einspul_status einspul_move_write(const char *rules, const einspul_position *position,
                                              const einspul_move *move, char *text,
                                              einspul_error *error);

/* Makes the legal move with a text, such as "32-28", "28x39" or a full path. BAD_MOVE; errors of
 * einspul_moves. */
EINSPUL_API einspul_status einspul_play(const char *rules, einspul_position *position,
                                        const char *move, einspul_error *error);

/* For engines with their own make-move: `after` has the pieces and the side to move reached from
 * `before` by a legal move; this sets its clock, run_square, run_count and limited.
 *
 * from, to  squares, 1..50 or 1..32
 * captured  set of squares; 0 for a simple move
 *
 * Takes about ten nanoseconds and never fails. Does nothing for an unknown rule set, or if a side or
 * square is none of the board; whether the move is legal is not checked. */
EINSPUL_API void einspul_advance(const char *rules, const einspul_position *before, int from,
                                 int to, uint64_t captured, einspul_position *after);

/* Reads a FEN, rule state included. Strict (docs/rules.md): nothing is ignored. BAD_FEN,
 * BAD_POSITION, BAD_RULES. */
EINSPUL_API einspul_status einspul_fen_read(const char *rules, const char *fen,
                                            einspul_position *position, einspul_error *error);

#define EINSPUL_FEN_SIZE 320

/* Writes the FEN of a legal position into `fen` (EINSPUL_FEN_SIZE bytes). A side to move without
 * pieces has an empty list, as in `B:WK5:B`, which can be read back. BAD_POSITION, BAD_RULES. */
EINSPUL_API einspul_status einspul_fen_write(const char *rules, const einspul_position *position,
                                             char *fen, einspul_error *error);

/* ---- Opening --------------------------------------------------------------------------------- */

typedef struct einspul einspul;

/* Functions that read files in place of the system's; all are required. `user` is passed to each of
 * them. During einspul_open they are called by its thread only. Later, `open` is called by one
 * thread at a time, `read_at` by any number of threads at once, even on one file, and `close`
 * during einspul_close, or after a file has been found unusable. They must not call into the
 * handle. */
typedef struct einspul_callbacks {
    /* Opens a table, such as "frisian/KKMvK.wdl", or a pack by its name in `tables`; NULL if there
     * is none. Without packs einspul_open tries every possible name, and closes the files it
     * gets. */
    void *(*open)(void *user, const char *name);
    /* The size of the file in bytes; negative if unknown, and probes of this table then fail with
     * IO. */
    int64_t (*size)(void *user, void *file);
    /* Reads `n_bytes` bytes, all within the size; returns 0 if all were read. */
    int (*read_at)(void *user, void *file, uint64_t offset, void *bytes, size_t n_bytes);
    void (*close)(void *user, void *file);
    void *user;
} einspul_callbacks;

/* Opens all tables of a rule set. `tables` is a folder that has them in <folder>/<rules>/, a file
 * made by `einspul pack`, or several of both, separated as in PATH (":", on Windows ";"; UTF-8
 * there), of which the first that has a table counts; NULL is the environment variable
 * EINSPUL_TABLES. Relative paths are made absolute, so a later change of directory does no harm.
 * With `callbacks`, otherwise NULL, `tables` names packs, or is NULL.
 *
 * `cache_bytes` is for decoded blocks, and a sixteenth of it, or 512 KiB more, for values that no
 * table stores; 256 MiB is plenty up to five pieces, 0 keeps no block. It is allocated at once, so
 * that a handle has the cache it was given or NO_MEMORY; systems that provide pages when they are
 * first used do so in steps of 2 MiB. At most 420 files are open.
 *
 * Headers and block indices are checked when a table is first used, blocks when they are decoded.
 * A table whose header or index is damaged is never tried again. Other errors may be temporary, and
 * the next call tries again: IO (also missing permission, too many open files, or a file that is
 * not regular), TRUNCATED, NO_MEMORY, and BAD_BLOCK or CORRUPT of a block. An unusable file does
 * not affect other tables. Replacing a table by a rename, as einspul does, does not disturb a
 * handle that reads it, and a table written to in place gives an error, never a wrong answer.
 *
 * `*handle` is NULL unless EINSPUL_OK is returned; release it with einspul_close. NO_FOLDER if a
 * folder is missing, none has a table of the rule set, or nothing is named; BAD_RULES,
 * BAD_ARGUMENT, IO (a folder that cannot be read), NO_MEMORY; NOT_A_TABLE, WRONG_VERSION,
 * TRUNCATED, BAD_HEADER or CORRUPT for a file that is no sound pack. */
EINSPUL_API einspul_status einspul_open(const char *tables, const char *rules, size_t cache_bytes,
                                        const einspul_callbacks *callbacks, einspul **handle,
                                        einspul_error *error);

/* Releases a handle; NULL is allowed. No other call on the handle may be running. */
EINSPUL_API void einspul_close(einspul *handle);

/* ---- Probing --------------------------------------------------------------------------------- */

/* Flags of a probe; a flag that does not exist is refused with BAD_ARGUMENT. */
enum { EINSPUL_CACHE_ONLY = 1 }; /* do not read or decode; NOT_CACHED instead */

typedef enum einspul_metric { EINSPUL_WDL = 1, EINSPUL_DTW = 2 } einspul_metric;

/* Probes a position of at most eight pieces under all rules of the handle's rule set. Captures are
 * resolved by making them, and omitted values of a compressed table by trying all moves, so more
 * than one table may be needed. A side without a legal move has lost.
 *
 * flags    0 or EINSPUL_CACHE_ONLY
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
 *   UNDECIDED     under international-fmjd, a draw by quiet play may come first: the outcome is not
 *                 known, or, with `plies`, only the outcome is
 *   NOT_CACHED    with EINSPUL_CACHE_ONLY
 *   BAD_POSITION  not a position of the rule set
 *   BAD_ARGUMENT  unknown flags, or a pointer is NULL
 *   file and memory errors as at einspul_open */
EINSPUL_API einspul_status einspul_probe(einspul *handle, const einspul_position *position,
                                         unsigned flags, einspul_outcome *outcome, int *plies,
                                         einspul_error *error);

/* Like einspul_probe, but for `n` positions at once: up to twice as fast if the tables are larger
 * than the processor's caches, because waits for memory overlap. Best with dozens of positions or
 * more.
 *
 * outcomes, plies, statuses  arrays of n; each may be NULL
 *
 * Returns the number of positions whose status is EINSPUL_OK. */
EINSPUL_API size_t einspul_probe_many(einspul *handle, const einspul_position *positions, size_t n,
                                      unsigned flags, einspul_outcome *outcomes, int *plies,
                                      einspul_status *statuses);

/* As einspul_moves, with outcomes and plies, best first: wins before draws before losses, short
 * wins and long losses first. Among draws, and other moves without a distance: the move that keeps
 * most material after the best reply, then the one after which most replies are mistakes; that
 * takes some hundred probes. Then by squares. No more are ordered than are filled. -1 if a move is
 * unknown, with errors as einspul_probe. */
EINSPUL_API int einspul_probe_moves(einspul *handle, const einspul_position *position,
                                    einspul_move *moves, int capacity, einspul_error *error);

/* ---- Available tables ------------------------------------------------------------------------ */

#define EINSPUL_MATERIAL_SIZE 12

typedef struct einspul_table_info {
    char material[EINSPUL_MATERIAL_SIZE]; /* "KKMvKM" */
    int has_wdl, has_dtw;                 /* 1 when a file with that name is there */
    int pieces;
    uint64_t wdl_bytes, dtw_bytes; /* file sizes; 0 when absent */
} einspul_table_info;

/* Lists the materials with a file, in generation order. Fills at most `capacity` entries; returns
 * their number, which may be larger, 420 at most. Never fails. */
EINSPUL_API size_t einspul_list(const einspul *handle, einspul_table_info *tables, size_t capacity);

/* The largest N for which every material of 2..N pieces has a table that answers a metric:
 * outcomes, which every table answers, or distances (every table of KvK and KKvK has them). Opens
 * all of these tables: an unreadable one, or one with a damaged header or index, does not count. 0
 * if there is no such N. Never fails. */
EINSPUL_API int einspul_complete(einspul *handle, einspul_metric metric);

/* Decodes the tables of 2..`pieces` pieces into the cache, fewest pieces first, before a search
 * that probes with EINSPUL_CACHE_ONLY. Stops after about `most_bytes` bytes (SIZE_MAX: no limit),
 * or when a further block would evict another. A table that fails does not stop the others; its
 * status is returned. BAD_ARGUMENT; file and memory errors. */
EINSPUL_API einspul_status einspul_preload(einspul *handle, int pieces, einspul_metric metric,
                                           size_t most_bytes, einspul_error *error);

/* ---- Boards with ghost squares --------------------------------------------------------------- */

/* Sets of squares of the 10x10 board from and to the layouts of other engines, which have rows of
 * five from the top with unused bits between them: `gap` bits between the two rows of a pair, and
 * `period` bits from one pair to the next. Other bits are dropped. */
static inline uint64_t einspul_from_layout(uint64_t bits, int gap, int period)
{
    uint64_t squares = 0;
    for (int pair = 0; pair < 5; pair++, bits >>= period)
        squares |= ((bits & 0x1f) | (bits >> gap & 0x3e0)) << 10 * pair;
    return squares;
}

static inline uint64_t einspul_to_layout(uint64_t squares, int gap, int period)
{
    uint64_t bits = 0;
    for (int pair = 0; pair < 5; pair++, squares >>= 10)
        bits |= ((squares & 0x1f) | (squares & 0x3e0) << gap) << period * pair;
    return bits;
}

/* Scan has 63 bits, 13 to two rows: square n is bit
 * (n-1)/10*13 + (n-1)%10, plus one in the second row of each two. */
static inline uint64_t einspul_from_scan(uint64_t bits)
{
    return einspul_from_layout(bits, 1, 13);
}

static inline uint64_t einspul_to_scan(uint64_t squares)
{
    return einspul_to_layout(squares, 1, 13);
}

/* Kingsrow, with egdb_intl, dctl and Moby Dam, has 54 bits, 11 to two rows: square n is bit
 * n-1 + (n-1)/10. */
static inline uint64_t einspul_from_kingsrow(uint64_t bits)
{
    return einspul_from_layout(bits, 0, 11);
}

static inline uint64_t einspul_to_kingsrow(uint64_t squares)
{
    return einspul_to_layout(squares, 0, 11);
}

#ifdef __cplusplus
}
#endif

#endif
