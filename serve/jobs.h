/* Job queue for long-running calls; one worker thread runs them one at a time. Identical requests
 * share one job. A job is cancelled when its last client disconnects. Thread-safe. */
#ifndef EINSPUL_SERVE_JOBS_H
#define EINSPUL_SERVE_JOBS_H

#include "serve/api.h"

#include <pthread.h>

enum {
    MAX_JOBS = 16,      /* queued jobs */
    MAX_WAITING = 64,   /* requests waiting for an answer */
    FRESH_SECONDS = 60, /* seconds a job's answer may be cached */
};

/* A request that waits. */
struct waiter {
    api_call *run;
    struct call call;
    void *client;
    struct request request; /* from here on: owned by the job queue */
    struct waiter *next;    /* in the queue */
    struct waiter *equals;  /* a chain of equal requests, which share the answer */
    bool left;              /* the client has disconnected */
};

struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool (*is_there)(const void *client); /* true if a client is still connected */
    void (*answer)(void *client, const struct reply *reply); /* NULL if it has disconnected */
    bool ending;
    bool stopped;           /* the running job ends without an answer */
    struct waiter *running; /* or NULL */
    struct waiter *queue;   /* the next one first */
    int n_queued, n_waiting;
};

/* False if the thread cannot be started. */
bool jobs_begin(struct jobs *jobs, bool (*is_there)(const void *client),
                void (*answer)(void *client, const struct reply *reply));

/* Queues a request, which must last until its answer; false if too many wait. */
bool jobs_ask(struct jobs *jobs, struct waiter *waiter);

/* Ends the running call as soon as possible; all that wait get a 503. */
void jobs_end(struct jobs *jobs);

#endif
