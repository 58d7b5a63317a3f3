/* A folder of its own for each test, and whole files in it. */
#ifndef EINSPUL_TESTS_SUPPORT_FOLDER_H
#define EINSPUL_TESTS_SUPPORT_FOLDER_H

#include "tests/support/support.h"
#include "tests/support/synthetic.h"

static char folder[512];

static inline void make_folder(void)
{
    snprintf(folder, sizeof folder, "%s/files-XXXXXX", EINSPUL_BINARY_DIR);
    cr_assert_not_null(mkdtemp(folder));
}

static inline void drop_folder(void)
{
    remove_folder(folder);
}

static inline const char *path_of(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline int folder_entries(void)
{
    int n = 0;
    DIR *directory = opendir(folder);
    cr_assert_not_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return n;
}

static inline uint8_t *read_whole(const char *path, size_t *n_bytes)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    *n_bytes = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = synthetic_alloc(*n_bytes);
    cr_assert_eq(fread(bytes, 1, *n_bytes, file), *n_bytes);
    fclose(file);
    return bytes;
}

static inline void write_whole(const char *path, const uint8_t *bytes, size_t n_bytes)
{
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fwrite(bytes, 1, n_bytes, file), n_bytes);
    cr_assert_eq(fclose(file), 0);
}

/* Changes one byte of a file in place. */
static inline void write_byte(const char *path, size_t at, uint8_t byte)
{
    FILE *file = fopen(path, "r+b");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fseek(file, (long)at, SEEK_SET), 0);
    cr_assert_eq(fputc(byte, file), byte);
    cr_assert_eq(fclose(file), 0);
}

#endif
