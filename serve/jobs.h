/* Job queues for long-running calls: one for proofs, which may take minutes, and one for searches and
 * statistics, so that neither waits for the other. A worker thread for each runs its jobs one at a
 * time. Identical requests share one job. A job is cancelled when its last client disconnects.
 * Thread-safe. */
#ifndef EINSPUL_SERVE_JOBS_H
#define EINSPUL_SERVE_JOBS_H

#include "serve/endpoints.h"

#include <pthread.h>

enum {
    MAX_JOBS = 16,      /* queued jobs, of each queue */
    MAX_WAITING = 64,   /* requests waiting for an answer */
    CACHE_SECONDS = 60, /* seconds a job's answer may be cached */
};

/* A request that waits. */
struct waiter {
    api_call *run;
    struct call call;
    void *client;
    struct request request;   /* from here on: owned by the job queue */
    struct waiter *next;      /* in the queue */
    struct waiter *identical; /* a chain of equal requests, which share the answer */
    bool disconnected;        /* the client has disconnected */
};

struct job_queue {
    struct jobs *jobs;
    pthread_cond_t changed;
    pthread_t thread;
    bool stopped;           /* the running job ends without an answer */
    struct waiter *running; /* or NULL */
    struct waiter *first;   /* in the order of arrival, statistics before searches */
    int n_queued;
};

enum { QUEUE_SEARCHES, QUEUE_PROOFS, N_QUEUES };

struct jobs {
    pthread_mutex_t lock;
    bool (*is_connected)(const void *client); /* true if a client is still connected */
    void (*answer)(void *client, const struct reply *reply); /* NULL if it has disconnected */
    bool ending;
    int n_waiting;
    struct job_queue queues[N_QUEUES];
};

/* False if the threads cannot be started. */
bool jobs_begin(struct jobs *jobs, bool (*is_connected)(const void *client),
                void (*answer)(void *client, const struct reply *reply));

/* Queues a request, which must last until its answer; false if too many wait. */
bool jobs_submit(struct jobs *jobs, struct waiter *waiter);

/* Ends the running call as soon as possible; all that wait get a 503. */
void jobs_end(struct jobs *jobs);

#endif
