// See slurm.h.  OUT/slurm holds what Slurm is given: job.sh and collect.sh, the batch scripts;
// tasks, a line with the jobs of each task; array, the number of the array that was submitted last;
// and the output of each task.  All of it knows pseudonyms only.
#include "class/run/slurm.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/words.h"
#include "class/folder.h"
#include "class/run/tool.h"

#define TASKS_MAX        500  // of one array; Slurm's own limit is 1001 if its site has set none
#define MINUTES_A_JOB    30
#define JOB_MIB          4352  // as in pool.c
#define COLLECT_MIB      1024
#define HEAD_BYTES_MAX   (64u << 10)
#define POLL_S           2
#define ASK_EVERY        5  // polls of the files between two questions to Slurm
#define ASK_FAILURES_MAX 30
#define TASKS_FILE       "tasks"

static enum status slurm_path(const struct class_slurm *slurm, const char *name,
                              char path[PATH_BYTES_MAX], struct error *err) {
    return path_make(path, err, "%s/slurm/%s", slurm->out, name);
}

// --- What Slurm is given ------------------------------------------------------------------------

// A word as a shell reads it.
static void word_write(FILE *script, const char *word) {
    (void)fputc('\'', script);
    for (; *word != '\0'; word++) {
        (void)fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, script);
    }
    (void)fputc('\'', script);
}

static void command_write(FILE *script, char *const *command) {
    for (int i = 0; command[i]; i++) {
        word_write(script, command[i]);
        (void)fputc(' ', script);
    }
}

// The head comes after our own options, so that it may change them.
static void head_write(FILE *script, const struct class_slurm *slurm, int minutes, int mib,
                       const char *output, const char *head) {
    (void)fprintf(script,
                  "#!/bin/bash\n"
                  "#SBATCH --ntasks=1 --cpus-per-task=1 --requeue --open-mode=append\n"
                  "#SBATCH --time=%d --mem=%dM\n"
                  "#SBATCH --output=%s\n",
                  minutes, mib, output);
    if (slurm->gpu) {
        (void)fputs("#SBATCH --gres=gpu:1\n", script);
    }
    (void)fprintf(script, "%s\n", head);
}

static enum status script_end(FILE *stream, char **text, const struct class_slurm *slurm,
                              const char *name, struct error *err) {
    char path[PATH_BYTES_MAX];
    if (!stream_close(stream, text)) {
        return fail(err, STATUS_NO_MEMORY, "no memory for a batch script");
    }
    enum status status = slurm_path(slurm, name, path, err);
    if (!status) {
        status = class_file_write(path, *text, strlen(*text), err);
    }
    free(*text);
    return status;
}

// Each task does the jobs of its line, and tries a job that fails once more.
static enum status job_script_write(const struct class_slurm *slurm, const char *head, int chunk,
                                    struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    char tasks[PATH_BYTES_MAX];
    enum status status = slurm_path(slurm, TASKS_FILE, tasks, err);
    FILE *script = status ? NULL : open_memstream(&text, &bytes);
    if (!script) {
        return status ? status : fail(err, STATUS_NO_MEMORY, "no memory for a batch script");
    }
    head_write(script, slurm, chunk * MINUTES_A_JOB, JOB_MIB, "%x-%a.txt", head);
    (void)fputs("read -r -a jobs < <(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" ", script);
    word_write(script, tasks);
    (void)fputs(")\n"
                "code=0\n"
                "for job in \"${jobs[@]}\"; do\n"
                "    for try in 1 2; do\n"
                "        echo \"$(date) $(hostname) $job, try $try\"\n"
                "        ",
                script);
    command_write(script, slurm->job_command);
    (void)fputs("\"$job\" && continue 2\n"
                "    done\n"
                "    code=3\n"
                "done\n"
                "exit \"$code\"\n",
                script);
    return script_end(script, &text, slurm, "job.sh", err);
}

static enum status collect_script_write(const struct class_slurm *slurm, const char *head,
                                        struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    const struct class_slurm plain = {.gpu = false};
    FILE *script = open_memstream(&text, &bytes);
    if (!script) {
        return fail(err, STATUS_NO_MEMORY, "no memory for a batch script");
    }
    head_write(script, &plain, MINUTES_A_JOB, COLLECT_MIB, "%x.txt", head);
    command_write(script, slurm->collect_command);
    (void)fputc('\n', script);
    return script_end(script, &text, slurm, "collect.sh", err);
}

// Writes the list of tasks, without the jobs that are done.
static enum status tasks_write(const struct class_slurm *slurm,
                               const struct class_outcome *outcomes, int chunk, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    int count = 0;
    FILE *list = open_memstream(&text, &bytes);
    if (!list) {
        return fail(err, STATUS_NO_MEMORY, "no memory for a batch script");
    }
    for (int i = 0; i < slurm->plan->job_count; i++) {
        if (!outcomes[i].done) {
            count++;
            (void)fprintf(list, "%s%c", slurm->plan->jobs[i].pseudonym,
                          count % chunk == 0 ? '\n' : ' ');
        }
    }
    (void)fputc('\n', list);
    return script_end(list, &text, slurm, TASKS_FILE, err);
}

// The head of the batch scripts: #SBATCH lines first, then commands.
static enum status head_read(const struct class_slurm *slurm, char **ret_head, struct error *err) {
    char *head = NULL;
    size_t bytes = 0;
    if (!slurm->head) {
        *ret_head = strdup("");
        return *ret_head ? STATUS_OK : fail(err, STATUS_NO_MEMORY, "no memory");
    }
    enum status status = file_read(slurm->head, HEAD_BYTES_MAX, &head, &bytes, err);
    if (!status && strlen(head) != bytes) {
        status = fail(err, STATUS_BAD_DATA, "%s: not a text file", slurm->head);
        free(head);
    }
    if (!status) {
        *ret_head = head;
    }
    return status;
}

// --- Slurm's tools ------------------------------------------------------------------------------

bool class_slurm_number(const char *said, char ret_number[SLURM_ID_BYTES]) {
    for (const char *line = said; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t digits = strspn(line, "0123456789");
        if (digits > 0 && digits < SLURM_ID_BYTES &&
            (line[digits] == '\0' || line[digits] == '\n' || line[digits] == ';')) {
            (void)snprintf(ret_number, SLURM_ID_BYTES, "%.*s", (int)digits, line);
            return true;
        }
    }
    return false;
}

static enum status submit(char *const *words, char ret_number[SLURM_ID_BYTES], struct error *err) {
    char said[TOOL_SAID_BYTES];
    int code = 0;
    enum status status = class_tool_run(words, &code, said, err);
    if (!status && (code != 0 || !class_slurm_number(said, ret_number))) {
        status = fail(err, STATUS_UNAVAILABLE, "Slurm refuses the job: %.*s",
                      (int)strcspn(said, "\n"), said);
    }
    return status;
}

// Whether any task of the array is queued or runs.  A question that fails is no answer.
enum presence { IS_THERE, IS_GONE, IS_UNKNOWN };

static enum presence array_look(const char *number) {
    char said[TOOL_SAID_BYTES];
    char job[sizeof "--jobs=" + SLURM_ID_BYTES];
    int code = 0;
    (void)snprintf(job, sizeof job, "--jobs=%s", number);
    char squeue[] = "squeue";
    char bare[] = "--noheader";
    char format[] = "--format=%A";
    char *words[] = {squeue, bare, format, job, NULL};
    if (class_tool_run(words, &code, said, NULL)) {
        return IS_UNKNOWN;
    }
    if (code == 0) {
        return strspn(said, " \n") == strlen(said) ? IS_GONE : IS_THERE;
    }
    // Slurm has forgotten a job some minutes after its end.
    return strstr(said, "Invalid job id") ? IS_GONE : IS_UNKNOWN;
}

// --- The run ------------------------------------------------------------------------------------

// Reads the states of jobs that have none yet.
static enum status outcomes_look(const struct class_slurm *slurm, struct class_outcome *outcomes,
                                 struct class_progress *progress, struct error *err) {
    enum status status = STATUS_OK;
    progress->done = 0;
    progress->failed = 0;
    for (int i = 0; !status && i < slurm->plan->job_count; i++) {
        if (!outcomes[i].done) {
            status = class_outcome_read(slurm->out, &slurm->plan->jobs[i], &outcomes[i], err);
        }
        progress->done += outcomes[i].done;
    }
    return status;
}

// Waits until Slurm has run the array.
static enum status array_wait(const struct class_slurm *slurm, const char *number,
                              struct class_outcome *outcomes, struct class_progress *progress,
                              struct error *err) {
    const struct timespec pause = {POLL_S, 0};
    uint64_t began_ms = clock_ms();
    int unknown = 0;
    for (int poll = 0;; poll++) {
        enum status status = outcomes_look(slurm, outcomes, progress, err);
        if (status) {
            return status;
        }
        progress->elapsed_ms = clock_ms() - began_ms;
        slurm->told(slurm->context, progress);
        if (poll % ASK_EVERY == 0 || progress->done == progress->total) {
            enum presence presence = array_look(number);
            unknown = presence == IS_UNKNOWN ? unknown + 1 : 0;
            if (presence == IS_GONE) {
                return outcomes_look(slurm, outcomes, progress, err);
            }
            if (unknown == ASK_FAILURES_MAX) {
                return fail(err, STATUS_SYSTEM,
                            "squeue gives no answer about job %s; the same command waits again",
                            number);
            }
        }
        (void)nanosleep(&pause, NULL);
    }
}

// The array that was submitted last; "" if there is none.
static void number_read(const struct class_slurm *slurm, char number[SLURM_ID_BYTES]) {
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    number[0] = '\0';
    if (!slurm_path(slurm, "array", path, NULL) &&
        !file_read(path, TOOL_SAID_BYTES, &text, &bytes, NULL)) {
        (void)class_slurm_number(text, number);
        free(text);
    }
}

static enum status array_submit(const struct class_slurm *slurm, int tasks,
                                char number[SLURM_ID_BYTES], struct error *err) {
    char path[PATH_BYTES_MAX];
    char folder[PATH_BYTES_MAX];
    char collector[SLURM_ID_BYTES];
    char array[64];
    char after[64];
    char sbatch[] = "sbatch";
    char parsable[] = "--parsable";
    char job_name[] = "--job-name=tilegrade";
    char collect_name[] = "--job-name=tilegrade-collect";
    int used = snprintf(array, sizeof array, "--array=0-%d", tasks - 1);
    if (slurm->jobs > 0) {
        (void)snprintf(array + used, sizeof array - (size_t)used, "%%%d", slurm->jobs);
    }
    enum status status = path_make(folder, err, "--chdir=%s/slurm", slurm->out);
    if (!status) {
        status = slurm_path(slurm, "job.sh", path, err);
    }
    if (!status) {
        char *words[] = {sbatch, parsable, job_name, folder, array, path, NULL};
        status = submit(words, number, err);
    }
    if (!status) {
        status = slurm_path(slurm, "array", path, err);
    }
    if (!status) {
        status = class_file_write(path, number, strlen(number), err);
    }
    if (!status) {
        status = slurm_path(slurm, "collect.sh", path, err);
    }
    if (!status) {
        (void)snprintf(after, sizeof after, "--dependency=afterany:%s", number);
        char *words[] = {sbatch, parsable, collect_name, folder, after, path, NULL};
        status = submit(words, collector, err);
    }
    return status;
}

// Submits what is to be done and waits for it.
static enum status rest_run(const struct class_slurm *slurm, struct class_outcome *outcomes,
                            struct class_progress *progress, struct error *err) {
    char number[SLURM_ID_BYTES];
    char *head = NULL;
    int left = progress->total - progress->done;
    int chunk = (left + TASKS_MAX - 1) / TASKS_MAX;
    enum status status = head_read(slurm, &head, err);
    if (!status) {
        status = job_script_write(slurm, head, chunk, err);
    }
    if (!status) {
        status = collect_script_write(slurm, head, err);
    }
    free(head);
    if (!status) {
        status = tasks_write(slurm, outcomes, chunk, err);
    }
    if (!status) {
        status = array_submit(slurm, (left + chunk - 1) / chunk, number, err);
    }
    return status ? status : array_wait(slurm, number, outcomes, progress, err);
}

// A job that Slurm has ended says nothing itself.
static void silence_note(const struct class_slurm *slurm, struct class_outcome *outcomes) {
    for (int i = 0; i < slurm->plan->job_count; i++) {
        struct class_outcome *outcome = &outcomes[i];
        if (!outcome->done && outcome->trouble[0] == '\0') {
            (void)snprintf(outcome->trouble, sizeof outcome->trouble, "%s",
                           _("Slurm ended its task without a result: out of time or memory, "
                             "cancelled, or its node was lost"));
            (void)class_trouble_write(slurm->out, slurm->plan->jobs[i].pseudonym, outcome->trouble,
                                      NULL);
        }
    }
}

enum status class_slurm_run(const struct class_slurm *slurm, struct class_outcome *outcomes,
                            struct error *err) {
    char number[SLURM_ID_BYTES];
    char path[PATH_BYTES_MAX];
    struct class_progress progress = {.total = slurm->plan->job_count};
    for (int i = 0; i < progress.total; i++) {
        progress.earlier += outcomes[i].done;
    }
    progress.done = progress.earlier;
    number_read(slurm, number);
    enum status status = path_make(path, err, "%s/slurm", slurm->out);
    if (!status) {
        mode_t mask = umask(CLASS_MASK);
        status = folder_make(path, err);
        (void)umask(mask);
    }
    if (!status && number[0] != '\0' && progress.done < progress.total &&
        array_look(number) == IS_THERE) {
        status = array_wait(slurm, number, outcomes, &progress, err);
    }
    if (!status && progress.done < progress.total) {
        status = rest_run(slurm, outcomes, &progress, err);
    }
    if (!status) {
        silence_note(slurm, outcomes);
    }
    return status;
}
