/* Counts of answers and latencies in the text format of Prometheus. Counters are atomic and only
 * ever grow. */
#include "serve/monitor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Upper bounds of the latency buckets in seconds; as text, to be printed unchanged. */
static const char *const bounds[N_LATENCIES] = {"0.0001", "0.0003", "0.001", "0.003",
                                                "0.01",   "0.1",    "1",     "10"};
static const uint64_t bounds_ns[N_LATENCIES] = {100000,   300000,    1000000,    3000000,
                                                10000000, 100000000, 1000000000, 10000000000};

void monitor_count(struct monitor *monitor, enum endpoint endpoint, enum http_code code,
                   uint64_t ns)
{
    int bound = 0;
    while (bound < N_LATENCIES && ns > bounds_ns[bound])
        bound++;
    atomic_fetch_add_explicit(&monitor->n_answers[endpoint][code], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&monitor->n_latency[endpoint][bound], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&monitor->latency_ns[endpoint], ns, memory_order_relaxed);
}

static void print_answers(FILE *out, struct monitor *monitor)
{
    fputs("# HELP einspul_requests_total Requests answered.\n"
          "# TYPE einspul_requests_total counter\n",
          out);
    for (int i = 0; i < N_ENDPOINTS; i++)
        for (int code = 0; code <= HTTP_LAST; code++) {
            const uint64_t n = atomic_load(&monitor->n_answers[i][code]);
            if (n > 0)
                fprintf(out, "einspul_requests_total{endpoint=\"%s\",code=\"%d\"} %" PRIu64 "\n",
                        endpoint_name((enum endpoint)i), code, n);
        }
}

static void print_latencies(FILE *out, struct monitor *monitor)
{
    fputs("# HELP einspul_request_seconds From a request's arrival to its answer.\n"
          "# TYPE einspul_request_seconds histogram\n",
          out);
    for (int i = 0; i < N_ENDPOINTS; i++) {
        const char *name = endpoint_name((enum endpoint)i);
        uint64_t n = 0;
        for (int j = 0; j <= N_LATENCIES; j++) {
            n += atomic_load(&monitor->n_latency[i][j]);
            fprintf(out, "einspul_request_seconds_bucket{endpoint=\"%s\",le=\"%s\"} %" PRIu64 "\n",
                    name, j < N_LATENCIES ? bounds[j] : "+Inf", n);
        }
        fprintf(out, "einspul_request_seconds_sum{endpoint=\"%s\"} %.6f\n", name,
                1e-9 * (double)atomic_load(&monitor->latency_ns[i]));
        fprintf(out, "einspul_request_seconds_count{endpoint=\"%s\"} %" PRIu64 "\n", name, n);
    }
}

static void print_caches(FILE *out, const struct service *service)
{
    static const struct {
        const char *name, *type, *help;
    } rows[] = {
        {"einspul_cache_hits_total", "counter", "Blocks found decoded."},
        {"einspul_cache_misses_total", "counter", "Blocks that had to be decoded."},
        {"einspul_cache_bytes", "gauge", "Bytes of decoded blocks in memory."},
        {"einspul_decoding_seconds_total", "counter", "Time spent on decoding, reading included."},
        {"einspul_tables", "gauge", "Materials with a table."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", rows[i].name, rows[i].help, rows[i].name,
                rows[i].type);
        for (int j = 0; j < service->n_sets; j++) {
            const einspul *handle = service->sets[j].handle;
            einspul_counters counters;
            einspul_get_counters(handle, &counters);
            const double values[] = {
                (double)counters.hits, (double)counters.misses, (double)counters.cached_bytes,
                1e-9 * (double)counters.decoding_ns, (double)einspul_list(handle, NULL, 0)};
            fprintf(out, "%s{rules=\"%s\"} %.15g\n", rows[i].name, service->sets[j].rules.name,
                    values[i]);
        }
    }
}

void monitor_reply(struct monitor *monitor, const struct service *service, unsigned n_connections,
                   struct reply *reply)
{
    char *text = NULL;
    size_t n_bytes = 0;
    FILE *out = open_memstream(&text, &n_bytes);
    if (out != NULL) {
        print_answers(out, monitor);
        print_latencies(out, monitor);
        print_caches(out, service);
        fprintf(out,
                "# HELP einspul_connections Connections that are open.\n"
                "# TYPE einspul_connections gauge\neinspul_connections %u\n",
                n_connections);
        if (fclose(out) == 0 && text != NULL) {
            *reply = (struct reply){.code = HTTP_DONE,
                                    .type = "text/plain; version=0.0.4; charset=utf-8",
                                    .text = text,
                                    .n_bytes = n_bytes};
            return;
        }
    }
    free(text);
    reply_text(reply, HTTP_FAULT, "not enough memory");
}
