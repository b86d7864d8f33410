// Tries the layers one by one, each with a child that attempts what the layer should stop.
#include "sandbox/sandbox.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compose.h"
#include "sandbox/box.h"
#include "sandbox/child.h"

// User IDs that no package and no person gets: between those of Debian's useradd and "nobody".
// Source: systemd.io, "Users, Groups, UIDs and GIDs on systemd Systems" (61184 to 65519 are
// dynamic).
#define UID_FIRST 61184u
#define UID_COUNT 4000u
#define UID_TRIES 100u

// --- Attempts, made in the child -----------------------------------------------------

// The result that the child reports.
enum attempt { HELD, NOT_HELD, NEEDED_UNREADABLE, SCRATCH_CLOSED };

static int attempt_network(const struct child_plan *plan) {
    (void)plan;
    return socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EPERM ? HELD : NOT_HELD;
}

// The filter must kill the child here.
static int attempt_file(const struct child_plan *plan) {
    (void)plan;
    (void)open("/dev/null", O_RDONLY | O_CLOEXEC);
    return NOT_HELD;
}

static int attempt_read(const struct child_plan *plan) {
    (void)plan;
    bool refused = open("/etc/passwd", O_RDONLY | O_CLOEXEC) < 0 && errno == EACCES;
    bool allowed = open("/dev/null", O_RDWR | O_CLOEXEC) >= 0;
    return refused && allowed ? HELD : NOT_HELD;
}

static int attempt_names(const struct child_plan *plan) {
    (void)plan;
    bool gone = access("/etc/passwd", F_OK) != 0 && errno == ENOENT;
    bool kept = access("/usr/bin", R_OK | X_OK) == 0;
    bool fixed = mkdir("/tilegrade", 0755) != 0;
    return gone && kept && fixed ? HELD : NOT_HELD;
}

static int attempt_user(const struct child_plan *plan) {
    if (geteuid() != plan->uid || syscall(SYS_setuid, 0) == 0) {
        return NOT_HELD;
    }
    for (int i = 0; plan->needed && plan->needed[i]; i++) {
        if (plan->needed[i][0] != '\0' && access(plan->needed[i], R_OK | X_OK) != 0) {
            return NEEDED_UNREADABLE;
        }
    }
    // With a root of its own, a program has its scratch folder at a path that it may enter.
    return plan->root || access(box_scratch_parent(), X_OK) == 0 ? HELD : SCRATCH_CLOSED;
}

static int attempt_outside(const struct child_plan *plan) {
    (void)plan;
    const struct sockaddr_in here = {
        .sin_family = AF_INET, .sin_port = htons(1), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool cut_off = fd >= 0 && connect(fd, (const struct sockaddr *)&here, sizeof here) != 0 &&
                   errno == ENETUNREACH;
    return getpid() == 1 && cut_off ? HELD : NOT_HELD;
}

// --- Probes --------------------------------------------------------------------------

struct probe_end {
    int signal;  // 0: it ended by itself
    struct child_failure said;
};

// Runs an attempt in a child with the layers of the plan.  False: no such child could be made, and
// errno says why.
static bool probe(struct child_plan *plan, int (*attempt)(const struct child_plan *plan),
                  struct probe_end *ret_end) {
    static const struct box_limits limits = {.cpu_seconds = 5};
    struct probe_end end = {.signal = 0};
    int report[2];
    int state = 0;
    if (pipe2(report, O_CLOEXEC) != 0) {
        return false;
    }
    plan->limits = &limits;
    plan->attempt = attempt;
    plan->output_fd = plan->report_fd = report[1];
    plan->report_read_fd = report[0];
    pid_t pid = child_fork(plan);
    int number = errno;
    (void)close(report[1]);
    if (pid > 0) {
        ssize_t got = read(report[0], &end.said, sizeof end.said);
        if (got != (ssize_t)sizeof end.said) {
            words_write(end.said.what, sizeof end.said.what, "the child sent no report");
        }
        while (waitpid(pid, &state, 0) < 0 && errno == EINTR) {
        }
        end.signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
        *ret_end = end;
    }
    (void)close(report[0]);
    errno = number;
    return pid > 0;
}

// An error of the system in words.
static const char *why_of(int number, char text[LAYER_WHY_BYTES]) {
    words_name(text, LAYER_WHY_BYTES, strerror(number));
    return text;
}

static void layer_off(struct sandbox *sandbox, enum sandbox_layer layer, const char *what,
                      const char *why) {
    sandbox->on[layer] = false;
    if (what[0] != '\0') {
        words_write(sandbox->why[layer], sizeof sandbox->why[layer], "%s: %s", what, why);
    } else {
        words_write(sandbox->why[layer], sizeof sandbox->why[layer], "%s", why);
    }
}

// True for a layer that SANDBOX_WITHOUT names, as in "own-user,namespaces".
static bool layer_is_left_out(struct sandbox *sandbox, enum sandbox_layer layer) {
    const char *list = getenv(SANDBOX_WITHOUT);
    const char *name = sandbox_layer_name(layer);
    size_t length = strlen(name);
    for (const char *at = list; at && *at != '\0'; at += strspn(at, ", ")) {
        size_t word = strcspn(at, ", ");
        if (word == length && memcmp(at, name, length) == 0) {
            layer_off(sandbox, layer, "", _("turned off by TILEGRADE_SANDBOX_WITHOUT"));
            return true;
        }
        at += word;
    }
    return false;
}

// Turns a layer on or off by the result of its probe.
static void layer_judge(struct sandbox *sandbox, enum sandbox_layer layer, bool forked,
                        const struct probe_end *end) {
    char why[LAYER_WHY_BYTES];
    sandbox->on[layer] = false;
    if (!forked) {
        layer_off(sandbox, layer, "", why_of(errno, why));
    } else if (strcmp(end->said.what, CHILD_ATTEMPT) != 0) {
        layer_off(sandbox, layer, end->said.what, why_of(end->said.number, why));
    } else if (end->said.number == NEEDED_UNREADABLE) {
        layer_off(sandbox, layer, "",
                  _("tilegrade or the compiler cannot be read by other users (chmod o+rx)"));
    } else if (end->said.number == SCRATCH_CLOSED) {
        layer_off(sandbox, layer, "", _("other users cannot enter the folder TMPDIR (chmod o+x)"));
    } else if (end->said.number != HELD) {
        layer_off(sandbox, layer, "", _("an attempt to break it succeeded"));
    } else {
        sandbox->on[layer] = true;
    }
}

static enum status seccomp_try(struct sandbox *sandbox, struct error *err) {
    struct child_plan plan = {.landlock_fd = -1};
    struct probe_end end = {.signal = 0};
    enum status status = STATUS_OK;
    for (int i = PROFILE_TOOL; !status && i < PROFILE_COUNT; i++) {
        status =
            seccomp_filter_make((enum box_profile)i, child_exec_path(), &sandbox->filter[i], err);
    }
    if (status || layer_is_left_out(sandbox, LAYER_SECCOMP)) {
        return status;
    }
    plan.filter = &sandbox->filter[PROFILE_TOOL];
    bool forked = probe(&plan, attempt_network, &end);
    layer_judge(sandbox, LAYER_SECCOMP, forked, &end);
    if (sandbox->on[LAYER_SECCOMP]) {
        plan.filter = &sandbox->filter[PROFILE_KERNEL];
        forked = probe(&plan, attempt_file, &end);
        if (!forked || end.signal != SIGSYS) {
            layer_off(sandbox, LAYER_SECCOMP, "", _("a program that broke it was not killed"));
        }
    }
    return STATUS_OK;
}

static enum status landlock_try(struct sandbox *sandbox, struct error *err) {
    struct child_plan plan = {.landlock_fd = -1};
    struct probe_end end = {.signal = 0};
    char why[LAYER_WHY_BYTES];
    if (layer_is_left_out(sandbox, LAYER_LANDLOCK)) {
        return STATUS_OK;
    }
    sandbox->landlock_abi = landlock_version();
    if (sandbox->landlock_abi == 0) {
        layer_off(sandbox, LAYER_LANDLOCK, "", why_of(errno, why));
        return STATUS_OK;
    }
    enum status status =
        landlock_rules(sandbox->landlock_abi, PROFILE_TOOL, NULL, NULL, &plan.landlock_fd, err);
    if (!status) {
        bool forked = probe(&plan, attempt_read, &end);
        layer_judge(sandbox, LAYER_LANDLOCK, forked, &end);
        (void)close(plan.landlock_fd);
    }
    return status;
}

// An unused user ID, derived from our process number, so that two runs of tilegrade do not share
// one.
static uid_t user_choose(void) {
    for (unsigned i = 0; i < UID_TRIES; i++) {
        uid_t uid = UID_FIRST + ((unsigned)getpid() + i) % UID_COUNT;
        if (!getpwuid(uid)) {
            return uid;
        }
    }
    return 0;
}

static void user_try(struct sandbox *sandbox, const char *const *needed) {
    struct child_plan plan = {.landlock_fd = -1, .needed = needed};
    struct probe_end end = {.signal = 0};
    struct root_plan root;
    if (layer_is_left_out(sandbox, LAYER_USER)) {
        return;
    }
    if (geteuid() != 0) {
        layer_off(sandbox, LAYER_USER, "", _("only root can change the user"));
        return;
    }
    plan.uid = sandbox->uid = user_choose();
    if (plan.uid == 0) {
        layer_off(sandbox, LAYER_USER, "", _("no user ID is free"));
        return;
    }
    if (sandbox->on[LAYER_ROOT]) {  // there every user may enter the parents of the needed paths
        root_list(PROFILE_TOOL, NULL, needed, &root);
        plan.namespaces = sandbox->namespaces | CLONE_NEWNS;
        plan.root = &root;
    }
    bool forked = probe(&plan, attempt_user, &end);
    layer_judge(sandbox, LAYER_USER, forked, &end);
}

static void namespaces_try(struct sandbox *sandbox) {
    struct child_plan plan = {.landlock_fd = -1};
    struct probe_end end = {.signal = 0};
    if (layer_is_left_out(sandbox, LAYER_NAMESPACES)) {
        return;
    }
    sandbox->namespaces = CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    if (geteuid() != 0) {
        sandbox->namespaces |= CLONE_NEWUSER;
    }
    plan.namespaces = sandbox->namespaces;
    bool forked = probe(&plan, attempt_outside, &end);
    layer_judge(sandbox, LAYER_NAMESPACES, forked, &end);
}

static void root_try(struct sandbox *sandbox) {
    struct child_plan plan = {.landlock_fd = -1};
    struct probe_end end = {.signal = 0};
    struct root_plan root;
    if (layer_is_left_out(sandbox, LAYER_ROOT)) {
        return;
    }
    if (!sandbox->on[LAYER_NAMESPACES]) {
        layer_off(sandbox, LAYER_ROOT, "", _("namespaces are not available"));
        return;
    }
    root_list(PROFILE_TOOL, NULL, NULL, &root);
    plan.namespaces = sandbox->namespaces | CLONE_NEWNS;
    plan.root = &root;
    bool forked = probe(&plan, attempt_names, &end);
    layer_judge(sandbox, LAYER_ROOT, forked, &end);
}

enum status sandbox_probe(struct sandbox *sandbox, const char *const *needed, struct error *err) {
    enum status status = seccomp_try(sandbox, err);
    if (!status) {
        status = landlock_try(sandbox, err);
    }
    if (!status) {
        namespaces_try(sandbox);
        root_try(sandbox);
        user_try(sandbox, needed);
    }
    return status;
}
