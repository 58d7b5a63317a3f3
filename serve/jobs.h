/* A queue with a thread of its own for calls that take long, so that others are answered meanwhile.
 * Equal requests share one job and its answer. A job is cancelled when the last client that waits
 * for it disconnects. Thread-safe. */
#ifndef EINSPUL_SERVE_JOBS_H
#define EINSPUL_SERVE_JOBS_H

#include "serve/routes.h"

enum {
    MOST_JOBS = 16,     /* that wait for their turn */
    MOST_WAITING = 64,  /* requests that wait for an answer */
    FRESH_SECONDS = 60, /* clients and proxies need not ask again */
};

struct jobs;

/* Functions for a waiting request; `who` is as given to jobs_ask. None of them may call jobs.
 * `suspend`: the request begins to wait. `is_there`: whether its client is still connected.
 * `resume`: the answer, to be copied; NULL if the client has left. */
struct job_hooks {
    void (*suspend)(void *who);
    bool (*is_there)(void *who);
    void (*resume)(void *who, const struct reply *answer);
};

/* NULL without memory or a thread. `service` must outlive the jobs. */
struct jobs *jobs_start(struct service *service, struct job_hooks hooks);

/* Submits a request. False if `who` now waits for the answer; true, with a 503 in `reply`, if too
 * many wait. Route and request, which has no body, are copied. */
bool jobs_ask(struct jobs *jobs, const struct route *route, const struct request *request,
              void *who, struct reply *reply);

/* Ends the running job as soon as possible; all waiting requests get a 503. */
void jobs_stop(struct jobs *jobs);

#endif
