/* A listening socket for an address of IPv4 or IPv6, as getaddrinfo reads it. */
#include "serve/listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* Opens the socket; -1 and errno. It must be closed even after an error. */
static int open_at(const struct addrinfo *at, int *result)
{
    const int on = 1;
    *result = socket(at->ai_family, SOCK_STREAM, 0);
    return *result < 0 || setsockopt(*result, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
                   bind(*result, at->ai_addr, at->ai_addrlen) != 0 ||
                   listen(*result, SOMAXCONN) != 0
               ? -1
               : 0;
}

enum status listen_on(const char *address, int port, int *result, char *url, size_t size,
                      struct error *error)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *at = NULL;
    struct sockaddr_storage own;
    socklen_t n_own = sizeof own;
    char name[8];
    snprintf(name, sizeof name, "%d", port);
    if (getaddrinfo(address, name, &hints, &at) != 0)
        return error_set(error, STATUS_BAD_ARGUMENT,
                         "%.60s: an address is expected, as 127.0.0.1 or ::1", address);
    const int failed = open_at(at, result) != 0 ||
                       getsockname(*result, (struct sockaddr *)&own, &n_own) != 0 ||
                       getnameinfo((struct sockaddr *)&own, n_own, NULL, 0, name, sizeof name,
                                   NI_NUMERICSERV) != 0;
    const int reason = errno;
    const int family = at->ai_family;
    freeaddrinfo(at);
    if (failed)
        return error_set(error, STATUS_IO, "cannot listen on %.60s, port %d: %s", address, port,
                         strerror(reason));
    snprintf(url, size, family == AF_INET6 ? "http://[%s]:%s/" : "http://%s:%s/", address, name);
    return STATUS_OK;
}
