/* Jobs wait in lists, statistics before searches and the oldest first, and run one by one, because a
 * search uses all cores. The first of several identical requests becomes the job; the others are
 * chained to it.
 *
 * libmicrohttpd does not report disconnects of suspended requests, so the sockets are polled:
 * before a job starts, when a request arrives, and a few times a second by jobs that can be
 * stopped. */
#include "serve/jobs.h"

#include "serve/endpoints.h"

#include <stdlib.h>
#include <string.h>

/* --- the queue -------------------------------------------------------------------------------- */

/* Statistics are faster than searches. */
static void enqueue(struct job_queue *queue, struct waiter *job)
{
    struct waiter **at = &queue->first;
    while (*at != NULL && (job->run != api_material || (*at)->run == api_material))
        at = &(*at)->next;
    job->next = *at;
    *at = job;
    queue->n_queued++;
}

static void dequeue(struct job_queue *queue, struct waiter *job)
{
    struct waiter **at = &queue->first;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
    queue->n_queued--;
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
static struct waiter *find_equal(const struct job_queue *queue, const struct waiter *waiter)
{
    struct waiter *job = queue->running;
    if (job != NULL && !queue->stopped && is_equal(job, waiter))
        return job;
    for (job = queue->first; job != NULL && !is_equal(job, waiter); job = job->next)
        ;
    return job;
}

/* --- waiters ---------------------------------------------------------------------------------- */

/* Answers all waiters of a job and removes it. */
static void answer_all(struct jobs *jobs, struct waiter *job, const struct reply *reply)
{
    for (struct waiter *next = NULL; job != NULL; job = next) {
        next = job->identical;
        jobs->n_waiting--;
        jobs->answer(job->client, job->disconnected ? NULL : reply);
    }
}

/* True if the client of a job, or of a request equal to it, is still connected. */
static bool is_wanted(const struct jobs *jobs, struct waiter *job)
{
    bool wanted = false;
    for (; job != NULL; job = job->identical) {
        job->disconnected = job->disconnected || !jobs->is_connected(job->client);
        wanted = wanted || !job->disconnected;
    }
    return wanted;
}

/* Removes unwanted jobs from the queue. */
static void drop_unwanted(struct job_queue *queue)
{
    for (struct waiter *job = queue->first, *next = NULL; job != NULL; job = next) {
        next = job->next;
        if (is_wanted(queue->jobs, job))
            continue;
        dequeue(queue, job);
        answer_all(queue->jobs, job, NULL);
    }
}

/* --- the thread ------------------------------------------------------------------------------- */

/* False to stop; polled by calls that can be stopped. */
static bool go_on(void *context)
{
    struct job_queue *queue = context;
    struct jobs *jobs = queue->jobs;
    pthread_mutex_lock(&jobs->lock);
    drop_unwanted(queue);
    queue->stopped = !is_wanted(jobs, queue->running) || jobs->ending;
    const bool stopped = queue->stopped;
    pthread_mutex_unlock(&jobs->lock);
    return !stopped;
}

/* Runs a job without the lock, which is held before and after. */
static void run_next(struct job_queue *queue)
{
    struct jobs *jobs = queue->jobs;
    struct waiter *job = queue->first;
    struct reply reply = {.text = NULL};
    dequeue(queue, job);
    queue->running = job;
    queue->stopped = jobs->ending;
    if (!queue->stopped) {
        pthread_mutex_unlock(&jobs->lock);
        pthread_rwlock_rdlock(&job->call.service->in_use);
        job->run(&job->call, &reply);
        pthread_rwlock_unlock(&job->call.service->in_use);
        pthread_mutex_lock(&jobs->lock);
    }
    queue->running = NULL;
    reply.seconds = reply.code == HTTP_DONE && !reply.is_partial ? CACHE_SECONDS : 0;
    if (queue->stopped) {
        free(reply.text);
        reply_text(&reply, HTTP_BUSY, "the server is shutting down");
    }
    answer_all(jobs, job, &reply);
    free(reply.text);
}

static void *work(void *context)
{
    struct job_queue *queue = context;
    struct jobs *jobs = queue->jobs;
    pthread_mutex_lock(&jobs->lock);
    while (!jobs->ending || queue->first != NULL) {
        drop_unwanted(queue);
        if (queue->first != NULL)
            run_next(queue);
        else if (!jobs->ending)
            pthread_cond_wait(&queue->changed, &jobs->lock);
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

/* Ends the threads of the first queues. */
static void jobs_stop(struct jobs *jobs, int n_queues)
{
    pthread_mutex_lock(&jobs->lock);
    jobs->ending = true;
    for (int i = 0; i < n_queues; i++)
        pthread_cond_signal(&jobs->queues[i].changed);
    pthread_mutex_unlock(&jobs->lock);
    for (int i = 0; i < n_queues; i++)
        pthread_join(jobs->queues[i].thread, NULL);
}

bool jobs_begin(struct jobs *jobs, bool (*is_connected)(const void *client),
                void (*answer_one)(void *client, const struct reply *reply))
{
    *jobs = (struct jobs){
        .is_connected = is_connected, .answer = answer_one, .lock = PTHREAD_MUTEX_INITIALIZER};
    for (int i = 0; i < N_QUEUES; i++) {
        struct job_queue *queue = &jobs->queues[i];
        *queue = (struct job_queue){.jobs = jobs, .changed = PTHREAD_COND_INITIALIZER};
        if (pthread_create(&queue->thread, NULL, work, queue) == 0)
            continue;
        jobs_stop(jobs, i);
        return false;
    }
    return true;
}

bool jobs_submit(struct jobs *jobs, struct waiter *waiter)
{
    struct job_queue *queue =
        &jobs->queues[waiter->run == api_solve ? QUEUE_PROOFS : QUEUE_SEARCHES];
    waiter->request = *waiter->call.request;
    waiter->request.go_on = go_on;
    waiter->request.context = queue;
    waiter->call.request = &waiter->request;
    pthread_mutex_lock(&jobs->lock);
    drop_unwanted(queue);
    struct waiter *job = find_equal(queue, waiter);
    const bool accepted = !jobs->ending && jobs->n_waiting < MAX_WAITING &&
                          (job != NULL || queue->n_queued < MAX_JOBS);
    if (accepted && job != NULL) {
        waiter->identical = job->identical;
        job->identical = waiter;
    } else if (accepted) {
        enqueue(queue, waiter);
    }
    jobs->n_waiting += accepted;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&jobs->lock);
    return accepted;
}

void jobs_end(struct jobs *jobs)
{
    jobs_stop(jobs, N_QUEUES);
}
