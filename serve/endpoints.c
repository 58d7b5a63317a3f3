/* The calls about positions. */
#include "serve/endpoints.h"

#include <string.h>

const struct endpoint position_calls[] = {
    {"position",
     api_position,
     {"fen", "partial", "notation", "line", "compare", "moves"},
     .post = false},
    {"mainline", api_mainline, {"fen", "plies", "notation"}, .post = false},
    {"compare", api_compare, {"fen"}, .post = false},
    {"map", api_map, {"fen", "square"}, .post = false},
    {"batch", api_batch, .post = true},
    {"annotate", api_annotate, {"game", "notation"}, .post = true},
    {"solve", api_solve, {"fen", "seconds"}, .post = false},
    {"proof", api_proof, .post = true},
    {0},
};

const struct endpoint *endpoint_find(const struct endpoint *list, const char *name)
{
    while (list->name != NULL && strcmp(list->name, name) != 0)
        list++;
    return list->name != NULL ? list : NULL;
}
