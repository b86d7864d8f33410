// The facts at an instruction of kernel.s that hold on every path to it: the value of each
// register, as a sum of unknowns, so that two addresses can be compared without running the code.
#ifndef DEVICE_ASSEMBLY_SYMBOLIC_STATE_H
#define DEVICE_ASSEMBLY_SYMBOLIC_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/assembly/instruction.h"

#define TERMS_MAX 6  // a longer sum becomes a new unknown

// number + times * unknown + …, modulo 2^64; in the order of the unknowns.
struct value {
    int64_t number;
    int terms;
    struct {
        int unknown;
        int32_t times;
    } term[TERMS_MAX];
};

// The facts about an unknown.  Two unknowns that are derived in the same way from the same value
// are identical.
enum unknown_kind {
    UNKNOWN_FRESH,     // nothing
    UNKNOWN_SYMBOL,    // the address that a name stands for
    UNKNOWN_LOW,       // the lower half of a value, from 0 to 2^32-1
    UNKNOWN_EXTENDED,  // the lower half of a value, from -2^31 to 2^31-1
    UNKNOWN_RESULT     // of an instruction with that name, from two values
};

struct unknown {
    enum unknown_kind kind;
    const char *name;  // borrowed
    size_t name_bytes;
    struct value of[2];  // the values that it is derived from
    int earlier;         // in its list: a number from 1; 0 for none
};

// These exist from the start.
enum { UNKNOWN_STACK, UNKNOWN_ALIGNED_STACK, UNKNOWN_FRAME, UNKNOWN_THREAD, UNKNOWN_FIRST };

#define UNKNOWN_LISTS 4096

struct unknowns {
    struct unknown *unknown;
    int count, room;
    int latest[UNKNOWN_LISTS];  // of each list, by a hash
};

// Makes the first ones, in an object that is zero.  Owns: the caller frees unknowns->unknown.
void unknowns_begin(struct unknowns *unknowns);

#define CELLS_MAX   48  // older ones are forgotten, in all four lists
#define TOLD_MAX    8
#define BOUNDS_MAX  16
#define WAITING_MAX 8

// Memory of the stack.
struct cell {
    struct value address;
    unsigned bytes;
    struct value holds;
};

// A callback has reported these bytes.
struct told {
    struct value address;
    uint64_t bytes;
    bool stores;
};

// value <= most, both unsigned.
struct bound {
    struct value value;
    uint64_t most;
};

// A load at an index that is compared with its bound only after it.
struct early_load {
    struct value address;
    unsigned bytes;
    size_t line;
};

struct state {
    struct value holds[REGISTERS];
    struct cell cell[CELLS_MAX];
    struct told told[TOLD_MAX];
    struct bound bound[BOUNDS_MAX];
    struct early_load waiting[WAITING_MAX];
    int cells, tolds, bounds, waitings;
    bool compares;  // the flags are those of comparing `compared` with `number`
    struct value compared;
    uint64_t number;
};

// For the start of a function, and where several paths meet.  `depth` is the distance of the stack
// pointer below its value before the call of the function; -1 if a register keeps that value.
void state_begin(struct state *state, struct unknowns *unknowns, int64_t depth);

// The address of an operand in memory.
struct value state_address(const struct state *state, struct unknowns *unknowns,
                           const struct operand *operand);

// The instruction has been executed.  Not for calls and jumps.
void state_follow(struct state *state, struct unknowns *unknowns,
                  const struct instruction *instruction);

void state_string(struct state *state, struct unknowns *unknowns, const struct string_move *move);

// A call has returned.  quiet: it has changed no variable.
void state_call(struct state *state, struct unknowns *unknowns, bool quiet);

// A conditional jump was taken, or not.
void state_jump(struct state *state, const char *name, bool taken);

void state_tell(struct state *state, const struct value *address, uint64_t bytes, bool stores);

// True if a callback has reported this access.
bool state_is_told(const struct state *state, const struct value *address, unsigned bytes,
                   bool stores);

// True if all unknowns of a sum but `from` are bounded: then it is `from` and *ret_least at least,
// and *ret_span more at most.
bool state_span(const struct state *state, const struct unknowns *unknowns,
                const struct value *value, int from, int64_t *ret_least, uint64_t *ret_span);

#endif
