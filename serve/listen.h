/* The socket the server listens on. */
#ifndef EINSPUL_SERVE_LISTEN_H
#define EINSPUL_SERVE_LISTEN_H

#include <stddef.h>

#include "core/status.h"

/* Listens on an address, such as 127.0.0.1 or ::1, and a port, 0 for a free one. `*socket` is -1 or
 * a socket that the caller must close even after an error; `url` (`size` bytes) is the server's
 * address. BAD_ARGUMENT, IO. */
enum status listen_on(const char *address, int port, int *socket, char *url, size_t size,
                      struct error *error);

#endif
