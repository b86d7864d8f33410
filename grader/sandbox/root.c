// The new root is a small tmpfs mounted over /tmp, a folder that every system has.  What it takes
// from the old root is opened before the mount, so that sources below /tmp are found too.
#include "sandbox/root.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/landlock.h"

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

// An absent path is skipped.  Other errors are trouble, because the path would be missing later.
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
        entry_add(ret_plan, folder, profile == PROFILE_TOOL);
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

int root_enter(const struct root_plan *plan) {
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
