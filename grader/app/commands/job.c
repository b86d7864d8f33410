// The input of a class's job, and hashes of everything that its result depends on.  A change
// without effect on a grade may change a hash; but a change with an effect must change it.  So
// whole files are hashed, except lessons.
#include "app/commands/job.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/file.h"
#include "device/compile/build_plan.h"
#include "exercise/assignment.h"

#define LINE_BYTES (DIGEST_BYTES + SEED_TEXT_BYTES + 16)

// --- Hashes -------------------------------------------------------------------------------------

static void grader_add(struct digest *digest, const struct device_paths *paths) {
    static const char *const programs[] = {"tilegrade",       "tilegrade-inspect",
                                           "tilegrade-nvrtc", "tilegrade-gpu-worker",
                                           "emu-worker.o",    "libemu-worker.a"};
    char version[32];
    (void)snprintf(version, sizeof version, "%d", paths->compiler_version);
    digest_text(digest, version);
    for (size_t i = 0; i < COUNT(programs); i++) {
        char path[PATH_BYTES_MAX];
        if (!digest->status) {
            digest->status = path_make(path, &digest->err, "%s/%s", paths->programs, programs[i]);
            digest_file(digest, path, strlen(paths->programs));
        }
    }
    digest_folder(digest, paths->include, strlen(paths->include));
    digest_folder(digest, paths->shim, strlen(paths->shim));
}

static void sizes_add(struct digest *digest, const struct exercise_speed *list, int count) {
    for (int i = 0; i < count; i++) {
        char size[SIZE_TEXT_MAX];
        size_format(list[i].size, size);
        digest_text(digest, size);
    }
    digest_text(digest, "");
}

// The runs of an exercise, which do not depend on its points.
static void exercise_add(struct digest *digest, const struct exercise *exercise) {
    char text[4 * NAME_BYTES_MAX];
    (void)snprintf(text, sizeof text, "%s %d %s %d %d %d %d", exercise->name, exercise->tile,
                   exercise_precision_name(exercise->precision), exercise->needs_gpu,
                   exercise->against_cublas, exercise->multiprocessors, exercise->largest);
    digest_text(digest, text);
    for (int i = 0; i < exercise->case_count; i++) {
        char size[SIZE_TEXT_MAX];
        size_format(exercise->cases[i].size, size);
        digest_text(digest, size);
    }
    digest_text(digest, "");
    sizes_add(digest, exercise->timed, exercise->timed_count);
    sizes_add(digest, exercise->counted, exercise->counted_count);
}

static void points_add(struct digest *digest, const struct exercise *exercise) {
    char text[64];
    (void)snprintf(text, sizeof text, "%lld %lld", (long long)exercise->points_max,
                   (long long)exercise->speed_points);
    digest_text(digest, text);
}

// The other files of an exercise: its reference, and the grader's files in its lesson folder.
static void files_add(struct digest *digest, const struct course *course,
                      const struct exercise *exercise, bool with_data) {
    char path[PATH_BYTES_MAX];
    size_t strip = strlen(course->root);
    struct dirent **entries = NULL;
    bool exists = false;
    if (digest->status) {
        return;
    }
    digest->status =
        path_make(path, &digest->err, "%s/reference/%s.cu", course->root, exercise->name);
    if (!digest->status) {
        digest->status = file_exists(path, &exists, &digest->err);
    }
    if (exists) {  // a handout has none
        digest_file(digest, path, strip);
    }
    if (!digest->status) {
        digest->status = path_make(path, &digest->err, "%s/%s", course->root, exercise->lesson);
    }
    int count = digest->status ? 0 : scandir(path, &entries, NULL, alphasort);
    if (count < 0) {
        digest->status = fail_errno(&digest->err, STATUS_SYSTEM, "%s", path);
    }
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        const char *end = strrchr(name, '.');
        bool is_data = strcmp(name, "exercise.ini") == 0;
        if (!digest->status && name[0] != '.' && end && strcmp(end, ".md") != 0 &&
            (with_data || !is_data)) {
            digest->status =
                path_make(path, &digest->err, "%s/%s/%s", course->root, exercise->lesson, name);
            digest_file(digest, path, strip);
        }
        free(entries[i]);
    }
    free(entries);
}

// The pages of questions whose answers give points.
static void pages_add(struct digest *digest, const struct course *course, bool with_points) {
    static const char *const files[] = {QUESTIONS_PAGE, QUESTIONS_PAGE_ZH};
    for (int i = 0; i < course->page_count; i++) {
        const struct question_page *page = &course->pages[i];
        char text[64];
        digest_text(digest, page->name);
        for (size_t j = 0; j < COUNT(files) && !digest->status; j++) {
            char path[PATH_BYTES_MAX];
            bool exists = false;
            digest->status =
                path_make(path, &digest->err, "%s/%s/%s", course->root, page->folder, files[j]);
            if (!digest->status) {
                digest->status = file_exists(path, &exists, &digest->err);
            }
            if (exists) {
                digest_file(digest, path, strlen(course->root));
            }
        }
        (void)snprintf(text, sizeof text, "%lld", (long long)page->points_max);
        digest_text(digest, with_points ? text : "");
    }
}

static enum status exercises_hash(const struct course *course, bool with_points,
                                  char ret_hex[DIGEST_BYTES], struct error *err) {
    struct digest digest;
    digest_begin(&digest);
    for (int i = 0; i < course->exercise_count; i++) {
        const struct exercise *exercise = &course->exercises[i];
        exercise_add(&digest, exercise);
        files_add(&digest, course, exercise, with_points);
        if (with_points) {
            points_add(&digest, exercise);
        }
    }
    pages_add(&digest, course, with_points);
    return digest_end(&digest, ret_hex, err);
}

enum status job_hashes_of(const struct course *course, const struct device_paths *paths,
                          struct job_hashes *ret_hashes, struct error *err) {
    struct digest digest;
    digest_begin(&digest);
    grader_add(&digest, paths);
    enum status status = digest_end(&digest, ret_hashes->grader, err);
    if (!status) {
        status = exercises_hash(course, false, ret_hashes->running, err);
    }
    return status ? status : exercises_hash(course, true, ret_hashes->course, err);
}

// --- One job ------------------------------------------------------------------------------------

enum status job_read(struct job *ret_job, struct error *err) {
    char line[LINE_BYTES];
    char seed[SEED_TEXT_BYTES];
    struct job job = {.extension_days_max = 0};
    _Static_assert(DIGEST_BYTES == 65 && SEED_TEXT_BYTES == 33, "the widths of the format below");
    bool read =
        fgets(line, sizeof line, stdin) &&
        sscanf(line, "%64[0-9a-f] %32[0-9a-f] %6d", job.key, seed, &job.extension_days_max) == 3 &&
        strlen(job.key) == DIGEST_BYTES - 1 && !seed_parse(seed, &job.seed, NULL);
    if (!read) {
        return fail(err, STATUS_BAD_USAGE, "--job is for grader/class/class.py");
    }
    *ret_job = job;
    return STATUS_OK;
}

// The hash over names and bytes of the files in a folder.
static enum status submission_hash(const char *folder, char ret_hex[DIGEST_BYTES],
                                   struct error *err) {
    struct digest digest;
    digest_begin(&digest);
    digest_folder(&digest, folder, strlen(folder));
    return digest_end(&digest, ret_hex, err);
}

enum status job_check(const struct app *app, const struct judging *judging, const struct job *job,
                      struct error *err) {
    struct job_hashes hashes;
    char submission[DIGEST_BYTES];
    char seed[SEED_TEXT_BYTES];
    char text[5 * DIGEST_BYTES + NAME_BYTES_MAX];
    char key[DIGEST_BYTES];
    const char *card = app->options->card ? app->options->card : "";
    enum status status = submission_hash(judging->submission, submission, err);
    if (!status) {
        status = job_hashes_of(app->course, &judging->options.machine.paths, &hashes, err);
    }
    if (status) {
        return status;
    }
    seed_format(job->seed, seed);
    int bytes =
        snprintf(text, sizeof text, "%s\n%s\n%s\n%s\n%s %.*s\n", hashes.grader, hashes.course,
                 submission, seed, device_choice_name(app->options->device), NAME_BYTES_MAX, card);
    sha256_hex(text, (size_t)bytes, key);
    return strcmp(key, job->key) == 0
               ? STATUS_OK
               : fail(err, STATUS_UNAVAILABLE,
                      "the submission, the course, the grader, the compiler or the options differ "
                      "from those that the class run began with; run the class again");
}
