/* Complete sets of small tables: every value follows from the moves, with any number of threads,
 * with and without an omitted side to move; and samples of a table. */
#include "core/program/materials.h"
#include "tests/support/handle.h"
#include "tests/support/stopping.h"
#include "tests/support/tables.h"
#include "tests/support/verify_table.h"

TestSuite(verify, .init = make_folder, .fini = drop_folder);

enum { N_THREADS = 2 };

/* Verifies every value of the rule set's tables, or a sample of each, with any number of
 * threads. */
static void verify_all(einspul *handle, uint64_t n_samples)
{
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, 3, materials);
    for (int i = 0; i < n_materials; i++) {
        for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
            char name[MATERIAL_NAME_SIZE];
            material_write(&materials[i], name);
            const struct verify_report report =
                verify(handle, &materials[i], (einspul_metric)metric, 1 + i % N_THREADS, n_samples);
            cr_assert_eq(report.n_faults, 0, "%s: %llu faults", name,
                         (unsigned long long)report.n_faults);
            cr_assert_gt(report.n_states, 0, "%s: nothing was compared", name);
        }
    }
}

static void check_rules(const char *rules_name, uint64_t n_samples)
{
    const struct rules rules = rules_named(rules_name);
    generate(&rules, 3, NULL, METRICS_BOTH);
    einspul *handle = open_default(folder, rules_name);
    verify_all(handle, n_samples);
    einspul_close(handle);
}

/* Fails if a table is wrong, so that every engine that uses it plays wrongly. */
Test(verify, frisian_follows_from_the_rules)
{
    check_rules("frisian", 0);
}

Test(verify, other_rule_sets_follow_from_the_rules)
{
    static const char *const names[] = {"frisian-free", "international", "english", "brazilian"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_rules(names[i], 0);
}

/* Fails if a row is read after another has taken its memory: men that move would lead to wrong values. Two
 * men, and more rows than are kept at a time. */
Test(verify, rows_are_kept_as_long_as_men_lead_there)
{
    const struct rules rules = rules_named("international");
    const struct material material = material_named("KMMvK");
    generate(&rules, 0, "KMMvK", METRICS_WDL);
    einspul *handle = open_default(folder, "international");
    const struct verify_report report = verify(handle, &material, EINSPUL_WDL, N_THREADS, 0);
    einspul_close(handle);
    cr_assert_gt(report.n_states, 1000000);
    cr_assert_eq(report.n_faults, 0);
}

/* Fails if verifying in memory and by probes count different values, or if one of them finds faults in a
 * right table: both would be believed. */
Test(verify, in_memory_and_by_probes_agree)
{
    static const char *const names[] = {"frisian", "frisian-lidraughts", "international",
                                        "english"};
    static const char *const materials[] = {"KMvK", "MMvM", "KKvM", "MvM"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct rules rules = rules_named(names[i]);
        const einspul_metric metric = i % 2 == 0 ? EINSPUL_DTW : EINSPUL_WDL;
        generate(&rules, 3, NULL, METRICS_BOTH);
        einspul *handle = open_default(folder, names[i]);
        for (size_t m = 0; m < sizeof materials / sizeof materials[0]; m++) {
            const struct material material = material_named(materials[m]);
            const struct verify_report read = verify(handle, &material, metric, 1, 0);
            const struct verify_report probed =
                verify_by_probes(handle, &material, metric, N_THREADS);
            cr_assert(reports_equal(&read, &probed) && read.n_faults == 0, "%s %s: %llu, %llu",
                      names[i], materials[m], (unsigned long long)read.n_states,
                      (unsigned long long)probed.n_states);
        }
        einspul_close(handle);
    }
}

/* Fails if an omitted value is wrong, or if a right table is reported as faulty: of distances a side
 * is omitted, of both metrics the longest runs. */
Test(verify, omitted_values_follow)
{
    const struct rules rules = rules_named("frisian");
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, 3, materials);
    generate(&rules, 3, NULL, METRICS_BOTH);
    leave_all_out(&rules, folder);
    for (int i = 0; i < n_materials; i++)
        compress_table(&rules, &materials[i], EINSPUL_WDL, COMPRESS_DEFAULT,
                       table_name(&rules, material_name(&materials[i]).text, EINSPUL_WDL));
    einspul *handle = open_default(folder, "frisian");
    verify_all(handle, 20000);
    einspul_close(handle);
}

Test(verify, a_sample_is_about_as_large_as_asked)
{
    const struct rules rules = rules_named("frisian");
    generate(&rules, 0, "KMvK", METRICS_BOTH);
    einspul *handle = open_default(folder, "frisian");
    const struct material material = material_named("KMvK");
    const struct verify_report all = verify(handle, &material, EINSPUL_DTW, N_THREADS, 0);
    const struct verify_report one = verify(handle, &material, EINSPUL_DTW, 1, 20000);
    const struct verify_report two = verify(handle, &material, EINSPUL_DTW, 2, 20000);
    cr_assert_gt(all.n_states, 100000);
    cr_assert(one.n_states > 17000 && one.n_states < 23000, "%llu",
              (unsigned long long)one.n_states);
    cr_assert_eq(one.n_states, two.n_states);
    cr_assert_eq(one.n_faults, 0);
    cr_assert_eq(verify(handle, &material, EINSPUL_DTW, 2, UINT64_MAX).n_states, all.n_states);
    einspul_close(handle);
}

/* Fails if a sample is half as large as requested when one side is omitted, so that it finds fewer
 * faults. */
Test(verify, a_sample_of_one_side_is_about_as_large_as_asked)
{
    const struct rules rules = rules_named("frisian");
    const struct material material = material_named("KMvK");
    generate(&rules, 0, "KMvK", METRICS_DTW);
    cr_assert_geq(leave_out(&rules, &material, folder), 0);
    einspul *handle = open_default(folder, "frisian");
    const struct verify_report all = verify(handle, &material, EINSPUL_DTW, N_THREADS, 0);
    const struct verify_report some = verify(handle, &material, EINSPUL_DTW, N_THREADS, 20000);
    cr_assert_eq(all.n_faults, 0);
    cr_assert(some.n_states > 17000 && some.n_states < 23000, "%llu of %llu",
              (unsigned long long)some.n_states, (unsigned long long)all.n_states);
    cr_assert_eq(some.n_faults, 0);
    einspul_close(handle);
}

/* Fails if some part of the work does not see that it is to stop, or is not in the progress: on a large table,
 * Ctrl-C would do nothing for minutes. */
Test(verify, stops_in_every_part)
{
    const struct rules rules = rules_named("frisian");
    const struct material material = material_named("KKvM");
    generate(&rules, 0, "KKvM", METRICS_WDL);
    einspul *handle = open_default(folder, "frisian");
    for (int i = 0; i <= 20; i++) {
        struct stopping stopping = {.at = i * 0.04};
        struct watch watch = {.stop = &stopping.stop, .report = stop_at, .context = &stopping};
        const struct verify_options options = {
            .depth = VERIFY_VALUES,
            .n_threads = 1 + i % N_THREADS,
            .n_samples = i % 3 == 2 ? 100000 : 0,
            .max_bytes = i % 3 == 0 ? 0 : 1 << 30, /* by probes; in memory */
            .watch = &watch,
        };
        struct verify_report report;
        einspul_error error = {0};
        const einspul_status status =
            verify_table(handle, &material, EINSPUL_WDL, &options, &report, &error);
        cr_assert_eq(status, EINSPUL_STOPPED, "at %g: %s", stopping.at, error.text);
        cr_assert_lt(stopping.done, stopping.at + 0.3);
    }
    einspul_close(handle);
}
