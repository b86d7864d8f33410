// Lists the checks of check-course.  Kernels are found by listing folders, so a new file is checked
// without further registration.
//
// The pages that a teacher writes for an exercise.  tools/links.py checks their links.
#include "app/commands/course_jobs.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "exercise/hints.h"
#include "exercise/stub.h"
#include "judge/model/verdict.h"

#define PATCH       ".patch"
#define SIZES       "sizes.txt"
#define NAME_FORMAT "%127s"
#define SIZE_FORMAT "%47s"

static void job_add(struct job_list *list, const struct course_job *job) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->jobs = xrealloc(list->jobs, (size_t)list->capacity * sizeof *list->jobs);
    }
    list->jobs[list->count++] = *job;
}

// Reads `// expect: race 22 28  (why)`, the first line of a wrong kernel; or `// expect: ?  (why)`.
static enum status expectation_read(struct course_job *job, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    char name[32] = "";
    enum status status = file_read(job->path, SOURCE_BYTES_MAX, &text, &bytes, err);
    if (status) {
        return status;
    }
    int *line = job->lines.line;
    int read = sscanf(text, "// expect: %31[a-z_?] %d %d", name, &line[0], &line[1]);
    bool found = read >= 1;
    job->lines.count = read > 1 ? read - 1 : 0;
    free(text);
    job->is_open = found && strcmp(name, "?") == 0;
    if (job->is_open) {
        return STATUS_OK;
    }
    job->expects_slow = found && strcmp(name, speed_verdict_name(SPEED_SLOW)) == 0;
    if (job->expects_slow) {
        job->expected = VERDICT_PASS;
        return STATUS_OK;
    }
    if (!found || !verdict_parse(name, &job->expected)) {
        return found ? fail(err, STATUS_BAD_DATA,
                            "%s:1: expected `// expect: verdict lines  (why)`, and there is no "
                            "verdict '%s'",
                            job->path, name)
                     : fail(err, STATUS_BAD_DATA,
                            "%s:1: expected `// expect: verdict lines  (why)`; with ? for the "
                            "verdict, `make check-course WRITE=1` writes what it finds",
                            job->path);
    }
    return STATUS_OK;
}

static enum status first_line_write(const char *path, const char *found, struct error *err) {
    char *text = NULL;
    char *changed = NULL;
    size_t bytes = 0;
    size_t changed_bytes = 0;
    enum status status = file_read(path, SOURCE_BYTES_MAX, &text, &bytes, err);
    if (status) {
        return status;
    }
    size_t line = strcspn(text, "\n");
    const char *why = memchr(text, '(', line);
    const char *rest = why ? why : text + line;
    FILE *stream = xopen_memstream(&changed, &changed_bytes);
    (void)fprintf(stream, "// expect: %s%s", found, why ? "  " : "");
    (void)fwrite(rest, 1, bytes - (size_t)(rest - text), stream);
    xclose_memstream(stream, &changed);
    status = file_write(path, changed, changed_bytes, err);
    free(changed);
    free(text);
    return status;
}

enum status course_expectation_write(const struct course_job *job, const char *found,
                                     struct error *err) {
    enum status status = first_line_write(job->path, found, err);
    return status || job->patch[0] == '\0' ? status : first_line_write(job->patch, found, err);
}

static bool text_ends(const char *text, const char *end) {
    size_t length = strlen(text);
    return length > strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static int is_kernel_file(const struct dirent *entry) {
    return text_ends(entry->d_name, ".cu") || text_ends(entry->d_name, PATCH);
}

// Finds the kernel for a file of `folder`; the file may be a patch, which make applies.
static enum status kernel_find(const struct course *course, const char *folder, const char *file,
                               struct course_job *job, struct error *err) {
    if (!text_ends(file, PATCH)) {
        return path_make(job->path, err, "%s/%s", folder, file);
    }
    enum status status = path_make(job->patch, err, "%s/%s", folder, file);
    if (!status) {
        status = path_below(job->path, err, course->root, "build/wrong/%s/%.*s.cu",
                            job->exercise->name, (int)(strlen(file) - strlen(PATCH)), file);
    }
    if (!status && access(job->path, F_OK) != 0) {
        status = fail(err, STATUS_BAD_DATA, "%s: not unfolded into %s; `make check-course` does it",
                      job->patch, job->path);
    }
    return status;
}

// The name of a wrong kernel: its file name without the extension.
static int job_name(const struct course_job *job, const char **ret_name) {
    *ret_name = strrchr(job->path, '/') + 1;
    return (int)strcspn(*ret_name, ".");
}

// Stores a line of sizes.txt in the job that it names, one of the jobs from `begin` on.
static bool sizes_take(const char *line, struct job_list *list, int begin) {
    char name[128];
    char text[ONLY_SIZES_MAX][SIZE_TEXT_MAX];
    struct job_sizes sizes = {.count = 0};
    int read = sscanf(line, NAME_FORMAT " " SIZE_FORMAT " " SIZE_FORMAT, name, text[0], text[1]);
    bool good = read > 1;
    while (good && sizes.count < read - 1) {
        good = size_numbers(text[sizes.count], SIZE_OF_OTHER_MAX, &sizes.size[sizes.count]) > 0;
        sizes.count++;
    }
    for (int i = begin; i < list->count && good; i++) {
        const char *here = NULL;
        int length = job_name(&list->jobs[i], &here);
        if (strncmp(here, name, (size_t)length) == 0 && name[length] == '\0') {
            list->jobs[i].sizes = sizes;
            return true;
        }
    }
    return false;
}

// Reads the sizes of the jobs from `begin` on; without the file they have none.
static enum status sizes_read(const char *folder, struct job_list *list, int begin,
                              struct error *err) {
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    char *rest = NULL;
    size_t bytes = 0;
    int number = 0;
    enum status status = path_make(path, err, "%s/%s", folder, SIZES);
    if (status || access(path, F_OK) != 0) {
        return status;
    }
    status = file_read(path, FILE_BYTES_MAX, &text, &bytes, err);
    for (char *line = status ? NULL : strtok_r(text, "\n", &rest); line && !status;
         line = strtok_r(NULL, "\n", &rest)) {
        number++;
        if (!sizes_take(line, list, begin)) {
            status = fail(err, STATUS_BAD_DATA,
                          "%s:%d: expected a kernel of this folder and one or two sizes; "
                          "`make check-course WRITE=1` writes this file",
                          path, number);
        }
    }
    free(text);
    return status;
}

static enum status sizes_write(const struct course *course, const struct exercise *exercise,
                               const struct job_list *list, struct error *err) {
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    enum status status =
        path_below(path, err, course->root, "tests/wrong/%s/%s", exercise->name, SIZES);
    FILE *stream = xopen_memstream(&text, &bytes);
    for (int i = 0; i < list->count; i++) {
        const struct course_job *job = &list->jobs[i];
        char size[SIZE_TEXT_MAX];
        const char *name = NULL;
        if (job->exercise != exercise || job->sizes.count == 0) {
            continue;
        }
        int length = job_name(job, &name);
        (void)fprintf(stream, "%.*s", length, name);
        for (int k = 0; k < job->sizes.count; k++) {
            size_format(job->sizes.size[k], size);
            (void)fprintf(stream, " %s", size);
        }
        (void)fputc('\n', stream);
    }
    xclose_memstream(stream, &text);
    if (!status && bytes > 0) {
        status = file_write(path, text, bytes, err);
    }
    free(text);
    return status;
}

enum status course_sizes_write(const struct course *course, const struct job_list *list,
                               struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; i < course->exercise_count && !status; i++) {
        status = sizes_write(course, &course->exercises[i], list, err);
    }
    return status;
}

// Adds the files of tests/SIDE/name; an absent folder holds none.
static enum status folder_add(const struct course *course, const struct exercise *exercise,
                              enum job_kind kind, struct job_list *list, struct error *err) {
    char folder[PATH_BYTES_MAX];
    const char *side = kind == JOB_WRONG ? "wrong" : kind == JOB_RIGHT ? "right" : "mutants";
    enum status status = path_below(folder, err, course->root, "tests/%s/%s", side, exercise->name);
    if (status) {
        return status;
    }
    struct dirent **entries = NULL;
    int begin = list->count;
    int count = scandir(folder, &entries, is_kernel_file, alphasort);
    if (count < 0) {
        return errno == ENOENT ? STATUS_OK : fail_errno(err, STATUS_SYSTEM, "%s", folder);
    }
    for (int i = 0; i < count; i++) {
        struct course_job job = {.kind = kind, .exercise = exercise};
        if (!status) {
            status = kernel_find(course, folder, entries[i]->d_name, &job, err);
        }
        if (!status && kind == JOB_WRONG) {
            status = expectation_read(&job, err);
        }
        if (!status) {
            (void)snprintf(job.label, sizeof job.label, "%s: %s%.150s", exercise->name, side,
                           strrchr(job.path, '/'));
            job_add(list, &job);
        }
        free(entries[i]);
    }
    free(entries);
    return status ? status : sizes_read(folder, list, begin, err);
}

static enum status exercise_add(const struct course *course, const struct exercise *exercise,
                                struct job_list *list, struct error *err) {
    static const struct {
        enum job_kind kind;
        const char *folder;
        const char *what;
    } singles[] = {{JOB_REFERENCE, "reference", N_("the reference passes without a finding")},
                   {JOB_STUB, "reference", N_("the stub is not_started")},
                   {JOB_STUB_RUN, "reference", N_("the stub compiles, runs, and does not pass")},
                   {JOB_STUDENT, "student", N_("the student's file is the stub")}};
    const int begin = list->count;
    enum status status = folder_add(course, exercise, JOB_MUTANT, list, err);
    if (status || list->count > begin) {
        return status;  // a course that grader/tools/mutants.py makes has nothing else
    }
    for (size_t i = 0; i < COUNT(singles) && !status; i++) {
        struct course_job job = {.kind = singles[i].kind, .exercise = exercise};
        status =
            path_below(job.path, err, course->root, "%s/%s.cu", singles[i].folder, exercise->name);
        (void)snprintf(job.label, sizeof job.label, "%s: %s", exercise->name, _(singles[i].what));
        if (!status) {
            job_add(list, &job);
        }
    }
    if (!status) {
        status = folder_add(course, exercise, JOB_WRONG, list, err);
    }
    return status ? status : folder_add(course, exercise, JOB_RIGHT, list, err);
}

enum status course_jobs_list(const struct course *course, struct job_list *ret_list,
                             struct error *err) {
    struct job_list list = {0};
    enum status status = STATUS_OK;
    for (int i = 0; i < course->exercise_count && !status; i++) {
        status = exercise_add(course, &course->exercises[i], &list, err);
    }
    if (status) {
        course_jobs_done(&list);
        return status;
    }
    *ret_list = list;
    return STATUS_OK;
}

void course_jobs_done(struct job_list *list) {
    free(list->jobs);
    list->jobs = NULL;
    list->count = 0;
}

#define PLACEHOLDER "FILL IN:"

static int todo_count(const char *stub) {
    int count = 0;
    for (const char *at = stub; (at = strstr(at, "// TODO ")) != NULL; at++) {
        count++;
    }
    return count;
}

// Each TODO needs a hint, and every verdict that a hint names must exist.
static enum status hints_check(const char *path, const char *stub, struct error *err) {
    struct hints hints = {.text = NULL};
    enum status status = hints_read(path, &hints, err);
    if (!status && hints.todo_count != todo_count(stub)) {
        status =
            fail(err, STATUS_BAD_DATA,
                 "%s: TODOs with hints: %d, TODOs of the stub: %d; each needs a question, where "
                 "to look, and pseudocode",
                 path, hints.todo_count, todo_count(stub));
    }
    for (int i = 0; i < hints.count && !status; i++) {
        const struct hint *hint = &hints.list[i];
        for (size_t j = 0; j < COUNT(hint->verdicts) && !status; j++) {
            enum verdict verdict;
            const char *name = hint->verdicts[j];
            if (name[0] != '\0' && !verdict_parse(name, &verdict)) {
                status = fail(err, STATUS_BAD_DATA,
                              "%s:%d: '%s' is not a verdict of lessons/verdicts.md", path,
                              hint->line, name);
            }
        }
    }
    hints_done(&hints);
    return status;
}

static enum status hints_prove(const struct places *places, const struct course *course,
                               const struct exercise *exercise, struct tally *tally,
                               struct error *err) {
    char path[PATH_BYTES_MAX];
    char *stub = NULL;
    struct error why = {.text = ""};
    enum status status = place_make(places, path, err, "%s/hints.md", exercise->lesson);
    if (status) {
        return status;
    }
    bool proven = !stub_of(course, exercise, &stub, &why) && !hints_check(path, stub, &why);
    if (proven) {
        (void)printf(_("ok      %s: hints for every TODO\n"), exercise->name);
    } else {
        (void)printf(_("FAIL    %s: hints\n        %s\n"), exercise->name, why.text);
    }
    tally->passed += proven;
    tally->failed += !proven;
    free(stub);
    return STATUS_OK;
}

// Does not report a stub that exists only in English.
static void spoken_prove(const struct course *course, const struct exercise *exercise,
                         struct tally *tally) {
    char *stub = NULL;
    char *spoken = NULL;
    struct error why = {.text = ""};
    if (!stub_of(course, exercise, &stub, &why) &&
        stub_spoken(course, exercise, texts_zh.language, stub, &spoken, &why)) {
        (void)printf(_("FAIL    %s: the stub in Chinese\n        %s\n"), exercise->name, why.text);
        tally->failed++;
    }
    free(spoken);
    free(stub);
}

// Counts the remaining FILL IN marks of `tilegrade new`; *why names the first one.
static int placeholders_count(const char *path, struct error *why) {
    char *text = NULL;
    size_t bytes = 0;
    int count = 0;
    int line = 1;
    if (file_read(path, FILE_BYTES_MAX, &text, &bytes, why)) {
        return 1;
    }
    const char *seen = text;
    for (const char *mark = text; (mark = strstr(mark, PLACEHOLDER)) != NULL; mark++) {
        for (; seen < mark; seen++) {
            line += *seen == '\n';
        }
        if (count++ == 0 && why->text[0] == '\0') {
            (void)fail(why, STATUS_BAD_DATA, "%s:%d: %.*s", path, line, (int)strcspn(mark, "\r\n"),
                       mark);
        }
    }
    free(text);
    return count;
}

enum status course_pages_unfinished(const struct places *places, const struct exercise *exercise,
                                    int *ret_count, struct error *ret_first, struct error *err) {
    static const char *const names[] = {"exercise.ini", "lesson.md", "hints.md"};
    struct error first = {.text = ""};
    char path[PATH_BYTES_MAX];
    int count = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < COUNT(names) && !status; i++) {
        status = place_make(places, path, err, "%s/%s", exercise->lesson, names[i]);
        count += status ? 0 : placeholders_count(path, &first);
    }
    if (!status) {
        status = place_make(places, path, err, "reference/%s.cu", exercise->name);
    }
    if (status) {
        return status;
    }
    *ret_count = count + placeholders_count(path, &first);
    *ret_first = first;
    return STATUS_OK;
}

static enum status placeholders_prove(const struct places *places, const struct exercise *exercise,
                                      struct tally *tally, struct error *err) {
    struct error first;
    int count = 0;
    enum status status = course_pages_unfinished(places, exercise, &count, &first, err);
    if (status) {
        return status;
    }
    if (count == 0) {
        (void)printf(_("ok      %s: no FILL IN is left\n"), exercise->name);
    } else {
        (void)printf(_("FAIL    %s: FILL IN is left in %d places; the first is:\n        %s\n"),
                     exercise->name, count, first.text);
    }
    tally->passed += count == 0;
    tally->failed += count > 0;
    return STATUS_OK;
}

enum status course_pages_prove(const struct places *places, const struct course *course,
                               struct tally *tally, struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; i < course->exercise_count && !status; i++) {
        const struct exercise *exercise = &course->exercises[i];
        status = placeholders_prove(places, exercise, tally, err);
        if (!status) {
            status = hints_prove(places, course, exercise, tally, err);
        }
        spoken_prove(course, exercise, tally);
    }
    return status;
}
