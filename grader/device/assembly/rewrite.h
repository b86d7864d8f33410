// kernel.s, to be rewritten before it is assembled: gcc's assembly as a list of lines, to which
// passes add instructions.
//
// A pass knows x86-64 as gcc and clang write it (AT&T syntax); texts for other processors are left
// as they are, which rewrite_is_known tells.
#ifndef DEVICE_ASSEMBLY_REWRITE_H
#define DEVICE_ASSEMBLY_REWRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/texts.h"

enum rewrite_kind {
    REWRITE_OTHER,        // directives, labels of debug information, empty lines
    REWRITE_LABEL,        // where a jump may lead
    REWRITE_INSTRUCTION,  // starts with a tab
};

struct rewrite_line {
    const char *text;  // without its end; in struct rewrite.text
    size_t length;
    enum rewrite_kind kind;
    bool is_submission;  // of a function that is written in the student's file, not in a header
    int source;          // line of the student's file, 0 where none is known
    bool is_dropped;     // not written again
    char *before;        // whole lines to write before it, or NULL
};

struct rewrite {
    char *text;
    struct rewrite_line *line;
    size_t count;
};

// Splits a text.  Errors: STATUS_NO_MEMORY.
// Owns: takes over `text`, also where it fails; the caller ends *ret_rewrite with rewrite_done.
enum status rewrite_open(char *text, struct rewrite *ret_rewrite, struct error *err);
void rewrite_done(struct rewrite *rewrite);

// True for assembly of x86-64.
bool rewrite_is_known(const struct rewrite *rewrite);

// Adds a line (formatted, without its end) before line `at`, behind those added before it.
// Errors: STATUS_NO_MEMORY.
enum status rewrite_before(struct rewrite *rewrite, size_t at, struct error *err,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

// The text as it is now.  Errors: STATUS_NO_MEMORY.  Owns: the caller frees *ret_text.
enum status rewrite_text(const struct rewrite *rewrite, char **ret_text, size_t *ret_bytes,
                         struct error *err);

// The instruction's name: "addss" of "\taddss\t%xmm0, %xmm1"; "" for other lines.  A name that does
// not fit in `bytes` is cut.
void rewrite_mnemonic(const struct rewrite_line *line, char *ret_name, size_t bytes);

// The function that a `call` or a `jmp` out of this function names, without "@PLT"; "" for others.
void rewrite_callee(const struct rewrite_line *line, char *ret_name, size_t bytes);

#define REWRITE_UNSEEN_TEXT                                                                        \
    N_("has a call that takes a struct straight from memory or gives one to it, which cannot be "  \
       "checked on this processor; copy it to a local variable first, or use a GPU")

// --- Passes ------------------------------------------------------------------

// Adds up the floating-point operations of the student's functions while they run:
// emu/count/flops.h.
enum status rewrite_flops(struct rewrite *rewrite, struct error *err);

// Tells of the structs that a call takes or gives, straight from and into memory.
enum status rewrite_copies(struct rewrite *rewrite, struct error *err);

// Passes over the constructors of __shared__ objects.
enum status rewrite_guards(struct rewrite *rewrite, struct error *err);

// The line of a struct as rewrite_copies tells of, in assembly of aarch64; -1 where there is none.
int rewrite_unseen_copy(const struct rewrite *rewrite);

// Lists the functions that may be called by a pointer: emu/hooks/indirect_x86_64.S.
enum status rewrite_calls(struct rewrite *rewrite, struct error *err);

// All passes over kernel.s in the current folder.  Errors: STATUS_NO_MEMORY, STATUS_SYSTEM.
//
// Returns  in *ret_unseen a line (0 if unknown) with accesses that no check would see, on
//          processors that the passes do not know; -1 where there is none.
enum status rewrite_kernel(int *ret_unseen, struct error *err);

#endif
