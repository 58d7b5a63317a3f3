/* Long work as its caller sees it: how much is done, and the request to stop. */
#ifndef EINSPUL_CORE_WATCH_H
#define EINSPUL_CORE_WATCH_H

#include "core/status.h"

#include <stdatomic.h>
#include <stdint.h>

/* Work passes through phases, whose lengths its caller may choose. Members after the blank line
 * begin with zero. The functions accept NULL: nobody watches. */
struct watch {
    const _Atomic int *stop; /* non-zero: the work ends with STOPPED; may be NULL */
    /* Called after each part with the share of the work that is done, 0 to 1; by one thread at a
     * time. May be NULL. */
    void (*report)(double done, void *context);
    void *context;

    double before, share; /* of the work: the phases before this one, and this one */
    uint64_t n_parts;     /* of this phase */
    _Atomic uint64_t n_done;
    _Atomic int reporting;
};

/* Begins the next phase: a share of the work. */
static inline void watch_phase(struct watch *watch, double share)
{
    if (watch == NULL)
        return;
    watch->before += watch->share;
    watch->share = share;
}

/* Divides the phase into parts. */
static inline void watch_parts(struct watch *watch, uint64_t n_parts)
{
    if (watch == NULL)
        return;
    watch->n_parts = n_parts;
    watch->n_done = 0;
}

/* Counts parts that are done. Any thread may call this. */
static inline void watch_add(struct watch *watch, uint64_t n_parts)
{
    if (watch == NULL)
        return;
    atomic_fetch_add(&watch->n_done, n_parts);
    if (watch->report == NULL || atomic_exchange(&watch->reporting, 1) != 0)
        return;
    const uint64_t n_done = atomic_load(&watch->n_done); /* never less than at the last report */
    const double done = n_done < watch->n_parts ? (double)n_done / (double)watch->n_parts : 1.0;
    watch->report(watch->before + watch->share * done, watch->context);
    atomic_store(&watch->reporting, 0);
}

static inline bool watch_stopped(const struct watch *watch)
{
    return watch != NULL && watch->stop != NULL && atomic_load(watch->stop) != 0;
}

/* STOPPED if the work is to stop; else OK. */
static inline einspul_status watch_status(const struct watch *watch, einspul_error *error)
{
    return watch_stopped(watch) ? error_set(error, EINSPUL_STOPPED, "stopped") : EINSPUL_OK;
}

#endif
