/* Games in PDN. */
#ifndef EINSPUL_SERVE_API_ANNOTATE_H
#define EINSPUL_SERVE_API_ANNOTATE_H

#include "serve/api.h"

void api_annotate(const struct call *call, struct reply *reply);

#endif
