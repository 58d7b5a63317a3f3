/* Proofs as text, docs/study.md: what is claimed of positions, with the strategies behind it. */
#ifndef EINSPUL_VERIFY_PROOF_FILE_H
#define EINSPUL_VERIFY_PROOF_FILE_H

#include "verify/proof.h"

#include <stdio.h>

/* What a file proves of one position: that a side wins, or that one or both do not. */
struct proof_set {
    struct state root;
    int n_proofs; /* one, or the two of a draw */
    struct proof proofs[2];
};

/* The outcome for the side to move: "win", "loss", "draw", "not-win", "not-loss"; NULL if the proofs
 * are not of one of these. */
const char *proof_set_outcome(const struct proof_set *set);

/* Positions of all proofs. */
uint64_t proof_set_positions(const struct proof_set *set);

void proof_set_free(struct proof_set *set);

/* Whether a file open for reading, at its start, is one of proofs. */
bool proof_file_is(FILE *file);

/* Writes the first line of a file, then a set of proofs. Errors stay in the file. */
void proof_file_begin(FILE *file, const struct rules *rules);
void proof_file_write(FILE *file, const struct rules *rules, const struct proof_set *set);

/* Reading, line by line. */
struct proof_reader {
    FILE *file;
    const struct rules *rules;
    uint64_t n_lines;
    bool ahead; /* `line` has not been used yet */
    char line[1024];
};

/* Reads the first line. BAD_ARGUMENT: it is no such file; WRONG_RULES; IO. */
einspul_status proof_reader_begin(struct proof_reader *reader, FILE *file,
                                  const struct rules *rules, einspul_error *error);

/* Reads the next set, to be released also after an error; `*ended` says that there was none.
 * BAD_ARGUMENT names the line; NO_MEMORY, IO. */
einspul_status proof_reader_next(struct proof_reader *reader, struct proof_set *set, bool *ended,
                                 einspul_error *error);

#endif
