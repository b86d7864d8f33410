// What --verbose adds: every finding, every case, and the work behind a ratio.
#include <inttypes.h>
#include <string.h>

#include "app/terminal/parts.h"
#include "base/translate.h"
#include "judge/speed/counted.h"
#include "judge/explain/finding.h"

// The cases of one verdict, wrapped: "1x1x1, 67x33x129 (real), 1x1x1 (GPU)".
static void cases_of(const struct terminal *terminal, const struct exercise_result *result,
                     enum verdict verdict) {
    char text[2 * CASES_MAX * (SIZE_TEXT_MAX + 16)];
    size_t used = 0;
    int count = 0;
    text[0] = '\0';
    for (int i = 0; i < result->cases.count && used < sizeof text; i++) {
        const struct case_result *one = &result->cases.list[i];
        char size[SIZE_TEXT_MAX];
        if (one->verdict == verdict) {
            size_format(one->size, size);
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%s", count > 0 ? ", " : "",
                                 size, one->inputs == INPUTS_REAL ? _(" (real)") : "",
                                 one->device == DEVICE_GPU ? " (GPU)" : "");
            count++;
        }
    }
    if (count > 0) {
        (void)fprintf(terminal->out, count > 1 ? _("  %d cases: %s\n") : _("  %d case: %s\n"),
                      count, verdict_title(verdict));
        terminal_wrap(terminal, 4, text);
    }
}

void terminal_cases(const struct terminal *terminal, const struct exercise_result *result) {
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        cases_of(terminal, result, (enum verdict)verdict);
    }
}

void terminal_other_findings(const struct terminal *terminal, const struct exercise_result *result,
                             const struct judged_finding *told) {
    for (int i = 0; i < result->findings.count; i++) {
        const struct judged_finding *judged = &result->findings.list[i];
        if (judged != told && judged->finding.severity == SEVERITY_ERROR) {
            terminal_place(terminal, result, judged);
            terminal_color(terminal, COLOR_YELLOW, "also: %s",
                           verdict_title(finding_verdict(&judged->finding)));
            (void)fputc('\n', terminal->out);
            terminal_finding(terminal, judged);
        }
    }
}

void terminal_work(const struct terminal *terminal, const struct speed_result *speed) {
    const struct counts *mine = &speed->counts;
    const struct counts *theirs = &speed->reference_counts;
    if (!speed->counted) {
        return;
    }
    (void)fprintf(terminal->out, "      %-28s ", "");
    terminal_right(terminal, _("yours"), 16);
    (void)fputc(' ', terminal->out);
    terminal_right(terminal, _("reference"), 16);
    (void)fputc('\n', terminal->out);
#define WORK_ROW(field, text)                                                                      \
    if (mine->field > 0 || theirs->field > 0) {                                                    \
        (void)fprintf(terminal->out, "      %-28s %16" PRIu64 " %16" PRIu64 "\n", #field,          \
                      mine->field, theirs->field);                                                 \
    }
    COUNT_FIELDS(WORK_ROW)
#undef WORK_ROW
}
