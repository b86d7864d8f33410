// Reads hints.md.  The three steps of every hint must be there and in order, so that "the next
// hint" always exists.
#include "exercise/hints.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/translate.h"

#define HINTS_BYTES_MAX (256 << 10)

static const char *const step_names[HINT_STEPS] = {"question", "where", "pseudocode"};

struct hints {
    const char *path;
    int line;
    int count;          // steps begun
    int wanted;         // the one to return
    const char *start;  // of its text; NULL until it is found
    const char *end;
    struct error *err;
};

// `## 2 …` opens hint 2, which must be the next one; the hint before it must be complete.
static enum status hint_open(struct hints *hints, const char *line) {
    int number = hints->count / HINT_STEPS + 1;
    char expected[16];
    (void)snprintf(expected, sizeof expected, "## %d", number);
    size_t length = strlen(expected);
    if (hints->count % HINT_STEPS != 0) {
        return fail(hints->err, STATUS_BAD_DATA, "%s:%d: expected `### %s` of hint %d first",
                    hints->path, hints->line, step_names[hints->count % HINT_STEPS], number);
    }
    if (!text_starts(line, expected) ||
        (line[length] != ' ' && line[length] != '\n' && line[length] != '\r')) {
        return fail(hints->err, STATUS_BAD_DATA, "%s:%d: expected `%s what it is about`",
                    hints->path, hints->line, expected);
    }
    return STATUS_OK;
}

static enum status step_open(struct hints *hints, const char *line, const char *next,
                             bool in_hint) {
    const char *expected = step_names[hints->count % HINT_STEPS];
    size_t length = strlen(expected);
    if (!in_hint || !text_starts(line + 4, expected) || strchr("\r\n", line[4 + length]) == NULL) {
        return in_hint ? fail(hints->err, STATUS_BAD_DATA, "%s:%d: expected `### %s`", hints->path,
                              hints->line, expected)
                       : fail(hints->err, STATUS_BAD_DATA,
                              "%s:%d: expected `##` and the number of the hint", hints->path,
                              hints->line);
    }
    if (hints->count == hints->wanted) {
        hints->start = next;
    }
    hints->count++;
    return STATUS_OK;
}

static enum status hints_scan(struct hints *hints, const char *text) {
    enum status status = STATUS_OK;
    bool in_hint = false;
    bool in_code = false;
    const char *rest = text;
    const char *line;
    size_t bytes;
    while (!status && (line = text_line(&rest, &bytes)) != NULL) {
        hints->line++;
        in_code = in_code != text_starts(line, "```");
        bool is_hint = !in_code && text_starts(line, "## ");
        bool is_step = !in_code && text_starts(line, "### ");
        if ((is_hint || is_step) && hints->start && !hints->end) {
            hints->end = line;
        }
        if (is_hint) {
            status = hint_open(hints, line);
            in_hint = true;
        } else if (is_step) {
            status = step_open(hints, line, rest, in_hint);
            in_hint = hints->count % HINT_STEPS != 0;
        }
    }
    if (!status && (hints->count == 0 || hints->count % HINT_STEPS != 0 || in_hint)) {
        status = in_hint
                     ? fail(hints->err, STATUS_BAD_DATA, "%s:%d: expected `### %s`", hints->path,
                            hints->line, step_names[hints->count % HINT_STEPS])
                     : fail(hints->err, STATUS_BAD_DATA, "%s:%d: expected `## 1 what it is about`",
                            hints->path, hints->line);
    }
    return status;
}

enum status hint_read(const char *path, int step, char **ret_text, int *ret_count,
                      struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read(path, HINTS_BYTES_MAX, &text, &bytes, err);
    if (status) {
        return status;
    }
    struct hints hints = {.path = path, .wanted = step, .err = err};
    status = hints_scan(&hints, text);
    if (!status && !hints.start) {
        status = fail(err, STATUS_BAD_USAGE, "%s: there is no hint %d; the file has %d", path,
                      step + 1, hints.count);
    }
    if (status) {
        free(text);
        return status;
    }
    const char *start = hints.start + strspn(hints.start, "\r\n");
    size_t length = (hints.end ? (size_t)(hints.end - start) : strlen(start));
    while (length > 0 && strchr(" \r\n", start[length - 1])) {
        length--;
    }
    memmove(text, start, length);
    text[length] = '\0';
    *ret_text = text;
    *ret_count = hints.count;
    return STATUS_OK;
}
