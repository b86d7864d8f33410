// What the functions of kernel.s do, by themselves and by those that they call.
#ifndef DEVICE_ASSEMBLY_FUNCTIONS_H
#define DEVICE_ASSEMBLY_FUNCTIONS_H

#include "device/assembly/lines.h"

#define FUNCTIONS_MAX 512  // others are not known

// What a function does.
#define FUNCTION_WORKS 1u  // loads or stores, or waits at a barrier
#define FUNCTION_ASKS  2u  // has an atomic operation; or a volatile load, in a file with fences

struct function_effects {
    const char *name;
    size_t length;
    unsigned does;
    bool is_apart;  // it is not inlined, as the file says
    unsigned char calls[FUNCTIONS_MAX / 8];
};

struct functions {
    struct function_effects *function;  // in their order
    int count;
    bool fences;  // a file without them has no volatile loads that wait: emu/hooks/volatile.c
};

// dump: gcc's (device/inspect/locals.h), or NULL; it says what is not inlined.
// Errors: STATUS_NO_MEMORY.  Owns: the caller ends *ret with functions_done.
enum status functions_open(const struct asm_lines *lines, const char *dump, struct functions *ret,
                           struct error *err);
void functions_done(struct functions *functions);

// The function of this name, or whose label this line is; -1 for others.
int functions_find(const struct functions *functions, const char *name, size_t length);
int functions_begun(const struct functions *functions, const struct asm_line *line);

// True if one calls the other, perhaps by others.
bool functions_lead(const struct functions *functions, int from, int to);

// What a line does, as FUNCTION_WORKS says; 0 for others than calls.
unsigned functions_does(const struct functions *functions, const struct asm_line *line);

#endif
