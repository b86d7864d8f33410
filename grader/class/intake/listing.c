// The kind of an entry is asked for without following a link.
#include "class/intake/listing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/basics.h"

static bool is_own(const char *name) {
    static const char *const names[] = {"__MACOSX", "Thumbs.db", "desktop.ini"};
    for (size_t i = 0; i < COUNT(names); i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return name[0] == '.';
}

static enum entry_kind kind_of(mode_t mode) {
    return S_ISREG(mode)   ? ENTRY_FILE
           : S_ISDIR(mode) ? ENTRY_FOLDER
           : S_ISLNK(mode) ? ENTRY_LINK
                           : ENTRY_OTHER;
}

static enum status entry_add(struct listing *listing, int *room, int folder, const char *name,
                             struct error *err) {
    struct stat about;
    if (fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
        return errno == ENOENT ? STATUS_OK : fail_errno(err, STATUS_SYSTEM, "%s", name);
    }
    if (listing->count == *room) {
        *room = *room == 0 ? 64 : 2 * *room;
        struct entry *grown = realloc(listing->entry, (size_t)*room * sizeof *grown);
        if (!grown) {
            return fail(err, STATUS_NO_MEMORY, "no memory for the class");
        }
        listing->entry = grown;
    }
    char *copy = strdup(name);
    if (!copy) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the class");
    }
    listing->entry[listing->count++] = (struct entry){.name = copy, .kind = kind_of(about.st_mode)};
    return STATUS_OK;
}

static int by_name(const void *left, const void *right) {
    const struct entry *a = left;
    const struct entry *b = right;
    return strcmp(a->name, b->name);
}

enum status listing_read(int at, const char *path, struct listing *ret_listing, struct error *err) {
    struct listing listing = {.count = 0};
    int room = 0;
    int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (!folder) {
        enum status status = fail_errno(err, status_of_errno(STATUS_BAD_USAGE), "%s", path);
        if (fd >= 0) {
            (void)close(fd);
        }
        return status;
    }
    enum status status = STATUS_OK;
    const struct dirent *entry = NULL;
    while (!status && (errno = 0, entry = readdir(folder)) != NULL) {
        if (listing.count == LISTING_MAX) {
            status = fail(err, STATUS_BAD_USAGE, "%s: more than %d files", path, LISTING_MAX);
        } else if (!is_own(entry->d_name)) {
            status = entry_add(&listing, &room, fd, entry->d_name, err);
        }
    }
    if (!status && errno != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    (void)closedir(folder);
    if (status) {
        listing_done(&listing);
        return status;
    }
    if (listing.count > 0) {
        qsort(listing.entry, (size_t)listing.count, sizeof *listing.entry, by_name);
    }
    *ret_listing = listing;
    return STATUS_OK;
}

void listing_done(struct listing *listing) {
    for (int i = 0; i < listing->count; i++) {
        free(listing->entry[i].name);
    }
    free(listing->entry);
    *listing = (struct listing){.count = 0};
}

static enum status bytes_read(int fd, const char *name, char *text, size_t bytes_max,
                              size_t *ret_bytes, struct error *err) {
    size_t bytes = 0;
    while (bytes < bytes_max) {
        ssize_t got = read(fd, text + bytes, bytes_max - bytes);
        if (got < 0 && errno != EINTR) {
            return fail_errno(err, STATUS_SYSTEM, "%s", name);
        }
        if (got == 0) {
            break;
        }
        bytes += got > 0 ? (size_t)got : 0;
    }
    text[bytes] = '\0';
    *ret_bytes = bytes;
    return STATUS_OK;
}

enum status entry_read(int at, const char *name, size_t bytes_max, char **ret_text,
                       size_t *ret_bytes, struct error *err) {
    struct stat about;
    int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        return fail_errno(err, status_of_errno(STATUS_BAD_USAGE), "%s", name);
    }
    enum status status = STATUS_OK;
    char *text = NULL;
    if (fstat(fd, &about) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", name);
    } else if (!S_ISREG(about.st_mode)) {
        status = fail(err, STATUS_BAD_USAGE, "%s: not a regular file", name);
    }
    size_t room = !status && (size_t)about.st_size < bytes_max ? (size_t)about.st_size : bytes_max;
    if (!status && !(text = malloc(room + 1))) {
        status = fail(err, STATUS_NO_MEMORY, "%s: no memory", name);
    }
    if (!status) {
        status = bytes_read(fd, name, text, room, ret_bytes, err);
    }
    (void)close(fd);
    if (status) {
        free(text);
        return status;
    }
    *ret_text = text;
    return STATUS_OK;
}
