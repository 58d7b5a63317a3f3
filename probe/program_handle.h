/* Functions on handles for the programs, in addition to einspul.h: rule set, tables, counters, and
 * values without the limit. */
#ifndef EINSPUL_PROBE_PROGRAM_HANDLE_H
#define EINSPUL_PROBE_PROGRAM_HANDLE_H

#include "probe/position.h"
#include "table/table_read.h"

/* einspul_open with `n_folders` folders and packs in place of a list. */
einspul_status probe_open(const char *const *folders, size_t n_folders, const char *rules,
                          size_t cache_bytes, einspul **handle, einspul_error *error);

/* The rule set of a handle. */
const struct rules *probe_rules(const einspul *handle);

/* The open table of a canonical material; it belongs to the handle. NO_TABLE names the material;
 * NO_METRIC; file errors of table_open. Thread-safe. */
einspul_status probe_table(einspul *handle, const struct material *material, einspul_metric metric,
                           const struct table **table, einspul_error *error);

/* The value of a state for the side to move, under all rules of the handle (clock included). With
 * EINSPUL_WDL only its outcome is valid (value_without_distance). Captures are resolved by making
 * them. `state` must have passed state_check. `flags` is 0 or EINSPUL_CACHE_ONLY; errors as
 * einspul_probe. Thread-safe. */
einspul_status probe_state(einspul *handle, const struct state *state, einspul_metric metric,
                           unsigned flags, value_t *value, einspul_error *error);

/* The raw value of a limited material's state (2K v 1K), without the limit: always a distance.
 * Otherwise as probe_state. */
einspul_status probe_raw(einspul *handle, const struct state *state, value_t *value,
                         einspul_error *error);

struct probe_counters {
    uint64_t hits;   /* blocks found decoded */
    uint64_t misses; /* blocks that had to be decoded, or were refused by EINSPUL_CACHE_ONLY */
    uint64_t decoded_blocks; /* in total; failed ones count as misses only */
    uint64_t cached_bytes;   /* that decoded blocks take in the cache */
};

/* A snapshot; counts of running probes may be missing. */
void probe_count(einspul *handle, struct probe_counters *counters);

#endif
