/* Makes the n-th call fail that asks for memory, or that does something to a file. The program is
 * linked with --wrap for each function of faults.c, so only calls of einspul itself count, none of
 * the C library's or OpenMP's own, and of zstd those that may ask for memory. Faults begin and end
 * while one thread runs; in between any number may. */
#ifndef EINSPUL_TESTS_SUPPORT_FAULTS_H
#define EINSPUL_TESTS_SUPPORT_FAULTS_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

enum fault_kind { FAULT_OF_MEMORY = 1, FAULT_OF_FILES = 2 }; /* bits */

/* Ways for calls to fail. */
struct fault_mode {
    const char *name;
    unsigned kinds; /* of calls */
    int n_calls;    /* that fail, from the n-th on; ALL_CALLS after it, or every one that asks for
                       more than 8 << n bytes: LARGE_CALLS */
    int reason;     /* errno of a call for a file */
};
enum { ALL_CALLS = -1, LARGE_CALLS = -2 };

enum { FAULT_NO_MEMORY = 1, FAULT_ONE_FILE = 2, FAULT_DISK_FULL = 3, N_FAULT_MODES = 11 };
extern const struct fault_mode fault_modes[N_FAULT_MODES];

/* Ends the program where a call that is to fail is not met: a C library may give it another
 * name. */
void faults_check(void);

/* From here on the n-th (1..) call of the mode's kinds fails. */
void faults_begin(const struct fault_mode *mode, uint64_t n);

/* Instead: no call fails, but before the n-th call for a file `meddle` is called, which may call
 * whatever it likes. faults_end returns whether it was. */
void faults_meddle(void (*meddle)(void), uint64_t n);

/* How many calls have failed since. */
uint64_t faults_so_far(void);

/* Ends that; returns how many calls failed. */
uint64_t faults_end(void);

/* True when since faults_begin a file could not be removed, or not be synced. */
bool faults_kept_a_file(void);
bool faults_lost_a_sync(void);

/* From here on every second read and write is interrupted, and none does more than a part. */
void faults_stutter(bool on);

/* Ends the program with a message if something is not true; `scenario` says of what. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void faults_expect(const char *scenario, bool truth, const char *format, ...);

/* That a status is one that a fault of the last faults_begin must give, with a text. */
void faults_expect_named(const char *scenario, einspul_status status, const einspul_error *error);

#endif
