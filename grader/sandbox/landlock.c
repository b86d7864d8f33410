// The C library has no functions for Landlock, and older headers lack its newer rights, so this
// file defines both.
#include "sandbox/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
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
    if (fd < 0) {  // an absent path needs no rule; one that is there does, or a compiler fails
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
const char *const *landlock_tool_paths(void) {
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
        status = path_allow(fd, folder, attributes.files, attributes.files, err);
    }
    if (status) {
        (void)close(fd);
        return status;
    }
    *ret_fd = fd;
    return STATUS_OK;
}

int landlock_allow_thread_names(int fd, int version) {
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

int landlock_apply(int fd) {
    return (int)syscall(CALL_RESTRICT_SELF, fd, 0);
}
