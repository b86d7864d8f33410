// Launches, reads and verifies: see timed_size.h.  The kernels that make inputs are compiled in a
// separate folder, which no student's compiler has accessed, and copied from there.
//
// Invariant: an output is read out of the worker's memfd before any worker gets another request, so
// that a worker cannot continue computing it while the other side is timed.
#include "judge/speed/timed_size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/pool.h"
#include "device/gpu/helper.h"
#include "judge/model/inputs.h"
#include "judge/run/gpu_lease.h"
#include "judge/speed/reference.h"
#include "sandbox/box.h"

#define SOURCE_NAME "inputs.cu"

static const struct box_limits limits = {
    .wall_ms = 60 * 1000,
    .cpu_seconds = 30,
    .memory_bytes = 2ull << 30,
    .file_bytes = 64ull << 20,
    .output_bytes = 64 << 10,
    .open_files = 64,
};

static enum status source_copy(const struct judge_machine *machine, const char *folder,
                               struct error *err) {
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    enum status status =
        gpu_helper_source(machine->paths.include, "device/gpu/inputs.cu", &text, err);
    if (!status) {
        status = path_make(path, err, "%s/" SOURCE_NAME, folder);
    }
    if (!status) {
        status = file_write(path, text, strlen(text), err);
    }
    free(text);
    return status;
}

static enum status compile(const struct judge_machine *machine, const char *folder,
                           struct error *err) {
    char program[PATH_BYTES_MAX];
    struct box *box = NULL;
    enum box_end end = BOX_RUNNING;
    enum status status = path_make(program, err, "%s/tilegrade-nvrtc", machine->paths.programs);
    if (status) {
        return status;
    }
    char *arguments[] = {program,      "--own", SOURCE_NAME, (char *)machine->gpu.architecture,
                         BUILD_INPUTS, NULL};
    const struct box_command command = {.argument = arguments,
                                        .folder = folder,
                                        .passed = device_variables(DEVICE_GPU),
                                        .limits = limits,
                                        .sandbox = machine->sandbox,
                                        .profile = PROFILE_OWN};
    status = box_start(&command, &box, err);
    if (!status) {
        status = box_wait(box, &end, err);
    }
    if (!status && (end != BOX_EXITED || box_exit_code(box) != 0)) {
        status = fail(err, STATUS_SYSTEM, "the kernels that make inputs do not build: %.300s",
                      box_output(box));
    }
    box_free(box);
    return status;
}

static enum status cubin_copy(const char *folder, const struct run_program *const programs[],
                              int program_count, struct error *err) {
    char path[PATH_BYTES_MAX];
    char *cubin = NULL;
    size_t bytes = 0;
    enum status status = path_make(path, err, "%s/" BUILD_INPUTS, folder);
    if (!status) {
        status = file_read(path, FILE_BYTES_MAX, &cubin, &bytes, err);
    }
    for (int i = 0; i < program_count && !status; i++) {
        status = path_make(path, err, "%s/" BUILD_INPUTS, programs[i]->scratch);
        if (!status) {
            status = file_write(path, cubin, bytes, err);
        }
    }
    free(cubin);
    return status;
}

enum status timed_inputs_build(const struct judge_machine *machine,
                               const struct run_program *const programs[], int program_count,
                               struct error *err) {
    char folder[PATH_BYTES_MAX];
    enum status status = box_scratch_make(NULL, folder, err);
    if (status) {
        return status;
    }
    status = source_copy(machine, folder, err);
    if (!status) {
        status = compile(machine, folder, err);
    }
    if (!status) {
        status = cubin_copy(folder, programs, program_count, err);
    }
    (void)folder_remove(folder, NULL);
    return status;
}

#define LAUNCH_MS 20000  // of a request
#define TRIES     2

// One of the three parts. *ret_ms is the time on our own clock.
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

// All parts, up to the first that fails, whose reply is kept.
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

// The same, with the GPU locked.  The driver's slow work, and its own locks, come before the lock
// is taken.
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

// Launches; afterwards C of launch j is in the worker's memfd at j * timed_layout_of(…).stride.
//
// If a worker gives no answer, or a GPU does not finish in time, a new process makes a second try,
// because a busy machine can cause this with any kernel.
//
// Returns  *ret_outcome: a pass, or the failure of the launch (then the sample is not right).
// Errors   ours, as those of run_worker_launch.
static enum status timed_launch(struct run_worker *worker, const struct timed_plan *plan,
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

#define READERS     4
#define PART_BYTES  (4u << 20)  // part of an output that one thread reads
#define LABEL_BYTES (NAME_BYTES_MAX + SIZE_TEXT_MAX + 40)

// A key of one pair.  The key of the inputs goes to the workers; the key of the check never does.
static struct random_key key_of(const struct timed_size *timed, const char *use, int pair) {
    char label[LABEL_BYTES];
    char size[SIZE_TEXT_MAX];
    size_format(timed->size, size);
    (void)snprintf(label, sizeof label, "%s/%s%s/%s/%d", timed->exercise->name,
                   timed->by != TIMED_BY_KERNEL ? "cublas-" : "", use, size, pair);
    struct random_key key = random_key_make(timed->seed, label);
    return timed->exercise->precision != PRECISION_FP32 ? exact_narrow(key) : key;
}

// For both sides of one pair.
static enum timed_inputs inputs_of(const struct timed_size *timed, int pair) {
    bool real =
        pairs_is_real(pair) || (timed->expected && timed_expected_is_real_only(timed->expected));
    return real ? TIMED_REAL : TIMED_EXACT;
}

static struct planned_case case_of_pair(const struct timed_size *timed, int pair, int launch) {
    return (struct planned_case){
        .size = timed->size,
        .inputs = inputs_of(timed, pair) == TIMED_REAL ? INPUTS_REAL : INPUTS_EXACT,
        .key = exact_batch_key(key_of(timed, "timed", pair), (uint32_t)launch),
        .precision = timed->exercise->precision};
}

double timed_gflops(const struct exercise *exercise, struct size size, double ms) {
    return signature_flop(&exercise->signature, size) / (ms * 1e6);
}

static int slots_of(const struct timed_size *timed) {
    return timed->expected ? 1 : TIMED_SLOTS;
}

enum status timed_size_init(struct timed_size *timed, struct size size, int batch,
                            struct error *err) {
    const struct arguments arguments = arguments_of(&timed->exercise->signature, size, NULL);
    const struct timed_layout layout = timed_layout_of(&arguments, (uint32_t)batch);
    int processors = pool_processors();
    timed->size = size;
    timed->batch = batch;
    timed->stride = layout.stride;
    timed->bytes = layout.total;
    timed->pair = -1;
    timed->checking = -1;
    for (int slot = 0; slot < slots_of(timed); slot++) {
        for (int side = 0; side < PAIRS_SIDES; side++) {
            timed->output[slot][side] = xmalloc(timed->bytes);
        }
    }
    enum status status = timed->expected ? STATUS_OK
                                         : timed_check_new(size, batch, timed->exercise->precision,
                                                           &timed->check, err);
    if (!status) {
        status = pool_open(processors < READERS ? processors : READERS, 0, &timed->readers, err);
    }
    return status;
}

void timed_size_done(struct timed_size *timed) {
    gpu_lease_unlock(timed->locked);
    timed->locked = NULL;
    timed_check_free(timed->check);  // first: its threads read the outputs
    pool_close(timed->readers);
    for (int slot = 0; slot < TIMED_SLOTS; slot++) {
        for (int side = 0; side < PAIRS_SIDES; side++) {
            free(timed->output[slot][side]);
            timed->output[slot][side] = NULL;
        }
    }
    timed->check = NULL;
    timed->readers = NULL;
}

// --- Reading ------------------------------------------------------------------------------------

struct output_reading {
    const struct session *session;
    char *output;
    size_t bytes;
    enum status status;  // of any failed part; all parts fail for the same reason
};

static void part_read(void *context, int item) {
    struct output_reading *reading = context;
    struct error err = {.text = ""};
    size_t first = (size_t)item * PART_BYTES;
    size_t count = reading->bytes - first < PART_BYTES ? reading->bytes - first : PART_BYTES;
    enum status status =
        session_read(reading->session, first, reading->output + first, count, &err);
    if (status) {
        __atomic_store_n(&reading->status, status, __ATOMIC_RELAXED);
    }
}

static enum status output_read(struct timed_size *timed, enum pairs_side side, char *output,
                               struct error *err) {
    struct output_reading reading = {
        .session = &timed->worker[side]->session, .output = output, .bytes = timed->bytes};
    const struct pool_phase phase = {part_read,
                                     (int)((timed->bytes + PART_BYTES - 1) / PART_BYTES)};
    pool_start(timed->readers, &phase, 1, &reading);
    pool_wait(timed->readers);
    return reading.status ? fail(err, reading.status, "cannot read the outputs of a timed launch")
                          : STATUS_OK;
}

// --- Verifying ----------------------------------------------------------------------------------

// With real inputs, all of C is checked as in a case; otherwise only the row that fails Freivalds'
// test.
static void wrong_real_explain(const struct planned_case *planned, const struct matmul *matmul,
                               int32_t row, struct run_outcome *outcome) {
    struct oracle_report report =
        oracle_check(planned->precision, INPUTS_REAL, planned->key, matmul);
    if (report.verdict == VERDICT_PASS) {
        report = oracle_explain_row(planned->precision, matmul, row);
    }
    run_outcome_add_product(outcome, &report, NULL, planned->size);
}

// Explains an output that fails Freivalds' test.
static enum status wrong_explain(struct timed_size *timed, int pair, enum pairs_side side,
                                 int launch, struct wrong_launch *ret_wrong, struct error *err) {
    const char *c = timed->output[pair % slots_of(timed)][side] + (size_t)launch * timed->stride;
    float *a = xmalloc(size_elements_a(timed->size) * sizeof *a);
    float *b = xmalloc(size_elements_b(timed->size) * sizeof *b);
    const struct matmul matmul = {timed->size, a, b, (const float *)(const void *)c};
    const struct planned_case planned = case_of_pair(timed, pair, launch);
    struct run_outcome *outcome = &ret_wrong->outcome;
    enum status status = STATUS_OK;
    *ret_wrong = (struct wrong_launch){
        .planned = planned, .outcome = {.verdict = VERDICT_PASS, .text_verdict = VERDICT_PASS}};
    inputs_fill(planned.inputs, planned.key, timed->size, a, b);
    if (planned.inputs == INPUTS_REAL) {
        wrong_real_explain(&planned, &matmul, timed_check_wrong_row(timed->check, side), outcome);
    } else {
        run_outcome_of_product(&matmul, key_of(timed, "explain", pair), outcome);
    }
    if (outcome->verdict == VERDICT_PASS) {
        status = fail(err, STATUS_SYSTEM, "two checks of one product disagree");
    }
    free(b);
    free(a);
    return status;
}

// A wrong launch on the reference's side is a failure of ours.
static enum status reference_failed(const struct timed_size *timed,
                                    const struct wrong_launch *launch, struct error *err) {
    const struct run_outcome *outcome = &launch->outcome;
    char size[SIZE_TEXT_MAX];
    if (timed->by == TIMED_BY_KERNEL || outcome->verdict == VERDICT_PASS) {
        return speed_reference_check(timed->exercise, &launch->planned, outcome, err);
    }
    size_format(timed->size, size);
    return fail(err, STATUS_UNAVAILABLE, "a launch at size %s is not right: %s", size,
                verdict_title(outcome->verdict));
}

// Keeps the mistake of the student's kernel.
static enum status launch_failed(struct timed_size *timed, enum pairs_side side,
                                 const struct wrong_launch *launch, struct error *err) {
    if (side == PAIRS_REFERENCE) {
        return reference_failed(timed, launch, err);
    }
    timed->wrong = true;
    timed->wrong_launch = *launch;
    return STATUS_OK;
}

// Waits for the pair that is being verified, and keeps its mistake.
static enum status check_end(struct timed_size *timed, struct error *err) {
    int wrong[TIMED_SIDES];
    enum status status = STATUS_OK;
    int pair = timed->checking;
    if (pair < 0) {
        return STATUS_OK;
    }
    timed_check_wait(timed->check, wrong);
    timed->checking = -1;
    for (int side = 0; side < PAIRS_SIDES && !status; side++) {
        struct wrong_launch launch;
        if (wrong[side] < 0 || (side == PAIRS_STUDENT && timed->wrong)) {
            continue;
        }
        status = wrong_explain(timed, pair, (enum pairs_side)side, wrong[side], &launch, err);
        if (!status) {
            status = launch_failed(timed, (enum pairs_side)side, &launch, err);
        }
    }
    return status;
}

// Verifies the outputs of the current pair, for a kernel that is not a matmul.
static enum status others_check(struct timed_size *timed, struct error *err) {
    enum status status = STATUS_OK;
    int pair = timed->pair;
    for (int j = 0; j < timed->batch && !status && !timed->wrong; j++) {
        struct wrong_launch student = {.planned = case_of_pair(timed, pair, j)};
        struct wrong_launch reference = student;
        struct timed_outputs outputs = {.inputs = inputs_of(timed, pair),
                                        .key = student.planned.key};
        const char *output[PAIRS_SIDES] = {NULL, NULL};
        for (int side = 0; side < PAIRS_SIDES; side++) {
            output[side] = timed->collected[side]
                               ? timed->output[pair % slots_of(timed)][side] + j * timed->stride
                               : NULL;
        }
        outputs.student = output[PAIRS_STUDENT];
        outputs.reference = output[PAIRS_REFERENCE];
        status = timed_expected_check(timed->expected, timed->readers, &outputs, &student.outcome,
                                      &reference.outcome, err);
        if (!status) {
            status = launch_failed(timed, PAIRS_REFERENCE, &reference, err);
        }
        if (!status && student.outcome.verdict != VERDICT_PASS) {
            status = launch_failed(timed, PAIRS_STUDENT, &student, err);
        }
    }
    timed->collected[PAIRS_STUDENT] = timed->collected[PAIRS_REFERENCE] = false;
    timed->pair = -1;
    return status;
}

// Passes the outputs of the current pair to the verifying threads.
static enum status check_begin(struct timed_size *timed, struct error *err) {
    const void *outputs[TIMED_SIDES];
    enum status status = check_end(timed, err);
    if (status || timed->pair < 0) {
        return status;
    }
    if (timed->expected) {
        return others_check(timed, err);
    }
    for (int side = 0; side < PAIRS_SIDES; side++) {
        outputs[side] =
            timed->collected[side] ? timed->output[timed->pair % TIMED_SLOTS][side] : NULL;
        timed->collected[side] = false;
    }
    timed_check_start(timed->check, inputs_of(timed, timed->pair),
                      key_of(timed, "timed", timed->pair), key_of(timed, "check", timed->pair),
                      outputs, timed->stride);
    timed->checking = timed->pair;
    timed->pair = -1;
    return STATUS_OK;
}

// --- The calls of a measurement -----------------------------------------------------------------

enum status timed_size_launch(void *context, enum pairs_side side, int pair,
                              struct pairs_sample *ret_sample, struct error *err) {
    struct timed_size *timed = context;
    const struct timed_plan plan = {
        .size = timed->size,
        .batch = timed->batch,
        .key = key_of(timed, "timed", pair),
        .inputs = inputs_of(timed, pair),
        .by = side == PAIRS_REFERENCE ? timed->by : TIMED_BY_KERNEL,
        .draw =
            timed->expected ? timed_expected_draw(timed->expected, inputs_of(timed, pair)) : NULL,
        // No student's code runs in the reference's worker.
        .watched = side == PAIRS_REFERENCE};
    struct run_outcome outcome;
    enum status status = STATUS_OK;
    if (timed->pair != pair) {
        status = check_begin(timed, err);
    }
    if (!status) {
        status = timed_launch(timed->worker[side], &plan, ret_sample, &outcome, err);
    }
    if (status) {
        return status;
    }
    if (outcome.verdict != VERDICT_PASS) {  // before there was an output to verify
        const struct wrong_launch launch = {case_of_pair(timed, pair, 0), outcome};
        return launch_failed(timed, side, &launch, err);
    }
    timed->pair = pair;
    timed->collected[side] = true;
    status = output_read(timed, side, timed->output[pair % slots_of(timed)][side], err);
    if (!status && timed->collected[!side]) {
        status = check_begin(timed, err);
    }
    // An error found in the meantime ends the measurement now.
    ret_sample->right = ret_sample->right && !(side == PAIRS_STUDENT && timed->wrong);
    return status;
}

enum status timed_size_settle(void *context, bool *ret_right, struct error *err) {
    struct timed_size *timed = context;
    enum status status = check_begin(timed, err);
    if (!status) {
        status = check_end(timed, err);
    }
    if (!status) {
        *ret_right = !timed->wrong;
    }
    return status;
}

enum status timed_size_isolate(void *context, bool *ret_alone, struct error *err) {
    struct timed_size *timed = context;
    struct gpu_lease *lease = run_worker_lease(timed->worker[PAIRS_STUDENT]->program);
    enum status status = gpu_lease_lock(lease, err);
    timed->locked = status ? NULL : lease;
    *ret_alone = timed->locked != NULL;
    return status;
}
