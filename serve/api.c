/* Calls about one position: the position itself, its line, other rule sets, its square map. */
#include "serve/api.h"

#include "probe/handle_facts.h"
#include "probe/list_moves.h"
#include "serve/position.h"

#include "study/find_text.h"

#include <stdlib.h>
#include <string.h>

/* --- lines ------------------------------------------------------------------------------------ */

static json_t *step_json(const struct rule_set *set, const struct probed_move *move)
{
    const struct verdict after = verdict_after(set, move);
    json_t *object = json_object();
    move_add(object, set, move);
    verdict_add(object, &after);
    return object;
}

/* Plays best moves until there is none, or `n_plies` are played. */
static einspul_status play_line(const struct rule_set *set, einspul_position position,
                                uint64_t n_plies, json_t *line, einspul_error *error)
{
    einspul_status status = EINSPUL_OK;
    for (uint64_t ply = 0; ply < n_plies && status == EINSPUL_OK; ply++) {
        struct probed_move best;
        size_t n_moves = 0;
        einspul_error failure;
        if (probe_moves(set->handle, &position, &best, 1, &n_moves, &failure) != EINSPUL_OK)
            status = error_set(error, failure.status, "%s", failure.text);
        if (status != EINSPUL_OK || n_moves == 0)
            break;
        json_array_append_new(line, step_json(set, &best));
        position = best.after;
    }
    return status;
}

/* The optimal line of a position, to the end, or `n_plies` of a draw; and the position's value. */
static einspul_status line_of(const struct rule_set *set, const einspul_position *position,
                              uint64_t n_plies, json_t *line, struct verdict *verdict,
                              einspul_error *error)
{
    const einspul_status status = verdict_probe(set->handle, position, verdict, error);
    if (status != EINSPUL_OK)
        return status;
    if (verdict->outcome != EINSPUL_DRAW && verdict->plies < 0)
        return error_set(error, EINSPUL_NO_METRIC, "a line needs tables with distances");
    return play_line(set, *position, verdict->plies >= 0 ? (uint64_t)verdict->plies : n_plies, line,
                     error);
}

void api_mainline(const struct call *call, struct reply *reply)
{
    einspul_position position;
    struct verdict verdict;
    einspul_error error;
    uint64_t n_plies = 20;
    enum notation notation = NOTATION_AS_GIVEN;
    if (!request_number(call->request, "plies", 1, MOST_LINE, &n_plies, reply) ||
        !notation_read(call->set, call->request, &notation, reply) ||
        !position_read(call->set, call->request, &position, NULL, reply))
        return;
    json_t *line = json_array();
    const einspul_status status = line_of(call->set, &position, n_plies, line, &verdict, &error);
    const bool white_wins = (verdict.outcome == EINSPUL_WIN) == (position.side == EINSPUL_WHITE);
    const char *winner = verdict.outcome == EINSPUL_DRAW ? NULL : white_wins ? "w" : "b";
    json_t *json = json_pack("{s:s,s:o,s:s?}", "rules", call->set->rules.name, "fen",
                             position_fen(call->set, &position), "winner", winner);
    verdict_add(json, &verdict);
    json_object_set_new(json, "mainline", line);
    sans_in_notation(call->set, json, notation);
    reply_result(reply, json, status, &error);
}

/* --- the same position under other rules ------------------------------------------------------ */

/* Reads the text by each rule set, since each counts another part of its rule state. */
static json_t *verdicts_json(const struct call *call, const char *text)
{
    json_t *list = json_array();
    for (int i = 0; i < call->service->n_sets; i++) {
        const struct rule_set *other = &call->service->sets[i];
        struct verdict verdict = {.plies = -1};
        einspul_position position;
        char note[FEN_NOTE_SIZE];
        einspul_error error;
        if (other->rules.board.n_rows != call->set->rules.board.n_rows)
            continue;
        json_t *object = json_pack("{s:s}", "rules", other->rules.name);
        einspul_status status = position_from_text(other, text, &position, note, &error);
        json_object_set_new(object, "fen",
                            status == EINSPUL_OK ? position_fen(other, &position) : json_null());
        if (status == EINSPUL_OK)
            status = verdict_probe(other->handle, &position, &verdict, &error);
        if (status != EINSPUL_OK)
            json_object_set_new(object, "error", json_any_text(error.text));
        verdict_add(object, &verdict);
        json_array_append_new(list, object);
    }
    return list;
}

void api_compare(const struct call *call, struct reply *reply)
{
    einspul_position position;
    if (!position_read(call->set, call->request, &position, NULL, reply))
        return;
    char *text = position_text(call->request);
    reply_json(reply, text == NULL ? NULL
                                   : json_pack("{s:s,s:o}", "rules", call->set->rules.name,
                                               "verdicts", verdicts_json(call, text)));
    free(text);
}

static json_t *known_verdict(einspul_status status, const struct verdict *verdict)
{
    json_t *object = status == EINSPUL_OK && verdict->known ? json_object() : NULL;
    if (object == NULL)
        return json_null();
    verdict_add(object, verdict);
    return object;
}

/* What the rule state is worth: the value of the pieces before any move was counted, and that
 * without Article 18. Both are null where they do not apply. */
static void reasons_add(const struct call *call, const einspul_position *position, json_t *object)
{
    const struct rules *rules = &call->set->rules;
    einspul *handle = call->set->handle;
    struct verdict verdict = {.known = true};
    struct state state = {.clock = 0};
    value_t value = VALUE_NONE;
    const einspul_status status = state_from_position(rules, position, &state, NULL);
    const struct state fresh = {.at = state.at};
    const bool has_run = state.run[WHITE].count > 0 || state.run[BLACK].count > 0;
    json_t *raw = json_null();
    if (status == EINSPUL_OK && rules->two_kings_limit > 0 && state_has_clock(rules, &state) &&
        probe_raw(handle, &state, &value, NULL) == EINSPUL_OK) {
        verdict.outcome = value_outcome(value);
        verdict.plies = value_plies(value);
        raw = known_verdict(status, &verdict);
    }
    json_object_set_new(object, "unlimited", raw);
    const bool counted = status == EINSPUL_OK && (has_run || state.clock > 0);
    json_object_set_new(object, "fresh",
                        counted ? known_verdict(map_value(handle, &fresh, &verdict, NULL), &verdict)
                                : json_null());
}

/* --- a position ------------------------------------------------------------------------------- */

/* Adds what a page shows beside a position: the line of best moves, and other rules. */
static void company_add(const struct call *call, const einspul_position *position, uint64_t n_plies,
                        bool compare, json_t *json)
{
    struct verdict verdict;
    einspul_error error;
    if (n_plies > 0) {
        json_t *line = json_array();
        const einspul_status status = line_of(call->set, position, n_plies, line, &verdict, &error);
        json_object_set(json, "mainline", status == EINSPUL_OK ? line : json_null());
        json_decref(line);
    }
    char *text = compare ? position_text(call->request) : NULL;
    if (text != NULL) {
        json_object_set_new(json, "verdicts", verdicts_json(call, text));
        reasons_add(call, position, json);
    }
    free(text);
}

void api_position(const struct call *call, struct reply *reply)
{
    einspul_position position;
    einspul_error error;
    char note[FEN_NOTE_SIZE];
    json_t *json = NULL;
    enum notation notation = NOTATION_AS_GIVEN;
    uint64_t partial = 0; /* 1: a position without a table is answered too */
    uint64_t compare = 0;
    uint64_t n_plies = 0;
    if (!request_number(call->request, "partial", 0, 1, &partial, reply) ||
        !request_number(call->request, "compare", 0, 1, &compare, reply) ||
        !request_number(call->request, "line", 0, MOST_LINE, &n_plies, reply) ||
        !notation_read(call->set, call->request, &notation, reply) ||
        !position_read(call->set, call->request, &position, note, reply))
        return;
    const einspul_status status = position_json(call->set, &position, partial == 1, &json, &error);
    if (note[0] != '\0')
        json_object_set_new(json, "note", json_any_text(note));
    if (status == EINSPUL_OK)
        company_add(call, &position, n_plies, compare == 1, json);
    sans_in_notation(call->set, json, notation);
    reply_result(reply, json, status, &error);
}

/* --- square map ------------------------------------------------------------------------------- */

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
    const struct rule_set *set = call->set;
    const int n_squares = set->rules.board.n_squares;
    einspul_position position;
    struct state state;
    struct square_map map;
    einspul_error error;
    uint64_t square = 0;
    if (!request_number(call->request, "square", 1, (uint64_t)n_squares, &square, reply) ||
        !position_read(set, call->request, &position, NULL, reply))
        return;
    const int from = (int)square - 1;
    einspul_status status = state_from_position(&set->rules, &position, &state, &error);
    if (status == EINSPUL_OK &&
        (from < 0 || (placement_occupied(&state.at) & square_bit(from)) == 0)) {
        reply_text(reply, HTTP_BAD_REQUEST, "square=N with a piece on it is expected");
        return;
    }
    json_t *list = json_array();
    if (status == EINSPUL_OK)
        status = map_piece(set->handle, &state, from, &map, &error);
    for (int to = 0; to < n_squares && status == EINSPUL_OK; to++)
        if (map.square[to].possible)
            map_square(set, &map.square[to], to, list);
    reply_result(reply,
                 json_pack("{s:s,s:i,s:o}", "rules", set->rules.name, "square", (int)square,
                           "squares", list),
                 status, &error);
}

/* --- rule sets -------------------------------------------------------------------------------- */

/* The conditions of a search, for a form: their names, and what each is made of. */
static json_t *conditions_json(void)
{
    json_t *list = json_array();
    for (int part = 0; part < N_FIND_PARTS; part++) {
        const char *const *word = find_part_words((enum find_part)part);
        json_t *words = word != NULL ? json_array() : NULL;
        for (; word != NULL && *word != NULL; word++)
            json_array_append_new(words, json_string(*word));
        json_array_append_new(
            list, json_pack("{s:s,s:b,s:b,s:o?}", "name", find_part_name((enum find_part)part),
                            "usual", part < N_USUAL_PARTS, "flag",
                            find_part_is_flag((enum find_part)part), "words", words));
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
