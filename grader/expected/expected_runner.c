// The program that an expected.c is linked with: calls the function once, or twice if it has whole
// numbers as results, and reports the outcome; then waits for the next call.  It runs in the
// sandbox, next to the teacher's code.
//
// The arrays are made as the function touches them, from the values in the memfd, a chunk of
// numbers at a time, so that a function that uses few of many elements needs little memory.  An
// input that is touched all over, as by columns, is made as a whole: each separate chunk costs a
// fault, ten times the work of making its numbers.  So is every small array.  The first touch of a
// chunk is a SIGSEGV that is handled here; the end of an array is the end of a chunk, so that the
// element after the last is in a guard.
#include <fenv.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/random.h"
#include "include/expected/wire.h"

#define PAGES_CHUNK       256                    // numbers in a chunk, a whole number of pages
#define PAGES_AHEAD_MAX   64                     // chunks made at a time for sequential access
#define PAGES_BYTES_MAX   (UINT64_C(512) << 20)  // bytes of numbers in memory at a time
#define PAGES_EXTENTS_MAX 30000                  // in memory, two mappings each: Linux allows 65530
#define PAGES_APART       16  // if one chunk in this many is touched apart, all are made
#define PAGES_SMALL       64  // chunks of an array that is made as a whole before the function runs
#define PAGES_WHOLE_MAX   (UINT64_C(4) << 30)  // limit of that, in addition to PAGES_BYTES_MAX

// Chunks that were made together.
struct pages_extent {
    uint32_t array;
    uint32_t count;
    uint64_t first;
};

struct pages_array {
    const struct expected_array *array;
    unsigned char *base;   // of the reserved range: the first chunk begins with slack
    unsigned char *start;  // the first element
    uint64_t bytes;        // of the range without its guards
    uint64_t slack;        // elements before the first
    uint8_t *present;      // by chunk
    uint64_t next;         // the chunk after those made last
    uint32_t ahead;        // number of chunks made last
    uint64_t apart;        // times that a chunk other than `next` was touched
    int64_t outside;       // an element before the first that was written; 0: none
};

// Defined in the compiled file, which knows the type of numbers (include/expected/main.h).
extern const uint64_t expected_number_bytes;
void expected_fill(void *numbers, int64_t first, uint64_t count, uint64_t elements, uint32_t type,
                   const void *values);
int64_t expected_flush(const void *numbers, int64_t first, uint64_t count, uint64_t elements,
                       uint32_t type, const void *before, struct expected_result *results);
void expected_widen(float *floats, uint64_t count, uint32_t type, const void *values);
int64_t expected_call(void *const *array, const struct expected_request *request);
int64_t expected_call_plain(void *const *array, const struct expected_request *request);

static struct {
    const struct expected_request *request;
    unsigned char *memory;
    struct pages_array array[EXPECTED_ARRAYS_MAX];
    struct pages_extent queue[PAGES_EXTENTS_MAX];  // in memory, in the order of their first touch
    uint64_t made, dropped;                        // extents …
    uint64_t bytes;                                // bytes of these extents
    uint64_t whole_bytes;                          // of arrays that were made whole
} pages;

static uint64_t round_up(uint64_t bytes, uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

static bool is_number_array(const struct expected_array *array) {
    return expected_type_is_number(array->type) && !pages.request->is_raw;
}

// Halves that the function sees as floats.
static bool is_widened(const struct expected_array *array) {
    return pages.request->is_plain &&
           (array->type == EXPECTED_HALF || array->type == EXPECTED_BF16);
}

// Bytes of an element as the function sees it.
static uint64_t element_bytes(const struct pages_array *array) {
    return is_number_array(array->array) ? expected_number_bytes
           : is_widened(array->array)    ? sizeof(float)
                                         : expected_type_bytes(array->array->type);
}

static uint64_t chunk_bytes(void) {
    return PAGES_CHUNK * expected_number_bytes;
}

// Whole numbers are already in place for the function; numbers are made later.
static bool array_open(struct pages_array *pages_array) {
    const struct expected_array *array = pages_array->array;
    bool is_number = is_number_array(array);
    uint64_t used = array->elements * element_bytes(pages_array);
    uint64_t bytes = round_up(used, is_number ? chunk_bytes() : EXPECTED_PAGE_BYTES);
    uint64_t guard = EXPECTED_PAGE_BYTES;
    unsigned char *range = mmap(NULL, bytes + 2 * guard, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) {
        return false;
    }
    pages_array->base = range + guard;
    pages_array->bytes = bytes;
    pages_array->start = pages_array->base + (bytes - used);
    pages_array->slack = (bytes - used) / element_bytes(pages_array);
    pages_array->present = calloc(bytes / chunk_bytes() + 1, 1);
    if (!is_number) {
        int access = array->direction == EXPECTED_IN ? PROT_READ : PROT_READ | PROT_WRITE;
        if (mprotect(pages_array->base, bytes, PROT_READ | PROT_WRITE) != 0) {
            return false;
        }
        const unsigned char *values = pages.memory + array->values_at;
        if (is_widened(array)) {
            expected_widen((float *)(void *)pages_array->start, array->elements, array->type,
                           values);
        } else {
            memcpy(pages_array->start, values, used);
        }
        return mprotect(pages_array->base, bytes, access) == 0;
    }
    return pages_array->present != NULL;
}

// Reserves the arrays of the request.  `memory` is the memfd, mapped.  False: no memory.
static bool pages_open(const struct expected_request *request, unsigned char *memory) {
    pages.request = request;
    pages.memory = memory;
    for (uint32_t i = 0; i < request->array_count; i++) {
        pages.array[i].array = &request->array[i];
        if (!array_open(&pages.array[i])) {
            return false;
        }
    }
    return true;
}

static void pages_close(void) {
    for (uint32_t i = 0; i < pages.request->array_count; i++) {
        struct pages_array *array = &pages.array[i];
        (void)munmap(array->base - EXPECTED_PAGE_BYTES, array->bytes + 2 * EXPECTED_PAGE_BYTES);
        free(array->present);
    }
    memset(&pages, 0, sizeof pages);
}

// The address of the first element, for the function.
static void *pages_start(uint32_t array) {
    return pages.array[array].start;
}

// Writes the results of an extent, and gives its memory back.
static void extent_drop(const struct pages_extent *extent) {
    struct pages_array *array = &pages.array[extent->array];
    unsigned char *at = array->base + extent->first * chunk_bytes();
    bool is_sampled = array->array->direction == EXPECTED_INOUT && pages.request->samples > 0;
    if (array->array->direction != EXPECTED_IN) {
        int64_t outside = expected_flush(
            at, (int64_t)(extent->first * PAGES_CHUNK) - (int64_t)array->slack,
            (uint64_t)extent->count * PAGES_CHUNK, array->array->elements, array->array->type,
            is_sampled ? pages.memory + array->array->values_at : NULL,
            (struct expected_result *)(void *)(pages.memory + array->array->results_at));
        array->outside = outside < 0 ? outside : array->outside;
    }
    (void)mprotect(at, extent->count * chunk_bytes(), PROT_NONE);
    (void)madvise(at, extent->count * chunk_bytes(), MADV_DONTNEED);
    memset(array->present + extent->first, 0, extent->count);
    pages.bytes -= extent->count * chunk_bytes();
}

static void oldest_drop(void) {
    extent_drop(&pages.queue[pages.dropped++ % PAGES_EXTENTS_MAX]);
}

// Makes missing chunks.
static void chunks_fill(const struct pages_array *array, uint64_t first, uint64_t count) {
    const struct expected_array *declared = array->array;
    unsigned char *at = array->base + first * chunk_bytes();
    uint64_t bytes = count * chunk_bytes();
    (void)mprotect(at, bytes, PROT_READ | PROT_WRITE);
    expected_fill(at, (int64_t)(first * PAGES_CHUNK) - (int64_t)array->slack, count * PAGES_CHUNK,
                  declared->elements, declared->type,
                  declared->direction == EXPECTED_OUT ? NULL : pages.memory + declared->values_at);
    if (declared->direction == EXPECTED_IN) {
        (void)mprotect(at, bytes, PROT_READ);
    }
    memset(array->present + first, 1, count);
}

// Makes all of an input that is touched everywhere; it stays until pages_close.
static bool whole_take(struct pages_array *array) {
    uint64_t chunks = array->bytes / chunk_bytes();
    if (array->array->direction != EXPECTED_IN || array->apart * PAGES_APART < chunks ||
        pages.whole_bytes + array->bytes > PAGES_WHOLE_MAX) {
        return false;
    }
    for (uint64_t i = pages.dropped; i < pages.made; i++) {
        struct pages_extent *extent = &pages.queue[i % PAGES_EXTENTS_MAX];
        if (&pages.array[extent->array] == array) {
            extent_drop(extent);
            extent->count = 0;  // nothing is left to drop
        }
    }
    chunks_fill(array, 0, chunks);
    pages.whole_bytes += array->bytes;
    return true;
}

// Makes a chunk, and more after it if the previous chunk was the last one made.
static void extent_take(struct pages_array *array, uint64_t chunk) {
    uint64_t left = array->bytes / chunk_bytes() - chunk;
    uint32_t wanted = chunk != array->next             ? 1
                      : array->ahead < PAGES_AHEAD_MAX ? 2 * array->ahead
                                                       : PAGES_AHEAD_MAX;
    uint32_t count = 1;
    array->apart += chunk != array->next;
    if (whole_take(array)) {
        return;
    }
    while (count < wanted && count < left && !array->present[chunk + count]) {
        count++;
    }
    uint64_t bytes = count * chunk_bytes();
    while (pages.made - pages.dropped == PAGES_EXTENTS_MAX ||
           (pages.bytes > 0 && pages.bytes + bytes > PAGES_BYTES_MAX)) {
        oldest_drop();
    }
    chunks_fill(array, chunk, count);
    array->next = chunk + count;
    array->ahead = count;
    pages.bytes += bytes;
    pages.queue[pages.made++ % PAGES_EXTENTS_MAX] =
        (struct pages_extent){(uint32_t)(array - pages.array), count, chunk};
}

// Makes all of a small array.
static void small_take(struct pages_array *array) {
    uint64_t chunks = array->bytes / chunk_bytes();
    if (chunks > PAGES_SMALL || array->present[0]) {
        return;
    }
    chunks_fill(array, 0, chunks);
    if (array->array->direction != EXPECTED_IN) {
        pages.bytes += array->bytes;
        pages.queue[pages.made++ % PAGES_EXTENTS_MAX] =
            (struct pages_extent){(uint32_t)(array - pages.array), (uint32_t)chunks, 0};
    }
}

// Handles an access to an address.  True: the chunk now exists.  False: *ret_end has the error.
static bool pages_touch(uint64_t address, enum expected_end *ret_end, uint32_t *ret_array,
                        int64_t *ret_index) {
    for (uint32_t i = 0; i < pages.request->array_count; i++) {
        struct pages_array *array = &pages.array[i];
        uint64_t base = (uint64_t)(uintptr_t)array->base;
        if (address + EXPECTED_PAGE_BYTES < base ||
            address >= base + array->bytes + EXPECTED_PAGE_BYTES) {
            continue;
        }
        int64_t offset = (int64_t)(address - (uint64_t)(uintptr_t)array->start);
        int64_t bytes = (int64_t)element_bytes(array);
        *ret_array = i;
        *ret_index = offset < 0 ? -((bytes - 1 - offset) / bytes) : offset / bytes;
        bool inside = address >= base && address < base + array->bytes;
        bool is_number = is_number_array(array->array);
        if (inside && is_number && !array->present[(address - base) / chunk_bytes()]) {
            extent_take(array, (address - base) / chunk_bytes());
            return true;
        }
        *ret_end = inside && *ret_index >= 0 ? EXPECTED_NO_WRITE : EXPECTED_OUTSIDE;
        return false;
    }
    *ret_end = EXPECTED_WILD;
    return false;
}

// Makes outputs ready for a run; whole numbers begin with bytes of `fill`.
static void pages_begin(uint8_t fill) {
    for (uint32_t i = 0; i < pages.request->array_count; i++) {
        struct pages_array *array = &pages.array[i];
        const struct expected_array *declared = array->array;
        uint64_t bytes = declared->elements * expected_type_bytes(declared->type);
        if (is_number_array(declared)) {
            small_take(array);  // pages_end has dropped the outputs of an earlier run
        } else if (declared->direction == EXPECTED_OUT) {
            memset(array->start, fill, bytes);
        } else if (declared->direction == EXPECTED_INOUT) {
            memcpy(array->start, pages.memory + declared->values_at, bytes);
        }
    }
}

// Writes the results; whole numbers go to the place of this run.  False: an element before the
// start of an array was written.
static bool pages_end(uint32_t run, uint32_t *ret_array, int64_t *ret_index) {
    bool good = true;
    while (pages.dropped < pages.made) {
        oldest_drop();
    }
    for (uint32_t i = 0; i < pages.request->array_count; i++) {
        struct pages_array *array = &pages.array[i];
        const struct expected_array *declared = array->array;
        uint64_t bytes = declared->elements * expected_type_bytes(declared->type);
        if (declared->direction == EXPECTED_IN) {
            continue;
        }
        if (!is_number_array(declared)) {
            memcpy(pages.memory + declared->results_at + run * bytes, array->start, bytes);
        }
        if (array->outside < 0) {
            *ret_array = i;
            *ret_index = array->outside;
            good = false;
        }
    }
    return good;
}

#define STACK_BYTES    65536
#define STACK_NEAR     (1 << 20)  // accesses this near the stack pointer are to the stack
#define EACH_DEPTH_MAX 8
#define EACH_INNER     16  // samples of a loop inside another one

static struct {
    const struct expected_request *request;
    struct expected_answer *answer;
    int each_depth;
    uint64_t each_loops;
    uint64_t each_drawn[EACH_DEPTH_MAX];  // number of the loop, so that each loop has its own
                                          // samples
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

static const struct expected_picks *picks_of(int n) {
    for (int i = 0; i < EXPECTED_LOOPS_MAX; i++) {
        const struct expected_picks *picks = &runner.request->picks[i];
        if (picks->count > 0 && picks->iterations == n) {
            return picks;
        }
    }
    return NULL;
}

int number_each_begin(int n);
int number_each_begin(int n) {
    uint32_t samples = runner.request->samples;
    int depth = runner.each_depth++;
    const struct expected_picks *picks = picks_of(n);
    if (depth < EACH_DEPTH_MAX) {
        runner.each_drawn[depth] = runner.each_loops++ << 32;
    }
    if (picks) {
        return (int)picks->count;
    }
    if (depth > 0 && samples > EACH_INNER) {
        samples = EACH_INNER;
    }
    return samples == 0 || (int64_t)n <= (int64_t)samples ? n : (int)samples;
}

// The picked places; else one place in each of `count` equal parts: the first and the last element,
// and random ones.
int number_each_at(int n, int count, int k);
int number_each_at(int n, int count, int k) {
    if (number_trial) {
        number_trial->epoch++;
    }
    const struct expected_picks *picks = picks_of(n);
    if (picks) {
        return picks->at[k];
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

// Is each array one of whole numbers?  Numbers have bounds of their own.
static bool is_whole(const struct expected_request *request) {
    for (uint32_t i = 0; i < request->array_count; i++) {
        if (expected_type_is_number(request->array[i].type)) {
            return false;
        }
    }
    return true;
}

static void call(uint8_t fill, uint32_t run) {
    void *start[EXPECTED_ARRAYS_MAX];
    for (uint32_t i = 0; i < runner.request->array_count; i++) {
        start[i] = pages_start(i);
    }
    runner.each_loops = 0;
    pages_begin(fill);
    runner.answer->refused = runner.request->is_plain ? expected_call_plain(start, runner.request)
                                                      : expected_call(start, runner.request);
    runner.answer->each_loops = runner.each_loops;
    if (!pages_end(run, &runner.answer->array, &runner.answer->index)) {
        end_at(EXPECTED_OUTSIDE, 0);
    }
}

// Repeats the values of the arrays that have a period.
static bool periods_map(const struct expected_request *request, unsigned char *memory, int fd) {
    for (uint32_t i = 0; i < request->array_count; i++) {
        const struct expected_array *array = &request->array[i];
        const uint64_t bytes = array->elements * expected_type_bytes(array->type);
        for (uint64_t done = array->period; array->period > 0 && done < bytes;
             done += array->period) {
            const uint64_t left = bytes - done;
            if (mmap(memory + array->values_at + done, left < array->period ? left : array->period,
                     PROT_READ, MAP_SHARED | MAP_FIXED, fd,
                     (off_t)array->values_at) == MAP_FAILED) {
                return false;
            }
        }
    }
    return true;
}

// Answers the request in a memory.  False: it is not a valid request, or there is no memory.
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
    if (!periods_map(&copy, memory, memory_fd) || !pages_open(&copy, memory) ||
        !timer_set(copy.cpu_ms_max)) {
        return false;
    }
    (void)feclearexcept(FE_INEXACT);
    call(0x5a, 0);
    bool rounds = fetestexcept(FE_INEXACT) != 0 && is_whole(&copy);
    if (has_whole_outputs(&copy)) {
        call(0xa5, 1);
        for (uint32_t run = 2; run < EXPECTED_RUNS && rounds; run++) {
            (void)fesetround(run == 2 ? FE_DOWNWARD : FE_UPWARD);
            call(0xa5, run);
            (void)fesetround(FE_TONEAREST);
            runner.answer->is_rounded = 1;
        }
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
