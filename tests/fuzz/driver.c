/* Runs a fuzz target without libFuzzer:
 *
 *   fuzz_open [--seconds S] [--seed N] [--at RUN] [--write FOLDER] [FILE…]
 *
 * Runs the target's seeds and the files, then random mutations of them for S seconds. Mutation RUN
 * follows from N and RUN alone: when a run fails, its number is printed, and --at runs it again by
 * itself. --write puts the inputs into a folder instead of running them: seeds for libFuzzer, or
 * with --at the one that failed. */
#include "tests/fuzz/fuzz.h"

#include "core/program/random.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { MAX_INPUTS = 256, MAX_CHANGES = 8, HANG_SECONDS = 300 };

struct bytes {
    uint8_t *at;
    size_t n;
};

static struct bytes corpus[MAX_INPUTS];
static int n_corpus;
static const char *folder; /* from --write, or NULL */
static uint64_t seed = 1;
static char label[128]; /* of the current input */

/* Sanitizers abort, so that the handler below runs. */
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

const char *__asan_default_options(void)
{
    return "abort_on_error=1";
}

const char *__ubsan_default_options(void)
{
    return "abort_on_error=1:print_stacktrace=1";
}

/* --- telling which input failed --------------------------------------------------------------- */

static void tell_run(int number)
{
    if (write(STDERR_FILENO, label, strlen(label)) < 0)
        _exit(1);
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_failures(void)
{
    static const int numbers[] = {SIGABRT, SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction before;
        /* A sanitizer may have its own handler, which ends in SIGABRT. */
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            signal(numbers[i], tell_run);
    }
}

/* --- corpus ----------------------------------------------------------------------------------- */

static void quit(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(2);
}

static void add_input(const uint8_t *bytes, size_t n_bytes)
{
    struct bytes *input = &corpus[n_corpus];
    if (n_corpus == MAX_INPUTS) {
        fprintf(stderr, "more than %d inputs\n", MAX_INPUTS);
        exit(2);
    }
    input->at = malloc(n_bytes + 1);
    if (input->at == NULL)
        quit("corpus");
    memcpy(input->at, bytes, n_bytes);
    input->n = n_bytes;
    n_corpus++;
}

static void add_file(const char *path, uint8_t *room)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        quit(path);
    add_input(room, fread(room, 1, FUZZ_MAX_BYTES, file));
    fclose(file);
}

static void write_input(const uint8_t *bytes, size_t n_bytes, uint64_t number)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/input-%llu", folder, (unsigned long long)number);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, n_bytes, file) != n_bytes || fclose(file) != 0)
        quit(path);
}

/* The target gets a copy of exactly that size, so that a sanitizer reports every byte read
 * beyond. */
static void run(const uint8_t *bytes, size_t n_bytes, const char *kind, uint64_t number)
{
    uint8_t *copy = malloc(n_bytes > 0 ? n_bytes : 1);
    if (copy == NULL)
        quit("input");
    memcpy(copy, bytes, n_bytes);
    snprintf(label, sizeof label, "fails or hangs: --seed %llu %s %llu\n", (unsigned long long)seed,
             kind, (unsigned long long)number);
    alarm(HANG_SECONDS);
    LLVMFuzzerTestOneInput(copy, n_bytes);
    alarm(0);
    free(copy);
}

/* --- mutations -------------------------------------------------------------------------------- */

/* 0..n-1; 0 of none. */
static size_t pick(uint64_t *state, size_t n)
{
    return n == 0 ? 0 : (size_t)(random_next(state) % n);
}

/* Inserts `n` bytes from elsewhere at `at`, or overwrites what is there. */
static size_t put_chunk(uint8_t *bytes, size_t n_bytes, size_t at, const uint8_t *chunk, size_t n,
                        bool over)
{
    if (over) {
        n = n < n_bytes - at ? n : n_bytes - at;
    } else {
        n = n < FUZZ_MAX_BYTES - n_bytes ? n : FUZZ_MAX_BYTES - n_bytes;
        memmove(bytes + at + n, bytes + at, n_bytes - at);
        n_bytes += n;
    }
    memcpy(bytes + at, chunk, n);
    return n_bytes;
}

static size_t change(uint8_t *bytes, size_t n_bytes, uint64_t *state)
{
    static const uint8_t edges[] = {0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff};
    enum { MAX_CHUNK = 64 };
    uint8_t chunk[MAX_CHUNK];
    const size_t kind = pick(state, 8);
    const size_t at = pick(state, n_bytes);

    if (n_bytes == 0 || kind == 0) { /* a chunk of another input */
        const struct bytes *other = &corpus[pick(state, (size_t)n_corpus)];
        const size_t from = pick(state, other->n);
        const size_t n = pick(state, MAX_CHUNK);
        return put_chunk(bytes, n_bytes, at, other->at + from,
                         n < other->n - from ? n : other->n - from, random_next(state) % 2 == 0);
    }
    if (kind == 1) { /* a chunk of its own */
        const size_t from = pick(state, n_bytes);
        size_t n = pick(state, MAX_CHUNK);
        n = n < n_bytes - from ? n : n_bytes - from;
        memcpy(chunk, bytes + from, n);
        return put_chunk(bytes, n_bytes, at, chunk, n, random_next(state) % 2 == 0);
    }
    if (kind == 2) { /* a hole */
        size_t n = pick(state, random_next(state) % 8 == 0 ? n_bytes : 16);
        n = n < n_bytes - at ? n : n_bytes - at;
        memmove(bytes + at, bytes + at + n, n_bytes - at - n);
        return n_bytes - n;
    }
    if (kind == 3)
        bytes[at] = (uint8_t)random_next(state);
    else if (kind == 4)
        bytes[at] = edges[pick(state, sizeof edges)];
    else if (kind == 5)
        bytes[at] = (uint8_t)(bytes[at] + pick(state, 9) - 4);
    else
        bytes[at] ^= (uint8_t)(1 << pick(state, 8));
    return n_bytes;
}

static size_t mutate(uint64_t number, uint8_t *bytes)
{
    uint64_t state = seed * 0x2545f4914f6cdd1du + number;
    const struct bytes *from = &corpus[pick(&state, (size_t)n_corpus)];
    size_t n_bytes = from->n;
    memcpy(bytes, from->at, n_bytes);
    for (size_t left = 1 + pick(&state, MAX_CHANGES); left > 0; left--)
        n_bytes = change(bytes, n_bytes, &state);
    return n_bytes;
}

/* --- main ------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"seconds", required_argument, NULL, 's'},
                                            {"seed", required_argument, NULL, 'n'},
                                            {"at", required_argument, NULL, 'a'},
                                            {"write", required_argument, NULL, 'w'},
                                            {NULL, 0, NULL, 0}};
    uint8_t *room = malloc(FUZZ_MAX_BYTES);
    double seconds = 0;
    uint64_t only = 0;

    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 's')
            seconds = strtod(optarg, NULL);
        else if (option == 'n')
            seed = strtoull(optarg, NULL, 10);
        else if (option == 'a')
            only = strtoull(optarg, NULL, 10);
        else if (option == 'w')
            folder = optarg;
        else
            return 2;
    }
    if (room == NULL)
        quit("input");
    catch_failures();
    for (size_t n; (n = fuzz_seed(n_corpus, room)) > 0;)
        add_input(room, n);
    for (int i = optind; i < argc; i++)
        add_file(argv[i], room);
    if (only > 0) {
        const size_t n = mutate(only, room);
        if (folder != NULL)
            write_input(room, n, only);
        else
            run(room, n, "--at", only);
    } else {
        for (int i = 0; i < n_corpus; i++) {
            if (folder != NULL)
                write_input(corpus[i].at, corpus[i].n, (uint64_t)i);
            else
                run(corpus[i].at, corpus[i].n, "input", (uint64_t)i);
        }
        uint64_t n_runs = 0;
        for (const double end = now() + seconds; folder == NULL && now() < end;) {
            n_runs++;
            run(room, mutate(n_runs, room), "--at", n_runs);
        }
        printf("%d inputs, %llu mutations\n", n_corpus, (unsigned long long)n_runs);
    }
    for (int i = 0; i < n_corpus; i++)
        free(corpus[i].at);
    free(room);
    return 0;
}
