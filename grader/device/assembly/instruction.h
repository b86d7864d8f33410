// One instruction of x86-64 in AT&T syntax, as gcc and clang write it.
#ifndef DEVICE_ASSEMBLY_INSTRUCTION_H
#define DEVICE_ASSEMBLY_INSTRUCTION_H

#include <stdint.h>

#include "device/assembly/assembly_text.h"

#define OPERANDS_MAX 3  // a fourth is not read

enum registers {
    REGISTER_AX,
    REGISTER_CX,
    REGISTER_DX,
    REGISTER_BX,
    REGISTER_SP,
    REGISTER_BP,
    REGISTER_SI,
    REGISTER_DI,
    REGISTERS = 16,
    REGISTER_NONE = -1
};

enum operand_kind { OPERAND_OTHER, OPERAND_REGISTER, OPERAND_NUMBER, OPERAND_MEMORY };

// $symbol+number, symbol+number(%base,%index,scale), %register.
struct operand {
    enum operand_kind kind;
    const char *text;  // in the line; without "%fs:"
    size_t length;
    int is;               // the register; REGISTER_NONE if it is not a general register
    unsigned bytes;       // of the register
    int base, index;      // REGISTER_NONE if there is none
    int scale;            // of the index
    int64_t number;       // added
    const char *symbol;   // added; NULL if there is none
    size_t symbol_bytes;  // of its name
    bool is_thread_local;
};

struct instruction {
    const char *text;  // the place of the name in the line
    char name[16];
    bool is_known;  // its form is known; jumps and calls have no operands here
    int operands;
    struct operand operand[OPERANDS_MAX];
};

// False for lines that are not instructions.
bool instruction_read(const struct asm_line *line, struct instruction *ret_instruction);

// An access of an instruction.
struct memory_access {
    const struct operand *memory;  // NULL if it has none
    unsigned bytes;                // 0 if unknown
    bool loads, stores;
};
struct memory_access instruction_access(const struct instruction *instruction);

// "rep movsq", "stosl": stores to (%rdi), and loads from (%rsi) if it copies.
struct string_move {
    unsigned bytes;
    bool repeats;  // %rcx times
    bool copies;
};
bool instruction_is_string(const struct asm_line *line, struct string_move *ret_move);

#endif
