/* Files of proofs, checked one position after the other. */
#include "cli/proofs.h"

#include <errno.h>

#include "cli/print.h"
#include "cli/system.h"
#include "core/fen.h"
#include "verify/proof_file.h"

/* Checks the proofs of a position; prints its row. */
static int check_set(const struct options *options, einspul *handle, const struct proof_set *set)
{
    struct proof_fault fault = {0};
    einspul_error error;
    char fen[FEN_SIZE];
    for (int i = 0; i < set->n_proofs && fault.what == NULL; i++)
        if (proof_check(handle, &set->proofs[i], &set->root, &fault, &error) != EINSPUL_OK)
            return complain_of(options, NULL, &error);
    fen_write(&options->rules, &set->root, fen);
    row_text("fen", fen);
    row_text("outcome", proof_set_outcome(set));
    row_count("positions", proof_set_positions(set));
    row_text("fault", fault.what);
    if (fault.what != NULL)
        fen_write(&options->rules, &fault.state, fen);
    row_text("at", fault.what != NULL ? fen : NULL);
    row_end();
    return fault.what != NULL ? EXIT_NO : EXIT_DONE;
}

static int check_file(const struct options *options, einspul *handle, FILE *file, const char *path)
{
    struct proof_reader reader;
    einspul_error error;
    bool ended = false;
    int worst = EXIT_DONE;
    einspul_status status = proof_reader_begin(&reader, file, &options->rules, &error);
    if (status == EINSPUL_OK)
        row_header("fen\toutcome\tpositions\tfault\tat");
    while (status == EINSPUL_OK && !ended && worst != EXIT_WRONG && worst != EXIT_FAILED) {
        struct proof_set set;
        status = proof_reader_next(&reader, &set, &ended, &error);
        if (status == EINSPUL_OK && !ended) {
            const int result = check_set(options, handle, &set);
            worst = result != EXIT_DONE ? result : worst;
        }
        proof_set_free(&set);
    }
    if (status == EINSPUL_OK)
        return worst;
    complain(options, "%.400s: %s", path, error.text);
    return status == EINSPUL_BAD_ARGUMENT ? EXIT_NO : EXIT_WRONG;
}

int proofs_check(const struct options *options, einspul *handle, const char *path)
{
    FILE *file = system_open_text(path);
    if (file == NULL)
        return complain(options, "%.400s: %s", path, strerror(errno));
    const int status = check_file(options, handle, file, path);
    fclose(file);
    return status;
}
