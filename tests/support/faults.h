/* Fault injection: the n-th allocation or file call fails. The program is linked with --wrap for
 * each function of faults.c, so only calls of einspul itself and zstd's allocations count, not
 * those of the C library or OpenMP. faults_begin and faults_end are called while one thread runs;
 * any number may run in between. */
#ifndef EINSPUL_TESTS_SUPPORT_FAULTS_H
#define EINSPUL_TESTS_SUPPORT_FAULTS_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

enum fault_kind { FAULT_OF_MEMORY = 1, FAULT_OF_FILES = 2 }; /* bits */

/* The calls that can fail, and how. */
struct fault_mode {
    const char *name;
    unsigned kinds; /* of calls */
    /* Number of calls that fail from the n-th on; ALL_CALLS: all later ones; LARGE_CALLS: every
     * allocation above 8 << n bytes. */
    int n_calls;
    int reason; /* errno of a failing file call */
};
enum { ALL_CALLS = -1, LARGE_CALLS = -2 };

enum { FAULT_NO_MEMORY = 1, FAULT_ONE_FILE = 2, FAULT_DISK_FULL = 3, N_FAULT_MODES = 11 };
extern const struct fault_mode fault_modes[N_FAULT_MODES];

/* Aborts if a wrapped function is never called: a C library may have another name for it. */
void faults_check(void);

/* From here on the n-th (1..) call of the mode's kinds fails. */
void faults_begin(const struct fault_mode *mode, uint64_t n);

/* Calls `meddle` before the n-th file call instead of failing it; `meddle` may call anything.
 * faults_end returns true if it was called. */
void faults_meddle(void (*meddle)(void), uint64_t n);

/* Returns the number of calls that have failed since faults_begin. */
uint64_t faults_so_far(void);

/* Ends the faults; returns how many calls failed. */
uint64_t faults_end(void);

/* True if since faults_begin a file could not be removed, or not be synced. */
bool faults_kept_a_file(void);
bool faults_lost_a_sync(void);

/* From here on every second read and write is interrupted, and the others are partial. */
void faults_stutter(bool on);

/* Aborts with a message that names `scenario` if a condition is false. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void faults_expect(const char *scenario, bool truth, const char *format, ...);

/* Requires a status that a fault of the last faults_begin must give, with a text. */
void faults_expect_named(const char *scenario, einspul_status status, const einspul_error *error);

#endif
