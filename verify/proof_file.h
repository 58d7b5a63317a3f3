/* Proofs as text: claims about positions, with the strategies that prove them. The header of the file
 * names the rule set, the number of pieces up to which all tables exist, the version of the program,
 * and a hash of the values of each table. Each position has a line `position`, followed by its proofs.
 * A draw has two: one that White cannot win, and one that Black cannot. The last line, `proofs`, gives
 * the number of positions; a file without it is truncated. The lines of a proof:
 *
 * - the first names a player and the claim, `wins` or `holds` (does not lose);
 * - each further line contains a position in which the player is to move, the move, and a rank, which
 *   decreases towards the win (0 if the claim is `holds`);
 * - the last contains `end` and the number of positions.
 *
 * Positions that the tables answer are omitted. */
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

/* Writing, through a function of the caller. */
struct proof_writer {
    einspul_status (*put)(void *context, const void *bytes, size_t n_bytes, einspul_error *error);
    void *context;
    const struct rules *rules;
    uint64_t n_sets;
    einspul_status status; /* of the first failure, after which nothing is written */
    einspul_error *error;
};

/* Writes the header: the rule set, and the tables of the handle that proofs depend on. `put`,
 * `context` and `error` must be set. Errors of `put` and of probe_table; every call also stores its
 * status in the writer. */
einspul_status proof_writer_begin(struct proof_writer *writer, einspul *handle);
einspul_status proof_writer_add(struct proof_writer *writer, const struct proof_set *set);

/* Writes the last line, without which a file counts as truncated. */
einspul_status proof_writer_end(struct proof_writer *writer);

/* Reading, line by line. */
struct proof_reader {
    FILE *file;
    const struct rules *rules;
    int n_pieces;     /* all tables of so many pieces existed at the time of writing */
    char version[32]; /* of the program that wrote the file */
    char note[160];   /* how the tables differ from those of the handle; empty if they do not */
    uint64_t n_lines, n_sets;
    bool ahead; /* `line` is still to be used */
    char line[1024];
};

/* Reads the header. BAD_ARGUMENT: not a proof file; WRONG_RULES; IO. */
einspul_status proof_reader_begin(struct proof_reader *reader, FILE *file, einspul *handle,
                                  einspul_error *error);

/* Reads the next set; free it with proof_set_free, also after an error. After the last line `*ended`
 * is true. BAD_ARGUMENT names the line, or reports a truncated file; NO_MEMORY, IO. */
einspul_status proof_reader_next(struct proof_reader *reader, struct proof_set *set, bool *ended,
                                 einspul_error *error);

/* Calls a function for each table that proofs depend on, i.e. those of at most as many pieces as
 * are complete, with its value hash. Errors of probe_table. */
typedef void table_visitor(void *context, const char *material, const char *metric,
                           uint64_t value_hash);
einspul_status proof_each_table(einspul *handle, table_visitor *visit, void *context,
                                einspul_error *error);

#endif
