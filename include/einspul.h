/* einspul: exact endgame tables for Frisian, international, Brazilian and English draughts.
 *
 * The one public header, for C and C++. The library never prints, never exits and has no state
 * outside its handles except the boards of rule sets, constants that are computed once. Any number
 * of threads may use a handle at once, except while it is being closed. Functions that can fail
 * return an einspul_status and, unless `error` is NULL, fill it with one line that names the cause:
 * the file, the block, the square, the missing material.
 *
 * A required pointer that is NULL is BAD_ARGUMENT; functions without a status then do nothing, or
 * return 0 or NULL. `error` may always be NULL, and so may an array without elements. Pointers that
 * are not NULL cannot be checked.
 *
 * After fork, the child may use or close a handle only if no other thread was in a call on it at
 * that moment: locks held by such a call are never released in the child, which would wait for
 * ever. A child that cannot be sure of this opens a handle of its own. Files are closed by exec.
 *
 * Squares are numbered as in draughts notation: square n is bit n-1 of a set. */
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

/* The version of the linked library, as "0.1.0". Never fails. */
EINSPUL_API const char *einspul_version(void);

/* ---- Status ---------------------------------------------------------------------------------- */

/* Numbers never change. 10..: bad input; 20..: something is missing; 30..: a file is damaged or
 * wrong; 40..: resources or a bound on work are exhausted. */
typedef enum einspul_status {
    EINSPUL_OK = 0,
    EINSPUL_BAD_FEN = 10,
    EINSPUL_BAD_POSITION = 11,
    EINSPUL_BAD_RULES = 12,
    EINSPUL_BAD_MATERIAL = 13,
    EINSPUL_BAD_ARGUMENT = 14,
    EINSPUL_BAD_MOVE = 15,    /* not a legal move, or an ambiguous one */
    EINSPUL_NO_TABLE = 20,    /* no table of a required material; the text names it */
    EINSPUL_NO_METRIC = 21,   /* the table has no distances */
    EINSPUL_NOT_CACHED = 22,  /* a cache-only probe met a block that is not in memory */
    EINSPUL_NO_FOLDER = 23,   /* a folder is missing, or holds no tables of the rule set */
    EINSPUL_ONLY_BOUNDS = 24, /* undecided under a draw limit: see einspul_probe_bounds */
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
    EINSPUL_TOO_LONG = 43,    /* a distance too long to represent: a loss in 4094 plies or more */
    EINSPUL_TOO_COMPLEX = 44, /* a crowded position: more captures than a call follows */
    EINSPUL_STOPPED = 45      /* generation was stopped; no call of this library returns it */
} einspul_status;

#define EINSPUL_ERROR_TEXT_SIZE 320

typedef struct einspul_error {
    einspul_status status;
    char text[EINSPUL_ERROR_TEXT_SIZE]; /* ends with a zero byte; one line, no line feed */
} einspul_error;

/* The name of a status, as "NO_TABLE"; "UNKNOWN" for other numbers. Never NULL. */
EINSPUL_API const char *einspul_status_name(einspul_status status);

/* ---- Positions ------------------------------------------------------------------------------- */

enum { EINSPUL_WHITE = 0, EINSPUL_BLACK = 1 };

/* A position with its rule state. In a fresh state all fields after `side` are 0. A side to move
 * without pieces has lost in 0 plies: its last pieces were captured.
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

/* The names of all rule sets, "frisian" first, ended by NULL. */
EINSPUL_API const char *const *einspul_rules_list(void);

/* ---- Handles --------------------------------------------------------------------------------- */

typedef struct einspul einspul;

/* How files are read. In each case, replacing a table by a rename, as einspul does, does not
 * disturb a handle that reads it, and a table written to in place gives an error, never a wrong
 * answer. */
typedef enum einspul_io {
    EINSPUL_IO_MAP = 0,  /* mapped into memory: no file is kept open. If a mapped file is truncated,
                                or its disk fails, the system ends the process (SIGBUS) */
    EINSPUL_IO_READ = 1, /* with pread: these are errors. One open file per table, 420 at most */
    EINSPUL_IO_CALLBACKS = 2 /* by the caller's functions */
} einspul_io;

/* Functions for EINSPUL_IO_CALLBACKS; all are required. `user` is passed to each of them. During
 * einspul_open they are called by its thread only. Later, `open` is called by one thread at a time,
 * `read_at` by any number of threads at once, even on one file, and `close` during einspul_close,
 * or after a file has been found unusable. They must not call into the handle. */
typedef struct einspul_callbacks {
    /* Opens a table, such as "frisian/KKMvK.wdl", or a pack by its name in `folders`; NULL if there
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

/* Initialise with einspul_options_init, then set fields. Not needed after einspul_open has
 * returned. */
typedef struct einspul_options {
    size_t size;                /* set by einspul_options_init; the size of the caller's struct */
    const char *const *folders; /* roots, with tables in <folder>/<rules>/, or files that
                                   `einspul pack` made; the first hit counts. With
                                   EINSPUL_IO_CALLBACKS packs only. UTF-8 on Windows */
    size_t n_folders;           /* 1 or more; with EINSPUL_IO_CALLBACKS 0 or more */
    const char *rules;          /* "frisian" (default), "frisian-no17", …, "international", … */
    size_t cache_bytes; /* upper bound for decoded blocks, and for answers that no table stores (a
                           sixteenth of it); default 256 MiB; 0: none is kept. Memory is taken as
                           needed, for blocks in steps of 2 MiB from 17 MiB on */
    einspul_io io;      /* default EINSPUL_IO_READ */
    const einspul_callbacks *callbacks; /* EINSPUL_IO_CALLBACKS only */
} einspul_options;

#define einspul_options_init(options) einspul_options_init_sized((options), sizeof *(options))
EINSPUL_API void einspul_options_init_sized(einspul_options *options, size_t size);

/* Opens all tables of a rule set. Headers and block indices are checked when a table is first used,
 * blocks when they are decoded. A handle never retries a table whose header or index is damaged.
 * Other errors may be temporary, and the next call tries again: IO (also missing permission, too
 * many open files, or a file that is not regular), TRUNCATED, NO_MEMORY, and BAD_BLOCK or CORRUPT
 * of a block. An unusable file does not affect the other tables. `*handle` is NULL unless
 * EINSPUL_OK is returned; release it with einspul_close. NO_FOLDER if a folder is missing or none
 * has a table of the rule set; BAD_RULES, BAD_ARGUMENT, IO (a folder that cannot be read),
 * NO_MEMORY; NOT_A_TABLE, WRONG_VERSION, TRUNCATED, BAD_HEADER or CORRUPT for a file that is no
 * sound pack. */
EINSPUL_API einspul_status einspul_open(const einspul_options *options, einspul **handle,
                                        einspul_error *error);

/* Releases a handle; NULL is allowed. No other call on the handle may be running. */
EINSPUL_API void einspul_close(einspul *handle);

/* The rule set of the handle, as "frisian". */
EINSPUL_API const char *einspul_rules(const einspul *handle);

/* Reads a FEN of the handle's game, rule state included. Strict (docs/rules.md): nothing is
 * ignored. BAD_FEN, BAD_POSITION. */
EINSPUL_API einspul_status einspul_position_from_fen(const einspul *handle, const char *fen,
                                                     einspul_position *position,
                                                     einspul_error *error);

#define EINSPUL_FEN_SIZE 320

/* Writes the FEN of a legal position into `fen` (EINSPUL_FEN_SIZE bytes). A side to move without
 * pieces has an empty list, as in `B:WK5:B`, which can be read back. BAD_POSITION. */
EINSPUL_API einspul_status einspul_position_to_fen(const einspul *handle,
                                                   const einspul_position *position, char *fen,
                                                   einspul_error *error);

/* ---- The game without tables ----------------------------------------------------------------- */

typedef enum einspul_outcome {
    EINSPUL_LOSS = -1,
    EINSPUL_DRAW = 0,
    EINSPUL_WIN = 1
} einspul_outcome;

/* These functions need no handle: `rules` is the name of a rule set, such as "frisian". The first
 * call that names a rule set computes its board in some ten microseconds and keeps it. After that
 * the calls take 0.1 to 0.8 microseconds in positions with four pieces. All are thread-safe. Errors
 * of all of them: BAD_RULES, BAD_ARGUMENT (NULL for a required pointer). */

typedef struct einspul_game {
    einspul_position start; /* who is to move in it has the first move. White's men go to lower
                               squares in every game */
    int n_squares;          /* 50 or 32, in `n_rows` rows */
    int n_rows;             /* 10 or 8 */
    int pdn_game_type;      /* 40 Frisian, 20 international, 26 Brazilian, 21 English */
} einspul_game;

/* What a rule set is played with. */
#define einspul_get_game(rules, game, error)                                                       \
    einspul_get_game_sized((rules), (game), sizeof *(game), (error))
EINSPUL_API einspul_status einspul_get_game_sized(const char *rules, einspul_game *game,
                                                  size_t size, einspul_error *error);

/* As einspul_position_from_fen and einspul_position_to_fen. */
EINSPUL_API einspul_status einspul_fen_read(const char *rules, const char *fen,
                                            einspul_position *position, einspul_error *error);
EINSPUL_API einspul_status einspul_fen_write(const char *rules, const einspul_position *position,
                                             char *fen, einspul_error *error);

#define EINSPUL_MOVE_TEXT_SIZE 160
#define EINSPUL_PATH_SIZE      52

typedef struct einspul_move {
    char text[EINSPUL_MOVE_TEXT_SIZE]; /* 32-28, 28x39, or the full path where that is needed */
    uint8_t from, to;                /* squares, 1..50 or 1..32; equal where a capture goes round */
    uint8_t n_path;                  /* squares in `path` */
    uint8_t path[EINSPUL_PATH_SIZE]; /* from, every square it lands on, to; where a capture can be
                                          made in several ways, one of them */
    uint64_t captured;               /* set of squares; 0 for a simple move */
    einspul_position after;          /* the position after the move, with its rule state */
    einspul_outcome outcome;         /* for the side that makes the move; of einspul_moves: DRAW */
    int plies; /* to the end, this move included; -1: draw, or no distances, or einspul_moves */
} einspul_move;

/* All legal moves, sorted by from, to and captured squares; king runs are honoured. Moves with the
 * same from, to and captured pieces are one move. Fills at most `capacity` entries (`moves` may be
 * NULL if that is 0); `*n_moves` is the number of legal moves, which may be larger (0: the side to
 * move has lost). BAD_POSITION, NO_MEMORY; TOO_COMPLEX if kings can capture in more than about a
 * million ways. */
EINSPUL_API einspul_status einspul_moves(const char *rules, const einspul_position *position,
                                         einspul_move *moves, size_t capacity, size_t *n_moves,
                                         einspul_error *error);

/* The position after a legal move, with updated king runs and clock. The move is given as text,
 * such as "32-28", "28x39" or a full path, or by its squares; with `captured` 0, `from` and `to`
 * must identify the move. `after` may be `position`. BAD_MOVE; errors as einspul_moves. */
EINSPUL_API einspul_status einspul_play(const char *rules, const einspul_position *position,
                                        const char *move, einspul_position *after,
                                        einspul_error *error);
EINSPUL_API einspul_status einspul_play_squares(const char *rules, const einspul_position *position,
                                                int from, int to, uint64_t captured,
                                                einspul_position *after, einspul_error *error);

/* Convert sets of squares of the 10x10 board from and to the layouts of other engines, which have
 * rows of five from the top with unused bits between them. Scan has 63 bits, 13 per two rows:
 * square n is bit (n-1)/10*13 + (n-1)%10, plus one in the second row of each two. Kingsrow, with
 * egdb_intl and dctl, has 54 bits, 11 per two rows: square n is bit n-1 + (n-1)/10. Other bits are
 * dropped. Never fail. */
EINSPUL_API uint64_t einspul_squares_from_scan(uint64_t bits);
EINSPUL_API uint64_t einspul_squares_to_scan(uint64_t squares);
EINSPUL_API uint64_t einspul_squares_from_kingsrow(uint64_t bits);
EINSPUL_API uint64_t einspul_squares_to_kingsrow(uint64_t squares);

/* ---- Probing --------------------------------------------------------------------------------- */

/* Flags of a probe. */
enum { EINSPUL_CACHE_ONLY = 1 }; /* do not read or decode: NOT_CACHED instead */

/* The outcome for the side to move, under all rules of the handle's rule set. Captures are resolved
 * by making them, and omitted values of a compressed table by trying all moves, so more than one
 * table may be needed. A side without a legal move has lost. The work is bounded: TOO_COMPLEX if
 * the captures of a crowded position lead to more than about 250,000 states, or take more than four
 * million steps to find. The bound counts work, not time, so the same tables always give the same
 * answer. None of a million random positions with kings among up to thirty pieces reaches it.
 * BAD_POSITION; NO_TABLE names the missing material; ONLY_BOUNDS under international-fmjd; file and
 * memory errors as listed above. */
EINSPUL_API einspul_status einspul_probe_wdl(einspul *handle, const einspul_position *position,
                                             unsigned flags, einspul_outcome *outcome,
                                             einspul_error *error);

/* Outcome and plies to the end of the game with best play (odd for a win, even for a loss, 0 for a
 * side without a move). `*plies` is -1 for a draw, otherwise at most 4093: a table holds distances
 * of up to 4092 plies, and a capture may lead to such a position. NO_METRIC if only tables without
 * distances are available; TOO_LONG for a loss in 4094 plies or more, which cannot be represented;
 * ONLY_BOUNDS also where only the outcome is certain; other errors as einspul_probe_wdl. */
EINSPUL_API einspul_status einspul_probe_dtw(einspul *handle, const einspul_position *position,
                                             unsigned flags, einspul_outcome *outcome, int *plies,
                                             einspul_error *error);

/* The same for `n` positions at once (0 is allowed): up to twice as fast if the tables are larger
 * than the processor's caches, because waits for memory overlap. Best with dozens of positions or
 * more. A position that fails does not stop the others: `statuses[i]` is its status (`statuses` may
 * be NULL), and its outcome and plies are left unchanged. Returns EINSPUL_OK, or the status of the
 * first position that failed, which `error` describes. */
EINSPUL_API einspul_status einspul_probe_wdl_batch(einspul *handle,
                                                   const einspul_position *positions, size_t n,
                                                   unsigned flags, einspul_outcome *outcomes,
                                                   einspul_status *statuses, einspul_error *error);
EINSPUL_API einspul_status einspul_probe_dtw_batch(einspul *handle,
                                                   const einspul_position *positions, size_t n,
                                                   unsigned flags, einspul_outcome *outcomes,
                                                   int *plies, einspul_status *statuses,
                                                   einspul_error *error);

/* The worst and the best outcome for the side to move over all possible king runs and clocks; those
 * of the position are ignored. For engines that do not keep a rule state, inside their search; at
 * the root bounds are worse than no tables (docs/embedding.md). Each bound is reached in some rule
 * state. If both are wins, the position is a win. A clock may have run out, so a win of two kings
 * against one is never certain, nor is one in K v K, which may have come from there. Under
 * international-fmjd the position's clock counts: the bounds differ where a probe is ONLY_BOUNDS.
 * Both bounds together may take the work of one probe. Errors as einspul_probe_wdl. */
EINSPUL_API einspul_status einspul_probe_bounds(einspul *handle, const einspul_position *position,
                                                unsigned flags, einspul_outcome *worst,
                                                einspul_outcome *best, einspul_error *error);

/* All legal moves, best first: wins before draws before losses, short wins and long losses first.
 * Among draws, and other moves without a distance: the move that keeps most material after the best
 * reply, then the one after which most replies are mistakes; that takes some hundred probes. Then
 * by squares as in einspul_moves. Fills at most `capacity` entries (`moves` may be NULL if that is
 * 0), and orders no more than it fills; `*n_moves` is the number of legal moves, which may be
 * larger (0: the side to move has lost). All moves together may take the work of one probe. Errors
 * as einspul_probe_wdl. */
EINSPUL_API einspul_status einspul_probe_moves(einspul *handle, const einspul_position *position,
                                               einspul_move *moves, size_t capacity,
                                               size_t *n_moves, einspul_error *error);

/* ---- Available tables ------------------------------------------------------------------------ */

#define EINSPUL_MATERIAL_SIZE 12

typedef enum einspul_metric { EINSPUL_WDL = 1, EINSPUL_DTW = 2 } einspul_metric;

typedef struct einspul_table_info {
    char material[EINSPUL_MATERIAL_SIZE]; /* "KKMvKM" */
    int has_wdl, has_dtw;                 /* 1 when a file with that name is there */
    int pieces;
    uint64_t wdl_bytes, dtw_bytes; /* file sizes; 0 when absent */
} einspul_table_info;

/* Lists the materials with a file, in generation order. Fills at most `capacity` entries; returns
 * their number, which may be larger. Never fails. */
EINSPUL_API size_t einspul_list(const einspul *handle, einspul_table_info *tables, size_t capacity);

/* Lists the materials of `pieces` pieces (2..8; none for other numbers) without a file of a metric,
 * in generation order. A .dtw file answers outcomes too, but does not count as a .wdl here. Fills
 * at most `capacity` names; returns the number of missing files. Never fails. */
EINSPUL_API size_t einspul_missing(const einspul *handle, int pieces, einspul_metric metric,
                                   char (*materials)[EINSPUL_MATERIAL_SIZE], size_t capacity);

/* The largest N for which every material of 2..N pieces has a table that answers a metric:
 * outcomes, which every table answers, or distances (every table of KvK and KKvK has them). Opens
 * all of these tables: an unreadable one, or one with a damaged header or index, does not count. 0
 * if there is no such N. Never fails. */
EINSPUL_API int einspul_complete(einspul *handle, einspul_metric metric);

/* 1 if the table of a position's material exists and its header and index are sound, else 0. The
 * first call for a material opens its table, unless EINSPUL_CACHE_ONLY is in `flags`; later ones
 * take some nanoseconds. Materials that captures lead to are not checked. Never fails. */
EINSPUL_API int einspul_ready(einspul *handle, const einspul_position *position,
                              einspul_metric metric, unsigned flags);

/* Decodes tables into the cache, fewest pieces first: those of one material, such as "KKvKM", or,
 * if that is NULL, of all materials of 2..`pieces` pieces. Stops after about `most_bytes` bytes
 * (SIZE_MAX: no limit), or when a further block would evict another; `*n_left`, which may be NULL,
 * is the number of blocks then not in memory. A table that fails does not stop the others; its
 * status is returned. NO_TABLE, NO_METRIC, BAD_MATERIAL, BAD_ARGUMENT; file and memory errors. */
EINSPUL_API einspul_status einspul_preload(einspul *handle, const char *material, int pieces,
                                           einspul_metric metric, size_t most_bytes,
                                           uint64_t *n_left, einspul_error *error);

typedef struct einspul_counters {
    uint64_t hits;   /* blocks found decoded */
    uint64_t misses; /* blocks that had to be decoded, or were refused by EINSPUL_CACHE_ONLY */
    uint64_t decoded_blocks; /* in total; failed ones count as misses only */
    uint64_t decoded_bytes;  /* their total size in memory */
    uint64_t decoding_ns;    /* total time of all threads, reading included */
    uint64_t cached_bytes;   /* now in the cache */
} einspul_counters;

/* A snapshot; counts of running probes may be missing. */
#define einspul_get_counters(handle, counters)                                                     \
    einspul_get_counters_sized((handle), (counters), sizeof *(counters))
EINSPUL_API void einspul_get_counters_sized(const einspul *handle, einspul_counters *counters,
                                            size_t size);

#ifdef __cplusplus
}
#endif

#endif
