/* One thread is enough: what it runs uses all cores itself. */
#include "serve/jobs.h"

#include <pthread.h>
#include <stdlib.h>

struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    void (*run)(void *job, bool ending);
    bool ending;
    int n_reserved; /* that wait, and those that are going to */
    int first, n;
    void *waiting[MOST_JOBS];
};

static void *work(void *context)
{
    struct jobs *jobs = context;
    pthread_mutex_lock(&jobs->lock);
    while (jobs->n > 0 || !jobs->ending) {
        if (jobs->n == 0) {
            pthread_cond_wait(&jobs->changed, &jobs->lock);
            continue;
        }
        void *job = jobs->waiting[jobs->first];
        const bool ending = jobs->ending;
        jobs->first = (jobs->first + 1) % MOST_JOBS;
        jobs->n--;
        jobs->n_reserved--;
        pthread_mutex_unlock(&jobs->lock);
        jobs->run(job, ending);
        pthread_mutex_lock(&jobs->lock);
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

struct jobs *jobs_start(void (*run)(void *job, bool ending))
{
    struct jobs *jobs = calloc(1, sizeof *jobs);
    if (jobs == NULL)
        return NULL;
    jobs->run = run;
    if (pthread_mutex_init(&jobs->lock, NULL) != 0)
        goto no_lock;
    if (pthread_cond_init(&jobs->changed, NULL) != 0)
        goto no_condition;
    if (pthread_create(&jobs->thread, NULL, work, jobs) == 0)
        return jobs;
    pthread_cond_destroy(&jobs->changed);
no_condition:
    pthread_mutex_destroy(&jobs->lock);
no_lock:
    free(jobs);
    return NULL;
}

bool jobs_reserve(struct jobs *jobs)
{
    pthread_mutex_lock(&jobs->lock);
    const bool room = jobs->n_reserved < MOST_JOBS && !jobs->ending;
    if (room)
        jobs->n_reserved++;
    pthread_mutex_unlock(&jobs->lock);
    return room;
}

void jobs_add(struct jobs *jobs, void *job)
{
    pthread_mutex_lock(&jobs->lock);
    jobs->waiting[(jobs->first + jobs->n++) % MOST_JOBS] = job;
    pthread_cond_signal(&jobs->changed);
    pthread_mutex_unlock(&jobs->lock);
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
    pthread_cond_destroy(&jobs->changed);
    pthread_mutex_destroy(&jobs->lock);
    free(jobs);
}
