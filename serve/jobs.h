/* Calls that take long: a queue and a thread of its own, so that the others are answered meanwhile.
 * Thread-safe. */
#ifndef EINSPUL_SERVE_JOBS_H
#define EINSPUL_SERVE_JOBS_H

#include <stdbool.h>

enum { MOST_JOBS = 16 }; /* that wait */

struct jobs;

/* Starts with a function that carries a job out, told whether the server is about to end. NULL when
 * there is no memory or no thread for it. */
struct jobs *jobs_start(void (*run)(void *job, bool ending));

/* Makes room for a job, which jobs_add must fill. False when as many wait as there may be. */
bool jobs_reserve(struct jobs *jobs);
void jobs_add(struct jobs *jobs, void *job);

/* Waits for the job in work; those that wait are run with `ending`. */
void jobs_stop(struct jobs *jobs);

#endif
