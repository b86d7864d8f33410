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

#define NUMBER_BYTES 32  // of a number with commas

static void block_print(const struct app *app, const struct judgement *judgement) {
    struct terminal terminal = terminal_of(stdout, "student", "");
    const struct exercise_result *result = &judgement->exercises[0];
    terminal.root = app->places->root;
    terminal_exercise(&terminal, result);
    const char *learned = exercise_learned(result->exercise);
    if (result->verdict == VERDICT_PASS && learned[0] != '\0') {
        terminal_wrap(&terminal, 2, learned);
        (void)putchar('\n');
    }
}

enum status verdict_judge(const struct app *app, enum exit_code *ret_code, struct error *err) {
    return test_run(app, block_print, ret_code, err);
}

// "16,777,216", as in the tables of the lessons.
static void number_format(uint64_t number, char text[NUMBER_BYTES]) {
    char digits[NUMBER_BYTES];
    int count = snprintf(digits, sizeof digits, "%" PRIu64, number);
    for (int i = 0; i < count; i++) {
        *text++ = digits[i];
        if (i + 1 < count && (count - i - 1) % 3 == 0) {
            *text++ = ',';
        }
    }
    *text = '\0';
}

static void row_print(const struct terminal *terminal, const char *name, uint64_t mine,
                      uint64_t theirs) {
    char yours[NUMBER_BYTES];
    char reference[NUMBER_BYTES];
    if (mine > 0 || theirs > 0) {
        number_format(mine, yours);
        number_format(theirs, reference);
        (void)fprintf(terminal->out, "    %-23s %14s %14s\n", name, yours, reference);
    }
}

// The counters that lessons explain, by the names that they have there.
static void rows_print(const struct terminal *terminal, const struct counts *mine,
                       const struct counts *theirs) {
#define ROW(field) row_print(terminal, #field, mine->field, theirs->field)
    ROW(global_load_requests);
    ROW(global_load_sectors);
    ROW(global_store_requests);
    ROW(global_store_sectors);
    ROW(shared_load_requests);
    ROW(shared_load_wavefronts);
    ROW(shared_load_ideal);
    ROW(shared_store_wavefronts);
#undef ROW
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
    (void)snprintf(text, sizeof text, _("Counted at %s"), size);
    (void)fputs("  ", stdout);
    terminal_left(&terminal, text, 25);
    (void)putchar(' ');
    terminal_right(&terminal, _("yours"), 14);
    (void)putchar(' ');
    terminal_right(&terminal, _("reference"), 14);
    (void)putchar('\n');
    rows_print(&terminal, &speed->counts, &speed->reference_counts);
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
