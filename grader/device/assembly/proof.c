// Proves that each load and store of a kernel is reported, address by address, and reports the
// others: the copies of structs that gcc makes after its instrumenting pass, and whatever else a
// file makes it do unseen.
//
// An access is seen if a callback before it, with no label or other call between, was given the
// same address; or if it is of the stack or of a constant, at a place that is fixed or within the
// bound that its index was compared with.  Addresses are compared as sums of what registers held
// (value.h).  A load may come before the comparison, because a failed one ends the launch.
//
// Idea: what is not proved costs a call of the machine, which looks at the address while the kernel
// runs (copies.c).  So nothing goes unseen because a proof is too weak.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "device/assembly/labels.h"
#include "device/assembly/passes.h"
#include "device/assembly/state.h"
#include "device/object/names.h"

#define STACK_SPAN (1 << 16)  // of a thread

// What is known of a label that only one jump leads to.
struct only {
    struct state *state;  // at the jump
    bool skipped;         // the jump comes later
};

// Where the current line is.
struct proof {
    struct asm_lines *lines;
    struct labels labels;
    struct unknowns unknowns;
    struct state state;
    bool live;          // the line can be reached from the one before
    bool again;         // this is what was skipped, up to a label that was not
    struct only *only;  // by the number of the label
    size_t *skipped;    // labels that were skipped and whose state is known by now
    size_t skips;
    size_t second_half;  // a line whose access is reported with an earlier one
    int refused;         // a line of the student's file with an access that cannot be reported; -1
};

// --- Places -------------------------------------------------------------------------------------

enum address_place { PLACE_UNKNOWN, PLACE_STACK, PLACE_CONSTANT, PLACE_THREAD };

// What the address is in, and the unknown that says so.
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

static enum status unseen_report(struct proof *proof, size_t at, bool stores, struct error *err) {
    if (!copies_can_report(&proof->lines->line[at])) {
        proof->refused = proof->refused < 0 ? proof->lines->line[at].source : proof->refused;
        return STATUS_OK;
    }
    return copies_report(proof->lines, at, stores, &proof->second_half, err);
}

// The loads that wait are not compared with a bound on this way.
static enum status waiting_report(struct proof *proof, struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; i < proof->state.waitings && !status; i++) {
        const struct early_load *waiting = &proof->state.waiting[i];
        status = unseen_report(proof, waiting->line, false, err);
    }
    proof->state.waitings = 0;
    return status;
}

// Those that wait no longer, because of a bound that is known by now.
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

static enum status half_check(struct proof *proof, size_t at, const struct value *address,
                              unsigned bytes, bool stores, struct error *err) {
    int from = 0;
    if (is_seen(proof, address, bytes, stores)) {
        return STATUS_OK;
    }
    if (!stores && proof->state.waitings < WAITING_MAX &&
        place_of(proof, address, &from) != PLACE_UNKNOWN && address->terms > 1) {
        proof->state.waiting[proof->state.waitings++] = (struct early_load){*address, bytes, at};
        return STATUS_OK;
    }
    return unseen_report(proof, at, stores, err);
}

static enum status string_check(struct proof *proof, size_t at, const struct string_move *move,
                                struct error *err) {
    const struct value *count = &proof->state.holds[REGISTER_CX];
    uint64_t times = move->repeats ? (uint64_t)count->number : 1;
    bool known = !move->repeats || (count->terms == 0 && times < STACK_SPAN);
    unsigned bytes = known ? (unsigned)times * move->bytes : UINT32_MAX;
    enum status status = STATUS_OK;
    if (move->copies) {
        status = half_check(proof, at, &proof->state.holds[REGISTER_SI], bytes, false, err);
    }
    if (!status) {
        status = half_check(proof, at, &proof->state.holds[REGISTER_DI], bytes, true, err);
    }
    state_string(&proof->state, &proof->unknowns, move);
    return status;
}

static enum status instruction_check(struct proof *proof, size_t at, struct error *err) {
    const struct asm_line *line = &proof->lines->line[at];
    struct instruction instruction;
    struct string_move move;
    enum status status = STATUS_OK;
    if (instruction_is_string(line, &move)) {
        return string_check(proof, at, &move, err);
    }
    if (!instruction_read(line, &instruction)) {
        return STATUS_OK;
    }
    struct memory_access access = instruction_access(&instruction);
    if (!instruction.is_known) {
        proof->refused = proof->refused < 0 ? line->source : proof->refused;
    } else if (access.memory && at != proof->second_half) {
        struct value address = state_address(&proof->state, &proof->unknowns, access.memory);
        unsigned bytes = access.bytes > 0 ? access.bytes : 16;
        if (access.loads) {
            status = half_check(proof, at, &address, bytes, false, err);
        }
        if (access.stores && !status) {
            status = half_check(proof, at, &address, bytes, true, err);
        }
    }
    state_follow(&proof->state, &proof->unknowns, &instruction);
    return status;
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

// The C library's memory functions, whose place the machine takes unless gcc has reported what they
// access.  Only gcc calls them by these names, or a file that declares them.
static enum status memory_call_check(struct proof *proof, size_t at, const char *callee,
                                     struct error *err) {
    const struct value *holds = proof->state.holds;
    const struct value *count = &holds[REGISTER_DX];
    bool sets = strcmp(callee, "memset") == 0;
    if (count->terms == 0 && count->number >= 0 && count->number < STACK_SPAN &&
        is_seen(proof, &holds[REGISTER_DI], (unsigned)count->number, true) &&
        (sets || is_seen(proof, &holds[REGISTER_SI], (unsigned)count->number, false))) {
        return STATUS_OK;
    }
    proof->lines->line[at].is_dropped = true;
    return lines_add(proof->lines, at, err, "\tcall\t%s", sets ? "emu_memset" : "emu_memcpy");
}

// What a function of the C library loads and stores through a pointer.
static enum status pointer_call_check(struct proof *proof, size_t at, struct error *err) {
    static const char *const places[] = {"(%rdi)", "(%rsi)"};
    static const enum registers registers[] = {REGISTER_DI, REGISTER_SI};
    char callee[64];
    enum status status = STATUS_OK;
    line_callee(&proof->lines->line[at], callee, sizeof callee);
    if (!symbol_takes_pointer(callee)) {
        return STATUS_OK;
    }
    if (text_starts(callee, "mem")) {
        return memory_call_check(proof, at, callee, err);
    }
    size_t pointers = text_starts(callee, "sincos") ? 2 : 1;
    bool wide = strcmp(callee, "modf") == 0 || strcmp(callee, "sincos") == 0;  // a double
    for (size_t i = 0; i < pointers && !status; i++) {
        unsigned bytes = wide ? 8 : 4;
        if (!is_seen(proof, &proof->state.holds[registers[i]], bytes, true)) {
            status = copies_report_at(proof->lines, at, places[i], bytes, true, err);
        }
    }
    return status;
}

static enum status call_follow(struct proof *proof, size_t at, struct error *err) {
    const struct asm_line *line = &proof->lines->line[at];
    enum status status = STATUS_OK;
    if (line_calls(line, "__tsan_")) {
        callback_follow(proof, line);
    } else if (line_is_last_call(line)) {
        proof->state.waitings = 0;
    } else {
        // gcc's own function for the address of a thread-local variable changes nothing.
        bool quiet = line_calls(line, "_ZTW");
        status = quiet ? STATUS_OK : waiting_report(proof, err);
        status = status ? status : pointer_call_check(proof, at, err);
        state_call(&proof->state, &proof->unknowns, quiet);
    }
    return status;
}

// Hands the state over to a label that only this jump leads to.  True if it did.
static bool state_pass(struct proof *proof, const struct label *label, const struct state *state) {
    if (!label || label->jumps != 1 || label->falls) {
        return false;
    }
    size_t number = (size_t)(label - proof->labels.label);
    struct only *only = &proof->only[number];
    only->state = malloc(sizeof *state);
    if (!only->state) {
        proof->unknowns.failed = true;  // the label is never reached
        return false;
    }
    *only->state = *state;
    if (only->skipped) {
        proof->skipped[proof->skips++] = number;
    }
    return true;
}

// Takes over one way out of a jump, where `name` was taken or not.
static void way_take(struct proof *proof, const struct state *before, const char *name, bool taken,
                     bool ends) {
    proof->state = *before;
    state_jump(&proof->state, name, taken);
    waiting_prove(proof);
    proof->state.waitings = ends ? 0 : proof->state.waitings;
}

static enum status branch_follow(struct proof *proof, size_t at, struct label *label,
                                 struct error *err) {
    char name[16];
    line_mnemonic(&proof->lines->line[at], name, sizeof name);
    const struct state before = proof->state;
    bool ends = label && labels_lead_to_end(proof->lines, label->line + 1);
    way_take(proof, &before, name, true, ends);
    struct state there = proof->state;
    way_take(proof, &before, name, false, labels_lead_to_end(proof->lines, at + 1));
    enum status status = STATUS_OK;
    if (there.waitings > 0 && proof->state.waitings > 0) {
        proof->state = before;
        status = waiting_report(proof, err);
        there.waitings = 0;
        state_jump(&proof->state, name, false);
    }
    if (!state_pass(proof, label, &there) && there.waitings > 0 && !status) {
        const struct state here = proof->state;
        proof->state = there;
        status = waiting_report(proof, err);
        proof->state = here;
    }
    return status;
}

static enum status jump_follow(struct proof *proof, size_t at, struct error *err) {
    const struct asm_line *line = &proof->lines->line[at];
    struct label *label = label_of_jump(&proof->labels, line);
    if (!text_starts(line->text, "\tjmp\t")) {
        return branch_follow(proof, at, label, err);
    }
    proof->live = false;
    return state_pass(proof, label, &proof->state) ? STATUS_OK : waiting_report(proof, err);
}

static enum status label_follow(struct proof *proof, const struct asm_line *line,
                                struct error *err) {
    struct label *label = label_at(&proof->labels, line->text);
    int ways = label ? label->jumps + label->falls : 0;
    enum status status = STATUS_OK;
    if (ways == 1 && label->falls) {
        return STATUS_OK;
    }
    if (ways == 1) {
        struct only *only = &proof->only[label - proof->labels.label];
        proof->live = only->state != NULL;
        only->skipped = !only->state;
        if (only->state) {
            proof->state = *only->state;
        }
        return STATUS_OK;
    }
    if (proof->live) {
        status = waiting_report(proof, err);
    }
    state_begin(&proof->state, &proof->unknowns, label ? label->depth : 8);
    proof->live = !proof->again;
    return status;
}

static enum status line_follow(struct proof *proof, size_t at, struct error *err) {
    const struct asm_line *line = &proof->lines->line[at];
    if (line->kind == LINE_LABEL) {
        return label_follow(proof, line, err);
    }
    if (text_starts(line->text, "\t.cfi_endproc") && proof->live) {
        proof->live = false;
        return lines_add(proof->lines, at, err, "\tud2");
    }
    if (!proof->live || line->kind != LINE_INSTRUCTION) {
        return STATUS_OK;
    }
    if (line_is_jump(line)) {
        return jump_follow(proof, at, err);
    }
    proof->live = !line_is_end(line);
    if (text_starts(line->text, "\tcall")) {
        return call_follow(proof, at, err);
    }
    return proof->live ? instruction_check(proof, at, err) : waiting_report(proof, err);
}

// Goes through the lines, and then through those that were skipped.
static enum status lines_follow(struct proof *proof, struct error *err) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < proof->lines->count && !status; i++) {
        status = line_follow(proof, i, err);
    }
    proof->again = true;
    while (proof->skips > 0 && !status) {
        size_t i = proof->labels.label[proof->skipped[--proof->skips]].line;
        do {
            status = line_follow(proof, i++, err);
        } while (proof->live && i < proof->lines->count && !status);
    }
    return status;
}

enum status rewrite_unseen(struct asm_lines *lines, int *ret_refused, struct error *err) {
    struct proof *proof = calloc(1, sizeof *proof);
    if (!proof) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the proof of kernel.s");
    }
    *proof = (struct proof){.lines = lines, .refused = -1, .second_half = SIZE_MAX};
    enum status status = labels_open(lines, &proof->labels, err);
    proof->only = calloc(proof->labels.count + 1, sizeof *proof->only);
    proof->skipped = calloc(proof->labels.count + 1, sizeof *proof->skipped);
    unknowns_begin(&proof->unknowns);
    if (!status && proof->only && proof->skipped) {
        status = lines_follow(proof, err);
    }
    if (!status && (!proof->only || !proof->skipped || proof->unknowns.failed)) {
        status = fail(err, STATUS_NO_MEMORY, "no memory for the proof of kernel.s");
    }
    *ret_refused = proof->refused;
    for (size_t i = 0; proof->only && i < proof->labels.count; i++) {
        free(proof->only[i].state);
    }
    free(proof->only);
    free(proof->skipped);
    free(proof->unknowns.unknown);
    labels_done(&proof->labels);
    free(proof);
    return status;
}
