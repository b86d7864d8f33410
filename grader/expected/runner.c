// The program that an expected.c is linked with: calls the function once, or twice if it has whole
// numbers as results, and reports how that ended; then waits for the next call.  It runs in the
// sandbox, next to the teacher's code.
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/random.h"
#include "expected/pages.h"

#define STACK_BYTES    65536
#define STACK_NEAR     (1 << 20)  // an access so far from the stack pointer is one to the stack
#define EACH_DEPTH_MAX 8
#define EACH_INNER     16  // samples of a loop inside another one

static struct {
    const struct expected_request *request;
    struct expected_answer *answer;
    int each_depth;
    uint64_t each_loops;
    uint64_t each_drawn[EACH_DEPTH_MAX];  // which loop this is, so that its samples are its own
} runner;

static unsigned char handler_stack[STACK_BYTES];

static void end_at(enum expected_end end, uint64_t pc) __attribute__((noreturn));
static void end_at(enum expected_end end, uint64_t pc) {
    runner.answer->pc = pc;
    runner.answer->end = end;
    _exit(0);
}

// Called by numbers: see number.h.
void number_unset(void) __attribute__((noreturn, noinline));
void number_unset(void) {
    end_at(EXPECTED_UNSET, (uint64_t)(uintptr_t)__builtin_return_address(0) - 1);
}

void number_note(int note) __attribute__((noinline));
void number_note(int note) {
    if (runner.answer->notes[note]++ == 0) {
        runner.answer->note_pc[note] = (uint64_t)(uintptr_t)__builtin_return_address(0) - 1;
    }
}

extern struct expected_trial *number_trial;
extern double *number_tape;
struct expected_trial *number_trial;
double *number_tape;

int number_each_begin(int n);
int number_each_begin(int n) {
    uint32_t samples = runner.request->samples;
    int depth = runner.each_depth++;
    if (depth < EACH_DEPTH_MAX) {
        runner.each_drawn[depth] = runner.each_loops++ << 32;
    }
    if (depth > 0 && samples > EACH_INNER) {
        samples = EACH_INNER;
    }
    return samples == 0 || (int64_t)n <= (int64_t)samples ? n : (int)samples;
}

// One place in each of `count` equal parts: the first and the last element, and drawn ones.
int number_each_at(int n, int count, int k);
int number_each_at(int n, int count, int k) {
    if (number_trial) {
        number_trial->epoch++;
    }
    if (count == n || k == 0) {
        return k;
    }
    if (k == count - 1) {
        return n - 1;
    }
    int depth = runner.each_depth > EACH_DEPTH_MAX ? EACH_DEPTH_MAX : runner.each_depth;
    struct random_key key = {{runner.request->key[0], runner.request->key[1]}};
    int64_t low = (int64_t)n * k / count;
    int64_t high = (int64_t)n * (k + 1) / count;
    return (int)(low + random_below(key, runner.each_drawn[depth - 1] + (uint64_t)k,
                                    (uint32_t)(high - low)));
}

void number_each_end(void);
void number_each_end(void) {
    runner.each_depth--;
}

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(runner.answer->said, sizeof runner.answer->said, format, arguments);
    va_end(arguments);
}

static uint64_t context_pc(const ucontext_t *here) {
#if defined(__x86_64__)
    return (uint64_t)here->uc_mcontext.gregs[REG_RIP];
#else
    return here->uc_mcontext.pc;
#endif
}

static uint64_t context_stack(const ucontext_t *here) {
#if defined(__x86_64__)
    return (uint64_t)here->uc_mcontext.gregs[REG_RSP];
#else
    return here->uc_mcontext.sp;
#endif
}

static void on_signal(int number, siginfo_t *info, void *context) {
    const ucontext_t *here = context;
    uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
    uint64_t stack = context_stack(here);
    enum expected_end end = EXPECTED_WILD;
    if (number == SIGPROF) {
        end_at(EXPECTED_LATE, context_pc(here));
    }
    if (number == SIGFPE) {
        end_at(EXPECTED_ZERO, context_pc(here));
    }
    if (pages_touch(address, &end, &runner.answer->array, &runner.answer->index)) {
        return;
    }
    if (end == EXPECTED_WILD && address + STACK_NEAR > stack && address < stack + STACK_NEAR) {
        end = EXPECTED_DEEP;
    }
    end_at(end, context_pc(here));
}

static bool signals_open(void) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGPROF};
    const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    bool good = sigaltstack(&stack, NULL) == 0;
    for (int i = 0; i < 4; i++) {
        good = good && sigaction(numbers[i], &action, NULL) == 0;
    }
    return good;
}

// Ends a call that takes more processor time; 0: none runs.
static bool timer_set(uint32_t ms) {
    const struct itimerval limit = {.it_value = {ms / 1000, ms % 1000 * 1000}};
    return setitimer(ITIMER_PROF, &limit, NULL) == 0;
}

static bool has_whole_outputs(const struct expected_request *request) {
    for (uint32_t i = 0; i < request->array_count; i++) {
        if (request->array[i].direction == EXPECTED_OUT &&
            !expected_type_is_number(request->array[i].type)) {
            return true;
        }
    }
    return false;
}

static void call(uint8_t fill, bool second) {
    void *start[EXPECTED_ARRAYS_MAX];
    for (uint32_t i = 0; i < runner.request->array_count; i++) {
        start[i] = pages_start(i);
    }
    runner.each_loops = 0;
    pages_begin(fill);
    runner.answer->refused = expected_call(start, runner.request);
    runner.answer->each_loops = runner.each_loops;
    if (!pages_end(second, &runner.answer->array, &runner.answer->index)) {
        end_at(EXPECTED_OUTSIDE, 0);
    }
}

// Answers the request in a memory.  False: it is none of ours, or there is no memory.
static bool serve(int memory_fd) {
    static struct expected_request copy;
    const int access = PROT_READ | PROT_WRITE;
    struct expected_request *request =
        mmap(NULL, EXPECTED_DATA_AT, access, MAP_SHARED, memory_fd, 0);
    if (request == MAP_FAILED || request->magic != EXPECTED_MAGIC ||
        request->array_count > EXPECTED_ARRAYS_MAX) {
        return false;
    }
    copy = *request;
    unsigned char *memory = mmap(NULL, copy.bytes, access, MAP_SHARED, memory_fd, 0);
    if (memory == MAP_FAILED) {
        return false;
    }
    memset(&runner, 0, sizeof runner);
    number_trial =
        copy.is_trial ? (struct expected_trial *)(void *)(memory + EXPECTED_TRIAL_AT) : NULL;
    number_tape = number_trial ? (double *)(void *)(memory + number_trial->tape_at) : NULL;
    runner.request = &copy;
    runner.answer = (struct expected_answer *)(void *)(memory + EXPECTED_ANSWER_AT);
    if (!pages_open(&copy, memory) || !timer_set(copy.cpu_ms_max)) {
        return false;
    }
    call(0x5a, false);
    if (has_whole_outputs(&copy)) {
        call(0xa5, true);
    }
    runner.answer->end = EXPECTED_DONE;
    pages_close();
    (void)munmap(memory, copy.bytes);
    (void)munmap(request, EXPECTED_DATA_AT);
    return timer_set(0);
}

// The memory of the next call; -1: there is none.
static int memory_receive(void) {
    char byte;
    int memory_fd = -1;
    struct iovec data = {&byte, 1};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof memory_fd)];
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    if (recvmsg(EXPECTED_FD, &message, 0) != 1) {
        return -1;
    }
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof memory_fd)) {
        memcpy(&memory_fd, CMSG_DATA(head), sizeof memory_fd);
    }
    return memory_fd;
}

int main(void) {
    int memory_fd;
    if (!signals_open()) {
        return 1;
    }
    while ((memory_fd = memory_receive()) >= 0) {
        if (!serve(memory_fd) || close(memory_fd) != 0 || send(EXPECTED_FD, "", 1, 0) != 1) {
            return 1;
        }
    }
    return 0;
}
