// Proves that each load and store of a kernel is reported, address by address, and reports the
// others, by a call of the machine before them (emu/hooks/accesses.c).
//
// gcc itself makes such accesses when it writes a call, after the instrumenting pass: `s[i] = f()`
// stores the result of the call, and `f(s[i])` loads an argument passed by value.  A GPU loads a
// float4 in one access, and a struct of four floats one by one; here both are two loads of 8 bytes.
// The callee's mangled name has the types of its parameters.
//
// An access is seen if a callback before it, with no label or other call in between, gets the same
// address.  An access to the stack or to a constant is also seen if its place is fixed, or if its
// index was compared with a bound that keeps the whole access inside.  Addresses are compared as
// sums of register values (symbolic_state.h).  A load may come before the comparison, because a
// failed one ends the launch.
//
// Idea: an access that is not proved costs a call of the machine, which examines the address while
// the kernel runs.  So a weak proof never leaves an access unseen.
//
// In the assembly of aarch64, where nothing is rewritten, only the stretches that would be
// instrumented on x86-64 are found: a kernel with such a stretch is refused, because its accesses
// would not be seen.  It is a call of the student's own function with an unreported load before it,
// or a store after it, and no label, branch or other call between; the access is neither on the
// stack nor of a constant.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/assembly/control_flow.h"
#include "device/assembly/instruction.h"
#include "device/assembly/rewrite.h"
#include "device/assembly/symbolic_state.h"
#include "device/object/symbols.h"

// --- Vectors -----------------------------------------------------------------

// The vector types that a call takes by value.
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
    const char *at = text;
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

// A call of a function of the student or of the C library; not of the runtime.
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

// The way to report a load at line i that may be part of a vector.  *access becomes the whole of
// two halves; *ret_second is then the line of the second.
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

// Calls below a leaf function's variables, which may be under the stack pointer.  The stub saves
// all registers except %rdi, which holds the address.
static void hook_write(struct asm_lines *lines, size_t at, const struct operand *memory,
                       const char *name, const char *size) {
    bool sum = memory->base == REGISTER_SP && !strchr("-(", memory->text[0]);
    lines_add(lines, at,
              "\tleaq\t-128(%%rsp), %%rsp\n\tpushq\t%%rdi\n\tleaq\t%s%s%.*s, %%rdi\n"
              "\tcall\temu_copy_%s%s%s\n\tpopq\t%%rdi\n\tleaq\t128(%%rsp), %%rsp",
              memory->base == REGISTER_SP ? "136" : "", sum ? "+" : "", (int)memory->length,
              memory->text, name, size, memory->is_thread_local ? "_fs" : "");
}

// The same for an access to a place such as "(%rdi)", of `bytes` bytes; 0: of %rcx times 8.
static void copies_report_at(struct asm_lines *lines, size_t at, const char *place, unsigned bytes,
                             bool stores) {
    struct operand memory = {.text = place, .length = strlen(place), .base = REGISTER_NONE};
    char size[16] = "_words";  // as many times 8 as %rcx says
    if (bytes > 0) {
        (void)snprintf(size, sizeof size, "%u", bytes);
    }
    hook_write(lines, at, &memory, stores ? "write" : "read", size);
}

// Inserts a call before line `at` that reports its load or store; for half of a vector, *ret_second
// is the line of the other half, which is reported together with it.
static void copies_report(struct asm_lines *lines, size_t at, bool stores, size_t *ret_second) {
    struct instruction instruction;
    struct instruction second;
    struct string_move move;
    char size[16];
    if (instruction_is_string(&lines->line[at], &move)) {
        copies_report_at(lines, at, stores ? "(%rdi)" : "(%rsi)", move.repeats ? 0 : move.bytes,
                         stores);
        return;
    }
    struct memory_access access = access_read(&lines->line[at], &instruction);
    const char *name = "write";
    if (!stores) {
        name = vector_take(lines, at, &access, &second, ret_second);
    }
    (void)snprintf(size, sizeof size, "%u", access.bytes);
    hook_write(lines, at, access.memory, name, size);
}

// True if copies_report knows the line's access.
static bool copies_can_report(const struct asm_line *line) {
    struct instruction instruction;
    struct string_move move;
    if (instruction_is_string(line, &move)) {
        return !move.repeats || move.bytes == 8;
    }
    struct memory_access access = access_read(line, &instruction);
    return access.memory && instruction.is_known && access.bytes > 0;
}

#define STACK_SPAN (1 << 16)  // of a thread

// The facts at a label that only one jump leads to.
struct only {
    struct state *state;  // at the jump
    bool skipped;         // the jump comes later
};

// The position of the walk.
struct proof {
    struct asm_lines *lines;
    struct labels labels;
    struct unknowns unknowns;
    struct state state;
    bool live;          // the line can be reached from the one before
    bool again;         // this part was skipped before, up to a label that was not
    struct only *only;  // by the number of the label
    size_t *skipped;    // labels that were skipped and whose state is known by now
    size_t skips;
    size_t second_half;  // a line whose access is reported with an earlier one
    int refused;         // a line of the student's file with an access that cannot be reported; -1
};

// --- Places -------------------------------------------------------------------------------------

enum address_place { PLACE_UNKNOWN, PLACE_STACK, PLACE_CONSTANT, PLACE_THREAD };

// The array that contains the address, and the unknown that proves it.
static enum address_place place_of(const struct proof *proof, const struct value *address,
                                   int *ret_from) {
    enum address_place place = PLACE_UNKNOWN;
    for (int i = 0; i < address->terms; i++) {
        int unknown = address->term[i].unknown;
        bool stack = unknown < UNKNOWN_THREAD;
        bool symbol = proof->unknowns.unknown[unknown].kind == UNKNOWN_SYMBOL;
        if (unknown == UNKNOWN_THREAD) {
            bool start = address->terms == 1 && address->number == 0;
            return start ? PLACE_THREAD : PLACE_UNKNOWN;
        }
        if ((stack || symbol) && place == PLACE_UNKNOWN && address->term[i].times == 1) {
            place = stack ? PLACE_STACK : PLACE_CONSTANT;
            *ret_from = unknown;
        }
    }
    return place;
}

// True if no such access can leave the stack, or the constant, that the address is in.
static bool stays_inside(const struct proof *proof, const struct value *address, uint64_t bytes,
                         bool stores) {
    int from = 0;
    int64_t least = 0;
    uint64_t span = 0;
    enum address_place place = place_of(proof, address, &from);
    if (place == PLACE_THREAD) {
        return !stores && bytes == 8;  // %fs:0
    }
    if (place == PLACE_UNKNOWN || (place == PLACE_CONSTANT && stores) ||
        !state_span(&proof->state, &proof->unknowns, address, from, &least, &span)) {
        return false;
    }
    if (place == PLACE_STACK) {
        return least > -STACK_SPAN && least < STACK_SPAN && span < STACK_SPAN && bytes < STACK_SPAN;
    }
    const struct unknown *symbol = &proof->unknowns.unknown[from];
    uint64_t size = labels_size(&proof->labels, symbol->name, symbol->name_bytes);
    return least >= 0 && (uint64_t)least <= size && span <= size && bytes <= size &&
           (uint64_t)least + span + bytes <= size;
}

// --- Accesses -----------------------------------------------------------------------------------

static void unseen_report(struct proof *proof, size_t at, bool stores) {
    if (copies_can_report(&proof->lines->line[at])) {
        copies_report(proof->lines, at, stores, &proof->second_half);
    } else if (proof->refused < 0) {
        proof->refused = proof->lines->line[at].source;
    }
}

// The waiting loads are not compared with a bound on this path.
static void waiting_report(struct proof *proof) {
    for (int i = 0; i < proof->state.waitings; i++) {
        unseen_report(proof, proof->state.waiting[i].line, false);
    }
    proof->state.waitings = 0;
}

// Loads that no longer wait, because a bound is now known.
static void waiting_prove(struct proof *proof) {
    int kept = 0;
    for (int i = 0; i < proof->state.waitings; i++) {
        const struct early_load waiting = proof->state.waiting[i];
        if (!stays_inside(proof, &waiting.address, waiting.bytes, false)) {
            proof->state.waiting[kept++] = waiting;
        }
    }
    proof->state.waitings = kept;
}

static bool is_seen(const struct proof *proof, const struct value *address, unsigned bytes,
                    bool stores) {
    return state_is_told(&proof->state, address, bytes, stores) ||
           stays_inside(proof, address, bytes, stores);
}

static void half_check(struct proof *proof, size_t at, const struct value *address, unsigned bytes,
                       bool stores) {
    int from = 0;
    if (is_seen(proof, address, bytes, stores)) {
        return;
    }
    if (!stores && proof->state.waitings < WAITING_MAX &&
        place_of(proof, address, &from) != PLACE_UNKNOWN && address->terms > 1) {
        proof->state.waiting[proof->state.waitings++] = (struct early_load){*address, bytes, at};
        return;
    }
    unseen_report(proof, at, stores);
}

static void string_check(struct proof *proof, size_t at, const struct string_move *move) {
    const struct value *count = &proof->state.holds[REGISTER_CX];
    uint64_t times = move->repeats ? (uint64_t)count->number : 1;
    bool known = !move->repeats || (count->terms == 0 && times < STACK_SPAN);
    unsigned bytes = known ? (unsigned)times * move->bytes : UINT32_MAX;
    if (move->copies) {
        half_check(proof, at, &proof->state.holds[REGISTER_SI], bytes, false);
    }
    half_check(proof, at, &proof->state.holds[REGISTER_DI], bytes, true);
    state_string(&proof->state, &proof->unknowns, move);
}

static void instruction_check(struct proof *proof, size_t at) {
    const struct asm_line *line = &proof->lines->line[at];
    struct instruction instruction;
    struct string_move move;
    if (instruction_is_string(line, &move)) {
        string_check(proof, at, &move);
        return;
    }
    if (!instruction_read(line, &instruction)) {
        return;
    }
    struct memory_access access = instruction_access(&instruction);
    if (!instruction.is_known) {
        proof->refused = proof->refused < 0 ? line->source : proof->refused;
    } else if (access.memory && at != proof->second_half) {
        struct value address = state_address(&proof->state, &proof->unknowns, access.memory);
        unsigned bytes = access.bytes > 0 ? access.bytes : 16;
        if (access.loads) {
            half_check(proof, at, &address, bytes, false);
        }
        if (access.stores) {
            half_check(proof, at, &address, bytes, true);
        }
    }
    state_follow(&proof->state, &proof->unknowns, &instruction);
}

// --- Ways ---------------------------------------------------------------------------------------

static void callback_follow(struct proof *proof, const struct asm_line *line) {
    char callee[64];
    unsigned bytes = 0;
    line_callee(line, callee, sizeof callee);
    const struct value *address = &proof->state.holds[REGISTER_DI];
    const struct value *range = &proof->state.holds[REGISTER_SI];
    bool stores = strstr(callee, "write") != NULL;
    if (strcmp(callee, stores ? "__tsan_write_range" : "__tsan_read_range") == 0) {
        bytes = range->terms == 0 && range->number < INT32_MAX ? (unsigned)range->number : 0;
    } else {
        const char *digits = callee + strcspn(callee, "0123456789");  // __tsan_volatile_read4
        bytes = (unsigned)strtoul(digits, NULL, 10);
    }
    struct value told = *address;
    if (bytes > 0 && bytes <= STACK_SPAN && !strstr(callee, "atomic")) {
        state_tell(&proof->state, &told, bytes, stores);
    }
    state_call(&proof->state, &proof->unknowns, true);
}

// The C library's memory functions, which the machine replaces unless gcc has reported their
// accesses.  Only gcc calls them by these names, or a file that declares them.
static void memory_call_check(struct proof *proof, size_t at, const char *callee) {
    const struct value *holds = proof->state.holds;
    const struct value *count = &holds[REGISTER_DX];
    bool sets = strcmp(callee, "memset") == 0;
    if (count->terms == 0 && count->number >= 0 && count->number < STACK_SPAN &&
        is_seen(proof, &holds[REGISTER_DI], (unsigned)count->number, true) &&
        (sets || is_seen(proof, &holds[REGISTER_SI], (unsigned)count->number, false))) {
        return;
    }
    proof->lines->line[at].is_dropped = true;
    lines_add(proof->lines, at, "\tcall\t%s", sets ? "emu_memset" : "emu_memcpy");
}

// The loads and stores of a C library function through a pointer.
static void pointer_call_check(struct proof *proof, size_t at) {
    static const char *const places[] = {"(%rdi)", "(%rsi)"};
    static const enum registers registers[] = {REGISTER_DI, REGISTER_SI};
    char callee[64];
    line_callee(&proof->lines->line[at], callee, sizeof callee);
    if (!symbol_takes_pointer(callee)) {
        return;
    }
    if (text_starts(callee, "mem")) {
        memory_call_check(proof, at, callee);
        return;
    }
    size_t pointers = text_starts(callee, "sincos") ? 2 : 1;
    bool wide = strcmp(callee, "modf") == 0 || strcmp(callee, "sincos") == 0;  // a double
    for (size_t i = 0; i < pointers; i++) {
        unsigned bytes = wide ? 8 : 4;
        if (!is_seen(proof, &proof->state.holds[registers[i]], bytes, true)) {
            copies_report_at(proof->lines, at, places[i], bytes, true);
        }
    }
}

static void call_follow(struct proof *proof, size_t at) {
    const struct asm_line *line = &proof->lines->line[at];
    if (line_calls(line, "__tsan_")) {
        callback_follow(proof, line);
    } else if (line_is_last_call(line)) {
        proof->state.waitings = 0;
    } else {
        // gcc's own function for the address of a thread-local variable changes nothing.
        bool quiet = line_calls(line, "_ZTW");
        if (!quiet) {
            waiting_report(proof);
        }
        pointer_call_check(proof, at);
        state_call(&proof->state, &proof->unknowns, quiet);
    }
}

// Passes the state to a label that only this jump leads to.  True if it did.
static bool state_pass(struct proof *proof, const struct label *label, const struct state *state) {
    if (!label || label->jumps != 1 || label->falls) {
        return false;
    }
    size_t number = (size_t)(label - proof->labels.label);
    struct only *only = &proof->only[number];
    only->state = xmalloc(sizeof *state);
    *only->state = *state;
    if (only->skipped) {
        proof->skipped[proof->skips++] = number;
    }
    return true;
}

// Applies one outcome of a jump: `name` was taken or not.
static void way_take(struct proof *proof, const struct state *before, const char *name, bool taken,
                     bool ends) {
    proof->state = *before;
    state_jump(&proof->state, name, taken);
    waiting_prove(proof);
    proof->state.waitings = ends ? 0 : proof->state.waitings;
}

static void branch_follow(struct proof *proof, size_t at, struct label *label) {
    char name[16];
    line_mnemonic(&proof->lines->line[at], name, sizeof name);
    const struct state before = proof->state;
    bool ends = label && labels_lead_to_end(proof->lines, label->line + 1);
    way_take(proof, &before, name, true, ends);
    struct state there = proof->state;
    way_take(proof, &before, name, false, labels_lead_to_end(proof->lines, at + 1));
    if (there.waitings > 0 && proof->state.waitings > 0) {
        proof->state = before;
        waiting_report(proof);
        there.waitings = 0;
        state_jump(&proof->state, name, false);
    }
    if (!state_pass(proof, label, &there) && there.waitings > 0) {
        const struct state here = proof->state;
        proof->state = there;
        waiting_report(proof);
        proof->state = here;
    }
}

static void jump_follow(struct proof *proof, size_t at) {
    const struct asm_line *line = &proof->lines->line[at];
    struct label *label = label_of_jump(&proof->labels, line);
    if (!text_starts(line->text, "\tjmp\t")) {
        branch_follow(proof, at, label);
        return;
    }
    proof->live = false;
    if (!state_pass(proof, label, &proof->state)) {
        waiting_report(proof);
    }
}

static void label_follow(struct proof *proof, const struct asm_line *line) {
    struct label *label = label_at(&proof->labels, line->text);
    int ways = label ? label->jumps + label->falls : 0;
    if (ways == 1 && label->falls) {
        return;
    }
    if (ways == 1) {
        struct only *only = &proof->only[label - proof->labels.label];
        proof->live = only->state != NULL;
        only->skipped = !only->state;
        if (only->state) {
            proof->state = *only->state;
        }
        return;
    }
    if (proof->live) {
        waiting_report(proof);
    }
    state_begin(&proof->state, &proof->unknowns, label ? label->depth : 8);
    proof->live = !proof->again;
}

static void line_follow(struct proof *proof, size_t at) {
    const struct asm_line *line = &proof->lines->line[at];
    if (line->kind == LINE_LABEL) {
        label_follow(proof, line);
    } else if (text_starts(line->text, "\t.cfi_endproc") && proof->live) {
        proof->live = false;
        lines_add(proof->lines, at, "\tud2");
    } else if (!proof->live || line->kind != LINE_INSTRUCTION) {
        return;
    } else if (line_is_jump(line)) {
        jump_follow(proof, at);
    } else {
        proof->live = !line_is_end(line);
        if (text_starts(line->text, "\tcall")) {
            call_follow(proof, at);
        } else if (proof->live) {
            instruction_check(proof, at);
        } else {
            waiting_report(proof);
        }
    }
}

// Goes through the lines, and then through those that were skipped.
static void lines_follow(struct proof *proof) {
    for (size_t i = 0; i < proof->lines->count; i++) {
        line_follow(proof, i);
    }
    proof->again = true;
    while (proof->skips > 0) {
        size_t i = proof->labels.label[proof->skipped[--proof->skips]].line;
        do {
            line_follow(proof, i++);
        } while (proof->live && i < proof->lines->count);
    }
}

int rewrite_unseen(struct asm_lines *lines) {
    struct proof *proof = xcalloc(1, sizeof *proof);
    *proof = (struct proof){.lines = lines, .refused = -1, .second_half = SIZE_MAX};
    labels_open(lines, &proof->labels);
    proof->only = xcalloc(proof->labels.count + 1, sizeof *proof->only);
    proof->skipped = xcalloc(proof->labels.count + 1, sizeof *proof->skipped);
    unknowns_begin(&proof->unknowns);
    lines_follow(proof);
    int refused = proof->refused;
    for (size_t i = 0; i < proof->labels.count; i++) {
        free(proof->only[i].state);
    }
    free(proof->only);
    free(proof->skipped);
    free(proof->unknowns.unknown);
    labels_done(&proof->labels);
    free(proof);
    return refused;
}

static const char *operands(const struct asm_line *line, const char *name) {
    return line->text + 1 + strlen(name);
}

// The target of a `bl`; "" for a call through a register, NULL for other lines.
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
