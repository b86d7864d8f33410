// The functions that may be called by a pointer: those of the file, or of the C library's
// mathematics that take numbers alone, whose address the file takes.
// emu/hooks/indirect_x86_64.S calls no other.
//
// Those of them that are kernels get an entry with their symbol too: LAUNCH may start no others.
//
// Idea: gcc writes an address as `$name` in an instruction, or as `.quad name` among data.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/object/names.h"
#include "device/assembly/listing.h"
#include "device/assembly/passes.h"

#define TARGETS_MAX 64  // calls of others are refused

struct targets {
    char name[TARGETS_MAX][SYMBOL_TEXT_MAX];
    int count;
};

static bool is_symbol_letter(char letter) {
    return isalnum((unsigned char)letter) || letter == '_' || letter == '.';
}

// Reads the symbol that starts at `at`; false if there is none, or it is too long to be kept.
static bool symbol_read(const char *at, const char *end, char name[SYMBOL_TEXT_MAX]) {
    size_t length = 0;
    while (at + length < end && is_symbol_letter(at[length])) {
        length++;
    }
    if (length == 0 || length >= SYMBOL_TEXT_MAX ||
        !(isalpha((unsigned char)at[0]) || at[0] == '_')) {
        return false;
    }
    memcpy(name, at, length);
    name[length] = '\0';
    return true;
}

static bool is_function(const struct asm_lines *lines, const char *name) {
    char type[SYMBOL_TEXT_MAX + 24];
    (void)snprintf(type, sizeof type, "\t.type\t%s, @function\n", name);
    return (symbol_is_pure(name) && !symbol_takes_pointer(name)) ||
           strstr(lines->text, type) != NULL;
}

static void target_add(const struct asm_lines *lines, const char *name, struct targets *targets) {
    for (int i = 0; i < targets->count; i++) {
        if (strcmp(targets->name[i], name) == 0) {
            return;
        }
    }
    if (targets->count < TARGETS_MAX && is_function(lines, name)) {
        (void)snprintf(targets->name[targets->count++], SYMBOL_TEXT_MAX, "%s", name);
    }
}

static void targets_find(const struct asm_lines *lines, struct targets *targets) {
    char name[SYMBOL_TEXT_MAX];
    bool debug = false;
    for (size_t i = 0; i < lines->count; i++) {
        const struct asm_line *line = &lines->line[i];
        const char *end = line->text + line->length;
        const char *at = NULL;
        if (text_starts(line->text, "\t.section\t") || text_starts(line->text, "\t.text")) {
            debug = text_starts(line->text, "\t.section\t.debug");
        } else if (text_starts(line->text, "\t.quad\t")) {
            at = line->text + strlen("\t.quad\t");
        } else if (line->kind == LINE_INSTRUCTION) {
            at = memchr(line->text, '$', line->length);
            at = at ? at + 1 : NULL;
        }
        if (at && !debug && symbol_read(at, end, name)) {
            target_add(lines, name, targets);
        }
    }
}

// gcc writes no ".protected" for a static function, so any of them may be a kernel.
static bool is_kernel(const struct asm_lines *lines, const char *name) {
    char mark[SYMBOL_TEXT_MAX + 24];
    (void)snprintf(mark, sizeof mark, "\t.protected\t%s\n", name);
    return text_starts(name, "_ZL") || strstr(lines->text, mark) != NULL;
}

enum status rewrite_calls(struct asm_lines *lines, struct error *err) {
    enum status status = STATUS_OK;
    struct targets *targets = calloc(1, sizeof *targets);
    if (!targets) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the functions of kernel.s");
    }
    targets_find(lines, targets);
    size_t last = lines->count - 1;
    for (int i = 0; !status && i < targets->count; i++) {
        status = lines_add(lines, last, err,
                           "\t.pushsection\temu_call_targets,\"a\",@progbits\n\t.quad\t%s\n"
                           "\t.popsection",
                           targets->name[i]);
        if (!status && is_kernel(lines, targets->name[i])) {
            status = lines_add(lines, last, err,
                               "\t.pushsection\temu_kernels,\"a\",@progbits\n\t.quad\t%s, 771f\n"
                               "\t.popsection\n"
                               "\t.pushsection\t.rodata.emu_kernels,\"a\",@progbits\n"
                               "771:\t.string\t\"%s\"\n\t.popsection",
                               targets->name[i], targets->name[i]);
        }
    }
    free(targets);
    return status;
}
