// gcc's assembly text, read for facts that are not in the object file (source lines, marks of
// device code, inline assembly), and as a list of lines to which passes add instructions.
#ifndef DEVICE_ASSEMBLY_ASSEMBLY_TEXT_H
#define DEVICE_ASSEMBLY_ASSEMBLY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#define SYMBOL_TEXT_MAX 16384  // longer names are cut

// One function of kernel.s.
struct assembly_function {
    char name[SYMBOL_TEXT_MAX];
    bool is_device;      // it carries the mark of __device__ and __global__
    bool is_kernel;      // it carries the mark of __global__
    bool is_submission;  // written in the student's file, not in a header
    int line;            // where it starts
    int threads_max;     // of __launch_bounds__; 0 if it has none
    int nops;            // nops at its start; emu/shim/cuda_emu.h gives their meaning
};

// Goes through the functions of the text: start with *at at the text.  False after the last.
// `file` is the number of the student's file, from assembly_file.
bool assembly_next(const char **at, int file, struct assembly_function *ret_function);

// The number of the student's file in `.loc`; 0 if it has none.
int assembly_file(const char *text);

// The line of the first use of a symbol in the student's file, 0 if unknown.
int assembly_line_of(const char *text, int file, const char *symbol);

// The function named by the first section of start-up code, "" if unknown.
void assembly_start(const char *text, char name[SYMBOL_TEXT_MAX]);

// True if x86-64 code calls or jumps by a pointer without going through
// emu/hooks/indirect_x86_64.S.
bool assembly_calls_anywhere(const char *text);

// Bytes of all zero-filled data: `.zero 1073741820` is short to write and long to assemble.
unsigned long long assembly_zeros(const char *text);

// The line of the first inline assembly: > 0, 0 if the line is unknown, -1 if there is none.
int assembly_inline(const char *text);

// True if the tests of this guard of a thread-local object have no effect, because rewrite_guards
// did its work.  False also if there is no test.
bool assembly_guard_is_dead(const char *text, const char *guard);

enum line_kind {
    LINE_OTHER,        // directives, labels of debug information, empty lines
    LINE_LABEL,        // the target of a jump
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

// Splits a text.  Owns: takes over `text`; the caller ends the lines with lines_done.
struct asm_lines lines_open(char *text);
void lines_done(struct asm_lines *lines);

// True for assembly of x86-64.
bool lines_are_known(const struct asm_lines *lines);

// Adds a line (formatted, without its end) before line `at`, after those added earlier.
void lines_add(struct asm_lines *lines, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The current text.  Owns: the caller frees it.
char *lines_text(const struct asm_lines *lines);

// The instruction's name: "addss" of "\taddss\t%xmm0, %xmm1"; "" for other lines.  A name that does
// not fit in `bytes` is cut.
void line_mnemonic(const struct asm_line *line, char *ret_name, size_t bytes);

// The logarithm of an alignment, as `.align 64` states it; -1 for other lines.  `.align` takes
// bytes on x86-64 and, like `.p2align`, their logarithm on aarch64.
int line_alignment(const struct asm_line *line, bool is_x86);

// The function named by a `call`, or by a `jmp` out of this function, without "@PLT"; "" for other
// lines.
void line_callee(const struct asm_line *line, char *ret_name, size_t bytes);

#endif
