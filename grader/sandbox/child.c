// Runs in the forked child of a process that may have threads: no malloc, no stdio, no locks.
//
// The order matters: descriptors first, then limits (RLIMIT_NOFILE would stop the copying of
// descriptors; /dev/null may not be in the new root), then everything that drops rights, the filter
// of system calls last, and finally exec.
//
// The C library has no functions for Landlock, and older headers lack its newer rights, so this
// file defines both. The new root is a small tmpfs mounted over /tmp, a folder that every system
// has.  Everything that it takes from the old root is opened before the mount, so that sources
// below /tmp are found too.
#include "sandbox/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALL_CREATE_RULESET 444
#define CALL_ADD_RULE       445
#define CALL_RESTRICT_SELF  446
#define RULE_PATH_BENEATH   1
#define CREATE_VERSION      1u

// Rights by the version that introduced them.
#define FS_EXECUTE    (1ull << 0)
#define FS_WRITE_FILE (1ull << 1)
#define FS_READ_FILE  (1ull << 2)
#define FS_READ_DIR   (1ull << 3)
#define FS_VERSION_1  ((1ull << 13) - 1)
#define FS_REFER      (1ull << 13)  // version 2
#define FS_TRUNCATE   (1ull << 14)  // version 3
#define FS_IOCTL_DEV  (1ull << 15)  // version 5
#define FS_READ       (FS_EXECUTE | FS_READ_FILE | FS_READ_DIR)
#define FS_OF_A_FILE  (FS_EXECUTE | FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEV)
#define NET_BOTH      3ull  // version 4: bind and connect of TCP
#define SCOPE_BOTH    3ull  // version 6: abstract sockets and signals

struct ruleset_attributes {
    uint64_t files;
    uint64_t net;
    uint64_t scoped;
};

struct path_beneath {
    uint64_t allowed;
    int32_t parent_fd;
} __attribute__((packed));

int landlock_version(void) {
    long version = syscall(CALL_CREATE_RULESET, NULL, 0, CREATE_VERSION);
    return version > 0 ? (int)version : 0;
}

static struct ruleset_attributes handled(int version) {
    struct ruleset_attributes attributes = {.files = FS_VERSION_1};
    attributes.files |= version >= 2 ? FS_REFER : 0;
    attributes.files |= version >= 3 ? FS_TRUNCATE : 0;
    attributes.files |= version >= 5 ? FS_IOCTL_DEV : 0;
    attributes.net = version >= 4 ? NET_BOTH : 0;
    attributes.scoped = version >= 6 ? SCOPE_BOTH : 0;
    return attributes;
}

static size_t attributes_bytes(int version) {
    return version >= 6   ? sizeof(struct ruleset_attributes)
           : version >= 4 ? 2 * sizeof(uint64_t)
                          : sizeof(uint64_t);
}

static enum status path_allow(int ruleset, const char *path, uint64_t rights, uint64_t known,
                              struct error *err) {
    struct stat info;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) {  // an absent path needs no rule; an existing one does, or a compiler fails
        bool absent = errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP;
        return absent ? STATUS_OK
                      : fail_errno(err, STATUS_SYSTEM, "landlock: cannot open %s", path);
    }
    enum status status = STATUS_OK;
    struct path_beneath rule = {.allowed = rights & known, .parent_fd = fd};
    if (fstat(fd, &info) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "landlock: cannot open %s", path);
    } else {
        rule.allowed &= S_ISDIR(info.st_mode) ? known : FS_OF_A_FILE;
        if (syscall(CALL_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) != 0) {
            status = fail_errno(err, STATUS_SYSTEM, "landlock: cannot add a rule for %s", path);
        }
    }
    (void)close(fd);
    return status;
}

static enum status paths_allow(int ruleset, const char *const *paths, uint64_t rights,
                               uint64_t known, struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; !status && paths && paths[i]; i++) {
        status = path_allow(ruleset, paths[i], rights, known, err);
    }
    return status;
}

static const char *const tool_paths[] = {"/usr/bin",
                                         "/usr/local/bin",
                                         "/usr/lib",
                                         "/usr/lib32",
                                         "/usr/lib64",
                                         "/usr/libx32",
                                         "/usr/libexec",
                                         "/usr/local/lib",
                                         "/bin",
                                         "/lib",
                                         "/lib32",
                                         "/lib64",
                                         "/libx32",
                                         "/etc/ld.so.cache",
                                         "/etc/alternatives",
                                         "/dev/urandom",
#ifdef __SANITIZE_ADDRESS__  // AddressSanitizer reads its own map
                                         "/proc",
#endif
                                         NULL};
// The system paths that PROFILE_TOOL may read, NULL-terminated: only compilers, linkers and their
// libraries, not even /usr/include.
static const char *const *landlock_tool_paths(void) {
    return tool_paths;
}

static const char *const everything[] = {"/", NULL};
static const char *const device_paths[] = {"/dev", NULL};
static const char *const null_path[] = {"/dev/null", NULL};

static enum status profile_allow(int ruleset, enum box_profile profile, uint64_t known,
                                 struct error *err) {
    enum status status = STATUS_OK;
    if (profile == PROFILE_TOOL) {
        status = paths_allow(ruleset, tool_paths, FS_READ, known, err);
    } else if (profile == PROFILE_GPU) {  // drivers and toolkits may be anywhere
        status = paths_allow(ruleset, everything, FS_READ, known, err);
        if (!status) {
            status = paths_allow(ruleset, device_paths,
                                 FS_READ | FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEV, known, err);
        }
    }
    if (!status && profile != PROFILE_KERNEL) {
        status =
            paths_allow(ruleset, null_path, FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE, known, err);
    }
    return status;
}

enum status landlock_rules(int version, enum box_profile profile, const char *folder,
                           const char *const *readable, int *ret_fd, struct error *err) {
    const struct ruleset_attributes attributes = handled(version);
    int fd = (int)syscall(CALL_CREATE_RULESET, &attributes, attributes_bytes(version), 0);
    if (fd < 0) {
        return fail_errno(err, STATUS_SYSTEM, "landlock: cannot create a ruleset");
    }
    enum status status = profile_allow(fd, profile, attributes.files, err);
    if (!status) {
        status = paths_allow(fd, readable, FS_READ, attributes.files, err);
    }
    if (!status && folder && profile != PROFILE_KERNEL) {
        uint64_t rights = profile == PROFILE_PROGRAM  ? FS_READ
                          : profile == PROFILE_WRITER ? attributes.files & ~FS_EXECUTE
                                                      : attributes.files;
        status = path_allow(fd, folder, rights, attributes.files, err);
    }
    if (status) {
        (void)close(fd);
        return status;
    }
    *ret_fd = fd;
    return STATUS_OK;
}

// For the child, before landlock_apply: lets it name its threads, as NVIDIA's driver must (cuInit
// fails if it cannot write /proc/self/task/N/comm).  Only the child itself can add this rule,
// because /proc/self is a different folder for its parent.  Async-signal-safe; -1 with errno.
// Source: https://github.com/NVIDIA/OpenShell/issues/1486
static int landlock_allow_thread_names(int fd, int version) {
    const uint64_t rights = (FS_WRITE_FILE | FS_TRUNCATE) & handled(version).files;
    struct path_beneath rule = {.allowed = rights,
                                .parent_fd = open("/proc/self/task", O_PATH | O_CLOEXEC)};
    if (rule.parent_fd < 0) {
        return -1;
    }
    int failed = (int)syscall(CALL_ADD_RULE, fd, RULE_PATH_BENEATH, &rule, 0);
    (void)close(rule.parent_fd);
    return failed;
}

// For the child, with no_new_privs set.  Async-signal-safe; -1 with errno.
static int landlock_apply(int fd) {
    return (int)syscall(CALL_RESTRICT_SELF, fd, 0);
}

#define STAGE         "/tmp"
#define STAGE_OPTIONS "size=256k,nr_inodes=400,mode=755"
#define TREE_CLONE    1u  // OPEN_TREE_CLONE
#define TREE_CLOEXEC  O_CLOEXEC
#define TREE_WHOLE    0x8000u  // AT_RECURSIVE
#define MOVE_FROM_FD  4u       // MOVE_MOUNT_F_EMPTY_PATH
#define ATTR_RDONLY   1ull
#define ATTR_NOSUID   2ull

// struct mount_attr, which older headers lack.
struct tree_attributes {
    uint64_t set, clear, propagation, user_ns;
};

// --- Before the fork -----------------------------------------------------------------

// An absent path is skipped.  Other errors are fatal, because the path would be missing later.
static void entry_skip(struct root_plan *plan) {
    if (errno != ENOENT && errno != ENOTDIR && errno != EACCES && errno != ELOOP) {
        plan->trouble = errno;
    }
}

static void entry_add(struct root_plan *plan, const char *path, bool writable) {
    struct stat info;
    if (plan->count == ROOT_ENTRIES_MAX) {
        return;
    }
    if (lstat(path, &info) != 0) {
        entry_skip(plan);
        return;
    }
    struct root_entry *entry = &plan->entry[plan->count];
    memset(entry, 0, sizeof *entry);
    entry->path = path;
    entry->writable = writable;
    if (S_ISLNK(info.st_mode)) {
        ssize_t length = readlink(path, entry->link, sizeof entry->link - 1);
        if (length < 0 || stat(path, &info) != 0) {
            entry_skip(plan);
            return;
        }
        if (length == 0 || length == (ssize_t)sizeof entry->link - 1) {
            return;
        }
        entry->link[length] = '\0';
    }
    entry->folder = S_ISDIR(info.st_mode);
    plan->count++;
}

static void entries_add(struct root_plan *plan, const char *const *paths) {
    for (int i = 0; paths && paths[i]; i++) {
        entry_add(plan, paths[i], false);
    }
}

void root_list(enum box_profile profile, const char *folder, const char *const *readable,
               struct root_plan *ret_plan) {
    ret_plan->count = 0;
    ret_plan->trouble = 0;
    if (profile == PROFILE_TOOL) {
        entries_add(ret_plan, landlock_tool_paths());
        entry_add(ret_plan, "/dev/null", true);
    }
    entries_add(ret_plan, readable);
    if (folder) {
        entry_add(ret_plan, folder, profile == PROFILE_TOOL || profile == PROFILE_WRITER);
    }
}

// --- In the child --------------------------------------------------------------------

// STAGE and path, as one path.
static int stage_path(char to[PATH_BYTES_MAX], const char *path) {
    size_t length = strlen(path);
    if (length + sizeof STAGE > PATH_BYTES_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(to, STAGE, sizeof STAGE - 1);
    memcpy(to + sizeof STAGE - 1, path, length + 1);
    return 0;
}

// Makes the parent folders of path in the new root.
static int parents_make(char *path) {
    for (char *at = path + sizeof STAGE; *at != '\0'; at++) {
        if (*at == '/') {
            *at = '\0';
            int made = mkdir(path, 0755);
            *at = '/';
            if (made != 0 && errno != EEXIST && errno != EROFS) {
                return -1;
            }
        }
    }
    return 0;
}

// Makes the mount point of a file or folder.  Inside an earlier mount it exists already.
static int mount_point_make(const struct root_entry *entry, const char *path) {
    if (entry->folder) {
        return mkdir(path, 0755) == 0 || errno == EEXIST || errno == EROFS ? 0 : -1;
    }
    int fd = open(path, O_CREAT | O_RDONLY | O_CLOEXEC, 0644);
    if (fd < 0) {
        return errno == EROFS ? 0 : -1;
    }
    return close(fd);
}

static int entry_take(const struct root_entry *entry, int tree) {
    char path[PATH_BYTES_MAX];
    if (stage_path(path, entry->path) != 0 || parents_make(path) != 0) {
        return -1;
    }
    if (entry->link[0] != '\0') {
        return symlink(entry->link, path) == 0 || errno == EEXIST ? 0 : -1;
    }
    if (mount_point_make(entry, path) != 0 ||
        syscall(SYS_move_mount, tree, "", AT_FDCWD, path, MOVE_FROM_FD) != 0) {
        return -1;
    }
    return close(tree);
}

static int tree_open(const struct root_entry *entry) {
    int fd =
        (int)syscall(SYS_open_tree, AT_FDCWD, entry->path, TREE_CLONE | TREE_CLOEXEC | TREE_WHOLE);
    struct tree_attributes attributes = {.set = ATTR_NOSUID | (entry->writable ? 0 : ATTR_RDONLY)};
    if (fd >= 0 && syscall(SYS_mount_setattr, fd, "", AT_EMPTY_PATH | TREE_WHOLE, &attributes,
                           sizeof attributes) != 0) {
        return -1;
    }
    return fd;
}

static int root_fill(const struct root_plan *plan) {
    int tree[ROOT_ENTRIES_MAX];
    for (int i = 0; i < plan->count; i++) {
        tree[i] = plan->entry[i].link[0] != '\0' ? -1 : tree_open(&plan->entry[i]);
        if (tree[i] < 0 && plan->entry[i].link[0] == '\0') {
            return -1;
        }
    }
    if (mount("tmpfs", STAGE, "tmpfs", MS_NOSUID | MS_NODEV, STAGE_OPTIONS) != 0) {
        return -1;
    }
    for (int i = 0; i < plan->count; i++) {
        if (entry_take(&plan->entry[i], tree[i]) != 0) {
            return -1;
        }
    }
    return 0;
}

// For the child, in its own mount namespace: makes that root and enters it.  Async-signal-safe; -1
// with errno.
static int root_enter(const struct root_plan *plan) {
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || root_fill(plan) != 0) {
        return -1;
    }
    // pivot_root stacks the old root on the new one, and umount2 removes it.
    if (chdir(STAGE) != 0 || syscall(SYS_pivot_root, ".", ".") != 0 ||
        umount2(".", MNT_DETACH) != 0) {
        return -1;
    }
    return mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL);
}

#define FIRST_GIVEN_FD 3
// Descriptors are parked from here on while they are moved to their places, which are all below.
#define PARKING_FD      64
#define DESCRIPTORS_MAX (PARKING_FD - FIRST_GIVEN_FD)

static void give_up(const struct child_plan *plan, const char *what) __attribute__((noreturn));
static void give_up(const struct child_plan *plan, const char *what) {
    struct child_failure failure = {.number = errno};
    strncpy(failure.what, what, sizeof failure.what - 1);
    ssize_t put = write(plan->report_fd, &failure, sizeof failure);
    (void)put;  // the parent then sees only that the child ended
    _exit(127);
}

static void signals_reset(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; number++) {
        (void)sigaction(number, &action,
                        NULL);  // signals that cannot be set have their default anyway
    }
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

// The exec closes every descriptor from `first` on, including report_fd.
static int close_on_exec_from(int first) {
    if (close_range((unsigned)first, ~0u, CLOSE_RANGE_CLOEXEC) == 0) {
        return 0;
    }
    if (errno != ENOSYS && errno != EINVAL) {
        return -1;
    }
    struct rlimit limit;  // kernels before 5.11
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return -1;
    }
    for (int fd = first; fd < (int)limit.rlim_cur; fd++) {
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    return 0;
}

// stdin is /dev/null, stdout and stderr are the output, the passed descriptors follow from 3 on,
// and no other is open.
static void descriptors_place(struct child_plan *plan) {
    int given[DESCRIPTORS_MAX];
    plan->report_fd = fcntl(plan->report_fd, F_DUPFD_CLOEXEC, PARKING_FD);
    int output = fcntl(plan->output_fd, F_DUPFD_CLOEXEC, PARKING_FD);
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (plan->report_fd < 0 || output < 0 || input < 0) {
        give_up(plan, "descriptors");
    }
    int parked_input = fcntl(input, F_DUPFD_CLOEXEC, PARKING_FD);
    for (int i = 0; i < plan->descriptor_count; i++) {
        given[i] = fcntl(plan->descriptor[i], F_DUPFD_CLOEXEC, PARKING_FD);
        if (given[i] < 0) {
            give_up(plan, "descriptors");
        }
    }
    if (!plan->shares_streams &&
        (dup2(parked_input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
         dup2(output, STDERR_FILENO) < 0)) {
        give_up(plan, "descriptors");
    }
    for (int i = 0; i < plan->descriptor_count; i++) {
        if (dup2(given[i], FIRST_GIVEN_FD + i) < 0) {
            give_up(plan, "descriptors");
        }
    }
    if (close_on_exec_from(FIRST_GIVEN_FD + plan->descriptor_count) != 0) {
        give_up(plan, "descriptors");
    }
}

// Lowers a limit; never tries to raise a hard one, which an ordinary user may not.
static void limit_set(const struct child_plan *plan, int resource, uint64_t soft, uint64_t hard) {
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) != 0) {
        give_up(plan, "limits");
    }
    if (limit.rlim_max == RLIM_INFINITY || hard < limit.rlim_max) {
        limit.rlim_max = hard;
    }
    limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
    if (setrlimit((__rlimit_resource_t)resource, &limit) != 0) {
        give_up(plan, "limits");
    }
}

static void limits_set(const struct child_plan *plan) {
    const struct box_limits *limits = plan->limits;
    limit_set(plan, RLIMIT_CORE, 0, 0);
    if (limits->cpu_seconds != 0) {
        // SIGXCPU at the soft limit shows the reason; a program that ignores it is killed a second
        // later.
        limit_set(plan, RLIMIT_CPU, limits->cpu_seconds, limits->cpu_seconds + 1);
    }
#ifndef __SANITIZE_ADDRESS__  // its shadow memory needs 16 TiB of addresses, even after exec
    if (limits->memory_bytes != 0) {
        limit_set(plan, RLIMIT_AS, limits->memory_bytes, limits->memory_bytes);
    }
#endif
    if (limits->file_bytes != 0) {
        limit_set(plan, RLIMIT_FSIZE, limits->file_bytes, limits->file_bytes);
    }
    if (limits->open_files != 0) {
        limit_set(plan, RLIMIT_NOFILE, limits->open_files, limits->open_files);
    }
    if (limits->processes != 0) {
        limit_set(plan, RLIMIT_NPROC, limits->processes, limits->processes);
    }
}

// Global, so that a filter made long before can name its address; only the child writes it.
static char exec_path[PATH_BYTES_MAX];

const char *child_exec_path(void) {
    return exec_path;
}

static void text_write(const struct child_plan *plan, const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    ssize_t length = (ssize_t)strlen(text);
    if (fd < 0 || write(fd, text, (size_t)length) != length) {
        give_up(plan, "user namespace");
    }
    (void)close(fd);
}

// "1000 1000 1": maps only this user.
static void map_write(const struct child_plan *plan, const char *path, unsigned id) {
    char text[32];
    char digits[12];
    int count = 0;
    do {
        digits[count++] = (char)('0' + id % 10);
        id /= 10;
    } while (id != 0);
    int length = 0;
    for (int copy = 0; copy < 2; copy++) {
        for (int i = count - 1; i >= 0; i--) {
            text[length++] = digits[i];
        }
        text[length++] = ' ';
    }
    text[length++] = '1';
    text[length] = '\0';
    text_write(plan, path, text);
}

// In a new user namespace a process has no user until one is mapped.
static void user_map(const struct child_plan *plan, uid_t user, gid_t group) {
    text_write(plan, "/proc/self/setgroups", "deny");
    map_write(plan, "/proc/self/uid_map", user);
    map_write(plan, "/proc/self/gid_map", group);
}

// By system calls: the C library's functions change all threads of the process.  In the child the C
// library still lists the parent's threads, and would wait forever for a thread that was just
// starting.
static void user_drop(const struct child_plan *plan) {
    gid_t group = (gid_t)plan->uid;
    if (syscall(SYS_setgroups, 0, NULL) != 0 || syscall(SYS_setresgid, group, group, group) != 0 ||
        syscall(SYS_setresuid, plan->uid, plan->uid, plan->uid) != 0) {
        give_up(plan, "user");
    }
}

// No program may outlive the judge, however the judge ends.  Call this after a change of user,
// which would clear the setting.  The poll detects a parent that died before prctl, because only
// the judge has the other end of the report's pipe.
static void die_with_parent(const struct child_plan *plan) {
    struct pollfd report = {.fd = plan->report_fd};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || poll(&report, 1, 0) < 0 ||
        (report.revents & POLLERR)) {
        give_up(plan, "parent");
    }
}

// Drops rights irrevocably.
static void rights_drop(const struct child_plan *plan) {
    if (plan->uid != 0) {
        user_drop(plan);
    }
    die_with_parent(plan);
    // A set-user-ID program cannot restore privileges.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        give_up(plan, "no_new_privs");
    }
    if (plan->landlock_fd >= 0 && landlock_apply(plan->landlock_fd) != 0) {
        give_up(plan, "landlock");
    }
    if (plan->filter && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, plan->filter, 0, 0) != 0) {
        give_up(plan, "seccomp");
    }
}

static void attempt_run(const struct child_plan *plan) __attribute__((noreturn));
static void attempt_run(const struct child_plan *plan) {
    struct child_failure result = {.number = plan->attempt(plan), .what = CHILD_ATTEMPT};
    ssize_t put = write(plan->report_fd, &result, sizeof result);
    (void)put;
    _exit(0);
}

// Never returns.  Calls only functions that are async-signal-safe.
static void child_become(const struct child_plan *given_plan, uid_t user, gid_t group)
    __attribute__((noreturn));
static void child_become(const struct child_plan *given_plan, uid_t user, gid_t group) {
    struct child_plan plan = *given_plan;
    (void)close(plan.report_read_fd);
    if (setsid() < 0) {
        give_up(&plan, "session");
    }
    if (plan.namespaces & CLONE_NEWUSER) {
        user_map(&plan, user, group);
    }
    signals_reset();
    if (plan.descriptor_count > DESCRIPTORS_MAX) {
        errno = EMFILE;
        give_up(&plan, "descriptors");
    }
    if (plan.landlock_fd >= 0) {
        plan.landlock_fd = fcntl(plan.landlock_fd, F_DUPFD_CLOEXEC, PARKING_FD);
    }
    descriptors_place(&plan);
    (void)umask(0);
    if (plan.root && root_enter(plan.root) != 0) {
        give_up(&plan, "root");
    }
    (void)umask(077);
    if (plan.folder && chdir(plan.folder) != 0) {
        give_up(&plan, "working folder");
    }
    // It opens a file, which RLIMIT_NOFILE would refuse: the caller's own files are still open.
    if (plan.landlock_thread_names > 0 &&
        landlock_allow_thread_names(plan.landlock_fd, plan.landlock_thread_names) != 0) {
        give_up(&plan, "landlock");
    }
    limits_set(&plan);
    rights_drop(&plan);
    if (plan.attempt) {
        attempt_run(&plan);
    }
    strncpy(exec_path, plan.path, sizeof exec_path - 1);
    (void)execve(exec_path, plan.argument, plan.environment);
    give_up(&plan, "exec");
}

pid_t child_fork(const struct child_plan *plan) {
    uid_t user = geteuid();
    gid_t group = getegid();
    // The C library's fork does not support namespaces.  The child calls nothing that depends on
    // that fork.
    pid_t pid = plan->namespaces == 0
                    ? fork()
                    : (pid_t)syscall(SYS_clone, (long)(plan->namespaces | SIGCHLD), 0, 0, 0, 0);
    if (pid == 0) {
        child_become(plan, user, group);
    }
    return pid;
}
