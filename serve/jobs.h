/* Calls that take long, one at a time. A call waits in the thread of its request until its turn
 * comes, or until an equal one has its answer; it is cancelled when the last client that waits for it
 * disconnects. Thread-safe. */
#ifndef EINSPUL_SERVE_JOBS_H
#define EINSPUL_SERVE_JOBS_H

#include "serve/api.h"

#include <pthread.h>

enum {
    MOST_JOBS = 16,     /* that wait for their turn */
    MOST_WAITING = 64,  /* requests that wait for an answer */
    FRESH_SECONDS = 60, /* clients and proxies need not ask again */
};

struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool (*is_there)(const void *client); /* whether a client is still connected */
    bool ending;
    struct served_job *running; /* or NULL */
    struct served_job *queue;   /* the next one first */
    int n_queued;
    struct waiter *waiters; /* threads in jobs_ask */
    int n_waiters;
};

void jobs_init(struct jobs *jobs, bool (*is_there)(const void *client));

/* Fills the reply with the answer of a call, or with a 503 if too many wait. False: the client has
 * left, and the reply is empty. */
bool jobs_ask(struct jobs *jobs, api_call *run, const struct call *call, const void *client,
              struct reply *reply);

/* Ends the running call as soon as possible; all that wait, now or later, get a 503. */
void jobs_end(struct jobs *jobs);

#endif
