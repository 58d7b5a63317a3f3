/* Who is connected, and since when nothing has come of it. A client has a fixed time for sending a
 * request and for taking the answer, however slowly its bytes trickle; when there are many, the one
 * that has been waited for longest makes room. Thread-safe. */
#ifndef EINSPUL_SERVE_CLIENTS_H
#define EINSPUL_SERVE_CLIENTS_H

#include "serve/monitor.h"

enum {
    MOST_CLIENTS = 512,   /* connections; one more, and the longest waited for is closed */
    REQUEST_SECONDS = 20, /* for a request to arrive, and for a connection to be idle */
    ANSWER_SECONDS = 60   /* for an answer to be taken */
};

struct clients;
struct client;

/* Starts to watch; NULL when there is no memory or no thread for it. */
struct clients *clients_start(struct monitor *monitor);
void clients_stop(struct clients *clients);

/* A connection has come; NULL when there is no memory to watch it. */
struct client *client_open(struct clients *clients, int socket);

/* Its request is complete: it is ours to answer. */
void client_asked(struct clients *clients, struct client *client);

/* The answer is ready to be taken. */
void client_answered(struct clients *clients, struct client *client);

/* The answer has been taken: the next request may come. */
void client_done(struct clients *clients, struct client *client);

/* The connection is going to be closed. */
void client_close(struct clients *clients, struct client *client);

#endif
