/* Begins threads that wait until all are there, or no more come, and lets them end. They have to be
 * alive together: a limit of the system counts those that are. */
#include "gen/threads.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/* What OMP_STACKSIZE says, as the OpenMP specification has it: a number, and B, K (where nothing is
 * said), M or G. 0: nothing that could be read. */
static size_t stack_of_text(const char *text)
{
    static const char units[] = "bkmg";
    char *end = NULL;
    int unit = 1;
    while (text != NULL && isspace((unsigned char)*text))
        text++;
    if (text == NULL || !isdigit((unsigned char)*text))
        return 0;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    while (isspace((unsigned char)*end))
        end++;
    for (int i = 0; units[i] != '\0'; i++) {
        if (tolower((unsigned char)*end) == units[i]) {
            unit = i;
            end++;
            break;
        }
    }
    while (isspace((unsigned char)*end))
        end++;
    if (*end != '\0' || errno != 0 || number > SIZE_MAX >> (10 * unit))
        return 0;
    return (size_t)number << (10 * unit);
}

size_t threads_stack_bytes(void)
{
    pthread_attr_t attributes;
    size_t n_bytes = stack_of_text(getenv("OMP_STACKSIZE"));
    if (n_bytes == 0)
        n_bytes = stack_of_text(getenv("GOMP_STACKSIZE"));
    if (n_bytes == 0 && pthread_attr_init(&attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &n_bytes);
        pthread_attr_destroy(&attributes);
    }
    return n_bytes;
}

struct gate {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    int is_open;
};

static void *wait_at_gate(void *context)
{
    struct gate *gate = context;
    pthread_mutex_lock(&gate->lock);
    while (!gate->is_open)
        pthread_cond_wait(&gate->opened, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
    return NULL;
}

int threads_possible(int n_wanted)
{
    struct gate gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
    pthread_t *threads = n_wanted < 2 ? NULL : malloc((size_t)(n_wanted - 1) * sizeof *threads);
    pthread_attr_t attributes;
    int n = 0;

    if (threads == NULL || pthread_attr_init(&attributes) != 0) {
        free(threads);
        return 1;
    }
    /* Where address space is limited the threads need some of it to work with. A size the system
     * does not take is OpenMP's to complain of; it goes on with the usual one. */
    pthread_attr_setstacksize(&attributes, 2 * threads_stack_bytes());
    while (n < n_wanted - 1 && pthread_create(&threads[n], &attributes, wait_at_gate, &gate) == 0)
        n++;
    pthread_mutex_lock(&gate.lock);
    gate.is_open = 1;
    pthread_cond_broadcast(&gate.opened);
    pthread_mutex_unlock(&gate.lock);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
    free(threads);
    return n + 1;
}
