/* Compares the production seeds with the reference seeds on random frames of up to eight pieces of
 * every rule set, where captures interact most. Successor values are random instead of solved, so
 * that any wrong look-up shows: of a placement, a run, or a capture that is not the largest. Suites
 * that solve whole materials have four pieces at most. */
#include "core/program/materials.h"
#include "core/program/plies.h"
#include "gen/seeds/seed_tables.h"
#include "gen/solver/solver.h"
#include "tests/support/moves_text.h"
#include "tests/support/oracle_solver.h"

/* Pages share chunks; a prime, because frames have powers of two of pages. */
enum { N_CHUNKS = 3, N_PATTERNS = 256, MOST_FRAMES = 200 };

struct made_up {
    struct solved *solved;
    struct chunk *chunks[2 * N_CHUNKS];
};

struct fixture {
    struct rules rules;
    struct store store;
    struct made_up made_up[MAX_MATERIALS];
    int n;
    einspul_metric metric;
    uint64_t random;
};

/* An outcome, or a distance that is not yet the largest. */
static value_t random_value(struct fixture *fixture)
{
    const int most_plies = fixture->metric == EINSPUL_WDL ? 2 : MAX_LOSS_PLIES;
    const int plies = 2 * random_below(&fixture->random, most_plies / 2);
    const int outcome = random_below(&fixture->random, 3);
    return outcome == 0 ? VALUE_DRAW : value_from_plies(plies + outcome - 1);
}

/* A chunk for a page and others of the same side. */
static struct chunk *random_chunk(struct fixture *fixture, const struct chunk_form *form,
                                  uint64_t page)
{
    const bool shared = chunk_value_bytes(form, 1) == 0; /* values: a number is its own value */
    struct chunk *chunk = chunk_new(form, PAGE_CAPACITY, N_PATTERNS);
    cr_assert_not_null(chunk);
    for (uint32_t i = 0; i < PAGE_CAPACITY; i += sizeof(uint64_t)) {
        const uint64_t numbers = random_next(&fixture->random);
        memcpy(chunk->number + i, &numbers, sizeof numbers);
    }
    value_t few[N_PATTERNS];
    for (int i = 0; i < N_PATTERNS; i++)
        few[i] = random_value(fixture);
    for (uint32_t i = 0; shared && i < PAGE_CAPACITY; i++)
        chunk->number[i] = few[chunk->number[i]];
    for (size_t i = 0; !shared && i < (size_t)N_PATTERNS * (size_t)form->n_rule_states; i++)
        chunk_mutable_values(chunk)[i] = random_value(fixture);
    chunk_finish(chunk, form, page);
    return chunk;
}

static void make_up(struct fixture *fixture, const struct material *material)
{
    struct made_up *made_up = &fixture->made_up[fixture->n++];
    cr_assert_eq(solved_create(&fixture->rules, material, fixture->metric, ORDER_TO_SOLVE, NULL,
                               &made_up->solved),
                 EINSPUL_OK);
    struct solved *solved = made_up->solved;
    const struct chunk_form *form = &solved->pages->form;
    for (int i = 0; i < 2 * N_CHUNKS; i++)
        made_up->chunks[i] = random_chunk(fixture, form, i < N_CHUNKS ? 0 : form->n_pages_a_side);
    for (uint64_t page = 0; page < solved->pages->n; page++)
        solved->chunks[page] =
            made_up->chunks[page % N_CHUNKS + (page < form->n_pages_a_side ? 0 : N_CHUNKS)];
    store_set(&fixture->store, material, solved);
}

/* A material and its successors. */
static void world_create(struct fixture *fixture, const char *rules_name,
                         const struct material *material)
{
    struct material successors[MAX_MATERIALS];
    fixture->rules = rules_named(rules_name);
    fixture->store.rules = &fixture->rules;
    const int n = material_successors(material, CAPTURES_AND_PROMOTIONS, successors);
    for (int i = 0; i < n; i++)
        make_up(fixture, &successors[i]);
    make_up(fixture, material);
}

static void world_free(struct fixture *fixture)
{
    for (int i = 0; i < fixture->n; i++) {
        struct made_up *made_up = &fixture->made_up[i];
        store_set(&fixture->store, &made_up->solved->shape.material, NULL);
        for (uint64_t page = 0; page < made_up->solved->pages->n; page++)
            made_up->solved->chunks[page] = NULL;
        solved_destroy(made_up->solved);
        for (int j = 0; j < 2 * N_CHUNKS; j++)
            chunk_free(made_up->chunks[j]);
    }
}

/* The reference and the production seeds of a frame. */
struct pair {
    const struct seed_ops *seeds[2];
    struct frame_context context;
    struct frame frames[2];
    void *seeders[2];
};

static void pair_create(struct pair *pair, const struct fixture *fixture,
                        const struct material *material)
{
    pair->seeds[0] = &seeds_plain;
    pair->seeds[1] = &line_seeds;
    cr_assert_eq(frame_context_init(&pair->context, &fixture->store, material, fixture->metric,
                                    FRAME_VALUES),
                 EINSPUL_OK);
    cr_assert_eq(seed_tables_create(&pair->context), EINSPUL_OK);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(frame_create(&pair->frames[i], &pair->context, 1), EINSPUL_OK);
        if (pair->seeds[i]->create != NULL)
            cr_assert_eq(pair->seeds[i]->create(&pair->context, 1, &pair->seeders[i]), EINSPUL_OK);
    }
}

static void pair_free(struct pair *pair)
{
    for (int i = 0; i < 2; i++) {
        free(pair->seeders[i]);
        frame_free(&pair->frames[i]);
    }
    frame_context_free(&pair->context);
}

/* Compares classes and seeds of all placements of a frame. Returns the number of captures. */
static uint64_t compare_frame(struct pair *pair, uint64_t number)
{
    const struct frame *plain = &pair->frames[0];
    const struct frame *fast = &pair->frames[1];
    const struct frame_context *context = &pair->context;
    einspul_error error = {0};
    uint64_t n_captures = 0;

    for (int i = 0; i < 2; i++) {
        frame_set(&pair->frames[i], number);
        cr_assert_eq(pair->seeds[i]->make(pair->seeders[i], &pair->frames[i], &error), EINSPUL_OK,
                     "%s", error.text);
    }
    for (int side = WHITE; side <= BLACK; side++) {
        const size_t n_runs = (size_t)context->shape.n_runs[!side];
        for (uint64_t i = 0; i < context->shape.frame_size; i++) {
            const enum placement_class class = frame_class(plain, side, i);
            const value_t *of_plain = plain->seed[side] + i * n_runs;
            const value_t *of_fast = fast->seed[side] + i * n_runs;
            n_captures += class == CLASS_CAPTURE;
            if (class != frame_class(fast, side, i) ||
                (class != CLASS_IMPOSSIBLE && memcmp(of_plain, of_fast, n_runs) != 0))
                cr_assert_fail("%s frame %llu side %d placement %llu differs", context->rules->name,
                               (unsigned long long)number, side, (unsigned long long)i);
        }
    }
    return n_captures;
}

/* Compares frames of a material, with about this number of placements in all. */
static void compare_frames(const char *rules_name, const char *name, einspul_metric metric,
                           uint64_t n_placements)
{
    static struct fixture fixture;
    struct pair pair = {0};
    const struct material material = material_named(name);
    uint64_t n_captures = 0;

    memset(&fixture, 0, sizeof fixture);
    fixture.metric = metric;
    world_create(&fixture, rules_name, &material);
    pair_create(&pair, &fixture, &material);
    for (int i = 0; i < MOST_FRAMES && n_placements > 0; i++) {
        const struct shape *shape = &pair.context.shape;
        const uint64_t number = random_next(&fixture.random) % shape->n_frames;
        frame_set(&pair.frames[0], number);
        if ((pair.frames[0].men[WHITE] & pair.frames[0].men[BLACK]) != 0)
            continue;
        n_captures += compare_frame(&pair, number);
        n_placements -= shape->frame_size < n_placements ? shape->frame_size : n_placements;
    }
    cr_assert_gt(n_captures, 0, "%s %s", rules_name, name);
    pair_free(&pair);
    world_free(&fixture);
}

/* Frames of few placements, but of many different men sets. The other rule sets move and capture
 * like one of these. */
Test(seeds, of_every_game)
{
    static const char *const games[] = {"frisian", "frisian-free", "international", "english",
                                        "brazilian"};
    static const char *const names[] = {"KMMvKM",   "KMMMvKMM", "KKMMvKMM",
                                        "KMMMMvKM", "KMMMMvMM", "MMMvMMM"};
    for (size_t game = 0; game < sizeof games / sizeof games[0]; game++)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            compare_frames(games[game], names[i], EINSPUL_DTW, 8000);
            compare_frames(games[game], names[i], EINSPUL_WDL, 2000);
        }
}

/* Kings that block each other: the king on the line is one of up to three of its side, and
 * captures, is captured, or takes no part. A frame of each is enough. */
Test(seeds, of_kings)
{
    static const char *const small[] = {"KKMvKKM", "KKKvKMM", "KKMMvKK", "KKKvKK", "KKMMvKKM"};
    compare_frames("frisian", "KKMvKKM", EINSPUL_DTW, 1);
    compare_frames("international", "KKKvKMM", EINSPUL_WDL, 1);
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        compare_frames("brazilian", small[i], EINSPUL_DTW, 1);
        compare_frames("english", small[i], EINSPUL_WDL, 1);
    }
}
