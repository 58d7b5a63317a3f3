/* Generating tables: identical bytes for any thread count and any starting state; refusals;
 * recorded value hashes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/program/materials.h"
#include "gen/run/folder.h"
#include "gen/run/generate.h"
#include "gen/run/plan_make.h"
#include "table/table_open.h"
#include "tests/support/files.h"
#include "tests/support/tables.h"

TestSuite(generate, .init = make_folder, .fini = drop_folder);

/* Fails if bytes depend on the number of threads, so that tables of two machines could not be
 * compared. */
Test(generate, same_bytes_for_any_threads)
{
    static const struct {
        const char *folder;
        int n_threads;
    } runs[] = {{"one", 1}, {"two", 2}, {"five", 5}};
    const struct rules rules = rules_named("frisian");
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char path[PATH_SIZE];
        einspul_error error = {0};
        struct generate_options options = options_in(&rules, runs[i].folder, path);
        options.n_threads = runs[i].n_threads;
        cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
        expect_same("one", runs[i].folder);
    }
}

/* Counts the materials reported complete; slow enough that a report follows while the next material
 * is in progress. */
static void count_tables(const struct generate_progress *progress, void *context)
{
    const struct timespec pause = {0, 210000000L};
    if (!progress->table_done)
        return;
    ++*(int *)context;
    nanosleep(&pause, NULL);
}

/* Fails if a completed material is reported more than once. */
Test(generate, reports_each_table_once)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    einspul_error error = {0};
    struct generate_options options = options_in(&rules, "told", path);
    int n_told = 0;
    options.progress = count_tables;
    options.context = &n_told;
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    cr_assert_eq(n_told, 9);
}

/* Fails if a run does not load what an earlier one completed: a table, a metric or a set may be
 * missing. */
Test(generate, resumes_from_existing_tables)
{
    static const char *const gone[] = {"KMvM.dtw", "KvK.wdl KKvM.dtw MMvM.wdl", "*.wdl",
                                       "KvM.dtw MMvK.dtw"};
    const struct rules rules = rules_named("frisian");
    char whole[PATH_SIZE];
    char path[PATH_SIZE];
    einspul_error error = {0};
    struct generate_options options = options_in(&rules, "whole", whole);
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    options = options_in(&rules, "part", path);
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        shell("cd part/frisian && rm %s", gone[i]);
        cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
        expect_same("whole", "part");
    }
    /* In two steps: first without distances, then with them. */
    shell("rm -rf part");
    options.metrics = METRICS_WDL;
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    shell("for t in part/frisian/*.wdl; do cmp $t whole/frisian/${t##*/} || exit 1; done");
    options.metrics = METRICS_DTW;
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    expect_same("whole", "part");
}

/* Fails if a run does not generate the same tables with its reported minimum of memory, or does not
 * refuse less, naming that minimum. */
Test(generate, succeeds_with_reported_minimum_memory)
{
    const struct rules rules = rules_named("frisian");
    char whole[PATH_SIZE];
    char path[PATH_SIZE];
    einspul_error error = {0};
    struct generate_plan plan;
    struct generate_options options = options_in(&rules, "whole", whole);
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    options = options_in(&rules, "part", path);
    options.memory_limit = 1;
    cr_assert_eq(generate_plan(&options, &plan, &error), EINSPUL_OK, "%s", error.text);
    const uint64_t least = plan.memory_bytes;
    options.memory_limit = least - 1;
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_NO_MEMORY);
    options.memory_limit = least;
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    expect_same("whole", "part");
}

/* Flips a bit of the last block, which ends where the index begins. */
static void rot(const char *path)
{
    size_t n_bytes = 0;
    uint8_t *bytes = read_whole(path, &n_bytes);
    const size_t at = (size_t)load_u64(bytes + 96) - 1;
    write_byte(path, at, (uint8_t)(bytes[at] ^ 1));
    free(bytes);
}

/* Says that an earlier version of the format describes a table. */
static void make_old(const char *path)
{
    size_t n_bytes = 0;
    uint8_t *bytes = read_whole(path, &n_bytes);
    bytes[AT_READ_VERSION] = bytes[AT_WRITE_VERSION] = FORMAT_VERSION - 1;
    store_u64(bytes + AT_HEADER_CHECKSUM, format_checksum(bytes, AT_HEADER_CHECKSUM));
    write_whole(path, bytes, n_bytes);
    free(bytes);
}

/* Fails if a table that is damaged or of an earlier version counts as complete instead of being
 * regenerated, or a run that reads a damaged block does not end with the file's name. */
Test(generate, damaged_table_is_generated_again)
{
    const struct rules rules = rules_named("frisian");
    char whole[PATH_SIZE];
    char path[PATH_SIZE];
    einspul_error error = {0};
    struct generate_options options = options_in(&rules, "whole", whole);
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    options = options_in(&rules, "hurt", path);
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    shell("cd hurt/frisian && truncate -s -1 KvM.dtw && : > MMvM.wdl");
    make_old(path_of("hurt/frisian/KvM.wdl"));
    rot(path_of("hurt/frisian/MvM.dtw"));
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_BAD_BLOCK, "%s", error.text);
    cr_assert_not_null(strstr(error.text, "MvM.dtw"), "%s", error.text);
    shell("rm hurt/frisian/MvM.dtw");
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    expect_same("whole", "hurt");
}

/* Fails if a refusal does not name its reason, or changes the folder. */
Test(generate, refusals)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char file[PATH_SIZE + 32];
    einspul_error error = {0};
    struct stat info;
    struct generate_options options = options_in(&rules, "refused", path);

    options.memory_limit = 1 << 20;
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_NO_MEMORY);
    cr_assert_not_null(strstr(error.text, "memory"), "%s", error.text);
    cr_assert_neq(stat(path, &info), 0, "the folder was made");

    options.memory_limit = 0;
    options.pieces = MAX_PIECES + 1;
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_BAD_ARGUMENT);

    /* A file in place of the folder. */
    options.pieces = 2;
    shell("touch refused");
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_IO);
    cr_assert_not_null(strstr(error.text, "refused"), "%s", error.text);
    shell("rm refused");

    /* Another process is generating in the same folder. */
    shell("mkdir -p refused/frisian");
    snprintf(file, sizeof file, "%s/frisian/.lock", path);
    const int lock = open(file, O_RDWR | O_CREAT, 0666);
    cr_assert_geq(lock, 0);
    cr_assert_eq(flock(lock, LOCK_EX), 0);
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_LOCKED);
    cr_assert_not_null(strstr(error.text, ".lock"), "%s", error.text);
    close(lock);
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
}

/* Compares the hashes of a rule set's existing tables with data/hashes.tsv; returns their
 * number. */
static int compare_hashes(const struct rules *rules, const char *root)
{
    FILE *file = fopen(EINSPUL_SOURCE_DIR "/data/hashes.tsv", "r");
    char line[128];
    int n_compared = 0;
    cr_assert_not_null(file);
    cr_assert_not_null(fgets(line, sizeof line, file), "column names");
    while (fgets(line, sizeof line, file) != NULL) {
        char rules_name[32];
        char name[MATERIAL_NAME_SIZE];
        char metric_name[8];
        char path[2 * PATH_SIZE];
        unsigned long long hash = 0;
        struct material material;
        struct table *table = NULL;
        cr_assert_eq(sscanf(line, "%31s %11s %7s %llx", rules_name, name, metric_name, &hash), 4,
                     "%s", line);
        snprintf(path, sizeof path, "%s/%s/%s.%s", root, rules_name, name, metric_name);
        if (strcmp(rules_name, rules->name) != 0 || access(path, F_OK) != 0)
            continue;
        const einspul_metric metric = strcmp(metric_name, "wdl") == 0 ? EINSPUL_WDL : EINSPUL_DTW;
        cr_assert_eq(material_read(name, &material, NULL), EINSPUL_OK);
        const struct table_id id = {rules, material, metric};
        cr_assert_eq(table_open(path, id, NULL, &table, NULL), EINSPUL_OK, "%s", path);
        cr_assert_eq(table->header.value_hash, (uint64_t)hash, "%s", line);
        table_close(table);
        n_compared++;
    }
    fclose(file);
    return n_compared;
}

/* Fails if values differ from those that were verified and published. */
Test(generate, values_match_recorded_hashes)
{
    static const struct {
        const char *rules;
        int pieces, n_files;
    } cases[] = {{"frisian", 3, 18}, /* four pieces: values_on_record */
                 {"frisian-no17", 3, 18},
                 {"frisian-no18", 3, 18},
                 {"frisian-free", 3, 18},
                 {"international", 3, 18},
                 {"english", 4, 46},
                 {"brazilian", 3, 18},
                 {"frisian-lidraughts", 3, 18},
                 {"international-fmjd", 3, 6}}; /* with the tables of international */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct rules rules = rules_named(cases[i].rules);
        einspul_error error = {0};
        char path[PATH_SIZE];
        struct generate_options options = options_in(&rules, "record", path);
        options.pieces = cases[i].pieces;
        cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
        cr_assert_eq(compare_hashes(&rules, path), cases[i].n_files, "%s", cases[i].rules);
    }
}
