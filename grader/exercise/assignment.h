// Dates: a point in time as seconds since 1970 in UTC, written as in RFC 3339.
//
// An assignment as data: lessons/assignments/NAME.ini names the exercises to hand in, their points
// and the due date.  A course can be restricted to an assignment.
//
//   title = Homework 1
//   ; optional: the date, with its offset from UTC; per cent for each day begun after it; days that
//   ; cost nothing
//   due = 2026-12-01T23:59:00+01:00
//   late_percent = 10
//   grace_days = 1
//   ; optional: what students see of their result (full, verdicts or points), and when a model
//   ; answer is shown to them (never, after_due or always)
//   feedback = full
//   show_reference = after_due
//   ; optional: whole points of the assignment; then the numbers below are weights
//   points = 100
//
//   ; name = whole points; none: those of exercise.ini
//   [exercises]
//   naive = 20
//   tiled =
//
//   ; optional: pages of questions whose answers are handed in as answers.ini: those of a lesson,
//   ; and those of a kernel with a bug in lessons/assignments/bugs/NAME
//   [questions]
//   tiled = 8
//   [bugs]
//   lost_rows = 4
//
// lessons/assignments/default, if it exists, contains the name of the default assignment, so that a
// handout and a package know theirs.
#ifndef EXERCISE_ASSIGNMENT_H
#define EXERCISE_ASSIGNMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "exercise/exercise.h"

#define MOMENT_NONE       INT64_MIN  // unknown, or not set
#define MOMENT_TEXT_BYTES 40

// Reads "2026-12-01T23:59:00+01:00" or "…Z"; fractions of a second are dropped.  False for anything
// else, such as a time without its offset from UTC.
bool moment_parse(const char *text, int64_t *ret_seconds);

// "2026-12-01T22:59:00Z"; "" for MOMENT_NONE.
void moment_format(int64_t seconds, char ret_text[MOMENT_TEXT_BYTES]);

int64_t moment_now(void);

#define ASSIGNMENT_FOLDER "lessons/assignments"
#define ASSIGNMENT_BUGS   ASSIGNMENT_FOLDER "/bugs"
#define QUESTIONS_PAGE    "questions.md"
#define QUESTIONS_PAGE_ZH "questions.zh.md"

enum feedback { FEEDBACK_FULL, FEEDBACK_VERDICTS, FEEDBACK_POINTS, FEEDBACK_COUNT };
enum show_reference { REFERENCE_NEVER, REFERENCE_AFTER_DUE, REFERENCE_ALWAYS, REFERENCE_COUNT };
const char *assignment_feedback_name(enum feedback feedback);
const char *assignment_reference_name(enum show_reference show);

struct assignment_part {
    char name[NAME_BYTES_MAX];
    int64_t points_max;    // milli-points
    int64_t speed_points;  // the part of points_max that is for speed
};

struct assignment {
    char name[NAME_BYTES_MAX];
    char title[TITLE_BYTES_MAX];
    char due_text[MOMENT_TEXT_BYTES];  // as written in the file; "": none
    int64_t due;                       // MOMENT_NONE: none
    int late_percent;
    int grace_days;
    enum feedback feedback;
    enum show_reference show_reference;
    int part_count;
    struct assignment_part parts[EXERCISES_MAX];
    int page_count;
    struct question_page pages[EXERCISES_MAX];
};

// Reads lessons/assignments/NAME.ini; its exercises must be in the course.
// Errors: STATUS_BAD_USAGE with a list of the assignments; STATUS_BAD_DATA with path:line.
enum status assignment_read(const struct course *course, const char *name,
                            struct assignment *ret_assignment, struct error *err);

// The default assignment; "" if there is none.
enum status assignment_default(const struct course *course, char ret_name[NAME_BYTES_MAX],
                               struct error *err);

// Restricts the course to the assignment's exercises, with their points and questions.
void assignment_narrow(const struct assignment *assignment, struct course *course);

// The time from which a model answer may be shown: with after_due, when no hand-in can get points
// any more, not counting extensions.  False: never.
bool assignment_reference_time(const struct assignment *assignment, int extension_days_max,
                               int64_t *ret_time);

#endif
