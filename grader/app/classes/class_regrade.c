// `tilegrade regrade` for the folder of a class: what the thresholds and points of the course, as
// they are now, would change for each student; and with --out, the same written.
//
// No kernel is run.  A result that is written gets the key of the job with the course as it is now,
// if nothing but points and thresholds has changed.  Otherwise it keeps its old key, and the next
// class run grades it again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/classes/classes.h"
#include "app/terminal/terminal.h"
#include "app/terminal/terminal_text.h"
#include "app/toolchain.h"
#include "base/file.h"
#include "base/words.h"
#include "class/folder.h"
#include "class/run/book.h"
#include "class/run/json.h"
#include "judge/result/regrade.h"
#include "judge/result/result.h"

struct class_regrading {
    char out[PATH_BYTES_MAX];
    bool write;
    bool keys_fit;          // nothing has changed that kernels are run for
    struct course *course;  // narrowed as that of the class
    struct class_hashes before;
    struct class_plan plan;  // with the hashes and keys of now
    struct regrade *regrade;
    int same, changed, impossible;
};

// The course as the class run had it chosen, with the points and thresholds of now.
static enum status course_narrow_again(const struct app *app, struct class_regrading *regrading,
                                       struct error *err) {
    const struct class_choice *choice = &regrading->plan.choice;
    struct assignment *assignment = calloc(1, sizeof *assignment);
    enum status status =
        assignment ? STATUS_OK : fail(err, STATUS_NO_MEMORY, "no memory for a result");
    if (!status) {
        *regrading->course = *app->course;
    }
    if (!status && choice->assignment[0] != '\0') {
        status = assignment_read(app->course, choice->assignment, assignment, err);
        if (!status) {
            assignment_narrow(assignment, regrading->course);
        }
    }
    if (!status && choice->exercises[0] != '\0') {
        status = course_narrow(regrading->course, choice->exercises, err);
    }
    free(assignment);
    return status;
}

static enum status hashes_now(const struct app *app, struct class_regrading *regrading,
                              struct error *err) {
    struct device_paths paths = app->places->device;
    struct class_hashes *now = &regrading->plan.hashes;
    const struct class_hashes *before = &regrading->before;
    regrading->before = *now;
    paths.compiler_version = compiler_version(paths.compiler);
    enum status status = class_hashes_of(regrading->course, &paths, now, err);
    regrading->keys_fit = !status && strcmp(now->grader, before->grader) == 0 &&
                          strcmp(now->running, before->running) == 0;
    return status;
}

static void change_print(const struct regrade *regrade, const char *id) {
    char points[4][POINTS_TEXT_BYTES];
    char name[NAME_BYTES_MAX * 2];
    const char *last = "";
    points_format(regrade->stored, points[0]);
    points_format(regrade->stored_max, points[1]);
    points_format(regrade->points, points[2]);
    points_format(regrade->points_max, points[3]);
    terminal_clean(id, name, sizeof name);
    (void)printf("  %s: ", name);
    (void)printf(_("%s of %s -> %s of %s"), points[0], points[1], points[2], points[3]);
    for (int i = 0; i < regrade->row_count; i++) {
        const struct regrade_row *row = &regrade->row[i];
        if (row->stored != row->points && strcmp(row->exercise, last) != 0) {
            (void)printf("%s%s", *last ? ", " : "  (", row->exercise);
            last = row->exercise;
        }
    }
    (void)printf("%s\n", *last ? ")" : "");
}

static enum status result_store(const char *path, const char *key, json_t *result,
                                struct error *err) {
    if (json_object_set_new(result, "job", json_string(key)) != 0) {
        return fail(err, STATUS_NO_MEMORY, "no memory for a result");
    }
    char *text = json_dumps(result, JSON_INDENT(2) | JSON_REAL_PRECISION(RESULT_REAL_DIGITS));
    if (!text) {
        return fail(err, STATUS_NO_MEMORY, "no memory for a result");
    }
    enum status status = class_file_write(path, text, strlen(text), err);
    free(text);
    return status;
}

// One student.  `key`: of the job as it was; `now`: as it is.
static enum status student_regrade(struct class_regrading *regrading, const struct class_job *now,
                                   const char *key, const char *id, struct error *err) {
    char path[PATH_BYTES_MAX];
    json_t *result = NULL;
    struct regrade *regrade = regrading->regrade;
    struct error why = {.text = ""};
    memset(regrade, 0, sizeof *regrade);
    enum status status = class_job_path(regrading->out, now->pseudonym, "result.json", path, err);
    if (!status) {
        status = class_json_read(path, FILE_BYTES_MAX, RESULT_SCHEMA, &result, err);
    }
    if (status) {
        return status;
    }
    status = regrade_result(regrading->course, result, regrade, &why);
    if (status == STATUS_BAD_DATA) {
        regrading->impossible++;
        (void)printf(_("  %s: the points cannot be computed again: %s\n"), id, why.text);
        json_decref(result);
        return STATUS_OK;
    }
    bool changes = regrade->stored != regrade->points || regrade->stored_max != regrade->points_max;
    regrading->changed += changes;
    regrading->same += !changes;
    if (status) {
        status = fail(err, status, "%s", why.text);
    } else if (changes) {
        change_print(regrade, id);
    }
    if (!status && regrading->write) {
        status = result_store(path, regrading->keys_fit ? now->key : key, result, err);
    }
    json_decref(result);
    return status;
}

// All students that have a result, of this plan or of one that was regraded before it was cut off.
static enum status students_regrade(struct class_regrading *regrading, const json_t *book,
                                    struct error *err) {
    enum status status = STATUS_OK;
    const json_t *row = NULL;
    size_t i = 0;
    json_array_foreach(json_object_get(book, "students"), i, row) {
        struct class_outcome outcome = {.done = false};
        const struct class_job *job =
            class_plan_find(&regrading->plan, class_json_text(row, "pseudonym"));
        if (status || !job) {
            continue;
        }
        struct class_job now = *job;
        class_plan_key(&regrading->plan, &now);
        status = class_outcome_read(regrading->out, job, &outcome, err);
        if (!status && !outcome.done) {
            status = class_outcome_read(regrading->out, &now, &outcome, err);
        }
        if (!status && outcome.done) {
            status = student_regrade(regrading, &now, job->key, class_json_text(row, "id"), err);
        }
    }
    return status;
}

// The plan and class.json of the results as they are now.
static enum status state_store(struct class_regrading *regrading, struct error *err) {
    struct class_counts counts;
    struct class_outcome *outcomes = NULL;
    for (int i = 0; i < regrading->plan.job_count; i++) {
        class_plan_key(&regrading->plan, &regrading->plan.jobs[i]);
    }
    enum status status =
        regrading->keys_fit ? class_plan_write(regrading->out, &regrading->plan, err) : STATUS_OK;
    class_plan_done(&regrading->plan);
    if (!status) {
        status = class_state_read(regrading->out, &regrading->plan, &outcomes, err);
    }
    if (!status) {
        status = class_book_end(regrading->out, &regrading->plan, outcomes, regrading->course,
                                &counts, err);
    }
    free(outcomes);
    return status;
}

static void end_print(const struct class_regrading *regrading) {
    (void)printf(_("  %d change, %d stay the same, %d cannot be computed again\n"),
                 regrading->changed, regrading->same, regrading->impossible);
    if (!regrading->keys_fit) {
        (void)printf("%s", _("  the grader or what it runs has changed too: the next class run "
                             "grades all of them again\n"));
    }
    if (regrading->write) {
        (void)printf(_("  written: %s\n"), regrading->out);
    } else if (regrading->changed > 0) {
        (void)printf(_("  nothing is written; OUT=%s (or --out) writes it\n"), regrading->out);
    }
}

static enum status class_regrade_run(const struct app *app, struct class_regrading *regrading,
                                     struct error *err) {
    json_t *book = NULL;
    struct class_counts counts;
    struct class_outcome *outcomes = NULL;
    enum status status = class_state_read(regrading->out, &regrading->plan, &outcomes, err);
    if (!status) {
        status = class_book_read(regrading->out, &regrading->plan, outcomes, &book, &counts, err);
    }
    free(outcomes);
    if (!status) {
        status = course_narrow_again(app, regrading, err);
    }
    if (!status) {
        status = hashes_now(app, regrading, err);
    }
    if (!status) {
        status = students_regrade(regrading, book, err);
    }
    if (!status && regrading->write) {
        status = state_store(regrading, err);
    }
    json_decref(book);
    return status;
}

enum status class_regrade(const struct app *app, enum exit_code *ret_code, struct error *err) {
    const char *out = app->options->out;
    int lock_fd = -1;
    struct class_regrading *regrading = calloc(1, sizeof *regrading);
    enum status status =
        regrading ? STATUS_OK : fail(err, STATUS_NO_MEMORY, "no memory for a result");
    if (status) {
        return status;
    }
    regrading->course = malloc(sizeof *regrading->course);
    regrading->regrade = calloc(1, sizeof *regrading->regrade);
    regrading->write = out != NULL;
    status = regrading->course && regrading->regrade
                 ? class_path_find(app->options->result, regrading->out, err)
                 : fail(err, STATUS_NO_MEMORY, "no memory for a result");
    if (!status && out) {
        char there[PATH_BYTES_MAX];
        status = class_path_find(out, there, err);
        if (!status && strcmp(there, regrading->out) != 0) {
            status = fail(err, STATUS_BAD_USAGE,
                          "%s: the points of a class are written where its results are: %s", out,
                          regrading->out);
        }
    }
    if (!status && out) {
        status = class_folder_lock(regrading->out, &lock_fd, err);
    }
    if (!status) {
        status = class_regrade_run(app, regrading, err);
    }
    if (!status) {
        end_print(regrading);
        *ret_code = regrading->changed > 0 ? EXIT_KERNELS : EXIT_ALL_WELL;
    }
    fd_close(&lock_fd);
    class_plan_done(&regrading->plan);
    course_free(regrading->course);
    free(regrading->regrade);
    free(regrading);
    return status;
}
