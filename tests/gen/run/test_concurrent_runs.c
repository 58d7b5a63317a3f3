/* Several processes in one folder: simultaneous writers, readers that continue while tables are
 * replaced, and inputs that change between plan and run. Ineffective locks are simulated by
 * planning and running without taking the lock. */
#include "core/program/materials.h"
#include "gen/material/material_load.h"
#include "gen/material/stats.h"
#include "gen/run/folder.h"
#include "gen/run/generate.h"
#include "gen/run/plan_make.h"
#include "gen/solver/word_solver.h"
#include "table/table_open.h"
#include "tests/support/handle.h"
#include "tests/support/tables.h"
#include "verify/verify.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SMALL_CACHE = 100000 }; /* so that blocks are read again and again */

TestSuite(concurrent_runs, .init = make_folder, .fini = drop_folder);

static struct generate_options options_for(const struct rules *rules, unsigned metrics)
{
    struct generate_options options = small_options(rules, folder);
    options.metrics = metrics;
    return options;
}

/* Compresses a table in its place, omitting all values that may be omitted. */
static void compress(const struct rules *rules, const char *name, einspul_metric metric)
{
    const char *path = table_name(rules, name, metric);
    const struct material material = material_named(name);
    compress_table(rules, &material, metric, COMPRESS_DEFAULT, path);
}

static uint64_t hash_of(const struct rules *rules, const char *name, einspul_metric metric)
{
    struct table *table = open_whole(rules, name, metric, table_name(rules, name, metric));
    const uint64_t hash = table->header.value_hash;
    table_close(table);
    return hash;
}

static void remove_tables(const struct rules *rules, const char *name)
{
    cr_assert_eq(unlink(table_name(rules, name, EINSPUL_DTW)), 0);
    cr_assert_eq(unlink(table_name(rules, name, EINSPUL_WDL)), 0);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static ino_t inode_of(const char *path)
{
    struct stat info;
    cr_assert_eq(stat(path, &info), 0, "%s", path);
    return info.st_ino;
}

/* --- writers ---------------------------------------------------------------------------------- */

/* Fails if a table is replaced after the plan by one that omits values, and the run uses the
 * omitted ones without an error. */
Test(concurrent_runs, an_exchanged_table_is_noticed)
{
    static const struct {
        const char *exchanged, *suffix;
        einspul_metric metric;
        unsigned metrics;
    } cases[] = {{"KKvM", "KKvM.dtw", EINSPUL_DTW, METRICS_DTW},  /* leaves a side out */
                 {"KMvK", "KMvK.wdl", EINSPUL_WDL, METRICS_WDL}}; /* leaves runs out */
    const struct rules rules = rules_named("frisian");
    generate(&rules, 3, NULL, METRICS_BOTH);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct generate_options options = options_for(&rules, cases[i].metrics);
        struct generate_plan plan;
        einspul_error error = {0};
        const uint64_t hash = hash_of(&rules, "KMvM", cases[i].metric);
        cr_assert_eq(unlink(table_name(&rules, "KMvM", cases[i].metric)), 0);
        cr_assert_eq(generate_plan(&options, &plan, &error), EINSPUL_OK, "%s", error.text);
        compress(&rules, cases[i].exchanged, cases[i].metric);
        cr_assert_eq(generate_run(&options, &plan, &error), EINSPUL_NO_TABLE);
        cr_assert_not_null(strstr(error.text, cases[i].suffix), "%s", error.text);
        cr_assert_not(is_there(table_name(&rules, "KMvM", cases[i].metric)));
        cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
        cr_assert_eq(hash_of(&rules, "KMvM", cases[i].metric), hash);
    }
}

/* Fails if a run ends because another process replaced a table by one with equal values. */
Test(concurrent_runs, accepts_equal_replacement)
{
    const struct rules rules = rules_named("frisian");
    struct generate_options options = options_for(&rules, METRICS_DTW);
    struct generate_plan plan;
    einspul_error error = {0};
    generate(&rules, 3, NULL, METRICS_BOTH);
    const uint64_t hash = hash_of(&rules, "KMvM", EINSPUL_DTW);
    remove_tables(&rules, "KMvM");
    cr_assert_eq(generate_plan(&options, &plan, &error), EINSPUL_OK, "%s", error.text);
    cr_assert_eq(unlink(table_name(&rules, "KKvM", EINSPUL_DTW)), 0);
    options.zstd_level = 19;
    options.pieces = 0;
    cr_assert_eq(material_read("KKvM", &options.material, NULL), EINSPUL_OK);
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    cr_assert_eq(generate_run(&options, &plan, &error), EINSPUL_OK, "%s", error.text);
    cr_assert_eq(hash_of(&rules, "KMvM", EINSPUL_DTW), hash);
}

/* Fails if loading a table uses the values that it omits. */
Test(concurrent_runs, refuses_incomplete_table_as_input)
{
    const struct rules rules = rules_named("frisian");
    struct store store = {.rules = &rules};
    einspul_error error = {0};
    generate(&rules, 3, NULL, METRICS_BOTH);
    compress(&rules, "KKvM", EINSPUL_DTW);
    struct table *table =
        open_whole(&rules, "KKvM", EINSPUL_DTW, table_name(&rules, "KKvM", EINSPUL_DTW));
    cr_assert_not(table_is_complete(table));
    const struct material_params params = {
        .store = &store,
        .material = table->shape.material,
        .metric = EINSPUL_DTW,
        .solver = &word_solver,
        .n_threads = 1,
        .table = table,
    };
    cr_assert_eq(material_load(&params, &error), EINSPUL_NO_TABLE);
    cr_assert_not_null(strstr(error.text, "KKvM.dtw"), "%s", error.text);
    cr_assert_null(store_get(&store, &params.material));
    table_close(table);
}

/* The state of the lock during `planned`. */
struct seen {
    const struct rules *rules;
    int n_plans;
    einspul_status lock;
};

static void see_plan(const struct generate_plan *plan, void *context)
{
    struct seen *seen = context;
    int lock = -1;
    cr_assert_gt(plan->n_materials, 0);
    seen->n_plans++;
    seen->lock = folder_lock(folder, seen->rules, &lock, NULL);
}

/* Fails if those who may write in a folder cannot lock it, because another user made the lock. */
Test(concurrent_runs, lock_is_shared_with_those_who_share_the_folder)
{
    static const struct {
        mode_t folder, lock;
    } cases[] = {{0755, 0644}, {0775, 0664}, {02777, 0666}};
    const struct rules rules = rules_named("frisian");
    const mode_t before = umask(022);
    einspul_error error = {0};
    cr_assert_eq(folder_make(folder, &rules, &error), EINSPUL_OK, "%s", error.text);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct stat info;
        int lock = -1;
        cr_assert_eq(chmod(path_of("frisian"), cases[i].folder), 0);
        cr_assert_eq(folder_share(folder, &rules, &lock, &error), EINSPUL_OK, "%s", error.text);
        cr_assert_eq(stat(path_of("frisian/.lock"), &info), 0);
        cr_assert_eq(info.st_mode & 07777, cases[i].lock, "%o", info.st_mode);
        close(lock);
    }
    umask(before);
}

/* Fails if a plan is made while another process can still change its inputs. */
Test(concurrent_runs, locks_before_it_plans)
{
    const struct rules rules = rules_named("frisian");
    struct seen seen = {.rules = &rules};
    struct generate_options options = options_for(&rules, METRICS_WDL);
    einspul_error error = {0};
    int lock = -1;
    options.pieces = 2;
    options.planned = see_plan;
    options.context = &seen;

    /* A missing folder, then an existing one. */
    for (int i = 1; i <= 2; i++) {
        cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
        cr_assert_eq(seen.n_plans, i);
        /* A missing table cannot change. */
        cr_assert_eq(seen.lock, i == 1 ? EINSPUL_NO_FOLDER : EINSPUL_LOCKED);
    }
    cr_assert_eq(folder_lock(folder, &rules, &lock, &error), EINSPUL_OK, "%s", error.text);
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_LOCKED);
    cr_assert_not_null(strstr(error.text, ".lock"), "%s", error.text);
    cr_assert_eq(seen.n_plans, 2);

    /* Each rule set has a folder of its own. */
    const struct rules english = rules_named("english");
    seen.rules = &english;
    options.rules = &english;
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    close(lock);
}

/* Fails if locking follows a symbolic link, or blocks on a FIFO. */
Test(concurrent_runs, locks_regular_files_only)
{
    static const char *const harms[] = {"ln -s ../elsewhere .lock", "mkfifo .lock", "mkdir .lock"};
    const struct rules rules = rules_named("frisian");
    einspul_error error = {0};
    int lock = -1;
    cr_assert_eq(folder_lock(folder, &rules, &lock, &error), EINSPUL_NO_FOLDER);
    cr_assert_eq(folder_make(folder, &rules, &error), EINSPUL_OK, "%s", error.text);
    for (size_t i = 0; i < sizeof harms / sizeof harms[0]; i++) {
        char command[1024];
        snprintf(command, sizeof command, "cd '%s/frisian' && rm -rf .lock && %s", folder,
                 harms[i]);
        cr_assert_eq(system(command), 0);
        cr_assert_eq(folder_lock(folder, &rules, &lock, &error), EINSPUL_IO, "%s", harms[i]);
        cr_assert_not_null(strstr(error.text, ".lock"), "%s", error.text);
        cr_assert_eq(lock, -1);
        cr_assert_not(is_there(path_of("elsewhere")));
    }
    cr_assert_eq(folder_lock("", &rules, &lock, &error), EINSPUL_BAD_ARGUMENT);
    cr_assert_eq(folder_make("", &rules, &error), EINSPUL_BAD_ARGUMENT);
}

/* --- complete tables -------------------------------------------------------------------------- */

/* Fails if a complete table is rewritten because the other one of its material is missing, which
 * would undo its compression. */
Test(concurrent_runs, a_complete_table_is_not_written_again)
{
    const struct rules rules = rules_named("frisian");
    struct generate_options options = options_for(&rules, METRICS_BOTH);
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, 3, materials);
    einspul_error error = {0};
    generate(&rules, 3, NULL, METRICS_BOTH);
    for (int i = 0; i < n_materials; i++) {
        char name[MATERIAL_NAME_SIZE];
        material_write(&materials[i], name);
        for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
            const einspul_metric other = metric == EINSPUL_WDL ? EINSPUL_DTW : EINSPUL_WDL;
            cr_assert_eq(unlink(table_name(&rules, name, (einspul_metric)metric)), 0);
            const ino_t before = inode_of(table_name(&rules, name, other));
            cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
            cr_assert(is_there(table_name(&rules, name, (einspul_metric)metric)));
            cr_assert_eq(inode_of(table_name(&rules, name, other)), before, "%s", name);
        }
    }
}

/* Fails if a table that cannot be opened at the moment counts as missing and is overwritten. */
Test(concurrent_runs, an_unreadable_table_is_not_missing)
{
    const struct rules rules = rules_named("frisian");
    const struct generate_options options = options_for(&rules, METRICS_BOTH);
    struct generate_plan plan;
    einspul_error error = {0};
    struct rlimit limit;
    generate(&rules, 3, NULL, METRICS_BOTH);
    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    const struct rlimit none = {0, limit.rlim_max};
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    const einspul_status status = generate_plan(&options, &plan, &error);
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    cr_assert_eq(status, EINSPUL_IO, "%s", einspul_status_name(status));
    cr_assert_not_null(strstr(error.text, "KvK.wdl"), "%s", error.text);
    cr_assert_eq(generate_plan(&options, &plan, &error), EINSPUL_OK, "%s", error.text);
    for (int i = 0; i < plan.n_materials; i++)
        cr_assert(plan.materials[i].complete);
}

/* Fails if an intact table under another one's name, or of a later file format, is
 * overwritten. */
Test(concurrent_runs, a_table_of_something_else_is_not_replaced)
{
    enum { AT_CHECKSUM = HEADER_SIZE - 8 };
    static const struct {
        const char *from, *to;
        einspul_status status;
    } cases[] = {{"KvM.dtw", "KvM.wdl", EINSPUL_NO_METRIC},
                 {"KvK.wdl", "KvM.wdl", EINSPUL_WRONG_MATERIAL},
                 {"../english/KvM.wdl", "KvM.wdl", EINSPUL_WRONG_RULES},
                 {"later", "KvM.wdl", EINSPUL_WRONG_VERSION}};
    const struct rules rules = rules_named("frisian");
    const struct rules english = rules_named("english");
    const struct generate_options options = options_for(&rules, METRICS_BOTH);
    einspul_error error = {0};
    size_t n_bytes = 0;
    generate(&rules, 2, NULL, METRICS_BOTH);
    generate(&english, 2, NULL, METRICS_BOTH);
    uint8_t *later = read_whole(path_of("frisian/KvM.wdl"), &n_bytes);
    later[AT_READ_VERSION] = FORMAT_VERSION + 1;
    store_u64(later + AT_CHECKSUM, format_checksum(later, AT_CHECKSUM));
    write_whole(path_of("frisian/later"), later, n_bytes);
    free(later);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char command[1024];
        snprintf(command, sizeof command, "cd '%s/frisian' && cp %s %s", folder, cases[i].from,
                 cases[i].to);
        cr_assert_eq(system(command), 0);
        const ino_t before = inode_of(path_of("frisian/KvM.wdl"));
        const einspul_status status = generate_tables(&options, &error);
        cr_assert_eq(status, cases[i].status, "%s: %s", cases[i].from, einspul_status_name(status));
        cr_assert_not_null(strstr(error.text, "KvM.wdl"), "%s", error.text);
        cr_assert_eq(inode_of(path_of("frisian/KvM.wdl")), before);
    }
}

/* Fails if a symbolic link is replaced by a table, or its target overwritten, or this is found only
 * after the material is solved. */
Test(concurrent_runs, links_are_read_but_not_replaced)
{
    static const char *const harms[] = {"mv KKvM.dtw ../elsewhere && ln -s ../elsewhere KKvM.dtw",
                                        ": > ../elsewhere", "rm ../elsewhere"};
    const struct rules rules = rules_named("frisian");
    const struct generate_options options = options_for(&rules, METRICS_BOTH);
    struct generate_plan plan;
    einspul_error error = {0};
    uint64_t n_bytes = 0;
    generate(&rules, 3, NULL, METRICS_BOTH);
    for (size_t i = 0; i < sizeof harms / sizeof harms[0]; i++) {
        char command[1024];
        snprintf(command, sizeof command, "cd '%s/frisian' && %s && [ -L KKvM.dtw ]", folder,
                 harms[i]);
        cr_assert_eq(system(command), 0);
        const einspul_status status = generate_plan(&options, &plan, &error);
        cr_assert_eq(status, i == 0 ? EINSPUL_OK : EINSPUL_IO, "%s", error.text);
        cr_assert(i == 0 || strstr(error.text, "KKvM.dtw: is a symbolic link") != NULL, "%s",
                  error.text);
        if (i > 0)
            continue;
        const ino_t before = inode_of(path_of("elsewhere"));
        const char *link = table_name(&rules, "KKvM", EINSPUL_DTW);
        struct table *table = open_whole(&rules, "KKvM", EINSPUL_DTW, link);
        cr_assert_eq(
            table_compress(table, &rules, COMPRESS_DEFAULT, link, 2, NULL, &n_bytes, &error),
            EINSPUL_IO);
        cr_assert_not_null(strstr(error.text, "a symbolic link"), "%s", error.text);
        table_close(table);
        cr_assert_eq(inode_of(path_of("elsewhere")), before);
    }
}

/* Fails if a FIFO in place of a part file blocks the run, or a symbolic link there is written
 * through. */
Test(concurrent_runs, part_path_is_fifo_or_link, .timeout = 300)
{
    static const char *const harms[] = {"mkfifo", "mkdir", "ln -s none", "ln -s kept",
                                        "ln -s .KMvM.0123456789abcdef.part"};
    const struct rules rules = rules_named("frisian");
    struct generate_options options = options_for(&rules, METRICS_BOTH);
    einspul_error error = {0};
    options.single = true;
    options.pieces = 0;
    options.material = material_named("KMvM");
    generate(&rules, 3, NULL, METRICS_BOTH);
    write_whole(path_of("frisian/kept"), (const uint8_t *)"kept", 4);
    const uint64_t hash = hash_of(&rules, "KMvM", EINSPUL_DTW);
    for (size_t i = 0; i < sizeof harms / sizeof harms[0]; i++) {
        char command[1024];
        snprintf(command, sizeof command,
                 "cd '%s/frisian' && rm -rf .KMvM.*.part KMvM.* && %s .KMvM.0123456789abcdef.part",
                 folder, harms[i]);
        cr_assert_eq(system(command), 0);
        cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s: %s", harms[i], error.text);
        cr_assert_eq(hash_of(&rules, "KMvM", EINSPUL_DTW), hash);
        cr_assert_neq(access(path_of("frisian/none"), F_OK), 0);
    }
    size_t n_bytes = 0;
    uint8_t *kept = read_whole(path_of("frisian/kept"), &n_bytes);
    cr_assert(n_bytes == 4 && memcmp(kept, "kept", 4) == 0);
    free(kept);
}

/* --- readers ---------------------------------------------------------------------------------- */

/* Verifies and counts a material through a handle. */
static void expect_right(einspul *handle, const char *name, struct stats *stats)
{
    const struct verify_options options = {
        .depth = VERIFY_VALUES, .n_threads = 2, .n_samples = 20000, .random_seed = 3};
    struct material material;
    struct verify_report report;
    struct stats_session *session = NULL;
    einspul_error error = {0};
    cr_assert_eq(material_read(name, &material, NULL), EINSPUL_OK);
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
        cr_assert_eq(
            verify_table(handle, &material, (einspul_metric)metric, &options, &report, &error),
            EINSPUL_OK, "%s", error.text);
        cr_assert_gt(report.n_states, 0);
        cr_assert_eq(report.n_faults, 0, "%s", name);
    }
    cr_assert_eq(stats_begin(handle, 3, 2, 0, &session, &error), EINSPUL_OK);
    cr_assert_eq(stats_table(session, &material, EINSPUL_DTW, stats, &error), EINSPUL_OK, "%s",
                 error.text);
    stats_end(session);
}

static void expect_same_counts(const struct stats *a, const struct stats *b)
{
    for (int side = WHITE; side <= BLACK; side++) {
        cr_assert_eq(a->all[side].wins, b->all[side].wins);
        cr_assert_eq(a->all[side].draws, b->all[side].draws);
        cr_assert_eq(a->all[side].losses, b->all[side].losses);
        cr_assert_eq(a->all[side].max_win, b->all[side].max_win);
    }
}

/* Fails if verifying, counting or probing while tables are compressed or regenerated reports faults
 * or other values, because it meets tables of both kinds. */
Test(concurrent_runs, readers_continue_while_tables_are_replaced, .timeout = 300)
{
    static const char *const compressed[] = {"KvM", "KKvM", "KMvK"};
    const struct rules rules = rules_named("frisian");
    struct generate_options options = options_for(&rules, METRICS_BOTH);
    einspul_error error = {0};
    struct stats before;
    struct stats after;
    generate(&rules, 3, NULL, METRICS_BOTH);
    einspul *handle = open_tables(folder, rules.name, SMALL_CACHE);
    expect_right(handle, "KKvM", &before); /* opens that table and those its moves lead to */
    for (size_t i = 0; i < sizeof compressed / sizeof compressed[0]; i++) {
        compress(&rules, compressed[i], EINSPUL_DTW);
        compress(&rules, compressed[i], EINSPUL_WDL);
    }
    expect_right(handle, "KMvM", &after); /* opens new ones beside those it has */
    expect_right(handle, "KKvM", &after);
    expect_same_counts(&before, &after);
    for (size_t i = 0; i < sizeof compressed / sizeof compressed[0]; i++)
        remove_tables(&rules, compressed[i]);
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    expect_right(handle, "KKvM", &after);
    expect_same_counts(&before, &after);
    einspul_close(handle);
    handle = open_tables(folder, rules.name, SMALL_CACHE);
    expect_right(handle, "KKvM", &after);
    expect_same_counts(&before, &after);
    einspul_close(handle);
}
