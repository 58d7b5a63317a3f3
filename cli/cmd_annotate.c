/* Games with the moves that threw away a win or a draw. */
#include <errno.h>
#include <string.h>

#include "cli/print.h"
#include "cli/system.h"
#include "cli/tables.h"
#include "study/annotate.h"

/* One run of the command. */
struct annotate_run {
    const struct options *options;
    einspul *handles[N_RULES + 1]; /* by rule set, opened when a game needs it */
    struct pdn_game game;
    struct notes notes;
    bool told_of_site; /* that its tables are not there */
    int status;        /* to exit with */
};

static int next_byte(void *from)
{
    return getc(from);
}

/* The tables of a rule set; NULL with an error. */
static einspul *handle_of(struct annotate_run *session, const struct rules *rules,
                          einspul_error *error)
{
    const struct options *options = session->options;
    einspul **handle = &session->handles[rules->id];
    if (*handle == NULL)
        *handle = tables_open_folders(options->folders, options->n_folders, rules->name,
                                      SMALL_CACHE, error);
    return *handle;
}

/* A game of lidraughts is judged by the rules of that site, unless --rules is given or its tables
 * are missing. */
static void as_the_site_judges(struct annotate_run *session, const char *name, struct rules *rules)
{
    struct rules site;
    einspul_error error;
    if (session->options->rules_given || !annotate_site_rules(&session->game, rules, &site))
        return;
    if (handle_of(session, &site, &error) != NULL)
        *rules = site;
    else if (!session->told_of_site)
        complain(session->options, "%.200s: %s: games of lidraughts are judged by %s", name,
                 error.text, rules->name);
    session->told_of_site = true;
}

static void annotate(struct annotate_run *session, const char *name)
{
    struct rules rules;
    einspul_error error;
    session->notes.n = 0;
    einspul_status status =
        annotate_rules(&session->game, &session->options->rules, &rules, &error);
    if (status == EINSPUL_OK)
        as_the_site_judges(session, name, &rules);
    if (status == EINSPUL_OK) {
        einspul *handle = handle_of(session, &rules, &error);
        if (handle == NULL)
            session->status = complain(session->options, "%s", error.text);
        else
            status = annotate_game(handle, &session->game, &session->notes, &error);
    }
    if (status != EINSPUL_OK)
        session->status = complain(session->options, "%.200s: %s", name, error.text);
    annotate_write(stdout, &session->game, &session->notes);
    output_flush();
}

static void annotate_file(struct annotate_run *session, const char *name)
{
    FILE *file = strcmp(name, "-") == 0 ? stdin : system_open_text(name);
    struct pdn_reader reader;
    enum pdn_result result = PDN_GAME;
    if (file == NULL) {
        session->status = complain(session->options, "%.200s: %s", name, strerror(errno));
        return;
    }
    pdn_begin(&reader, next_byte, file);
    while (output_works() && (result = pdn_next(&reader, &session->game)) == PDN_GAME)
        annotate(session, name);
    if (result == PDN_NO_MEMORY)
        session->status = complain(session->options, "%.200s: not enough memory", name);
    if (ferror(file) != 0)
        session->status = complain(session->options, "%.200s: cannot be read", name);
    if (file != stdin)
        fclose(file);
}

static int run(const struct options *options)
{
    struct annotate_run session = {.options = options, .status = EXIT_DONE};
    for (int i = 0; i < options->n_arguments && output_works(); i++)
        annotate_file(&session, options->arguments[i]);
    for (int id = 0; id <= N_RULES; id++)
        einspul_close(session.handles[id]);
    annotate_free(&session.notes);
    pdn_free(&session.game);
    return session.status;
}

const struct command command_annotate = {
    .name = "annotate",
    .summary = "games with the moves that threw away a win or a draw",
    .synopsis = "GAME.pdn… [OPTION…]",
    .help =
        "Reads games in PDN and writes them back with annotations. From the first position that\n"
        "is in the tables, a move that worsens the outcome gets $2, a question mark, or $4, two\n"
        "of them, if it loses a won game, and a comment with the outcome of the best move. The\n"
        "tag GameType selects the rule set; --rules applies where there is no such tag, or\n"
        "selects among rule sets of the same game. Frisian games of lidraughts.org are judged\n"
        "by frisian-lidraughts, and the first comment says so, unless --rules is given or there\n"
        "are no tables of it. Variations are not judged. An illegal move is reported with line\n"
        "and move, and its game is written with the annotations up to there; the run continues,\n"
        "and the exit status is 2.",
    .takes = {TAKES_TABLES},
    .no_arguments = "a PDN file is expected, or - for standard input",
    .most_arguments = -1,
    .run = run,
};
