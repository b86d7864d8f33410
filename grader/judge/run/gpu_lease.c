// flock belongs to the open file, which no child of ours inherits (O_CLOEXEC).  The file stays: to
// remove it would let two programs lock two files of one name.
#include "judge/run/gpu_lease.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/translate.h"

#define FOLDER_VARIABLE "TILEGRADE_LOCKS"
#define FOLDER_DEFAULT  "/tmp/tilegrade-locks"
#define FOLDER_MODE     01777  // any user may lock, no user removes the file of another
#define FILE_MODE       0666
#define TRY_EVERY_MS    50
#define HOLDER_MAX      64

static enum status folder_find(char path[PATH_BYTES_MAX], struct error *err) {
    const char *asked = getenv(FOLDER_VARIABLE);
    enum status status =
        path_make(path, err, "%s", asked && asked[0] != '\0' ? asked : FOLDER_DEFAULT);
    if (status) {
        return status;
    }
    if (mkdir(path, 0700) == 0) {
        return chmod(path, FOLDER_MODE) == 0 ? STATUS_OK
                                             : fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    return errno == EEXIST ? STATUS_OK : fail_errno(err, STATUS_SYSTEM, "%s", path);
}

static enum status file_open(const char *uuid, int *ret_fd, struct error *err) {
    char folder[PATH_BYTES_MAX];
    char path[PATH_BYTES_MAX];
    enum status status = folder_find(folder, err);
    if (!status) {
        status = path_make(path, err, "%s/%s.lock", folder, uuid[0] != '\0' ? uuid : "unknown");
    }
    if (status) {
        return status;
    }
    // First without O_CREAT: Linux refuses that for the file of another user in such a folder
    // (fs.protected_regular), even where it exists.
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 && errno == ENOENT) {
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, FILE_MODE);
    }
    if (fd < 0) {
        return fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    struct stat about;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
        (void)close(fd);
        return fail(err, STATUS_SYSTEM, "%s: is no file", path);
    }
    (void)fchmod(fd, FILE_MODE);  // whatever our umask is; fails if another user owns it
    *ret_fd = fd;
    return STATUS_OK;
}

// Says once for whom we wait.
static void waiting_tell(const char *uuid, const struct judge_listener *listener, int fd) {
    char holder[HOLDER_MAX] = "";
    char text[HOLDER_MAX + 160];
    ssize_t got = pread(fd, holder, sizeof holder - 1, 0);
    holder[got > 0 ? got : 0] = '\0';
    holder[strspn(holder, "0123456789")] = '\0';
    if (holder[0] != '\0') {
        (void)snprintf(text, sizeof text,
                       _("waiting for the GPU %s, which another grader uses: process %s"), uuid,
                       holder);
    } else {
        (void)snprintf(text, sizeof text, _("waiting for the GPU %s, which another grader uses"),
                       uuid);
    }
    if (listener->waiting) {
        listener->waiting(listener->context, text);
    }
}

static enum status lock_wait(const char *uuid, const struct judge_listener *listener, int fd,
                             int operation, struct error *err) {
    bool told = false;
    int64_t begin = clock_ns();
    while (flock(fd, operation | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return fail_errno(err, STATUS_SYSTEM, "the lease of a GPU");
        }
        if (!told) {
            waiting_tell(uuid, listener, fd);
            told = true;
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = TRY_EVERY_MS * 1000000L}, NULL);
    }
    if (told && listener->waiting) {
        char text[160];
        (void)snprintf(text, sizeof text, _("waited %.1f s for the GPU %s"),
                       (double)(clock_ns() - begin) / 1e9, uuid);
        listener->waiting(listener->context, text);
    }
    return STATUS_OK;
}

enum status gpu_lease_take(const char *uuid, const struct judge_listener *listener,
                           enum gpu_lease_kind kind, struct gpu_lease *ret_lease,
                           struct error *err) {
    int fd = -1;
    enum status status = file_open(uuid, &fd, err);
    if (status) {
        return status;
    }
    status = lock_wait(uuid, listener, fd, kind == GPU_LEASE_ALONE ? LOCK_EX : LOCK_SH, err);
    if (status) {
        (void)close(fd);
        return status;
    }
    if (kind == GPU_LEASE_ALONE) {
        // For the text that others show; what it says decides nothing.
        char holder[HOLDER_MAX];
        int length = snprintf(holder, sizeof holder, "%ld\n", (long)getpid());
        ssize_t put = ftruncate(fd, 0) == 0 ? pwrite(fd, holder, (size_t)length, 0) : -1;
        (void)put;
    }
    *ret_lease = (struct gpu_lease){.fd = fd};
    return STATUS_OK;
}

void gpu_lease_give(struct gpu_lease *lease) {
    if (lease->fd >= 0) {
        (void)close(lease->fd);
    }
    lease->fd = -1;
}
