// `tilegrade class`: everything that a learning platform hands out, graded into one folder.
//
// The folder is the state: a run that was stopped at any moment goes on by the same command, and
// only what has changed is graded.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/classes/classes.h"
#include "app/terminal/roll.h"
#include "app/terminal/terminal.h"
#include "app/toolchain.h"
#include "base/file.h"
#include "base/text.h"
#include "base/words.h"
#include "class/folder.h"
#include "class/run/book.h"
#include "class/run/pool.h"
#include "class/run/slurm.h"
#include "judge/source/package.h"

struct class_run {
    const struct app *app;
    char out[PATH_BYTES_MAX];
    int lock_fd;
    bool slurm;
    int jobs;     // at a time
    int waiting;  // that are not done
    struct class_seed seed;
    struct sandbox *sandbox;
    struct class_list *list;
    struct class_plan plan;
    struct class_outcome *outcomes;  // [plan.job_count]
    struct roll roll;
};

// --- The folder ---------------------------------------------------------------------------------

static bool is_table(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".csv") == 0;
}

static enum status swapped_check(const struct class_options *class, struct error *err) {
    struct stat about;
    bool tree = class->roster && (package_has_name(class->roster) ||
                                  (stat(class->roster, &about) == 0 && S_ISDIR(about.st_mode)));
    if (tree) {
        return fail(err, STATUS_BAD_USAGE,
                    "%s: a roster is a CSV file, and this is a folder or a package; are ROSTER and "
                    "SUBMISSIONS swapped?",
                    class->roster);
    }
    return class->submissions && is_table(class->submissions)
               ? fail(err, STATUS_BAD_USAGE,
                      "%s: submissions are a folder or a package, and this is a table; are "
                      "SUBMISSIONS and ROSTER swapped?",
                      class->submissions)
               : STATUS_OK;
}

static enum status usage_check(const struct options *options, bool *ret_slurm, struct error *err) {
    const char *engine = options->class.engine ? options->class.engine : "local";
    bool slurm = strcmp(engine, "slurm") == 0;
    if (!options->out) {
        return fail(err, STATUS_BAD_USAGE,
                    "name a folder for the class, as in OUT=../hw1 (or --out)");
    }
    if (!slurm && strcmp(engine, "local") != 0) {
        return fail(err, STATUS_BAD_USAGE, "unknown engine '%.40s': use local or slurm", engine);
    }
    if (options->class.slurm && !slurm) {
        return fail(err, STATUS_BAD_USAGE, "--slurm is for --engine=slurm");
    }
    *ret_slurm = slurm;
    return swapped_check(&options->class, err);
}

// Results among the submissions would be submissions of the next run.
static enum status apart_check(const struct class_run *run, struct error *err) {
    const char *submissions = run->app->options->class.submissions;
    char *real = realpath(submissions, NULL);
    size_t length = real ? strlen(real) : 0;
    bool inside = real && strncmp(run->out, real, length) == 0 &&
                  (run->out[length] == '/' || run->out[length] == '\0');
    free(real);
    return inside
               ? fail(err, STATUS_BAD_USAGE,
                      "%s: in the folder of the submissions; name a folder outside of it", run->out)
               : STATUS_OK;
}

static enum status out_take(struct class_run *run, struct error *err) {
    enum status status = class_folder_open(run->app->options->out, err);
    if (!status) {
        status = class_path_find(run->app->options->out, run->out, err);
    }
    if (!status && (status = apart_check(run, err))) {
        (void)rmdir(run->out);  // if it is new
    }
    if (!status) {
        status = class_folder_lock(run->out, &run->lock_fd, err);
    }
    return status ? status : class_seed_open(run->out, &run->seed, err);
}

// --- What goes in -------------------------------------------------------------------------------

static enum status layout_find(const char *name, enum class_layout *ret_layout, struct error *err) {
    for (int i = 0; i < LAYOUT_COUNT; i++) {
        if (strcmp(name, class_layout_name((enum class_layout)i)) == 0) {
            *ret_layout = (enum class_layout)i;
            return STATUS_OK;
        }
    }
    return fail(
        err, STATUS_BAD_USAGE,
        "unknown layout '%.40s': use auto, folders, canvas, moodle, blackboard, gradescope or "
        "classroom",
        name);
}

static enum status list_read(struct class_run *run, struct error *err) {
    const struct app *app = run->app;
    const struct class_options *class = &app->options->class;
    const char *programs = app->places->device.programs;
    struct class_request request = {.submissions = class->submissions,
                                    .roster = class->roster,
                                    .course = app->course,
                                    .title = app->assignment ? app->assignment->title : NULL,
                                    .programs = programs};
    enum status status =
        class->layout ? layout_find(class->layout, &request.layout, err) : STATUS_OK;
    if (!status) {
        status = sandbox_open(app->options->sandbox, (const char *const[]){programs, NULL},
                              &run->sandbox, err);
    }
    if (!status) {
        request.sandbox = run->sandbox;
        status = class_intake(&request, &run->list, err);
    }
    return status;
}

// Copies what a student handed in, and makes a job of it.
static enum status student_take(struct class_run *run, int index, struct error *err) {
    const struct class_student *student = &run->list->student[index];
    struct class_job *job = &run->plan.jobs[run->plan.job_count];
    char folder[PATH_BYTES_MAX];
    class_pseudonym(&run->seed, student->person.id, job->pseudonym);
    enum status status = class_job_path(run->out, job->pseudonym, "submission", folder, err);
    if (status || student->state == CLASS_MISSING) {
        return status;
    }
    *strrchr(folder, '/') = '\0';
    status = folder_make(folder, err);
    if (!status) {
        status = class_job_path(run->out, job->pseudonym, "submission", folder, err);
    }
    if (!status) {
        status = class_take(run->list, index, folder, err);
    }
    if (status || student->state != CLASS_READY) {
        return status;
    }
    status = class_submission_hash(folder, job->submission, err);
    if (!status) {
        seed_format(class_submission_seed(&run->seed, student->person.id, job->submission),
                    job->seed);
        class_plan_key(&run->plan, job);
        run->plan.job_count++;
    }
    return status;
}

static enum status plan_make(struct class_run *run, struct error *err) {
    const struct app *app = run->app;
    struct device_paths paths = app->places->device;
    int students = run->list->student_count;
    run->plan.written_at = moment_now();
    (void)snprintf(run->plan.grader_version, sizeof run->plan.grader_version, "%s",
                   TILEGRADE_VERSION);
    run->plan.jobs = calloc((size_t)students + 1, sizeof *run->plan.jobs);
    if (!run->plan.jobs) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the jobs of a class");
    }
    paths.compiler_version = compiler_version(paths.compiler);
    enum status status = class_hashes_of(app->course, &paths, &run->plan.hashes, err);
    mode_t mask = umask(CLASS_MASK);
    for (int i = 0; !status && i < students; i++) {
        int days = run->list->student[i].person.extension_days;
        run->plan.extension_days_max =
            days > run->plan.extension_days_max ? days : run->plan.extension_days_max;
        roll_reading(&run->roll, i, students);
        status = student_take(run, i, err);
    }
    (void)umask(mask);
    roll_clear(&run->roll);
    return status;
}

// Says what is there instead, if no student has a kernel file.
static enum status empty_refuse(const struct class_run *run, struct error *err) {
    const struct class_list *list = run->list;
    const char *submissions = run->app->options->class.submissions;
    for (int i = 0; i < list->student_count; i++) {
        const struct class_student *student = &list->student[i];
        if (student->state != CLASS_MISSING) {
            return fail(err, STATUS_BAD_USAGE, "%s: nothing to grade; '%s': %s", submissions,
                        student->source, student->note ? student->note : "");
        }
    }
    if (list->unmatched_count > 0) {
        return fail(err, STATUS_BAD_USAGE, "%s: nothing to grade; '%s': %s", submissions,
                    list->unmatched[0].source, list->unmatched[0].why);
    }
    return fail(err, STATUS_BAD_USAGE, "%s: nothing to grade; it has no submission", submissions);
}

// Which jobs are done; forgets the trouble of earlier runs.
static enum status outcomes_begin(struct class_run *run, struct error *err) {
    enum status status = STATUS_OK;
    run->outcomes = calloc((size_t)run->plan.job_count + 1, sizeof *run->outcomes);
    if (!run->outcomes) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the jobs of a class");
    }
    for (int i = 0; !status && i < run->plan.job_count; i++) {
        const struct class_job *job = &run->plan.jobs[i];
        status = class_outcome_remove(run->out, job->pseudonym, false, err);
        if (!status) {
            status = class_outcome_read(run->out, job, &run->outcomes[i], err);
        }
    }
    return status;
}

// --- The run ------------------------------------------------------------------------------------

static void run_told(void *context, const struct class_progress *progress) {
    roll_progress(context, progress);
}

static enum status local_run(struct class_run *run, struct error *err) {
    struct class_words *words = calloc(1, sizeof *words);
    if (!words) {
        return fail(err, STATUS_NO_MEMORY, "no memory");
    }
    enum status status = class_words_make(run->app, "class-job", run->out, words, err);
    if (!status) {
        const struct class_pool pool = {.out = run->out,
                                        .plan = &run->plan,
                                        .command = words->word,
                                        .jobs = run->jobs,
                                        .context = &run->roll,
                                        .told = run_told};
        if (run->jobs > 1 && run->waiting > 1 && run->app->course->has_references) {
            class_references_count(run->app, run->out, &run->plan, &run->roll);
        }
        status = class_pool_run(&pool, run->outcomes, err);
    }
    free(words);
    return status;
}

static enum status slurm_run(struct class_run *run, struct error *err) {
    const struct options *options = run->app->options;
    struct class_words *words = calloc(2, sizeof *words);
    if (!words) {
        return fail(err, STATUS_NO_MEMORY, "no memory");
    }
    enum status status = class_words_make(run->app, "class-job", run->out, &words[0], err);
    if (!status) {
        status = class_words_make(run->app, "class-collect", run->out, &words[1], err);
    }
    if (!status) {
        const struct class_slurm slurm = {.out = run->out,
                                          .plan = &run->plan,
                                          .job_command = words[0].word,
                                          .collect_command = words[1].word,
                                          .head = options->class.slurm,
                                          .jobs = options->jobs,
                                          .gpu = options->device == CHOICE_GPU,
                                          .context = &run->roll,
                                          .told = run_told};
        status = class_slurm_run(&slurm, run->outcomes, err);
    }
    free(words);
    return status;
}

// Names and grades in a repository may be published with it by mistake.
static bool is_in_repository(const struct class_run *run) {
    const char *root = run->app->places->root_real;
    size_t length = strlen(root);
    const char *below = run->out + length;
    return length > 1 && strncmp(run->out, root, length) == 0 && *below == '/' &&
           !text_starts(below, "/build/");
}

// Chooses how many jobs run at a time, and says so.
static void jobs_choose(struct class_run *run) {
    const struct options *options = run->app->options;
    int room = 0;
    int earlier = 0;
    bool gpu = options->device != CHOICE_EMU && access("/dev/nvidiactl", F_OK) == 0;
    int most = class_pool_size(gpu, &room);
    for (int i = 0; i < run->plan.job_count; i++) {
        earlier += run->outcomes[i].done;
    }
    run->waiting = run->plan.job_count - earlier;
    run->jobs = options->jobs > 0 ? options->jobs : most;
    if (is_in_repository(run)) {
        roll_note(_("the folder is in the repository of the course, and has names and grades: do "
                    "not commit it, or name a folder outside, as in OUT=../hw1"));
    }
    if (options->verbosity != VERBOSITY_QUIET) {
        roll_begin(run->list->said, run->plan.job_count, earlier, run->slurm ? 0 : run->jobs,
                   options->jobs > 0 ? 0 : room);
    }
}

static enum status class_prepare(struct class_run *run, struct error *err) {
    enum status status = out_take(run, err);
    if (!status) {
        status = list_read(run, err);
    }
    if (!status) {
        class_choice_of(run->app, &run->plan.choice);
        status = class_book_check(run->out, &run->plan.choice, run->list, err);
    }
    if (!status) {
        status = plan_make(run, err);
    }
    if (!status && run->plan.job_count == 0) {
        status = empty_refuse(run, err);
    }
    if (!status) {
        status = outcomes_begin(run, err);
    }
    if (!status) {
        status = class_plan_write(run->out, &run->plan, err);
    }
    if (!status) {
        jobs_choose(run);
        const struct class_book book = {.plan = &run->plan,
                                        .list = run->list,
                                        .seed = &run->seed,
                                        .course = run->app->course,
                                        .assignment = run->app->assignment,
                                        .engine = run->slurm ? "slurm" : "local",
                                        .jobs = run->jobs};
        status = class_book_begin(run->out, &book, err);
    }
    return status;
}

// Enters the results, also those of a run that was stopped by trouble, and prints them.
static enum status class_finish(struct class_run *run, enum exit_code *ret_code,
                                struct error *err) {
    struct class_counts counts;
    json_t *book = NULL;
    enum status status = class_book_end(run->out, &run->plan, run->outcomes, NULL, &counts, err);
    if (!status) {
        status = class_book_read(run->out, &run->plan, run->outcomes, &book, &counts, err);
    }
    if (!status) {
        roll_summary(book, &counts, run->app->options->verbosity != VERBOSITY_QUIET);
        (void)printf(_("  written: %s/class.json\n"), run->app->options->out);
        *ret_code = counts.failed + counts.waiting > 0 ? EXIT_HARNESS : EXIT_ALL_WELL;
    }
    json_decref(book);
    return status;
}

static enum status class_grade(const struct app *app, bool slurm, enum exit_code *ret_code,
                               struct error *err) {
    struct class_run *run = calloc(1, sizeof *run);
    if (!run) {
        return fail(err, STATUS_NO_MEMORY, "no memory");
    }
    *run = (struct class_run){.app = app, .lock_fd = -1, .slurm = slurm};
    run->roll = roll_of(app->options->verbosity == VERBOSITY_QUIET ? NULL : stderr);
    enum status status = class_prepare(run, err);
    if (!status) {
        struct error later = {.text = ""};
        status = slurm ? slurm_run(run, err) : local_run(run, err);
        roll_clear(&run->roll);
        enum status finish = class_finish(run, ret_code, &later);
        if (!status && finish) {
            status = fail(err, finish, "%s", later.text);
        }
    }
    roll_clear(&run->roll);
    free(run->outcomes);
    class_plan_done(&run->plan);
    class_list_free(run->list);
    sandbox_close(run->sandbox);
    fd_close(&run->lock_fd);
    free(run);
    return status;
}

enum status cmd_class(const struct app *app, enum exit_code *ret_code, struct error *err) {
    bool slurm = false;
    enum status status = usage_check(app->options, &slurm, err);
    if (status) {
        return status;
    }
    return app->options->class.submissions
               ? class_grade(app, slurm, ret_code, err)
               : fail(err, STATUS_BAD_USAGE,
                      "name what was handed in, as in SUBMISSIONS=submissions.zip (or "
                      "--submissions)");
}
