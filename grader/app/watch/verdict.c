// Both run as an errand.
#include "app/watch/verdict.h"

#include <inttypes.h>
#include <stdio.h>

#include "app/commands/judging.h"
#include "app/commands/testing.h"
#include "app/terminal/parts.h"
#include "app/terminal/terminal.h"
#include "base/translate.h"
#include "judge/judge.h"
#include "judge/speed/counted.h"

static void block_print(const struct app *app, const struct judgement *judgement) {
    struct terminal terminal = terminal_of(stdout, "student", "");
    const struct exercise_result *result = &judgement->exercises[0];
    (void)app;
    terminal_exercise(&terminal, result);
    if (result->verdict == VERDICT_PASS && result->exercise->learned[0] != '\0') {
        terminal_wrap(&terminal, 2, result->exercise->learned);
        (void)putchar('\n');
    }
}

enum status verdict_judge(const struct app *app, enum exit_code *ret_code, struct error *err) {
    return test_run(app, block_print, ret_code, err);
}

// One kind of work: its name, the ratio, and both sums.
static void work_print(const struct terminal *terminal, const struct speed_result *speed,
                       enum counted_metric metric) {
    char text[256];
    uint64_t mine = counted_work(&speed->counts, metric);
    uint64_t theirs = counted_work(&speed->reference_counts, metric);
    if (theirs > 0) {
        (void)snprintf(text, sizeof text,
                       _("%s: %.1f times the reference's (%" PRIu64 " and %" PRIu64 ")"),
                       counted_metric_text(metric), (double)mine / (double)theirs, mine, theirs);
        terminal_wrap(terminal, 4, text);
    }
}

static void comparison_print(const struct judgement *judgement) {
    struct terminal terminal = terminal_of(stdout, "student", "");
    const struct exercise_result *result = &judgement->exercises[0];
    const struct speed_result *speed = result->speed.list;
    char size[SIZE_TEXT_MAX];
    char text[256];
    if (result->verdict != VERDICT_PASS || result->speed.count == 0 || !speed->counted) {
        return;
    }
    size_format(speed->size, size);
    (void)snprintf(text, sizeof text, _("Its work at size %s, counted:"), size);
    terminal_wrap(&terminal, 2, text);
    for (int metric = 0; metric < COUNTED_METRIC_COUNT; metric++) {
        work_print(&terminal, speed, (enum counted_metric)metric);
    }
    if (speed->verdict != SPEED_FAST && speed->metric_line > 0) {
        (void)snprintf(text, sizeof text, _("Most of what is too much is at line %" PRIu32 "."),
                       speed->metric_line);
        terminal_wrap(&terminal, 2, text);
    }
    (void)putchar('\n');
}

enum status verdict_compare(const struct app *app, enum exit_code *ret_code, struct error *err) {
    struct options options = *app->options;
    struct app counting = *app;
    struct judging judging = JUDGING_CLOSED;
    struct judgement *judgement = NULL;
    options.device = CHOICE_EMU;
    counting.options = &options;
    enum status status = judging_open(&counting, NULL, NULL, &judging, err);
    if (!status) {
        judging.options.seed = PUBLIC_SEED;
        judging.options.extras.speed = true;
        judging.options.extras.no_references = !app->course->has_references;
        status = judging_run(&counting, &judging, &judgement, err);
    }
    if (!status) {
        comparison_print(judgement);
        *ret_code = EXIT_ALL_WELL;
    }
    judgement_free(judgement);
    judging_close(&judging);
    return status;
}
