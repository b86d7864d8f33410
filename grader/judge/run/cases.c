// Runs one case, and all cases of an exercise.  A product's inputs are made here; the inputs of
// another exercise come with its expected results.
#include "judge/run/cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/memory.h"
#include "emu/wire/finding.h"
#include "judge/expected/expected_program.h"
#include "judge/model/inputs.h"
#include "judge/model/judgement.h"
#include "judge/run/findings_merge.h"
#include "judge/run/large_cases.h"
#include "judge/run/part_cases.h"
#include "judge/run/pictures.h"
#include "judge/say/finding_text.h"

// Indices into the random numbers of a case, for draws other than the inputs.
#define ORDER_DRAW  (1ull << 40)
#define SAMPLE_DRAW (ORDER_DRAW + 1)
#define POISON_DRAW (ORDER_DRAW + 2)

#define SCALED_COST (1ull << 17)  // a requested size from which on it is a large one

static void product_make(const struct planned_case *planned, struct arrays *arrays) {
    for (int i = 0; i < MATRIX_COUNT; i++) {
        arrays->before[i] = arrays->own[i] = xmalloc(arrays->arguments.list[i].bytes);
    }
    inputs_fill(planned->inputs, planned->key, planned->size, arrays->own[ARRAY_A],
                arrays->own[ARRAY_B]);
    if (planned->inputs == INPUTS_BINADES) {
        inputs_scale(planned->range, planned->size, arrays->own[ARRAY_A], arrays->own[ARRAY_B]);
    }
    inputs_old_c(planned->inputs, arrays->own[ARRAY_C], size_elements_c(planned->size));
}

static enum status other_make(const struct run_program *program, const struct planned_case *planned,
                              struct arrays *arrays, struct error *err) {
    const bool is_asked = planned->newest_first && planned->cost >= SCALED_COST;
    struct expected_plan plan = {.kind = planned->inputs,
                                 .key = planned->key,
                                 .size = planned->size,
                                 .samples = planned->samples,
                                 .range = planned->range,
                                 .is_large = planned->is_large || is_asked,
                                 .no_trials = planned->no_trials,
                                 .poison = (uint16_t)random_at(planned->key, POISON_DRAW)};
    enum status status =
        expected_store_get(program->machine, program->exercise, &plan.program, err);
    status = status ? status : expected_case_make(&plan, &arrays->made, err);
    if (status) {
        return status;
    }
    arrays->is_made = true;
    memcpy(arrays->before, arrays->made.values, sizeof arrays->made.values);
    return STATUS_OK;
}

enum status arrays_make(const struct run_program *program, const struct planned_case *planned,
                        struct arrays *ret_arrays, struct error *err) {
    const struct signature *signature = &program->exercise->signature;
    *ret_arrays =
        (struct arrays){.signature = signature,
                        .planned = planned,
                        .arguments = arguments_of(signature, planned->size, &program->report)};
    enum status status = STATUS_OK;
    if (signature->is_matmul) {
        product_make(planned, ret_arrays);
    } else {
        status = other_make(program, planned, ret_arrays, err);
    }
    for (uint32_t i = 0; i < ret_arrays->arguments.count && !status; i++) {
        uint64_t bytes = arguments_global_bytes(&ret_arrays->arguments, i);
        ret_arrays->after[i] = bytes > 0 ? xmalloc(bytes) : NULL;
    }
    if (status) {
        arrays_done(ret_arrays);
    }
    return status;
}

void arrays_done(struct arrays *arrays) {
    for (int i = 0; i < ARGUMENTS_MAX; i++) {
        free(arrays->own[i]);
        free(arrays->after[i]);
        arrays->own[i] = arrays->after[i] = NULL;
    }
    if (arrays->is_made) {
        expected_case_done(&arrays->made);
        arrays->is_made = false;
    }
}

// Reads the arrays of a launch that ended.
static enum status arrays_fetch(const struct run_worker *worker, struct arrays *arrays,
                                struct error *err) {
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < arrays->arguments.count && !status; i++) {
        if (arrays->after[i]) {
            status =
                session_fetch(&worker->session, &arrays->arguments.list[i], arrays->after[i], err);
        }
    }
    return status;
}

// Sets a bit for each input that the launch has changed.
static uint32_t arrays_changed(const struct arrays *arrays) {
    uint32_t changed = 0;
    for (uint32_t i = 0; i < arrays->arguments.count; i++) {
        const struct argument *argument = &arrays->arguments.list[i];
        if (arrays->after[i] && argument->is_input &&
            memcmp(arrays->before[i], arrays->after[i], argument->bytes) != 0) {
            changed |= 1u << i;
        }
    }
    return changed;
}

// True if an output of floats holds LANE_JUNK_BITS.
static bool arrays_hold_lane_junk(const struct arrays *arrays) {
    bool found = false;
    for (uint32_t i = 0; i < arrays->arguments.count && !found; i++) {
        const struct argument *argument = &arrays->arguments.list[i];
        bool floats = arrays->signature->parameter[i].element == ELEMENT_FLOAT;
        const uint32_t *bits = arrays->after[i];
        for (uint64_t e = 0; bits && floats && !argument->is_input && e < argument->bytes / 4;
             e++) {
            found = found || bits[e] == LANE_JUNK_BITS;
        }
    }
    return found;
}

#define PICTURE_COST_MAX 4000000ull  // multiply-adds of a picture: some ms, only for a wrong C

// The limit of steps in another order: a kernel that waits for an earlier block never ends, other
// kernels do about the same work.
#define AGAIN_FACTOR 8ull
#define AGAIN_BASE   200000ull
#define RECORDED_MS  86400000ull  // a day: a person thinks meanwhile

// One way to run a case.
struct way {
    uint32_t flags;      // REQUEST_ bits
    uint32_t processes;  // processes that may share the launch
    uint64_t order;      // of blocks and threads
    uint64_t sample_draw;
    uint64_t steps_max;  // 0: the most that any kernel of this size may need
};

static void request_make(const struct run_program *program, const struct arrays *arrays,
                         const struct way *way, const struct run_limits *limits,
                         struct request *request) {
    memset(request, 0, sizeof *request);
    request->size = arrays->planned->size;
    request->arguments = arrays->arguments;
    request->work = signature_work(arrays->signature, arrays->planned->size);
    request->flags = way->flags | (program->exercise->is_program ? REQUEST_HOST : 0);
    request->time_ms_max = limits->time_ms;
    if (program->kind == DEVICE_GPU) {
        return;
    }
    request->processes = way->processes;
    request->order = way->order;
    request->sample_draw = way->sample_draw;
    request->threads_max = program->report.threads_max;
    request->access_budget = limits->accesses;
    if (way->steps_max > 0 && way->steps_max < limits->accesses) {
        request->access_budget = way->steps_max;
    }
}

static bool ends_by_time(const struct answer *answer) {
    const struct findings *findings = &answer->findings;
    const struct finding *last = &findings->list[findings->count > 0 ? findings->count - 1 : 0];
    return answer->end == RUN_STOPPED && findings->count > 0 && last->kind == FINDING_TIME_LIMIT &&
           last->detail != BUDGET_ACCESSES;
}

// The time of a launch.  On the CPU device it is the time of its accesses on an ordinary machine,
// so that the rest for later launches does not depend on the speed of this machine.  A worker that
// is gone counts as having used all its time.
static void time_spend(const struct run_program *program, const struct run_limits *limits,
                       const struct run_reply *reply) {
    uint64_t ms = limits->ordinary_ms;
    if (reply->fate == FATE_ANSWERED && program->kind == DEVICE_GPU) {
        ms = reply->answer.elapsed_ns / 1000000;
    } else if (reply->fate == FATE_ANSWERED && !ends_by_time(&reply->answer)) {
        ms = run_accesses_ms(reply->answer.steps);
    }
    run_patience_spend(program->patience, program->kind, ms);
}

// Judges C of a product.
static void judge_product(const struct coverage *coverage, const struct arrays *arrays,
                          struct run_outcome *outcome) {
    const struct planned_case *planned = arrays->planned;
    const struct matmul matmul = {planned->size, arrays->before[ARRAY_A], arrays->before[ARRAY_B],
                                  arrays->after[ARRAY_C]};
    struct oracle_report report =
        oracle_check(planned->precision, planned->inputs, planned->key, &matmul);
    if (report.verdict != VERDICT_PASS) {
        run_outcome_add_product(outcome, &report, coverage, matmul.size);
        if (planned->inputs == INPUTS_EXACT &&
            size_multiply_adds(matmul.size) <= PICTURE_COST_MAX) {
            wrong_tiles_count(&matmul, &outcome->wrong);
            wrong_cells_find(&matmul, &outcome->cells);
        }
    }
    // Exact inputs contain no zero, so a right sum has used them all; then the map itself is
    // incomplete.
    outcome->blind = planned->inputs != INPUTS_SPARSE && coverage &&
                     report.verdict == VERDICT_PASS &&
                     coverage->gap[ARRAY_A].missing + coverage->gap[ARRAY_B].missing > 0;
}

// Judges the outputs of a kernel that is not a matmul.
static enum status judge_outputs(struct arrays *arrays, struct run_outcome *outcome,
                                 struct error *err) {
    struct expected_report report;
    arrays->made.plan.no_cause = run_outcome_is_decided(outcome);
    enum status status =
        expected_check(&arrays->made, (const void *const *)arrays->after, &report, err);
    if (!status && report.verdict != VERDICT_PASS) {
        run_outcome_add_outputs(outcome, &report);
    }
    return status;
}

// The kernel ended by itself: checks that inputs are unchanged and outputs right.
static enum status judge_arrays(struct run_worker *worker, const struct coverage *coverage,
                                struct arrays *arrays, struct run_outcome *outcome,
                                struct error *err) {
    enum status status = arrays_fetch(worker, arrays, err);
    if (status) {
        return status;
    }
    run_outcome_add_changed(outcome, arrays->signature, arrays_changed(arrays));
    if (arrays->is_made) {
        return judge_outputs(arrays, outcome, err);
    }
    judge_product(coverage, arrays, outcome);
    return STATUS_OK;
}

// *outcome holds the worker's answer without the arrays.
static enum status judge_answer(struct run_worker *worker, uint32_t flags,
                                const struct answer *answer, struct arrays *arrays,
                                struct run_outcome *outcome, struct error *err) {
    bool mapped =
        worker->program->kind == DEVICE_EMU && (flags & REQUEST_CHECK) && !(flags & REQUEST_INPUTS);
    enum status status = STATUS_OK;
    outcome->counts = answer->counts;
    outcome->shared_bytes = answer->shared_bytes;
    outcome->launch_count = answer->launch_count;
    outcome->steps = answer->steps;
    outcome->hands_over = answer->hands_over;
    if (answer->end == RUN_FINISHED) {
        status = judge_arrays(worker, mapped ? &answer->coverage : NULL, arrays, outcome, err);
        run_outcome_prefer_result(outcome);
        run_outcome_add_launch(outcome, answer, arrays->signature, arrays->planned->size);
        outcome->olds &= mapped && outcome->verdict == VERDICT_WRONG_RESULT;
        outcome->lanes =
            mapped && outcome->verdict == VERDICT_WRONG_RESULT && arrays_hold_lane_junk(arrays);
        return status;
    }
    if (answer->end >= RUN_TROUBLE) {
        status = fail(err, STATUS_SYSTEM, "an answer of a worker was not understood");
    }
    // The memory of a kernel that was stopped is not judged.
    run_worker_stop(worker);
    return status;
}

// One launch, judged; *ret_processes have shared it.
static enum status launch_judge(struct run_worker *worker, uint32_t flags,
                                const struct request *request, struct arrays *arrays,
                                struct run_outcome *outcome, uint32_t *ret_processes,
                                struct error *err) {
    struct run_reply reply;
    enum status status = run_worker_launch(worker, request, arrays->before, &reply, err);
    if (!status) {
        time_spend(worker->program, &outcome->limits, &reply);
    }
    if (!status && reply.fate != FATE_ANSWERED && reply.fate != FATE_FLOODED) {
        status = run_worker_control(worker->program->machine, worker->program->kind, err);
    }
    if (!status) {
        run_outcome_of_reply(&reply, worker->program, outcome);
    }
    if (!status && reply.fate == FATE_ANSWERED) {
        status = judge_answer(worker, flags, &reply.answer, arrays, outcome, err);
    }
    *ret_processes = !status && reply.fate == FATE_ANSWERED ? reply.answer.processes : 0;
    return status;
}

// Launches again with other initial values of outputs: a wrong value of a byte may equal the first.
static enum status launch_again(struct run_worker *worker, uint32_t flags,
                                const struct request *request, struct arrays *arrays,
                                struct run_outcome *outcome, struct error *err) {
    struct run_outcome again = {.verdict = VERDICT_PASS, .text_verdict = VERDICT_PASS};
    void *first[ARGUMENTS_MAX];
    uint32_t processes = 0;
    again.limits = outcome->limits;
    memcpy(first, arrays->after, sizeof first);
    for (uint32_t i = 0; i < arrays->arguments.count; i++) {
        arrays->after[i] = first[i] ? xmalloc(arguments_global_bytes(&arrays->arguments, i)) : NULL;
    }
    expected_case_poison_again(&arrays->made, (const void *const *)first);
    enum status status = launch_judge(worker, flags, request, arrays, &again, &processes, err);
    if (!status && !again.stop && again.verdict != VERDICT_PASS) {
        *outcome = again;
    }
    for (uint32_t i = 0; i < arrays->arguments.count; i++) {
        free(first[i]);
    }
    return status;
}

static enum status run_with(struct run_worker *worker, const struct planned_case *planned,
                            const struct way *way, uint32_t *ret_processes,
                            struct run_outcome *ret_outcome, struct error *err) {
    struct run_outcome outcome = {.verdict = VERDICT_PASS, .text_verdict = VERDICT_PASS};
    struct arrays arrays;
    struct request request;
    uint32_t processes = 0;
    enum status status = arrays_make(worker->program, planned, &arrays, err);
    if (status) {
        return status;
    }
    outcome.limits = run_limits_of(worker->program->kind, arrays.signature, planned->size,
                                   worker->program->patience);
    request_make(worker->program, &arrays, way, &outcome.limits, &request);
    status = launch_judge(worker, way->flags, &request, &arrays, &outcome, &processes, err);
    if (!status && outcome.text_verdict == VERDICT_NOT_WRITTEN && arrays.is_made &&
        expected_may_be_stored(&arrays.made)) {
        status = launch_again(worker, way->flags, &request, &arrays, &outcome, err);
    }
    arrays_done(&arrays);
    if (!status) {
        *ret_processes = processes;
        *ret_outcome = outcome;
    }
    return status;
}

static enum status run_way(struct run_worker *worker, const struct planned_case *planned,
                           struct way way, struct run_outcome *ret_outcome, struct error *err) {
    uint32_t processes = 0;
    enum status status = run_with(worker, planned, &way, &processes, ret_outcome, err);
    if (worker->program->exercise->is_program) {
        return status;  // its own arrays tell what follows from what
    }
    // A launch that was shared had no finding.  If C is still wrong, its bytes may come from a
    // source that no checker sees, such as an old value on a stack.  So it is judged again in one
    // process.
    if (!status && processes > 1 && ret_outcome->verdict != VERDICT_PASS) {
        way.processes = 1;
        status = run_with(worker, planned, &way, &processes, ret_outcome, err);
    }
    // Another initial value shows its effects: an index computed from it, or a wait for it.
    if (!status && run_outcome_may_follow_from_empty(ret_outcome) &&
        !run_outcome_is_proved(ret_outcome, &worker->proved)) {
        struct run_outcome other;
        struct way zeros = way;
        zeros.processes = 1;
        zeros.flags |= REQUEST_ZEROS;
        status = run_with(worker, planned, &zeros, &processes, &other, err);
        if (!status && !other.stop) {
            run_outcome_blame_empty(ret_outcome, &other, &worker->proved);
        }
    }
    // Code that produces such a value is not a mistake if nothing uses the value, so the search
    // begins only now.
    if (!status && ret_outcome->lanes) {
        struct run_outcome other;
        way.processes = 1;
        way.flags |= REQUEST_LANES;
        status = run_with(worker, planned, &way, &processes, &other, err);
        *ret_outcome = !status && other.verdict == VERDICT_UNINITIALIZED ? other : *ret_outcome;
    }
    // Nor is reading an output a mistake, as long as its old value is not used.
    if (!status && ret_outcome->olds) {
        struct run_outcome other;
        way.processes = 1;
        way.flags |= REQUEST_OLDS;
        status = run_with(worker, planned, &way, &processes, &other, err);
        if (!status) {
            run_outcome_add_old(ret_outcome, &worker->program->exercise->signature,
                                &other.findings);
        }
    }
    return status;
}

// Runs a right case again in other orders of blocks and threads.  A wrong run becomes the outcome.
// An order in which the kernel does not end is skipped: the kernel may wait for an earlier block.
static enum status run_again(struct run_worker *worker, const struct planned_case *planned,
                             struct way way, struct run_outcome *outcome, struct error *err) {
    const struct run_program *program = worker->program;
    const uint64_t orders[] = {
        ORDER_REVERSE, 2 + random_below(planned->key, ORDER_DRAW, UINT32_MAX), ORDER_NEWEST};
    const size_t count = COUNT(orders) - !(planned->newest_first && outcome->hands_over);
    enum status status = STATUS_OK;
    way.steps_max = AGAIN_BASE + AGAIN_FACTOR * outcome->steps;
    for (size_t i = 0; i < count && !status && outcome->verdict == VERDICT_PASS; i++) {
        struct run_outcome other;
        way.order = orders[i];
        status = run_way(worker, planned, way, &other, err);
        outcome->waits |=
            !status && other.verdict == VERDICT_TIME_LIMIT && !run_outcome_may_end(&other);
        if (!status && other.verdict != VERDICT_PASS && !other.stop) {
            run_outcome_of_order(&other, &program->exercise->signature, way.order == ORDER_REVERSE);
            *outcome = other;
        }
    }
    return status;
}

static enum status other_pattern_link(const struct run_program *program, struct error *err) {
    struct build_step step = build_other_link_command(&program->machine->paths, program->kernel);
    struct run_step_end end = {.output = NULL};
    enum status status = run_step(&step, program, &end, err);
    if (!status && end.exit_code != 0) {
        status = fail(err, STATUS_SYSTEM, "build step '%s' failed with code %d: %.400s", step.what,
                      end.exit_code, end.output);
    }
    free(end.output);
    build_step_done(&step);
    return status;
}

// Runs a right case again with other values in variables that have none yet.
static enum status run_other_pattern(const struct run_program *program,
                                     const struct planned_case *planned, struct way way,
                                     struct run_outcome *outcome, struct error *err) {
    struct run_worker worker;
    struct run_outcome other;
    enum status status = other_pattern_link(program, err);
    if (status) {
        return status;
    }
    run_worker_init(&worker, program);
    worker.other_pattern = true;
    status = run_way(&worker, planned, way, &other, err);
    run_worker_stop(&worker);
    if (!status && other.verdict != VERDICT_PASS && !run_outcome_may_end(&other)) {
        other.findings.count = 0;
        other.verdict = other.text_verdict = VERDICT_PASS;
        run_outcome_add(&other, VERDICT_UNINITIALIZED,
                        _("the result depends on the value that a local variable has before "
                          "anything is stored in it: on a GPU that may be any value."));
        *outcome = other;
    }
    return status;
}

// Runs a case so that each block finds as many others as possible before their ends.  What is wrong
// in the usual order too does not follow from this one.
static enum status run_newest_first(struct run_worker *worker, const struct planned_case *planned,
                                    struct way way, struct run_outcome *ret_outcome,
                                    struct error *err) {
    struct run_outcome newest;
    way.order = ORDER_NEWEST;
    enum status status = run_way(worker, planned, way, &newest, err);
    if (!status && newest.verdict == VERDICT_PASS) {
        newest.findings.count = 0;  // a block that waits rightly would get a note
        *ret_outcome = newest;
        return STATUS_OK;
    }
    way.order = ORDER_FORWARD;
    status = status ? status : run_way(worker, planned, way, ret_outcome, err);
    if (!status && ret_outcome->verdict == VERDICT_PASS && !newest.stop) {
        run_outcome_of_order(&newest, &worker->program->exercise->signature, false);
        *ret_outcome = newest;
    }
    return status;
}

uint32_t run_case_flags(enum device_kind device) {
    return device == DEVICE_EMU ? REQUEST_CHECK : REQUEST_RELOAD;
}

enum status run_case(struct run_worker *worker, const struct planned_case *planned, uint32_t flags,
                     struct run_outcome *ret_outcome, struct error *err) {
    const struct run_program *program = worker->program;
    const struct way way = {.flags = flags | (planned->junk ? REQUEST_JUNK : 0),
                            .processes = program->machine->jobs,
                            .sample_draw = random_at(planned->key, SAMPLE_DRAW),
                            .steps_max = planned->is_large ? LARGE_STEPS : 0};
    if (planned->part_blocks > 0) {
        struct planned_case part = *planned;
        return part_case_run(worker, 0.0, &part, ret_outcome, err);
    }
    enum status status = planned->is_large && planned->newest_first
                             ? run_newest_first(worker, planned, way, ret_outcome, err)
                             : run_way(worker, planned, way, ret_outcome, err);
    if (status == STATUS_UNAVAILABLE && planned->inputs > INPUTS_REAL) {
        *ret_outcome = (struct run_outcome){
            .verdict = VERDICT_PASS, .text_verdict = VERDICT_PASS, .left_out = true};
        return STATUS_OK;
    }
    bool again = planned->again && program->kind == DEVICE_EMU && (flags & REQUEST_CHECK);
    if (!status && again && ret_outcome->verdict == VERDICT_PASS) {
        status = run_again(worker, planned, way, ret_outcome, err);
    }
    if (!status && planned->junk && program->report.has_patterns &&
        ret_outcome->verdict == VERDICT_PASS) {
        status = run_other_pattern(program, planned, way, ret_outcome, err);
    }
    return status;
}

enum status run_case_alone(const struct run_program *program, const struct planned_case *planned,
                           uint32_t flags, struct run_outcome *ret_outcome, struct error *err) {
    struct run_worker worker;
    run_worker_init(&worker, program);
    enum status status = run_case(&worker, planned, flags, ret_outcome, err);
    run_worker_stop(&worker);
    return status;
}

enum status run_case_product(struct run_worker *worker, const struct matmul *inputs, float *c,
                             bool *ret_ended, struct error *err) {
    const struct way way = {.processes = 1};
    const struct size size = inputs->size;
    const struct planned_case planned = {.size = size};
    const struct signature *signature = &worker->program->exercise->signature;
    const struct arrays arrays = {.signature = signature,
                                  .planned = &planned,
                                  .arguments =
                                      arguments_of(signature, size, &worker->program->report)};
    struct run_limits limits =
        run_limits_of(worker->program->kind, signature, size, worker->program->patience);
    struct run_reply *reply = xcalloc(1, sizeof *reply);
    float *poisoned = xmalloc(size_elements_c(size) * sizeof *poisoned);
    struct request request;
    poison_fill(poisoned, size_elements_c(size));
    const void *const before[ARGUMENTS_MAX] = {inputs->a, inputs->b, poisoned};
    request_make(worker->program, &arrays, &way, &limits, &request);
    enum status status = run_worker_launch(worker, &request, before, reply, err);
    *ret_ended = !status && reply->fate == FATE_ANSWERED && reply->answer.end == RUN_FINISHED;
    if (*ret_ended) {
        status = session_fetch(&worker->session, &arrays.arguments.list[ARRAY_C], c, err);
    }
    free(poisoned);
    free(reply);
    return status;
}

enum status run_case_record(const struct run_program *program, const struct planned_case *planned,
                            uint32_t flags, const char *path, struct error *err) {
    const struct way way = {.flags = flags | (planned->junk ? REQUEST_JUNK : 0),
                            .processes = 1,
                            .sample_draw = random_at(planned->key, SAMPLE_DRAW)};
    struct run_limits limits =
        run_limits_of(program->kind, &program->exercise->signature, planned->size, NULL);
    struct arrays arrays;
    struct session session;
    struct request request;
    enum status status = arrays_make(program, planned, &arrays, err);
    if (status) {
        return status;
    }
    limits.time_ms = RECORDED_MS;
    request_make(program, &arrays, &way, &limits, &request);
    status = session_open(&session, err);
    if (!status) {
        session.shared = program->report.shared;
        status = session_record(&session, &request, arrays.before, path, err);
        session_close(&session);
    }
    arrays_done(&arrays);
    return status;
}

// Multiply-adds of the largest case.  The CPU device with all checkers does some 40 million a
// second, and a student waits for about 35 cases.
#define COST_MAX_EMU 2000000ull
#define COST_MAX_GPU EXERCISE_CASE_WORK_MAX

// Multiply-adds of a requested size that runs whole: ten minutes.
#define REQUESTED_MAX 12000000000ull

// After one search for the cause of a wrong result, the next is at a case this many times as large.
#define TRIAL_STEP 4

static uint64_t cost_max_of(enum device_kind device) {
    return device == DEVICE_EMU ? COST_MAX_EMU : COST_MAX_GPU;
}

// Keeps the failure that is first in precedence; of equal ones, the first of the most specific.
// "column 16 of A is never read" is more specific than "A is never read", the result at a size of
// 1.
static void failure_note(struct run_failure *failure, enum device_kind device,
                         const struct planned_case *planned, const struct run_outcome *outcome) {
    bool better = !failure->failed || outcome->verdict < failure->outcome.verdict ||
                  (outcome->verdict == failure->outcome.verdict &&
                   (run_outcome_explained(outcome) > run_outcome_explained(&failure->outcome) ||
                    run_outcome_shows_two_blocks(outcome, &failure->outcome)));
    if (outcome->verdict == VERDICT_PASS || !better) {
        return;
    }
    if (failure->failed && run_outcome_is_less_than_found(outcome, &failure->outcome)) {
        failure->unended = planned->size;
        return;
    }
    *failure = (struct run_failure){
        .failed = true, .device = device, .planned = *planned, .outcome = *outcome};
}

static void case_note(struct exercise_result *result, struct run_failure *failure,
                      enum device_kind device, const struct planned_case *planned,
                      const struct run_outcome *outcome) {
    // A right kernel that is slow does not end in the steps that a large case has.
    if (outcome->left_out || (planned->is_large && planned->part_blocks == 0 &&
                              outcome->verdict == VERDICT_TIME_LIMIT)) {
        return;
    }
    run_case_add(&result->cases, planned, device, outcome->verdict);
    run_findings_add(&result->findings, &outcome->findings, device, planned->size);
    failure_note(failure, device, planned, outcome);
    result->blind |= outcome->blind;
    result->waits |= outcome->waits;
    wrong_tiles_keep(&outcome->wrong, &result->wrong);
}

static enum status launch_ask(void *asked, struct size size, struct asked_grid *ret_shape,
                              struct error *err) {
    struct run_worker *worker = asked;
    struct answer answer;
    bool answered = false;
    enum status status = run_worker_plan(worker, size, &answered, &answer, err);
    if (!status && answered && answer.end == RUN_FINISHED) {
        const uint32_t *grid = answer.grid, *other = answer.other_grid;
        const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
        const uint64_t others = (uint64_t)other[0] * other[1] * other[2];
        ret_shape->is_valid = true;
        ret_shape->has_others = others > 0;
        ret_shape->threads = blocks * answer.block[0] * answer.block[1] * answer.block[2];
        ret_shape->blocks = blocks > others ? blocks : others;
        memcpy(ret_shape->grid, grid, sizeof ret_shape->grid);
    }
    return status;
}

static enum status requested_part_run(const struct judge_options *options,
                                      struct run_worker *worker, struct size size,
                                      struct exercise_result *result, struct run_failure *failure,
                                      bool *ret_is_run, struct error *err) {
    struct planned_case part =
        case_of(result->exercise, options->seed, INPUTS_EXACT, part_small_size(size));
    struct run_outcome outcome;
    enum status status = run_case(worker, &part, run_case_flags(DEVICE_EMU), &outcome, err);
    status = status
                 ? status
                 : part_requested_run(options, worker, size, outcome.steps, &part, &outcome, err);
    *ret_is_run = !status && !outcome.left_out;
    if (*ret_is_run) {
        case_note(result, failure, DEVICE_EMU, &part, &outcome);
    } else if (!status && signature_work(&result->exercise->signature, size) > REQUESTED_MAX) {
        status = fail(err, STATUS_BAD_USAGE,
                      "nothing was run: blocks of this kernel may need each other, and all of them "
                      "take too long at this size; a smaller one shows the same mistakes sooner");
    }
    return status;
}

// Runs a planned case.  A store to an input is a finding by itself, so in a large case, which comes
// after others that were right, the many loads of inputs are kept only to explain what is wrong.
static enum status planned_run(struct run_worker *worker, const struct planned_case *planned,
                               struct run_outcome *ret_outcome, struct error *err) {
    const uint32_t flags = run_case_flags(worker->program->kind);
    struct run_outcome with_loads;
    enum status status = run_case(worker, planned, flags | (planned->is_large ? REQUEST_INPUTS : 0),
                                  ret_outcome, err);
    if (!status && planned->is_large && ret_outcome->verdict != VERDICT_PASS &&
        !run_outcome_may_end(ret_outcome)) {
        status = run_case(worker, planned, flags, &with_loads, err);
        *ret_outcome = !status && with_loads.verdict != VERDICT_PASS ? with_loads : *ret_outcome;
    }
    return status;
}

// A part of a launch at a timed size, and a case with sums as deep, unless the part had them: that
// case explains better what is wrong in both.
static enum status parts_run(const struct judge_options *options, struct run_worker *worker,
                             const struct large_cases *large, struct exercise_result *result,
                             struct run_failure *failure, struct error *err) {
    struct planned_case part = {.part_blocks = 0};
    struct run_outcome outcome;
    struct run_outcome of_deep;
    int32_t deepest = 0;
    enum status status =
        part_cases_run(options, worker, large->rate, &part, &outcome, &deepest, err);
    if (!status && large->deep.size.k > (outcome.verdict == VERDICT_PASS ? deepest : 0)) {
        status = planned_run(worker, &large->deep, &of_deep, err);
        if (!status) {
            case_note(result, failure, DEVICE_EMU, &large->deep, &of_deep);
        }
    }
    if (!status && !failure->failed) {
        case_note(result, failure, DEVICE_EMU, &part, &outcome);
    }
    return status;
}

// Runs whole launches.  *ret_large has no rate if no large case was planned.
static enum status whole_run(const struct judge_options *options, struct run_worker *worker,
                             const struct size *only, struct exercise_result *result,
                             struct run_failure *failure, struct large_cases *ret_large,
                             struct error *err) {
    struct planned_case planned[CASES_MAX + LARGE_CASES_MAX];
    uint64_t steps[CASES_MAX + LARGE_CASES_MAX];
    struct run_outcome outcome;
    enum device_kind device = worker->program->kind;
    enum status status = STATUS_OK;
    bool hands_over = false;
    uint64_t tried = 0;  // cost of the last case whose failure was analysed
    *ret_large = (struct large_cases){.rate = 0.0};
    int count = cases_plan(result->exercise, options->seed, only, options->only_size_count,
                           cost_max_of(device), planned);
    const bool has_large =
        device == DEVICE_EMU && !result->exercise->is_program && options->only_size_count == 0;
    for (int i = 0; i < count && !status; i++) {
        bool is_exact = planned[i].inputs == INPUTS_EXACT;  // there are few with real inputs
        planned[i].no_trials = options->verdict_only || planned[i].is_large ||
                               run_outcome_explained(&failure->outcome) >= EXPLAINED_TERMS ||
                               (is_exact && planned[i].cost < TRIAL_STEP * tried);
        status = planned_run(worker, &planned[i], &outcome, err);
        if (status) {
            break;
        }
        steps[i] = outcome.steps;
        hands_over = hands_over || outcome.hands_over;
        bool is_tried = is_exact && outcome.verdict != VERDICT_PASS && !planned[i].no_trials;
        tried = is_tried ? planned[i].cost : tried;
        case_note(result, failure, device, &planned[i], &outcome);
        if (i == 0) {
            run_output_show(result, &planned[i], &outcome);
        }
        if (i + 1 == count && has_large && !planned[i].is_large && !failure->failed) {
            const struct passed_cases passed = {
                count, planned, steps, hands_over,
                constants_find(worker->program->text, worker->program->stub)};
            status = large_cases_plan(result->exercise, options->seed, &passed, launch_ask, worker,
                                      ret_large, err);
            memcpy(&planned[count], ret_large->list, (size_t)ret_large->count * sizeof *planned);
            count += ret_large->count;
        }
        judge_report_progress(&options->listener, result->exercise, STAGE_CASES, i + 1, count);
        bool is_enough = planned[i].is_large || options->verdict_only;
        if (is_enough ? failure->failed : outcome.stop) {
            break;
        }
    }
    return status;
}

enum status run_cases(const struct judge_options *options, struct run_worker *worker,
                      struct exercise_result *result, struct run_failure *failure,
                      struct error *err) {
    struct size only[ONLY_SIZES_MAX];
    enum status status = STATUS_OK;
    bool is_run = false;
    struct large_cases large = {.rate = 0.0};
    for (int i = 0; i < options->only_size_count && !status; i++) {
        only[i] = options->only_size[i];
        status = signature_size_fit(&result->exercise->signature, &only[i], err);
    }
    if (!status && worker->program->kind == DEVICE_EMU && options->only_size_count == 1 &&
        !result->exercise->is_program && part_is_enough(&result->exercise->signature, only[0])) {
        status = requested_part_run(options, worker, only[0], result, failure, &is_run, err);
    }
    if (!status && !is_run) {
        status = whole_run(options, worker, only, result, failure, &large, err);
    }
    return !status && large.rate > 0.0 && !failure->failed
               ? parts_run(options, worker, &large, result, failure, err)
               : status;
}

void run_case_add(struct case_list *cases, const struct planned_case *planned,
                  enum device_kind device, enum verdict verdict) {
    if (cases->count < (int)COUNT(cases->list)) {
        cases->list[cases->count++] = (struct case_result){
            .size = planned->size, .inputs = planned->inputs, .device = device, .verdict = verdict};
    }
}

void run_output_show(struct exercise_result *result, const struct planned_case *planned,
                     const struct run_outcome *outcome) {
    memcpy(result->output.text, outcome->output, sizeof result->output.text);
    result->output.size = planned->size;
}
