/* Many positions in one call. */
#ifndef EINSPUL_SERVE_API_BATCH_H
#define EINSPUL_SERVE_API_BATCH_H

#include "serve/api.h"

void api_batch(const struct call *call, struct reply *reply);

#endif
