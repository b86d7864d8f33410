// Makes the repeated inputs, asks for a part of a launch, and judges what its blocks have stored:
// see part_cases.h.
#include "judge/run/part_cases.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/memory.h"
#include "judge/model/inputs.h"
#include "judge/model/judgement.h"
#include "judge/run/large_cases.h"

#define PART_STEPS       2000000.0  // accesses of all blocks that run: some 20 ms
#define PART_BLOCK_STEPS 2.0        // times as many, if it is only one block …
#define PART_TURNS_STEPS 4.0  // … or if it has DEPTH_LEAST terms, as one that takes many turns
#define PART_BEGIN       4000000ull     // accesses of a block that takes longer
#define SMALL_WORK       (1ull << 24)   // multiply-adds; there are whole cases about as large
#define WHOLE_WORK       (1ull << 28)   // multiply-adds that run whole if they are requested …
#define WHOLE_OTHER      (1ull << 25)   // … or elements and operations of another exercise
#define DEPTH_UNIT       64             // K that is made smaller keeps its rest in this …
#define DEPTH_LEAST      32             // … or is this
#define ELEMENTS_MAX     (50ull << 20)  // of a product, which may have any size …
#define ELEMENTS_OTHER   (1ull << 30)   // … and of another exercise
#define DEEPEST          16384          // sums of more terms would not be exact
#define FEW              0.75           // of the elements that so many blocks should store
#define SLIGHT           0.01           // of those of a block
#define HALF             0.5
#define LEAST            1e-7
#define ALL_STEPS        250000000.0  // accesses of all blocks, which run because of that
#define SHALLOW          4            // terms of their sums

// An array repeats after so many elements: pages, of which no index error is likely to be a
// multiple.
#define PAGE_BYTES   4096u
#define PERIOD_BYTES (257u * PAGE_BYTES)

#define EXACT_BITS     24
#define VALUE_BITS     15     // of odd numbers, at most; the others are 1 or -1
#define UNIT_EXPONENT  (-36)  // as in expected_case.c
#define SAMPLES        256    // elements of a product that are judged, and as many ends of rows
#define SAMPLES_PICKED 32     // … and of another output: ends, and as many other places
#define NOTED_EACH     61     // one stored element in so many is noted, besides ends of rows
#define CHUNK_BYTES    (1u << 16)
#define PLACE_BYTES    80

// An input: its values, and its elements as the kernel reads them.
struct period {
    uint64_t count;
    int16_t *value;
    void *elements;
};

// Odd numbers of so many bits, times 2 to the power of `scale`.
static struct period period_make(const struct argument *argument, int bits, int scale,
                                 struct random_key key, uint64_t stream) {
    const struct draw_spec spec = {.way = DRAW_ODD,
                                   .low = -1,
                                   .high = 1,
                                   .wide = 1,
                                   .some = 1,
                                   .digits = element_digits(ELEMENT_FLOAT),
                                   .one_bytes = (int)argument->one_bytes,
                                   .bits = bits};
    struct period period = {.count = PERIOD_BYTES / argument->one_bytes};
    period.value = xmalloc(period.count * sizeof *period.value);
    period.elements = xmalloc(PERIOD_BYTES);
    for (uint64_t i = 0; i < period.count; i++) {
        double value = draw_odd(&spec, random_at(key, stream + i));
        draw_word element = draw_bits_of(&spec, ldexp(value, scale));
        period.value[i] = (int16_t)value;
        memcpy((char *)period.elements + i * argument->one_bytes, &element, argument->one_bytes);
    }
    return period;
}

static void period_done(struct period *period) {
    free(period->value);
    free(period->elements);
}

// A part of a launch: its inputs, and what its blocks have stored, as far as it has been judged.
struct part {
    struct size size;
    bool is_product;
    struct period a, b;         // of a product …
    int scale;                  // … whose unit is 2 to the power of this
    struct expected_case made;  // of another exercise
    struct expected_picks picks[EXPECTED_LOOPS_MAX];
    bool is_open;  // expected.c cannot compute some outputs alone
    bool has_all;  // all blocks have run
    int output;    // the parameter, whose shape is …
    int rank;
    uint64_t extent[PARAMETER_RANK_MAX];
    uint8_t *has_place[PARAMETER_RANK_MAX];  // [extent], of two dimensions or more
    uint64_t stored, edges, judged, wrong;
    bool has_unstored;     // an output has elements that no block has stored …
    int unstored_output;   // … the first such output …
    uint64_t unstored[2];  // … the first such element, and the last one
    bool is_unwritten;     // all blocks ran, and this one is not 0 in a right output:
    uint64_t unwritten;
    uint64_t step, edge_step;  // one in so many is judged
    uint64_t first;            // the first wrong element, of first_output
    int first_output;
    double got, want;
};

static double want_of_product(const struct part *part, uint64_t element) {
    const uint64_t k = (uint64_t)part->size.k;
    const uint64_t n = (uint64_t)part->size.n;
    uint64_t at_a = element / n * k % part->a.count;
    uint64_t at_b = element % n % part->b.count;
    int64_t sum = 0;
    for (uint64_t i = 0; i < k; i++) {
        sum += part->a.value[at_a] * part->b.value[at_b];
        at_a = at_a + 1 == part->a.count ? 0 : at_a + 1;
        at_b = (at_b + n) % part->b.count;
    }
    return ldexp((double)sum, part->scale);
}

static void element_judge(struct part *part, uint64_t element, const float *value) {
    double bound = 0;
    const bool is_right = part->is_product
                              ? (double)*value == want_of_product(part, element)
                              : expected_is_right(&part->made, part->output, element, value);
    part->judged++;
    if (!is_right && part->wrong++ == 0) {
        part->first = element;
        part->first_output = part->output;
        part->got = (double)*value;
        part->want = part->is_product ? want_of_product(part, element)
                                      : expected_want(&part->made, part->output, element, &bound);
    }
}

// Adds a place to those of the loops with so many iterations, in order, if there is room.
static void pick_add(struct expected_picks picks[EXPECTED_LOOPS_MAX], int64_t iterations,
                     int32_t place) {
    int i = 0;
    while (i < EXPECTED_LOOPS_MAX && picks[i].count > 0 && picks[i].iterations != iterations) {
        i++;
    }
    if (i == EXPECTED_LOOPS_MAX || picks[i].count == EXPECTED_PICKS_MAX) {
        return;
    }
    struct expected_picks *of = &picks[i];
    uint32_t at = 0;
    while (at < of->count && of->at[at] < place) {
        at++;
    }
    of->iterations = iterations;
    if (at == of->count || of->at[at] != place) {
        memmove(&of->at[at + 1], &of->at[at], (of->count - at) * sizeof *of->at);
        of->at[at] = place;
        of->count++;
    }
}

// Begins with an output.
static void output_begin(struct part *part, const struct signature *signature, int output) {
    const struct parameter *declared = &signature->parameter[output];
    part->output = output;
    part->rank = declared->rank;
    for (int d = 0; d < part->rank; d++) {
        part->extent[d] = parameter_extent(signature, declared, d, part->size);
        free(part->has_place[d]);
        part->has_place[d] =
            part->is_product || part->rank == 1 ? NULL : xcalloc(1, part->extent[d]);
    }
}

// Notes the places of a stored element, one in each dimension.
static void places_note(struct part *part, uint64_t element) {
    for (int d = part->rank - 1; d >= 0; d--) {
        part->has_place[d][element % part->extent[d]] = 1;
        element /= part->extent[d];
    }
}

// Has expected.c compute an element.  Which of its loops is over which dimension is not known, so
// each loop takes the places of all dimensions that are as long.
static void element_pick(struct part *part, uint64_t element) {
    for (int d = part->rank - 1; d >= 0; d--) {
        pick_add(part->picks, (int64_t)part->extent[d], (int32_t)(element % part->extent[d]));
        element /= part->extent[d];
    }
}

// The same for the ends of what was stored, in each dimension, and for places between them.
static void places_pick(struct part *part, int d) {
    const uint64_t extent = part->extent[d];
    const uint8_t *has = part->has_place[d];
    uint64_t step[2] = {1, 1};  // one in so many of the ends, and of the others
    for (int pass = 0; pass < 2; pass++) {
        uint64_t count[2] = {0};
        for (uint64_t p = 0; p < extent; p++) {
            const bool is_inner = p > 0 && p + 1 < extent && has[p - 1] && has[p + 1];
            if (has[p] && pass == 1 && count[is_inner] % step[is_inner] == 0) {
                pick_add(part->picks, (int64_t)extent, (int32_t)p);
            }
            count[is_inner] += has[p];
        }
        step[0] = count[0] / SAMPLES_PICKED + 1;
        step[1] = count[1] / SAMPLES_PICKED + 1;
    }
}

static void unstored_note(struct part *part, uint64_t first, uint64_t count) {
    if (count > 0 && !(part->has_unstored && part->unstored_output != part->output)) {
        part->unstored[0] = part->has_unstored ? part->unstored[0] : first;
        part->unstored[1] = first + count - 1;
        part->unstored_output = part->output;
        part->has_unstored = true;
    }
}

static bool is_stored(const float *value) {
    uint32_t bits = 0;
    memcpy(&bits, value, sizeof bits);
    return bits != 0;
}

// What to do with elements that begin at `first`.  Few right elements are 0, so 0 stands for an
// element that was not stored.
typedef void stored_visit(struct part *part, uint64_t first, const float *values, uint64_t count);

// Counts elements and ends of rows, and notes their places, or judges or picks one in `step`.
static void elements_visit(struct part *part, uint64_t first, const float *values, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        if (!is_stored(&values[i])) {
            unstored_note(part, first + i, 1);
            continue;
        }
        const bool is_edge =
            i == 0 || i + 1 == count || !is_stored(&values[i - 1]) || !is_stored(&values[i + 1]);
        const bool is_due = part->step > 0 && (part->stored % part->step == 0 ||
                                               (is_edge && part->edges % part->edge_step == 0));
        part->stored++;
        part->edges += is_edge;
        if (part->has_place[0] && (is_edge || part->stored % NOTED_EACH == 0)) {
            places_note(part, first + i);
        } else if (is_due && part->is_product) {
            element_judge(part, first + i, &values[i]);
        } else if (is_due) {
            element_pick(part, first + i);
        }
    }
}

// Judges the elements that expected.c has computed.
static void computed_visit(struct part *part, uint64_t first, const float *values, uint64_t count) {
    const struct expected_results *results = &part->made.results;
    const struct expected_result *result = expected_numbers(results, part->output);
    for (uint64_t e = expected_next(results, part->output, first); e < first + count;
         e = expected_after(results, part->output, e)) {
        if (result[e].bound != 0 && isfinite(result[e].bound) && is_stored(&values[e - first])) {
            element_judge(part, e, &values[e - first]);
        }
    }
}

// Visits all elements of an output that the blocks may have stored.
static enum status stored_read(const struct run_worker *worker, const struct arguments *arguments,
                               stored_visit *visit, struct part *part, struct error *err) {
    const struct argument *output = &arguments->list[part->output];
    const uint64_t end = output->at + output->bytes;
    struct session_extent extent = {output->at, 0};
    float *chunk = xmalloc(CHUNK_BYTES);
    enum status status = STATUS_OK;
    for (uint64_t at = output->at; at < end && !status;) {
        if (extent.bytes == 0) {
            extent = session_data(&worker->session, at, end, &extent)
                         ? extent
                         : (struct session_extent){end, 0};
            unstored_note(part, (at - output->at) / sizeof *chunk,
                          (extent.at - at) / sizeof *chunk);
            at = extent.at;
            continue;
        }
        const uint64_t bytes = extent.bytes < CHUNK_BYTES ? extent.bytes : CHUNK_BYTES;
        status = session_read(&worker->session, at, chunk, bytes, err);
        if (!status) {
            visit(part, (at - output->at) / sizeof *chunk, chunk, bytes / sizeof *chunk);
        }
        at += bytes;
        extent.bytes -= bytes;
    }
    free(chunk);
    return status;
}

// The first pass counts, the second judges or picks.
static enum status output_judge(const struct run_worker *worker, const struct arguments *arguments,
                                struct part *part, uint64_t *ret_stored, struct error *err) {
    const uint64_t samples = part->is_product ? SAMPLES : SAMPLES_PICKED;
    part->step = part->edge_step = part->stored = part->edges = 0;
    enum status status = stored_read(worker, arguments, elements_visit, part, err);
    *ret_stored = part->stored;
    if (part->has_all) {
        return status;  // the stored elements of some blocks were right
    }
    for (int d = 0; d < part->rank && part->has_place[0] && !status; d++) {
        places_pick(part, d);
    }
    part->step = part->stored / samples + 1;
    part->edge_step = part->edges / samples + 1;
    part->stored = part->edges = 0;
    return status || part->has_place[0] ? status
                                        : stored_read(worker, arguments, elements_visit, part, err);
}

// True if the element is known and not 0 in a right output.
static bool has_value(const struct part *part, uint64_t element) {
    double bound = 0;
    if (part->is_product) {
        return want_of_product(part, element) != 0.0;
    }
    const struct expected_result *result =
        &expected_numbers(&part->made.results, part->unstored_output)[element];
    return result->bound != 0 && isfinite(result->bound) &&
           fabs(expected_want(&part->made, part->unstored_output, element, &bound)) > bound;
}

// All blocks have run: looks for an element that none of them has written.
static void unstored_judge(struct part *part) {
    for (int i = 0; i < 2 && part->has_unstored && !part->is_unwritten; i++) {
        part->is_unwritten = has_value(part, part->unstored[i]);
        part->unwritten = part->unstored[i];
    }
}

// Has expected.c compute what was picked, and judges it.
static enum status picked_judge(const struct run_worker *worker, const struct arguments *arguments,
                                struct part *part, struct error *err) {
    const struct signature *signature = part->made.plan.program->signature;
    part->made.plan.picks = part->picks;
    enum status status = expected_case_results(&part->made, err);
    part->is_open |= !status && part->made.results.notes[NOTE_UNDECIDED] > 0;
    for (int i = 0; i < signature->parameter_count && !part->is_open && !status; i++) {
        if (parameter_is_output(&signature->parameter[i])) {
            output_begin(part, signature, i);
            status = stored_read(worker, arguments, computed_visit, part, err);
        }
    }
    return status;
}

// *ret_share: elements that were stored, of all elements of the outputs.
static enum status part_judge(const struct run_worker *worker, const struct arguments *arguments,
                              struct part *part, double *ret_share, struct error *err) {
    const struct signature *signature = &worker->program->exercise->signature;
    enum status status = STATUS_OK;
    double elements = 0.0;
    double all = 0.0;
    for (int i = 0; i < signature->parameter_count && !status; i++) {
        uint64_t stored = 0;
        if (parameter_is_output(&signature->parameter[i])) {
            output_begin(part, signature, i);
            status = output_judge(worker, arguments, part, &stored, err);
            elements += (double)stored;
            all += (double)parameter_elements(signature, &signature->parameter[i], part->size);
        }
    }
    *ret_share = elements / all;
    for (int i = 0; i < 2 && part->has_all && part->has_unstored && !part->is_product; i++) {
        output_begin(part, signature, part->unstored_output);
        element_pick(part, part->unstored[i]);
    }
    if (!status && !part->is_product) {
        status = picked_judge(worker, arguments, part, err);
    }
    if (!status && part->has_all && !part->is_open) {
        unstored_judge(part);
    }
    return status;
}

static void part_write(const struct part *part, const struct signature *signature,
                       struct run_outcome *outcome) {
    char place[PLACE_BYTES];
    char text[ERROR_TEXT_MAX];
    if (part->is_unwritten) {
        parameter_place(signature, &signature->parameter[part->unstored_output], part->size,
                        part->unwritten, place, sizeof place);
        words_write(text, sizeof text, _("%s was never written: no block stores it."), place);
        run_outcome_add(outcome, VERDICT_NOT_WRITTEN, text);
        return;
    }
    parameter_place(signature, &signature->parameter[part->first_output], part->size, part->first,
                    place, sizeof place);
    words_write(text, sizeof text,
                _("%s is %.9g and should be %.9g (wrong: %" PRIu64 " of %" PRIu64
                  " elements that a few blocks have stored)."),
                place, part->got, part->want, part->wrong, part->judged);
    run_outcome_add(outcome, VERDICT_WRONG_RESULT, text);
}

// Places the periods of long inputs and whole other arrays one behind the other.
static void arguments_place(struct arguments *arguments) {
    uint64_t end = 0;
    for (uint32_t i = 0; i < arguments->count; i++) {
        struct argument *argument = &arguments->list[i];
        const bool repeats = argument->kind == ARGUMENT_ARRAY && argument->is_input &&
                             argument->bytes > PERIOD_BYTES;
        const uint64_t pages = (argument->bytes + PAGE_BYTES - 1) / PAGE_BYTES;
        argument->at = end;
        argument->period = repeats ? PERIOD_BYTES : 0;
        end += repeats ? PERIOD_BYTES : pages * PAGE_BYTES;
    }
}

// One factor has all bits with which a sum of K is exact, so a format with fewer shows; the other
// one is 1 or -1.
static void product_make(const struct planned_case *planned, const struct arguments *arguments,
                         struct part *part, const void *ret_elements[ARGUMENTS_MAX]) {
    const bool is_narrow = planned->precision != PRECISION_FP32;  // half has no such exponents
    const bool is_a = random_at(planned->key, UINT64_MAX) & 1;
    int bits = is_narrow ? element_digits(ELEMENT_HALF) : VALUE_BITS;
    while (((uint64_t)planned->size.k << bits) > 1u << EXACT_BITS) {
        bits--;
    }
    part->scale = is_narrow ? 0 : UNIT_EXPONENT;
    part->a = period_make(&arguments->list[ARRAY_A], is_a ? bits : 1, part->scale, planned->key, 0);
    part->b =
        period_make(&arguments->list[ARRAY_B], is_a ? 1 : bits, 0, planned->key, part->a.count);
    ret_elements[ARRAY_A] = part->a.elements;
    ret_elements[ARRAY_B] = part->b.elements;
}

// Inputs are drawn as for the first case of the exercise.
static enum status other_make(const struct run_program *program, const struct planned_case *planned,
                              struct part *part, const void *ret_elements[ARGUMENTS_MAX],
                              struct error *err) {
    const struct exercise *exercise = program->exercise;
    struct expected_case small;
    struct expected_plan plan = {.kind = INPUTS_EXACT,
                                 .key = planned->key,
                                 .size = exercise->cases[0].size,
                                 .is_large = true};
    enum status status = expected_store_get(program->machine, exercise, &plan.program, err);
    status = status ? status : expected_case_make(&plan, &small, err);
    if (status) {
        return status;
    }
    // Of two values far apart, most results are 0.
    const enum draw_form form = small.form == DRAW_STEPS ? DRAW_REAL : small.form;
    const struct expected_inputs inputs = {
        .form = form, .width = small.width, .wide = small.wide, .scale = small.scale};
    part->is_open = plan.program->is_check || small.results.each_loops == 0;
    expected_case_done(&small);
    plan.size = planned->size;
    plan.samples = SAMPLES_PICKED;
    plan.period_bytes = PERIOD_BYTES;
    part->made = expected_case_draw(&plan, &inputs);
    for (int i = 0; i < PARAMETERS_MAX; i++) {
        ret_elements[i] = part->made.values[i];
    }
    return STATUS_OK;
}

static void part_done(struct part *part) {
    period_done(&part->a);
    period_done(&part->b);
    for (int d = 0; d < PARAMETER_RANK_MAX; d++) {
        free(part->has_place[d]);
    }
    if (!part->is_product) {
        expected_case_done(&part->made);
    }
}

static struct request request_of(const struct run_program *program,
                                 const struct planned_case *planned) {
    const struct signature *signature = &program->exercise->signature;
    const bool has_all = planned->part_blocks == PART_ALL;
    const uint64_t budget = has_all             ? 2 * (uint64_t)ALL_STEPS
                            : planned->is_begun ? PART_BEGIN
                                                : LARGE_STEPS;
    const struct run_limits limits =
        run_limits_of(DEVICE_EMU, signature, planned->size, program->patience);
    struct request request = {.size = planned->size,
                              .arguments = arguments_of(signature, planned->size, &program->report),
                              .flags = REQUEST_PART | (has_all ? 0 : REQUEST_CHECK),
                              .sample_draw = random_at(planned->key, 0),
                              .processes = 1,
                              .part_blocks = planned->part_blocks,
                              .threads_max = program->report.threads_max,
                              .time_ms_max = limits.time_ms,
                              .access_budget = budget < limits.accesses ? budget : limits.accesses};
    arguments_place(&request.arguments);
    return request;
}

// Of a block that was to run only in part, its end is no finding.  False: there is no other one.
static bool begun_has_findings(struct answer *answer) {
    struct findings *findings = &answer->findings;
    bool found = false;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < findings->count; i++) {
        if (findings->list[i].kind != FINDING_TIME_LIMIT) {
            found = found || findings->list[i].severity == SEVERITY_ERROR;
            findings->list[kept++] = findings->list[i];
        }
    }
    findings->count = kept;
    return found;
}

// True if blocks have stored so few elements that others may never be: much less than their share,
// or, if the last block has not stored the last element, half a block or a little of one less.
static bool are_few(const struct part *part, double blocks, double run, double share) {
    const double missing = fmin(blocks, run) - share * blocks;
    uint64_t elements = 1;
    for (int d = 0; d < part->rank; d++) {
        elements *= part->extent[d];
    }
    const bool lacks_end = part->has_unstored && part->unstored_output == part->output &&
                           part->unstored[1] + 1 == elements;
    return missing > (1 - FEW) * fmin(blocks, run) ||
           (lacks_end && (missing > HALF || (missing > LEAST && missing < SLIGHT)));
}

// *ret_few: see are_few.
static enum status part_run(struct run_worker *worker, const struct planned_case *planned,
                            struct run_outcome *ret_outcome, bool *ret_few, struct error *err) {
    const struct run_program *program = worker->program;
    const struct signature *signature = &program->exercise->signature;
    const struct request request = request_of(program, planned);
    struct part part = {.size = planned->size,
                        .is_product = signature->is_matmul,
                        .has_all = planned->part_blocks == PART_ALL,
                        .made = {.results = {.fd = -1}, .plain = {.fd = -1}}};
    struct run_outcome outcome = {
        .verdict = VERDICT_PASS, .text_verdict = VERDICT_PASS, .left_out = true};
    const void *elements[ARGUMENTS_MAX] = {NULL};
    enum status status = STATUS_OK;
    if (part.is_product) {
        product_make(planned, &request.arguments, &part, elements);
    } else {
        status = other_make(program, planned, &part, elements, err);
    }
    struct run_reply *reply = xcalloc(1, sizeof *reply);
    struct answer *answer = &reply->answer;
    *ret_few = false;
    if (!status && !part.is_open) {
        status = run_worker_launch(worker, &request, elements, reply, err);
    }
    const bool answered = !status && !part.is_open && reply->fate == FATE_ANSWERED;
    if (answered && (answer->is_apart || answer->end == RUN_BAD_LAUNCH)) {
        run_patience_spend(program->patience, DEVICE_EMU, run_accesses_ms(answer->steps));
        outcome.left_out =
            planned->is_begun && answer->end == RUN_STOPPED && !begun_has_findings(answer);
    }
    if (!outcome.left_out) {
        run_outcome_of_reply(reply, program, &outcome);
    }
    if (!outcome.left_out && answer->end == RUN_FINISHED) {
        double share = 0.0;
        status = part_judge(worker, &request.arguments, &part, &share, err);
        const double blocks = (double)answer->grid[0] * answer->grid[1] * answer->grid[2];
        *ret_few = are_few(&part, blocks, planned->part_blocks, share);
        if (!status && (part.wrong > 0 || part.is_unwritten)) {
            part_write(&part, signature, &outcome);
        }
    }
    if (answered && answer->end != RUN_FINISHED) {
        run_worker_stop(worker);
    }
    outcome.left_out |= run_outcome_may_end(&outcome);
    part_done(&part);
    free(reply);
    *ret_outcome = outcome;
    return status;
}

// Inputs that repeat are floats of some format, and outputs are floats.
static bool part_fits(const struct signature *signature, struct size size) {
    uint64_t elements = 0;
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];
        const bool is_output = parameter_is_output(parameter);
        if (parameter_is_array(parameter)) {
            elements += parameter_elements(signature, parameter, size);
            if (!element_is_real(parameter->element) ||
                (is_output &&
                 (parameter_is_input(parameter) || parameter->element != ELEMENT_FLOAT))) {
                return false;
            }
        }
    }
    const bool is_product = signature_multiplies(signature);
    return elements <= (is_product ? ELEMENTS_MAX : ELEMENTS_OTHER) &&
           signature_size_fits(signature, size) && (!is_product || size.k <= DEEPEST);
}

bool part_is_enough(const struct signature *signature, struct size size) {
    return part_fits(signature, size) &&
           signature_work(signature, size) >
               (signature_multiplies(signature) ? WHOLE_WORK : WHOLE_OTHER);
}

// Plans some blocks of a launch of this size, or of less K if a block takes too long.  part_blocks
// is 0 if no block is cheap enough.
static struct planned_case part_plan(const struct exercise *exercise, struct seed seed,
                                     struct size size, uint64_t blocks, double rate) {
    const double work = (double)signature_work(&exercise->signature, size);
    double steps = rate * work / (double)blocks;  // of a block
    if (steps > PART_BLOCK_STEPS * PART_STEPS && signature_multiplies(&exercise->signature)) {
        const double share =
            exercise->signature.is_matmul ? 2.0 : 4.0;  // an access of tensor cores takes longer
        const int32_t wanted = (int32_t)(size.k * (PART_STEPS / share) / steps);
        const int32_t less = (size.k - wanted + DEPTH_UNIT - 1) / DEPTH_UNIT * DEPTH_UNIT;
        const int32_t left = less < size.k ? size.k - less : DEPTH_LEAST;
        steps *= (double)left / size.k;
        size.k = left;
    }
    const double most = size.k == DEPTH_LEAST ? PART_TURNS_STEPS : PART_BLOCK_STEPS;
    struct planned_case planned = case_of(exercise, seed, INPUTS_EXACT, size);
    const double count = steps > 0.0 ? PART_STEPS / steps : 0.0;
    planned.is_begun = steps > most * PART_STEPS;
    planned.part_blocks = !part_fits(&exercise->signature, size) ? 0
                          : count < 1.0                          ? 1
                          : count > PART_BLOCKS_MAX              ? PART_BLOCKS_MAX
                                                                 : (uint32_t)count;
    planned.is_large = true;
    planned.no_trials = true;
    return planned;
}

// The largest size of which all blocks are affordable: less K, or of another exercise less of the
// longest size.
static struct size all_size(const struct signature *signature, struct size size, double rate) {
    const bool is_product = signature_multiplies(signature);
    if (is_product && size.k > SHALLOW) {
        size.k = SHALLOW;
    }
    while (!is_product && rate * (double)signature_work(signature, size) > ALL_STEPS) {
        int longest = 0;
        for (int d = 1; d < signature->size_count; d++) {
            longest = size.at[d] > size.at[longest] ? d : longest;
        }
        size.at[longest] -= size.at[longest] / 3;
    }
    return size;
}

enum status part_case_run(struct run_worker *worker, double rate, struct planned_case *planned,
                          struct run_outcome *ret_outcome, struct error *err) {
    const struct signature *signature = &worker->program->exercise->signature;
    const bool has_all = planned->part_blocks == PART_ALL;
    bool is_few = false;
    enum status status = part_run(worker, planned, ret_outcome, &is_few, err);
    struct planned_case all = *planned;
    struct run_outcome outcome = *ret_outcome;
    all.size = all_size(signature, planned->size, rate);
    if (!status && !has_all && is_few && !size_equal(all.size, planned->size)) {
        status = part_run(worker, &all, &outcome, &is_few, err);
    }
    if (status || has_all || !is_few || outcome.verdict != VERDICT_PASS ||
        rate * (double)signature_work(signature, all.size) > ALL_STEPS) {
        return status;
    }
    all.part_blocks = PART_ALL;
    status = part_run(worker, &all, &outcome, &is_few, err);
    if (!status && outcome.verdict == VERDICT_NOT_WRITTEN) {
        *planned = all;
        *ret_outcome = outcome;
    }
    return status;
}

#define SMALL_EDGE     128   // the most of each size of a small case
#define STEPS_USUAL    4.0   // for a unit of work
#define REQUESTED_MORE 16.0  // times the steps of other parts

struct size part_small_size(struct size size) {
    for (int d = 0; d < size_rank(size); d++) {
        size.at[d] = size.at[d] < SMALL_EDGE ? size.at[d] : SMALL_EDGE;
    }
    return size;
}

enum status part_requested_run(const struct judge_options *options, struct run_worker *worker,
                               struct size size, uint64_t steps, struct planned_case *ret_planned,
                               struct run_outcome *ret_outcome, struct error *err) {
    const struct exercise *exercise = worker->program->exercise;
    const double small = (double)signature_work(&exercise->signature, part_small_size(size));
    const double rate = steps > 0 ? (double)steps / small : STEPS_USUAL;
    struct answer answer;
    bool answered = false;
    *ret_outcome = (struct run_outcome){
        .verdict = VERDICT_PASS, .text_verdict = VERDICT_PASS, .left_out = true};
    enum status status = run_worker_plan(worker, size, &answered, &answer, err);
    const bool runs = !status && answered && answer.end == RUN_FINISHED;
    const uint64_t blocks = runs ? (uint64_t)answer.grid[0] * answer.grid[1] * answer.grid[2] : 1;
    *ret_planned = part_plan(exercise, options->seed, size, blocks, rate / REQUESTED_MORE);
    if (!status && (!runs || ret_planned->is_begun)) {
        ret_planned->part_blocks = !runs;
    }
    return status || ret_planned->part_blocks == 0
               ? status
               : part_case_run(worker, 0.0, ret_planned, ret_outcome, err);
}

static void invalid_note(const struct run_program *program, const struct answer *answer,
                         struct run_outcome *outcome) {
    struct run_reply *reply = xcalloc(1, sizeof *reply);
    reply->fate = FATE_ANSWERED;
    reply->answer = *answer;
    outcome->left_out = false;
    run_outcome_of_reply(reply, program, outcome);
    free(reply);
}

// Asks for the launch at a size, and runs a part of it if that is wanted, or if it is not valid.
static enum status size_run(const struct judge_options *options, struct run_worker *worker,
                            double rate, struct size size, bool is_wanted,
                            struct planned_case *ret_planned, struct run_outcome *ret_outcome,
                            struct error *err) {
    const struct exercise *exercise = worker->program->exercise;
    struct answer answer;
    bool answered = false;
    enum status status = run_worker_plan(worker, size, &answered, &answer, err);
    if (status || !answered) {
        return status;
    }
    if (answer.end == RUN_BAD_LAUNCH) {
        *ret_planned = case_of(exercise, options->seed, INPUTS_EXACT, size);
        ret_planned->part_blocks = 1;
        invalid_note(worker->program, &answer, ret_outcome);
        return STATUS_OK;
    }
    const uint64_t blocks = (uint64_t)answer.grid[0] * answer.grid[1] * answer.grid[2];
    const struct planned_case planned = part_plan(exercise, options->seed, size, blocks, rate);
    if (answer.end != RUN_FINISHED || !is_wanted || planned.part_blocks == 0 ||
        signature_work(&exercise->signature, size) <= SMALL_WORK) {
        return STATUS_OK;
    }
    *ret_planned = planned;
    return part_case_run(worker, rate, ret_planned, ret_outcome, err);
}

int part_drawn(const struct exercise *exercise, struct seed seed) {
    char label[NAME_BYTES_MAX + 16];
    (void)snprintf(label, sizeof label, "%s/part", exercise->name);
    const int others = exercise->timed_count - 1;
    const struct random_key key = random_key_make(seed, label);
    const int other = others > 0 ? (int)random_below(key, 0, (uint32_t)others) : 0;
    return other + (other >= exercise_largest_timed(exercise));
}

enum status part_cases_run(const struct judge_options *options, struct run_worker *worker,
                           double rate, struct planned_case *ret_planned,
                           struct run_outcome *ret_outcome, int32_t *ret_deepest,
                           struct error *err) {
    const struct exercise *exercise = worker->program->exercise;
    const struct exercise_speed *timed = exercise->timed;
    *ret_outcome = (struct run_outcome){
        .verdict = VERDICT_PASS, .text_verdict = VERDICT_PASS, .left_out = true};
    *ret_deepest = 0;
    if (exercise->timed_count == 0) {
        return STATUS_OK;
    }
    const int largest = exercise_largest_timed(exercise);
    const int drawn = part_drawn(exercise, options->seed);
    enum status status =
        size_run(options, worker, rate, timed[largest].size, true, ret_planned, ret_outcome, err);
    *ret_deepest = ret_outcome->left_out ? 0 : ret_planned->size.k;
    for (int i = 0; i < exercise->timed_count && ret_outcome->verdict == VERDICT_PASS; i++) {
        // A block of a product takes long.
        const bool is_wanted = options->extras.speed && !ret_outcome->left_out &&
                               (!signature_multiplies(&exercise->signature) || i == drawn);
        if (!status && i != largest) {
            status = size_run(options, worker, rate, timed[i].size, is_wanted, ret_planned,
                              ret_outcome, err);
        }
    }
    return status;
}
