/* Metrics in Prometheus text format, limited to what a proxy log cannot show. */
#include "serve/endpoints.h"

#include "probe/position.h"
#include "probe/program_handle.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>

static void print_head(FILE *out, const char *name, const char *type, const char *help)
{
    fprintf(out, "# HELP einspul_%s %s\n# TYPE einspul_%s %s\n", name, help, name, type);
}

static void print_caches(FILE *out, const struct service *service)
{
    static const char *const rows[][3] = {
        {"cache_hits_total", "counter", "Blocks found decoded."},
        {"cache_misses_total", "counter", "Blocks that had to be decoded."},
        {"cache_bytes", "gauge", "Bytes of decoded blocks in memory."},
        {"tables", "gauge", "Materials with a table."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_head(out, rows[i][0], rows[i][1], rows[i][2]);
        for (int j = 0; j < service->n_sets; j++) {
            einspul *handle = service->sets[j].handle;
            struct probe_counters counters;
            probe_count(handle, &counters);
            const double values[] = {(double)counters.hits, (double)counters.misses,
                                     (double)counters.cached_bytes,
                                     (double)einspul_list(handle, NULL, 0)};
            fprintf(out, "einspul_%s{rules=\"%s\"} %.15g\n", rows[i][0],
                    service->sets[j].rules.name, values[i]);
        }
    }
}

void api_monitor(const struct call *call, struct reply *reply)
{
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(call->service->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    FILE *out = open_memstream(&reply->text, &reply->n_bytes);
    if (out != NULL) {
        print_caches(out, call->service);
        print_head(out, "connections", "gauge", "Connections that are open.");
        fprintf(out, "einspul_connections %u\n", info != NULL ? info->num_connections : 0);
    }
    if (out != NULL && fclose(out) == 0) {
        reply->code = HTTP_DONE;
        reply->type = "text/plain; version=0.0.4; charset=utf-8";
        return;
    }
    free(reply->text);
    reply_text(reply, HTTP_FAULT, "not enough memory");
}
