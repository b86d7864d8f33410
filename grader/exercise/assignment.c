// Dates, the cost of a late hand-in, and the time from which a model answer may be shown.  Neither
// the locale nor the time zone of the machine is consulted, and a day always has 24 hours.
// Source: RFC 3339, section 5.6.
//
// It also reads an assignment.  Every value is checked when it is read, so that a message names the
// line.
#include "exercise/assignment.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "exercise/ini_file.h"

// Takes `count` digits and, unless it is NUL, the separator after them.
static bool number_take(const char **at, int count, char separator, int *ret_number) {
    int number = 0;
    for (int i = 0; i < count; i++) {
        if (!isdigit((unsigned char)**at)) {
            return false;
        }
        number = 10 * number + (*(*at)++ - '0');
    }
    if (separator != '\0' && *(*at)++ != separator) {
        return false;
    }
    *ret_number = number;
    return true;
}

// "Z", "+01:00" or "-05:30", at the end of the text.
static bool offset_take(const char *at, int *ret_seconds) {
    int hours = 0;
    int minutes = 0;
    if (strcmp(at, "Z") == 0) {
        *ret_seconds = 0;
        return true;
    }
    char sign = *at++;
    if ((sign != '+' && sign != '-') || !number_take(&at, 2, ':', &hours) ||
        !number_take(&at, 2, '\0', &minutes) || *at != '\0' || hours > 23 || minutes > 59) {
        return false;
    }
    *ret_seconds = (sign == '-' ? -60 : 60) * (60 * hours + minutes);
    return true;
}

bool moment_parse(const char *text, int64_t *ret_seconds) {
    const char *at = text;
    struct tm date = {.tm_isdst = 0};
    int offset = 0;
    if (!number_take(&at, 4, '-', &date.tm_year) || !number_take(&at, 2, '-', &date.tm_mon) ||
        !number_take(&at, 2, 'T', &date.tm_mday) || !number_take(&at, 2, ':', &date.tm_hour) ||
        !number_take(&at, 2, ':', &date.tm_min) || !number_take(&at, 2, '\0', &date.tm_sec)) {
        return false;
    }
    if (*at == '.' && isdigit((unsigned char)at[1])) {
        at += 1 + strspn(at + 1, "0123456789");
    }
    if (!offset_take(at, &offset)) {
        return false;
    }
    date.tm_year -= 1900;
    date.tm_mon -= 1;
    struct tm checked = date;
    time_t seconds = timegm(&checked);  // normalizes 31 February to 3 March
    if (checked.tm_mon != date.tm_mon || checked.tm_mday != date.tm_mday ||
        checked.tm_hour != date.tm_hour || checked.tm_min != date.tm_min ||
        checked.tm_sec != date.tm_sec) {
        return false;
    }
    *ret_seconds = (int64_t)seconds - offset;
    return true;
}

void moment_format(int64_t seconds, char ret_text[MOMENT_TEXT_BYTES]) {
    time_t time = (time_t)seconds;
    struct tm date;
    ret_text[0] = '\0';
    if (seconds != MOMENT_NONE && gmtime_r(&time, &date)) {
        (void)strftime(ret_text, MOMENT_TEXT_BYTES, "%Y-%m-%dT%H:%M:%SZ", &date);
    }
}

int64_t moment_now(void) {
    return (int64_t)time(NULL);
}

#define DAY_SECONDS 86400

static int64_t due_of(const struct assignment *assignment, int extension_days) {
    return assignment->due + (int64_t)extension_days * DAY_SECONDS;
}

bool assignment_reference_time(const struct assignment *assignment, int extension_days_max,
                               int64_t *ret_time) {
    int days = extension_days_max + assignment->grace_days;
    if (assignment->late_percent > 0) {
        days += (100 + assignment->late_percent - 1) / assignment->late_percent - 1;
    }
    if (assignment->show_reference == REFERENCE_NEVER) {
        return false;
    }
    *ret_time = assignment->show_reference == REFERENCE_ALWAYS ? 0 : due_of(assignment, days);
    return true;
}

#define POINTS_MAX   10000  // the largest whole points of an exercise, and of the assignment
#define WEIGHT_MAX   1000
#define GRACE_MAX    365
#define MILLI_POINTS 1000
#define OWN_POINTS   0  // the number of an exercise without its own points

enum assignment_key {
    KEY_TITLE,
    KEY_DUE,
    KEY_LATE_PERCENT,
    KEY_GRACE_DAYS,
    KEY_FEEDBACK,
    KEY_SHOW_REFERENCE,
    KEY_POINTS,
    KEY_COUNT
};

static const char *const key_names[KEY_COUNT] = {
    "title", "due", "late_percent", "grace_days", "feedback", "show_reference", "points"};
static const char *const feedback_names[FEEDBACK_COUNT] = {"full", "verdicts", "points"};
static const char *const reference_names[REFERENCE_COUNT] = {"never", "after_due", "always"};

struct assignment_reader {
    struct ini ini;
    const struct course *course;
    struct assignment *assignment;
    bool seen[KEY_COUNT];
    long points;                 // of the whole assignment; 0: not given
    long number[EXERCISES_MAX];  // points or weights of the parts
    int number_line[EXERCISES_MAX];
    long page_number[EXERCISES_MAX];  // the same of the pages of questions
    int page_line[EXERCISES_MAX];
};

const char *assignment_feedback_name(enum feedback feedback) {
    return feedback_names[feedback];
}

const char *assignment_reference_name(enum show_reference show) {
    return reference_names[show];
}

// --- The lines -----------------------------------------------------------------------------------

static int due_read(struct assignment_reader *reader, const char *text) {
    struct assignment *assignment = reader->assignment;
    if (strlen(text) >= sizeof assignment->due_text || !moment_parse(text, &assignment->due)) {
        return ini_fail(&reader->ini,
                        "bad due '%s': write a date with its offset from UTC, such as "
                        "2026-12-01T23:59:00+01:00",
                        text);
    }
    memcpy(assignment->due_text, text, strlen(text) + 1);
    return 1;
}

static int number_read(struct assignment_reader *reader, enum assignment_key key, const char *text,
                       long min, long max, int *ret_number) {
    long number = 0;
    if (!ini_number(&reader->ini, key_names[key], text, min, max, &number)) {
        return 0;
    }
    *ret_number = (int)number;
    return 1;
}

static int top_read(struct assignment_reader *reader, const char *name, const char *value) {
    struct assignment *assignment = reader->assignment;
    int place = 0;
    int key = 0;
    if (!ini_key(&reader->ini, name, key_names, KEY_COUNT, reader->seen, &key)) {
        return 0;
    }
    switch ((enum assignment_key)key) {
    case KEY_TITLE:
        return ini_title(&reader->ini, value, assignment->title);
    case KEY_DUE:
        return due_read(reader, value);
    case KEY_LATE_PERCENT:
        return number_read(reader, KEY_LATE_PERCENT, value, 0, 100, &assignment->late_percent);
    case KEY_GRACE_DAYS:
        return number_read(reader, KEY_GRACE_DAYS, value, 0, GRACE_MAX, &assignment->grace_days);
    case KEY_FEEDBACK:
        if (!ini_word(&reader->ini, name, value, feedback_names, FEEDBACK_COUNT, &place)) {
            return 0;
        }
        assignment->feedback = (enum feedback)place;
        return 1;
    case KEY_SHOW_REFERENCE:
        if (!ini_word(&reader->ini, name, value, reference_names, REFERENCE_COUNT, &place)) {
            return 0;
        }
        assignment->show_reference = (enum show_reference)place;
        return 1;
    case KEY_POINTS:
    case KEY_COUNT:
        break;
    }
    return ini_number(&reader->ini, name, value, 1, POINTS_MAX, &reader->points);
}

static int part_read(struct assignment_reader *reader, const char *name, const char *value) {
    struct assignment *assignment = reader->assignment;
    int count = assignment->part_count;
    if (!course_find(reader->course, name)) {
        return ini_fail(&reader->ini, "there is no exercise '%s' in this course", name);
    }
    for (int i = 0; i < count; i++) {
        if (strcmp(assignment->parts[i].name, name) == 0) {
            return ini_fail(&reader->ini, "duplicate exercise '%s'", name);
        }
    }
    if (value[0] != '\0' &&
        !ini_number(&reader->ini, name, value, 1, POINTS_MAX, &reader->number[count])) {
        return 0;
    }
    (void)snprintf(assignment->parts[count].name, NAME_BYTES_MAX, "%s", name);
    reader->number_line[count] = reader->ini.line;
    assignment->part_count++;
    return 1;
}

// The folder of a lesson, which may have no exercise; "" if there is none.
static void lesson_find(const struct course *course, const char *name, char *ret_folder,
                        size_t bytes) {
    char path[PATH_BYTES_MAX];
    struct dirent **entries = NULL;
    int count = path_below(path, NULL, course->root, "lessons")
                    ? 0
                    : scandir(path, &entries, NULL, alphasort);
    ret_folder[0] = '\0';
    for (int i = 0; i < count; i++) {
        const char *folder = entries[i]->d_name;
        size_t digits = exercise_number_digits(folder);
        if (digits > 0 && folder[digits] == '_' && strcmp(folder + digits + 1, name) == 0) {
            (void)snprintf(ret_folder, bytes, "lessons/%.*s", NAME_BYTES_MAX, folder);
        }
        free(entries[i]);
    }
    free(entries);
}

// The exercise of the only kernel file in a bug's folder; false if there is no such file.
static bool bug_exercise(const struct course *course, struct question_page *page) {
    char path[PATH_BYTES_MAX];
    bool found = false;
    for (int i = 0; i < course->exercise_count && !found; i++) {
        const char *name = course->exercises[i].name;
        found = !path_below(path, NULL, course->root, "%s/%s.cu", page->folder, name) &&
                !file_exists(path, &found, NULL) && found;
        if (found) {
            (void)snprintf(page->exercise, sizeof page->exercise, "%s", name);
        }
    }
    return found;
}

// A page of questions: of a lesson, or of a bug.
static int page_read(struct assignment_reader *reader, bool is_bug, const char *name,
                     const char *value) {
    struct assignment *assignment = reader->assignment;
    struct question_page *page = &assignment->pages[assignment->page_count];
    char path[PATH_BYTES_MAX];
    bool exists = false;
    if (assignment->page_count == EXERCISES_MAX || !ini_name_good(name)) {
        return ini_fail(&reader->ini, "there are no questions on '%s'", name);
    }
    for (int i = 0; i < assignment->page_count; i++) {
        if (strcmp(assignment->pages[i].name, name) == 0) {
            return ini_fail(&reader->ini, "duplicate questions on '%s'", name);
        }
    }
    if (is_bug) {
        (void)snprintf(page->folder, sizeof page->folder, ASSIGNMENT_BUGS "/%s", name);
    } else {
        lesson_find(reader->course, name, page->folder, sizeof page->folder);
    }
    if (page->folder[0] != '\0' &&
        !path_below(path, NULL, reader->course->root, "%s/" QUESTIONS_PAGE, page->folder)) {
        (void)file_exists(path, &exists, NULL);
    }
    if (!exists) {
        return is_bug ? ini_fail(&reader->ini,
                                 "there is no lessons/assignments/bugs/%s with questions.md", name)
                      : ini_fail(&reader->ini, "there are no questions on '%s'", name);
    }
    if (is_bug && !bug_exercise(reader->course, page)) {
        return ini_fail(&reader->ini, "%s has no kernel file of an exercise", page->folder);
    }
    if (course_find(reader->course, name) && is_bug) {
        return ini_fail(&reader->ini, "'%s' is an exercise: give the bug another name", name);
    }
    if (!ini_number(&reader->ini, name, value, 1, POINTS_MAX,
                    &reader->page_number[assignment->page_count])) {
        return 0;
    }
    (void)snprintf(page->name, NAME_BYTES_MAX, "%s", name);
    page->is_bug = is_bug;
    reader->page_line[assignment->page_count] = reader->ini.line;
    assignment->page_count++;
    return 1;
}

static int pair_read(void *context, const char *section, const char *name, const char *value) {
    if (strcmp(section, "questions") == 0 || strcmp(section, "bugs") == 0) {
        return page_read(context, section[0] == 'b', name, value);
    }
    return section[0] != '\0' ? part_read(context, name, value) : top_read(context, name, value);
}

// --- The whole -----------------------------------------------------------------------------------

static bool has_part(const struct assignment *assignment, const char *name) {
    for (int i = 0; i < assignment->part_count; i++) {
        if (strcmp(assignment->parts[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static enum status whole_check(struct assignment_reader *reader) {
    const struct assignment *assignment = reader->assignment;
    bool dated = assignment->due != MOMENT_NONE;
    const char *needs_due = dated                                               ? NULL
                            : reader->seen[KEY_LATE_PERCENT]                    ? "late_percent"
                            : reader->seen[KEY_GRACE_DAYS]                      ? "grace_days"
                            : assignment->show_reference == REFERENCE_AFTER_DUE ? "after_due"
                                                                                : NULL;
    reader->ini.line = 1;
    if (!reader->seen[KEY_TITLE]) {
        (void)ini_fail(&reader->ini, "key '%s' is missing", "title");
    }
    if (assignment->part_count == 0) {
        (void)ini_fail(&reader->ini, "no exercises are named in [exercises]");
    }
    if (needs_due) {
        (void)ini_fail(&reader->ini, "%s needs a due date: add the key 'due'", needs_due);
    }
    for (int i = 0; i < assignment->part_count && reader->points > 0; i++) {
        reader->ini.line = reader->number_line[i];
        if (reader->number[i] == OWN_POINTS) {
            (void)ini_fail(&reader->ini, "'%s' has no weight, which decides its share of 'points'",
                           assignment->parts[i].name);
        }
    }
    // A handout has only the lessons of its exercises.
    for (int i = 0; i < assignment->page_count; i++) {
        const struct question_page *page = &assignment->pages[i];
        reader->ini.line = reader->page_line[i];
        const char *exercise = page->is_bug ? page->exercise : page->name;
        if (course_find(reader->course, exercise) && !has_part(assignment, exercise)) {
            (void)ini_fail(&reader->ini, "'%s' is not in [exercises], so its questions cannot be",
                           exercise);
        }
    }
    return reader->ini.status;
}

// Distributes the points of the whole by weights, without losing a milli-point.
static void points_set(struct assignment_reader *reader) {
    struct assignment *assignment = reader->assignment;
    int64_t weights = 0;
    int64_t before = 0;
    for (int i = 0; i < assignment->part_count; i++) {
        weights += reader->number[i];
    }
    for (int i = 0; i < assignment->page_count; i++) {
        weights += reader->page_number[i];
    }
    for (int i = 0; i < assignment->part_count; i++) {
        struct assignment_part *part = &assignment->parts[i];
        const struct exercise *exercise = course_find(reader->course, part->name);
        int64_t after = before + reader->number[i];
        int64_t whole = reader->points * MILLI_POINTS;
        part->points_max = reader->points > 0 ? whole * after / weights - whole * before / weights
                           : reader->number[i] == OWN_POINTS ? exercise->points_max
                                                             : reader->number[i] * MILLI_POINTS;
        part->speed_points = exercise->speed_points * part->points_max / exercise->points_max;
        before = after;
    }
    for (int i = 0; i < assignment->page_count; i++) {
        int64_t after = before + reader->page_number[i];
        int64_t whole = reader->points * MILLI_POINTS;
        assignment->pages[i].points_max = reader->points > 0
                                              ? whole * after / weights - whole * before / weights
                                              : reader->page_number[i] * MILLI_POINTS;
        before = after;
    }
}

static int is_assignment(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot && dot != entry->d_name && strcmp(dot, ".ini") == 0;
}

// Lists the existing assignments.
static enum status unknown(const struct course *course, const char *name, struct error *err) {
    char folder[PATH_BYTES_MAX];
    char names[ERROR_TEXT_MAX / 2] = "";
    struct dirent **entries = NULL;
    size_t used = 0;
    enum status status = path_below(folder, err, course->root, ASSIGNMENT_FOLDER);
    int count = status ? 0 : scandir(folder, &entries, is_assignment, alphasort);
    for (int i = 0; i < count; i++) {
        if (used < sizeof names) {
            used += (size_t)snprintf(names + used, sizeof names - used, " %.*s",
                                     (int)strlen(entries[i]->d_name) - 4, entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    if (status) {
        return status;
    }
    return count > 0
               ? fail(err, STATUS_BAD_USAGE, "unknown assignment '%.64s' (the assignments are:%s)",
                      name, names)
               : fail(err, STATUS_BAD_USAGE, "unknown assignment '%.64s': there is no %s/%.64s.ini",
                      name, folder, name);
}

enum status assignment_read(const struct course *course, const char *name,
                            struct assignment *ret_assignment, struct error *err) {
    char path[PATH_BYTES_MAX];
    bool exists = false;
    enum status status = path_below(path, err, course->root, ASSIGNMENT_FOLDER "/%s.ini", name);
    if (!status && ini_name_good(name)) {
        status = file_exists(path, &exists, err);
    }
    if (status || !exists) {
        return status ? status : unknown(course, name, err);
    }
    struct assignment *assignment = xcalloc(1, sizeof *assignment);
    struct assignment_reader *reader = xcalloc(1, sizeof *reader);
    *reader = (struct assignment_reader){
        .ini = {.path = path, .sections = "[exercises] [questions] [bugs]", .err = err},
        .course = course,
        .assignment = assignment};
    assignment->due = MOMENT_NONE;
    (void)snprintf(assignment->name, sizeof assignment->name, "%s", name);
    status = ini_read(&reader->ini, pair_read, reader);
    status = status ? status : whole_check(reader);
    if (!status) {
        points_set(reader);
        *ret_assignment = *assignment;
    }
    free(reader);
    free(assignment);
    return status;
}

enum status assignment_default(const struct course *course, char ret_name[NAME_BYTES_MAX],
                               struct error *err) {
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    bool exists = false;
    enum status status = path_below(path, err, course->root, ASSIGNMENT_FOLDER "/default");
    if (!status) {
        status = file_exists(path, &exists, err);
    }
    if (!status && exists) {
        status = file_read(path, NAME_BYTES_MAX, &text, &bytes, err);
    }
    if (!status) {
        (void)snprintf(ret_name, NAME_BYTES_MAX, "%.*s", text ? (int)strcspn(text, "\r\n") : 0,
                       text ? text : "");
    }
    free(text);
    return status;
}

void assignment_narrow(const struct assignment *assignment, struct course *course) {
    int kept = 0;
    for (int i = 0; i < course->exercise_count; i++) {
        for (int j = 0; j < assignment->part_count; j++) {
            const struct assignment_part *part = &assignment->parts[j];
            if (strcmp(part->name, course->exercises[i].name) == 0) {
                struct exercise *exercise = &course->exercises[kept++];
                memmove(exercise, &course->exercises[i], sizeof *exercise);
                exercise->points_max = part->points_max;
                exercise->speed_points = part->speed_points;
                exercise->is_optional = false;
                break;
            }
        }
    }
    course->exercise_count = kept;
    course->page_count = assignment->page_count;
    memcpy(course->pages, assignment->pages, sizeof course->pages);
}
