// The path of a submission, walked part by part: see submission.h.
#include "judge/source/submission.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"

// Says why `part`, with which `path` ends, could not be opened below `at`.
static enum status part_fail(int at, const char *path, const char *part, struct error *err) {
    int why = errno;
    struct stat about;
    if (fstatat(at, part, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(about.st_mode)) {
        return fail(err, STATUS_BAD_USAGE,
                    "%s: a link, which is not followed because it may lead out of the submission; "
                    "name the folder or package itself",
                    path);
    }
    errno = why;
    return fail_errno(err, status_of_errno(STATUS_BAD_USAGE), "%s", path);
}

// Opens the last part: a folder without reading it (O_PATH), anything else for reading.
static int last_open(int at, const char *part) {
    int fd = openat(at, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return fd >= 0 || errno != ENOTDIR
               ? fd
               : openat(at, part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static bool is_same(int fd, const struct stat *other) {
    struct stat about;
    return fstat(fd, &about) == 0 && about.st_dev == other->st_dev && about.st_ino == other->st_ino;
}

enum status submission_open(const char *path, int *ret_fd, struct error *err) {
    char text[PATH_BYTES_MAX];
    struct stat here;
    enum status status = path_make(text, err, "%s", path);
    if (status) {
        return status;
    }
    for (size_t end = strlen(text) - 1;
         end > 0 && (text[end] == '/' || (text[end] == '.' && text[end - 1] == '/'));) {
        text[end--] = '\0';
    }
    bool follow = text[0] == '/';
    int at = open(follow ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (at < 0 || stat(".", &here) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "working folder");
    }
    for (char *part = text; !status && *(part += strspn(part, "/")) != '\0';) {
        size_t length = strcspn(part, "/");
        bool last = part[length] == '\0';
        part[length] = '\0';  // so that `text` ends here
        int next =
            last ? last_open(at, part)
                 : openat(at, part, O_PATH | O_DIRECTORY | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW));
        if (next < 0) {
            status = part_fail(at, text, part, err);
        } else {
            (void)close(at);
            at = next;
            follow = follow && !is_same(at, &here);
            part += length;
            *part = last ? '\0' : '/';
        }
    }
    if (status && at >= 0) {
        (void)close(at);
    } else if (!status) {
        *ret_fd = at;
    }
    return status;
}
