/* The plan of a run: in which order, with what in memory, and with how much room on the disk. */
#include <string.h>

#include "gen/plan.h"
#include "tests/support/tables.h"

TestSuite(plan, .init = make_folder, .fini = drop_folder);

/* A whole material's plan holds what it needs and no more, in an order that can be solved. */
Test(plan, plan_of_one_material)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct error error = {0};
    struct generate_plan plan;
    char name[MATERIAL_NAME_SIZE];
    char all[256] = "";
    struct generate_options options = options_in(&rules, "plan", path);
    options.pieces = 0;
    cr_assert_eq(material_read("KMvM", &options.material, NULL), STATUS_OK);
    cr_assert_eq(generate_plan(&options, &plan, &error), STATUS_OK, "%s", error.text);
    for (int i = 0; i < plan.n_materials; i++) {
        material_write(&plan.materials[i], name);
        strcat(strcat(all, name), " ");
        cr_assert_not(plan.complete[i]);
    }
    cr_assert_str_eq(all, "KvK KvM MvM KKvK KKvM KMvK KMvM ");
    cr_assert_gt(plan.memory_bytes, 0);
    cr_assert_gt(plan.disk_bytes, 0);
}

/* A plan that would not fit holds less, down to what each material needs. */
Test(plan, plan_holds_what_fits)
{
    static const uint64_t limits[] = {UINT64_MAX, (uint64_t)40 << 30, 1};
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_plan plans[3];
    struct generate_options options = options_in(&rules, "plan", path);
    options.pieces = 6;
    options.metrics = METRICS_WDL;
    for (int i = 0; i < 3; i++) {
        const struct memory_limit limit = {limits[i], MEMORY_ASKED};
        cr_assert_eq(generate_plan(&options, &plans[i], NULL), STATUS_OK);
        plan_for_memory(&options, &plans[i], limit);
    }
    cr_assert_gt(plans[0].memory_bytes, limits[1]);
    cr_assert_leq(plans[1].memory_bytes, limits[1]);
    cr_assert_leq(plans[2].memory_bytes, plans[1].memory_bytes);
    for (int i = 0; i < plans[2].n_materials; i++) {
        bool needs[MAX_MATERIALS];
        plan_needs(&plans[2], i, BY_CAPTURE_OR_PROMOTION, needs);
        for (int j = 0; j < i; j++)
            cr_assert(!needs[j] || plans[2].holds[i][j]);
    }
}

/* Room on the disk is asked for the checkpoints of large materials. */
Test(plan, plan_of_checkpoints)
{
    static const struct {
        const char *material;
        uint64_t least, most;
    } cases[] = {{"KMvM", 0, 0}, {"KKMvKM", 700000000, 1500000000}};
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_plan with;
    struct generate_plan without;
    struct generate_options options = options_in(&rules, "plan", path);
    options.pieces = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_assert_eq(material_read(cases[i].material, &options.material, NULL), STATUS_OK);
        options.checkpoint_seconds = 0;
        cr_assert_eq(generate_plan(&options, &with, NULL), STATUS_OK);
        options.checkpoint_seconds = -1;
        cr_assert_eq(generate_plan(&options, &without, NULL), STATUS_OK);
        cr_assert_geq(with.disk_bytes - without.disk_bytes, cases[i].least);
        cr_assert_leq(with.disk_bytes - without.disk_bytes, cases[i].most);
    }
}

/* A plan that solves a table again holds what that takes: if not, a run would take more memory than
 * it was given. */
Test(plan, plan_holds_what_solving_again_takes)
{
    const struct rules rules = rules_named("english");
    char path[PATH_SIZE];
    struct error error = {0};
    struct generate_plan plan;
    struct generate_options options = options_in(&rules, "left", path);
    int n_again = 0;
    options.metrics = METRICS_DTW;
    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
    leave_all_out(&rules, path);
    options.pieces = 4;
    options.memory_bytes = 1;
    cr_assert_eq(generate_plan(&options, &plan, &error), STATUS_OK, "%s", error.text);
    for (int i = 0; i < plan.n_materials; i++) {
        bool needs[MAX_MATERIALS];
        n_again += plan.solved_again[i];
        cr_assert_eq(plan.complete[i], material_pieces(&plan.materials[i]) < 4);
        cr_assert(!plan.solved_again[i] || plan.complete[i]);
        cr_assert_eq(plan_succession(&plan, i),
                     plan.solved_again[i] ? BY_CAPTURE_OR_PROMOTION : BY_CAPTURE);
        if (plan.complete[i])
            continue;
        plan_needs(&plan, i, BY_CAPTURE_OR_PROMOTION, needs);
        for (int j = i - 1; j >= 0; j--) {
            bool behind[MAX_MATERIALS];
            cr_assert(!needs[j] || plan.holds[i][j]);
            if (!needs[j] || !plan.solved_again[j] || (i > 0 && plan.holds[i - 1][j]))
                continue;
            plan_needs(&plan, j, BY_CAPTURE_OR_PROMOTION, behind);
            for (int k = 0; k < j; k++)
                needs[k] = needs[k] || behind[k];
        }
    }
    cr_assert_geq(n_again, 6);
}
