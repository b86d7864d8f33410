// Folders and packages are walked with open descriptors, one name at a time, and no link is
// followed.  A link that has the name of a kernel file becomes a link that leads nowhere, so that
// the judge says what is wrong with it.
#include "class/intake/kernels.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "base/words.h"
#include "class/intake/names.h"
#include "judge/source/package.h"
#include "judge/source/submitted.h"

#define DEPTH_MAX    8
#define ENTRIES_MAX  20000
#define PACKAGES_MAX 8
#define RANK_PACKAGE 1000
#define RANK_LINK    100000
#define NOWHERE      "nowhere"
#define WANTED_MAX   (2 * EXERCISES_MAX + 1)

// A CUDA file that is deeper belongs to a copy of the course, unless its name says otherwise.
#define ODD_DEPTH_MAX 1

struct search {
    const struct kernels_place *place;
    struct kernels *kernels;
    const struct source_item *item;
    int rank;      // added to that of a file
    int packages;  // opened so far
    struct error *err;
};

static enum status memory_fail(const struct search *search) {
    return fail(search->err, STATUS_NO_MEMORY, "no memory for the class");
}

// --- One file ------------------------------------------------------------------------

static void file_done(struct kernel_file *file) {
    free(file->name);
    free(file->path);
    free(file->twin);
    free(file->older);
    free(file->text);
    *file = (struct kernel_file){0};
}

// Positive if `a` counts before `b`; 0 if that is not known.
static int counts_before(const struct kernel_file *a, const struct kernel_file *b) {
    if (a->rank != b->rank) {
        return a->rank < b->rank ? 1 : -1;
    }
    if (a->version != b->version) {
        return a->version > b->version ? 1 : -1;
    }
    return (a->upload > b->upload) - (a->upload < b->upload);
}

static bool is_equal(const struct kernel_file *a, const struct kernel_file *b) {
    return a->bytes == b->bytes && !a->text == !b->text &&
           (!a->text || memcmp(a->text, b->text, a->bytes) == 0);
}

// Keeps the one of the two that counts in *kept, and frees the other.
static void file_choose(struct kernel_file *kept, struct kernel_file *file) {
    int before = kept->name ? counts_before(file, kept) : 1;
    bool differ = kept->name && !is_equal(file, kept);
    if (before == 0 && differ && !kept->twin) {
        kept->twin = file->path;
        file->path = NULL;
    }
    if (before > 0) {
        struct kernel_file swapped = *kept;
        *kept = *file;
        *file = swapped;
    }
    if (!differ && file->name) {
        kept->copied = kept->copied && file->copied;
    }
    if (before != 0 && differ && kept->rank == file->rank && !kept->older) {
        kept->older = file->path;
        kept->copied = kept->copied || file->copied;
        file->path = NULL;
    }
    file_done(file);
}

static enum status file_read_into(const struct search *search, int folder, const char *entry,
                                  const char *path, const char *name, int copy, bool link,
                                  struct kernel_file *ret_file) {
    struct kernel_file file = {.rank = search->rank + (link ? RANK_LINK : 0),
                               .version = copy > 0 ? copy : search->item->version,
                               .copied = copy > 0,
                               .upload = search->item->upload};
    enum status status = link ? STATUS_OK
                              : entry_read(folder, entry, SOURCE_BYTES_MAX + 1, &file.text,
                                           &file.bytes, search->err);
    if (status) {
        return status;
    }
    file.name = strdup(name);
    file.path = strdup(path);
    if (!file.name || !file.path) {
        file_done(&file);
        return memory_fail(search);
    }
    text_clean(file.path);
    *ret_file = file;
    return STATUS_OK;
}

// The number of the wanted file that this is, or nearly is; -1: of none.
static int exercise_find(const struct course *course, const char *name, bool near) {
    for (int i = 0; i < kernels_wanted(course); i++) {
        char file[KERNEL_FILE_BYTES];
        kernels_wanted_name(course, i, file);
        if (near ? judge_source_is_near(name, file) : strcmp(name, file) == 0) {
            return i;
        }
    }
    return -1;
}

static bool is_plain(const char *name) {
    for (const char *at = name; *at != '\0'; at++) {
        if (*at < 0x20 || *at > 0x7e) {
            return false;
        }
    }
    return strlen(name) < NAME_BYTES_MAX;
}

// Another file: people learn of the first ones.
static enum status found_note(const struct search *search, struct found_files *found,
                              const char *path) {
    if (found->count < KERNEL_FOUND_MAX) {
        char *copy = strdup(path);
        if (!copy) {
            return memory_fail(search);
        }
        text_clean(copy);
        found->path[found->count] = copy;
    }
    found->count++;
    return STATUS_OK;
}

static void found_done(struct found_files *found) {
    for (int i = 0; i < found->count && i < KERNEL_FOUND_MAX; i++) {
        free(found->path[i]);
    }
    found->count = 0;
}

// The exercise that another name is meant for, by what is in it; -1: of none.
static int exercise_meant(const struct course *course, const char *name) {
    int exercise = exercise_find(course, name, true);
    for (int i = 0; exercise < 0 && i < course->exercise_count; i++) {
        exercise = strcasestr(name, course->exercises[i].name) ? i : -1;
    }
    return exercise;
}

static bool is_cuda(const char *name) {
    size_t length = strlen(name);
    return length > 3 && strcasecmp(name + length - 3, ".cu") == 0;
}

// A file or link with that name; `depth` folders are above it, the last of them `parent`.
static enum status file_look(struct search *search, int folder, const char *entry, const char *path,
                             const char *name, bool link, int depth, const char *parent) {
    struct kernels *kernels = search->kernels;
    struct kernel_file file;
    char plain[NAME_PART_BYTES];
    int copy = 0;
    int exercise = exercise_find(kernels->course, name, false);
    (void)snprintf(plain, sizeof plain, "%s", name);
    if (exercise < 0 && (copy = copy_number_cut(plain)) > 0) {
        exercise = exercise_find(kernels->course, plain, false);
    }
    bool is_near = exercise < 0 && exercise_find(kernels->course, name, true) >= 0;
    bool near = is_near && !link && is_plain(name) && kernels->near_count < KERNEL_NEAR_MAX;
    enum status status = STATUS_OK;
    if (exercise < 0) {
        bool meant = depth <= ODD_DEPTH_MAX || exercise_meant(kernels->course, name) >= 0;
        bool odd = is_near || (is_cuda(name) && meant);
        status = found_note(search, odd ? &kernels->odd : &kernels->others, path);
    }
    if (status || (exercise < 0 && !near)) {
        return status;
    }
    int rank = search->rank;
    search->rank += depth == 0 ? 0 : strcmp(parent, "student") == 0 ? 1 : depth + 1;
    status = near ? file_read_into(search, folder, entry, path, name, 0, link, &file)
                  : file_read_into(search, folder, entry, path, plain, copy, link, &file);
    search->rank = rank;
    if (status) {
        return status;
    }
    for (int i = 0; near && i < kernels->near_count; i++) {
        if (strcmp(kernels->near[i].name, name) == 0) {
            file_choose(&kernels->near[i], &file);
            return STATUS_OK;
        }
    }
    if (near) {
        kernels->near[kernels->near_count++] = file;
    } else {
        file_choose(&kernels->wanted[exercise], &file);
    }
    return STATUS_OK;
}

// --- Folders and packages ------------------------------------------------------------

static enum status package_look(struct search *search, int folder, const char *entry,
                                const char *path);

// All that is in the open folder `fd`, of which `path` is shown and `name` is its own name.
static enum status folder_look(struct search *search, int fd, const char *path, const char *name,
                               int depth) {
    struct listing listing;
    enum status status = listing_read(fd, ".", &listing, search->err);
    if (status) {
        return status;
    }
    for (int i = 0; i < listing.count && !status; i++) {
        const struct entry *entry = &listing.entry[i];
        char inner[PATH_BYTES_MAX];
        bool in_package = search->rank > 0;
        status =
            path_make(inner, search->err, "%s%s%s", path, *path != '\0' ? "/" : "", entry->name);
        if (status) {
            break;
        }
        if (++search->kernels->entries > ENTRIES_MAX) {
            status = fail(search->err, STATUS_BAD_USAGE, "more than %d files", ENTRIES_MAX);
        } else if (entry->kind == ENTRY_FOLDER && depth < DEPTH_MAX) {
            int inner_fd = openat(fd, entry->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            status = inner_fd < 0
                         ? fail_errno(search->err, status_of_errno(STATUS_BAD_USAGE), "%s", inner)
                         : folder_look(search, inner_fd, inner, entry->name, depth + 1);
            fd_close(&inner_fd);
        } else if (entry->kind == ENTRY_FILE && package_has_name(entry->name) && !in_package) {
            status = package_look(search, fd, entry->name, inner);
        } else if (entry->kind == ENTRY_FILE || entry->kind == ENTRY_LINK) {
            status = file_look(search, fd, entry->name, inner, entry->name,
                               entry->kind == ENTRY_LINK, depth, name);
        }
    }
    listing_done(&listing);
    return status;
}

// What the unpacker left out, after what it left out of another package.
static enum status left_out_keep(struct search *search, char *said) {
    struct kernels *kernels = search->kernels;
    if (!kernels->left_out || *said == '\0') {
        if (!kernels->left_out) {
            kernels->left_out = said;
        } else {
            free(said);
        }
        return STATUS_OK;
    }
    char *both = NULL;
    int length = asprintf(&both, "%s%s", kernels->left_out, said);
    free(said);
    if (length < 0) {
        return memory_fail(search);
    }
    free(kernels->left_out);
    kernels->left_out = both;
    return STATUS_OK;
}

static enum status package_look(struct search *search, int folder, const char *entry,
                                const char *path) {
    char unpacked[PATH_BYTES_MAX];
    char shown[PATH_BYTES_MAX];
    char *left_out = NULL;
    if (++search->packages > PACKAGES_MAX) {
        return fail(search->err, STATUS_BAD_USAGE, "more than %d packages", PACKAGES_MAX);
    }
    int fd = openat(folder, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        return fail_errno(search->err, status_of_errno(STATUS_BAD_USAGE), "%s", path);
    }
    (void)snprintf(shown, sizeof shown, "%s", path);
    text_clean(shown);
    enum status status = package_unpack_tree(search->place->programs, search->place->sandbox, shown,
                                             fd, false, unpacked, &left_out, search->err);
    (void)close(fd);
    if (status) {
        return status;
    }
    fd = open(unpacked, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    status = fd < 0 ? fail_errno(search->err, STATUS_SYSTEM, "%s", unpacked)
                    : left_out_keep(search, left_out);
    if (!status) {
        search->rank += RANK_PACKAGE;
        status = folder_look(search, fd, path, "", 0);
        search->rank -= RANK_PACKAGE;
    }
    fd_close(&fd);
    (void)folder_remove(unpacked, NULL);
    return status;
}

static enum status item_look(struct search *search) {
    const struct source_item *item = search->item;
    int folder = search->place->folder;
    if (item->kind == ENTRY_FILE) {
        return package_has_name(item->name)
                   ? package_look(search, folder, item->path, item->name)
                   : file_look(search, folder, item->path, item->name, item->name, false, 0, "");
    }
    int fd = openat(folder, item->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return fail_errno(search->err, status_of_errno(STATUS_BAD_USAGE), "%s", item->path);
    }
    enum status status = folder_look(search, fd, "", "", 0);
    (void)close(fd);
    return status;
}

enum status kernels_find(const struct kernels_place *place, const struct source *source,
                         const struct course *course, struct kernels *ret_kernels,
                         struct error *err) {
    struct search search = {.place = place, .kernels = ret_kernels, .err = err};
    enum status status = STATUS_OK;
    *ret_kernels = (struct kernels){.course = course};
    for (int i = 0; i < source->item_count && !status; i++) {
        search.item = &source->item[i];
        status = item_look(&search);
    }
    return status;
}

void kernels_done(struct kernels *kernels) {
    for (int i = 0; i < WANTED_MAX; i++) {
        file_done(&kernels->wanted[i]);
    }
    for (int i = 0; i < kernels->near_count; i++) {
        file_done(&kernels->near[i]);
    }
    found_done(&kernels->odd);
    found_done(&kernels->others);
    free(kernels->left_out);
    kernels->left_out = NULL;
    kernels->near_count = 0;
}

// True if an exercise has no file, and this one could be meant for it.
static bool is_wanted(const struct kernels *kernels, const char *path) {
    const char *slash = strrchr(path, '/');
    int meant = exercise_meant(kernels->course, slash ? slash + 1 : path);
    bool missing = meant >= 0 && !kernels->wanted[meant].name;
    for (int i = 0; meant < 0 && i < kernels->course->exercise_count; i++) {
        missing = missing || !kernels->wanted[i].name;
    }
    return missing;
}

void kernels_odd_write(const struct kernels *kernels, char *ret_text, size_t bytes) {
    size_t used = 0;
    ret_text[0] = '\0';
    for (int i = 0; i < kernels->odd.count && i < KERNEL_FOUND_MAX; i++) {
        const char *path = kernels->odd.path[i];
        if (is_wanted(kernels, path) && used + strlen(path) + 8 < bytes) {
            used += (size_t)snprintf(ret_text + used, bytes - used, "%s'%s'", used > 0 ? ", " : "",
                                     path);
        }
    }
}

// --- The copy ------------------------------------------------------------------------

// The files to be written, by an index; NULL after the last.  A file with nearly the right name is
// only of use if the right one is missing.
static const struct kernel_file *file_at(const struct kernels *kernels, int *index) {
    for (; *index < WANTED_MAX + kernels->near_count; ++*index) {
        const struct kernel_file *file =
            *index < WANTED_MAX ? &kernels->wanted[*index] : &kernels->near[*index - WANTED_MAX];
        if (*index >= WANTED_MAX &&
            kernels->wanted[exercise_find(kernels->course, file->name, true)].name) {
            continue;
        }
        if (file->name) {
            ++*index;
            return file;
        }
    }
    return NULL;
}

static bool file_is_there(int folder, const struct kernel_file *file) {
    struct kernel_file other = {0};
    struct stat about;
    if (!file->text) {
        return fstatat(folder, file->name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
               S_ISLNK(about.st_mode);
    }
    bool same = entry_read(folder, file->name, SOURCE_BYTES_MAX + 1, &other.text, &other.bytes,
                           NULL) == STATUS_OK &&
                is_equal(file, &other);
    free(other.text);
    return same;
}

static bool folder_is_equal(const struct kernels *kernels, const char *path) {
    struct listing listing;
    int index = 0;
    int count = 0;
    if (listing_read(AT_FDCWD, path, &listing, NULL)) {
        return false;
    }
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool same = fd >= 0;
    for (const struct kernel_file *file; same && (file = file_at(kernels, &index)) != NULL;) {
        same = file_is_there(fd, file);
        count++;
    }
    same = same && count == listing.count;
    fd_close(&fd);
    listing_done(&listing);
    return same;
}

static enum status file_put(int folder, const struct kernel_file *file, struct error *err) {
    if (!file->text) {
        return symlinkat(NOWHERE, folder, file->name) == 0
                   ? STATUS_OK
                   : fail_errno(err, STATUS_SYSTEM, "%s: cannot write", file->name);
    }
    int fd = openat(folder, file->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool written = fd >= 0;
    for (size_t done = 0; written && done < file->bytes;) {
        ssize_t put = write(fd, file->text + done, file->bytes - done);
        written = put >= 0 || errno == EINTR;
        done += put > 0 ? (size_t)put : 0;
    }
    if (fd >= 0 && close(fd) != 0) {
        written = false;
    }
    return written ? STATUS_OK : fail_errno(err, STATUS_SYSTEM, "%s: cannot write", file->name);
}

enum status kernels_write(const struct kernels *kernels, const char *folder, struct error *err) {
    char temporary[PATH_BYTES_MAX];
    int index = 0;
    if (folder_is_equal(kernels, folder)) {
        return STATUS_OK;
    }
    enum status status = path_make(temporary, err, "%s.new", folder);
    if (!status) {
        status = folder_remove(temporary, err);
    }
    if (!status) {
        status = folder_make(temporary, err);
    }
    int fd = status ? -1 : open(temporary, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (!status && (fd < 0 || fchmod(fd, 0700) != 0)) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", temporary);
    }
    for (const struct kernel_file *file; !status && (file = file_at(kernels, &index)) != NULL;) {
        status = file_put(fd, file, err);
    }
    fd_close(&fd);
    if (!status) {
        status = folder_remove(folder, err);
    }
    if (!status && rename(temporary, folder) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s: cannot write", folder);
    }
    return status;
}
