// See classes.h.
#include "app/classes/classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands/judging.h"
#include "base/basics.h"
#include "base/file.h"
#include "base/words.h"
#include "judge/speed/reference_work.h"

void class_choice_of(const struct app *app, struct class_choice *ret_choice) {
    const struct options *options = app->options;
    *ret_choice = (struct class_choice){.assignment = ""};
    if (app->assignment) {
        (void)snprintf(ret_choice->assignment, sizeof ret_choice->assignment, "%s",
                       app->assignment->name);
    }
    (void)snprintf(ret_choice->exercises, sizeof ret_choice->exercises, "%s",
                   options->exercise ? options->exercise : "");
    (void)snprintf(ret_choice->device, sizeof ret_choice->device, "%s",
                   device_choice_name(options->device));
    (void)snprintf(ret_choice->card, sizeof ret_choice->card, "%s",
                   options->card ? options->card : "");
    (void)snprintf(ret_choice->sandbox, sizeof ret_choice->sandbox, "%s",
                   sandbox_policy_name(options->sandbox));
}

// Adds a word, made of two parts; an empty value is left out.
static enum status word_add(struct class_words *words, const char *name, const char *value,
                            struct error *err) {
    int count = 0;
    while (words->word[count]) {
        count++;
    }
    if (value[0] == '\0') {
        return STATUS_OK;
    }
    if (count == CLASS_WORDS_MAX) {
        return fail(err, STATUS_SYSTEM, "a command line has too many words");
    }
    words->word[count] = words->text[count];
    return path_make(words->text[count], err, "%s%s", name, value);
}

enum status class_words_make(const struct app *app, const char *command, const char *out,
                             struct class_words *words, struct error *err) {
    struct class_choice choice;
    class_choice_of(app, &choice);
    const char *const parts[][2] = {{app->places->device.programs, "/tilegrade"},
                                    {"", command},
                                    {"--root=", app->places->root_real},
                                    {"--out=", out},
                                    {"--language=", texts_language()}};
    const char *const chosen[][2] = {{"--assignment=", choice.assignment},
                                     {"--exercise=", choice.exercises},
                                     {"--device=", choice.device},
                                     {"--card=", choice.card},
                                     {"--sandbox=", choice.sandbox},
                                     {"--jobs=", "1"},
                                     {"--", "quiet"},
                                     {"--", "job"}};
    enum status status = STATUS_OK;
    memset(words, 0, sizeof *words);
    for (size_t i = 0; !status && i < COUNT(parts); i++) {
        status = word_add(words, parts[i][0], parts[i][1], err);
    }
    bool is_job = strcmp(command, "class-job") == 0;
    for (size_t i = 0; !status && is_job && i < COUNT(chosen); i++) {
        status = word_add(words, chosen[i][0], chosen[i][1], err);
    }
    return status;
}

void class_references_count(const struct app *app, const char *out, const struct class_plan *plan,
                            struct roll *roll) {
    struct error ignored = {.text = ""};
    struct judging judging = JUDGING_CLOSED;
    char folder[PATH_BYTES_MAX];
    const struct class_job *job = &plan->jobs[0];  // of all seeds, what is drawn here is the same
    enum status status = class_job_path(out, job->pseudonym, "submission", folder, &ignored);
    if (!status) {
        status = judging_open(app, folder, NULL, &judging, &ignored);
    }
    if (!status) {
        status = seed_parse(job->seed, &judging.options.seed, &ignored);
    }
    bool counted = !status && !judging.options.uses[DEVICE_GPU] && judging.options.machine.counts;
    for (int i = 0; i < app->course->exercise_count && counted; i++) {
        roll_counting(roll, i, app->course->exercise_count);
        (void)reference_work_keep(&judging.options, &app->course->exercises[i], &ignored);
    }
    judging_close(&judging);
    roll_clear(roll);
}

enum status class_state_read(const char *out, struct class_plan *ret_plan,
                             struct class_outcome **ret_outcomes, struct error *err) {
    struct class_plan plan = {.job_count = 0};
    enum status status = class_plan_read(out, &plan, err);
    if (status) {
        return status;
    }
    struct class_outcome *outcomes = calloc((size_t)plan.job_count + 1, sizeof *outcomes);
    if (!outcomes) {
        status = fail(err, STATUS_NO_MEMORY, "no memory for the jobs of a class");
    }
    for (int i = 0; !status && i < plan.job_count; i++) {
        status = class_outcome_read(out, &plan.jobs[i], &outcomes[i], err);
    }
    if (status) {
        class_plan_done(&plan);
        free(outcomes);
        return status;
    }
    *ret_plan = plan;
    *ret_outcomes = outcomes;
    return STATUS_OK;
}

enum status class_path_find(const char *path, char ret_path[PATH_BYTES_MAX], struct error *err) {
    char *real = realpath(path, NULL);
    if (!real) {
        return fail_errno(err, status_of_errno(STATUS_BAD_USAGE), "%s", path);
    }
    enum status status = path_make(ret_path, err, "%s", real);
    free(real);
    return status;
}
