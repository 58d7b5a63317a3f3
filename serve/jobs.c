/* A job lives on the stack of the thread that asked first; threads with an equal request follow it.
 * Jobs that wait are in a list, statistics before searches and the oldest first, and run one by one,
 * because each uses all cores.
 *
 * The HTTP library does not report that a client is gone while a thread works for it, so sockets are
 * polled: before a job starts, when a request arrives, and a few times a second by jobs that can be
 * stopped. */
#include "serve/jobs.h"

#include <stdlib.h>
#include <string.h>

struct served_job {
    struct jobs *jobs;
    struct served_job *next; /* in the queue */
    api_call *run;
    struct call call;
    struct request request;
    int n_threads;   /* that need this struct */
    int n_wanting;   /* of them, those whose client is there */
    bool stopped;    /* it ends without an answer */
    bool has_answer; /* and does not change any more */
    struct reply reply;
};

/* A thread in jobs_ask. */
struct waiter {
    struct waiter *next;
    struct served_job *job;
    const void *client;
    bool left; /* the client */
};

void jobs_init(struct jobs *jobs, bool (*is_there)(const void *client))
{
    *jobs = (struct jobs){.is_there = is_there,
                          .lock = PTHREAD_MUTEX_INITIALIZER,
                          .changed = PTHREAD_COND_INITIALIZER};
}

/* --- the queue -------------------------------------------------------------------------------- */

/* Statistics take less time than searches. */
static void enqueue(struct jobs *jobs, struct served_job *job)
{
    struct served_job **at = &jobs->queue;
    while (*at != NULL && (job->run != api_material || (*at)->run == api_material))
        at = &(*at)->next;
    job->next = *at;
    *at = job;
    jobs->n_queued++;
}

/* Takes a job out of the queue, if it is there. */
static void dequeue(struct jobs *jobs, const struct served_job *job)
{
    struct served_job **at = &jobs->queue;
    while (*at != NULL && *at != job)
        at = &(*at)->next;
    if (*at == NULL)
        return;
    *at = job->next;
    jobs->n_queued--;
}

static bool is_equal(const struct served_job *job, api_call *run, const struct call *call)
{
    if (job->run != run || job->call.set != call->set || strcmp(job->call.rest, call->rest) != 0)
        return false;
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
        const char *a = job->request.values[i];
        const char *b = call->request->values[i];
        if ((a == NULL) != (b == NULL) || (a != NULL && strcmp(a, b) != 0))
            return false;
    }
    return true;
}

/* A job for an equal request, which will have an answer; NULL if there is none. */
static struct served_job *find_equal(const struct jobs *jobs, api_call *run,
                                     const struct call *call)
{
    struct served_job *job = jobs->running;
    if (job != NULL && !job->stopped && is_equal(job, run, call))
        return job;
    for (job = jobs->queue; job != NULL && !is_equal(job, run, call); job = job->next)
        ;
    return job;
}

/* --- those who wait --------------------------------------------------------------------------- */

/* Marks waiters whose client has left, and takes unwanted jobs out of the queue. */
static void drop_absent(struct jobs *jobs)
{
    for (struct waiter *waiter = jobs->waiters; waiter != NULL; waiter = waiter->next) {
        if (waiter->left || jobs->is_there(waiter->client))
            continue;
        waiter->left = true;
        if (--waiter->job->n_wanting == 0)
            dequeue(jobs, waiter->job);
        pthread_cond_broadcast(&jobs->changed);
    }
}

/* Whether to continue; polled by calls that can be stopped. */
static bool go_on(void *context)
{
    struct served_job *job = context;
    struct jobs *jobs = job->jobs;
    pthread_mutex_lock(&jobs->lock);
    drop_absent(jobs);
    job->stopped = job->n_wanting == 0 || jobs->ending;
    const bool stopped = job->stopped;
    pthread_mutex_unlock(&jobs->lock);
    return !stopped;
}

/* Runs a job when its turn comes, without the lock, which is held before and after. */
static void run_in_turn(struct jobs *jobs, struct served_job *job)
{
    enqueue(jobs, job);
    while (job->n_wanting > 0 && !jobs->ending && (jobs->running != NULL || jobs->queue != job))
        pthread_cond_wait(&jobs->changed, &jobs->lock);
    drop_absent(jobs);
    dequeue(jobs, job);
    job->stopped = job->n_wanting == 0 || jobs->ending;
    if (!job->stopped) {
        jobs->running = job;
        pthread_mutex_unlock(&jobs->lock);
        job->run(&job->call, &job->reply);
        pthread_mutex_lock(&jobs->lock);
        jobs->running = NULL;
    }
    job->reply.seconds = job->reply.code == HTTP_DONE ? FRESH_SECONDS : 0;
    if (job->stopped) {
        free(job->reply.text);
        reply_text(&job->reply, HTTP_BUSY, "the server is about to end");
    }
    job->has_answer = true;
    pthread_cond_broadcast(&jobs->changed);
}

/* Waits for the answer as one of those who want the job. */
static void wait_for(struct jobs *jobs, struct waiter *waiter, bool first)
{
    struct served_job *job = waiter->job;
    waiter->next = jobs->waiters;
    jobs->waiters = waiter;
    jobs->n_waiters++;
    job->n_threads++;
    job->n_wanting++;
    if (first)
        run_in_turn(jobs, job);
    while (!waiter->left && !job->has_answer)
        pthread_cond_wait(&jobs->changed, &jobs->lock);
    struct waiter **at = &jobs->waiters;
    while (*at != waiter)
        at = &(*at)->next;
    *at = waiter->next;
    jobs->n_waiters--;
    job->n_wanting -= !waiter->left;
}

/* --- asking ----------------------------------------------------------------------------------- */

bool jobs_ask(struct jobs *jobs, api_call *run, const struct call *call, const void *client,
              struct reply *reply)
{
    struct served_job own = {.jobs = jobs, .run = run, .call = *call, .request = *call->request};
    own.call.request = &own.request;
    own.request.go_on = go_on;
    own.request.context = &own;
    pthread_mutex_lock(&jobs->lock);
    drop_absent(jobs);
    struct served_job *job = find_equal(jobs, run, call);
    struct waiter waiter = {.job = job != NULL ? job : &own, .client = client};
    if (jobs->ending || jobs->n_waiters == MOST_WAITING ||
        (job == NULL && jobs->n_queued == MOST_JOBS)) {
        reply_text(reply, HTTP_BUSY, "too many searches: try again later");
    } else {
        wait_for(jobs, &waiter, job == NULL);
        if (!waiter.left)
            reply_copy(reply, &waiter.job->reply);
        waiter.job->n_threads--;
        pthread_cond_broadcast(&jobs->changed);
    }
    while (own.n_threads > 0)
        pthread_cond_wait(&jobs->changed, &jobs->lock);
    free(own.reply.text);
    pthread_mutex_unlock(&jobs->lock);
    return !waiter.left;
}

void jobs_end(struct jobs *jobs)
{
    pthread_mutex_lock(&jobs->lock);
    jobs->ending = true;
    pthread_cond_broadcast(&jobs->changed);
    while (jobs->waiters != NULL)
        pthread_cond_wait(&jobs->changed, &jobs->lock);
    pthread_mutex_unlock(&jobs->lock);
}
