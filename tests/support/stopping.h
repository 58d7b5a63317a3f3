/* Watches long work (core/watch.h) and stops it at a chosen moment. */
#ifndef EINSPUL_TESTS_SUPPORT_STOPPING_H
#define EINSPUL_TESTS_SUPPORT_STOPPING_H

#include <criterion/criterion.h>

/* Sets `stop` once a share of the work is done, and checks that the share never falls. */
struct stopping {
    double at, done;
    _Atomic int stop;
};

static inline void stop_at(double done, void *context)
{
    struct stopping *stopping = context;
    cr_assert(done >= stopping->done && done < 1.001, "%g after %g", done, stopping->done);
    stopping->done = done;
    if (done >= stopping->at)
        stopping->stop = 1;
}

#endif
