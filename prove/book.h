/* Checked proofs as a book: what they say about a position, and which move they give. */
#ifndef EINSPUL_PROVE_BOOK_H
#define EINSPUL_PROVE_BOOK_H

#include "probe/list_moves.h"
#include "verify/proof_file.h"

struct book {
    struct proof_set *sets;
    size_t n, capacity;
    char note[160]; /* how the tables differ from those of the file; empty if they do not */
};

/* Reads a file of proofs and checks each of them. Errors of proof_reader_next and proof_check;
 * BAD_ARGUMENT if a proof is wrong. Call book_free also after an error. */
einspul_status book_read(struct book *book, FILE *file, einspul *handle, einspul_error *error);
void book_free(struct book *book);

/* What proofs say about a position. */
struct book_answer {
    struct known_wins known;
    bool has_move; /* `move` keeps the proved result for the side to move */
    struct proof_move move;
    uint64_t n_positions; /* size in positions of the proofs used */
};

/* Adds what checked proofs say about a state. Errors of proof_check_root. */
einspul_status book_ask(const struct proof_set *sets, size_t n_sets, einspul *handle,
                        const struct state *state, struct book_answer *answer,
                        einspul_error *error);

/* Index of the move to play in a list: that of the answer; in a lost position, the one after which the
 * proof takes longest; otherwise the first. */
size_t book_move(const struct proof_set *sets, size_t n_sets, const struct book_answer *answer,
                 const struct move_values *list);

#endif
