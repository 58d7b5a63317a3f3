/* Table files modified under an open handle, between calls and during one: overwritten, truncated,
 * removed, restored. An answer must be the table's earlier one, or a named error, and once the file
 * is restored the handle must answer as before. During a call means between checksum and decoding:
 * the linker replaces the library's checksum by the one of this file. */

#include "core/program/index.h"
#include "core/program/random.h"
#include "gen/run/plan.h"
#include "probe/position.h"
#include "table/bytes.h"
#include "table/checksum.h"
#include "table/table_open.h"
#include "table/write/table_compress.h"
#include "tests/support/handle.h"
#include "tests/support/parse.h"
#include "tests/support/require.h"
#include "tests/support/synthetic.h"
#include "tests/support/tables.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Without a cache every probe reads its block. */
enum { N_STATES = 300, NO_CACHE = 0 };

static struct rules rules;

/* The bytes of a sound table, and values of some of its states. */
static struct {
    struct material material;
    char path[1024];
    uint8_t *bytes;
    size_t n_bytes;
    struct state states[N_STATES];
    value_t values[N_STATES];
} known;

/* --- files ------------------------------------------------------------------------------------ */

/* Overwrites the table in place; its size is `n_bytes` afterwards. */
static void overwrite(const uint8_t *bytes, size_t n_bytes)
{
    const int file = open(known.path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    must(file >= 0 && pwrite(file, bytes, n_bytes, 0) == (ssize_t)n_bytes &&
             ftruncate(file, (off_t)n_bytes) == 0 && close(file) == 0,
         "%s cannot be written", known.path);
}

static void restore(void)
{
    overwrite(known.bytes, known.n_bytes);
}

/* Inverts the bits of all blocks; header and index stay sound. */
static void spoil_blocks(void)
{
    uint8_t *bytes = synthetic_alloc(known.n_bytes);
    const uint64_t first = load_u64(known.bytes + AT_BLOCKS_OFFSET);
    for (size_t i = 0; i < known.n_bytes; i++)
        bytes[i] = known.bytes[i] ^ (i >= first ? 0xff : 0);
    overwrite(bytes, known.n_bytes);
    free(bytes);
}

/* A sound table of other material, truncated or padded to the same size. */
static void put_another(void)
{
    const struct table_id id = {&rules, material_named("KKvM"), EINSPUL_DTW};
    char path[1024];
    size_t n_bytes = 0;
    einspul_error error = {0};
    must(table_path_below(folder, id, path, sizeof path, &error) == EINSPUL_OK, "no other table");
    uint8_t *another = read_whole(path, &n_bytes);
    uint8_t *bytes = synthetic_alloc(known.n_bytes);
    memcpy(bytes, another, n_bytes < known.n_bytes ? n_bytes : known.n_bytes);
    overwrite(bytes, known.n_bytes);
    free(another);
    free(bytes);
}

static void put_zeros(void)
{
    uint8_t *bytes = synthetic_alloc(known.n_bytes);
    overwrite(bytes, known.n_bytes);
    free(bytes);
}

static void cut_in_half(void)
{
    must(truncate(known.path, (off_t)(known.n_bytes / 2)) == 0, "it cannot be cut");
}

static void empty_it(void)
{
    must(truncate(known.path, 0) == 0, "it cannot be emptied");
}

/* --- during a call ---------------------------------------------------------------------------- */

static void (*after_checksum)(void); /* NULL: nothing */

uint64_t __real_format_checksum(const void *bytes, size_t n_bytes);
uint64_t __wrap_format_checksum(const void *bytes, size_t n_bytes);

uint64_t __wrap_format_checksum(const void *bytes, size_t n_bytes)
{
    const uint64_t checksum = __real_format_checksum(bytes, n_bytes);
    if (after_checksum != NULL)
        after_checksum();
    return checksum;
}

/* --- handles ---------------------------------------------------------------------------------- */

/* Probes all known states; returns the number of errors, which must be file errors (30 to 39) and
 * name the file. */
static int ask(einspul *handle, const char *when, einspul_status wanted)
{
    int n_errors = 0;
    for (int i = 0; i < N_STATES; i++) {
        einspul_error error = {0};
        value_t value = VALUE_NONE;
        const einspul_status status =
            probe_state(handle, &known.states[i], EINSPUL_DTW, 0, &value, &error);
        if (status == EINSPUL_OK) {
            must(value == known.values[i], "%s: %d instead of %d", when, value, known.values[i]);
            continue;
        }
        n_errors++;
        must(wanted == EINSPUL_OK ? status > EINSPUL_IO && status < EINSPUL_NO_MEMORY
                                  : status == wanted,
             "%s: %s: %s", when, einspul_status_name(status), error.text);
        must(strstr(error.text, strrchr(known.path, '/')) != NULL, "%s: %s", when, error.text);
    }
    return n_errors;
}

/* Fails if unchecked bytes give an answer. */
static void change_in_the_middle(void)
{
    einspul *handle = open_tables(folder, rules.name, NO_CACHE);
    must(ask(handle, "before", EINSPUL_OK) == 0, "an error before anything is wrong");
    for (int i = 0; i < N_STATES; i++) {
        value_t value = VALUE_NONE;
        einspul_error error = {0};
        after_checksum = spoil_blocks;
        const einspul_status status =
            probe_state(handle, &known.states[i], EINSPUL_DTW, 0, &value, &error);
        after_checksum = NULL;
        restore();
        must(status == EINSPUL_OK, "a block read before the change is refused: %s", error.text);
        must(value == known.values[i], "changed between checksum and decoding: %d, not %d", value,
             known.values[i]);
    }
    einspul_close(handle);
}

/* Fails if bytes of another file are accepted as the table's, or a restored file stays unusable. */
static void change_between_calls(void)
{
    static void (*const changes[])(void) = {spoil_blocks, put_another, put_zeros};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        einspul *handle = open_tables(folder, rules.name, NO_CACHE);
        must(ask(handle, "before", EINSPUL_OK) == 0, "an error before anything is wrong");
        changes[i]();
        must(ask(handle, "rewritten", EINSPUL_BAD_BLOCK) == N_STATES,
             "no answer comes from a file that was rewritten");
        restore();
        must(ask(handle, "restored", EINSPUL_OK) == 0, "an error stays");
        einspul_close(handle);
    }
}

/* Fails if a truncated file ends the program, is reported as another fault, or stays unusable once
 * restored. */
static void shorten(void)
{
    static void (*const changes[])(void) = {cut_in_half, empty_it};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        einspul *handle = open_tables(folder, rules.name, NO_CACHE);
        must(ask(handle, "before", EINSPUL_OK) == 0, "an error before anything is wrong");
        changes[i]();
        must(ask(handle, "shorter", EINSPUL_TRUNCATED) > 0, "the truncation is not detected");
        restore();
        must(ask(handle, "restored", EINSPUL_OK) == 0, "an error stays");
        einspul_close(handle);
    }
}

/* Fails if a table that was missing or incomplete when first needed is never read by that handle.
 * */
static void become_whole(void)
{
    einspul *handle = open_tables(folder, rules.name, NO_CACHE);
    must(unlink(known.path) == 0, "it cannot be removed");
    must(ask(handle, "removed", EINSPUL_NO_TABLE) == N_STATES, "an answer without a table");
    must(mkfifo(known.path, 0666) == 0, "no FIFO can be made");
    alarm(300); /* opening a FIFO would block for ever */
    must(ask(handle, "a FIFO", EINSPUL_IO) == N_STATES, "an answer from a FIFO");
    alarm(0);
    must(unlink(known.path) == 0, "it cannot be removed");
    overwrite(known.bytes, known.n_bytes / 2);
    must(ask(handle, "half a file", EINSPUL_TRUNCATED) == N_STATES, "an answer from half a file");
    restore();
    must(ask(handle, "whole", EINSPUL_OK) == 0, "an error stays");
    einspul_close(handle);
}

/* Fails if replacing a table by a rename, as einspul does, disturbs a reader. */
static void replace(void)
{
    char aside[1100];
    snprintf(aside, sizeof aside, "%s.aside", known.path);
    einspul *handle = open_tables(folder, rules.name, NO_CACHE);
    must(ask(handle, "before", EINSPUL_OK) == 0, "an error before anything is wrong");
    must(rename(known.path, aside) == 0, "it cannot be renamed");
    put_zeros();
    must(ask(handle, "replaced", EINSPUL_OK) == 0, "the file it reads is still there");
    must(rename(aside, known.path) == 0, "it cannot be renamed");
    einspul_close(handle);
}

/* --- the tables ------------------------------------------------------------------------------- */

static void solve(void)
{
    make_folder();
    rules = rules_named("english");
    generate(&rules, 3, NULL, METRICS_DTW);
}

/* Random states of the table's material without a capture, and their values. */
static void learn(void)
{
    struct shape shape;
    einspul_error error = {0};
    uint64_t seed = 11;
    shape_init(&shape, &rules, &known.material);
    einspul *handle = open_tables(folder, rules.name, NO_CACHE);
    for (int i = 0; i < N_STATES; i++) {
        struct state *state = &known.states[i];
        *state = (struct state){0};
        while (!shape_unrank(&shape, random_next(&seed) % shape.n_placements,
                             i % 2 == 0 ? WHITE : BLACK, &state->at) ||
               placement_has_capture(&rules, &state->at))
            continue;
        must(probe_state(handle, state, EINSPUL_DTW, 0, &known.values[i], &error) == EINSPUL_OK,
             "%s", error.text);
    }
    einspul_close(handle);
    free(known.bytes);
    known.bytes = read_whole(known.path, &known.n_bytes);
}

/* With a model, any bytes decode as a block: only the checksum protects it. */
static void code_with_model(void)
{
    compress_table(&rules, &known.material, EINSPUL_DTW, COMPRESS_WHOLE, known.path);
}

static void run(const char *name)
{
    learn();
    printf("%s\n", name);
    fflush(stdout);
    change_in_the_middle();
    change_between_calls();
    become_whole();
    replace();
    shorten();
}

int main(void)
{
    einspul_error error = {0};
    solve();
    known.material = material_named("KvM");
    const struct table_id id = {&rules, known.material, EINSPUL_DTW};
    must(table_path_below(folder, id, known.path, sizeof known.path, &error) == EINSPUL_OK, "%s",
         error.text);
    run("as generated");
    code_with_model();
    run("with a model");
    free(known.bytes);
    drop_folder();
    return 0;
}
