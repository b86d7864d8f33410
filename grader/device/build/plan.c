// Command lines: see plan.h.
#include "device/build/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int step_length(const struct build_step *step) {
    int count = 0;
    while (step->argument[count]) {
        count++;
    }
    return count;
}

void step_add(struct build_step *step, const char *format, ...) {
    int at = step_length(step);
    if (step->failure) {
        return;
    }
    if (at >= BUILD_ARGUMENTS_MAX) {
        step->failure = STATUS_BAD_USAGE;
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&step->argument[at], format, arguments) < 0) {
        step->argument[at] = NULL;
        step->failure = STATUS_NO_MEMORY;
    }
    va_end(arguments);
}

void step_add_words(struct build_step *step, const char *words) {
    while (*words != '\0') {
        size_t length = strcspn(words, " ");
        step_add(step, "%.*s", (int)length, words);
        words += length + (words[length] == ' ');
    }
}

enum status step_check(const struct build_step *step, struct error *err) {
    if (step->failure == STATUS_BAD_USAGE) {
        return fail(err, STATUS_BAD_USAGE, "%s: too many arguments", step->argument[0]);
    }
    return step->failure ? fail(err, step->failure, "no memory for a command line") : STATUS_OK;
}

enum status step_finish(struct build_step *step, struct build_step *ret_step, struct error *err) {
    enum status status = step_check(step, err);
    if (status) {
        build_step_done(step);
        return status;
    }
    *ret_step = *step;
    return STATUS_OK;
}

void build_step_done(struct build_step *step) {
    for (int i = 0; i < BUILD_ARGUMENTS_MAX; i++) {
        free(step->argument[i]);
        step->argument[i] = NULL;
    }
}

void build_plan_done(struct build_plan *plan) {
    for (int i = 0; i < BUILD_STEPS_MAX; i++) {
        build_step_done(&plan->step[i]);
    }
    plan->step_count = 0;
}
