// Idea: sums and products are taken modulo 2^64, as the processor does, so a sum of registers can
// be taken apart and put together in another order.
//
// Forgetting a fact only costs time: for an access that is not proved to be reported, a reporting
// call is added.
#include "device/assembly/symbolic_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/memory.h"
#include "base/text.h"

// True if the two are the same, apart from the number.
static bool value_same_terms(const struct value *a, const struct value *b) {
    bool same = a->terms == b->terms;
    for (int i = 0; i < a->terms && same; i++) {
        same = a->term[i].unknown == b->term[i].unknown && a->term[i].times == b->term[i].times;
    }
    return same;
}

static bool is_same(const struct value *a, const struct value *b) {
    return a->number == b->number && value_same_terms(a, b);
}

static bool is_known(const struct unknown *a, const struct unknown *b) {
    return a->kind == b->kind && a->name_bytes == b->name_bytes &&
           (a->name_bytes == 0 || memcmp(a->name, b->name, a->name_bytes) == 0) &&
           is_same(&a->of[0], &b->of[0]) && is_same(&a->of[1], &b->of[1]);
}

static void unknowns_grow(struct unknowns *unknowns) {
    unknowns->room = unknowns->room > 0 ? 2 * unknowns->room : 1024;
    unknowns->unknown =
        xrealloc(unknowns->unknown, (size_t)unknowns->room * sizeof *unknowns->unknown);
}

// Source of the factor: Knuth, The Art of Computer Programming 3, 6.4.
static uint64_t mixed(uint64_t hash, uint64_t more) {
    hash = (hash ^ more) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static uint64_t hash_of(const struct unknown *unknown) {
    uint64_t hash = unknown->kind;
    for (size_t i = 0; i < unknown->name_bytes; i++) {
        hash = mixed(hash, (unsigned char)unknown->name[i]);
    }
    for (int i = 0; i < 2; i++) {
        const struct value *of = &unknown->of[i];
        hash = mixed(hash, (uint64_t)of->number);
        for (int j = 0; j < of->terms; j++) {
            hash = mixed(hash, (uint64_t)of->term[j].unknown << 32 ^ (uint32_t)of->term[j].times);
        }
    }
    return hash;
}

static struct value value_number(int64_t number);

static struct value value_unknown(int unknown, int64_t number);

static struct value value_of(struct unknowns *unknowns, const struct unknown *wanted) {
    bool fresh = wanted->kind == UNKNOWN_FRESH;
    int *latest = &unknowns->latest[fresh ? 0 : hash_of(wanted) % UNKNOWN_LISTS];
    for (int i = *latest; i > 0 && !fresh; i = unknowns->unknown[i - 1].earlier) {
        if (is_known(&unknowns->unknown[i - 1], wanted)) {
            return value_unknown(i - 1, 0);
        }
    }
    if (unknowns->count >= unknowns->room) {
        unknowns_grow(unknowns);
    }
    struct unknown *added = &unknowns->unknown[unknowns->count++];
    *added = *wanted;
    added->earlier = fresh ? 0 : *latest;
    *latest = fresh ? *latest : unknowns->count;
    return value_unknown(unknowns->count - 1, 0);
}

static struct value value_fresh(struct unknowns *unknowns);

void unknowns_begin(struct unknowns *unknowns) {
    while (unknowns->count < UNKNOWN_FIRST) {
        (void)value_fresh(unknowns);
    }
}

static struct value value_number(int64_t number) {
    return (struct value){.number = number};
}

static struct value value_unknown(int unknown, int64_t number) {
    return (struct value){.number = number, .terms = 1, .term = {{.unknown = unknown, .times = 1}}};
}

static struct value value_fresh(struct unknowns *unknowns) {
    return value_of(unknowns, &(struct unknown){.kind = UNKNOWN_FRESH});
}

static struct value value_symbol(struct unknowns *unknowns, const char *name, size_t bytes) {
    return value_of(unknowns,
                    &(struct unknown){.kind = UNKNOWN_SYMBOL, .name = name, .name_bytes = bytes});
}

static struct value value_result(struct unknowns *unknowns, const char *name, const struct value *a,
                                 const struct value *b) {
    return value_of(unknowns, &(struct unknown){.kind = UNKNOWN_RESULT,
                                                .name = name,
                                                .name_bytes = strcspn(name, "\t\n"),
                                                .of = {*a, *b}});
}

static struct value value_sum(struct unknowns *unknowns, const struct value *a,
                              const struct value *b) {
    struct value sum = {.number = (int64_t)((uint64_t)a->number + (uint64_t)b->number)};
    int i = 0;
    int j = 0;
    while (i < a->terms || j < b->terms) {
        int left = i < a->terms ? a->term[i].unknown : INT32_MAX;
        int right = j < b->terms ? b->term[j].unknown : INT32_MAX;
        int unknown = left < right ? left : right;
        int64_t times = (left == unknown ? a->term[i++].times : 0);
        times += (right == unknown ? b->term[j++].times : 0);
        if (times == 0) {
            continue;
        }
        if (sum.terms == TERMS_MAX || times != (int32_t)times) {
            return value_fresh(unknowns);
        }
        sum.term[sum.terms].unknown = unknown;
        sum.term[sum.terms++].times = (int32_t)times;
    }
    return sum;
}

static struct value value_product(struct unknowns *unknowns, const struct value *value,
                                  int64_t times) {
    struct value product = *value;
    product.number = (int64_t)((uint64_t)value->number * (uint64_t)times);
    for (int i = 0; i < value->terms; i++) {
        int64_t all = 0;
        if (__builtin_mul_overflow(value->term[i].times, times, &all) || all != (int32_t)all ||
            all == 0) {
            return value_fresh(unknowns);
        }
        product.term[i].times = (int32_t)all;
    }
    return product;
}

// The unknown that the value is; NULL if it is a sum.
static const struct unknown *value_alone(const struct unknowns *unknowns,
                                         const struct value *value) {
    bool alone = value->terms == 1 && value->number == 0 && value->term[0].times == 1;
    return alone ? &unknowns->unknown[value->term[0].unknown] : NULL;
}

// The lower half of a value, with zeros or with its sign above it.
//
// The lower half of a sum does not depend on the upper halves of its terms.
static struct value value_low(struct unknowns *unknowns, const struct value *value) {
    struct value sum = value_number(value->number);
    for (int i = 0; i < value->terms; i++) {
        int unknown = value->term[i].unknown;
        enum unknown_kind kind = unknowns->unknown[unknown].kind;
        bool cut = kind == UNKNOWN_LOW || kind == UNKNOWN_EXTENDED;
        struct value term = cut ? unknowns->unknown[unknown].of[0] : value_unknown(unknown, 0);
        term = value_product(unknowns, &term, value->term[i].times);
        sum = value_sum(unknowns, &sum, &term);
    }
    if (sum.terms == 0) {
        return value_number((int64_t)(uint32_t)sum.number);
    }
    return value_of(unknowns, &(struct unknown){.kind = UNKNOWN_LOW, .of = {sum}});
}

static struct value value_extended(struct unknowns *unknowns, const struct value *value) {
    if (value->terms == 0) {
        return value_number((int32_t)(uint32_t)value->number);
    }
    struct value low = value_low(unknowns, value);
    if (low.terms == 0) {
        return value_number((int32_t)(uint32_t)low.number);
    }
    return value_of(unknowns, &(struct unknown){.kind = UNKNOWN_EXTENDED,
                                                .of = {value_alone(unknowns, &low)->of[0]}});
}

static const enum registers caller_saved[] = {
    REGISTER_AX, REGISTER_CX, REGISTER_DX, REGISTER_SI, REGISTER_DI, 8, 9, 10, 11};

// --- Reading ------------------------------------------------------------------------------------

static struct value register_value(const struct state *state, int is) {
    return is == REGISTER_NONE ? value_number(0) : state->holds[is];
}

struct value state_address(const struct state *state, struct unknowns *unknowns,
                           const struct operand *operand) {
    struct value address = register_value(state, operand->index);
    struct value base = register_value(state, operand->base);
    address = value_product(unknowns, &address, operand->scale);
    address = value_sum(unknowns, &address, &base);
    if (operand->symbol) {
        struct value symbol = value_symbol(unknowns, operand->symbol, operand->symbol_bytes);
        address = value_sum(unknowns, &address, &symbol);
    }
    if (operand->is_thread_local) {
        struct value thread = value_unknown(UNKNOWN_THREAD, 0);
        address = value_sum(unknowns, &address, &thread);
    }
    struct value number = value_number(operand->number);
    return value_sum(unknowns, &address, &number);
}

static bool is_stack(const struct value *value) {
    return value->terms == 1 && value->term[0].unknown < UNKNOWN_THREAD &&
           value->term[0].times == 1;
}

static struct cell *cell_find(struct state *state, const struct value *address, unsigned bytes) {
    for (int i = 0; i < state->cells; i++) {
        struct cell *cell = &state->cell[i];
        if (cell->bytes == bytes && cell->address.number == address->number &&
            value_same_terms(&cell->address, address)) {
            return cell;
        }
    }
    return NULL;
}

// The value of `bytes` bytes at an address, if it is known.
static struct value memory_value(struct state *state, struct unknowns *unknowns,
                                 const struct operand *operand, unsigned bytes) {
    struct value address = state_address(state, unknowns, operand);
    struct value thread = value_unknown(UNKNOWN_THREAD, 0);
    if (bytes == 8 && operand->is_thread_local && address.number == 0 &&
        value_same_terms(&address, &thread)) {
        return thread;  // %fs:0
    }
    if (operand->symbol && address.terms == 1 && text_starts(operand->symbol, "emu_")) {
        struct value width = value_number(bytes);
        return value_result(unknowns, "index", &address, &width);  // threadIdx and the like
    }
    struct cell *cell = cell_find(state, &address, bytes);
    if (cell) {
        return cell->holds;
    }
    struct value fresh = value_fresh(unknowns);
    if (is_stack(&address) && state->cells < CELLS_MAX) {
        state->cell[state->cells++] = (struct cell){address, bytes, fresh};
    }
    return fresh;
}

// A source operand of this many bytes.
static struct value operand_value(struct state *state, struct unknowns *unknowns,
                                  const struct operand *operand, unsigned bytes) {
    struct value value = value_number(operand->number);
    switch (operand->kind) {
    case OPERAND_REGISTER:
        value = operand->bytes >= bytes ? state->holds[operand->is] : value_fresh(unknowns);
        break;
    case OPERAND_NUMBER:
        if (operand->symbol) {  // its address is below 2^31
            struct value symbol = value_symbol(unknowns, operand->symbol, operand->symbol_bytes);
            return value_sum(unknowns, &value, &symbol);
        }
        break;
    case OPERAND_MEMORY:
        value = memory_value(state, unknowns, operand, bytes);
        break;
    case OPERAND_OTHER:
        value = value_fresh(unknowns);
        break;
    }
    return bytes == 4 ? value_low(unknowns, &value) : value;
}

// --- Writing ------------------------------------------------------------------------------------

// A store may be to any variable on the stack unless it is at a known place there.
static void cells_forget(struct state *state, const struct value *address, unsigned bytes) {
    int kept = 0;
    for (int i = 0; i < state->cells; i++) {
        const struct cell *cell = &state->cell[i];
        bool apart = is_stack(address) && value_same_terms(address, &cell->address) &&
                     (address->number + bytes <= cell->address.number ||
                      cell->address.number + cell->bytes <= address->number);
        if (apart) {
            state->cell[kept++] = *cell;
        }
    }
    state->cells = kept;
}

// The stack pointer is always somewhere on the stack: functions align it for aligned variables.
static void register_set(struct state *state, int is, const struct value *value) {
    bool lost = is == REGISTER_SP && !is_stack(value);
    state->holds[is] = lost ? value_unknown(UNKNOWN_ALIGNED_STACK, 0) : *value;
}

static void target_set(struct state *state, struct unknowns *unknowns,
                       const struct operand *operand, unsigned bytes, const struct value *value) {
    if (operand->kind == OPERAND_REGISTER) {
        // Writing the lower half clears the upper one; writing less keeps the rest.
        struct value whole = operand->bytes == 8   ? *value
                             : operand->bytes == 4 ? value_low(unknowns, value)
                                                   : value_fresh(unknowns);
        register_set(state, operand->is, &whole);
    } else if (operand->kind == OPERAND_MEMORY) {
        struct value address = state_address(state, unknowns, operand);
        cells_forget(state, &address, bytes);
        if (is_stack(&address) && (bytes == 4 || bytes == 8) && state->cells < CELLS_MAX) {
            state->cell[state->cells++] = (struct cell){address, bytes, *value};
        }
    }
}

static void stack_move(struct state *state, struct unknowns *unknowns, int64_t bytes) {
    struct value number = value_number(bytes);
    state->holds[REGISTER_SP] = value_sum(unknowns, &state->holds[REGISTER_SP], &number);
}

static void register_forget(struct state *state, struct unknowns *unknowns, int is) {
    state->holds[is] = value_fresh(unknowns);
}

static void all_forget(struct state *state, struct unknowns *unknowns) {
    for (int i = 0; i < REGISTERS; i++) {
        if (i != REGISTER_SP) {
            register_forget(state, unknowns, i);
        }
    }
    state->cells = 0;
}

void state_begin(struct state *state, struct unknowns *unknowns, int64_t depth) {
    memset(state, 0, sizeof *state);
    all_forget(state, unknowns);
    state->holds[REGISTER_SP] =
        depth >= 0 ? value_unknown(UNKNOWN_STACK, -depth) : value_unknown(UNKNOWN_ALIGNED_STACK, 0);
    if (depth < 0) {
        state->holds[REGISTER_BP] = value_unknown(UNKNOWN_FRAME, 0);
    }
}

// --- Instructions -------------------------------------------------------------------------------

// The size of both operands of an instruction: 8 for a `q`, 4 for an `l`; 0 for others.
static unsigned width_of(const struct instruction *instruction) {
    size_t length = strlen(instruction->name);
    char last = instruction->name[length - 1];
    return last == 'q' ? 8 : last == 'l' ? 4 : 0;
}

// The result of an instruction that computes its last operand from all; a fresh unknown if nothing
// is known.
static struct value result_of(struct state *state, struct unknowns *unknowns,
                              const struct instruction *instruction, unsigned bytes) {
    const char *name = instruction->name;
    int last = instruction->operands - 1;
    struct value right = operand_value(state, unknowns, &instruction->operand[0], bytes);
    struct value left = last == 0 ? value_number(0)
                                  : operand_value(state, unknowns, &instruction->operand[1], bytes);
    bool constant = right.terms == 0 && instruction->operand[0].kind == OPERAND_NUMBER;
    if (text_starts(name, "add")) {
        return value_sum(unknowns, &left, &right);
    }
    if (text_starts(name, "sub")) {
        right = value_product(unknowns, &right, -1);
        return value_sum(unknowns, &left, &right);
    }
    if ((text_starts(name, "sal") || text_starts(name, "shl")) && constant && right.number < 31) {
        return value_product(unknowns, &left, (int64_t)1 << right.number);
    }
    if (text_starts(name, "imul") && constant && last > 0) {
        return value_product(unknowns, &left, right.number);
    }
    if (text_starts(name, "xor") && instruction->operand[0].kind == OPERAND_REGISTER && last == 1 &&
        instruction->operand[0].is == instruction->operand[1].is) {
        return value_number(0);
    }
    bool signs = state->compares && state->number == 0 && last == 1;
    if (signs && (text_starts(name, "cmovs") || text_starts(name, "cmovns"))) {
        // gcc rounds a quotient like this: it divides the tested number, or another number if that
        // one is negative.
        const struct value *tested = name[4] == 's' ? &left : &right;
        const struct value *other = name[4] == 's' ? &right : &left;
        if (tested->number == state->compared.number &&
            value_same_terms(tested, &state->compared)) {
            return value_result(unknowns, "cmov", tested, other);
        }
    }
    // Other instructions with two operands depend only on these, not on flags.
    static const char *const plain[] = {"and", "or", "xor", "sar", "shr", "imul", "not", "neg"};
    return last <= 1 && text_starts_any(name, plain, COUNT(plain))
               ? value_result(unknowns, instruction->text, &left, &right)
               : value_fresh(unknowns);
}

static void compare_follow(struct state *state, struct unknowns *unknowns,
                           const struct instruction *instruction, unsigned bytes) {
    const struct operand *number = &instruction->operand[0];
    const struct operand *compared = &instruction->operand[1];
    bool with_number = number->kind == OPERAND_NUMBER && !number->symbol;
    bool with_itself = number->kind == OPERAND_REGISTER && compared->is == number->is;
    bool tests = instruction->name[0] == 't';
    if (instruction->operands == 2 && bytes >= 4 && (tests ? with_itself : with_number)) {
        state->compares = true;
        state->compared = operand_value(state, unknowns, compared, bytes);
        state->number = bytes == 4 ? (uint32_t)number->number : (uint64_t)number->number;
    }
}

// A move, with another width if the name ends with two of them.
static void move_follow(struct state *state, struct unknowns *unknowns,
                        const struct instruction *instruction, unsigned bytes) {
    const struct operand *from = &instruction->operand[0];
    const struct operand *to = &instruction->operand[1];
    const char *name = instruction->name;
    struct value value = value_fresh(unknowns);
    if (strcmp(name, "movslq") == 0) {
        value = operand_value(state, unknowns, from, 4);
        value = value_extended(unknowns, &value);
    } else if (strcmp(name, "movq") == 0 || strcmp(name, "movl") == 0 ||
               strcmp(name, "movabsq") == 0) {
        value = operand_value(state, unknowns, from, bytes);
    } else if (from->kind == OPERAND_REGISTER && from->bytes > 0) {
        struct value none = value_number(0);
        value = value_result(unknowns, instruction->text, &state->holds[from->is], &none);
    }
    target_set(state, unknowns, to, instruction_access(instruction).bytes, &value);
}

static void stack_follow(struct state *state, struct unknowns *unknowns,
                         const struct instruction *instruction) {
    const struct operand *operand = &instruction->operand[0];
    struct operand top = {.kind = OPERAND_MEMORY,
                          .is = REGISTER_NONE,
                          .base = REGISTER_SP,
                          .index = REGISTER_NONE,
                          .scale = 1};
    if (instruction->name[1] == 'u') {
        struct value value = operand_value(state, unknowns, operand, 8);
        stack_move(state, unknowns, -8);
        target_set(state, unknowns, &top, 8, &value);
    } else {
        struct value value = operand_value(state, unknowns, &top, 8);
        stack_move(state, unknowns, 8);
        target_set(state, unknowns, operand, 8, &value);
    }
}

// Instructions that change registers that they do not name, or that are not known.
static void rare_follow(struct state *state, struct unknowns *unknowns,
                        const struct instruction *instruction) {
    static const char *const of_ax[] = {"cltd", "cqto", "cwtl", "idiv", "div", "mul", "imul"};
    if (strcmp(instruction->name, "cltq") == 0) {
        struct value *ax = &state->holds[REGISTER_AX];
        *ax = value_extended(unknowns, ax);
    } else if (text_starts_any(instruction->name, of_ax, COUNT(of_ax))) {
        register_forget(state, unknowns, REGISTER_AX);
        register_forget(state, unknowns, REGISTER_DX);
    } else if (strcmp(instruction->name, "leave") == 0) {
        state->holds[REGISTER_SP] = value_unknown(UNKNOWN_ALIGNED_STACK, 0);
        register_forget(state, unknowns, REGISTER_BP);
    } else if (strcmp(instruction->name, "nop") != 0) {
        all_forget(state, unknowns);
    }
}

void state_follow(struct state *state, struct unknowns *unknowns,
                  const struct instruction *instruction) {
    static const char *const computing[] = {"add", "sub", "and",  "or",  "xor",  "sal", "shl",
                                            "sar", "shr", "imul", "not", "neg",  "bs",  "cmov",
                                            "set", "cvt", "rol",  "ror", "popc", "adc", "sbb"};
    static const char *const keeping[] = {"mov", "lea", "push", "pop", "cmov"};
    const char *name = instruction->name;
    unsigned bytes = width_of(instruction);
    const struct operand *target = &instruction->operand[instruction->operands - 1];
    bytes = text_starts(name, "cmov") ? target->bytes : bytes;
    bool one = instruction->operands == 1;
    state->compares = state->compares && text_starts_any(name, keeping, COUNT(keeping));
    if (!instruction->is_known || instruction->operands == 0 ||
        (one && (strstr(name, "div") || text_starts(name, "mul") || text_starts(name, "imul")))) {
        rare_follow(state, unknowns, instruction);
    } else if (strcmp(name, "pushq") == 0 || strcmp(name, "popq") == 0) {
        stack_follow(state, unknowns, instruction);
    } else if (text_starts(name, "cmp") || text_starts(name, "test")) {
        compare_follow(state, unknowns, instruction, bytes);
    } else if (text_starts(name, "lea")) {
        struct value address = state_address(state, unknowns, &instruction->operand[0]);
        target_set(state, unknowns, target, bytes, &address);
    } else if (text_starts(name, "mov") && instruction->operands == 2) {
        move_follow(state, unknowns, instruction, bytes);
    } else if (target->kind == OPERAND_REGISTER &&
               !text_starts_any(name, computing, COUNT(computing))) {
        all_forget(state, unknowns);
    } else if (instruction_access(instruction).stores || target->kind == OPERAND_REGISTER) {
        struct value result = bytes >= 4 && target->kind == OPERAND_REGISTER
                                  ? result_of(state, unknowns, instruction, bytes)
                                  : value_fresh(unknowns);
        target_set(state, unknowns, target, instruction_access(instruction).bytes, &result);
    }
}

void state_string(struct state *state, struct unknowns *unknowns, const struct string_move *move) {
    const struct value *count = &state->holds[REGISTER_CX];
    struct value step = value_number(move->bytes);
    if (move->repeats) {
        step = value_product(unknowns, count, move->bytes);
        state->holds[REGISTER_CX] = value_number(0);
    }
    struct value *to = &state->holds[REGISTER_DI];
    struct value *from = &state->holds[REGISTER_SI];
    *to = value_sum(unknowns, to, &step);
    *from = move->copies ? value_sum(unknowns, from, &step) : *from;
    state->cells = 0;
}

void state_call(struct state *state, struct unknowns *unknowns, bool quiet) {
    for (size_t i = 0; i < COUNT(caller_saved); i++) {
        register_forget(state, unknowns, (int)caller_saved[i]);
    }
    state->compares = false;
    if (!quiet) {
        state->cells = 0;
        state->tolds = 0;
    }
}

// --- Bounds -------------------------------------------------------------------------------------

void state_jump(struct state *state, const char *name, bool taken) {
    static const struct {
        const char *name;
        bool taken;  // the bound holds if the jump is taken, or if it is not
        bool less;   // at most the number minus 1
    } jumps[] = {{"ja", false, false}, {"jbe", true, false}, {"jb", true, true},
                 {"jnb", false, true}, {"jae", false, true}, {"je", true, false},
                 {"jne", false, false}};
    for (size_t i = 0; i < COUNT(jumps) && state->compares; i++) {
        if (strcmp(name, jumps[i].name) != 0 || taken != jumps[i].taken ||
            (jumps[i].less && state->number == 0)) {
            continue;
        }
        if (state->bounds == BOUNDS_MAX) {
            memmove(state->bound, state->bound + 1, sizeof state->bound - sizeof *state->bound);
            state->bounds--;
        }
        state->bound[state->bounds++] =
            (struct bound){state->compared, state->number - jumps[i].less};
    }
}

// The bound that follows from the value itself: `& 7`, or one byte.
static bool intrinsic_most(const struct unknowns *unknowns, const struct unknown *unknown,
                           uint64_t *ret_most) {
    bool cut = unknown->kind == UNKNOWN_LOW || unknown->kind == UNKNOWN_EXTENDED;
    const struct unknown *whole = cut ? value_alone(unknowns, &unknown->of[0]) : unknown;
    if (!whole || whole->kind != UNKNOWN_RESULT) {
        return false;
    }
    *ret_most = (uint64_t)whole->of[1].number;
    if (text_starts(whole->name, "movzb")) {
        *ret_most = UINT8_MAX;
        return true;
    }
    return text_starts(whole->name, "and") && whole->of[1].terms == 0 && *ret_most <= INT32_MAX;
}

// The two halves that are equal if one of them is small.
static bool is_other_half(const struct unknown *a, const struct unknown *b) {
    return (a->kind == UNKNOWN_LOW || a->kind == UNKNOWN_EXTENDED) &&
           (b->kind == UNKNOWN_LOW || b->kind == UNKNOWN_EXTENDED) &&
           a->of[0].number == b->of[0].number && value_same_terms(&a->of[0], &b->of[0]);
}

// unknown + *ret_number is at most *ret_most.
static bool most_of(const struct state *state, const struct unknowns *unknowns, int unknown,
                    int64_t *ret_number, uint64_t *ret_most) {
    const struct unknown *about = &unknowns->unknown[unknown];
    for (int i = state->bounds - 1; i >= 0; i--) {
        const struct bound *bound = &state->bound[i];
        const struct unknown *alone = value_alone(unknowns, &bound->value);
        bool same = bound->value.terms == 1 && bound->value.term[0].times == 1 &&
                    bound->value.term[0].unknown == unknown;
        if (bound->most <= INT32_MAX && (same || (alone && is_other_half(alone, about)))) {
            *ret_number = bound->value.number;
            *ret_most = bound->most;
            return true;
        }
    }
    *ret_number = 0;
    return intrinsic_most(unknowns, about, ret_most);
}

bool state_span(const struct state *state, const struct unknowns *unknowns,
                const struct value *value, int from, int64_t *ret_least, uint64_t *ret_span) {
    *ret_least = value->number;
    *ret_span = 0;
    for (int i = 0; i < value->terms; i++) {
        int64_t number = 0;
        uint64_t most = 0;
        int64_t times = value->term[i].times;
        if (value->term[i].unknown == from && times == 1) {
            continue;
        }
        if (times < 0 || !most_of(state, unknowns, value->term[i].unknown, &number, &most) ||
            number != (int32_t)number) {
            return false;
        }
        *ret_least = (int64_t)((uint64_t)*ret_least - (uint64_t)(times * number));
        *ret_span += (uint64_t)times * most;
    }
    return true;
}

// --- Reports ------------------------------------------------------------------------------------

void state_tell(struct state *state, const struct value *address, uint64_t bytes, bool stores) {
    if (state->tolds == TOLD_MAX) {
        memmove(state->told, state->told + 1, sizeof state->told - sizeof *state->told);
        state->tolds--;
    }
    state->told[state->tolds++] = (struct told){*address, bytes, stores};
}

bool state_is_told(const struct state *state, const struct value *address, unsigned bytes,
                   bool stores) {
    for (int i = 0; i < state->tolds; i++) {
        const struct told *told = &state->told[i];
        uint64_t at = (uint64_t)address->number - (uint64_t)told->address.number;
        if (told->stores == stores && value_same_terms(&told->address, address) &&
            at < told->bytes && bytes <= told->bytes - at) {
            return true;
        }
    }
    return false;
}
