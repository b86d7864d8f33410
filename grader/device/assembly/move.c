// Reads an instruction by its mnemonic and its operands, in AT&T syntax: "movups 8(%rax), %xmm0".
#include "device/assembly/move.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

static unsigned bytes_of_mnemonic(const char *name) {
    static const struct {
        const char *name;
        unsigned bytes;
    } moves[] = {{"movb", 1},    {"movzbl", 1},  {"movzbw", 1},  {"movsbl", 1},  {"movsbw", 1},
                 {"movsbq", 1},  {"movw", 2},    {"movzwl", 2},  {"movswl", 2},  {"movswq", 2},
                 {"movl", 4},    {"movss", 4},   {"movd", 4},    {"movslq", 4},  {"movq", 8},
                 {"movsd", 8},   {"pushq", 8},   {"movlps", 8},  {"movhps", 8},  {"movlpd", 8},
                 {"movhpd", 8},  {"movups", 16}, {"movaps", 16}, {"movupd", 16}, {"movapd", 16},
                 {"movdqu", 16}, {"movdqa", 16}};
    for (size_t i = 0; i < COUNT(moves); i++) {
        if (strcmp(name, moves[i].name) == 0) {
            return moves[i].bytes;
        }
    }
    return 0;
}

// The memory of an operand: not a register, a number, a place on the stack, or a constant of the
// program, whose address is a symbol alone.
static bool operand_read(const char *text, size_t length, struct move *move) {
    bool thread = length > 4 && text_starts(text, "%fs:");
    text += thread ? 4 : 0;
    length -= thread ? 4 : 0;
    if (length == 0 || length >= OPERAND_MAX || text[0] == '%' || text[0] == '$') {
        return false;
    }
    memcpy(move->operand, text, length);
    move->operand[length] = '\0';
    move->is_thread_local = thread;
    if (thread) {
        return strstr(move->operand, "@tpoff") != NULL;
    }
    const char *base = strchr(move->operand, '(');
    bool symbol = text[0] != '(' && text[0] != '-' && (text[0] < '0' || text[0] > '9');
    return base && !text_starts(base, "(%rsp") && !text_starts(base, "(%rip") &&
           (!symbol || strstr(move->operand, "@tpoff"));
}

// Where the operand that starts at `text` ends: at a comma outside parentheses.
static size_t operand_length(const char *text, size_t length) {
    int depth = 0;
    size_t at = 0;
    while (at < length && (depth > 0 || text[at] != ',')) {
        depth += (text[at] == '(') - (text[at] == ')');
        at++;
    }
    return at;
}

bool move_read(const struct line *line, struct move *ret_move) {
    char name[16];
    line_mnemonic(line, name, sizeof name);
    struct move move = {.bytes = bytes_of_mnemonic(name)};
    size_t start = 1 + strlen(name) + 1;
    if (move.bytes == 0 || start >= line->length) {
        return false;
    }
    const char *first = line->text + start;
    size_t rest = line->length - start;
    size_t length = operand_length(first, rest);
    if (!operand_read(first, length, &move)) {
        size_t skip = length + 2;  // ", "
        move.is_store = true;
        if (skip >= rest || !operand_read(first + skip, rest - skip, &move)) {
            return false;
        }
    }
    *ret_move = move;
    return true;
}

bool move_read_string(const struct line *line, bool is_store, struct move *ret_move) {
    static const struct {
        const char *text;
        unsigned bytes;
    } moves[] = {
        {"\trep movsq", 0}, {"\tmovsq", 8}, {"\tmovsl", 4}, {"\tmovsw", 2}, {"\tmovsb", 1}};
    for (size_t i = 0; i < COUNT(moves); i++) {
        if (line->length == strlen(moves[i].text) &&
            memcmp(line->text, moves[i].text, line->length) == 0) {
            *ret_move = (struct move){.bytes = moves[i].bytes, .is_store = is_store};
            (void)snprintf(ret_move->operand, OPERAND_MAX, "%s", is_store ? "(%rdi)" : "(%rsi)");
            return true;
        }
    }
    return false;
}
