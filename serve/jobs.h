/* Calls that take long, one after the other in a thread of their own. A request waits until its turn
 * comes, or until an equal one has its answer; a call is cancelled when the last client that waits
 * for it disconnects. Thread-safe. */
#ifndef EINSPUL_SERVE_JOBS_H
#define EINSPUL_SERVE_JOBS_H

#include "serve/api.h"

#include <pthread.h>

enum {
    MOST_JOBS = 16,     /* that wait for their turn */
    MOST_WAITING = 64,  /* requests that wait for an answer */
    FRESH_SECONDS = 60, /* clients and proxies need not ask again */
};

/* A request that waits. */
struct waiter {
    api_call *run;
    struct call call;
    void *client;
    struct request request; /* and what follows: of the jobs */
    struct waiter *next;    /* in the queue */
    struct waiter *equals;  /* a chain of equal requests, which get the same answer */
    bool left;              /* the client */
};

struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool (*is_there)(const void *client); /* whether a client is still connected */
    void (*answer)(void *client, const struct reply *reply); /* NULL: it has left */
    bool ending;
    bool stopped;           /* the running job ends without an answer */
    struct waiter *running; /* or NULL */
    struct waiter *queue;   /* the next one first */
    int n_queued, n_waiting;
};

/* False if there is no thread. */
bool jobs_begin(struct jobs *jobs, bool (*is_there)(const void *client),
                void (*answer)(void *client, const struct reply *reply));

/* Takes a request, which must last until its answer; false if too many wait. */
bool jobs_ask(struct jobs *jobs, struct waiter *waiter);

/* Ends the running call as soon as possible; all that wait get a 503. */
void jobs_end(struct jobs *jobs);

#endif
