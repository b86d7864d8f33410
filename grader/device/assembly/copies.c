// Loads and stores of whole structs that the compiler does not instrument: `s[i] = f()` stores what
// a call returned, and `f(s[i])` loads what a call takes by value.  gcc makes them when it writes
// the call, after the instrumenting pass.
//
// Idea: they are next to the call, with no label, jump or other call between.  Before it: each load
// that does not belong to the preceding callback.  After it: each store, because a value that the
// program itself stores has a callback in between.  Accesses to the stack are recognised at run
// time.
//
// A GPU loads a float4 in one access, and a struct of four floats one by one; here both are two
// loads of 8 bytes.  The callee's mangled name has the types of what it takes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "device/assembly/passes.h"
#include "device/assembly/move.h"
#include "device/object/symbol.h"

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

// Takes the number out of "8(%rax)", "8+tile@tpoff(%rax)" or "tile@tpoff+8(%rax)".
static long displacement(const char *operand, char rest[OPERAND_MAX]) {
    size_t open = strcspn(operand, "(");
    const char *number = operand;
    const char *plus = memchr(operand, '+', open);
    bool leads = operand[0] == '-' || (operand[0] >= '0' && operand[0] <= '9');
    if (!leads && plus) {
        number = plus + 1;
    }
    char *end = NULL;
    long value = strtol(number, &end, 10);
    size_t before = (size_t)(number - operand);
    before -= before > 0;  // the +
    end += *end == '+';
    (void)snprintf(rest, OPERAND_MAX, "%.*s%s", (int)before, operand, end);
    return value;
}

// Joins the two halves of a float4: *move becomes the whole where `next` is the other half.
static bool halves_join(struct move *move, const struct move *next) {
    char rest[OPERAND_MAX];
    char other[OPERAND_MAX];
    if (move->bytes != 8 || next->bytes != 8 || next->is_store ||
        move->is_thread_local != next->is_thread_local) {
        return false;
    }
    long at = displacement(move->operand, rest);
    long next_at = displacement(next->operand, other);
    if (strcmp(rest, other) != 0 || (next_at != at + 8 && next_at != at - 8)) {
        return false;
    }
    if (next_at < at) {
        (void)snprintf(move->operand, OPERAND_MAX, "%s", next->operand);
    }
    move->bytes = 16;
    return true;
}

// The load at line i, whole: *ret_last is the line of its second half, or i.
static void vector_take(const struct lines *lines, size_t i, size_t to,
                        const struct vectors *vectors, struct move *move, size_t *ret_last) {
    size_t last = i + 1;
    struct move next;
    while (last < to && lines->line[last].kind != LINE_INSTRUCTION) {
        last++;
    }
    bool joined = vectors->of_16 && last < to && move_read(&lines->line[last], &next) &&
                  halves_join(move, &next);
    *ret_last = joined ? last : i;
    move->is_vector = (move->bytes == 16 && vectors->of_16) || (move->bytes == 8 && vectors->of_8);
    move->is_strict = move->is_vector && vectors->alone;
}

// The stub saves all registers but %rdi, which carries the address.
static enum status hook_write(struct lines *lines, size_t at, const struct move *move,
                              struct error *err) {
    char size[16] = "_words";  // as many times 8 as %rcx says
    if (move->bytes > 0) {
        (void)snprintf(size, sizeof size, "%u", move->bytes);
    }
    return lines_add(lines, at, err,
                     "\tpushq\t%%rdi\n\tleaq\t%s, %%rdi\n\tcall\temu_copy_%s%s%s\n"
                     "\tpopq\t%%rdi",
                     move->operand,
                     move->is_strict   ? "aligned"
                     : move->is_vector ? "vector"
                     : move->is_store  ? "write"
                                       : "read",
                     size, move->is_thread_local ? "_fs" : "");
}

// --- Stretches between calls, labels and jumps -------------------------------

static bool is_call(const struct line *line) {
    char name[16];
    line_mnemonic(line, name, sizeof name);
    return strcmp(name, "call") == 0;
}

static bool is_end(const struct line *line) {
    char name[16];
    line_mnemonic(line, name, sizeof name);
    return line->kind == LINE_LABEL || name[0] == 'j' || text_starts(name, "ret") ||
           strcmp(name, "call") == 0;
}

// A call of what the student wrote, or of the C library; not of the runtime.
static bool is_students(const struct line *line) {
    static const char *const runtime[] = {"emu_", "__tsan_", "__ubsan_"};
    char callee[64];
    if (!line || !is_call(line)) {
        return false;
    }
    line_callee(line, callee, sizeof callee);
    return !text_starts_any(callee, runtime, COUNT(runtime));
}

// The bytes that the callback at line `at` has reported and that are loaded next.
static unsigned bytes_told(const struct lines *lines, size_t at) {
    char callee[64];
    unsigned bytes = 0;
    line_callee(&lines->line[at], callee, sizeof callee);
    if (strcmp(callee, "__tsan_read_range") == 0) {
        // "movl $12, %esi" comes before it.
        for (size_t back = 1; back <= 8 && back <= at && bytes == 0; back++) {
            (void)sscanf(lines->line[at - back].text, "\tmovl\t$%u, %%esi", &bytes);
        }
    } else if (sscanf(callee, "__tsan_read%u", &bytes) != 1 &&
               sscanf(callee, "__tsan_volatile_read%u", &bytes) != 1) {
        (void)sscanf(callee, "__tsan_unaligned_read%u", &bytes);
    }
    return bytes;
}

// The lines from..to-1 are a stretch that begins after `before` (the call, label or jump there,
// or NULL) and ends with line `to`.
static enum status stretch_write(struct lines *lines, size_t from, size_t to, struct error *err) {
    const struct line *before = from > 0 ? &lines->line[from - 1] : NULL;
    bool loads = to < lines->count && is_students(&lines->line[to]);
    bool stores = is_students(before);
    unsigned told = before && is_call(before) ? bytes_told(lines, from - 1) : 0;
    enum status status = STATUS_OK;
    char callee[512] = "";
    if (loads) {
        line_callee(&lines->line[to], callee, sizeof callee);
    }
    struct vectors vectors = vectors_of(callee);
    for (size_t i = from; i < to && !status && (loads || stores); i++) {
        struct move move;
        const struct line *line = &lines->line[i];
        if (line->kind != LINE_INSTRUCTION ||
            !(move_read_string(line, stores, &move) || move_read(line, &move))) {
            continue;
        }
        if (!move.is_store && told > 0) {
            told -= move.bytes < told ? move.bytes : told;
        } else if (move.is_store ? stores : loads) {
            size_t last = i;
            if (!move.is_store) {
                vector_take(lines, i, to, &vectors, &move, &last);
            }
            status = hook_write(lines, i, &move, err);
            i = last;
        }
    }
    return status;
}

enum status rewrite_copies(struct lines *lines, struct error *err) {
    enum status status = STATUS_OK;
    size_t from = 0;
    for (size_t i = 0; i < lines->count && !status; i++) {
        const struct line *line = &lines->line[i];
        if (!line->is_submission) {
            from = i + 1;
        } else if (is_end(line)) {
            status = stretch_write(lines, from, i, err);
            from = i + 1;
        }
    }
    return status;
}
