// Which ways lead where in kernel.s, and how large its variables are.
#ifndef DEVICE_ASSEMBLY_LABELS_H
#define DEVICE_ASSEMBLY_LABELS_H

#include <stdint.h>

#include "device/assembly/lines.h"

struct label {
    size_t line;
    int64_t depth;  // of the stack pointer there: see state_begin
    int jumps;      // that lead to it; 2 for more
    bool falls;     // so does the line before
};

struct labels {
    const struct asm_lines *lines;
    struct label *label;  // by the number in ".L7"
    size_t count;
    const char **size;  // "name, bytes" of each variable
    size_t sizes;
};

// Errors: STATUS_NO_MEMORY.  Owns: the caller ends *labels with labels_done, also if it fails.
enum status labels_open(const struct asm_lines *lines, struct labels *labels, struct error *err);
void labels_done(struct labels *labels);

// The label that is named at `text`: ".L7"; NULL for others.
struct label *label_at(const struct labels *labels, const char *text);

// The label that a jump leads to; NULL if it is another.
struct label *label_of_jump(const struct labels *labels, const struct asm_line *line);

// True if a call that ends the launch comes soon after line `at`, whatever happens.
bool labels_lead_to_end(const struct asm_lines *lines, size_t at);

// The bytes of a variable that a launch does not change; 0 if unknown.
uint64_t labels_size(const struct labels *labels, const char *name, size_t bytes);

// True if the line calls a function whose name starts so.
bool line_calls(const struct asm_line *line, const char *start);

// A call of a handler that ends the launch.
bool line_is_last_call(const struct asm_line *line);

bool line_is_jump(const struct asm_line *line);

// After it comes no other line.
bool line_is_end(const struct asm_line *line);

#endif
