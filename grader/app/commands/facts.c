// The program's answers to grader/class and tools/handout.py: `facts`, the course and the
// assignment as JSON; `count`, the references counted before jobs begin together, which would each
// count them; and `packages`, which unpacks submissions in the sandbox.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#include "app/commands/job.h"
#include "app/commands/judging.h"
#include "app/toolchain.h"
#include "judge/speed/reference.h"
#include "judge/submission/submission.h"

#define LINE_BYTES (4 * PATH_BYTES_MAX)

// --- The course ---------------------------------------------------------------------------------

static json_t *text_or_null(const char *text) {
    return text[0] != '\0' ? json_string(text) : json_null();
}

static json_t *exercise_json(const struct exercise *exercise) {
    char lesson[sizeof exercise->lesson + sizeof "/lesson.md"];
    (void)snprintf(lesson, sizeof lesson, "%s/lesson.md", exercise->lesson);
    const char *title_zh = exercise->title_zh[0] != '\0' ? exercise->title_zh : NULL;
    return json_pack("{s:s, s:s, s:s*, s:s, s:I}", "name", exercise->name, "title", exercise->title,
                     "title_zh", title_zh, "lesson", lesson, "points_max",
                     (json_int_t)exercise->points_max);
}

static json_t *moment_json(bool known, int64_t moment) {
    char text[MOMENT_TEXT_BYTES];
    moment_format(known ? moment : MOMENT_NONE, text);
    return text_or_null(text);
}

// "reference_from" is for a class without extensions.
static json_t *assignment_json(const struct app *app) {
    static const struct assignment none = {.due = MOMENT_NONE};
    const struct assignment *assignment = app->assignment ? app->assignment : &none;
    int64_t moment = MOMENT_NONE;
    bool ever = app->assignment && assignment_reference_time(assignment, 0, &moment);
    return json_pack("{s:o, s:o, s:o, s:i, s:i, s:s, s:s, s:o}", "name",
                     text_or_null(assignment->name), "title", text_or_null(assignment->title),
                     "due", text_or_null(assignment->due_text), "late_percent",
                     assignment->late_percent, "grace_days", assignment->grace_days, "feedback",
                     assignment_feedback_name(assignment->feedback), "show_reference",
                     assignment_reference_name(assignment->show_reference), "reference_from",
                     moment_json(ever, moment));
}

static json_t *pages_json(const struct course *course) {
    json_t *pages = json_array();
    for (int i = 0; i < course->page_count; i++) {
        const struct question_page *page = &course->pages[i];
        (void)json_array_append_new(pages, json_pack("{s:s, s:s, s:b, s:s}", "name", page->name,
                                                     "folder", page->folder, "is_bug", page->is_bug,
                                                     "exercise", page->exercise));
    }
    return pages;
}

static json_t *course_json(const struct app *app, const struct job_hashes *hashes) {
    json_t *exercises = json_array();
    json_t *wanted = json_array();
    for (int i = 0; i < app->course->exercise_count; i++) {
        (void)json_array_append_new(exercises, exercise_json(&app->course->exercises[i]));
    }
    for (int i = 0; i < handed_in_count(app->course); i++) {
        char name[HANDED_IN_BYTES];
        handed_in_name(app->course, i, name);
        (void)json_array_append_new(wanted, json_string(name));
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:I, s:b, s:s, s:s, s:s}", "version",
                     TILEGRADE_VERSION, "root", app->places->root_real, "assignment",
                     assignment_json(app), "exercises", exercises, "wanted", wanted, "pages",
                     pages_json(app->course), "answers_max",
                     (json_int_t)course_answer_points(app->course), "has_references",
                     app->course->has_references, "grader", hashes->grader, "running",
                     hashes->running, "course", hashes->course);
}

static enum status json_print(json_t *root, struct error *err) {
    char *text = root ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    if (!text) {
        return fail(err, STATUS_SYSTEM, "%s: a text is not UTF-8", "JSON");
    }
    bool printed = printf("%s\n", text) > 0 && fflush(stdout) == 0;
    free(text);
    return printed ? STATUS_OK : fail_errno(err, STATUS_SYSTEM, "cannot write the output");
}

enum status cmd_facts(const struct app *app, enum exit_code *ret_code, struct error *err) {
    struct job_hashes hashes;
    struct device_paths paths = app->places->device;
    const struct card *card = NULL;
    if (app->options->card && card_find(app->options->card, &card, err)) {
        return STATUS_BAD_USAGE;
    }
    paths.compiler_version = compiler_version(paths.compiler);
    enum status status = job_hashes_of(app->course, &paths, &hashes, err);
    if (!status) {
        status = json_print(course_json(app, &hashes), err);
    }
    *ret_code = EXIT_ALL_WELL;
    return status;
}

// --- The references -----------------------------------------------------------------------------

// Exercises that cannot be counted here are left to the jobs, which report why.  A line is printed
// before each.
enum status cmd_count(const struct app *app, enum exit_code *ret_code, struct error *err) {
    struct judging judging = JUDGING_CLOSED;
    struct job job;
    enum status status = job_read(&job, err);  // drawn sizes are the same for all seeds
    if (!status) {
        status = judging_open(app, NULL, NULL, &judging, err);
    }
    judging.options.seed = job.seed;
    bool counted = !status && !judging.options.uses[DEVICE_GPU] && judging.options.machine.counts;
    for (int i = 0; i < app->course->exercise_count && counted; i++) {
        struct error ignored = {.text = ""};
        (void)printf("%d\n", i);
        (void)fflush(stdout);
        (void)reference_work_keep(&judging.options, &app->course->exercises[i], &ignored);
    }
    judging_close(&judging);
    *ret_code = EXIT_ALL_WELL;
    return status;
}

// --- Packages -----------------------------------------------------------------------------------

// One package: {"path", "shown", "of_class"}; with "script" its content is read by that Python
// script.  The answer is {"folder", "left_out"}, or {"refused"} with the reason.  A path is
// /proc/PID/fd/N, a file that the requesting process has open, so a student's file name is never
// used as a path.
static enum status package_answer(const char *programs, const struct sandbox *sandbox,
                                  const char *line, struct error *err) {
    char folder[PATH_BYTES_MAX];
    char *left_out = NULL;
    const char *path = NULL;
    const char *shown = NULL;
    const char *script = NULL;
    int of_class = 0;
    json_t *asked = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    if (!asked || json_unpack(asked, "{s:s, s:s, s:b, s?s}", "path", &path, "shown", &shown,
                              "of_class", &of_class, "script", &script) != 0) {
        json_decref(asked);
        return fail(err, STATUS_BAD_USAGE, "`packages` is for grader/class/class.py");
    }
    struct error why = {.text = ""};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const struct package package = {shown, fd, of_class != 0};
    enum status status =
        fd < 0   ? fail_errno(&why, status_of_errno(STATUS_BAD_USAGE), "%s", shown)
        : script ? package_read(script, sandbox, shown, fd, folder, &why)
                 : package_unpack_tree(programs, sandbox, &package, folder, &left_out, &why);
    if (fd >= 0) {
        (void)close(fd);
    }
    if (!status) {
        status = json_print(
            json_pack("{s:s, s:s}", "folder", folder, "left_out", left_out ? left_out : ""), err);
    } else if (status == STATUS_BAD_USAGE) {
        status = json_print(json_pack("{s:s}", "refused", why.text), err);
    } else {
        status = fail(err, status, "%s", why.text);
    }
    free(left_out);
    json_decref(asked);
    return status;
}

// Runs until standard input ends; then the supervisor removes the remaining folders.
enum status cmd_packages(const struct app *app, enum exit_code *ret_code, struct error *err) {
    static char line[LINE_BYTES];
    const char *programs = app->places->device.programs;
    struct sandbox *sandbox = NULL;
    enum status status =
        sandbox_open(app->options->sandbox, (const char *const[]){programs, NULL}, &sandbox, err);
    while (!status && fgets(line, sizeof line, stdin)) {
        status = package_answer(programs, sandbox, line, err);
    }
    sandbox_close(sandbox);
    *ret_code = EXIT_ALL_WELL;
    return status;
}
