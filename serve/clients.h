/* Open connections and their timeouts. A client has a fixed time for sending a request and for
 * taking the answer, however slowly its bytes trickle. If there are too many connections, the one
 * that the server has waited for longest is closed. Thread-safe. */
#ifndef EINSPUL_SERVE_CLIENTS_H
#define EINSPUL_SERVE_CLIENTS_H

#include "serve/monitor.h"

enum {
    MOST_CLIENTS = 512,   /* connections; a further one closes that waited for longest */
    REQUEST_SECONDS = 20, /* for a request to arrive, and for a connection to be idle */
    ANSWER_SECONDS = 60   /* for an answer to be taken */
};

struct clients;
struct client;

/* Starts the thread that checks timeouts; NULL without memory or a thread. */
struct clients *clients_start(struct monitor *monitor);
void clients_stop(struct clients *clients);

/* Registers a new connection; NULL without memory. */
struct client *client_open(struct clients *clients, int socket);

/* Its request is complete: no timeout until the answer is ready. */
void client_asked(struct clients *clients, struct client *client);

/* The answer is ready to be sent. */
void client_answered(struct clients *clients, struct client *client);

/* The answer has been sent: the next request may come. */
void client_done(struct clients *clients, struct client *client);

/* The connection is about to be closed. */
void client_close(struct clients *clients, struct client *client);

#endif
