/* Handles of the library on tables of a test, and its moves with their texts. */
#ifndef EINSPUL_TESTS_SUPPORT_HANDLE_H
#define EINSPUL_TESTS_SUPPORT_HANDLE_H

#include "probe/list_moves.h"
#include "probe/program_handle.h"

/* A handle on one folder of tables; ends the test where it cannot be opened. */
einspul *open_tables(const char *root, const char *rules, size_t cache_bytes);

/* The same with the cache that a program has. */
einspul *open_default(const char *root, const char *rules);

/* The moves of einspul_moves with their texts, without values, in an array with room for `capacity`
 * moves; `*n_moves` is how many there are. */
einspul_status all_moves(const char *rules, const einspul_position *position,
                         struct probed_move *moves, size_t capacity, size_t *n_moves,
                         einspul_error *error);

/* einspul_play with a place of its own for the position after the move. */
einspul_status play_text(const char *rules, const einspul_position *position, const char *move,
                         einspul_position *after, einspul_error *error);

#endif
