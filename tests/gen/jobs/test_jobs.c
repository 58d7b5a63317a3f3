/* Jobs: the pieces of a plan, done in any order that their needs allow, by processes that are
 * killed, stopped, started twice, or that find their inputs missing or damaged. What comes of
 * them is, byte for byte, what one run makes. */
#include "gen/jobs/job.h"
#include "gen/jobs/job_cost.h"
#include "gen/jobs/slices.h"
#include "gen/run/budget.h"
#include "gen/system/folder.h"
#include "tests/support/table_bytes.h"
#include "tests/support/tables.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Of a slice: what stands before its records ends with the number of the build. */
enum { SLICE_START = 8 + CHUNK_FILE_KEY_SIZE + 16, AT_BUILD = SLICE_START - 8 };

TestSuite(jobs, .init = make_folder, .fini = drop_folder);

static struct job job_named(const char *id)
{
    einspul_error error = {0};
    struct job job;
    cr_assert_eq(job_read(id, &job, &error), EINSPUL_OK, "%s", error.text);
    return job;
}

/* A job in the folder `name` of the test's, on one thread: a forked child must not meet the
 * parent's idle threads. */
static struct generate_options job_options(const struct rules *rules, const char *name,
                                           char path[PATH_SIZE])
{
    struct generate_options options = options_in(rules, name, path);
    options.pieces = 0;
    options.n_threads = 1;
    return options;
}

static void expect_done(const struct generate_options *options, const char *id)
{
    const struct job job = job_named(id);
    einspul_error error = {0};
    bool done = false;
    cr_assert_eq(job_run(options, &job, &error), EINSPUL_OK, "%s: %s", id, error.text);
    cr_assert_eq(job_is_done(options, &job, &done, &error), EINSPUL_OK, "%s", error.text);
    cr_assert(done, "%s", id);
}

/* The job fails with a status, and its message has a text. */
static void expect_failure(const struct generate_options *options, const char *id,
                           einspul_status status, const char *text)
{
    const struct job job = job_named(id);
    einspul_error error = {0};
    const einspul_status found = job_run(options, &job, &error);
    cr_assert_eq(found, status, "%s: %s: %s", id, einspul_status_name(found), error.text);
    cr_assert_not_null(strstr(error.text, text), "%s: %s", id, error.text);
}

/* What one run makes of a material, in `whole`; and in `jobs` all of it but the material's
 * tables. */
static void make_whole(const struct rules *rules, const char *material, unsigned metrics)
{
    char path[PATH_SIZE];
    struct generate_options options = options_in(rules, "whole", path);
    options.pieces = 0;
    options.material = material_named(material);
    options.metrics = metrics;
    options.n_threads = 1;
    generate_with(&options);
    shell("mkdir -p jobs && cp -r whole/%s jobs && rm jobs/%s/%s.???", rules->name, rules->name,
          material);
}

static void expect_same_tables(const struct rules *rules, const char *material)
{
    shell("for t in whole/%s/%s.???; do cmp $t jobs/%s/${t##*/} || exit 1; done", rules->name,
          material, rules->name);
    shell("[ ! -e jobs/%s/.slices ]", rules->name);
    shell("[ -z \"$(find jobs -name '*.part' -o -name '*.tmp')\" ]");
}

static int levels_of(const struct rules *rules, const char *name)
{
    const struct material material = material_named(name);
    struct level_sizes sizes;
    level_sizes_init(&sizes, rules, &material);
    return sizes.n_levels;
}

/* The slices of levels first..last, each level in so many parts, the last part first. */
static void do_levels(const struct generate_options *options, const char *material, int first,
                      int last, int n_parts)
{
    for (int level = first; level <= last; level++) {
        for (int part = n_parts; part >= 1; part--) {
            char id[JOB_ID_SIZE];
            if (n_parts == 1)
                snprintf(id, sizeof id, "%s.l%d", material, level);
            else
                snprintf(id, sizeof id, "%s.l%d.p%dof%d", material, level, part, n_parts);
            expect_done(options, id);
        }
    }
}

static void do_table(const struct generate_options *options, const char *material)
{
    char id[JOB_ID_SIZE];
    snprintf(id, sizeof id, "%s.table", material);
    expect_done(options, id);
}

static void flip_bit(const char *path, uint64_t offset, int bit)
{
    uint8_t byte = 0;
    FILE *file = fopen(path, "r+b");
    cr_assert_not_null(file);
    cr_assert_eq(fseek(file, (long)offset, SEEK_SET), 0);
    cr_assert_eq(fread(&byte, 1, 1, file), 1);
    byte = (uint8_t)(byte ^ 1u << bit);
    cr_assert_eq(fseek(file, (long)offset, SEEK_SET), 0);
    cr_assert_eq(fwrite(&byte, 1, 1, file), 1);
    cr_assert_eq(fclose(file), 0);
}

static bool is_there(const char *name)
{
    return access(path_of(name), F_OK) == 0;
}

/* --- the same bytes -----------------------------------------------------------------------------
 */

/* Wrong: tables depend on how the work was cut. With frames of a page, of less, and of symmetric
 * material; promotions of both sides; two games more; each metric. Both of KMvKM has
 * stopped_jobs_go_on. */
Test(jobs, slices_make_the_same_bytes, .timeout = 300)
{
    static const struct {
        const char *rules, *material;
        unsigned metrics;
        int n_parts;
    } cases[] = {
        {"frisian", "KMvKM", METRICS_WDL, 3}, {"frisian", "KMvM", METRICS_WDL, 2},
        {"frisian", "MMvM", METRICS_DTW, 1},  {"international", "MMvMM", METRICS_BOTH, 5},
        {"english", "KMMvM", METRICS_WDL, 4}, {"frisian", "KKvM", METRICS_BOTH, 70},
        {"frisian", "KMvK", METRICS_DTW, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct rules rules = rules_named(cases[i].rules);
        char path[PATH_SIZE];
        struct generate_options options = job_options(&rules, "jobs", path);
        options.metrics = cases[i].metrics;
        shell("rm -rf whole jobs");
        make_whole(&rules, cases[i].material, cases[i].metrics);
        do_levels(&options, cases[i].material, 0, levels_of(&rules, cases[i].material) - 1,
                  cases[i].n_parts);
        do_table(&options, cases[i].material);
        expect_same_tables(&rules, cases[i].material);
    }
}

/* The same of levels in one slice, of slices cut in different ways, and of bundles. */
Test(jobs, ranges_and_bundles_make_the_same_bytes, .timeout = 300)
{
    static const char *const ids[] = {
        "KvK+KvM+MvM", "KKvK+KKvM",  "KMvK+KMvM",  "MMvK+MMvM",      "KKMvK.l0",
        "KKMvK.l1-4",  "KKMvK.l3-6", "KKMvK.l7-9", "KKMvK.l8.p1of2",
    };
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_options options = job_options(&rules, "jobs", path);
    shell("mkdir jobs");
    generate(&rules, 3, NULL, METRICS_BOTH);
    shell("mkdir whole && mv frisian whole");
    for (int i = 0; i < 4; i++)
        expect_done(&options, ids[i]);
    expect_same("whole", "jobs");
    shell("rm -rf whole jobs");
    make_whole(&rules, "KKMvK", METRICS_BOTH);
    expect_failure(&options, "KKMvK.l7-9", EINSPUL_NO_TABLE, "level 6");
    for (int i = 4; i < 9; i++)
        expect_done(&options, ids[i]);
    do_table(&options, "KKMvK");
    expect_same_tables(&rules, "KKMvK");
}

/* Wrong: tables that are another rule set's are made again under this one; or what is made from
 * them is not what a run makes. */
Test(jobs, tables_of_another_rule_set)
{
    const struct rules base = rules_named("international");
    const struct rules rules = rules_named("international-fmjd");
    char path[PATH_SIZE];
    struct generate_options options = job_options(&base, "whole", path);
    options.pieces = 3;
    generate_with(&options);
    options.rules = &rules;
    generate_with(&options);
    options = job_options(&rules, "jobs", path);
    expect_done(&options, "KvK");
    expect_done(&options, "KKvK");
    expect_failure(&options, "KMvK", EINSPUL_NO_TABLE, "international/KvM.dtw");
    expect_failure(&options, "KvM", EINSPUL_BAD_ARGUMENT, "'international'");
    expect_failure(&options, "KvK+KvM", EINSPUL_BAD_ARGUMENT, "KvM");
    shell("cp -r whole/international jobs");
    expect_done(&options, "KMvK");
    expect_same("whole", "jobs");
}

/* Wrong: a job that is done is done again; or one whose tables are there leaves a slice. */
Test(jobs, what_is_done_is_left_alone)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    const struct generate_options options = job_options(&rules, "jobs", path);
    struct stat before;
    struct stat after;
    make_whole(&rules, "KMvM", METRICS_BOTH);
    do_levels(&options, "KMvM", 0, 4, 1);
    cr_assert_eq(stat(path_of("jobs/frisian/.slices/KMvM/KMvM.l4.dtw"), &before), 0);
    do_levels(&options, "KMvM", 0, 4, 1);
    cr_assert_eq(stat(path_of("jobs/frisian/.slices/KMvM/KMvM.l4.dtw"), &after), 0);
    cr_assert_eq(before.st_ino, after.st_ino);
    do_levels(&options, "KMvM", 5, levels_of(&rules, "KMvM") - 1, 1);
    do_table(&options, "KMvM");
    cr_assert_eq(stat(path_of("jobs/frisian/KMvM.dtw"), &before), 0);
    do_levels(&options, "KMvM", 0, 4, 1);
    do_table(&options, "KMvM");
    expect_done(&options, "KMvM");
    cr_assert_eq(stat(path_of("jobs/frisian/KMvM.dtw"), &after), 0);
    cr_assert_eq(before.st_ino, after.st_ino);
    expect_same_tables(&rules, "KMvM");
}

/* Wrong: files are written, or removed, wherever a link leads. */
Test(jobs, links_to_folders_are_not_written_through)
{
    static const char *const links[] = {".slices", ".slices/KMvM"};
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    const struct generate_options options = job_options(&rules, "jobs", path);
    make_whole(&rules, "KMvM", METRICS_BOTH);
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        char text[64];
        shell("rm -rf elsewhere jobs/frisian/.slices && mkdir -p elsewhere/KMvM &&"
              " mkdir -p jobs/frisian/%s && rmdir jobs/frisian/%s &&"
              " ln -s \"$PWD/elsewhere\" jobs/frisian/%s",
              links[i], links[i], links[i]);
        snprintf(text, sizeof text, "%s: a symbolic link", links[i]);
        expect_failure(&options, "KMvM.l0", EINSPUL_IO, text);
        shell("rmdir elsewhere/KMvM elsewhere");
    }
    /* Slices there are read, but stay when the table is made. */
    shell("rm -r jobs/frisian/.slices");
    do_levels(&options, "KMvM", 0, levels_of(&rules, "KMvM") - 1, 1);
    shell("mv jobs/frisian/.slices elsewhere && ln -s \"$PWD/elsewhere\" jobs/frisian/.slices &&"
          " find elsewhere | sort > before");
    do_table(&options, "KMvM");
    shell("find elsewhere | sort | cmp - before && rm jobs/frisian/.slices");
    expect_same_tables(&rules, "KMvM");
}

/* Wrong: what lies in a second folder is not found, or is written to. */
Test(jobs, inputs_in_other_folders)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char other[PATH_SIZE];
    struct generate_options first = job_options(&rules, "jobs", path);
    struct generate_options options = job_options(&rules, "second", other);
    const char *const more[] = {path};
    make_whole(&rules, "KMvM", METRICS_BOTH);
    do_levels(&first, "KMvM", 0, 5, 2);
    options.more = more;
    options.n_more = 1;
    shell("find jobs | sort > before");
    do_levels(&options, "KMvM", 0, 5, 2); /* done, over there */
    cr_assert_not(is_there("second/frisian/.slices"));
    do_levels(&options, "KMvM", 6, levels_of(&rules, "KMvM") - 1, 2);
    do_table(&options, "KMvM");
    shell("find jobs | sort | cmp - before");
    shell("cmp whole/frisian/KMvM.dtw second/frisian/KMvM.dtw");
    shell("cmp whole/frisian/KMvM.wdl second/frisian/KMvM.wdl");
    cr_assert_not(is_there("second/frisian/KvK.dtw"));
    /* A whole run does not make again what is there either. */
    options.pieces = 2;
    einspul_error error = {0};
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    cr_assert_not(is_there("second/frisian/KvK.dtw"));
}

/* --- inputs -------------------------------------------------------------------------------------
 */

/* Wrong: what is missing is made on the side, by many jobs at once; or is taken for a draw. */
Test(jobs, inputs_that_are_missing)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    const struct generate_options options = job_options(&rules, "jobs", path);
    make_whole(&rules, "KMvM", METRICS_BOTH);
    shell("rm jobs/frisian/KKvM.dtw");
    expect_failure(&options, "KMvM", EINSPUL_NO_TABLE, "KKvM.dtw");
    expect_failure(&options, "KMvM.l2", EINSPUL_NO_TABLE, "KKvM.dtw");
    expect_failure(&options, "KMvM.table", EINSPUL_NO_TABLE, "KKvM.dtw");
    cr_assert_not(is_there("jobs/frisian/KKvM.dtw"));
    shell("cp whole/frisian/KKvM.dtw jobs/frisian");
    expect_failure(&options, "KMvM.table", EINSPUL_NO_TABLE, "level 2");
    do_levels(&options, "KMvM", 2, 2, 1);
    expect_failure(&options, "KMvM.l4", EINSPUL_NO_TABLE, "level 3");
    expect_done(&options, "KMvM.l3.p1of2");
    expect_failure(&options, "KMvM.l4", EINSPUL_NO_TABLE, "level 3");
    expect_failure(&options, "KMvM.l40", EINSPUL_BAD_ARGUMENT, "40");
}

/* Wrong: a flipped bit in a table becomes values of larger ones. A job does not look at all of a
 * table that only promotions lead to; what it makes is as it would be with a sound one then. */
Test(jobs, inputs_that_are_damaged, .timeout = 60)
{
    static const char *const ids[] = {"KMvM", "KMvM.l2"};
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char input[PATH_SIZE];
    const struct generate_options options = job_options(&rules, "jobs", path);
    struct stat info;
    int n_noticed[2] = {0, 0};
    make_whole(&rules, "KMvM", METRICS_BOTH);
    expect_done(&options, "KMvM.l2");
    shell("mv jobs/frisian/.slices/KMvM/KMvM.l2.dtw good");
    snprintf(input, sizeof input, "%s", path_of("jobs/frisian/KKvM.dtw"));
    cr_assert_eq(stat(input, &info), 0);
    for (off_t at = 0; at < info.st_size; at += info.st_size / 40) {
        flip_bit(input, (uint64_t)at, 3);
        for (size_t i = 0; i < 2; i++) {
            const struct job job = job_named(ids[i]);
            einspul_error error = {0};
            const einspul_status status = job_run(&options, &job, &error);
            if (status == EINSPUL_OK && i == 0) {
                shell("for m in wdl dtw; do cmp whole/frisian/KMvM.$m jobs/frisian/KMvM.$m && "
                      "rm jobs/frisian/KMvM.$m || exit 1; done");
                continue;
            }
            if (status == EINSPUL_OK) {
                shell(
                    "cmp good jobs/frisian/.slices/KMvM/KMvM.l2.dtw && rm -r jobs/frisian/.slices");
                continue;
            }
            n_noticed[i]++;
            cr_assert(status >= EINSPUL_NOT_A_TABLE && status <= EINSPUL_CORRUPT,
                      "%s, byte %lld: %s", ids[i], (long long)at, einspul_status_name(status));
            cr_assert_not_null(strstr(error.text, "KKvM.dtw"), "%s", error.text);
            cr_assert_not(is_there("jobs/frisian/KMvM.dtw"));
            cr_assert_not(is_there("jobs/frisian/.slices/KMvM/KMvM.l2.dtw"));
        }
        flip_bit(input, (uint64_t)at, 3);
    }
    cr_assert(n_noticed[0] >= 15 && n_noticed[1] >= 5, "%d, %d", n_noticed[0], n_noticed[1]);
}

/* Wrong: a flipped bit in a slice becomes values of tables. The job that made the slice makes it
 * anew where its end or its index is damaged. */
Test(jobs, slices_that_are_damaged, .timeout = 120)
{
    static const char slice[] = "jobs/frisian/.slices/KMvM/KMvM.l3.dtw";
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char file[PATH_SIZE];
    const struct generate_options options = job_options(&rules, "jobs", path);
    struct stat info;
    int n_index = 0;
    make_whole(&rules, "KMvM", METRICS_BOTH);
    do_levels(&options, "KMvM", 2, 3, 1);
    snprintf(file, sizeof file, "%s", path_of(slice));
    cr_assert_eq(stat(file, &info), 0);
    shell("cp %s good", slice);
    const off_t end = info.st_size - 80; /* from there on byte by byte */
    for (off_t at = SLICE_START, step; at < info.st_size; at += step) {
        step = at < end ? info.st_size / 30 : 1;
        step = at < end && step > end - at ? end - at : step;
        bool done = true;
        const struct job job = job_named("KMvM.l3");
        einspul_error error = {0};
        flip_bit(file, (uint64_t)at, 5);
        const struct job next = job_named("KMvM.l4");
        const einspul_status status = job_run(&options, &next, &error);
        cr_assert(status == EINSPUL_CORRUPT || status == EINSPUL_TRUNCATED, "byte %lld: %s",
                  (long long)at, einspul_status_name(status));
        cr_assert_not_null(strstr(error.text, "KMvM.l3.dtw"), "%s", error.text);
        cr_assert_eq(job_is_done(&options, &job, &done, &error), EINSPUL_OK);
        n_index += !done;
        if (!done) {
            expect_done(&options, "KMvM.l3");
            shell("cmp -s %s good || cp good %s", slice, slice);
        } else {
            flip_bit(file, (uint64_t)at, 5);
        }
    }
    cr_assert_geq(n_index, 24 + 20, "the foot, and an entry of the index at least");
    shell("truncate -s -1 %s", slice);
    expect_failure(&options, "KMvM.l4", EINSPUL_TRUNCATED, "KMvM.l3.dtw");
    expect_done(&options, "KMvM.l3");
    expect_done(&options, "KMvM.l4");
}

/* Wrong: values of another form, or made from other tables, are mixed with these. */
Test(jobs, slices_of_another_kind_are_not_used)
{
    enum { AT_VERSION = 7, AT_RULES = 8, AT_FINGERPRINT = 8 + 40, AT_FORM = AT_BUILD - 8 };
    static const uint64_t places[] = {AT_VERSION, AT_RULES, AT_FINGERPRINT, AT_FORM};
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char file[PATH_SIZE];
    const struct generate_options options = job_options(&rules, "jobs", path);
    make_whole(&rules, "KMvM", METRICS_BOTH);
    do_levels(&options, "KMvM", 2, 2, 1);
    snprintf(file, sizeof file, "%s", path_of("jobs/frisian/.slices/KMvM/KMvM.l2.dtw"));
    shell("cp jobs/frisian/.slices/KMvM/KMvM.l2.dtw good");
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const struct job job = job_named("KMvM.l2");
        bool done = true;
        flip_bit(file, places[i], 1);
        cr_assert_eq(job_is_done(&options, &job, &done, NULL), EINSPUL_OK);
        cr_assert_not(done);
        expect_failure(&options, "KMvM.l3", EINSPUL_NO_TABLE, "level 2");
        expect_done(&options, "KMvM.l2");
        shell("cmp good jobs/frisian/.slices/KMvM/KMvM.l2.dtw");
    }
}

/* Wrong: an input is replaced by a table with other values, and slices made from the old one are
 * mixed with what is made from the new one. */
Test(jobs, slices_from_other_inputs_are_not_used)
{
    enum { AT_VALUE_HASH = 136 };
    static const char *const inputs[] = {"KvM", "MvM", "KKvM", "KMvK"}; /* captured, promoted to */
    const struct rules rules = rules_named("frisian");
    const struct job job = job_named("KMvM.l2");
    char path[PATH_SIZE];
    const struct generate_options options = job_options(&rules, "jobs", path);
    make_whole(&rules, "KMvM", METRICS_DTW);
    do_levels(&options, "KMvM", 2, 2, 1);
    shell("cp jobs/frisian/.slices/KMvM/KMvM.l2.dtw good");
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        char input[PATH_SIZE];
        size_t n_bytes = 0;
        bool done = true;
        snprintf(input, sizeof input, "%s/frisian/%s.dtw", path_of("jobs"), inputs[i]);
        uint8_t *bytes = read_whole(input, &n_bytes);
        add_to(bytes, AT_VALUE_HASH, 1);
        seal_header(bytes);
        write_whole(input, bytes, n_bytes);
        cr_assert_eq(job_is_done(&options, &job, &done, NULL), EINSPUL_OK);
        cr_assert_not(done, "%s", inputs[i]);
        expect_failure(&options, "KMvM.l3", EINSPUL_NO_TABLE, "level 2");
        add_to(bytes, AT_VALUE_HASH, UINT64_MAX);
        seal_header(bytes);
        write_whole(input, bytes, n_bytes);
        free(bytes);
        expect_done(&options, "KMvM.l2");
        shell("cmp good jobs/frisian/.slices/KMvM/KMvM.l2.dtw");
    }
}

enum { SLICE_ENTRY = 20, SLICE_FOOT = 24, AT_N = 8, AT_CHECKSUM = 16 };

/* Changes what stands before the records of a slice, or their index, and seals both. */
static void change_slice(const char *path, void change(uint8_t *bytes, uint8_t *index, uint64_t n))
{
    size_t n_bytes = 0;
    uint8_t *bytes = read_whole(path, &n_bytes);
    uint8_t *foot = bytes + n_bytes - SLICE_FOOT;
    const uint64_t n = load_u64(foot + AT_N);
    uint8_t *index = foot - n * SLICE_ENTRY;
    uint8_t *sealed = malloc(SLICE_START + n * SLICE_ENTRY + AT_CHECKSUM);
    change(bytes, index, n);
    memcpy(sealed, bytes, SLICE_START);
    memcpy(sealed + SLICE_START, index, n * SLICE_ENTRY + AT_CHECKSUM);
    store_u64(foot + AT_CHECKSUM,
              format_checksum(sealed, SLICE_START + n * SLICE_ENTRY + AT_CHECKSUM));
    write_whole(path, bytes, n_bytes);
    free(sealed);
    free(bytes);
}

/* Exchanges what two entries of the index point at. */
static void exchange_records(uint8_t *bytes, uint8_t *index, uint64_t n)
{
    uint8_t place[SLICE_ENTRY - 8];
    (void)bytes;
    cr_assert_geq(n, 2);
    memcpy(place, index + 8, sizeof place);
    memcpy(index + 8, index + SLICE_ENTRY + 8, sizeof place);
    memcpy(index + SLICE_ENTRY + 8, place, sizeof place);
}

static void exchange_build(uint8_t *bytes, uint8_t *index, uint64_t n)
{
    (void)index;
    (void)n;
    bytes[AT_BUILD] ^= 1;
}

static void keep_note(const char *text, void *context)
{
    snprintf(context, 256, "%s", strstr(text, "KMvM.l"));
}

static void give_input(const char *text, void *context)
{
    int *n_notes = context;
    if (strstr(text, "looking again") == NULL)
        return;
    cr_assert_not_null(strstr(text, "KMvK.dtw is needed"), "%s", text);
    shell("mv KMvK.dtw jobs/frisian");
    ++*n_notes;
}

/* Wrong: on NFS a job begins before it can see what another machine has just made, and fails. */
Test(jobs, an_input_that_appears_is_waited_for)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    int n_notes = 0;
    struct generate_options options = job_options(&rules, "jobs", path);
    make_whole(&rules, "KMvM", METRICS_BOTH);
    shell("mv jobs/frisian/KMvK.dtw .");
    expect_failure(&options, "KMvM", EINSPUL_NO_TABLE, "KMvK.dtw is needed");
    options.wait_seconds = 1;
    options.note = give_input;
    options.context = &n_notes;
    expect_done(&options, "KMvM");
    cr_assert_eq(n_notes, 1);
}

/* Wrong: a run is done all over when the program is replaced, or nobody learns that two programs
 * made the values. */
Test(jobs, slices_of_another_build_are_named)
{
    const struct rules rules = rules_named("frisian");
    const struct job job = job_named("KMvM.l2");
    char path[PATH_SIZE];
    char note[256] = "";
    bool done = false;
    struct generate_options options = job_options(&rules, "jobs", path);
    make_whole(&rules, "KMvM", METRICS_BOTH);
    do_levels(&options, "KMvM", 2, 2, 1);
    change_slice(path_of("jobs/frisian/.slices/KMvM/KMvM.l2.dtw"), exchange_build);
    cr_assert_eq(job_is_done(&options, &job, &done, NULL), EINSPUL_OK);
    cr_assert(done);
    options.note = keep_note;
    options.context = note;
    expect_done(&options, "KMvM.l3");
    cr_assert(strstr(note, "KMvM.l2.dtw: made by build ") == note, "%s", note);
}

/* Wrong: two records of a slice, each whole, stand at each other's page, and a level is made
 * from the values of other placements. */
Test(jobs, exchanged_records_of_a_slice)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    const struct generate_options options = job_options(&rules, "jobs", path);
    make_whole(&rules, "KMvM", METRICS_BOTH);
    do_levels(&options, "KMvM", 2, 3, 1);
    change_slice(path_of("jobs/frisian/.slices/KMvM/KMvM.l3.dtw"), exchange_records);
    expect_failure(&options, "KMvM.l4", EINSPUL_CORRUPT, "KMvM.l3.dtw");
    cr_assert_not(is_there("jobs/frisian/.slices/KMvM/KMvM.l4.dtw"));
}

/* --- jobs that are stopped ----------------------------------------------------------------------
 */

enum { CHILD_FINISHED = 0, CHILD_WENT_ON = 200, CHILD_MOST = 255 };

/* What a child's progress does. */
struct watch {
    int n_reports;
    bool kills; /* itself, at the first report; else it asks to stop */
    uint64_t n_found;
    _Atomic int stop;
};

static void watch_progress(const struct generate_progress *progress, void *context)
{
    struct watch *watch = context;
    watch->n_found = progress->n_states_found;
    if (progress->n_states_done == progress->n_states_found || watch->n_reports++ > 0)
        return;
    if (watch->kills)
        kill(getpid(), SIGKILL);
    watch->stop = 1;
}

/* Does a job in a process of its own; the status it ends with, -1 if it was killed. */
static int do_apart(const struct generate_options *options, const char *id, bool stops, bool kills,
                    rlim_t largest_file)
{
    const struct job job = job_named(id);
    int state = 0;
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        struct generate_options mine = *options;
        struct watch watch = {.kills = kills, .n_reports = stops || kills ? 0 : 1};
        const struct rlimit limit = {largest_file, largest_file};
        mine.progress = watch_progress;
        mine.context = &watch;
        mine.stop = &watch.stop;
        signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
            _exit(CHILD_MOST);
        const einspul_status status = job_run(&mine, &job, NULL);
        _exit(status == EINSPUL_OK && watch.n_found > 0 ? CHILD_WENT_ON : (int)status);
    }
    cr_assert_eq(waitpid(child, &state, 0), child);
    return WIFSIGNALED(state) ? -1 : WEXITSTATUS(state);
}

static int count_parts(const char *where)
{
    int n = 0;
    DIR *directory = opendir(path_of(where));
    const struct dirent *entry = NULL;
    while (directory != NULL && (entry = readdir(directory)) != NULL)
        n += strstr(entry->d_name, ".part") != NULL;
    if (directory != NULL)
        closedir(directory);
    return n;
}

/* Wrong: a job that is killed, or asked to stop, begins anew; or leaves a file that looks whole;
 * or its leftovers stay for ever. Here what is kept is in the folder, or in one of its own. The
 * job is long: it must not be done before its second or third report of progress, one each fifth
 * of a second. */
Test(jobs, stopped_jobs_go_on, .timeout = 400)
{
    const struct rules rules = rules_named("frisian");
    for (int i = 0; i < 4; i++) {
        const bool kills = (i & 1) != 0;
        const bool apart = (i & 2) != 0;
        const char *where = apart ? "scratch" : "jobs/frisian/.slices/KMvKM";
        char path[PATH_SIZE];
        char scratch[PATH_SIZE];
        struct generate_options options = job_options(&rules, "jobs", path);
        if (i == 0)
            make_whole(&rules, "KMvKM", METRICS_BOTH);
        shell("rm -rf scratch jobs/frisian/KMvKM.???; mkdir scratch");
        snprintf(scratch, sizeof scratch, "%s", path_of("scratch"));
        options.scratch = apart ? scratch : NULL;
        cr_assert_eq(do_apart(&options, "KMvKM.l0-18", true, kills, RLIM_INFINITY),
                     kills ? -1 : (int)EINSPUL_STOPPED);
        cr_assert_eq(count_parts(where), 1);
        cr_assert_not(is_there("jobs/frisian/.slices/KMvKM/KMvKM.l0-18.dtw"));
        /* Another one, which finds what the first has kept. */
        cr_assert_eq(do_apart(&options, "KMvKM.l0-18", true, true, RLIM_INFINITY), -1);
        cr_assert_eq(count_parts(where), 1);
        cr_assert_eq(do_apart(&options, "KMvKM.l0-18", false, false, RLIM_INFINITY), CHILD_WENT_ON);
        cr_assert_eq(count_parts(where), 0);
        do_table(&options, "KMvKM");
        expect_same_tables(&rules, "KMvKM");
        cr_assert_eq(count_parts("scratch"), 0);
    }
}

/* Wrong: a file a killed job left, cut at any place or with anything in it, becomes values. */
Test(jobs, what_a_killed_job_left_is_believed_where_it_is_whole, .timeout = 120)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char part[PATH_SIZE];
    const struct generate_options options = job_options(&rules, "jobs", path);
    struct stat info;
    make_whole(&rules, "KMvM", METRICS_BOTH);
    expect_done(&options, "KMvM.l2-9");
    shell("cp jobs/frisian/.slices/KMvM/KMvM.l2-9.dtw good");
    snprintf(part, sizeof part, "%s",
             path_of("jobs/frisian/.slices/KMvM/.KMvM.l2-9.dtw.0123456789abcdef.part"));
    cr_assert_eq(stat(path_of("good"), &info), 0);
    for (int i = 0; i < 12; i++) {
        shell("rm jobs/frisian/.slices/KMvM/*.dtw; cp good %s", part);
        if (i < 6)
            cr_assert_eq(truncate(part, info.st_size * i / 6), 0);
        else
            flip_bit(part, (uint64_t)info.st_size * (uint64_t)(i - 6) / 6 + 9, 4);
        cr_assert_eq(do_apart(&options, "KMvM.l2-9", false, false, RLIM_INFINITY) % CHILD_WENT_ON,
                     0);
        cr_assert_eq(access(part, F_OK), -1, "what was left is removed");
        shell("mkdir -p other/frisian && cp jobs/frisian/*.??? other/frisian && "
              "cp -r jobs/frisian/.slices other/frisian");
        char other[PATH_SIZE];
        const struct generate_options there = job_options(&rules, "other", other);
        do_levels(&there, "KMvM", 10, levels_of(&rules, "KMvM") - 1, 1);
        do_table(&there, "KMvM");
        shell("cmp whole/frisian/KMvM.dtw other/frisian/KMvM.dtw && rm -r other");
    }
}

/* Each job thrice, begun `pause` nanoseconds after each other. */
static void do_thrice(long pause)
{
    static const char *const ids[] = {"KMvKM.l0-9", "KMvKM.l10-18", "KMvKM.table"};
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    const struct generate_options options = job_options(&rules, "jobs", path);
    make_whole(&rules, "KMvKM", METRICS_BOTH);
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        const struct job job = job_named(ids[i]);
        pid_t children[3];
        for (int j = 0; j < 3; j++) {
            const struct timespec wait = {0, j * pause};
            children[j] = fork();
            cr_assert_geq(children[j], 0);
            nanosleep(&wait, NULL);
            if (children[j] == 0)
                _exit((int)job_run(&options, &job, NULL));
        }
        for (int j = 0; j < 3; j++) {
            int state = 0;
            cr_assert_eq(waitpid(children[j], &state, 0), children[j]);
            cr_assert(WIFEXITED(state));
            cr_assert_eq(WEXITSTATUS(state), EINSPUL_OK, "%s: %s", ids[i],
                         einspul_status_name((einspul_status)WEXITSTATUS(state)));
        }
    }
    expect_same_tables(&rules, "KMvKM");
}

/* Wrong: the same job twice at once, as a scheduler may have it, breaks one of the two, or what
 * they make. */
Test(jobs, the_same_job_at_once, .timeout = 400)
{
    do_thrice(0);
}

/* The same of jobs that meet when one of them has begun. */
Test(jobs, long_the_same_job_a_little_later, .timeout = 400)
{
    do_thrice(20000000);
    shell("rm -r whole jobs");
    do_thrice(40000000);
}

/* --- what the system does not give --------------------------------------------------------------
 */

/* Wrong: a slice that does not fit on the disk is published without its end; or the job says
 * that all is well. */
Test(jobs, a_full_disk)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char scratch[PATH_SIZE];
    struct generate_options options = job_options(&rules, "jobs", path);
    make_whole(&rules, "KMvM", METRICS_BOTH);
    shell("mkdir scratch");
    snprintf(scratch, sizeof scratch, "%s", path_of("scratch"));
    for (int i = 0; i < 2; i++) {
        options.scratch = i == 0 ? NULL : scratch;
        cr_assert_eq(do_apart(&options, "KMvM.l2-9", false, false, 10000), EINSPUL_NO_SPACE);
        cr_assert_not(is_there("jobs/frisian/.slices/KMvM/KMvM.l2-9.dtw"));
    }
    expect_done(&options, "KMvM.l2-9");
    do_levels(&options, "KMvM", 10, levels_of(&rules, "KMvM") - 1, 1);
    cr_assert_eq(do_apart(&options, "KMvM.table", false, false, 10000), EINSPUL_IO);
    cr_assert_not(is_there("jobs/frisian/KMvM.dtw"));
    cr_assert(is_there("jobs/frisian/.slices/KMvM/KMvM.l2-9.dtw"), "slices stay");
    do_table(&options, "KMvM");
    expect_same_tables(&rules, "KMvM");
}

/* Wrong: a slice is not there when it was made on a disk of another kind. */
Test(jobs, scratch_on_another_file_system)
{
    static const char elsewhere[] = "/dev/shm";
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_options options = job_options(&rules, "jobs", path);
    struct stat here;
    struct stat there;
    cr_assert_eq(stat(folder, &here), 0);
    cr_assert_eq(stat(elsewhere, &there), 0);
    cr_assert_neq(here.st_dev, there.st_dev, "the test needs two file systems");
    options.scratch = elsewhere;
    make_whole(&rules, "KMvM", METRICS_BOTH);
    do_levels(&options, "KMvM", 0, levels_of(&rules, "KMvM") - 1, 2);
    do_table(&options, "KMvM");
    expect_same_tables(&rules, "KMvM");
}

/* Wrong: a job that needs more than there is begins, and is killed in the middle. */
Test(jobs, too_little_memory)
{
    static const char *const ids[] = {"KMvM", "KMvM.l2", "KMvM.table"};
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_options options = job_options(&rules, "jobs", path);
    make_whole(&rules, "KMvM", METRICS_BOTH);
    options.memory_bytes = 1 << 20;
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        expect_failure(&options, ids[i], EINSPUL_NO_MEMORY, "allowed");
    cr_assert_not(is_there("jobs/frisian/KMvM.dtw"));
    /* With the least there may be it works, and what does not fit goes to the disk. */
    const struct job job = job_named("KMvM.l2-9");
    options.memory_bytes = budget_together(&options, job.materials, 1).least_bytes;
    expect_done(&options, "KMvM.l2-9");
}

/* Wrong: jobs keep each other out, or write into a folder that a run has for itself. */
Test(jobs, jobs_and_runs_keep_apart)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_options options = job_options(&rules, "jobs", path);
    einspul_error error = {0};
    int lock = -1;
    make_whole(&rules, "KMvM", METRICS_BOTH);
    cr_assert_eq(folder_lock(path, &rules, &lock, &error), EINSPUL_OK, "%s", error.text);
    expect_failure(&options, "KMvM.l2", EINSPUL_LOCKED, ".lock");
    expect_failure(&options, "KMvM", EINSPUL_LOCKED, ".lock");
    close(lock);
    cr_assert_eq(folder_share(path, &rules, &lock, &error), EINSPUL_OK, "%s", error.text);
    expect_done(&options, "KMvM.l2");
    options.pieces = 2;
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_LOCKED);
    close(lock);
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
}
