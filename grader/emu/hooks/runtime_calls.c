// Functions of the C library that a kernel may call: printf, assert, traps, memcpy and memset;
// tests of the memory that a pointer points to; and handlers that the compiler calls for undefined
// behaviour.
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "emu/check/address_checks.h"
#include "emu/hooks/touch.h"
#include "emu/machine/stop.h"

#define FRAME ((uint64_t)(uintptr_t)__builtin_frame_address(0))

#define LINE_BYTES_MAX 4096  // of one printf; longer output is truncated

int emu_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int emu_vprintf_at(const char *format, va_list given, uint64_t pc, uint64_t frame);
void *emu_memcpy_at(void *to, const void *from, size_t bytes, uint64_t pc, uint64_t frame);
void *emu_memset_at(void *to, int value, size_t bytes, uint64_t pc, uint64_t frame);
_Noreturn void emu_trap(void);
_Noreturn void emu_assert_failed(void);
void *emu_memcpy(void *to, const void *from, size_t bytes);
void *emu_memset(void *to, int value, size_t bytes);
uint32_t emu_is_shared(const void *pointer);
uint32_t emu_is_global(const void *pointer);

static void put(const char *text, size_t bytes) {
    while (bytes > 0) {
        ssize_t written = write(STDOUT_FILENO, text, bytes);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return;  // the reader is gone, and this output is only for people
        }
        text += written;
        bytes -= (size_t)written;
    }
}

enum format_fault {
    FORMAT_FINE,
    FORMAT_WRITES,  // %n, or an argument by its number: a GPU's printf has neither
    FORMAT_WIDE     // a width or precision of more than a line: it is not formatted at all
};

// Reads a width or precision: a number, or an argument for a star.  A negative one is a flag.
static long number_read(const char **at, va_list *arguments) {
    if (**at == '*') {
        (*at)++;
        long value = va_arg(*arguments, int);
        return value < 0 ? -value : value;
    }
    long value = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++) {
        value = value > LINE_BYTES_MAX ? value : value * 10 + (**at - '0');
    }
    return value;
}

// printf reads a text, up to its end or to `most` bytes.
static void text_touch(const char *text, long most, uint64_t pc, uint64_t frame) {
    struct emu_machine *machine = &machine_state;
    bool ends = text == NULL;
    for (long done = 0; done < most && !ends; done++) {
        uint64_t address = (uint64_t)(uintptr_t)&text[done];
        struct access access = {.address = address, .kind = ACCESS_READ};
        if (!place_is_local(address, frame) && !memory_find_elsewhere(&machine->memory, &access)) {
            touch_one(address, 1, ACCESS_READ, pc, false);
        }
        machine->patience.call_pc = pc;  // a bad %s counts as a crash of the kernel
        ends = text[done] == '\0';
        machine->patience.call_pc = 0;
    }
}

// Takes the argument of a conversion; an unknown conversion has none.  Returns it for %s, else
// NULL.
static const char *argument_take(char conversion, int longs, bool long_double, va_list *arguments) {
    if (conversion == '\0') {
        return NULL;
    }
    if (conversion == 's') {
        return va_arg(*arguments, const char *);
    }
    if (strchr("diouxXc", conversion)) {
        if (longs > 0) {
            (void)va_arg(*arguments, long long);
        } else {
            (void)va_arg(*arguments, int);
        }
    } else if (strchr("fFeEgGaA", conversion)) {
        if (long_double) {
            (void)va_arg(*arguments, long double);
        } else {
            (void)va_arg(*arguments, double);
        }
    } else if (conversion == 'p') {
        (void)va_arg(*arguments, void *);
    }
    return NULL;
}

static enum format_fault format_check(const char *format, va_list *arguments, uint64_t pc,
                                      uint64_t frame) {
    text_touch(format, LONG_MAX, pc, frame);
    for (const char *at = strchr(format, '%'); at; at = strchr(at, '%')) {
        int longs = 0;
        bool long_double = false;
        at += 1 + strspn(at + 1, "-+ #0'");
        long width = number_read(&at, arguments);
        long precision = 0;
        bool bounded = *at == '.';
        if (bounded) {
            at++;
            precision = number_read(&at, arguments);
        }
        for (; *at != '\0' && strchr("hlLjztq", *at); at++) {
            longs += *at != 'h' && *at != 'L';
            long_double = long_double || *at == 'L';
        }
        if (*at == 'n' || *at == '$') {
            return FORMAT_WRITES;
        }
        if (width > LINE_BYTES_MAX || (precision > LINE_BYTES_MAX && *at != 's')) {
            return FORMAT_WIDE;
        }
        text_touch(argument_take(*at, longs, long_double, arguments),
                   bounded ? precision : LONG_MAX, pc, frame);
        at += *at != '\0';
    }
    return FORMAT_FINE;
}

static _Noreturn void output_limit(struct emu_machine *machine, uint64_t pc) {
    struct finding finding = machine_finding(machine, FINDING_OUTPUT_LIMIT, pc);
    findings_add(&machine->result.findings, &finding);
    machine_stop(machine);
}

int emu_vprintf_at(const char *format, va_list given, uint64_t pc, uint64_t frame) {
    static char line[LINE_BYTES_MAX];  // global, because a thread's stack may be nearly full
    struct emu_machine *machine = &machine_state;
    va_list arguments;
    schedule_step(machine, pc);
    machine_need_order(machine);
    va_copy(arguments, given);
    enum format_fault fault = format_check(format, &arguments, pc, frame);
    va_end(arguments);
    if (fault == FORMAT_WRITES) {
        static const char text[] = "printf: CUDA's printf has no %n and no $\n";
        put(text, sizeof text - 1);
        machine_crash(machine, CRASH_TRAP, pc);
    }
    if (fault == FORMAT_WIDE) {
        output_limit(machine, pc);
    }
    machine->patience.call_pc = pc;
    int wanted = vsnprintf(line, sizeof line, format, given);
    machine->patience.call_pc = 0;
    if (wanted < 0) {
        return -1;
    }
    uint32_t bytes = (uint32_t)wanted < sizeof line ? (uint32_t)wanted : sizeof line - 1;
    if (bytes > PRINTF_BYTES_MAX - machine->printed_bytes) {
        output_limit(machine, pc);
    }
    machine->printed_bytes += bytes;
    if (machine->printed_bytes > machine->printed_before) {
        put(line, bytes);
    }
    return wanted;
}

int emu_printf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int wanted = emu_vprintf_at(format, arguments, PLACE, FRAME);
    va_end(arguments);
    return wanted;
}

void emu_trap(void) {
    machine_crash(&machine_state, CRASH_TRAP, PLACE);
}

void emu_assert_failed(void) {
    machine_crash(&machine_state, CRASH_ASSERT, PLACE);
}

static void touch_each(const void *from, size_t bytes, enum access_kind kind, uint64_t pc,
                       uint64_t frame) {
    uint64_t address = (uint64_t)(uintptr_t)from;
    if (place_is_local(address, frame)) {
        return;
    }
    uint32_t step = (address | bytes) % 4 == 0 ? 4 : 1;
    for (size_t done = 0; done < bytes; done += step) {
        touch_one(address + done, step, kind, pc, false);
    }
}

void *emu_memcpy_at(void *to, const void *from, size_t bytes, uint64_t pc, uint64_t frame) {
    touch_each(from, bytes, ACCESS_READ, pc, frame);
    touch_each(to, bytes, ACCESS_WRITE, pc, frame);
    return memmove(to, from, bytes);
}

void *emu_memset_at(void *to, int value, size_t bytes, uint64_t pc, uint64_t frame) {
    touch_each(to, bytes, ACCESS_WRITE, pc, frame);
    return memset(to, value, bytes);
}

void *emu_memcpy(void *to, const void *from, size_t bytes) {
    return emu_memcpy_at(to, from, bytes, PLACE, FRAME);
}

void *emu_memset(void *to, int value, size_t bytes) {
    return emu_memset_at(to, value, bytes, PLACE, FRAME);
}

uint32_t emu_is_shared(const void *pointer) {
    struct access access = {.address = (uint64_t)(uintptr_t)pointer};
    return memory_find_shared(&machine_state.memory, &access);
}

uint32_t emu_is_global(const void *pointer) {
    struct access access = {.address = (uint64_t)(uintptr_t)pointer};
    return memory_find_global(&machine_state.memory, &access);
}

struct ubsan_place {
    const char *file;
    uint32_t line;
    uint32_t column;
};

struct ubsan_type {
    uint16_t kind;  // 0: an integer
    uint16_t info;  // bit 0: signed; the rest: log2 of its bits
    char name[];    // 'float [16]'
};

struct ubsan_index {
    struct ubsan_place place;
    const struct ubsan_type *array;
    const struct ubsan_type *index;
};

struct ubsan_access {
    struct ubsan_place place;
    const struct ubsan_type *type;
    uint8_t alignment;
    uint8_t kind;  // 0: it reads
};

_Noreturn void __cxa_pure_virtual(void);
void __ubsan_handle_out_of_bounds(const struct ubsan_index *data, uint64_t index);
void __ubsan_handle_out_of_bounds_abort(const struct ubsan_index *data, uint64_t index);
void __ubsan_handle_type_mismatch_v1(const struct ubsan_access *data, uint64_t address);
void __ubsan_handle_divrem_overflow(void *data, uint64_t left, uint64_t right);
void __ubsan_handle_divrem_overflow_abort(void *data, uint64_t left, uint64_t right);
void __ubsan_handle_missing_return(void *data);
struct ubsan_shift;
struct ubsan_cast;
void __ubsan_handle_shift_out_of_bounds(const struct ubsan_shift *data, uint64_t left,
                                        uint64_t right);
void __ubsan_handle_float_cast_overflow(const struct ubsan_cast *data, uint64_t from);
void __ubsan_handle_builtin_unreachable(void *data);

static int64_t ubsan_index_value(const struct ubsan_type *type, uint64_t value) {
    uint32_t bits = 1u << (type->info >> 1);
    if (type->kind != 0 || bits >= 64) {
        return (int64_t)value;
    }
    uint64_t low = value & ((1ull << bits) - 1);
    bool negative = (type->info & 1) && (low >> (bits - 1) & 1);
    return negative ? (int64_t)(low - (1ull << bits)) : (int64_t)low;
}

// The extent in a type's name: 16 in 'float [16]'.
static uint64_t ubsan_extent(const char *name) {
    uint64_t extent = 0;
    while (*name && *name != '[') {
        name++;
    }
    for (name += *name == '['; *name >= '0' && *name <= '9'; name++) {
        extent = extent * 10 + (uint64_t)(*name - '0');
    }
    return extent;
}

// An index outside one dimension of an array, as in `tile[ty][16]` of float [16][16]: the address
// may still be inside the array.  The access would follow.  It must not happen, because the array
// may be local, on the stack.
static void index_outside(const struct ubsan_index *data, uint64_t index, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    struct finding finding = machine_finding(machine, FINDING_OUT_OF_BOUNDS, pc);
    finding.detail = OUTSIDE_ROW;
    finding.offset = ubsan_index_value(data->index, index);
    finding.array_bytes = ubsan_extent(data->array->name);
    if (machine->on_host) {
        host_index_outside(&finding);
        return;
    }
    findings_add(&machine->result.findings, &finding);
    machine_stop(machine);
}

void __ubsan_handle_out_of_bounds(const struct ubsan_index *data, uint64_t index) {
    index_outside(data, index, PLACE);
}

void __ubsan_handle_out_of_bounds_abort(const struct ubsan_index *data, uint64_t index) {
    index_outside(data, index, PLACE);
}

// Memory other than the stack has more precise checks.
void __ubsan_handle_type_mismatch_v1(const struct ubsan_access *data, uint64_t address) {
    struct emu_machine *machine = &machine_state;
    if (place_is_local(address, (uint64_t)(uintptr_t)__builtin_frame_address(0))) {
        struct finding finding = machine_finding(machine, FINDING_OUT_OF_BOUNDS, PLACE);
        finding.detail = OUTSIDE_LOCAL;
        finding.access = data->kind == 0 ? ACCESS_READ : ACCESS_WRITE;
        findings_add(&machine->result.findings, &finding);
        machine_stop(machine);
    }
}

void __ubsan_handle_divrem_overflow(void *data, uint64_t left, uint64_t right) {
    (void)data;
    (void)left;
    (void)right;
    if (machine_state.on_host) {
        return;  // the processor's signal follows
    }
    machine_crash(&machine_state, CRASH_DIVISION_BY_ZERO, PLACE);
}

void __ubsan_handle_divrem_overflow_abort(void *data, uint64_t left, uint64_t right) {
    (void)data;
    (void)left;
    (void)right;
    if (machine_state.on_host) {
        return;  // the processor's signal follows
    }
    machine_crash(&machine_state, CRASH_DIVISION_BY_ZERO, PLACE);
}

struct ubsan_shift {
    struct ubsan_place place;
    const struct ubsan_type *left;
    const struct ubsan_type *right;
};

static uint32_t ubsan_bits(const struct ubsan_type *type) {
    return 1u << (type->info >> 1);
}

static void value_differs(enum crash_cause cause, int64_t value, uint32_t bits, uint64_t pc) {
    if (machine_state.on_host) {
        return;  // nothing is said here of C++ on the host
    }
    struct findings *findings = &machine_state.result.findings;
    struct finding finding = machine_finding(&machine_state, FINDING_CRASH, pc);
    finding.detail = cause;
    finding.offset = value;
    finding.array_bytes = bits;
    if (!findings_repeat(findings, &finding)) {
        findings_add(findings, &finding);
    }
}

// A shift by all bits of the type or more.  On a GPU nothing of the number is left; this processor
// shifts by the rest of a division.  Which way is not known here, so the two must differ both ways.
void __ubsan_handle_shift_out_of_bounds(const struct ubsan_shift *data, uint64_t left,
                                        uint64_t right) {
    uint32_t bits = ubsan_bits(data->left) < 32 ? 32 : ubsan_bits(data->left);
    bool is_signed = data->left->info & 1;
    uint32_t by = (uint32_t)right & (bits - 1);
    uint64_t value = bits == 64 ? left : left & 0xffffffffu;
    bool negative = is_signed && value >> (bits - 1) & 1;
    uint64_t up = bits == 64 ? value << by : (uint32_t)(value << by);
    int64_t down = !is_signed   ? (int64_t)(value >> by)
                   : bits == 64 ? (int64_t)value >> by
                                : (int32_t)value >> by;
    if (bits <= 64 && up != 0 && down != (negative ? -1 : 0)) {
        value_differs(CRASH_SHIFT, ubsan_index_value(data->right, right), bits, PLACE);
        if (!machine_state.on_host) {
            machine_stop(&machine_state);
        }
    }
}

struct ubsan_cast {
    struct ubsan_place place;
    const struct ubsan_type *from;
    const struct ubsan_type *to;
};

// A number of floating point that the integer type does not have.  A GPU takes the nearest one that
// it has, and 0 for NaN.  Types of less than 32 bits are made of one of 32.  The launch goes on: if
// the result is wrong too, the judge says that first.
void __ubsan_handle_float_cast_overflow(const struct ubsan_cast *data, uint64_t from) {
    uint32_t from_bits = data->from->info;
    uint32_t bits = ubsan_bits(data->to);
    bool is_signed = data->to->info & 1;
    double value = 0.0;
    float narrow = 0.0f;
    if (from_bits == 32) {
        memcpy(&narrow, &from, sizeof narrow);
        value = (double)narrow;
    } else if (from_bits == 64) {
        memcpy(&value, &from, sizeof value);
    } else {
        return;
    }
    bool fits = bits < 32 && value > -2147483649.0 && value < 4294967296.0;
    bool least = bits == 32 && is_signed && value < 0.0;     // the same on both
    bool none = bits == 32 && !is_signed && value != value;  // 0 on both
    if (!fits && !least && !none) {
        value_differs(CRASH_CONVERSION, 0, bits, PLACE);
    }
}

// A function with a result ran past its end without `return`; the code after it is not its own.
void __ubsan_handle_missing_return(void *data) {
    (void)data;
    machine_crash(&machine_state, CRASH_TRAP, PLACE);
}

void __ubsan_handle_builtin_unreachable(void *data) {
    (void)data;
    machine_crash(&machine_state, CRASH_TRAP, PLACE);
}

// A pure virtual function was called, from the constructor of its base.
void __cxa_pure_virtual(void) {
    machine_crash(&machine_state, CRASH_TRAP, PLACE);
}
