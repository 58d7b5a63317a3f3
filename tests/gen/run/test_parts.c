/* Runs that are killed at any moment, between materials and inside one: what is there afterwards is
 * whole, the next run goes on from it, and what it has kept of a material is believed only where it
 * is as it was written. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "table/bytes.h"
#include "table/table_format.h"
#include "tests/support/tables.h"

TestSuite(parts, .init = make_folder, .fini = drop_folder);

/* kill -9 at any moment costs at most the material in work, and no file looks whole that is not. */
Test(parts, killed_and_started_again, .timeout = 120)
{
    const struct rules rules = rules_named("frisian");
    char whole[PATH_SIZE];
    char path[PATH_SIZE];
    einspul_error error = {0};
    struct generate_options options = options_in(&rules, "whole", whole);
    int n_killed = 0;

    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
    options = options_in(&rules, "killed", path);
    options.n_threads = 1; /* a forked child must not meet the parent's idle threads */
    for (int try = 0; try < 60; try++) {
        const struct timespec pause = {0, 3000000L * (1 + try % 20)};
        int state = 0;
        const pid_t child = fork();
        cr_assert_geq(child, 0);
        if (child == 0)
            _exit(generate_tables(&options, NULL) == EINSPUL_OK ? 0 : 1);
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
    cr_assert_eq(generate_tables(&options, &error), EINSPUL_OK, "%s", error.text);
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
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || generate_tables(&watched, NULL) != EINSPUL_OK)
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

/* Kills a run some time after the file of what it has solved grew for the n-th time, if it has not
 * come to its end. */
static int generate_and_kill(const struct generate_options *options, const char *part, int n,
                             int milliseconds)
{
    const struct timespec tick = {0, 200000};
    const struct timespec pause = {0, 1000000L * milliseconds};
    struct stat before = {0};
    struct stat after = {0};
    if (stat(part, &before) != 0)
        before.st_size = 0;
    const pid_t child = generate_apart(options, RLIM_INFINITY);
    while (n > 0 && !has_ended(child)) {
        nanosleep(&tick, NULL);
        if (stat(part, &after) == 0 && after.st_size > before.st_size) {
            before = after;
            n--;
        }
    }
    nanosleep(&pause, NULL);
    kill(child, SIGKILL);
    return exit_state(child);
}

/* Makes a material's tables in "whole", and in "part" all it leads to. Returns the options for
 * making the rest, and the path of the file of what is solved of it. */
static struct generate_options make_whole_and_part(const struct rules *rules, const char *material,
                                                   char path[PATH_SIZE], char part[2 * PATH_SIZE])
{
    struct generate_options options = options_in(rules, "whole", path);
    options.pieces = 0;
    options.parts = PARTS_NONE;
    cr_assert_eq(material_read(material, &options.material, NULL), EINSPUL_OK);
    cr_assert_eq(generate_to_the_end(&options), CHILD_DONE);
    shell("cp -r whole part && rm part/frisian/%s.*", material);
    snprintf(path, PATH_SIZE, "%s/part", folder);
    snprintf(part, 2 * PATH_SIZE, "%s/frisian/.%s.part", path, material);
    options.parts = PARTS_ALL;
    return options;
}

/* The same, and leaves such a file in "part" with a good deal in it. */
static struct generate_options stop_inside(const struct rules *rules, const char *material,
                                           char path[PATH_SIZE], char part[2 * PATH_SIZE])
{
    struct stat info;
    const struct generate_options options = make_whole_and_part(rules, material, path, part);
    int n_tries = 0;
    do {
        cr_assert_lt(n_tries, 100, "no run was killed in time");
        (void)generate_and_kill(&options, part, 8 + n_tries++ % 8, 0);
        shell("rm -f part/frisian/%s.*", material);
    } while (stat(part, &info) != 0 || info.st_size < 20000);
    return options;
}

/* kill -9 inside a material costs no more than the frames in work: each run here gets further, and
 * the bytes are those of a run that was left alone. */
Test(parts, killed_inside_a_material, .timeout = 300)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char part[2 * PATH_SIZE];
    uint64_t seed = 1;
    int n_killed = 0;
    int state = CHILD_KILLED;
    struct generate_options options = make_whole_and_part(&rules, "KMvKM", path, part);

    while (state == CHILD_KILLED) {
        struct stat info;
        options.n_threads = 1 + n_killed % 2;
        state = generate_and_kill(&options, part, 40 + random_below(&seed, 200),
                                  random_below(&seed, 60));
        n_killed += state == CHILD_KILLED && stat(part, &info) == 0;
        cr_assert_leq(n_killed, 50, "runs get no further");
    }
    cr_assert_neq(state, CHILD_FAILED);
    cr_assert_gt(n_killed, 2, "only %d runs were killed", n_killed);
    expect_same("whole", "part");
}

/* The same where others may solve the material too, and two processes do at once: they copy what
 * killed ones have left, and leave nothing themselves. */
Test(parts, killed_in_a_shared_folder, .timeout = 300)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char part[2 * PATH_SIZE];
    uint64_t seed = 2;
    bool went_on = false;
    struct generate_options options = make_whole_and_part(&rules, "KMvKM", path, part);

    options.only = true;
    options.n_threads = 1;
    char count[2 * PATH_SIZE];
    snprintf(count, sizeof count, "ls '%s'/frisian/.KMvKM.dtw.*.part >/dev/null 2>&1", path);
    int n_kept = 0; /* killed runs that have left something; each copies what the last one left */
    for (int i = 0; n_kept < 2; i++) {
        const int milliseconds = 20 * i + random_below(&seed, 300); /* later in a slow machine */
        const struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
        cr_assert_lt(i, 100, "no run was killed in time");
        const pid_t child = generate_apart(&options, RLIM_INFINITY);
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        if (exit_state(child) != CHILD_KILLED)
            shell("rm -f part/frisian/KMvKM.*");
        n_kept = system(count) == 0 ? n_kept + 1 : 0;
    }
    const pid_t twins[2] = {generate_apart(&options, RLIM_INFINITY),
                            generate_apart(&options, RLIM_INFINITY)};
    for (int i = 0; i < 2; i++) {
        const int state = exit_state(twins[i]);
        cr_assert(state == CHILD_DONE || state == CHILD_WENT_ON, "%d", state);
        went_on = went_on || state == CHILD_WENT_ON;
    }
    cr_assert(went_on, "what was left is solved again");
    expect_same("whole", "part");
    shell("! ls part/frisian/.KMvKM.* >/dev/null 2>&1");
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

/* What the file says is believed only where it is as it was written, and was written for the same
 * values; the rest is solved again. */
Test(parts, part_is_checked, .timeout = 300)
{
    static const struct {
        const char *what;
        const char *change; /* a command, or NULL: a bit of a byte */
        long offset;
        int state;
    } cases[] = {
        {"as it was", "true", 0, CHILD_WENT_ON},
        {"a byte short", "truncate -s -1 .KMvM.part", 0, CHILD_WENT_ON},
        {"a byte long", "truncate -s +1 .KMvM.part", 0, CHILD_WENT_ON},
        {"a hole behind it", "truncate -s +9999 .KMvM.part", 0, CHILD_WENT_ON},
        {"short", "truncate -s 200 .KMvM.part", 0, CHILD_DONE},
        {"empty", ": > .KMvM.part", 0, CHILD_DONE},
        {"a folder", "rm .KMvM.part && mkdir .KMvM.part", 0, CHILD_DONE},
        {"magic", NULL, 0, CHILD_DONE},
        {"version", NULL, 7, CHILD_DONE},
        {"rule set", NULL, 8, CHILD_DONE},
        {"metric", NULL, 12, CHILD_DONE},
        {"material", NULL, 17, CHILD_DONE},
        {"placements", NULL, 24, CHILD_DONE},
        {"pages", NULL, 32, CHILD_DONE},
        {"what it was made from", NULL, 48, CHILD_DONE},
        {"form", NULL, 72, CHILD_DONE},
        {"build", NULL, 80, CHILD_DONE},
        {"first head", NULL, 88, CHILD_DONE},
        {"first content", NULL, 146, CHILD_WENT_ON},
        {"checksum of the first", NULL, 131, CHILD_WENT_ON},
        {"in the middle", NULL, 4000, CHILD_WENT_ON},
        {"at the end", NULL, -1, CHILD_WENT_ON},
    };
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char part[2 * PATH_SIZE];
    const struct generate_options options = stop_inside(&rules, "KMvM", path, part);
    shell("cp -r part kept");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        shell("rm -rf part && cp -r kept part && cd part/frisian && %s",
              cases[i].change == NULL ? "true" : cases[i].change);
        if (cases[i].change == NULL)
            flip_bit(part, cases[i].offset);
        const int state = generate_to_the_end(&options);
        cr_assert_eq(state, cases[i].state, "%s: %d", cases[i].what, state);
        (void)rmdir(part); /* where it is a folder, it is left alone */
        expect_same("whole", "part");
    }
}

/* Puts a page number into the head of a record of the file, and its checksums right. */
static void set_page(uint8_t *record, uint64_t page)
{
    uint64_t n_bytes = load_u32(record + 24);
    uint8_t *bytes = malloc(40 + n_bytes);
    store_u64(record, page);
    store_u64(record + 32, format_checksum(record, 32));
    memcpy(bytes, record, 40);
    memcpy(bytes + 40, record + 48, n_bytes);
    store_u64(record + 40, format_checksum(bytes, 40 + n_bytes));
    free(bytes);
}

/* The values in the file are those that end up in the tables: where two pages are exchanged, it is
 * found there. If not, the tests above would tell nothing. */
Test(parts, part_is_used)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char part[2 * PATH_SIZE];
    struct stat info;
    const struct generate_options options = stop_inside(&rules, "KMvM", path, part);
    FILE *file = fopen(part, "r+b");
    cr_assert_not_null(file);
    cr_assert_eq(fstat(fileno(file), &info), 0);
    const size_t n_bytes = (size_t)info.st_size;
    uint8_t *bytes = malloc(n_bytes);
    cr_assert_eq(fread(bytes, 1, n_bytes, file), n_bytes);
    uint8_t *last[2] = {NULL, NULL}; /* records of large pages, both sides */
    bool done = false;
    const uint64_t per_side = load_u64(bytes + 8 + 24) / 2;
    for (size_t at = 88; at + 48 <= n_bytes && !done; at += 48 + load_u32(bytes + at + 24)) {
        const int side = load_u64(bytes + at) >= per_side;
        if (at + 48 + load_u32(bytes + at + 24) > n_bytes)
            break;
        if (load_u32(bytes + at + 12) != 3200)
            continue;
        if (last[side] != NULL) {
            const uint64_t page = load_u64(bytes + at);
            set_page(bytes + at, load_u64(last[side]));
            set_page(last[side], page);
            done = true;
        }
        last[side] = bytes + at;
    }
    cr_assert(done, "too few records of a whole page");
    rewind(file);
    cr_assert_eq(fwrite(bytes, 1, n_bytes, file), n_bytes);
    fclose(file);
    free(bytes);
    cr_assert_eq(generate_to_the_end(&options), CHILD_WENT_ON);
    shell("! cmp -s whole/frisian/KMvM.dtw part/frisian/KMvM.dtw");
}

/* Wrong: a smaller table is replaced after a run was stopped, and what is left of the run, made
 * from the old one, is mixed with what is made from the new one. */
Test(parts, part_of_other_tables)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char part[2 * PATH_SIZE];
    const struct generate_options options = stop_inside(&rules, "KMvM", path, part);
    flip_bit(part, 8 + 40); /* as if it had been made from others */
    cr_assert_eq(generate_to_the_end(&options), CHILD_DONE);
    expect_same("whole", "part");
}

/* A file that cannot be written, as on a full disk, is left out; one of a complete material, whose
 * run was stopped at the very end, is removed. */
Test(parts, part_left_out_or_over)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char part[2 * PATH_SIZE];
    struct generate_options options = stop_inside(&rules, "KMvM", path, part);
    shell("cp part/frisian/.KMvM.part kept && rm part/frisian/.KMvM.part");
    options.metrics = METRICS_WDL; /* whose table is smaller than the file */
    cr_assert_eq(exit_state(generate_apart(&options, 40000)), CHILD_DONE);
    shell("cmp whole/frisian/KMvM.wdl part/frisian/KMvM.wdl");
    options.metrics = METRICS_BOTH;
    cr_assert_eq(generate_to_the_end(&options), CHILD_DONE);
    shell("cp kept part/frisian/.KMvM.part");
    cr_assert_eq(generate_to_the_end(&options), CHILD_DONE);
    expect_same("whole", "part");
}
