/* The largest distances a byte can hold: a win in 253 plies is stored, a loss in 254 is refused.
 * Fails if a lost state would be stored as a draw or with a wrong distance.
 *
 * The frames are synthetic: seeds give the distance of a promotion from winning. */
#include "core/program/plies.h"
#include "gen/seeds/seed_tables.h"
#include "gen/solver/word_solver.h"
#include "tests/support/moves_text.h"
#include "tests/support/oracle_solver.h"

/* A frame of KMvK without captures: White's man wins in MAX_WIN_PLIES if White's king is on one of
 * `white_kings` and Black's on one of `black_kings`; otherwise it draws. */
static void fill(struct frame *frame, squares_t white_kings, squares_t black_kings)
{
    const struct frame_context *context = frame->context;
    const uint32_t n_black = context->shape.n_king_sets[BLACK];
    const squares_t men = frame->men[WHITE] | frame->men[BLACK];
    for (uint64_t index = 0; index < context->shape.frame_size; index++) {
        const squares_t white = context->king_sets[WHITE][index / n_black];
        const squares_t black = context->king_sets[BLACK][index % n_black];
        const bool possible = (white & black) == 0 && ((white | black) & men) == 0;
        const bool wins = (white & white_kings) != 0 && (black & black_kings) != 0;
        for (int side = WHITE; side <= BLACK; side++)
            frame->class_of[side][index] = possible ? CLASS_QUIET : CLASS_IMPOSSIBLE;
        frame->seed[WHITE][index] = wins ? value_from_plies(MAX_WIN_PLIES) : VALUE_DRAW;
        frame->seed[BLACK][index] = VALUE_LOST;
    }
}

/* Solves the frame; counts the placements that are won in MAX_WIN_PLIES, and those lost in many
 * plies. */
static einspul_status solve(const struct solver_ops *type, squares_t white_kings,
                            squares_t black_kings, int *n_wins, int *n_losses, einspul_error *error)
{
    const struct rules rules = rules_named("brazilian");
    const struct store store = {.rules = &rules};
    const struct material material = material_named("KMvK");
    struct frame_context context;
    struct frame frame;
    void *solver = NULL;
    cr_assert_eq(frame_context_init(&context, &store, &material, EINSPUL_DTW, FRAME_VALUES),
                 EINSPUL_OK);
    cr_assert_eq(seed_tables_create(&context), EINSPUL_OK);
    cr_assert_eq(frame_create(&frame, &context, 1), EINSPUL_OK);
    cr_assert_eq(type->create(&context, 1, &solver), EINSPUL_OK);
    frame_set(&frame, context.shape.n_frames / 2);
    fill(&frame, white_kings, black_kings);
    const einspul_status status = type->solve(solver, &frame, error);
    *n_wins = *n_losses = 0;
    for (uint64_t i = 0; i < context.shape.frame_size && status == EINSPUL_OK; i++) {
        if (frame.class_of[WHITE][i] == CLASS_IMPOSSIBLE)
            continue;
        *n_wins += frame.value[WHITE][i] == VALUE_LONGEST_WIN;
        *n_losses += frame.value[BLACK][i] < VALUE_DRAW && value_plies(frame.value[BLACK][i]) > 100;
    }
    type->destroy(solver);
    frame_free(&frame);
    frame_context_free(&context);
    return status;
}

static const struct solver_ops *const types[] = {&word_solver, &solver_plain};

/* Black can avoid all squares where White wins. */
Test(long_distances, a_win_in_253_plies_is_stored)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        einspul_error error = {0};
        int n_wins, n_losses;
        cr_assert_eq(solve(types[i], square_bit(30), square_bit(9), &n_wins, &n_losses, &error),
                     EINSPUL_OK, "%s", error.text);
        cr_assert(n_wins == 1 && n_losses == 0, "%d, %d", n_wins, n_losses);
    }
}

/* White wins wherever Black moves. */
Test(long_distances, a_loss_in_254_plies_is_refused)
{
    const squares_t any = ~(squares_t)0;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        einspul_error error = {0};
        int n_wins, n_losses;
        cr_assert_eq(solve(types[i], any, any, &n_wins, &n_losses, &error), EINSPUL_TOO_LONG);
        cr_assert_not_null(strstr(error.text, "KMvK: losses longer than 252 plies"), "%s",
                           error.text);
    }
}
