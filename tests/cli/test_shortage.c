/* Lack of threads or memory must give exit status 1 (failed), never 3 (a check failed). OpenMP
 * itself exits with 1. */
#include "tests/support/program.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { IS_SANITIZED = 1 }; /* it reserves more memory than any limit, and must be loaded first */
#else
enum { IS_SANITIZED = 0 };
#endif

/* The commands that use threads; their answers on the tables of make_tables. */
static const char *const calls[] = {
    "verify --level checksums --tables $T/both",
    "stats KvK --tables $T/both",
    "compress --tables $T/both",
    "find KvM --count --tables $T/both",
    "generate --pieces 2 --tables $T/more",
};
enum { N_CALLS = sizeof calls / sizeof calls[0] };

static void expect_no_answer(const char *limit, int n_threads, bool may_be_done)
{
    for (int i = 0; i < N_CALLS; i++) {
        static struct result result;
        char script[COMMAND_SIZE + 256];
        snprintf(script, sizeof script, "rm -rf $T/more; %s $E %s --threads %d", limit, calls[i],
                 n_threads);
        run_script(&result, script);
        cr_assert(result.status == 1 || (may_be_done && result.status == 0), "%s: %d, %s", script,
                  result.status, result.output);
    }
}

/* Runs a command as a user other than root. */
#define USER "setpriv --reuid=65531 --regid=65531 --clear-groups"

/* True if that is possible; the folder is then theirs. Tested through a shell:
 * setpriv itself finds programs with root's rights, even in root's home. */
static bool can_be_another_user(void)
{
    static struct result result;
    if (geteuid() != 0)
        return false;
    run_script(&result, "chown -R 65531:65531 $T && " USER " sh -c \"$E --version && ls $T\"");
    return result.status == 0;
}

/* Fails if a limit on threads gives the status of a failed check. */
Test(shortage, thread_limit_exits_1, .init = make_tables, .fini = drop_folder)
{
    if (IS_SANITIZED)
        cr_skip_test("a sanitizer needs a process of its own");
    if (!can_be_another_user())
        cr_skip_test("only root can become another user, who must be able to run the program");
    expect_no_answer(USER " prlimit --nproc=2", 20, true);
}

/* Fails if that status is given when threads run out during the run. */
Test(shortage, threads_lost_midway_exit_1, .init = make_tables, .fini = drop_folder)
{
#ifdef FEWER_THREADS_LIBRARY
    expect_no_answer("LD_PRELOAD='" FEWER_THREADS_LIBRARY "' FEWER_THREADS=2", 4, false);
#else
    cr_skip_test("under a sanitizer");
#endif
}

/* Fails if any limit on memory gives it: from too little to load the libraries up to enough. */
Test(shortage, memory_limit_never_exits_3, .init = make_tables, .fini = drop_folder)
{
    if (IS_SANITIZED)
        cr_skip_test("under a sanitizer");
#ifdef __clang__
    cr_skip_test("LLVM's OpenMP waits for itself where memory ends while it starts");
#endif
    expect_script(
        "done=0; v=4000; while [ $done -lt 20 ] && [ $v -lt 100000 ]; do "
        "(ulimit -v $v; exec $E stats MvM --threads 1 --tables $T/both) > $T/out 2>&1; "
        "case $? in 0) done=$((done + 1));; 1 | 2 | 127) ;; *) echo $v $?; cat $T/out;; esac; "
        "v=$((v + 50)); done; echo $done",
        0, "20\n");
}

/* Fails if a command without --threads starts more than fit, and ends with the threads library's
 * own line, which names no remedy. */
Test(shortage, default_threads_fit_the_address_space, .init = make_tables, .fini = drop_folder)
{
    if (IS_SANITIZED)
        cr_skip_test("under a sanitizer");
    expect_script("v=30000; done=0; while [ $v -lt 100000 ]; do "
                  "(ulimit -v $v; exec $E verify KvM --tables $T/both) > $T/out 2>&1 && "
                  "done=$((done + 1)); grep -i 'thread' $T/out; v=$((v + 2000)); done; "
                  "[ $done -gt 9 ] && echo enough",
                  0, "enough\n");
}

/* Fails if a cache reduced for lack of memory, which makes answers slow, is not reported. */
Test(shortage, smaller_cache_is_reported, .init = make_tables, .fini = drop_folder)
{
    if (IS_SANITIZED)
        cr_skip_test("under a sanitizer");
    expect_script("$E find KvM --count --threads 1 --tables $T/both 2>&1 > /dev/null", 0, "");
    expect_script(
        "v=4000; while [ $v -lt 100000 ]; do "
        "(ulimit -v $v; exec $E find KvM --count --threads 1 --tables $T/both) > $T/out 2> $T/said "
        "&& grep -q . $T/said && break; v=$((v + 100)); done; "
        "sed 's/ [0-9]* MiB/ N MiB/g' $T/said",
        0, "einspul: warning: not enough memory for a cache of N MiB; using N MiB\n");
}

/* Fails if a table that the user may not read counts as missing, so that another is written larger
 * than necessary, or counts as a usage error. */
Test(shortage, unreadable_table_is_not_missing, .init = make_folder, .fini = drop_folder)
{
    static struct result result;
    if (!can_be_another_user())
        cr_skip_test("only root can become another user, who must be able to run the program");
    run_script(&result, "$E generate --material KKvM --tables $T/made && "
                        "chown -R 65531:65531 $T && cd $T/made/frisian && "
                        "chown 0:0 KKvK.dtw && chmod 600 KKvK.dtw");
    cr_assert_eq(result.status, 0, "%s", result.output);
    static const char *const commands[] = {
        "compress KKvM --metric dtw",
        "generate --material KKvM",
        "verify KKvK",
        "stats KKvK",
        "list --files",
        "pack $T/made/set.pack",
        "find KKvK --distance 3",
    };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char script[COMMAND_SIZE];
        snprintf(script, sizeof script, USER " $E %s --tables $T/made", commands[i]);
        run_script(&result, script);
        cr_assert_eq(result.status, 1, "%s: %s", commands[i], result.output);
        cr_assert_not_null(strstr(result.output, "KKvK.dtw: Permission denied"), "%s",
                           result.output);
    }
}

/* Fails if the plan ignores the limit that the run will meet. */
Test(shortage, the_plan_names_the_limit, .init = make_folder, .fini = drop_folder)
{
    static struct result result;
    expect_text("plan --pieces 3 --memory 0.5 --tables $T", 0, "512.0 MiB memory (--memory) ");
    expect_text("plan --pieces 3 --tables $T", 0, " memory (");
    if (IS_SANITIZED)
        return;
    run_script(&result, "ulimit -v 400000; $E generate --pieces 6 --threads 1 --tables $T/new");
    cr_assert_eq(result.status, 1, "%s", result.output);
    cr_assert_not_null(strstr(result.output, "address-space limit"), "%s", result.output);
    expect_script("ls $T", 0, "");
}
