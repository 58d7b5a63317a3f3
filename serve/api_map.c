/* The square map (study/map.h) as JSON. */
#include "serve/api.h"

#include "serve/position.h"

#include "probe/probe.h"

static void map_square(const struct rule_set *set, const struct map_square *there, int square,
                       json_t *list)
{
    einspul_position position;
    probe_position_from_state(&there->state, &position);
    json_t *object = json_object();
    json_object_set_new(object, "square", json_integer(square + 1));
    json_object_set_new(object, "fen", position_fen(set, &position));
    verdict_add(object, &there->verdict);
    json_array_append_new(list, object);
}

void api_map(const struct call *call, struct reply *reply)
{
    einspul_position position;
    struct error error;
    enum status status = STATUS_OK;
    long square = 0;
    if (!request_number(call->request, "square", 1, call->set->rules.board.n_squares, &square,
                        reply) ||
        !position_read(call->set, call->request, &position, NULL, reply))
        return;
    struct state state;
    status = state_from_position(probe_rules(call->set->handle), &position, &state, &error);
    if (status != STATUS_OK) {
        reply_error(reply, status, error.text);
        return;
    }
    const int from = (int)square - 1;
    if (square == 0 || (placement_occupied(&state.at) & square_bit(from)) == 0) {
        reply_text(reply, HTTP_BAD_REQUEST, "square=N with a piece on it is expected");
        return;
    }
    json_t *list = json_array();
    struct square_map map;
    status = map_piece(call->set->handle, &state, from, &map, &error);
    for (int to = 0; to < call->set->rules.board.n_squares && status == STATUS_OK; to++)
        if (map.square[to].possible)
            map_square(call->set, &map.square[to], to, list);
    json_t *json = json_pack("{s:s,s:i,s:o}", "rules", call->set->rules.name, "square", (int)square,
                             "squares", list);
    reply_result(reply, json, status, &error);
}
