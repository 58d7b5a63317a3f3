/* The names of jobs, and how a material is cut: what a scheduler hands back must be the job it was
 * given, and parts together must be the whole. */
#include "core/random.h"
#include "gen/jobs/job_cost.h"
#include "gen/values/levels.h"
#include "tests/support/named.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Wrong: a job is done under another name than the plan's, or twice under two. */
Test(job_id, names_are_read_as_they_are_written)
{
    static const char *const names[] = {
        "KvK",      "KvK+KvM+MvM",        "KKMvKKM.l3",  "KKMvKKM.l3.p2of8", "KKMvKKM.l0-3",
        "MvM.l0",   "KMvKM.l18.p9of9999", "KMvKM.table", "MMMMvMMM.l12-13",  "KKKKKKvK",
        "KMvK+KMvM"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        einspul_error error = {0};
        struct job job;
        cr_assert_eq(job_read(names[i], &job, &error), EINSPUL_OK, "%s", error.text);
        cr_assert_str_eq(job_name(&job).text, names[i]);
    }
}

Test(job_id, what_is_no_name)
{
    static const char *const names[] = {
        "",
        "KvM+KvK",
        "KvK+KvK",
        "MvK",
        "KvK+",
        "+KvK",
        "KKMvKKM.",
        "KMvKM.l",
        "KMvKM.l3-3",
        "KMvKM.l3-2",
        "KMvKM.l03",
        "KMvKM.l3.p0of2",
        "KMvKM.l3.p3of2",
        "KMvKM.l3.p1of1",
        "KMvKM.l3.p01of2",
        "KMvKM.l3-4.p1of2",
        "KMvKM.tables",
        "KvK+KvM.table",
        "KvK+KvM.l1",
        "KMvKM.l100",
        "KMvKM.l3.p1of10000",
        "KMvKM.l3.p1of2x",
        "../KvK",
        "MMMvMMMM.l12-13",
        "KMvKM.l-1",
        "KMvKM.l99999999999",
        "KvK KvM",
        "KvK+KvK+KvK+KvK+KvK+KvK+KvK+KvK+KvK+KvK+KvK+KvK+KvK+KvK+KvK+KvK+KvK+KvK"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        einspul_error error = {0};
        struct job job;
        cr_assert_eq(job_read(names[i], &job, &error), EINSPUL_BAD_ARGUMENT, "%s", names[i]);
        cr_assert_not_null(strstr(error.text, "einspul plan"));
    }
}

/* Wrong: a bundle of the most materials has a name that does not fit. */
Test(job_id, the_longest_name)
{
    struct material list[MAX_MATERIALS];
    struct job job;
    struct job again;
    const int n = material_list(MAX_PIECES, MAX_PIECES, list);
    memset(&job, 0, sizeof job);
    job.kind = JOB_WHOLE;
    job.n_materials = JOB_MATERIALS;
    cr_assert_geq(n, JOB_MATERIALS);
    memcpy(job.materials, list, sizeof job.materials);
    const struct job_name name = job_name(&job);
    cr_assert_lt(strlen(name.text), sizeof name.text);
    cr_assert_eq(job_read(name.text, &again, NULL), EINSPUL_OK);
    cr_assert_arr_eq(&again, &job, sizeof job);
}

/* Wrong: a task of a level is in no part, or in two. */
Test(job_id, parts_are_the_whole)
{
    uint64_t seed = 1;
    for (int i = 0; i < 2000; i++) {
        const uint64_t n_tasks = random_next(&seed) % (i % 2 == 0 ? 50 : UINT64_C(1) << 40);
        const int n_parts = 1 + (int)(random_next(&seed) % 200);
        uint64_t end = 0;
        uint64_t least = UINT64_MAX;
        uint64_t most = 0;
        for (int part = 1; part <= n_parts; part++) {
            const struct task_range range = tasks_part(n_tasks, part, n_parts);
            const uint64_t n = range.end - range.first;
            cr_assert_eq(range.first, end);
            cr_assert_geq(range.end, range.first);
            end = range.end;
            least = n < least ? n : least;
            most = n > most ? n : most;
        }
        cr_assert_eq(end, n_tasks);
        cr_assert_leq(most - least, 1, "parts are equal");
    }
}

/* Wrong: of the slices of a material each costs as much as the whole, or next to nothing. */
Test(job_id, costs_add_up)
{
    const struct rules rules = rules_named("frisian");
    const struct generate_options options = {
        .rules = &rules, .metrics = METRICS_BOTH, .n_threads = 2};
    struct job job;
    struct job_cost whole;
    struct job_cost cost;
    double n_states = 0;
    uint64_t n_bytes = 0;
    cr_assert_eq(job_read("KKMvKM", &job, NULL), EINSPUL_OK);
    cr_assert_eq(job_cost_of(&options, &job, &whole, NULL), EINSPUL_OK);
    for (int level = 0; level <= 18; level++) {
        for (int part = 1; part <= 3; part++) {
            char id[JOB_ID_SIZE];
            snprintf(id, sizeof id, "KKMvKM.l%d.p%dof3", level, part);
            cr_assert_eq(job_read(id, &job, NULL), EINSPUL_OK);
            cr_assert_eq(job_cost_of(&options, &job, &cost, NULL), EINSPUL_OK);
            n_states += cost.n_states;
            n_bytes += cost.file_bytes;
        }
    }
    cr_assert_float_eq(n_states / whole.n_states, 1, 1e-6);
    cr_assert_gt(n_bytes, whole.file_bytes / 20);
    cr_assert_eq(job_read("KKMvKM.l19", &job, NULL), EINSPUL_OK);
    cr_assert_eq(job_cost_of(&options, &job, &cost, NULL), EINSPUL_BAD_ARGUMENT);
}

/* Wrong: a job is begun before what it reads is there. */
Test(job_id, what_a_job_needs)
{
    struct job job;
    cr_assert_eq(job_read("KvK+KvM", &job, NULL), EINSPUL_OK);
    cr_assert_eq(job_level_needed(&job), -1);
    cr_assert_eq(job_read("KMvM.l3", &job, NULL), EINSPUL_OK);
    cr_assert_eq(job_level_needed(&job), 2);
    cr_assert_eq(job_read("KMvM.l0-3", &job, NULL), EINSPUL_OK);
    cr_assert_eq(job_level_needed(&job), -1);
    cr_assert_eq(job_read("KMvM.table", &job, NULL), EINSPUL_OK);
}
