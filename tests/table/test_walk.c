/* The walk through a table's placements: the model relies on it to know which placements are
 * stored; one misclassified placement shifts all later values. */
#include "core/program/index.h"
#include "table/walk.h"
#include "tests/support/moves_text.h"

static uint8_t *add_slots(uint8_t *slot, squares_t set)
{
    for (int square = MAX_SQUARES - 1; square >= 0; square--)
        if ((set & square_bit(square)) != 0)
            *slot++ = (uint8_t)square;
    return slot;
}

/* The squares of all pieces, by slot. */
static void list_slots(const struct placement *at, uint8_t slots[MAX_SLOTS])
{
    slots = add_slots(slots, at->men[WHITE]);
    slots = add_slots(slots, at->men[BLACK]);
    slots = add_slots(slots, at->kings[WHITE]);
    add_slots(slots, at->kings[BLACK]);
}

/* Checks a row against unranking each of its indices. */
static void expect_row(const struct walk *walk, uint64_t first)
{
    const struct walk_plan *plan = walk->plan;
    const size_t n_fixed = (size_t)plan->n_slots - 1;
    const int lowest = plan->groups[plan->n_groups - 1].offset; /* of the whole row */
    for (int square = lowest; square < walk->first + walk->n; square++) {
        const uint64_t index = first + walk->place + (uint64_t)square - (uint64_t)walk->first;
        const bool in_row = square >= walk->first;
        struct placement at;
        uint8_t slots[MAX_SLOTS] = {0};
        const bool possible = shape_unrank(plan->shape, index, plan->side, &at);
        list_slots(&at, slots);
        cr_assert(slots[n_fixed] == square && memcmp(slots, walk->square, n_fixed) == 0,
                  "%s, placement %llu: other squares", plan->rules->name,
                  (unsigned long long)index);
        cr_assert_eq((walk->quiet & square_bit(square)) != 0,
                     in_row && possible && !placement_has_capture(plan->rules, &at),
                     "%s, placement %llu", plan->rules->name, (unsigned long long)index);
    }
    cr_assert_eq(walk->quiet & ~(((square_bit(walk->n)) - 1) << walk->first), 0);
}

static void expect_walk(const struct walk_plan *plan, uint64_t first, uint32_t n)
{
    struct walk walk;
    uint32_t place = 0;
    walk_begin(&walk, plan, first, n);
    while (walk_row(&walk)) {
        cr_assert_eq(walk.place, place);
        cr_assert_gt(walk.n, 0);
        expect_row(&walk, first);
        place += (uint32_t)walk.n;
    }
    cr_assert_eq(place, n);
}

/* All placements, in spans of any length. */
static void expect_all(const struct walk_plan *plan, uint64_t *seed)
{
    for (uint64_t first = 0; first < plan->shape->n_placements;) {
        const uint64_t left = plan->shape->n_placements - first;
        const uint32_t n = (uint32_t)random_below(seed, 9000) + 1;
        expect_walk(plan, first, left < n ? (uint32_t)left : n);
        first += n;
    }
}

static void expect_some(const struct walk_plan *plan, uint64_t *seed)
{
    for (int i = 0; i < 8; i++) {
        const uint64_t first = random_next(seed) % plan->shape->n_placements;
        const uint64_t left = plan->shape->n_placements - first;
        const uint32_t n = (uint32_t)random_below(seed, 700) + 1;
        expect_walk(plan, first, left < n ? (uint32_t)left : n);
    }
}

static void expect_materials(int fewest, int most,
                             void (*expect)(const struct walk_plan *plan, uint64_t *seed))
{
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(fewest, most, materials);
    uint64_t seed = 1;
    static const char *const names[] = {"frisian", "international", "english", "brazilian"};
    const int n_rules = (int)(sizeof names / sizeof names[0]); /* all that capture differently */
    for (int i = 0; i < n_rules * n_materials * 2; i++) {
        const struct rules rules = rules_named(names[i / 2 / n_materials]);
        struct shape shape;
        struct walk_plan plan;
        shape_init(&shape, &rules, &materials[i / 2 % n_materials]);
        walk_plan_init(&plan, &rules, &shape, i % 2 == 0 ? WHITE : BLACK);
        expect(&plan, &seed);
    }
}

Test(walk, all_of_two_and_three_pieces)
{
    expect_materials(2, 3, expect_all);
}

Test(walk, spans_of_more_pieces)
{
    expect_materials(4, MAX_PIECES, expect_some);
}
