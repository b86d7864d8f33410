// See timed_expected.h.  Results of expected.c are fast if its outer loop is EACH, because a sample
// is enough, or if there are few elements.  Otherwise it is called with plain floats (or doubles)
// for `number`.  A kernel with the same bits is right; other bits prove nothing, and the real
// `number` decides.
#include "judge/speed/timed_expected.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "base/memory.h"
#include "base/pool.h"
#include "device/channel/protocol.h"
#include "judge/expected/expected_program.h"
#include "judge/model/inputs.h"
#include "judge/oracle/expected_check.h"

#define SAMPLES        1024
#define FEW_ELEMENTS   (UINT64_C(1) << 21)  // numbers for all of them take half a second
#define SECONDS_MAX    120                  // of processor time with `number`, for wrong kernels
#define SIDES_AND_ROOM 4.0  // each kernel may be off by a bound, other elements by twice that
#define PART_BYTES     (UINT64_C(1) << 20)

// The known facts about the launches with one kind of inputs.
struct timed_kind {
    struct draw_spec draw[PARAMETERS_MAX];
    struct expected_inputs inputs;
    bool is_open;      // the allowed difference of two right kernels is unknown: not compared
    bool is_verified;  // a launch of the reference was right
    double apart[PARAMETERS_MAX];  // allowed difference of an output's elements from the
                                   // reference's
};

struct timed_expected {
    const struct exercise *exercise;
    struct expected_program program;  // the program of the store, with more time
    struct arguments arguments;
    struct size size;
    bool is_sampled;  // the outer loop of expected.c is EACH
    bool is_long;     // not sampled, and many elements: plain values
    struct timed_kind kind[TIMED_INPUTS_COUNT];
};

// One launch as expected.c sees it.
struct output_judging {
    const struct timed_expected *expected;
    struct expected_case made;
    bool has_results, has_plain;
    bool is_undecided;  // rounding decides a comparison: nothing is known
};

static const struct signature *signature_of(const struct timed_expected *expected) {
    return &expected->exercise->signature;
}

static uint64_t elements_of(const struct timed_expected *expected, int i) {
    return parameter_elements(signature_of(expected), &signature_of(expected)->parameter[i],
                              expected->size);
}

static bool has_real_inputs(const struct timed_expected *expected, uint64_t *ret_elements) {
    const struct signature *signature = signature_of(expected);
    bool found = false;
    *ret_elements = 0;
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];
        if (parameter_is_input(parameter) && element_is_real(parameter->element)) {
            *ret_elements += elements_of(expected, i);
            found = true;
        }
    }
    return found;
}

// --- What expected.c says about a launch --------------------------------------------------------

static void judging_begin(struct output_judging *judging, const struct timed_expected *expected,
                          enum timed_inputs inputs, struct random_key key) {
    const struct expected_plan plan = {.program = &expected->program,
                                       .kind = inputs == TIMED_REAL ? INPUTS_REAL : INPUTS_EXACT,
                                       .key = key,
                                       .size = expected->size,
                                       .samples = expected->is_sampled ? SAMPLES : 0};
    *judging = (struct output_judging){.expected = expected};
    judging->made = expected_case_draw(&plan, &expected->kind[inputs].inputs);
}

static void judging_end(struct output_judging *judging) {
    expected_case_done(&judging->made);
}

static enum status results_need(struct output_judging *judging, struct error *err) {
    if (judging->has_results) {
        return STATUS_OK;
    }
    enum status status = expected_case_results(&judging->made, err);
    judging->has_results = !status;
    judging->is_undecided = !status && judging->made.results.notes[NOTE_UNDECIDED] > 0;
    return status;
}

// True if the outputs equal those of expected.c with plain values.  It is not an error if
// expected.c cannot run with plain values.
static bool are_values(struct output_judging *judging, const void *const after[PARAMETERS_MAX]) {
    if (judging->expected->is_long && !judging->has_plain) {
        judging->has_plain = !expected_case_plain(&judging->made, NULL);
    }
    return expected_plain_agree(&judging->made, after);
}

static enum status outputs_judge(struct output_judging *judging,
                                 const void *const after[PARAMETERS_MAX],
                                 struct expected_report *ret_report, struct error *err) {
    *ret_report = (struct expected_report){.verdict = VERDICT_PASS};
    if (are_values(judging, after)) {
        return STATUS_OK;
    }
    enum status status = results_need(judging, err);
    if (status || judging->is_undecided) {
        return status;
    }
    return expected_check(&judging->made, after, ret_report, err);
}

// The allowed difference of two right kernels in an output, from the bounds of the computed
// elements.
static double apart_of(const struct output_judging *judging, int parameter) {
    const struct timed_expected *expected = judging->expected;
    const struct parameter *declared = &signature_of(expected)->parameter[parameter];
    const struct expected_results *results = &judging->made.results;
    uint64_t elements = elements_of(expected, parameter);
    double most = 0;
    if (!judging->has_results || expected->program.is_check ||
        !element_is_real(declared->element)) {
        return 0;
    }
    const struct expected_result *result = expected_numbers(results, parameter);
    for (uint64_t e = expected_next(results, parameter, 0); e < elements;
         e = expected_after(results, parameter, e)) {
        most = fmax(most, result[e].bound);  // EXPECTED_EXACT is below 0
    }
    return SIDES_AND_ROOM * (most + judging->made.slack);
}

// --- The two kernels ----------------------------------------------------------------------------

struct comparing {
    const unsigned char *one, *other;
    enum element_type type;
    uint64_t elements;
    double apart;
    uint64_t first;  // the first element that differs; `elements` if none
};

static bool is_near(const struct comparing *comparing, uint64_t e) {
    double one = draw_value(comparing->type, comparing->one, e);
    double other = draw_value(comparing->type, comparing->other, e);
    return one == other || fabs(one - other) <= comparing->apart;
}

static void part_compare(void *context, int item) {
    struct comparing *comparing = context;
    const uint64_t bytes = element_bytes(comparing->type);
    const uint64_t part = PART_BYTES / bytes;
    uint64_t first = (uint64_t)item * part;
    uint64_t end = comparing->elements - first < part ? comparing->elements : first + part;
    if (memcmp(comparing->one + first * bytes, comparing->other + first * bytes,
               (end - first) * bytes) == 0) {
        return;
    }
    for (uint64_t e = first; e < end; e++) {
        bool same = memcmp(comparing->one + e * bytes, comparing->other + e * bytes, bytes) == 0;
        if (same || (element_is_real(comparing->type) && is_near(comparing, e))) {
            continue;
        }
        uint64_t before = __atomic_load_n(&comparing->first, __ATOMIC_RELAXED);
        while (e < before && !__atomic_compare_exchange_n(&comparing->first, &before, e, false,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        }
        return;
    }
}

// An output, and its element, in which the kernels differ by more than rounding explains.
struct difference {
    int parameter;  // PARAMETERS_MAX: there is none
    uint64_t element;
};

// The first one.
static struct difference difference_find(const struct timed_expected *expected,
                                         struct pool *readers, const struct timed_kind *kind,
                                         const void *const student[PARAMETERS_MAX],
                                         const void *const reference[PARAMETERS_MAX]) {
    for (int i = 0; i < PARAMETERS_MAX; i++) {
        if (!student[i] || !reference[i]) {
            continue;
        }
        struct comparing comparing = {.one = student[i],
                                      .other = reference[i],
                                      .type = signature_of(expected)->parameter[i].element,
                                      .elements = elements_of(expected, i),
                                      .apart = kind->apart[i]};
        const uint64_t part = PART_BYTES / element_bytes(comparing.type);
        const struct pool_phase phase = {part_compare,
                                         (int)((comparing.elements + part - 1) / part)};
        comparing.first = comparing.elements;
        pool_start(readers, &phase, 1, &comparing);
        pool_wait(readers);
        if (comparing.first < comparing.elements) {
            return (struct difference){i, comparing.first};
        }
    }
    return (struct difference){.parameter = PARAMETERS_MAX};
}

// A difference outside of the sample: the whole sample is right, and gives the allowed difference
// of two right kernels.
static void witness_report(const struct timed_expected *expected, struct difference difference,
                           const void *student, const void *reference,
                           struct expected_report *report) {
    const struct parameter *declared = &signature_of(expected)->parameter[difference.parameter];
    const uint64_t element = difference.element;
    char place[PARAMETER_NAME_BYTES + 80];
    parameter_place(signature_of(expected), declared, expected->size, element, place, sizeof place);
    report->parameter = difference.parameter;
    report->element = element;
    report->got = draw_value(declared->element, student, element);
    report->want = draw_value(declared->element, reference, element);
    report->wrong_count = 1;
    if (!parameter_is_input(declared) && expected_is_poison(declared->element, student, element)) {
        report->verdict = VERDICT_NOT_WRITTEN;
        words_write(report->evidence, sizeof report->evidence, _("%s was never written."), place);
        return;
    }
    report->verdict = VERDICT_WRONG_RESULT;
    words_write(report->evidence, sizeof report->evidence,
                _("%s is %.9g; the reference has %.9g for the same inputs, and rounding does not "
                  "explain the difference."),
                place, report->got, report->want);
}

// --- The interface ------------------------------------------------------------------------------

static void outputs_place(const struct timed_expected *expected, const char *outputs,
                          const void *ret_after[PARAMETERS_MAX]) {
    uint64_t at = 0;
    for (uint32_t i = 0; i < PARAMETERS_MAX; i++) {
        uint64_t bytes = timed_output_bytes(&expected->arguments, i);
        ret_after[i] = outputs && bytes > 0 ? outputs + at : NULL;
        at += bytes;
    }
}

static void report_add(const struct expected_report *report, struct run_outcome *outcome) {
    if (report->verdict != VERDICT_PASS) {
        run_outcome_add_outputs(outcome, report);
    }
}

// The first launch of a kind, whose reference provides the values for comparing the others.
static enum status reference_judge(struct output_judging *judging, struct timed_kind *kind,
                                   const void *const after[PARAMETERS_MAX],
                                   struct run_outcome *outcome, struct error *err) {
    struct expected_report report;
    enum status status = outputs_judge(judging, after, &report, err);
    if (status) {
        return status;
    }
    for (int i = 0; i < PARAMETERS_MAX; i++) {
        kind->apart[i] = after[i] ? apart_of(judging, i) : 0;
        kind->is_open = kind->is_open || !isfinite(kind->apart[i]);
    }
    kind->is_open = kind->is_open || judging->is_undecided;
    kind->is_verified = true;
    report_add(&report, outcome);
    return STATUS_OK;
}

static enum status student_judge(struct output_judging *judging, struct difference difference,
                                 const void *const student[PARAMETERS_MAX],
                                 const void *const reference[PARAMETERS_MAX],
                                 struct run_outcome *outcome, struct error *err) {
    struct expected_report report;
    enum status status = outputs_judge(judging, student, &report, err);
    if (!status && report.verdict == VERDICT_PASS && judging->expected->is_sampled &&
        !judging->is_undecided) {
        witness_report(judging->expected, difference, student[difference.parameter],
                       reference[difference.parameter], &report);
    }
    if (!status) {
        report_add(&report, outcome);
    }
    return status;
}

enum status timed_expected_check(struct timed_expected *expected, struct pool *readers,
                                 const struct timed_outputs *outputs,
                                 struct run_outcome *ret_student, struct run_outcome *ret_reference,
                                 struct error *err) {
    struct timed_kind *kind = &expected->kind[outputs->inputs];
    const void *student[PARAMETERS_MAX];
    const void *reference[PARAMETERS_MAX];
    struct output_judging judging = {.made = {.results = {.fd = -1}, .plain = {.fd = -1}}};
    struct difference difference = {.parameter = PARAMETERS_MAX};
    bool is_begun = false;
    enum status status = STATUS_OK;
    *ret_student = *ret_reference =
        (struct run_outcome){.verdict = VERDICT_PASS, .text_verdict = VERDICT_PASS};
    outputs_place(expected, outputs->student, student);
    outputs_place(expected, outputs->reference, reference);
    if (outputs->reference && !kind->is_verified && !kind->is_open) {
        judging_begin(&judging, expected, outputs->inputs, outputs->key);
        is_begun = true;
        status = reference_judge(&judging, kind, reference, ret_reference, err);
    }
    if (!status && !kind->is_open) {
        difference = difference_find(expected, readers, kind, student, reference);
    }
    if (difference.parameter < PARAMETERS_MAX && !is_begun) {
        judging_begin(&judging, expected, outputs->inputs, outputs->key);
    }
    if (difference.parameter < PARAMETERS_MAX && !status) {
        status = student_judge(&judging, difference, student, reference, ret_student, err);
    }
    judging_end(&judging);
    return status;
}

bool timed_expected_is_real_only(const struct timed_expected *expected) {
    return expected->kind[TIMED_EXACT].inputs.form == DRAW_STEPS &&
           !expected->kind[TIMED_REAL].is_open;
}

const struct draw_spec *timed_expected_draw(const struct timed_expected *expected,
                                            enum timed_inputs inputs) {
    return expected->kind[inputs].draw;
}

// The way in which exact inputs are drawn: as expected.c allows, which is tested if that is fast.
static enum status exact_choose(struct timed_expected *expected, struct random_key key,
                                const struct expected_case *small, struct error *err) {
    struct timed_kind *kind = &expected->kind[TIMED_EXACT];
    struct expected_case made;
    uint64_t elements = 0;
    const struct expected_plan plan = {.program = &expected->program,
                                       .kind = INPUTS_EXACT,
                                       .key = key,
                                       .size = expected->size,
                                       .samples = SAMPLES};
    kind->inputs =
        (struct expected_inputs){.form = small->form, .width = small->width, .wide = small->wide};
    if (!has_real_inputs(expected, &elements)) {
        return STATUS_OK;
    }
    if (expected->is_long || expected->program.is_check) {
        // For other functions than sums, expected.c finds out.
        kind->inputs.width = draw_width_of_sum(signature_of(expected), elements);
        return STATUS_OK;
    }
    enum status status = expected_case_make(&plan, &made, err);
    if (!status) {
        kind->inputs =
            (struct expected_inputs){.form = made.form, .width = made.width, .wide = made.wide};
        expected_case_done(&made);
    }
    return status;
}

// The first case of the exercise shows the kind of function.
static enum status choose(struct timed_expected *expected, struct random_key key,
                          struct error *err) {
    struct expected_case small;
    struct timed_kind *real = &expected->kind[TIMED_REAL];
    uint64_t elements = 0;
    const struct expected_plan plan = {.program = &expected->program,
                                       .kind = INPUTS_EXACT,
                                       .key = key,
                                       .size = expected->exercise->cases[0].size,
                                       .samples = SAMPLES};
    enum status status = expected_case_make(&plan, &small, err);
    if (status) {
        return status;
    }
    expected->is_sampled = small.results.each_loops > 0;
    for (int i = 0; i < signature_of(expected)->parameter_count; i++) {
        elements += elements_of(expected, i);
    }
    expected->is_long = !expected->is_sampled && elements > FEW_ELEMENTS;
    status = exact_choose(expected, key, &small, err);
    expected_case_done(&small);
    real->inputs = (struct expected_inputs){.form = DRAW_REAL, .wide = -1};
    // Nothing is known about a long sum of rounded numbers, and values are not exact.
    real->is_open =
        (expected->is_long || expected->program.is_check) && has_real_inputs(expected, &elements);
    for (int i = 0; i < TIMED_INPUTS_COUNT && !status; i++) {
        expected_specs(signature_of(expected), &expected->kind[i].inputs, expected->size,
                       expected->kind[i].draw);
    }
    return status;
}

static struct random_key key_of_choices(const struct judge_options *options,
                                        const struct exercise *exercise, struct size size) {
    char label[NAME_BYTES_MAX + SIZE_TEXT_MAX + 16];
    char text[SIZE_TEXT_MAX];
    size_format(size, text);
    (void)snprintf(label, sizeof label, "%s/timed-draw/%s", exercise->name, text);
    return random_key_make(options->seed, label);
}

enum status timed_expected_new(const struct judge_options *options, const struct exercise *exercise,
                               struct size size, struct timed_expected **ret_expected,
                               struct error *err) {
    const struct expected_program *program = NULL;
    if (exercise->signature.is_matmul) {
        return STATUS_OK;
    }
    struct timed_expected *expected = xcalloc(1, sizeof *expected);
    enum status status = expected_store_get(&options->machine, exercise, &program, err);
    if (!status) {
        expected->exercise = exercise;
        expected->program = *program;
        expected->program.seconds_max = SECONDS_MAX;
        expected->size = size;
        expected->arguments = arguments_of(&exercise->signature, size, NULL);
        status = choose(expected, key_of_choices(options, exercise, size), err);
    }
    if (status) {
        free(expected);
        return status;
    }
    *ret_expected = expected;
    return STATUS_OK;
}

void timed_expected_free(struct timed_expected *expected) {
    free(expected);
}
