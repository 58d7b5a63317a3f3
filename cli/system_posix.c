/* system.h on POSIX. */
#include "cli/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* --- the start -------------------------------------------------------------------------------- */

/* The descriptor of a closed standard stream must not be reused for a table file. It is opened on
 * /dev/null in the wrong direction (standard input write-only, the others read-only), so that using
 * it still fails. False if it cannot be opened. */
static bool hold_standard_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) == -1 &&
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
            return false;
    return true;
}

/* Half of the stack that the program requires. The deepest measured has 96 KiB (`generate`, x86-64). A
 * proof search adds at most 490 KiB: 640 bytes for each of 512 plies, and 340 for each of 512 moves
 * of a win. In 17 million positions it went 47 plies deep. */
enum { STACK_BYTES = 512 << 10 };

static int touch_stack(void)
{
    volatile char room[STACK_BYTES];
    room[0] = 0;
    return room[0];
}

/* Raises the limit on the stack if it is too small. False if the system refuses. */
static bool raise_stack_limit(bool *raised)
{
    struct rlimit limit;
    *raised = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < 2 * STACK_BYTES;
    limit.rlim_cur = 2 * STACK_BYTES;
    return !*raised || setrlimit(RLIMIT_STACK, &limit) == 0;
}

/* Idle threads must not spin. The OpenMP library reads its settings when it is loaded, so the
 * program sets this one and restarts itself. The stacks of threads, too, have the size that was the
 * limit at the start. If the restart fails, the program continues as it is. */
static void restart(char **argv, bool needed)
{
    char path[4096];
    if ((needed || getenv("OMP_WAIT_POLICY") == NULL) && system_program_path(path, sizeof path) &&
        setenv("OMP_WAIT_POLICY", "passive", 0) == 0)
        execv(path, argv);
}

/* A stack grows on demand, and a process is killed if its limit on address space leaves no room. So
 * the stack is touched now, when a lack of memory can still be reported. */
static bool reserve_stack(void)
{
    void *volatile room = malloc(2 * STACK_BYTES);
    if (room == NULL)
        return false;
    free(room);
    return touch_stack() == 0;
}

bool system_begin(int *argc, char ***argv)
{
    bool raised = false;
    (void)argc;
    if (!raise_stack_limit(&raised)) {
        fprintf(stderr, "einspul: the limit on the stack (ulimit -s) must be at least %d KiB\n",
                2 * STACK_BYTES / 1024);
        return false;
    }
    restart(*argv, raised);
    if (!hold_standard_streams())
        return false;
    if (!reserve_stack()) {
        fputs("einspul: cannot allocate the main stack\n", stderr);
        return false;
    }
    /* A closed pipe and a limit on file sizes then give errors, like a full disk. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    return true;
}

static void (*stop_handler)(int signal);
static volatile sig_atomic_t is_stopped;

/* Only a second SIGINT kills: schedulers may send SIGTERM repeatedly, whereas a second Ctrl-C is
 * deliberate. */
static void on_stop(int number)
{
    static volatile sig_atomic_t interrupted;
    if (number == SIGINT && interrupted != 0) {
        signal(number, SIG_DFL);
        raise(number);
    }
    interrupted = number == SIGINT || interrupted != 0;
    is_stopped = 1;
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

/* The caller may have made the stream non-blocking. A signal just before the wait does not end it, so
 * the wait is short where signals are handled. */
int64_t system_read_input(void *bytes, size_t n_bytes)
{
    enum { WAIT_MS = 100 };
    for (;;) {
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        const int n_ready = poll(&input, 1, stop_handler != NULL ? WAIT_MS : -1);
        if (is_stopped)
            errno = EINTR;
        if (is_stopped || (n_ready < 0 && errno != EINTR))
            return -1;
        const ssize_t n = n_ready > 0 ? read(STDIN_FILENO, bytes, n_bytes) : -1;
        if (n >= 0 || (n_ready > 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
            return n;
    }
}

bool system_input_waits(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, 0) > 0;
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
