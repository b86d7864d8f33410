// Idea: sums and products are taken modulo 2^64, as the processor does, so a sum of registers can
// be taken apart and put together in another order.
#include "device/assembly/value.h"

#include <stdlib.h>
#include <string.h>

bool value_same_terms(const struct value *a, const struct value *b) {
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

static bool unknowns_grow(struct unknowns *unknowns) {
    int room = unknowns->room > 0 ? 2 * unknowns->room : 1024;
    struct unknown *grown = realloc(unknowns->unknown, (size_t)room * sizeof *grown);
    if (grown) {
        unknowns->unknown = grown;
        unknowns->room = room;
    }
    return grown != NULL;
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

static struct value value_of(struct unknowns *unknowns, const struct unknown *wanted) {
    bool fresh = wanted->kind == UNKNOWN_FRESH;
    int *latest = &unknowns->latest[fresh ? 0 : hash_of(wanted) % UNKNOWN_LISTS];
    for (int i = *latest; i > 0 && !fresh; i = unknowns->unknown[i - 1].earlier) {
        if (is_known(&unknowns->unknown[i - 1], wanted)) {
            return value_unknown(i - 1, 0);
        }
    }
    if (unknowns->failed || (unknowns->count >= unknowns->room && !unknowns_grow(unknowns))) {
        unknowns->failed = true;
        return value_number(0);
    }
    struct unknown *added = &unknowns->unknown[unknowns->count++];
    *added = *wanted;
    added->earlier = fresh ? 0 : *latest;
    *latest = fresh ? *latest : unknowns->count;
    return value_unknown(unknowns->count - 1, 0);
}

void unknowns_begin(struct unknowns *unknowns) {
    while (unknowns->count < UNKNOWN_FIRST && !unknowns->failed) {
        (void)value_fresh(unknowns);
    }
}

struct value value_number(int64_t number) {
    return (struct value){.number = number};
}

struct value value_unknown(int unknown, int64_t number) {
    return (struct value){.number = number, .terms = 1, .term = {{.unknown = unknown, .times = 1}}};
}

struct value value_fresh(struct unknowns *unknowns) {
    return value_of(unknowns, &(struct unknown){.kind = UNKNOWN_FRESH});
}

struct value value_symbol(struct unknowns *unknowns, const char *name, size_t bytes) {
    return value_of(unknowns,
                    &(struct unknown){.kind = UNKNOWN_SYMBOL, .name = name, .name_bytes = bytes});
}

struct value value_result(struct unknowns *unknowns, const char *name, const struct value *a,
                          const struct value *b) {
    return value_of(unknowns, &(struct unknown){.kind = UNKNOWN_RESULT,
                                                .name = name,
                                                .name_bytes = strcspn(name, "\t\n"),
                                                .of = {*a, *b}});
}

struct value value_sum(struct unknowns *unknowns, const struct value *a, const struct value *b) {
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

struct value value_product(struct unknowns *unknowns, const struct value *value, int64_t times) {
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

const struct unknown *value_alone(const struct unknowns *unknowns, const struct value *value) {
    bool alone = value->terms == 1 && value->number == 0 && value->term[0].times == 1;
    return alone ? &unknowns->unknown[value->term[0].unknown] : NULL;
}

// The lower half of a sum does not depend on the upper halves of its terms.
struct value value_low(struct unknowns *unknowns, const struct value *value) {
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

struct value value_extended(struct unknowns *unknowns, const struct value *value) {
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
