/* Proofs beyond the tables, with study/solve.h: what can be decided of a position within so many
 * seconds, checked. */
#include "probe/list_moves.h"
#include "serve/api.h"

#include "serve/position.h"

#include "core/move_text.h"
#include "study/solve.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SECONDS = 10, MOST_SECONDS = 60, PROVER_BYTES = 1 << 28 };

/* A question being read. */
struct question_asked {
    einspul_position position;
    char note[FEN_NOTE_SIZE];
    uint64_t seconds;
};

static bool read_question(const struct call *call, struct question_asked *asked,
                          struct reply *reply)
{
    *asked = (struct question_asked){.seconds = DEFAULT_SECONDS};
    return request_number(call->request, "seconds", 1, MOST_SECONDS, &asked->seconds, reply) &&
           position_read(call->set, call->request, &asked->position, asked->note, reply);
}

bool api_solve_is_slow(const struct call *call)
{
    struct question_asked asked;
    struct reply mistake = {.text = NULL};
    const bool slow = read_question(call, &asked, &mistake);
    free(mistake.text);
    return slow;
}

static bool goes_on(uint64_t n_positions, void *context)
{
    const struct request *request = context;
    (void)n_positions;
    return request->go_on == NULL || request->go_on(request->context);
}

/* The move of a proof in the position it is about; null where its player is not to move, or the
 * tables have the position. */
static json_t *move_of(const struct rule_set *set, const struct proof_set *proofs)
{
    json_t *object = json_null();
    for (int i = 0; i < proofs->n_proofs; i++) {
        const struct proof *proof = &proofs->proofs[i];
        const struct proof_move *move = proof->moves;
        struct move_list list;
        if (proof->places.n == 0 || proof->player != proofs->root.at.side)
            continue;
        move_list_init(&list);
        if (moves_generate(&set->rules, &proofs->root, &list) == EINSPUL_OK)
            for (int j = 0; j < list.n_moves; j++)
                if (list.moves[j].from == move->from && list.moves[j].to == move->to &&
                    list.moves[j].captured == move->captured) {
                    struct probed_move made;
                    describe_move(&set->rules, &proofs->root, &list, &list.moves[j], &made);
                    json_decref(object);
                    object = json_object();
                    move_add(object, set, &made);
                }
        move_list_free(&list);
    }
    return object;
}

static json_t *answer_json(const struct rule_set *set, const struct solved_position *solved,
                           const struct proof_set *proofs, bool certified)
{
    const enum side side = proofs->root.at.side;
    const bool all = solved->decided[WHITE] && solved->decided[BLACK];
    json_t *json = json_object();
    einspul_position position;
    probe_position_from_state(&proofs->root, &position);
    json_object_set_new(json, "rules", json_string(set->rules.name));
    json_object_set_new(json, "fen", position_fen(set, &position));
    json_object_set_new(json, "category",
                        json_string(certified ? solved_text(solved, side) : "open"));
    json_object_set_new(
        json, "wdl",
        json_number(certified && all, 2 * (solved->wins[side] - solved->wins[side_other(side)])));
    json_object_set_new(json, "nodes", json_integer((json_int_t)solved->n_positions));
    json_object_set_new(json, "seconds", json_real(solved->seconds));
    json_object_set_new(
        json, "proof",
        json_number(certified && proofs->n_proofs > 0, (json_int_t)proof_set_positions(proofs)));
    json_object_set_new(json, "move", certified ? move_of(set, proofs) : json_null());
    return json;
}

/* Solves with a prover of its own; what one client asks tells another nothing. */
static einspul_status solve(const struct call *call, const struct question_asked *asked,
                            json_t **json, einspul_error *error)
{
    struct prover *prover = NULL;
    const struct state state = state_of_position(&asked->position);
    const struct solve_limits limits = {
        .seconds = (double)asked->seconds,
        .tell = goes_on,
        .context = (void *)call->request,
    };
    struct solved_position solved;
    struct proof_set proofs = {.n_proofs = 0};
    struct proof_fault fault;
    einspul_status status = prover_create(call->set->handle, PROVER_BYTES, &prover, error);
    if (status == EINSPUL_OK)
        status = solve_position(prover, &state, &limits, &solved, error);
    if (status == EINSPUL_OK) {
        const einspul_status proved =
            solve_prove(prover, &state, &solved, &limits, &proofs, &fault, error);
        *json =
            answer_json(call->set, &solved, &proofs, proved == EINSPUL_OK && fault.what == NULL);
        status = proved == EINSPUL_STOPPED ? EINSPUL_OK : proved;
    }
    proof_set_free(&proofs);
    prover_free(prover);
    return status;
}

void api_solve(const struct call *call, struct reply *reply)
{
    struct question_asked asked;
    json_t *json = NULL;
    einspul_error error;
    if (!read_question(call, &asked, reply))
        return;
    const einspul_status status = solve(call, &asked, &json, &error);
    if (status == EINSPUL_OK && asked.note[0] != '\0')
        json_object_set_new(json, "note", json_string(asked.note));
    reply_result(reply, json, status, &error);
}
