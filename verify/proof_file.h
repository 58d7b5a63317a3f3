/* Proofs as text (docs/study.md): claims about positions, with the strategies that prove them. */
#ifndef EINSPUL_VERIFY_PROOF_FILE_H
#define EINSPUL_VERIFY_PROOF_FILE_H

#include "verify/proof.h"

#include <stdio.h>

/* The proofs of one position: that a side wins, or that one or both do not. */
struct proof_set {
    struct state root;
    int n_proofs; /* one, or the two of a draw */
    struct proof proofs[2];
};

/* The outcome for the side to move: "win", "loss", "draw", "not-win", "not-loss"; NULL if the proofs
 * do not combine to one of these. */
const char *proof_set_outcome(const struct proof_set *set);

/* The number of positions of all proofs. */
uint64_t proof_set_positions(const struct proof_set *set);

void proof_set_free(struct proof_set *set);

/* True if a file open for reading, at its start, is a proof file. */
bool proof_file_is(FILE *file);

/* Writes the first line of a file, then a set of proofs. Write errors are left for ferror(). */
void proof_file_begin(FILE *file, const struct rules *rules);
void proof_file_write(FILE *file, const struct rules *rules, const struct proof_set *set);

/* Reading, line by line. */
struct proof_reader {
    FILE *file;
    const struct rules *rules;
    uint64_t n_lines;
    bool ahead; /* `line` is still to be used */
    char line[1024];
};

/* Reads the first line. BAD_ARGUMENT: not a proof file; WRONG_RULES; IO. */
einspul_status proof_reader_begin(struct proof_reader *reader, FILE *file,
                                  const struct rules *rules, einspul_error *error);

/* Reads the next set, to be freed also after an error; at the end of the file `*ended` is true.
 * BAD_ARGUMENT names the line; NO_MEMORY, IO. */
einspul_status proof_reader_next(struct proof_reader *reader, struct proof_set *set, bool *ended,
                                 einspul_error *error);

#endif
