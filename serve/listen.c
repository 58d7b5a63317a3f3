/* Listening sockets for IPv4 and IPv6. */
#include "serve/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { BACKLOG = 256 };

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static bool read_address(const char *text, int port, union address *address, socklen_t *n_bytes)
{
    *address = (union address){0};
    if (inet_pton(AF_INET, text, &address->v4.sin_addr) == 1) {
        address->v4.sin_family = AF_INET;
        address->v4.sin_port = htons((uint16_t)port);
        *n_bytes = sizeof address->v4;
        return true;
    }
    if (inet_pton(AF_INET6, text, &address->v6.sin6_addr) == 1) {
        address->v6.sin6_family = AF_INET6;
        address->v6.sin6_port = htons((uint16_t)port);
        *n_bytes = sizeof address->v6;
        return true;
    }
    return false;
}

enum status listen_on(const char *on_address, int port, int *result, char *url, size_t size,
                      struct error *error)
{
    union address address;
    socklen_t n_bytes = 0;
    const int on = 1;
    if (!read_address(on_address, port, &address, &n_bytes))
        return error_set(error, STATUS_BAD_ARGUMENT,
                         "%.60s: an address is expected, as 127.0.0.1 or ::1", on_address);
    *result = socket(address.any.sa_family, SOCK_STREAM, 0);
    if (*result < 0 || setsockopt(*result, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(*result, &address.any, n_bytes) != 0 || listen(*result, BACKLOG) != 0 ||
        getsockname(*result, &address.any, &n_bytes) != 0)
        return error_set(error, STATUS_IO, "cannot listen on %.60s, port %d: %s", on_address, port,
                         strerror(errno));
    const bool v6 = address.any.sa_family == AF_INET6;
    snprintf(url, size, v6 ? "http://[%s]:%d/" : "http://%s:%d/", on_address,
             ntohs(v6 ? address.v6.sin6_port : address.v4.sin_port));
    return STATUS_OK;
}
