// Reads hints.md.  Every hint must have its steps in order, so that "the next hint" always exists.
// The text is cut into steps in place.
#include "exercise/hints.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/text.h"
#include "base/words.h"

#define HINTS_BYTES_MAX (256 << 10)

static const char *const step_names[HINT_STEPS] = {"question", "where", "pseudocode"};

struct hints_reader {
    const char *path;
    int line;
    struct hints *hints;
    struct hint *hint;  // the current hint; NULL before the first
    struct error *err;
};

// True if the line is only `word`.
static bool line_is(const char *line, size_t bytes, const char *word) {
    while (bytes > 0 && isspace((unsigned char)line[bytes - 1])) {
        bytes--;
    }
    return text_is(line, bytes, word);
}

static enum status step_missing(const struct hints_reader *reader) {
    return fail(reader->err, STATUS_BAD_DATA, "%s:%d: expected `### %s`", reader->path,
                reader->line, step_names[reader->hint->step_count]);
}

// A hint for a TODO has all steps, any other at least one.
static bool hint_is_whole(const struct hint *hint) {
    return !hint || hint->step_count == HINT_STEPS || (hint->todo == 0 && hint->step_count > 0);
}

static enum status heading_wrong(const struct hints_reader *reader) {
    return fail(reader->err, STATUS_BAD_DATA,
                "%s:%d: expected `## %d what it is about` or `## race: what it is about`",
                reader->path, reader->line, reader->hints->todo_count + 1);
}

// "race, uninitialized: two barriers": names, then the title.  False if it has another form.
static bool verdicts_read(struct hint *hint, const char *text, size_t bytes) {
    size_t at = 0;
    for (size_t i = 0; i < COUNT(hint->verdicts) && at < bytes; i++) {
        size_t length = strspn(text + at, "abcdefghijklmnopqrstuvwxyz_");
        if (length == 0 || length >= sizeof hint->verdicts[i]) {
            return false;
        }
        memcpy(hint->verdicts[i], text + at, length);
        at += length;
        if (text_starts(text + at, ": ")) {
            (void)snprintf(hint->title, sizeof hint->title, "%.*s", (int)(bytes - at - 2),
                           text + at + 2);
            return true;
        }
        if (!text_starts(text + at, ", ")) {
            return false;
        }
        at += 2;
    }
    return false;
}

// `## 2 …` opens the hint for TODO 2, which must be the next one; `## race: …` opens a hint for a
// verdict.
static enum status hint_open(struct hints_reader *reader, const char *text, size_t bytes) {
    struct hints *hints = reader->hints;
    char number[16];
    if (!hint_is_whole(reader->hint)) {
        return reader->hint->todo > 0
                   ? fail(reader->err, STATUS_BAD_DATA, "%s:%d: expected `### %s` of hint %d first",
                          reader->path, reader->line, step_names[reader->hint->step_count],
                          reader->hint->todo)
                   : step_missing(reader);
    }
    if (hints->count == HINTS_MAX) {
        return fail(reader->err, STATUS_BAD_DATA, "%s:%d: more than %d hints", reader->path,
                    reader->line, HINTS_MAX);
    }
    while (bytes > 0 && isspace((unsigned char)text[bytes - 1])) {
        bytes--;
    }
    struct hint hint = {.line = reader->line};
    int length = snprintf(number, sizeof number, "%d", hints->todo_count + 1);
    if (text_starts(text, number) && strchr(" \r\n", text[length])) {
        length += text[length] == ' ';
        hint.todo = ++hints->todo_count;
        (void)snprintf(hint.title, sizeof hint.title, "%.*s",
                       bytes > (size_t)length ? (int)bytes - length : 0, text + length);
    } else if (!verdicts_read(&hint, text, bytes)) {
        return heading_wrong(reader);
    }
    reader->hint = &hints->list[hints->count++];
    *reader->hint = hint;
    return STATUS_OK;
}

static enum status step_open(struct hints_reader *reader, const char *name, size_t bytes,
                             const char *next) {
    struct hint *hint = reader->hint;
    if (!hint || hint->step_count == HINT_STEPS) {
        return fail(reader->err, STATUS_BAD_DATA, "%s:%d: expected `##` and the number of the hint",
                    reader->path, reader->line);
    }
    if (!line_is(name, bytes, step_names[hint->step_count])) {
        return step_missing(reader);
    }
    hint->steps[hint->step_count++] = next;
    return STATUS_OK;
}

static enum status hints_scan(struct hints_reader *reader, char *text) {
    enum status status = STATUS_OK;
    bool in_code = false;
    const char *rest = text;
    const char *line;
    size_t bytes;
    while (!status && (line = text_line(&rest, &bytes)) != NULL) {
        reader->line++;
        in_code = in_code != text_starts(line, "```");
        bool is_hint = !in_code && text_starts(line, "## ");
        bool is_step = !in_code && text_starts(line, "### ");
        if ((is_hint || is_step) && line > text) {
            text[line - text - 1] = '\0';  // ends the step before
        }
        if (is_hint) {
            status = hint_open(reader, line + 3, bytes - 3);
        } else if (is_step) {
            status = step_open(reader, line + 4, bytes - 4, rest);
        }
    }
    if (!status && !hint_is_whole(reader->hint)) {
        status = step_missing(reader);
    }
    if (!status && reader->hints->todo_count == 0) {
        status = heading_wrong(reader);
    }
    return status;
}

// Drops the empty lines around a step.
static const char *step_trim(const char *step, char *text) {
    step += strspn(step, "\r\n");
    char *start = text + (step - text);
    size_t length = strlen(start);
    while (length > 0 && isspace((unsigned char)start[length - 1])) {
        length--;
    }
    start[length] = '\0';
    return start;
}

enum status hints_read(const char *path, struct hints *ret_hints, struct error *err) {
    struct hints hints = {.text = NULL};
    struct hints_reader reader = {.path = path, .hints = &hints, .err = err};
    size_t bytes = 0;
    enum status status = file_read(path, HINTS_BYTES_MAX, &hints.text, &bytes, err);
    if (!status) {
        status = hints_scan(&reader, hints.text);
    }
    if (status) {
        hints_done(&hints);
        return status;
    }
    for (int i = 0; i < hints.count; i++) {
        for (int step = 0; step < hints.list[i].step_count; step++) {
            hints.list[i].steps[step] = step_trim(hints.list[i].steps[step], hints.text);
        }
    }
    *ret_hints = hints;
    return STATUS_OK;
}

// The section of the page under "## name"; *ret_bytes is its length.
static const char *section_find(const char *page, const char *name, size_t *ret_bytes) {
    char heading[NAME_BYTES_MAX];
    (void)snprintf(heading, sizeof heading, "\n## %.40s\n", name);
    const char *start = strstr(page, heading);
    if (!start) {
        return NULL;
    }
    start += strlen(heading);
    const char *end = strstr(start, "\n## ");
    *ret_bytes = end ? (size_t)(end - start) : strlen(start);
    return start;
}

// Keeps the first paragraph, and after a NUL the paragraphs on what to read or try.  Both copies
// are shorter than the section, so they are made in place.
static void section_reduce(char *section, struct hint *hint) {
    char *paragraph = section + strspn(section, "\n");
    char *used = section;
    for (int count = 0; *paragraph != '\0'; count++) {
        char *end = strstr(paragraph, "\n\n");
        size_t bytes = end ? (size_t)(end - paragraph) : strlen(paragraph);
        char *next = paragraph + bytes + (end ? strspn(end, "\n") : 0);
        while (bytes > 0 && isspace((unsigned char)paragraph[bytes - 1])) {
            bytes--;
        }
        bool advice = text_starts(paragraph, _("Read: ")) || text_starts(paragraph, _("Try: "));
        if (count == 0 || advice) {
            bool first = count == 0 || hint->step_count == 1;
            if (first) {
                hint->steps[hint->step_count++] = used;
            } else {
                memcpy(used - 1, "\n\n", 2);
                used++;
            }
            memmove(used, paragraph, bytes);
            used += bytes;
            *used++ = '\0';
        }
        paragraph = next;
    }
}

enum status hints_of_page(const char *path, const char *verdict, struct hints *ret_hints,
                          struct error *err) {
    struct hints hints = {.text = NULL};
    size_t bytes = 0;
    enum status status = file_read(path, HINTS_BYTES_MAX, &hints.text, &bytes, err);
    if (status) {
        return status;
    }
    const char *section = section_find(hints.text, verdict, &bytes);
    if (section) {
        struct hint *hint = &hints.list[hints.count++];
        memmove(hints.text, section, bytes);
        hints.text[bytes] = '\0';
        (void)snprintf(hint->verdicts[0], sizeof hint->verdicts[0], "%s", verdict);
        section_reduce(hints.text, hint);
    }
    *ret_hints = hints;
    return STATUS_OK;
}

void hints_done(struct hints *hints) {
    free(hints->text);
    *hints = (struct hints){.text = NULL};
}

const struct hint *hint_of_todo(const struct hints *hints, int todo) {
    for (int i = 0; i < hints->count; i++) {
        if (todo > 0 && hints->list[i].todo == todo) {
            return &hints->list[i];
        }
    }
    return NULL;
}

const struct hint *hint_of_verdict(const struct hints *hints, const char *verdict) {
    for (int i = 0; i < hints->count; i++) {
        for (size_t j = 0; j < COUNT(hints->list[i].verdicts); j++) {
            if (verdict[0] != '\0' && strcmp(hints->list[i].verdicts[j], verdict) == 0) {
                return &hints->list[i];
            }
        }
    }
    return NULL;
}
