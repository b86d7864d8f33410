// A program's start and end, its launches, and its findings on their way to the judge.
//
// A launch runs at once, to its end.  What it touched is then noted as uses of its stream: by word,
// from the map of the elements that the launch read and stored.
#include "emu/host/host.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "emu/check/follow.h"
#include "emu/machine/mbarrier.h"
#include "emu/machine/stop.h"
#include "emu/memory/vault.h"

#define MAP_PAGE        4096u
#define STACK_BYTES     (8u << 20)
#define CHANNEL_FD      3
#define LAUNCH_CPU_MS   60000u  // without an access
#define PARAMETER_BYTES 4096u   // CUDA C++ Programming Guide, "Function parameters"
#define GRID_MAX_X      0x7fffffffu
#define GRID_MAX_YZ     65535u
#define BLOCK_MAX_Z     64u

// In .data, where a kernel may read it: see memory_find_elsewhere.
__attribute__((section("emu_readable"))) _Alignas(64) char emu_host_values[PARAMETER_BYTES];

// The program's own code; see the link in device/compile/build_plan.c.
extern const char emu_program_text[], emu_program_text_end[];

struct failure {
    uint64_t pc;
    uint32_t error;  // cudaSuccess: none
    bool of_launch;
    uint32_t what;   // for a launch: enum launch_fault …
    uint64_t value;  // … and what is wrong
};

static struct {
    struct failure unseen;  // the first that the program has not asked about
    struct failure last;    // even if it has
    uint64_t copying_pc;    // a call of the runtime uses memory of the host
    bool ended;
    bool watches;
    // The host function of an exercise:
    bool is_function;  // it runs
    bool has_launched;
    sigjmp_buf back;  // out of it
    const struct emu_request *request;
} program;

// --- Findings ------------------------------------------------------------------------------------

struct finding host_finding(enum host_fault fault, uint64_t pc) {
    struct finding finding = {.kind = FINDING_HOST,
                              .severity = SEVERITY_ERROR,
                              .detail = fault,
                              .pc = pc,
                              .array = ARRAY_NONE};
    return finding;
}

struct finding host_finding_in(enum host_fault fault, uint64_t pc, uint32_t array, int64_t offset) {
    struct finding finding = host_finding(fault, pc);
    finding.space = SPACE_GLOBAL;
    finding.array = array;
    finding.offset = offset;
    finding.array_bytes = host_state.array[array].bytes;
    return finding;
}

// The places of the program's own code among the callers, the innermost first.
#define CALLERS_SENT (3 + FINDING_VALUES_MAX)
struct callers {
    uint64_t pc[CALLERS_SENT];
    uint32_t count;
};

static bool is_program(uint64_t pc) {
    return pc >= (uint64_t)(uintptr_t)emu_program_text &&
           pc < (uint64_t)(uintptr_t)emu_program_text_end;
}

static _Unwind_Reason_Code walk_step(struct _Unwind_Context *context, void *data) {
    struct callers *walk = data;
    uint64_t pc = (uint64_t)_Unwind_GetIP(context);
    if (is_program(pc)) {
        walk->pc[walk->count++] = pc;
    }
    return walk->count < CALLERS_SENT ? _URC_NO_REASON : _URC_END_OF_STACK;
}

// The innermost place in the program's own code.
static uint64_t program_pc(void) {
    struct callers walk = {.count = 0};
    (void)_Unwind_Backtrace(walk_step, &walk);
    return walk.pc[0];
}

// The call may be in a header, such as that of std::unique_ptr: then the judge names a caller.  Its
// values are the callers after the first three.
void host_report(const struct finding *given) {
    struct finding finding = *given;
    struct callers walk = {.count = 0};
    (void)_Unwind_Backtrace(walk_step, &walk);
    finding.call_pc = walk.count > 1 ? walk.pc[1] : 0;
    finding.init_pc = walk.count > 2 ? walk.pc[2] : 0;
    for (uint32_t i = 3; i < walk.count; i++) {
        finding.value[finding.value_count++] = (int64_t)walk.pc[i];
    }
    findings_add(&machine_state.result.findings, &finding);
}

uint32_t host_failed(uint32_t error) {
    host_state.error = error;
    return error;
}

static uint32_t failure_note(const struct failure *failure) {
    if (program.unseen.error == cudaSuccess) {
        program.unseen = *failure;
    }
    program.last = *failure;
    return host_failed(failure->error);
}

uint32_t host_fail(uint32_t error, uint64_t pc) {
    return failure_note(&(struct failure){.pc = pc, .error = error});
}

// A warning: the program has asked about it.
static void failure_report(const struct failure *failure, enum finding_severity severity) {
    struct finding finding =
        host_finding(failure->of_launch ? HOST_LAUNCH_FAILED : HOST_CALL_FAILED, failure->pc);
    finding.severity = severity;
    finding.access = failure->error;
    finding.phases = failure->what;
    finding.other_offset = (int64_t)failure->value;
    host_report(&finding);
}

void host_unseen_report(void) {
    if (program.unseen.error != cudaSuccess) {
        failure_report(&program.unseen, SEVERITY_ERROR);
        program.unseen.error = cudaSuccess;
    }
}

uint32_t emu_cudaGetLastError(void);
uint32_t emu_cudaPeekAtLastError(void);

uint32_t emu_cudaGetLastError(void) {
    uint32_t error = host_state.sticky ? host_state.sticky : host_state.error;
    host_state.error = cudaSuccess;
    program.unseen.error = cudaSuccess;
    return error;
}

uint32_t emu_cudaPeekAtLastError(void) {
    program.unseen.error = cudaSuccess;
    return host_state.sticky ? host_state.sticky : host_state.error;
}

struct frame_walk {
    uint64_t address;
    uint64_t end;
};

static _Unwind_Reason_Code frame_step(struct _Unwind_Context *context, void *data) {
    struct frame_walk *walk = data;
    uint64_t frame_end = (uint64_t)_Unwind_GetCFA(context);
    if (is_program((uint64_t)_Unwind_GetIP(context)) && frame_end > walk->address) {
        walk->end = frame_end - sizeof(void *);  // the return address
        return _URC_END_OF_STACK;
    }
    return _URC_NO_REASON;
}

uint64_t host_frame_room(const void *pointer) {
    struct frame_walk walk = {.address = (uint64_t)(uintptr_t)pointer};
    const uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    if (walk.address < here || walk.address - here > STACK_BYTES) {
        return 0;
    }
    (void)_Unwind_Backtrace(frame_step, &walk);
    return walk.end > walk.address ? walk.end - walk.address : 0;
}

void host_copying(uint64_t pc) {
    program.copying_pc = pc;
}

// --- The host's own accesses ---------------------------------------------------------------------

void host_watch(bool watches) {
    program.watches = watches;
    machine_state.local_bytes = watches ? 0 : UINT64_MAX;
}

bool host_is_watched(void) {
    return program.watches;
}

// The machine is set so that every hook of the host's code ends at once.
static void host_begin(void) {
    struct emu_machine *machine = &machine_state;
    machine->on_host = true;
    machine->current = 0;
    machine->thread[0].stack_low = 0;
    machine->block.only_counts = false;
    machine->known.shared_words = 0;
    machine->known.global_words = 0;
    machine->accesses_left = INT64_MAX;
    host_watch(program.watches);
}

// A crash of the host's code, or of a function that it called.  Never returns.
void host_crashed(int signal_number, uint64_t address, uint64_t pc, bool stores) {
    uint64_t place = program.copying_pc;
    uint32_t array = 0;
    int64_t offset = 0;
    if (place == 0 && is_program(pc)) {
        place = pc;
    } else if (place == 0) {
        place = program_pc();
    }
    bool memory = signal_number == SIGSEGV || signal_number == SIGBUS;
    bool device = memory && host_find((const void *)(uintptr_t)address, &array, &offset);
    struct finding finding = device ? host_finding_in(HOST_ACCESS, place, array, offset)
                                    : host_finding(HOST_CRASH, place);
    if (device) {
        finding.access = stores ? ACCESS_WRITE : ACCESS_READ;
    } else {
        finding.access = !memory                ? CRASH_SIGNAL
                         : address < NULL_BYTES ? CRASH_NULL_POINTER
                                                : CRASH_WILD_POINTER;
        finding.access = signal_number == SIGABRT ? CRASH_TRAP : finding.access;
        finding.access = signal_number == SIGFPE ? CRASH_DIVISION_BY_ZERO : finding.access;
        finding.other_offset = program.copying_pc != 0;
    }
    host_unseen_report();
    host_report(&finding);
    program.ended = true;
    host_exit(128 + signal_number);
}

bool host_owns(uint64_t address) {
    unsigned char resident;
    return mincore((void *)(uintptr_t)(address / MAP_PAGE * MAP_PAGE), MAP_PAGE, &resident) == 0;
}

void host_index_outside(const struct finding *seen) {
    struct finding finding = host_finding(HOST_INDEX, seen->pc);
    finding.offset = seen->offset;
    finding.array_bytes = seen->array_bytes;
    host_report(&finding);
}

// --- Start and end -------------------------------------------------------------------------------

static void trouble(const char *text) {
    (void)fprintf(stderr, "tilegrade: %s\n", text);
    _exit(3);
}

void host_refuse(const char *what) {
    if (!program.is_function) {
        (void)fflush(stdout);
        (void)fprintf(stderr, "tilegrade: this program needs a GPU: %s\n", what);
        _exit(3);
    }
}

// A program that gives up leaves its results and its memory.
static void program_end(int code, void *unused) {
    (void)unused;
    if (program.ended) {
        return;
    }
    program.ended = true;
    host_unseen_report();
    if (code != 0 && host_state.sticky == cudaSuccess && program.last.error != cudaSuccess) {
        failure_report(&program.last, SEVERITY_WARNING);
    } else if (code == 0 && host_state.sticky == cudaSuccess) {
        host_unread_report();
        host_leaks_report();
    }
}

void host_exit(int code) {
    if (program.is_function && !program.ended) {
        struct finding finding = host_finding(HOST_EXIT, program_pc());
        finding.access = program.last.error;
        finding.other_pc = program.last.pc;
        if (program.unseen.of_launch) {
            host_unseen_report();
        }
        host_report(&finding);  // which names a call that has failed
    }
    if (program.is_function) {
        siglongjmp(program.back, 1);
    }
    program_end(code, NULL);
    (void)fflush(stdout);
    _exit(code);
}

// An uncaught exception or a damaged heap: the default action does not end the first process of a
// sandbox.
static void on_abort(int signal_number) {
    host_crashed(signal_number, 0, 0, false);
}

static enum status maps_open(struct emu_machine *machine, struct error *err) {
    uint64_t words = machine->memory.arena_bytes / WORKSPACE_WORD_BYTES;
    enum status status = vault_need(&machine->workspace.written, words, err);
    return status ? status : vault_need(&machine->coverage.memory, words, err);
}

extern const char data_start[];  // defined by the C library: the program's variables begin there

// CUDA_VISIBLE_DEVICES is a list of numbers, by commas.
static uint32_t devices_count(const char *list) {
    uint32_t count = list[0] != '\0';
    for (; *list; list++) {
        count += *list == ',';
    }
    return count < HOST_DEVICES_MAX ? count : HOST_DEVICES_MAX;
}

enum status emu_host_open(const struct shared_array_table *shared, struct emu_machine **ret_machine,
                          struct error *err) {
    struct emu_machine *machine = NULL;
    enum status status = emu_open(shared, &machine, err);
    status = status ? status : memory_arena(&machine->memory, err);
    status = status ? status : maps_open(machine, err);
    if (status) {
        return status;
    }
    machine->is_program = true;
    host_state.is_open = true;
    machine->memory.program_end = (uint64_t)(uintptr_t)data_start;
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    host_state.devices = devices_count(visible ? visible : "0,1");
    host_variables_open();
    host_order_open();
    host_close();
    host_watch(false);
    host_begin();
    host_state.dynamic_max = SHARED_BYTES_MAX;
    (void)signal(SIGABRT, on_abort);
    *ret_machine = machine;
    return STATUS_OK;
}

// Pulled in by the link, and run before the program's own constructors.  An exercise has a function
// in place of a program: the worker's messages open the machine.
void emu_program_start(void) __attribute__((constructor(101)));
void emu_program_start(void) {
    static struct shared_array_table shared;
    struct emu_machine *machine = NULL;
    struct error err;
    if (emu_kernel) {
        return;
    }
    if (recv(CHANNEL_FD, &shared, sizeof shared, 0) != (ssize_t)sizeof shared) {
        trouble("this program is run by `tilegrade run`");
    }
    if (emu_host_open(&shared, &machine, &err)) {
        trouble(err.text);
    }
    machine->channel_fd = CHANNEL_FD;
    (void)on_exit(program_end, NULL);
}

// --- The host function of an exercise ------------------------------------------------------------

// The file's own constructors, which the build gives this name, so that they run as a part of it.
typedef void constructor(void);
extern constructor *const __start_emu_init_array[] __attribute__((weak));
extern constructor *const __stop_emu_init_array[] __attribute__((weak));

_Noreturn void emu_program_exit(int code);

_Noreturn void emu_program_exit(int code) {
    host_exit(code);
}

static void on_host_timer(int signal_number, siginfo_t *info, void *context) {
    (void)signal_number;
    (void)info;
    (void)context;
    if (!machine_state.in_kernel && machine_state.on_host && program.is_function) {
        const struct finding finding = host_finding(HOST_ENDLESS, program_pc());
        host_report(&finding);
        siglongjmp(program.back, 1);
    }
}

// From now on a signal comes each time that the host has used so much time.
static void host_timer_set(uint64_t ms) {
    const struct timeval time = {.tv_sec = (time_t)(ms / 1000),
                                 .tv_usec = (suseconds_t)(ms % 1000 * 1000)};
    const struct itimerval timer = {.it_interval = time, .it_value = time};
    struct sigaction action = {.sa_sigaction = on_host_timer, .sa_flags = SA_SIGINFO | SA_NODEFER};
    (void)sigaction(SIGVTALRM, &action, NULL);
    (void)setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

static void function_call(const struct call *call) {
    const uint64_t *i = call->integer;
    const double *r = call->real;
    for (constructor *const *run = __start_emu_init_array; run != __stop_emu_init_array; run++) {
        (*run)();
    }
    emu_kernel(i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7], i[8], i[9], i[10], i[11], i[12],
               i[13], r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]);
    host_unseen_report();
    if (!program.has_launched) {
        const struct finding finding =
            host_finding(HOST_NO_LAUNCH, (uint64_t)(uintptr_t)emu_kernel + 1);
        host_report(&finding);
    }
    host_unread_report();
    host_leaks_report();
}

enum status emu_host_run(const struct emu_request *request, struct emu_result *ret_result,
                         struct error *err) {
    static struct call call;
    static void *block[ARGUMENTS_MAX];
    uint32_t integers = 0;
    uint32_t reals = 0;
    for (uint32_t i = 0; i < request->arguments->count; i++) {
        const struct argument *argument = &request->arguments->list[i];
        if (argument->kind == ARGUMENT_REAL) {
            memcpy(&call.real[reals++], &argument->value, sizeof argument->value);
            continue;
        }
        call.integer[integers++] = argument->value;
        if (argument->kind == ARGUMENT_ARRAY) {
            block[i] = emu_program_malloc(argument->bytes);
            if (!block[i]) {
                return fail(err, STATUS_NO_MEMORY, "no memory for a matrix");
            }
            memcpy(block[i], request->array[i], argument->bytes);
            call.integer[integers - 1] = (uint64_t)(uintptr_t)block[i];
        }
    }
    program.request = request;
    program.is_function = true;
    host_timer_set(request->cpu_ms_max);
    bool is_back = sigsetjmp(program.back, 1) == 0;
    if (is_back) {
        function_call(&call);
    }
    program.is_function = false;
    host_timer_set(0);
    (void)fflush(stdout);
    for (uint32_t i = 0; is_back && i < request->arguments->count; i++) {
        if (block[i]) {
            memcpy(request->array[i], block[i], request->arguments->list[i].bytes);
        }
    }
    *ret_result = machine_state.result;
    ret_result->processes = 1;
    ret_result->end = is_back && host_state.sticky == cudaSuccess ? EMU_FINISHED : EMU_STOPPED;
    return STATUS_OK;
}

// --- Launches ------------------------------------------------------------------------------------

struct host_config {
    uint32_t grid[3], block[3];
    uint64_t shared_bytes;
    void *stream;
    int32_t cooperative;
};

static uint32_t launch_fail(uint32_t error, enum launch_fault what, uint64_t value, uint64_t pc) {
    return failure_note(&(struct failure){pc, error, true, what, value});
}

static uint32_t config_check(const struct host_config *config, uint64_t pc) {
    const uint64_t threads = (uint64_t)config->block[0] * config->block[1] * config->block[2];
    const uint64_t blocks = (uint64_t)config->grid[0] * config->grid[1] * config->grid[2];
    if (threads == 0) {
        return launch_fail(cudaErrorInvalidConfiguration, LAUNCH_NO_THREADS, 0, pc);
    }
    if (blocks == 0) {
        return launch_fail(cudaErrorInvalidConfiguration, LAUNCH_NO_BLOCKS, 0, pc);
    }
    if (threads > THREADS_MAX) {
        return launch_fail(cudaErrorInvalidConfiguration, LAUNCH_MANY_THREADS, threads, pc);
    }
    if (config->block[2] > BLOCK_MAX_Z) {
        return launch_fail(cudaErrorInvalidConfiguration, LAUNCH_DEEP_BLOCK, config->block[2], pc);
    }
    for (int i = 0; i < 3; i++) {
        if (config->grid[i] > (i == 0 ? GRID_MAX_X : GRID_MAX_YZ)) {
            return launch_fail(cudaErrorInvalidConfiguration, LAUNCH_LARGE_GRID, config->grid[i],
                               pc);
        }
    }
    if (config->shared_bytes > host_state.dynamic_max) {
        return launch_fail(cudaErrorInvalidValue,
                           config->shared_bytes > SHARED_OPTIN_MAX ? LAUNCH_MUCH_SHARED
                                                                   : LAUNCH_SHARED_NOT_ASKED,
                           config->shared_bytes, pc);
    }
    if (config->cooperative && blocks > host_blocks_together(threads, config->shared_bytes)) {
        return launch_fail(cudaErrorCooperativeLaunchTooLarge, LAUNCH_MANY_TOGETHER, blocks, pc);
    }
    if (config->cooperative && blocks > BLOCKS_TOGETHER_MAX) {
        host_refuse("here, a cooperative launch has at most 1056 blocks");
    }
    return cudaSuccess;
}

// The words of an array between the first and the last that the launch touched.  Of the map of a
// large array, most pages were never touched.
static void touched_note(uint32_t array, const struct plan_launch *launch, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    uint8_t *map = machine->coverage.element[array];
    uint8_t *end =
        map + (machine->memory.bytes[array] + COVERAGE_ELEMENT_BYTES - 1) / COVERAGE_ELEMENT_BYTES;
    uint8_t *first = NULL;
    uint8_t *last = NULL;
    uint8_t kinds = 0;
    struct vault_window window = {.first = 0};
    for (uint8_t *at = map; at < end;) {
        uint8_t *next = (uint8_t *)(((uintptr_t)at / MAP_PAGE + 1) * MAP_PAGE);
        uint8_t *stop = next < end ? next : end;
        at = vault_touched(&window, at) ? at : stop;
        for (; at < stop; at++) {
            if (*at) {
                first = first ? first : at;
                last = at + 1;
                kinds |= *at;
            }
        }
    }
    if (!first) {
        return;
    }
    uint64_t low = machine->memory.start[array] + (uint64_t)(first - map) * COVERAGE_ELEMENT_BYTES;
    if (host_state.array[array].memory == MEMORY_OF_DEVICE && array < machine->variables) {
        low += host_state.device * HOST_VARIABLES_OF_DEVICE;  // each device has its own
    }
    host_order_use(&(struct host_range){low,
                                        low + (uint64_t)(last - first) * COVERAGE_ELEMENT_BYTES,
                                        kinds & (COVERAGE_READ | COVERAGE_WRITTEN), first});
    const uint64_t of_block = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    host_touched(array,
                 &(struct host_touch){pc, blocks * of_block, of_block,
                                      (uint64_t)(first - map) * COVERAGE_ELEMENT_BYTES,
                                      (uint64_t)(last - map) * COVERAGE_ELEMENT_BYTES, kinds});
    memset(first, 0, (uint64_t)(last - first));
}
_Static_assert(HOST_USE_READ == COVERAGE_READ && HOST_USE_WRITE == COVERAGE_WRITTEN,
               "touched_note passes one as the other");

static enum status checks_begin(struct emu_machine *machine, struct error *err) {
    machine->checks = true;
    machine->asked = (struct asked){.maps = true};
    machine->memory.inputs = machine->memory.unwatched = 0;
    machine->order = program.request ? program.request->order : ORDER_FORWARD;
    machine->race->unordered = machine->order != ORDER_FORWARD;
    machine->race->lane_arrived = machine->hands_on ? mbarrier_lane_arrived : NULL;
    machine->race->asked = machine;
    machine->hands_over = false;
    machine->takes_turns = false;
    machine->follows = machine->fences || machine->hands_on || machine->clusters;
    machine->printed_bytes = 0;
    enum status status = race_follow(machine->race, machine->follows, err);
    // Lanes of an earlier launch met in parts of a warp.
    return status || !machine->race->wants_more ? status : race_keep_all(machine->race, err);
}

// Memory of other devices that this one may not use has no bytes during a launch.
static void others_hide(bool hide) {
    struct emu_machine *machine = &machine_state;
    const uint32_t device = host_state.device;
    for (uint32_t i = machine->variables; i < machine->memory.array_count; i++) {
        const struct host_array *array = &host_state.array[i];
        if (array->device != device && array->memory == MEMORY_OF_DEVICE && array->freed_pc == 0 &&
            !host_state.peer[device][array->device]) {
            machine->memory.bytes[i] = hide ? 0 : array->bytes;
        }
    }
}

void host_foreign(const struct finding *outside) {
    struct finding finding = *outside;
    const struct host_array *array = &host_state.array[outside->array];
    if (outside->space != SPACE_GLOBAL || outside->array_bytes > 0 || array->freed_pc != 0) {
        return;
    }
    finding.kind = FINDING_HOST;
    finding.detail = HOST_OTHERS_MEMORY;
    finding.array_bytes = array->bytes;
    finding.other_offset = array->device;
    finding.other_pc = host_state.launch_pc;
    findings_add(&machine_state.result.findings, &finding);
    machine_stop(&machine_state);
}

// What earlier launches have left of the accesses that an exercise allows; 0: any number.
static uint64_t budget_left(void) {
    const uint64_t steps = machine_state.result.steps;
    const uint64_t budget = program.request ? program.request->access_budget : 0;
    return budget == 0 ? 0 : budget > steps ? budget - steps : 1;
}

// Runs the launch; true if it came to its end.
static bool launch_run(const struct plan_launch *launch, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    const struct emu_request *request = program.request;
    struct error err;
    program.has_launched = true;
    host_open();
    host_state.launch_pc = pc;
    enum status status = checks_begin(machine, &err);
    status = status ? status : machine_launch(machine, launch, &err);
    if (status) {
        trouble(err.text);
    }
    machine->on_host = false;
    others_hide(true);
    machine_run_blocks(machine, budget_left(), request ? request->cpu_ms_max : LAUNCH_CPU_MS);
    others_hide(false);
    host_state.launch_pc = 0;
    host_begin();
    return machine->result.end == EMU_FINISHED;
}

// A variable of the device among the arguments: on a GPU its name is not its address there.
static void symbols_look(const char *values, uint64_t bytes, uint64_t pc) {
    for (uint64_t at = 0; at + sizeof(void *) <= bytes; at += sizeof(void *)) {
        const void *pointer = NULL;
        memcpy(&pointer, values + at, sizeof pointer);
        if (host_is_symbol(pointer)) {
            const struct finding finding = host_finding(HOST_SYMBOL, pc);
            host_report(&finding);
            return;
        }
    }
}

uint32_t emu_host_launch(const struct host_config *config, uint64_t function,
                         void (*run)(const void *), const void *values, uint64_t bytes,
                         uint64_t pc);

uint32_t emu_host_launch(const struct host_config *config, uint64_t function,
                         void (*run)(const void *), const void *values, uint64_t bytes,
                         uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    (void)function;
    if (machine->in_kernel) {
        host_refuse("a kernel launches a kernel");
    }
    if (host_state.sticky != cudaSuccess) {
        return host_failed(host_state.sticky);
    }
    uint32_t error = config_check(config, pc);
    if (error) {
        return error;
    }
    if (bytes > PARAMETER_BYTES) {
        return launch_fail(cudaErrorInvalidValue, LAUNCH_MANY_PARAMETERS, bytes, pc);
    }
    if (!host_order_launches(config->stream, pc) || !host_order_begin(config->stream, pc)) {
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    symbols_look(values, bytes, pc);
    (void)fflush(stdout);
    memcpy(emu_host_values, values, bytes);
    machine->call = (struct call){.integer = {(uint64_t)(uintptr_t)emu_host_values}};
    struct plan_launch launch = {.shared_bytes = config->shared_bytes,
                                 .address = (uint64_t)(uintptr_t)run};
    memcpy(launch.grid, config->grid, sizeof launch.grid);
    memcpy(launch.block, config->block, sizeof launch.block);
    machine->grid.exists = config->cooperative;
    bool finished = launch_run(&launch, pc);
    for (uint32_t i = 0; i < machine->memory.array_count; i++) {
        if (machine->memory.bytes[i] > 0) {
            touched_note(i, &launch, pc);
        }
    }
    // What a kernel prints is a result, too.
    host_state.has_taken = host_state.has_taken || machine->printed_bytes > 0;
    host_close();
    if (!finished) {
        host_state.sticky = cudaErrorIllegalAddress;
    }
    return cudaSuccess;
}

uint32_t emu_cudaFuncSetAttribute(const void *function, uint32_t attribute, int value);

uint32_t emu_cudaFuncSetAttribute(const void *function, uint32_t attribute, int value) {
    const uint32_t dynamic_shared_bytes = 8;
    (void)function;
    if (attribute == dynamic_shared_bytes && (value < 0 || value > SHARED_OPTIN_MAX)) {
        return host_fail(cudaErrorInvalidValue, CALLED_AT);
    }
    if (attribute == dynamic_shared_bytes && (uint64_t)value > host_state.dynamic_max) {
        host_state.dynamic_max = (uint64_t)value;
    }
    return cudaSuccess;
}
