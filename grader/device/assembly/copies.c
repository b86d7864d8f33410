// Reports an access where gcc does not: puts a call of the machine before it (emu/hooks/copies.c).
//
// gcc itself makes such accesses when it writes a call, after the instrumenting pass: `s[i] = f()`
// stores what the call returned, and `f(s[i])` loads what it takes by value.  A GPU loads a float4
// in one access, and a struct of four floats one by one; here both are two loads of 8 bytes.  The
// callee's mangled name has the types of what it takes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "device/assembly/instruction.h"
#include "device/assembly/passes.h"
#include "device/object/symbol.h"

#define OPERAND_MAX 256  // bytes of an operand, with the final NUL

// --- Vectors -----------------------------------------------------------------

// Which vector types a call takes by value.
struct vectors {
    bool of_8, of_16;  // also of a part of 16 bytes
    bool alone;        // of one of the two sizes, and no other struct
};

static bool is_one_of(const char *word, size_t length, const char *const *names) {
    while (*names && !text_is(word, length, *names)) {
        names++;
    }
    return *names != NULL;
}

// From the callee's parameters.  alone holds for a plain function only: no template, no member.
static struct vectors vectors_of(const char *callee) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    static const char *const of_8[] = {"float2", "int2", "uint2", "short4", "ushort4", NULL};
    static const char *const of_16[] = {
        "float4", "int4",   "uint4",     "double2",   "double4",    "long2",      "long4",
        "ulong2", "ulong4", "longlong2", "longlong4", "ulonglong2", "ulonglong4", NULL};
    static const char *const plain[] = {"void",     "bool",     "char",  "signed", "unsigned",
                                        "short",    "int",      "long",  "float",  "double",
                                        "__int128", "volatile", "const", NULL};
    struct vectors found = {false, false, false};
    char *text = symbol_demangle(callee);
    const char *at = text ? text : "";
    const char *list = at + strspn(at, letters);
    bool is_function = list > at && *list == '(';
    bool others = false;
    for (size_t length; *at != '\0'; at += length > 0 ? length : 1) {
        length = strspn(at, letters);
        bool eight = is_one_of(at, length, of_8);
        bool sixteen = is_one_of(at, length, of_16);
        found.of_8 |= eight;
        found.of_16 |= sixteen;
        bool named = length > 0 && !eight && !sixteen && !is_one_of(at, length, plain);
        others |= at > list && (named || strchr(":<{", *at));
    }
    found.alone = is_function && !others && !(found.of_8 && found.of_16);
    free(text);
    return found;
}

// A call of what the student wrote, or of the C library; not of the runtime.
static bool is_students(const struct asm_line *line) {
    static const char *const runtime[] = {"emu_", "__tsan_", "__ubsan_"};
    char callee[64];
    if (!text_starts(line->text, "\tcall")) {
        return false;
    }
    line_callee(line, callee, sizeof callee);
    return !text_starts_any(callee, runtime, COUNT(runtime));
}

// The call of the student's that follows line i with no label, jump or other call between, or NULL.
static const struct asm_line *call_after(const struct asm_lines *lines, size_t i) {
    for (; i < lines->count; i++) {
        const struct asm_line *line = &lines->line[i];
        bool call = text_starts(line->text, "\tcall");
        if (call || line->kind == LINE_LABEL ||
            (line->kind == LINE_INSTRUCTION && strchr("jr", line->text[1]))) {
            return call && is_students(line) ? line : NULL;
        }
    }
    return NULL;
}

// True if the two loads are the two halves of 16 bytes.
static bool halves_join(const struct memory_access *one, const struct memory_access *other) {
    const struct operand *a = one->memory;
    const struct operand *b = other->memory;
    return b && one->bytes == 8 && other->bytes == 8 && !other->stores && a->base == b->base &&
           a->index == b->index && a->scale == b->scale &&
           a->is_thread_local == b->is_thread_local && a->symbol_bytes == b->symbol_bytes &&
           (!a->symbol || memcmp(a->symbol, b->symbol, a->symbol_bytes) == 0) &&
           (b->number == a->number + 8 || b->number == a->number - 8);
}

// Reads the access of a line by which it loads, or stores.  No memory, if there is none.
static struct memory_access access_read(const struct asm_line *line,
                                        struct instruction *instruction) {
    struct memory_access none = {.memory = NULL};
    return instruction_read(line, instruction) ? instruction_access(instruction) : none;
}

// How a load at line i is reported that may be of a vector.  *access becomes the whole of two
// halves; *ret_second is then the line of the second.
static const char *vector_take(const struct asm_lines *lines, size_t i,
                               struct memory_access *access, struct instruction *second,
                               size_t *ret_second) {
    const struct asm_line *call = call_after(lines, i);
    char callee[512] = "";
    if (call) {
        line_callee(call, callee, sizeof callee);
    }
    struct vectors vectors = vectors_of(callee);
    size_t next = i + 1;
    while (next < lines->count && lines->line[next].kind == LINE_OTHER) {
        next++;
    }
    if (call && vectors.of_16 && next < lines->count) {
        struct memory_access other = access_read(&lines->line[next], second);
        if (halves_join(access, &other)) {
            access->memory =
                other.memory->number < access->memory->number ? other.memory : access->memory;
            access->bytes = 16;
            *ret_second = next;
        }
    }
    bool vector = (access->bytes == 16 && vectors.of_16) || (access->bytes == 8 && vectors.of_8);
    return !vector ? "read" : vectors.alone ? "aligned" : "vector";
}

// Below a leaf's variables, which may be under the stack pointer.  The stub saves all registers but
// %rdi, which carries the address.
static enum status hook_write(struct asm_lines *lines, size_t at, const struct operand *memory,
                              const char *name, const char *size, struct error *err) {
    bool sum = memory->base == REGISTER_SP && !strchr("-(", memory->text[0]);
    return lines_add(lines, at, err,
                     "\tleaq\t-128(%%rsp), %%rsp\n\tpushq\t%%rdi\n\tleaq\t%s%s%.*s, %%rdi\n"
                     "\tcall\temu_copy_%s%s%s\n\tpopq\t%%rdi\n\tleaq\t128(%%rsp), %%rsp",
                     memory->base == REGISTER_SP ? "136" : "", sum ? "+" : "", (int)memory->length,
                     memory->text, name, size, memory->is_thread_local ? "_fs" : "");
}

enum status copies_report_at(struct asm_lines *lines, size_t at, const char *place, unsigned bytes,
                             bool stores, struct error *err) {
    struct operand memory = {.text = place, .length = strlen(place), .base = REGISTER_NONE};
    char size[16] = "_words";  // as many times 8 as %rcx says
    if (bytes > 0) {
        (void)snprintf(size, sizeof size, "%u", bytes);
    }
    return hook_write(lines, at, &memory, stores ? "write" : "read", size, err);
}

enum status copies_report(struct asm_lines *lines, size_t at, bool stores, size_t *ret_second,
                          struct error *err) {
    struct instruction instruction;
    struct instruction second;
    struct string_move move;
    char size[16];
    if (instruction_is_string(&lines->line[at], &move)) {
        return copies_report_at(lines, at, stores ? "(%rdi)" : "(%rsi)",
                                move.repeats ? 0 : move.bytes, stores, err);
    }
    struct memory_access access = access_read(&lines->line[at], &instruction);
    const char *name = "write";
    if (!stores) {
        name = vector_take(lines, at, &access, &second, ret_second);
    }
    (void)snprintf(size, sizeof size, "%u", access.bytes);
    return hook_write(lines, at, access.memory, name, size, err);
}

bool copies_can_report(const struct asm_line *line) {
    struct instruction instruction;
    struct string_move move;
    if (instruction_is_string(line, &move)) {
        return !move.repeats || move.bytes == 8;
    }
    struct memory_access access = access_read(line, &instruction);
    return access.memory && instruction.is_known && access.bytes > 0;
}
