/* `einspul annotate`: marks the moves in PDN games that threw away a win or a draw. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print.h"
#include "cli/system.h"
#include "cli/tables.h"
#include "core/program/array.h"
#include "probe/program_handle.h"
#include "study/annotate_write.h"

enum {
    MAX_NOTES = 20,
    PROVER_BYTES = 1 << 29,
    MAX_BYTES = 1 << 30, /* of a file */
    READ_AT_ONCE = 1 << 16
};

static struct {
    int seconds;
} own;

static const struct option_row own_options[] = {
    {"solve", "SECONDS",
     "prove the outcomes of positions that are not in the tables, for at most this long each (up "
     "to twelve pieces)",
     INT(&own.seconds, 1, 1000000)},
    {0},
};

/* State of one run. */
struct annotate_run {
    const struct options *options;
    einspul *handles[N_RULES + 1]; /* by rule set, opened when a game needs it */
    struct prover *provers[N_RULES + 1];
    struct pdn_game game;
    struct annotation annotation;
    const char *name;      /* of the file */
    bool announced_rules;  /* of this file: the assumed rule set was announced */
    bool announced_site;   /* missing tables of the site were announced */
    bool announced_proofs; /* missing proofs were announced */
    int n_notes;           /* on FENs */
    int status;            /* to exit with */
};

/* Reads the bytes of a file or a pipe; release with free(). NULL after a message. */
static char *read_all(struct annotate_run *run, FILE *file, size_t *n_bytes)
{
    char *text = NULL;
    size_t room = 0;
    *n_bytes = 0;
    do {
        char *more = array_reserve(text, *n_bytes, &room, READ_AT_ONCE, 1);
        if (more == NULL || *n_bytes > MAX_BYTES) {
            run->status =
                more == NULL
                    ? command_message(run->options, "%.200s: not enough memory", run->name)
                    : command_message(run->options, "%.200s: larger than %d MiB; split the file",
                                      run->name, MAX_BYTES >> 20);
            free(more != NULL ? more : text);
            return NULL;
        }
        text = more;
        *n_bytes += fread(text + *n_bytes, 1, room - *n_bytes, file);
    } while (*n_bytes == room);
    if (ferror(file) != 0)
        run->status =
            command_message(run->options, "cannot read %.200s: %s", run->name, strerror(errno));
    return text;
}

/* The tables of a rule set; NULL with an error. */
static einspul *handle_of(struct annotate_run *run, enum rules_id rules, einspul_error *error)
{
    const struct options *options = run->options;
    einspul **handle = &run->handles[rules];
    if (*handle == NULL)
        *handle = tables_open_folders(options->folders, options->n_folders,
                                      einspul_rules_list()[rules - 1], SMALL_CACHE, error);
    return *handle;
}

/* Sets up proofs with the tables that judge a game; without them it is judged by the tables. */
static void prove_with(struct annotate_run *run, einspul *handle)
{
    const enum rules_id rules = probe_rules(handle)->id;
    struct prover **prover = &run->provers[rules];
    einspul_error error;
    if (own.seconds > 0 && *prover == NULL &&
        prover_create(handle, PROVER_BYTES, 1, prover, &error) != EINSPUL_OK &&
        !run->announced_proofs) {
        command_message(run->options, "%.200s: %s", run->name, error.text);
        run->announced_proofs = true;
    }
    run->annotation.prover = *prover;
    run->annotation.seconds = own.seconds;
}

/* The tables that judge a game. A game of lidraughts is judged by the rules of that site, unless
 * --rules is given or its tables are missing. */
static einspul *tables_for_game(struct annotate_run *run, enum rules_id rules, einspul_error *error)
{
    einspul *handle = handle_of(run, rules, error);
    const enum rules_id site = handle != NULL ? probe_rules(handle)->lidraughts_rules : 0;
    if (run->options->rules_given || site == 0 || !annotate_is_from_site(&run->game))
        return handle;
    einspul *of_site = handle_of(run, site, error);
    if (of_site == NULL && !run->announced_site)
        command_message(run->options,
                        "%.200s: %s; judging games from lidraughts.org under '%s' instead",
                        run->name, error->text, einspul_rules_list()[rules - 1]);
    run->announced_site = true;
    return of_site != NULL ? of_site : handle;
}

/* Announces, once per file, the rule set assumed for games that name none. */
static void announce_rules(struct annotate_run *run, const struct rules *rules, bool legal)
{
    char text[ASSUMED_SIZE];
    const char *other = annotate_assumed(&run->game, rules, legal, text);
    if (!run->announced_rules && (other != NULL || !run->options->rules_given))
        command_message(run->options, "%.200s: %s%s%s", run->name, text,
                        other != NULL ? "; use --rules " : "", other != NULL ? other : "");
    run->announced_rules = true;
}

static void annotate(struct annotate_run *run)
{
    const struct rules *usual = &run->options->rules;
    einspul_error error = {EINSPUL_OK, ""};
    bool has_tag = true;
    run->annotation.n = 0;
    const enum rules_id rules = annotate_rules(&run->game, usual, &has_tag, &error);
    einspul *handle = rules != 0 ? tables_for_game(run, rules, &error) : NULL;
    einspul_status status = error.status;
    if (handle != NULL)
        prove_with(run, handle);
    if (handle != NULL)
        status = annotate_game(handle, probe_rules(handle), &run->game, &run->annotation, &error);
    if (!has_tag && handle != NULL && !run->announced_rules)
        announce_rules(run, probe_rules(handle), status == EINSPUL_OK);
    if (handle != NULL && run->annotation.note[0] != '\0' && run->n_notes++ < MAX_NOTES)
        command_message(run->options, "%.200s: line %d, game %d: FEN: %s", run->name,
                        run->game.line, run->game.number, run->annotation.note);
    if (handle == NULL || status != EINSPUL_OK)
        run->status = command_error(run->options, run->name, &error);
}

static void annotate_games(struct annotate_run *run, const char *text, size_t n_bytes)
{
    struct pdn_reader reader;
    enum pdn_result result = PDN_GAME;
    pdn_begin(&reader, text, n_bytes);
    while (output_ok() && result == PDN_GAME) {
        result = pdn_next(&reader, &run->game);
        run->annotation.n = 0;
        if (result == PDN_GAME)
            annotate(run);
        if (result != PDN_NO_MEMORY)
            annotate_write(stdout, &run->game, &run->annotation, run->options->notation);
        output_flush();
    }
    if (result == PDN_NO_MEMORY)
        run->status = command_message(run->options, "%.200s: not enough memory", run->name);
}

static void annotate_file(struct annotate_run *run, const char *name)
{
    FILE *file = strcmp(name, "-") == 0 ? stdin : system_open_text(name);
    size_t n_bytes = 0;
    if (file == NULL) {
        run->status = command_message(run->options, "%.200s: %s", name, strerror(errno));
        return;
    }
    run->name = name;
    run->announced_rules = false;
    char *text = read_all(run, file, &n_bytes);
    if (text != NULL)
        annotate_games(run, text, n_bytes);
    free(text);
    if (file != stdin)
        fclose(file);
}

static int run(const struct options *options)
{
    struct annotate_run run = {.options = options, .status = EXIT_OK};
    for (int i = 0; i < options->n_arguments && output_ok(); i++)
        annotate_file(&run, options->arguments[i]);
    for (int id = 0; id <= N_RULES; id++) {
        prover_free(run.provers[id]);
        einspul_close(run.handles[id]);
    }
    annotate_free(&run.annotation);
    pdn_free(&run.game);
    return run.status;
}

const struct command command_annotate = {
    .name = "annotate",
    .group = COMMAND_STUDIES,
    .summary = "mark the moves of a game that threw away a win or a draw",
    .synopsis = "FILE.pdn… [OPTION…]",
    .about = "Copy games in PDN to standard output, with marks and comments added to the moves\n"
             "that threw away a win or a draw. '-' reads standard input.",
    .details = "A move that worsens the outcome gets the mark '$2' (?), or '$4' (?\?) if it loses\n"
               "a won game, and a comment with its outcome and the best move. The first comment\n"
               "is at the first position that the tables cover. The rest of the file is copied\n"
               "unchanged. Moves in variations are not judged. Comments that this command added\n"
               "earlier are replaced.\n"
               "\n"
               "The tag GameType selects the rule set. If a game has no such tag, --rules\n"
               "applies, and a message says so. If GameType names a kind of draughts that has\n"
               "several rule sets, --rules selects one of them. Frisian games from\n"
               "lidraughts.org are judged under frisian-lidraughts if its tables exist and\n"
               "--rules is not given; the first comment says so.\n"
               "\n"
               "For an illegal move, a message on standard error names the line, the game and\n"
               "the reason. That game is annotated up to the illegal move, the other games are\n"
               "annotated as usual, and the exit status is 2.",
    .examples = "  einspul annotate games.pdn > annotated.pdn\n"
                "  einspul annotate --solve 5 game.pdn",
    .own = own_options,
    .takes = TAKES_TABLES | TAKES_NOTATION,
    .missing_argument = "missing FILE.pdn ('-' for standard input)",
    .max_arguments = -1,
    .run = run,
};
