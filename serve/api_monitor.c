/* Metrics in Prometheus text format, limited to what a proxy log cannot show. */
#include "serve/endpoints.h"

#include "probe/position.h"
#include "probe/program_handle.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>

static void print_caches(FILE *out, const struct service *service)
{
    static const struct {
        const char *name, *type, *help;
    } rows[] = {
        {"einspul_cache_hits_total", "counter", "Blocks found decoded."},
        {"einspul_cache_misses_total", "counter", "Blocks that had to be decoded."},
        {"einspul_cache_bytes", "gauge", "Bytes of decoded blocks in memory."},
        {"einspul_tables", "gauge", "Materials with a table."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", rows[i].name, rows[i].help, rows[i].name,
                rows[i].type);
        for (int j = 0; j < service->n_sets; j++) {
            einspul *handle = service->sets[j].handle;
            struct probe_counters counters;
            probe_count(handle, &counters);
            const double values[] = {(double)counters.hits, (double)counters.misses,
                                     (double)counters.cached_bytes,
                                     (double)einspul_list(handle, NULL, 0)};
            fprintf(out, "%s{rules=\"%s\"} %.15g\n", rows[i].name, service->sets[j].rules.name,
                    values[i]);
        }
    }
}

void api_monitor(const struct call *call, struct reply *reply)
{
    char *text = NULL;
    size_t n_bytes = 0;
    FILE *out = open_memstream(&text, &n_bytes);
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(call->service->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    if (out != NULL) {
        print_caches(out, call->service);
        fprintf(out,
                "# HELP einspul_connections Connections that are open.\n"
                "# TYPE einspul_connections gauge\neinspul_connections %u\n",
                info != NULL ? info->num_connections : 0);
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
