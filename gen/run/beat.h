/* A call every so many seconds, by a thread of its own, for what must be told while nothing else
 * happens. */
#ifndef EINSPUL_GEN_RUN_BEAT_H
#define EINSPUL_GEN_RUN_BEAT_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

struct beat {
    pthread_t thread;
    pthread_mutex_t lock; /* held during calls; by others for what calls read */
    pthread_cond_t end;
    clockid_t clock; /* that `end` waits by */
    bool runs;
    int seconds;
    void (*call)(void *context);
    void *context;
};

/* Begins and ends the calls. Without a thread there are none. With 0 seconds there are none
 * either. */
void beat_begin(struct beat *beat, int seconds, void (*call)(void *context), void *context);
void beat_end(struct beat *beat);

#endif
