// Limits of launches, and the processes that run them: see run_worker.h.  On an ordinary machine
// (the one for the figures in grader/README.md) the CPU device makes 40 to 100 million accesses a
// second.
#include "judge/run/run_worker.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/memory.h"
#include "base/words.h"
#include "device/compile/build_plan.h"
#include "judge/model/inputs.h"
#include "judge/run/gpu_lease.h"
#include "sandbox/box.h"

// Accesses.  A right kernel that is slow must not be stopped, even if it makes many times the
// reference's accesses: a block of 1024 threads that sums one element makes 16,384, whatever K is.
// At 512 x 512 x 512 the limit is 21 times the accesses of the naive and the tiled reference.
#define ACCESSES_BASE     10000000ull
#define ACCESSES_PADDING  63    // for edges of blocks; added to each dimension
#define ACCESSES_PER_FMA  8ull  // the simplest kernel makes two
#define ACCESSES_PER_C    16384ull
#define ACCESSES_OF_C_MAX 4300000000ull  // those at 512

// Processor time of an ordinary machine.
#define LEAST_MS        5000ull
#define ACCESSES_PER_MS 50000ull
#define KERNEL_MS       360000ull  // all launches of one kernel, its cases and counted sizes
#define GRADE_MS        600000ull  // all kernels of a grade; later kernels get LATE_KERNEL_MS
#define LATE_KERNEL_MS  30000ull   // after GRADE_MS: the references take 3 to 10 s

// A GPU.  The cases of a right kernel take less than a second together.
#define GPU_LAUNCH_MS 10000ull
#define GPU_KERNEL_MS 30000ull
#define LEFT_LEAST_MS 500ull  // so that the last launch in the limit still runs

// The speed of a processor: a chain of this many steps takes this long on an ordinary machine.
#define STEPS       500000
#define ORDINARY_NS 750000.0
#define TRIES       3

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

// For a kernel that is not a matmul: its work counts each element and operation once.
#define ACCESSES_PER_WORK 4096ull

static uint64_t accesses_of(const struct signature *signature, struct size size) {
    if (!signature->is_matmul) {
        return ACCESSES_BASE +
               least(ACCESSES_PER_WORK * signature_work(signature, size), ACCESSES_OF_C_MAX);
    }
    uint64_t padded = (uint64_t)(size.m + ACCESSES_PADDING) *
                      (uint64_t)(size.n + ACCESSES_PADDING) * (uint64_t)(size.k + ACCESSES_PADDING);
    return ACCESSES_BASE + ACCESSES_PER_FMA * padded +
           least(ACCESSES_PER_C * size_elements_c(size), ACCESSES_OF_C_MAX);
}

static uint64_t scaled(uint64_t ms, double slowness) {
    return slowness > 1.0 ? (uint64_t)((double)ms * slowness) : ms;
}

// The rest of a total after this much has been spent.
static uint64_t left_of(uint64_t total, uint64_t spent) {
    return spent < total ? total - spent : 0;
}

// The time left for a launch that may take this long.  It comes from the kernel's time, which is
// enough for one such launch, and from the part of the grade's time that earlier kernels have left.
static uint64_t kernel_left(enum device_kind device, uint64_t launch_ms,
                            const struct judge_patience *patience) {
    uint64_t grade = left_of(GRADE_MS, patience->grade_ms - patience->kernel_ms[device]);
    uint64_t kernel = device == DEVICE_GPU ? GPU_KERNEL_MS : most(KERNEL_MS, launch_ms);
    kernel = least(kernel, most(grade, LATE_KERNEL_MS));
    return most(left_of(kernel, patience->kernel_ms[device]), LEFT_LEAST_MS);
}

struct run_limits run_limits_of(enum device_kind device, const struct signature *signature,
                                struct size size, const struct judge_patience *patience) {
    uint64_t accesses = accesses_of(signature, size);
    double slowness =
        device == DEVICE_EMU && patience && patience->slowness > 1.0 ? patience->slowness : 1.0;
    uint64_t launch_ms =
        device == DEVICE_GPU ? GPU_LAUNCH_MS : most(LEAST_MS, run_accesses_ms(accesses));
    uint64_t left_ms = patience ? kernel_left(device, launch_ms, patience) : launch_ms;
    bool is_rest = left_ms < launch_ms;
    uint64_t ordinary_ms = is_rest ? left_ms : launch_ms;
    return (struct run_limits){.accesses =
                                   is_rest ? least(accesses, left_ms * ACCESSES_PER_MS) : accesses,
                               .time_ms = scaled(ordinary_ms, slowness),
                               .ordinary_ms = ordinary_ms,
                               .is_rest = is_rest};
}

uint64_t run_accesses_ms(uint64_t accesses) {
    return accesses / ACCESSES_PER_MS;
}

static double now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

// At least 1.
static double run_slowness(void) {
    double slowest_ns = ORDINARY_NS;
    for (int i = 0; i < TRIES; i++) {
        double begin_ns = now_ns();
        volatile uint64_t result = 1;
        uint64_t chain = result;
        for (int step = 0; step < STEPS; step++) {
            chain =
                (chain ^ chain >> 27) * 0x94d049bb133111ebULL;  // each step needs the one before
        }
        result = chain;
        double taken_ns = now_ns() - begin_ns;
        slowest_ns = taken_ns > slowest_ns ? taken_ns : slowest_ns;
    }
    return slowest_ns / ORDINARY_NS;
}

void run_patience_begin(struct judge_patience *patience) {
    *patience = (struct judge_patience){.slowness = run_slowness()};
}

void run_patience_kernel(struct judge_patience *patience) {
    for (int i = 0; i < DEVICE_KIND_COUNT; i++) {
        patience->kernel_ms[i] = 0;
    }
}

void run_patience_spend(struct judge_patience *patience, enum device_kind device, uint64_t ms) {
    if (patience) {
        patience->kernel_ms[device] += ms;
        patience->grade_ms += ms;
    }
}

void run_limits_write(enum device_kind device, struct size size, const struct run_limits *limits,
                      char *text, size_t text_bytes) {
    char size_text[SIZE_TEXT_MAX];
    double seconds = (double)limits->ordinary_ms / 1e3;
    size_format(size, size_text);
    if (device == DEVICE_GPU && limits->is_rest) {
        words_sentence(text, text_bytes,
                       "A launch may take %.1f s: earlier cases have used the rest of the time for "
                       "all cases.",
                       seconds);
    } else if (device == DEVICE_GPU) {
        words_sentence(text, text_bytes, "A launch may take %.1f s.", seconds);
    } else if (limits->is_rest) {
        words_sentence(text, text_bytes,
                       "A launch at size %s may take %.1f s of processor time: earlier launches "
                       "have used the rest of the time for all launches.",
                       size_text, seconds);
    } else {
        words_sentence(text, text_bytes,
                       "A launch at size %s may make %llu million loads, stores and barrier "
                       "arrivals, and take %.0f s of an ordinary processor's time.",
                       size_text, (unsigned long long)(limits->accesses / 1000000), seconds);
    }
}

// A worker may serve many launches, each of which may print PRINTF_BYTES_MAX; matrices count as
// file bytes.
static const struct box_limits emu_limits = {
    .cpu_seconds = 3600,
    .memory_bytes =
        128ull << 30,  // of addresses: shadows of long arrays, of which little is touched
    .file_bytes = 4ull << 30,
    .output_bytes = 64ull << 20,
    .open_files = 32,
};

// For shadows of all device memory.
#define PROGRAM_ADDRESSES (1ull << 40)

// Far more than the workers of one judge have together.  A failed fork costs time, but no result.
#define EMU_PROCESSES_MAX 128

// No limit of address space: a CUDA process reserves huge ranges.
static const struct box_limits gpu_limits = {
    .cpu_seconds = 900,
    .file_bytes = 4ull << 30,
    .output_bytes = 64ull << 20,
    .open_files = 256,
};

#define SETUP_DEADLINE_MS 60000  // a CUDA context can take seconds on a busy machine
// Wall-clock limit of a launch, as a multiple of the time in its request, plus a margin for a busy
// machine.  On the CPU device a launch that makes progress has four times that time, as processor
// time.
#define LATE_FACTOR     8
#define LATE_FACTOR_EMU 32
#define LATE_SLACK_MS   10000
#define CONTROL_MS      20000  // for a launch of one multiply-add
#define EXIT_WAIT_MS    2000   // between the end of the channel and the end of the process
#define EXIT_STEP_MS    20     // interval of looking for the end

#define MARK "…\n"

void run_worker_init(struct run_worker *worker, const struct run_program *program) {
    *worker = (struct run_worker){.program = program};
    worker->session.socket_fd = worker->session.worker_fd = worker->session.matrices_fd = -1;
}

void run_worker_stop(struct run_worker *worker) {
    if (worker->box) {
        session_close(&worker->session);
        box_free(worker->box);
        worker->box = NULL;
    }
}

// Reads the worker's output while the judge waits for its answer.
static int worker_watch(void *context) {
    struct box *box = context;
    enum box_end end = BOX_RUNNING;
    if (box_poll(box, 0, &end, NULL) || end != BOX_RUNNING) {
        return SESSION_WATCH_ENDED;
    }
    return box_output_fd(box);
}

static enum status process_start(struct run_worker *worker, struct error *err) {
    const struct run_program *program = worker->program;
    const struct judge_machine *machine = program->machine;
    const struct build_folder folder = {program->scratch, program->kernel, program->kind};
    struct build_step step = worker->other_pattern ? build_other_worker_command(program->scratch)
                                                   : build_worker_command(&folder, &machine->paths,
                                                                          gpu_lease_index(machine));
    const char *const readable[] = {step.argument[0], NULL};
    const int descriptors[] = {worker->session.worker_fd, worker->session.matrices_fd};
    struct box_command command = {
        .argument = step.argument,
        .folder = program->scratch,
        .passed = device_variables(program->kind),
        .descriptor = descriptors,
        .descriptor_count = 2,
        .limits = program->kind == DEVICE_EMU ? emu_limits : gpu_limits,
        .sandbox = machine->sandbox,
        .profile = program->kind == DEVICE_GPU     ? PROFILE_GPU
                   : program->exercise->is_program ? PROFILE_PROGRAM
                                                   : PROFILE_KERNEL,
        .readable = readable,
    };
    if (program->kind == DEVICE_EMU && sandbox_counts_processes(machine->sandbox)) {
        command.limits.processes = EMU_PROCESSES_MAX;
    }
    if (program->exercise->is_program) {
        command.limits.memory_bytes = PROGRAM_ADDRESSES;
    }
    enum status status = box_start(&command, &worker->box, err);
    build_step_done(&step);
    return status;
}

struct gpu_lease *run_worker_lease(const struct run_program *program) {
    return program->kind == DEVICE_GPU ? program->machine->lease : NULL;
}

// Starts a process and sets it up.  No part of the kernel runs before the set-up is answered, so
// any failure until then is ours.
static enum status worker_start(struct run_worker *worker, struct error *err) {
    struct answer answer;
    enum status status = gpu_lease_take(run_worker_lease(worker->program), err);
    if (!status) {
        status = session_open(&worker->session, err);
    }
    if (status) {
        return status;
    }
    status = process_start(worker, err);
    if (status) {
        session_close(&worker->session);
        return status;
    }
    session_started(&worker->session);
    session_watch(&worker->session, worker_watch, worker->box);
    status = session_setup(&worker->session, &worker->program->report.shared, SETUP_DEADLINE_MS,
                           &answer, err);
    enum session_end end = worker->session.end;
    if (!status && end != SESSION_ANSWERED) {
        status = fail(err, STATUS_SYSTEM, "a worker of device %s did not start (%s): %.200s",
                      device_kind_name(worker->program->kind),
                      end == SESSION_LATE ? text_of(KEY_("too late")) : text_of(KEY_("it ended")),
                      box_output(worker->box));
    } else if (!status && answer.end == RUN_TROUBLE) {
        status = fail(err, STATUS_SYSTEM, "device %s: %s", device_kind_name(worker->program->kind),
                      answer.text);
    }
    if (status) {
        run_worker_stop(worker);
    }
    return status;
}

// The reason why a worker ended without an answer.
static enum status fate_of_ended(struct run_worker *worker, struct run_reply *reply,
                                 struct error *err) {
    enum box_end end = BOX_RUNNING;
    for (int waited_ms = 0; end == BOX_RUNNING && waited_ms < EXIT_WAIT_MS;
         waited_ms += EXIT_STEP_MS) {
        enum status status = box_poll(worker->box, EXIT_STEP_MS, &end, err);
        if (status) {
            return status;
        }
    }
    reply->fate = FATE_EXITED;
    if (end == BOX_OUTPUT_LIMIT) {
        reply->fate = FATE_FLOODED;
    } else if (end == BOX_CPU_LIMIT) {
        reply->fate = FATE_CPU_LIMIT;
    } else if (end == BOX_SIGNALLED) {
        reply->signal = box_exit_code(worker->box) - 128;
        reply->fate = FATE_SIGNALLED;
    }
    return STATUS_OK;
}

// True for the signals that the processor or the C library sends to a program that does something
// wrong.  All others come from outside: SIGKILL, most often, from a machine that is short of
// memory.
static bool is_own_fault(int signal) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < COUNT(own); i++) {
        if (signal == own[i]) {
            return true;
        }
    }
    return false;
}

// The data sent with a request: arrays for an ordinary launch, nothing for a timed one.
struct sending {
    const struct request *request;
    const void *const *array;  // [ARGUMENTS_MAX]
};

// True if no arrays are sent along.
static bool is_bare(const struct request *request) {
    return request->kind >= REQUEST_RESERVE && request->kind <= REQUEST_COLLECT;
}

// One try.  A worker that gave no answer, or whose launch failed on a GPU, is gone afterwards: it
// has lost its context, and a launch that it began may still run.
static enum status launch_once(struct run_worker *worker, const struct sending *sending,
                               struct run_reply *reply, struct error *err) {
    const struct request *request = sending->request;
    uint64_t factor = worker->program->kind == DEVICE_EMU ? LATE_FACTOR_EMU : LATE_FACTOR;
    uint64_t deadline_ms = request->time_ms_max * factor + LATE_SLACK_MS;
    size_t printed = 0;
    if (worker->program->exercise->is_program) {
        run_worker_stop(worker);  // each call begins with the variables of a new program
    }
    enum status status = worker->box ? STATUS_OK : worker_start(worker, err);
    if (!status) {
        printed = strlen(box_output(worker->box));
        status = is_bare(request)
                     ? session_timed(&worker->session, request, deadline_ms, &reply->answer, err)
                     : session_launch(&worker->session, request, sending->array, deadline_ms,
                                      &reply->answer, err);
    }
    if (status) {
        return status;
    }
    switch (worker->session.end) {
    case SESSION_ANSWERED:
        reply->fate = FATE_ANSWERED;
        break;
    case SESSION_LATE:
        reply->fate = FATE_LATE;
        break;
    case SESSION_MALFORMED:
        reply->fate = FATE_MALFORMED;
        break;
    case SESSION_DIED:
        status = fate_of_ended(worker, reply, err);
        break;
    }
    // Reads the rest of the output.  If the worker has ended, the next launch will notice.
    enum box_end ended = BOX_RUNNING;
    (void)box_poll(worker->box, 0, &ended, NULL);
    run_output_cut(box_output(worker->box) + printed, reply->output);
    reply->printed = strlen(box_output(worker->box) + printed);
    if (reply->fate != FATE_ANSWERED || reply->answer.end == RUN_TROUBLE ||
        (reply->answer.end != RUN_FINISHED && worker->program->kind == DEVICE_GPU)) {
        run_worker_stop(worker);
    }
    return status;
}

// The same on a GPU, under its lock.  The driver's slow work, and its own locks, come before the
// lock is taken.
static enum status launch_alone(struct run_worker *worker, const struct sending *sending,
                                struct run_reply *reply, struct error *err) {
    struct gpu_lease *lease = run_worker_lease(worker->program);
    struct request request = *sending->request;
    struct sending part = {.request = &request};
    request.kind = REQUEST_RESERVE;
    enum status status = launch_once(worker, &part, reply, err);
    if (status || reply->fate != FATE_ANSWERED || reply->answer.end != RUN_FINISHED) {
        return status;
    }
    part = *sending;
    part.request = &request;
    request.kind = REQUEST_LAUNCH;
    request.flags &= ~REQUEST_RELOAD;
    status = gpu_lease_lock(lease, err);
    if (!status) {
        status = launch_once(worker, &part, reply, err);
        gpu_lease_unlock(lease);
    }
    return status;
}

static enum status try_launch(struct run_worker *worker, const struct sending *sending,
                              struct run_reply *reply, struct error *err) {
    return worker->program->kind == DEVICE_GPU ? launch_alone(worker, sending, reply, err)
                                               : launch_once(worker, sending, reply, err);
}

// Our own failures are errors.
static enum status reply_check(const struct run_worker *worker, const struct run_reply *reply,
                               struct error *err) {
    return reply->fate == FATE_ANSWERED && reply->answer.end == RUN_TROUBLE
               ? fail(err, STATUS_SYSTEM, "device %s: %s", device_kind_name(worker->program->kind),
                      reply->answer.text)
               : STATUS_OK;
}

// True if a try is not conclusive: the worker is gone, or a GPU that others may be using did not
// finish in time.
static bool is_inconclusive(const struct run_worker *worker, const struct run_reply *reply) {
    if (reply->fate == FATE_ANSWERED) {
        return worker->program->kind == DEVICE_GPU && reply->answer.end == RUN_STOPPED;
    }
    return reply->fate != FATE_FLOODED;
}

enum status run_worker_launch(struct run_worker *worker, const struct request *request,
                              const void *const array[ARGUMENTS_MAX], struct run_reply *ret_reply,
                              struct error *err) {
    const struct sending sending = {request, array};
    struct run_reply reply = {.fate = FATE_ANSWERED};
    enum status status = try_launch(worker, &sending, &reply, err);
    if (!status && is_inconclusive(worker, &reply)) {
        memset(&reply, 0, sizeof reply);
        status = try_launch(worker, &sending, &reply, err);
    }
    if (!status) {
        status = reply_check(worker, &reply, err);
    }
    if (!status && reply.fate == FATE_SIGNALLED && !is_own_fault(reply.signal)) {
        status =
            fail(err, STATUS_SYSTEM,
                 "a worker of device %s was ended from outside, twice, by signal %d (%s); is "
                 "memory short?",
                 device_kind_name(worker->program->kind), reply.signal, strsignal(reply.signal));
    }
    if (!status) {
        *ret_reply = reply;
    }
    return status;
}

#define PLAN_ACCESSES 10000000ull
#define PLAN_MS       2000ull  // for one launch configuration

enum status run_worker_plan(struct run_worker *worker, struct size size, bool *ret_answered,
                            struct answer *ret_answer, struct error *err) {
    struct run_reply *reply = xcalloc(1, sizeof *reply);
    const struct request request = {.size = size,
                                    .arguments = arguments_of(&worker->program->exercise->signature,
                                                              size, &worker->program->report),
                                    .flags = REQUEST_PLAN,
                                    .threads_max = worker->program->report.threads_max,
                                    .processes = 1,
                                    .access_budget = PLAN_ACCESSES,
                                    .time_ms_max = PLAN_MS};
    enum status status = run_worker_launch(worker, &request, NULL, reply, err);
    if (!status) {
        *ret_answered = reply->fate == FATE_ANSWERED;
        *ret_answer = reply->answer;
    }
    free(reply);
    return status;
}

enum status run_worker_timed(struct run_worker *worker, const struct request *request,
                             struct run_reply *ret_reply, struct error *err) {
    const struct sending sending = {.request = request};
    struct run_reply reply = {.fate = FATE_ANSWERED};
    enum status status = launch_once(worker, &sending, &reply, err);
    if (!status) {
        status = reply_check(worker, &reply, err);
    }
    if (!status) {
        *ret_reply = reply;
    }
    return status;
}

enum status run_worker_renew(struct run_worker *worker, struct error *err) {
    static const struct request request = {.kind = REQUEST_RESERVE,
                                           .flags = REQUEST_RELOAD,
                                           .size = {.m = 1, .n = 1, .k = 1},
                                           .time_ms_max = CONTROL_MS};
    const struct sending sending = {.request = &request};
    struct run_reply reply = {.fate = FATE_ANSWERED};
    return worker->box ? launch_once(worker, &sending, &reply, err) : STATUS_OK;
}

enum status run_worker_control(const struct judge_machine *machine, enum device_kind kind,
                               struct error *err) {
    struct request request = {
        .size = {.m = 1, .n = 1, .k = 1}, .access_budget = 1000000, .time_ms_max = CONTROL_MS};
    const float a = 3.0f;
    const float b = 5.0f;
    float c = 0.0f;
    const void *const array[ARGUMENTS_MAX] = {&a, &b, &c};
    struct run_program program;
    struct run_worker worker;
    struct run_reply reply;
    enum status status = run_build_control(machine, kind, &program, err);
    if (status) {
        return status;
    }
    request.arguments = arguments_of(signature_of_matmul(), request.size, &program.report);
    run_worker_init(&worker, &program);
    status = run_worker_launch(&worker, &request, array, &reply, err);
    bool works = !status && reply.fate == FATE_ANSWERED && reply.answer.end == RUN_FINISHED;
    if (works) {
        status = session_fetch(&worker.session, &request.arguments.list[ARRAY_C], &c, err);
    }
    if (!status && (!works || c != a * b)) {
        status = fail(err, STATUS_SYSTEM, "device %s does not run the simplest kernel here",
                      device_kind_name(kind));
    }
    run_worker_stop(&worker);
    run_program_done(&program);
    return status;
}

// Keeps whole lines if possible: half a number would be a wrong number.
void run_output_cut(const char *text, char shown[OUTPUT_SHOWN_MAX]) {
    const size_t room = OUTPUT_SHOWN_MAX - sizeof MARK - 1;  // a line end may be added too
    size_t used = 0;
    for (int lines = 0; lines < OUTPUT_LINES_MAX && text[used] != '\0'; lines++) {
        size_t length = strcspn(text + used, "\n");
        length += text[used + length] == '\n';
        if (used + length > room) {
            used = used == 0 ? room : used;
            break;
        }
        used += length;
    }
    memcpy(shown, text, used);
    shown[used] = '\0';
    if (text[used] != '\0') {
        if (used > 0 && shown[used - 1] != '\n') {
            shown[used++] = '\n';
        }
        memcpy(shown + used, MARK, sizeof MARK);
    }
}
