/* A list of connections ordered by their last change, so that the first one without a complete
 * request is the one waited for longest. A thread looks every second for expired ones. Closing is
 * left to the HTTP library: a socket is only shut down here, which it treats as a disconnect. */
#include "serve/clients.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

enum phase { ASKING, THINKING, ANSWERING, CLOSING };

struct client {
    struct client *previous, *next;
    int socket;
    enum phase phase;
    time_t deadline; /* of ASKING and ANSWERING */
};

struct clients {
    pthread_mutex_t lock;
    pthread_cond_t stopping;
    pthread_t thread;
    bool stop;
    struct monitor *monitor;
    int n;
    struct client ends; /* the list's ends: `next` is the first, `previous` the last */
};

static time_t seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static void list_remove(struct client *client)
{
    client->previous->next = client->next;
    client->next->previous = client->previous;
}

static void list_append(struct clients *clients, struct client *client)
{
    client->previous = clients->ends.previous;
    client->next = &clients->ends;
    client->previous->next = client;
    clients->ends.previous = client;
}

static void set_phase(struct clients *clients, struct client *client, enum phase phase, int seconds)
{
    if (client == NULL)
        return;
    pthread_mutex_lock(&clients->lock);
    if (client->phase != CLOSING) {
        client->phase = phase;
        client->deadline = seconds_now() + seconds;
        list_remove(client);
        list_append(clients, client);
    }
    pthread_mutex_unlock(&clients->lock);
}

static void evict(struct clients *clients, struct client *client)
{
    client->phase = CLOSING;
    shutdown(client->socket, SHUT_RDWR);
    atomic_fetch_add(&clients->monitor->n_evicted, 1);
}

static void evict_longest(struct clients *clients)
{
    struct client *client = clients->ends.next;
    while (client != &clients->ends && client->phase != ASKING)
        client = client->next;
    if (client != &clients->ends)
        evict(clients, client);
}

static void *watch(void *context)
{
    struct clients *clients = context;
    struct timespec until;
    pthread_mutex_lock(&clients->lock);
    while (!clients->stop) {
        const time_t now = seconds_now();
        for (struct client *c = clients->ends.next; c != &clients->ends; c = c->next)
            if ((c->phase == ASKING || c->phase == ANSWERING) && c->deadline < now)
                evict(clients, c);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        pthread_cond_timedwait(&clients->stopping, &clients->lock, &until);
    }
    pthread_mutex_unlock(&clients->lock);
    return NULL;
}

struct clients *clients_start(struct monitor *monitor)
{
    struct clients *clients = calloc(1, sizeof *clients);
    if (clients == NULL)
        return NULL;
    clients->monitor = monitor;
    clients->ends.next = &clients->ends;
    clients->ends.previous = &clients->ends;
    if (pthread_mutex_init(&clients->lock, NULL) != 0)
        goto no_lock;
    if (pthread_cond_init(&clients->stopping, NULL) != 0)
        goto no_condition;
    if (pthread_create(&clients->thread, NULL, watch, clients) == 0)
        return clients;
    pthread_cond_destroy(&clients->stopping);
no_condition:
    pthread_mutex_destroy(&clients->lock);
no_lock:
    free(clients);
    return NULL;
}

void clients_stop(struct clients *clients)
{
    if (clients == NULL)
        return;
    pthread_mutex_lock(&clients->lock);
    clients->stop = true;
    pthread_cond_signal(&clients->stopping);
    pthread_mutex_unlock(&clients->lock);
    pthread_join(clients->thread, NULL);
    while (clients->ends.next != &clients->ends)
        client_close(clients, clients->ends.next);
    pthread_cond_destroy(&clients->stopping);
    pthread_mutex_destroy(&clients->lock);
    free(clients);
}

struct client *client_open(struct clients *clients, int socket)
{
    struct client *client = malloc(sizeof *client);
    if (client == NULL)
        return NULL;
    *client = (struct client){
        .socket = socket, .phase = ASKING, .deadline = seconds_now() + REQUEST_SECONDS};
    pthread_mutex_lock(&clients->lock);
    if (++clients->n > MOST_CLIENTS)
        evict_longest(clients);
    list_append(clients, client);
    atomic_store(&clients->monitor->n_connections, (uint64_t)clients->n);
    pthread_mutex_unlock(&clients->lock);
    return client;
}

void client_asked(struct clients *clients, struct client *client)
{
    set_phase(clients, client, THINKING, 0);
}

void client_answered(struct clients *clients, struct client *client)
{
    set_phase(clients, client, ANSWERING, ANSWER_SECONDS);
}

void client_done(struct clients *clients, struct client *client)
{
    set_phase(clients, client, ASKING, REQUEST_SECONDS);
}

void client_close(struct clients *clients, struct client *client)
{
    if (client == NULL)
        return;
    pthread_mutex_lock(&clients->lock);
    list_remove(client);
    clients->n--;
    atomic_store(&clients->monitor->n_connections, (uint64_t)clients->n);
    pthread_mutex_unlock(&clients->lock);
    free(client);
}
