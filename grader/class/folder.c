// See folder.h.  The lock is one of an open file (F_OFD_SETLK): the system releases it when the
// process is gone, it also holds between machines that share the file system, and a process that
// only asks for the state takes none.
#include "class/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"

#define FOLDER_MODE   0700
#define LOCK_TEXT_MAX 32

// A folder that is not of an earlier run must be empty, so that a mistyped name mixes nothing.
static enum status content_check(const char *out, struct error *err) {
    static const char *const files[] = {"seed", "plan.json"};  // a seed may be removed by hand
    char path[PATH_BYTES_MAX];
    bool is_ours = false;
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && !is_ours && i < COUNT(files); i++) {
        status = path_make(path, err, "%s/%s", out, files[i]);
        if (!status) {
            status = file_exists(path, &is_ours, err);
        }
    }
    if (status || is_ours) {
        return status;
    }
    DIR *folder = opendir(out);
    if (!folder) {
        return fail_errno(err, status_of_errno(STATUS_BAD_USAGE), "%s", out);
    }
    const struct dirent *entry = NULL;
    while (!status && (entry = readdir(folder)) != NULL) {
        // A run that was killed at its very beginning leaves these.
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "lock") != 0 &&
            strncmp(entry->d_name, "seed", 4) != 0) {
            status = fail(err, STATUS_BAD_USAGE,
                          "%s: holds other files than those of a class, such as %.80s; name an "
                          "empty or a new folder",
                          out, entry->d_name);
        }
    }
    (void)closedir(folder);
    return status;
}

enum status class_folder_open(const char *out, struct error *err) {
    struct stat info;
    if (stat(out, &info) == 0) {
        enum status status =
            S_ISDIR(info.st_mode)
                ? content_check(out, err)
                : fail(err, STATUS_BAD_USAGE, "%s: not a folder; a class needs one", out);
        if (status) {
            return status;
        }
    } else {
        enum status status = folder_make(out, err);
        if (status) {
            return status;
        }
    }
    return chmod(out, FOLDER_MODE) == 0 ? STATUS_OK
                                        : fail_errno(err, STATUS_SYSTEM,
                                                     "%s: cannot make it "
                                                     "private",
                                                     out);
}

static struct flock whole_file(short type) {
    return (struct flock){.l_type = type, .l_whence = SEEK_SET};
}

static enum status lock_path(const char *out, char path[PATH_BYTES_MAX], struct error *err) {
    return path_make(path, err, "%s/lock", out);
}

// The number that the owner of the lock has written; -1 if there is none.
static long owner_read(int fd) {
    char text[LOCK_TEXT_MAX];
    ssize_t bytes = pread(fd, text, sizeof text - 1, 0);
    text[bytes > 0 ? bytes : 0] = '\0';
    long owner = strtol(text, NULL, 10);
    return owner > 0 ? owner : -1;
}

enum status class_folder_lock(const char *out, int *ret_fd, struct error *err) {
    char path[PATH_BYTES_MAX];
    char text[LOCK_TEXT_MAX];
    struct flock lock = whole_file(F_WRLCK);
    enum status status = lock_path(out, path, err);
    if (status) {
        return status;
    }
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    if (fcntl(fd, F_OFD_SETLK, &lock) != 0) {
        status = errno == EAGAIN || errno == EACCES
                     ? fail(err, STATUS_BAD_USAGE,
                            "%s: another class run works here (process %ld); wait for it", out,
                            owner_read(fd))
                     : fail_errno(err, STATUS_SYSTEM, "%s: cannot lock", path);
        (void)close(fd);
        return status;
    }
    int bytes = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)bytes, 0) != bytes) {
        status = fail_errno(err, STATUS_SYSTEM, "%s: cannot write", path);
        (void)close(fd);
        return status;
    }
    *ret_fd = fd;
    return STATUS_OK;
}

long class_folder_user(const char *out) {
    char path[PATH_BYTES_MAX];
    struct flock lock = whole_file(F_WRLCK);
    int fd = lock_path(out, path, NULL) ? -1 : open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) {
        return 0;
    }
    bool unlocked = fcntl(fd, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK;
    long owner = unlocked ? 0 : owner_read(fd);
    (void)close(fd);
    return owner;
}

enum status class_file_write(const char *path, const void *bytes, size_t count, struct error *err) {
    mode_t mask = umask(CLASS_MASK);
    enum status status = file_write(path, bytes, count, err);
    (void)umask(mask);
    return status;
}
