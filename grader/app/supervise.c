// A run that is ended by ^C or a failed assertion must leave no folder behind.  No handler can
// remove a tree, so the work is done by a child, and the parent only cleans up.
//
// The parent names the folder tilegrade.PID@HOST.XXXXXX.  A run that is killed outright leaves it,
// and the next run on this host notices that no process has this number any more.
#include "app/supervise.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/options.h"
#include "base/basics.h"
#include "base/file.h"
#include "base/text.h"
#include "base/words.h"

#define FOLDER_START    "tilegrade."
#define ORPHAN_ROUNDS   200
#define ORPHAN_PAUSE_NS 10000000L

static const int passed_signals[] = {SIGINT, SIGTERM, SIGHUP};
#define PASSED_COUNT COUNT(passed_signals)

// Handlers take no arguments.
static volatile sig_atomic_t signal_got;
static volatile pid_t worker;

static void signal_pass(int number) {
    signal_got = number;
    (void)kill(worker, SIGKILL);
}

// True if the folder is ours and its process is gone.
static bool is_stale(const char *path, const char *name) {
    struct stat info;
    struct utsname host;
    char *end = NULL;
    if (!text_starts(name, FOLDER_START) || uname(&host) != 0) {
        return false;
    }
    long pid = strtol(name + strlen(FOLDER_START), &end, 10);
    if (*end == '@' && text_starts(end + 1, host.nodename)) {  // else it belongs to another host,
                                                               // if any
        end += 1 + strlen(host.nodename);
    }
    bool is_ours = *end == '.' && strlen(end) == strlen(".XXXXXX") && pid > 1;
    return is_ours && lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == getuid() &&
           kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

static void stale_remove(const char *parent) {
    DIR *folder = opendir(parent);
    const struct dirent *entry = NULL;
    while (folder && (entry = readdir(folder)) != NULL) {
        char path[PATH_BYTES_MAX];
        if (!path_make(path, NULL, "%s/%s", parent, entry->d_name) &&
            is_stale(path, entry->d_name)) {
            (void)folder_remove(path, NULL);
        }
    }
    if (folder) {
        (void)closedir(folder);
    }
}

static enum status folder_new(char path[PATH_BYTES_MAX], struct error *err) {
    const char *parent = getenv("TMPDIR");
    if (!parent || parent[0] != '/') {
        parent = "/tmp";
    }
    struct utsname host = {.nodename = ""};
    (void)uname(&host);
    stale_remove(parent);
    enum status status = path_make(path, err, "%s/" FOLDER_START "%ld@%s.XXXXXX", parent,
                                   (long)getpid(), host.nodename);
    if (!status && !mkdtemp(path)) {
        status = fail_errno(err, STATUS_SYSTEM, "%s: cannot make a folder in it", parent);
    }
    // Programs in the sandbox may run as another user.  They can enter their own folders in this
    // one, whose names they know, but cannot list it.
    if (!status && geteuid() == 0 && chmod(path, 0711) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", path);
        (void)rmdir(path);
    }
    return status;
}

// Ends the program as the child ended.
static _Noreturn void parent_end(int state, const char *interrupted) {
    if (signal_got != 0) {
        (void)fprintf(stderr, "\n%s\n", interrupted);
        _exit(128 + (int)signal_got);
    }
    if (WIFEXITED(state)) {
        _exit(WEXITSTATUS(state));
    }
    if (WTERMSIG(state) == SIGPIPE) {  // the reader has gone: `tilegrade test | head`
        _exit(128 + SIGPIPE);
    }
    (void)fprintf(stderr, _("tilegrade: ended by signal %d; this is a bug in tilegrade\n"),
                  WTERMSIG(state));
    _exit(EXIT_HARNESS);
}

// Kills what the worker left running: as the subreaper we are its parent now.
static void orphans_kill(void) {
    char path[PATH_BYTES_MAX];
    (void)snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    for (int i = 0; i < ORPHAN_ROUNDS; i++) {
        pid_t reaped = 0;
        while ((reaped = waitpid(-1, NULL, WNOHANG)) > 0) {
        }
        if (reaped < 0) {
            return;  // no child is left
        }
        FILE *children = fopen(path, "re");
        long child = 0;
        while (children && fscanf(children, "%ld", &child) == 1) {
            (void)kill((pid_t)child, SIGKILL);
        }
        if (children) {
            (void)fclose(children);
        }
        struct timespec pause = {0, ORPHAN_PAUSE_NS};
        (void)nanosleep(&pause, NULL);
    }
}

static _Noreturn void parent_run(const char *folder, const char *interrupted) {
    int state = 0;
    pid_t ended = 0;
    while ((ended = waitpid(worker, &state, 0)) < 0 && errno == EINTR) {
    }
    const char *reason = ended < 0 ? strerror(errno) : NULL;
    orphans_kill();
    (void)folder_remove(folder, NULL);
    if (reason) {  // its end is unknown, so it counts as a failure
        (void)fprintf(stderr, _("tilegrade: cannot wait for its own process: %s\n"), reason);
        _exit(EXIT_HARNESS);
    }
    parent_end(state, interrupted);
}

static void worker_become(const char *folder, pid_t parent) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent ||
        setenv("TMPDIR", folder, 1) != 0) {
        _exit(EXIT_HARNESS);
    }
}

enum status supervise(const char *interrupted, struct error *err) {
    char folder[PATH_BYTES_MAX];
    sigset_t passed;
    sigset_t before;
    struct sigaction pass = {.sa_handler = signal_pass};
    enum status status = folder_new(folder, err);
    if (status) {
        return status;
    }
    (void)sigemptyset(&passed);
    for (size_t i = 0; i < PASSED_COUNT; i++) {
        (void)sigaddset(&passed, passed_signals[i]);
    }
    (void)sigprocmask(SIG_BLOCK, &passed, &before);  // a signal waits until `worker` is known
    (void)fflush(NULL);
    // The process that started us may ignore SIGCHLD, and then the kernel would forget how our
    // children end.
    (void)signal(SIGCHLD, SIG_DFL);
    pid_t parent = getpid();
    worker = fork();
    if (worker == 0) {
        (void)sigprocmask(SIG_SETMASK, &before, NULL);
        worker_become(folder, parent);
        return STATUS_OK;
    }
    if (worker < 0) {
        status = fail_errno(err, STATUS_SYSTEM, "cannot start a process");
        (void)folder_remove(folder, NULL);
        (void)sigprocmask(SIG_SETMASK, &before, NULL);
        return status;
    }
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (size_t i = 0; i < PASSED_COUNT; i++) {
        struct sigaction old;
        bool ignored = sigaction(passed_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN;
        if (!ignored) {  // as nohup does
            (void)sigaction(passed_signals[i], &pass, NULL);
        }
    }
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    parent_run(folder, interrupted);
}
