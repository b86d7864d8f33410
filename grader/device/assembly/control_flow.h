// The control flow of kernel.s: its labels, functions and loops; and the sizes of its variables.
#ifndef DEVICE_ASSEMBLY_CONTROL_FLOW_H
#define DEVICE_ASSEMBLY_CONTROL_FLOW_H

#include <stdint.h>

#include "device/assembly/assembly_text.h"

struct label {
    size_t line;
    int64_t depth;  // of the stack pointer there: see state_begin
    int jumps;      // jumps to it; 2 means 2 or more
    bool falls;     // the line before also leads to it
};

struct labels {
    const struct asm_lines *lines;
    struct label *label;  // by the number in ".L7"
    size_t count;
    const char **size;  // "name, bytes" of each variable
    size_t sizes;
};

// Owns: the caller ends *labels with labels_done.
void labels_open(const struct asm_lines *lines, struct labels *labels);
void labels_done(struct labels *labels);

// The label that is named at `text`: ".L7"; NULL for others.
struct label *label_at(const struct labels *labels, const char *text);

// The label that a jump leads to; NULL for another target.
struct label *label_of_jump(const struct labels *labels, const struct asm_line *line);

// True if a call that ends the launch comes soon after line `at` on every path.
bool labels_lead_to_end(const struct asm_lines *lines, size_t at);

// The bytes of a variable that a launch does not change; 0 if unknown.
uint64_t labels_size(const struct labels *labels, const char *name, size_t bytes);

// True if the line calls a function whose name starts like this.
bool line_calls(const struct asm_line *line, const char *start);

// A call of a handler that ends the launch.
bool line_is_last_call(const struct asm_line *line);

bool line_is_jump(const struct asm_line *line);

// No line is reached after it.
bool line_is_end(const struct asm_line *line);

#define FUNCTIONS_MAX 512  // further functions are not known

// What a function does.
#define FUNCTION_WORKS 1u  // loads or stores, or waits at a barrier
#define FUNCTION_ASKS  2u  // has an atomic operation or, in a file with fences, a volatile load

struct function_effects {
    const char *name;
    size_t length;
    unsigned does;
    bool is_apart;  // the file says that it is not inlined
    unsigned char calls[FUNCTIONS_MAX / 8];
};

struct functions {
    struct function_effects *function;  // in their order
    int count;
    bool fences;  // a file without them has no volatile loads that wait: emu/hooks/accesses.c
};

// dump: gcc's dump (device/inspect/local_arrays.h), or NULL; it names the functions that are not
// inlined.
// Owns: the caller ends *ret with functions_done.
void functions_open(const struct asm_lines *lines, const char *dump, struct functions *ret);
void functions_done(struct functions *functions);

// The function with this name, or with its label on this line; -1 if there is none.
int functions_find(const struct functions *functions, const char *name, size_t length);
int functions_begun(const struct functions *functions, const struct asm_line *line);

// True if one calls the other, perhaps indirectly.
bool functions_lead(const struct functions *functions, int from, int to);

// The effects of a call (FUNCTION_WORKS …); 0 for other lines.
unsigned functions_does(const struct functions *functions, const struct asm_line *line);

struct loops {
    size_t *back;   // by line: 1 + the first line of the loop to which it leads back; 0: to none
    bool *reached;  // by line: reached from the start of a function
};

// Owns: the caller ends *loops with loops_done.
void loops_open(const struct labels *labels, const struct functions *functions,
                struct loops *loops);
void loops_done(struct loops *loops);

#endif
