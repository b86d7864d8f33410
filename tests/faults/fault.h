// Makes one call of the C library fail in the unchanged product; loaded by LD_PRELOAD.
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
// exec).  A statically linked program, which is the worker, cannot be reached.
#ifndef TESTS_FAULT_H
#define TESTS_FAULT_H

#include <stdbool.h>
#include <sys/types.h>

// The wrapped functions; each name is that of the function.
// Each run of clang-format would wrap this list differently.
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

// Counts this call.  Returns the errno with which it must fail, 0 if it must not fail.
int fault_now(enum fault_function function);

// Calls around fork and similar functions: before, and afterwards in the parent and the child.
void fault_forked(pid_t pid);

// The environment for a program that is started; the given one if nothing has to be added.
char *const *fault_environment(const char *path, char *const *environment, char **room, int count);

#endif
