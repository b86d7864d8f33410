// Makes the repeated inputs, asks for a part of a launch, and judges what its blocks have stored:
// see part_cases.h.
#include "judge/run/part_cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/memory.h"
#include "judge/model/inputs.h"
#include "judge/model/judgement.h"
#include "judge/run/large_cases.h"

#define PART_STEPS       2000000.0      // accesses of all blocks that run: some 20 ms
#define PART_BLOCK_STEPS 2.0            // times as many, if it is only one block
#define SMALL_WORK       (1ull << 24)   // multiply-adds; there are whole cases about as large
#define WHOLE_WORK       (1ull << 28)   // multiply-adds that run whole if they are requested
#define DEPTH_UNIT       64             // K that is made smaller keeps its rest in this
#define ELEMENTS_MAX     (50ull << 20)  // of A, B and C: the checkers need 128 bytes for each
#define DEEPEST          16384          // sums of more terms would not be exact
#define SHALLOW          2              // terms of a sum, if a size runs whole
#define FEW              0.75           // of the elements that so many blocks should store

// An array repeats after so many elements: pages, of which no index error is likely to be a
// multiple.
#define PERIOD_PAGES 257u
#define PAGE_BYTES   4096u

#define VALUE_BITS  5    // of odd numbers: 2^14 products of two are below 2^24
#define SAMPLES     256  // elements that are judged …
#define EDGES       128  // … and ends of rows of stored elements, at most
#define CHUNK_BYTES (1u << 16)

// An input: its values, and its elements as the kernel reads them.
struct period {
    uint64_t count;
    int8_t *value;
    void *elements;
};

static struct period period_make(const struct argument *argument, int digits, struct random_key key,
                                 uint64_t stream) {
    const struct draw_spec spec = {.way = DRAW_ODD,
                                   .low = -1,
                                   .high = 1,
                                   .wide = 1,
                                   .some = 1,
                                   .digits = digits,
                                   .one_bytes = (int)argument->one_bytes,
                                   .bits = VALUE_BITS};
    struct period period = {.count = PERIOD_PAGES * PAGE_BYTES / argument->one_bytes};
    period.value = xmalloc(period.count);
    period.elements = xmalloc(PERIOD_PAGES * PAGE_BYTES);
    for (uint64_t i = 0; i < period.count; i++) {
        double value = draw_odd(&spec, random_at(key, stream + i));
        draw_word bits = draw_bits_of(&spec, value);
        period.value[i] = (int8_t)value;
        memcpy((char *)period.elements + i * argument->one_bytes, &bits, argument->one_bytes);
    }
    return period;
}

static void period_done(struct period *period) {
    free(period->value);
    free(period->elements);
}

// What a part of a launch has stored, as far as it has been judged.
struct part_report {
    struct size size;
    struct period a, b;
    uint64_t stored, judged, edges, wrong;
    uint64_t step;   // one stored element in so many is judged
    uint64_t first;  // the first wrong one
    float got;
    int64_t want;
};

static int64_t want_of(const struct part_report *report, uint64_t element) {
    const uint64_t k = (uint64_t)report->size.k;
    const uint64_t n = (uint64_t)report->size.n;
    uint64_t at_a = element / n * k % report->a.count;
    uint64_t at_b = element % n % report->b.count;
    int64_t sum = 0;
    for (uint64_t i = 0; i < k; i++) {
        sum += report->a.value[at_a] * report->b.value[at_b];
        at_a = at_a + 1 == report->a.count ? 0 : at_a + 1;
        at_b = (at_b + n) % report->b.count;
    }
    return sum;
}

static void element_judge(struct part_report *report, uint64_t element, float got) {
    const int64_t want = want_of(report, element);
    report->judged++;
    if ((double)got == (double)want) {
        return;
    }
    if (report->wrong == 0) {
        report->first = element;
        report->got = got;
        report->want = want;
    }
    report->wrong++;
}

// Elements of C that begin at `first`.  No sum of odd products of these sizes is 0 often, so 0
// stands for an element that was not stored.
static void elements_judge(struct part_report *report, uint64_t first, const float *c,
                           uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        memcpy(&bits, &c[i], sizeof bits);
        if (bits == 0) {
            continue;
        }
        const bool is_edge = i == 0 || i + 1 == count || c[i - 1] == 0.0f || c[i + 1] == 0.0f;
        const bool is_judged = (is_edge && report->edges < EDGES) ||
                               (report->step > 0 && report->stored % report->step == 0);
        report->edges += is_edge && is_judged;
        report->stored++;
        if (is_judged) {
            element_judge(report, first + i, c[i]);
        }
    }
}

// Goes over all elements of C that the blocks may have stored.
static enum status stored_judge(const struct run_worker *worker, const struct argument *c,
                                struct part_report *report, struct error *err) {
    struct session_extent extent;
    float *chunk = xmalloc(CHUNK_BYTES);
    uint64_t at = c->at;
    enum status status = STATUS_OK;
    while (!status && session_data(&worker->session, at, c->at + c->bytes, &extent)) {
        uint64_t bytes = extent.bytes < CHUNK_BYTES ? extent.bytes : CHUNK_BYTES;
        status = session_read(&worker->session, extent.at, chunk, bytes, err);
        if (!status) {
            elements_judge(report, (extent.at - c->at) / sizeof *chunk, chunk,
                           bytes / sizeof *chunk);
        }
        at = extent.at + bytes;
    }
    free(chunk);
    return status;
}

// The first pass counts, the second judges.
static enum status part_judge(const struct run_worker *worker, const struct argument *c,
                              struct part_report *report, struct error *err) {
    report->edges = EDGES;
    enum status status = stored_judge(worker, c, report, err);
    report->step = report->stored / SAMPLES + 1;
    report->stored = report->edges = 0;
    return status ? status : stored_judge(worker, c, report, err);
}

static void report_write(const struct part_report *report, struct run_outcome *outcome) {
    char text[ERROR_TEXT_MAX];
    words_write(text, sizeof text,
                _("C[%d][%d] is %.9g and should be %" PRId64 " (wrong: %" PRIu64 " of %" PRIu64
                  " elements that a few blocks have stored)."),
                (int)(report->first / (uint64_t)report->size.n),
                (int)(report->first % (uint64_t)report->size.n), (double)report->got, report->want,
                report->wrong, report->judged);
    run_outcome_add(outcome, VERDICT_WRONG_RESULT, text);
}

// Places the periods of A and B and, behind them, all of C.
static void arguments_place(struct arguments *arguments) {
    uint64_t end = 0;
    for (uint32_t i = 0; i < MATRIX_COUNT; i++) {
        struct argument *argument = &arguments->list[i];
        argument->at = end;
        argument->period = argument->is_input ? PERIOD_PAGES * PAGE_BYTES : 0;
        end += argument->period;
    }
}

// *ret_few: the blocks have stored so few elements that others may never be.
static enum status part_run(struct run_worker *worker, const struct planned_case *planned,
                            struct run_outcome *ret_outcome, bool *ret_few, struct error *err) {
    const struct run_program *program = worker->program;
    const struct signature *signature = &program->exercise->signature;
    struct part_report report = {.size = planned->size};
    struct request request = {.size = planned->size,
                              .arguments = arguments_of(signature, planned->size, &program->report),
                              .work = 0,
                              .flags = REQUEST_CHECK | REQUEST_PART,
                              .sample_draw = random_at(planned->key, 0),
                              .processes = 1,
                              .part_blocks = planned->part_blocks,
                              .threads_max = program->report.threads_max};
    const int digits = element_digits(signature->parameter[ARRAY_A].element);
    const struct run_limits limits =
        run_limits_of(DEVICE_EMU, signature, planned->size, program->patience);
    struct run_reply *reply = xcalloc(1, sizeof *reply);
    struct run_outcome outcome = {
        .verdict = VERDICT_PASS, .text_verdict = VERDICT_PASS, .left_out = true};
    arguments_place(&request.arguments);
    request.time_ms_max = limits.time_ms;
    request.access_budget = LARGE_STEPS < limits.accesses ? LARGE_STEPS : limits.accesses;
    report.a = period_make(&request.arguments.list[ARRAY_A], digits, planned->key, 0);
    report.b = period_make(&request.arguments.list[ARRAY_B], digits, planned->key, report.a.count);
    const void *const arrays[ARGUMENTS_MAX] = {report.a.elements, report.b.elements, NULL};
    enum status status = run_worker_launch(worker, &request, arrays, reply, err);
    const struct answer *answer = &reply->answer;
    *ret_few = false;
    if (!status && reply->fate == FATE_ANSWERED && answer->is_apart) {
        run_patience_spend(program->patience, DEVICE_EMU, run_accesses_ms(answer->steps));
        outcome.left_out = false;
        run_outcome_of_reply(reply, program, &outcome);
    }
    if (!status && !outcome.left_out && answer->end == RUN_FINISHED) {
        status = part_judge(worker, &request.arguments.list[ARRAY_C], &report, err);
        const double blocks = (double)answer->grid[0] * answer->grid[1] * answer->grid[2];
        const double ran = blocks < planned->part_blocks ? blocks : planned->part_blocks;
        *ret_few =
            (double)report.stored * blocks < FEW * (double)size_elements_c(report.size) * ran;
        if (report.wrong > 0) {
            report_write(&report, &outcome);
        }
    }
    if (!status && reply->fate == FATE_ANSWERED && answer->end != RUN_FINISHED) {
        run_worker_stop(worker);
    }
    outcome.left_out |= run_outcome_may_end(&outcome);
    period_done(&report.a);
    period_done(&report.b);
    free(reply);
    *ret_outcome = outcome;
    return status;
}

enum status part_case_run(struct run_worker *worker, const struct planned_case *planned,
                          struct run_outcome *ret_outcome, struct error *err) {
    bool is_few = false;
    return part_run(worker, planned, ret_outcome, &is_few, err);
}

static bool part_fits(const struct signature *signature, struct size size) {
    const uint64_t m = (uint64_t)size.m;
    const uint64_t n = (uint64_t)size.n;
    const uint64_t k = (uint64_t)size.k;
    return signature->is_matmul && k <= DEEPEST && m * k + k * n + m * n <= ELEMENTS_MAX;
}

bool part_is_enough(const struct signature *signature, struct size size) {
    return part_fits(signature, size) && size_multiply_adds(size) > WHOLE_WORK;
}

struct planned_case part_plan(const struct exercise *exercise, struct seed seed, struct size size,
                              uint64_t blocks, double rate) {
    const double work = (double)signature_work(&exercise->signature, size);
    double steps = rate * work / (double)blocks;  // of a block
    if (steps > PART_BLOCK_STEPS * PART_STEPS) {
        const int32_t wanted = (int32_t)(size.k * (PART_STEPS / 2.0) / steps);
        const int32_t less = (size.k - wanted + DEPTH_UNIT - 1) / DEPTH_UNIT * DEPTH_UNIT;
        steps *= (double)(size.k - less) / size.k;
        size.k -= less;
    }
    const bool fits = size.k > 0 && part_fits(&exercise->signature, size);
    struct planned_case planned = case_of(exercise, seed, INPUTS_EXACT, size);
    const double count = steps > 0.0 ? PART_STEPS / steps : 0.0;
    planned.part_blocks = !fits                     ? 0
                          : count < 1.0             ? 1
                          : count > PART_BLOCKS_MAX ? PART_BLOCKS_MAX
                                                    : (uint32_t)count;
    planned.is_large = true;
    planned.no_trials = true;
    return planned;
}

// Runs a part at this size, or plans the whole of it.
static enum status size_run(const struct judge_options *options, struct run_worker *worker,
                            double rate, struct size size, struct planned_case *ret_planned,
                            struct run_outcome *ret_outcome, struct error *err) {
    const struct exercise *exercise = worker->program->exercise;
    struct answer answer;
    bool answered = false;
    bool is_few = false;
    if (size_multiply_adds(size) <= SMALL_WORK) {
        return STATUS_OK;
    }
    enum status status = run_worker_plan(worker, size, &answered, &answer, err);
    if (status || !answered || answer.end != RUN_FINISHED) {
        return status;
    }
    const uint64_t blocks = (uint64_t)answer.grid[0] * answer.grid[1] * answer.grid[2];
    *ret_planned = part_plan(exercise, options->seed, size, blocks, rate);
    if (ret_planned->part_blocks == 0) {
        return STATUS_OK;
    }
    status = part_run(worker, ret_planned, ret_outcome, &is_few, err);
    if (!status && ret_outcome->verdict == VERDICT_PASS && is_few) {
        size.k = size.k < SHALLOW ? size.k : SHALLOW;
        *ret_planned = case_of(exercise, options->seed, INPUTS_EXACT, size);
        ret_planned->no_trials = true;
    }
    return status;
}

enum status part_cases_run(const struct judge_options *options, struct run_worker *worker,
                           double rate, struct planned_case *ret_planned,
                           struct run_outcome *ret_outcome, struct error *err) {
    const struct exercise *exercise = worker->program->exercise;
    const struct exercise_speed *timed = exercise->timed;
    char label[NAME_BYTES_MAX + 16];
    int largest = 0;
    *ret_outcome = (struct run_outcome){
        .verdict = VERDICT_PASS, .text_verdict = VERDICT_PASS, .left_out = true};
    if (!exercise->signature.is_matmul || exercise->timed_count == 0) {
        return STATUS_OK;
    }
    for (int i = 1; i < exercise->timed_count; i++) {
        bool is_more = size_multiply_adds(timed[i].size) > size_multiply_adds(timed[largest].size);
        largest = is_more ? i : largest;
    }
    (void)snprintf(label, sizeof label, "%s/part", exercise->name);
    const struct random_key key = random_key_make(options->seed, label);
    const int other =
        exercise->timed_count > 1
            ? (largest + 1 + (int)random_below(key, 0, (uint32_t)exercise->timed_count - 1)) %
                  exercise->timed_count
            : largest;
    enum status status =
        size_run(options, worker, rate, timed[largest].size, ret_planned, ret_outcome, err);
    const bool is_whole = ret_planned->part_blocks == 0 && !ret_outcome->left_out;
    if (!status && ret_outcome->verdict == VERDICT_PASS && !is_whole && other != largest &&
        options->extras.speed) {
        status = size_run(options, worker, rate, timed[other].size, ret_planned, ret_outcome, err);
    }
    return status;
}
