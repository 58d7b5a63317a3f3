/* `einspul serve`: prints the server's address and runs until a signal. */
#include "cli/print.h"
#include "cli/tables.h"
#include "serve/server.h"

#include <pthread.h>
#include <signal.h>

enum { CACHE_BYTES = 128 << 20 }; /* of decoded blocks, for each rule set */

static struct {
    const char *listen; /* address */
    int port;           /* 0: a free one */
    const char *lists;  /* folder */
} own = {.listen = "127.0.0.1", .port = 8317};

static const struct option_row own_options[] = {
    {"listen", "ADDRESS", "address to answer on (default: 127.0.0.1)", TEXT(&own.listen)},
    {"lists", "DIR", "folder of prepared lists, DIR/RULES/NAME.tsv", TEXT(&own.lists)},
    {"port", "N", "port; 0: a free one (default: 8317)", INT(&own.port, 0, 65535)},
    {0},
};

static int run(const struct options *options)
{
    const struct server_options server_options = {
        .listen = own.listen,
        .port = own.port,
        .folders = options->folders,
        .n_folders = options->n_folders,
        .lists = own.lists,
        .cache_bytes = CACHE_BYTES,
        .n_threads = options->n_threads,
    };
    struct server *server = NULL;
    einspul_error error;
    sigset_t signals;
    int number = 0;

    /* Blocked before there are other threads: only sigwait takes them. */
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    if (server_start(&server_options, &server, &error) != EINSPUL_OK)
        return error.status == EINSPUL_NO_FOLDER
                   ? complain(options, "%s%s", error.text, tables_hint(options).text)
                   : complain_of(options, NULL, &error);
    puts(server_address(server));
    output_flush();
    if (output_works()) /* otherwise the address is not known to anyone */
        sigwait(&signals, &number);
    server_stop(server);
    return EXIT_DONE;
}

const struct command command_serve = {
    .name = "serve",
    .summary = "a page for studying endgames, and an API",
    .synopsis = "[OPTION…]",
    .help =
        "Serves a web page: prints its address as the first line, and runs until SIGTERM or\n"
        "Control-C. Serves all rule sets with tables in the folders. The API is described in\n"
        "docs/api.md. --lists: the page and the API also offer what einspul find printed to files\n"
        "in DIR, a folder for each rule set: DIR/frisian/NAME.tsv.",
    .takes = TAKES_FOLDERS | TAKES_THREADS,
    .own = own_options,
    .run = run,
};
