/* Shell completion. The scripts only call the program, which lists the candidates from the tables
 * of commands and options, the same for every shell. */
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/tables.h"

enum { MOST_PIECES_OFFERED = 5 };

/* --- candidates ------------------------------------------------------------------------------- */

/* The input to be completed: the words before, and the beginning of the last word. */
struct place {
    int n_words; /* before the last */
    char *const *words;
    const char *begun;  /* what candidates begin with */
    const char *before; /* printed before each: "--metric=" where the last word has that too */
    size_t before_length;
};

static void offer(const struct place *place, const char *prefix, const char *name,
                  const char *description)
{
    const size_t n_prefix = strlen(prefix);
    const size_t n_begun = strlen(place->begun);
    if (strncmp(place->begun, prefix, n_prefix < n_begun ? n_prefix : n_begun) != 0 ||
        (n_begun > n_prefix && strncmp(place->begun + n_prefix, name, n_begun - n_prefix) != 0))
        return;
    printf("%.*s%s%s%s%s\n", (int)place->before_length, place->before, prefix, name,
           description[0] != '\0' ? "\t" : "", description);
}

static void offer_words(const struct place *place, const char *const words[])
{
    for (int i = 0; words[i] != NULL; i++)
        offer(place, "", words[i], "");
}

static void offer_commands(const struct place *place, const struct command *const commands[])
{
    for (int i = 0; commands[i] != NULL; i++)
        offer(place, "", commands[i]->name, commands[i]->summary);
}

static void offer_options(const struct place *place, const struct command *command)
{
    for (int id = 0; id < N_OPTIONS; id++)
        if (command_takes(command, (enum option_id)id))
            offer(place, "--", option_rows[id].name, option_rows[id].help);
}

/* Every material of few pieces: what may be generated. */
static void offer_materials(const struct place *place)
{
    struct material materials[MAX_MATERIALS];
    const int n = material_list(2, MOST_PIECES_OFFERED, materials);
    for (int i = 0; i < n; i++)
        offer(place, "", material_name(&materials[i]).text, "");
}

/* The text of an option among the words before, or what it is without. */
static const char *given(const struct place *place, const char *name, const char *without)
{
    const char *text = without;
    const size_t length = strlen(name);
    for (int i = 0; i < place->n_words; i++) {
        const char *word = place->words[i];
        if (strncmp(word, name, length) != 0)
            continue;
        if (word[length] == '=' && word[length + 1] != '\0')
            text = word + length + 1;
        else if (word[length] == '\0' && i + 1 < place->n_words)
            text = place->words[i + 1 +
                                (strcmp(place->words[i + 1], "=") == 0 && i + 2 < place->n_words)];
    }
    return text;
}

/* The materials there are tables of. */
static void offer_tables(const struct place *place)
{
    const char *folder = given(place, "--tables", options_default_tables());
    const char *rules = given(place, "--rules", "frisian");
    einspul_table_info tables[MAX_MATERIALS];
    if (folder[0] == '\0')
        return;
    einspul *handle = tables_open_folders(&folder, 1, rules, SMALL_CACHE, NULL);
    if (handle == NULL)
        return;
    const size_t n = einspul_list(handle, tables, MAX_MATERIALS);
    for (size_t i = 0; i < n; i++)
        offer(place, "", tables[i].material, "");
    einspul_close(handle);
}

/* The text after an option. */
static void offer_texts(const struct place *place, const struct option_row *row)
{
    switch (row->kind) {
    case OPTION_IS_WORD:
    case OPTION_IS_CONDITION:
        if (option_words(row) != NULL)
            offer_words(place, option_words(row));
        break;
    case OPTION_IS_RULES:
        offer_words(place, rules_names());
        break;
    case OPTION_IS_MATERIAL:
        offer_materials(place);
        break;
    case OPTION_IS_FOLDER:
    case OPTION_IS_FOLDERS:
        puts(":folder");
        break;
    case OPTION_IS_FLAG:
    case OPTION_IS_INT:
    case OPTION_IS_COUNT:
    case OPTION_IS_TEXT:
    case OPTION_IS_GIB:
        break;
    }
}

/* The option of a command that a word names, its first `length` characters; NULL: none that takes a
 * text. */
static const struct option_row *option_of(const struct command *command, const char *word,
                                          size_t length)
{
    for (int id = 0; id < N_OPTIONS; id++) {
        const struct option_row *row = &option_rows[id];
        if (command_takes(command, (enum option_id)id) && option_has_text(row) &&
            length == strlen(row->name) + 2 && strncmp(word, "--", 2) == 0 &&
            strncmp(word + 2, row->name, length - 2) == 0)
            return row;
    }
    return NULL;
}

/* The option whose text is completed. bash hands over "--metric=w" as three words, others as
 * one. */
static const struct option_row *option_before(const struct command *command, struct place *place)
{
    const char *equals = strchr(place->begun, '=');
    int last = place->n_words - 1;
    if (strcmp(place->begun, "=") == 0) {
        place->begun = "";
    } else if (equals != NULL && place->begun[0] == '-') {
        const size_t length = (size_t)(equals - place->begun);
        place->before = place->begun;
        place->before_length = length + 1;
        place->begun = equals + 1;
        return option_of(command, place->before, length);
    } else if (last > 0 && strcmp(place->words[last], "=") == 0) {
        last--;
    }
    return last > 0 ? option_of(command, place->words[last], strlen(place->words[last])) : NULL;
}

void help_complete(const struct command *const commands[], int n_words, char *const words[])
{
    struct place place = {.n_words = n_words - 1, .words = words, .before = ""};
    if (n_words == 0)
        return;
    place.begun = words[n_words - 1];
    if (n_words == 1) {
        offer_commands(&place, commands);
        offer(&place, "--", "help", "list the commands");
        offer(&place, "--", "version", "print the version");
        return;
    }
    const struct command *command = command_by_name(commands, words[0]);
    if (command == NULL)
        return;
    const struct option_row *row = option_before(command, &place);
    if (row != NULL)
        offer_texts(&place, row);
    else if (place.begun[0] == '-' || command->most_arguments == 0)
        offer_options(&place, command);
    else if (command->arguments == ARGUMENTS_MATERIALS)
        offer_tables(&place);
    else if (command->arguments == ARGUMENTS_COMMAND)
        offer_commands(&place, commands);
}

/* --- scripts ---------------------------------------------------------------------------------- */

static const char bash_script[] =
    "# Completion of einspul in bash: the program answers what may follow.\n"
    "_einspul()\n"
    "{\n"
    "    local line word=${COMP_WORDS[COMP_CWORD]}\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r line; do\n"
    "        if [ \"$line\" = :folder ]; then\n"
    "            compopt -o filenames 2>/dev/null\n"
    "            [ \"$word\" = = ] && word=\n"
    "            mapfile -t COMPREPLY < <(compgen -d -- \"$word\")\n"
    "        else\n"
    "            COMPREPLY+=(\"${line%%$'\\t'*}\")\n"
    "        fi\n"
    "    done < <(\"$1\" help --complete -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
    "}\n"
    "complete -F _einspul einspul\n";

static const char zsh_script[] =
    "#compdef einspul\n"
    "# Completion of einspul in zsh: the program answers what may follow.\n"
    "_einspul()\n"
    "{\n"
    "    local line\n"
    "    local -a found\n"
    "    for line in ${(f)\"$(${(Q)words[1]} help --complete -- \"${(@Q)words[2,CURRENT]}\" "
    "2>/dev/null)\"}; do\n"
    "        if [[ $line == :folder ]]; then\n"
    "            _files -/\n"
    "            return\n"
    "        fi\n"
    "        found+=(\"${${line//:/\\\\:}/$'\\t'/:}\")\n"
    "    done\n"
    "    _describe einspul found\n"
    "}\n"
    "if [[ $funcstack[1] == _einspul ]]; then\n"
    "    _einspul \"$@\"\n"
    "else\n"
    "    compdef _einspul einspul\n"
    "fi\n";

static const char fish_script[] =
    "# Completion of einspul in fish: the program answers what may follow.\n"
    "function __einspul_complete\n"
    "    set -l words (commandline -opc)\n"
    "    set -l word (commandline -ct)\n"
    "    for line in ($words[1] help --complete -- $words[2..-1] \"$word\" 2>/dev/null)\n"
    "        if test \"$line\" = :folder\n"
    "            __fish_complete_directories \"$word\"\n"
    "        else\n"
    "            echo \"$line\"\n"
    "        end\n"
    "    end\n"
    "end\n"
    "complete -c einspul -f -a '(__einspul_complete)'\n";

void help_completion(enum shell shell)
{
    if (shell == SHELL_BASH)
        fputs(bash_script, stdout);
    else if (shell == SHELL_ZSH)
        fputs(zsh_script, stdout);
    else if (shell == SHELL_FISH)
        fputs(fish_script, stdout);
}
