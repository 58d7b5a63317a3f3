/* LD_PRELOAD library: pthread_create fails after FEWER_THREADS threads, as if a user limit had been
 * reached. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

__attribute__((visibility("default"))) create pthread_create;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    static atomic_int n_created;
    const char *most = getenv("FEWER_THREADS");
    void *symbol = dlsym(RTLD_NEXT, "pthread_create");
    create *real = NULL;
    memcpy(&real, &symbol, sizeof real); /* ISO C has no cast for it */
    if (real == NULL || (most != NULL && atomic_fetch_add(&n_created, 1) >= atoi(most)))
        return EAGAIN;
    return real(thread, attributes, run, argument);
}
