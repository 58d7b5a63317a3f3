/* Shared by the commands that read tables. */
#ifndef EINSPUL_CLI_TABLES_H
#define EINSPUL_CLI_TABLES_H

#include "cli/options.h"
#include "core/material.h"
#include "core/moves.h"
#include "core/watch.h"
#include "probe/position.h"
#include "prove/book.h"
#include "study/verdict.h"

/* The names of the materials that the captures and promotions of one lead to, separated by commas,
 * excluding those whose tables belong to another rule set. NULL, and an empty text, for none. */
enum { NEEDS_SIZE = MAX_MATERIALS * (MATERIAL_NAME_SIZE + 1) };
const char *material_needs(const struct rules *rules, const struct material *material,
                           char text[NEEDS_SIZE]);

/* Opens the tables of a rule set in folders, with a message if only a smaller cache fits into memory;
 * NULL with an error of einspul_open. */
einspul *tables_open_folders(const char *const *folders, size_t n_folders, const char *rules,
                             size_t cache_bytes, einspul_error *error);

/* Opens the tables of a rule set in the folders of the options; returns an exit status, and a handle
 * that is NULL after a message. */
int tables_open(const struct options *options, const char *rules, size_t cache_bytes,
                einspul **handle);

/* Reads and checks a file of proofs, with a message if it was written with other tables. Errors of
 * book_read, and IO; call book_free in any case. */
einspul_status proofs_open(const struct options *options, const char *path, einspul *handle,
                           struct book *book, einspul_error *error);

/* A hint for a folder given one level too deep, such as T/frisian instead of T: text to append to
 * an error, beginning with ": "; empty if it does not apply. */
struct tables_hint {
    char text[300];
};
struct tables_hint tables_hint(const struct options *options);

/* Cache sizes for a few positions, and for whole tables. */
enum { SMALL_CACHE = 64 << 20, LARGE_CACHE = 1 << 30 };

/* A requested material. */
struct table_request {
    struct material material; /* canonical */
    bool flipped;             /* the name given was not canonical */
    unsigned metrics;         /* METRICS_… that it has files of */
};

/* METRICS_… that a material has files of; 0: none. */
static inline unsigned metrics_of(const einspul_table_info *info)
{
    return (info->has_wdl ? METRICS_WDL : 0u) | (info->has_dtw ? METRICS_DTW : 0u);
}

/* All tables a rule set uses, or those of its own only, which its commands may write or check. */
enum tables_of { TABLES_ALL, TABLES_OWN };

/* The materials the arguments name, or all that have a table, in the order of generation. Returns
 * their number; -1 after a message if a material is unknown, has no table, or belongs to another
 * rule set. */
int tables_requested(const struct options *options, const einspul *handle, enum tables_of which,
                     struct table_request requests[MAX_MATERIALS]);

/* Prints column names, then visits each file of those materials, the .wdl first. Stops at the first
 * visit that fails; returns an exit status, EXIT_CHECK_FAILED if any visit returned it. `doing`, a
 * verb for the progress, is NULL for short visits; for others `watch` is set, and asked to stop by a
 * signal; they call progress_clear before they print. Up to `n_at_once` visits run at the same time,
 * each with its share of the threads; then they print within `omp critical(tables_output)`. */
typedef int tables_visit(const struct options *options, einspul *handle,
                         const struct material *material, einspul_metric metric,
                         struct watch *watch);
int tables_each(const struct options *options, einspul *handle, enum tables_of which,
                const char *columns, const char *doing, int n_at_once, tables_visit *visit);

/* Reports a failed visit: as a row if the file is damaged or is not the expected table, otherwise
 * as a message; returns EXIT_CHECK_FAILED, or the exit status of the message. */
int tables_failed(const struct options *options, const struct material *material,
                  einspul_metric metric, const einspul_error *error);

/* Begins a row with a material and a metric. */
void row_table(const struct material *material, einspul_metric metric);

#endif
