// `tilegrade handout --out=DIR`: the repository for students. Only what is on the list of what
// students need is copied, so references, wrong kernels and the grader's own tests cannot slip in.
// With an assignment, only its lessons are there, and it is the one that is meant by default. Stubs
// go next to the lessons, where the judge looks for them if there are no references.
//
// Pages of questions are written without their answers. Links to what is not there are taken out of
// the pages: Markdown as far as it is needed, in which code blocks and code spans hold no links,
// and brackets nest. tools/links.py checks the same links in the whole course.
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/commands/commands.h"
#include "app/commands/course_jobs.h"
#include "app/commands/judging.h"
#include "base/basics.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "base/words.h"
#include "exercise/assignment.h"
#include "exercise/exercise.h"
#include "exercise/questions.h"
#include "exercise/stub.h"
#include "judge/speed/reference.h"

#define DEPTH_MAX 16

// After a code span that begins here; else `at`.
static const char *after_span(const char *at) {
    const char *end = *at == '`' ? strchr(at + 1, '`') : NULL;
    return end ? end + 1 : at;
}

// The bracket that closes the one at `open`, if a target follows it; else NULL.
static const char *link_close(const char *open) {
    int depth = 0;
    for (const char *at = open; *at != '\0' && strncmp(at, "\n\n", 2) != 0;) {
        const char *after = after_span(at);
        if (after > at) {
            at = after;
            continue;
        }
        depth += (*at == '[') - (*at == ']');
        if (depth == 0) {
            return at[1] == '(' ? at : NULL;
        }
        at++;
    }
    return NULL;
}

// True if a relative target leads to no file.
static bool is_dead(const char *page, const char *target, size_t length) {
    char path[PATH_BYTES_MAX];
    const char *slash = strrchr(page, '/');
    struct stat about;
    size_t bytes = 0;
    while (bytes < length && !strchr(" #", target[bytes])) {
        bytes++;
    }
    if (bytes == 0 || memmem(target, bytes, "://", 3) || text_starts(target, "mailto:")) {
        return false;
    }
    return !path_make(path, NULL, "%.*s/%.*s", slash ? (int)(slash - page) : 1, slash ? page : ".",
                      (int)bytes, target) &&
           stat(path, &about) != 0 && errno == ENOENT;
}

// Writes one link if it is alive, or its text.  Returns the place after it; NULL if there is none.
static const char *link_write(FILE *out, const char *page, const char *at) {
    const char *close = *at == '[' ? link_close(at) : NULL;
    const char *end = close ? strchr(close, ')') : NULL;
    if (!end) {
        return NULL;
    }
    bool dead = is_dead(page, close + 2, (size_t)(end - close - 2));
    const char *from = dead ? at + 1 : at;
    const char *to = dead ? close : end + 1;
    (void)fwrite(from, 1, (size_t)(to - from), out);
    return end + 1;
}

static enum status text_do(const char *page, const char *text, char **ret_text, struct error *err) {
    size_t bytes = 0;
    bool in_block = false;
    FILE *out = open_memstream(ret_text, &bytes);
    for (const char *at = text; out && *at != '\0';) {
        bool line_begins = at == text || at[-1] == '\n';
        if (line_begins && text_starts(at, "```")) {
            in_block = !in_block;
        }
        const char *after = in_block ? at : after_span(at);
        const char *linked = in_block || after > at ? NULL : link_write(out, page, at);
        if (linked) {
            at = linked;
            continue;
        }
        after = after > at && !(line_begins && text_starts(at, "```")) ? after : at + 1;
        (void)fwrite(at, 1, (size_t)(after - at), out);
        at = after;
    }
    return out && stream_close(out, ret_text) ? STATUS_OK
                                              : fail(err, STATUS_NO_MEMORY, "%s: no memory", page);
}

static enum status page_do(const char *path, struct error *err) {
    char *text = NULL;
    char *changed = NULL;
    size_t bytes = 0;
    enum status status = file_read(path, FILE_BYTES_MAX, &text, &bytes, err);
    if (!status) {
        status = text_do(path, text, &changed, err);
    }
    if (!status && strcmp(text, changed) != 0) {
        status = file_write(path, changed, strlen(changed), err);
    }
    free(text);
    free(changed);
    return status;
}

static enum status folder_do(const char *path, int depth, struct error *err) {
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, NULL, alphasort);
    enum status status =
        count < 0 || depth == DEPTH_MAX ? fail_errno(err, STATUS_SYSTEM, "%s", path) : STATUS_OK;
    for (int i = 0; i < count; i++) {
        char inner[PATH_BYTES_MAX];
        const char *name = entries[i]->d_name;
        size_t length = strlen(name);
        struct stat about;
        if (!status && name[0] != '.') {
            status = path_make(inner, err, "%s/%s", path, name);
        }
        if (!status && name[0] != '.' && lstat(inner, &about) == 0) {
            status = S_ISDIR(about.st_mode) ? folder_do(inner, depth + 1, err)
                     : length > 3 && strcmp(name + length - 3, ".md") == 0 ? page_do(inner, err)
                                                                           : STATUS_OK;
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

// Turns each relative link of a page below the folder that leads to no file into its text:
// "[lesson 2](../020_tiled/lesson.md)" becomes "lesson 2".
static enum status course_links_drop(const char *folder, struct error *err) {
    return folder_do(folder, 0, err);
}

static const char intro[] = N_("The answers to these questions bring points. Write them into "
                               "`student/answers.ini`, which is handed in with the kernels.");

// Copies a page line by line, without its answers.
static void page_write(FILE *stream, const char *raw, const struct texts *texts,
                       const struct questions *questions) {
    const struct question *question = NULL;
    size_t bytes = 0;
    int number = 0;
    bool in_head = false;
    bool in_answers = false;
    for (const char *line; (line = text_line(&raw, &bytes)) != NULL;) {
        bool begins = text_starts(line, "## ");
        bool answers = question && (text_starts(line, "- [x] ") || text_starts(line, "- [ ] "));
        if (begins) {
            question = &questions->list[number++];
        }
        if (answers && !in_answers && question->kind == QUESTION_LETTER) {
            for (int i = 0; i < question->answer_count; i++) {
                (void)fprintf(stream, "- [ ] %s\n", question->answer[i].text);
            }
            (void)fputc('\n', stream);
        }
        in_answers = !begins && (in_answers || answers);
        in_head = !begins && (in_head || text_starts(line, "# "));
        if (text_starts(line, "# ") && !question) {
            (void)fprintf(stream, "%.*s\n\n" QUESTIONS_WITHHELD "\n\n%s\n\n", (int)bytes, line,
                          texts_find(texts, intro));
        } else if (!in_answers && !in_head) {
            (void)fprintf(stream, "%.*s\n", (int)bytes, line);
        }
    }
}

static enum status page_withhold(const char *path, const struct texts *texts, bool is_bug,
                                 struct error *err) {
    char *raw = NULL;
    char *text = NULL;
    size_t bytes = 0;
    struct questions *questions = NULL;
    enum status status = questions_read(path, is_bug, &questions, err);
    if (!status) {
        status = file_read(path, FILE_BYTES_MAX, &raw, &bytes, err);
    }
    if (!status) {
        FILE *stream = open_memstream(&text, &bytes);
        if (stream) {
            page_write(stream, raw, texts, questions);
        }
        status = stream && stream_close(stream, &text)
                     ? file_write(path, text, strlen(text), err)
                     : fail(err, STATUS_NO_MEMORY, "%s: no memory", path);
    }
    free(text);
    free(raw);
    questions_free(questions);
    return status;
}

// Rewrites the pages of questions in `folder`, in each language, without answers and reasons: only
// what can be chosen stays.
static enum status questions_withhold(const char *folder, bool is_bug, struct error *err) {
    const struct {
        const char *file;
        const struct texts *texts;
    } pages[] = {{QUESTIONS_PAGE, &texts_en}, {QUESTIONS_PAGE_ZH, &texts_zh}};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < COUNT(pages) && !status; i++) {
        char path[PATH_BYTES_MAX];
        bool exists = false;
        status = path_make(path, err, "%s/%s", folder, pages[i].file);
        if (!status) {
            status = file_exists(path, &exists, err);
        }
        if (!status && exists) {
            status = page_withhold(path, pages[i].texts, is_bug, err);
        }
    }
    return status;
}

static const char *form_of(const struct question *question) {
    switch (question->kind) {
    case QUESTION_LETTER:
        return _("one letter, from a on");
    case QUESTION_LINE:
        return _("the number of a line");
    case QUESTION_VALUE:
        break;
    }
    for (int i = 0; i < question->answer_count; i++) {
        if (strchr(question->answer[i].text, '[')) {
            return _("an element, such as A[3][5]");
        }
    }
    return _("a number");
}

static enum status section_write(const struct course *course, const struct question_page *page,
                                 FILE *stream, struct error *err) {
    char path[PATH_BYTES_MAX];
    bool exists = false;
    struct questions *questions = NULL;
    enum status status = path_below(path, err, course->root, "%s/" QUESTIONS_PAGE_ZH, page->folder);
    if (!status) {
        status = file_exists(path, &exists, err);
    }
    if (!status && (!exists || strcmp(texts_language(), "zh") != 0)) {
        status = path_below(path, err, course->root, "%s/" QUESTIONS_PAGE, page->folder);
    }
    if (!status) {
        status = questions_read(path, page->is_bug, &questions, err);
    }
    if (!status) {
        (void)fprintf(stream, "\n[%s]\n", page->name);
        for (int i = 0; i < questions->count; i++) {
            (void)fprintf(stream, "; %s: %s\n%d =\n", questions->list[i].title,
                          form_of(&questions->list[i]), i + 1);
        }
        if (page->is_bug) {
            (void)fputs("; ", stream);
            (void)fprintf(stream, _("Repair student/%s.cu, too; it is handed in as well."),
                          page->name);
            (void)fputc('\n', stream);
        }
    }
    questions_free(questions);
    return status;
}

// Writes student/answers.ini of the handout `out`, a line for each question, to be filled in.
static enum status answers_template_write(const struct course *course, const char *title,
                                          const char *out, struct error *err) {
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    enum status status = path_make(path, err, "%s/student/" ANSWERS_FILE, out);
    FILE *stream = open_memstream(&text, &bytes);
    if (!stream) {
        return fail(err, STATUS_NO_MEMORY, "%s: no memory", path);
    }
    (void)fprintf(stream, "; %s\n; %s\n; %s\n", title,
                  _("Write each answer after its =. Hand this file in with your kernels."),
                  _("If a question has several answers, the last one counts."));
    for (int i = 0; i < course->page_count && !status; i++) {
        status = section_write(course, &course->pages[i], stream, err);
    }
    if (!stream_close(stream, &text)) {
        return fail(err, STATUS_NO_MEMORY, "%s: no memory", path);
    }
    if (!status) {
        status = file_write(path, text, strlen(text), err);
    }
    free(text);
    return status;
}

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
    if (!status) {  // a bug that brings points is only in the handout of its assignment
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
