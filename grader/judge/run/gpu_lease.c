// A flock belongs to the open file, which no program that we start inherits (O_CLOEXEC).  The files
// are never removed: otherwise two programs could lock two files of the same name.
//
// The wait for the lock is in the operating system, because the lock changes hands every few
// milliseconds.  The wait for a lease polls all GPUs.
#include "judge/run/gpu_lease.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/words.h"

#define FOLDER_VARIABLE "TILEGRADE_LOCKS"
#define FOLDER_DEFAULT  "/tmp/tilegrade-locks"
#define FOLDER_MODE     01777  // any user may lock, no user removes the file of another
#define FILE_MODE       0666
#define LOOK_EVERY_MS   20
#define NAME_MAX_BYTES  32

// The memory that a lease may need: two processes with a context, three matrices and 32 launches
// each, one of them with the largest workspace.
#define LEASE_BYTES (5ll << 30)
#define LEASES_MAX  6  // enough to keep a GPU busy: a process computes a third of its time

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

static enum status file_open(const struct gpu *gpu, const char *what, int *ret_fd,
                             struct error *err) {
    char folder[PATH_BYTES_MAX];
    char path[PATH_BYTES_MAX];
    enum status status = folder_find(folder, err);
    if (!status) {
        status = path_make(path, err, "%s/%s.%s", folder,
                           gpu->uuid[0] != '\0' ? gpu->uuid : "unknown", what);
    }
    if (status) {
        return status;
    }
    // Opens first without O_CREAT: Linux refuses O_CREAT for another user's file in such a folder
    // (fs.protected_regular), even if the file exists.
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
        return fail(err, STATUS_SYSTEM, "%s: not a file", path);
    }
    (void)fchmod(fd, FILE_MODE);  // despite our umask; fails if another user owns it
    *ret_fd = fd;
    return STATUS_OK;
}

static enum status lock_wait(int fd, struct error *err) {
    while (flock(fd, LOCK_EX) != 0) {
        if (errno != EINTR) {
            return fail_errno(err, STATUS_SYSTEM, "the lock of a GPU");
        }
    }
    return STATUS_OK;
}

void gpu_lease_init(struct gpu_lease *lease, const struct gpu_info *info,
                    const struct judge_listener *listener) {
    *lease = (struct gpu_lease){.listener = listener, .lease_fd = -1, .lock_fd = -1};
    for (int i = 0; i < info->gpu_count; i++) {
        const struct gpu *gpu = &info->gpus[i];
        bool is_same = strcmp(gpu->name, info->gpus[0].name) == 0 &&
                       gpu->multiprocessors == info->gpus[0].multiprocessors &&
                       gpu->memory_bytes == info->gpus[0].memory_bytes;
        if (is_same) {
            lease->gpus[lease->count++] = *gpu;
        }
    }
}

// --- The lease ----------------------------------------------------------------------------------

static int leases_of(const struct gpu *gpu) {
    int64_t count = gpu->memory_bytes / LEASE_BYTES;
    return count < 1 ? 1 : count < LEASES_MAX ? (int)count : LEASES_MAX;
}

// Takes a lease, if there is one: the first of any GPU, then the second of any, so that the graders
// are spread over the GPUs.
static enum status lease_try(struct gpu_lease *lease, struct error *err) {
    for (int i = 0; i < LEASES_MAX * lease->count; i++) {
        char name[NAME_MAX_BYTES];
        int fd = -1;
        int at = i % lease->count;
        if (i / lease->count >= leases_of(&lease->gpus[at])) {
            continue;
        }
        (void)snprintf(name, sizeof name, "lease-%d", i / lease->count);
        enum status status = file_open(&lease->gpus[at], name, &fd, err);
        if (status) {
            return status;
        }
        if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
            lease->at = at;
            lease->lease_fd = fd;
            return STATUS_OK;
        }
        if (errno != EWOULDBLOCK && errno != EINTR) {
            status = fail_errno(err, STATUS_SYSTEM, "the lock of a GPU");
        }
        (void)close(fd);
        if (status) {
            return status;
        }
    }
    return STATUS_OK;
}

static void listener_tell(const struct gpu_lease *lease, const char *text) {
    if (lease->listener->waiting) {
        lease->listener->waiting(lease->listener->context, text);
    }
}

enum status gpu_lease_take(struct gpu_lease *lease, struct error *err) {
    bool waits = false;
    int64_t begin_ns = clock_ns();
    if (!lease || lease->lease_fd >= 0) {
        return STATUS_OK;
    }
    assert(lease->count > 0);
    enum status status = lease_try(lease, err);
    while (!status && lease->lease_fd < 0) {
        if (!waits) {
            listener_tell(lease, _("waiting for a GPU, because other graders use all of them"));
            waits = true;
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_EVERY_MS * 1000000L}, NULL);
        status = lease_try(lease, err);
    }
    if (!status) {
        status = file_open(&lease->gpus[lease->at], "lock", &lease->lock_fd, err);
    }
    if (status) {
        gpu_lease_give(lease);
        return status;
    }
    double waited_s = (double)(clock_ns() - begin_ns) / 1e9;
    lease->use.waited_s += waited_s;
    if (waits) {
        char text[160];
        (void)snprintf(text, sizeof text, _("waited %.1f s for a GPU"), waited_s);
        listener_tell(lease, text);
    }
    return STATUS_OK;
}

void gpu_lease_give(struct gpu_lease *lease) {
    if (!lease) {
        return;
    }
    while (lease->locks > 0) {
        gpu_lease_unlock(lease);
    }
    if (lease->lock_fd >= 0) {
        (void)close(lease->lock_fd);
    }
    if (lease->lease_fd >= 0) {
        (void)close(lease->lease_fd);
    }
    lease->lock_fd = lease->lease_fd = -1;
    lease->at = 0;
}

int gpu_lease_index(const struct judge_machine *machine) {
    return machine->lease ? machine->lease->gpus[machine->lease->at].index : machine->gpu.index;
}

// --- The lock -----------------------------------------------------------------------------------

enum status gpu_lease_lock(struct gpu_lease *lease, struct error *err) {
    int64_t begin_ns = clock_ns();
    if (!lease) {
        return STATUS_OK;
    }
    assert(lease->lock_fd >= 0);
    enum status status = lease->locks > 0 ? STATUS_OK : lock_wait(lease->lock_fd, err);
    if (!status && lease->locks++ == 0) {
        lease->locked_at_ns = clock_ns();
        lease->use.waited_s += (double)(lease->locked_at_ns - begin_ns) / 1e9;
    }
    return status;
}

void gpu_lease_unlock(struct gpu_lease *lease) {
    if (lease && lease->locks > 0 && --lease->locks == 0) {
        (void)flock(lease->lock_fd, LOCK_UN);
        lease->use.locked_s += (double)(clock_ns() - lease->locked_at_ns) / 1e9;
    }
}
