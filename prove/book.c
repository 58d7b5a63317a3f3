/* A proof answers every position in it, and every one from which all replies lead into it. */
#include "prove/book.h"

#include "core/program/array.h"

#include <stdlib.h>
#include <string.h>

/* Checks the proofs of a set. */
static einspul_status check(const struct proof_set *set, einspul *handle, einspul_error *error)
{
    struct proof_fault fault = {0};
    einspul_status status = EINSPUL_OK;
    for (int i = 0; i < set->n_proofs && status == EINSPUL_OK; i++) {
        status = proof_check(handle, &set->proofs[i], &set->root, &fault, error);
        if (status == EINSPUL_OK && fault.what != NULL)
            status = error_set(error, EINSPUL_BAD_ARGUMENT, "a proof is wrong: %s", fault.what);
    }
    return status;
}

einspul_status book_read(struct book *book, FILE *file, einspul *handle, einspul_error *error)
{
    enum { FIRST_CAPACITY = 16 };
    struct proof_reader reader;
    bool ended = false;
    *book = (struct book){0};
    einspul_status status = proof_reader_begin(&reader, file, handle, error);
    memcpy(book->note, reader.note, sizeof book->note);
    while (status == EINSPUL_OK && !ended) {
        struct proof_set *sets =
            array_reserve(book->sets, book->n, &book->capacity, FIRST_CAPACITY, sizeof *sets);
        if (sets == NULL)
            return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for proofs");
        book->sets = sets;
        status = proof_reader_next(&reader, &sets[book->n++], &ended, error);
        if (status == EINSPUL_OK)
            status = check(&sets[book->n - 1], handle, error);
    }
    book->n -= ended; /* the last line is no set */
    return status;
}

void book_free(struct book *book)
{
    for (size_t i = 0; i < book->n; i++)
        proof_set_free(&book->sets[i]);
    free(book->sets);
}

/* True if a proof decides something not yet decided. */
static bool adds_information(const struct proof *proof, const struct known_wins *known)
{
    return !known->decided[proof->claim == PROOF_WINS ? proof->player : side_other(proof->player)];
}

/* Adds what one proof says. */
static einspul_status ask(const struct proof *proof, einspul *handle, const struct state *state,
                          struct book_answer *answer, einspul_error *error)
{
    struct proof_fault fault;
    const einspul_status status = proof_check_root(handle, proof, state, &fault, error);
    if (status != EINSPUL_OK || fault.what != NULL)
        return status;
    const struct proof_move *move =
        proof->player == state->at.side ? proof_move_of(proof, state) : NULL;
    if (move != NULL) {
        answer->has_move = true;
        answer->move = *move;
    }
    answer->n_positions += proof->positions.n;
    proof_claim_add(proof, &answer->known);
    return EINSPUL_OK;
}

einspul_status book_ask(const struct proof_set *sets, size_t n_sets, einspul *handle,
                        const struct state *state, struct book_answer *answer, einspul_error *error)
{
    einspul_status status = EINSPUL_OK;
    for (size_t i = 0; i < n_sets; i++)
        for (int j = 0; j < sets[i].n_proofs && status == EINSPUL_OK; j++)
            if (adds_information(&sets[i].proofs[j], &answer->known))
                status = ask(&sets[i].proofs[j], handle, state, answer, error);
    return status;
}

/* The highest rank of a position in winning proofs. */
static uint32_t highest_rank(const struct proof_set *sets, size_t n_sets, const struct state *state)
{
    uint32_t highest = 0;
    for (size_t i = 0; i < n_sets; i++)
        for (int j = 0; j < sets[i].n_proofs; j++) {
            const struct proof_move *move = proof_move_of(&sets[i].proofs[j], state);
            if (move != NULL && move->rank > highest)
                highest = move->rank;
        }
    return highest;
}

size_t book_move(const struct proof_set *sets, size_t n_sets, const struct book_answer *answer,
                 const struct move_values *list)
{
    const struct proof_move *wanted = &answer->move;
    uint32_t longest = 0;
    size_t best = 0;
    for (size_t i = 0; i < list->n; i++) {
        const struct probed_move *move = &list->moves[i];
        if (answer->has_move && move->from == wanted->from + 1 && move->to == wanted->to + 1 &&
            move->captured == wanted->captured)
            return i;
        const struct state after = state_of_position(&move->after);
        const bool is_lost = answer->known.wins[after.at.side];
        const uint32_t rank = is_lost ? highest_rank(sets, n_sets, &after) : 0;
        if (rank > longest) {
            longest = rank;
            best = i;
        }
    }
    return best;
}
