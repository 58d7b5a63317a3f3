/* Three simultaneous writers of one file, as when `pack` is started twice: each of them succeeds,
 * and the file is complete. Fails if a writer removes another's temporary file as stale just before
 * it is renamed. Also run under Wine, where an open file cannot be replaced. */
#include "table/write/output.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef EINSPUL_BINARY_DIR
#define EINSPUL_BINARY_DIR "."
#endif

enum { N_WRITERS = 3, N_FILES = 200 };

static _Atomic int n_failed;

static void *write_files(void *path)
{
    for (int i = 0; i < N_FILES; i++) {
        struct output output = {.file = -1};
        einspul_error error = {0};
        einspul_status status = output_create(&output, path, &error);
        if (status == EINSPUL_OK)
            status = output_write(&output, 0, "whole", 5, &error);
        if (status == EINSPUL_OK)
            status = output_commit_unsynced(&output, &error);
        output_abandon(&output);
        if (status != EINSPUL_OK && atomic_fetch_add(&n_failed, 1) == 0)
            fprintf(stderr, "%s\n", error.text);
    }
    return NULL;
}

int main(void)
{
    static char path[] = EINSPUL_BINARY_DIR "/writers.pack";
    char text[8] = "";
    pthread_t writers[N_WRITERS];
    for (int i = 0; i < N_WRITERS; i++)
        if (pthread_create(&writers[i], NULL, write_files, path) != 0)
            return EXIT_FAILURE;
    for (int i = 0; i < N_WRITERS; i++)
        pthread_join(writers[i], NULL);
    FILE *file = fopen(path, "rb");
    if (file == NULL || fread(text, 1, sizeof text, file) != 5 || n_failed > 0) {
        fprintf(stderr, "%d of %d files failed\n", (int)n_failed, N_WRITERS * N_FILES);
        return EXIT_FAILURE;
    }
    fclose(file);
    remove(path);
    return EXIT_SUCCESS;
}
