/* system.h on Windows. Text is UTF-8 in the program; arguments, environment and file names are
 * UTF-16 on Windows. Lines end with a line feed only, so that output is identical on all
 * systems. */
#include "cli/system.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdlib.h>
#include <wchar.h>

#include "core/os_windows.h"

#include <shellapi.h>

/* --- the start -------------------------------------------------------------------------------- */

/* The OpenMP library reads its settings when it is initialised; linked statically, that is after
 * constructors with a priority. */
__attribute__((constructor(101))) static void wait_quietly(void)
{
    if (getenv("OMP_WAIT_POLICY") == NULL)
        _putenv_s("OMP_WAIT_POLICY", "passive");
}

static bool read_arguments(int *argc, char ***argv)
{
    int n = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &n);
    char **read = wide == NULL ? NULL : calloc((size_t)n + 1, sizeof *read);
    bool done = read != NULL;
    for (int i = 0; i < n && done; i++) {
        read[i] = os_to_utf8(wide[i]); /* never freed */
        done = read[i] != NULL;
    }
    LocalFree(wide);
    if (done) {
        *argc = n;
        *argv = read;
    }
    return done;
}

bool system_begin(int *argc, char ***argv)
{
    if (!read_arguments(argc, argv))
        return false;
    for (int stream = 0; stream <= 2; stream++)
        if (_setmode(stream, _O_BINARY) < 0 &&
            _open("NUL", stream == 0 ? _O_WRONLY : _O_RDONLY) != stream)
            return false;
    SetConsoleOutputCP(CP_UTF8);
    return true;
}

void system_on_stop(void (*handler)(int signal))
{
    signal(SIGTERM, handler);
    signal(SIGINT, handler);
}

/* --- streams ---------------------------------------------------------------------------------- */

/* NUL is a character device but not a console. */
bool system_is_terminal(FILE *stream)
{
    DWORD mode = 0;
    const intptr_t handle = _get_osfhandle(_fileno(stream));
    return GetConsoleMode((HANDLE)handle, &mode) != 0;
}

int64_t system_read_input(void *bytes, size_t n_bytes)
{
    return _read(0, bytes, n_bytes < 1u << 30 ? (unsigned)n_bytes : 1u << 30);
}

bool system_input_waits(void)
{
    DWORD n_bytes = 0;
    const intptr_t input = _get_osfhandle(0);
    if (PeekNamedPipe((HANDLE)input, NULL, 0, NULL, &n_bytes, NULL))
        return n_bytes > 0;
    return GetLastError() == ERROR_BROKEN_PIPE; /* the end of input */
}

FILE *system_open_text(const char *path)
{
    wchar_t *wide = os_to_utf16(path, L"");
    FILE *file = wide == NULL ? NULL : _wfopen(wide, L"rb");
    os_free(wide);
    return file;
}

bool system_program_path(char *path, size_t size)
{
    wchar_t found[4096];
    const DWORD n = GetModuleFileNameW(NULL, found, 4096);
    return n > 0 && n < 4096 &&
           WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, found, -1, path, (int)size, NULL,
                               NULL) > 0;
}
