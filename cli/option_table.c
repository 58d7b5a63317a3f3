/* The table of options. Help, manual page and completion print them in this order. */
#include "cli/options.h"
#include "gen/stats/stats.h"

#include <stddef.h>
#include <stdio.h>

enum {
    MOST_MOVES = 10000,
    MOST_THREADS = 1024,
    MOST_DEPTH = 60,
    MOST_PLIES = 10000,
    MOST_PROBES = 1000000000,
    MOST_ZSTD_LEVEL = 22,
    MOST_JOB_SECONDS = 1000000
};

/* In the order of METRICS_…, enum solver_choice, enum verify_depth and enum shell. */
static const char *const metrics[] = {"wdl", "dtw", "both", NULL};
static const char *const solvers[] = {"fast", "plain", NULL};
static const char *const verify_levels[] = {"header", "checksums", "values", NULL};
static const char *const outcomes[] = {"win", "draw", "loss", NULL};
static const char *const sides[] = {"white", "black", NULL};
static const char *const zugzwangs[] = {"full", "half", "any", NULL};
static const char *const dependences[] = {"run", "clock", NULL};
static const char *const formats[] = {"tsv", "json", "make", "slurm", NULL};
static const char *const shells[] = {"bash", "zsh", "fish", NULL};

_Static_assert(METRICS_WDL == 1 && METRICS_DTW == 2 && METRICS_BOTH == 3, "order of the words");
_Static_assert(SOLVER_FAST == 0 && SOLVER_PLAIN == 1, "order of the words");
_Static_assert(VERIFY_HEADER == 0 && VERIFY_CHECKSUMS == 1 && VERIFY_VALUES == 2,
               "order of the words");
_Static_assert(ZUGZWANG_FULL == 1 && ZUGZWANG_HALF == 2 && ZUGZWANG_EITHER == 3,
               "order of the words");
_Static_assert(DEPENDS_ON_RUN == 1 && DEPENDS_ON_CLOCK == 2, "order of the words");

_Static_assert(PLAN_AS_TSV == 0 && PLAN_AS_SLURM == 3, "order of the words");

#define FIELD(name) offsetof(struct options, name)

const struct option_row option_rows[N_OPTIONS] = {
    [OPTION_PIECES] = {"pieces", "N", "all materials of 2 to N pieces", OPTION_IS_INT, GROUP_OWN,
                       FIELD(pieces), 2, MAX_PIECES, NULL},
    [OPTION_MATERIAL] = {"material", "NAME", "this material and all it leads to; may be repeated",
                         OPTION_IS_MATERIAL, GROUP_OWN, 0, 0, 0, NULL},
    [OPTION_JOB] = {"job", "ID", "one job of a plan, as einspul plan names it", OPTION_IS_TEXT,
                    GROUP_OWN, FIELD(job), 0, 0, NULL},
    [OPTION_METRIC] = {"metric", NULL, "outcomes, distances, or both (default: both)",
                       OPTION_IS_WORD, GROUP_OWN, FIELD(metrics), METRICS_WDL, 0, metrics},
    [OPTION_MEMORY] = {"memory", "GIB",
                       "most memory to use (default: Slurm's, or what the system leaves)",
                       OPTION_IS_GIB, GROUP_OWN, FIELD(memory_bytes), 0, 0, NULL},
    [OPTION_SCRATCH] = {"scratch", "DIR", "for temporary values (default: with the tables)",
                        OPTION_IS_FOLDER, GROUP_OWN, FIELD(scratch), 0, 0, NULL},
    [OPTION_ZSTD_LEVEL] = {"level", "LEVEL", "zstd's level of compression, 1 to 22 (default: 3)",
                           OPTION_IS_INT, GROUP_OWN, FIELD(level), 1, MOST_ZSTD_LEVEL, NULL},
    [OPTION_VERIFY_LEVEL] = {"level", NULL, "how much to check (default: values, everything)",
                             OPTION_IS_WORD, GROUP_OWN, FIELD(verify_level), VERIFY_HEADER, 0,
                             verify_levels},
    [OPTION_SOLVER] = {"solver", NULL, "how to solve (default: fast)", OPTION_IS_WORD, GROUP_OWN,
                       FIELD(solver), SOLVER_FAST, 0, solvers},
    [OPTION_PLAN] = {"plan", NULL, "print the plan only", OPTION_IS_FLAG, GROUP_OWN,
                     FIELD(plan_only), 0, 0, NULL},
    [OPTION_CHECK] = {"check", NULL, "read tables again even if they are recorded as sound",
                      OPTION_IS_FLAG, GROUP_OWN, FIELD(check), 0, 0, NULL},
    [OPTION_FORMAT] = {"format", NULL, "what to print (default: tsv)", OPTION_IS_WORD, GROUP_OWN,
                       FIELD(format), PLAN_AS_TSV, 0, formats},
    [OPTION_CORES] = {"cores", "N", "cores of a node (default: those of this machine)",
                      OPTION_IS_INT, GROUP_OWN, FIELD(n_cores), 1, MOST_THREADS, NULL},
    [OPTION_NODE_MEMORY] = {"memory", "GIB",
                            "memory of a node (default: nine tenths of this machine's)",
                            OPTION_IS_GIB, GROUP_OWN, FIELD(memory_bytes), 0, 0, NULL},
    [OPTION_JOB_SECONDS] = {"seconds", "S", "longest time of a job (default: 1800)", OPTION_IS_INT,
                            GROUP_OWN, FIELD(job_seconds), 1, MOST_JOB_SECONDS, NULL},
    [OPTION_LEFT] = {"left", NULL, "only jobs that are not done, as the tables' folder shows",
                     OPTION_IS_FLAG, GROUP_OWN, FIELD(left), 0, 0, NULL},
    [OPTION_STATUS] = {"status", NULL, "print the progress of a run instead", OPTION_IS_FLAG,
                       GROUP_OWN, FIELD(show_status), 0, 0, NULL},
    [OPTION_SAMPLES] = {"samples", "N", "check about N values of each table, at random",
                        OPTION_IS_COUNT, GROUP_OWN, FIELD(n_samples), 1, UINT64_MAX, NULL},
    [OPTION_SEED] = {"seed", "S", "of the random choice (default: 1)", OPTION_IS_COUNT, GROUP_OWN,
                     FIELD(seed), 0, UINT64_MAX, NULL},
    [OPTION_MISSING] = {"missing", "N", "list what is missing of 2 to N pieces instead",
                        OPTION_IS_INT, GROUP_OWN, FIELD(missing), 2, MAX_PIECES, NULL},
    [OPTION_PLIES] = {"plies", "N", "length of a drawn line (default: 20)", OPTION_IS_INT,
                      GROUP_OWN, FIELD(plies), 1, MOST_PLIES, NULL},
    [OPTION_FEN] = {"fen", "FEN", "where to start (default: the start of the game)", OPTION_IS_TEXT,
                    GROUP_OWN, FIELD(fen), 0, 0, NULL},
    [OPTION_DEPTH] = {"depth", "N", "count the lines of 1 to N moves", OPTION_IS_INT, GROUP_OWN,
                      FIELD(depth), 1, MOST_DEPTH, NULL},
    [OPTION_WHOLE] = {"whole", NULL, "store every value", OPTION_IS_FLAG, GROUP_OWN, FIELD(whole),
                      0, 0, NULL},
    [OPTION_PROBES] = {"probes", "N", "positions to probe (default: 1000000)", OPTION_IS_COUNT,
                       GROUP_OWN, FIELD(n_probes), 1, MOST_PROBES, NULL},
    [OPTION_LISTEN] = {"listen", "ADDRESS", "address to answer on (default: 127.0.0.1)",
                       OPTION_IS_TEXT, GROUP_OWN, FIELD(listen), 0, 0, NULL},
    [OPTION_PORT] = {"port", "N", "port; 0: a free one (default: 8317)", OPTION_IS_INT, GROUP_OWN,
                     FIELD(port), 0, 65535, NULL},
    [OPTION_OUTCOME] = {"outcome", NULL, "outcome for the side to move", OPTION_IS_WORD, GROUP_OWN,
                        FIELD(outcome), OUTCOME_IS_WIN, 0, outcomes},
    [OPTION_DISTANCE] = {"distance", "RANGE", "plies to the end: N, N-M, N- or -M; no draws",
                         OPTION_IS_RANGE, GROUP_OWN, FIELD(distance), 0, MOST_MOVES, NULL},
    [OPTION_SIDE] = {"side", NULL, "side to move; White is the side named first", OPTION_IS_WORD,
                     GROUP_OWN, FIELD(side), SIDE_IS_WHITE, 0, sides},
    [OPTION_MOVES] = {"moves", "RANGE", "number of legal moves", OPTION_IS_RANGE, GROUP_OWN,
                      FIELD(n_moves), 0, MOST_MOVES, NULL},
    [OPTION_ONLY_MOVE] = {"only-move", NULL, "exactly one move keeps the win, or the draw",
                          OPTION_IS_FLAG, GROUP_OWN, FIELD(only_move), 0, 0, NULL},
    [OPTION_QUIET] = {"quiet", NULL, "neither side could capture, were it to move", OPTION_IS_FLAG,
                      GROUP_OWN, FIELD(quiet), 0, 0, NULL},
    [OPTION_ZUGZWANG] = {"zugzwang", NULL, "the side to move is in zugzwang", OPTION_IS_WORD,
                         GROUP_OWN, FIELD(zugzwang), ZUGZWANG_FULL, 0, zugzwangs},
    [OPTION_DIFFERS_FROM] = {"differs-from", "NAME", "a different outcome under this rule set",
                             OPTION_IS_RULES, GROUP_OWN, FIELD(other_rules), 0, 0, NULL},
    [OPTION_INSTEAD_OF] = {"instead-of", NULL, "the outcome under that rule set", OPTION_IS_WORD,
                           GROUP_OWN, FIELD(other_outcome), OUTCOME_IS_WIN, 0, outcomes},
    [OPTION_DEPENDS_ON] = {"depends-on", NULL, "a different outcome with some king run, or clock",
                           OPTION_IS_WORD, GROUP_OWN, FIELD(depends), DEPENDS_ON_RUN, 0,
                           dependences},
    [OPTION_ON] = {"on", "PIECES", "pieces on given squares, as W28,BK43 (others may be anywhere)",
                   OPTION_IS_TEXT, GROUP_OWN, FIELD(on), 0, 0, NULL},
    [OPTION_SAMPLE] = {"sample", "N", "N of them at random (see --seed)", OPTION_IS_COUNT,
                       GROUP_OWN, FIELD(n_drawn), 1, UINT64_MAX, NULL},
    [OPTION_LIMIT] = {"limit", "N", "print the first N; 0: all (default: 1000)", OPTION_IS_COUNT,
                      GROUP_OWN, FIELD(limit), 0, UINT64_MAX, NULL},
    [OPTION_SHORTEST] = {"shortest", NULL, "short distances first", OPTION_IS_FLAG, GROUP_OWN,
                         FIELD(shortest), 0, 0, NULL},
    [OPTION_PIECE] = {"piece", "SQUARE", "square of the piece", OPTION_IS_INT, GROUP_OWN,
                      FIELD(piece), 1, MAX_SQUARES, NULL},
    [OPTION_MAN] = {"man", NULL, "print the manual page", OPTION_IS_FLAG, GROUP_OWN, FIELD(man), 0,
                    0, NULL},
    [OPTION_COMPLETION] = {"completion", NULL, "print the completion script for a shell",
                           OPTION_IS_WORD, GROUP_OWN, FIELD(completion), SHELL_BASH, 0, shells},
    [OPTION_COMPLETE] = {"complete", NULL, "print the words that may follow, for the script",
                         OPTION_IS_FLAG, GROUP_OWN, FIELD(complete), 0, 0, NULL},
    [OPTION_STRICT] = {"strict", NULL, "refuse FENs that would need a note", OPTION_IS_FLAG,
                       GROUP_OWN, FIELD(strict), 0, 0, NULL},
    [OPTION_FILES] = {"files", NULL, "a line per file, with the hash of its values", OPTION_IS_FLAG,
                      GROUP_OUTPUT, FIELD(files), 0, 0, NULL},
    [OPTION_COUNT] = {"count", NULL, "print only their number", OPTION_IS_FLAG, GROUP_OUTPUT,
                      FIELD(count), 0, 0, NULL},
    [OPTION_TSV] = {"tsv", NULL, "tab-separated lines, also on a terminal", OPTION_IS_FLAG,
                    GROUP_OUTPUT, FIELD(tsv), 0, 0, NULL},
    [OPTION_PERCENT] = {"percent", NULL, "also the shares of wins, draws and losses",
                        OPTION_IS_FLAG, GROUP_OWN, FIELD(percent), 0, 0, NULL},
    [OPTION_HISTOGRAM] = {"histogram", NULL, "print the number of states at each distance instead",
                          OPTION_IS_FLAG, GROUP_OWN, FIELD(histogram), 0, 0, NULL},
    [OPTION_TOP] = {"top", "N", "print the N longest wins of each side instead", OPTION_IS_INT,
                    GROUP_OWN, FIELD(n_top), 1, STATS_MOST_TOP, NULL},
    [OPTION_COMPARE] = {"compare", "NAME", "also the counts under this rule set", OPTION_IS_RULES,
                        GROUP_OWN, FIELD(compared), 0, 0, NULL},
    [OPTION_FOLDER] = {"tables", "DIR",
                       "root folder of the tables (default: $EINSPUL_TABLES, or data/tables)",
                       OPTION_IS_FOLDER, GROUP_OWN, FIELD(tables), 0, 0, NULL},
    [OPTION_JSON] = {"json", NULL, "print a JSON object per line", OPTION_IS_FLAG, GROUP_OUTPUT,
                     FIELD(json), 0, 0, NULL},
    [OPTION_RULES] = {"rules", "NAME", "rule set (default: frisian)", OPTION_IS_RULES, GROUP_COMMON,
                      FIELD(rules), 0, 0, NULL},
    [OPTION_TABLES] = {"tables", "DIR",
                       "root folder of the tables; may be repeated, the first is written to "
                       "(default: $EINSPUL_TABLES, or data/tables)",
                       OPTION_IS_FOLDERS, GROUP_COMMON, FIELD(tables), 0, 0, NULL},
    [OPTION_THREADS] = {"threads", "N",
                        "threads (default: Slurm's, $OMP_NUM_THREADS, or all available cores)",
                        OPTION_IS_INT, GROUP_COMMON, FIELD(n_threads), 1, MOST_THREADS, NULL},
    [OPTION_HELP] = {"help", NULL, "this text", OPTION_IS_FLAG, GROUP_COMMON, 0, 0, 0, NULL},
};

void option_text(const struct option_row *row, char text[OPTION_TEXT_SIZE])
{
    size_t length = (size_t)snprintf(text, OPTION_TEXT_SIZE, "--%s", row->name);
    if (row->argument != NULL)
        snprintf(text + length, OPTION_TEXT_SIZE - length, " %s", row->argument);
    for (int i = 0; row->words != NULL && row->words[i] != NULL; i++) {
        length += (size_t)snprintf(text + length, OPTION_TEXT_SIZE - length, "%c%s",
                                   i == 0 ? ' ' : '|', row->words[i]);
        if (length >= OPTION_TEXT_SIZE)
            return;
    }
}
