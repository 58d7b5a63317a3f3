#include "tests/support/verify_table.h"

#include "tests/support/require.h"

/* Verifies with `max_bytes` of memory for values. */
static struct verify_report verify_within(einspul *handle, const struct material *material,
                                          einspul_metric metric, int n_threads, uint64_t n_samples,
                                          uint64_t max_bytes)
{
    const struct verify_options options = {
        .depth = VERIFY_VALUES,
        .n_threads = n_threads,
        .n_samples = n_samples,
        .random_seed = 7,
        .max_bytes = max_bytes,
    };
    struct verify_report report;
    einspul_error error = {0};
    must(verify_table(handle, material, metric, &options, &report, &error) == EINSPUL_OK, "%s",
         error.text);
    return report;
}

struct verify_report verify(einspul *handle, const struct material *material, einspul_metric metric,
                            int n_threads, uint64_t n_samples)
{
    return verify_within(handle, material, metric, n_threads, n_samples, (uint64_t)1 << 30);
}

struct verify_report verify_by_probes(einspul *handle, const struct material *material,
                                      einspul_metric metric, int n_threads)
{
    return verify_within(handle, material, metric, n_threads, 0, 0);
}

bool reports_equal(const struct verify_report *a, const struct verify_report *b)
{
    const struct state *first = &a->first_fault;
    const struct state *second = &b->first_fault;
    bool equal = a->n_states == b->n_states && a->n_faults == b->n_faults;
    if (!equal || a->n_faults == 0)
        return equal;
    for (int side = 0; side < 2; side++)
        equal = equal && first->at.men[side] == second->at.men[side] &&
                first->at.kings[side] == second->at.kings[side] &&
                first->run[side].square == second->run[side].square &&
                first->run[side].count == second->run[side].count;
    return equal && first->at.side == second->at.side && a->stored == b->stored &&
           a->implied == b->implied;
}
