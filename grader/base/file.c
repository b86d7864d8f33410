// Reads, writes and digests files. Their names come from command lines, so every error says the
// path. A digest keeps its first failure and returns it at the end, so that no step needs a check.
#include "base/file.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sha256.h>

#include "base/memory.h"

// Reads until count bytes or the end of the file.  Returns the bytes read, -1 with errno set.
static ssize_t read_fully(int fd, char *bytes, size_t count) {
    size_t done = 0;
    while (done < count) {
        ssize_t got = read(fd, bytes + done, count - done);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return -1;
        }
        if (got == 0) {
            break;
        }
        done += (size_t)got;
    }
    return (ssize_t)done;
}

static int write_fully(int fd, const char *bytes, size_t count) {
    size_t done = 0;
    while (done < count) {
        ssize_t put = write(fd, bytes + done, count - done);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return -1;
        }
        done += (size_t)put;
    }
    return 0;
}

// Opens without waiting (a FIFO must not hang us) and checks that it is a regular file.
static enum status open_regular(const char *path, size_t bytes_max, int *ret_fd, size_t *ret_bytes,
                                struct error *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        enum status status =
            errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? STATUS_BAD_DATA : STATUS_SYSTEM;
        return fail_errno(err, status, "%s", path);
    }
    struct stat info;
    enum status status = STATUS_OK;
    if (fstat(fd, &info) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", path);
    } else if (S_ISDIR(info.st_mode)) {
        status = fail(err, STATUS_BAD_DATA, "%s: is a folder, not a file", path);
    } else if (!S_ISREG(info.st_mode)) {
        status = fail(err, STATUS_BAD_DATA, "%s: is not a regular file", path);
    } else if ((unsigned long long)info.st_size > bytes_max) {
        status = fail(err, STATUS_BAD_DATA, "%s: has %lld bytes; the limit is %zu", path,
                      (long long)info.st_size, bytes_max);
    }
    if (status) {
        (void)close(fd);
        return status;
    }
    *ret_fd = fd;
    *ret_bytes = (size_t)info.st_size;
    return STATUS_OK;
}

enum status file_read(const char *path, size_t bytes_max, char **ret_text, size_t *ret_bytes,
                      struct error *err) {
    int fd = -1;
    size_t size = 0;
    enum status status = open_regular(path, bytes_max, &fd, &size, err);
    if (status) {
        return status;
    }
    char *text = xmalloc(size + 1);
    ssize_t got = read_fully(fd, text, size);
    if (got < 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", path);
        (void)close(fd);
        free(text);
        return status;
    }
    (void)close(fd);
    text[got] = '\0';
    *ret_text = text;
    *ret_bytes = (size_t)got;
    return STATUS_OK;
}

// Fills a new file, down to the disk.  Returns 0, or -1 with errno.
static int file_fill(int fd, const void *bytes, size_t count) {
    mode_t mask = umask(0);
    (void)umask(mask);
    return write_fully(fd, bytes, count) != 0 || fchmod(fd, 0666 & ~mask) != 0 || fsync(fd) != 0
               ? -1
               : 0;
}

// Writes a file that gets its name only when it is whole, so that a killed program leaves no
// partial file.  False if that is impossible here: not every file system supports O_TMPFILE, and
// /proc may not be mounted.
static bool nameless_write(const char *path, const void *bytes, size_t count) {
    char temporary[PATH_BYTES_MAX];
    char folder[PATH_BYTES_MAX] = ".";
    char descriptor[32];
    const char *slash = strrchr(path, '/');
    if (slash) {
        (void)path_make(folder, NULL, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    }
    if (path_make(temporary, NULL, "%s.%ld", path, (long)getpid())) {
        return false;
    }
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0) {
        return false;
    }
    (void)snprintf(descriptor, sizeof descriptor, "/proc/self/fd/%d", fd);
    bool named = file_fill(fd, bytes, count) == 0 &&
                 linkat(AT_FDCWD, descriptor, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0;
    bool written = close(fd) == 0 && named && rename(temporary, path) == 0;
    if (named && !written) {
        (void)unlink(temporary);
    }
    return written;
}

enum status file_write(const char *path, const void *bytes, size_t count, struct error *err) {
    char temporary[PATH_BYTES_MAX];
    enum status status = path_make(temporary, err, "%s.XXXXXX", path);
    if (status || nameless_write(path, bytes, count)) {
        return status;
    }
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0) {
        return fail_errno(err, STATUS_SYSTEM, "%s: cannot write", path);
    }
    if (file_fill(fd, bytes, count) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s: cannot write", path);
    }
    if (close(fd) != 0 && !status) {
        status = fail_errno(err, STATUS_SYSTEM, "%s: cannot write", path);
    }
    if (!status && rename(temporary, path) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s: cannot write", path);
    }
    if (status) {
        (void)unlink(temporary);
    }
    return status;
}

enum status file_exists(const char *path, bool *ret_exists, struct error *err) {
    bool exists = access(path, F_OK) == 0;
    if (!exists && errno != ENOENT && errno != ENOTDIR && errno != ELOOP) {
        return fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    *ret_exists = exists;
    return STATUS_OK;
}

bool stream_obeys(FILE *stream) {
    const char *kind = getenv("TERM");
    return isatty(fileno(stream)) && !(kind && strcmp(kind, "dumb") == 0);
}

enum status folder_make(const char *path, struct error *err) {
    char part[PATH_BYTES_MAX];
    enum status status = path_make(part, err, "%s", path);
    if (status) {
        return status;
    }
    for (char *at = part + 1;; at++) {
        if (*at != '/' && *at != '\0') {
            continue;
        }
        char end = *at;
        *at = '\0';
        if (mkdir(part, 0777) != 0) {
            int number = errno;
            struct stat info;
            if (number != EEXIST || stat(part, &info) != 0 || !S_ISDIR(info.st_mode)) {
                errno = number;
                return fail_errno(err, STATUS_SYSTEM, "%s: cannot make the folder", part);
            }
        }
        if (end == '\0') {
            return STATUS_OK;
        }
        *at = end;
    }
}

// Removes the files of a folder.  Its folders are moved to `top` under new names, or emptied if it
// is `top` itself.  So no path gets long, however deep the folders are.  False if something stays.
static bool level_remove(int top, const char *name, unsigned *moved) {
    char new_name[32];
    bool is_top = strcmp(name, ".") == 0;
    (void)fchmodat(top, name, 0700, AT_SYMLINK_NOFOLLOW);  // whatever a program has left
    int level = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = level < 0 ? NULL : fdopendir(level);
    bool done = folder != NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            unlinkat(level, entry->d_name, 0) == 0) {
            continue;
        }
        if (is_top) {
            done &= level_remove(top, entry->d_name, moved);
        } else {
            (void)fchmodat(level, entry->d_name, 0700, AT_SYMLINK_NOFOLLOW);
            (void)snprintf(new_name, sizeof new_name, ".removed-%u", (*moved)++);
            done &= renameat(level, entry->d_name, top, new_name) == 0;
        }
    }
    if (folder) {
        (void)closedir(folder);
    } else if (level >= 0) {
        (void)close(level);
    }
    return is_top ? done : done && unlinkat(top, name, AT_REMOVEDIR) == 0;
}

enum status folder_remove(const char *path, struct error *err) {
    unsigned moved = 0;
    unsigned before = 0;
    int top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (top < 0 && errno == ENOENT) {
        return STATUS_OK;
    }
    bool done = top >= 0;
    do {  // what was moved may have been listed already
        before = moved;
        done = done && level_remove(top, ".", &moved);
    } while (done && moved > before);
    int number = errno;
    fd_close(&top);
    errno = number;
    if (!done || rmdir(path) != 0) {
        return fail_errno(err, STATUS_SYSTEM, "%s: cannot remove", path);
    }
    return STATUS_OK;
}

enum status path_make(char path[PATH_BYTES_MAX], struct error *err, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(path, PATH_BYTES_MAX, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    if (length >= PATH_BYTES_MAX) {
        return fail(err, STATUS_BAD_USAGE, "%.80s…: the path is too long", path);
    }
    return STATUS_OK;
}

enum status path_below_list(char path[PATH_BYTES_MAX], struct error *err, const char *root,
                            const char *format, va_list arguments) {
    char rest[PATH_BYTES_MAX];
    int length = vsnprintf(rest, sizeof rest, format, arguments);
    if (length < 0 || length >= PATH_BYTES_MAX) {
        return fail(err, STATUS_BAD_USAGE, "%.80s…: the path is too long", rest);
    }
    return strcmp(root, ".") == 0 ? path_make(path, err, "%s", rest)
                                  : path_make(path, err, "%s/%s", root, rest);
}

enum status path_below(char path[PATH_BYTES_MAX], struct error *err, const char *root,
                       const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    enum status status = path_below_list(path, err, root, format, arguments);
    va_end(arguments);
    return status;
}

void sha256_hex(const void *bytes, size_t count, char text[65]) {
    SHA2_CTX context;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256Init(&context);
    SHA256Update(&context, bytes, count);
    SHA256Final(digest, &context);
    for (size_t i = 0; i < sizeof digest; i++) {
        (void)snprintf(text + 2 * i, 3, "%02x", digest[i]);
    }
}

void digest_begin(struct digest *digest) {
    *digest = (struct digest){.status = STATUS_OK};
    digest->stream = xopen_memstream(&digest->text, &digest->bytes);
}

void digest_bytes(struct digest *digest, const void *bytes, size_t count) {
    if (!digest->status) {
        (void)fwrite(bytes, 1, count, digest->stream);
    }
}

void digest_text(struct digest *digest, const char *text) {
    digest_bytes(digest, text, strlen(text) + 1);
}

void digest_file(struct digest *digest, const char *path, size_t strip) {
    char *text = NULL;
    size_t bytes = 0;
    char hex[DIGEST_BYTES];
    if (digest->status) {
        return;
    }
    assert(strip <= strlen(path));
    digest->status = file_read(path, FILE_BYTES_MAX, &text, &bytes, &digest->err);
    if (!digest->status) {
        sha256_hex(text, bytes, hex);
        digest_text(digest, path + strip);
        digest_text(digest, hex);
        free(text);
    }
}

void digest_folder(struct digest *digest, const char *folder, size_t strip) {
    struct dirent **entries = NULL;
    if (digest->status) {
        return;
    }
    int count = scandir(folder, &entries, NULL, alphasort);
    if (count < 0) {
        digest->status = fail_errno(&digest->err, STATUS_SYSTEM, "%s", folder);
    }
    for (int i = 0; i < count; i++) {
        char path[PATH_BYTES_MAX];
        struct stat info;
        if (!digest->status && entries[i]->d_name[0] != '.') {
            digest->status = path_make(path, &digest->err, "%s/%s", folder, entries[i]->d_name);
            if (digest->status || stat(path, &info) != 0) {
                // A link that leads nowhere adds nothing.
            } else if (S_ISDIR(info.st_mode)) {
                digest_folder(digest, path, strip);
            } else {
                digest_file(digest, path, strip);
            }
        }
        free(entries[i]);
    }
    free(entries);
}

void digest_program(struct digest *digest, const char *path) {
    struct stat info;
    char *real = realpath(path, NULL);
    digest_text(digest, real ? real : path);
    if (real && stat(real, &info) == 0) {
        uint64_t identity[] = {info.st_ino, (uint64_t)info.st_size, (uint64_t)info.st_mtim.tv_sec,
                               (uint64_t)info.st_mtim.tv_nsec};
        digest_bytes(digest, identity, sizeof identity);
    }
    free(real);
}

enum status digest_end(struct digest *digest, char ret_hex[DIGEST_BYTES], struct error *err) {
    xclose_memstream(digest->stream, &digest->text);
    if (digest->status) {
        free(digest->text);
        return fail(err, digest->status, "%s", digest->err.text);
    }
    sha256_hex(digest->text, digest->bytes, ret_hex);
    free(digest->text);
    return STATUS_OK;
}
