/* The progress of a plan: a line per material, and on a terminal a bar. */
#include "cli/plan_print.h"

#include "cli/print.h"
#include "cli/system.h"

enum { BAR = 40 };

static const char *state_text(enum material_state state)
{
    static const char *const texts[] = {"missing", "running", "partly", "done"};
    return texts[state];
}

/* What is left in words; with a bar where a terminal shows it. */
static void print_sum(const struct plan *plan, const struct graph_status *status)
{
    const double share = status->seconds > 0 ? 1 - status->seconds_left / status->seconds : 1;
    const bool all = status->n_done == plan->graph.n_materials;
    const int n_filled = all ? BAR : (int)(share * (BAR - 1));
    if (system_is_terminal(stderr)) {
        fputc('[', stderr);
        for (int i = 0; i < BAR; i++)
            fputc(i < n_filled ? '#' : '.', stderr);
        fputs("] ", stderr);
    }
    fprintf(stderr, "%.0f %%, %d of %d materials done, %d running, %.1f core-hours left\n",
            all                ? 100.0
            : 100 * share < 99 ? 100 * share
                               : 99.0,
            status->n_done, plan->graph.n_materials, status->n_running,
            status->seconds_left / 3600);
}

void plan_print_status(const struct plan *plan, const struct graph_status *status)
{
    row_header("material\tstate\tjobs\tjobs-done\tcore-hours\tcore-hours-left");
    for (int i = 0; i < plan->graph.n_materials; i++) {
        const struct material_status *material = &status->materials[i];
        row_text("material", material_name(&plan->graph.materials[i]).text);
        row_text("state", state_text(material->state));
        row_count("jobs", (uint64_t)material->n_jobs);
        row_count("jobs-done", (uint64_t)material->n_done);
        row_real("core-hours", material->seconds / 3600);
        row_real("core-hours-left", material->seconds_left / 3600);
        row_end();
    }
    output_flush();
    print_sum(plan, status);
}
