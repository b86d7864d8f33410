// Markdown as far as it is needed: code blocks and code spans hold no links, and brackets nest.
// tools/links.py checks the same links in the whole course.
#include "app/course/links.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"

#define DEPTH_MAX 16

// After a code span that begins here; else `at`.
static const char *after_span(const char *at) {
    const char *end = *at == '`' ? strchr(at + 1, '`') : NULL;
    return end ? end + 1 : at;
}

// The bracket that closes the one at `open`, if a target follows it; else NULL.
static const char *link_close(const char *open) {
    int depth = 0;
    for (const char *at = open; *at != '\0' && strncmp(at, "\n\n", 2) != 0;) {
        const char *after = after_span(at);
        if (after > at) {
            at = after;
            continue;
        }
        depth += (*at == '[') - (*at == ']');
        if (depth == 0) {
            return at[1] == '(' ? at : NULL;
        }
        at++;
    }
    return NULL;
}

// True if a relative target leads to no file.
static bool is_dead(const char *page, const char *target, size_t length) {
    char path[PATH_BYTES_MAX];
    const char *slash = strrchr(page, '/');
    struct stat about;
    size_t bytes = 0;
    while (bytes < length && !strchr(" #", target[bytes])) {
        bytes++;
    }
    if (bytes == 0 || memmem(target, bytes, "://", 3) || text_starts(target, "mailto:")) {
        return false;
    }
    return !path_make(path, NULL, "%.*s/%.*s", slash ? (int)(slash - page) : 1, slash ? page : ".",
                      (int)bytes, target) &&
           stat(path, &about) != 0 && errno == ENOENT;
}

// Writes one link if it is alive, or its text.  Returns the place after it; NULL if there is none.
static const char *link_write(FILE *out, const char *page, const char *at) {
    const char *close = *at == '[' ? link_close(at) : NULL;
    const char *end = close ? strchr(close, ')') : NULL;
    if (!end) {
        return NULL;
    }
    bool dead = is_dead(page, close + 2, (size_t)(end - close - 2));
    const char *from = dead ? at + 1 : at;
    const char *to = dead ? close : end + 1;
    (void)fwrite(from, 1, (size_t)(to - from), out);
    return end + 1;
}

static enum status text_do(const char *page, const char *text, char **ret_text, struct error *err) {
    size_t bytes = 0;
    bool in_block = false;
    FILE *out = open_memstream(ret_text, &bytes);
    for (const char *at = text; out && *at != '\0';) {
        bool line_begins = at == text || at[-1] == '\n';
        if (line_begins && text_starts(at, "```")) {
            in_block = !in_block;
        }
        const char *after = in_block ? at : after_span(at);
        const char *linked = in_block || after > at ? NULL : link_write(out, page, at);
        if (linked) {
            at = linked;
            continue;
        }
        after = after > at && !(line_begins && text_starts(at, "```")) ? after : at + 1;
        (void)fwrite(at, 1, (size_t)(after - at), out);
        at = after;
    }
    return out && stream_close(out, ret_text) ? STATUS_OK
                                              : fail(err, STATUS_NO_MEMORY, "%s: no memory", page);
}

static enum status page_do(const char *path, struct error *err) {
    char *text = NULL;
    char *changed = NULL;
    size_t bytes = 0;
    enum status status = file_read(path, FILE_BYTES_MAX, &text, &bytes, err);
    if (!status) {
        status = text_do(path, text, &changed, err);
    }
    if (!status && strcmp(text, changed) != 0) {
        status = file_write(path, changed, strlen(changed), err);
    }
    free(text);
    free(changed);
    return status;
}

static enum status folder_do(const char *path, int depth, struct error *err) {
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, NULL, alphasort);
    enum status status =
        count < 0 || depth == DEPTH_MAX ? fail_errno(err, STATUS_SYSTEM, "%s", path) : STATUS_OK;
    for (int i = 0; i < count; i++) {
        char inner[PATH_BYTES_MAX];
        const char *name = entries[i]->d_name;
        size_t length = strlen(name);
        struct stat about;
        if (!status && name[0] != '.') {
            status = path_make(inner, err, "%s/%s", path, name);
        }
        if (!status && name[0] != '.' && lstat(inner, &about) == 0) {
            status = S_ISDIR(about.st_mode) ? folder_do(inner, depth + 1, err)
                     : length > 3 && strcmp(name + length - 3, ".md") == 0 ? page_do(inner, err)
                                                                           : STATUS_OK;
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

enum status course_links_drop(const char *folder, struct error *err) {
    return folder_do(folder, 0, err);
}
