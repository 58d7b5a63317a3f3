/* Distances at the end of what a value can tell: a table may hold a loss in VALUE_MAX_PLIES,
 * captures before it make it longer, and a loss in two plies more has no value. The one that
 * would be next is a draw. A draw is better than any loss, also than one that is too long to
 * tell. */
#include "tests/support/files.h"
#include "tests/support/probing.h"

#include <sys/stat.h>

static const char *const root = EINSPUL_BINARY_DIR "/long-XXXXXX";
static char folder[512];
static struct rules rules;

/* Placements of kings alone are draws. */
static bool is_drawn(const struct material *material)
{
    return material->men[WHITE] + material->men[BLACK] == 0;
}

/* Tables of two and three pieces in which whoever is to move has lost in the most plies, or
 * drawn. */
static void make_tables(void)
{
    char path[1024];
    struct material materials[MAX_MATERIALS];
    einspul_error error = {0};
    const int n = material_list(2, 3, materials);
    rules = rules_named("frisian-free");
    snprintf(folder, sizeof folder, "%s", root);
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/%s", folder, rules.name);
    cr_assert_eq(mkdir(path, 0777), 0);
    for (int i = 0; i < n; i++) {
        struct synthetic made;
        char name[MATERIAL_NAME_SIZE];
        material_write(&materials[i], name);
        synthetic_create(&made, &rules, name, 1, 1);
        synthetic_widen(&made, 1);
        for (int side = 0; side < made.shape.n_sides; side++)
            for (int run = 0; run < made.shape.n_run_states; run++)
                value_store(made.patterns[side], 2, (size_t)run,
                            is_drawn(&materials[i]) ? VALUE_DRAW
                                                    : value_from_plies(VALUE_MAX_PLIES));
        for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
            snprintf(path, sizeof path, "%s/%s/%s.%s", folder, rules.name, name,
                     metric == EINSPUL_WDL ? "wdl" : "dtw");
            const struct table_id id = {&rules, materials[i], (einspul_metric)metric};
            cr_assert_eq(table_write_sides(path, id, made.sides, 1, 1, &error), EINSPUL_OK, "%s",
                         error.text);
        }
        synthetic_free(&made);
    }
}

static void drop_tables(void)
{
    remove_folder(folder);
}

TestSuite(long_losses, .init = make_tables, .fini = drop_tables);

enum { DRAWN = -1 };

/* Whether a distance is better than another for the side that has it. */
static bool is_better(int plies, int other)
{
    const int kind = plies == DRAWN ? 1 : 2 * (plies % 2);
    const int other_kind = other == DRAWN ? 1 : 2 * (other % 2);
    if (kind != other_kind)
        return kind > other_kind;
    return kind == 2 ? plies < other : plies > other;
}

/* Whether a distance is beyond what a probe tells. */
static bool is_too_long(int plies)
{
    return plies > VALUE_MAX_PLIES + 1;
}

/* What stood beside the best captures. */
struct beside {
    bool avoided; /* a loss too long to tell, beside a draw */
    bool refused; /* a state that has no better: a probe stops there */
};

/* The distance by captures alone: odd for a win, even for a loss, or DRAWN. False where a table is
 * missing. */
static bool count_plies(const struct state *state, int *plies, struct beside *beside)
{
    struct move_list list;
    bool known = true;
    bool too_long = false;
    *plies = 0;
    if (placement_own(&state->at, state->at.side) == 0)
        return true;
    if (!placement_has_capture(&rules, &state->at)) {
        const struct material material = material_of(&state->at);
        *plies = is_drawn(&material) ? DRAWN : VALUE_MAX_PLIES;
        return squares_count(placement_occupied(&state->at)) <= 3;
    }
    move_list_init(&list);
    cr_assert_eq(moves_captures(&rules, &state->at, &list), EINSPUL_OK);
    for (int i = 0; i < list.n_moves && known; i++) {
        const struct state after = state_after(&rules, state, &list.moves[i]);
        int further = 0;
        known = count_plies(&after, &further, beside);
        const int own = further == DRAWN ? DRAWN : further + 1;
        beside->refused |= is_too_long(further);
        too_long |= is_too_long(own) && own % 2 == 0;
        if (i == 0 || is_better(own, *plies))
            *plies = own;
    }
    move_list_free(&list);
    beside->avoided |= too_long && *plies == DRAWN;
    return known;
}

static struct state random_state(uint64_t *seed)
{
    struct state state = {.at.side = (enum side)random_below(seed, 2)};
    for (int i = 3 + random_below(seed, 4); i > 0; i--) {
        const squares_t bit = square_bit(random_below(seed, rules.board.n_squares));
        const int side = random_below(seed, 2);
        if ((placement_occupied(&state.at) & bit) != 0)
            continue;
        if (random_below(seed, 2) == 0 || (bit & rules.board.promotion[side]) != 0)
            state.at.kings[side] |= bit;
        else
            state.at.men[side] |= bit;
    }
    return state;
}

/* Wrong: a lost position is called a draw; or a draw is refused because of a loss beside it. */
Test(long_losses, are_named_and_no_draws)
{
    einspul *handle = open_tables(folder, rules.name, (size_t)16 << 20, EINSPUL_IO_READ);
    uint64_t seed = 53;
    int n_too_long = 0;
    int n_longest = 0;
    int n_avoided = 0;
    for (int i = 0; i < 400000 && (n_too_long < 200 || n_avoided < 20); i++) {
        const struct state state = random_state(&seed);
        einspul_position position;
        einspul_error error = {0};
        einspul_outcome outcome = EINSPUL_DRAW;
        einspul_outcome batch_outcome = EINSPUL_DRAW;
        einspul_status in_batch = EINSPUL_OK;
        int expected = 0;
        struct beside beside = {0};
        int plies = 0;
        int batch_plies = 0;
        if (state_check(&rules, &state, false, NULL) != EINSPUL_OK ||
            !count_plies(&state, &expected, &beside) || (beside.refused && !is_too_long(expected)))
            continue;
        probe_position_from_state(&state, &position);
        const einspul_status status =
            einspul_probe_dtw(handle, &position, 0, &outcome, &plies, &error);
        einspul_probe_dtw_batch(handle, &position, 1, 0, &batch_outcome, &batch_plies, &in_batch,
                                NULL);
        cr_assert_eq(status, in_batch);
        if (is_too_long(expected)) {
            n_too_long++;
            cr_assert_eq(status, EINSPUL_TOO_LONG, "%d plies instead of %d", plies, expected);
            cr_assert_not_null(strstr(error.text, "4092 plies"), "%s", error.text);
        } else {
            cr_assert_eq(status, EINSPUL_OK, "%s", error.text);
            cr_assert_eq(plies, expected);
            cr_assert_eq(batch_plies, expected);
            n_longest += expected == VALUE_MAX_PLIES + 1;
        }
        cr_assert_eq(einspul_probe_wdl(handle, &position, 0, &outcome, &error), EINSPUL_OK);
        cr_assert_eq(outcome, expected == DRAWN   ? EINSPUL_DRAW
                              : expected % 2 == 0 ? EINSPUL_LOSS
                                                  : EINSPUL_WIN);
        n_avoided += beside.avoided;
    }
    cr_assert(n_too_long >= 200 && n_longest > 50 && n_avoided >= 20, "%d, %d and %d", n_too_long,
              n_longest, n_avoided);
    einspul_close(handle);
}
