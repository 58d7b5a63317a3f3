/* Tables read through callbacks. */
#include "tests/support/synthetic_fixture.h"

TestSuite(io, .init = create_synthetic_set, .fini = drop_synthetic_set);

/* Has a pack of the tables. Counts open files, and fails on request. */
struct library {
    int n_open;
    int n_closed;
    bool no_size;
    bool no_read;
};

static void *library_open(void *user, const char *name)
{
    struct library *library = user;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", synthetic.root, name);
    FILE *file = fopen(path, "rb");
    library->n_open += file != NULL;
    return file;
}

static int64_t library_size(void *user, void *file)
{
    const struct library *library = user;
    return library->no_size || fseek(file, 0, SEEK_END) != 0 ? -1 : ftell(file);
}

static int library_read(void *user, void *file, uint64_t offset, void *bytes, size_t n_bytes)
{
    const struct library *library = user;
    if (library->no_read || fseek(file, (long)offset, SEEK_SET) != 0)
        return -1;
    return fread(bytes, 1, n_bytes, file) == n_bytes ? 0 : -1;
}

static void library_close(void *user, void *file)
{
    struct library *library = user;
    library->n_closed++;
    fclose(file);
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
    char path[1024];
    snprintf(path, sizeof path, "%s/set.pack", synthetic.root);
    synthetic_set_pack(&synthetic, 1, path);
    return einspul_open("set.pack", "frisian", 100000, &callbacks, handle, error);
}

/* Fails if an engine that keeps its pack in an archive gets other answers, or files stay open. */
Test(io, reads_through_callbacks)
{
    struct library library = {0};
    einspul *handle = NULL;
    einspul_error error = {0};
    cr_assert_eq(open_library(&library, &handle, &error), EINSPUL_OK, "%s", error.text);
    cr_assert_eq(library.n_open, 1);
    cr_assert_eq(library.n_closed, 0);
    cr_assert_eq(einspul_list(handle, NULL, 0), (size_t)synthetic.n_materials);
    expect_answers(handle, 5000, true);
    einspul_close(handle);
    cr_assert_eq(library.n_closed, 1);
}

/* Fails if a failing callback is ignored, or disables the whole handle. */
Test(io, callbacks_may_fail)
{
    struct library library = {.no_size = true};
    einspul *handle = NULL;
    einspul_error error = {0};
    einspul_outcome outcome = EINSPUL_DRAW;
    cr_assert_eq(open_library(&library, &handle, &error), EINSPUL_IO);
    cr_assert_not_null(strstr(error.text, "set.pack"), "%s", error.text);
    cr_assert_eq(library.n_closed, 1);
    library.no_size = false;
    cr_assert_eq(open_library(&library, &handle, &error), EINSPUL_OK, "%s", error.text);
    const einspul_position position = position_of(handle, "W:WK1,32:BK45");
    const einspul_position other = position_of(handle, "W:WK1,32:B11");
    library.no_read = true;
    cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, NULL, &error), EINSPUL_IO);
    cr_assert_not_null(strstr(error.text, "frisian/KMvK.wdl"), "%s", error.text);
    library.no_read = false;
    cr_assert_eq(einspul_probe(handle, &other, 0, &outcome, NULL, &error), EINSPUL_OK);
    expect_answers(handle, 1000, true);
    library.no_read = true;
    einspul_close(handle);
    cr_assert_eq(library.n_closed, library.n_open);

    einspul_callbacks callbacks = callbacks_of(&library);
    cr_assert_eq(einspul_open("none", NULL, 0, &callbacks, &handle, &error), EINSPUL_NO_FOLDER);
    cr_assert_eq(einspul_open("set.pack", "english", 0, &callbacks, &handle, &error), EINSPUL_IO);
    library.no_read = false;
    cr_assert_eq(einspul_open("set.pack", "english", 0, &callbacks, &handle, &error),
                 EINSPUL_NO_FOLDER);
    callbacks.read_at = NULL;
    cr_assert_eq(einspul_open("set.pack", NULL, 0, &callbacks, &handle, &error),
                 EINSPUL_BAD_ARGUMENT);
}
