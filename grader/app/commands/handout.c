// `tilegrade handout --out=DIR`: the repository for students.  Only what is on the list of what
// students need is copied, so references, wrong kernels and the grader's own tests cannot slip in.
// With an assignment, only its lessons are there, and it is the one that is meant by default.
// Stubs go next to the lessons, where the judge looks for them if there are no references.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/commands/command.h"
#include "app/commands/judging.h"
#include "app/course/links.h"
#include "app/course/pages.h"
#include "app/course/questions.h"
#include "base/array.h"
#include "base/file.h"
#include "base/translate.h"
#include "exercise/stub.h"
#include "judge/speed/reference_work.h"

#define DEPTH_MAX 16

// Students get a README of their own, because the one of the course addresses teachers.
static const char *const copied[][2] = {{"Makefile", "Makefile"},
                                        {"grader/handout.md", "README.md"},
                                        {"grader/handout.zh.md", "README.zh.md"},
                                        {"grader/templates/github-student", ".github"},
                                        {"grader/templates/gitlab/student.yml", ".gitlab-ci.yml"},
                                        {"student/Makefile", "student/Makefile"},
                                        {"LICENSE", "LICENSE"},
                                        {".gitignore", ".gitignore"},
                                        {".clangd", ".clangd"},
                                        {".vscode", ".vscode"},
                                        {".clang-format", ".clang-format"},
                                        {"lessons", "lessons"},
                                        {"grader", "grader"},
                                        {"tests/kernels", "tests/kernels"}};

static enum status tree_copy(const char *from, const char *to, int depth, struct error *err);

static enum status file_copy(const char *from, const char *to, mode_t mode, struct error *err) {
    char *bytes = NULL;
    size_t count = 0;
    enum status status = file_read(from, FILE_BYTES_MAX, &bytes, &count, err);
    if (!status) {
        status = file_write(to, bytes, count, err);
    }
    if (!status && chmod(to, mode & 0777) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", to);
    }
    free(bytes);
    return status;
}

static enum status folder_copy(const char *from, const char *to, int depth, struct error *err) {
    if (depth == DEPTH_MAX) {
        return fail(err, STATUS_BAD_DATA, "%s: folders are nested too deeply", from);
    }
    enum status status = folder_make(to, err);
    if (status) {
        return status;
    }
    DIR *folder = opendir(from);
    if (!folder) {
        return fail_errno(err, STATUS_SYSTEM, "%s", from);
    }
    const struct dirent *entry = NULL;
    while (!status && (entry = readdir(folder)) != NULL) {
        char from_path[PATH_BYTES_MAX];
        char to_path[PATH_BYTES_MAX];
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "__pycache__") == 0) {
            continue;
        }
        status = path_make(from_path, err, "%s/%s", from, entry->d_name);
        if (!status) {
            status = path_make(to_path, err, "%s/%s", to, entry->d_name);
        }
        if (!status) {
            status = tree_copy(from_path, to_path, depth + 1, err);
        }
    }
    (void)closedir(folder);
    return status;
}

static enum status tree_copy(const char *from, const char *to, int depth, struct error *err) {
    struct stat info;
    if (lstat(from, &info) != 0) {
        return fail_errno(err, STATUS_SYSTEM, "%s", from);
    }
    if (S_ISDIR(info.st_mode)) {
        return folder_copy(from, to, depth, err);
    }
    return S_ISREG(info.st_mode) ? file_copy(from, to, info.st_mode, err) : STATUS_OK;
}

// The folder must be new or empty: nothing of an older handout may remain, and no file is
// overwritten.
static enum status out_check(const char *out, struct error *err) {
    struct dirent **entries = NULL;
    int count = scandir(out, &entries, NULL, NULL);
    if (count < 0) {
        return errno == ENOENT ? STATUS_OK : fail_errno(err, STATUS_BAD_USAGE, "%s", out);
    }
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    return count <= 2 ? STATUS_OK : fail(err, STATUS_BAD_USAGE, "%s: not empty", out);
}

static enum status stub_place(const struct app *app, const struct exercise *exercise,
                              const char *out, struct error *err) {
    char path[PATH_BYTES_MAX];
    char *stub = NULL;
    enum status status = stub_of(app->course, exercise, &stub, err);
    if (!status) {
        status = path_make(path, err, "%s/%s/stub.cu", out, exercise->lesson);
    }
    if (!status) {
        status = file_write(path, stub, strlen(stub), err);
    }
    free(stub);
    stub = NULL;
    if (!status) {
        status = path_make(path, err, "%s/student/%s.cu", out, exercise->name);
    }
    if (!status) {
        status = stub_in_language(app->course, exercise, &stub, err);
    }
    if (!status) {
        status = file_write(path, stub, strlen(stub), err);
    }
    free(stub);
    return status;
}

// Copies the listed parts, except those that the course does not have.
static enum status parts_copy(const struct app *app, const char *out, struct error *err) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < COUNT(copied) && !status; i++) {
        char from[PATH_BYTES_MAX];
        char to[PATH_BYTES_MAX];
        status = path_make(from, err, "%s/%s", app->places->root_real, copied[i][0]);
        if (!status) {
            status = path_make(to, err, "%s/%s", out, copied[i][1]);
        }
        if (!status && access(from, F_OK) == 0) {
            status = tree_copy(from, to, 0, err);
        }
    }
    return status;
}

static enum status lesson_drop(const char *out, const char *name, struct error *err) {
    char path[PATH_BYTES_MAX];
    bool has_exercise = false;
    enum status status = path_make(path, err, "%s/lessons/%s/exercise.ini", out, name);
    status = status ? status : file_exists(path, &has_exercise, err);
    status = status ? status : path_make(path, err, "%s/lessons/%s", out, name);
    return status || !has_exercise ? status : folder_remove(path, err);
}

// Removes the lessons of exercises that are not handed out; they have a number in their names, as
// has a lesson without an exercise, which stays.
static enum status lessons_narrow(const struct app *app, const char *out, struct error *err) {
    char path[PATH_BYTES_MAX];
    struct dirent **entries = NULL;
    enum status status = path_make(path, err, "%s/lessons", out);
    int count = status ? 0 : scandir(path, &entries, NULL, NULL);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        const char *exercise = name + strspn(name, "0123456789");
        bool numbered = exercise > name && exercise[0] == '_';
        if (!status && numbered && !course_find(app->course, exercise + 1)) {
            status = lesson_drop(out, name, err);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

// Leaves only this assignment, and makes it the default.  Kernels with a bug go, too: many are an
// exercise but for one line.
static enum status assignment_place(const struct app *app, const char *out, struct error *err) {
    const char *name = app->assignment->name;
    char from[PATH_BYTES_MAX];
    char folder[PATH_BYTES_MAX];
    char to[PATH_BYTES_MAX];
    enum status status = path_make(folder, err, "%s/lessons/bugs", out);
    if (!status) {
        status = folder_remove(folder, err);
    }
    if (!status) {
        status = path_make(folder, err, "%s/" ASSIGNMENT_FOLDER, out);
    }
    if (!status) {
        status = folder_remove(folder, err);
    }
    if (!status) {
        status = folder_make(folder, err);
    }
    if (!status) {
        status =
            path_make(from, err, "%s/" ASSIGNMENT_FOLDER "/%s.ini", app->places->root_real, name);
    }
    if (!status) {
        status = path_make(to, err, "%s/%s.ini", folder, name);
    }
    if (!status) {
        status = file_copy(from, to, 0644, err);
    }
    if (!status) {
        status = path_make(to, err, "%s/default", folder);
    }
    return status ? status : file_write(to, name, strlen(name), err);
}

// The kernel with the bug, for the student to repair.
static enum status bug_place(const struct question_page *page, const char *folder, const char *out,
                             struct error *err) {
    char from[PATH_BYTES_MAX];
    char to[PATH_BYTES_MAX];
    enum status status = path_make(from, err, "%s/%s.cu", folder, page->exercise);
    if (!status) {
        status = path_make(to, err, "%s/student/%s.cu", out, page->name);
    }
    return status ? status : file_copy(from, to, 0644, err);
}

// Questions that bring points go without their answers, which students write into a file of
// their own.
static enum status questions_place(const struct app *app, const char *out, struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; i < app->course->page_count && !status; i++) {
        const struct question_page *page = &app->course->pages[i];
        char from[PATH_BYTES_MAX];
        char to[PATH_BYTES_MAX];
        status = path_make(from, err, "%s/%s", app->places->root_real, page->folder);
        if (!status) {
            status = path_make(to, err, "%s/%s", out, page->folder);
        }
        if (!status && page->is_bug) {
            status = tree_copy(from, to, 0, err);
        }
        if (!status) {
            status = questions_withhold(to, page->is_bug, err);
        }
        if (!status && page->is_bug) {
            status = bug_place(page, from, out, err);
        }
    }
    return status || app->course->page_count == 0
               ? status
               : answers_template_write(app->course, app->assignment->title, out, err);
}

// Lists the exercises that students would find half written.
static enum status unfinished_tell(const struct app *app, struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; i < app->course->exercise_count && !status; i++) {
        const struct exercise *exercise = &app->course->exercises[i];
        struct error first;
        int count = 0;
        status = course_pages_unfinished(app->places, exercise, &count, &first, err);
        if (!status && count > 0) {
            (void)printf(
                _("  %s is not finished: FILL IN is left in %d places (make check-course EX=%s)\n"),
                exercise->lesson, count, exercise->name);
        }
    }
    return status;
}

// Gives students the counted work of the references as numbers, for the points of speed.  A machine
// that cannot count, and a reference that is not finished, leave them out, and say so.
static enum status numbers_place(const struct app *app, const char *out, struct error *err) {
    char folder[PATH_BYTES_MAX];
    struct judging judging = JUDGING_CLOSED;
    struct error why = {.text = ""};
    enum status status = place_make(app->places, folder, err, "reference");
    if (status) {
        return status;
    }
    (void)printf(_("  counting the work of the references, once: this may take some minutes\n"));
    (void)fflush(stdout);
    if (judging_open(app, folder, NULL, &judging, &why) != STATUS_OK) {
        (void)printf(_("  the handout has no numbers of the references: %s\n"), why.text);
    }
    for (int i = 0; i < app->course->exercise_count && !status && judging.sandbox; i++) {
        const struct exercise *exercise = &app->course->exercises[i];
        char path[PATH_BYTES_MAX];
        status = path_make(path, err, "%s/%s/" REFERENCE_FILE, out, exercise->lesson);
        if (!status && reference_work_write(&judging.options, exercise, path, &why) != STATUS_OK) {
            (void)printf(_("  %s: the handout has no numbers of its reference: %s\n"),
                         exercise->lesson, why.text);
        }
    }
    judging_close(&judging);
    return status;
}

enum status cmd_handout(const struct app *app, enum exit_code *ret_code, struct error *err) {
    const char *out = app->options->out;
    char folder[PATH_BYTES_MAX];
    if (!out) {
        return fail(err, STATUS_BAD_USAGE,
                    "name a new or empty folder: make handout OUT=folder (or --out folder)");
    }
    enum status status = out_check(out, err);
    if (!status) {
        status = path_make(folder, err, "%s/student", out);
    }
    if (!status) {
        status = folder_make(folder, err);
    }
    if (!status) {
        status = path_make(folder, err, "%s/tests", out);
    }
    if (!status) {
        status = folder_make(folder, err);
    }
    if (!status) {
        status = parts_copy(app, out, err);
    }
    if (!status) {  // each bug that brings points is in the handout of its assignment alone
        status = path_make(folder, err, "%s/" ASSIGNMENT_BUGS, out);
    }
    if (!status) {
        status = folder_remove(folder, err);
    }
    if (!status) {
        status = lessons_narrow(app, out, err);
    }
    if (!status && app->assignment) {
        status = assignment_place(app, out, err);
    }
    if (!status) {
        status = questions_place(app, out, err);
    }
    if (!status) {
        status = course_links_drop(out, err);
    }
    for (int i = 0; i < app->course->exercise_count && !status; i++) {
        status = stub_place(app, &app->course->exercises[i], out, err);
    }
    if (!status && app->course->has_references) {
        status = numbers_place(app, out, err);
    }
    if (!status) {
        (void)printf(_("%s: %d exercises; students run `make setup test` there\n"), out,
                     app->course->exercise_count);
        *ret_code = EXIT_ALL_WELL;
        status = app->course->has_references ? unfinished_tell(app, err) : STATUS_OK;
    }
    return status;
}
