/* Search of positions, and its progress. */
#ifndef EINSPUL_SERVE_API_FIND_H
#define EINSPUL_SERVE_API_FIND_H

#include "serve/api.h"

void api_find(const struct call *call, struct reply *reply);
void api_progress(const struct call *call, struct reply *reply);

/* Fills in the names of a search's arguments: the conditions of study/find_text.h and its own. */
void api_find_arguments(const char *names[MAX_ARGUMENTS]);

#endif
