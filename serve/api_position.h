/* Calls about one position, and the list of rule sets. */
#ifndef EINSPUL_SERVE_API_POSITION_H
#define EINSPUL_SERVE_API_POSITION_H

#include "serve/api.h"

void api_rules(const struct call *call, struct reply *reply);
void api_position(const struct call *call, struct reply *reply);
void api_mainline(const struct call *call, struct reply *reply);
void api_compare(const struct call *call, struct reply *reply);
void api_map(const struct call *call, struct reply *reply);

#endif
