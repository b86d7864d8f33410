// gcc's assembly text, read for what the object file does not say: source lines, marks of device
// code, inline assembly.
#ifndef DEVICE_ASSEMBLY_LISTING_H
#define DEVICE_ASSEMBLY_LISTING_H

#include <stdbool.h>

#include "base/error.h"

#define SYMBOL_TEXT_MAX 16384  // longer names are cut

// One function of kernel.s.
struct assembly_function {
    char name[SYMBOL_TEXT_MAX];
    bool is_device;      // it carries the mark of __device__ and __global__
    bool is_kernel;      // it carries the mark of __global__
    bool is_submission;  // written in the student's file, not in a header
    int line;            // where it starts
    int threads_max;     // of __launch_bounds__; 0 if it has none
    int nops;            // with which it begins: emu/shim/cuda_emu.h says what they mean
};

// Goes through the functions of the text: start with *at at the text.  False after the last.
// `file` is the number of the student's file, from assembly_file.
bool assembly_next(const char **at, int file, struct assembly_function *ret_function);

// The number by which the text names the student's file in `.loc`; 0 if it does not.
int assembly_file(const char *text);

// Reads the start of a line, `\t.loc FILE LINE`.  False for others.
bool assembly_loc(const char *line, int *ret_file, int *ret_line);

// The line of the first use of a symbol in the student's file, 0 if unknown.
int assembly_line_of(const char *text, int file, const char *symbol);

// The function that the first section of start-up code names, "" if unknown.
void assembly_start(const char *text, char name[SYMBOL_TEXT_MAX]);

// True if x86-64 code calls or jumps by a pointer without the detour of
// emu/hooks/indirect_x86_64.S.
bool assembly_calls_anywhere(const char *text);

// Bytes of all zero-filled data: `.zero 1073741820` is short to write and long to assemble.
unsigned long long assembly_zeros(const char *text);

// The line of the first inline assembly: > 0, 0 if the line is unknown, -1 if there is none.
int assembly_inline(const char *text);

// True if the tests of this guard of a thread-local object lead nowhere, because rewrite_guards did
// its work.  False also if there is no test.
bool assembly_guard_is_dead(const char *text, const char *guard);

#endif
