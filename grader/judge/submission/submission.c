// The path of a submission, walked part by part; packages, which tilegrade-unpack reads in the box;
// the files of the exercises.
#include "judge/submission/submission.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "device/device.h"
#include "sandbox/box.h"

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

// Opens the folder or package `path`.  No part of a relative path may be a link.  An absolute path
// begins with folders of the machine, whose links are followed (/tmp, /home).  Its last part, and
// the parts below the working folder, may not be links.
//
// Errors   STATUS_BAD_USAGE: it does not exist, or it is a link; the message names the part.
//          STATUS_SYSTEM.
// Owns     the caller closes *ret_fd.  A folder can only be used to open its contents (O_PATH).
static enum status submission_open(const char *path, int *ret_fd, struct error *err) {
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

#define EXIT_REFUSED        1
#define TRIES               2
#define TREE_FILE_BYTES_MAX (PACKAGE_SOURCE_MAX + (1 << 20))  // the unpacker stops before that
#define TREE_OUTPUT_BYTES   (64 << 10)

// A package, and the limits for unpacking it.
struct unpacking {
    const char *programs;
    const char *script;  // a Python script that reads the package; NULL: tilegrade-unpack
    const struct sandbox *sandbox;
    const char *shown;
    int fd;
    uint64_t source_bytes_max;
    bool tree;
    uint64_t entries_max;  // of a tree
    uint64_t bytes_max;
    struct box_limits limits;
};

static const struct box_limits unpack_limits = {
    .wall_ms = 60 * 1000,
    .cpu_seconds = 20,
    .memory_bytes = 1ull << 30,
    .file_bytes = PACKAGE_FILE_BYTES_MAX,
    .output_bytes = 4096,
    .open_files = 32,
};

// Only a plain file is read as a package.
static enum status source_check(const struct unpacking *unpacking, struct error *err) {
    struct stat info;
    if (fstat(unpacking->fd, &info) != 0) {
        return fail_errno(err, STATUS_SYSTEM, "%s", unpacking->shown);
    }
    if (!S_ISREG(info.st_mode)) {
        return fail(err, STATUS_BAD_USAGE,
                    "%s: neither a folder nor a package; a submission is a folder with kernel "
                    "files, or a .zip or .tar.gz of one",
                    unpacking->shown);
    }
    return (uint64_t)info.st_size > unpacking->source_bytes_max
               ? fail(err, STATUS_BAD_USAGE,
                      "%s: larger than %d MiB; unpack it, and name the folder", unpacking->shown,
                      (int)(unpacking->source_bytes_max >> 20))
               : STATUS_OK;
}

// A line "'name': why" of the unpacker, in the chosen language; the name contains no quote.
static const char *said_translate(const char *output, char said[ERROR_TEXT_MAX]) {
    char line[ERROR_TEXT_MAX];
    (void)snprintf(line, sizeof line, "%.*s", (int)strcspn(output, "\n"), output);
    const char *why = strstr(line, "': ");
    why = why ? why + 3 : line;
    (void)snprintf(said, ERROR_TEXT_MAX, "%.*s%s", (int)(why - line), line, text_of(why));
    text_clean(said);
    return said;
}

// All lines of the unpacker, in the chosen language.
static void left_out_keep(const char *output, char **ret_left_out) {
    char said[ERROR_TEXT_MAX];
    size_t bytes = 0;
    *ret_left_out = NULL;
    FILE *stream = xopen_memstream(ret_left_out, &bytes);
    for (const char *line; (line = text_line(&output, &bytes)) != NULL;) {
        (void)fprintf(stream, "%s\n", said_translate(line, said));
    }
    xclose_memstream(stream, ret_left_out);
}

static enum status end_judge(const struct unpacking *unpacking, const struct box *box,
                             enum box_end end, bool *ret_refused, struct error *err) {
    char said[ERROR_TEXT_MAX];
    int code = box_exit_code(box);
    if (end == BOX_SIGNALLED && code == 128 + SIGKILL) {
        return fail(err, STATUS_SYSTEM,
                    "%s: the unpacker was killed; is this machine short of memory?",
                    unpacking->shown);
    }
    if (end != BOX_EXITED) {
        return fail(err, STATUS_BAD_USAGE, "%s: the unpacker reached a resource limit",
                    unpacking->shown);
    }
    *ret_refused = code == EXIT_REFUSED;
    return code == 0 ? STATUS_OK
                     : fail(err, *ret_refused ? STATUS_BAD_USAGE : STATUS_SYSTEM, "%s: %s",
                            unpacking->shown, said_translate(box_output(box), said));
}

// *ret_refused: the package itself is at fault.
static enum status unpack_run(const struct unpacking *unpacking, const char *folder,
                              bool *ret_refused, char **ret_left_out, struct error *err) {
    char program[PATH_BYTES_MAX];
    char script[PATH_BYTES_MAX];
    char tree[] = "tree";
    char entries[24];
    char bytes[24];
    struct box *box = NULL;
    enum box_end end = BOX_RUNNING;
    enum status status = path_make(program, err, "%s/tilegrade-unpack", unpacking->programs);
    if (status) {
        return status;
    }
    char python[] = "/usr/bin/python3";
    char isolated[] = "-I";
    if (unpacking->script) {
        status = path_make(script, err, "%s", unpacking->script);
        if (status) {
            return status;
        }
    }
    (void)snprintf(entries, sizeof entries, "%" PRIu64, unpacking->entries_max);
    (void)snprintf(bytes, sizeof bytes, "%" PRIu64, unpacking->bytes_max);
    char *own[] = {program, unpacking->tree ? tree : NULL, entries, bytes, NULL};
    char *given[] = {python, isolated, script, NULL};
    char **argument = unpacking->script ? given : own;
    const char *const readable[] = {unpacking->script ? unpacking->script : unpacking->programs,
                                    NULL};
    const struct box_command command = {.argument = argument,
                                        .folder = folder,
                                        .descriptor = &unpacking->fd,
                                        .descriptor_count = 1,
                                        .limits = unpacking->limits,
                                        .sandbox = unpacking->sandbox,
                                        .profile = PROFILE_TOOL,
                                        .readable = readable};
    status = box_run(&command, &box, &end, err);
    if (!status) {
        status = end_judge(unpacking, box, end, ret_refused, err);
    }
    if (!status && ret_left_out) {
        left_out_keep(box_output(box), ret_left_out);
    }
    box_free(box);
    return status;
}

static enum status package_unpack(const struct unpacking *unpacking,
                                  char ret_folder[PATH_BYTES_MAX], char **ret_left_out,
                                  struct error *err) {
    bool refused = true;
    enum status status = source_check(unpacking, err);
    // A failing machine may make a good package look damaged, but rarely twice.
    for (int try = 0; try < TRIES && refused && (!status || try > 0); try++) {
        refused = false;
        status = lseek(unpacking->fd, 0, SEEK_SET) == 0
                     ? box_scratch_make(unpacking->sandbox, ret_folder, err)
                     : fail_errno(err, STATUS_SYSTEM, "%s", unpacking->shown);
        if (!status) {
            status = unpack_run(unpacking, ret_folder, &refused, ret_left_out, err);
            if (status) {
                (void)folder_remove(ret_folder, NULL);
            }
        }
    }
    return status;
}

enum status package_open(const char *programs, const struct sandbox *sandbox,
                         const char *submission, int *ret_folder, struct error *err) {
    char folder[PATH_BYTES_MAX];
    struct stat info;
    struct unpacking unpacking = {.programs = programs,
                                  .sandbox = sandbox,
                                  .shown = submission,
                                  .source_bytes_max = PACKAGE_SOURCE_MAX,
                                  .limits = unpack_limits};
    enum status status = submission_open(submission, &unpacking.fd, err);
    if (!status && fstat(unpacking.fd, &info) == 0 && S_ISDIR(info.st_mode)) {
        *ret_folder = unpacking.fd;
        return STATUS_OK;
    }
    if (!status) {
        status = package_unpack(&unpacking, folder, NULL, err);
        (void)close(unpacking.fd);
    }
    // The scratch folder is removed with the folder of the whole run.
    if (!status && (*ret_folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", folder);
    }
    return status;
}

enum status package_unpack_tree(const char *programs, const struct sandbox *sandbox,
                                const struct package *package, char ret_folder[PATH_BYTES_MAX],
                                char **ret_left_out, struct error *err) {
    const bool of_class = package->of_class;
    struct unpacking unpacking = {.programs = programs,
                                  .sandbox = sandbox,
                                  .shown = package->shown,
                                  .fd = package->fd,
                                  .source_bytes_max =
                                      of_class ? CLASS_SOURCE_MAX : PACKAGE_SOURCE_MAX,
                                  .tree = true,
                                  .entries_max = of_class ? CLASS_ENTRIES_MAX : PACKAGE_TREE_MAX,
                                  .bytes_max = of_class ? CLASS_BYTES_MAX : PACKAGE_BYTES_MAX,
                                  .limits = unpack_limits};
    unpacking.limits.file_bytes = TREE_FILE_BYTES_MAX;
    unpacking.limits.output_bytes = TREE_OUTPUT_BYTES;
    if (of_class) {
        unpacking.limits.wall_ms *= 20;
        unpacking.limits.cpu_seconds *= 20;
    }
    return package_unpack(&unpacking, ret_folder, ret_left_out, err);
}

enum status package_read(const char *script, const struct sandbox *sandbox, const char *shown,
                         int fd, char ret_folder[PATH_BYTES_MAX], struct error *err) {
    struct unpacking unpacking = {.programs = "",
                                  .script = script,
                                  .sandbox = sandbox,
                                  .shown = shown,
                                  .fd = fd,
                                  .source_bytes_max = PACKAGE_SOURCE_MAX,
                                  .limits = unpack_limits};
    unpacking.limits.file_bytes = FILE_BYTES_MAX;
    return package_unpack(&unpacking, ret_folder, NULL, err);
}

bool package_has_name(const char *name) {
    static const char *const ends[] = {".zip",    ".tar", ".tar.gz", ".tgz",
                                       ".tar.xz", ".txz", ".tar.bz2"};
    size_t length = strlen(name);
    for (size_t i = 0; i < COUNT(ends); i++) {
        size_t bytes = strlen(ends[i]);
        if (length > bytes && strcasecmp(name + length - bytes, ends[i]) == 0) {
            return true;
        }
    }
    return false;
}

#define SHOWN_BYTES_MAX (64 << 10)  // a kernel has some KiB; more would swell every report
#define ENTRIES_MAX     1000        // entries examined in a folder that anyone may have filled
#define NEAR_PATH_MAX   80          // bytes of a reported path, with the final NUL

// The file's name is in the sentence, whose format is looked up here.
__attribute__((format(printf, 3, 4))) static void
source_refuse(struct submitted *source, enum verdict verdict, const char *format, ...) {
    va_list arguments;
    source->verdict = verdict;
    va_start(arguments, format);
    words_vwrite(source->headline, sizeof source->headline, format, arguments);
    va_end(arguments);
}

// Reads an open file of known size, which may have changed since.
static enum status text_read(int fd, const char *file, size_t bytes, struct submitted *source,
                             struct error *err) {
    char *text = xmalloc(bytes + 1);
    size_t used = 0;
    while (used < bytes) {
        ssize_t got = read(fd, text + used, bytes - used);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            free(text);
            return fail_errno(err, STATUS_SYSTEM, "%s: cannot be read", file);
        }
        if (got == 0) {
            break;
        }
        used += (size_t)got;
    }
    text[used] = '\0';
    source->text = text;
    source->bytes = used;
    return STATUS_OK;
}

static bool is_printable(const char *name) {
    for (; *name != '\0'; name++) {
        if (*name < 0x20 || *name > 0x7e || *name == '`') {
            return false;
        }
    }
    return true;
}

// "Tiled.cu" and "matmul_tiled (1).cu" are near tiled.cu; "tiled_old.cu" and "register_tiled.cu"
// are other names.
static bool is_near(const char *name, const char *file) {
    size_t stem = strcspn(file, ".");
    if (strncasecmp(name, KERNEL_PREFIX, strlen(KERNEL_PREFIX)) == 0) {
        name += strlen(KERNEL_PREFIX);
    }
    return strncasecmp(name, file, stem) == 0 && !isalnum((unsigned char)name[stem]) &&
           name[stem] != '_';
}

// True if the entry is a near file, or a folder that holds `file`; writes its path.
static bool entry_look(int folder_fd, const char *name, const char *file, char path[NEAR_PATH_MAX],
                       bool *ret_inside) {
    struct stat about;
    if (name[0] == '.' || !is_printable(name) || strlen(name) + strlen(file) + 2 > NEAR_PATH_MAX ||
        fstatat(folder_fd, name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
        return false;
    }
    *ret_inside = S_ISDIR(about.st_mode);
    (void)snprintf(path, NEAR_PATH_MAX, *ret_inside ? "%s/%s" : "%s", name, file);
    if (*ret_inside) {
        return fstatat(folder_fd, path, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(about.st_mode);
    }
    return S_ISREG(about.st_mode) && is_near(name, file);
}

// Looks in `folder` for other spellings of `file` ("tiled.cu"): Tiled.cu, matmul_tiled.cu,
// "tiled (1).cu", tiled.cu.txt; or for hw/tiled.cu.  Follows no link.  If one is found, returns
// true and its path below folder, the alphabetically first, in plain ASCII, so that it can be
// printed anywhere.
static bool near_find(int folder, const char *file, char ret_path[NEAR_PATH_MAX],
                      bool *ret_inside) {
    bool found = false;
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry = NULL;
    for (int i = 0; entries && i < ENTRIES_MAX && (entry = readdir(entries)) != NULL; i++) {
        char path[NEAR_PATH_MAX];
        bool inside = false;
        if (entry_look(dirfd(entries), entry->d_name, file, path, &inside) &&
            (!found || strcmp(path, ret_path) < 0)) {
            memcpy(ret_path, path, sizeof path);
            *ret_inside = inside;
            found = true;
        }
    }
    if (entries) {
        (void)closedir(entries);
    } else if (fd >= 0) {
        (void)close(fd);
    }
    return found;
}

// A missing file may exist under another name: the student should not have to guess why the grade
// is zero.
static void refuse_absent(struct submitted *source, int folder, const char *file) {
    char near[NEAR_PATH_MAX];
    bool inside = false;
    source->absent = !near_find(folder, file, near, &inside);
    if (source->absent) {
        source_refuse(source, VERDICT_MISSING,
                      "%s is missing: the kernel of this exercise belongs in it.", file);
        return;
    }
    source_refuse(source, VERDICT_MISSING,
                  inside
                      ? _("%s is missing; there is `%s`, but kernel files belong at the top of the "
                          "folder.")
                      : _("%s is missing; there is `%s`: rename it if that is the kernel."),
                  file, near);
}

// Opens the file.  If it is absent, that becomes the verdict, and *ret_fd stays -1.
static enum status source_open(int folder, const char *file, struct submitted *source, int *ret_fd,
                               struct error *err) {
    int fd = openat(folder, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0) {
        *ret_fd = fd;
        return STATUS_OK;
    }
    if (errno == ENOENT || errno == ENOTDIR) {
        refuse_absent(source, folder, file);
        return STATUS_OK;
    }
    if (errno == ELOOP) {
        source_refuse(source, VERDICT_NO_KERNEL, "%s is a link; put the file itself there.", file);
        return STATUS_OK;
    }
    if (errno == ENXIO) {
        source_refuse(source, VERDICT_NO_KERNEL, "%s is not a regular file.", file);
        return STATUS_OK;
    }
    return fail_errno(err, STATUS_SYSTEM, "%s: cannot be opened; check who may read it", file);
}

// Verdicts that follow from what kind of file it is.
static bool kind_is_readable(int fd, const char *file, struct submitted *source, size_t *ret_bytes,
                             enum status *ret_status, struct error *err) {
    struct stat about;
    *ret_status = STATUS_OK;
    if (fstat(fd, &about) != 0) {
        *ret_status = fail_errno(err, STATUS_SYSTEM, "%s: cannot be examined", file);
        return false;
    }
    if (S_ISDIR(about.st_mode)) {
        source_refuse(source, VERDICT_NO_KERNEL,
                      "%s is a folder; it must be a file with the kernel.", file);
        return false;
    }
    if (!S_ISREG(about.st_mode)) {
        source_refuse(source, VERDICT_NO_KERNEL, "%s is not a regular file.", file);
        return false;
    }
    if (about.st_size > SOURCE_BYTES_MAX) {
        source_refuse(source, VERDICT_NOT_ALLOWED,
                      "%s is larger than %d KiB, the limit for one file.", file,
                      SOURCE_BYTES_MAX / 1024);
        return false;
    }
    *ret_bytes = (size_t)about.st_size;
    return true;
}

// A compiler ends a line at a lone carriage return, so every reader of the text must do so too:
// otherwise code after it would look like the rest of a comment.
static void lone_returns_to_lines(struct submitted *source) {
    for (size_t i = 0; i < source->bytes; i++) {
        if (source->text[i] == '\r' && source->text[i + 1] != '\n') {
            source->text[i] = '\n';
        }
    }
}

enum status submitted_read(int folder, const char *file, struct submitted *ret_source,
                           struct error *err) {
    struct submitted source = {.verdict = VERDICT_PASS};
    size_t bytes = 0;
    int fd = -1;
    enum status status = source_open(folder, file, &source, &fd, err);
    if (status || fd < 0) {
        goto out;
    }
    if (kind_is_readable(fd, file, &source, &bytes, &status, err)) {
        status = text_read(fd, file, bytes, &source, err);
        if (!status) {
            sha256_hex(source.text, source.bytes, source.sha256);
            lone_returns_to_lines(&source);
        }
    }

out:
    if (fd >= 0) {
        (void)close(fd);
    }
    if (!status) {
        *ret_source = source;
    }
    return status;
}

char *submitted_show(const struct submitted *source) {
    if (!source->text || source->bytes > SHOWN_BYTES_MAX ||
        memchr(source->text, '\0', source->bytes)) {
        return NULL;
    }
    char *text = xmalloc(source->bytes + 1);
    size_t used = 0;
    size_t start = text_starts(source->text, "\xef\xbb\xbf") ? 3 : 0;
    for (size_t i = start; i < source->bytes; i++) {
        if (source->text[i] != '\r' || source->text[i + 1] != '\n') {
            text[used++] = source->text[i];
        }
    }
    text[used] = '\0';
    return text;
}

void submitted_done(struct submitted *source) {
    free(source->text);
    source->text = NULL;
}

// The start of a line, with its end in *ret_stop; NULL if there is no such line.
static const char *line_find(const char *text, size_t text_bytes, unsigned line,
                             const char **ret_stop) {
    const char *at = text;
    const char *end = text + text_bytes;
    if (line == 0) {
        return NULL;
    }
    for (unsigned i = 1; i < line; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline) {
            return NULL;
        }
        at = newline + 1;
    }
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    *ret_stop = stop ? stop : end;
    return at;
}

unsigned submitted_indent(const char *text, size_t text_bytes, unsigned line) {
    const char *stop = NULL;
    const char *at = line_find(text, text_bytes, line, &stop);
    unsigned indent = 0;
    while (at && at + indent < stop && (at[indent] == ' ' || at[indent] == '\t')) {
        indent++;
    }
    return indent;
}

void submitted_line(const char *text, size_t text_bytes, unsigned line, char *ret_line,
                    size_t bytes) {
    const char *stop = NULL;
    const char *at = line_find(text, text_bytes, line, &stop);
    ret_line[0] = '\0';
    if (!at) {
        return;
    }
    at += submitted_indent(text, text_bytes, line);
    size_t used = 0;
    for (; at < stop && *at != '\r' && used + 1 < bytes; at++) {
        unsigned char byte = (unsigned char)*at;
        // Latin-1 bytes in comments are welcome in a kernel, but result.json is UTF-8.
        ret_line[used++] = byte < 0x20 || byte >= 0x7f ? (byte == '\t' ? ' ' : '?') : (char)byte;
    }
    while (used > 0 && ret_line[used - 1] == ' ') {
        used--;
    }
    ret_line[used] = '\0';
}
