/* Solving a material. */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_SOLVE_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_SOLVE_H

#include "gen/material/material_params.h"

/* What is wanted besides the values. */
struct material_extras {
    void (*progress)(uint64_t n_states, void *context); /* states just done; or NULL. Called by one
                                                           thread at a time */
    void (*resumed)(uint64_t n_states, void *context);  /* states the file held; or NULL */
    void *context;
    const char *parts; /* the stem of files of what is solved (chunk_file_part), which are read and
                             written; or NULL. They are left there */
    uint64_t fingerprint; /* of what the material's values are made from: parts with another one are
                             not used */
};

/* Solves all frames, level by level; `extras` may be NULL. On success the material is in the store,
 * which the caller still owns. Errors of seeds and solver; NO_SPACE, IO, STOPPED. The result does not depend on
 * n_threads, nor on a file that was there. */
einspul_status material_solve(const struct material_params *params,
                              const struct material_extras *extras, einspul_error *error);

/* What a file of a material's values begins with: rules, material, metric, form, fingerprint. */
void material_key(const struct rules *rules, const struct solved *solved, uint64_t fingerprint,
                  uint8_t key[CHUNK_FILE_KEY_SIZE]);

#endif
