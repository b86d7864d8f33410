// Markdown is read line by line, only as far as links and headings need it.
#include "exercise/links.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/texts.h"

#define PAGE_BYTES_MAX (4 << 20)
#define ANCHOR_MAX     256
#define TARGET_MAX     512

// A page being read.
struct page {
    const char *path;
    const char *text;
    int line;
    links_report *report;
    void *context;
};

// The text of a heading as an anchor.  Markup of code spans and links is dropped with the
// punctuation.
static void anchor_make(const char *heading, size_t bytes, char anchor[ANCHOR_MAX]) {
    size_t used = 0;
    int in_target = 0;
    while (bytes > 0 && isspace((unsigned char)heading[bytes - 1])) {
        bytes--;
    }
    for (size_t i = 0; i < bytes && used + 1 < ANCHOR_MAX; i++) {
        unsigned char letter = (unsigned char)heading[i];
        if (letter == ']' && i + 1 < bytes && heading[i + 1] == '(') {
            in_target = 1;
        } else if (in_target) {
            in_target = letter != ')';
        } else if (letter == ' ' || letter == '-') {
            anchor[used++] = '-';
        } else if (isalnum(letter) || letter == '_' || letter >= 0x80) {
            anchor[used++] = (char)tolower(letter);
        }
    }
    anchor[used] = '\0';
}

// Behind the marks of a heading of 1 to 6 #; NULL where the line is none.
static const char *heading_of(const char *line) {
    size_t marks = strspn(line, "#");
    if (marks < 1 || marks > 6 || line[marks] != ' ') {
        return NULL;
    }
    return line + marks + strspn(line + marks, " ");
}

static bool explicit_anchor_in(const char *line, size_t bytes, const char *anchor) {
    static const char *const attributes[] = {"<a id=\"", "<a name=\""};
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(attributes[i]);
        for (size_t at = 0; at + length < bytes; at++) {
            const char *value = line + at + length;
            if (memcmp(line + at, attributes[i], length) == 0 &&
                strncmp(value, anchor, strlen(anchor)) == 0 && value[strlen(anchor)] == '"') {
                return true;
            }
        }
    }
    return false;
}

bool links_anchor_in(const char *markdown, const char *anchor) {
    // "name-2" is the third heading called "name"
    char name[ANCHOR_MAX];
    (void)snprintf(name, sizeof name, "%s", anchor);
    long wanted = 0;
    char *hyphen = strrchr(name, '-');
    if (hyphen && hyphen != name && isdigit((unsigned char)hyphen[1])) {
        char *end = NULL;
        wanted = strtol(hyphen + 1, &end, 10);
        wanted = *end == '\0' ? wanted : 0;
    }
    if (wanted > 0) {
        *hyphen = '\0';
    }
    long seen = 0;
    bool in_code = false;
    for (const char *line = markdown; *line != '\0';) {
        size_t bytes = strcspn(line, "\n");
        in_code = in_code != (strncmp(line, "```", 3) == 0);
        const char *heading = in_code ? NULL : heading_of(line);
        if (heading) {
            char made[ANCHOR_MAX];
            anchor_make(heading, (size_t)(line + bytes - heading), made);
            seen += wanted > 0 && strcmp(made, name) == 0;
            if (strcmp(made, anchor) == 0 || (wanted > 0 && seen > wanted)) {
                return true;
            }
        }
        if (!in_code && explicit_anchor_in(line, bytes, anchor)) {
            return true;
        }
        line += bytes + (line[bytes] == '\n');
    }
    return false;
}

// Makes the path of a target: beside the page, or the page itself where the target is only an
// anchor.
static bool target_path(const struct page *page, const char *target, char path[PATH_BYTES_MAX]) {
    if (*target == '\0') {
        return !path_make(path, NULL, "%s", page->path);
    }
    const char *slash = strrchr(page->path, '/');
    int folder_bytes = slash ? (int)(slash + 1 - page->path) : 0;
    return !path_make(path, NULL, "%.*s%s", folder_bytes, page->path, target);
}

static void link_report(const struct page *page, const char *what, const char *name,
                        const char *where) {
    char message[ERROR_TEXT_MAX];
    (void)snprintf(message, sizeof message, "%s:%d: %s '%s'%s%s", page->path, page->line, what,
                   name, *where ? _(" in ") : "", where);
    page->report(page->context, message);
}

static void target_check(const struct page *page, const char *link, size_t bytes) {
    char target[TARGET_MAX];
    char path[PATH_BYTES_MAX];
    struct stat info;
    (void)snprintf(target, sizeof target, "%.*s", (int)bytes, link);
    if (strstr(target, "://") || strncmp(target, "mailto:", 7) == 0) {
        return;
    }
    char *anchor = strchr(target, '#');
    if (anchor) {
        *anchor++ = '\0';
    }
    if (!target_path(page, target, path) || stat(path, &info) != 0) {
        link_report(page, _("no file"), target, "");
        return;
    }
    size_t length = strlen(path);
    if (!anchor || *anchor == '\0' || length < 3 || strcmp(path + length - 3, ".md") != 0) {
        return;
    }
    char *text = NULL;
    size_t text_bytes = 0;
    if (file_read(path, PAGE_BYTES_MAX, &text, &text_bytes, NULL) ||
        !links_anchor_in(text, anchor)) {
        link_report(page, _("no heading"), anchor, path);
    }
    free(text);
}

// Finds `](target)` outside code spans.
static void line_check(const struct page *page, const char *line, size_t bytes) {
    bool in_code = false;
    for (size_t i = 0; i < bytes; i++) {
        in_code = in_code != (line[i] == '`');
        if (in_code || line[i] != ']' || i + 1 >= bytes || line[i + 1] != '(') {
            continue;
        }
        const char *link = line + i + 2;
        size_t length = strcspn(link, ") \n");
        target_check(page, link, length);
    }
}

enum status links_check(const char *path, links_report *report, void *context, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read(path, PAGE_BYTES_MAX, &text, &bytes, err);
    if (status) {
        return status;
    }
    struct page page = {.path = path, .text = text, .report = report, .context = context};
    bool in_code = false;
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        page.line++;
        bool is_fence = strncmp(line, "```", 3) == 0;
        in_code = in_code != is_fence;
        if (!in_code && !is_fence) {
            line_check(&page, line, length);
        }
        line += length + (line[length] == '\n');
    }
    free(text);
    return STATUS_OK;
}
