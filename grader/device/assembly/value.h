// What a register holds, as a sum of unknowns: so two addresses can be compared without running.
#ifndef DEVICE_ASSEMBLY_VALUE_H
#define DEVICE_ASSEMBLY_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TERMS_MAX 6  // a sum of more is an unknown of its own

// number + times * unknown + …, modulo 2^64; in the order of the unknowns.
struct value {
    int64_t number;
    int terms;
    struct {
        int unknown;
        int32_t times;
    } term[TERMS_MAX];
};

// What is known of an unknown.  Two that come from the same in the same way are one.
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
    struct value of[2];  // what it comes from
    int earlier;         // in its list: a number from 1; 0 for none
};

// These are there from the start.
enum { UNKNOWN_STACK, UNKNOWN_ALIGNED_STACK, UNKNOWN_FRAME, UNKNOWN_THREAD, UNKNOWN_FIRST };

#define UNKNOWN_LISTS 4096

struct unknowns {
    struct unknown *unknown;
    int count, room;
    int latest[UNKNOWN_LISTS];  // of each list, by a hash
    bool failed;                // there was no memory: nothing is proved
};

// Makes the first ones, of an object that is zero.  Owns: the caller frees unknowns->unknown.
void unknowns_begin(struct unknowns *unknowns);

struct value value_number(int64_t number);
struct value value_unknown(int unknown, int64_t number);
struct value value_fresh(struct unknowns *unknowns);
struct value value_symbol(struct unknowns *unknowns, const char *name, size_t bytes);
struct value value_result(struct unknowns *unknowns, const char *name, const struct value *a,
                          const struct value *b);

struct value value_sum(struct unknowns *unknowns, const struct value *a, const struct value *b);
struct value value_product(struct unknowns *unknowns, const struct value *value, int64_t times);

// The lower half of a value, with zeros or with its sign above it.
struct value value_low(struct unknowns *unknowns, const struct value *value);
struct value value_extended(struct unknowns *unknowns, const struct value *value);

// True if the two are the same, apart from the number.
bool value_same_terms(const struct value *a, const struct value *b);

// The unknown that the value is; NULL if it is a sum.
const struct unknown *value_alone(const struct unknowns *unknowns, const struct value *value);

#endif
