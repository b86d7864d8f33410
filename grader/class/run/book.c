// See book.h.
#include "class/run/book.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/words.h"
#include "class/run/json.h"

#define BOOK_BYTES_MAX (64u << 20)
#define PERCENT_ALL    100

static enum status book_path(const char *out, char path[PATH_BYTES_MAX], struct error *err) {
    return path_make(path, err, "%s/class.json", out);
}

static json_t *text_or_null(const char *text) {
    return text && text[0] != '\0' ? json_string(text) : json_null();
}

static json_t *moment_or_null(int64_t moment) {
    char text[MOMENT_TEXT_BYTES];
    moment_format(moment, text);
    return text_or_null(text);
}

static json_t *round_number(double value) {
    return json_real(round(value * 1000.0) / 1000.0);
}

// --- Before the jobs ----------------------------------------------------------------------------

static json_t *exercise_json(const struct exercise *exercise) {
    char lesson[sizeof exercise->lesson + sizeof "/lesson.md"];
    (void)snprintf(lesson, sizeof lesson, "%s/lesson.md", exercise->lesson);
    const char *title_zh = exercise->title_zh[0] != '\0' ? exercise->title_zh : NULL;
    return json_pack("{s:s, s:s, s:s*, s:s, s:I}", "name", exercise->name, "title", exercise->title,
                     "title_zh", title_zh, "lesson", lesson, "points_max",
                     (json_int_t)exercise->points_max);
}

// From when on a model answer may be shown to all; null: never.
static json_t *reference_from(const struct class_book *book) {
    int64_t moment = MOMENT_NONE;
    bool ever = book->assignment && assignment_reference_time(
                                        book->assignment, book->plan->extension_days_max, &moment);
    return ever ? moment_or_null(moment) : json_null();
}

static json_t *assignment_json(const struct class_book *book) {
    static const struct assignment none = {.due = MOMENT_NONE};
    const struct assignment *assignment = book->assignment ? book->assignment : &none;
    json_t *exercises = json_array();
    int64_t points_max = 0;
    for (int i = 0; i < book->course->exercise_count; i++) {
        points_max += book->course->exercises[i].points_max;
        (void)json_array_append_new(exercises, exercise_json(&book->course->exercises[i]));
    }
    points_max += course_answer_points(book->course);
    return json_pack("{s:o, s:o, s:o, s:o, s:i, s:i, s:s, s:s, s:o, s:I, s:I, s:o}", "name",
                     text_or_null(assignment->name), "title", text_or_null(assignment->title),
                     "column", text_or_null(book->list->column), "due",
                     text_or_null(assignment->due_text), "late_percent", assignment->late_percent,
                     "grace_days", assignment->grace_days, "feedback",
                     assignment_feedback_name(assignment->feedback), "show_reference",
                     assignment_reference_name(assignment->show_reference), "reference_from",
                     reference_from(book), "points_max", (json_int_t)points_max, "answers_max",
                     (json_int_t)course_answer_points(book->course), "exercises", exercises);
}

static json_t *keys_json(const struct person *person) {
    json_t *keys = json_object();
    for (int i = 0; i < KEY_COUNT; i++) {
        (void)json_object_set_new(keys, person_key_name((enum person_key)i),
                                  text_or_null(person->key[i]));
    }
    return keys;
}

// Days and per cent are null if nothing is known or nothing is due.
static void late_put(json_t *row, const struct class_book *book,
                     const struct class_student *student) {
    struct late late = {.known = false};
    if (book->assignment) {
        late = assignment_late(book->assignment, student->received, student->person.extension_days);
    }
    (void)json_object_set_new(row, "late_mark", json_boolean(student->late_mark));
    (void)json_object_set_new(row, "late_days", late.known ? json_integer(late.days) : json_null());
    (void)json_object_set_new(row, "deduction_percent",
                              late.known ? json_integer(late.percent) : json_null());
}

static json_t *student_json(const struct class_book *book, const struct class_student *student) {
    const struct person *person = &student->person;
    char pseudonym[PSEUDONYM_BYTES];
    const char *state =
        student->state == CLASS_READY ? "waiting" : class_state_name(student->state);
    class_pseudonym(book->seed, person->id, pseudonym);
    json_t *row = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:b, s:s, s:s, s:o, s:i, s:o, s:o, s:o, s:n, s:i, s:n, s:n, "
        "s:n}",
        "id", person->id, "name", text_or_null(person->name), "mail", text_or_null(person->mail),
        "section", text_or_null(person->section), "lms", keys_json(person), "in_roster",
        student->in_roster, "pseudonym", pseudonym, "state", state, "source",
        text_or_null(student->source), "tries", student->tries, "note", text_or_null(student->note),
        "warning", text_or_null(student->warning), "received", moment_or_null(student->received),
        "points", "points_open", 0, "points_final", "seconds", "cpu_seconds");
    if (row) {
        late_put(row, book, student);
    }
    return row;
}

static json_t *book_json(const struct class_book *book) {
    json_t *students = json_array();
    json_t *unmatched = json_array();
    bool failed = false;
    for (int i = 0; i < book->list->student_count; i++) {
        failed |= json_array_append_new(students, student_json(book, &book->list->student[i])) != 0;
    }
    for (int i = 0; i < book->list->unmatched_count; i++) {
        const struct class_unmatched *other = &book->list->unmatched[i];
        failed |= json_array_append_new(unmatched, json_pack("{s:s, s:s}", "source", other->source,
                                                             "why", other->why)) != 0;
    }
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:o, s:s, s:o, s:s, s:o, s:o, s:{s:i, s:s, s:n, s:n}}", "schema",
        BOOK_SCHEMA, "grader_version", book->plan->grader_version, "language", texts_language(),
        "assignment", assignment_json(book), "layout", class_layout_name(book->list->layout),
        "written_at", moment_or_null(book->plan->written_at), "device", book->plan->choice.device,
        "students", students, "unmatched", unmatched, "run", "jobs", book->jobs, "engine",
        book->engine, "wall_seconds", "cpu_seconds");
    if (failed) {
        json_decref(root);
        return NULL;
    }
    return root;
}

enum status class_book_begin(const char *out, const struct class_book *book, struct error *err) {
    char path[PATH_BYTES_MAX];
    enum status status = book_path(out, path, err);
    return status ? status : class_json_write(path, book_json(book), err);
}

// --- Another class ------------------------------------------------------------------------------

static bool is_of(const json_t *row, const struct person *person) {
    const json_t *keys = json_object_get(row, "lms");
    bool same = strcmp(class_json_text(row, "id"), person->id) == 0;
    for (int i = 0; i < KEY_COUNT && !same; i++) {
        const char *key = class_json_text(keys, person_key_name((enum person_key)i));
        same = person->key[i] && strcmp(key, person->key[i]) == 0;
    }
    return same;
}

static bool any_is_of(const json_t *rows, const struct class_list *list) {
    const json_t *row = NULL;
    size_t i = 0;
    json_array_foreach(rows, i, row) {
        for (int j = 0; j < list->student_count; j++) {
            if (is_of(row, &list->student[j].person)) {
                return true;
            }
        }
    }
    return json_array_size(rows) == 0 || list->student_count == 0;
}

static const char *choice_name(const struct class_choice *choice) {
    return choice->assignment[0] != '\0'  ? choice->assignment
           : choice->exercises[0] != '\0' ? choice->exercises
                                          : _("all exercises");
}

enum status class_book_check(const char *out, const struct class_choice *choice,
                             const struct class_list *list, struct error *err) {
    char path[PATH_BYTES_MAX];
    struct class_plan plan = {.job_count = 0};
    json_t *root = NULL;
    enum status status = class_plan_read(out, &plan, err);
    bool differs = !status && (strcmp(plan.choice.assignment, choice->assignment) != 0 ||
                               strcmp(plan.choice.exercises, choice->exercises) != 0);
    class_plan_done(&plan);
    if (differs) {
        return fail(err, STATUS_BAD_USAGE,
                    "%s: has the grades of %s, and this is %s; name another folder, as in "
                    "OUT=../hw2 (or --out)",
                    out, choice_name(&plan.choice), choice_name(choice));
    }
    if (!status || status == STATUS_BAD_USAGE || status == STATUS_BAD_DATA) {
        status = book_path(out, path, err);
        status = status ? status : class_json_read(path, BOOK_BYTES_MAX, BOOK_SCHEMA, &root, err);
    }
    if (status == STATUS_BAD_DATA) {  // none, or not a whole one
        return STATUS_OK;
    }
    if (!status && !any_is_of(json_object_get(root, "students"), list)) {
        status = fail(err, STATUS_BAD_USAGE,
                      "%s: has the grades of another class: none of its students is in this one; "
                      "name another folder, as in OUT=../hw2 (or --out)",
                      out);
    }
    json_decref(root);
    return status;
}

// --- From the results ---------------------------------------------------------------------------

// The points after what lateness costs; null if some are open.
static json_t *final_points(const json_t *row, const struct class_outcome *outcome) {
    struct late late = {.percent =
                            (int)json_integer_value(json_object_get(row, "deduction_percent"))};
    bool known = outcome->points_open == 0 && late.percent >= 0 && late.percent <= PERCENT_ALL;
    return known ? json_integer(late_points(outcome->points, &late)) : json_null();
}

static void outcome_put(json_t *row, const struct class_outcome *outcome, bool *failed) {
    const char *state = outcome->done ? "graded" : outcome->trouble[0] ? "failed" : "waiting";
    *failed |= json_object_set_new(row, "state", json_string(state)) != 0;
    if (!outcome->done && outcome->trouble[0] != '\0') {
        *failed |= json_object_set_new(row, "note", json_string(outcome->trouble)) != 0;
    }
    if (outcome->done) {
        *failed |= json_object_set_new(row, "points", json_integer(outcome->points)) != 0 ||
                   json_object_set_new(row, "points_open", json_integer(outcome->points_open)) ||
                   json_object_set_new(row, "points_final", final_points(row, outcome)) ||
                   json_object_set_new(row, "seconds", round_number(outcome->seconds)) ||
                   json_object_set_new(row, "cpu_seconds", round_number(outcome->cpu_seconds));
    }
}

static const struct class_outcome *outcome_of(const json_t *row, const struct class_plan *plan,
                                              const struct class_outcome *outcomes) {
    const struct class_job *job = class_plan_find(plan, class_json_text(row, "pseudonym"));
    return job ? &outcomes[job - plan->jobs] : NULL;
}

static void count_row(const json_t *row, struct class_counts *counts) {
    const char *state = class_json_text(row, "state");
    counts->students++;
    counts->graded += strcmp(state, "graded") == 0;
    counts->failed += strcmp(state, "failed") == 0;
    counts->waiting += strcmp(state, "waiting") == 0;
    counts->missing += strcmp(state, "missing") == 0;
    counts->empty += strcmp(state, "empty") == 0;
    counts->broken += strcmp(state, "broken") == 0;
    counts->cpu_seconds += json_number_value(json_object_get(row, "cpu_seconds"));
}

enum status class_book_read(const char *out, const struct class_plan *plan,
                            const struct class_outcome *outcomes, json_t **ret_book,
                            struct class_counts *ret_counts, struct error *err) {
    char path[PATH_BYTES_MAX];
    json_t *root = NULL;
    json_t *row = NULL;
    size_t i = 0;
    bool failed = false;
    enum status status = book_path(out, path, err);
    if (!status) {
        status = class_json_read(path, BOOK_BYTES_MAX, BOOK_SCHEMA, &root, err);
    }
    if (status) {
        return status;
    }
    memset(ret_counts, 0, sizeof *ret_counts);
    json_array_foreach(json_object_get(root, "students"), i, row) {
        const struct class_outcome *outcome = outcome_of(row, plan, outcomes);
        if (outcome) {
            outcome_put(row, outcome, &failed);
        }
        count_row(row, ret_counts);
    }
    ret_counts->unmatched = (int)json_array_size(json_object_get(root, "unmatched"));
    if (failed) {
        json_decref(root);
        return fail(err, STATUS_NO_MEMORY, "%s: no memory", path);
    }
    *ret_book = root;
    return STATUS_OK;
}

// The points of the exercises that the class has, as they are now.
static void points_put(json_t *assignment, const struct course *course, bool *failed) {
    json_t *row = NULL;
    size_t i = 0;
    int64_t sum = 0;
    json_array_foreach(json_object_get(assignment, "exercises"), i, row) {
        const struct exercise *exercise = course_find(course, class_json_text(row, "name"));
        if (exercise) {
            sum += exercise->points_max;
            *failed |=
                json_object_set_new(row, "points_max", json_integer(exercise->points_max)) != 0;
        }
    }
    sum += course_answer_points(course);
    *failed |= json_object_set_new(assignment, "points_max", json_integer(sum)) != 0 ||
               json_object_set_new(assignment, "answers_max",
                                   json_integer(course_answer_points(course))) != 0;
}

enum status class_book_end(const char *out, const struct class_plan *plan,
                           const struct class_outcome *outcomes, const struct course *course,
                           struct class_counts *ret_counts, struct error *err) {
    char path[PATH_BYTES_MAX];
    json_t *root = NULL;
    int64_t now = moment_now();
    enum status status = class_book_read(out, plan, outcomes, &root, ret_counts, err);
    if (!status) {
        status = book_path(out, path, err);
    }
    if (status) {
        return status;
    }
    json_t *run = json_object_get(root, "run");
    double wall = (double)(now - plan->written_at);
    bool failed =
        json_object_set_new(root, "written_at", moment_or_null(now)) != 0 ||
        json_object_set_new(run, "wall_seconds", round_number(wall)) != 0 ||
        json_object_set_new(run, "cpu_seconds", round_number(ret_counts->cpu_seconds)) != 0;
    if (course) {
        points_put(json_object_get(root, "assignment"), course, &failed);
    }
    if (failed) {
        json_decref(root);
        root = NULL;
    }
    return class_json_write(path, root, err);
}
