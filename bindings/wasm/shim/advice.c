/* Hints about memory, which wasi-libc declares but does not have. */
#include <sys/mman.h>

int posix_madvise(void *start, size_t length, int advice)
{
    (void)start;
    (void)length;
    (void)advice;
    return 0;
}

int madvise(void *start, size_t length, int advice)
{
    return posix_madvise(start, length, advice);
}
