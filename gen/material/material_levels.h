/* The frames of a material, level by level. */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_LEVELS_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_LEVELS_H

#include "gen/material/material_work.h"

/* Fills all frames. The material is in the store during this, because frames read those of earlier
 * levels; on success it stays there, owned by the caller, if `keep_in_store`. */
void work_run(struct work *work, bool keep_in_store);

#endif
