/* Checks tables against the rules with the move generator and the prober, without any solver code. */
#ifndef EINSPUL_VERIFY_VERIFY_H
#define EINSPUL_VERIFY_VERIFY_H

#include "core/material.h"
#include "core/moves.h"
#include "core/value.h"
#include "core/watch.h"
#include "probe/position.h"

enum verify_depth {
    VERIFY_HEADER,    /* header, index and model: sizes and checksums; no block is read */
    VERIFY_CHECKSUMS, /* also: every block decodes, and a whole table has the values of its hash */
    VERIFY_VALUES     /* also: every stored value is what its successors imply */
};

struct verify_options {
    enum verify_depth depth;
    int n_threads; /* 1.. */
    uint64_t
        n_samples; /* 0: every stored state; otherwise about that many of each table, at random */
    uint64_t random_seed; /* of the sample */
    uint64_t max_bytes;   /* memory for values; those that do not fit are probed */
    struct watch *watch;  /* STOPPED when it says so; may be NULL */
};

struct verify_report {
    uint64_t n_states;        /* values compared */
    uint64_t n_faults;        /* values that differ from what their successors imply */
    struct state first_fault; /* the one with the lowest index, if n_faults > 0 */
    value_t stored, implied;  /* its two values */
};

/* Checks one metric of a canonical material; the tables its captures and promotions lead to must
 * exist. An unreadable table, or one whose values do not match its hash, is an error; wrong values
 * are counted in the report. The report does not depend on the number of threads. */
einspul_status verify_table(einspul *handle, const struct material *material, einspul_metric metric,
                            const struct verify_options *options, struct verify_report *report,
                            einspul_error *error);

#endif
