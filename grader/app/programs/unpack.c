// tilegrade-unpack: takes the kernel files out of a package that a student handed in.  Runs in the
// sandbox, so that no archive is ever parsed by the judge.
//
// The package is open at descriptor 3; files are written into the working folder under their last
// name.  Nothing else of an entry is used: not its owner, mode or times, and no link. Exit code: 0
// done; 1 the package is refused, and the one line printed says why; 3 our trouble.
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/text.h"
#include "base/translate.h"
#include "judge/source/package.h"

#define BLOCK_BYTES 65536
#define ROOM_BYTES  (16u << 20)  // more than a small package needs
#define NO_PACKAGE  N_("not a package: neither zip nor tar (.tar.gz, .tar.xz)")

enum unpack_end { UNPACKED = 0, REFUSED = 1, TROUBLE = 3 };

// Names of a package are foreign bytes: anything but printable ASCII is shown as \xNN.
static void refuse(const char *name, const char *why) {
    if (name) {
        (void)putchar('\'');
        for (const char *at = name; *at != '\0' && at - name < 100; at++) {
            unsigned char byte = (unsigned char)*at;
            if (byte >= ' ' && byte < 0x7f && byte != '\'' && byte != '\\') {
                (void)putchar(byte);
            } else {
                (void)printf("\\x%02x", byte);
            }
        }
        (void)fputs("': ", stdout);
    }
    (void)puts(why);
}

static const char *last_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Files that archivers of some systems add by themselves.
static bool is_debris(const char *path) {
    return text_starts(path, "__MACOSX/") || text_starts(last_name(path), "._");
}

// True if the file can be an exercise's: its name is a C identifier followed by .cu.
static bool is_kernel_file(const char *path) {
    const char *name = last_name(path);
    size_t stem = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return stem > 0 && strcmp(name + stem, ".cu") == 0 && strlen(name) < NAME_BYTES_MAX;
}

// Why this path may not be in a package; NULL if it may.
static const char *path_fault(const char *path) {
    if (path[0] == '/') {
        return N_("an absolute path; pack the files under plain names");
    }
    for (const char *at = path; *at != '\0';) {
        size_t length = strcspn(at, "/");
        if (length == 2 && at[0] == '.' && at[1] == '.') {
            return N_("a path with '..'; pack the files under plain names");
        }
        at += length + (at[length] == '/');
    }
    return NULL;
}

// When libarchive cannot read a file, or has no memory for it, it reports a file of another kind.
// A package may ask for more memory than the box has, so memory counts as short only if even a
// little cannot be allocated.
static enum unpack_end failure_tell(const char *path, const char *why) {
    bool unread = errno == EIO;
    void *room = malloc(ROOM_BYTES);
    bool short_of_memory = !room;
    free(room);
    refuse(path, unread ? N_("cannot be read") : short_of_memory ? N_("no memory") : why);
    return unread || short_of_memory ? TROUBLE : REFUSED;
}

static enum unpack_end data_copy(struct archive *package, const char *path, int fd,
                                 uint64_t *total) {
    static char block[BLOCK_BYTES];
    uint64_t bytes = 0;
    for (;;) {
        la_ssize_t got = archive_read_data(package, block, sizeof block);
        if (got == 0) {
            return UNPACKED;
        }
        if (got < 0) {
            return failure_tell(path, N_("the package is damaged"));
        }
        bytes += (uint64_t)got;
        *total += (uint64_t)got;
        if (bytes > PACKAGE_FILE_BYTES_MAX || *total > PACKAGE_BYTES_MAX) {
            refuse(path, N_("too large for a package of kernels"));
            return REFUSED;
        }
        if (write(fd, block, (size_t)got) != got) {
            refuse(path, strerror(errno));
            return TROUBLE;
        }
    }
}

static enum unpack_end file_take(struct archive *package, const char *path, uint64_t *total) {
    const char *name = last_name(path);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0 && errno == EEXIST) {
        refuse(path, N_("the package has another file with this name"));
        return REFUSED;
    }
    if (fd < 0) {
        refuse(path, strerror(errno));
        return TROUBLE;
    }
    enum unpack_end end = data_copy(package, path, fd, total);
    if (close(fd) != 0 && end == UNPACKED) {
        refuse(path, strerror(errno));
        end = TROUBLE;
    }
    return end;
}

static enum unpack_end entry_take(struct archive *package, struct archive_entry *entry,
                                  int *ret_taken, uint64_t *total) {
    const char *path = archive_entry_pathname(entry);
    if (!path) {
        refuse(NULL, N_("the package has a file without a readable name"));
        return REFUSED;
    }
    const char *fault = path_fault(path);
    if (!fault && (archive_entry_hardlink(entry) || archive_entry_symlink(entry))) {
        fault = N_("a link; pack the file itself");
    }
    mode_t type = archive_entry_filetype(entry);
    if (!fault && type != AE_IFREG && type != AE_IFDIR) {
        fault = N_("neither a file nor a folder");
    }
    if (fault) {
        refuse(path, fault);
        return REFUSED;
    }
    if (type == AE_IFDIR || is_debris(path) || !is_kernel_file(path)) {
        return UNPACKED;  // a report, a Makefile: not judged
    }
    *ret_taken += 1;
    return file_take(package, path, total);
}

static enum unpack_end package_take(struct archive *package) {
    struct archive_entry *entry = NULL;
    uint64_t total = 0;
    int entries = 0;
    int taken = 0;
    for (;;) {
        int read = archive_read_next_header(package, &entry);
        if (read == ARCHIVE_EOF) {
            break;
        }
        if (read < ARCHIVE_WARN) {
            return failure_tell(NULL, entries == 0 ? NO_PACKAGE : N_("the package is damaged"));
        }
        if (++entries > PACKAGE_ENTRIES_MAX) {
            refuse(NULL, N_("too many files for a package of kernels"));
            return REFUSED;
        }
        enum unpack_end end = entry_take(package, entry, &taken, &total);
        if (end != UNPACKED) {
            return end;
        }
    }
    if (taken == 0) {
        refuse(NULL, N_("the package has no kernel file (NAME.cu)"));
        return REFUSED;
    }
    return UNPACKED;
}

int main(void) {
    struct archive *package = archive_read_new();
    if (!package || archive_read_support_format_zip(package) != ARCHIVE_OK ||
        archive_read_support_format_tar(package) != ARCHIVE_OK) {
        refuse(NULL, "no memory");
        return TROUBLE;
    }
    // If this libarchive was built without a filter, it would run an external program instead, and
    // the sandbox has none.
    (void)archive_read_support_filter_gzip(package);
    (void)archive_read_support_filter_xz(package);
    (void)archive_read_support_filter_bzip2(package);
    (void)umask(022);
    errno = 0;
    enum unpack_end end = TROUBLE;
    if (archive_read_open_fd(package, PACKAGE_FD, BLOCK_BYTES) != ARCHIVE_OK) {
        end = failure_tell(NULL, NO_PACKAGE);
    } else {
        end = package_take(package);
    }
    (void)archive_read_free(package);
    return end;
}
