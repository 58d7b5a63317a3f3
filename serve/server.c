/* libmicrohttpd reads requests and sends answers, on a few threads that never wait for a client. A
 * long call, a search or statistics, is suspended until its turn comes (serve/jobs.h). All
 * resources a client can use are bounded: connections (MAX_CONNECTIONS) and their idle time
 * (IDLE_SECONDS), headers (HEADER_BYTES), bodies (MAX_BODY), waiting jobs. Slow clients that send
 * or read a byte now and then are the reverse proxy's task (docs/api.md). */
#include "serve/server.h"

#include "core/program/os_write.h"
#include "serve/headers.h"
#include "serve/jobs.h"
#include "serve/routes.h"

#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_CONNECTIONS = 512,
    IDLE_SECONDS = 20,        /* without a byte from or to a client */
    N_POOL_THREADS = 4,       /* more than two cores need, since a thread may block on disk */
    HEADER_BYTES = 64 * 1024, /* the library refuses more */
    PASSED_BODY = 16 * MAX_BODY,
    BASE_SIZE = 64,
    SHUTDOWN_MS = 1000 /* for the last answers, as the server stops */
};

struct server {
    struct service service;
    struct MHD_Daemon *daemon; /* NULL until it has started */
    struct jobs jobs;
    _Atomic int n_unsent; /* suspended requests whose answers have not been sent yet */
    bool local;           /* listens on an address of this machine that others cannot reach */
    char base[BASE_SIZE]; /* path of the page, which ends with a slash */
    char address[SERVER_ADDRESS_SIZE];
};

/* A request, from its headers until the answer has been sent. */
struct exchange {
    struct server *server;
    struct MHD_Connection *connection;
    struct route route;
    struct request request;
    struct reply reply;
    struct waiter waiter; /* for a job */
    bool disconnected;    /* the client, while it waited for a job */
    bool waited;          /* for a job */
    const char *method;   /* owned by libmicrohttpd, valid during the request */
    char *body;
    size_t n_body;
};

/* --- requests --------------------------------------------------------------------------------- */

/* Adds one argument to an exchange; stops at the first bad one. */
static enum MHD_Result take_argument(void *context, enum MHD_ValueKind kind, const char *name,
                                     size_t n_name, const char *value, size_t n_value)
{
    struct exchange *exchange = context;
    (void)kind;
    return request_take(&exchange->request, name, n_name, value, n_value, &exchange->reply)
               ? MHD_YES
               : MHD_NO;
}

static const char *argument_of(const struct exchange *exchange, const char *name)
{
    return MHD_lookup_connection_value(exchange->connection, MHD_GET_ARGUMENT_KIND, name);
}

enum { ICON_SECONDS = 24 * 3600 };

/* A file of the page, gzip-encoded if the client accepts gzip. Browsers request the icon with every
 * new address, so it may be cached. */
static void answer_file(const struct exchange *exchange, const struct page_file *file,
                        struct reply *reply)
{
    struct MHD_Connection *connection = exchange->connection;
    const char *known = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "If-None-Match");
    const bool packed = file->packed != NULL && headers_accept_gzip(connection);

    *reply = (struct reply){.code = HTTP_DONE,
                            .type = file->type,
                            .fixed = packed ? file->packed : file->bytes,
                            .n_bytes = packed ? file->n_packed : file->n_bytes,
                            .tag = file->tag,
                            .packed = packed,
                            .seconds = strncmp(file->type, "image/", 6) == 0 ? ICON_SECONDS : 0};
    if (known != NULL && strstr(known, file->tag) != NULL) {
        reply->code = HTTP_NOT_MODIFIED;
        reply->n_bytes = 0;
    }
}

/* Answers other methods and requests for files of the page. True if it did. */
static bool answer_without_job(struct exchange *exchange)
{
    const struct route *route = &exchange->route;
    struct reply *reply = &exchange->reply;
    const char *method = exchange->method;
    const bool options = strcmp(method, "OPTIONS") == 0;
    const bool post = route->endpoint != NULL && route->endpoint->post;
    const bool fits = post ? strcmp(method, "POST") == 0
                           : strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;

    if (options || !fits) {
        const char *allowed = post ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
        if (options)
            *reply = (struct reply){.code = HTTP_NO_CONTENT};
        else
            reply_text(reply, HTTP_NOT_ALLOWED, "method not allowed; use %s", allowed);
        reply->allow = allowed;
    } else if (route->file != NULL) {
        const char *fen = strcmp(route->rest, "/") == 0 ? argument_of(exchange, "fen") : NULL;
        if (fen == NULL ||
            MHD_lookup_connection_value_n(exchange->connection, MHD_GET_ARGUMENT_KIND, "hide", 4,
                                          NULL, NULL) == MHD_YES ||
            !route_preview(&exchange->server->service, route->file, argument_of(exchange, "rules"),
                           fen, reply))
            answer_file(exchange, route->file, reply);
    } else {
        return false;
    }
    return true;
}

/* A client that has closed its side of the connection counts as disconnected. */
static bool is_connected(const void *client)
{
    const struct exchange *exchange = client;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(exchange->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    char byte = 0;
    const ssize_t n = recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

/* --- answers ---------------------------------------------------------------------------------- */

/* Hands the reply over to the HTTP library, and its text with it. */
static enum MHD_Result send_reply(struct exchange *exchange)
{
    struct reply *reply = &exchange->reply;
    if (reply->code == HTTP_DONE && headers_accept_gzip(exchange->connection))
        reply_pack(reply);
    const bool owned = reply->text != NULL;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(reply->n_bytes, owned ? reply->text : reply->fixed,
                                        owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);

    if (response == NULL) {
        free(reply->text);
        reply->text = NULL;
        return MHD_NO;
    }
    headers_add(response, reply);
    reply->text = NULL;
    const enum MHD_Result result =
        MHD_queue_response(exchange->connection, (unsigned)reply->code, response);
    MHD_destroy_response(response);
    return result;
}

/* Receives the answer of a job. */
static void take_answer(void *client, const struct reply *reply)
{
    struct exchange *exchange = client;
    if (reply != NULL)
        exchange->reply = *reply;
    if (reply != NULL && reply->text != NULL)
        exchange->reply.text = strdup(reply->text);
    exchange->disconnected = reply == NULL || (reply->text != NULL && exchange->reply.text == NULL);
    MHD_resume_connection(exchange->connection);
}

static void begin_job(struct exchange *exchange)
{
    exchange->waited = true;
    atomic_fetch_add(&exchange->server->n_unsent, 1);
    MHD_suspend_connection(exchange->connection);
    if (jobs_submit(&exchange->server->jobs, &exchange->waiter))
        return;
    reply_text(&exchange->reply, HTTP_BUSY, "too many searches: try again later");
    MHD_resume_connection(exchange->connection);
}

/* Runs the call. False if it is long: the exchange then belongs to the jobs, until it is
 * resumed. */
static bool answer_call(struct exchange *exchange)
{
    struct server *server = exchange->server;
    const struct route *route = &exchange->route;
    struct request *request = &exchange->request;

    request->body = exchange->body != NULL ? exchange->body : "";
    request->n_body = exchange->n_body;
    request->names =
        route->endpoint->of_search ? server->service.find_arguments : route->endpoint->arguments;
    MHD_get_connection_values_n(exchange->connection, MHD_GET_ARGUMENT_KIND, take_argument,
                                exchange);
    if (exchange->reply.code != 0)
        return true;
    exchange->waiter = (struct waiter){.run = route->endpoint->call,
                                       .call = {&server->service, route->set, route->rest, request},
                                       .client = exchange};
    pthread_rwlock_rdlock(&server->service.in_use);
    route->endpoint->call(&exchange->waiter.call, &exchange->reply);
    pthread_rwlock_unlock(&server->service.in_use);
    if (exchange->reply.code != 0)
        return true;
    begin_job(exchange);
    return false;
}

static enum MHD_Result answer(struct exchange *exchange)
{
    if (exchange->disconnected)
        return MHD_NO;
    const bool done =
        exchange->reply.code != 0 || answer_without_job(exchange) || answer_call(exchange);
    return done ? send_reply(exchange) : MHD_YES;
}

/* --- the body --------------------------------------------------------------------------------- */

static void refuse_body(struct exchange *exchange)
{
    reply_text(&exchange->reply, HTTP_TOO_LARGE, "request too large (at most %d bytes)",
               (int)MAX_BODY);
}

/* Keeps a part of the body; the rest of a refused request is discarded. */
static void take_body(struct exchange *exchange, const char *bytes, size_t n_bytes)
{
    if (exchange->reply.code != 0 || exchange->route.endpoint == NULL ||
        !exchange->route.endpoint->post)
        return;
    if (exchange->body == NULL)
        exchange->body = malloc(MAX_BODY);
    if (exchange->body == NULL) {
        reply_text(&exchange->reply, HTTP_FAULT, "not enough memory");
    } else if (n_bytes > MAX_BODY - exchange->n_body) {
        refuse_body(exchange);
    } else {
        memcpy(exchange->body + exchange->n_body, bytes, n_bytes);
        exchange->n_body += n_bytes;
    }
}

/* --- callbacks of the HTTP library ------------------------------------------------------------ */

/* Decodes %XX in a path or an argument. %00 becomes %01, since a NUL byte would truncate the text
 * and select a different path or value. */
static size_t unescape(void *closure, struct MHD_Connection *connection, char *text)
{
    (void)closure;
    (void)connection;
    for (char *at = text; (at = strstr(at, "%00")) != NULL;)
        at[2] = '1';
    return MHD_http_unescape(text);
}

/* Called with the address of a request before its arguments are split, for which the library takes
 * memory that runs out at some thousands; it would then close the connection without an answer. More
 * arguments than a call has are an error in any case, so those beyond become part of the last. */
static void *on_address(void *closure, const char *address, struct MHD_Connection *connection)
{
    char *at = (char *)address; /* in the buffer of the connection */
    (void)closure;
    (void)connection;
    for (int n = 0; (at = strchr(at, '&')) != NULL;)
        if (++n > MAX_ARGUMENTS)
            *at = '?';
        else
            at++;
    return NULL;
}

/* Finds the target of a path below the base path; the base path without its slash is redirected, as
 * the addresses in the page are relative. */
static bool find_route(struct server *server, const char *path, struct exchange *exchange)
{
    const size_t n = strlen(server->base) - 1;
    if (strncmp(path, server->base, n) == 0 && path[n] == '/') {
        service_refresh(&server->service);
        pthread_rwlock_rdlock(&server->service.in_use);
        const bool found =
            route_find(&server->service, path + n, &exchange->route, &exchange->reply);
        pthread_rwlock_unlock(&server->service.in_use);
        return found;
    }
    if (strncmp(path, server->base, n) == 0 && path[n] == '\0')
        exchange->reply = (struct reply){.code = HTTP_MOVED, .location = server->base};
    else
        reply_text(&exchange->reply, HTTP_NOT_FOUND, "no such page; the server's base is %s",
                   server->base);
    return false;
}

/* Called when the headers have arrived. Requests with headers that are refused, unknown paths or far
 * too large bodies are answered without reading the body. */
static enum MHD_Result begin(struct server *server, struct MHD_Connection *connection,
                             const char *path, const char *method, void **context)
{
    const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
    struct exchange *exchange = calloc(1, sizeof *exchange);
    if (exchange == NULL)
        return MHD_NO;
    *context = exchange;
    exchange->server = server;
    exchange->connection = connection;
    exchange->method = method;
    if (!headers_check(connection, server->local, &exchange->reply) ||
        !find_route(server, path, exchange))
        return send_reply(exchange);
    const unsigned long long n_body = length != NULL ? strtoull(length, NULL, 10) : 0;
    if (n_body > MAX_BODY)
        refuse_body(exchange);
    /* A client reads the answer only after it has sent its body, so a body that is only a little
     * too large is received first. */
    return n_body > PASSED_BODY ? send_reply(exchange) : MHD_YES;
}

static enum MHD_Result on_request(void *closure, struct MHD_Connection *connection,
                                  const char *path, const char *method, const char *version,
                                  const char *upload, size_t *n_upload, void **context)
{
    struct exchange *exchange = *context;
    (void)version;
    if (exchange == NULL)
        return begin(closure, connection, path, method, context);
    if (*n_upload > 0) {
        take_body(exchange, upload, *n_upload);
        *n_upload = 0;
        return MHD_YES;
    }
    return answer(exchange);
}

static void on_completed(void *closure, struct MHD_Connection *connection, void **context,
                         enum MHD_RequestTerminationCode code)
{
    struct exchange *exchange = *context;
    (void)closure;
    (void)connection;
    (void)code;
    if (exchange == NULL)
        return;
    if (exchange->waited)
        atomic_fetch_sub(&exchange->server->n_unsent, 1);
    free(exchange->body);
    free(exchange->reply.text);
    free(exchange);
    *context = NULL;
}

/* --- starting and stopping -------------------------------------------------------------------- */

/* Starts a daemon listening on an address; NULL with errno on failure. */
static struct MHD_Daemon *start_daemon(struct server *server, const struct addrinfo *at)
{
    /* With epoll, the end of a connection is not noticed if it arrives together with bytes. */
    const unsigned flags = MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC |
                           (at->ai_family == AF_INET6 ? MHD_USE_DUAL_STACK : 0);
    return MHD_start_daemon(
        flags, 0, NULL, NULL, on_request, server, MHD_OPTION_SOCK_ADDR, at->ai_addr,
        MHD_OPTION_THREAD_POOL_SIZE, (unsigned)N_POOL_THREADS, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)MAX_CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADER_BYTES,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_NOTIFY_COMPLETED,
        on_completed, server, MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL,
        MHD_OPTION_URI_LOG_CALLBACK, on_address, NULL, MHD_OPTION_END);
}

static einspul_status listen_on(struct server *server, const char *address, int port,
                                einspul_error *error)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *at = NULL;
    char text[8];
    char name[64] = "";
    snprintf(text, sizeof text, "%d", port);
    if (strcmp(address, "*") == 0 || getaddrinfo(address, text, &hints, &at) != 0)
        return error_set(error, EINSPUL_BAD_ARGUMENT,
                         "%.60s: expected an address such as 127.0.0.1, or 0.0.0.0 or :: for all",
                         address);
    server->daemon = start_daemon(server, at);
    const int reason = errno;
    const bool v6 = at->ai_family == AF_INET6;
    getnameinfo(at->ai_addr, at->ai_addrlen, name, sizeof name, NULL, 0, NI_NUMERICHOST);
    server->local = strncmp(name, "127.", 4) == 0 || strcmp(name, "::1") == 0;
    freeaddrinfo(at);
    if (server->daemon == NULL)
        return error_set(error, EINSPUL_IO, "cannot listen on %.60s, port %d: %s%s", address, port,
                         strerror(reason),
                         reason == EADDRINUSE ? "; choose another port or stop the other server"
                                              : "");
    snprintf(server->address, sizeof server->address, v6 ? "http://[%s]:%d%s" : "http://%s:%d%s",
             name, MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT)->port,
             server->base);
    return EINSPUL_OK;
}

/* Copies a base path, with a slash at its end. */
static einspul_status read_base(struct server *server, const char *text, einspul_error *error)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
    size_t n = text != NULL ? strlen(text) : 0;
    if (n > 0 && (*text != '/' || strspn(text, allowed) != n || strstr(text, "//") != NULL ||
                  strstr(text, "/.") != NULL || n + 2 > sizeof server->base))
        return error_set(error, EINSPUL_BAD_ARGUMENT, "%.80s: expected a path such as /einspul",
                         text);
    n -= n > 0 && text[n - 1] == '/';
    snprintf(server->base, sizeof server->base, "%.*s/", (int)n, text != NULL ? text : "");
    return EINSPUL_OK;
}

einspul_status server_start(const struct server_options *options, struct server **result,
                            einspul_error *error)
{
    struct server *server = calloc(1, sizeof *server);
    *result = NULL;
    if (server == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a server");
    if (!jobs_begin(&server->jobs, is_connected, take_answer)) {
        free(server);
        return error_set(error, EINSPUL_NO_MEMORY, "no thread for searches");
    }
    os_raise_file_limit(); /* the default may be below MAX_CONNECTIONS */
    einspul_status status = service_open(&server->service, options, error);
    if (status == EINSPUL_OK)
        status = read_base(server, options->base, error);
    api_find_arguments(server->service.find_arguments);
    if (status == EINSPUL_OK)
        status = listen_on(server, options->listen, options->port, error);
    if (status == EINSPUL_OK)
        *result = server;
    else
        server_stop(server);
    return status;
}

const char *server_address(const struct server *server)
{
    return server->address;
}

/* Waits until suspended requests have been answered, because stopping libmicrohttpd closes
 * connections at once. */
static void send_last_answers(struct server *server)
{
    const struct timespec millisecond = {.tv_nsec = 1000000};
    for (int i = 0; i < SHUTDOWN_MS && atomic_load(&server->n_unsent) > 0; i++)
        nanosleep(&millisecond, NULL);
}

void server_stop(struct server *server)
{
    int socket_left = -1;
    if (server == NULL)
        return;
    if (server->daemon != NULL)
        socket_left = MHD_quiesce_daemon(server->daemon);
    jobs_end(&server->jobs);
    send_last_answers(server);
    if (server->daemon != NULL)
        MHD_stop_daemon(server->daemon);
    if (socket_left >= 0)
        close(socket_left);
    service_close(&server->service);
    free(server);
}
