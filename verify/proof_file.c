/* A header; then for each position its line and its proofs; a last line with their number, without
 * which the file was cut. The header names rule set, pieces of the tables, version of the program, and
 * the value hash of each table. A proof is a line with player and claim, a line for each position of
 * the strategy, and a line with their number.
 *
 *   einspul proof 2 <tab> frisian <tab> 4 <tab> 0.1.0
 *   table <tab> KvK <tab> wdl <tab> value hash
 *   …
 *   position <tab> FEN
 *   proof <tab> white <tab> wins
 *   FEN <tab> move <tab> rank
 *   …
 *   end <tab> number of positions
 *   proofs <tab> number of lines `position` */
#include "verify/proof_file.h"

#include "core/fen.h"
#include "core/program/materials.h"
#include "probe/program_handle.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

static const char any_version[] = "einspul proof ";
static const char first_words[] = "einspul proof 2";
static const char *const claims[] = {[PROOF_WINS] = "wins", [PROOF_HOLDS] = "holds"};

const char *proof_set_outcome(const struct proof_set *set)
{
    const struct proof *first = &set->proofs[0];
    const struct proof *second = &set->proofs[1];
    struct known_wins known = {0};
    if (set->n_proofs == 0 ||
        (set->n_proofs == 2 && (first->claim == PROOF_WINS || second->claim == PROOF_WINS ||
                                first->player == second->player)))
        return NULL;
    for (int i = 0; i < set->n_proofs; i++)
        proof_claim_add(&set->proofs[i], &known);
    return known_text(&known, set->root.at.side);
}

uint64_t proof_set_positions(const struct proof_set *set)
{
    uint64_t n = 0;
    for (int i = 0; i < set->n_proofs; i++)
        n += set->proofs[i].positions.n;
    return n;
}

void proof_set_free(struct proof_set *set)
{
    for (int i = 0; i < set->n_proofs; i++)
        proof_free(&set->proofs[i]);
    set->n_proofs = 0;
}

/* --- tables ----------------------------------------------------------------------------------- */

einspul_status proof_each_table(einspul *handle, table_visitor *visit, void *context,
                                einspul_error *error)
{
    static const char *const metrics[] = {[EINSPUL_WDL] = "wdl", [EINSPUL_DTW] = "dtw"};
    const int n_pieces = einspul_complete(handle, EINSPUL_WDL);
    einspul_table_info infos[MAX_MATERIALS];
    const size_t n = einspul_list(handle, infos, MAX_MATERIALS);
    for (size_t i = 0; i < n; i++) {
        struct material material;
        const struct table *table = NULL;
        const einspul_metric metric = infos[i].has_wdl ? EINSPUL_WDL : EINSPUL_DTW;
        if (infos[i].pieces > n_pieces)
            continue;
        einspul_status status = material_read(infos[i].material, &material, error);
        if (status == EINSPUL_OK)
            status = probe_table(handle, &material, metric, &table, error);
        if (status != EINSPUL_OK)
            return status;
        visit(context, infos[i].material, metrics[metric], table->header.value_hash);
    }
    return EINSPUL_OK;
}

/* --- writing ---------------------------------------------------------------------------------- */

bool proof_file_is(FILE *file)
{
    char start[sizeof any_version - 1];
    return fread(start, sizeof start, 1, file) == 1 &&
           memcmp(start, any_version, sizeof start) == 0;
}

/* Writes a line of at most 1023 bytes. */
PRINTF_LIKE(2, 3)
static void put_line(struct proof_writer *writer, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    if (writer->status != EINSPUL_OK)
        return;
    va_start(arguments, format);
    const int n = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    writer->status = writer->put(writer->context, line, (size_t)n, writer->error);
}

static void write_position(struct proof_writer *writer, const struct proof *proof, uint32_t number)
{
    const struct state state = proof_state(proof, number);
    const struct proof_move *move = &proof->moves[number];
    char fen[FEN_SIZE];
    char text[MOVE_TEXT_SIZE] = "-";
    struct move_list list;
    move_list_init(&list);
    if (moves_generate(writer->rules, &state, &list) == EINSPUL_OK &&
        proof_find_legal_move(&list, move) != NULL)
        move_write(&list, proof_find_legal_move(&list, move), text);
    move_list_free(&list);
    fen_write(writer->rules, &state, fen);
    put_line(writer, "%s\t%s\t%u\n", fen, text, move->rank);
}

static void write_table(void *context, const char *material, const char *metric,
                        uint64_t value_hash)
{
    put_line(context, "table\t%s\t%s\t%016" PRIx64 "\n", material, metric, value_hash);
}

einspul_status proof_writer_begin(struct proof_writer *writer, einspul *handle)
{
    writer->rules = probe_rules(handle);
    writer->n_sets = 0;
    writer->status = EINSPUL_OK;
    put_line(writer, "%s\t%s\t%d\t%s\n", first_words, writer->rules->name,
             einspul_complete(handle, EINSPUL_WDL), einspul_version());
    if (writer->status == EINSPUL_OK) {
        const einspul_status status = proof_each_table(handle, write_table, writer, writer->error);
        writer->status = writer->status == EINSPUL_OK ? status : writer->status;
    }
    return writer->status;
}

einspul_status proof_writer_add(struct proof_writer *writer, const struct proof_set *set)
{
    char fen[FEN_SIZE];
    fen_write(writer->rules, &set->root, fen);
    put_line(writer, "position\t%s\n", fen);
    for (int i = 0; i < set->n_proofs; i++) {
        const struct proof *proof = &set->proofs[i];
        put_line(writer, "proof\t%s\t%s\n", side_word(proof->player), claims[proof->claim]);
        for (uint32_t number = 0; number < proof->positions.n; number++)
            write_position(writer, proof, number);
        put_line(writer, "end\t%u\n", proof->positions.n);
    }
    writer->n_sets++;
    return writer->status;
}

einspul_status proof_writer_end(struct proof_writer *writer)
{
    put_line(writer, "proofs\t%" PRIu64 "\n", writer->n_sets);
    return writer->status;
}

/* --- reading ---------------------------------------------------------------------------------- */

static einspul_status syntax_error(const struct proof_reader *reader, const char *what,
                                   einspul_error *error)
{
    return error_set(error, EINSPUL_BAD_ARGUMENT, "line %llu: %s",
                     (unsigned long long)reader->n_lines, what);
}

/* Reads the next line into reader->line, without its line end; false at the end of the file. */
static bool next_line(struct proof_reader *reader)
{
    if (reader->ahead) {
        reader->ahead = false;
        return true;
    }
    if (fgets(reader->line, sizeof reader->line, reader->file) == NULL)
        return false;
    reader->line[strcspn(reader->line, "\r\n")] = '\0';
    reader->n_lines++;
    return true;
}

/* Splits a line at its tabs into exactly `n` fields; false if it has more or fewer. */
static bool split_fields(char *line, char **fields, int n)
{
    for (int i = 0; i < n; i++) {
        fields[i] = line;
        char *tab = strchr(line, '\t');
        if ((tab == NULL) != (i == n - 1))
            return false;
        if (tab != NULL) {
            *tab = '\0';
            line = tab + 1;
        }
    }
    return true;
}

static bool read_count(const char *text, uint32_t *count)
{
    char *end = NULL;
    const unsigned long long value = strtoull(text, &end, 10);
    *count = (uint32_t)value;
    return *text >= '0' && *text <= '9' && *end == '\0' && value <= UINT32_MAX;
}

/* The line of a table; `differs` if the handle's table has another hash. */
struct table_line {
    const char *material, *metric;
    uint64_t value_hash;
    bool differs;
};

static void compare_table(void *context, const char *material, const char *metric,
                          uint64_t value_hash)
{
    struct table_line *line = context;
    if (strcmp(material, line->material) == 0 && strcmp(metric, line->metric) == 0)
        line->differs = value_hash != line->value_hash;
}

/* Reads the lines of tables; notes the first that differs from the handle's. */
static einspul_status read_tables(struct proof_reader *reader, einspul *handle,
                                  einspul_error *error)
{
    static const char word[] = "table\t";
    while (next_line(reader)) {
        char *fields[4];
        char *end = NULL;
        struct table_line line = {.differs = false};
        if (strncmp(reader->line, word, sizeof word - 1) != 0) {
            reader->ahead = true;
            break;
        }
        if (!split_fields(reader->line, fields, 4))
            return syntax_error(reader, "expected a material, a metric and a hash", error);
        line.material = fields[1];
        line.metric = fields[2];
        line.value_hash = strtoull(fields[3], &end, 16);
        if (*fields[3] == '\0' || *end != '\0')
            return syntax_error(reader, "expected a material, a metric and a hash", error);
        const einspul_status status = proof_each_table(handle, compare_table, &line, error);
        if (status != EINSPUL_OK)
            return status;
        if (line.differs && reader->note[0] == '\0')
            snprintf(reader->note, sizeof reader->note, "written with another table of %.20s",
                     line.material);
    }
    return EINSPUL_OK;
}

einspul_status proof_reader_begin(struct proof_reader *reader, FILE *file, einspul *handle,
                                  einspul_error *error)
{
    char *fields[4];
    uint32_t n_pieces = 0;
    const struct rules *rules = probe_rules(handle);
    const int n_here = einspul_complete(handle, EINSPUL_WDL);
    *reader = (struct proof_reader){.file = file, .rules = rules};
    if (!next_line(reader) || strncmp(reader->line, any_version, sizeof any_version - 1) != 0)
        return syntax_error(reader, "not a proof file", error);
    if (strncmp(reader->line, first_words, sizeof first_words - 1) != 0)
        return syntax_error(reader, "a proof file of another version of the program", error);
    if (!split_fields(reader->line, fields, 4) || strcmp(fields[0], first_words) != 0 ||
        !read_count(fields[2], &n_pieces) || n_pieces > MAX_PIECES)
        return syntax_error(reader, "expected a rule set, pieces and a version", error);
    if (strcmp(fields[1], rules->name) != 0)
        return error_set(error, EINSPUL_WRONG_RULES, "file is for rule set '%.40s', expected '%s'",
                         fields[1], rules->name);
    reader->n_pieces = (int)n_pieces;
    snprintf(reader->version, sizeof reader->version, "%s", fields[3]);
    const einspul_status status = read_tables(reader, handle, error);
    if (reader->n_pieces > n_here)
        snprintf(reader->note, sizeof reader->note,
                 "written with all tables of %d pieces; here all of %d are present",
                 reader->n_pieces, n_here);
    return status;
}

/* Reads the line of a position of a strategy. */
static einspul_status read_position(struct proof_reader *reader, struct proof *proof,
                                    einspul_error *error)
{
    char *fields[3];
    struct state state;
    struct move_list list;
    struct proof_move move = {0};
    einspul_error fault;
    if (!split_fields(reader->line, fields, 3) || !read_count(fields[2], &move.rank))
        return syntax_error(reader, "expected a position, a move and a rank", error);
    if (fen_read(reader->rules, fields[0], &state, NULL, &fault) != EINSPUL_OK)
        return syntax_error(reader, fault.text, error);
    move_list_init(&list);
    const einspul_status status = moves_generate(reader->rules, &state, &list);
    const struct move *found = status == EINSPUL_OK ? move_read(&list, fields[1]) : NULL;
    if (found != NULL) {
        move.captured = found->captured;
        move.from = found->from;
        move.to = found->to;
    }
    move_list_free(&list);
    const uint32_t n = proof->positions.n;
    uint32_t number = 0;
    if (found == NULL)
        return syntax_error(reader, "the move is illegal in that position", error);
    if (proof_add_position(proof, &state, &number) != EINSPUL_OK)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a proof");
    if (number < n)
        return syntax_error(reader, "position appears twice", error);
    proof->moves[number] = move;
    return EINSPUL_OK;
}

/* Reads a proof; its first line is the current one. */
static einspul_status read_proof(struct proof_reader *reader, struct proof_set *set,
                                 einspul_error *error)
{
    char *fields[3];
    struct proof *proof = &set->proofs[set->n_proofs];
    uint32_t n = 0;
    if (!split_fields(reader->line, fields, 3))
        return syntax_error(reader, "expected a player and a claim", error);
    const bool white = strcmp(fields[1], side_word(WHITE)) == 0;
    const bool wins = strcmp(fields[2], claims[PROOF_WINS]) == 0;
    if ((!white && strcmp(fields[1], side_word(BLACK)) != 0) ||
        (!wins && strcmp(fields[2], claims[PROOF_HOLDS]) != 0))
        return syntax_error(reader, "expected a player and a claim", error);
    einspul_status status =
        proof_init(proof, white ? WHITE : BLACK, wins ? PROOF_WINS : PROOF_HOLDS, error);
    set->n_proofs++;
    while (status == EINSPUL_OK) {
        if (!next_line(reader))
            return syntax_error(reader, "the file ends within a proof", error);
        if (strncmp(reader->line, "end\t", 4) == 0)
            break;
        status = read_position(reader, proof, error);
    }
    if (status != EINSPUL_OK)
        return status;
    return read_count(reader->line + 4, &n) && n == proof->positions.n
               ? EINSPUL_OK
               : syntax_error(reader, "number of positions does not match", error);
}

einspul_status proof_reader_next(struct proof_reader *reader, struct proof_set *set, bool *ended,
                                 einspul_error *error)
{
    char *fields[2];
    einspul_error fault;
    einspul_status status = EINSPUL_OK;
    *set = (struct proof_set){0};
    *ended = false;
    if (!next_line(reader))
        return ferror(reader->file)
                   ? error_set(error, EINSPUL_IO, "read error")
                   : syntax_error(reader, "the file was cut: its last line is missing", error);
    if (strncmp(reader->line, "proofs\t", 7) == 0) {
        uint32_t n = 0;
        *ended = true;
        return read_count(reader->line + 7, &n) && n == reader->n_sets && !next_line(reader)
                   ? EINSPUL_OK
                   : syntax_error(reader, "number of proofs does not match", error);
    }
    reader->n_sets++;
    if (!split_fields(reader->line, fields, 2) || strcmp(fields[0], "position") != 0)
        return syntax_error(reader, "expected a position", error);
    if (fen_read(reader->rules, fields[1], &set->root, NULL, &fault) != EINSPUL_OK)
        return syntax_error(reader, fault.text, error);
    while (status == EINSPUL_OK && set->n_proofs < 2 && next_line(reader)) {
        if (strncmp(reader->line, "proof\t", 6) != 0) {
            reader->ahead = true;
            break;
        }
        status = read_proof(reader, set, error);
    }
    if (status == EINSPUL_OK && proof_set_outcome(set) == NULL)
        status = syntax_error(reader, "proofs do not belong to the same position", error);
    return status;
}
