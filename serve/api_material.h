/* Tables, and statistics of a material. */
#ifndef EINSPUL_SERVE_API_MATERIAL_H
#define EINSPUL_SERVE_API_MATERIAL_H

#include "serve/api.h"

void api_tables(const struct call *call, struct reply *reply);
void api_material(const struct call *call, struct reply *reply);

#endif
