/* NULL for required arguments, and handles after fork, as the header specifies. */
#include "tests/support/synthetic_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

/* Valid arguments for all calls. */
static einspul *handle;
static einspul_position at;
static einspul_position place;
static einspul_move move;
static char text[EINSPUL_MOVE_TEXT_SIZE];
static char fen[EINSPUL_FEN_SIZE];
static einspul_error error;

static void open_handle(void)
{
    create_synthetic_set();
    handle = open_synthetic(1 << 20);
    at = position_of(handle, "W:WK1,32:BK45");
}

static void close_handle(void)
{
    einspul_close(handle);
    drop_synthetic_set();
}

TestSuite(arguments, .init = open_handle, .fini = close_handle);

/* The status of a call that returns a number of moves. */
static einspul_status status_of(int n_moves)
{
    return n_moves == -1 ? error.status : EINSPUL_OK;
}

/* Expects that a call refuses NULL with a text. */
#define EXPECT_REFUSED(call)                                                                       \
    do {                                                                                           \
        error = (einspul_error){0};                                                                \
        cr_assert_eq(call, EINSPUL_BAD_ARGUMENT);                                                  \
        cr_assert_eq(error.status, EINSPUL_BAD_ARGUMENT);                                          \
        cr_assert_neq(error.text[0], '\0');                                                        \
    } while (0)

/* Fails if a NULL handle, as after an unchecked failure of einspul_open, crashes a call. */
Test(arguments, null_is_refused)
{
    EXPECT_REFUSED(einspul_open(synthetic.root, NULL, 0, NULL, NULL, &error));
    EXPECT_REFUSED(einspul_fen_read("frisian", NULL, &place, &error));
    EXPECT_REFUSED(einspul_fen_read("frisian", "W:WK1:BK45", NULL, &error));
    EXPECT_REFUSED(einspul_fen_write("frisian", NULL, fen, &error));
    EXPECT_REFUSED(einspul_fen_write("frisian", &at, NULL, &error));
    EXPECT_REFUSED(einspul_move_write("frisian", NULL, &move, text, &error));
    EXPECT_REFUSED(einspul_move_write("frisian", &at, NULL, text, &error));
    EXPECT_REFUSED(einspul_move_write("frisian", &at, &move, NULL, &error));
    EXPECT_REFUSED(einspul_play("frisian", NULL, "32-28", &error));
    EXPECT_REFUSED(einspul_play("frisian", &at, NULL, &error));
    EXPECT_REFUSED(einspul_probe(NULL, &at, 0, NULL, NULL, &error));
    EXPECT_REFUSED(einspul_probe(handle, NULL, 0, NULL, NULL, &error));
    EXPECT_REFUSED(einspul_preload(NULL, 3, EINSPUL_WDL, SIZE_MAX, &error));
    EXPECT_REFUSED(einspul_preload(handle, 3, (einspul_metric)3, SIZE_MAX, &error));
    EXPECT_REFUSED(status_of(einspul_moves("frisian", NULL, &move, 1, &error)));
    EXPECT_REFUSED(status_of(einspul_moves("frisian", &at, NULL, 1, &error)));
    EXPECT_REFUSED(status_of(einspul_probe_moves(NULL, &at, &move, 1, &error)));
    EXPECT_REFUSED(status_of(einspul_probe_moves(handle, NULL, &move, 1, &error)));
    EXPECT_REFUSED(status_of(einspul_probe_moves(handle, &at, NULL, 1, &error)));
    cr_assert_eq(einspul_probe(NULL, NULL, 0, NULL, NULL, NULL), EINSPUL_BAD_ARGUMENT);
}

/* Fails if NULL crashes a call that returns no status. */
Test(arguments, null_is_harmless_without_status)
{
    einspul_table_info tables[2];
    einspul_outcome outcome = EINSPUL_DRAW;
    einspul_status status = EINSPUL_OK;
    int plies = 7;
    einspul_close(NULL);
    einspul_advance("frisian", NULL, 1, 7, 0, &place);
    einspul_advance("frisian", &at, 1, 7, 0, NULL);
    einspul_advance("klingon", &at, 1, 7, 0, &place);
    cr_assert_eq(einspul_list(NULL, tables, 2), 0);
    cr_assert_eq(einspul_list(handle, NULL, 2), (size_t)synthetic.n_materials);
    cr_assert_eq(einspul_complete(NULL, EINSPUL_WDL), 0);
    cr_assert_eq(einspul_complete(handle, (einspul_metric)3), 0);
    cr_assert_eq(einspul_probe(NULL, &at, 0, &outcome, &plies, NULL), EINSPUL_BAD_ARGUMENT);
    cr_assert(outcome == EINSPUL_UNKNOWN && plies == -1);
    outcome = EINSPUL_DRAW;
    cr_assert_eq(einspul_probe_many(NULL, &at, 1, 0, &outcome, NULL, &status), 0);
    cr_assert(outcome == EINSPUL_UNKNOWN && status == EINSPUL_BAD_ARGUMENT);
    outcome = EINSPUL_DRAW;
    cr_assert_eq(einspul_probe_many(handle, NULL, 1, 0, &outcome, NULL, NULL), 0);
    cr_assert_eq(outcome, EINSPUL_UNKNOWN);
}

/* Fails if an optional NULL argument is refused. */
Test(arguments, optional_null_is_accepted)
{
    cr_assert_eq(einspul_probe(handle, &at, 0, NULL, NULL, NULL), EINSPUL_OK);
    cr_assert_eq(einspul_probe_many(handle, &at, 1, 0, NULL, NULL, NULL), 1);
    cr_assert_eq(einspul_probe_many(handle, NULL, 0, 0, NULL, NULL, NULL), 0);
    cr_assert_gt(einspul_probe_moves(handle, &at, NULL, 0, NULL), 0);
    cr_assert_gt(einspul_moves(NULL, &at, NULL, 0, NULL), 0);
    cr_assert_eq(einspul_fen_write(NULL, &at, fen, NULL), EINSPUL_OK);
}

/* Fails if a program that forks while no call runs gets wrong answers in the child or the parent:
 * both read the same open files, and the child closes the handle. */
Test(arguments, handles_work_after_fork)
{
    einspul *both = open_synthetic(100000);
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
