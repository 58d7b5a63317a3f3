/* Names of what the files of solvers and seeds share, where they are compiled for values of two bytes:
 * both sizes are in one program. */
#ifndef EINSPUL_GEN_SEEDS_WIDE_NAMES_H
#define EINSPUL_GEN_SEEDS_WIDE_NAMES_H

#ifdef EINSPUL_WIDE_SOLVERS
#define fast_decide        wide_fast_decide
#define fast_events_apply  wide_fast_events_apply
#define fast_events_create wide_fast_events_create
#define fast_large_enter   wide_fast_large_enter
#define fast_large_start   wide_fast_large_start
#define fast_read          wide_fast_read
#define fast_scan_apply    wide_fast_scan_apply
#define fast_scan_blocks   wide_fast_scan_blocks
#define fast_scan_start    wide_fast_scan_start
#define fast_seeds_apply   wide_fast_seeds_apply
#define fast_side_allocate wide_fast_side_allocate
#define fast_side_fill     wide_fast_side_fill
#define fast_side_free     wide_fast_side_free
#define fast_side_init     wide_fast_side_init
#define fast_side_start    wide_fast_side_start
#define fast_wave          wide_fast_wave
#define look_up_found      wide_look_up_found
#define man_moves_find     wide_man_moves_find
#define seed_captures      wide_seed_captures
#define seed_fast          wide_seed_fast
#define seed_plain         wide_seed_plain
#define seeders_fast       wide_seeders_fast
#define seeders_fast_bytes wide_seeders_fast_bytes
#define seeders_plain      wide_seeders_plain
#define solver_clock       wide_solver_clock
#define solver_fast        wide_solver_fast
#define solver_plain       wide_solver_plain
#define target_fetch       wide_target_fetch
#define target_set         wide_target_set
#define target_values      wide_target_values
#define worths_init        wide_worths_init

/* Of functions of a file's own that are compiled for several processors (MULTI_TARGET) clang makes the
 * choice a name that all files see. */
#define words_decided wide_words_decided
#define words_without wide_words_without
#endif

#endif
