// The calls themselves: each asks fault_now first, then calls the C library.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault.h"

#define ENVIRONMENT_MAX 256

// malloc and its kin are needed before anything can be looked up.
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);

#define FAILS(function)                                                                            \
    int number = fault_now(FAULT_##function);                                                      \
    if (number) {                                                                                  \
        errno = number;                                                                            \
    }                                                                                              \
    if (number)

// One function of the C library: its type, the value that it returns on failure, name, parameters,
// arguments.
#define CALL(type, failure, name, parameters, arguments)                                           \
    type name parameters;                                                                          \
    type name parameters {                                                                         \
        static type(*next) parameters;                                                             \
        FAILS(name) {                                                                              \
            return failure;                                                                        \
        }                                                                                          \
        if (!next) {                                                                               \
            next = (type(*) parameters)dlsym(RTLD_NEXT, #name);                                    \
        }                                                                                          \
        return next arguments;                                                                     \
    }

void *malloc(size_t bytes) {
    FAILS(malloc) {
        return NULL;
    }
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
    FAILS(calloc) {
        return NULL;
    }
    return __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes) {
    FAILS(realloc) {
        return NULL;
    }
    return __libc_realloc(old, bytes);
}

CALL(FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode))
CALL(FILE *, NULL, open_memstream, (char **text, size_t *bytes), (text, bytes))
CALL(DIR *, NULL, opendir, (const char *path), (path))
CALL(struct dirent *, NULL, readdir, (DIR * folder), (folder))
CALL(int, -1, mkostemp, (char *path, int flags), (path, flags))
CALL(char *, NULL, mkdtemp, (char *path), (path))
CALL(ssize_t, -1, read, (int fd, void *bytes, size_t count), (fd, bytes, count))
CALL(ssize_t, -1, pread, (int fd, void *bytes, size_t count, off_t at), (fd, bytes, count, at))
CALL(ssize_t, -1, write, (int fd, const void *bytes, size_t count), (fd, bytes, count))
CALL(ssize_t, -1, pwrite, (int fd, const void *b, size_t count, off_t at), (fd, b, count, at))
CALL(size_t, 0, fwrite, (const void *b, size_t size, size_t n, FILE *file), (b, size, n, file))
CALL(int, EOF, fflush, (FILE * file), (file))
CALL(int, -1, fsync, (int fd), (fd))
CALL(int, -1, fchmod, (int fd, mode_t mode), (fd, mode))
CALL(int, -1, chmod, (const char *path, mode_t mode), (path, mode))
CALL(int, -1, lchown, (const char *path, uid_t user, gid_t group), (path, user, group))
CALL(int, -1, rename, (const char *from, const char *to), (from, to))
CALL(int, -1, link, (const char *from, const char *to), (from, to))
CALL(int, -1, linkat, (int from_fd, const char *from, int to_fd, const char *to, int flags),
     (from_fd, from, to_fd, to, flags))
CALL(int, -1, unlink, (const char *path), (path))
CALL(int, -1, rmdir, (const char *path), (path))
CALL(int, -1, remove, (const char *path), (path))
CALL(int, -1, mkdir, (const char *path, mode_t mode), (path, mode))
CALL(int, -1, stat, (const char *path, struct stat *info), (path, info))
CALL(int, -1, lstat, (const char *path, struct stat *info), (path, info))
CALL(int, -1, fstat, (int fd, struct stat *info), (fd, info))
CALL(int, -1, access, (const char *path, int mode), (path, mode))
CALL(int, -1, nftw, (const char *path, __nftw_func_t visit, int fds, int flags),
     (path, visit, fds, flags))
CALL(int, -1, scandir,
     (const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
      int (*order)(const struct dirent **, const struct dirent **)),
     (path, list, filter, order))
CALL(int, GLOB_NOSPACE, glob,
     (const char *pattern, int flags, int (*trouble)(const char *, int), glob_t *found),
     (pattern, flags, trouble, found))
CALL(char *, NULL, realpath, (const char *path, char *resolved), (path, resolved))
CALL(ssize_t, -1, readlink, (const char *path, char *text, size_t bytes), (path, text, bytes))
CALL(char *, NULL, getcwd, (char *text, size_t bytes), (text, bytes))
CALL(int, -1, chdir, (const char *path), (path))
CALL(int, -1, ftruncate, (int fd, off_t bytes), (fd, bytes))
CALL(int, -1, memfd_create, (const char *name, unsigned flags), (name, flags))
CALL(void *, MAP_FAILED, mmap, (void *at, size_t bytes, int rights, int flags, int fd, off_t from),
     (at, bytes, rights, flags, fd, from))
CALL(int, -1, pipe2, (int fds[2], int flags), (fds, flags))
CALL(int, -1, dup2, (int from, int to), (from, to))
CALL(int, -1, close_range, (unsigned from, unsigned to, int flags), (from, to, flags))
CALL(int, -1, poll, (struct pollfd * fds, nfds_t count, int wait_ms), (fds, count, wait_ms))
CALL(pid_t, -1, waitpid, (pid_t pid, int *state, int options), (pid, state, options))
CALL(int, -1, socketpair, (int family, int type, int protocol, int fds[2]),
     (family, type, protocol, fds))
CALL(int, -1, socket, (int family, int type, int protocol), (family, type, protocol))
CALL(int, -1, connect, (int fd, const struct sockaddr *to, socklen_t bytes), (fd, to, bytes))
CALL(ssize_t, -1, send, (int fd, const void *bytes, size_t count, int flags),
     (fd, bytes, count, flags))
CALL(ssize_t, -1, recv, (int fd, void *bytes, size_t count, int flags), (fd, bytes, count, flags))
CALL(int, -1, setenv, (const char *name, const char *value, int over), (name, value, over))
CALL(int, -1, getrlimit, (__rlimit_resource_t which, struct rlimit *limit), (which, limit))
CALL(int, -1, setrlimit, (__rlimit_resource_t which, const struct rlimit *limit), (which, limit))
CALL(pid_t, -1, setsid, (void), ())
CALL(int, -1, mount,
     (const char *from, const char *to, const char *type, unsigned long flags, const void *data),
     (from, to, type, flags, data))
CALL(int, -1, umount2, (const char *path, int flags), (path, flags))
CALL(int, number, pthread_create,
     (pthread_t * thread, const pthread_attr_t *how, void *(*run)(void *), void *argument),
     (thread, how, run, argument))
CALL(ssize_t, -1, getrandom, (void *bytes, size_t count, unsigned flags), (bytes, count, flags))
CALL(long, -1, sysconf, (int name), (name))
CALL(int, -1, sched_getaffinity, (pid_t pid, size_t bytes, cpu_set_t *set), (pid, bytes, set))
CALL(int, -1, utimensat, (int fd, const char *path, const struct timespec times[2], int flags),
     (fd, path, times, flags))

// Even if this fails, the descriptor and the stream are gone.
int close(int fd) {
    FAILS(close) {
        (void)syscall(SYS_close, fd);
        errno = number;
        return -1;
    }
    return (int)syscall(SYS_close, fd);
}

int fclose(FILE *file) {
    static int (*next)(FILE *);
    int number = fault_now(FAULT_fclose);
    if (!next) {
        next = (int (*)(FILE *))dlsym(RTLD_NEXT, "fclose");
    }
    int end = next(file);
    if (number) {
        errno = number;
    }
    return number ? EOF : end;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    FAILS(open) {
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int fcntl(int fd, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    long argument = va_arg(arguments, long);
    va_end(arguments);
    FAILS(fcntl) {
        return -1;
    }
    return (int)syscall(SYS_fcntl, fd, command, argument);
}

int prctl(int option, ...) {
    long argument[4];
    va_list arguments;
    va_start(arguments, option);
    for (int i = 0; i < 4; i++) {
        argument[i] = va_arg(arguments, long);
    }
    va_end(arguments);
    FAILS(prctl) {
        return -1;
    }
    return (int)syscall(SYS_prctl, option, argument[0], argument[1], argument[2], argument[3]);
}

pid_t fork(void) {
    static pid_t (*next)(void);
    FAILS(fork) {
        return -1;
    }
    if (!next) {
        next = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
    }
    pid_t pid = next();
    fault_forked(pid);
    return pid;
}

int execve(const char *path, char *const argument[], char *const environment[]) {
    char *room[ENVIRONMENT_MAX];
    char *const *given = fault_environment(path, environment, room, ENVIRONMENT_MAX);
    FAILS(execve) {
        return -1;
    }
    // The filter of system calls knows the address of the path.
    return (int)syscall(SYS_execve, path, argument, given);
}

static int fault_of_number(long number) {
    switch (number) {
    case SYS_clone:
        return FAULT_fork;
    case SYS_pidfd_open:
        return FAULT_pidfd_open;
    case SYS_waitid:
        return FAULT_waitid;
    case SYS_setgroups:
        return FAULT_setgroups;
    case SYS_setresgid:
        return FAULT_setresgid;
    case SYS_setresuid:
        return FAULT_setresuid;
    case SYS_landlock_create_ruleset:
    case SYS_landlock_add_rule:
    case SYS_landlock_restrict_self:
        return FAULT_landlock;
    default:
        return -1;
    }
}

// System calls that are not made by a function of the C library.
long syscall(long number, ...) {
    static long (*next)(long, ...);
    long argument[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++) {
        argument[i] = va_arg(arguments, long);
    }
    va_end(arguments);
    int function = fault_of_number(number);
    int failure = function >= 0 ? fault_now((enum fault_function)function) : 0;
    if (failure) {
        errno = failure;
        return -1;
    }
    if (!next) {
        next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    }
    long result =
        next(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
    if (number == SYS_clone) {
        fault_forked((pid_t)result);
    }
    return result;
}
