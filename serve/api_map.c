/* The square map: one piece of a position put on every square it could stand on, the rest as it is.
 * A king's run goes with it. */
#include "serve/api.h"

#include "serve/position.h"

#include "probe/probe.h"

/* The position with the piece of `from` on `to`. */
static struct state moved(const struct state *state, enum side side, int from, int to)
{
    struct state after = *state;
    if ((state->at.kings[side] & square_bit(from)) != 0)
        after.at.kings[side] ^= square_bit(from) ^ square_bit(to);
    else
        after.at.men[side] ^= square_bit(from) ^ square_bit(to);
    if (state->run[side].count > 0 && state->run[side].square == from)
        after.run[side].square = (uint8_t)to;
    return after;
}

static enum status map_square(const struct rule_set *set, const struct state *state, int square,
                              json_t *list, struct error *error)
{
    einspul_position position;
    struct verdict verdict;
    probe_position_from_state(state, &position);
    const enum status status = verdict_probe(set->handle, &position, &verdict, error);
    if (status != STATUS_OK)
        return status;
    json_t *object = json_object();
    json_object_set_new(object, "square", json_integer(square + 1));
    json_object_set_new(object, "fen", position_fen(set, &position));
    verdict_add(object, &verdict);
    json_array_append_new(list, object);
    return STATUS_OK;
}

void api_map(struct service *service, struct rule_set *set, const char *rest,
             const struct request *request, struct reply *reply)
{
    einspul_position position;
    struct error error;
    enum status status = STATUS_OK;
    long square = 0;
    (void)service;
    (void)rest;
    if (!request_number(request, "square", 1, set->rules.board.n_squares, &square, reply) ||
        !position_read(set, request, &position, NULL, reply))
        return;
    struct state state;
    status = probe_state_from_position(set->handle, &position, &state, &error);
    if (status != STATUS_OK) {
        reply_error(reply, status, error.text);
        return;
    }
    const int from = (int)square - 1;
    if (square == 0 || (placement_occupied(&state.at) & square_bit(from)) == 0) {
        reply_text(reply, HTTP_BAD_REQUEST, "square=N with a piece on it is expected");
        return;
    }
    const enum side side =
        (placement_own(&state.at, WHITE) & square_bit(from)) != 0 ? WHITE : BLACK;
    json_t *list = json_array();
    for (int to = 0; to < set->rules.board.n_squares && status == STATUS_OK; to++) {
        const struct state there = moved(&state, side, from, to);
        if (to != from && (placement_occupied(&state.at) & square_bit(to)) != 0)
            continue;
        if (state_check(&set->rules, &there, NULL) == STATUS_OK)
            status = map_square(set, &there, to, list, &error);
    }
    if (status == STATUS_OK) {
        reply_json(reply, json_pack("{s:s,s:i,s:o}", "rules", set->rules.name, "square",
                                    (int)square, "squares", list));
    } else {
        json_decref(list);
        reply_error(reply, status, error.text);
    }
}
