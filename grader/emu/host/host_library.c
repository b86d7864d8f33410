// Functions of the C library that host code and kernels both call, by one name: in a kernel they
// are those of emu/hooks/runtime_calls.c, elsewhere the library's own.  And the host's heap: each
// block has its size in front of it, so that a copy past its end is found.
//
// The link gives a program's calls these names: device/compile/build_plan.c.
#include "emu/host/host.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "emu/machine/stop.h"

// --- Both sides ----------------------------------------------------------------------------------

int emu_vprintf_at(const char *format, va_list arguments, uint64_t pc, uint64_t frame);
void *emu_memcpy_at(void *to, const void *from, size_t bytes, uint64_t pc, uint64_t frame);
void *emu_memset_at(void *to, int value, size_t bytes, uint64_t pc, uint64_t frame);

int emu_program_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int emu_program_puts(const char *text);
int emu_program_putchar(int letter);
void *emu_program_memcpy(void *to, const void *from, size_t bytes);
void *emu_program_memmove(void *to, const void *from, size_t bytes);
void *emu_program_memset(void *to, int value, size_t bytes);
_Noreturn void emu_program_assert_fail(const char *text, const char *file, unsigned line,
                                       const char *function);
clock_t emu_program_clock(void);

#define FRAME ((uint64_t)(uintptr_t)__builtin_frame_address(0))

static bool in_kernel(void) {
    return machine_state.in_kernel;
}

static int print_in_kernel(uint64_t pc, uint64_t frame, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = emu_vprintf_at(format, arguments, pc, frame);
    va_end(arguments);
    return count;
}

int emu_program_printf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = in_kernel() ? emu_vprintf_at(format, arguments, CALLED_AT, FRAME)
                            : vprintf(format, arguments);
    va_end(arguments);
    return count;
}

int emu_program_puts(const char *text) {
    if (in_kernel()) {
        return print_in_kernel(CALLED_AT, FRAME, "%s\n", text);
    }
    return fputs(text, stdout) < 0 ? EOF : putchar('\n');
}

int emu_program_putchar(int letter) {
    return in_kernel() ? print_in_kernel(CALLED_AT, FRAME, "%c", letter) : putchar(letter);
}

// The host uses a range of memory, through a function of the library.
static void range_use(const void *at, size_t bytes, enum access_kind kind, uint64_t pc) {
    if (host_is_watched() && bytes > 0) {
        host_access((uint64_t)(uintptr_t)at, bytes, kind, pc);
    }
}

static void *move(void *to, const void *from, size_t bytes, uint64_t pc) {
    range_use(from, bytes, ACCESS_READ, pc);
    range_use(to, bytes, ACCESS_WRITE, pc);
    return memmove(to, from, bytes);
}

void *emu_program_memcpy(void *to, const void *from, size_t bytes) {
    return in_kernel() ? emu_memcpy_at(to, from, bytes, CALLED_AT, FRAME)
                       : move(to, from, bytes, CALLED_AT);
}

void *emu_program_memmove(void *to, const void *from, size_t bytes) {
    return in_kernel() ? emu_memcpy_at(to, from, bytes, CALLED_AT, FRAME)
                       : move(to, from, bytes, CALLED_AT);
}

void *emu_program_memset(void *to, int value, size_t bytes) {
    if (in_kernel()) {
        return emu_memset_at(to, value, bytes, CALLED_AT, FRAME);
    }
    range_use(to, bytes, ACCESS_WRITE, CALLED_AT);
    return memset(to, value, bytes);
}

_Noreturn void emu_program_assert_fail(const char *text, const char *file, unsigned line,
                                       const char *function) {
    if (in_kernel()) {
        machine_crash(&machine_state, CRASH_ASSERT, CALLED_AT);
    }
    (void)fflush(stdout);
    (void)fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, text);
    host_exit(128 + SIGABRT);
}

clock_t emu_program_clock(void) {
    return in_kernel() ? (clock_t)machine_state.clock : clock();
}

// --- Threads -------------------------------------------------------------------------------------

int pthread_create(unsigned long *thread, const void *attributes, void *(*run)(void *), void *data);

// Also called by std::thread: the checks are made for one thread of the host.
int pthread_create(unsigned long *thread, const void *attributes, void *(*run)(void *),
                   void *data) {
    (void)thread;
    (void)attributes;
    (void)run;
    (void)data;
    host_refuse("the host starts a second thread");
    return EAGAIN;
}

// --- The heap ------------------------------------------------------------------------------------

#define SYSTEM_PAGE 4096u
#define BLOCK_MARK  0x74696c6567726164ull

struct heap_block {
    uint64_t bytes;
    uint64_t mark;  // BLOCK_MARK, mixed with the address
};

void *emu_program_calloc(size_t count, size_t bytes);
void *emu_program_realloc(void *pointer, size_t bytes);
void emu_program_free(void *pointer);

static uint64_t mark_of(const void *pointer) {
    return BLOCK_MARK ^ (uint64_t)(uintptr_t)pointer;
}

static struct heap_block *block_before(const void *pointer) {
    return (struct heap_block *)(uintptr_t)pointer - 1;
}

// The head of a block may be in the page before; before other memory there may be no page.
uint64_t host_block_bytes(const void *pointer) {
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    if (!pointer || address % sizeof(struct heap_block) != 0 ||
        (address % SYSTEM_PAGE == 0 && !host_owns(address - 1))) {
        return 0;
    }
    const struct heap_block *block = block_before(pointer);
    return block->mark == mark_of(pointer) ? block->bytes : 0;
}

static void *block_fill(struct heap_block *block, size_t bytes) {
    if (!block) {
        return NULL;
    }
    block->bytes = bytes > 0 ? bytes : 1;
    block->mark = mark_of(block + 1);
    return block + 1;
}

void *emu_program_malloc(size_t bytes) {
    if (in_kernel()) {
        host_refuse("a kernel uses the heap");
    }
    return bytes > SIZE_MAX - sizeof(struct heap_block)
               ? NULL
               : block_fill(malloc(bytes + sizeof(struct heap_block)), bytes);
}

void *emu_program_calloc(size_t count, size_t bytes) {
    uint64_t all = 0;
    if (__builtin_mul_overflow(count, bytes, &all) || all > SIZE_MAX - sizeof(struct heap_block)) {
        return NULL;
    }
    return block_fill(calloc(1, all + sizeof(struct heap_block)), all);
}

static void block_free(void *pointer, uint64_t pc) {
    uint32_t array = 0;
    int64_t offset = 0;
    if (host_find(pointer, &array, &offset)) {
        (void)host_foreign_report(pointer, MEMORY_OF_HOST, pc);
    } else if (host_block_bytes(pointer) == 0) {
        free(pointer);
    } else {
        block_before(pointer)->mark = 0;
        free(block_before(pointer));
    }
}

void emu_program_free(void *pointer) {
    block_free(pointer, CALLED_AT);
}

void *emu_program_realloc(void *pointer, size_t bytes) {
    uint64_t before = host_block_bytes(pointer);
    if (pointer && before == 0) {
        return realloc(pointer, bytes);
    }
    void *moved = emu_program_malloc(bytes);
    if (moved && pointer) {
        memcpy(moved, pointer, before < bytes ? before : bytes);
        emu_program_free(pointer);
    }
    return moved;
}

// operator new and delete, by the names that C++ gives them on 64-bit machines.
void *_Znwm(size_t bytes);
void *_Znam(size_t bytes);
void _ZdlPv(void *pointer);
void _ZdaPv(void *pointer);
void _ZdlPvm(void *pointer, size_t bytes);
void _ZdaPvm(void *pointer, size_t bytes);

static void *block_new(size_t bytes) {
    void *pointer = emu_program_malloc(bytes);
    if (!pointer) {
        (void)fflush(stdout);
        (void)fprintf(stderr, "terminate called: std::bad_alloc\n");
        host_exit(128 + SIGABRT);
    }
    return pointer;
}

void *_Znwm(size_t bytes) {
    return block_new(bytes);
}

void *_Znam(size_t bytes) {
    return block_new(bytes);
}

#define DELETE(name, ...)                                                                          \
    void name(__VA_ARGS__) {                                                                       \
        block_free(pointer, CALLED_AT);                                                            \
    }
DELETE(_ZdlPv, void *pointer)
DELETE(_ZdaPv, void *pointer)
DELETE(_ZdlPvm, void *pointer, size_t bytes __attribute__((unused)))
DELETE(_ZdaPvm, void *pointer, size_t bytes __attribute__((unused)))

// --- Atomic operations of C++ --------------------------------------------------------------------
// gcc calls these in place of its own instructions.  Only one thread runs at a time.

static void atomic_note(const volatile void *at) {
    if (!in_kernel()) {
        host_atomic(at);
    }
}

#define ATOMIC_READ_CHANGE(name, bits, type, expression)                                           \
    type __tsan_atomic##bits##_##name(volatile type *at, type value, int order);                   \
    type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) {                  \
        type old = *at;                                                                            \
        (void)order;                                                                               \
        atomic_note(at);                                                                           \
        *at = (type)(expression);                                                                  \
        return old;                                                                                \
    }
#define ATOMIC_COMPARE(name, bits, type)                                                           \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *at, type *expected,           \
                                                      type value, int order, int other);           \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *at, type *expected,           \
                                                      type value, int order, int other) {          \
        type old = *at;                                                                            \
        (void)order;                                                                               \
        (void)other;                                                                               \
        if (old == *expected) {                                                                    \
            *at = value;                                                                           \
            return 1;                                                                              \
        }                                                                                          \
        *expected = old;                                                                           \
        return 0;                                                                                  \
    }
#define ATOMICS(bits, type)                                                                        \
    type __tsan_atomic##bits##_load(const volatile type *at, int order);                           \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order);                    \
    type __tsan_atomic##bits##_load(const volatile type *at, int order) {                          \
        (void)order;                                                                               \
        atomic_note(at);                                                                           \
        return *at;                                                                                \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order) {                   \
        (void)order;                                                                               \
        atomic_note(at);                                                                           \
        *at = value;                                                                               \
    }                                                                                              \
    ATOMIC_READ_CHANGE(exchange, bits, type, value)                                                \
    ATOMIC_READ_CHANGE(fetch_add, bits, type, old + value)                                         \
    ATOMIC_READ_CHANGE(fetch_sub, bits, type, old - value)                                         \
    ATOMIC_READ_CHANGE(fetch_and, bits, type, old &value)                                          \
    ATOMIC_READ_CHANGE(fetch_or, bits, type, old | value)                                          \
    ATOMIC_READ_CHANGE(fetch_xor, bits, type, old ^ value)                                         \
    ATOMIC_READ_CHANGE(fetch_nand, bits, type, ~(old & value))                                     \
    ATOMIC_COMPARE(strong, bits, type)                                                             \
    ATOMIC_COMPARE(weak, bits, type)
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);

void __tsan_atomic_thread_fence(int order) {
    (void)order;
}

void __tsan_atomic_signal_fence(int order) {
    (void)order;
}
