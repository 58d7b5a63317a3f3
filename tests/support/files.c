#include "tests/support/files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/require.h"

uint8_t *read_whole(const char *path, size_t *n_bytes)
{
    FILE *file = fopen(path, "rb");
    must(file != NULL && fseek(file, 0, SEEK_END) == 0, "%s cannot be read", path);
    *n_bytes = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = calloc(*n_bytes + 1, 1);
    must(bytes != NULL && fread(bytes, 1, *n_bytes, file) == *n_bytes, "%s cannot be read", path);
    fclose(file);
    return bytes;
}

void write_whole(const char *path, const uint8_t *bytes, size_t n_bytes)
{
    FILE *file = fopen(path, "wb");
    must(file != NULL && fwrite(bytes, 1, n_bytes, file) == n_bytes && fclose(file) == 0,
         "%s cannot be written", path);
}

void write_byte(const char *path, size_t at, uint8_t byte)
{
    FILE *file = fopen(path, "r+b");
    must(file != NULL && fseek(file, (long)at, SEEK_SET) == 0 && fputc(byte, file) == byte &&
             fclose(file) == 0,
         "%s cannot be written", path);
}

void remove_folder(const char *path)
{
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        char name[4096];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= (int)sizeof name)
            continue;
        if (unlink(name) != 0)
            remove_folder(name);
    }
    if (directory != NULL)
        closedir(directory);
    rmdir(path);
}
