/* Library handles on the tables of a test, and moves with their texts. */
#ifndef EINSPUL_TESTS_SUPPORT_HANDLE_H
#define EINSPUL_TESTS_SUPPORT_HANDLE_H

#include "probe/list_moves.h"
#include "probe/program_handle.h"

/* A handle on one folder of tables; aborts if it cannot be opened. */
einspul *open_tables(const char *root, const char *rules, size_t cache_bytes);

/* Like open_handle, with the program's cache size. */
einspul *open_default(const char *root, const char *rules);

/* The moves of einspul_moves with their texts, without values, in an array of `capacity` moves;
 * `*n_moves` receives their number. */
einspul_status all_moves(const char *rules, const einspul_position *position,
                         struct probed_move *moves, size_t capacity, size_t *n_moves,
                         einspul_error *error);

/* einspul_play with a static position after the move. */
einspul_status play_text(const char *rules, const einspul_position *position, const char *move,
                         einspul_position *after, einspul_error *error);

#endif
