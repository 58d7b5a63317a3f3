/* The thread waits for the end, with the time of the next call as the limit. That time is of a
 * clock nobody sets, where threads can wait by one; elsewhere of the clock of the day. */
#include "gen/run/beat.h"

#include <time.h>

enum { STACK_BYTES = 256 << 10 };

static void *beat_main(void *context)
{
    struct beat *beat = context;
    struct timespec next;
    clock_gettime(beat->clock, &next);
    pthread_mutex_lock(&beat->lock);
    while (beat->runs) {
        next.tv_sec += beat->seconds;
        while (beat->runs && pthread_cond_timedwait(&beat->end, &beat->lock, &next) == 0)
            continue;
        if (beat->runs)
            beat->call(beat->context);
    }
    pthread_mutex_unlock(&beat->lock);
    return NULL;
}

/* Chooses the clock with which a condition waits. */
static clockid_t set_clock(pthread_condattr_t *attributes)
{
#ifndef __APPLE__ /* which does not have the call */
    if (pthread_condattr_setclock(attributes, CLOCK_MONOTONIC) == 0)
        return CLOCK_MONOTONIC;
#else
    (void)attributes;
#endif
    return CLOCK_REALTIME;
}

void beat_begin(struct beat *beat, int seconds, void (*call)(void *context), void *context)
{
    *beat = (struct beat){.runs = true, .seconds = seconds, .call = call, .context = context};
    pthread_attr_t small; /* a stack of its own must not count beside a limit of memory */
    pthread_condattr_t attributes;
    pthread_mutex_init(&beat->lock, NULL);
    pthread_condattr_init(&attributes);
    beat->clock = set_clock(&attributes);
    pthread_cond_init(&beat->end, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_attr_init(&small);
    (void)pthread_attr_setstacksize(&small, STACK_BYTES);
    if (seconds == 0 || pthread_create(&beat->thread, &small, beat_main, beat) != 0)
        beat->runs = false;
    pthread_attr_destroy(&small);
}

void beat_end(struct beat *beat)
{
    pthread_mutex_lock(&beat->lock);
    const bool has_thread = beat->runs;
    beat->runs = false;
    pthread_cond_signal(&beat->end);
    pthread_mutex_unlock(&beat->lock);
    if (has_thread)
        pthread_join(beat->thread, NULL);
}
