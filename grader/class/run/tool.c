// See tool.h.
#include "class/run/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

#define EXIT_ABSENT 127

static _Noreturn void tool_exec(char *const *words, int said_fd) {
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    (void)unsetenv("TMPDIR");
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
        dup2(said_fd, STDOUT_FILENO) >= 0 && dup2(said_fd, STDERR_FILENO) >= 0) {
        (void)execvp(words[0], words);
    }
    _exit(EXIT_ABSENT);
}

enum status class_tool_run(char *const *words, int *ret_code, char ret_said[TOOL_SAID_BYTES],
                           struct error *err) {
    int said_fd = memfd_create("tool", MFD_CLOEXEC);
    if (said_fd < 0) {
        return fail_errno(err, STATUS_SYSTEM, "%s: cannot be run", words[0]);
    }
    int state = 0;
    pid_t ended = -1;
    pid_t pid = fork();
    if (pid == 0) {
        tool_exec(words, said_fd);
    }
    while (pid > 0 && (ended = waitpid(pid, &state, 0)) < 0 && errno == EINTR) {
    }
    if (ended != pid) {
        enum status status = fail_errno(err, STATUS_SYSTEM, "%s: cannot be run", words[0]);
        (void)close(said_fd);
        return status;
    }
    ssize_t bytes = pread(said_fd, ret_said, TOOL_SAID_BYTES - 1, 0);
    ret_said[bytes > 0 ? bytes : 0] = '\0';
    text_clean(ret_said);
    text_end(ret_said);
    (void)close(said_fd);
    *ret_code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    return *ret_code == EXIT_ABSENT && ret_said[0] == '\0'
               ? fail(err, STATUS_UNAVAILABLE, "%s: not found here; is this a host of a cluster?",
                      words[0])
               : STATUS_OK;
}
