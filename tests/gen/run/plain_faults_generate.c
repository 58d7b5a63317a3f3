/* Fault injection into generation: the n-th allocation or file call fails, or the disk is full from
 * it on, for every n. Fails if a run does not end with a named error or success, if an incomplete
 * file looks complete, or if the next run does not produce the usual bytes. A plain main, so that a
 * leak checker sees all memory. */
#include "tests/support/faults.h"

#include "core/program/materials.h"
#include "gen/run/generate.h"
#include "tests/support/files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 1024, HANG_SECONDS = 600, LEAST_PART = 500 };

static char root[] = "/tmp/einspul-faults-XXXXXX";

struct scenario {
    const char *name;
    const char *rules;
    const char *material;
    int n_threads;
    uint64_t step;    /* between the calls that fail */
    bool single;      /* the material alone: solved frames are kept in a part file */
    const char *from; /* folder that the run starts with a copy of, or NULL */
};

/* English KvM has captures, promotions and levels, and needs few calls. KMvK also has king runs and
 * patterns. */
static const struct scenario scenarios[] = {
    {"from nothing", "english", "KvM", 1, 2, false, NULL},
    {"two threads", "english", "KvM", 2, 11, false, NULL},
    {"from a part", "english", "KvM", 1, 7, true, "part"},
    {"king runs", "frisian", "KMvK", 1, 311, false, NULL},
};

/* Memory runs out, one call for a file fails, the disk is full. Only the prober and the server must
 * continue after any failed call: plain_faults_probe has all modes. */
static const int modes[] = {FAULT_NO_MEMORY, FAULT_ONE_FILE, FAULT_DISK_FULL};
enum { N_MODES = sizeof modes / sizeof modes[0] };

static void copy_file(const char *from, const char *to)
{
    FILE *files[2] = {fopen(from, "rb"), fopen(to, "wb")};
    char bytes[4096];
    if (files[0] == NULL || files[1] == NULL)
        abort();
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, files[0])) > 0;)
        if (fwrite(bytes, 1, n, files[1]) != n)
            abort();
    fclose(files[0]);
    if (fclose(files[1]) != 0)
        abort();
}

static void path_of(const struct scenario *scenario, const char *folder, const char *name,
                    char path[PATH_SIZE])
{
    if (snprintf(path, PATH_SIZE, "%s/%s/%s/%s", root, folder, scenario->rules, name) >= PATH_SIZE)
        abort();
}

static void drop_folder(const char *folder)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", root, folder);
    remove_folder(path);
}

/* Copies the folder `from` to `to`, optionally without the scenario's material. */
static void copy_folder(const struct scenario *scenario, const char *from, const char *to,
                        bool without)
{
    char path[PATH_SIZE];
    char copy[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", root, to);
    mkdir(path, 0777);
    path_of(scenario, to, "", path);
    mkdir(path, 0777);
    path_of(scenario, from, "", path);
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        const char *name = entry->d_name;
        const bool own = strncmp(name, scenario->material, strlen(scenario->material)) == 0;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || (own && without))
            continue;
        path_of(scenario, from, name, path);
        path_of(scenario, to, name, copy);
        copy_file(path, copy);
    }
    closedir(directory);
}

/* Prepares the folder `fault` for the run. */
static void begin_folder(const struct scenario *scenario)
{
    drop_folder("fault");
    if (scenario->from != NULL)
        copy_folder(scenario, scenario->from, "fault", false);
}

static einspul_status generate(const struct scenario *scenario, const char *folder, bool only,
                               einspul_error *error)
{
    struct rules rules;
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", root, folder);
    struct generate_options options = {
        .rules = &rules,
        .root = path,
        .metrics = METRICS_BOTH,
        .n_threads = scenario->n_threads,
        .zstd_level = 3,
        .single = only,
    };
    if (rules_by_name(&rules, scenario->rules, NULL) != EINSPUL_OK ||
        material_read(scenario->material, &options.material, NULL) != EINSPUL_OK)
        abort();
    return generate_tables(&options, error);
}

static bool ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name);
    return length >= strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

static bool same_file(const char *a, const char *b)
{
    FILE *files[2] = {fopen(a, "rb"), fopen(b, "rb")};
    bool same = files[0] != NULL && files[1] != NULL;
    for (size_t n = 1; same && n > 0;) {
        char bytes[2][4096];
        n = fread(bytes[0], 1, sizeof bytes[0], files[0]);
        same = fread(bytes[1], 1, sizeof bytes[1], files[1]) == n &&
               memcmp(bytes[0], bytes[1], n) == 0;
    }
    for (int i = 0; i < 2; i++)
        if (files[i] != NULL)
            fclose(files[i]);
    return same;
}

/* Checks that every file in `folder` with a table's name is that table; returns their number. */
static int check_folder(const struct scenario *scenario, const char *folder, bool may_leave)
{
    char path[PATH_SIZE];
    int n_tables = 0;
    path_of(scenario, folder, "", path);
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        const char *name = entry->d_name;
        char whole[PATH_SIZE];
        faults_expect(scenario->name, may_leave || !ends_with(name, ".tmp"), "%s is left", name);
        if (!ends_with(name, ".wdl") && !ends_with(name, ".dtw"))
            continue;
        n_tables++;
        path_of(scenario, folder, name, path);
        path_of(scenario, "whole", name, whole);
        faults_expect(scenario->name, same_file(path, whole), "%s is not what it should be", name);
    }
    if (directory != NULL)
        closedir(directory);
    return n_tables;
}

/* One run with a fault, and one without that completes it. False if no call failed. */
static bool run_once(const struct scenario *scenario, const struct fault_mode *mode, uint64_t n,
                     int n_whole)
{
    einspul_error error = {0};

    begin_folder(scenario);
    alarm(HANG_SECONDS);
    faults_begin(mode, n);
    einspul_status status = generate(scenario, "fault", scenario->single, &error);
    const bool failed = faults_end() > 0;
    alarm(0);
    const int n_tables = check_folder(scenario, "fault", faults_kept_a_file());
    if (status != EINSPUL_OK) {
        faults_expect(scenario->name, failed, "an error without a fault: %s", error.text);
        faults_expect_named(scenario->name, status, &error);
    } else {
        faults_expect(scenario->name, n_tables == n_whole, "%d tables of %d", n_tables, n_whole);
        faults_expect(scenario->name, !faults_lost_a_sync(),
                      "what may not have reached the disk counts as written");
    }
    status = generate(scenario, "fault", scenario->single, &error);
    faults_expect(scenario->name, status == EINSPUL_OK, "the run after it: %s", error.text);
    faults_expect(scenario->name, check_folder(scenario, "fault", faults_kept_a_file()) == n_whole,
                  "the run after it leaves other tables");
    return failed;
}

/* Bytes of the parts in the folder `part`. */
static int64_t part_bytes(const struct scenario *scenario)
{
    char path[PATH_SIZE];
    int64_t n_bytes = 0;
    path_of(scenario, "part", "", path);
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        struct stat info;
        path_of(scenario, "part", entry->d_name, path);
        if (ends_with(entry->d_name, ".part") && stat(path, &info) == 0)
            n_bytes += (int64_t)info.st_size;
    }
    if (directory != NULL)
        closedir(directory);
    return n_bytes;
}

/* Creates the folder `whole`, and `part` with the part files of an interrupted run. */
static int make_folders(const struct scenario *scenario)
{
    einspul_error error = {0};
    drop_folder("whole");
    drop_folder("part");
    faults_expect(scenario->name, generate(scenario, "whole", false, &error) == EINSPUL_OK, "%s",
                  error.text);
    for (uint64_t n = 1; scenario->single && part_bytes(scenario) < LEAST_PART; n++) {
        drop_folder("part");
        copy_folder(scenario, "whole", "part", true);
        faults_begin(&fault_modes[FAULT_DISK_FULL], n);
        faults_expect(scenario->name, generate(scenario, "part", true, &error) != EINSPUL_OK,
                      "nothing was kept");
        faults_end();
    }
    return check_folder(scenario, "whole", false);
}

/* Fails if interrupted or partial reads and writes change the result. */
static void run_stuttering(const struct scenario *scenario, int n_whole)
{
    einspul_error error = {0};
    begin_folder(scenario);
    faults_stutter(true);
    const einspul_status status = generate(scenario, "fault", scenario->single, &error);
    faults_stutter(false);
    faults_expect(scenario->name, status == EINSPUL_OK, "stuttering: %s", error.text);
    faults_expect(scenario->name, check_folder(scenario, "fault", false) == n_whole,
                  "stuttering leaves other tables");
}

int main(void)
{
    if (mkdtemp(root) == NULL)
        return 1;
    faults_check();
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        const struct scenario *scenario = &scenarios[i];
        const int n_whole = make_folders(scenario);
        run_stuttering(scenario, n_whole);
        for (int m = 0; m < N_MODES; m++) {
            const struct fault_mode *mode = &fault_modes[modes[m]];
            uint64_t n = 1;
            int n_runs = 0;
            while (run_once(scenario, mode, n, n_whole)) {
                n += mode->n_calls == 1 ? scenario->step : 4 * scenario->step;
                n_runs++;
            }
            printf("%s, %s: %d runs\n", scenario->name, mode->name, n_runs);
            fflush(stdout);
            faults_expect(scenario->name, n_runs > 0, "no call fails");
        }
    }
    remove_folder(root);
    return 0;
}
