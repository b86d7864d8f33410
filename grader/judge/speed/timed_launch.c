// Judges all but the product, which timed_check.c verifies later.
#include "judge/speed/timed_launch.h"

#include <string.h>

#include "base/basics.h"
#include "judge/model/arguments.h"
#include "judge/run/gpu_lease.h"

#define LAUNCH_MS 20000  // of a request
#define TRIES     2

// One of the three parts.  *ret_ms is what passed on our clock.
static enum status request_send(struct run_worker *worker, const struct timed_plan *plan,
                                enum request_kind kind, struct run_reply *reply, double *ret_ms,
                                struct error *err) {
    struct request request;
    memset(&request, 0, sizeof request);
    request.kind = kind;
    request.size = plan->size;
    request.time_ms_max = LAUNCH_MS;
    request.arguments = arguments_of(&worker->program->exercise->signature, plan->size, NULL);
    if (kind != REQUEST_RESERVE) {  // a worker that waits for its turn must not know the inputs
        request.timed.key = plan->key;
    }
    request.flags = kind == REQUEST_COLLECT && plan->watched ? REQUEST_STATE : 0;
    request.timed.poison = POISON_BITS;
    request.timed.batch = (uint32_t)plan->batch;
    request.timed.by = plan->by;
    request.timed.inputs = plan->inputs;
    if (plan->draw) {
        memcpy(request.timed.draw, plan->draw, sizeof request.timed.draw);
    }
    int64_t begin = clock_ns();
    enum status status = run_worker_timed(worker, &request, reply, err);
    *ret_ms = (double)(clock_ns() - begin) / 1e6;
    return status;
}

static bool is_fine(const struct run_reply *reply) {
    return reply->fate == FATE_ANSWERED && reply->answer.end == RUN_FINISHED;
}

// All parts, up to the first that does not end well, whose reply is left.
static enum status try_once(struct run_worker *worker, const struct timed_plan *plan,
                            struct pairs_sample *sample, struct run_reply *reply,
                            struct error *err) {
    double prepare_ms = 0.0;
    double collect_ms = 0.0;
    enum status status = request_send(worker, plan, REQUEST_PREPARE, reply, &prepare_ms, err);
    if (status || !is_fine(reply)) {
        return status;
    }
    sample->printed += reply->printed;
    sample->cublas_version = reply->answer.timed.cublas_version;
    status = request_send(worker, plan, REQUEST_GO, reply, &sample->wall_ms, err);
    if (status || !is_fine(reply)) {
        return status;
    }
    sample->printed += reply->printed;
    sample->launches = plan->batch;
    sample->event_ms = (double)reply->answer.elapsed_ns / 1e6 / plan->batch;
    status = request_send(worker, plan, REQUEST_COLLECT, reply, &collect_ms, err);
    sample->state = reply->answer.timed.state;
    sample->printed += reply->printed;
    sample->beside_ms = prepare_ms + collect_ms;
    return status;
}

// The same, with the GPU locked.  What the driver needs time for, and locks of its own, is had
// before.
static enum status try_alone(struct run_worker *worker, const struct timed_plan *plan,
                             struct pairs_sample *sample, struct run_reply *reply,
                             struct error *err) {
    struct gpu_lease *lease = run_worker_lease(worker->program);
    double reserve_ms = 0.0;
    enum status status = request_send(worker, plan, REQUEST_RESERVE, reply, &reserve_ms, err);
    if (status || !is_fine(reply)) {
        return status;
    }
    status = gpu_lease_lock(lease, err);
    if (!status) {
        status = try_once(worker, plan, sample, reply, err);
        gpu_lease_unlock(lease);
    }
    return status;
}

static bool says_nothing(const struct run_reply *reply) {
    return reply->fate == FATE_ANSWERED ? reply->answer.end == RUN_STOPPED
                                        : reply->fate != FATE_FLOODED;
}

enum status timed_launch(struct run_worker *worker, const struct timed_plan *plan,
                         struct pairs_sample *ret_sample, struct run_outcome *ret_outcome,
                         struct error *err) {
    struct run_outcome outcome = {.verdict = VERDICT_PASS, .text_verdict = VERDICT_PASS};
    struct pairs_sample sample;
    struct run_reply reply;
    enum status status = STATUS_OK;
    bool again = true;
    for (int i = 0; i < TRIES && again && !status; i++) {
        memset(&sample, 0, sizeof sample);
        memset(&reply, 0, sizeof reply);
        status = try_alone(worker, plan, &sample, &reply, err);
        again = !status && says_nothing(&reply);
    }
    if (!status && reply.fate != FATE_ANSWERED && reply.fate != FATE_FLOODED) {
        status = run_worker_control(worker->program->machine, worker->program->kind, err);
    }
    if (status) {
        return status;
    }
    run_outcome_of_reply(&reply, worker->program, &outcome);
    run_outcome_add_changed(&outcome, &worker->program->exercise->signature,
                            reply.answer.timed.inputs_changed);
    sample.right = outcome.verdict == VERDICT_PASS;
    *ret_sample = sample;
    *ret_outcome = outcome;
    return STATUS_OK;
}
