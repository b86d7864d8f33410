// Reads a submitted file: see submitted.h.
#include "judge/source/submitted.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compose.h"
#include "base/file.h"
#include "base/text.h"
#include "device/device.h"

#define SHOWN_BYTES_MAX (64 << 10)  // a kernel has some KiB; more would swell every report
#define ENTRIES_MAX     1000        // looked at in a folder that anyone may have filled
#define NEAR_PATH_MAX   80          // bytes of a path that is named, with the final NUL

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
    char *text = malloc(bytes + 1);
    if (!text) {
        return fail(err, STATUS_NO_MEMORY, "%s: no memory", file);
    }
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

// Looks in `folder` for what `file` ("tiled.cu") may be called: Tiled.cu, matmul_tiled.cu,
// "tiled (1).cu", tiled.cu.txt; or for hw/tiled.cu.  Follows no link.  True with its path below
// folder, the first by the alphabet: in plain ASCII, so that it can be printed anywhere.
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

// A file that is missing may be there under another name: a zero for that should not be a riddle.
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
// otherwise code after it would pass for the rest of a comment.
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

enum status submitted_show(const struct submitted *source, char **ret_text, struct error *err) {
    *ret_text = NULL;
    if (!source->text || source->bytes > SHOWN_BYTES_MAX ||
        memchr(source->text, '\0', source->bytes)) {
        return STATUS_OK;
    }
    char *text = malloc(source->bytes + 1);
    if (!text) {
        return fail(err, STATUS_NO_MEMORY, "no memory for a source text");
    }
    size_t used = 0;
    size_t start = text_starts(source->text, "\xef\xbb\xbf") ? 3 : 0;
    for (size_t i = start; i < source->bytes; i++) {
        if (source->text[i] != '\r' || source->text[i + 1] != '\n') {
            text[used++] = source->text[i];
        }
    }
    text[used] = '\0';
    *ret_text = text;
    return STATUS_OK;
}

void submitted_done(struct submitted *source) {
    free(source->text);
    source->text = NULL;
}

// The start of a line and in *ret_stop its end; NULL if there is no such line.
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
