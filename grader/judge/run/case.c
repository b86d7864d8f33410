// Judges one launch: see case.h.
#include "judge/run/case.h"

#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "judge/model/arguments.h"
#include "judge/oracle/wrong_cells.h"
#include "judge/oracle/wrong_tiles.h"
#include "judge/run/arrays.h"

#define PICTURE_COST_MAX 4000000ull  // multiply-adds of a picture: some ms, for a wrong C alone

// In another order a kernel that waits for an earlier block never ends; others do about the same.
#define AGAIN_FACTOR 8ull
#define AGAIN_BASE   200000ull
// Indices into the random numbers of a case, for what is drawn besides the inputs.
#define ORDER_DRAW    (1ull << 40)
#define SAMPLE_DRAW   (ORDER_DRAW + 1)
#define PLAN_ACCESSES 10000000ull
#define PLAN_MS       2000ull      // for one launch configuration
#define RECORDED_MS   86400000ull  // a day: someone thinks meanwhile

// One way to run a case.
struct way {
    uint32_t flags;      // REQUEST_ bits
    uint32_t processes;  // that may share the launch
    uint64_t order;      // of blocks and threads
    uint64_t sample_draw;
    uint64_t steps_max;  // 0: as many as any kernel of this size may need
};

static void request_make(const struct run_program *program, const struct arrays *arrays,
                         const struct way *way, const struct run_limits *limits,
                         struct request *request) {
    memset(request, 0, sizeof *request);
    request->size = arrays->planned->size;
    request->arguments = arrays->arguments;
    request->work = signature_work(arrays->signature, arrays->planned->size);
    request->flags = way->flags;
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

// The time of a launch: on the CPU device that of its accesses on an ordinary machine, so that what
// is left for the next one does not depend on how fast this one is.  A worker that is gone took all
// its time, as far as can be known.
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
static enum status judge_product(const struct coverage *coverage, const struct arrays *arrays,
                                 struct run_outcome *outcome, struct error *err) {
    const struct planned_case *planned = arrays->planned;
    const struct matmul matmul = {planned->size, arrays->before[ARRAY_A], arrays->before[ARRAY_B],
                                  arrays->after[ARRAY_C]};
    struct oracle_report report;
    enum status status =
        oracle_check(planned->precision, planned->inputs, planned->key, &matmul, &report, err);
    if (!status && report.verdict != VERDICT_PASS) {
        run_outcome_add_product(outcome, &report, coverage, matmul.size);
        if (planned->inputs == INPUTS_EXACT &&
            size_multiply_adds(matmul.size) <= PICTURE_COST_MAX) {
            wrong_tiles_count(&matmul, &outcome->wrong);
            wrong_cells_find(&matmul, &outcome->cells);
        }
    }
    // Exact inputs hold no zero, so a right sum has used them all: then the map has a hole.
    outcome->blind = !status && coverage && report.verdict == VERDICT_PASS &&
                     coverage->gap[ARRAY_A].missing + coverage->gap[ARRAY_B].missing > 0;
    return status;
}

// Judges the outputs of any other kernel.
static enum status judge_outputs(const struct arrays *arrays, struct run_outcome *outcome,
                                 struct error *err) {
    struct expected_report report;
    enum status status =
        expected_check(&arrays->made, (const void *const *)arrays->after, &report, err);
    if (!status && report.verdict != VERDICT_PASS) {
        run_outcome_add_outputs(outcome, &report);
    }
    return status;
}

// The kernel ended by itself: inputs untouched, outputs right?
static enum status judge_arrays(struct run_worker *worker, const struct coverage *coverage,
                                struct arrays *arrays, struct run_outcome *outcome,
                                struct error *err) {
    enum status status = arrays_fetch(worker, arrays, err);
    if (status) {
        return status;
    }
    run_outcome_add_changed(outcome, arrays->signature, arrays_changed(arrays));
    return arrays->is_made ? judge_outputs(arrays, outcome, err)
                           : judge_product(coverage, arrays, outcome, err);
}

// *outcome holds the worker's answer without the arrays.
static enum status judge_answer(struct run_worker *worker, uint32_t flags,
                                const struct answer *answer, struct arrays *arrays,
                                struct run_outcome *outcome, struct error *err) {
    bool mapped = worker->program->kind == DEVICE_EMU && (flags & REQUEST_CHECK);
    enum status status = STATUS_OK;
    outcome->counts = answer->counts;
    outcome->shared_bytes = answer->shared_bytes;
    outcome->launch_count = answer->launch_count;
    outcome->steps = answer->steps;
    if (answer->end == RUN_FINISHED) {
        status = judge_arrays(worker, mapped ? &answer->coverage : NULL, arrays, outcome, err);
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
static enum status run_with(struct run_worker *worker, const struct planned_case *planned,
                            const struct way *way, uint32_t *ret_processes,
                            struct run_outcome *ret_outcome, struct error *err) {
    struct run_outcome outcome = {.verdict = VERDICT_PASS, .text_verdict = VERDICT_PASS};
    struct arrays arrays;
    struct request request;
    struct run_reply reply;
    enum status status = arrays_make(worker->program, planned, &arrays, err);
    if (status) {
        return status;
    }
    outcome.limits = run_limits_of(worker->program->kind, arrays.signature, planned->size,
                                   worker->program->patience);
    request_make(worker->program, &arrays, way, &outcome.limits, &request);
    status = run_worker_launch(worker, &request, arrays.before, &reply, err);
    if (!status) {
        time_spend(worker->program, &outcome.limits, &reply);
    }
    if (!status && reply.fate != FATE_ANSWERED && reply.fate != FATE_FLOODED) {
        status = run_worker_control(worker->program->machine, worker->program->kind, err);
    }
    if (!status) {
        run_outcome_of_reply(&reply, worker->program, &outcome);
    }
    if (!status && reply.fate == FATE_ANSWERED) {
        status = judge_answer(worker, way->flags, &reply.answer, &arrays, &outcome, err);
    }
    arrays_done(&arrays);
    if (!status) {
        *ret_processes = reply.fate == FATE_ANSWERED ? reply.answer.processes : 0;
        *ret_outcome = outcome;
    }
    return status;
}

static enum status run_way(struct run_worker *worker, const struct planned_case *planned,
                           struct way way, struct run_outcome *ret_outcome, struct error *err) {
    uint32_t processes = 0;
    enum status status = run_with(worker, planned, &way, &processes, ret_outcome, err);
    // A launch that was shared had no finding.  If C is wrong all the same, its bytes may come from
    // what no checker sees, such as an old value on a stack: so it is judged again in one process.
    if (!status && processes > 1 && ret_outcome->verdict != VERDICT_PASS) {
        way.processes = 1;
        status = run_with(worker, planned, &way, &processes, ret_outcome, err);
    }
    // Another value there shows what comes of it: an index that is computed from it, a wait for it.
    if (!status && run_outcome_may_follow_from_empty(ret_outcome)) {
        struct run_outcome other;
        struct way zeros = way;
        zeros.processes = 1;
        zeros.flags |= REQUEST_ZEROS;
        status = run_with(worker, planned, &zeros, &processes, &other, err);
        if (!status && !other.stop) {
            run_outcome_blame_empty(ret_outcome, &other);
        }
    }
    // What gives such a value is no mistake if nothing uses it, so it is looked for only now.
    if (!status && ret_outcome->lanes) {
        struct run_outcome other;
        way.processes = 1;
        way.flags |= REQUEST_LANES;
        status = run_with(worker, planned, &way, &processes, &other, err);
        *ret_outcome = !status && other.verdict == VERDICT_UNINITIALIZED ? other : *ret_outcome;
    }
    // Nor is the read of an output, as long as its old value is not used.
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

// Runs a right case again in other orders of blocks and threads.  A wrong one becomes the outcome.
// An order in which the kernel does not end is left out: it may wait for an earlier block.
static enum status run_again(struct run_worker *worker, const struct planned_case *planned,
                             struct way way, struct run_outcome *outcome, struct error *err) {
    const struct run_program *program = worker->program;
    const uint64_t orders[] = {ORDER_REVERSE,
                               2 + random_below(planned->key, ORDER_DRAW, UINT32_MAX)};
    enum status status = STATUS_OK;
    way.steps_max = AGAIN_BASE + AGAIN_FACTOR * outcome->steps;
    for (size_t i = 0; i < COUNT(orders) && !status && outcome->verdict == VERDICT_PASS; i++) {
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

uint32_t run_case_flags(enum device_kind device) {
    return device == DEVICE_EMU ? REQUEST_CHECK : REQUEST_RELOAD;
}

enum status run_case(struct run_worker *worker, const struct planned_case *planned, uint32_t flags,
                     struct run_outcome *ret_outcome, struct error *err) {
    const struct run_program *program = worker->program;
    const struct way way = {.flags = flags | (planned->junk ? REQUEST_JUNK : 0),
                            .processes = program->machine->jobs,
                            .sample_draw = random_at(planned->key, SAMPLE_DRAW)};
    enum status status = run_way(worker, planned, way, ret_outcome, err);
    bool again = planned->again && program->kind == DEVICE_EMU && (flags & REQUEST_CHECK);
    if (!status && again && ret_outcome->verdict == VERDICT_PASS) {
        status = run_again(worker, planned, way, ret_outcome, err);
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
    struct run_reply *reply = calloc(1, sizeof *reply);
    float *poisoned = malloc(size_elements_c(size) * sizeof *poisoned);
    struct request request;
    enum status status =
        reply && poisoned ? STATUS_OK : fail(err, STATUS_NO_MEMORY, "no memory for a launch");
    if (!status) {
        poison_fill(poisoned, size_elements_c(size));
        const void *const before[ARGUMENTS_MAX] = {inputs->a, inputs->b, poisoned};
        request_make(worker->program, &arrays, &way, &limits, &request);
        status = run_worker_launch(worker, &request, before, reply, err);
    }
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

enum status run_case_plan(struct run_worker *worker, struct size size, bool *ret_answered,
                          struct answer *ret_answer, struct error *err) {
    struct run_reply *reply = calloc(1, sizeof *reply);
    const struct request request = {.size = size,
                                    .arguments = arguments_of(&worker->program->exercise->signature,
                                                              size, &worker->program->report),
                                    .flags = REQUEST_PLAN,
                                    .threads_max = worker->program->report.threads_max,
                                    .processes = 1,
                                    .access_budget = PLAN_ACCESSES,
                                    .time_ms_max = PLAN_MS};
    if (!reply) {
        return fail(err, STATUS_NO_MEMORY, "no memory for an answer");
    }
    enum status status = run_worker_launch(worker, &request, NULL, reply, err);
    if (!status) {
        *ret_answered = reply->fate == FATE_ANSWERED;
        *ret_answer = reply->answer;
    }
    free(reply);
    return status;
}
