/* Atomic file replacement: replaced files, ownership, and two writers of one file without a
 * lock. */
#include "table/write/output.h"
#include "tests/support/folder.h"

#include <criterion/criterion.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(output, .init = make_folder, .fini = drop_folder);

enum { NOBODY = 65534 };

static einspul_status put(const char *path, const char *text, einspul_error *error)
{
    struct output output = {.file = -1};
    einspul_status status = output_create(&output, path, error);
    if (status == EINSPUL_OK)
        status = output_write(&output, 0, text, strlen(text), error);
    if (status == EINSPUL_OK)
        status = output_commit(&output, error);
    output_abandon(&output);
    return status;
}

static void expect_text(const char *path, const char *text)
{
    size_t n_bytes = 0;
    uint8_t *bytes = read_whole(path, &n_bytes);
    cr_assert(n_bytes == strlen(text) && memcmp(bytes, text, n_bytes) == 0, "%s: %.*s", path,
              (int)n_bytes, (const char *)bytes);
    free(bytes);
}

static struct stat look(const char *path)
{
    struct stat info;
    cr_assert_eq(lstat(path, &info), 0, "%s", path);
    return info;
}

/* Wrapped calls: the number of fsync calls, now and when a file was renamed. */
static int n_syncs, n_syncs_before;
static bool was_locked; /* then */

int __real_fsync(int file);
int __wrap_fsync(int file);
int __wrap_fsync(int file)
{
    n_syncs++;
    return __real_fsync(file);
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
    const int file = open(from, O_RDONLY | O_CLOEXEC);
    n_syncs_before = n_syncs;
    was_locked = flock(file, LOCK_EX | LOCK_NB) != 0;
    close(file);
    return __real_rename(from, to);
}

/* Fails if a power cut can leave a file of zeros with the right name and size; if the file reported
 * as written does not exist; or if another writer removes the file as a leftover before it is
 * renamed. */
Test(output, is_synced_before_it_is_renamed)
{
    einspul_error error = {0};
    cr_assert_eq(put(path_of("T"), "new", &error), EINSPUL_OK, "%s", error.text);
    cr_assert_eq(n_syncs_before, 1, "the file");
    cr_assert(was_locked);
    cr_assert_eq(n_syncs, 2, "its folder");
}

/* Fails if compressing a private table makes it readable by all, or gives it to another owner. */
Test(output, keeps_mode_and_owner)
{
    static const mode_t modes[] = {0600, 0640, 0666, 0444, 0755};
    const char *path = path_of("T");
    const bool is_root = geteuid() == 0;
    einspul_error error = {0};
    umask(022);
    cr_assert_eq(put(path, "new", &error), EINSPUL_OK, "%s", error.text);
    cr_assert_eq(look(path).st_mode & 07777, 0644);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        const uid_t owner = is_root ? (uid_t)(1000 + i) : geteuid();
        const gid_t group = is_root ? (gid_t)(2000 + i) : getegid();
        cr_assert_eq(chown(path, owner, group), 0);
        cr_assert_eq(chmod(path, modes[i]), 0);
        const ino_t before = look(path).st_ino;
        cr_assert_eq(put(path, "newer", &error), EINSPUL_OK, "%s", error.text);
        const struct stat after = look(path);
        cr_assert_neq(after.st_ino, before);
        cr_assert_eq(after.st_mode & 07777, modes[i], "%o", (unsigned)after.st_mode);
        cr_assert_eq(after.st_uid, owner);
        cr_assert_eq(after.st_gid, group);
    }
}

/* Runs put() as another user; returns the status of put(). */
static einspul_status put_as_nobody(const char *name)
{
    int state = 0;
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        if (chdir(folder) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
            _exit(EINSPUL_OK);
        _exit((int)put(name, "mine", NULL));
    }
    cr_assert_eq(waitpid(child, &state, 0), child);
    return WIFEXITED(state) ? (einspul_status)WEXITSTATUS(state) : EINSPUL_OK;
}

/* Fails if a file whose owner cannot be preserved changes its owner, or is lost. */
Test(output, refuses_to_change_owner)
{
    const char *path = path_of("T");
    if (geteuid() != 0)
        cr_skip_test("only root can make files of two users");
    write_whole(path, (const uint8_t *)"root's", 6);
    cr_assert_eq(chmod(path, 0666), 0);
    cr_assert_eq(chmod(folder, 0777), 0);
    cr_assert_eq(put_as_nobody("T"), EINSPUL_IO);
    expect_text(path, "root's");
    cr_assert_eq(folder_entries(), 1);
    cr_assert_eq(chown(path, NOBODY, NOBODY), 0);
    cr_assert_eq(put_as_nobody("T"), EINSPUL_OK);
    expect_text(path, "mine");
}

/* Fails if a link is replaced by a file or written through, or if a writer blocks on a FIFO. */
Test(output, replaces_regular_files_only, .timeout = 300)
{
    static const char *const kinds[] = {"ln -s kept T", "ln -s none T", "ln -s T T", "mkfifo T",
                                        "mkdir T"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char command[1024];
        einspul_error error = {0};
        snprintf(command, sizeof command,
                 "cd '%s' && rm -rf T && printf kept > kept && %s && stat -c %%F T > kind", folder,
                 kinds[i]);
        cr_assert_eq(system(command), 0);
        cr_assert_eq(output_check(path_of("T"), &error), EINSPUL_IO);
        cr_assert_eq(put(path_of("T"), "new", &error), EINSPUL_IO, "%s", kinds[i]);
        cr_assert_not_null(strstr(error.text, "T: "), "%s", error.text);
        expect_text(path_of("kept"), "kept");
        snprintf(
            command, sizeof command,
            "cd '%s' && stat -c %%F T | cmp - kind && [ ! -e none ] && [ $(ls -A | wc -l) = 3 ]",
            folder);
        cr_assert_eq(system(command), 0, "%s", kinds[i]);
    }
    einspul_error error = {0};
    cr_assert_eq(output_check(path_of("kept"), &error), EINSPUL_OK);
    cr_assert_eq(output_check(path_of("none"), &error), EINSPUL_OK);
}

/* Fails if of two writers at once, one gives the file its name while the other has written half. */
Test(output, two_writers_write_whole_files)
{
    struct output outputs[2] = {{.file = -1}, {.file = -1}};
    einspul_error error = {0};
    const char *path = path_of("T");
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(output_create(&outputs[i], path, &error), EINSPUL_OK, "%s", error.text);
        cr_assert_eq(output_write(&outputs[i], 0, "who", 3, &error), EINSPUL_OK);
    }
    cr_assert_str_neq(outputs[0].temporary, outputs[1].temporary);
    cr_assert_eq(output_write(&outputs[0], 3, "le", 2, &error), EINSPUL_OK);
    if (output_commit(&outputs[0], &error) == EINSPUL_OK)
        expect_text(path, "whole");
    else
        cr_assert_neq(access(path, F_OK), 0);
    cr_assert_eq(output_write(&outputs[1], 3, "le too", 6, &error), EINSPUL_OK);
    cr_assert_eq(output_commit(&outputs[1], &error), EINSPUL_OK, "%s", error.text);
    expect_text(path, "whole too");
    output_abandon(&outputs[0]);
    output_abandon(&outputs[1]);
    expect_text(path, "whole too");
    cr_assert_eq(folder_entries(), 1);
}

/* Fails if leftovers of a killed writer stay when its table is not written again. */
Test(output, removes_leftovers_of_tables)
{
    static const char *const left[] = {".KvK.wdl.tmp", ".KKvM.dtw.0123456789abcdef.tmp"};
    static const char *const others[] = {"KvK.wdl",   ".lock",  ".KvK.part",
                                         "x.wdl.tmp", ".x.tmp", ".KvK.wdl"};
    enum { N_OTHERS = sizeof others / sizeof others[0] };
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        write_whole(path_of(left[i]), (const uint8_t *)"left", 4);
    for (size_t i = 0; i < N_OTHERS; i++)
        write_whole(path_of(others[i]), (const uint8_t *)"kept", 4);
    output_remove_leftovers(folder);
    cr_assert_eq(folder_entries(), N_OTHERS);
    for (size_t i = 0; i < N_OTHERS; i++)
        cr_assert_eq(access(path_of(others[i]), F_OK), 0, "%s", others[i]);
    output_remove_leftovers(path_of("none"));
}

/* Fails if what killed writers left piles up, or another file goes with it. */
Test(output, removes_leftovers_of_the_same_file)
{
    static const char *const left[] = {".T.tmp", ".T.0123456789abcdef.tmp", ".T.1.tmp"};
    static const char *const others[] = {".Tx.1.tmp", ".S.1.tmp", "T.tmp",
                                         ".T",        ".T.part",  "xT.tmp"};
    enum { N_OTHERS = sizeof others / sizeof others[0] };
    einspul_error error = {0};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        write_whole(path_of(left[i]), (const uint8_t *)"left", 4);
    for (size_t i = 0; i < N_OTHERS; i++)
        write_whole(path_of(others[i]), (const uint8_t *)"kept", 4);
    cr_assert_eq(put(path_of("T"), "new", &error), EINSPUL_OK, "%s", error.text);
    cr_assert_eq(folder_entries(), N_OTHERS + 1);
    for (size_t i = 0; i < N_OTHERS; i++)
        cr_assert_eq(access(path_of(others[i]), F_OK), 0, "%s", others[i]);
}

/* Fails if a writer removes a temporary file in use by another writer that no lock excludes, or if
 * leftovers of stopped writers stay. */
Test(output, active_temporary_files_are_kept)
{
    struct output first = {.file = -1};
    struct output second = {.file = -1};
    einspul_error error = {0};
    char path[600];
    char left[600];
    snprintf(path, sizeof path, "%s", path_of("T"));
    snprintf(left, sizeof left, "%s", path_of(".T.0123456789abcdef.tmp"));
    write_whole(left, (const uint8_t *)"left", 4);
    cr_assert_eq(output_create(&first, path, &error), EINSPUL_OK, "%s", error.text);
    cr_assert_eq(access(left, F_OK), -1);
    cr_assert_eq(output_create(&second, path, &error), EINSPUL_OK, "%s", error.text);
    output_remove_leftovers(folder);
    cr_assert_str_neq(first.temporary, second.temporary);
    cr_assert_eq(output_write(&second, 0, "two", 3, &error), EINSPUL_OK);
    cr_assert_eq(output_commit(&second, &error), EINSPUL_OK, "%s", error.text);
    expect_text(path, "two");
    cr_assert_eq(output_write(&first, 0, "one", 3, &error), EINSPUL_OK);
    cr_assert_eq(output_commit(&first, &error), EINSPUL_OK, "%s", error.text);
    expect_text(path, "one");
    output_abandon(&first);
    output_abandon(&second);
    cr_assert_eq(folder_entries(), 1);
}

/* Fails if two writers get the same temporary name. */
Test(output, temporary_names_are_unique)
{
    uint64_t numbers[64];
    for (int i = 0; i < 64; i++) {
        numbers[i] = output_unique_number();
        for (int j = 0; j < i; j++)
            cr_assert_neq(numbers[i], numbers[j]);
    }
}
