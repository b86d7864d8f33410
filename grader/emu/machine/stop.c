// A stop jumps out of the running thread to the scheduler, which abandons the block.  Signals stop
// too: crashes that no hook can foresee, and the timer that ends loops without accesses.
//
// At each tick, the timer looks whether the launch has made steps since the last tick.  A launch
// that makes none for a long time is in such a loop, on any machine.  The budget of steps ends all
// others, so that a finding does not depend on how fast the machine is.  The limit on the whole
// time is only for launches whose steps take far longer than those of any known kernel.
//
// A handler never returns into a thread that crashed: it jumps to the scheduler, which ends the
// launch.
#include "emu/machine/stop.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

#include "base/basics.h"

void machine_stop(struct emu_machine *machine) {
    machine->in_kernel = false;
    machine->patience.call_pc = 0;
    siglongjmp(machine->stop, 1);
}

struct finding machine_finding(const struct emu_machine *machine, enum finding_kind kind,
                               uint64_t pc) {
    struct finding finding;
    memset(&finding, 0, sizeof finding);
    finding.kind = kind;
    finding.severity = SEVERITY_ERROR;
    finding.pc = pc;
    finding.array = ARRAY_NONE;
    for (int i = 0; i < 3; i++) {
        finding.block[i] = machine->block.place.index[i];
        finding.thread[i] = machine->thread[machine->current].index[i];
    }
    return finding;
}

void machine_crash(struct emu_machine *machine, enum crash_cause cause, uint64_t pc) {
    struct finding finding = machine_finding(machine, FINDING_CRASH, pc);
    finding.detail = cause;
    findings_add(&machine->result.findings, &finding);
    machine_stop(machine);
}

void machine_refuse(struct emu_machine *machine, enum crash_cause cause, int64_t number,
                    uint32_t most, uint64_t pc) {
    struct finding finding = machine_finding(machine, FINDING_CRASH, pc);
    finding.detail = cause;
    finding.offset = number;
    finding.array_bytes = most;
    findings_add(&machine->result.findings, &finding);
    machine_stop(machine);
}

#define HANDLER_STACK_BYTES 65536
#define TICKS               16    // ticks without a step that end a launch
#define WHOLE_FACTOR        4     // the time of a whole launch, as a multiple of that
#define TICK_US             2000  // between looks at a launch that has exceeded its time
#define SLICE_OVER          (-1)  // in accesses_left: the next access ends the slice
#define LOOKS               32    // samples of a loop without accesses, before it is reported
#define LOOKS_CONFIG        8     // the same in LAUNCH_CONFIG, which runs for every case

// Defined by the linker: the section of the hooks.
extern const char __start_emu_hooks[];
extern const char __stop_emu_hooks[];

// Global, because a signal handler that interrupts any thread runs on it.
static unsigned char handler_stack[HANDLER_STACK_BYTES];

// An address past the faulting instruction's first byte: the pc of a finding is a return address,
// and the line of pc - 1 is looked up.
static uint64_t context_pc(const void *context) {
    const ucontext_t *here = context;
#if defined(__x86_64__)
    return (uint64_t)here->uc_mcontext.gregs[REG_RIP] + 1;
#else
    return here->uc_mcontext.pc + 1;
#endif
}

static uint64_t context_stack(const void *context) {
    const ucontext_t *here = context;
#if defined(__x86_64__)
    return (uint64_t)here->uc_mcontext.gregs[REG_RSP];
#else
    return here->uc_mcontext.sp;
#endif
}

// True if the access that faulted is a store; a load if it is not known.
static bool context_stores(const void *context) {
#if defined(__x86_64__)
    const ucontext_t *here = context;
    return here->uc_mcontext.gregs[REG_ERR] >> 1 & 1;
#else
    (void)context;
    return false;
#endif
}

static enum crash_cause cause_of(const struct emu_machine *machine, int signal_number,
                                 uint64_t address, uint64_t stack) {
    uint64_t low = fiber_stack_low(&machine->stacks, machine->current);
    switch (signal_number) {
    case SIGFPE:
        return CRASH_DIVISION_BY_ZERO;
    case SIGILL:
    case SIGTRAP:
        return CRASH_TRAP;
    case SIGSEGV:
    case SIGBUS:
        // An address below its stack: the thread has used it up, perhaps with one array that is
        // larger than the guard.
        if (stack < low || (address < low && low - address <= FIBER_GUARD_BYTES)) {
            return CRASH_STACK_OVERFLOW;
        }
        return address < NULL_BYTES ? CRASH_NULL_POINTER : CRASH_WILD_POINTER;
    default:
        return CRASH_SIGNAL;
    }
}

static void on_crash(int signal_number, siginfo_t *info, void *context) {
    struct emu_machine *machine = &machine_state;
    if (!machine->in_kernel && machine->on_host) {
        host_crashed(signal_number, (uint64_t)(uintptr_t)info->si_addr, context_pc(context),
                     context_stores(context));
    }
    if (!machine->in_kernel) {
        // This is a bug of ours.  Let it kill the worker, so that the judge sees a dead worker and
        // not a kernel that crashed.
        (void)signal(signal_number, SIG_DFL);
        (void)raise(signal_number);
        return;
    }
    uint64_t pc = machine->patience.call_pc ? machine->patience.call_pc : context_pc(context);
    uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
    machine_crash(machine, cause_of(machine, signal_number, address, context_stack(context)), pc);
}

static bool in_hooks(uint64_t pc) {
    return pc >= (uint64_t)(uintptr_t)__start_emu_hooks &&
           pc <= (uint64_t)(uintptr_t)__stop_emu_hooks;
}

// From now on a signal comes every `us` microseconds of processor time.
static void timer_set(uint64_t us) {
    const struct timeval tick = {.tv_sec = (time_t)(us / 1000000),
                                 .tv_usec = (suseconds_t)(us % 1000000)};
    const struct itimerval timer = {.it_interval = tick, .it_value = tick};
    (void)setitimer(ITIMER_PROF, &timer, NULL);
}

// True if the launch has more time.
static bool is_patient(struct emu_machine *machine) {
    struct patience *patience = &machine->patience;
    uint64_t steps = machine->clock + machine->slice - (uint64_t)machine->accesses_left;
    steps += machine->begun;
    patience->idle = steps == patience->steps ? patience->idle + 1 : 0;
    patience->steps = steps;
    patience->ticks++;
    return patience->idle < TICKS && patience->ticks < TICKS * WHOLE_FACTOR;
}

// When the time is over, the next access ends the launch.  If no access follows, the loop has none;
// then the lowest of several sampled places in the kernel is reported, so that every run names the
// same line.
static void on_timer(int signal_number, siginfo_t *info, void *context) {
    struct emu_machine *machine = &machine_state;
    (void)signal_number;
    (void)info;
    if (machine->patience.time_over == 0 && is_patient(machine)) {
        return;
    }
    if (machine->patience.time_over == 0) {
        timer_set(TICK_US);
    }
    if (machine->patience.time_over == 0 || machine->accesses_left != SLICE_OVER) {
        machine->patience.time_over = 1;
        machine->accesses_left = SLICE_OVER;
        machine->patience.loop_pc = UINT64_MAX;
        return;
    }
    uint64_t pc = machine->patience.call_pc ? machine->patience.call_pc : context_pc(context);
    machine->patience.time_over++;
    if (!machine->in_kernel) {
        return;
    }
    if (!in_hooks(pc) && pc < machine->patience.loop_pc) {
        machine->patience.loop_pc = pc;
    }
    if (machine->patience.time_over < (machine->configuring ? LOOKS_CONFIG : LOOKS)) {
        return;
    }
    pc = machine->patience.loop_pc != UINT64_MAX ? machine->patience.loop_pc : 0;
    struct finding finding = machine_finding(machine, FINDING_TIME_LIMIT, pc);
    finding.detail = BUDGET_LOOP;
    finding.flags = machine->round.crowded ? FINDING_BLOCKS_WAIT : 0;
    findings_add(&machine->result.findings, &finding);
    machine_stop(machine);
}

enum status crash_install(struct error *err) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    struct sigaction action;
    if (sigaltstack(&stack, NULL) != 0) {
        return fail_errno(err, STATUS_SYSTEM, "no stack for signal handlers");
    }
    memset(&action, 0, sizeof action);
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    // Block the timer while a crash is reported, and crash handlers inside the timer's handler.
    (void)sigfillset(&action.sa_mask);
    action.sa_sigaction = on_crash;
    for (size_t i = 0; i < COUNT(crashes); i++) {
        if (sigaction(crashes[i], &action, NULL) != 0) {
            return fail_errno(err, STATUS_SYSTEM, "no handler for signal %d", crashes[i]);
        }
    }
    action.sa_sigaction = on_timer;
    action.sa_flags |= SA_RESTART;
    if (sigaction(SIGPROF, &action, NULL) != 0) {
        return fail_errno(err, STATUS_SYSTEM, "no handler for the timer");
    }
    return STATUS_OK;
}

void crash_timer_start(uint64_t cpu_ms) {
    machine_state.patience = (struct patience){.steps = 0};
    if (cpu_ms > 0) {
        timer_set(cpu_ms * 1000 / TICKS > 0 ? cpu_ms * 1000 / TICKS : 1);
    }
}

void crash_timer_stop(void) {
    timer_set(0);
}
