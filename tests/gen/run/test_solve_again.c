/* Going on from tables that leave a side to move out: what a file does not hold is solved again. */
#include <string.h>

#include "gen/run/plan.h"
#include "gen/run/planning.h"
#include "tests/support/tables.h"

TestSuite(solve_again, .init = make_folder, .fini = drop_folder);

/* What a table leaves out is needed for those that lead to it. If it were not had, or wrong, they
 * could not be made any more, or came out wrong. */
Test(solve_again, goes_on_from_tables_that_leave_a_side_out)
{
    const struct rules rules = rules_named("frisian");
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, 3, materials);
    char whole[PATH_SIZE];
    char path[PATH_SIZE];
    einspul_error error = {0};
    struct generate_plan plan;
    struct generate_options options = options_in(&rules, "whole", whole);
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    shell("cp -r whole left");
    options = options_in(&rules, "left", path);
    leave_all_out(&rules, path);

    /* Complete as they are. */
    shell("cp -r left kept");
    cr_assert_eq(generate_plan(&options, &plan, &error), EINSPUL_OK, "%s", error.text);
    for (int i = 0; i < plan.n_materials; i++)
        cr_assert(plan.materials[i].complete);
    cr_assert_eq(generate_run(&options, &plan, &error), EINSPUL_OK, "%s", error.text);
    expect_same("kept", "left");

    for (int i = 0; i < n_materials; i++) {
        char name[MATERIAL_NAME_SIZE];
        material_write(&materials[i], name);
        shell("rm left/frisian/%s.%s", name, i % 2 == 0 ? "dtw" : "*");
        options.solver = i % 3 == 0 ? SOLVER_PLAIN : SOLVER_FAST;
        cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
        shell("cmp whole/frisian/%s.dtw left/frisian/%s.dtw && "
              "cmp whole/frisian/%s.wdl left/frisian/%s.wdl && cp kept/frisian/%s.dtw left/frisian",
              name, name, name, name, name);
        expect_same("kept", "left");
    }
}

/* With as little memory as may be, what tables leave out is had by solving them again, after all
 * they lead to. */
Test(solve_again, little_memory_and_tables_that_leave_a_side_out, .timeout = 120)
{
    static const char *const names[] = {"KMvKM", "KMvMM", "KKvMM"};
    const struct rules rules = rules_named("english");
    char path[PATH_SIZE];
    einspul_error error = {0};
    struct generate_options options = options_in(&rules, "small", path);
    options.metrics = METRICS_DTW;
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    shell("cp -r small kept");
    snprintf(path, sizeof path, "%s/kept", folder);
    leave_all_out(&rules, path);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct generate_plan plan;
        shell("rm -rf whole left && cp -r small whole && cp -r kept left");
        options = options_in(&rules, "whole", path);
        options.metrics = METRICS_DTW;
        options.pieces = 0;
        cr_assert_eq(material_read(names[i], &options.material, NULL), EINSPUL_OK);
        cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
        snprintf(path, sizeof path, "%s/left", folder);
        options.memory_bytes = 1;
        cr_assert_eq(generate_plan(&options, &plan, &error), EINSPUL_OK);
        options.memory_bytes = plan.memory_bytes;
        cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
        shell("for t in whole/english/*.dtw; do n=${t##*/}; [ -e small/english/$n ] || "
              "cmp $t left/english/$n || exit 1; done; cmp whole/english/%s.dtw "
              "left/english/%s.dtw",
              names[i], names[i]);
    }
}

/* A run of its own for each material: all that it leads to is loaded, and of what promotions
 * lead to no more than they can reach. Wrong: what was passed over is looked up after all. */
static void expect_same_of_each(const char *rules_name)
{
    const struct rules rules = rules_named(rules_name);
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, 4, materials);
    char path[PATH_SIZE];
    struct generate_options options = options_in(&rules, "whole", path);
    options.pieces = 4;
    options.metrics = METRICS_WDL;
    generate_with(&options);
    options = options_in(&rules, "apart", path);
    options.pieces = 0;
    options.metrics = METRICS_WDL;
    for (int i = 0; i < n_materials; i++) {
        options.material = materials[i];
        options.solver = i % 9 == 8 && rules.king_run_limit == 0 ? SOLVER_PLAIN : SOLVER_FAST;
        generate_with(&options);
    }
    expect_same("whole", "apart");
}

Test(solve_again, a_run_for_each_frisian_material)
{
    expect_same_of_each("frisian");
}

Test(solve_again, a_run_for_each_english_material)
{
    expect_same_of_each("english");
}

Test(solve_again, long_a_run_for_each_brazilian_material)
{
    expect_same_of_each("brazilian");
}
