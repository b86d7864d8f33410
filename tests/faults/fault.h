// Makes one call of the C library fail, in the product as it is: loaded by LD_PRELOAD.
//
//   FAULT=ROLE:FUNCTION:N[+][=WHAT]   the Nth call of FUNCTION, with + all from there on.  WHAT is
//                                     the number of an errno, or kill for the end of the process;
//                                     kill:MS of fork: the end of the new process, so much later.
//   FAULT_LOG=FILE                    counts: a line for every call, with the places it came from
//   FAULT_INTO=1                      goes on into programs that are started, with their names as
//                                     roles: cc1plus, tilegrade-inspect …; NAME#K is the Kth of
//                                     them
//
// The roles of tilegrade itself are `parent` (cleans up), `judge`, and `child` (between fork and
// exec).  The programs that are linked statically, which is the worker, are out of reach.
#ifndef TESTS_FAULT_H
#define TESTS_FAULT_H

#include <stdbool.h>
#include <sys/types.h>

// Every wrapped function is one of these; the name is that of the function.
// Each run of clang-format would wrap this list in another way.
// clang-format off
#define FAULT_FUNCTIONS(X)                                                                         \
    X(malloc)                                                                                      \
    X(calloc)                                                                                      \
    X(realloc)                                                                                     \
    X(open)                                                                                        \
    X(fopen)                                                                                       \
    X(open_memstream) X(opendir) X(readdir) X(mkostemp) X(mkdtemp) X(read) X(pread) X(write)       \
        X(pwrite) X(fwrite) X(fflush) X(fclose) X(fsync) X(fchmod) X(chmod) X(lchown) X(close)     \
            X(rename) X(link) X(linkat) X(unlink) X(rmdir) X(remove) X(mkdir) X(stat) X(lstat)     \
                X(fstat) X(access) X(nftw) X(scandir) X(glob) X(realpath) X(readlink) X(getcwd)    \
                    X(chdir) X(ftruncate) X(memfd_create) X(mmap) X(fork) X(pidfd_open)            \
                        X(landlock) X(waitid) X(execve) X(pipe2) X(fcntl) X(dup2) X(close_range)   \
                            X(poll) X(waitpid) X(socketpair) X(socket) X(connect) X(send) X(recv)  \
                                X(prctl) X(setenv) X(getrlimit) X(setrlimit) X(setsid)             \
                                    X(setgroups) X(setresgid) X(setresuid) X(mount) X(umount2)     \
                                        X(pthread_create) X(getrandom) X(sysconf)                  \
                                            X(sched_getaffinity) X(utimensat)
// clang-format on

#define FAULT_ENUMERATOR(name) FAULT_##name,
enum fault_function { FAULT_FUNCTIONS(FAULT_ENUMERATOR) FAULT_FUNCTION_COUNT };
#undef FAULT_ENUMERATOR

// Counts this call.  Returns the errno with which it must fail, 0 where it must not.
int fault_now(enum fault_function function);

// What fork and the like have to say: before, and in the parent and the child after.
void fault_forked(pid_t pid);

// The environment for a program that is started; the given one where it needs no more.
char *const *fault_environment(const char *path, char *const *environment, char **room, int count);

#endif
