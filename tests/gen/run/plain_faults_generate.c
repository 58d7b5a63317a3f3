/* Making tables while memory runs out, a call for a file fails or the disk is full, at one call after
 * the other. Each run must end with a named error or as it should; no file may look whole
 * that is not; and the run after it must leave the same bytes as ever. With a main of its own, so
 * that a leak checker sees all its memory. */
#include "tests/support/faults.h"

#include "core/materials.h"
#include "core/pattern_set.h"
#include "gen/material/material_solve.h"
#include "gen/run/generate.h"
#include "tests/support/files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 1024, HANG_SECONDS = 60, LEAST_PART = 500 };

static char root[] = "/tmp/einspul-faults-XXXXXX";

struct scenario {
    const char *name;
    const char *rules;
    const char *material;
    int n_threads;
    uint64_t step;    /* between the calls that fail */
    bool parts;       /* what is solved is kept in a file */
    const char *from; /* folder that the run starts with a copy of, or NULL */
    bool without;     /* the copy has no table of the material */
};

/* English KvM has captures, promotions and levels, and takes few calls. KMvK has king runs and
 * patterns besides. */
static const struct scenario scenarios[] = {
    {"from nothing", "english", "KvM", 1, 2, true, NULL, false},
    {"written behind", "english", "KvM", 2, 11, false, NULL, false},
    {"from other tables", "english", "KvM", 1, 3, false, "whole", true},
    {"from a part", "english", "KvM", 1, 7, true, "part", false},
    {"king runs", "frisian", "KMvK", 1, 311, true, NULL, false},
};

/* Memory runs out, one call for a file fails, the disk is full. What must go on when any call fails
 * is the prober and the server: plain_faults_probe has all modes. */
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

/* Makes the folder `fault` what the run is to find. */
static void begin_folder(const struct scenario *scenario)
{
    char path[PATH_SIZE];
    char copy[PATH_SIZE];
    drop_folder("fault");
    if (scenario->from == NULL)
        return;
    snprintf(path, sizeof path, "%s/fault", root);
    mkdir(path, 0777);
    path_of(scenario, "fault", "", path);
    mkdir(path, 0777);
    path_of(scenario, scenario->from, "", path);
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        const char *name = entry->d_name;
        const bool own = strncmp(name, scenario->material, strlen(scenario->material)) == 0;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || (own && scenario->without))
            continue;
        path_of(scenario, scenario->from, name, path);
        path_of(scenario, "fault", name, copy);
        copy_file(path, copy);
    }
    closedir(directory);
}

/* The tables a run finds, and which files they are. */
static struct {
    char name[256];
    ino_t inode;
} found[MAX_MATERIALS];
static int n_found;

static void note_found(const struct scenario *scenario)
{
    char path[PATH_SIZE];
    n_found = 0;
    path_of(scenario, "fault", "", path);
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        const char *name = entry->d_name;
        if (name[0] == '.')
            continue;
        snprintf(found[n_found].name, sizeof found[n_found].name, "%s", name);
        found[n_found++].inode = entry->d_ino;
    }
    if (directory != NULL)
        closedir(directory);
}

/* A complete table is not written again, whatever kept it from being read. */
static void check_found(const struct scenario *scenario)
{
    for (int i = 0; i < n_found; i++) {
        char path[PATH_SIZE];
        struct stat info;
        path_of(scenario, "fault", found[i].name, path);
        faults_expect(scenario->name, stat(path, &info) == 0 && info.st_ino == found[i].inode,
                      "%s has been replaced", found[i].name);
    }
}

static einspul_status generate(const struct scenario *scenario, const char *folder,
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
        .parts = scenario->parts ? PARTS_ALL : PARTS_NONE,
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

/* Whatever has a table's name in `folder` is that table; returns how many there are. */
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

/* One run with a fault, and one without that ends it. False when no call failed. */
static bool run_once(const struct scenario *scenario, const struct fault_mode *mode, uint64_t n,
                     int n_whole)
{
    einspul_error error = {0};

    begin_folder(scenario);
    note_found(scenario);
    alarm(HANG_SECONDS);
    faults_begin(mode, n);
    einspul_status status = generate(scenario, "fault", &error);
    const bool failed = faults_end() > 0;
    alarm(0);
    check_found(scenario);
    const int n_tables = check_folder(scenario, "fault", faults_kept_a_file());
    if (status != EINSPUL_OK) {
        faults_expect(scenario->name, failed, "an error without a fault: %s", error.text);
        faults_expect_named(scenario->name, status, &error);
    } else {
        faults_expect(scenario->name, n_tables == n_whole, "%d tables of %d", n_tables, n_whole);
        faults_expect(scenario->name, !faults_lost_a_sync(),
                      "what may not have reached the disk counts as written");
    }
    status = generate(scenario, "fault", &error);
    faults_expect(scenario->name, status == EINSPUL_OK, "the run after it: %s", error.text);
    faults_expect(scenario->name, check_folder(scenario, "fault", faults_kept_a_file()) == n_whole,
                  "the run after it leaves other tables");
    return failed;
}

static int64_t file_bytes(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (int64_t)info.st_size : -1;
}

/* Makes the folder `whole`, and `part` with what a run that stopped has kept. */
static int make_folders(const struct scenario *scenario)
{
    einspul_error error = {0};
    char name[PATH_SIZE];
    char part[PATH_SIZE];
    snprintf(name, sizeof name, ".%s.part", scenario->material);
    path_of(scenario, "part", name, part);
    drop_folder("whole");
    drop_folder("part");
    faults_expect(scenario->name, generate(scenario, "whole", &error) == EINSPUL_OK, "%s",
                  error.text);
    const bool wants_part = scenario->from != NULL && strcmp(scenario->from, "part") == 0;
    for (uint64_t n = 1; wants_part && file_bytes(part) < LEAST_PART; n++) {
        drop_folder("part");
        faults_begin(&fault_modes[FAULT_DISK_FULL], n);
        faults_expect(scenario->name, generate(scenario, "part", &error) != EINSPUL_OK,
                      "nothing was kept");
        faults_end();
    }
    return check_folder(scenario, "whole", false);
}

/* Reads and writes that are interrupted, or do a part only, change nothing. */
static void run_stuttering(const struct scenario *scenario, int n_whole)
{
    einspul_error error = {0};
    begin_folder(scenario);
    faults_stutter(true);
    const einspul_status status = generate(scenario, "fault", &error);
    faults_stutter(false);
    faults_expect(scenario->name, status == EINSPUL_OK, "stuttering: %s", error.text);
    faults_expect(scenario->name, check_folder(scenario, "fault", false) == n_whole,
                  "stuttering leaves other tables");
}

/* A dictionary that could not grow is what it was, and grows when it is asked again. */
static void grow_patterns(const struct fault_mode *mode)
{
    enum { N_PATTERNS = 2000 };
    uint64_t n = 1;
    for (bool failed = true; failed; n++) {
        struct pattern_set patterns;
        alarm(HANG_SECONDS);
        faults_begin(mode, n);
        einspul_status status = pattern_set_init(&patterns, 2, 128, N_PATTERNS);
        for (uint32_t i = 0; i < N_PATTERNS && status == EINSPUL_OK; i++) {
            const uint8_t pattern[8] = {(uint8_t)(i & 0xff), (uint8_t)(i >> 8)};
            uint32_t number = 0;
            if (pattern_set_add(&patterns, pattern, &number) == EINSPUL_NO_MEMORY)
                status = pattern_set_add(&patterns, pattern, &number);
            faults_expect("patterns", status == EINSPUL_OK && number == i, "pattern %u has %u", i,
                          number);
        }
        failed = faults_end() > 0;
        alarm(0);
        pattern_set_free(&patterns);
    }
    faults_expect("patterns", n > 4, "no call fails");
}

/* KMvM and all it leads to, in a few chunks of memory: the rest is written to files and read
 * back. */
static einspul_status solve_in_little_memory(const struct rules *rules, struct store *store,
                                             einspul_error *error)
{
    struct material list[MAX_MATERIALS];
    struct material last;
    if (material_read("KMvM", &last, NULL) != EINSPUL_OK)
        abort();
    const int n = material_closure(&last, list);
    memset(store, 0, sizeof *store);
    store->rules = rules;
    einspul_status status = pager_create(root, &store->pager);
    if (status != EINSPUL_OK)
        return error_set(error, status, "not enough memory");
    pager_limit(store->pager, 20000);
    struct solver_type large = solver_fast; /* every second material's frames are large ones */
    large.large_states = 1;
    for (int i = 0; i < n && status == EINSPUL_OK; i++) {
        const struct material_params params = {.store = store,
                                               .material = list[i],
                                               .metric = EINSPUL_DTW,
                                               .solver = i % 2 == 0 ? &solver_fast : &large,
                                               .n_threads = 1};
        status = material_solve(&params, NULL, error);
    }
    for (int i = 0; i < n; i++)
        solved_destroy(store_get(store, &list[i]));
    return status;
}

/* Wrong: a value that could not be written or read is taken for another one. */
static void page_values(const struct fault_mode *mode)
{
    static struct store store;
    struct rules rules;
    einspul_error error = {0};
    uint64_t n = 1;
    if (rules_by_name(&rules, "english", NULL) != EINSPUL_OK)
        abort();
    for (bool failed = true; failed; n += 101) {
        alarm(HANG_SECONDS);
        faults_begin(mode, n);
        const einspul_status status = solve_in_little_memory(&rules, &store, &error);
        failed = faults_end() > 0;
        alarm(0);
        if (!failed)
            faults_expect("paging", store.pager != NULL && pager_bytes_read(store.pager) > 0,
                          "nothing was read back");
        pager_destroy(store.pager);
        if (status != EINSPUL_OK)
            faults_expect_named("paging", status, &error);
        faults_expect("paging", failed || status == EINSPUL_OK, "%s", error.text);
    }
    printf("paging, %s: %llu runs\n", mode->name, (unsigned long long)n / 101);
    faults_expect("paging", n > 1 + 101, "no call fails");
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
    grow_patterns(&fault_modes[0]);
    for (int m = 0; m < N_MODES; m++)
        page_values(&fault_modes[modes[m]]);
    remove_folder(root);
    return 0;
}
