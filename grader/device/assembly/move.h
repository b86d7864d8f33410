// One instruction of x86-64 that moves between memory and elsewhere.
#ifndef DEVICE_ASSEMBLY_MOVE_H
#define DEVICE_ASSEMBLY_MOVE_H

#include "device/assembly/lines.h"

#define OPERAND_MAX 256  // bytes of an operand, with the final NUL

struct move {
    unsigned bytes;  // 0: as many as a register says ("rep movsq")
    bool is_store;
    char operand[OPERAND_MAX];  // of the memory, without "%fs:"
    bool is_thread_local;       // it had "%fs:"
    bool is_vector;             // a load of a whole float4, or of another such type
    bool is_strict;             // and of nothing that may be aligned otherwise than a float4
};

// True if the line is a move whose memory may be shared, global or thread-local: not the stack,
// and no constant of the program.  is_vector and is_strict are false.
bool move_read(const struct line *line, struct move *ret_move);

// The same of "rep movsq" and the single steps after it, from (%rsi) to (%rdi).  Which of the two
// is an access to be reported is decided at run time: is_store says which one is meant.
bool move_read_string(const struct line *line, bool is_store, struct move *ret_move);

#endif
