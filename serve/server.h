/* The HTTP server: the page and the API of docs/api.md. */
#ifndef EINSPUL_SERVE_SERVER_H
#define EINSPUL_SERVE_SERVER_H

#include "serve/service.h"

struct server;

enum { SERVER_ADDRESS_SIZE = 160 };

/* Opens the tables and starts to answer. BAD_ARGUMENT for an invalid address or base path, IO if it cannot be
 * listened on, NO_MEMORY, errors of service_open. */
einspul_status server_start(const struct server_options *options, struct server **server,
                            einspul_error *error);

/* The server's address, such as "http://127.0.0.1:8317/", with the base path. */
const char *server_address(const struct server *server);

/* Stops the server: accepts no more connections, finishes a running count, cancels a running
 * search, and closes everything else. NULL is allowed. */
void server_stop(struct server *server);

#endif
