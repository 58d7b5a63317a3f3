#include "tests/support/handle.h"

#include "probe/list_moves.h"
#include "tests/support/must.h"

#include <stdlib.h>
#include <string.h>

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
    einspul_error own = {0};
    struct probed_move *all = probe_list_moves(rules, position, n_moves, &own);
    if (all == NULL) {
        if (error != NULL)
            *error = own;
        return own.status;
    }
    const size_t n = *n_moves < capacity ? *n_moves : capacity;
    if (n > 0)
        memcpy(moves, all, n * sizeof *moves);
    free(all);
    return EINSPUL_OK;
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
