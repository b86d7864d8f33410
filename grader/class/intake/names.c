// Readings from left to right, by hand: a regular expression would need a library.
#include "class/intake/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "judge/source/package.h"

#define DIGITS         "0123456789"
#define VERSION_DIGITS 4
#define MOODLE_MARK    "_assignsubmission_"
#define LATE           "_LATE"

#define BLACKBOARD_MARK "_attempt_"
#define BLACKBOARD_DATE "dddd-dd-dd-dd-dd-dd"

static void part_copy(char part[NAME_PART_BYTES], const char *from, size_t bytes) {
    (void)snprintf(part, NAME_PART_BYTES, "%.*s", (int)bytes, from);
}

static bool ends_with(const char *text, size_t bytes, const char *end) {
    size_t length = strlen(end);
    return bytes >= length && memcmp(text + bytes - length, end, length) == 0;
}

// "_NUMBER_UPLOAD_FILE" or "_NUMBER_text.html" at `at`.
static bool canvas_tail_read(const char *at, struct platform_name *name) {
    size_t number = strspn(at + 1, DIGITS);
    const char *after = at + 1 + number;
    if (*at != '_' || number == 0 || *after != '_') {
        return false;
    }
    part_copy(name->number, at + 1, number);
    size_t upload = strspn(after + 1, DIGITS);
    const char *file = after + 1 + upload;
    if (upload > 0 && file[0] == '_' && file[1] != '\0') {
        part_copy(name->upload, after + 1, upload);
        part_copy(name->file, file + 1, strlen(file + 1));
        return true;
    }
    bool page = strcmp(after, "_text.html") == 0 || strcmp(after, "_link.html") == 0;
    if (page) {
        name->upload[0] = '\0';
        part_copy(name->file, after + 1, strlen(after + 1));
    }
    return page;
}

// "[LATE_]anon_ID_UPLOAD_FILE".
static bool canvas_anonymous_read(const char *name, struct platform_name *ret_name) {
    const char *at = name;
    ret_name->late_mark = text_starts(at, "LATE_");
    at += ret_name->late_mark ? strlen("LATE_") : 0;
    if (!text_starts(at, "anon_")) {
        return false;
    }
    size_t id = strcspn(at + strlen("anon_"), "_");
    const char *upload = at + strlen("anon_") + id;
    size_t digits = *upload == '_' ? strspn(upload + 1, DIGITS) : 0;
    if (id == 0 || digits == 0 || upload[1 + digits] != '_' || upload[2 + digits] == '\0') {
        return false;
    }
    part_copy(ret_name->owner, at, strlen("anon_") + id);
    ret_name->number[0] = '\0';
    part_copy(ret_name->upload, upload + 1, digits);
    part_copy(ret_name->file, upload + 2 + digits, strlen(upload + 2 + digits));
    return true;
}

bool canvas_name_read(const char *name, int reading, struct platform_name *ret_name) {
    if (strlen(name) >= NAME_PART_BYTES) {
        return false;
    }
    for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_')) {
        if (at > name && canvas_tail_read(at, ret_name) && reading-- == 0) {
            size_t owner = (size_t)(at - name);
            ret_name->late_mark = ends_with(name, owner, LATE) && owner > strlen(LATE);
            part_copy(ret_name->owner, name, owner - (ret_name->late_mark ? strlen(LATE) : 0));
            return true;
        }
    }
    return reading == 0 && canvas_anonymous_read(name, ret_name);
}

int canvas_version_cut(char *file) {
    char *dot = strrchr(file, '.');
    char *dash = dot ? dot : file;
    while (dash > file && strchr(DIGITS, dash[-1])) {
        dash--;
    }
    size_t digits = dot ? (size_t)(dot - dash) : 0;
    if (digits == 0 || digits > VERSION_DIGITS || dash <= file + 1 || dash[-1] != '-') {
        return 0;
    }
    int version = (int)strtol(dash, NULL, 10);
    if (version > 0) {
        memmove(dash - 1, dot, strlen(dot) + 1);
    }
    return version;
}

int copy_number_cut(char *file) {
    char *dot = strrchr(file, '.');
    char *open = dot && dot > file && dot[-1] == ')' ? dot - 1 : file;
    while (open > file && strchr(DIGITS, open[-1])) {
        open--;
    }
    size_t digits = open > file ? (size_t)(dot - 1 - open) : 0;
    if (digits == 0 || digits > VERSION_DIGITS || open <= file + 1 || open[-1] != '(') {
        return canvas_version_cut(file);
    }
    int number = (int)strtol(open, NULL, 10);
    open--;
    open -= open > file + 1 && open[-1] == ' ';
    if (number > 0) {
        memmove(open, dot, strlen(dot) + 1);
    }
    return number;
}

bool moodle_name_read(const char *name, struct platform_name *ret_name) {
    const char *mark = strstr(name, MOODLE_MARK);
    if (!mark || mark == name || strlen(name) >= NAME_PART_BYTES) {
        return false;
    }
    size_t owner = strcspn(name, "_");
    const char *number = name + owner + 1;
    size_t digits = name + owner == mark ? 0 : strspn(number, DIGITS);
    if (name + owner != mark && number + digits != mark) {
        return false;
    }
    part_copy(ret_name->owner, name, owner);
    part_copy(ret_name->number, number, digits);
    ret_name->upload[0] = '\0';
    ret_name->late_mark = false;
    const char *kind = mark + strlen(MOODLE_MARK);
    kind += strcspn(kind, "_");
    part_copy(ret_name->file, kind + (*kind == '_'), strlen(kind + (*kind == '_')));
    return true;
}

bool blackboard_name_read(const char *name, struct platform_name *ret_name) {
    const char *mark = strstr(name, BLACKBOARD_MARK);
    if (!mark || mark == name || strlen(name) >= NAME_PART_BYTES) {
        return false;
    }
    const char *date = mark + strlen(BLACKBOARD_MARK);
    size_t used = 0;
    size_t i = 0;
    for (; i < strlen(BLACKBOARD_DATE) && date[i] != '\0'; i++) {
        bool digit = strchr(DIGITS, date[i]) != NULL;
        if (digit != (BLACKBOARD_DATE[i] == 'd') || (!digit && date[i] != '-')) {
            return false;
        }
        if (digit) {
            ret_name->upload[used++] = date[i];
        }
    }
    const char *file = date + i;
    bool page = strcmp(file, ".txt") == 0;
    if (i < strlen(BLACKBOARD_DATE) || (!page && (file[0] != '_' || file[1] == '\0'))) {
        return false;
    }
    ret_name->upload[used] = '\0';
    ret_name->number[0] = '\0';
    ret_name->late_mark = false;
    part_copy(ret_name->owner, name, (size_t)(mark - name));
    part_copy(ret_name->file, page ? name : file + 1, strlen(page ? name : file + 1));
    return true;
}

size_t package_stem(const char *name) {
    size_t bytes = strlen(name);
    if (!package_has_name(name)) {
        return bytes;
    }
    bytes = (size_t)(strrchr(name, '.') - name);
    return ends_with(name, bytes, ".tar") && bytes > strlen(".tar") ? bytes - strlen(".tar")
                                                                    : bytes;
}
