// The commands that judge: `tilegrade test`, with public inputs and without speed, for students;
// and `tilegrade grade`, with secret inputs, then speed, and result.json for all reports.
//
// A folder without a kernel file does not get zero points: it may be the folder above the right
// one, a whole class, or a wrong upload.
#include "app/commands/judging.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/commands/commands.h"
#include "app/commands/job.h"
#include "app/standing.h"
#include "app/terminal/terminal.h"
#include "app/toolchain.h"
#include "base/basics.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "exercise/exercise.h"
#include "exercise/questions.h"
#include "judge/judge.h"
#include "judge/result/result.h"
#include "judge/run/part_cases.h"
#include "judge/speed/speed.h"
#include "judge/submission/submission.h"

#define JOBS_DEFAULT_MAX 4            // a machine is rarely used by one student only
#define OPEN_FILES_MIN   256          // the limit of a GPU worker; the usual limit is 1024
#define RESULT_ROOM      (256 << 10)  // more than a result.json has

static void device_say(FILE *notice, const char *text) {
    if (notice) {
        struct terminal terminal = terminal_of(notice, "", "");
        terminal_wrap(&terminal, 2, text);
    }
}

static enum status devices_choose(const struct app *app, FILE *notice, struct judging *judging,
                                  struct error *err) {
    struct judge_options *judge = &judging->options;
    char text[ERROR_TEXT_MAX];
    enum device_choice choice = app->options->device;
    judge->uses[DEVICE_EMU] = true;  // the CPU explains mistakes, so it always runs
    if (choice == CHOICE_EMU) {
        device_say(notice, _("device: CPU only, as requested"));
        return STATUS_OK;
    }
    struct gpu_info *info = xcalloc(1, sizeof *info);
    enum status status = gpu_find(&app->places->device, judge->machine.sandbox, info, err);
    const char *missing = status ? NULL : gpu_missing(info);
    if (!status && missing && choice == CHOICE_GPU) {
        status =
            fail(err, STATUS_UNAVAILABLE,
                 "no usable GPU: %s (DEVICE=emu, or --device emu, works without one)", missing);
    }
    if (!status && !missing) {
        judge->uses[DEVICE_GPU] = true;
        judge->machine.gpu = info->gpus[0];
        gpu_lease_init(&judging->lease, info, &judge->listener);
        judge->machine.lease = &judging->lease;
    }
    if (!status && missing) {
        (void)snprintf(text, sizeof text, _("device: CPU only (%s)"), missing);
        device_say(notice, text);
    } else if (!status) {
        (void)snprintf(text, sizeof text, _("device: %s; the CPU explains mistakes"),
                       info->gpus[0].name);
        device_say(notice, text);
    }
    judge->machine.has_nvrtc = !status && info->nvrtc_major > 0;
    free(info);
    return status;
}

// The number of processes never changes a result, so the machine may decide it.
static uint32_t jobs_of(const struct options *options) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (options->jobs > 0) {
        return (uint32_t)options->jobs;
    }
    return cores < 1 ? 1 : cores < JOBS_DEFAULT_MAX ? (uint32_t)cores : JOBS_DEFAULT_MAX;
}

// A shell may allow fewer files than a sandbox needs; the limit is raised as far as allowed.
static enum status open_files_check(struct error *err) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= OPEN_FILES_MIN) {
        return STATUS_OK;
    }
    limit.rlim_cur = limit.rlim_max < OPEN_FILES_MIN ? limit.rlim_max : OPEN_FILES_MIN;
    if (limit.rlim_cur < OPEN_FILES_MIN || setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return fail(err, STATUS_UNAVAILABLE,
                    "only %d files may be open here, and the grader needs %d: start a new shell, "
                    "or raise the limit with `ulimit -n 1024`",
                    (int)limit.rlim_cur, OPEN_FILES_MIN);
    }
    return STATUS_OK;
}

static void run_progress(void *context, const struct exercise *exercise, enum judge_stage stage,
                         int done, int total) {
    progress_step(context, exercise, stage, done, total);
}

static void run_waiting(void *context, const char *text) {
    progress_clear(context);
    (void)fprintf(stderr, "%s\n", text);
}

// Whether this machine can run the judge at all.
static enum status machine_check(const struct device_paths *paths, struct error *err) {
    char line[COMPILER_LINE_BYTES];
    enum status status =
        compiler_is_chosen() ? compiler_ask(paths->compiler, line, err) : STATUS_OK;
    return status ? status : open_files_check(err);
}

enum status judging_machine_open(const struct app *app, struct judging *judging,
                                 struct error *err) {
    struct judge_machine *machine = &judging->options.machine;
    struct device_paths *paths = &machine->paths;
    *paths = app->places->device;
    enum status status = machine_check(paths, err);
    if (status) {
        return status;
    }
    paths->compiler_version = compiler_version(paths->compiler);
    const char *const needed[] = {paths->include, paths->shim, paths->programs, paths->compiler,
                                  NULL};
    status = sandbox_open(app->options->sandbox, needed, &judging->sandbox, err);
    machine->sandbox = judging->sandbox;
    return status;
}

enum status judging_open(const struct app *app, const char *submission, FILE *notice,
                         struct judging *judging, struct error *err) {
    const char *name = submission ? submission : app->options->submission;
    struct judge_options *judge = &judging->options;
    enum status status = name ? path_make(judging->submission, err, "%s", name)
                              : place_make(app->places, judging->submission, err, "student");
    if (status) {
        return status;
    }
    *judge =
        (struct judge_options){.course = app->course,
                               .submission = -1,
                               .machine = {.paths = app->places->device,
                                           .jobs = jobs_of(app->options),
                                           .expected = &judging->expected},
                               .listener = {.context = &judging->progress, .waiting = run_waiting}};
    if (app->options->card && card_find(app->options->card, &judge->extras.card, err)) {
        return STATUS_BAD_USAGE;
    }
    status = place_make(app->places, judging->counts, err, "build/counts");
    status = status ? status : judging_machine_open(app, judging, err);
    if (status) {
        return status;
    }
    // A kernel that no layer of the sandbox confines could write there.
    judge->machine.counts = app->options->sandbox == POLICY_UNSAFE ? NULL : judging->counts;
    status = package_open(judge->machine.paths.programs, judging->sandbox, judging->submission,
                          &judge->submission, err);
    return status ? status : devices_choose(app, notice, judging, err);
}

void judging_close(struct judging *judging) {
    if (judging->options.submission >= 0) {
        (void)close(judging->options.submission);
        judging->options.submission = -1;
    }
    gpu_lease_give(judging->options.machine.lease);
    expected_store_done(&judging->expected);
    sandbox_close(judging->sandbox);
    judging->sandbox = NULL;
}

enum status judging_run(const struct app *app, struct judging *judging,
                        struct judgement **ret_judgement, struct error *err) {
    struct judge_options *judge = &judging->options;
    bool quiet = app->options->verbosity == VERBOSITY_QUIET;
    progress_begin(&judging->progress, quiet ? NULL : stderr,
                   judge->only ? 1 : judge->course->exercise_count, judge->extras.speed);
    judge->listener.progress = run_progress;
    enum status status = judge_submission(judge, ret_judgement, err);
    progress_clear(&judging->progress);
    return status;
}

// Writes a file as large as any result, and removes it again.
static enum status room_check(const char *out, bool asked, struct error *err) {
    char probe[PATH_BYTES_MAX];
    struct error why = {.text = ""};
    enum status status = path_make(probe, err, "%s/.probe", out);
    if (status) {
        return status;
    }
    char *room = xcalloc(1, RESULT_ROOM);
    status = file_write(probe, room, RESULT_ROOM, &why);
    if (status) {
        const char *reason = strrchr(why.text, ':');
        reason = reason ? reason + strspn(reason, ": ") : why.text;
        status = asked ? fail(err, status, "%s: cannot write a result there: %s", out, reason)
                       : fail(err, status,
                              "%s: cannot write a result there: %s; OUT=folder (or --out folder) "
                              "chooses another folder",
                              out, reason);
    }
    free(room);
    (void)unlink(probe);
    return status;
}

enum status judging_out_make(const struct app *app, const char *otherwise,
                             char ret_out[PATH_BYTES_MAX], struct error *err) {
    const char *asked = app->options->out;
    struct stat info;
    enum status status = asked ? path_make(ret_out, err, "%s", asked)
                               : place_make(app->places, ret_out, err, "%s", otherwise);
    if (!status && stat(ret_out, &info) == 0 && !S_ISDIR(info.st_mode)) {
        status = fail(err, STATUS_SYSTEM, "%s: not a folder; results need one", ret_out);
    }
    if (!status) {
        status = folder_make(ret_out, err);
    }
    return status ? status : room_check(ret_out, asked, err);
}

// Writes all of OUT/result.json, or none of it.
static enum status judging_result_write(const struct judgement *judgement, const char *out,
                                        struct error *err) {
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    enum status status = path_make(path, err, "%s/result.json", out);
    if (!status) {
        status = result_write_json(judgement, TILEGRADE_VERSION, &text, err);
    }
    if (!status) {
        status = file_write(path, text, strlen(text), err);
    }
    free(text);
    return status;
}

// True if this machine could judge no exercise of the result.
static bool judging_nothing_graded(const struct judgement *judgement) {
    for (int i = 0; i < judgement->exercise_count; i++) {
        if (judgement->exercises[i].complete) {
            return false;
        }
    }
    return judgement->exercise_count > 0;
}

// True if every kernel passes.  A kernel that needs a GPU is excused only if the exercise needs one
// too; otherwise a kernel could choose not to be judged.
static bool judging_all_pass(const struct judgement *judgement) {
    for (int i = 0; i < judgement->exercise_count; i++) {
        const struct exercise_result *result = &judgement->exercises[i];
        bool excused = !result->complete && result->exercise->needs_gpu;
        if (result->verdict != VERDICT_PASS && !excused) {
            return false;
        }
    }
    return judgement->exercise_count > 0;
}

// The speed of a naive kernel on a busy laptop: every access is checked, in two runs.
#define WORK_PER_SECOND 20000000u
#define LARGE_WORK      (3ull * WORK_PER_SECOND)
#define LONG_SECONDS    600  // asked about first

// A value for the command line of make, as a shell reads it: quoted unless it is plain.
static void value_print(FILE *out, const char *value) {
    if (value[strcspn(value, " \t\n\"'\\$`&;|<>()*?[]{}#!~")] == '\0') {
        (void)fputs(value, out);
        return;
    }
    (void)fputc('\'', out);
    for (; *value != '\0'; value++) {
        (void)fputs(*value == '\'' ? "'\\''" : (char[]){*value, '\0'}, out);
    }
    (void)fputc('\'', out);
}

// The options after `make test EX=name SIZE=…` that repeat a case of this run.  Owns: the caller
// frees it.
static char *repeat_options(const struct options *options) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = xopen_memstream(&text, &bytes);
    if (options->has_seed) {
        char seed[SEED_TEXT_BYTES];
        seed_format(options->seed, seed);
        const char *digits = seed + strspn(seed, "0");
        (void)fprintf(out, " SEED=%s", *digits == '\0' ? "0" : digits);
    }
    if (options->device != CHOICE_AUTO) {
        (void)fprintf(out, " DEVICE=%s", device_choice_name(options->device));
    }
    if (options->submission) {
        (void)fputs(" SUBMISSION=", out);
        value_print(out, options->submission);
    }
    xclose_memstream(out, &text);
    return text;
}

// If several kernels are not started, the first block explains what to do; the others get one line
// each.
static void exercises_print(const struct terminal *terminal, const struct judgement *judgement) {
    struct terminal brief = *terminal;
    bool in_list = false;
    bool told = false;
    brief.verbosity = VERBOSITY_QUIET;
    for (int i = 0; i < judgement->exercise_count; i++) {
        const struct exercise_result *result = &judgement->exercises[i];
        bool stub = result->verdict == VERDICT_NOT_STARTED;
        bool listed = stub && told && terminal->verbosity == VERBOSITY_NORMAL;
        if (in_list && !listed) {
            (void)fputc('\n', terminal->out);
        }
        terminal_exercise(listed ? &brief : terminal, result);
        in_list = listed;
        told |= stub;
    }
    if (in_list) {
        (void)fputc('\n', terminal->out);
    }
}

static void judgement_print(const struct app *app, const struct judgement *judgement) {
    const struct options *options = app->options;
    char *repeat = repeat_options(options);
    const char *folder = options->submission ? options->submission : "student";
    char shown[PATH_BYTES_MAX] = "./";
    // Lines begin with this name: "::error" at the start of one would be a command to a CI system.
    bool plain = isalnum((unsigned char)folder[0]) || folder[0] == '.' || folder[0] == '/';
    size_t before = plain ? 0 : strlen(shown);
    terminal_clean_name(folder, shown + before, sizeof shown - before);
    terminal_clean_name(repeat, repeat, strlen(repeat) + 1);
    struct terminal terminal = terminal_of(stdout, shown, repeat);
    terminal.root = app->places->root;
    terminal.verbosity = options->verbosity;
    exercises_print(&terminal, judgement);
    terminal_test_summary(&terminal, judgement);
    if (options->verbosity != VERBOSITY_QUIET) {
        struct next_course course = {
            .places = app->places, .whole = app->whole, .own = !options->submission};
        terminal_next_test(&terminal, &course, judgement);
    }
    free(repeat);
}

// True if the person at the terminal wants to wait that long; a script has decided already.
static bool is_wanted(void) {
    char answer[16] = "";
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        return true;
    }
    (void)fputs(_("  Go on? (y/n) "), stdout);
    (void)fflush(stdout);
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

// A large size is a single launch, which has no progress to show.  Asks before a case that takes
// very long.
static enum status long_run_announce(const struct app *app, struct error *err) {
    const struct options *options = app->options;
    char size[SIZE_TEXT_MAX] = "";
    uint64_t work = 0;
    for (int i = 0; i < app->course->exercise_count && options->size.m > 0; i++) {
        const struct signature *signature = &app->course->exercises[i].signature;
        struct size one = options->size;
        enum status status = signature_size_fit(signature, &one, err);
        if (status) {
            return status;
        }
        if (part_is_enough(signature, one)) {
            continue;
        }
        work = signature_work(signature, one) > work ? signature_work(signature, one) : work;
        size_format(one, size);
    }
    if (work <= LARGE_WORK) {
        return STATUS_OK;
    }
    uint64_t seconds = work / WORK_PER_SECOND + 1;
    bool minutes = seconds > 120;
    (void)printf(minutes ? _("  %s is a large size for the CPU device: about %" PRIu64
                             " minutes for each kernel. ^C stops it.\n\n")
                         : _("  %s is a large size for the CPU device: about %" PRIu64
                             " s for each kernel. ^C stops it.\n\n"),
                 size, minutes ? seconds / 60 : seconds);
    (void)fflush(stdout);
    return seconds < LONG_SECONDS || is_wanted()
               ? STATUS_OK
               : fail(err, STATUS_BAD_USAGE,
                      "nothing was run; a smaller size shows the same mistakes sooner");
}

// Prepares to judge with public inputs; `out` is the folder of the result.
static enum status test_prepare(const struct app *app, struct judging *judging,
                                char out[PATH_BYTES_MAX], char cache[PATH_BYTES_MAX],
                                struct error *err) {
    const struct options *options = app->options;
    enum status status = judging_out_make(app, "build/test", out, err);
    if (!status) {
        status = long_run_announce(app, err);
    }
    if (!status) {
        status = judging_open(app, NULL, NULL, judging, err);
    }
    if (!status) {
        status = place_make(app->places, cache, err, "build/cache");
    }
    if (!status) {
        struct judge_options *judge = &judging->options;
        judge->machine.cache = cache;  // not used by `grade`: see judge/compile/build_cache.h
        judge->only_size[0] = options->size;
        judge->only_size_count = options->size.m > 0;
        judge->extras.maps = true;
        judge->seed = options->has_seed ? options->seed : PUBLIC_SEED;
    }
    return status;
}

// Writes the result, then prints it.
static enum status test_end(const struct app *app, test_print *print,
                            const struct judgement *judgement, const char *out,
                            enum exit_code *ret_code, struct error *err) {
    const struct options *options = app->options;
    if (judging_nothing_graded(judgement)) {
        print(app, judgement);
        return fail(err, STATUS_UNAVAILABLE, "%s", judgement->exercises[0].why.headline);
    }
    enum status status = judging_result_write(judgement, out, err);
    if (!status && !options->submission && options->size.m == 0) {
        status = standing_keep(app->places, judgement, err);
    }
    if (!status) {
        print(app, judgement);
        *ret_code = judging_all_pass(judgement) ? EXIT_ALL_WELL : EXIT_KERNELS;
    }
    return status;
}

enum status test_run(const struct app *app, test_print *print, enum exit_code *ret_code,
                     struct error *err) {
    char out[PATH_BYTES_MAX];
    char cache[PATH_BYTES_MAX];
    struct judging judging = JUDGING_CLOSED;
    struct judgement *judgement = NULL;
    enum status status = test_prepare(app, &judging, out, cache, err);
    if (!status) {
        status = judging_run(app, &judging, &judgement, err);
    }
    if (!status) {
        status = test_end(app, print, judgement, out, ret_code, err);
    }
    judgement_free(judgement);
    judging_close(&judging);
    return status;
}

enum status cmd_test(const struct app *app, enum exit_code *ret_code, struct error *err) {
    return test_run(app, judgement_print, ret_code, err);
}

#define FOUND_SHOWN_MAX 8
#define NAME_SHOWN_MAX  60  // bytes of a name

#define TABLE "submission_metadata.yml"  // of Gradescope

// The names that platforms give to downloads (grader/class/intake): Canvas, Moodle, Blackboard.
static const char *const platforms[] = {
    "^.+_[0-9]+_([0-9]+_.|(text|link)\\.html$)|^(LATE_)?anon_[^_]+_[0-9]+_.",
    "^[^_]+(_[0-9]*)?_assignsubmission_",
    "^.+_attempt_[0-9]{4}(-[0-9]{2}){5}(_.|\\.txt$)",
};

#define PLATFORMS COUNT(platforms)

// Counts of the folder's entries, by name.
struct found {
    int count;
    int named[PLATFORMS];   // as a platform does
    int folders, clones;    // folders, and those with .git
    int packages, holders;  // folders with kernel files
    bool has_table;
    char shown[FOUND_SHOWN_MAX * (NAME_SHOWN_MAX + 2) + 8];  // " essay.txt hw/"
    char inner[NAME_SHOWN_MAX + 1];                          // a folder with kernel files; "": none
};

int handed_in_count(const struct course *course) {
    int count = course->exercise_count + (course->page_count > 0);
    for (int i = 0; i < course->page_count; i++) {
        count += course->pages[i].is_bug;
    }
    return count;
}

void handed_in_name(const struct course *course, int file, char name[HANDED_IN_BYTES]) {
    int left = file - course->exercise_count;
    const char *kernel = left < 0 ? course->exercises[file].name : NULL;
    for (int i = 0; i < course->page_count && left > 0; i++) {
        left -= course->pages[i].is_bug;
        kernel = left == 0 ? course->pages[i].name : NULL;
    }
    (void)snprintf(name, HANDED_IN_BYTES, "%s%s", kernel ? kernel : ANSWERS_FILE,
                   kernel ? ".cu" : "");
}

// Kernels, or answers if they bring points.
static bool has_kernels(int folder, const char *inner, const struct course *course) {
    for (int i = 0; i < handed_in_count(course); i++) {
        char path[PATH_BYTES_MAX];
        char name[HANDED_IN_BYTES];
        struct stat about;
        handed_in_name(course, i, name);
        if (!path_below(path, NULL, inner, "%s", name) &&
            fstatat(folder, path, &about, AT_SYMLINK_NOFOLLOW) == 0) {
            return true;
        }
    }
    return false;
}

// Counts the entries that make a folder look like a class.
static void class_count(struct found *found, int folder, const char *name, bool is_folder) {
    char path[PATH_BYTES_MAX];
    struct stat about;
    for (size_t i = 0; i < PLATFORMS; i++) {
        regex_t pattern;
        if (regcomp(&pattern, platforms[i], REG_EXTENDED | REG_NOSUB) == 0) {
            found->named[i] += regexec(&pattern, name, 0, NULL, 0) == 0;
            regfree(&pattern);
        }
    }
    found->folders += is_folder;
    found->clones += is_folder && !path_below(path, NULL, name, ".git") &&
                     fstatat(folder, path, &about, AT_SYMLINK_NOFOLLOW) == 0;
    found->packages += !is_folder && package_has_name(name);
    found->has_table = found->has_table || strcmp(name, TABLE) == 0;
}

// True if at least two folders or packages may be students', or the names come from a platform.
static bool looks_like_class(const struct found *found) {
    bool is_class = found->has_table || found->holders + found->packages > 1 ||
                    (found->clones > 0 && 2 * found->clones >= found->folders + found->packages);
    for (size_t i = 0; i < PLATFORMS; i++) {
        is_class = is_class || (found->named[i] > 0 && 2 * found->named[i] >= found->count);
    }
    return is_class;
}

static void found_add(struct found *found, int folder, const char *name,
                      const struct course *course) {
    struct stat about;
    char plain[NAME_SHOWN_MAX + 1];
    bool is_folder =
        fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(about.st_mode);
    terminal_clean_name(name, plain, sizeof plain);
    if (is_folder && has_kernels(folder, name, course)) {
        memcpy(found->inner, plain, sizeof plain);
        found->holders++;
    }
    class_count(found, folder, name, is_folder);
    if (found->count++ < FOUND_SHOWN_MAX) {
        size_t used = strlen(found->shown);
        (void)snprintf(found->shown + used, sizeof found->shown - used, " %s%s", plain,
                       is_folder ? "/" : "");
    }
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static enum status found_look(int folder, const char *shown, const struct course *course,
                              struct found *found, struct error *err) {
    struct dirent **entries = NULL;
    int count = scandirat(folder, ".", &entries, is_visible, alphasort);
    for (int i = 0; i < count; i++) {
        found_add(found, folder, entries[i]->d_name, course);
        free(entries[i]);
    }
    free(entries);
    if (count > FOUND_SHOWN_MAX) {
        size_t used = strlen(found->shown);
        (void)snprintf(found->shown + used, sizeof found->shown - used, " ...");
    }
    return count < 0 ? fail_errno(err, STATUS_SYSTEM, "%s", shown) : STATUS_OK;
}

// Looks for the kernel files of the course at the top of the folder, which is open; `shown` is its
// name for people.
//
// Errors   STATUS_BAD_USAGE: there is none.  The message says what was found instead, and whether
//          it looks like a class.
static enum status handed_in_check(int folder, const char *shown, const struct course *course,
                                   struct error *err) {
    char names[ERROR_TEXT_MAX / 4];
    struct found found = {.count = 0};
    if (has_kernels(folder, ".", course)) {
        return STATUS_OK;
    }
    enum status status = found_look(folder, shown, course, &found, err);
    if (status) {
        return status;
    }
    if (looks_like_class(&found)) {
        return fail(err, STATUS_BAD_USAGE,
                    "%s: this looks like a class: use `make class SUBMISSIONS=%s OUT=folder`, or "
                    "name the folder or package of one student. The folder contains:%s",
                    shown, shown, found.shown);
    }
    if (found.inner[0] != '\0') {
        return fail(err, STATUS_BAD_USAGE,
                    "%s: nothing to grade here; kernel files are in %s/%s: name that folder", shown,
                    shown, found.inner);
    }
    course_names(course, names, sizeof names);
    return found.count > 0
               ? fail(err, STATUS_BAD_USAGE,
                      "%s: nothing to grade here; kernel files are called NAME.cu, with NAME one "
                      "of%s. The folder contains only:%s",
                      shown, names, found.shown)
               : fail(err, STATUS_BAD_USAGE,
                      "%s: nothing to grade here; the folder is empty, and kernel files are called "
                      "NAME.cu, with NAME one of%s",
                      shown, names);
}

#define PRIVATE_MASK 0077

// Every kernel is right as far as it could be judged here, and none is slow. The same holds for
// answers.
static bool all_well(const struct judgement *judgement) {
    const struct answers_result *answers = &judgement->answers;
    if (answers->points + answers->points_open < answers->points_max || answers->fault_count > 0) {
        return false;
    }
    for (int i = 0; i < judgement->exercise_count; i++) {
        const struct exercise_result *result = &judgement->exercises[i];
        for (int s = 0; s < result->speed.count; s++) {
            if (result->speed.list[s].verdict == SPEED_SLOW) {
                return false;
            }
        }
    }
    return judging_all_pass(judgement);
}

// The result is complete and stays, even if the text about it cannot be written.
static void output_end(const char *out) {
    if (fflush(stdout) != 0) {
        (void)fprintf(stderr, _("tilegrade: cannot write the output; %s/result.json is complete\n"),
                      out);
        __fpurge(stdout);
        clearerr(stdout);
    }
}

// Prepares to judge with secret inputs; `out` is the folder of the result.
static enum status grade_prepare(const struct app *app, struct judging *judging, struct job *job,
                                 char out[PATH_BYTES_MAX], struct error *err) {
    const struct options *options = app->options;
    struct seed seed = options->seed;
    bool quiet = options->verbosity == VERBOSITY_QUIET;
    enum status status = judging_open(app, NULL, quiet ? NULL : stdout, judging, err);
    if (!status && !options->allow_empty) {
        status =
            handed_in_check(judging->options.submission, judging->submission, app->course, err);
    }
    if (!status) {
        status = judging_out_make(app, "build/grade", out, err);
    }
    if (!status && options->planned) {
        status = job_read(job, err);
        seed = job->seed;
        judging->options.listener.waiting = NULL;  // many jobs wait for a GPU all the time
    } else if (!status && !options->has_seed) {
        status = seed_fresh(&seed, err);
    }
    if (!status && options->planned) {
        status = job_check(app, judging, job, err);
    }
    if (!status) {
        judging->options.seed = seed;
        judging->options.extras.speed = true;
        judging->options.extras.maps = true;
        judging->options.extras.no_references = !app->course->has_references;
    }
    return status;
}

// The place of the result, how to view it as a page, and the student's next step.
static void end_print(const struct app *app, const struct terminal *terminal,
                      const struct judgement *judgement, const char *out) {
    (void)printf(_("  written: %s/result.json\n"), out);
    if (app->options->out) {
        (void)printf(_("  page    make report RESULT=%s/result.json\n"), out);
    } else {
        (void)printf(_("  page    make report   (with pictures)\n"));
    }
    if (!app->options->submission) {
        struct next_course course = {.places = app->places, .whole = app->whole, .own = true};
        terminal_next_grade(terminal, &course, judgement);
    }
}

// Writes the result, then prints it.
static enum status grade_end(const struct app *app, const char *submission,
                             const struct judgement *judgement, const char *out,
                             enum exit_code *ret_code, struct error *err) {
    struct terminal terminal = terminal_of(stdout, submission, "");
    terminal.root = app->places->root;
    if (!app->options->planned && judging_nothing_graded(judgement)) {
        terminal_grade(&terminal, judgement);
        return fail(err, STATUS_UNAVAILABLE, "nothing could be graded: %s",
                    judgement->exercises[0].why.headline);
    }
    // Only the teacher can read a class.
    mode_t mask = app->options->planned ? umask(PRIVATE_MASK) : 0;
    enum status status = judging_result_write(judgement, out, err);
    if (app->options->planned) {
        (void)umask(mask);
    }
    if (status) {
        return status;
    }
    if (!app->options->submission) {
        (void)standing_keep(app->places, judgement, NULL);  // only a convenience
    }
    terminal.verbosity = app->options->verbosity;
    terminal_grade(&terminal, judgement);
    if (terminal.verbosity != VERBOSITY_QUIET) {
        end_print(app, &terminal, judgement, out);
    }
    output_end(out);
    *ret_code = all_well(judgement) ? EXIT_ALL_WELL : EXIT_KERNELS;
    return STATUS_OK;
}

// The processor time used by this process and by those that it waited for.
static int64_t cpu_milliseconds(void) {
    int64_t milliseconds = 0;
    for (int i = 0; i < 2; i++) {
        struct rusage usage;
        if (getrusage(i == 0 ? RUSAGE_SELF : RUSAGE_CHILDREN, &usage) == 0) {
            milliseconds += (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
                            (int64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
        }
    }
    return milliseconds;
}

enum status cmd_grade(const struct app *app, enum exit_code *ret_code, struct error *err) {
    static struct cublas_table cublas;
    char out[PATH_BYTES_MAX];
    struct judging judging = JUDGING_CLOSED;
    struct judgement *judgement = NULL;
    struct job job = {.key = ""};
    bool planned = app->options->planned;
    enum status status = grade_prepare(app, &judging, &job, out, err);
    int64_t begun = clock_ns();
    if (!status) {
        judging.options.extras.cublas = &cublas;
        status = judging_run(app, &judging, &judgement, err);
    }
    if (!status && planned) {
        status = job_check(app, &judging, &job, err);
    }
    if (!status) {
        judgement->origin =
            (struct judgement_origin){.assignment = app->assignment,
                                      .extension_days_max = job.extension_days_max,
                                      .job = planned ? job.key : NULL,
                                      .graded_at = moment_now(),
                                      .milliseconds = (clock_ns() - begun) / 1000000,
                                      .cpu_milliseconds = planned ? cpu_milliseconds() : 0};
        status = grade_end(app, judging.submission, judgement, out, ret_code, err);
    }
    judgement_free(judgement);
    judging_close(&judging);
    return status;
}
