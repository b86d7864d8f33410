// A warning is a fact about the file, and seldom the cause by itself.  So it is reported last, and
// not at all for a kernel that passes.
#include "judge/diagnose/diagnose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/text.h"
#include "device/compile/compiler_warnings.h"
#include "judge/model/judgement.h"
#include "judge/say/finding_text.h"

#define WARNINGS_MAX 40  // looked at
#define SAID_MAX     2
#define UNSET_MAX    8  // variables reported for one kernel

// How far a warning is from the mistake; FAR and beyond are reported only if nothing else is.
enum warning_distance { SAME_LINE, SAME_VARIABLE, IN_KERNEL, FAR, NOT_SAID };

// The report of a warning.
static const char *const sentences[] = {
    [WARNING_EMPTY_BODY] = N_("The compiler warns of line {line}: `{name}` ends at the `;` right "
                              "after it, so the next statement runs in any case."),
    [WARNING_ASSIGNED_TRUTH] =
        N_("The compiler warns of line {line}: `=` in a condition stores a value; `==` compares."),
    [WARNING_BIT_PRECEDENCE] = N_("The compiler warns of line {line}: a comparison binds more "
                                  "tightly than `&`, `|` and `^`, so it is computed first."),
    [WARNING_AND_IN_OR] = N_("The compiler warns of line {line}: `&&` binds more tightly than "
                             "`||`, so it is computed first."),
    [WARNING_CHAINED] = N_("The compiler warns of line {line}: of two comparisons in a row, as in "
                           "`a <= b < c`, the second compares the result of the first, 0 or 1."),
    [WARNING_EQUAL_SIDES] =
        N_("The compiler warns of line {line}: both sides of `&&` or `||` are the same."),
    [WARNING_UNSIGNED] = N_("The compiler warns of line {line}: the comparison always has the same "
                            "result, because an unsigned number is never below 0."),
    [WARNING_SAME_TRUTH] =
        N_("The compiler warns of line {line}: the comparison always has the same result."),
    [WARNING_COMMA_INDEX] = N_("The compiler warns of line {line}: in `[a, b]` the comma drops "
                               "the part before it, so that only the part after it is the index."),
    [WARNING_SHIFT_PRECEDENCE] = N_("The compiler warns of line {line}: `+` and `-` bind more "
                                    "tightly than `<<` and `>>`, so they are computed first."),
    [WARNING_NO_EFFECT] =
        N_("The compiler warns of line {line}: it computes a value and stores it nowhere."),
    [WARNING_NO_CALL] = N_("The compiler warns of line {line}: `{name}` without () is not a call."),
    [WARNING_DROPPED] =
        N_("The compiler warns of line {line}: the expression before the comma has no effect."),
    [WARNING_INDENTED] =
        N_("The compiler warns of line {line}: without { } only the first statement after `{name} "
           "(…)` belongs to it (a `;` alone is one), and line {other_line} does not."),
    [WARNING_DANGLING_ELSE] = N_("The compiler warns of line {line}: without { } an `else` belongs "
                                 "to the nearest `if` before it."),
    [WARNING_CHANGED_TWICE] =
        N_("The compiler warns of line {line}: `{name}` is changed in an expression that uses it "
           "again, and C++ does not say in which order."),
    [WARNING_NO_RETURN] = N_("The compiler warns of line {line}: a function that has a result can "
                             "end without `return`."),
    [WARNING_SHADOWED] =
        N_("The compiler warns of line {line}: it declares a second `{name}`, which hides the one "
           "of line {other_line} up to the next } of its level."),
    [WARNING_FRACTION_LOST] =
        N_("The compiler warns of line {line}: a floating-point number becomes a whole number, "
           "and its digits after the decimal point are lost."),
    [WARNING_UNUSED] = N_("The compiler warns of line {line}: nothing uses the variable `{name}`."),
    [WARNING_UNREAD] = N_("The compiler warns of line {line}: the value stored in the variable "
                          "`{name}` is never read."),
};

static void warning_say(const struct compiler_warning *warning, char *text) {
    const struct words_named values[] = {{.name = "line", .number = warning->line},
                                         {.name = "name", .text = warning->name},
                                         {.name = "other_line", .number = warning->other_line}};
    words_fill_sentence(text, ERROR_TEXT_MAX, sentences[warning->kind], values, COUNT(values));
}

// True if the source line contains the word.
static bool line_uses(const char *source, const char *word) {
    size_t length = strlen(word);
    for (const char *at = length > 0 ? strstr(source, word) : NULL; at; at = strstr(at + 1, word)) {
        if ((at == source || !text_is_word(at[-1])) && !text_is_word(at[length])) {
            return true;
        }
    }
    return false;
}

// cause: the finding that makes the verdict; NULL if there is none.
static enum warning_distance distance_of(const struct compiler_warning *warning,
                                         const struct judged_finding *cause, enum verdict verdict) {
    bool by_value = verdict == VERDICT_WRONG_RESULT || verdict == VERDICT_LOW_PRECISION;
    bool by_place = verdict == VERDICT_NOT_WRITTEN || verdict == VERDICT_OUT_OF_BOUNDS;
    if ((warning->kind >= WARNING_FIRST_WEAK && !by_value && !by_place) ||
        (warning->kind == WARNING_FRACTION_LOST && !by_value) ||
        (warning->kind == WARNING_NO_CALL && text_starts(warning->name, "__sync")) ||
        (cause && cause->value_count > 0 &&
         (warning->kind == WARNING_EMPTY_BODY || warning->kind == WARNING_SHADOWED))) {
        return NOT_SAID;  // or already reported, with values, in the finding about such a barrier
    }
    if (cause && (cause->finding.line == (uint32_t)warning->line ||
                  cause->finding.other_line == (uint32_t)warning->line)) {
        return SAME_LINE;
    }
    if (warning->kind >= WARNING_FIRST_WEAK) {
        return warning->is_in_kernel ? FAR : NOT_SAID;
    }
    if (cause && (line_uses(cause->shown.text, warning->name) ||
                  line_uses(cause->other_shown.text, warning->name))) {
        return SAME_VARIABLE;
    }
    return warning->is_in_kernel ? IN_KERNEL : FAR;
}

void run_warnings_add(const char *shown, const char *kernel, bool weak,
                      struct exercise_result *result) {
    struct compiler_warning list[WARNINGS_MAX];
    int count = diagnostics_warnings(shown, kernel, list, WARNINGS_MAX);
    struct judged_finding *first = result->findings.count > 0 ? &result->findings.list[0] : NULL;
    bool is_cause = first && finding_verdict(&first->finding) == result->verdict;
    char *text = is_cause ? first->message : result->why.detail;
    int said = 0;
    for (enum warning_distance distance = SAME_LINE; distance < NOT_SAID; distance++) {
        for (int i = 0; i < count && said < (distance == FAR ? 1 : SAID_MAX); i++) {
            bool left_out = list[i].kind >= WARNING_FIRST_WEAK && !weak;
            if (!left_out &&
                distance_of(&list[i], is_cause ? first : NULL, result->verdict) == distance) {
                warning_say(&list[i], text);
                said++;
            }
        }
    }
}

// --- Variables without a value -------------------------------------------------------------------

static void unset_words(const struct unset_variable *variable, struct judged_finding *finding) {
    bool certain = variable->is_certain;
    words_write(finding->clause, sizeof finding->clause,
                certain ? _("`%.63s` is read before it has a value")
                        : _("`%.63s` may be read before it has a value"),
                variable->name);
    words_write(finding->message, sizeof finding->message,
                certain ? _("The variable `%.63s` is read before it has a value: give it one "
                            "where it is declared.")
                        : _("The variable `%.63s` may be read before it has a value: give it "
                            "one where it is declared."),
                variable->name);
    (void)snprintf(finding->lesson, sizeof finding->lesson, "lessons/verdicts.md#uninitialized");
}

// Without a call there is no barrier; if that matters, it is a separate error.
static void no_call_words(const struct unset_variable *variable, struct judged_finding *finding) {
    finding->finding.kind = FINDING_BARRIER_DIVERGENCE;
    words_write(finding->clause, sizeof finding->clause, _("`%.63s` without () is not a call"),
                variable->name);
    words_write(finding->message, sizeof finding->message,
                _("`%.63s` without () is not a call: no thread waits there."), variable->name);
    (void)snprintf(finding->lesson, sizeof finding->lesson,
                   "lessons/verdicts.md#barrier_divergence");
}

static struct judged_finding finding_of(const struct unset_variable *variable,
                                        const struct submitted *source) {
    struct judged_finding finding = {
        .finding = {.kind = FINDING_UNINITIALIZED,
                    .severity = variable->is_certain ? SEVERITY_ERROR : SEVERITY_WARNING,
                    .array = ARRAY_NONE,
                    .count = 1,
                    .line = (uint32_t)variable->line},
        .device = DEVICE_EMU,
        .shown.column = (uint32_t)variable->column};
    (variable->is_no_call ? no_call_words : unset_words)(variable, &finding);
    submitted_line(source->text, source->bytes, (unsigned)variable->line, finding.shown.text,
                   sizeof finding.shown.text);
    return finding;
}

// Adds the messages of the CPU device's compiler to a finished list of findings.  A certain mistake
// is an error, and changes the verdict of a kernel that has passed so far.  A possible false alarm
// is a warning, reported only if the kernel is wrong anyway, and not if other terms explain its
// sums: an unset variable would have spoilt them.
static void unset_add(const char *diagnostics, const struct submitted *source, bool explained,
                      struct exercise_result *result) {
    struct unset_variable list[UNSET_MAX];
    char kernel[KERNEL_BYTES_MAX];
    exercise_kernel_name(result->exercise, kernel);
    int count = diagnostics_unset(diagnostics, kernel, list, UNSET_MAX);
    bool right = result->verdict == VERDICT_PASS;
    for (int i = 0; i < count && result->findings.count < FINDINGS_MAX; i++) {
        if (!list[i].is_certain && !list[i].is_no_call && (right || explained)) {
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

void run_uninitialized_add(const char *shown, const struct submitted *source, bool explained,
                           struct exercise_result *result) {
    if (!shown) {
        return;
    }
    int before = result->findings.count;
    unset_add(shown, source, explained, result);
    free(result->why.diagnostics);
    result->why.diagnostics = NULL;
    // Warnings are shown only if no finding is the cause; then the compiler's words repeat them.
    bool has_cause = before > 0 && result->findings.list[0].finding.severity == SEVERITY_ERROR;
    if (!explained && (result->findings.count == before || has_cause)) {
        result->why.diagnostics = diagnostics_uninitialized(shown);
    }
}
