// What a kernel calls of the C library: printf, assert, traps, memcpy and memset.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "emu/machine.h"

#define PLACE ((uint64_t)(uintptr_t)__builtin_return_address(0))
#define FRAME ((uint64_t)(uintptr_t)__builtin_frame_address(0))

#define LINE_BYTES_MAX 4096  // of one printf; what is longer is cut

int emu_printf(const char *format, ...);
_Noreturn void emu_trap(void);
_Noreturn void emu_assert_failed(void);
void *emu_memcpy(void *to, const void *from, size_t bytes);
void *emu_memset(void *to, int value, size_t bytes);

static void put(const char *text, size_t bytes) {
    while (bytes > 0) {
        ssize_t written = write(STDOUT_FILENO, text, bytes);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return;  // nobody reads: what a kernel prints is for people only
        }
        text += written;
        bytes -= (size_t)written;
    }
}

// %n writes to memory, which a GPU's printf does not do.
static bool format_writes(const char *format) {
    for (const char *at = strchr(format, '%'); at; at = strchr(at + 1, '%')) {
        at += 1 + strspn(at + 1, "-+ #0123456789.*hlLjzt$'");
        if (*at == 'n') {
            return true;
        }
        if (*at == '\0') {
            return false;
        }
    }
    return false;
}

int emu_printf(const char *format, ...) {
    static char line[LINE_BYTES_MAX];  // a thread's stack may be nearly full
    struct emu_machine *machine = &machine_state;
    uint64_t pc = PLACE;
    va_list arguments;
    schedule_step(machine, pc);
    machine->call_pc = pc;  // a bad %s is the kernel's crash
    if (format_writes(format)) {
        machine_crash(machine, CRASH_TRAP, pc);
    }
    va_start(arguments, format);
    int wanted = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    machine->call_pc = 0;
    if (wanted < 0) {
        return -1;
    }
    uint32_t bytes = (uint32_t)wanted < sizeof line ? (uint32_t)wanted : sizeof line - 1;
    if (bytes > PRINTF_BYTES_MAX - machine->printed_bytes) {
        struct finding finding = machine_finding(machine, FINDING_OUTPUT_LIMIT, pc);
        findings_add(&machine->result.findings, &finding);
        machine_stop(machine);
    }
    machine->printed_bytes += bytes;
    put(line, bytes);
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
    if (address - frame < FIBER_STACK_BYTES) {
        return;
    }
    uint32_t step = (address | bytes) % 4 == 0 ? 4 : 1;
    for (size_t done = 0; done < bytes; done += step) {
        machine_touch(address + done, step, kind, pc, false);
    }
}

void *emu_memcpy(void *to, const void *from, size_t bytes) {
    touch_each(from, bytes, ACCESS_READ, PLACE, FRAME);
    touch_each(to, bytes, ACCESS_WRITE, PLACE, FRAME);
    return memmove(to, from, bytes);
}

void *emu_memset(void *to, int value, size_t bytes) {
    touch_each(to, bytes, ACCESS_WRITE, PLACE, FRAME);
    return memset(to, value, bytes);
}
