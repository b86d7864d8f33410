// kernel.s as a list of lines, to which passes add instructions.
#ifndef DEVICE_ASSEMBLY_LINES_H
#define DEVICE_ASSEMBLY_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum line_kind {
    LINE_OTHER,        // directives, labels of debug information, empty lines
    LINE_LABEL,        // where a jump may lead
    LINE_INSTRUCTION,  // starts with a tab
};

struct asm_line {
    const char *text;  // without its end; in struct asm_lines.text
    size_t length;
    enum line_kind kind;
    bool is_submission;  // of a function that is written in the student's file, not in a header
    int source;          // line of the student's file, 0 if unknown
    bool is_dropped;     // not written again
    char *before;        // whole lines to write before it, or NULL
};

struct asm_lines {
    char *text;
    struct asm_line *line;
    size_t count;
};

// Splits a text.  Errors: STATUS_NO_MEMORY.
// Owns: takes over `text`, even if it fails; the caller ends *ret_lines with lines_done.
enum status lines_open(char *text, struct asm_lines *ret_lines, struct error *err);
void lines_done(struct asm_lines *lines);

// True for assembly of x86-64.
bool lines_are_known(const struct asm_lines *lines);

// Adds a line (formatted, without its end) before line `at`, after those added earlier.
// Errors: STATUS_NO_MEMORY.
enum status lines_add(struct asm_lines *lines, size_t at, struct error *err, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));

// The text as it is now.  Errors: STATUS_NO_MEMORY.  Owns: the caller frees *ret_text.
enum status lines_text(const struct asm_lines *lines, char **ret_text, size_t *ret_bytes,
                       struct error *err);

// The instruction's name: "addss" of "\taddss\t%xmm0, %xmm1"; "" for other lines.  A name that does
// not fit in `bytes` is cut.
void line_mnemonic(const struct asm_line *line, char *ret_name, size_t bytes);

// The logarithm of an alignment, as `.align 64` states it; -1 for other lines.  `.align` takes
// bytes on x86-64 and, like `.p2align`, their logarithm on aarch64.
int line_alignment(const struct asm_line *line, bool is_x86);

// The function that a `call` or a `jmp` out of this function names, without "@PLT"; "" for others.
void line_callee(const struct asm_line *line, char *ret_name, size_t bytes);

#endif
