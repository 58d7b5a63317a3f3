/* No-op mutexes for a single-threaded module. */
#ifndef EINSPUL_WASM_PTHREAD_H
#define EINSPUL_WASM_PTHREAD_H

typedef int pthread_mutex_t;

#define PTHREAD_MUTEX_INITIALIZER    0
#define pthread_mutex_lock(mutex)    ((void)(mutex))
#define pthread_mutex_unlock(mutex)  ((void)(mutex))
#define pthread_mutex_destroy(mutex) ((void)(mutex))

#endif
