/* Calls with NULL for what they need, and a handle after fork: what the header promises of both. */
#include "tests/support/probing.h"

#include <sys/wait.h>
#include <unistd.h>

/* Everything that a call could want. */
static einspul *handle;
static einspul_position at;
static einspul_position place;
static einspul_outcome outcome;
static einspul_outcome other;
static einspul_move move;
static size_t n;
static int plies;
static char fen[EINSPUL_FEN_SIZE];
static einspul_error error;

static void open_handle(void)
{
    create_world();
    handle = open_world(1 << 20, EINSPUL_IO_READ);
    at = position_of(handle, "W:WK1,32:BK45");
}

static void close_handle(void)
{
    einspul_close(handle);
    drop_world();
}

TestSuite(arguments, .init = open_handle, .fini = close_handle);

/* That a call refuses, and says what it lacks. */
#define EXPECT_REFUSED(call)                                                                       \
    do {                                                                                           \
        error = (einspul_error){0};                                                                \
        cr_assert_eq(call, EINSPUL_BAD_ARGUMENT);                                                  \
        cr_assert_eq(error.status, EINSPUL_BAD_ARGUMENT);                                          \
        cr_assert_neq(error.text[0], '\0');                                                        \
    } while (0)

/* Wrong: an engine that forgot to look at what einspul_open said is ended by its next call. */
Test(arguments, null_is_refused_in_opening)
{
    einspul_options options;
    einspul *none = handle;
    einspul_options_init(&options);
    EXPECT_REFUSED(einspul_open(&options, NULL, &error));
    EXPECT_REFUSED(einspul_open(NULL, &none, &error));
    cr_assert_null(none);
    cr_assert_eq(einspul_open(NULL, NULL, NULL), EINSPUL_BAD_ARGUMENT);
}

Test(arguments, null_is_refused_in_the_game)
{
    EXPECT_REFUSED(einspul_position_from_fen(NULL, "W:WK1:BK45", &place, &error));
    EXPECT_REFUSED(einspul_position_from_fen(handle, NULL, &place, &error));
    EXPECT_REFUSED(einspul_position_from_fen(handle, "W:WK1:BK45", NULL, &error));
    EXPECT_REFUSED(einspul_position_to_fen(NULL, &at, fen, &error));
    EXPECT_REFUSED(einspul_position_to_fen(handle, NULL, fen, &error));
    EXPECT_REFUSED(einspul_position_to_fen(handle, &at, NULL, &error));
    EXPECT_REFUSED(einspul_fen_read(NULL, "W:WK1:BK45", &place, &error));
    EXPECT_REFUSED(einspul_fen_read("frisian", NULL, &place, &error));
    EXPECT_REFUSED(einspul_fen_read("frisian", "W:WK1:BK45", NULL, &error));
    EXPECT_REFUSED(einspul_fen_write(NULL, &at, fen, &error));
    EXPECT_REFUSED(einspul_fen_write("frisian", NULL, fen, &error));
    EXPECT_REFUSED(einspul_fen_write("frisian", &at, NULL, &error));
    EXPECT_REFUSED(einspul_moves(NULL, &at, &move, 1, &n, &error));
    EXPECT_REFUSED(einspul_moves("frisian", NULL, &move, 1, &n, &error));
    EXPECT_REFUSED(einspul_moves("frisian", &at, NULL, 1, &n, &error));
    EXPECT_REFUSED(einspul_moves("frisian", &at, &move, 1, NULL, &error));
    EXPECT_REFUSED(einspul_play(NULL, &at, "32-28", &place, &error));
    EXPECT_REFUSED(einspul_play("frisian", NULL, "32-28", &place, &error));
    EXPECT_REFUSED(einspul_play("frisian", &at, NULL, &place, &error));
    EXPECT_REFUSED(einspul_play("frisian", &at, "32-28", NULL, &error));
    EXPECT_REFUSED(einspul_play_squares(NULL, &at, 32, 28, 0, &place, &error));
    EXPECT_REFUSED(einspul_play_squares("frisian", NULL, 32, 28, 0, &place, &error));
    EXPECT_REFUSED(einspul_play_squares("frisian", &at, 32, 28, 0, NULL, &error));
}

Test(arguments, null_is_refused_in_probing)
{
    EXPECT_REFUSED(einspul_probe_wdl(NULL, &at, 0, &outcome, &error));
    EXPECT_REFUSED(einspul_probe_wdl(handle, NULL, 0, &outcome, &error));
    EXPECT_REFUSED(einspul_probe_wdl(handle, &at, 0, NULL, &error));
    EXPECT_REFUSED(einspul_probe_dtw(NULL, &at, 0, &outcome, &plies, &error));
    EXPECT_REFUSED(einspul_probe_dtw(handle, NULL, 0, &outcome, &plies, &error));
    EXPECT_REFUSED(einspul_probe_dtw(handle, &at, 0, NULL, &plies, &error));
    EXPECT_REFUSED(einspul_probe_dtw(handle, &at, 0, &outcome, NULL, &error));
    EXPECT_REFUSED(einspul_probe_wdl_batch(NULL, &at, 1, 0, &outcome, NULL, &error));
    EXPECT_REFUSED(einspul_probe_wdl_batch(NULL, NULL, 0, 0, NULL, NULL, &error));
    EXPECT_REFUSED(einspul_probe_wdl_batch(handle, NULL, 1, 0, &outcome, NULL, &error));
    EXPECT_REFUSED(einspul_probe_wdl_batch(handle, &at, 1, 0, NULL, NULL, &error));
    EXPECT_REFUSED(einspul_probe_dtw_batch(NULL, &at, 1, 0, &outcome, &plies, NULL, &error));
    EXPECT_REFUSED(einspul_probe_dtw_batch(handle, NULL, 1, 0, &outcome, &plies, NULL, &error));
    EXPECT_REFUSED(einspul_probe_dtw_batch(handle, &at, 1, 0, NULL, &plies, NULL, &error));
    EXPECT_REFUSED(einspul_probe_dtw_batch(handle, &at, 1, 0, &outcome, NULL, NULL, &error));
    EXPECT_REFUSED(einspul_probe_bounds(NULL, &at, 0, &outcome, &other, &error));
    EXPECT_REFUSED(einspul_probe_bounds(handle, NULL, 0, &outcome, &other, &error));
    EXPECT_REFUSED(einspul_probe_bounds(handle, &at, 0, NULL, &other, &error));
    EXPECT_REFUSED(einspul_probe_bounds(handle, &at, 0, &outcome, NULL, &error));
    EXPECT_REFUSED(einspul_probe_moves(NULL, &at, &move, 1, &n, &error));
    EXPECT_REFUSED(einspul_probe_moves(handle, NULL, &move, 1, &n, &error));
    EXPECT_REFUSED(einspul_probe_moves(handle, &at, NULL, 1, &n, &error));
    EXPECT_REFUSED(einspul_probe_moves(handle, &at, &move, 1, NULL, &error));
    cr_assert_eq(einspul_probe_wdl(NULL, NULL, 0, NULL, NULL), EINSPUL_BAD_ARGUMENT);
}

/* Wrong: the same of calls without a status. */
Test(arguments, null_is_nothing_to_other_calls)
{
    einspul_counters counters = {.hits = 7};
    einspul_table_info tables[2];
    char names[2][EINSPUL_MATERIAL_SIZE];
    einspul_close(NULL);
    einspul_options_init_sized(NULL, sizeof(einspul_options));
    cr_assert_null(einspul_rules(NULL));
    cr_assert_eq(einspul_list(NULL, tables, 2), 0);
    cr_assert_eq(einspul_list(handle, NULL, 2), (size_t)world.n_materials);
    cr_assert_eq(einspul_missing(NULL, 4, EINSPUL_WDL, names, 2), 0);
    cr_assert_gt(einspul_missing(handle, 4, EINSPUL_WDL, NULL, 2), 0);
    cr_assert_eq(einspul_complete(NULL, EINSPUL_WDL), 0);
    einspul_get_counters(NULL, &counters);
    cr_assert_eq(counters.hits, 0);
    einspul_get_counters_sized(handle, NULL, sizeof counters);
}

/* Wrong: what may be NULL is refused. */
Test(arguments, null_is_allowed_where_nothing_is_needed)
{
    cr_assert_eq(einspul_probe_wdl(handle, &at, 0, &outcome, NULL), EINSPUL_OK);
    cr_assert_eq(einspul_probe_wdl_batch(handle, NULL, 0, 0, NULL, NULL, NULL), EINSPUL_OK);
    cr_assert_eq(einspul_probe_dtw_batch(handle, NULL, 0, 0, NULL, NULL, NULL, NULL), EINSPUL_OK);
    cr_assert_eq(einspul_probe_wdl_batch(handle, &at, 1, 0, &outcome, NULL, NULL), EINSPUL_OK);
    cr_assert_eq(einspul_probe_moves(handle, &at, NULL, 0, &n, NULL), EINSPUL_OK);
    cr_assert_gt(n, 0);
    cr_assert_eq(einspul_moves("frisian", &at, NULL, 0, &n, NULL), EINSPUL_OK);
    cr_assert_gt(n, 0);
}

/* Wrong: a program that forks while no call runs gets wrong answers in the child, or spoils those
 * of the parent: both read the same open files, and the child closes the handle. */
Test(arguments, a_handle_can_be_used_after_fork)
{
    for (int io = EINSPUL_IO_MAP; io <= EINSPUL_IO_READ; io++) {
        einspul *both = open_world(100000, (einspul_io)io);
        expect_answers(both, 200, true);
        fflush(NULL);
        const pid_t child = fork();
        cr_assert_geq(child, 0);
        if (child == 0) {
            expect_answers(both, 3000, true);
            einspul_close(both);
            _exit(0);
        }
        expect_answers(both, 3000, true);
        int status = 0;
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child failed");
        expect_answers(both, 200, true);
        einspul_close(both);
    }
}
