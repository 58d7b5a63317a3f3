/* system.h on POSIX. */
#include "cli/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

const char system_list_separator = ':';

/* --- the start -------------------------------------------------------------------------------- */

/* The descriptor of a closed standard stream must not be reused for a table file. It is opened in
 * the wrong direction, so that using it is still an error. False if that fails. */
static bool hold_standard_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) == -1 &&
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
            return false;
    return true;
}

/* Idle threads must not spin. The OpenMP library reads its settings when it is loaded, so the
 * program sets this one and restarts itself; if that fails, it continues as it is. */
static void wait_quietly(char **argv)
{
    char path[4096];
    if (system_program_path(path, sizeof path) && getenv("OMP_WAIT_POLICY") == NULL &&
        setenv("OMP_WAIT_POLICY", "passive", 1) == 0)
        execv(path, argv);
}

/* More than the program ever has on the stack of its first thread. */
enum { STACK_BYTES = 512 << 10 };

static int touch_stack(void)
{
    volatile char room[STACK_BYTES];
    room[0] = 0;
    return room[0];
}

/* A stack grows on demand, and a process is killed if its limit on address space leaves no room. So
 * the stack is touched now, when a lack of memory can still be reported. */
static bool reserve_stack(void)
{
    struct rlimit limit;
    void *volatile room = malloc(2 * STACK_BYTES);
    const bool has_room = room != NULL;
    free(room);
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < 2 * STACK_BYTES) {
        fputs("einspul: the limit on stacks is below 1 MiB (ulimit -s)\n", stderr);
        return false;
    }
    if (has_room)
        return touch_stack() == 0;
    fputs("einspul: not enough memory for a stack\n", stderr);
    return false;
}

bool system_begin(int *argc, char ***argv)
{
    (void)argc;
    wait_quietly(*argv);
    if (!hold_standard_streams())
        return false;
    if (!reserve_stack())
        return false;
    /* A closed pipe and a limit on file sizes then give errors, like a full disk. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    return true;
}

static void (*stop_handler)(int signal);

/* Schedulers send SIGTERM more than once; a person who presses Control-C again means it. */
static void on_stop(int number)
{
    static volatile sig_atomic_t interrupted;
    if (number == SIGINT && interrupted != 0) {
        signal(number, SIG_DFL);
        raise(number);
    }
    interrupted = number == SIGINT || interrupted != 0;
    stop_handler(number);
}

void system_on_stop(void (*handler)(int signal))
{
    struct sigaction action = {.sa_handler = on_stop, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaddset(&action.sa_mask, SIGINT);
    stop_handler = handler;
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
}

/* --- streams ---------------------------------------------------------------------------------- */

bool system_is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) != 0;
}

/* The caller may have made the stream non-blocking. */
int64_t system_read_input(void *bytes, size_t n_bytes)
{
    for (;;) {
        const ssize_t n = read(STDIN_FILENO, bytes, n_bytes);
        if (n >= 0)
            return n;
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd wait = {.fd = STDIN_FILENO, .events = POLLIN};
            if (poll(&wait, 1, -1) < 0 && errno != EINTR)
                return -1;
        } else if (errno != EINTR) {
            return -1;
        }
    }
}

FILE *system_open_text(const char *path)
{
    return fopen(path, "r");
}

bool system_program_path(char *path, size_t size)
{
    const ssize_t n = readlink("/proc/self/exe", path, size - 1);
    if (n <= 0 || (size_t)n == size - 1)
        return false;
    path[n] = '\0';
    return true;
}
