// Trials compute the result of an expected.c in which one operation is replaced.  The judge uses
// them to explain a wrong result (judge/cause/other_operations.c).  See number.h, which includes
// this file.
#ifndef EXPECTED_TRIAL_H
#define EXPECTED_TRIAL_H

// The state of a site during a call.
struct number_site {
    number last;     // its result
    uint64_t epoch;  // when that was
    uint64_t index;  // the number of its last term in the run
};

static struct number_site number_sites[EXPECTED_SITES_MAX];

static inline bool number_is_same(const number &a, const number &b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static inline number number_apply(uint32_t operation, const number &a, const number &b,
                                  number (*function)(const number &)) {
    switch (operation) {
    case OPERATION_SUM:
        return number_add(a, b);
    case OPERATION_DIFFERENCE:
        return number_subtract(a, b);
    case OPERATION_PRODUCT:
        return number_multiply(a, b);
    case OPERATION_QUOTIENT:
        return number_divide(a, b);
    case OPERATION_LARGER:
        return number_larger(a, b);
    case OPERATION_SMALLER:
        return number_smaller(a, b);
    case OPERATION_FUNCTION:
        return function(a);
    case OPERATION_SECOND:
        return b;
    default:
        return a;
    }
}

static inline struct expected_site *number_site_of(uint64_t pc, uint32_t operation) {
    struct expected_trial *trial = number_trial;
    for (uint32_t i = 0; i < trial->site_count; i++) {
        if (trial->site[i].pc == pc) {
            return &trial->site[i];
        }
    }
    if (trial->site_count == EXPECTED_SITES_MAX) {
        trial->is_full = 1;
        return NULL;
    }
    struct expected_site *site = &trial->site[trial->site_count++];
    *site = (struct expected_site){pc, operation, 0, 0, 0, 0};
    return site;
}

// Counts the call, and finds its run.  A first operand that is not 0 is a term too.
static inline void number_site_step(struct expected_site *site, struct number_site *state,
                                    const number &a, const number &b) {
    bool follows = site->calls > 0 && state->epoch == number_trial->epoch;
    uint32_t by = !follows || site->operation == OPERATION_FUNCTION ? 0
                  : number_is_same(a, state->last)                  ? 1
                  : number_is_same(b, state->last)                  ? 2
                                                                    : 0;
    if (by > 0) {
        site->accumulator = by;
        state->index++;
    } else {
        const number &first = site->accumulator == 2 ? b : a;
        state->index = first.terms == 0 ? 0 : 1;
        site->runs++;
    }
    site->calls++;
    site->longest = state->index + 1 > site->longest ? state->index + 1 : site->longest;
    state->epoch = number_trial->epoch;
}

static inline bool number_is_left_out(uint64_t index) {
    const struct expected_trial *trial = number_trial;
    uint64_t place = trial->block > 0 ? index % trial->block : index;
    return place >= trial->first && place <= trial->last;
}

static inline number number_tried(const struct expected_site *site, const struct number_site *state,
                                  const number &a, const number &b,
                                  number (*function)(const number &)) {
    const struct expected_trial *trial = number_trial;
    if (trial->way == TRIAL_TERMS && number_is_left_out(state->index)) {
        return site->accumulator == 2 ? b : a;
    }
    if (trial->way == TRIAL_OPERATION && trial->instead == OPERATION_FIRST_TWICE) {
        return number_apply(site->operation, a, a, function);
    }
    if (trial->way == TRIAL_OPERATION && trial->instead == OPERATION_SECOND_TWICE) {
        return number_apply(site->operation, b, b, function);
    }
    number result = number_apply(trial->way == TRIAL_OPERATION ? trial->instead : site->operation,
                                 a, b, function);
    for (uint32_t k = 0; trial->way == TRIAL_VALUES && k < trial->run_count; k++) {
        if (trial->call[k] == site->calls) {
            number_real factor = fabsl(trial->value[k] / result.value);
            result.magnitude *= factor;
            result.error *= factor;
            result.value = trial->value[k];
        }
    }
    return result;
}

// Stores the term, and the end of the run so far.
static inline void number_run_note(const struct expected_site *site, const number &a,
                                   const number &b, const number &result) {
    struct expected_trial *trial = number_trial;
    const number &term = site->accumulator == 2 ? a : b;
    uint64_t run = site->runs - 1;
    if (run >= EXPECTED_RUNS_MAX || site->calls > trial->tape_max) {
        trial->is_full = 1;
        return;
    }
    if (run == trial->run_count) {
        trial->base[run] = (double)(site->accumulator == 2 ? b : a).value;
        trial->run_count++;
    }
    number_tape[site->calls - 1] = (double)term.value;
    trial->call[run] = site->calls;
    trial->value[run] = (double)result.value;
}

static __attribute__((noinline)) number number_try(uint32_t operation, const number &a,
                                                   const number &b,
                                                   number (*function)(const number &)) {
    struct expected_trial *trial = number_trial;
    uint64_t pc = (uint64_t)(uintptr_t)__builtin_return_address(0) - 1;
    struct expected_site *site = number_site_of(pc, operation);
    number_need(a);
    number_need(b);
    if (!site) {
        return number_apply(operation, a, b, function);
    }
    struct number_site *state = &number_sites[site - trial->site];
    bool is_here = false;
    for (uint32_t i = 0; i < trial->where_count; i++) {
        is_here = is_here || trial->where[i] == pc;
    }
    number_site_step(site, state, a, b);
    number result = is_here ? number_tried(site, state, a, b, function)
                            : number_apply(operation, a, b, function);
    if (NUMBER_BITS == 24 && fabsl(result.value) > FLT_MAX) {
        result.value = result.value > 0 ? INFINITY : -INFINITY;  // as in a kernel
    }
    if (is_here && trial->way == TRIAL_RECORD) {
        number_run_note(site, a, b, result);
    }
    state->last = result;
    return result;
}

#define NUMBER_OPERATION(name, operation, plain)                                                   \
    NUMBER_INLINE number name(const number &a, const number &b) {                                  \
        return __builtin_expect(number_trial != NULL, 0)                                           \
                   ? number_try(OPERATION_##operation, a, b, NULL)                                 \
                   : plain(a, b);                                                                  \
    }
#define NUMBER_FUNCTION(name, plain)                                                               \
    NUMBER_INLINE number name(const number &a) {                                                   \
        return __builtin_expect(number_trial != NULL, 0)                                           \
                   ? number_try(OPERATION_FUNCTION, a, a, plain)                                   \
                   : plain(a);                                                                     \
    }

#endif
