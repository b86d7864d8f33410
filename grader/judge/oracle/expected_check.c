// Judges the outputs of a launch, and reports what is wrong with them: see expected_check.h.
#include "judge/oracle/expected_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "base/memory.h"

#define PLACE_BYTES 80
#define WHICH_BYTES 256
#define VALUE_BYTES 32

static void seen_begin(const struct expected_case *made, int parameter, const void *values,
                       struct output_seen *seen) {
    const struct signature *signature = made->plan.program->signature;
    seen_init(seen, signature, made->plan.size, parameter, values);
    seen->made = made;
    for (int i = 0; i < signature->parameter_count; i++) {
        seen->input[i] = made->values[i];
    }
}

// Compares an output; the caller frees seen->state.
static void look(const struct expected_case *made, int parameter, const void *values,
                 struct output_seen *seen) {
    seen_begin(made, parameter, values, seen);
    uint8_t *state = xmalloc(seen->elements);
    seen->state = state;
    memset(state, ELEMENT_NOT_SAMPLED, seen->elements);
    bool is_sampled = made->plan.samples > 0;
    for (uint64_t e = is_sampled ? expected_next(&made->results, parameter, 0) : 0;
         e < seen->elements;
         e = is_sampled ? expected_after(&made->results, parameter, e) : e + 1) {
        state[e] = (uint8_t)expected_compare(made, parameter, values, e);
        seen->sampled += state[e] != ELEMENT_NOT_SAMPLED;
        if (seen_is_wrong(seen, e)) {
            seen_add(seen, e);
        }
    }
}

static void value_text(double value, char text[VALUE_BYTES]) {
    if (isnan(value)) {
        (void)snprintf(text, VALUE_BYTES, "NaN");
    } else if (isinf(value)) {
        (void)snprintf(text, VALUE_BYTES, "%sInf", value < 0 ? "-" : "");
    } else {
        (void)snprintf(text, VALUE_BYTES, "%.9g", value);
    }
}

// Reports only the elements that were never written.
static void unwritten_narrow(struct output_seen *seen, uint8_t *state) {
    seen->wrong = 0;
    for (uint64_t e = 0; e < seen->elements; e++) {
        if (state[e] == ELEMENT_WRONG) {
            state[e] = ELEMENT_RIGHT;
        } else if (state[e] == ELEMENT_UNWRITTEN) {
            seen_add(seen, e);
        }
    }
}

static void unwritten_report(const struct output_seen *seen, struct expected_report *report) {
    char place[PLACE_BYTES];
    char which[WHICH_BYTES];
    seen_place(seen, seen->first, place, sizeof place);
    report->is_pattern = seen_where(seen, which, sizeof which);
    report->verdict = VERDICT_NOT_WRITTEN;
    words_write(report->evidence, sizeof report->evidence,
                _("%s was never written (not written: %s)."), place, which);
    report->explained = EXPLAINED_TERMS;
}

static void wrong_report(const struct output_seen *seen, struct expected_report *report) {
    char place[PLACE_BYTES];
    char which[WHICH_BYTES];
    char got[VALUE_BYTES];
    char want[VALUE_BYTES];
    double bound = 0;
    (void)expected_want(seen->made, seen->parameter, seen->first, &bound);
    seen_place(seen, seen->first, place, sizeof place);
    report->is_pattern = seen_where(seen, which, sizeof which);
    value_text(report->got, got);
    value_text(report->want, want);
    report->verdict = VERDICT_WRONG_RESULT;
    if (bound > 0) {
        words_write(report->evidence, sizeof report->evidence,
                    _("%s is %s and should be %s; rounding, in any order, can explain at most %.2g "
                      "(wrong: %s)."),
                    place, got, want, bound, which);
    } else {
        words_write(report->evidence, sizeof report->evidence,
                    _("%s is %s and should be %s (wrong: %s)."), place, got, want, which);
    }
    if (seen->made->plan.kind > INPUTS_REAL || seen->made->plan.no_cause) {
        return;  // the values decide, so which terms are missing was not the question
    }
    report->of_old_value = seen_is_of_old_value(seen);
    report->explained = seen_hypotheses(seen, report->cause, sizeof report->cause);
    if (report->explained == EXPLAINED_NOTHING && !seen->made->plan.no_trials) {
        seen_missing_input(seen, &report->explained, report->cause, sizeof report->cause);
    }
    bool is_open = report->explained <= EXPLAINED_ALL_TERMS;  // "all are 0" has its own cause
    if (is_open && !seen->made->plan.no_trials) {
        seen_reordered_input(seen, &report->explained, report->cause, sizeof report->cause);
    }
    is_open = is_open && report->explained != EXPLAINED_PLACES;
    if (is_open && !seen->made->plan.no_trials) {
        seen_other_operation(seen, &report->explained, report->cause, sizeof report->cause);
    }
    if (report->explained == EXPLAINED_NOTHING &&
        seen_copied_input(seen, report->cause, sizeof report->cause)) {
        report->explained = EXPLAINED_ALL_TERMS;
    }
    const char *few = report->explained == EXPLAINED_NOTHING ? seen_few_bits(seen) : NULL;
    if (few) {
        report->verdict = VERDICT_LOW_PRECISION;
        report->explained = EXPLAINED_ALL_TERMS;
        words_write(report->cause, sizeof report->cause, "%s", few);
    }
}

// Adds an output to the report: an element that was never written comes before a wrong one, and an
// earlier output before a later one.
static void output_add(struct output_seen *seen, struct expected_report *report) {
    uint64_t unwritten = 0;
    for (uint64_t e = 0; e < seen->elements; e++) {
        unwritten += seen->state[e] == ELEMENT_UNWRITTEN;
    }
    report->compared += seen->sampled;
    report->wrong_count += seen->wrong;
    report->unwritten_count += unwritten;
    bool is_told = report->verdict == VERDICT_NOT_WRITTEN ||
                   (report->verdict != VERDICT_PASS && unwritten == 0);
    if (seen->wrong == 0 || is_told) {
        return;
    }
    if (unwritten > 0) {
        unwritten_narrow(seen, seen->state);
    }
    report->parameter = seen->parameter;
    report->element = seen->first;
    report->got = seen_got(seen, seen->first);
    report->want = seen_want(seen, seen->first);
    report->cause[0] = '\0';
    if (unwritten > 0) {
        report->is_untouched = unwritten == seen->elements;
        unwritten_report(seen, report);
        return;
    }
    wrong_report(seen, report);
}

// An element that the check function refuses; `said` is its own sentence, or "".
static void refused_report(const struct output_seen *seen, uint64_t element, const char *said,
                           struct expected_report *report) {
    char place[PLACE_BYTES];
    char got[VALUE_BYTES];
    seen_place(seen, element, place, sizeof place);
    report->element = element;
    report->got = seen_got(seen, element);
    report->wrong_count = 1;
    value_text(report->got, got);
    if (!parameter_is_input(seen->declared) &&
        expected_is_unwritten(seen->made, seen->parameter, seen->values, element)) {
        report->verdict = VERDICT_NOT_WRITTEN;
        report->unwritten_count = 1;
        words_write(report->evidence, sizeof report->evidence, _("%s was never written."), place);
    } else if (said[0] != '\0') {
        report->verdict = VERDICT_WRONG_RESULT;
        words_write(report->evidence, sizeof report->evidence,
                    _("%s is %s, which is not a right result: %s"), place, got, said);
    } else {
        report->verdict = VERDICT_WRONG_RESULT;
        words_write(
            report->evidence, sizeof report->evidence,
            _("%s is %s, which is not a right result: the check of the exercise refuses it."),
            place, got);
    }
}

// True if nothing at all was written to an output.
static bool is_untouched(const struct output_seen *seen) {
    uint64_t e = 0;
    while (e < seen->elements && !parameter_is_input(seen->declared) &&
           expected_is_unwritten(seen->made, seen->parameter, seen->values, e)) {
        e++;
    }
    return seen->elements > 0 && e == seen->elements;
}

// The verdict of expected.c's check function about the outputs.
static enum status refusal_check(const struct expected_case *made, const void *const *after,
                                 struct expected_report *report, struct error *err) {
    const struct signature *signature = made->plan.program->signature;
    struct expected_arguments arguments = {.size = made->plan.size, .key = made->key};
    struct expected_results results;
    int output = 0;
    while (!parameter_is_output(&signature->parameter[output])) {
        output++;
    }
    for (int i = 0; i < signature->parameter_count; i++) {
        arguments.values[i] = made->values[i];
        arguments.after[i] = after[i];
    }
    enum status status = expected_run(made->plan.program, &arguments, &results, err);
    if (status) {
        return status;
    }
    struct output_seen seen;
    seen_begin(made, output, after[output], &seen);
    report->compared = seen.elements;
    report->parameter = output;
    if ((results.why[0] != '\0' || results.refused != 0) && is_untouched(&seen)) {
        refused_report(&seen, 0, results.said, report);
    } else if (results.why[0] != '\0') {
        report->verdict = VERDICT_WRONG_RESULT;
        words_write(report->evidence, sizeof report->evidence,
                    _("The check of the result fails with these values: %s"), results.why);
    } else if (results.refused > 0 && (uint64_t)results.refused <= seen.elements) {
        refused_report(&seen, (uint64_t)results.refused - 1, results.said, report);
    } else if (results.refused != 0 && results.said[0] != '\0') {
        report->verdict = VERDICT_WRONG_RESULT;
        words_write(report->evidence, sizeof report->evidence, _("%s is not a right result: %s"),
                    seen.declared->name, results.said);
    } else if (results.refused != 0) {
        report->verdict = VERDICT_WRONG_RESULT;
        words_write(report->evidence, sizeof report->evidence,
                    _("%s is not a right result: the check of the exercise refuses it."),
                    seen.declared->name);
    }
    expected_results_done(&results);
    return STATUS_OK;
}

enum status expected_check(struct expected_case *made, const void *const *after,
                           struct expected_report *ret_report, struct error *err) {
    const struct signature *signature = made->plan.program->signature;
    struct expected_report report = {.verdict = VERDICT_PASS};
    bool is_check = made->plan.program->is_check;
    bool is_plain = !is_check && expected_plain_agree(made, after);
    enum status status = is_check   ? refusal_check(made, after, &report, err)
                         : is_plain ? STATUS_OK
                                    : expected_case_complete(made, err);
    for (int i = 0; !status && !is_check && i < signature->parameter_count; i++) {
        struct output_seen seen;
        if (is_plain && parameter_is_output(&signature->parameter[i])) {
            report.compared +=
                parameter_elements(signature, &signature->parameter[i], made->plan.size);
            continue;
        }
        if (!parameter_is_output(&signature->parameter[i])) {
            continue;
        }
        look(made, i, after[i], &seen);
        output_add(&seen, &report);
        free(seen.state);
    }
    if (!status) {
        *ret_report = report;
    }
    return status;
}
