/* Runs that are killed at any moment, between materials and inside one: what is there afterwards is
 * whole, the next run goes on from it, and a checkpoint is believed only when all of it is as it was
 * written. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/tables.h"

TestSuite(checkpoint, .init = make_folder, .fini = drop_folder);

/* kill -9 at any moment costs at most the material in work, and no file looks whole that is not. */
Test(checkpoint, killed_and_started_again, .timeout = 120)
{
    const struct rules rules = rules_named("frisian");
    char whole[PATH_SIZE];
    char path[PATH_SIZE];
    struct error error = {0};
    struct generate_options options = options_in(&rules, "whole", whole);
    int n_killed = 0;

    cr_assert_eq(generate_tables(&options, &error), STATUS_OK, "%s", error.text);
    options = options_in(&rules, "killed", path);
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
    struct generate_options options = options_in(rules, "whole", path);
    options.pieces = 0;
    options.checkpoint_seconds = -1;
    cr_assert_eq(material_read(material, &options.material, NULL), STATUS_OK);
    cr_assert_eq(generate_to_the_end(&options), CHILD_DONE);
    shell("cp -r whole part && rm part/frisian/%s.*", material);
    snprintf(path, PATH_SIZE, "%s/part", folder);
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
        cr_assert_lt(n_tries, 100, "no run was killed in time");
        (void)generate_and_kill(&options, checkpoint, 1 + n_tries++ % 8, 0);
        shell("rm -f part/frisian/%s.*", material);
    } while (stat(checkpoint, &info) != 0);
    return options;
}

/* kill -9 inside a material costs no more than what was done since the last checkpoint: each run
 * here gets further, and the bytes are those of a run that was left alone. */
Test(checkpoint, killed_inside_a_material, .timeout = 300)
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
Test(checkpoint, checkpoint_is_checked, .timeout = 300)
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
        shell("rm -rf part && cp -r kept part && cd part/frisian && %s",
              cases[i].change == NULL ? "true" : cases[i].change);
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
Test(checkpoint, checkpoint_is_used)
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
Test(checkpoint, checkpoint_left_out_or_over)
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
