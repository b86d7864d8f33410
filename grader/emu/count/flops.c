// The sums of floating-point operations and of instructions.
#include "emu/count/flops.h"

#include <stddef.h>
#include <string.h>

// Global, because instructions in the kernel add to it by name.
uint64_t emu_flops[FLOPS_SUMS];
extern const char emu_flops_known[] __attribute__((weak));  // null if the kernel does not count

bool flops_known(void) {
    return emu_flops_known != NULL;
}

void flops_clear(void) {
    memset(emu_flops, 0, sizeof emu_flops);
}

uint64_t flops_of_line(uint32_t line) {
    return line < FLOPS_LINES_MAX ? emu_flops[line] : 0;
}
