/* Metrics of the server. */
#ifndef EINSPUL_SERVE_API_MONITOR_H
#define EINSPUL_SERVE_API_MONITOR_H

#include "serve/api.h"

void api_monitor(const struct call *call, struct reply *reply);

#endif
