#include "tests/support/handle.h"

#include "probe/list_moves.h"
#include "probe/position.h"
#include "tests/support/require.h"

#include <stdlib.h>

einspul *open_tables(const char *root, const char *rules, size_t cache_bytes)
{
    einspul_error error = {0};
    einspul *handle = NULL;
    must(einspul_open(root, rules, cache_bytes, NULL, &handle, &error) == EINSPUL_OK, "%s",
         error.text);
    return handle;
}

einspul *open_default(const char *root, const char *rules)
{
    return open_tables(root, rules, (size_t)256 << 20);
}

einspul_status all_moves(const char *rules, const einspul_position *position,
                         struct probed_move *moves, size_t capacity, size_t *n_moves,
                         einspul_error *error)
{
    struct rules found;
    struct state state;
    struct move_list list;
    einspul_status status = rules_by_name(&found, rules, error);
    *n_moves = 0;
    if (status == EINSPUL_OK)
        status = state_from_position(&found, position, &state, error);
    if (status != EINSPUL_OK)
        return status;
    move_list_init(&list);
    status = moves_generate(&found, &state, &list);
    if (status == EINSPUL_OK) {
        *n_moves = (size_t)list.n_moves;
        qsort(list.moves, *n_moves, sizeof *list.moves, move_compare);
        for (size_t i = 0; i < *n_moves && i < capacity; i++)
            describe_move(&found, &state, &list, &list.moves[i], &moves[i]);
    } else {
        moves_error(status, error);
    }
    move_list_free(&list);
    return status;
}

einspul_status play_text(const char *rules, const einspul_position *position, const char *move,
                         einspul_position *after, einspul_error *error)
{
    einspul_position next = *position;
    const einspul_status status = einspul_play(rules, &next, move, error);
    if (status == EINSPUL_OK)
        *after = next;
    return status;
}
