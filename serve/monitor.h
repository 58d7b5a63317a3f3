/* Metrics in the text format of Prometheus. Thread-safe. */
#ifndef EINSPUL_SERVE_MONITOR_H
#define EINSPUL_SERVE_MONITOR_H

#include <stdatomic.h>

#include "serve/routes.h"

enum { N_LATENCIES = 8 };

struct monitor {
    _Atomic uint64_t n_answers[N_ENDPOINTS][HTTP_LAST + 1];
    _Atomic uint64_t n_latency[N_ENDPOINTS][N_LATENCIES + 1]; /* by bound, the last without one */
    _Atomic uint64_t latency_ns[N_ENDPOINTS];
};

/* Counts an answer, and the time from the request's arrival to it. */
void monitor_count(struct monitor *monitor, enum endpoint endpoint, enum http_code code,
                   uint64_t ns);

/* The text of /monitor. */
void monitor_reply(struct monitor *monitor, const struct service *service, unsigned n_connections,
                   struct reply *reply);

#endif
