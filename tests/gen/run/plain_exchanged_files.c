/* Files that change under a writer, before every call in turn that it makes for a file:
 * exchanged, removed, cut short, written over in place, added. It is what another process may do
 * where locks do nothing, and a user at any time. Whatever the writer puts under a table's name
 * must be right, or it must end with an error; what it has nothing to do with must stay; and
 * once the files are whole again, the next run ends as ever. */
#include "tests/support/faults.h"

#include "gen/run/folder.h"
#include "gen/run/generate.h"
#include "table/table_facts.h"
#include "table/write/table_compress.h"
#include "tests/support/files.h"
#include "tests/support/folder.h"
#include "tests/support/named.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HANG_SECONDS = 60, MOST_TABLES = 16, NAME_SIZE = 32 };

/* A run makes one table. Among those it reads for that is one that things happen to. */
static const char made[] = "KMvM.dtw", part[] = ".KMvM.part", victim[] = "KKvM.dtw";

static struct rules rules;

/* Files as they should be. */
struct kept {
    char name[NAME_SIZE];
    uint8_t *bytes;
    size_t n_bytes;
};
static struct kept tables[MOST_TABLES];
static int n_tables;
static struct kept coded, other; /* the victim compressed, and with other bytes for its values */

static const char *file_named(const char *name)
{
    char path[512];
    if (snprintf(path, sizeof path, "%s/%s", rules.name, name) >= (int)sizeof path)
        abort();
    return path_of(path);
}

static struct kept keep(const char *name)
{
    struct kept kept = {.name = ""};
    snprintf(kept.name, sizeof kept.name, "%s", name);
    kept.bytes = read_whole(file_named(name), &kept.n_bytes);
    return kept;
}

static void put(const char *name, const struct kept *kept)
{
    write_whole(file_named(name), kept->bytes, kept->n_bytes);
}

static bool is_there(const char *name)
{
    return access(file_named(name), F_OK) == 0;
}

static bool holds(const char *name, const struct kept *kept)
{
    size_t n_bytes = 0;
    uint8_t *bytes = read_whole(file_named(name), &n_bytes);
    const bool same = n_bytes == kept->n_bytes && memcmp(bytes, kept->bytes, n_bytes) == 0;
    free(bytes);
    return same;
}

static const struct kept *table_named(const char *name)
{
    for (int i = 0; i < n_tables; i++)
        if (strcmp(tables[i].name, name) == 0)
            return &tables[i];
    abort();
}

/* --- what happens ----------------------------------------------------------------------------- */

/* Another file takes the victim's place, by rename; whoever has the old one open keeps it. */
static void exchange_for(const struct kept *kept)
{
    char path[sizeof folder + 2 * NAME_SIZE];
    put("new", kept);
    snprintf(path, sizeof path, "%s", file_named("new"));
    if (rename(path, file_named(victim)) != 0)
        abort();
}

static void exchange_for_compressed(void)
{
    exchange_for(&coded);
}

static void exchange_for_other_bytes(void)
{
    exchange_for(&other);
}

static void exchange_for_damaged(void)
{
    struct kept damaged = {.n_bytes = other.n_bytes, .bytes = malloc(other.n_bytes)};
    if (damaged.bytes == NULL)
        abort();
    memcpy(damaged.bytes, other.bytes, other.n_bytes);
    damaged.bytes[other.n_bytes - 9] ^= 1;
    exchange_for(&damaged);
    free(damaged.bytes);
}

static void remove_victim(void)
{
    (void)unlink(file_named(victim));
}

static void shorten_victim(void)
{
    if (truncate(file_named(victim), (off_t)(table_named(victim)->n_bytes / 2)) != 0 &&
        is_there(victim))
        abort();
}

/* As with cp: the same file, other bytes. */
static void write_over_victim(void)
{
    put(victim, &coded);
}

static void spoil_victim(void)
{
    write_byte(file_named(victim), table_named(victim)->n_bytes - 9, 0x5a);
}

static void add_made(void)
{
    put(made, table_named(made));
}

static void add_part(void)
{
    put(part, &other);
}

static void remove_part(void)
{
    (void)unlink(file_named(part));
}

static void remove_temporaries(void)
{
    DIR *directory = opendir(path_of(rules.name));
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
        if (strstr(entry->d_name, ".tmp") != NULL)
            unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
}

/* --- making a table --------------------------------------------------------------------------- */

static einspul_status generate(einspul_error *error)
{
    const struct generate_options options = {
        .rules = &rules,
        .root = folder,
        .material = material_named("KMvM"),
        .metrics = METRICS_DTW,
        .n_threads = 1,
        .zstd_level = 3,
        .parts = PARTS_ALL,
    };
    return generate_tables(&options, error);
}

static void begin_folder(void)
{
    for (int i = 0; i < n_tables; i++)
        put(tables[i].name, &tables[i]);
    (void)unlink(file_named(made));
    (void)unlink(file_named(part));
    remove_temporaries();
}

static void expect_others(const char *name)
{
    for (int i = 0; i < n_tables; i++)
        faults_expect(name,
                      strcmp(tables[i].name, victim) == 0 || strcmp(tables[i].name, made) == 0 ||
                          holds(tables[i].name, &tables[i]),
                      "%s is not what it was", tables[i].name);
    faults_expect(name, !is_there(made) || holds(made, table_named(made)), "%s is wrong", made);
}

/* False when the run makes fewer calls. */
static bool generate_once(const char *name, void (*meddle)(void), uint64_t n, int *n_refused)
{
    einspul_error error = {0};
    begin_folder();
    alarm(HANG_SECONDS);
    faults_meddle(meddle, n);
    einspul_status status = generate(&error);
    const bool met = faults_end() > 0;
    alarm(0);
    expect_others(name);
    faults_expect(name, status != EINSPUL_OK || is_there(made), "%s is not there", made);
    faults_expect(name, status == EINSPUL_OK || (met && status != EINSPUL_NO_MEMORY), "%s: %s",
                  einspul_status_name(status), error.text);
    faults_expect(name, status == EINSPUL_OK || strchr(error.text, 'K') != NULL,
                  "no file is named: %s", error.text);
    *n_refused += status != EINSPUL_OK;

    put(victim, table_named(victim));
    remove_part();
    status = generate(&error);
    faults_expect(name, status == EINSPUL_OK && is_there(made), "the run after it: %s", error.text);
    expect_others(name);
    return met;
}

/* --- compressing a table ---------------------------------------------------------------------- */

/* Whether the victim is what it would be if `meddle` (or NULL) had happened to some bytes. */
static bool is_made_of(const struct kept *after, const struct kept *before, void (*meddle)(void))
{
    put(victim, before);
    if (meddle != NULL)
        meddle();
    if (!is_there(victim))
        return after->bytes == NULL;
    struct kept expected = keep(victim);
    const bool same = after->bytes != NULL && after->n_bytes == expected.n_bytes &&
                      memcmp(after->bytes, expected.bytes, expected.n_bytes) == 0;
    free(expected.bytes);
    return same;
}

/* Opens and compresses the victim; false when that makes fewer calls. */
static bool compress_once(const char *name, void (*meddle)(void), uint64_t n, int *n_refused)
{
    const struct kept *before = table_named(victim);
    const struct table_id id = {&rules, material_named("KKvM"), EINSPUL_DTW};
    char path[sizeof folder + 2 * NAME_SIZE];
    struct table *table = NULL;
    einspul_error error = {0};
    struct kept after = {.bytes = NULL};
    uint64_t n_bytes = 0;
    begin_folder();
    snprintf(path, sizeof path, "%s", file_named(victim));
    alarm(HANG_SECONDS);
    faults_meddle(meddle, n);
    einspul_status status = table_open(path, id, NULL, &table, &error);
    if (status == EINSPUL_OK)
        status = table_compress(table, &rules, COMPRESS_PLAIN, path, 1, &n_bytes, &error);
    const bool met = faults_end() > 0;
    alarm(0);
    table_close(table);
    *n_refused += status != EINSPUL_OK;
    faults_expect(name, status == EINSPUL_OK || (met && error.text[0] != '\0'), "%s", error.text);
    if (is_there(victim))
        after = keep(victim);
    faults_expect(name,
                  is_made_of(&after, &coded, NULL) || is_made_of(&after, before, meddle) ||
                      is_made_of(&after, &coded, meddle) ||
                      (status != EINSPUL_OK && is_made_of(&after, before, NULL)),
                  "a table of %zu bytes", after.n_bytes);
    free(after.bytes);
    return met;
}

/* --- the program ------------------------------------------------------------------------------ */

static void make_tables(void)
{
    struct generate_options options = {
        .rules = &rules,
        .root = folder,
        .material = material_named("KMvM"),
        .metrics = METRICS_DTW,
        .n_threads = 1,
        .zstd_level = 19,
        .parts = PARTS_NONE,
    };
    einspul_error error = {0};
    struct table *table = NULL;
    uint64_t n_bytes = 0;
    rules = rules_named("english");
    make_folder();
    faults_expect("making", generate_tables(&options, &error) == EINSPUL_OK, "%s", error.text);
    other = keep(victim);
    options.zstd_level = 3;
    if (unlink(file_named(victim)) != 0 || unlink(file_named(made)) != 0)
        abort();
    faults_expect("making", generate_tables(&options, &error) == EINSPUL_OK, "%s", error.text);
    DIR *directory = opendir(path_of(rules.name));
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
        if (strstr(entry->d_name, ".dtw") != NULL)
            tables[n_tables++] = keep(entry->d_name);
    closedir(directory);

    char path[sizeof folder + 2 * NAME_SIZE];
    const struct table_id id = {&rules, material_named("KKvM"), EINSPUL_DTW};
    snprintf(path, sizeof path, "%s", file_named(victim));
    faults_expect("making",
                  table_open(path, id, NULL, &table, &error) == EINSPUL_OK &&
                      table_compress(table, &rules, COMPRESS_PLAIN, path, 1, &n_bytes, &error) ==
                          EINSPUL_OK,
                  "%s", error.text);
    table_close(table);
    coded = keep(victim);
    faults_expect("making", coded.n_bytes != table_named(victim)->n_bytes, "it is not smaller");
    faults_expect("making", other.n_bytes != table_named(victim)->n_bytes, "the same bytes");
}

/* Another file takes the lock file's place. */
static void exchange_lock(void)
{
    char path[sizeof folder + 2 * NAME_SIZE];
    write_whole(file_named("new"), (const uint8_t *)"", 0);
    snprintf(path, sizeof path, "%s", file_named("new"));
    if (rename(path, file_named(".lock")) != 0)
        abort();
}

/* Whoever is told to have the lock has that of the file which others will find: one that another
 * took the place of after it was opened is refused. */
static void lock_while_exchanged(void)
{
    enum { LAST_CALL = 4 }; /* open, fstat, flock; and before it looks for the file again */
    for (uint64_t n = 1; n <= LAST_CALL; n++) {
        einspul_error error = {0};
        int lock = -1;
        faults_meddle(exchange_lock, n);
        const einspul_status status = folder_lock(folder, &rules, &lock, &error);
        faults_expect("lock", faults_end() == 1, "no call %d", (int)n);
        faults_expect("lock", status == (n > 1 ? EINSPUL_IO : EINSPUL_OK), "call %d: %d", (int)n,
                      (int)status);
        if (lock >= 0)
            close(lock);
    }
}

int main(void)
{
    static const struct {
        const char *name;
        void (*meddle)(void);
        bool refuses[2]; /* some of the runs of generate, of compress */
    } cases[] = {
        {"exchanged for one that leaves values out", exchange_for_compressed, {true, false}},
        {"exchanged for one with the same values", exchange_for_other_bytes, {true, false}},
        {"exchanged for a damaged one", exchange_for_damaged, {true, true}},
        {"removed", remove_victim, {true, true}},
        {"cut short", shorten_victim, {true, true}},
        {"written over", write_over_victim, {true, true}},
        {"spoilt", spoil_victim, {true, true}},
        {"made by someone else", add_made, {false, false}},
        {"a part of something else", add_part, {false, false}},
        {"no part any more", remove_part, {false, false}},
        {"temporary files removed", remove_temporaries, {true, true}},
    };
    enum { GENERATE_STEP = 11, COMPRESS_STEP = 9 };

    faults_check();
    make_tables();
    lock_while_exchanged();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int n_refused[2] = {0, 0};
        int n_runs[2] = {0, 0};
        for (uint64_t n = 1 + i % GENERATE_STEP;
             generate_once(cases[i].name, cases[i].meddle, n, &n_refused[0]); n += GENERATE_STEP)
            n_runs[0]++;
        for (uint64_t n = 1; /* before the table is opened */
             compress_once(cases[i].name, cases[i].meddle, n, &n_refused[1]); n += COMPRESS_STEP)
            n_runs[1]++;
        printf("%s: generate refused %d of %d runs, compress %d of %d\n", cases[i].name,
               n_refused[0], n_runs[0], n_refused[1], n_runs[1]);
        fflush(stdout);
        for (int of = 0; of < 2; of++) {
            faults_expect(cases[i].name, n_runs[of] > 3, "no calls");
            faults_expect(cases[i].name, (n_refused[of] > 0) == cases[i].refuses[of],
                          "%d of %d runs were refused", n_refused[of], n_runs[of]);
        }
    }
    for (int i = 0; i < n_tables; i++)
        free(tables[i].bytes);
    free(coded.bytes);
    free(other.bytes);
    drop_folder();
    return 0;
}
