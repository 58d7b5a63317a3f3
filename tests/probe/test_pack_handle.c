/* A handle on a pack answers like one on its folder. */
#include "table/bytes.h"
#include "tests/support/files.h"
#include "tests/support/synthetic_fixture.h"

#include <unistd.h>

enum { AT_INDEX = 96 }; /* its offset in the header of a table; the last block ends there */

TestSuite(packed, .init = create_synthetic_set, .fini = drop_synthetic_set);

static char pack_path[1024];

static void make_pack(int step)
{
    snprintf(pack_path, sizeof pack_path, "%s/set.pack", synthetic.root);
    synthetic_set_pack(&synthetic, step, pack_path);
}

static einspul *open_pack(void)
{
    return open_tables(pack_path, "frisian", 100000);
}

/* Fails if an engine with a pack gets other answers than one with a folder. */
Test(packed, equals_its_folder)
{
    make_pack(1);
    einspul *handle = open_pack();
    einspul *other = open_synthetic(100000);
    einspul_table_info packed[32];
    einspul_table_info apart[32];
    const size_t n = einspul_list(handle, packed, 32);
    cr_assert_eq(n, einspul_list(other, apart, 32));
    cr_assert_eq(memcmp(packed, apart, n * sizeof *packed), 0);
    expect_answers(handle, 3000, true);
    einspul_close(handle);
    einspul_close(other);
}

/* Fails if a pack or folder whose name contains the separator of lists cannot be opened. */
Test(packed, names_may_contain_the_separator)
{
    char both[2100];
    make_pack(1);
    snprintf(both, sizeof both, "%s/set.pack:%s/p:q.pack", synthetic.root, synthetic.root);
    snprintf(pack_path, sizeof pack_path, "%s/p:q.pack", synthetic.root);
    synthetic_set_pack(&synthetic, 1, pack_path);
    einspul_close(open_pack());
    einspul_close(open_tables(both, "frisian", 100000));
}

/* Fails if an open handle mixes bytes of a pack with those of a newer one that replaced it. */
Test(packed, a_handle_keeps_the_pack_it_opened)
{
    make_pack(1);
    einspul *handle = open_pack();
    make_pack(2);
    expect_answers(handle, 3000, true);
    einspul_close(handle);
}

/* Fails if the folder wins over an earlier pack, or a table only in the folder is not found. */
Test(packed, folder_complements_a_pack)
{
    make_pack(3);
    char paths[2048];
    einspul_error error = {0};
    einspul *handle = NULL;
    snprintf(paths, sizeof paths, ":%s:%s:", pack_path, synthetic.root);
    damage_table("KvK", EINSPUL_WDL, 100); /* the first file of the pack too, but not in it */
    cr_assert_eq(einspul_open(paths, "frisian", 0, NULL, &handle, &error), EINSPUL_OK, "%s",
                 error.text);
    expect_answers(handle, 3000, true);
    einspul_close(handle);
}

/* Fails if an error does not name the damage of a pack. */
Test(packed, damage_is_named)
{
    make_pack(1);
    einspul_error error = {0};
    einspul *handle = NULL;
    einspul_outcome outcome = EINSPUL_DRAW;
    size_t n_bytes = 0;
    uint8_t *bytes = read_whole(pack_path, &n_bytes);

    /* A block of the last table, in a handle that is open. */
    handle = open_pack();
    const einspul_position position = position_of(handle, "W:W32:B17");
    size_t n_table = 0;
    const struct material material = material_named("MvM");
    char path[1024];
    synthetic_set_path(&synthetic, &material, EINSPUL_WDL, path);
    uint8_t *table = read_whole(path, &n_table);
    const size_t at = n_bytes - n_table + (size_t)load_u64(table + AT_INDEX) - 1;
    free(table);
    write_byte(pack_path, at, bytes[at] ^ 1);
    cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, NULL, &error), EINSPUL_BAD_BLOCK);
    cr_assert_not_null(strstr(error.text, "set.pack/frisian/MvM.wdl"), "%s", error.text);
    cr_assert_eq(truncate(pack_path, (off_t)n_bytes / 2), 0);
    cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, NULL, &error), EINSPUL_TRUNCATED);
    cr_assert_not_null(strstr(error.text, "set.pack"), "%s", error.text);
    einspul_close(handle);

    cr_assert_eq(einspul_open(pack_path, NULL, 0, NULL, &handle, &error), EINSPUL_TRUNCATED);
    cr_assert_not_null(strstr(error.text, "set.pack"), "%s", error.text);
    cr_assert_null(handle);
    write_whole(pack_path, bytes, n_bytes);
    write_byte(pack_path, 100, 1);
    cr_assert_eq(einspul_open(pack_path, NULL, 0, NULL, &handle, &error), EINSPUL_BAD_HEADER);
    write_whole(pack_path, (const uint8_t *)"no pack", 7);
    cr_assert_eq(einspul_open(pack_path, NULL, 0, NULL, &handle, &error), EINSPUL_NOT_A_TABLE);
    write_whole(pack_path, bytes, n_bytes);
    cr_assert_eq(einspul_open(pack_path, "english", 0, NULL, &handle, &error), EINSPUL_NO_FOLDER);
    free(bytes);
}

/* Reads one file through callbacks, and counts how often it is opened. */
static int n_opened;

static void *shelf_open(void *user, const char *name)
{
    n_opened++;
    return strcmp(name, user) == 0 ? fopen(name, "rb") : NULL;
}

static int64_t shelf_size(void *user, void *file)
{
    (void)user;
    return fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
}

static int shelf_read(void *user, void *file, uint64_t offset, void *bytes, size_t n_bytes)
{
    (void)user;
    return fseek(file, (long)offset, SEEK_SET) == 0 && fread(bytes, 1, n_bytes, file) == n_bytes
               ? 0
               : -1;
}

static void shelf_close(void *user, void *file)
{
    (void)user;
    fclose(file);
}

/* Fails if a program that reads packs over a network has to open hundreds of names instead of one.
 * */
Test(packed, callbacks_open_the_pack_once)
{
    make_pack(1);
    const einspul_callbacks callbacks = {.open = shelf_open,
                                         .size = shelf_size,
                                         .read_at = shelf_read,
                                         .close = shelf_close,
                                         .user = pack_path};
    einspul_error error = {0};
    einspul *handle = NULL;
    cr_assert_eq(einspul_open(pack_path, NULL, 100000, &callbacks, &handle, &error), EINSPUL_OK,
                 "%s", error.text);
    expect_answers(handle, 1000, true);
    cr_assert_eq(n_opened, 1);
    einspul_close(handle);
    cr_assert_eq(einspul_open("missing.pack", NULL, 0, &callbacks, &handle, &error),
                 EINSPUL_NO_FOLDER);
}
