// tilegrade-unpack: takes the kernel files out of a package that a student handed in, or the files
// of a whole class out of the package of a learning platform.  Runs in the sandbox, so that no
// archive is ever parsed by the judge.
//
// The package is open at descriptor 3; files are written into the working folder.  Nothing else of
// an entry is used: not its owner, mode or times, and no link.  Exit code: 0 done; 1 the package is
// refused, and the only line of output says why; 3 our own failure.
//
// Without an argument, kernel files are written under their last name, and an entry that no honest
// package has is a reason to refuse it.  `tree ENTRIES BYTES` keeps the folders, by which a class
// is recognised.  Files whose content is not needed stay empty, and an unacceptable entry is
// skipped with a line that says why, because one student must not stop a class.
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>

#include "base/limits.h"
#include "base/text.h"
#include "base/words.h"
#include "exercise/questions.h"
#include "judge/submission/submission.h"

#define BLOCK_BYTES 65536
#define ROOM_BYTES  (16u << 20)  // more than a small package needs
#define NOTES_MAX   50
#define TREE_DEPTH  32  // nested folders
#define TWIN        N_("the package has another file with this name")
#define NO_NAME     N_("the package has a file without a readable name")
#define NO_PACKAGE  N_("not a package: neither zip nor tar (.tar.gz, .tar.xz)")

enum unpack_end { UNPACKED = 0, REFUSED = 1, TROUBLE = 3 };

struct unpack {
    struct archive *package;
    bool tree;
    uint64_t entries_max;
    uint64_t bytes_max;
    uint64_t entries;
    uint64_t bytes;  // written
    int taken;
    int notes;
};

// Names of a package are foreign bytes.  ASCII is made printable here, and the judge checks whether
// the rest is well-formed.
static void refuse(const char *name, const char *why) {
    if (name) {
        (void)putchar('\'');
        for (const char *at = name; *at != '\0' && at - name < 200; at++) {
            unsigned char byte = (unsigned char)*at;
            if (byte >= ' ' && byte != 0x7f && byte != '\'' && byte != '\\') {
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

// True if the file can be an exercise's: its name is a C identifier followed by .cu.  Answers are
// unpacked with the kernels.
static bool is_kernel_file(const char *path) {
    const char *name = last_name(path);
    size_t stem = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return (stem > 0 && strcmp(name + stem, ".cu") == 0 && strlen(name) < NAME_BYTES_MAX) ||
           strcmp(name, ANSWERS_FILE) == 0;
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

// Copies the data of an entry.  In a tree, little more than bytes_max bytes are copied: a file that
// is too large stays too large.
static enum unpack_end data_copy(struct unpack *unpack, const char *path, int fd,
                                 uint64_t bytes_max) {
    static char block[BLOCK_BYTES];
    uint64_t bytes = 0;
    for (;;) {
        la_ssize_t got = archive_read_data(unpack->package, block, sizeof block);
        if (got == 0) {
            return UNPACKED;
        }
        if (got < 0) {
            return failure_tell(path, N_("the package is damaged"));
        }
        bytes += (uint64_t)got;
        unpack->bytes += (uint64_t)got;
        if (unpack->bytes > unpack->bytes_max || (bytes > bytes_max && !unpack->tree)) {
            refuse(path, unpack->tree
                             ? N_("the package is too large; unpack it, and name the folder")
                             : N_("too large for a package of kernels"));
            return REFUSED;
        }
        if (bytes > bytes_max + BLOCK_BYTES) {
            return UNPACKED;
        }
        if (write(fd, block, (size_t)got) != got) {
            refuse(path, strerror(errno));
            return TROUBLE;
        }
    }
}

static enum unpack_end file_fill(struct unpack *unpack, const char *path, int fd,
                                 uint64_t bytes_max) {
    enum unpack_end end = bytes_max > 0 ? data_copy(unpack, path, fd, bytes_max) : UNPACKED;
    if (close(fd) != 0 && end == UNPACKED) {
        refuse(path, strerror(errno));
        end = TROUBLE;
    }
    return end;
}

static enum unpack_end file_take(struct unpack *unpack, const char *path) {
    const char *name = last_name(path);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0 && errno == EEXIST) {
        refuse(path, TWIN);
        return REFUSED;
    }
    if (fd < 0) {
        refuse(path, strerror(errno));
        return TROUBLE;
    }
    return file_fill(unpack, path, fd, PACKAGE_FILE_BYTES_MAX);
}

// --- A tree --------------------------------------------------------------------------

// Skips an entry.
static enum unpack_end leave(struct unpack *unpack, const char *path, const char *why) {
    if (unpack->notes < NOTES_MAX) {
        refuse(path, why);
    } else if (unpack->notes == NOTES_MAX) {
        refuse(NULL, N_("more files were left out"));
    }
    unpack->notes++;
    return UNPACKED;
}

// A folder or file could not be made: our own failure, or a name that is too long.
static enum unpack_end make_failed(struct unpack *unpack, const char *path) {
    if (errno == ENAMETOOLONG || errno == EINVAL || errno == EILSEQ) {
        return leave(unpack, path, N_("its name is too long or cannot be a file's name here"));
    }
    if (errno == EEXIST || errno == ENOTDIR || errno == EISDIR || errno == ELOOP) {
        return leave(unpack, path, TWIN);
    }
    refuse(path, strerror(errno));
    return TROUBLE;
}

// The amount of a file that is read later.
static uint64_t wanted_bytes(const char *name) {
    if (strcasestr(name, ".cu") || strcmp(name, ANSWERS_FILE) == 0) {
        return SOURCE_BYTES_MAX;
    }
    bool table = strcmp(name, "submission_metadata.yml") == 0;
    return table || package_has_name(name) ? PACKAGE_SOURCE_MAX : 0;
}

// Makes the folders of `path`, each of which ends in '/'.  *ret_hidden: the name of one begins with
// a dot, so it belongs to a program, and the entry is skipped; a clone is recognised by its .git.
static enum unpack_end folders_make(struct unpack *unpack, const char *path, bool *ret_hidden) {
    char part[PATH_BYTES_MAX];
    int depth = 0;
    (void)snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const char *name = last_name(part);
        bool git = strcmp(name, ".git") == 0;
        *ret_hidden = name[0] == '.' && name[1] != '\0';
        if (*ret_hidden && !git) {
            return UNPACKED;
        }
        if (++depth > TREE_DEPTH) {
            return leave(unpack, path, N_("its folders are nested too deeply"));
        }
        if (mkdir(part, 0755) != 0 && errno != EEXIST) {
            return make_failed(unpack, path);
        }
        if (git) {
            return UNPACKED;
        }
        *slash = '/';
    }
    return UNPACKED;
}

static enum unpack_end path_take(struct unpack *unpack, const char *entry, bool is_folder) {
    char path[PATH_BYTES_MAX];
    bool hidden = false;
    int notes = unpack->notes;
    int length = snprintf(path, sizeof path, "%s%s", entry, is_folder ? "/" : "");
    if (entry[0] == '\0' || (!is_folder && last_name(path)[0] == '\0')) {
        return leave(unpack, NULL, NO_NAME);
    }
    if (length >= (int)sizeof path) {
        return leave(unpack, entry, N_("its name is too long or cannot be a file's name here"));
    }
    enum unpack_end end = folders_make(unpack, path, &hidden);
    if (end != UNPACKED || hidden || unpack->notes > notes || is_folder ||
        last_name(path)[0] == '.') {
        return end;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0 && errno == EEXIST && wanted_bytes(last_name(path)) > 0) {
        refuse(path, TWIN);  // "tar -r" appends the newer one, and zip programs differ
        return REFUSED;
    }
    if (fd < 0) {
        return make_failed(unpack, path);
    }
    unpack->taken++;
    return file_fill(unpack, path, fd, wanted_bytes(last_name(path)));
}

// --- Entries -------------------------------------------------------------------------

static enum unpack_end entry_take(struct unpack *unpack, struct archive_entry *entry) {
    const char *path = archive_entry_pathname(entry);
    mode_t type = archive_entry_filetype(entry);
    const char *fault = path ? path_fault(path) : NO_NAME;
    if (!fault && (archive_entry_hardlink(entry) || archive_entry_symlink(entry))) {
        fault = N_("a link; pack the file itself");
    }
    if (!fault && type != AE_IFREG && type != AE_IFDIR) {
        fault = N_("neither a file nor a folder");
    }
    if (fault && unpack->tree) {
        return leave(unpack, path, fault);
    }
    if (fault) {
        refuse(path, fault);
        return REFUSED;
    }
    if (is_debris(path)) {
        return UNPACKED;
    }
    if (unpack->tree) {
        return path_take(unpack, path, type == AE_IFDIR);
    }
    if (type == AE_IFDIR || !is_kernel_file(path)) {
        return UNPACKED;  // a report, a Makefile: not judged
    }
    unpack->taken++;
    return file_take(unpack, path);
}

static enum unpack_end package_take(struct unpack *unpack) {
    struct archive_entry *entry = NULL;
    for (;;) {
        int read = archive_read_next_header(unpack->package, &entry);
        if (read == ARCHIVE_EOF) {
            break;
        }
        if (read < ARCHIVE_WARN) {
            return failure_tell(NULL,
                                unpack->entries == 0 ? NO_PACKAGE : N_("the package is damaged"));
        }
        if (++unpack->entries > unpack->entries_max) {
            refuse(NULL, unpack->tree
                             ? N_("too many files in the package; unpack it, and name the folder")
                             : N_("too many files for a package of kernels"));
            return REFUSED;
        }
        enum unpack_end end = entry_take(unpack, entry);
        if (end != UNPACKED) {
            return end;
        }
    }
    if (unpack->taken == 0 && !unpack->tree) {
        refuse(NULL, N_("the package has no kernel file (NAME.cu)"));
        return REFUSED;
    }
    return UNPACKED;
}

int main(int argc, char **argv) {
    struct unpack unpack = {.package = archive_read_new(),
                            .entries_max = PACKAGE_ENTRIES_MAX,
                            .bytes_max = PACKAGE_BYTES_MAX};
    struct archive *package = unpack.package;
    if (argc == 4 && strcmp(argv[1], "tree") == 0) {
        unpack.tree = true;
        unpack.entries_max = strtoull(argv[2], NULL, 10);
        unpack.bytes_max = strtoull(argv[3], NULL, 10);
    }
    // Names in any script are read as UTF-8, whatever the environment says.
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (utf8 != (locale_t)0) {
        (void)uselocale(utf8);
    }
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
        end = package_take(&unpack);
    }
    (void)archive_read_free(package);
    if (utf8 != (locale_t)0) {
        (void)uselocale(LC_GLOBAL_LOCALE);
        freelocale(utf8);
    }
    return end;
}
