/* Runs killed before any given file call: existing files are complete, the next run resumes, and
 * partial results are used only if their checksums match. */
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gen/run/generate.h"
#include "tests/support/faults.h"
#include "tests/support/tables.h"

#define NUMBER "0123456789abcdef" /* of a part */

TestSuite(resume, .init = make_folder, .fini = drop_folder);

enum { CHILD_DONE = 0, CHILD_FAILED = 1, CHILD_WENT_ON = 2, CHILD_KILLED = -1 };

static void observe(const struct generate_progress *progress, void *context)
{
    *(uint64_t *)context = progress->n_states_found;
}

static void kill_this_process(void)
{
    kill(getpid(), SIGKILL);
}

static _Atomic int stop;
static int stop_after; /* microseconds; 0: never */

static void stop_this_process(int signal_number)
{
    stop = signal_number;
}

/* Runs in a process of its own, so that it can be killed, and this one never has threads, which a
 * forked child must not inherit. It is killed before its n-th file call; 0: never. */
static pid_t begin_apart(const struct generate_options *options, uint64_t n, rlim_t largest_file)
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
    if (n > 0)
        faults_meddle(kill_this_process, n);
    signal(SIGALRM, stop_this_process);
    watched.stop = &stop;
    const struct timeval after = {stop_after / 1000000, stop_after % 1000000};
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = after}, NULL);
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

static int generate_until(const struct generate_options *options, uint64_t n)
{
    return exit_state(begin_apart(options, n, RLIM_INFINITY));
}

static int generate_to_the_end(const struct generate_options *options)
{
    return generate_until(options, 0);
}

/* Fails if kill -9 loses more than the material in progress, or leaves an incomplete file that
 * looks complete. */
Test(resume, killed_and_started_again, .timeout = 300)
{
    enum { STEP = 17 };
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    int n_killed = 0;
    struct generate_options options = options_in(&rules, "whole", path);
    cr_assert_eq(generate_to_the_end(&options), CHILD_DONE);
    options = options_in(&rules, "killed", path);
    for (uint64_t n = 1;; n += STEP, n_killed++) {
        options.n_threads = 1 + n_killed % 2;
        const int state = generate_until(&options, n);
        if (state != CHILD_KILLED) {
            cr_assert_eq(state, CHILD_DONE);
            break;
        }
        /* Every file with a table's name is that table. */
        shell("for t in killed/frisian/*.???; do [ ! -e $t ] || "
              "cmp $t whole/frisian/${t##*/} || exit 1; done");
    }
    cr_assert_gt(n_killed, 3);
    expect_same("whole", "killed");
}

/* Generates a material's tables in "whole", and in "part" those of all its successors. Returns the
 * options for generating the rest. */
static struct generate_options make_whole_and_part(const struct rules *rules, const char *material,
                                                   char path[PATH_SIZE])
{
    struct generate_options options = options_in(rules, "whole", path);
    options.pieces = 0;
    options.material = material_named(material);
    cr_assert_eq(generate_to_the_end(&options), CHILD_DONE);
    shell("cp -r whole part && rm part/frisian/%s.*", material);
    snprintf(path, PATH_SIZE, "%s/part", folder);
    options.single = true;
    return options;
}

/* Fails if a run that is asked to stop keeps a chunk that it has not finished. */
Test(resume, stopped_inside_a_material, .timeout = 300)
{
    enum { ROUNDS = 6 }; /* a stop between two frames is not frequent */
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_options options = make_whole_and_part(&rules, "KMvM", path);
    for (int round = 0; round < ROUNDS; round++) {
        int n_stopped = 0;
        shell("rm -f part/frisian/KMvM.*");
        for (stop_after = 1000; generate_to_the_end(&options) == CHILD_FAILED; n_stopped++) {
            options.n_threads = 1 + n_stopped % 2;
            stop_after += stop_after / 16;
            cr_assert_lt(stop_after, 60000000, "it never ends");
        }
        cr_assert_gt(n_stopped, 5);
        expect_same("whole", "part");
    }
}

/* The size of the largest part file in "part". */
static int64_t part_bytes(void)
{
    glob_t found;
    int64_t most = 0;
    if (glob(path_of("part/frisian/.*.part"), 0, NULL, &found) != 0)
        return 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct stat info;
        cr_assert_eq(stat(found.gl_pathv[i], &info), 0);
        most = info.st_size > most ? info.st_size : most;
    }
    globfree(&found);
    return most;
}

/* Like make_whole_and_part, but leaves a large part file in "part". */
static struct generate_options stop_inside(const struct rules *rules, const char *material,
                                           char path[PATH_SIZE], char part[2 * PATH_SIZE])
{
    struct generate_options options = make_whole_and_part(rules, material, path);
    options.n_threads = 1;
    for (uint64_t n = 1; part_bytes() < 20000; n += 5)
        cr_assert_eq(generate_until(&options, n), CHILD_KILLED, "nothing is kept");
    options.n_threads = 2;
    shell("cd part/frisian && mv $(ls -S .%s.*.part | head -n 1) ../kept && rm -f .%s.*.part && "
          "mv ../kept .%s." NUMBER ".part",
          material, material, material);
    snprintf(part, 2 * PATH_SIZE, "%s/frisian/.%s." NUMBER ".part", path, material);
    return options;
}

/* Fails if kill -9 inside a material loses more than the frames in progress: each run here gets
 * further. Finally two processes work at once: they copy the part files of killed ones, leave none
 * themselves, and produce the bytes of an undisturbed run. */
Test(resume, killed_inside_a_material, .timeout = 300)
{
    enum { STEP = 5, ENOUGH = 3 };
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_options options = make_whole_and_part(&rules, "KMvM", path);
    int n_kept = 0;
    for (int i = 1; n_kept < ENOUGH; i++) {
        const int64_t before = part_bytes();
        options.n_threads = 1 + i % 2;
        cr_assert_eq(generate_until(&options, (uint64_t)i * STEP), CHILD_KILLED,
                     "only %d runs have kept something", n_kept);
        n_kept += part_bytes() > before;
    }
    options.n_threads = 1;
    const pid_t twins[2] = {begin_apart(&options, 0, RLIM_INFINITY),
                            begin_apart(&options, 0, RLIM_INFINITY)};
    bool went_on = false;
    for (int i = 0; i < 2; i++) {
        const int state = exit_state(twins[i]);
        cr_assert(state == CHILD_DONE || state == CHILD_WENT_ON, "%d", state);
        went_on = went_on || state == CHILD_WENT_ON;
    }
    cr_assert(went_on, "what was left is solved again");
    expect_same("whole", "part");
    shell("! ls part/frisian/.KMvM.* >/dev/null 2>&1");
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

/* Fails if records of a part file are used that are damaged or made from other inputs, or their
 * frames are not solved again. */
Test(resume, damaged_part_is_solved_again, .timeout = 300)
{
    static const struct {
        const char *what;
        const char *change; /* a command, or NULL: a bit of a byte */
        long offset;
        int state;
    } cases[] = {
        {"as it was", "true", 0, CHILD_WENT_ON},
        {"a byte short", "truncate -s -1 .KMvM." NUMBER ".part", 0, CHILD_WENT_ON},
        {"a byte long", "truncate -s +1 .KMvM." NUMBER ".part", 0, CHILD_WENT_ON},
        {"a hole behind it", "truncate -s +9999 .KMvM." NUMBER ".part", 0, CHILD_WENT_ON},
        {"short", "truncate -s 200 .KMvM." NUMBER ".part", 0, CHILD_DONE},
        {"empty", ": > .KMvM." NUMBER ".part", 0, CHILD_DONE},
        {"magic", NULL, 0, CHILD_DONE},
        {"version", NULL, 7, CHILD_DONE},
        {"rule set", NULL, 8, CHILD_DONE},
        {"metric", NULL, 12, CHILD_DONE},
        {"material", NULL, 17, CHILD_DONE},
        {"placements", NULL, 24, CHILD_DONE},
        {"pages", NULL, 32, CHILD_DONE},
        {"what it was made from", NULL, 48, CHILD_DONE},
        {"first head", NULL, 72, CHILD_DONE},
        {"first content", NULL, 130, CHILD_WENT_ON},
        {"checksum of the first", NULL, 115, CHILD_WENT_ON},
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
        expect_same("whole", "part");
    }
}

/* Fails if generation does not continue without a part file that cannot be written (disk full), or
 * a leftover part file of a complete material is not removed. */
Test(resume, runs_without_part_and_removes_stale_part)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    char part[2 * PATH_SIZE];
    struct generate_options options = stop_inside(&rules, "KMvM", path, part);
    shell("cp part/frisian/.KMvM." NUMBER ".part kept && rm part/frisian/.KMvM." NUMBER ".part");
    options.metrics = METRICS_WDL; /* whose table is smaller than the file */
    cr_assert_eq(exit_state(begin_apart(&options, 0, 40000)), CHILD_DONE);
    shell("cmp whole/frisian/KMvM.wdl part/frisian/KMvM.wdl");
    options.metrics = METRICS_BOTH;
    cr_assert_eq(generate_to_the_end(&options), CHILD_DONE);
    options.single = false;
    shell("cp kept part/frisian/.KMvM." NUMBER ".part");
    cr_assert_eq(generate_to_the_end(&options), CHILD_DONE);
    expect_same("whole", "part");
}
