/* The record of tables that were found sound: what a run believes of it, and what it does not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gen/run/planning.h"
#include "gen/system/checked.h"
#include "table/bytes.h"
#include "tests/support/files.h"
#include "tests/support/tables.h"

TestSuite(checked, .init = make_folder, .fini = drop_folder);

/* What the system says of a table's file, and what its header hashes to. */
struct sight {
    char path[PATH_SIZE];
    uint64_t identity;
    struct file_stamp stamp;
};

static struct sight look_at(const struct rules *rules, const char *name, einspul_metric metric)
{
    struct sight sight;
    struct table *table = NULL;
    einspul_error error = {0};
    snprintf(sight.path, sizeof sight.path, "%s", table_name(rules, name, metric));
    const struct table_id id = {rules, material_named(name), metric};
    cr_assert_eq(table_open(sight.path, id, &file_io_read, &table, &error), EINSPUL_OK, "%s",
                 error.text);
    sight.identity = table_identity(table);
    cr_assert(file_stamp(table_file(table), &sight.stamp));
    table_close(table);
    return sight;
}

static bool is_on_record(const struct sight *sight)
{
    return checked_has(sight->path, sight->identity, &sight->stamp);
}

enum { AT_INDEX = 96 }; /* its offset in the header; the last block ends there */

/* Flips a bit of the last block. */
static void rot(const char *path)
{
    size_t n_bytes = 0;
    uint8_t *bytes = read_whole(path, &n_bytes);
    const size_t at = (size_t)load_u64(bytes + AT_INDEX) - 1;
    write_byte(path, at, (uint8_t)(bytes[at] ^ 1));
    free(bytes);
}

static int plan_complete(struct generate_options *options, unsigned *damaged)
{
    struct generate_plan plan;
    einspul_error error = {0};
    int n_complete = 0;
    *damaged = 0;
    cr_assert_eq(generate_plan(options, &plan, &error), EINSPUL_OK, "%s", error.text);
    for (int i = 0; i < plan.n_materials; i++) {
        n_complete += plan.materials[i].complete;
        *damaged += plan.materials[i].damaged;
    }
    return plan.n_materials - n_complete;
}

/* Wrong: a run that is started again decodes everything that is there. That it does not is seen
 * by a block it does not find damaged, since the test has put the changed file on record;
 * --check finds it, as does whoever reads the block, and after that the table is made anew. */
Test(checked, what_is_on_record_is_not_decoded)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    unsigned damaged = 0;
    einspul_error error = {0};
    struct generate_options options = options_in(&rules, ".", path);
    generate_with(&options);
    const struct sight before = look_at(&rules, "KKvM", EINSPUL_DTW);
    cr_assert(is_on_record(&before), "what was written is not on record");
    shell("cp frisian/KKvM.dtw kept; sleep 0.02"); /* the clock of files has ticks */
    rot(before.path);
    const struct sight after = look_at(&rules, "KKvM", EINSPUL_DTW);
    cr_assert_eq(after.identity, before.identity, "the header is not to change");
    cr_assert_not(is_on_record(&after), "a file that has changed is on record");
    cr_assert_eq(plan_complete(&options, &damaged), 1);
    cr_assert_eq(damaged, METRICS_DTW);

    checked_note(after.path, after.identity, &after.stamp);
    cr_assert_eq(plan_complete(&options, &damaged), 0, "it was decoded");
    options.check = true;
    cr_assert_eq(plan_complete(&options, &damaged), 1);
    cr_assert_eq(damaged, METRICS_DTW);
    options.check = false;

    /* KMvM needs KKvM's values. */
    shell("rm frisian/KMvM.dtw");
    options.pieces = 0;
    options.metrics = METRICS_DTW;
    options.material = material_named("KMvM");
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_BAD_BLOCK, "%s", error.text);
    cr_assert_not_null(strstr(error.text, "KKvM.dtw"), "%s", error.text);
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    shell("cmp kept frisian/KKvM.dtw");
}

/* Wrong: a run trusts a file that is not the one that was checked. */
Test(checked, another_file_is_not_on_record)
{
    const struct rules rules = rules_named("english");
    generate(&rules, 2, NULL, METRICS_DTW);
    const struct sight sight = look_at(&rules, "KvM", EINSPUL_DTW);
    cr_assert(is_on_record(&sight));
    struct sight others[5] = {sight, sight, sight, sight, sight};
    others[0].identity ^= 1;
    others[1].stamp.n_bytes += 1;
    others[2].stamp.modified -= 1;
    others[3].stamp.changed += 1;
    strcpy(others[4].path + strlen(others[4].path) - strlen("KvM.dtw"), "MvM.dtw");
    for (int i = 0; i < 5; i++)
        cr_assert_not(is_on_record(&others[i]), "case %d", i);
    shell("sleep 0.02; touch -c -d '2001-02-03' english/KvM.dtw");
    const struct sight touched = look_at(&rules, "KvM", EINSPUL_DTW);
    cr_assert_not(is_on_record(&touched));
    /* Size and time as they were: it is the time of the change of attributes that tells. */
    shell("sleep 0.02; cp -p english/KvM.dtw copy && mv copy english/KvM.dtw");
    const struct sight copied = look_at(&rules, "KvM", EINSPUL_DTW);
    cr_assert_eq(copied.stamp.modified, touched.stamp.modified);
    checked_note(touched.path, touched.identity, &touched.stamp);
    cr_assert_not(is_on_record(&copied));
}

/* What a run has decoded goes on record, so that it is decoded once; a plan alone writes
 * nothing. */
Test(checked, what_was_decoded_goes_on_record)
{
    const struct rules rules = rules_named("english");
    char path[PATH_SIZE];
    unsigned damaged = 0;
    struct generate_options options = options_in(&rules, ".", path);
    generate_with(&options);
    shell("rm english/.checked");
    cr_assert_eq(plan_complete(&options, &damaged), 0);
    shell("! test -e english/.checked");
    generate_with(&options);
    const struct sight sight = look_at(&rules, "KKvM", EINSPUL_WDL);
    cr_assert(is_on_record(&sight));
    /* One material's run leaves what is on record of others. */
    options.pieces = 0;
    options.material = material_named("KvM");
    shell("rm english/KvM.wdl");
    generate_with(&options);
    cr_assert(is_on_record(&sight));
    const struct sight made = look_at(&rules, "KvM", EINSPUL_WDL);
    cr_assert(is_on_record(&made));
}

/* Wrong: a damaged record is believed, or keeps a run from its work. Each byte is changed in turn,
 * and the file cut short everywhere. */
Test(checked, a_damaged_record_costs_a_check_only)
{
    const struct rules rules = rules_named("english");
    generate(&rules, 2, NULL, METRICS_DTW);
    const struct sight sights[] = {look_at(&rules, "KvK", EINSPUL_DTW),
                                   look_at(&rules, "KvM", EINSPUL_DTW),
                                   look_at(&rules, "MvM", EINSPUL_DTW)};
    char record[PATH_SIZE];
    size_t n_bytes = 0;
    snprintf(record, sizeof record, "%s", path_of("english/.checked"));
    uint8_t *bytes = read_whole(record, &n_bytes);
    cr_assert_gt(n_bytes, 200);
    for (size_t i = 0; i < n_bytes; i++) {
        int n_lost = 0;
        write_whole(record, bytes, n_bytes);
        write_byte(record, i, (uint8_t)(bytes[i] ^ (1 << i % 8)));
        for (int j = 0; j < 3; j++)
            n_lost += !is_on_record(&sights[j]);
        cr_assert_gt(n_lost, 0, "byte %zu", i);
        write_whole(record, bytes, i);
        n_lost = 0;
        for (int j = 0; j < 3; j++)
            n_lost += !is_on_record(&sights[j]);
        cr_assert_gt(n_lost, 0, "%zu bytes", i);
    }
    free(bytes);
    static const char *const harms[] = {
        "rm -f .checked && mkdir .checked", "rmdir .checked && mkfifo .checked",
        "rm .checked && ln -s /dev/zero .checked", "rm .checked && ln -s ../other .checked",
        "rm .checked && truncate -s 3G .checked"};
    for (size_t i = 0; i < sizeof harms / sizeof harms[0]; i++) {
        shell("cd english && %s", harms[i]);
        cr_assert_not(is_on_record(&sights[0]), "%s", harms[i]);
        generate(&rules, 2, NULL, METRICS_DTW);
    }
    shell("! test -e other");
    cr_assert(is_on_record(&sights[0]), "the record is made anew");
}

/* Wrong: of two processes that write the record at once, as they may where locks do nothing, one
 * makes the other's lines say what is not so, or leaves a file that is half of each. Each enters
 * lines that tell of it; a reader must never find another than one of them has entered. */
Test(checked, two_processes_write_at_once)
{
    enum { N_PROCESSES = 3, N_NOTES = 300 };
    static const char *const names[] = {"KvK.dtw", "KvM.dtw", "MvM.dtw", "KKvK.wdl"};
    pid_t children[N_PROCESSES];
    char paths[4][PATH_SIZE];
    int n_found = 0;
    for (int i = 0; i < 4; i++)
        snprintf(paths[i], PATH_SIZE, "%s", path_of(names[i]));
    for (uint64_t p = 0; p < N_PROCESSES; p++) {
        children[p] = fork();
        if (children[p] != 0)
            continue;
        for (uint64_t n = 0; n < N_NOTES; n++)
            checked_note(paths[n % 4], n % 4 + 10 * p,
                         &(struct file_stamp){n % 4, 7 * (n % 4) + p, p});
        _exit(0);
    }
    for (int running = N_PROCESSES; running > 0;) {
        for (uint64_t i = 0; i < 4; i++)
            for (uint64_t p = 0; p < N_PROCESSES; p++)
                for (uint64_t q = 0; q < N_PROCESSES; q++)
                    for (uint64_t of = 0; of < 4; of++) {
                        const struct file_stamp stamp = {i, 7 * i + p, p};
                        const bool has = checked_has(paths[of], i + 10 * q, &stamp);
                        cr_assert(!has || (p == q && of == i), "%s", names[of]);
                        n_found += has;
                    }
        int status = 0;
        while (waitpid(-1, &status, WNOHANG) > 0) {
            cr_assert_eq(status, 0);
            running--;
        }
    }
    cr_assert_gt(n_found, 0);
    uint64_t n_lines = 0;
    for (uint64_t i = 0; i < 4; i++)
        for (uint64_t p = 0; p < N_PROCESSES; p++)
            n_lines += checked_has(paths[i], i + 10 * p, &(struct file_stamp){i, 7 * i + p, p});
    cr_assert_gt(n_lines, 0);
    cr_assert_leq(n_lines, 4);
}
