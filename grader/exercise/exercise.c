// Reads exercise.ini with inih.  Every line passes through line_check first, which refuses what
// inih would accept in silence: comments behind a value, continuation lines, unknown sections,
// lines that are too long.  The first error ends the reading, so that a message always names the
// first wrong line.
#include "exercise/exercise.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ini.h>

#include "base/file.h"

#define INI_BYTES_MAX  (64 << 10)
#define POINTS_MAX     10000  // whole points of one exercise
#define TILE_MAX       256
#define SPEED_FULL_MAX 0.97  // an equal kernel gets full points, with 3 % to spare
#define MILLI_POINTS   1000
#define FOLDER_NUMBER  99

enum key { KEY_TITLE, KEY_POINTS, KEY_SPEED_POINTS, KEY_TILE, KEY_COUNT };
static const char *const key_names[KEY_COUNT] = {"title", "points", "speed_points", "tile"};

struct reading {
    const char *path;  // as messages show it
    const char *at;    // the rest of the text
    int line;          // of the line read last
    bool key_seen[KEY_COUNT];
    int ragged_line;
    int speed_points_line;
    struct exercise *exercise;
    enum status status;  // of the first error
    struct error *err;
};

// Says what is wrong with the current line.  Returns 0, which is inih's "no".
static int line_fail(struct reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int line_fail(struct reading *reading, const char *format, ...) {
    if (!reading->status) {
        char text[ERROR_TEXT_MAX / 2];
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        reading->status =
            fail(reading->err, STATUS_BAD_DATA, "%s:%d: %s", reading->path, reading->line, text);
    }
    return 0;
}

static bool section_known(const char *line, size_t length) {
    static const char *const headers[] = {"[cases]", "[timed]", "[counted]"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        if (strlen(headers[i]) == length && strncmp(line, headers[i], length) == 0) {
            return true;
        }
    }
    return false;
}

// Checks one raw line of `length` bytes, without its line end.
static bool line_check(struct reading *reading, const char *line, size_t length,
                       size_t length_max) {
    while (length > 0 && isspace((unsigned char)line[length - 1])) {
        length--;
    }
    if (length > length_max) {
        return line_fail(reading, "the line has more than %zu characters", length_max);
    }
    if (length == 0 || line[0] == ';' || line[0] == '#') {
        return true;
    }
    if (isspace((unsigned char)line[0])) {
        return line_fail(reading, "a line may not begin with a blank");
    }
    if (line[0] == '[' && !section_known(line, length)) {
        return line_fail(reading, "unknown section '%.*s': write [cases], [timed] or [counted]",
                         (int)length, line);
    }
    for (size_t i = 1; i < length; i++) {
        if ((line[i] == ';' || line[i] == '#') && isspace((unsigned char)line[i - 1])) {
            return line_fail(reading, "a comment must have a line of its own");
        }
    }
    return true;
}

// inih asks for the next line, in the manner of fgets.
static char *line_next(char *buffer, int buffer_bytes, void *context) {
    struct reading *reading = context;
    if (reading->status || *reading->at == '\0') {
        return NULL;
    }
    reading->line++;
    const char *end = strchr(reading->at, '\n');
    size_t length = end ? (size_t)(end - reading->at) : strlen(reading->at);
    if (!line_check(reading, reading->at, length, (size_t)buffer_bytes - 3)) {
        return NULL;
    }
    while (length > 0 && isspace((unsigned char)reading->at[length - 1])) {
        length--;
    }
    memcpy(buffer, reading->at, length);
    memcpy(buffer + length, "\n", 2);
    reading->at = end ? end + 1 : reading->at + strlen(reading->at);
    return buffer;
}

// A whole number from min to max, and nothing behind it.
static int number_read(struct reading *reading, const char *name, const char *text, long min,
                       long max, long *ret_number) {
    char *end = NULL;
    long number = isdigit((unsigned char)text[0]) ? strtol(text, &end, 10) : min - 1;
    if (!end || *end != '\0' || number < min || number > max) {
        return line_fail(reading, "bad %s '%s': write a whole number from %ld to %ld", name, text,
                         min, max);
    }
    *ret_number = number;
    return 1;
}

static int title_read(struct reading *reading, const char *text) {
    size_t length = strlen(text);
    if (length == 0 || length >= EXERCISE_TITLE_MAX) {
        return line_fail(reading, "the title must have 1 to %d bytes", EXERCISE_TITLE_MAX - 1);
    }
    memcpy(reading->exercise->title, text, length + 1);
    return 1;
}

static int top_level_read(struct reading *reading, const char *name, const char *value) {
    struct exercise *exercise = reading->exercise;
    int key = 0;
    while (key < KEY_COUNT && strcmp(key_names[key], name) != 0) {
        key++;
    }
    if (key == KEY_COUNT) {
        return line_fail(reading, "unknown key '%s'", name);
    }
    if (reading->key_seen[key]) {
        return line_fail(reading, "key '%s' a second time", name);
    }
    reading->key_seen[key] = true;
    if (key == KEY_SPEED_POINTS) {
        reading->speed_points_line = reading->line;
    }
    if (key == KEY_TITLE) {
        return title_read(reading, value);
    }
    long number = 0;
    bool is_tile = key == KEY_TILE;
    if (!number_read(reading, name, value, key == KEY_SPEED_POINTS ? 0 : 1,
                     is_tile ? TILE_MAX : POINTS_MAX, &number)) {
        return 0;
    }
    if (is_tile) {
        exercise->tile = (int32_t)number;
    } else if (key == KEY_POINTS) {
        exercise->points_max = number * MILLI_POINTS;
    } else {
        exercise->speed_points = number * MILLI_POINTS;
    }
    return 1;
}

static bool name_good(const char *name) {
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return length > 0 && length < NAME_BYTES_MAX && name[length] == '\0' &&
           !isdigit((unsigned char)name[0]);
}

static int case_read(struct reading *reading, const char *name, const char *value) {
    struct exercise *exercise = reading->exercise;
    if (!name_good(name)) {
        return line_fail(reading, "bad case name '%s': use lower-case letters, digits and _", name);
    }
    for (int i = 0; i < exercise->case_count; i++) {
        if (strcmp(exercise->cases[i].name, name) == 0) {
            return line_fail(reading, "case '%s' a second time", name);
        }
    }
    if (exercise->case_count == CASES_MAX) {
        return line_fail(reading, "more than %d cases", CASES_MAX);
    }
    struct exercise_case *added = &exercise->cases[exercise->case_count];
    struct error why;
    if (size_parse(value, &added->size, &why)) {
        return line_fail(reading, "%s", why.text);
    }
    memcpy(added->name, name, strlen(name) + 1);
    exercise->case_count++;
    struct size size = added->size;
    if (strcmp(name, "one") == 0 && (size.m != 1 || size.n != 1 || size.k != 1)) {
        return line_fail(reading, "case 'one' must be 1x1x1, not '%s'", value);
    }
    if (strcmp(name, "ragged") == 0) {
        reading->ragged_line = reading->line;
    }
    return 1;
}

// Two ratios, "full zero".
static bool ratios_read(const char *text, double *ret_full, double *ret_zero) {
    char *end = NULL;
    double full = strtod(text, &end);
    if (end == text || !isspace((unsigned char)*end)) {
        return false;
    }
    const char *second = end;
    double zero = strtod(second, &end);
    if (end == second || *end != '\0') {
        return false;
    }
    *ret_full = full;
    *ret_zero = zero;
    return true;
}

static int speed_read(struct reading *reading, struct exercise_speed *list, int *count,
                      const char *name, const char *value) {
    struct error why;
    struct size size;
    if (size_parse(name, &size, &why)) {
        return line_fail(reading, "%s", why.text);
    }
    for (int i = 0; i < *count; i++) {
        if (memcmp(&list[i].size, &size, sizeof size) == 0) {
            return line_fail(reading, "size '%s' a second time", name);
        }
    }
    if (*count == EXERCISE_TIMED_MAX) {
        return line_fail(reading, "more than %d sizes", EXERCISE_TIMED_MAX);
    }
    double full = 0;
    double zero = 0;
    if (!ratios_read(value, &full, &zero)) {
        return line_fail(reading, "bad ratios '%s': write `full zero`, such as 0.95 0.30", value);
    }
    if (!(full > 0 && full <= SPEED_FULL_MAX)) {
        return line_fail(reading, "bad ratio full = '%g': it must be above 0 and at most %.2f",
                         full, SPEED_FULL_MAX);
    }
    if (!(zero >= 0 && zero < full)) {
        return line_fail(reading, "bad ratio zero = '%g': it must be below full and at least 0",
                         zero);
    }
    list[(*count)++] = (struct exercise_speed){.size = size, .full = full, .zero = zero};
    return 1;
}

static int pair_read(void *context, const char *section, const char *name, const char *value) {
    struct reading *reading = context;
    struct exercise *exercise = reading->exercise;
    if (reading->status) {
        return 0;
    }
    if (strcmp(section, "cases") == 0) {
        return case_read(reading, name, value);
    }
    if (strcmp(section, "timed") == 0) {
        return speed_read(reading, exercise->timed, &exercise->timed_count, name, value);
    }
    if (strcmp(section, "counted") == 0) {
        return speed_read(reading, exercise->counted, &exercise->counted_count, name, value);
    }
    return top_level_read(reading, name, value);
}

static bool has_case(const struct exercise *exercise, const char *name) {
    for (int i = 0; i < exercise->case_count; i++) {
        if (strcmp(exercise->cases[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_ragged(struct size size, int32_t tile) {
    return tile == 1 || (size.m % tile != 0 && size.n % tile != 0 && size.k % tile != 0);
}

// What can only be said of the whole file.
static enum status whole_check(const struct reading *reading) {
    const struct exercise *exercise = reading->exercise;
    const char *path = reading->path;
    for (int key = 0; key < KEY_COUNT; key++) {
        if (!reading->key_seen[key]) {
            return fail(reading->err, STATUS_BAD_DATA, "%s:1: key '%s' is missing", path,
                        key_names[key]);
        }
    }
    if (!has_case(exercise, "one") || !has_case(exercise, "ragged")) {
        return fail(reading->err, STATUS_BAD_DATA, "%s:1: case '%s' is missing in [cases]", path,
                    has_case(exercise, "one") ? "ragged" : "one");
    }
    for (int i = 0; i < exercise->case_count; i++) {
        if (strcmp(exercise->cases[i].name, "ragged") == 0 &&
            !is_ragged(exercise->cases[i].size, exercise->tile)) {
            return fail(reading->err, STATUS_BAD_DATA,
                        "%s:%d: case 'ragged' has a size that is a multiple of the tile, %d", path,
                        reading->ragged_line, exercise->tile);
        }
    }
    if (exercise->speed_points > exercise->points_max) {
        return fail(reading->err, STATUS_BAD_DATA,
                    "%s:%d: speed_points are more than points, which count them in", path,
                    reading->speed_points_line);
    }
    if (exercise->speed_points > 0 &&
        (exercise->timed_count == 0 || exercise->counted_count == 0)) {
        return fail(reading->err, STATUS_BAD_DATA, "%s:%d: speed_points need a size in [%s]", path,
                    reading->speed_points_line,
                    exercise->timed_count == 0 ? "timed" : "counted");
    }
    return STATUS_OK;
}

// Takes name, number and lesson from ".../lessons/NN_name/exercise.ini".
static enum status place_read(const char *path, struct exercise *exercise, struct error *err) {
    char copy[PATH_BYTES_MAX];
    enum status status = path_make(copy, err, "%s", path);
    if (status) {
        return status;
    }
    char *slash = strrchr(copy, '/');
    if (slash) {
        *slash = '\0';
    }
    const char *folder = strrchr(copy, '/');
    folder = folder ? folder + 1 : copy;
    if (!slash || !isdigit((unsigned char)folder[0]) || !isdigit((unsigned char)folder[1]) ||
        folder[2] != '_' || !name_good(folder + 3)) {
        return fail(err, STATUS_BAD_DATA,
                    "%s: the folder must be named as 02_tiled: two digits and a lower-case name",
                    path);
    }
    exercise->number = (folder[0] - '0') * 10 + (folder[1] - '0');
    assert(exercise->number <= FOLDER_NUMBER);
    (void)snprintf(exercise->name, sizeof exercise->name, "%s", folder + 3);
    (void)snprintf(exercise->lesson, sizeof exercise->lesson, "lessons/%.*s", NAME_BYTES_MAX + 2,
                   folder);
    return STATUS_OK;
}

enum status exercise_read(const char *path, struct exercise *ret_exercise, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    struct exercise *exercise = calloc(1, sizeof *exercise);
    if (!exercise) {
        return fail(err, STATUS_NO_MEMORY, "%s: no memory", path);
    }
    struct reading reading = {.path = path, .exercise = exercise, .err = err};
    enum status status = place_read(path, exercise, err);
    if (status) {
        goto out;
    }
    status = file_read(path, INI_BYTES_MAX, &text, &bytes, err);
    if (status) {
        goto out;
    }
    if (strlen(text) != bytes) {
        status = fail(err, STATUS_BAD_DATA, "%s: holds a NUL byte; it is no text", path);
        goto out;
    }
    reading.at = text;
    int bad_line = ini_parse_stream(line_next, &reading, pair_read, &reading);
    if (!reading.status && bad_line != 0) {
        reading.line = bad_line > 0 ? bad_line : reading.line;
        (void)line_fail(&reading, "expected `name = value`");
    }
    status = reading.status ? reading.status : whole_check(&reading);
    if (!status) {
        *ret_exercise = *exercise;
    }

out:
    free(text);
    free(exercise);
    return status;
}
