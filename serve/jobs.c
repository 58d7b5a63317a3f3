/* Jobs and waiting requests are two short arrays, searched linearly under one lock. One thread runs
 * the jobs, statistics before searches and the oldest first, because each job uses all cores.
 *
 * The HTTP library does not report when a suspended connection ends, so its socket is polled:
 * before a job starts, when a request arrives, and a few times a second by jobs that can be
 * stopped. */
#include "serve/jobs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { N_JOBS = MOST_JOBS + 1 };
enum phase { UNUSED, QUEUED, RUNNING };

struct served_job {
    struct jobs *jobs;
    enum phase phase;
    bool stopped;                    /* it will end without an answer */
    uint64_t time;                   /* of its arrival */
    char *texts[MOST_ARGUMENTS + 1]; /* of the request's values and of the path's rest, its own */
    struct route route;
    struct request request;
    struct reply reply;
    int n_waiters;
};

struct waiter {
    void *who; /* NULL: a free place */
    struct served_job *job;
};

struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    struct service *service;
    struct job_hooks hooks;
    bool ending;
    uint64_t time; /* counts */
    struct served_job job[N_JOBS];
    struct waiter waiter[MOST_WAITING];
};

/* --- a job ------------------------------------------------------------------------------------ */

static void job_clear(struct served_job *job)
{
    for (int i = 0; i <= MOST_ARGUMENTS; i++)
        free(job->texts[i]);
    free(job->reply.text);
    *job = (struct served_job){.phase = UNUSED};
}

/* False without memory; the job is then unused. */
static bool job_fill(struct served_job *job, const struct route *route,
                     const struct request *request)
{
    job->route = *route;
    job->request.names = request->names;
    for (int i = 0; i <= MOST_ARGUMENTS; i++) {
        const char *text = i < MOST_ARGUMENTS ? request->values[i] : route->rest;
        job->texts[i] = text != NULL ? strdup(text) : NULL;
        if (text != NULL && job->texts[i] == NULL) {
            job_clear(job);
            return false;
        }
        *(i < MOST_ARGUMENTS ? &job->request.values[i] : &job->route.rest) = job->texts[i];
    }
    job->phase = QUEUED;
    return true;
}

static bool is_equal(const struct served_job *job, const struct route *route,
                     const struct request *request)
{
    if (job->route.call != route->call || job->route.set != route->set ||
        strcmp(job->route.rest, route->rest) != 0)
        return false;
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
        const char *a = job->request.values[i];
        const char *b = request->values[i];
        if ((a == NULL) != (b == NULL) || (a != NULL && strcmp(a, b) != 0))
            return false;
    }
    return true;
}

static struct served_job *find_equal(struct jobs *jobs, const struct route *route,
                                     const struct request *request)
{
    for (struct served_job *job = jobs->job; job < jobs->job + N_JOBS; job++)
        if (job->phase != UNUSED && !job->stopped && is_equal(job, route, request))
            return job;
    return NULL;
}

/* Whether a job's turn is before another's: statistics take less than searches. */
static bool is_before(const struct served_job *job, const struct served_job *other)
{
    const bool counts = job->route.call == api_material;
    const bool other_counts = other->route.call == api_material;
    return counts != other_counts ? counts : job->time < other->time;
}

/* The first job of a phase, and the number of jobs of that phase. */
static struct served_job *find_first(struct jobs *jobs, enum phase phase, int *n)
{
    struct served_job *first = NULL;
    *n = 0;
    for (struct served_job *job = jobs->job; job < jobs->job + N_JOBS; job++) {
        if (job->phase != phase)
            continue;
        if (first == NULL || is_before(job, first))
            first = job;
        ++*n;
    }
    return first;
}

/* --- waiting requests ------------------------------------------------------------------------- */

static void resume(struct jobs *jobs, struct waiter *waiter, const struct reply *answer)
{
    jobs->hooks.resume(waiter->who, answer);
    waiter->job->n_waiters--;
    waiter->who = NULL;
}

/* Removes waiting requests whose client has left, so that unwanted jobs are not started. */
static void drop_absent(struct jobs *jobs)
{
    for (int i = 0; i < MOST_WAITING; i++) {
        struct waiter *waiter = &jobs->waiter[i];
        if (waiter->who == NULL || jobs->hooks.is_there(waiter->who))
            continue;
        resume(jobs, waiter, NULL);
        if (waiter->job->n_waiters == 0 && waiter->job->phase == QUEUED)
            job_clear(waiter->job);
    }
}

/* Whether to continue; polled by calls that can be stopped. */
static bool go_on(void *context)
{
    struct served_job *job = context;
    struct jobs *jobs = job->jobs;
    pthread_mutex_lock(&jobs->lock);
    drop_absent(jobs);
    job->stopped = job->n_waiters == 0 || jobs->ending;
    const bool stopped = job->stopped;
    pthread_mutex_unlock(&jobs->lock);
    return !stopped;
}

/* --- the thread ------------------------------------------------------------------------------- */

/* Runs a job without the lock, which is held before and after. */
static void run(struct jobs *jobs, struct served_job *job)
{
    job->phase = RUNNING;
    job->jobs = jobs;
    job->request.go_on = go_on;
    job->request.context = job;
    job->stopped = jobs->ending;
    if (!jobs->ending) {
        pthread_mutex_unlock(&jobs->lock);
        const struct call call = {jobs->service, job->route.set, job->route.rest, &job->request};
        job->route.call(&call, &job->reply);
        pthread_mutex_lock(&jobs->lock);
    }
    job->reply.seconds = job->reply.code == HTTP_DONE ? FRESH_SECONDS : 0;
    if (job->stopped) {
        free(job->reply.text);
        reply_text(&job->reply, HTTP_BUSY, "the server is about to end");
    }
    for (int i = 0; i < MOST_WAITING; i++)
        if (jobs->waiter[i].who != NULL && jobs->waiter[i].job == job)
            resume(jobs, &jobs->waiter[i], &job->reply);
    job_clear(job);
}

static void *work(void *context)
{
    struct jobs *jobs = context;
    int n = 0;
    pthread_mutex_lock(&jobs->lock);
    for (;;) {
        drop_absent(jobs);
        struct served_job *job = find_first(jobs, QUEUED, &n);
        if (job != NULL)
            run(jobs, job);
        else if (jobs->ending)
            break;
        else
            pthread_cond_wait(&jobs->changed, &jobs->lock);
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

struct jobs *jobs_start(struct service *service, struct job_hooks hooks)
{
    struct jobs *jobs = calloc(1, sizeof *jobs);
    if (jobs == NULL)
        return NULL;
    jobs->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    jobs->changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    jobs->service = service;
    jobs->hooks = hooks;
    if (pthread_create(&jobs->thread, NULL, work, jobs) == 0)
        return jobs;
    free(jobs);
    return NULL;
}

void jobs_stop(struct jobs *jobs)
{
    if (jobs == NULL)
        return;
    pthread_mutex_lock(&jobs->lock);
    jobs->ending = true;
    pthread_cond_signal(&jobs->changed);
    pthread_mutex_unlock(&jobs->lock);
    pthread_join(jobs->thread, NULL);
    for (int i = 0; i < N_JOBS; i++)
        job_clear(&jobs->job[i]);
    free(jobs);
}

/* --- asking ----------------------------------------------------------------------------------- */

static struct waiter *find_place(struct jobs *jobs)
{
    for (struct waiter *waiter = jobs->waiter; waiter < jobs->waiter + MOST_WAITING; waiter++)
        if (waiter->who == NULL)
            return waiter;
    return NULL;
}

/* A new job; NULL if too many wait, or without memory. */
static struct served_job *add_job(struct jobs *jobs, const struct route *route,
                                  const struct request *request)
{
    int n = 0;
    find_first(jobs, QUEUED, &n);
    struct served_job *job = find_first(jobs, UNUSED, &(int){0});
    if (n == MOST_JOBS || jobs->ending || job == NULL || !job_fill(job, route, request))
        return NULL;
    job->time = ++jobs->time;
    pthread_cond_signal(&jobs->changed);
    return job;
}

bool jobs_ask(struct jobs *jobs, const struct route *route, const struct request *request,
              void *who, struct reply *reply)
{
    pthread_mutex_lock(&jobs->lock);
    drop_absent(jobs);
    struct waiter *place = find_place(jobs);
    struct served_job *job = place != NULL ? find_equal(jobs, route, request) : NULL;
    if (place != NULL && job == NULL)
        job = add_job(jobs, route, request);
    if (job != NULL) {
        *place = (struct waiter){.who = who, .job = job};
        job->n_waiters++;
        jobs->hooks.suspend(who);
    }
    pthread_mutex_unlock(&jobs->lock);
    if (job == NULL)
        reply_text(reply, HTTP_BUSY, "too many searches: try again later");
    return job == NULL;
}
