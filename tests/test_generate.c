/* Making tables: the same bytes whatever the threads and however often it was killed; refusals. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gen/generate.h"
#include "probe/table.h"
#include "tests/support.h"

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

static enum status generate(const struct generate_options *options, struct error *error)
{
    struct generate_plan plan;
    const enum status status = generate_plan(options, &plan, error);
    return status == STATUS_OK ? generate_run(options, &plan, error) : status;
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
        cr_assert_eq(generate(&options, &error), STATUS_OK, "%s", error.text);
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
    cr_assert_eq(generate(&options, &error), STATUS_OK, "%s", error.text);
    options = options_for(&rules, "part", path);
    cr_assert_eq(generate(&options, &error), STATUS_OK, "%s", error.text);
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        char command[PATH_SIZE];
        snprintf(command, sizeof command, "cd part/frisian && rm %s", gone[i]);
        shell(command);
        cr_assert_eq(generate(&options, &error), STATUS_OK, "%s", error.text);
        expect_same("whole", "part");
    }
    /* In two steps: first without distances, then with them. */
    shell("rm -rf part");
    options.metrics = METRICS_WDL;
    cr_assert_eq(generate(&options, &error), STATUS_OK, "%s", error.text);
    shell("for t in part/frisian/*.wdl; do cmp $t whole/frisian/${t##*/} || exit 1; done");
    options.metrics = METRICS_DTW;
    cr_assert_eq(generate(&options, &error), STATUS_OK, "%s", error.text);
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

    cr_assert_eq(generate(&options, &error), STATUS_OK, "%s", error.text);
    options = options_for(&rules, "killed", path);
    options.n_threads = 1; /* a forked child must not meet the parent's idle threads */
    for (int try = 0; try < 60; try++) {
        const struct timespec pause = {0, 3000000L * (1 + try % 20)};
        int state = 0;
        const pid_t child = fork();
        cr_assert_geq(child, 0);
        if (child == 0)
            _exit(generate(&options, NULL) == STATUS_OK ? 0 : 1);
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
    cr_assert_eq(generate(&options, &error), STATUS_OK, "%s", error.text);
    expect_same("whole", "killed");
}

/* A damaged table is not taken for complete: it is made anew. */
Test(generate, damaged_table_is_made_anew, .init = make_root, .fini = remove_root)
{
    const struct rules rules = rules_named("frisian");
    char whole[PATH_SIZE];
    char path[PATH_SIZE];
    struct error error = {0};
    struct generate_options options = options_for(&rules, "whole", whole);
    cr_assert_eq(generate(&options, &error), STATUS_OK, "%s", error.text);
    options = options_for(&rules, "hurt", path);
    cr_assert_eq(generate(&options, &error), STATUS_OK, "%s", error.text);
    shell("cd hurt/frisian && truncate -s -1 KvM.dtw && : > MMvM.wdl && "
          "printf x | dd of=KMvK.wdl bs=1 seek=3000 conv=notrunc 2>/dev/null");
    cr_assert_eq(generate(&options, &error), STATUS_OK, "%s", error.text);
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
    cr_assert_eq(generate(&options, &error), STATUS_NO_MEMORY);
    cr_assert_not_null(strstr(error.text, "memory"), "%s", error.text);
    cr_assert_neq(stat(path, &info), 0, "the folder was made");

    options.memory_bytes = 0;
    options.pieces = MAX_PIECES + 1;
    cr_assert_eq(generate(&options, &error), STATUS_BAD_ARGUMENT);

    /* A file where the folder should be. */
    options.pieces = 2;
    shell("touch refused");
    cr_assert_eq(generate(&options, &error), STATUS_IO);
    cr_assert_not_null(strstr(error.text, "refused"), "%s", error.text);
    shell("rm refused");

    /* Another process is at work in the same folder. */
    shell("mkdir -p refused/frisian");
    snprintf(file, sizeof file, "%s/frisian/.lock", path);
    const int lock = open(file, O_RDWR | O_CREAT, 0666);
    cr_assert_geq(lock, 0);
    cr_assert_eq(flock(lock, LOCK_EX), 0);
    cr_assert_eq(generate(&options, &error), STATUS_LOCKED);
    cr_assert_not_null(strstr(error.text, ".lock"), "%s", error.text);
    close(lock);
    cr_assert_eq(generate(&options, &error), STATUS_OK, "%s", error.text);
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
