/* Making tables: the same bytes whatever the threads and however often it was killed; refusals. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gen/folder.h"
#include "gen/generate.h"
#include "gen/plan.h"
#include "table/bytes.h"
#include "table/table_compress.h"
#include "table/table_format.h"
#include "table/table_read.h"
#include "tests/support/support.h"

enum { PATH_SIZE = 512 };

static char root[] = "/tmp/einspul-generate-XXXXXX";

static void make_root(void)
{
    cr_assert_not_null(mkdtemp(root));
}

/* Runs a shell command in the test's folder. */
static void shell(const char *command)
{
    char line[2 * PATH_SIZE];
    snprintf(line, sizeof line, "cd '%s' && %s", root, command);
    cr_assert_eq(system(line), 0, "%s", line);
}

static void remove_root(void)
{
    char line[PATH_SIZE];
    snprintf(line, sizeof line, "rm -rf '%s'", root);
    cr_assert_eq(system(line), 0);
}

static struct generate_options options_for(const struct rules *rules, const char *folder,
                                           char path[PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "%s/%s", root, folder);
    const struct generate_options options = {
        .rules = rules,
        .root = path,
        .pieces = 3,
        .metrics = METRICS_BOTH,
        .n_threads = 2,
        .level = 3,
        .solver = SOLVER_FAST,
    };
    return options;
}

/* Tables of one folder are those of the other, byte for byte, and nothing else is there. */
static void expect_same(const char *a, const char *b)
{
    char command[PATH_SIZE];
    snprintf(command, sizeof command, "diff -r -q '%s' '%s'", a, b);
    shell(command);
}

/* If bytes depended on threads, two people's tables could not be compared. */
Test(generate, same_bytes_for_any_threads, .init = make_root, .fini = remove_root)
{
    static const struct {
        const char *folder;
        int n_threads;
        enum solver_choice solver;
    } runs[] = {{"one", 1, SOLVER_FAST},
                {"two", 2, SOLVER_FAST},
                {"five", 5, SOLVER_FAST},
                {"plain", 3, SOLVER_PLAIN}};
    const struct rules rules = rules_named("frisian");
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char path[PATH_SIZE];
        struct error error = {0};
        struct generate_options options = options_for(&rules, runs[i].folder, path);
        options.n_threads = runs[i].n_threads;
        options.solver = runs[i].solver;
        cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
        expect_same("one", runs[i].folder);
    }
}

/* What one run left is brought in by the next: a table, a metric or a set may be missing. */
Test(generate, goes_on_from_what_is_there, .init = make_root, .fini = remove_root)
{
    static const char *const gone[] = {"KMvM.dtw", "KvK.wdl KKvM.dtw MMvM.wdl", "*.wdl",
                                       "KvM.dtw MMvK.dtw"};
    const struct rules rules = rules_named("frisian");
    char whole[PATH_SIZE];
    char path[PATH_SIZE];
    struct error error = {0};
    struct generate_options options = options_for(&rules, "whole", whole);
    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
    options = options_for(&rules, "part", path);
    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        char command[PATH_SIZE];
        snprintf(command, sizeof command, "cd part/frisian && rm %s", gone[i]);
        shell(command);
        cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
        expect_same("whole", "part");
    }
    /* In two steps: first without distances, then with them. */
    shell("rm -rf part");
    options.metrics = METRICS_WDL;
    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
    shell("for t in part/frisian/*.wdl; do cmp $t whole/frisian/${t##*/} || exit 1; done");
    options.metrics = METRICS_DTW;
    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
    expect_same("whole", "part");
}

/* Where memory is short, materials are let go of and read back from their tables. */
Test(generate, holds_nothing, .init = make_root, .fini = remove_root)
{
    const struct rules rules = rules_named("frisian");
    char whole[PATH_SIZE];
    char path[PATH_SIZE];
    struct error error = {0};
    struct generate_plan plan;
    int lock = -1;
    struct generate_options options = options_for(&rules, "whole", whole);
    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
    options = options_for(&rules, "part", path);
    options.n_threads = 1; /* so that nothing is written while it may go */
    cr_assert_eq(folder_make(path, &rules, &error), STATUS_OK, "%s", error.text);
    cr_assert_eq(folder_lock(path, &rules, &lock, &error), STATUS_OK, "%s", error.text);
    cr_assert_eq(generate_plan(&options, &plan, &error), STATUS_OK, "%s", error.text);
    memset(plan.holds, 0, sizeof plan.holds);
    cr_assert_eq(generate_run(&options, &plan, &error), STATUS_OK, "%s", error.text);
    close(lock);
    expect_same("whole", "part");
}

/* kill -9 at any moment costs at most the material in work, and no file looks whole that is not. */
Test(generate, killed_and_started_again, .init = make_root, .fini = remove_root, .timeout = 120)
{
    const struct rules rules = rules_named("frisian");
    char whole[PATH_SIZE];
    char path[PATH_SIZE];
    struct error error = {0};
    struct generate_options options = options_for(&rules, "whole", whole);
    int n_killed = 0;

    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
    options = options_for(&rules, "killed", path);
    options.n_threads = 1; /* a forked child must not meet the parent's idle threads */
    for (int try = 0; try < 60; try++) {
        const struct timespec pause = {0, 3000000L * (1 + try % 20)};
        int state = 0;
        const pid_t child = fork();
        cr_assert_geq(child, 0);
        if (child == 0)
            _exit(generate_tables(&options, NULL) == STATUS_OK ? 0 : 1);
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        cr_assert_eq(waitpid(child, &state, 0), child);
        n_killed += WIFSIGNALED(state);
        if (!WIFSIGNALED(state))
            break;
        /* Whatever stands under a table's name is that table. */
        shell("for t in killed/frisian/*.???; do [ ! -e $t ] || "
              "cmp $t whole/frisian/${t##*/} || exit 1; done");
    }
    cr_assert_gt(n_killed, 3, "only %d runs were killed", n_killed);
    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
    expect_same("whole", "killed");
}

/* --- checkpoints ------------------------------------------------------------------------------ */

enum { CHILD_DONE = 0, CHILD_FAILED = 1, CHILD_WENT_ON = 2, CHILD_KILLED = -1 };

static void observe(const struct generate_progress *progress, void *context)
{
    *(uint64_t *)context = progress->n_states_found;
}

/* In a process of its own, so that it can be killed, and so that this one never has threads, which
 * a forked child must not meet. */
static pid_t generate_apart(const struct generate_options *options, rlim_t largest_file)
{
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child != 0)
        return child;
    const struct rlimit limit = {largest_file, largest_file};
    struct generate_options watched = *options;
    uint64_t n_states_found = 0;
    watched.progress = observe;
    watched.context = &n_states_found;
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || generate_tables(&watched, NULL) != STATUS_OK)
        _exit(CHILD_FAILED);
    _exit(n_states_found > 0 ? CHILD_WENT_ON : CHILD_DONE);
}

static int exit_state(pid_t child)
{
    int state = 0;
    cr_assert_eq(waitpid(child, &state, 0), child);
    return WIFEXITED(state) ? WEXITSTATUS(state) : CHILD_KILLED;
}

static int generate_to_the_end(const struct generate_options *options)
{
    return exit_state(generate_apart(options, RLIM_INFINITY));
}

static bool has_ended(pid_t child)
{
    siginfo_t info = {0};
    cr_assert_eq(waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT), 0);
    return info.si_pid == child;
}

/* Kills a run some time after its n-th checkpoint, if it has not come to its end. */
static int generate_and_kill(const struct generate_options *options, const char *checkpoint, int n,
                             int milliseconds)
{
    const struct timespec tick = {0, 200000};
    const struct timespec pause = {0, 1000000L * milliseconds};
    struct stat before = {0};
    struct stat after = {0};
    (void)stat(checkpoint, &before);
    const pid_t child = generate_apart(options, RLIM_INFINITY);
    while (n > 0 && !has_ended(child)) {
        nanosleep(&tick, NULL);
        if (stat(checkpoint, &after) == 0 && after.st_ino != before.st_ino) {
            before = after;
            n--;
        }
    }
    nanosleep(&pause, NULL);
    kill(child, SIGKILL);
    return exit_state(child);
}

/* Makes a material's tables in "whole" without checkpoints, and in "part" all it leads to. Returns
 * the options, and the path of the checkpoint, for making the rest with one at every level. */
static struct generate_options make_whole_and_part(const struct rules *rules, const char *material,
                                                   char path[PATH_SIZE],
                                                   char checkpoint[2 * PATH_SIZE])
{
    char command[PATH_SIZE];
    struct generate_options options = options_for(rules, "whole", path);
    options.pieces = 0;
    options.checkpoint_seconds = -1;
    cr_assert_eq(material_read(material, &options.material, NULL), STATUS_OK);
    cr_assert_eq(generate_to_the_end(&options), CHILD_DONE);
    snprintf(command, sizeof command, "cp -r whole part && rm part/frisian/%s.*", material);
    shell(command);
    snprintf(path, PATH_SIZE, "%s/part", root);
    snprintf(checkpoint, 2 * PATH_SIZE, "%s/frisian/.%s.part", path, material);
    options.checkpoint_seconds = 1e-9;
    return options;
}

/* The same, and leaves a checkpoint in "part". */
static struct generate_options stop_inside(const struct rules *rules, const char *material,
                                           char path[PATH_SIZE], char checkpoint[2 * PATH_SIZE])
{
    struct stat info;
    const struct generate_options options = make_whole_and_part(rules, material, path, checkpoint);
    int n_tries = 0;
    do {
        char command[PATH_SIZE];
        cr_assert_lt(n_tries, 100, "no run was killed in time");
        (void)generate_and_kill(&options, checkpoint, 1 + n_tries++ % 8, 0);
        snprintf(command, sizeof command, "rm -f part/frisian/%s.*", material);
        shell(command);
    } while (stat(checkpoint, &info) != 0);
    return options;
}

/* kill -9 inside a material costs no more than what was done since the last checkpoint: each run
 * here gets further, and the bytes are those of a run that was left alone. */
Test(generate, killed_inside_a_material, .init = make_root, .fini = remove_root, .timeout = 300)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char checkpoint[2 * PATH_SIZE];
    uint64_t seed = 1;
    int n_killed = 0;
    int state = CHILD_KILLED;
    struct generate_options options = make_whole_and_part(&rules, "KMvKM", path, checkpoint);

    while (state == CHILD_KILLED) {
        struct stat info;
        options.n_threads = 1 + n_killed % 2;
        state = generate_and_kill(&options, checkpoint, 2 + random_below(&seed, 4),
                                  random_below(&seed, 60));
        n_killed += state == CHILD_KILLED && stat(checkpoint, &info) == 0;
        cr_assert_leq(n_killed, 50, "runs get no further");
    }
    cr_assert_neq(state, CHILD_FAILED);
    cr_assert_gt(n_killed, 2, "only %d runs were killed", n_killed);
    expect_same("whole", "part");
}

/* Changes a bit of the byte at `offset`, which is counted from the end if it is negative. */
static void flip_bit(const char *path, long offset)
{
    FILE *file = fopen(path, "r+b");
    const int from = offset < 0 ? SEEK_END : SEEK_SET;
    cr_assert_not_null(file);
    cr_assert_eq(fseek(file, offset, from), 0);
    const int byte = fgetc(file);
    cr_assert_neq(byte, EOF, "no byte %ld", offset);
    cr_assert_eq(fseek(file, offset, from), 0);
    cr_assert_neq(fputc(byte ^ 64, file), EOF);
    cr_assert_eq(fclose(file), 0);
}

/* What a checkpoint says is believed only when all of it is as it was written. */
Test(generate, checkpoint_is_checked, .init = make_root, .fini = remove_root, .timeout = 300)
{
    static const struct {
        const char *what;
        const char *change; /* a command, or NULL: a bit of a byte */
        long offset;
        int state;
    } cases[] = {
        {"as it was", "true", 0, CHILD_WENT_ON},
        {"with what a writer left", "cp .KMvM.part ..KMvM.part.tmp", 0, CHILD_WENT_ON},
        {"a byte short", "truncate -s -1 .KMvM.part", 0, CHILD_DONE},
        {"a byte long", "truncate -s +1 .KMvM.part", 0, CHILD_DONE},
        {"short", "truncate -s 300000 .KMvM.part", 0, CHILD_DONE},
        {"empty", ": > .KMvM.part", 0, CHILD_DONE},
        {"a folder", "rm .KMvM.part && mkdir .KMvM.part", 0, CHILD_DONE},
        {"magic", NULL, 0, CHILD_DONE},
        {"version", NULL, 8, CHILD_DONE},
        {"rule set", NULL, 12, CHILD_DONE},
        {"metric", NULL, 16, CHILD_DONE},
        {"material", NULL, 21, CHILD_DONE},
        {"level", NULL, 40, CHILD_DONE},
        {"number of patterns", NULL, 47, CHILD_DONE},
        {"a value", NULL, 60, CHILD_DONE},
        {"a placement", NULL, 300000, CHILD_DONE},
        {"quiet", NULL, -1000, CHILD_DONE},
        {"checksum", NULL, -1, CHILD_DONE},
    };
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char checkpoint[2 * PATH_SIZE];
    const struct generate_options options = stop_inside(&rules, "KMvM", path, checkpoint);
    shell("cp -r part kept");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char command[PATH_SIZE];
        snprintf(command, sizeof command, "rm -rf part && cp -r kept part && cd part/frisian && %s",
                 cases[i].change == NULL ? "true" : cases[i].change);
        shell(command);
        if (cases[i].change == NULL)
            flip_bit(checkpoint, cases[i].offset);
        const int state = generate_to_the_end(&options);
        cr_assert_eq(state, cases[i].state, "%s: %d", cases[i].what, state);
        (void)rmdir(checkpoint); /* where it is a folder, it is left alone */
        expect_same("whole", "part");
    }
}

/* The values of a checkpoint are those that end up in the tables: one that is changed, and its
 * checksum with it, is found there. */
Test(generate, checkpoint_is_used, .init = make_root, .fini = remove_root)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char checkpoint[2 * PATH_SIZE];
    struct stat info;
    const struct generate_options options = stop_inside(&rules, "KMvM", path, checkpoint);
    FILE *file = fopen(checkpoint, "r+b");
    cr_assert_not_null(file);
    cr_assert_eq(fstat(fileno(file), &info), 0);
    const size_t n_bytes = (size_t)info.st_size;
    uint8_t *bytes = malloc(n_bytes);
    cr_assert_eq(fread(bytes, 1, n_bytes, file), n_bytes);
    cr_assert_eq(load_u64(bytes + n_bytes - 8), format_checksum(bytes, n_bytes - 8));
    bytes[56] ^= 64; /* the first pattern's first value */
    store_u64(bytes + n_bytes - 8, format_checksum(bytes, n_bytes - 8));
    rewind(file);
    cr_assert_eq(fwrite(bytes, 1, n_bytes, file), n_bytes);
    fclose(file);
    free(bytes);
    cr_assert_eq(generate_to_the_end(&options), CHILD_WENT_ON);
    shell("! cmp -s whole/frisian/KMvM.dtw part/frisian/KMvM.dtw");
}

/* A checkpoint that cannot be written, as on a full disk, is left out; one of a complete material,
 * whose run was stopped at the very end, is removed. */
Test(generate, checkpoint_left_out_or_over, .init = make_root, .fini = remove_root)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char checkpoint[2 * PATH_SIZE];
    const struct generate_options options = stop_inside(&rules, "KMvM", path, checkpoint);
    shell("cp part/frisian/.KMvM.part kept && rm part/frisian/.KMvM.part");
    cr_assert_eq(exit_state(generate_apart(&options, 250000)), CHILD_DONE);
    expect_same("whole", "part");
    shell("cp kept part/frisian/.KMvM.part");
    cr_assert_eq(generate_to_the_end(&options), CHILD_DONE);
    expect_same("whole", "part");
}

/* --- tables that leave a side out ------------------------------------------------------------- */

/* Compresses the distances of a material in a folder; returns whether a side was left out. */
static bool leave_out(const struct rules *rules, const char *path, const struct material *material)
{
    char file[2 * PATH_SIZE];
    struct table *table = NULL;
    struct error error = {0};
    uint64_t n_bytes = 0;
    cr_assert_eq(generate_path(path, rules, material, METRIC_DTW, file, sizeof file, &error),
                 STATUS_OK);
    cr_assert_eq(table_open(file, rules, material, METRIC_DTW, &file_io_map, &table, &error),
                 STATUS_OK, "%s", error.text);
    cr_assert_eq(table_compress(table, rules, METRIC_DTW, false, file, 2, &n_bytes, &error),
                 STATUS_OK, "%s", error.text);
    table_close(table);
    cr_assert_eq(table_open(file, rules, material, METRIC_DTW, &file_io_map, &table, &error),
                 STATUS_OK, "%s", error.text);
    const bool left_out = !table_is_whole(table);
    table_close(table);
    return left_out;
}

/* Compresses all tables of two and three pieces. */
static void leave_all_out(const struct rules *rules, const char *path)
{
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, 3, materials);
    int n_left_out = 0;
    for (int i = 0; i < n_materials; i++)
        n_left_out += leave_out(rules, path, &materials[i]);
    cr_assert_geq(n_left_out, 6);
}

/* What a table leaves out is needed for those that lead to it. If it were not had, or wrong, they
 * could not be made any more, or came out wrong. */
Test(generate, goes_on_from_tables_that_leave_a_side_out, .init = make_root, .fini = remove_root)
{
    const struct rules rules = rules_named("frisian");
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, 3, materials);
    char whole[PATH_SIZE];
    char path[PATH_SIZE];
    struct error error = {0};
    struct generate_plan plan;
    struct generate_options options = options_for(&rules, "whole", whole);
    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
    shell("cp -r whole left");
    options = options_for(&rules, "left", path);
    leave_all_out(&rules, path);

    /* Complete as they are. */
    shell("cp -r left kept");
    cr_assert_eq(generate_plan(&options, &plan, &error), STATUS_OK, "%s", error.text);
    for (int i = 0; i < plan.n_materials; i++)
        cr_assert(plan.complete[i]);
    cr_assert_eq(generate_run(&options, &plan, &error), STATUS_OK, "%s", error.text);
    expect_same("kept", "left");

    for (int i = 0; i < n_materials; i++) {
        char name[MATERIAL_NAME_SIZE];
        char command[2 * PATH_SIZE];
        material_write(&materials[i], name);
        snprintf(command, sizeof command, "rm left/frisian/%s.%s", name, i % 2 == 0 ? "dtw" : "*");
        shell(command);
        options.solver = i % 3 == 0 ? SOLVER_PLAIN : SOLVER_FAST;
        cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
        snprintf(
            command, sizeof command,
            "cmp whole/frisian/%s.dtw left/frisian/%s.dtw && "
            "cmp whole/frisian/%s.wdl left/frisian/%s.wdl && cp kept/frisian/%s.dtw left/frisian",
            name, name, name, name, name);
        shell(command);
        expect_same("kept", "left");
    }
}

/* How often a plan lets go of a material that it brings in again. */
static int times_brought_back(const struct generate_plan *plan)
{
    int n = 0;
    for (int j = 0; j < plan->n_materials; j++) {
        bool held = false;
        bool let_go = false;
        for (int i = 0; i < plan->n_materials; i++) {
            if (plan->complete[i])
                continue;
            n += let_go && plan->holds[i][j];
            let_go = (let_go || held) && !plan->holds[i][j];
            held = plan->holds[i][j];
        }
    }
    return n;
}

/* Where memory is short, what was solved again is let go of and solved once more, after all that it
 * leads to by promotion too. */
Test(generate, holds_little_of_tables_that_leave_a_side_out, .init = make_root, .fini = remove_root,
     .timeout = 120)
{
    enum { AS_PLANNED, WHAT_FITS, NOTHING, N_WAYS };
    static const char *const names[] = {"KMvKM", "KMvMM", "KKvMM"};
    const struct rules rules = rules_named("english");
    char path[PATH_SIZE];
    struct error error = {0};
    int n_back = 0;
    struct generate_options options = options_for(&rules, "small", path);
    options.metrics = METRICS_DTW;
    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
    shell("cp -r small kept");
    snprintf(path, sizeof path, "%s/kept", root);
    leave_all_out(&rules, path);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char command[2 * PATH_SIZE];
        uint64_t least = 0;
        shell("rm -rf whole && cp -r small whole");
        options = options_for(&rules, "whole", path);
        options.metrics = METRICS_DTW;
        options.pieces = 0;
        options.n_threads = 1; /* so that nothing is written while it may go */
        cr_assert_eq(material_read(names[i], &options.material, NULL), STATUS_OK);
        cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
        for (int way = AS_PLANNED; way < N_WAYS; way++) {
            struct generate_plan plan;
            shell("rm -rf left && cp -r kept left");
            snprintf(path, sizeof path, "%s/left", root);
            if (way == WHAT_FITS) {
                options.memory_bytes = 1;
                cr_assert_eq(generate_plan(&options, &plan, &error), STATUS_OK);
                least = plan.memory_bytes;
            }
            options.memory_bytes = way == WHAT_FITS ? least : 0;
            cr_assert_eq(generate_plan(&options, &plan, &error), STATUS_OK, "%s", error.text);
            if (way == NOTHING)
                memset(plan.holds, 0, sizeof plan.holds);
            n_back += way == WHAT_FITS ? times_brought_back(&plan) : 0;
            cr_assert_eq(generate_run(&options, &plan, &error), STATUS_OK, "%s", error.text);
            snprintf(command, sizeof command,
                     "for t in whole/english/*.dtw; do n=${t##*/}; [ -e small/english/$n ] || "
                     "cmp $t left/english/$n || exit 1; done; cmp whole/english/%s.dtw "
                     "left/english/%s.dtw",
                     names[i], names[i]);
            shell(command);
        }
    }
    cr_assert_gt(n_back, 0, "nothing was let go of and brought in again");
}

/* A plan that solves a table again holds what that takes: if not, a run would take more memory than
 * it was given. */
Test(generate, plan_holds_what_solving_again_takes, .init = make_root, .fini = remove_root)
{
    const struct rules rules = rules_named("english");
    char path[PATH_SIZE];
    struct error error = {0};
    struct generate_plan plan;
    struct generate_options options = options_for(&rules, "left", path);
    int n_again = 0;
    options.metrics = METRICS_DTW;
    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
    leave_all_out(&rules, path);
    options.pieces = 4;
    options.memory_bytes = 1;
    cr_assert_eq(generate_plan(&options, &plan, &error), STATUS_OK, "%s", error.text);
    for (int i = 0; i < plan.n_materials; i++) {
        bool needs[MAX_MATERIALS];
        n_again += plan.solved_again[i];
        cr_assert_eq(plan.complete[i], material_pieces(&plan.materials[i]) < 4);
        cr_assert(!plan.solved_again[i] || plan.complete[i]);
        cr_assert_eq(plan_succession(&plan, i),
                     plan.solved_again[i] ? BY_CAPTURE_OR_PROMOTION : BY_CAPTURE);
        if (plan.complete[i])
            continue;
        plan_needs(&plan, i, BY_CAPTURE_OR_PROMOTION, needs);
        for (int j = i - 1; j >= 0; j--) {
            bool behind[MAX_MATERIALS];
            cr_assert(!needs[j] || plan.holds[i][j]);
            if (!needs[j] || !plan.solved_again[j] || (i > 0 && plan.holds[i - 1][j]))
                continue;
            plan_needs(&plan, j, BY_CAPTURE_OR_PROMOTION, behind);
            for (int k = 0; k < j; k++)
                needs[k] = needs[k] || behind[k];
        }
    }
    cr_assert_geq(n_again, 6);
}

/* A damaged table is not taken for complete: it is made anew. */
Test(generate, damaged_table_is_made_anew, .init = make_root, .fini = remove_root)
{
    const struct rules rules = rules_named("frisian");
    char whole[PATH_SIZE];
    char path[PATH_SIZE];
    struct error error = {0};
    struct generate_options options = options_for(&rules, "whole", whole);
    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
    options = options_for(&rules, "hurt", path);
    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
    shell("cd hurt/frisian && truncate -s -1 KvM.dtw && : > MMvM.wdl && "
          "printf x | dd of=KMvK.wdl bs=1 seek=3000 conv=notrunc 2>/dev/null");
    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
    expect_same("whole", "hurt");
}

/* Each refusal names what is wrong, and leaves the folder as it was. */
Test(generate, refusals, .init = make_root, .fini = remove_root)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char file[PATH_SIZE + 32];
    struct error error = {0};
    struct stat info;
    struct generate_options options = options_for(&rules, "refused", path);

    options.memory_bytes = 1 << 20;
    cr_assert_eq(generate_tables(&options, &error), STATUS_NO_MEMORY);
    cr_assert_not_null(strstr(error.text, "memory"), "%s", error.text);
    cr_assert_neq(stat(path, &info), 0, "the folder was made");

    options.memory_bytes = 0;
    options.pieces = MAX_PIECES + 1;
    cr_assert_eq(generate_tables(&options, &error), STATUS_BAD_ARGUMENT);

    /* A file where the folder should be. */
    options.pieces = 2;
    shell("touch refused");
    cr_assert_eq(generate_tables(&options, &error), STATUS_IO);
    cr_assert_not_null(strstr(error.text, "refused"), "%s", error.text);
    shell("rm refused");

    /* Another process is at work in the same folder. */
    shell("mkdir -p refused/frisian");
    snprintf(file, sizeof file, "%s/frisian/.lock", path);
    const int lock = open(file, O_RDWR | O_CREAT, 0666);
    cr_assert_geq(lock, 0);
    cr_assert_eq(flock(lock, LOCK_EX), 0);
    cr_assert_eq(generate_tables(&options, &error), STATUS_LOCKED);
    cr_assert_not_null(strstr(error.text, ".lock"), "%s", error.text);
    close(lock);
    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
}

/* A whole material's plan holds what it needs and no more, in an order that can be solved. */
Test(generate, plan_of_one_material, .init = make_root, .fini = remove_root)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct error error = {0};
    struct generate_plan plan;
    char name[MATERIAL_NAME_SIZE];
    char all[256] = "";
    struct generate_options options = options_for(&rules, "plan", path);
    options.pieces = 0;
    cr_assert_eq(material_read("KMvM", &options.material, NULL), STATUS_OK);
    cr_assert_eq(generate_plan(&options, &plan, &error), STATUS_OK, "%s", error.text);
    for (int i = 0; i < plan.n_materials; i++) {
        material_write(&plan.materials[i], name);
        strcat(strcat(all, name), " ");
        cr_assert_not(plan.complete[i]);
    }
    cr_assert_str_eq(all, "KvK KvM MvM KKvK KKvM KMvK KMvM ");
    cr_assert_gt(plan.memory_bytes, 0);
    cr_assert_gt(plan.disk_bytes, 0);
}

/* A plan that would not fit holds less, down to what each material needs. */
Test(generate, plan_holds_what_fits, .init = make_root, .fini = remove_root)
{
    static const uint64_t limits[] = {UINT64_MAX, (uint64_t)40 << 30, 1};
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_plan plans[3];
    struct generate_options options = options_for(&rules, "plan", path);
    options.pieces = 6;
    options.metrics = METRICS_WDL;
    for (int i = 0; i < 3; i++) {
        options.memory_bytes = limits[i];
        cr_assert_eq(generate_plan(&options, &plans[i], NULL), STATUS_OK);
    }
    cr_assert_gt(plans[0].memory_bytes, limits[1]);
    cr_assert_leq(plans[1].memory_bytes, limits[1]);
    cr_assert_leq(plans[2].memory_bytes, plans[1].memory_bytes);
    for (int i = 0; i < plans[2].n_materials; i++) {
        bool needs[MAX_MATERIALS];
        plan_needs(&plans[2], i, BY_CAPTURE_OR_PROMOTION, needs);
        for (int j = 0; j < i; j++)
            cr_assert(!needs[j] || plans[2].holds[i][j]);
    }
}

/* Room on the disk is asked for the checkpoints of large materials. */
Test(generate, plan_of_checkpoints, .init = make_root, .fini = remove_root)
{
    static const struct {
        const char *material;
        uint64_t least, most;
    } cases[] = {{"KMvM", 0, 0}, {"KKMvKM", 700000000, 1500000000}};
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_plan with;
    struct generate_plan without;
    struct generate_options options = options_for(&rules, "plan", path);
    options.pieces = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_assert_eq(material_read(cases[i].material, &options.material, NULL), STATUS_OK);
        options.checkpoint_seconds = 0;
        cr_assert_eq(generate_plan(&options, &with, NULL), STATUS_OK);
        options.checkpoint_seconds = -1;
        cr_assert_eq(generate_plan(&options, &without, NULL), STATUS_OK);
        cr_assert_geq(with.disk_bytes - without.disk_bytes, cases[i].least);
        cr_assert_leq(with.disk_bytes - without.disk_bytes, cases[i].most);
    }
}

/* --- values on record ------------------------------------------------------------------------- */

/* Compares the hashes of the tables of a rule set that are there with data/hashes.tsv; returns how
 * many these are. */
static int compare_hashes(const struct rules *rules, const char *folder)
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
        snprintf(path, sizeof path, "%s/%s/%s.%s", folder, rules_name, name, metric_name);
        if (strcmp(rules_name, rules->name) != 0 || access(path, F_OK) != 0)
            continue;
        const enum metric metric = strcmp(metric_name, "wdl") == 0 ? METRIC_WDL : METRIC_DTW;
        cr_assert_eq(material_read(name, &material, NULL), STATUS_OK);
        cr_assert_eq(table_open(path, rules, &material, metric, &file_io_map, &table, NULL),
                     STATUS_OK, "%s", path);
        cr_assert_eq(table_value_hash(table), (uint64_t)hash, "%s", line);
        table_close(table);
        n_compared++;
    }
    fclose(file);
    return n_compared;
}

/* Wrong: other values than those that were verified, and that tables were published with. */
Test(generate, values_are_those_on_record, .init = make_root, .fini = remove_root)
{
    static const struct {
        const char *rules;
        int pieces, n_files;
    } cases[] = {{"frisian", 4, 46},      {"frisian-no17", 3, 18},  {"frisian-no18", 3, 18},
                 {"frisian-free", 3, 18}, {"international", 3, 18}, {"english", 4, 46}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct rules rules = rules_named(cases[i].rules);
        struct error error = {0};
        char path[PATH_SIZE];
        struct generate_options options = options_for(&rules, "record", path);
        options.pieces = cases[i].pieces;
        cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
        cr_assert_eq(compare_hashes(&rules, path), cases[i].n_files, "%s", cases[i].rules);
    }
}
