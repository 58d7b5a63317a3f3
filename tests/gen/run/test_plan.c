/* The plan of a run: its order, memory and disk space. */
#include <string.h>

#include "core/program/index.h"
#include "core/program/materials.h"
#include "gen/material/material_write.h"
#include "gen/run/budget.h"
#include "gen/run/plan_make.h"
#include "gen/values/frame_order.h"
#include "tests/support/tables.h"

TestSuite(plan, .init = make_folder, .fini = drop_folder);

/* Fails if the plan of a material lacks a successor, has others, or has an order that cannot be
 * solved. */
Test(plan, one_material)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    einspul_error error = {0};
    struct generate_plan plan;
    char name[MATERIAL_NAME_SIZE];
    char all[256] = "";
    struct generate_options options = options_in(&rules, "plan", path);
    options.pieces = 0;
    cr_assert_eq(material_read("KMvM", &options.material, NULL), EINSPUL_OK);
    cr_assert_eq(generate_plan(&options, &plan, &error), EINSPUL_OK, "%s", error.text);
    for (int i = 0; i < plan.n_materials; i++) {
        material_write(&plan.materials[i].material, name);
        strcat(strcat(all, name), " ");
        cr_assert_not(plan.materials[i].complete);
    }
    cr_assert_str_eq(all, "KvK KvM MvM KKvK KKvM KMvK KMvM ");
    cr_assert_gt(plan.memory_bytes, 0);
    cr_assert_gt(plan.disk_bytes, 0);
}

/* Fails if a rule set that uses another one's tables generates more than its own tables, or does
 * not name a missing one before it starts. */
Test(plan, plan_with_tables_of_another_rule_set)
{
    const struct rules base = rules_named("international");
    const struct rules rules = rules_named(FMJD_RULES);
    char path[PATH_SIZE];
    char name[MATERIAL_NAME_SIZE];
    char to_do[64] = "";
    einspul_error error = {0};
    struct generate_plan plan;
    struct generate_options options = options_in(&rules, "plan", path);
    options.pieces = 5;
    options.metrics = METRICS_WDL;
    cr_assert_eq(generate_plan(&options, &plan, &error), EINSPUL_NO_TABLE);
    cr_assert_not_null(strstr(error.text, "international/KvM.wdl"), "%s", error.text);
    cr_assert_not_null(strstr(error.text, "--rules international"), "%s", error.text);
    options.rules = &base;
    options.pieces = 4;
    generate_with(&options);
    options.rules = &rules;
    options.pieces = 5; /* no five-piece table is needed */
    cr_assert_eq(generate_plan(&options, &plan, &error), EINSPUL_OK, "%s", error.text);
    for (int i = 0; i < plan.n_materials; i++)
        if (!plan.materials[i].complete) {
            material_write(&plan.materials[i].material, name);
            strcat(strcat(to_do, name), " ");
        }
    cr_assert_str_eq(to_do, "KvK KKvK KMvK KKKvK KKMvK KMMvK ");
}

/* Fails if a plan exceeds the available memory without need, or outcomes of six pieces need more
 * than eight gibibytes for some number of threads. */
Test(plan, memory)
{
    static const uint64_t limits[] = {UINT64_MAX, (uint64_t)8 << 30, 1};
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_plan plans[3];
    struct generate_options options = options_in(&rules, "plan", path);
    options.pieces = 6;
    options.metrics = METRICS_WDL;
    options.n_threads = 16;
    for (int i = 0; i < 3; i++) {
        const struct memory_limit limit = {limits[i], MEMORY_REQUESTED};
        cr_assert_eq(generate_plan(&options, &plans[i], NULL), EINSPUL_OK);
        budget_fit_memory(&options, &plans[i], limit);
    }
    cr_assert_gt(plans[0].memory_bytes, limits[1]);
    cr_assert_eq(plans[1].memory_bytes, limits[1]);
    cr_assert_leq(plans[2].memory_bytes, limits[1]);
    for (int i = 0; i < plans[2].n_materials; i++) {
        cr_assert_gt(plans[2].materials[i].least_bytes, 0);
        cr_assert_leq(plans[2].materials[i].least_bytes, plans[2].memory_bytes);
        cr_assert_leq(plans[2].materials[i].least_bytes, plans[2].materials[i].wanted_bytes);
    }
}

/* Fails if threads use more memory than planned, so that the system ends the run. Each has its own
 * memory, a working set of chunks, and buffers for writing. */
Test(plan, plan_of_threads)
{
    enum { MORE = 16, BYTES_OF_THREAD = 1 << 20, CHUNKS_OF_THREAD = 8 };
    static const struct {
        const char *name;
        uint64_t least; /* of a thread more */
    } rows[] = {{"KvK", BYTES_OF_THREAD},
                {"KKMvKM", BYTES_OF_THREAD + CHUNKS_OF_THREAD * (uint64_t)PAGE_CAPACITY}};
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_options options = options_in(&rules, "plan", path);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct material material = material_named(rows[i].name);
        struct shape shape;
        shape_init(&shape, &rules, &material);
        options.n_threads = MORE;
        const uint64_t some = budget_single(&options, &material).least_bytes;
        options.n_threads = 2 * MORE;
        const uint64_t all = budget_single(&options, &material).least_bytes;
        const uint64_t writing =
            material_write_bytes(&shape, 2 * MORE) - material_write_bytes(&shape, MORE);
        cr_assert_geq(all, some + writing + MORE * rows[i].least, "%s: %llu and %llu", rows[i].name,
                      (unsigned long long)some, (unsigned long long)all);
    }
}

/* Fails if seven pieces need rare machines: with sixteen threads no material may need more than 48
 * GiB, and none with men more than 16. */
Test(plan, plan_of_seven_pieces)
{
    static const char *const games[] = {"frisian", "international", "english"};
    for (int i = 0; i < 6; i++) {
        const struct rules rules = rules_named(games[i / 2]);
        char path[PATH_SIZE];
        struct generate_plan plan;
        struct generate_options options = options_in(&rules, "plan", path);
        options.pieces = 7;
        options.metrics = i % 2 == 0 ? METRICS_WDL : METRICS_DTW;
        options.n_threads = 16;
        options.memory_limit = 1;
        cr_assert_eq(generate_plan(&options, &plan, NULL), EINSPUL_OK);
        for (int j = 0; j < plan.n_materials; j++) {
            const struct material *material = &plan.materials[j].material;
            const bool has_men = material->men[WHITE] + material->men[BLACK] > 0;
            const uint64_t most = (uint64_t)(has_men ? 16 : 48) << 30;
            char name[MATERIAL_NAME_SIZE];
            material_write(material, name);
            cr_assert_leq(plan.materials[j].least_bytes, most, "%s %s takes %llu bytes",
                          games[i / 2], name, (unsigned long long)plan.materials[j].least_bytes);
        }
    }
}

/* Fails if a size of an eight-piece plan overflows. */
Test(plan, plan_of_eight_pieces)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_plan plan;
    struct generate_options options = options_in(&rules, "plan", path);
    uint64_t n_states = 0;
    options.pieces = MAX_PIECES;
    cr_assert_eq(generate_plan(&options, &plan, NULL), EINSPUL_OK);
    for (int i = 0; i < plan.n_materials; i++) {
        struct shape shape;
        shape_init(&shape, &rules, &plan.materials[i].material);
        n_states += shape_states(&shape);
    }
    cr_assert_eq(plan.n_states, n_states);
    cr_assert(plan.disk_bytes > (uint64_t)1 << 45 && plan.disk_bytes < (uint64_t)1 << 56);
}

/* Kings alone look up all capture successors for every set of kings. Fails if the minimum of memory
 * has no space for them, so that a run would read the same values from disk for days. */
Test(plan, least_memory_of_kings_alone)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_plan plan;
    struct generate_options options = options_in(&rules, "plan", path);
    uint64_t looked_up = 0;
    options.pieces = 0;
    options.metrics = METRICS_DTW;
    options.n_threads = 2;
    options.memory_limit = 1;
    options.material = material_named("KKKvKKK");
    cr_assert_eq(generate_plan(&options, &plan, NULL), EINSPUL_OK);
    const int last = plan.n_materials - 1;
    for (int i = 0; i < last; i++)
        looked_up += budget_values(&options, &plan.materials[i].material);
    plan.memory_limit.n_bytes = plan.materials[last].least_bytes;
    cr_assert_gt(looked_up, 48000000);
    cr_assert_geq(budget_divide(&options, &plan, last, false).values_bytes, looked_up);
}

/* Fails if the disk space for part files of large materials is not planned. */
Test(plan, plan_of_parts)
{
    static const struct {
        const char *material;
        uint64_t least, most;
    } cases[] = {{"KMvM", 0, 0}, {"KKMvKM", 100000000, 1500000000}};
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_plan plan;
    struct generate_options options = options_in(&rules, "plan", path);
    options.pieces = 0;
    options.memory_limit = UINT64_MAX;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t files = 0;
        cr_assert_eq(material_read(cases[i].material, &options.material, NULL), EINSPUL_OK);
        cr_assert_eq(generate_plan(&options, &plan, NULL), EINSPUL_OK);
        for (int j = 0; j < plan.n_materials; j++)
            files += plan.materials[j].file_bytes;
        cr_assert_geq(plan.disk_bytes - files, cases[i].least);
        cr_assert_leq(plan.disk_bytes - files, cases[i].most);
    }
}
