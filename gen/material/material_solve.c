/* Solves a material's frames into chunks, which are also written to a part file if the run is to be
 * resumable. Chunks in the part files of earlier processes are not solved again. */
#include "gen/material/material_solve.h"

#include "gen/material/material_levels.h"
#include "gen/material/material_work.h"
#include "table/bytes.h"

#include <string.h>

static einspul_status solve_frame(struct work *work, struct worker *worker, uint64_t number,
                                  einspul_error *error)
{
    (void)number;
    return work->solver->solve(worker->solver, &worker->frame, error);
}

/* The header of a file of a material's values: rules, material, metric, form, fingerprint. */
static void material_key(const struct rules *rules, const struct solved *solved,
                         uint64_t fingerprint, uint8_t key[CHUNK_FILE_SIGNATURE_SIZE])
{
    const struct shape *shape = &solved->shape;
    memset(key, 0, CHUNK_FILE_SIGNATURE_SIZE);
    store_u32(key, (uint32_t)rules->id);
    store_u32(key + 4, (uint32_t)solved->metric);
    for (int side = WHITE; side <= BLACK; side++) {
        key[8 + 2 * side] = shape->material.men[side];
        key[9 + 2 * side] = shape->material.kings[side];
    }
    store_u64(key + 16, shape->n_placements);
    store_u64(key + 24, solved->pages->n);
    store_u32(key + 32, (uint32_t)solved->order.frames_shift);
    store_u32(key + 36, (uint32_t)shape->n_rule_states);
    store_u64(key + 40, fingerprint);
    memcpy(key + 48, &(uint16_t){0x1234}, 2); /* the machine's order of bytes */
}

/* Creates the part file and copies to it what interrupted processes have solved. If it cannot be
 * written, as on a full disk, the run continues without one. */
static void open_part(struct work *work)
{
    const struct material_params *params = work->params;
    struct pages *pages = work->solved->pages;
    uint8_t key[CHUNK_FILE_SIGNATURE_SIZE];
    einspul_error error;
    material_key(params->store->rules, work->solved, params->fingerprint, key);
    const einspul_status status =
        chunk_file_create_part(params->parts, key, &pages->form, pages->records, pages->n,
                               params->stop, &pages->file, &error);
    work->saves_part = status == EINSPUL_OK;
    if (status == EINSPUL_IO || status == EINSPUL_NO_SPACE)
        memset(pages->records, 0, (size_t)pages->n * sizeof *pages->records);
    else if (status != EINSPUL_OK)
        work_fail(work, status, error.text);
}

einspul_status material_solve(const struct material_params *params, einspul_error *error)
{
    struct work work = {
        .params = params, .fill = solve_frame, .makes_chunks = true, .error = error};
    const bool prepared = work_prepare(&work);
    if (prepared && params->parts != NULL)
        open_part(&work);
    if (prepared)
        work_run(&work, true);
    work_release(&work);
    return work.status;
}
