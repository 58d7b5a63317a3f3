#include "tests/support/verifying.h"

#include "tests/support/must.h"

struct verify_report verify(einspul *handle, const struct material *material, einspul_metric metric,
                            int n_threads, uint64_t n_samples)
{
    const struct verify_options options = {
        .depth = VERIFY_VALUES,
        .n_threads = n_threads,
        .n_samples = n_samples,
        .random_seed = 7,
    };
    struct verify_report report;
    einspul_error error = {0};
    must(verify_table(handle, material, metric, &options, &report, &error) == EINSPUL_OK, "%s",
         error.text);
    return report;
}
