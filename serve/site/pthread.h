/* No-op locks for a single-threaded module. */
#ifndef EINSPUL_SITE_PTHREAD_H
#define EINSPUL_SITE_PTHREAD_H

typedef int pthread_mutex_t, pthread_rwlock_t;

#define PTHREAD_MUTEX_INITIALIZER      0
#define pthread_mutex_init(mutex, how) ((void)(mutex), (void)(how))
#define pthread_mutex_lock(mutex)      ((void)(mutex))
#define pthread_mutex_unlock(mutex)    ((void)(mutex))
#define pthread_mutex_trylock(mutex)   ((void)(mutex), 0)
#define pthread_mutex_destroy(mutex)   ((void)(mutex))

#define pthread_rwlock_init(lock, how) ((void)(lock), (void)(how))
#define pthread_rwlock_trywrlock(lock) ((void)(lock), 0)
#define pthread_rwlock_unlock(lock)    ((void)(lock))
#define pthread_rwlock_destroy(lock)   ((void)(lock))

#endif
