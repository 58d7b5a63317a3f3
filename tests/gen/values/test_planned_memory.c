/* Planned memory equals allocated memory. Fails if a plan is too low, so that a run would be killed
 * after days instead of being refused at once.
 *
 * Linked with --wrap for malloc, calloc and realloc. */
#include "core/program/materials.h"
#include "gen/seeds/seed_tables.h"
#include "gen/solver/word_solver.h"
#include "tests/support/parse.h"

#include <criterion/criterion.h>

void *__real_malloc(size_t n_bytes);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *memory, size_t n_bytes);
void *__wrap_malloc(size_t n_bytes);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *memory, size_t n_bytes);

static uint64_t n_asked; /* bytes, by the one thread of these tests */

void *__wrap_malloc(size_t n_bytes)
{
    n_asked += n_bytes;
    return __real_malloc(n_bytes);
}

void *__wrap_calloc(size_t n, size_t size)
{
    n_asked += n * size;
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *memory, size_t n_bytes)
{
    n_asked += n_bytes;
    return __real_realloc(memory, n_bytes);
}

/* Empty arrays are allocated as one byte: at most this many. */
enum { EMPTY_ARRAYS = 64 };

static void expect_bytes(const char *what, const struct material *material, uint64_t n_counted)
{
    char name[MATERIAL_NAME_SIZE];
    material_write(material, name);
    if (n_asked < n_counted || n_asked > n_counted + EMPTY_ARRAYS)
        cr_assert_fail("%s of %s: %llu bytes are counted, %llu allocated", what, name,
                       (unsigned long long)n_counted, (unsigned long long)n_asked);
}

static void expect_material(const struct rules *rules, const struct material *material,
                            einspul_metric metric, int n_threads, bool large)
{
    const struct store store = {.rules = rules};
    struct frame_context context;
    struct frame frame;
    void *solver = NULL;
    void *seeders = NULL;

    struct shape shape;
    shape_init(&shape, rules, material);
    const bool has_keys = metric == EINSPUL_WDL && shape.n_rule_states > 1;
    const enum frame_form form = large ? FRAME_LARGE : has_keys ? FRAME_KEYS : FRAME_VALUES;
    n_asked = 0;
    cr_assert_eq(frame_context_init(&context, &store, material, metric, form), EINSPUL_OK);
    expect_bytes("what frames share", material, frame_context_bytes(&context.shape, form));
    n_asked = 0;
    cr_assert_eq(seed_tables_create(&context), EINSPUL_OK);
    expect_bytes("the tables of seeds", material, seed_tables_bytes(&context.shape));
    n_asked = 0;
    cr_assert_eq(frame_create(&frame, &context, n_threads), EINSPUL_OK);
    expect_bytes("a frame", material, frame_bytes(&context.shape, form));
    n_asked = 0;
    cr_assert_eq(word_solver.create(&context, n_threads, &solver), EINSPUL_OK);
    expect_bytes("the solver", material,
                 word_solver.bytes(&context.shape, metric, n_threads, form));
    n_asked = 0;
    cr_assert_eq(word_solver.seeds->create(&context, n_threads, &seeders), EINSPUL_OK);
    expect_bytes("the seeds", material, word_solver.seeds->bytes(n_threads));
    free(seeders);
    word_solver.destroy(solver);
    frame_free(&frame);
    frame_context_free(&context);
}

Test(bytes, are_those_allocated)
{
    static const char *const larger[] = {"KKMvKM", "KKKvKM", "KMMvMM", "KKKvKK"};
    struct material list[MAX_MATERIALS];
    int n = material_list(2, 4, list);

    for (size_t i = 0; i < sizeof larger / sizeof larger[0]; i++)
        list[n++] = material_named(larger[i]);
    for (const char *const *name = einspul_rules_list(); *name != NULL; name++) {
        const struct rules rules = rules_named(*name);
        for (int i = 0; i < n; i++)
            for (int form = 0; form < 4; form++)
                expect_material(&rules, &list[i], form % 2 == 0 ? EINSPUL_WDL : EINSPUL_DTW,
                                1 + i % 3, form >= 2);
    }
}
