/* Distances that do not fit in a byte. No material of few pieces has any, so the solver is replaced
 * by one that reports them for one material. */
#include "core/program/materials.h"
#include "gen/material/material_solve.h"
#include "gen/run/generate.h"
#include "tests/support/tables.h"

#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

TestSuite(too_long, .init = make_folder, .fini = drop_folder);

static const char *too_long; /* the material's name, or NULL */

einspul_status __real_material_solve(const struct material_params *params, einspul_error *error);
einspul_status __wrap_material_solve(const struct material_params *params, einspul_error *error);

einspul_status __wrap_material_solve(const struct material_params *params, einspul_error *error)
{
    if (too_long != NULL && params->metric == EINSPUL_DTW &&
        strcmp(material_name(&params->material).text, too_long) == 0)
        return error_set(error, EINSPUL_TOO_LONG, "%s: too long", too_long);
    return __real_material_solve(params, error);
}

static bool exists(const char *name)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/frisian/%s", path_of("t"), name);
    return access(path, F_OK) == 0;
}

/* Fails if one material whose distances do not fit ends a run, keeps outcomes or tables of others from
 * being written, or goes unnamed. */
Test(too_long, one_material_does_not_end_a_run, .timeout = 300)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_options options = options_in(&rules, "t", path);
    einspul_error error = {0};
    options.pieces = 3;
    options.metrics = METRICS_BOTH;
    too_long = "KMvK"; /* KMvM and MMvK lead to it, the others do not */
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_TOO_LONG);
    cr_assert_not_null(strstr(error.text, "KMvK: a loss in more than"), "%s", error.text);
    struct material list[MAX_MATERIALS];
    const int n = material_list(2, 3, list);
    int n_without = 0;
    for (int i = 0; i < n; i++) {
        char name[2 * MATERIAL_NAME_SIZE];
        snprintf(name, sizeof name, "%s.wdl", material_name(&list[i]).text);
        cr_expect(exists(name), "%s", name);
        snprintf(name, sizeof name, "%s.dtw", material_name(&list[i]).text);
        n_without += !exists(name);
    }
    cr_expect(!exists("KMvK.dtw") && !exists("KMvM.dtw") && !exists("MMvK.dtw"));
    cr_expect(exists("KKvM.dtw") && exists("KKvK.dtw"));
    char expected[64];
    snprintf(expected, sizeof expected, " %d materials have no distances", n_without);
    cr_expect_not_null(strstr(error.text, expected), "%d: %s", n_without, error.text);
    /* A solver without such distances completes the set. */
    too_long = NULL;
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    cr_expect(exists("KMvK.dtw") && exists("KMvM.dtw"));
}
