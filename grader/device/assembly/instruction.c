// Unknown forms are left unknown: a memory access in such a form is refused.
#include "device/assembly/instruction.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/text.h"

// --- Operands -----------------------------------------------------------------------------------

// Finds a general register by its name, without %; %ah has 0 bytes.  REGISTER_NONE for others, %rip
// too.
static int register_find(const char *name, size_t length, unsigned *ret_bytes) {
    static const char *const old[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
    *ret_bytes = 0;
    if (length >= 2 && name[0] == 'r' && isdigit((unsigned char)name[1])) {
        int number = (int)strtol(name + 1, NULL, 10);
        char last = name[length - 1];
        *ret_bytes = last == 'd' ? 4 : last == 'w' ? 2 : last == 'b' ? 1 : 8;
        return number >= 8 && number < REGISTERS ? number : REGISTER_NONE;
    }
    for (int i = 0; i < 8; i++) {
        if (length == 3 && memcmp(name + 1, old[i], 2) == 0 && strchr("re", name[0])) {
            *ret_bytes = name[0] == 'r' ? 8 : 4;
            return i;
        }
        if (length == 2 && memcmp(name, old[i], 2) == 0) {
            *ret_bytes = 2;
            return i;
        }
        bool byte = (length == 2 && i < 4 && name[0] == old[i][0] && strchr("lh", name[1])) ||
                    (length == 3 && i >= 4 && memcmp(name, old[i], 2) == 0 && name[2] == 'l');
        if (byte) {
            *ret_bytes = name[1] == 'h' ? 0 : 1;
            return i;
        }
    }
    return REGISTER_NONE;
}

// Reads the sum of numbers and names before a parenthesis: "8+tile@tpoff", "-4", ".LC0".
// False for two names.
static bool sum_read(const char *at, const char *end, struct operand *operand) {
    while (at < end && *at != '(') {
        const char *start = at + (*at == '+' || *at == '-');
        const char *past = start;
        while (past < end && !strchr("+-(", *past)) {
            past++;
        }
        if (past == start) {
            return false;
        }
        if (isdigit((unsigned char)*start)) {
            char *stop = NULL;
            operand->number +=
                (int64_t)((*at == '-' ? 0 - 1ull : 1ull) * strtoull(start, &stop, 0));
            if (stop != past) {
                return false;
            }
        } else if (operand->symbol || *at == '-') {
            return false;
        } else {
            operand->symbol = start;
            operand->symbol_bytes = (size_t)(past - start);
        }
        at = past;
    }
    return true;
}

// Reads "(%base,%index,scale)", of which each part may be missing.
static bool parts_read(const char *at, const char *end, struct operand *operand) {
    int *const registers[] = {&operand->base, &operand->index};
    operand->scale = 1;
    at++;
    for (size_t i = 0; i < COUNT(registers) && at < end && *at != ')'; i++) {
        size_t length = 0;
        while (at + length < end && !strchr(",)", at[length])) {
            length++;
        }
        unsigned bytes = 0;
        if (length > 0) {
            *registers[i] = register_find(at + 1, length - 1, &bytes);
            bool rip = i == 0 && text_is(at, length, "%rip");
            if (*at != '%' || (!rip && (*registers[i] == REGISTER_NONE || bytes != 8))) {
                return false;
            }
        }
        at += length + (at + length < end && at[length] == ',');
    }
    if (at < end && isdigit((unsigned char)*at)) {
        operand->scale = (int)strtol(at, NULL, 10);
        at++;
    }
    return at + 1 == end && *at == ')';
}

// False for a form that is not known.
static bool operand_read(const char *text, size_t length, struct operand *operand) {
    const char *end = text + length;
    *operand = (struct operand){.is = REGISTER_NONE, .base = REGISTER_NONE, .index = REGISTER_NONE};
    operand->is_thread_local = length > 4 && text_starts(text, "%fs:");
    operand->text = text + (operand->is_thread_local ? 4 : 0);
    operand->length = (size_t)(end - operand->text);
    if (*operand->text == '%') {
        operand->is = register_find(text + 1, length - 1, &operand->bytes);
        operand->kind = operand->is == REGISTER_NONE ? OPERAND_OTHER : OPERAND_REGISTER;
        return !memchr(text, ':', length);  // another segment
    }
    if (*operand->text == '$') {
        operand->kind = OPERAND_NUMBER;
        return sum_read(text + 1, end, operand);
    }
    operand->kind = OPERAND_MEMORY;
    const char *open = memchr(operand->text, '(', operand->length);
    return sum_read(operand->text, end, operand) && (!open || parts_read(open, end, operand));
}

// The end of the operand that starts at `text`: a comma outside parentheses.
static size_t operand_length(const char *text, const char *end) {
    int depth = 0;
    size_t length = 0;
    while (text + length < end && (depth > 0 || text[length] != ',')) {
        depth += (text[length] == '(') - (text[length] == ')');
        length++;
    }
    return length;
}

static bool is_jump(const char *name) {
    return name[0] == 'j' || strcmp(name, "call") == 0;
}

bool instruction_read(const struct asm_line *line, struct instruction *ret_instruction) {
    struct instruction instruction = {.text = line->text + 1};
    const char *end = line->text + line->length;
    line_mnemonic(line, instruction.name, sizeof instruction.name);
    if (instruction.name[0] == '\0') {
        return false;
    }
    const char *at = line->text + 1 + strlen(instruction.name);
    instruction.is_known = at == end || *at == '\t';
    at += at < end;
    while (at < end && instruction.is_known && !is_jump(instruction.name)) {
        size_t length = operand_length(at, end);
        instruction.is_known =
            instruction.operands < OPERANDS_MAX && length > 0 &&
            operand_read(at, length, &instruction.operand[instruction.operands++]);
        at += length;
        at += at < end ? 2 : 0;  // ", "
    }
    *ret_instruction = instruction;
    return true;
}

// --- What it accesses ---------------------------------------------------------------------------

// The size of an operand in memory; 0 if the name does not give it.
static unsigned bytes_of(const char *name) {
    static const struct {
        const char *start, *end;
        unsigned bytes;
    } names[] = {{"v", "", 0},       {"movdq", "", 16},  {"movss", "", 4},   {"movsd", "", 8},
                 {"movzb", "", 1},   {"movsb", "", 1},   {"set", "", 1},     {"movzw", "", 2},
                 {"movsw", "", 2},   {"movsl", "", 4},   {"movd", "", 4},    {"movlp", "", 8},
                 {"movhp", "", 8},   {"cvtss2", "", 4},  {"cvttss2", "", 4}, {"cvtsd2", "", 8},
                 {"cvttsd2", "", 8}, {"cvtps2", "d", 8}, {"fi", "s", 2},     {"fi", "l", 4},
                 {"fi", "q", 8},     {"f", "cw", 2},     {"f", "s", 4},      {"f", "l", 8},
                 {"f", "t", 16},     {"push", "q", 8},   {"pop", "q", 8},    {"popcnt", "l", 4},
                 {"f", "", 0},       {"p", "", 16},      {"", "ss", 4},      {"", "sd", 8},
                 {"", "ps", 16},     {"", "pd", 16},     {"", "b", 1},       {"", "w", 2},
                 {"", "l", 4},       {"", "q", 8}};
    size_t length = strlen(name);
    for (size_t i = 0; i < COUNT(names); i++) {
        size_t part = strlen(names[i].end);
        if (text_starts(name, names[i].start) && length >= part &&
            strcmp(name + length - part, names[i].end) == 0) {
            return names[i].bytes;
        }
    }
    return 0;
}

struct memory_access instruction_access(const struct instruction *instruction) {
    // They do not access the operand, or only load it, or only store it.
    static const char *const none[] = {"lea", "nop", "prefetch"};
    static const char *const loading[] = {"cmp",  "test", "ucomi", "comi", "idiv", "div",  "mul",
                                          "push", "fld",  "fild",  "fadd", "fsub", "fmul", "fdiv"};
    static const char *const storing[] = {"mov", "set", "pop", "fst", "fist", "fnst"};
    const char *name = instruction->name;
    struct memory_access access = {.memory = NULL};
    int last = instruction->operands - 1;
    for (int i = 0; i <= last; i++) {
        if (instruction->operand[i].kind != OPERAND_MEMORY ||
            text_starts_any(name, none, COUNT(none))) {
            continue;
        }
        bool target = i == last && !text_starts_any(name, loading, COUNT(loading)) &&
                      !(text_starts(name, "imul") && last == 0);
        access.memory = &instruction->operand[i];
        // "cmovns", "cmovl": the end of the name is a condition.
        access.bytes =
            text_starts(name, "cmov") ? instruction->operand[last].bytes : bytes_of(name);
        access.stores = target;
        access.loads = !(target && text_starts_any(name, storing, COUNT(storing)));
    }
    return access;
}

bool instruction_is_string(const struct asm_line *line, struct string_move *ret_move) {
    static const char letters[] = "bwlq";
    bool repeats = text_starts(line->text, "\trep ");
    const char *name = line->text + (repeats ? 5 : 1);
    bool copies = text_starts(name, "movs");
    const char *letter = memchr(letters, name[4], sizeof letters - 1);
    if (line->kind != LINE_INSTRUCTION || name + 5 != line->text + line->length ||
        !(copies || text_starts(name, "stos")) || !letter) {
        return false;
    }
    *ret_move = (struct string_move){1u << (letter - letters), repeats, copies};
    return true;
}
