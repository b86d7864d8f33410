// Decides which call fails.  All of this may run in a forked child, or inside malloc: so it takes
// no memory, holds no lock, and writes the log by plain system calls.
#include "fault.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOG_FD     900  // above all descriptors that the product may close or count
#define FRAMES_MAX 24
#define PLACES_MAX 8  // places in a line of the log, from the innermost
#define PROGRAMS   "FAULT_PROGRAM"
#define ROLE_BYTES 64

enum { ROLE_PARENT, ROLE_JUDGE, ROLE_CHILD, ROLE_COUNT };
static const char *const role_names[ROLE_COUNT] = {"parent", "judge", "child"};

// Shared by all processes that are forked without an exec.
struct counters {
    atomic_uint calls[ROLE_COUNT][FAULT_FUNCTION_COUNT];
    atomic_uint started;  // programs
};

struct wanted {
    char role[ROLE_BYTES];
    int function;  // -1: none
    unsigned nth;
    bool all_after, is_kill;
    int number;     // an errno
    long after_ms;  // kill
};

#define NAME(name) #name,
static const char *const function_names[] = {FAULT_FUNCTIONS(NAME)};
#undef NAME

static struct counters *counters;
static struct wanted wanted = {.function = -1};
static int role = ROLE_PARENT;
static char program_role[ROLE_BYTES];  // for a program other than tilegrade; else ""
static bool logging, into;
static int log_fd;
static uintptr_t program_start, program_end;
static __thread bool inside;

// --- Beginning ------------------------------------------------------------------------------

static void wanted_read(const char *text) {
    char function[32] = "";
    char rest[32] = "";
    if (!text ||
        sscanf(text, "%63[^:]:%31[^:]:%u%31s", wanted.role, function, &wanted.nth, rest) < 3) {
        return;
    }
    for (int i = 0; i < FAULT_FUNCTION_COUNT; i++) {
        if (strcmp(function, function_names[i]) == 0) {
            wanted.function = i;
        }
    }
    const char *what = strchr(rest, '=');
    wanted.all_after = rest[0] == '+';
    wanted.is_kill = what && strncmp(what, "=kill", 5) == 0;
    wanted.after_ms = wanted.is_kill && what[5] == ':' ? atol(what + 6) : -1;
    wanted.number = what && !wanted.is_kill ? atoi(what + 1) : 0;
}

// The first object is the program itself.
static int program_find(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    program_start = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        program_end = info->dlpi_phdr[i].p_type == PT_LOAD && end > program_end ? end : program_end;
    }
    return 1;
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FAULT_LOG");
    const char *program = getenv(PROGRAMS);
    void *frames[2];
    inside = true;
    counters =
        mmap(NULL, sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    into = getenv("FAULT_INTO") != NULL;
    if (program) {  // children of another program are distinguished by their names
        const char *instance = strchr(program, '#');
        (void)snprintf(program_role, sizeof program_role, "%.40s%.16s",
                       program_invocation_short_name, instance ? instance : "");
    }
    if (path) {
        int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
        logging = fd >= 0;
        log_fd = fd;
        if (dup3(fd, LOG_FD, O_CLOEXEC) == LOG_FD) {  // a limit of descriptors may not allow it
            (void)close(fd);
            log_fd = LOG_FD;
        }
        (void)backtrace(frames, 2);  // the first call loads libraries, which takes memory
        (void)dl_iterate_phdr(program_find, NULL);
    }
    wanted_read(getenv("FAULT"));
    inside = false;
}

// --- Deciding -------------------------------------------------------------------------------

static const char *role_name(void) {
    return program_role[0] != '\0' ? program_role : role_names[role];
}

// "judge malloc 12 1a2b,3c4d": the return addresses in the program.
static void log_write(const char *function, unsigned nth) {
    void *frames[FRAMES_MAX];
    char line[512];
    int count = backtrace(frames, FRAMES_MAX);
    int used = snprintf(line, sizeof line, "%s %s %u ", role_name(), function, nth);
    int places = 0;
    for (int i = 0; i < count && places < PLACES_MAX; i++) {
        uintptr_t at = (uintptr_t)frames[i];
        if (at >= program_start && at < program_end) {
            used += snprintf(line + used, sizeof line - (size_t)used, "%s%lx",
                             places > 0 ? "," : "", (unsigned long)(at - program_start));
            places++;
        }
    }
    line[used++] = '\n';
    (void)!write(log_fd, line, (size_t)used);
}

static bool is_role(void) {
    return strcmp(wanted.role, role_name()) == 0 ||
           (!strchr(wanted.role, '#') &&
            strncmp(wanted.role, role_name(), strlen(wanted.role)) == 0 &&
            role_name()[strlen(wanted.role)] == '#');
}

static int default_errno(enum fault_function function) {
    switch (function) {
    case FAULT_malloc:
    case FAULT_calloc:
    case FAULT_realloc:
    case FAULT_mmap:
    case FAULT_open_memstream:
    case FAULT_poll:
    case FAULT_ftruncate:
        return ENOMEM;
    case FAULT_fork:
    case FAULT_pthread_create:
        return EAGAIN;
    case FAULT_write:
    case FAULT_pwrite:
    case FAULT_fsync:
    case FAULT_fwrite:
    case FAULT_fflush:
    case FAULT_fclose:
    case FAULT_mkdir:
    case FAULT_mkdtemp:
    case FAULT_mkostemp:
    case FAULT_rename:
        return ENOSPC;
    case FAULT_open:
    case FAULT_fopen:
    case FAULT_opendir:
    case FAULT_pipe2:
    case FAULT_socketpair:
    case FAULT_memfd_create:
    case FAULT_pidfd_open:
    case FAULT_fcntl:
    case FAULT_dup2:
        return EMFILE;
    default:
        return EIO;
    }
}

int fault_now(enum fault_function function) {
    if (inside || !counters) {
        return 0;
    }
    int before = errno;
    int number = 0;
    inside = true;
    unsigned nth = atomic_fetch_add(&counters->calls[role][function], 1) + 1;
    if (logging) {
        log_write(function_names[function], nth);
    }
    if (wanted.function == (int)function && is_role() &&
        (nth == wanted.nth || (wanted.all_after && nth > wanted.nth))) {
        if (wanted.is_kill && wanted.after_ms < 0) {
            (void)kill(getpid(), SIGKILL);
        }
        number = wanted.is_kill ? 0 : wanted.number ? wanted.number : default_errno(function);
    }
    inside = false;
    errno = before;
    return number;
}

// --- Processes ------------------------------------------------------------------------------

static pid_t doomed;

static void *doom(void *unused) {
    (void)unused;
    struct timespec pause = {wanted.after_ms / 1000, wanted.after_ms % 1000 * 1000000L};
    (void)nanosleep(&pause, NULL);
    (void)kill(doomed, SIGKILL);
    return NULL;
}

void fault_forked(pid_t pid) {
    pthread_t thread;
    if (pid == 0) {
        role = role == ROLE_PARENT ? ROLE_JUDGE : ROLE_CHILD;
        return;
    }
    bool is_wanted = pid > 0 && wanted.function == FAULT_fork && wanted.is_kill &&
                     wanted.after_ms >= 0 && is_role() &&
                     atomic_load(&counters->calls[role][FAULT_fork]) == wanted.nth;
    if (is_wanted) {
        inside = true;
        doomed = pid;
        if (pthread_create(&thread, NULL, doom, NULL) == 0) {
            (void)pthread_detach(thread);
        }
        inside = false;
    }
}

static bool is_passed(const char *variable) {
    return strncmp(variable, "FAULT", 5) == 0 || strncmp(variable, "LD_PRELOAD=", 11) == 0;
}

char *const *fault_environment(const char *path, char *const *environment, char **room, int count) {
    static char program[ROLE_BYTES];
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    int used = 0;
    if (program_role[0] != '\0' || !counters) {
        return environment;
    }
    unsigned nth = atomic_fetch_add(&counters->started, 1) + 1;
    if (logging) {
        char line[128];
        int length = snprintf(line, sizeof line, "exec %u %u %.80s\n", nth,
                              atomic_load(&counters->calls[ROLE_JUDGE][FAULT_fork]), name);
        (void)!write(log_fd, line, (size_t)length);
    }
    if (!into || strcmp(name, "worker") == 0) {
        return environment;
    }
    (void)snprintf(program, sizeof program, PROGRAMS "=%.40s#%u", name, nth);
    for (; environment[used] && used < count - 8; used++) {
        room[used] = environment[used];
    }
    for (char *const *at = environ; *at && used < count - 2; at++) {
        if (is_passed(*at)) {
            room[used++] = *at;
        }
    }
    room[used++] = program;
    room[used] = NULL;
    return room;
}
