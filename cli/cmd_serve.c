/* `einspul serve`: prints the server's address and runs until a signal. */
#include "cli/print.h"
#include "cli/tables.h"
#include "serve/server.h"

#include <pthread.h>
#include <signal.h>

enum {
    CACHE_BYTES = 128 << 20, /* of decoded blocks, for each rule set */
    PROVER_BYTES = 256 << 20
};

static struct {
    const char *base;   /* path */
    const char *listen; /* address */
    int port;           /* 0: a free one */
    const char *lists;  /* folder */
} own = {.listen = "127.0.0.1", .port = 8317};

static const struct option_row own_options[] = {
    {"base", "PATH", "path of the page and the API (default: /)", TEXT(&own.base)},
    {"listen", "ADDRESS", "address to listen on (default: 127.0.0.1)", TEXT(&own.listen)},
    {"lists", "DIR", "folder of saved lists, DIR/RULES/NAME.tsv", TEXT(&own.lists)},
    {"port", "N", "port; 0: a free one (default: 8317)", INT(&own.port, 0, 65535)},
    {0},
};

static int run(const struct options *options)
{
    const struct server_options server_options = {
        .listen = own.listen,
        .port = own.port,
        .base = own.base,
        .folders = options->folders,
        .n_folders = options->n_folders,
        .lists = own.lists,
        .cache_bytes = CACHE_BYTES,
        .prover_bytes = PROVER_BYTES,
        .n_threads = options->n_threads,
    };
    struct server *server = NULL;
    einspul_error error;
    sigset_t signals;
    int number = 0;

    /* Block signals before starting threads, so that only sigwait receives them. */
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    if (server_start(&server_options, &server, &error) != EINSPUL_OK)
        return error.status == EINSPUL_NO_FOLDER
                   ? command_message(options, "%s%s", error.text, tables_hint(options).text)
                   : command_error(options, NULL, &error);
    puts(server_address(server));
    output_flush();
    if (output_ok()) /* otherwise the address is not known to anyone */
        sigwait(&signals, &number);
    server_stop(server);
    return EXIT_OK;
}

const struct command command_serve = {
    .name = "serve",
    .group = COMMAND_SERVES,
    .summary = "serve a web page for studying endgames, and an API",
    .synopsis = "[OPTION…]",
    .about = "Start a web server, print its address, and run until it is stopped (Ctrl-C or\n"
             "SIGTERM). The server offers every rule set that has tables in the folders.",
    .details = "With --lists, the page and the API also offer lists of positions that were saved\n"
               "from the output of 'einspul find'. DIR has a subfolder for each rule set, such\n"
               "as DIR/frisian/NAME.tsv. docs/api.md describes the API.",
    .examples = "  einspul serve\n"
                "  einspul serve --tables frisian.pack --port 8080",
    .takes = TAKES_FOLDERS | TAKES_THREADS,
    .own = own_options,
    .run = run,
};
