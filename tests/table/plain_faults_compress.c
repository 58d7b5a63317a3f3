/* Fault injection into compression and packing. The table's path always holds a complete table, old
 * or new. With a main of its own, so that a leak checker sees all its memory. */
#include "tests/support/faults.h"

#include "core/program/materials.h"
#include "gen/run/generate.h"
#include "gen/run/plan_make.h"
#include "table/table_open.h"
#include "table/write/pack_write.h"
#include "table/write/table_compress.h"
#include "tests/support/files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 1024 };

static char root[] = "/tmp/einspul-faults-XXXXXX";

struct bytes {
    uint8_t *at;
    size_t n;
};

/* A table as it was generated, and coded. */
static struct {
    struct rules rules;
    struct material material;
    einspul_metric metric;
    bool whole; /* both sides to move are coded */
    char path[PATH_SIZE];
    struct bytes generated, coded;
} known;

static struct bytes bytes_of(const char *path)
{
    struct bytes bytes;
    bytes.at = read_whole(path, &bytes.n);
    return bytes;
}

static bool holds(const char *path, const struct bytes *bytes)
{
    struct bytes found = bytes_of(path);
    const bool same = found.n == bytes->n && memcmp(found.at, bytes->at, bytes->n) == 0;
    free(found.at);
    return same;
}

static struct table *open_whole(void)
{
    struct table *table = NULL;
    einspul_error error = {0};
    const struct table_id id = {&known.rules, known.material, known.metric};
    faults_expect("open", table_open(known.path, id, NULL, &table, &error) == EINSPUL_OK, "%s",
                  error.text);
    return table;
}

/* --- scenarios: each runs once; false when it failed, with the error -------------------------- */

static einspul_status compress(const struct table *table, einspul_error *error)
{
    uint64_t n_bytes = 0;
    return table_compress(table, &known.rules, known.whole ? COMPRESS_WHOLE : COMPRESS_DEFAULT,
                          known.path, 1, NULL, &n_bytes, error);
}

static bool left_behind(void)
{
    char path[PATH_SIZE];
    bool found = false;
    snprintf(path, sizeof path, "%s/%s", root, known.rules.name);
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
        found = found || strstr(entry->d_name, ".tmp") != NULL;
    faults_expect("looking", directory != NULL, "%s cannot be read", path);
    closedir(directory);
    return found;
}

/* False when no call failed. */
static bool compress_once(const char *name, const struct fault_mode *mode, uint64_t n)
{
    einspul_error error = {0};
    write_whole(known.path, known.generated.at, known.generated.n);
    struct table *table = open_whole();
    faults_begin(mode, n);
    einspul_status status = compress(table, &error);
    const bool failed = faults_end() > 0;
    faults_expect(name, !left_behind() || faults_kept_a_file(), "a part of a table is left");
    if (status == EINSPUL_OK) {
        faults_expect(name, holds(known.path, &known.coded), "another table than without a fault");
        faults_expect(name, !faults_lost_a_sync(),
                      "what may not have reached the disk counts as written");
    } else {
        faults_expect(name, failed, "an error without a fault: %s", error.text);
        faults_expect_named(name, status, &error);
        faults_expect(name, holds(known.path, &known.generated) || holds(known.path, &known.coded),
                      "neither the old table nor the new one");
    }
    status = compress(table, &error);
    faults_expect(name, status == EINSPUL_OK && holds(known.path, &known.coded),
                  "the run after it: %s", error.text);
    table_close(table);
    return failed;
}

/* --- packing it ------------------------------------------------------------------------------- */

static einspul_status pack(const char *path, einspul_error *error)
{
    struct pack_item item = {.name = "a table"};
    struct file *file = NULL;
    uint64_t n_bytes = 0;
    einspul_status status = file_open(known.path, NULL, &file, error);
    item.file = file;
    if (status == EINSPUL_OK)
        status = pack_write(path, &item, 1, &n_bytes, error);
    file_close(file);
    return status;
}

/* The file with the pack's name is the old pack or the new one, which are equal here, or
 * missing. */
static bool pack_once(const char *name, const struct fault_mode *mode, uint64_t n)
{
    static struct bytes good;
    einspul_error error = {0};
    struct pack *read = NULL;
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/set.pack", root);
    if (good.at == NULL) {
        faults_expect(name, pack(path, &error) == EINSPUL_OK, "%s", error.text);
        good = bytes_of(path);
    }
    if (n % 2 == 0)
        remove(path);
    else
        write_whole(path, good.at, good.n);
    faults_begin(mode, n);
    const einspul_status status = pack(path, &error);
    const bool failed = faults_end() > 0;
    if (status != EINSPUL_OK) {
        faults_expect(name, failed, "an error without a fault: %s", error.text);
        faults_expect_named(name, status, &error);
    }
    if (status == EINSPUL_OK || n % 2 != 0)
        faults_expect(name, holds(path, &good), "not a whole pack");
    else if (pack_open(path, NULL, &read, NULL) == EINSPUL_OK)
        faults_expect(name, holds(path, &good), "half a pack");
    pack_close(read);
    if (!failed) {
        free(good.at);
        good.at = NULL;
    }
    return failed;
}

/* --- the program ------------------------------------------------------------------------------ */

static void make_known(const char *rules, const char *material, einspul_metric metric, bool whole)
{
    struct generate_options options = {
        .rules = &known.rules,
        .root = root,
        .metrics = METRICS_BOTH,
        .n_threads = 1,
        .zstd_level = 3,
    };
    struct generate_plan plan;
    einspul_error error = {0};
    known.metric = metric;
    known.whole = whole;
    if (rules_by_name(&known.rules, rules, NULL) != EINSPUL_OK ||
        material_read(material, &known.material, NULL) != EINSPUL_OK)
        abort();
    options.material = known.material;
    const struct table_id id = {&known.rules, known.material, metric};
    faults_expect("generate",
                  generate_plan(&options, &plan, &error) == EINSPUL_OK &&
                      generate_run(&options, &plan, &error) == EINSPUL_OK &&
                      table_path_below(root, id, known.path, PATH_SIZE, &error) == EINSPUL_OK,
                  "%s", error.text);
    known.generated = bytes_of(known.path);
    struct table *table = open_whole();
    faults_stutter(true);
    faults_expect("stuttering", compress(table, &error) == EINSPUL_OK, "%s", error.text);
    faults_stutter(false);
    known.coded = bytes_of(known.path);
    faults_expect("stuttering", known.coded.n < known.generated.n, "it is not smaller");
    table_close(table);
    table = open_whole();
    faults_expect("stuttering", table_is_complete(table) == whole, "another side is left out");
    table_close(table);
}

static void run_all(const char *name, uint64_t step,
                    bool (*once)(const char *name, const struct fault_mode *mode, uint64_t n))
{
    static const int modes[] = {FAULT_NO_MEMORY, FAULT_ONE_FILE, FAULT_DISK_FULL};
    for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
        const struct fault_mode *mode = &fault_modes[modes[m]];
        int n_runs = 0;
        for (uint64_t n = 1; once(name, mode, n); n += mode->n_calls == 1 ? step : 4 * step)
            n_runs++;
        printf("%s, %s: %d runs\n", name, mode->name, n_runs);
        fflush(stdout);
        faults_expect(name, n_runs > 0, "no call fails");
    }
}

int main(void)
{
    /* KKvK and KvM take few calls; MMvK has more than one group of blocks. */
    const struct {
        const char *rules, *material;
        einspul_metric metric;
        bool whole;
        uint64_t step;
    } tables[] = {{"english", "KKvK", EINSPUL_WDL, true, 1},
                  {"international", "MMvK", EINSPUL_WDL, true, 29},
                  {"english", "KvM", EINSPUL_DTW, false, 1}};

    if (mkdtemp(root) == NULL)
        return 1;
    faults_check();
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        make_known(tables[i].rules, tables[i].material, tables[i].metric, tables[i].whole);
        run_all("compressing", tables[i].step, compress_once);
        if (i == 0)
            run_all("packing", 1, pack_once);
        free(known.generated.at);
        free(known.coded.at);
    }
    remove_folder(root);
    return 0;
}
