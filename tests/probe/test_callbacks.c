/* Tables read through callbacks. */
#include "tests/support/synthetic_fixture.h"

TestSuite(io, .init = create_synthetic_set, .fini = drop_synthetic_set);

/* Counts open files, and fails on request. */
struct library {
    int n_open;
    int n_closed;
    const char *no_size; /* files whose name contains this */
    bool no_read;
};

/* An open file of the library. */
struct volume {
    FILE *file;
    bool no_size;
};

static void *library_open(void *user, const char *name)
{
    struct library *library = user;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", synthetic.root, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    struct volume *volume = synthetic_alloc(sizeof *volume);
    volume->file = file;
    volume->no_size = library->no_size != NULL && strstr(name, library->no_size) != NULL;
    library->n_open++;
    return volume;
}

static int64_t library_size(void *user, void *file)
{
    const struct volume *volume = file;
    (void)user;
    if (volume->no_size || fseek(volume->file, 0, SEEK_END) != 0)
        return -1;
    return ftell(volume->file);
}

static int library_read(void *user, void *file, uint64_t offset, void *bytes, size_t n_bytes)
{
    const struct library *library = user;
    const struct volume *volume = file;
    if (library->no_read || fseek(volume->file, (long)offset, SEEK_SET) != 0)
        return -1;
    return fread(bytes, 1, n_bytes, volume->file) == n_bytes ? 0 : -1;
}

static void library_close(void *user, void *file)
{
    struct library *library = user;
    struct volume *volume = file;
    library->n_closed++;
    fclose(volume->file);
    free(volume);
}

static einspul_callbacks callbacks_of(struct library *library)
{
    return (einspul_callbacks){.open = library_open,
                               .size = library_size,
                               .read_at = library_read,
                               .close = library_close,
                               .user = library};
}

static einspul_status open_library(struct library *library, einspul **handle, einspul_error *error)
{
    const einspul_callbacks callbacks = callbacks_of(library);
    return einspul_open(NULL, "frisian", 100000, &callbacks, handle, error);
}

/* Fails if an engine that keeps its tables in an archive gets other answers, or files stay open. */
Test(io, reads_through_callbacks)
{
    struct library library = {0};
    einspul *handle = NULL;
    einspul_error error = {0};
    einspul_table_info tables[32];
    remove_table("KKvK", EINSPUL_DTW);
    cr_assert_eq(open_library(&library, &handle, &error), EINSPUL_OK, "%s", error.text);
    cr_assert_eq(library.n_open, 2 * synthetic.n_materials - 1);
    cr_assert_eq(library.n_closed, library.n_open);
    cr_assert_eq(einspul_list(handle, tables, 32), (size_t)synthetic.n_materials);
    for (int i = 0; i < synthetic.n_materials; i++) {
        cr_assert_gt(tables[i].wdl_bytes, 256);
        cr_assert_eq(tables[i].has_dtw, strcmp(tables[i].material, "KKvK") == 0 ? 0 : 1);
    }
    expect_answers(handle, 5000, true);
    einspul_close(handle);
    cr_assert_eq(library.n_closed, library.n_open);
}

/* Fails if a table of unknown size disables others, counts as missing, or stays unusable once its
 * size is known. */
Test(io, unknown_size_affects_only_that_file)
{
    struct library library = {.no_size = "KMvK"};
    einspul *handle = NULL;
    einspul_error error = {0};
    einspul_outcome outcome = EINSPUL_DRAW;
    einspul_table_info tables[32];
    cr_assert_eq(open_library(&library, &handle, &error), EINSPUL_OK, "%s", error.text);
    cr_assert_eq(library.n_closed, library.n_open);
    cr_assert_eq(einspul_list(handle, tables, 32), (size_t)synthetic.n_materials);
    for (int i = 0; i < synthetic.n_materials; i++) {
        cr_assert(tables[i].has_wdl && tables[i].has_dtw);
        cr_assert_eq(tables[i].wdl_bytes == 0, strcmp(tables[i].material, "KMvK") == 0);
    }
    const einspul_position position = position_of(handle, "W:WK1,32:BK45");
    const einspul_position other = position_of(handle, "W:WK1,32:B11");
    for (int i = 0; i < 2; i++) {
        error.text[0] = '\0';
        cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, NULL, &error), EINSPUL_IO);
        cr_assert_not_null(strstr(error.text, "frisian/KMvK.wdl"), "%s", error.text);
        cr_assert_eq(einspul_probe(handle, &other, 0, &outcome, NULL, &error), EINSPUL_OK, "%s",
                     error.text);
    }
    library.no_size = NULL;
    expect_answers(handle, 1000, true);
    einspul_close(handle);
    cr_assert_eq(library.n_closed, library.n_open);
}

/* Fails if a failing callback is ignored, or disables the whole handle. */
Test(io, callbacks_may_fail)
{
    struct library library = {0};
    einspul *handle = NULL;
    einspul_error error = {0};
    einspul_outcome outcome = EINSPUL_DRAW;
    cr_assert_eq(open_library(&library, &handle, &error), EINSPUL_OK, "%s", error.text);
    const einspul_position position = position_of(handle, "W:WK1,32:BK45");
    const einspul_position other = position_of(handle, "W:WK1,32:B11");
    library.no_read = true;
    cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, NULL, &error), EINSPUL_IO);
    cr_assert_not_null(strstr(error.text, "frisian/KMvK.wdl"), "%s", error.text);
    library.no_read = false;
    cr_assert_eq(einspul_probe(handle, &other, 0, &outcome, NULL, &error), EINSPUL_OK);
    library.no_read = true;
    einspul_close(handle);
    cr_assert_eq(library.n_closed, library.n_open);

    einspul_callbacks callbacks = callbacks_of(&library);
    callbacks.read_at = NULL;
    cr_assert_eq(einspul_open(NULL, NULL, 0, &callbacks, &handle, &error), EINSPUL_BAD_ARGUMENT);
    callbacks.read_at = library_read;
    cr_assert_eq(einspul_open(NULL, "english", 0, &callbacks, &handle, &error), EINSPUL_NO_FOLDER);
}

/* Fails if an unusable file is opened again at every probe. */
Test(io, remembers_a_failure)
{
    struct library library = {0};
    einspul *handle = NULL;
    einspul_error error = {0};
    einspul_outcome outcome = EINSPUL_DRAW;
    remove_table("KMvK", EINSPUL_DTW);
    damage_table("KMvK", EINSPUL_WDL, 100);
    cr_assert_eq(open_library(&library, &handle, &error), EINSPUL_OK, "%s", error.text);
    const einspul_position position = position_of(handle, "W:WK1,32:BK45");
    const int n_before = library.n_open;
    for (int i = 0; i < 3; i++) {
        error.text[0] = '\0';
        cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, NULL, &error),
                     EINSPUL_BAD_HEADER);
        cr_assert_not_null(strstr(error.text, "KMvK.wdl"), "%s", error.text);
        cr_assert_eq(library.n_open, n_before + 1);
    }
    einspul_close(handle);
}
