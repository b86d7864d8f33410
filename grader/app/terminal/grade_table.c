// The summary of a grade: a table with points.
#include "app/terminal/terminal.h"

#include <inttypes.h>
#include <string.h>

#include "app/paths.h"
#include "app/terminal/terminal_text.h"
#include "base/basics.h"
#include "base/words.h"
#include "judge/model/points.h"
#include "measure/stats.h"

#define TITLE_COLUMNS 34

void points_format(int64_t points, char text[POINTS_TEXT_BYTES]) {
    (void)snprintf(text, POINTS_TEXT_BYTES, "%" PRId64 ".%03d", points / 1000,
                   (int)(points % 1000));
    size_t length = strlen(text);
    while (text[length - 1] == '0') {
        text[--length] = '\0';
    }
    if (text[length - 1] == '.') {
        text[length - 1] = '\0';
    }
}

void points_of_format(int64_t points, int64_t points_max, int64_t points_open,
                      char text[POINTS_OF_BYTES]) {
    char texts[3][POINTS_TEXT_BYTES];
    points_format(points, texts[0]);
    points_format(points_max, texts[1]);
    points_format(points_open, texts[2]);
    (void)snprintf(text, POINTS_OF_BYTES, points_open > 0 ? _("%s of %s, %s open") : _("%s of %s"),
                   texts[0], texts[1], texts[2]);
}

// The same with the points right-aligned.
static void points_print(const struct terminal *terminal, int64_t points, int64_t points_max,
                         int64_t points_open, int columns) {
    char text[POINTS_OF_BYTES];
    points_of_format(points, points_max, points_open, text);
    (void)fprintf(terminal->out, "%*s%s", columns - (int)strcspn(text, " "), "", text);
}

static void row_print(const struct terminal *terminal, const struct exercise_result *result) {
    (void)fprintf(terminal->out, "  %-22.22s ", result->exercise->name);
    const char *title = verdict_title(result->verdict);
    int blanks = TITLE_COLUMNS - terminal_columns(title, strlen(title));
    terminal_color(terminal, terminal_verdict_color(result->verdict), "%s%*s", title, blanks, "");
    (void)fputc(' ', terminal->out);
    if (result->complete) {
        points_print(terminal, result->points, result->points_max, result->points_open, 10);
    } else {
        terminal_right(terminal, _("open"), 10);
    }
    (void)fputc('\n', terminal->out);
}

// The kind of work that decided, in numbers that a student can find in the counters.
static void work_print(const struct terminal *terminal, const struct speed_result *speed) {
    enum counted_metric metric = speed->metric;
    char text[256];
    uint64_t mine = counted_work(&speed->counts, metric);
    uint64_t theirs = counted_work(&speed->reference_counts, metric);
    if (theirs == 0) {
        return;
    }
    const char *name = counted_metric_text(metric);
    double ratio = (double)mine / (double)theirs;
    if (speed->metric_line > 0) {
        (void)snprintf(text, sizeof text,
                       _("%s: %.1f times the reference's (%" PRIu64 " and %" PRIu64
                         "), most of it at line %" PRIu32),
                       name, ratio, mine, theirs, speed->metric_line);
    } else {
        (void)snprintf(text, sizeof text,
                       _("%s: %.1f times the reference's (%" PRIu64 " and %" PRIu64 ")"), name,
                       ratio, mine, theirs);
    }
    terminal_wrap(terminal, 6, text);
}

// The bytes that an operation needs; 0: its rate is in FLOP/s.
static double bytes_of(const struct exercise *exercise, struct size size) {
    return signature_is_by_flop(&exercise->signature) ? 0.0
                                                      : signature_bytes(&exercise->signature, size);
}

// Rates, and the comparison with cuBLAS, which is not graded.
static void rates_print(const struct terminal *terminal, const struct exercise_result *result,
                        const struct speed_result *speed) {
    const struct cublas_pairs *pairs = &speed->cublas_pairs;
    double bytes = bytes_of(result->exercise, speed->size);
    if (bytes > 0.0 && !speed->counted && speed->student_ms) {
        (void)fprintf(terminal->out, _("      %.0f GB/s; reference %.0f\n"),
                      bytes / (stats_median(speed->student_ms, speed->pairs) * 1e6),
                      bytes / (stats_median(speed->reference_ms, speed->pairs) * 1e6));
        return;
    }
    if (!(speed->gflops > 0.0)) {
        return;
    }
    if (speed->cublas_gflops > 0.0) {
        (void)fprintf(terminal->out, _("      %.3g TFLOPS; reference %.3g, cuBLAS %.3g\n"),
                      speed->gflops / 1000, speed->reference_gflops / 1000,
                      speed->cublas_gflops / 1000);
    } else {
        (void)fprintf(terminal->out, _("      %.3g TFLOPS; reference %.3g\n"), speed->gflops / 1000,
                      speed->reference_gflops / 1000);
    }
    if (pairs->pairs > 0) {
        (void)fprintf(
            terminal->out,
            pairs->verdict == SPEED_FAST && pairs->low > 1.0
                ? _("      faster than cuBLAS %s: %.3f (%.3f-%.3f, %d pairs); not graded\n")
            : pairs->verdict == SPEED_FAST
                ? _("      as fast as cuBLAS %s: %.3f (%.3f-%.3f, %d pairs); not graded\n")
            : pairs->verdict == SPEED_SLOW
                ? _("      slower than cuBLAS %s: %.3f (%.3f-%.3f, %d pairs); not graded\n")
                : _("      about as fast as cuBLAS %s: %.3f (%.3f-%.3f, %d pairs); not graded\n"),
            result->speed.cublas_version, pairs->ratio, pairs->low, pairs->high, pairs->pairs);
    }
}

static void speed_print(const struct terminal *terminal, const struct exercise_result *result,
                        const struct speed_result *speed) {
    char size[SIZE_TEXT_MAX];
    size_format(speed->size, size);
    char interval[80] = "";
    const bool by_work = speed->counted && speed->estimated.size.m == 0;
    if (!speed->counted) {
        (void)snprintf(interval, sizeof interval, _("(%.3f-%.3f, %d pairs)"), speed->low,
                       speed->high, speed->pairs);
    } else if (!by_work) {
        (void)snprintf(interval, sizeof interval, _("(%.3f-%.3f, estimated)"), speed->low,
                       speed->high);
    }
    (void)fprintf(terminal->out, "    %-16s ", size);
    terminal_left(terminal, speed_verdict_title(speed->verdict), 8);
    (void)fprintf(terminal->out, " %s %.3f ", by_work ? _("work") : _("time"), speed->ratio);
    terminal_left(terminal, interval, 23);
    (void)fputc(' ', terminal->out);
    points_print(terminal, speed->points, speed->points_max, 0, 8);
    (void)fputc('\n', terminal->out);
    rates_print(terminal, result, speed);
    if (by_work && speed->verdict != SPEED_FAST) {
        work_print(terminal, speed);
    }
    if (speed->note[0] != '\0') {
        terminal_wrap(terminal, 6, speed->note);
    }
    if (speed->verdict != SPEED_FAST) {
        char page[PATH_BYTES_MAX];
        page_in_language(terminal->root, page, "lessons/verdicts.md#%s",
                         speed_verdict_name(speed->verdict));
        (void)fprintf(terminal->out, _("      read %s\n"), page);
    }
}

// The estimate for a kernel whose rate is in bytes.
static void bytes_write(const struct kernel_estimate *estimate, double bytes, char *text,
                        size_t text_bytes) {
    const struct estimate *student = &estimate->student;
    double rate = bytes / (student->ms * 1e6);
    char size[SIZE_TEXT_MAX];
    size_format(estimate->size, size);
    (void)snprintf(text, text_bytes,
                   _("Estimated, not measured: about %.0f GB/s on %s at %s, %.0f %% of what its "
                     "memory has, bound by %s; occupancy %.0f %%."),
                   rate, estimate->card->name, size, 100 * rate / estimate->card->memory_gb_s,
                   estimate_bound_text(student->bound), 100 * student->occupancy.share);
    if (estimate->has_reference) {
        size_t used = strlen(text);
        (void)snprintf(text + used, text_bytes - used, _(" The reference: about %.0f GB/s."),
                       bytes / (estimate->reference.ms * 1e6));
    }
}

static void flop_write(const struct kernel_estimate *estimate, char *text, size_t text_bytes) {
    const struct estimate *student = &estimate->student;
    char size[SIZE_TEXT_MAX];
    size_format(estimate->size, size);
    (void)snprintf(text, text_bytes,
                   _("Estimated, not measured: about %.2g TFLOPS on %s at %s, bound by %s; "
                     "occupancy %.0f %%."),
                   student->gflops / 1000, estimate->card->name, size,
                   estimate_bound_text(student->bound), 100 * student->occupancy.share);
    if (estimate->has_reference) {
        size_t used = strlen(text);
        (void)snprintf(text + used, text_bytes - used, _(" The reference: about %.2g TFLOPS."),
                       estimate->reference.gflops / 1000);
    }
}

// The text says that this is only an estimate.
static void estimate_print(const struct terminal *terminal, const struct exercise *exercise,
                           const struct kernel_estimate *estimate) {
    const struct estimate *student = &estimate->student;
    double bytes = bytes_of(exercise, estimate->size);
    char page[PATH_BYTES_MAX];
    char text[500];
    if (!estimate->made) {
        return;
    }
    if (bytes > 0.0) {
        bytes_write(estimate, bytes, text, sizeof text);
    } else {
        flop_write(estimate, text, sizeof text);
    }
    if (!student->registers_known) {
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "%s",
                       _(" The number of registers is not known."));
    }
    terminal_wrap(terminal, 4, text);
    page_in_language(terminal->root, page, "%s", estimate_bound_lesson(student->bound));
    (void)fprintf(terminal->out, _("      read %s\n"), page);
}

// The counters that the lessons explain, without a reference to compare them with.
static void counts_print(const struct terminal *terminal, const struct exercise_result *result) {
    const struct counts *counts = &result->speed.alone;
    char size[SIZE_TEXT_MAX];
    size_format(result->speed.alone_size, size);
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {{"global_load_requests", counts->global_load_requests},
                {"global_load_sectors", counts->global_load_sectors},
                {"global_store_requests", counts->global_store_requests},
                {"global_store_sectors", counts->global_store_sectors},
                {"shared_load_wavefronts", counts->shared_load_wavefronts},
                {"shared_load_ideal", counts->shared_load_ideal}};
    (void)fprintf(terminal->out, _("    work at %s\n"), size);
    for (size_t i = 0; i < COUNT(rows); i++) {
        (void)fprintf(terminal->out, "      %-24s %14" PRIu64 "\n", rows[i].name, rows[i].value);
    }
}

static void speed_missing_print(const struct terminal *terminal,
                                const struct exercise_result *result) {
    if (!result->speed.counted_alone) {
        terminal_wrap(terminal, 4,
                      result->speed.withheld
                          ? result->why.detail
                          : _("its speed could not be measured on this machine"));
        return;
    }
    counts_print(terminal, result);
    terminal_wrap(terminal, 4,
                  _("Points for speed are given in the teacher's course, which has the reference "
                    "kernel. You lose none here."));
}

// The size that shows a mistake, if the sentence above does not name it.
static void size_print(const struct terminal *terminal, const struct exercise_result *result) {
    char size[SIZE_TEXT_MAX];
    char headline[WORDS_PLAIN_MAX];
    size_format(result->why.repeat_size, size);
    if (result->why.repeat_size.m > 0 &&
        !strstr(words_plain(result->why.headline, headline), size)) {
        (void)fputs("    ", terminal->out);
        (void)fprintf(terminal->out, _("size %s"), size);
        (void)fputc('\n', terminal->out);
    }
}

// Answers to questions, if they give points: the number of right ones, and errors in the file.
static void answers_print(const struct terminal *terminal, const struct answers_result *answers) {
    char text[128];
    int right = 0;
    int given = 0;
    if (answers->state == ANSWERS_NOT_ASKED) {
        return;
    }
    for (int i = 0; i < answers->count; i++) {
        right += answers->list[i].right;
        given += answers->list[i].given[0] != '\0' && answers->list[i].unread_line == 0;
    }
    if (answers->state == ANSWERS_MISSING) {
        (void)snprintf(text, sizeof text, "%s", _("not handed in"));
    } else if (answers->state == ANSWERS_WITHHELD) {
        (void)snprintf(text, sizeof text, _("%d of %d answered"), given, answers->count);
    } else {
        (void)snprintf(text, sizeof text, _("%d of %d right"), right, answers->count);
    }
    (void)fputs("  ", terminal->out);
    terminal_left(terminal, _("answers"), 22);
    (void)fputc(' ', terminal->out);
    terminal_left(terminal, text, TITLE_COLUMNS);
    (void)fputc(' ', terminal->out);
    points_print(terminal, answers->points, answers->points_max, answers->points_open, 10);
    (void)fputc('\n', terminal->out);
    if (answers->note[0] != '\0' && terminal->verbosity != VERBOSITY_QUIET) {
        terminal_wrap(terminal, 4, answers->note);
    }
    if (answers->state == ANSWERS_WITHHELD && terminal->verbosity != VERBOSITY_QUIET) {
        terminal_wrap(terminal, 4, _("Your teacher's grade says which answers are right."));
    }
}

void terminal_grade(const struct terminal *terminal, const struct judgement *judgement) {
    char points[POINTS_OF_BYTES];
    char sandbox[SANDBOX_TEXT_BYTES + 16];
    for (int i = 0; i < judgement->exercise_count; i++) {
        const struct exercise_result *result = &judgement->exercises[i];
        row_print(terminal, result);
        if (terminal->verbosity == VERBOSITY_QUIET) {
            continue;
        }
        if (result->verdict != VERDICT_PASS && result->why.headline[0] != '\0') {
            terminal_wrap(terminal, 4, result->why.headline);
            size_print(terminal, result);
        }
        if (terminal->verbosity == VERBOSITY_VERBOSE) {
            terminal_other_findings(terminal, result, NULL);
            terminal_cases(terminal, result);
        }
        for (int s = 0; s < result->speed.count; s++) {
            speed_print(terminal, result, &result->speed.list[s]);
            if (terminal->verbosity == VERBOSITY_VERBOSE) {
                terminal_work(terminal, &result->speed.list[s]);
            }
        }
        if (result->verdict == VERDICT_PASS && !result->speed.complete) {
            speed_missing_print(terminal, result);
        }
        if (result->speed.cublas_note[0] != '\0') {
            terminal_wrap(terminal, 4, result->speed.cublas_note);
        }
        if (result->verdict == VERDICT_PASS) {
            estimate_print(terminal, result->exercise, &result->speed.estimate);
        }
    }
    answers_print(terminal, &judgement->answers);
    points_of_format(judgement->points, judgement->points_max, judgement->points_open, points);
    (void)fputs("  ", terminal->out);
    terminal_left(terminal, _("points"), 22);
    (void)fputc(' ', terminal->out);
    terminal_color(terminal, COLOR_BOLD, "%s", points);
    (void)fprintf(terminal->out, "%s\n",
                  judgement->points_open > judgement->answers.points_open
                      ? _("  (open points need a GPU)")
                  : judgement->points_open > 0 ? ""
                  : judgement->complete        ? ""
                                               : _("  (without points for speed)"));
    if (terminal->verbosity == VERBOSITY_QUIET) {
        return;
    }
    (void)fprintf(terminal->out,
                  judgement->counted ? _("  device %s; speed by counted work; seed %s\n")
                                     : _("  device %s; speed by time; seed %s\n"),
                  judgement->device_text, judgement->seed_text);
    (void)snprintf(sandbox, sizeof sandbox, _("sandbox: %s"), judgement->sandbox_text);
    terminal_wrap(terminal, 2, sandbox);
}
