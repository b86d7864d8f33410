// Finds the stretches that copies.c instruments on x86-64 in the assembly of aarch64, where nothing
// is rewritten: a kernel that has one is refused, because its accesses would not be seen.
//
// Idea: next to a call of the student's, with no label, branch or other call between, is a load
// that no callback has reported, or a store after it; not on the stack, not of a constant.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "device/assembly/passes.h"

static const char *operands(const struct asm_line *line, const char *name) {
    return line->text + 1 + strlen(name);
}

// What `bl` names; "" for a call through a register, NULL for other lines.
static const char *callee_of(const struct asm_line *line, char ret_name[64]) {
    char name[16];
    line_mnemonic(line, name, sizeof name);
    bool by_register = strcmp(name, "blr") == 0;
    if (!by_register && strcmp(name, "bl") != 0) {
        return NULL;
    }
    ret_name[0] = '\0';
    if (!by_register) {
        (void)sscanf(operands(line, name), " %63[^ \t\n]", ret_name);
    }
    return ret_name;
}

static bool is_students_callee(const struct asm_line *line) {
    char name[64];
    const char *callee = line ? callee_of(line, name) : NULL;
    return callee && !text_starts(callee, "emu_") && !text_starts(callee, "__tsan_") &&
           !text_starts(callee, "__ubsan_");
}

static bool is_end(const struct asm_line *line) {
    static const char *const ends[] = {"bl", "blr", "b", "br", "ret", "cbz", "cbnz", "tbz", "tbnz"};
    char name[16];
    line_mnemonic(line, name, sizeof name);
    bool end = line->kind == LINE_LABEL || text_starts(name, "b.") ||
               (line->kind == LINE_INSTRUCTION && name[0] == 'b' && strlen(name) == 3 &&
                strcmp(name, "bic") != 0 && strcmp(name, "bfi") != 0);  // beq, bhi
    for (size_t i = 0; i < COUNT(ends); i++) {
        end = end || strcmp(name, ends[i]) == 0;
    }
    return end;
}

// Bytes that a load or store moves; 0 for other lines, and for the stack and constants.
static unsigned bytes_of(const struct asm_line *line, bool *ret_is_store) {
    char name[16];
    char text[256];
    line_mnemonic(line, name, sizeof name);
    bool loads = text_starts(name, "ld");
    bool stores = text_starts(name, "st");
    if ((!loads && !stores) || line->length >= sizeof text) {
        return 0;
    }
    memcpy(text, line->text, line->length);
    text[line->length] = '\0';
    const char *memory = strchr(text, '[');
    if (!memory || text_starts(memory, "[sp") || text_starts(memory, "[x29") ||
        strstr(memory, ":lo12:")) {
        return 0;
    }
    size_t length = strlen(name);
    const char *value = text + 1 + length + strspn(text + 1 + length, " \t");
    unsigned bytes = *value == 'q' ? 16 : *value == 'x' || *value == 'd' ? 8 : 4;
    bytes = name[length - 1] == 'b' ? 1 : name[length - 1] == 'h' ? 2 : bytes;
    bytes = strcmp(name, "ldrsw") == 0 ? 4 : bytes;
    *ret_is_store = stores;
    return name[2] == 'p' ? 2 * bytes : bytes;
}

// The bytes that the callback at line `at` has reported and that are loaded next.
static unsigned bytes_told(const struct asm_lines *lines, size_t at) {
    char name[64];
    unsigned bytes = 0;
    const char *callee = callee_of(&lines->line[at], name);
    if (!callee) {
        return 0;
    }
    if (strcmp(callee, "__tsan_read_range") == 0) {
        for (size_t back = 1; back <= 8 && back <= at && bytes == 0; back++) {
            (void)sscanf(lines->line[at - back].text, "\tmov\tx1, %u", &bytes);
        }
    } else if (sscanf(callee, "__tsan_read%u", &bytes) != 1 &&
               sscanf(callee, "__tsan_volatile_read%u", &bytes) != 1) {
        (void)sscanf(callee, "__tsan_unaligned_read%u", &bytes);
    }
    return bytes;
}

// The register in the brackets of line i: was it last set to a place on the stack, or to the
// address of a constant?  blockIdx is one.
static bool base_is_harmless(const struct asm_lines *lines, size_t i) {
    char base[8] = "";
    const struct asm_line *line = &lines->line[i];
    const char *memory = memchr(line->text, '[', line->length);
    if (!memory || sscanf(memory, "[%7[a-z0-9]", base) != 1) {
        return false;
    }
    for (size_t back = i; back > 0; back--) {
        const struct asm_line *before = &lines->line[back - 1];
        char set[8] = "";
        if (!before->is_submission) {
            return false;  // another function
        }
        if (before->kind == LINE_INSTRUCTION &&
            sscanf(before->text, "\t%*[a-z.]\t%7[a-z0-9],", set) == 1 && strcmp(set, base) == 0 &&
            !text_starts(before->text, "\tst")) {
            return memmem(before->text, before->length, ":lo12:", 6) ||
                   memmem(before->text, before->length, ", sp,", 5) ||
                   memmem(before->text, before->length, "\tadrp", 5);
        }
    }
    return false;
}

static bool stretch_is_unseen(const struct asm_lines *lines, size_t from, size_t to) {
    bool loads = is_students_callee(&lines->line[to]);
    bool stores = from > 0 && is_students_callee(&lines->line[from - 1]);
    unsigned told = from > 0 ? bytes_told(lines, from - 1) : 0;
    for (size_t i = from; i < to && (loads || stores); i++) {
        bool is_store = false;
        unsigned bytes = bytes_of(&lines->line[i], &is_store);
        if (bytes > 0 && !is_store && told > 0) {
            told -= bytes < told ? bytes : told;
        } else if (bytes > 0 && (is_store ? stores : loads) && !base_is_harmless(lines, i)) {
            return true;
        }
    }
    return false;
}

int rewrite_unseen_copy(const struct asm_lines *lines) {
    size_t from = 0;
    for (size_t i = 0; i < lines->count; i++) {
        const struct asm_line *line = &lines->line[i];
        if (!line->is_submission) {
            from = i + 1;
        } else if (is_end(line)) {
            if (stretch_is_unseen(lines, from, i)) {
                return line->source;
            }
            from = i + 1;
        }
    }
    return -1;
}
