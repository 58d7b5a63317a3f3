/* Calls about one position: the position itself, its line, other rule sets, its square map. */
#include "serve/endpoints.h"

#include "probe/list_moves.h"
#include "probe/program_handle.h"
#include "serve/position.h"

#include "study/find_text.h"

#include <stdlib.h>

/* --- lines ------------------------------------------------------------------------------------ */

/* Appends the optimal line of a position whose verdict is known: to the end of the game, or
 * `n_plies` plies if it is drawn. */
static einspul_status line_add(const struct rule_set *set, const struct given_position *given,
                               const struct verdict *verdict, uint64_t n_plies, json_t *line,
                               einspul_error *error)
{
    struct probed_move best;
    size_t n_moves = 1;
    if (verdict->outcome != EINSPUL_DRAW && verdict->plies < 0)
        return error_set(error, EINSPUL_NO_METRIC, "no distances for this material");
    const int n = verdict->plies >= 0 ? verdict->plies : (int)n_plies;
    probe_position_from_state(&given->state, &best.after);
    for (int ply = 0; ply < n; ply++) {
        const einspul_position position = best.after;
        const einspul_status status =
            probe_moves(set->handle, &position, &best, 1, &n_moves, error);
        if (status != EINSPUL_OK || n_moves == 0)
            return status;
        json_array_append_new(line, move_json(set, &best, given->notation));
    }
    return EINSPUL_OK;
}

void api_mainline(const struct call *call, struct reply *reply)
{
    struct given_position given;
    struct verdict verdict;
    einspul_error error;
    uint64_t n_plies = 20;
    if (!request_number(call->request, "plies", 1, MAX_LINE, &n_plies, reply) ||
        !position_read(call->set, call->request, &given, reply))
        return;
    json_t *line = json_array();
    einspul_status status = verdict_of(call->set->handle, &given.state, &verdict, &error);
    if (status == EINSPUL_OK)
        status = line_add(call->set, &given, &verdict, n_plies, line, &error);
    const bool white_wins = (verdict.outcome == EINSPUL_WIN) == (given.state.at.side == WHITE);
    const char *winner = verdict.outcome == EINSPUL_DRAW ? NULL : white_wins ? "w" : "b";
    json_t *json =
        json_pack("{s:s,s:o,s:s?,s:o}", "rules", call->set->rules.name, "fen",
                  position_fen(call->set, &given.state), "winner", winner, "mainline", line);
    json_object_update_new(json, verdict_json(&verdict));
    reply_result(reply, json, status, &error);
}

/* --- the same position under other rules ------------------------------------------------------ */

/* Reads the FEN under every rule set, because each uses a different part of the rule state. */
static json_t *verdicts_json(const struct call *call)
{
    const char *text = request_argument(call->request, "fen");
    json_t *list = json_array();
    for (int i = 0; i < N_RULES; i++) {
        const struct rule_set *other = service_find(call->service, einspul_rules_list()[i]);
        struct verdict verdict = {.plies = -1};
        struct state state;
        char note[FEN_NOTE_SIZE];
        einspul_error error;
        if (other == NULL || other->rules.board.n_rows != call->set->rules.board.n_rows)
            continue;
        einspul_status status =
            fen_read_lenient(&other->rules, text, &state, note, NULL, NULL, &error);
        json_t *fen = status == EINSPUL_OK ? position_fen(other, &state) : json_null();
        if (status == EINSPUL_OK)
            status = verdict_of(other->handle, &state, &verdict, &error);
        json_t *object =
            json_pack("{s:s,s:o,s:o*}", "rules", other->rules.name, "fen", fen, "error",
                      status != EINSPUL_OK ? json_any_text(error.text) : NULL);
        json_object_update_new(object, verdict_json(&verdict));
        json_array_append_new(list, object);
    }
    return list;
}

void api_compare(const struct call *call, struct reply *reply)
{
    struct given_position given;
    if (position_read(call->set, call->request, &given, reply))
        reply_json(reply, json_pack("{s:s,s:o}", "rules", call->set->rules.name, "verdicts",
                                    verdicts_json(call)));
}

/* Adds `fresh`, the value with an empty rule state, and `unlimited`, the value without Article 18;
 * null where they do not apply. */
static void add_reasons(const struct rule_set *set, const struct state *state, json_t *object)
{
    const struct state fresh = {.at = state->at};
    const bool counted =
        state->clock > 0 || state->run[WHITE].count > 0 || state->run[BLACK].count > 0;
    const bool limited = set->rules.two_kings_limit > 0 && state_limit(&set->rules, state) > 0;
    value_t value = VALUE_NONE;
    const bool raw = limited && probe_raw(set->handle, state, &value, NULL) == EINSPUL_OK;
    struct verdict verdict = {.known = raw};
    if (raw) {
        verdict.outcome = value_outcome(value);
        verdict.plies = value_plies(value);
    }
    json_object_set_new(object, "unlimited", raw ? verdict_json(&verdict) : json_null());
    const bool known = counted && verdict_of(set->handle, &fresh, &verdict, NULL) == EINSPUL_OK;
    json_object_set_new(object, "fresh",
                        known && verdict.known ? verdict_json(&verdict) : json_null());
}

/* --- a position ------------------------------------------------------------------------------- */

void api_position(const struct call *call, struct reply *reply)
{
    struct given_position given;
    struct verdict verdict;
    einspul_error error;
    json_t *json = NULL;
    uint64_t partial = 0; /* 1: a position without a table is answered too */
    uint64_t compare = 0; /* 1: add verdicts under other rule sets */
    uint64_t n_plies = 0; /* of the best line to add */
    uint64_t moves = 1;   /* 0: without them */
    if (!request_number(call->request, "moves", 0, 1, &moves, reply) ||
        !request_number(call->request, "partial", 0, 1, &partial, reply) ||
        !request_number(call->request, "compare", 0, 1, &compare, reply) ||
        !request_number(call->request, "line", 0, MAX_LINE, &n_plies, reply) ||
        !position_read(call->set, call->request, &given, reply))
        return;
    const einspul_status status =
        position_json(call->set, &given, partial == 1, moves == 1, &verdict, &json, &error);
    note_add(json, given.note, &given.said);
    if (status == EINSPUL_OK && n_plies > 0) {
        json_t *line = json_array();
        const bool found = (verdict.known || verdict.undecided) &&
                           line_add(call->set, &given, &verdict, n_plies, line, NULL) == EINSPUL_OK;
        json_object_set(json, "mainline", found ? line : json_null());
        json_decref(line);
    }
    if (status == EINSPUL_OK && compare == 1) {
        json_object_set_new(json, "verdicts", verdicts_json(call));
        add_reasons(call->set, &given.state, json);
    }
    reply_result(reply, json, status, &error);
}

/* --- square map ------------------------------------------------------------------------------- */

void api_map(const struct call *call, struct reply *reply)
{
    const struct rule_set *set = call->set;
    const int n_squares = set->rules.board.n_squares;
    struct given_position given;
    struct square_map map;
    einspul_error error;
    uint64_t square = 0;
    if (!request_number(call->request, "square", 1, (uint64_t)n_squares, &square, reply) ||
        !position_read(set, call->request, &given, reply))
        return;
    const int from = (int)square - 1;
    if (from < 0 || (placement_occupied(&given.state.at) & square_bit(from)) == 0) {
        reply_text(reply, HTTP_BAD_REQUEST, "expected square=N, a square with a piece on it");
        return;
    }
    json_t *list = json_array();
    const einspul_status status = square_map_of(set->handle, &given.state, from, &map, &error);
    for (int to = 0; to < n_squares && status == EINSPUL_OK; to++) {
        if (!map.square[to].possible)
            continue;
        json_t *object = verdict_json(&map.square[to].verdict);
        json_object_update_new(object, json_pack("{s:i,s:o}", "square", to + 1, "fen",
                                                 position_fen(set, &map.square[to].state)));
        json_array_append_new(list, object);
    }
    reply_result(reply,
                 json_pack("{s:s,s:i,s:o}", "rules", set->rules.name, "square", (int)square,
                           "squares", list),
                 status, &error);
}

/* --- rule sets -------------------------------------------------------------------------------- */

/* The conditions of a search, for a form: their names and kinds. */
static json_t *conditions_json(void)
{
    json_t *list = json_array();
    for (int part = 0; part < N_FIND_PARTS; part++) {
        const struct find_text *row = &find_texts[part];
        const char *const *word = row->words;
        json_t *words = word != NULL ? json_array() : NULL;
        for (; word != NULL && *word != NULL; word++)
            json_array_append_new(words, json_string(*word));
        json_array_append_new(list, json_pack("{s:s,s:b,s:b,s:o?}", "name", row->name, "usual",
                                              part < N_USUAL_PARTS, "flag", row->kind == A_FLAG,
                                              "words", words));
    }
    return list;
}

void api_rules(const struct call *call, struct reply *reply)
{
    einspul_table_info infos[MAX_MATERIALS];
    json_t *list = json_array();
    for (int i = 0; i < call->service->n_sets; i++) {
        const struct rules *rules = &call->service->sets[i].rules;
        const int n_tables = (int)einspul_list(call->service->sets[i].handle, infos, MAX_MATERIALS);
        json_array_append_new(
            list,
            json_pack("{s:s,s:i,s:i,s:i,s:i,s:i,s:[iii],s:b,s:i,s:s,s:b,s:i,s:i}", "rules",
                      rules->name, "rows", rules->board.n_rows, "squares", rules->board.n_squares,
                      "game_type", rules->pdn_game_type, "king_run_limit", rules->king_run_limit,
                      "two_kings_limit", rules->two_kings_limit, "lone_king_limits",
                      rules->lone_king_limit[1], rules->lone_king_limit[2],
                      rules->lone_king_limit[3], "lone_king_men", rules->lone_king_men,
                      "quiet_limit", rules->quiet_limit, "first_to_move",
                      side_word(rules->first_to_move), "flying_kings", rules->flying_kings,
                      "tables", n_tables, "pieces", n_tables > 0 ? infos[n_tables - 1].pieces : 0));
    }
    reply_json(reply, json_pack("{s:s,s:i,s:o,s:o}", "version", einspul_version(), "max_pieces",
                                MAX_PIECES, "rule_sets", list, "conditions", conditions_json()));
}
