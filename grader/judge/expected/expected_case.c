// Draws the inputs of a case, computes its results, and compares elements: see expected_case.h.
// Inputs are tried from the widest to the narrowest, until every partial sum stays in the exact
// range.
#include "judge/expected/expected_case.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/memory.h"
#include "base/words.h"

#define REDRAWS_MAX     8           // redraws if rounding decides a comparison
#define TIES_BITS       3           // so few that some values in a row are equal
#define WIDE_MIN        16          // fewer wide elements than this prove little
#define LARGE_ELEMENTS  (1u << 20)  // with fewer inputs none may be 0
#define ZEROS_SHARE_MIN 0x1p-10     // with more, at least this share must not be 0
#define SHARE_LEFT      0.9         // of the room that is left for wide elements
#define PROBE_SAMPLES   16          // enough outputs to show, usually, that all wide is too wide
#define WIDTH_SAMPLES   64          // enough to choose how wide inputs are
#define PLAIN_WORK_MIN  4096        // numbers for less work take a millisecond or less
#define SUM_ELEMENTS    (1u << 16)  // a sum of more is first tried with the width of a sum
#define SUM_NUMBERS     (1u << 20)  // up to these, numbers prove that it fits
#define SLACK_ROUNDINGS 32.0        // of the sums that a kernel may subtract: see slack_of

static const struct parameter *parameter_at(const struct expected_case *made, int i) {
    return &made->plan.program->signature->parameter[i];
}

static int parameter_count(const struct expected_case *made) {
    return made->plan.program->signature->parameter_count;
}

static uint64_t elements_of(const struct expected_case *made, int i) {
    return parameter_elements(made->plan.program->signature, parameter_at(made, i),
                              made->plan.size);
}

// The elements that made->values has.
static uint64_t elements_kept(const struct expected_case *made, int i) {
    const uint64_t period = made->plan.period_bytes / element_bytes(parameter_at(made, i)->element);
    return period > 0 && period < elements_of(made, i) ? period : elements_of(made, i);
}

static void values_reserve(struct expected_case *made) {
    for (int i = 0; i < parameter_count(made); i++) {
        const struct parameter *parameter = parameter_at(made, i);
        if (!parameter_is_array(parameter) ||
            (made->plan.period_bytes > 0 && parameter_is_output(parameter))) {
            continue;
        }
        uint64_t bytes = elements_kept(made, i) * element_bytes(parameter->element);
        made->values[i] = xmalloc(bytes > 0 ? bytes : 1);
        if (!parameter_is_input(parameter)) {
            expected_output_poison(made, i);
        }
    }
}

static void inputs_draw(struct expected_case *made) {
    struct expected_inputs inputs = {.form = made->form, .width = made->width, .wide = made->wide};
    inputs.exponent = made->exponent;
    inputs.scale = made->scale;
    inputs.is_sparse = made->plan.kind == INPUTS_SPARSE;
    inputs.range = made->plan.range;
    struct draw_spec spec[PARAMETERS_MAX];
    expected_specs(made->plan.program->signature, &inputs, made->plan.size, spec);
    for (int i = 0; i < parameter_count(made); i++) {
        if (parameter_is_input(parameter_at(made, i))) {
            if (made->form == DRAW_EQUAL && made->wide == i) {
                spec[i].pattern = draw_element(&spec[i], made->key.word[0], made->key.word[1], 0);
                spec[i].way = DRAW_SAME;
            }
            draw_elements(&spec[i], made->key, 0, elements_kept(made, i), made->values[i]);
        }
    }
}

static enum status function_call(const struct expected_case *made, bool is_plain,
                                 struct expected_results *ret_results, struct error *err) {
    struct expected_arguments arguments = {.size = made->plan.size,
                                           .period_bytes = made->plan.period_bytes,
                                           .samples = is_plain ? 0 : made->plan.samples,
                                           .key = made->key,
                                           .picks = made->plan.picks,
                                           .is_plain = is_plain};
    for (int i = 0; i < parameter_count(made); i++) {
        arguments.values[i] = made->values[i];
    }
    return expected_run(made->plan.program, &arguments, ret_results, err);
}

// The largest sum of magnitudes of the results.
static double magnitude_of(const struct expected_case *made) {
    double most = 0;
    for (int i = 0; i < parameter_count(made); i++) {
        const struct parameter *parameter = parameter_at(made, i);
        if (!parameter_is_output(parameter) || !element_is_real(parameter->element)) {
            continue;
        }
        const struct expected_result *result = expected_numbers(&made->results, i);
        uint64_t elements = elements_of(made, i);
        for (uint64_t e = expected_next(&made->results, i, 0); e < elements;
             e = expected_after(&made->results, i, e)) {
            most = isfinite(result[e].magnitude) && result[e].magnitude > most ? result[e].magnitude
                                                                               : most;
        }
    }
    return most;
}

// Outputs without EACH share sums: the sum before a part may be that up to its end, less its own.
static bool shares_sums(const struct expected_case *made) {
    uint64_t outputs = 0;
    for (int i = 0; i < parameter_count(made); i++) {
        outputs += parameter_is_output(parameter_at(made, i)) ? elements_of(made, i) : 0;
    }
    return made->results.each_loops == 0 && outputs > 1;
}

// An own sum is in at most SLACK_ROUNDINGS sums before it is subtracted, each as large as any.
static double slack_of(const struct expected_case *made) {
    const double roundoff = expected_is_double(made->plan.program->signature) ? 0x1p-53 : 0x1p-24;
    const bool is_rounded = made->form != DRAW_EXACT && made->form != DRAW_STEPS;
    return is_rounded && shares_sums(made) ? SLACK_ROUNDINGS * roundoff * magnitude_of(made) : 0;
}

// Draws the inputs and calls the function.
static enum status try_once(struct expected_case *made, struct error *err) {
    expected_results_done(&made->results);
    inputs_draw(made);
    enum status status = made->plan.program->is_check
                             ? STATUS_OK  // it judges outputs and computes none
                             : function_call(made, false, &made->results, err);
    made->slack = status || made->plan.program->is_check ? 0 : slack_of(made);
    return status;
}

static bool fits(const struct expected_case *made) {
    return made->results.notes[NOTE_OVERFLOWS] == 0;
}

// Chooses one input array of numbers, by the key, whose values are wide; -1 if there is only one.
static int32_t wide_choose(const struct expected_case *made) {
    int32_t candidates[PARAMETERS_MAX];
    uint32_t count = 0;
    for (int i = 0; i < parameter_count(made); i++) {
        const struct parameter *parameter = parameter_at(made, i);
        if (parameter_is_input(parameter) && element_is_real(parameter->element)) {
            candidates[count++] = i;
        }
    }
    return count < 2 ? -1 : candidates[random_below(made->key, STREAM_ROWS, count)];
}

// The elements of the inputs that may be wide.
static uint64_t wide_elements(const struct expected_case *made) {
    uint64_t elements = 0;
    for (int i = 0; i < parameter_count(made); i++) {
        if (parameter_is_input(parameter_at(made, i)) && (made->wide < 0 || made->wide == i)) {
            elements += elements_of(made, i);
        }
    }
    return elements;
}

// Tries widths from a share of wide elements down to none; fewer than WIDE_MIN of them prove
// little.
static enum status share_try(struct expected_case *made, int bits, double share,
                             struct error *err) {
    for (int i = 0; i < 3 && share * (double)wide_elements(made) >= WIDE_MIN; i++, share /= 4) {
        made->width = (struct draw_width){.bits = bits, .wide = fmin(share, 1), .some = 1};
        enum status status = try_once(made, err);
        if (status || fits(made)) {
            return status;
        }
    }
    return STATUS_OK;
}

// Sums of more than 2^24 terms have room for zeros only, at secret places.
static enum status zeros_try(struct expected_case *made, double some, struct error *err) {
    for (; some >= ZEROS_SHARE_MIN; some /= 2) {
        made->width = (struct draw_width){.bits = 1, .wide = 0, .some = some};
        enum status status = try_once(made, err);
        if (status || fits(made)) {
            return status;
        }
    }
    return STATUS_OK;
}

// Makes the inputs narrower until every partial sum is exact.  `all` is the largest sum of
// magnitudes with all elements wide, which is too much.
static enum status narrow(struct expected_case *made, double all, struct error *err) {
    const double limit = expected_is_double(made->plan.program->signature) ? 0x1p53 : 0x1p24;
    const int bits = expected_is_double(made->plan.program->signature) ? 30 : 12;
    made->width = (struct draw_width){.bits = 1, .wide = 0, .some = 1};
    enum status status = try_once(made, err);
    if (status) {
        return status;
    }
    double none = magnitude_of(made);
    if (!fits(made)) {
        return wide_elements(made) < LARGE_ELEMENTS
                   ? STATUS_OK
                   : zeros_try(made, fmin(0.5, SHARE_LEFT * limit / none), err);
    }
    status =
        share_try(made, bits, all > none ? SHARE_LEFT * (limit - none) / (all - none) : 0, err);
    // Products of wide elements leave no room for any wide element, so all of them get fewer bits.
    for (int b = bits - 1; !status && !fits(made) && b > 0; b--) {
        made->width = (struct draw_width){.bits = b, .wide = 1, .some = 1};
        status = try_once(made, err);
    }
    return status;
}

static enum status overflow_report(const struct expected_case *made, struct error *err) {
    const struct expected_program *program = made->plan.program;
    int line = expected_line(program, made->results.note_pc[NOTE_OVERFLOWS]);
    char place[PATH_BYTES_MAX + 16];
    (void)snprintf(place, sizeof place, line > 0 ? "%s:%d" : "%s", program->path, line);
    return fail(err, STATUS_BAD_DATA,
                "%s: leaves the range in which whole numbers are exact (2^%d), at size %s, even "
                "if all inputs are -1, 0 or 1: make this size smaller, or the constants in this "
                "line",
                place, expected_is_double(made->plan.program->signature) ? 53 : 24, made->size);
}

// Whether the function has exponentials or comparisons, which decide how inputs are drawn.
static bool has_notes(const struct expected_case *made) {
    return made->results.notes[NOTE_EXPONENTIAL] > 0 || made->results.notes[NOTE_COMPARED] > 0;
}

// Tries all arrays wide; or, if some outputs show that this is too wide, only the chosen array.
static enum status widest_try(struct expected_case *made, int32_t chosen, struct error *err) {
    made->plan.samples = PROBE_SAMPLES;
    enum status status = try_once(made, err);
    made->plan.samples = 0;
    if (status || made->results.each_loops == 0 || made->results.notes[NOTE_EXPONENTIAL] > 0) {
        return status;  // these were all outputs, if there is no loop over them, or inputs change
    }
    made->wide = fits(made) || has_notes(made) ? -1 : chosen;
    status = try_once(made, err);
    if (!status && made->wide == chosen && has_notes(made)) {
        made->wide = -1;
        status = try_once(made, err);
    }
    return status;
}

static enum status exact_make(struct expected_case *made, struct error *err) {
    made->form = DRAW_EXACT;
    made->width = (struct draw_width){.bits = 30, .wide = 1, .some = 1};
    made->wide = -1;
    made->key = made->plan.key;
    if (made->plan.like) {
        made->form = made->plan.like->form;
        made->width = made->plan.like->width;
        made->wide = made->plan.like->wide;
    }
    const int32_t chosen = wide_choose(made);
    const bool is_probed = !made->plan.like && made->plan.samples == 0 && chosen >= 0;
    enum status status = is_probed ? widest_try(made, chosen, err) : try_once(made, err);
    if (!status && made->plan.like && !fits(made)) {
        made->plan.like = NULL;
        return exact_make(made, err);
    }
    const bool has_steps = made->results.notes[NOTE_EXPONENTIAL] > 0;
    const bool has_ties = !made->plan.like && made->results.notes[NOTE_COMPARED] > 0 &&
                          random_below(made->key, STREAM_ROWS + 1, 2) == 0;
    if (!status && (has_steps || has_ties)) {
        // Exponentials of whole numbers are rounded; those of two far values are 0 or 1.
        made->form = has_steps ? DRAW_STEPS : made->form;
        // A kernel must be right for equal values too.
        made->width.bits = has_ties ? TIES_BITS : made->width.bits;
        status = try_once(made, err);
    }
    if (!status && !fits(made) && chosen >= 0 && made->wide != chosen) {
        made->wide = chosen;
        status = try_once(made, err);
    }
    if (!status && !fits(made)) {
        status = narrow(made, magnitude_of(made), err);
    }
    if (!status && !fits(made)) {
        status = overflow_report(made, err);
    }
    return status;
}

static enum status undecided_report(const struct expected_case *made, struct error *err) {
    const struct expected_program *program = made->plan.program;
    int line = expected_line(program, made->results.note_pc[NOTE_UNDECIDED]);
    return fail(err, STATUS_BAD_DATA,
                "%s:%d: rounding decides this comparison at size %s, so right kernels may differ: "
                "compare inputs, not sums, or write a check function instead",
                program->path, line, made->size);
}

// Draws inputs until rounding decides no comparison.
static enum status decided_make(struct expected_case *made, struct error *err) {
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < REDRAWS_MAX; i++) {
        made->key = made->plan.key;
        made->key.word[1] ^= random_at(made->plan.key, STREAM_ROWS + i) * (i > 0);
        status = try_once(made, err);
        if (status || made->results.notes[NOTE_UNDECIDED] == 0) {
            return status;
        }
    }
    return undecided_report(made, err);
}

// The next element of an output to examine; with samples, an element that may be one of them.
static uint64_t next_of(const struct expected_case *made, int parameter, uint64_t e) {
    return made->plan.samples > 0 ? expected_after(&made->results, parameter, e) : e + 1;
}

// Every output must have a value, and be a number.
static enum status outputs_check(const struct expected_case *made, int parameter,
                                 struct error *err) {
    const struct parameter *output = parameter_at(made, parameter);
    const struct expected_program *program = made->plan.program;
    uint64_t elements = elements_of(made, parameter);
    bool is_number = element_is_real(output->element);
    uint64_t decided = 0;
    const uint64_t begin = made->plan.samples > 0 ? expected_next(&made->results, parameter, 0) : 0;
    for (uint64_t e = begin; e < elements; e = next_of(made, parameter, e)) {
        bool is_computed = true;
        if (is_number) {
            const struct expected_result *result = &expected_numbers(&made->results, parameter)[e];
            is_computed = result->bound != 0 || parameter_is_input(output);
            decided += isfinite(result->bound);
            bool is_nan = isnan(result->value) && made->plan.kind != INPUTS_SPECIAL;
            if (is_nan || isnan(result->bound)) {
                return fail(err, STATUS_BAD_DATA,
                            "%s: %s[%" PRIu64 "] is not a number (NaN) at size %s: does it divide "
                            "0 by 0, or take the root or logarithm of a negative number? [inputs] "
                            "of exercise.ini can keep inputs positive",
                            program->path, output->name, e, made->size);
            }
        } else {
            uint64_t bytes = element_bytes(output->element);
            const unsigned char *first = expected_wholes(&made->results, parameter, 0);
            const unsigned char *second = expected_wholes(&made->results, parameter, 1);
            is_computed = memcmp(first + e * bytes, second + e * bytes, bytes) == 0;
            decided++;
        }
        if (!is_computed && made->plan.samples == 0) {
            return fail(err, STATUS_BAD_DATA,
                        "%s: does not set %s[%" PRIu64 "] at size %s: every element of an output "
                        "needs a value",
                        program->path, output->name, e, made->size);
        }
    }
    if (decided == 0 && elements > 0 && made->plan.samples == 0) {
        return fail(err, STATUS_BAD_DATA,
                    "%s: so many roundings follow each other at size %s that any value of %s would "
                    "do: make this size smaller",
                    program->path, made->size, output->name);
    }
    return STATUS_OK;
}

static enum status results_check(const struct expected_case *made, struct error *err) {
    enum status status =
        made->results.notes[NOTE_UNDECIDED] > 0 ? undecided_report(made, err) : STATUS_OK;
    for (int i = 0; !status && i < parameter_count(made); i++) {
        if (parameter_is_output(parameter_at(made, i)) && !made->plan.program->is_check) {
            status = outputs_check(made, i, err);
        }
    }
    return status;
}

// --- Large cases: plain values, and numbers only if a kernel has others --------------------------

enum status expected_case_plain(struct expected_case *made, struct error *err) {
    expected_results_done(&made->plain);
    return made->plan.program->has_plain
               ? function_call(made, true, &made->plain, err)
               : fail(err, STATUS_UNAVAILABLE, "%s needs numbers", made->plan.program->path);
}

// A function that sums up its inputs: their width follows from their number.  Up to SUM_NUMBERS
// elements this is proved.  False: the case is not such a function, or other inputs are needed.
static bool sum_make(struct expected_case *made) {
    uint64_t elements = 0;
    made->form = DRAW_EXACT;
    made->key = made->plan.key;
    made->wide = -1;
    for (int i = 0; i < parameter_count(made); i++) {
        const struct parameter *parameter = parameter_at(made, i);
        bool is_real = parameter_is_input(parameter) && element_is_real(parameter->element);
        elements += is_real ? elements_of(made, i) : 0;
    }
    made->width = draw_width_of_sum(made->plan.program->signature, elements > 0 ? elements : 1);
    if (elements > 0 && elements <= SUM_NUMBERS) {
        return !try_once(made, NULL) && fits(made) && !results_check(made, NULL);
    }
    expected_results_done(&made->results);
    inputs_draw(made);
    made->is_begun = !expected_case_plain(made, NULL);
    return made->is_begun;
}

// Chooses inputs by some outputs, and computes all of them as plain values.
static bool each_make(struct expected_case *made) {
    made->plan.samples = WIDTH_SAMPLES;
    bool good =
        !exact_make(made, NULL) && made->results.each_loops > 0 && !results_check(made, NULL);
    made->plan.samples = 0;
    // Numbers must tell whether rounding decides a comparison, unless inputs are compared alone.
    good = good && (made->form == DRAW_STEPS || made->results.notes[NOTE_COMPARED] == 0);
    made->is_begun = good && !expected_case_plain(made, NULL);
    return made->is_begun;
}

// The exponent of a unit in a large case, so that fixed point and fixed limits show.
#define UNIT_EXPONENT (-36)

// True if all inputs may be multiplied by the same number.
static bool may_scale(const struct expected_case *made) {
    bool may = made->plan.is_large;
    for (int i = 0; i < parameter_count(made); i++) {
        const struct parameter *parameter = parameter_at(made, i);
        may = may && (!parameter_is_input(parameter) ||
                      (parameter->draw.is_usual && element_is_real(parameter->element) &&
                       !element_is_small(parameter->element)));
    }
    return may;
}

// True if the case needs no numbers for all outputs, or has them.
static bool plain_make(struct expected_case *made) {
    const struct expected_plan *plan = &made->plan;
    const struct expected_program *program = plan->program;
    const bool is_sum = program->memo && expected_memo_is_sum(program->memo);
    const bool is_exact = plan->kind == INPUTS_EXACT || plan->kind == INPUTS_SPARSE;
    bool wanted = program->has_plain && is_exact && plan->samples == 0 && !plan->like &&
                  signature_work(program->signature, plan->size) >= PLAIN_WORK_MIN;
    return wanted &&
           (is_sum ? wide_elements(made) > SUM_ELEMENTS && sum_make(made) : each_make(made));
}

// --- Other reals: what a kernel must be right for besides the usual inputs -----------------------

static const int exponents[] = {100, 50, 30, 10};  // of BINADES, until nothing can overflow

// Arrays of numbers whose values are not restricted to a range.  Halves have few binades, and what
// tensor cores do with sums of many is not in the bound.
static bool has_any_values(const struct expected_case *made) {
    bool found = false;
    for (int i = 0; i < parameter_count(made); i++) {
        const struct parameter *parameter = parameter_at(made, i);
        if (!parameter_is_array(parameter)) {
            continue;
        }
        found = found || (parameter_is_input(parameter) && parameter->draw.is_usual);
        if (element_is_small(parameter->element)) {
            return false;
        }
    }
    return found;
}

static enum status equal_make(struct expected_case *made, struct error *err) {
    int32_t candidates[PARAMETERS_MAX];
    uint32_t count = 0;
    for (int i = 0; i < parameter_count(made); i++) {
        const struct parameter *parameter = parameter_at(made, i);
        if (parameter_is_input(parameter) && element_is_real(parameter->element) &&
            parameter->draw.order != DRAW_SORTED) {
            candidates[count++] = i;
        }
    }
    made->form = DRAW_EQUAL;
    made->wide = count == 0 ? -1 : candidates[random_below(made->plan.key, STREAM_ROWS + 2, count)];
    return count == 0 ? STATUS_UNAVAILABLE : decided_make(made, err);
}

// Sums and products alone; quotients and functions would leave the ranges of their arguments.  The
// largest shared sum would hide the others, so exponents are equal, and large at an even size.
static enum status binades_make(struct expected_case *made, struct error *err) {
    const uint64_t *notes = made->results.notes;
    enum status status = has_any_values(made) ? STATUS_OK : STATUS_UNAVAILABLE;
    made->form = DRAW_MANY;
    for (size_t i = 0; !status && i < COUNT(exponents); i++) {
        made->exponent = exponents[i];
        made->scale = 0;
        status = decided_make(made, err);
        if (!status && shares_sums(made)) {
            made->exponent = 0;
            made->scale = made->plan.size.m % 2 == 0 ? exponents[i] : -exponents[i];
            status = decided_make(made, err);
        }
        if (!status && notes[NOTE_HUGE] == 0) {
            return notes[NOTE_FUNCTION] == 0 ? STATUS_OK : STATUS_UNAVAILABLE;
        }
    }
    return STATUS_UNAVAILABLE;
}

// Enough that a loop over a size adds up more than two elements.
static bool is_of_threes(const struct expected_case *made) {
    bool good = true;
    for (int d = 0; d < made->plan.program->signature->size_count; d++) {
        good = good && made->plan.size.at[d] >= 3;
    }
    return good;
}

// What copies elements, or adds two: sums of more may be compensated, and products be split.
static enum status special_make(struct expected_case *made, struct error *err) {
    const uint64_t *notes = made->results.notes;
    enum status status =
        has_any_values(made) && is_of_threes(made) ? STATUS_OK : STATUS_UNAVAILABLE;
    made->form = DRAW_ODDITY;
    made->key = made->plan.key;
    for (made->exponent = 1; !status && made->exponent >= 0; made->exponent--) {
        status = try_once(made, err);
        if (!status && (made->results.each_loops == 0 || notes[NOTE_FUNCTION] > 0 ||
                        notes[NOTE_COMPARED] > 0 || notes[NOTE_MORE] > 0)) {
            return STATUS_UNAVAILABLE;
        }
        if (!status && (made->exponent == 0 || notes[NOTE_TWO] == 0)) {
            return STATUS_OK;
        }
    }
    return STATUS_UNAVAILABLE;
}

// Inputs of our own choice are no mistake of the course: where no bound is proved for them, there
// is no case.
static enum status other_make(struct expected_case *made, struct error *err) {
    enum status status = STATUS_UNAVAILABLE;
    made->wide = -1;
    if (!made->plan.program->is_check) {
        status = made->plan.kind == INPUTS_EQUAL     ? equal_make(made, NULL)
                 : made->plan.kind == INPUTS_SPARSE  ? exact_make(made, NULL)
                 : made->plan.kind == INPUTS_BINADES ? binades_make(made, NULL)
                                                     : special_make(made, NULL);
    }
    if (status || results_check(made, NULL)) {
        return fail(err, STATUS_UNAVAILABLE, "size %s: no bound is proved for %s inputs",
                    made->size, inputs_kind_name(made->plan.kind));
    }
    return STATUS_OK;
}

// Finds inputs, computes the results and checks them.
static enum status case_compute(struct expected_case *made, struct error *err) {
    made->scale = may_scale(made) ? UNIT_EXPONENT : 0;
    bool is_made = plain_make(made);
    if (!is_made && made->scale != 0) {
        made->scale = 0;  // sums are not exact with another unit
        is_made = plain_make(made);
    }
    if (is_made) {
        return STATUS_OK;
    }
    if (made->plan.kind > INPUTS_REAL) {
        return other_make(made, err);
    }
    made->form = DRAW_REAL;
    made->wide = -1;
    enum status status =
        made->plan.kind == INPUTS_EXACT ? exact_make(made, err) : decided_make(made, err);
    if (!status) {
        status = results_check(made, err);
    }
    return status;
}

enum status expected_case_complete(struct expected_case *made, struct error *err) {
    enum status status = made->is_begun ? expected_case_results(made, err) : STATUS_OK;
    if (!status && made->is_begun) {
        made->is_begun = false;
        status = results_check(made, err);
    }
    return status;
}

enum status expected_case_make(const struct expected_plan *plan, struct expected_case *ret_case,
                               struct error *err) {
    struct expected_memo *memo = plan->program->is_check ? NULL : plan->program->memo;
    struct expected_case made = {.plan = *plan, .results = {.fd = -1}, .plain = {.fd = -1}};
    size_format(plan->size, made.size);
    enum status status = STATUS_OK;
    values_reserve(&made);
    if (memo && expected_memo_find(memo, &made)) {
        inputs_draw(&made);
    } else {
        status = case_compute(&made, err);
        if (!status && memo) {
            expected_memo_add(memo, &made);
        }
    }
    if (status) {
        expected_case_done(&made);
        return status;
    }
    *ret_case = made;
    return STATUS_OK;
}

struct expected_case expected_case_draw(const struct expected_plan *plan,
                                        const struct expected_inputs *inputs) {
    struct expected_case made = {.plan = *plan,
                                 .form = inputs->form,
                                 .width = inputs->width,
                                 .wide = inputs->wide,
                                 .exponent = inputs->exponent,
                                 .scale = inputs->scale,
                                 .key = plan->key,
                                 .results = {.fd = -1},
                                 .plain = {.fd = -1}};
    size_format(plan->size, made.size);
    values_reserve(&made);
    inputs_draw(&made);
    return made;
}

enum status expected_case_results(struct expected_case *made, struct error *err) {
    expected_results_done(&made->results);
    return made->plan.program->is_check ? STATUS_OK
                                        : function_call(made, false, &made->results, err);
}

void expected_case_done(struct expected_case *made) {
    for (int i = 0; i < PARAMETERS_MAX; i++) {
        free(made->values[i]);
        made->values[i] = NULL;
    }
    expected_results_done(&made->results);
    expected_results_done(&made->plain);
}

static const struct parameter *compared_parameter(const struct expected_case *made, int i) {
    return &made->plan.program->signature->parameter[i];
}

// True for an element of an inout array that expected.c leaves unchanged.
static bool is_left(const struct expected_case *made, int parameter, uint64_t element) {
    return made->plan.samples == 0 && parameter_is_input(compared_parameter(made, parameter)) &&
           expected_numbers(&made->results, parameter)[element].bound == 0;
}

double expected_want(const struct expected_case *made, int parameter, uint64_t element,
                     double *ret_bound) {
    enum element_type type = compared_parameter(made, parameter)->element;
    *ret_bound = 0;
    if (!element_is_real(type)) {
        return draw_value(type, expected_wholes(&made->results, parameter, 0), element);
    }
    const struct expected_result *result = &expected_numbers(&made->results, parameter)[element];
    const bool is_rounded = result->bound != 0 && result->bound != EXPECTED_COPY;
    *ret_bound = fmax(result->bound, 0) + (is_rounded ? made->slack : 0);
    return is_left(made, parameter, element) ? draw_value(type, made->values[parameter], element)
                                             : result->value;
}

static bool is_computed(const struct expected_case *made, int parameter, uint64_t element) {
    enum element_type type = compared_parameter(made, parameter)->element;
    if (element_is_real(type)) {
        double bound = expected_numbers(&made->results, parameter)[element].bound;
        return (bound != 0 && isfinite(bound)) || is_left(made, parameter, element);
    }
    uint64_t bytes = element_bytes(type);
    const unsigned char *first = expected_wholes(&made->results, parameter, 0);
    const unsigned char *second = expected_wholes(&made->results, parameter, 1);
    return memcmp(first + element * bytes, second + element * bytes, bytes) == 0;
}

bool expected_is_right(const struct expected_case *made, int parameter, uint64_t element,
                       const void *value) {
    enum element_type type = compared_parameter(made, parameter)->element;
    double bound = 0;
    if (!element_is_real(type)) {
        const uint64_t bytes = element_bytes(type);
        const unsigned char *wanted = expected_wholes(&made->results, parameter, 0);
        return memcmp(wanted + element * bytes, value, bytes) == 0 ||
               expected_rounds_to(&made->results, parameter, element, value);
    }
    double want = expected_want(made, parameter, element, &bound);
    double got = draw_value(type, value, 0);
    bool is_copy = expected_numbers(&made->results, parameter)[element].bound == EXPECTED_COPY;
    if (isnan(want)) {
        return isnan(got) && !expected_is_poison(type, value, 0);
    }
    // In sums, -0 is 0; an infinite result has no distance.
    return got == want ? !is_copy || signbit(got) == signbit(want) : fabs(got - want) <= bound;
}

enum element_state expected_compare(const struct expected_case *made, int parameter,
                                    const void *values, uint64_t element) {
    if (!is_computed(made, parameter, element)) {
        return ELEMENT_NOT_SAMPLED;
    }
    const uint64_t bytes = element_bytes(compared_parameter(made, parameter)->element);
    if (expected_is_right(made, parameter, element, (const char *)values + element * bytes)) {
        return ELEMENT_RIGHT;
    }
    bool is_output = !parameter_is_input(compared_parameter(made, parameter));
    return is_output && expected_is_unwritten(made, parameter, values, element) ? ELEMENT_UNWRITTEN
                                                                                : ELEMENT_WRONG;
}

// Whole numbers that expected.c has not set differ between its two runs.
static bool is_plainly_right(const struct expected_case *made, int parameter, const void *after) {
    const enum element_type type = compared_parameter(made, parameter)->element;
    const uint64_t elements = elements_of(made, parameter);
    const uint64_t bytes = elements * element_bytes(type);
    const void *plain = expected_raw(&made->plain, parameter);
    bool good = memcmp(after, plain, bytes) == 0;
    if (!element_is_real(type)) {
        return good && memcmp(plain, expected_wholes(&made->plain, parameter, 1), bytes) == 0;
    }
    for (uint64_t e = 0; good && e < elements; e++) {
        good = !isnan(draw_value(type, after, e));
    }
    return good;
}

bool expected_plain_agree(const struct expected_case *made, const void *const *after) {
    bool good = made->plain.memory != NULL;
    for (int i = 0; good && i < parameter_count(made); i++) {
        good = !parameter_is_output(parameter_at(made, i)) || !after[i] ||
               is_plainly_right(made, i, after[i]);
    }
    return good;
}
