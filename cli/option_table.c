/* The table of options. The help prints them in this order. */
#include "cli/options.h"
#include "gen/material/stats.h"
#include "study/notation.h"

#include <stddef.h>

enum {
    MOST_THREADS = 1024,
    MOST_DEPTH = 60,
    MOST_PLIES = 10000,
    MOST_PROBES = 1000000000,
    MOST_ZSTD_LEVEL = 22
};

/* In the order of METRICS_… and enum verify_depth. */
static const char *const metrics[] = {"wdl", "dtw", "both", NULL};
static const char *const verify_levels[] = {"header", "checksums", "values", NULL};
static const char *const formats[] = {"tsv", "make", NULL};
static const char *const notations[] = {"numbers", "letters", NULL};

_Static_assert(METRICS_WDL == 1 && METRICS_DTW == 2 && METRICS_BOTH == 3, "order of the words");
_Static_assert(VERIFY_HEADER == 0 && VERIFY_CHECKSUMS == 1 && VERIFY_VALUES == 2,
               "order of the words");

_Static_assert(PLAN_AS_TSV == 0 && PLAN_AS_MAKE == 1, "order of the words");

/* What follows name, argument and help in a row: how the text is read, and the field it fills. The
 * compiler checks that the field has the type that is written there. */
#define FIELD(type, name)                                                                          \
    .field =                                                                                       \
        (offsetof(struct options, name) + 0 * sizeof(&((struct options *)0)->name == (type *)0))
#define RANGE(from, to)          .least = (from), .most = (to)
#define FLAG(name)               .kind = OPTION_IS_FLAG, FIELD(bool, name)
#define INT(name, least, most)   .kind = OPTION_IS_INT, FIELD(int, name), RANGE(least, most)
#define COUNT(name, least, most) .kind = OPTION_IS_COUNT, FIELD(uint64_t, name), RANGE(least, most)
#define WORD(name, first, list)                                                                    \
    .kind = OPTION_IS_WORD, FIELD(unsigned, name), .least = (first), .words = (list)
#define TEXT(name)      .kind = OPTION_IS_TEXT, FIELD(const char *, name)
#define FOLDER(name)    .kind = OPTION_IS_FOLDER, FIELD(const char *, name)
#define FOLDERS(name)   .kind = OPTION_IS_FOLDERS, FIELD(const char *, name)
#define RULES(name)     .kind = OPTION_IS_RULES, FIELD(struct rules, name)
#define GIB(name)       .kind = OPTION_IS_GIB, FIELD(uint64_t, name)
#define CONDITION(part) .kind = OPTION_IS_CONDITION, .least = FIND_BY_##part

const struct option_row option_rows[N_OPTIONS] = {
    [OPTION_PIECES] = {"pieces", "N", "all materials of 2 to N pieces", INT(pieces, 2, MAX_PIECES)},
    [OPTION_MATERIAL] = {"material", "NAME", "this material and all it leads to; may be repeated",
                         .kind = OPTION_IS_MATERIAL},
    [OPTION_ONLY] = {"only", NULL, "that material alone; what it leads to must be there",
                     FLAG(only)},
    [OPTION_METRIC] = {"metric", NULL, "outcomes, distances, or both (default: both)",
                       WORD(metrics, METRICS_WDL, metrics)},
    [OPTION_MEMORY] = {"memory", "GIB",
                       "most memory to use (default: Slurm's, or what the system leaves)",
                       GIB(memory_bytes)},
    [OPTION_ZSTD_LEVEL] = {"level", "LEVEL", "zstd's level of compression, 1 to 22 (default: 3)",
                           INT(level, 1, MOST_ZSTD_LEVEL)},
    [OPTION_VERIFY_LEVEL] = {"level", NULL, "how much to check (default: values, everything)",
                             WORD(verify_level, VERIFY_HEADER, verify_levels)},
    [OPTION_PLAN] = {"plan", NULL, "print the plan only", FLAG(plan_only)},
    [OPTION_CHECK] = {"check", NULL, "read all blocks of the tables that are there", FLAG(check)},
    [OPTION_FORMAT] = {"format", NULL, "what to print (default: tsv)",
                       WORD(format, PLAN_AS_TSV, formats)},
    [OPTION_CORES] = {"cores", "N", "cores of a node (default: those of this machine)",
                      INT(n_cores, 1, MOST_THREADS)},
    [OPTION_NODE_MEMORY] = {"memory", "GIB",
                            "memory of a node (default: nine tenths of this machine's)",
                            GIB(memory_bytes)},
    [OPTION_SAMPLES] = {"samples", "N", "check about N values of each table, at random",
                        COUNT(n_samples, 1, UINT64_MAX)},
    [OPTION_SEED] = {"seed", "S", "of the random choice (default: 1)", COUNT(seed, 0, UINT64_MAX)},
    [OPTION_MISSING] = {"missing", "N", "list what is missing of 2 to N pieces instead",
                        INT(missing, 2, MAX_PIECES)},
    [OPTION_NOTATION] = {"notation", NULL, "squares in answers (default: as they were given)",
                         WORD(notation, NOTATION_NUMBERS, notations)},
    [OPTION_PLIES] = {"plies", "N", "length of a drawn line (default: 20)",
                      INT(plies, 1, MOST_PLIES)},
    [OPTION_FEN] = {"fen", "FEN", "where to start (default: the start of the game)", TEXT(fen)},
    [OPTION_DEPTH] = {"depth", "N", "count the lines of 1 to N moves", INT(depth, 1, MOST_DEPTH)},
    [OPTION_WHOLE] = {"whole", NULL, "store every value", FLAG(whole)},
    [OPTION_SMALLEST] = {"smallest", NULL, "omit more values, for tables that are kept",
                         FLAG(smallest)},
    [OPTION_PROBES] = {"probes", "N", "positions to probe (default: 1000000)",
                       COUNT(n_probes, 1, MOST_PROBES)},
    [OPTION_LISTEN] = {"listen", "ADDRESS", "address to answer on (default: 127.0.0.1)",
                       TEXT(listen)},
    [OPTION_LISTS] = {"lists", "DIR", "folder of prepared lists, DIR/RULES/NAME.tsv",
                      FOLDER(lists)},
    [OPTION_PORT] = {"port", "N", "port; 0: a free one (default: 8317)", INT(port, 0, 65535)},
    [OPTION_OUTCOME] = {"outcome", NULL, "outcome for the side to move", CONDITION(OUTCOME)},
    [OPTION_DISTANCE] = {"distance", "RANGE", "plies to the end: N, N-M, N- or -M; no draws",
                         CONDITION(DISTANCE)},
    [OPTION_SIDE] = {"side", NULL, "side to move; White is the side named first", CONDITION(SIDE)},
    [OPTION_MOVES] = {"moves", "RANGE", "number of legal moves", CONDITION(MOVES)},
    [OPTION_ONLY_MOVE] = {"only-move", NULL, "exactly one move keeps the win, or the draw",
                          CONDITION(ONLY_MOVE)},
    [OPTION_STUDY] = {"study", NULL, "one move wins at every step of the line, but the last",
                      CONDITION(STUDY)},
    [OPTION_QUIET] = {"quiet", NULL, "neither side could capture, were it to move",
                      CONDITION(QUIET)},
    [OPTION_ZUGZWANG] = {"zugzwang", NULL, "the side to move is in zugzwang", CONDITION(ZUGZWANG)},
    [OPTION_DIFFERS_FROM] = {"differs-from", "NAME", "a different outcome under this rule set",
                             RULES(other_rules)},
    [OPTION_INSTEAD_OF] = {"instead-of", NULL, "the outcome under that rule set",
                           CONDITION(INSTEAD_OF)},
    [OPTION_DEPENDS_ON] = {"depends-on", NULL, "a different outcome with some king run, or clock",
                           CONDITION(DEPENDS_ON)},
    [OPTION_ON] = {"on", "PIECES", "pieces on given squares, as W28,BK43 (others may be anywhere)",
                   CONDITION(ON)},
    [OPTION_SAMPLE] = {"sample", "N", "N of them at random (see --seed)",
                       COUNT(n_drawn, 1, UINT64_MAX)},
    [OPTION_TRIES] = {"tries", "N", "look at N placements at most, at random (see --seed)",
                      COUNT(n_tries, 1, UINT64_MAX)},
    [OPTION_LIMIT] = {"limit", "N", "print the first N; 0: all (default: 1000)",
                      COUNT(limit, 0, UINT64_MAX)},
    [OPTION_SHORTEST] = {"shortest", NULL, "short distances first", CONDITION(SHORTEST)},
    [OPTION_PIECE] = {"piece", "SQUARE", "square of the piece", INT(piece, 1, MAX_SQUARES)},
    [OPTION_STRICT] = {"strict", NULL, "refuse FENs that would need a note", FLAG(strict)},
    [OPTION_FILES] = {"files", NULL, "a line per file, with the hash of its values",
                      .group = GROUP_OUTPUT, FLAG(files)},
    [OPTION_MAKE_MANIFEST] = {"manifest", NULL, "a line per file, with its size and its checksum",
                              .group = GROUP_OUTPUT, FLAG(makes_manifest)},
    [OPTION_MANIFEST] = {"manifest", "FILE", "check that the files are those of a manifest instead",
                         TEXT(manifest)},
    [OPTION_COUNT] = {"count", NULL, "print only their number", .group = GROUP_OUTPUT, FLAG(count)},
    [OPTION_TSV] = {"tsv", NULL, "tab-separated lines, also on a terminal", .group = GROUP_OUTPUT,
                    FLAG(tsv)},
    [OPTION_PERCENT] = {"percent", NULL, "also the shares of wins, draws and losses",
                        FLAG(percent)},
    [OPTION_HISTOGRAM] = {"histogram", NULL, "print the number of states at each distance instead",
                          FLAG(histogram)},
    [OPTION_TOP] = {"top", "N", "print the N longest wins of each side instead",
                    INT(n_top, 1, STATS_MOST_TOP)},
    [OPTION_COMPARE] = {"compare", "NAME", "also the counts under this rule set", RULES(compared)},
    [OPTION_FOLDER] = {"tables", "DIR",
                       "root folder of the tables (default: $EINSPUL_TABLES, or data/tables)",
                       FOLDERS(tables)},
    [OPTION_JSON] = {"json", NULL, "print a JSON object per line", .group = GROUP_OUTPUT,
                     FLAG(json)},
    [OPTION_RULES] = {"rules", "NAME", "rule set (default: frisian)", .group = GROUP_COMMON,
                      RULES(rules)},
    [OPTION_TABLES] =
        {"tables", "DIR",
         "root folder or pack of the tables, or a list as in $PATH; may be repeated, the first is "
         "written to (default: $EINSPUL_TABLES, or data/tables)",
         .group = GROUP_COMMON, FOLDERS(tables)},
    [OPTION_THREADS] = {"threads", "N",
                        "threads (default: Slurm's, $OMP_NUM_THREADS, or all available cores)",
                        .group = GROUP_COMMON, INT(n_threads, 1, MOST_THREADS)},
    [OPTION_HELP] = {"help", NULL, "this text", .group = GROUP_COMMON, .kind = OPTION_IS_FLAG},
};
