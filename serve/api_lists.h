/* Prepared lists. */
#ifndef EINSPUL_SERVE_API_LISTS_H
#define EINSPUL_SERVE_API_LISTS_H

#include "serve/api.h"

void api_lists(const struct call *call, struct reply *reply);
void api_list(const struct call *call, struct reply *reply);

#endif
