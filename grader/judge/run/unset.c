// A variable without a value lives in a register, where no checker sees it; the compiler does.
// And a barrier that is no call is nothing to a machine that runs the kernel.
#include "judge/run/unset.h"

#include <stdio.h>
#include <string.h>

#include "base/texts.h"
#include "device/build/diagnostics.h"
#include "judge/explain/finding.h"
#include "judge/model/judgement.h"

#define UNSET_MAX 8  // variables told of one kernel

static void unset_words(const struct unset_variable *variable, struct judged_finding *finding) {
    bool certain = variable->is_certain;
    (void)snprintf(finding->clause, sizeof finding->clause,
                   certain ? _("`%.63s` is read before it has a value")
                           : _("`%.63s` may be read before it has a value"),
                   variable->name);
    (void)snprintf(finding->message, sizeof finding->message,
                   certain ? _("The variable `%.63s` is read before it has a value: give it one "
                               "where it is declared.")
                           : _("The variable `%.63s` may be read before it has a value: give it "
                               "one where it is declared."),
                   variable->name);
    (void)snprintf(finding->lesson, sizeof finding->lesson, "lessons/verdicts.md#uninitialized");
}

// The barrier is missing, whatever stands there; where it matters, that is an error of its own.
static void no_call_words(const struct unset_variable *variable, struct judged_finding *finding) {
    finding->finding.kind = FINDING_BARRIER_DIVERGENCE;
    (void)snprintf(finding->clause, sizeof finding->clause, _("`%.63s` without () is no call"),
                   variable->name);
    (void)snprintf(finding->message, sizeof finding->message,
                   _("`%.63s` without () is no call: no thread waits there."), variable->name);
    (void)snprintf(finding->lesson, sizeof finding->lesson,
                   "lessons/verdicts.md#barrier_divergence");
}

static struct judged_finding finding_of(const struct unset_variable *variable,
                                        const struct judge_source *source) {
    struct judged_finding finding = {
        .finding = {.kind = FINDING_UNINITIALIZED,
                    .severity = variable->is_certain ? SEVERITY_ERROR : SEVERITY_WARNING,
                    .array = ARRAY_NONE,
                    .count = 1,
                    .line = (uint32_t)variable->line},
        .device = DEVICE_EMU,
        .column = (uint32_t)variable->column};
    (variable->is_no_call ? no_call_words : unset_words)(variable, &finding);
    judge_source_line(source->text, source->bytes, (unsigned)variable->line, finding.source,
                      sizeof finding.source);
    return finding;
}

void run_unset_add(const char *diagnostics, const struct judge_source *source,
                   struct exercise_result *result) {
    struct unset_variable list[UNSET_MAX];
    char kernel[NAME_BYTES_MAX + sizeof KERNEL_PREFIX];
    (void)snprintf(kernel, sizeof kernel, KERNEL_PREFIX "%s", result->exercise->name);
    int count = diagnostics_unset(diagnostics, kernel, list, UNSET_MAX);
    bool right = result->verdict == VERDICT_PASS;
    for (int i = 0; i < count && result->findings.count < FINDINGS_MAX; i++) {
        if (!list[i].is_certain && !list[i].is_no_call && right) {
            continue;
        }
        struct judged_finding *finding = &result->findings.list[result->findings.count++];
        *finding = finding_of(&list[i], source);
        if (list[i].is_certain && result->verdict == VERDICT_PASS) {
            result->verdict = VERDICT_UNINITIALIZED;
            finding_headline(finding, result->file, result->why.headline);
        }
    }
}
