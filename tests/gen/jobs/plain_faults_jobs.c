/* Jobs while calls in turn that ask for memory or touch a file fail, alone or with all after
 * them. A job ends with a named error or as it should; a file that has a slice's or a table's
 * name is that slice or table; and the jobs after it leave the same bytes as ever. */
#include "tests/support/faults.h"

#include "gen/jobs/job.h"
#include "tests/support/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 1024, HANG_SECONDS = 60, N_JOBS = 4 };

static char root[] = "/tmp/einspul-faults-XXXXXX";

/* English men and kings: captures, promotions and levels, in few calls. */
static const char *const before[N_JOBS] = {"before0", "before1", "before2", "before3"};
static const char *const jobs[N_JOBS] = {"KvM.l0-3", "KvM.l4-6", "KvM.l7", "KvM.table"};

/* In the folder `root`, where the process is. */
static void shell(const char *command)
{
    faults_expect("jobs", system(command) == 0, "%s", command);
}

static void copy_folder(const char *from, const char *to)
{
    char command[PATH_SIZE];
    snprintf(command, sizeof command, "rm -rf %s && cp -r %s %s", to, from, to);
    shell(command);
}

static einspul_status do_job(const char *id, const char *folder, einspul_error *error)
{
    struct rules rules;
    struct job job;
    const struct generate_options options = {
        .rules = &rules,
        .root = folder,
        .metrics = METRICS_BOTH,
        .n_threads = 1,
        .zstd_level = 3,
    };
    if (rules_by_name(&rules, "english", NULL) != EINSPUL_OK ||
        job_read(id, &job, NULL) != EINSPUL_OK)
        abort();
    return job_run(&options, &job, error);
}

/* All jobs, without a fault: those that are done are left alone. */
static void do_all(const char *folder)
{
    for (int i = 0; i < N_JOBS; i++) {
        einspul_error error = {EINSPUL_OK, ""};
        const einspul_status status = do_job(jobs[i], folder, &error);
        faults_expect(jobs[i], status == EINSPUL_OK, "without a fault: %s", error.text);
    }
}

/* The jobs up to one that a fault meets, and all of them after it. False when no call failed. */
static bool run_once(const struct fault_mode *mode, int number, uint64_t n)
{
    einspul_error error = {EINSPUL_OK, ""};
    copy_folder(before[number], "fault");
    alarm(HANG_SECONDS);
    faults_begin(mode, n);
    const einspul_status status = do_job(jobs[number], "fault", &error);
    const bool failed = faults_end() > 0;
    alarm(0);
    if (status != EINSPUL_OK) {
        faults_expect(jobs[number], failed, "an error without a fault: %s", error.text);
        faults_expect_named(jobs[number], status, &error);
    }
    do_all("fault");
    shell("diff -r -x '.*' whole/english fault/english");
    return failed;
}

int main(void)
{
    einspul_error error = {EINSPUL_OK, ""};
    if (mkdtemp(root) == NULL || chdir(root) != 0)
        return 1;
    faults_check();
    faults_expect("jobs", do_job("KvK", before[0], &error) == EINSPUL_OK, "%s", error.text);
    for (int i = 1; i < N_JOBS; i++) {
        copy_folder(before[i - 1], before[i]);
        faults_expect("jobs", do_job(jobs[i - 1], before[i], &error) == EINSPUL_OK, "%s",
                      error.text);
    }
    copy_folder(before[0], "whole");
    faults_expect("jobs", do_job("KvM", "whole", &error) == EINSPUL_OK, "%s", error.text);
    for (int i = 0; i < N_JOBS; i++) {
        for (int m = 0; m < N_FAULT_MODES; m++) {
            const uint64_t step = fault_modes[m].n_calls == LARGE_CALLS ? 1
                                  : fault_modes[m].n_calls == 1         ? 5
                                                                        : 13;
            uint64_t n = 1;
            while (run_once(&fault_modes[m], i, n))
                n += step;
            printf("%s, %s: %llu runs\n", jobs[i], fault_modes[m].name,
                   (unsigned long long)(n / step));
            fflush(stdout);
            faults_expect(jobs[i], n > 1, "no call fails");
        }
    }
    remove_folder(root);
    return 0;
}
