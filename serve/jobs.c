/* Jobs wait in a list, statistics before searches and the oldest first, and run one by one, because
 * each uses all cores. The first of several identical requests becomes the job; the others are
 * chained to it.
 *
 * libmicrohttpd does not report disconnects of suspended requests, so the sockets are polled:
 * before a job starts, when a request arrives, and a few times a second by jobs that can be
 * stopped. */
#include "serve/jobs.h"

#include <stdlib.h>
#include <string.h>

/* --- the queue -------------------------------------------------------------------------------- */

/* Statistics are faster than searches. */
static void enqueue(struct jobs *jobs, struct waiter *job)
{
    struct waiter **at = &jobs->queue;
    while (*at != NULL && (job->run != api_material || (*at)->run == api_material))
        at = &(*at)->next;
    job->next = *at;
    *at = job;
    jobs->n_queued++;
}

static bool is_equal(const struct waiter *job, const struct waiter *waiter)
{
    if (job->run != waiter->run || job->call.set != waiter->call.set ||
        strcmp(job->call.rest, waiter->call.rest) != 0)
        return false;
    for (int i = 0; i < MAX_ARGUMENTS; i++) {
        const char *a = job->request.values[i];
        const char *b = waiter->request.values[i];
        if ((a == NULL) != (b == NULL) || (a != NULL && strcmp(a, b) != 0))
            return false;
    }
    return true;
}

/* A job for an equal request that will be answered; NULL if none exists. */
static struct waiter *find_equal(const struct jobs *jobs, const struct waiter *waiter)
{
    struct waiter *job = jobs->running;
    if (job != NULL && !jobs->stopped && is_equal(job, waiter))
        return job;
    for (job = jobs->queue; job != NULL && !is_equal(job, waiter); job = job->next)
        ;
    return job;
}

/* --- waiters ---------------------------------------------------------------------------------- */

/* Answers all waiters of a job and removes it. */
static void answer_all(struct jobs *jobs, struct waiter *job, const struct reply *reply)
{
    for (struct waiter *next = NULL; job != NULL; job = next) {
        next = job->equals;
        jobs->n_waiting--;
        jobs->answer(job->client, job->left ? NULL : reply);
    }
}

/* True if the client of a job, or of a request equal to it, is still connected. */
static bool is_wanted(const struct jobs *jobs, struct waiter *job)
{
    bool wanted = false;
    for (; job != NULL; job = job->equals) {
        job->left = job->left || !jobs->is_there(job->client);
        wanted = wanted || !job->left;
    }
    return wanted;
}

/* Removes unwanted jobs from the queue. */
static void drop_unwanted(struct jobs *jobs)
{
    for (struct waiter **at = &jobs->queue; *at != NULL;) {
        struct waiter *job = *at;
        if (is_wanted(jobs, job)) {
            at = &job->next;
            continue;
        }
        *at = job->next;
        jobs->n_queued--;
        answer_all(jobs, job, NULL);
    }
}

/* --- the thread ------------------------------------------------------------------------------- */

/* False to stop; polled by calls that can be stopped. */
static bool go_on(void *context)
{
    struct jobs *jobs = context;
    pthread_mutex_lock(&jobs->lock);
    drop_unwanted(jobs);
    jobs->stopped = !is_wanted(jobs, jobs->running) || jobs->ending;
    const bool stopped = jobs->stopped;
    pthread_mutex_unlock(&jobs->lock);
    return !stopped;
}

/* Runs the first job without the lock, which is held before and after. */
static void run_next(struct jobs *jobs)
{
    struct waiter *job = jobs->queue;
    struct reply reply = {.text = NULL};
    jobs->queue = job->next;
    jobs->n_queued--;
    jobs->running = job;
    jobs->stopped = jobs->ending;
    if (!jobs->stopped) {
        pthread_mutex_unlock(&jobs->lock);
        job->run(&job->call, &reply);
        pthread_mutex_lock(&jobs->lock);
    }
    jobs->running = NULL;
    reply.seconds = reply.code == HTTP_DONE ? FRESH_SECONDS : 0;
    if (jobs->stopped) {
        free(reply.text);
        reply_text(&reply, HTTP_BUSY, "the server is shutting down");
    }
    answer_all(jobs, job, &reply);
    free(reply.text);
}

static void *work(void *context)
{
    struct jobs *jobs = context;
    pthread_mutex_lock(&jobs->lock);
    while (!jobs->ending || jobs->queue != NULL) {
        drop_unwanted(jobs);
        if (jobs->queue != NULL)
            run_next(jobs);
        else if (!jobs->ending)
            pthread_cond_wait(&jobs->changed, &jobs->lock);
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

bool jobs_begin(struct jobs *jobs, bool (*is_there)(const void *client),
                void (*answer_one)(void *client, const struct reply *reply))
{
    *jobs = (struct jobs){.is_there = is_there,
                          .answer = answer_one,
                          .lock = PTHREAD_MUTEX_INITIALIZER,
                          .changed = PTHREAD_COND_INITIALIZER};
    return pthread_create(&jobs->thread, NULL, work, jobs) == 0;
}

bool jobs_ask(struct jobs *jobs, struct waiter *waiter)
{
    waiter->request = *waiter->call.request;
    waiter->request.go_on = go_on;
    waiter->request.context = jobs;
    waiter->call.request = &waiter->request;
    pthread_mutex_lock(&jobs->lock);
    drop_unwanted(jobs);
    struct waiter *job = find_equal(jobs, waiter);
    const bool taken = !jobs->ending && jobs->n_waiting < MAX_WAITING &&
                       (job != NULL || jobs->n_queued < MAX_JOBS);
    if (taken && job != NULL) {
        waiter->equals = job->equals;
        job->equals = waiter;
    } else if (taken) {
        enqueue(jobs, waiter);
    }
    jobs->n_waiting += taken;
    pthread_cond_signal(&jobs->changed);
    pthread_mutex_unlock(&jobs->lock);
    return taken;
}

void jobs_end(struct jobs *jobs)
{
    pthread_mutex_lock(&jobs->lock);
    jobs->ending = true;
    pthread_cond_signal(&jobs->changed);
    pthread_mutex_unlock(&jobs->lock);
    pthread_join(jobs->thread, NULL);
}
