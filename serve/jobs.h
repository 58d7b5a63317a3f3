/* Calls that take long: a queue and a thread of its own, so that others are answered meanwhile.
 * Equal requests share one job and its answer, which is kept for the next. A job ends when the
 * connection of the last client that waits for it does. Thread-safe. */
#ifndef EINSPUL_SERVE_JOBS_H
#define EINSPUL_SERVE_JOBS_H

#include "serve/routes.h"

enum {
    MOST_JOBS = 16,       /* that wait for their turn */
    MOST_KEPT_JOBS = 256, /* answers */
    MOST_WAITING = 64,    /* requests that wait for an answer */
    MOST_OF_CLIENT = 4,   /* of these, from one client */
    CLIENT_NAME_SIZE = 64
};

struct jobs;

/* What is done with a request that waits, `who` as it was handed to jobs_ask. None may call back.
 * `suspend`: it begins to wait. `is_there`: its client still listens. `resume`: here is the answer,
 * to be copied; NULL: the client has left. */
struct job_hooks {
    void (*suspend)(void *who);
    bool (*is_there)(void *who);
    void (*resume)(void *who, const struct reply *answer);
};

/* NULL when there is no memory or no thread. `service` must last as long. */
struct jobs *jobs_start(struct service *service, struct job_hooks hooks);

/* Asks for the answer to a request of the client of that name. True when it is in `reply`: kept from
 * an equal request, or a 429 or 503 where too many wait; false when `who` waits for it now. Route
 * and request are copied; a request without a body. */
bool jobs_ask(struct jobs *jobs, const struct route *route, const struct request *request,
              const char *client, void *who, struct reply *reply);

/* Ends the job in work as soon as it can be; whoever waits gets a 503. */
void jobs_stop(struct jobs *jobs);

#endif
