/* How long play stays quiet with best play, and what the draw limits of a rule set change:
 * states, a position and a clock, that have another outcome than with the clock at 0.
 *
 * Materials of a lone king are stored with their clock and only counted. Of any other a won or
 * lost position needs so many plies until a capture or a man's move keeps that outcome, or the
 * game ends: the winner hurries, the loser delays. It changes with the clock h where that is
 * more than what the limit leaves, limit - h. These plies are found as distances are, from
 * outcomes: ply by ply, back from the lost positions of the ply before to those that are won,
 * and by their moves for those that are lost. Only simple moves of kings are followed; which
 * outcome all others lead to is in the tables. */
#include "bench/arguments.h"
#include "bench/measure.h"

#include "gen/solver/solve.h"
#include "probe/probe.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "bench_quiet [OPTION…]\n"
    "\n"
    "Counts what the draw limits of a rule set change, by material and by clock. README.md tells\n"
    "what each column is. Reads the outcomes of all tables; five pieces take 2 GiB of memory.\n"
    "\n"
    "  --tables DIR      default: data/tables\n"
    "  --rules NAME      default: international-fmjd\n"
    "  --pieces N        materials of 2 to N pieces (default: 4)\n"
    "  --json            a JSON object a row\n";

enum {
    BATCH = 512,
    CHUNK = 1 << 16,
    MOST_PLIES = 254,
    OPEN = 255,
    IMPOSSIBLE = 2,
    MOST_LIMIT = 64
};

struct options {
    struct rules rules;
    const char *folder;
    int pieces;
    bool json;
};

/* States by their numbers: side to move * n_placements + index. */
struct numbers {
    uint32_t *number;
    size_t n, room;
};

struct counted {
    uint64_t n_positions;
    uint64_t n_changed[MOST_LIMIT]; /* by clock */
    int longest[2];                 /* plies: a win, a loss */
};

struct quiet {
    const struct rules *rules; /* those of the tables */
    einspul *handle;
    struct shape shape;
    int8_t *outcome; /* by number */
    uint8_t *plies;  /* by number, OPEN where not known */
    struct numbers lost, closed, before;
};

/* --- outcomes --------------------------------------------------------------------------------- */

static void must_public(einspul_status status, const einspul_error *error)
{
    if (status != EINSPUL_OK)
        give_up_text(error->text);
}

static einspul *open_tables(const struct options *options, const char *rules)
{
    const char *const folders[] = {options->folder};
    einspul_options opening;
    einspul_error error;
    einspul *handle = NULL;
    einspul_options_init(&opening);
    opening.folders = folders;
    opening.n_folders = 1;
    opening.rules = rules;
    must_public(einspul_open(&opening, &handle, &error), &error);
    return handle;
}

/* Outcomes of a run of indices, the clock at 0. */
static void read_chunk(einspul *handle, const struct shape *shape, enum side side, uint64_t first,
                       uint64_t last, int8_t *outcome)
{
    einspul_position position[BATCH];
    einspul_outcome found[BATCH];
    uint64_t place[BATCH];
    einspul_error error;
    size_t n = 0;
    for (uint64_t index = first; index < last; index++) {
        struct state state = {0};
        if (shape_unrank(shape, index, side, &state.at)) {
            probe_position_from_state(&state, &position[n]);
            place[n++] = index;
        } else {
            outcome[index] = IMPOSSIBLE;
        }
        if (n < BATCH && index + 1 < last)
            continue;
        must_public(einspul_probe_wdl_batch(handle, position, n, 0, found, NULL, &error), &error);
        for (; n > 0; n--)
            outcome[place[n - 1]] = (int8_t)found[n - 1];
    }
}

static void read_outcomes(einspul *handle, const struct shape *shape, int8_t *outcome)
{
    const int64_t n_chunks = (int64_t)((shape->n_placements + CHUNK - 1) / CHUNK);
#pragma omp parallel for schedule(dynamic, 1)
    for (int64_t chunk = 0; chunk < 2 * n_chunks; chunk++) {
        const enum side side = chunk < n_chunks ? WHITE : BLACK;
        const uint64_t first = (uint64_t)(chunk % n_chunks) * CHUNK;
        const uint64_t rest = shape->n_placements - first;
        read_chunk(handle, shape, side, first, first + (rest < CHUNK ? rest : CHUNK),
                   outcome + (size_t)side * shape->n_placements);
    }
}

static void *room_for(uint64_t n, size_t size)
{
    void *room = malloc((size_t)n * size);
    if (room == NULL)
        give_up_text("not enough memory");
    return room;
}

/* --- materials with a limit of their own ------------------------------------------------------ */

/* The first clock at which a state has another outcome; from there on it keeps that, as fewer plies
 * never help. */
static int first_change(einspul *handle, int n_clocks, const struct placement *at, int outcome)
{
    struct state state = {.at = *at};
    int same = 0;
    int changed = n_clocks;
    while (same + 1 < changed) {
        value_t value = VALUE_DRAW;
        einspul_error error;
        state.clock = (uint8_t)((same + changed) / 2);
        must(probe_state(handle, &state, EINSPUL_WDL, 0, &value, &error), &error);
        *((int)value_outcome(value) == outcome ? &same : &changed) = state.clock;
    }
    return changed;
}

static void count_clocks(einspul *handle, const struct shape *shape, const int8_t *outcome,
                         struct counted *counted)
{
    int8_t *fresh = room_for(2 * shape->n_placements, 1);
    read_outcomes(handle, shape, fresh);
    for (uint64_t number = 0; number < 2 * shape->n_placements; number++) {
        const enum side side = number < shape->n_placements ? WHITE : BLACK;
        struct placement at;
        counted->n_changed[0] += fresh[number] != outcome[number];
        if (outcome[number] != EINSPUL_WIN && outcome[number] != EINSPUL_LOSS)
            continue;
        shape_unrank(shape, number - (uint64_t)side * shape->n_placements, side, &at);
        const int first = first_change(handle, shape->n_clocks, &at, outcome[number]);
        for (int clock = first; clock < shape->n_clocks; clock++)
            counted->n_changed[clock]++;
    }
    free(fresh);
}

/* --- quiet play ------------------------------------------------------------------------------- */

static void numbers_add(struct numbers *numbers, uint64_t number)
{
    if (numbers->n == numbers->room) {
        numbers->room = numbers->room == 0 ? 1 << 16 : 2 * numbers->room;
        numbers->number = realloc(numbers->number, numbers->room * sizeof *numbers->number);
        if (numbers->number == NULL)
            give_up_text("not enough memory");
    }
    numbers->number[numbers->n++] = (uint32_t)number;
}

static enum side side_of(const struct quiet *quiet, uint32_t number)
{
    return number < quiet->shape.n_placements ? WHITE : BLACK;
}

/* The placement of a number, and what a set of kings of `side` adds to `*base` in the number of the
 * same placement with the other side to move. */
static uint64_t factor_of(const struct quiet *quiet, uint32_t number, enum side side,
                          struct placement *at, uint64_t *base)
{
    const struct shape *shape = &quiet->shape;
    const enum side to_move = side_of(quiet, number);
    const uint64_t index = number - (uint64_t)to_move * shape->n_placements;
    const uint64_t factor = side == WHITE ? shape->n_king_sets[BLACK] : 1;
    shape_unrank(shape, index, to_move, at);
    *base = (uint64_t)side_other(to_move) * shape->n_placements + index -
            set_rank(at->kings[side]) * factor;
    return factor;
}

static squares_t slides(const struct quiet *quiet, const struct placement *at, int from)
{
    return king_slides(quiet->rules, from, quiet->rules->board.all & ~placement_occupied(at));
}

/* Every won position from which a king's move leads to a lost one needs a ply more. */
static void go_back(struct quiet *quiet, uint32_t lost, int plies)
{
    struct placement at;
    uint64_t base = 0;
    const enum side mover = side_other(side_of(quiet, lost));
    const uint64_t factor = factor_of(quiet, lost, mover, &at, &base);
    for (squares_t kings = at.kings[mover]; kings != 0; kings &= kings - 1) {
        const squares_t moved = kings & (0 - kings);
        for (squares_t from = slides(quiet, &at, squares_first(kings)); from != 0;
             from &= from - 1) {
            const squares_t set = (at.kings[mover] & ~moved) | (from & (0 - from));
            const uint64_t number = base + set_rank(set) * factor;
            if (quiet->outcome[number] == EINSPUL_WIN && quiet->plies[number] == OPEN)
                quiet->plies[number] = (uint8_t)plies;
        }
    }
}

/* Whether all moves of a lost position's kings lead to positions that need fewer than `plies`. */
static bool is_closed(const struct quiet *quiet, uint32_t lost, int plies)
{
    struct placement at;
    uint64_t base = 0;
    const enum side mover = side_of(quiet, lost);
    const uint64_t factor = factor_of(quiet, lost, mover, &at, &base);
    for (squares_t kings = at.kings[mover]; kings != 0; kings &= kings - 1) {
        const squares_t moved = kings & (0 - kings);
        for (squares_t to = slides(quiet, &at, squares_first(kings)); to != 0; to &= to - 1) {
            const squares_t set = (at.kings[mover] & ~moved) | (to & (0 - to));
            if (quiet->plies[base + set_rank(set) * factor] >= plies)
                return false;
        }
    }
    return true;
}

static bool has_king_move(const struct quiet *quiet, const struct placement *at)
{
    for (squares_t kings = at->kings[at->side]; kings != 0; kings &= kings - 1)
        if (slides(quiet, at, squares_first(kings)) != 0)
            return true;
    return false;
}

/* The outcome for the side to move after a man's move. */
static int outcome_after(const struct quiet *quiet, const struct placement *at,
                         const struct move *move)
{
    const struct state after = {.at = placement_after(at, move)};
    value_t value = VALUE_DRAW;
    einspul_error error;
    if (!move->promotes)
        return quiet->outcome[(uint64_t)after.at.side * quiet->shape.n_placements +
                              shape_frame(&quiet->shape, &after.at) * quiet->shape.frame_size +
                              shape_kings(&quiet->shape, &after.at)];
    must(probe_state(quiet->handle, &after, EINSPUL_WDL, 0, &value, &error), &error);
    return (int)value_outcome(value);
}

/* What a won or lost position needs where that is not up to its kings: 0, 1 or OPEN. */
static int first_plies(const struct quiet *quiet, const struct placement *at, int outcome,
                       struct move_list *list)
{
    einspul_error error;
    if (placement_has_capture(quiet->rules, at))
        return 1;
    const einspul_status status = moves_of_men(quiet->rules, at, list);
    if (status != EINSPUL_OK)
        must(moves_error(status, &error), &error);
    if (outcome == EINSPUL_LOSS)
        return has_king_move(quiet, at) ? OPEN : list->n_moves > 0 ? 1 : 0;
    for (int i = 0; i < list->n_moves; i++)
        if (outcome_after(quiet, at, &list->moves[i]) == EINSPUL_LOSS)
            return 1;
    return OPEN;
}

/* The plies of ply 0 and 1; `closed` gets the lost positions of 0, `before` those of 1. */
static void begin(struct quiet *quiet)
{
    struct move_list list;
    move_list_init(&list);
    for (uint64_t number = 0; number < 2 * quiet->shape.n_placements; number++) {
        const enum side side = side_of(quiet, (uint32_t)number);
        const int outcome = quiet->outcome[number];
        struct placement at;
        quiet->plies[number] = OPEN;
        if (outcome != EINSPUL_WIN && outcome != EINSPUL_LOSS)
            continue;
        shape_unrank(&quiet->shape, number - (uint64_t)side * quiet->shape.n_placements, side, &at);
        const int plies = first_plies(quiet, &at, outcome, &list);
        quiet->plies[number] = (uint8_t)plies;
        if (outcome == EINSPUL_LOSS)
            numbers_add(plies == OPEN ? &quiet->lost
                        : plies == 0  ? &quiet->closed
                                      : &quiet->before,
                        number);
    }
    move_list_free(&list);
    for (size_t i = 0; i < quiet->closed.n; i++)
        go_back(quiet, quiet->closed.number[i], 1);
}

/* Closes the lost positions of a ply, and has them in `closed`. */
static void close_lost(struct quiet *quiet, int plies)
{
    size_t n_left = 0;
    quiet->closed.n = 0;
    for (size_t i = 0; i < quiet->lost.n; i++) {
        const uint32_t number = quiet->lost.number[i];
        if (is_closed(quiet, number, plies))
            numbers_add(&quiet->closed, number);
        else
            quiet->lost.number[n_left++] = number;
    }
    quiet->lost.n = n_left;
    for (size_t i = 0; i < quiet->closed.n; i++)
        quiet->plies[quiet->closed.number[i]] = (uint8_t)plies;
}

/* Ply by ply, until neither a lost position is closed nor was one in the ply before. */
static void find_plies(struct quiet *quiet)
{
    bool goes_on = true;
    begin(quiet);
    for (int plies = 2; plies <= MOST_PLIES && goes_on; plies++) {
        close_lost(quiet, plies);
        for (size_t i = 0; i < quiet->before.n; i++)
            go_back(quiet, quiet->before.number[i], plies);
        goes_on = quiet->closed.n + quiet->before.n > 0;
        const struct numbers before = quiet->before;
        quiet->before = quiet->closed;
        quiet->closed = before;
    }
}

static void count_quiet(const struct options *options, struct quiet *quiet, struct counted *counted)
{
    const int limit = options->rules.quiet_limit;
    quiet->lost.n = quiet->closed.n = quiet->before.n = 0;
    quiet->plies = room_for(2 * quiet->shape.n_placements, 1);
    find_plies(quiet);
    for (uint64_t number = 0; number < 2 * quiet->shape.n_placements; number++) {
        const int outcome = quiet->outcome[number];
        const int plies = quiet->plies[number];
        if (outcome != EINSPUL_WIN && outcome != EINSPUL_LOSS)
            continue;
        if (plies == OPEN)
            give_up_text("an outcome that no play leads to");
        int *longest = &counted->longest[outcome == EINSPUL_WIN ? 0 : 1];
        *longest = plies > *longest ? plies : *longest;
        for (int clock = plies > limit ? 0 : limit - plies + 1; clock < limit; clock++)
            counted->n_changed[clock]++;
    }
    free(quiet->plies);
}

/* --- rows ------------------------------------------------------------------------------------- */

static double plies_or_none(int plies)
{
    return plies < 0 ? NAN : (double)plies;
}

static void print_material(struct rows *rows, const struct material *material, int limit,
                           const struct counted *counted)
{
    char name[MATERIAL_NAME_SIZE];
    uint64_t sum = 0;
    material_write(material, name);
    for (int clock = 0; clock < limit; clock++)
        sum += counted->n_changed[clock];
    rows_text(rows, "material", name);
    rows_count(rows, "limit", (uint64_t)limit);
    rows_count(rows, "positions", counted->n_positions);
    rows_real(rows, "win-plies", plies_or_none(counted->longest[0]), 0);
    rows_real(rows, "loss-plies", plies_or_none(counted->longest[1]), 0);
    rows_count(rows, "changed", sum);
    rows_count(rows, "fresh", counted->n_changed[0]);
    rows_end(rows);
    fflush(stdout);
}

static void print_clocks(const struct options *options, uint64_t n_changed[][MOST_LIMIT])
{
    static const char *const names[MAX_PIECES + 1] = {
        [2] = "2-pieces", [3] = "3-pieces", [4] = "4-pieces", [5] = "5-pieces",
        [6] = "6-pieces", [7] = "7-pieces", [8] = "8-pieces"};
    struct rows rows = {.title = "clocks", .json = options->json};
    for (int clock = 0; clock < options->rules.quiet_limit; clock++) {
        rows_count(&rows, "clock", (uint64_t)clock);
        for (int pieces = 2; pieces <= options->pieces; pieces++) {
            rows_count(&rows, names[pieces], n_changed[pieces][clock]);
        }
        rows_end(&rows);
    }
}

/* --- the program ------------------------------------------------------------------------------ */

static struct counted count_material(const struct options *options, struct quiet *quiet,
                                     einspul *limited, const struct material *material)
{
    struct counted counted = {.longest = {-1, -1}};
    struct shape with_clocks;
    shape_init(&quiet->shape, quiet->rules, material);
    shape_init(&with_clocks, &options->rules, material);
    const uint64_t n_numbers = 2 * quiet->shape.n_placements;
    if (n_numbers > UINT32_MAX)
        give_up_text("a material is too large");
    quiet->outcome = room_for(n_numbers, 1);
    read_outcomes(quiet->handle, &quiet->shape, quiet->outcome);
    for (uint64_t number = 0; number < n_numbers; number++)
        counted.n_positions += quiet->outcome[number] != IMPOSSIBLE;
    if (with_clocks.n_clocks > 1)
        count_clocks(limited, &with_clocks, quiet->outcome, &counted);
    else
        count_quiet(options, quiet, &counted);
    free(quiet->outcome);
    return counted;
}

static void count_all(const struct options *options, struct quiet *quiet, einspul *limited)
{
    uint64_t n_changed[MAX_PIECES + 1][MOST_LIMIT] = {{0}};
    struct material list[MAX_MATERIALS];
    const int n = material_list(2, options->pieces, list);
    struct rows rows = {.title = "materials", .json = options->json};
    for (int i = 0; i < n; i++) {
        const struct counted counted = count_material(options, quiet, limited, &list[i]);
        const int n_clocks = material_clocks(&options->rules, &list[i]);
        print_material(&rows, &list[i], n_clocks > 1 ? n_clocks : options->rules.quiet_limit,
                       &counted);
        for (int clock = 0; clock < MOST_LIMIT; clock++)
            n_changed[material_pieces(&list[i])][clock] += counted.n_changed[clock];
    }
    print_clocks(options, n_changed);
}

/* False when the program is done after --help. */
static bool read_options(struct options *options, int argc, char **argv)
{
    const struct argument known[] = {
        {"--tables", ARGUMENT_TEXT, &options->folder, 0, 0, NULL},
        {"--rules", ARGUMENT_RULES, &options->rules, 0, 0, NULL},
        {"--pieces", ARGUMENT_INT, &options->pieces, 2, MAX_PIECES, NULL},
        {"--json", ARGUMENT_FLAG, &options->json, 0, 0, NULL},
    };
    einspul_error error;
    *options = (struct options){.folder = "data/tables", .pieces = 4};
    must(rules_by_name(&options->rules, "international-fmjd", &error), &error);
    return arguments_read(argc, argv, help, known, sizeof known / sizeof known[0]);
}

int main(int argc, char **argv)
{
    struct options options;
    struct rules base;
    einspul_error error;
    if (!read_options(&options, argc, argv))
        return 0;
    if (options.rules.quiet_limit == 0 || options.rules.quiet_limit > MOST_LIMIT)
        give_up_text("the rule set has no limit of quiet play");
    must(rules_by_id(&base, options.rules.tables, &error), &error);
    struct quiet quiet = {.rules = &base, .handle = open_tables(&options, base.name)};
    einspul *limited = open_tables(&options, options.rules.name);
    count_all(&options, &quiet, limited);
    free(quiet.lost.number);
    free(quiet.closed.number);
    free(quiet.before.number);
    einspul_close(limited);
    einspul_close(quiet.handle);
    return 0;
}
