/* modes FOLDER FENS: prints the library's answers to the positions of a file, one a line, computed
 * by four threads at once with a cache too small for all blocks. Prints them once, if all threads
 * agree. It uses einspul.h only, so that it is linked to the library as an engine is. */
#include <einspul.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_THREADS = 4, MOST = 20000 };

static einspul_position positions[MOST];
static int n_positions;

struct task {
    pthread_t thread;
    einspul *handle;
    int first; /* threads start at different positions */
    int *answers;
};

/* An outcome and its plies as one number; errors give another number. */
static int answer(einspul *handle, const einspul_position *position)
{
    einspul_outcome outcome = EINSPUL_UNKNOWN;
    int plies = 0;
    const einspul_status status = einspul_probe(handle, position, 0, &outcome, &plies, NULL);
    return outcome == EINSPUL_UNKNOWN ? 100000 + (int)status : (int)outcome * 1000 + plies;
}

static void *probe_all(void *argument)
{
    struct task *task = argument;
    for (int i = 0; i < n_positions; i++) {
        const int at = (task->first + i) % n_positions;
        task->answers[at] = answer(task->handle, &positions[at]);
    }
    return NULL;
}

static void fail(const char *what)
{
    fprintf(stderr, "modes: %s\n", what);
    exit(EXIT_FAILURE);
}

static void read_positions(const char *path)
{
    char line[EINSPUL_FEN_SIZE];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail(path);
    while (n_positions < MOST && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (einspul_fen_read("frisian", line, &positions[n_positions++], NULL) != EINSPUL_OK)
            fail(line);
    }
    fclose(file);
}

static void run(const char *folder, struct task *tasks)
{
    einspul_error error = {0};
    einspul *handle = NULL;
    if (einspul_open(folder, "frisian", (size_t)1 << 18, NULL, &handle, &error) != EINSPUL_OK)
        fail(error.text);
    for (int i = 0; i < N_THREADS; i++) {
        tasks[i].handle = handle;
        tasks[i].first = n_positions / N_THREADS * i;
        tasks[i].answers = calloc(MOST, sizeof *tasks[i].answers);
        if (tasks[i].answers == NULL ||
            pthread_create(&tasks[i].thread, NULL, probe_all, &tasks[i]) != 0)
            fail("no memory");
    }
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(tasks[i].thread, NULL);
    einspul_close(handle);
}

int main(int argc, char **argv)
{
    static struct task tasks[N_THREADS];
    if (argc != 3)
        fail("a folder and a file of positions are expected");
    read_positions(argv[2]);
    run(argv[1], tasks);
    for (int i = 0; i < N_THREADS; i++)
        if (memcmp(tasks[i].answers, tasks[0].answers, MOST * sizeof(int)) != 0)
            fail("answers differ");
    for (int i = 0; i < n_positions; i++)
        printf("%d\n", tasks[0].answers[i]);
    return EXIT_SUCCESS;
}
