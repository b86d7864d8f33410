// Draws the sizes of large cases: see large_cases.h.
#include "judge/run/large_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/basics.h"
#include "judge/model/inputs.h"
#include "judge/model/judgement.h"

#define LABEL_BYTES (NAME_BYTES_MAX + 16)
#define TRIES       64  // a drawn size that does not fit is drawn again, this many times

// Elements of the largest output, or of the largest input if that is larger.
#define SHORT_ELEMENTS (1ull << 16)  // more than an index of 16 bits can number
#define MANY_ELEMENTS  (1ull << 18)
#define READ_ELEMENTS  (1ull << 19)  // of an input, which costs less than an output …
#define MANY_STEPS     9500000.0     // … if they take this kernel no more
#define BYTE_EDGE      256           // of two sizes of an array, each is larger …
#define LEAST_EDGE     32            // … of more sizes, each is larger than this
#define FEW_STEPS      (LARGE_STEPS / 4.0)

// The last of so many blocks looks back at one more than a warp has lanes.
#define HANDED_BLOCKS 34

#define WORK_MAX     (1ull << 25)
#define RATE_SHARE   8  // cases with at least this part of the most work tell what work costs
#define SHALLOW_MOST 9  // the most terms of a sum in a wide case

// Long rows and columns: threads, and steps, that take some 30 ms.
#define THREADS_MOST (1ull << 15)
#define LONG_STEPS   1500000.0
#define LONG_LEAST   1024  // shorter ones are in other cases

// Sums as deep as when the kernel is timed: work of whole tiles, of which a product has few.
#define DEEP_WORK_MAX 17000000ull
#define DEEP_STEPS    12000000.0
#define DEEP_UNIT     8     // rows and columns are multiples, as most timed sizes are …
#define DEEP_FEW      2     // … either at most of so many units, which saves small tiles …
#define DEEP_FROM     5     // … and the other at least of so many: more than a warp
#define DEEP_LEAST    512   // terms; sums of fewer are in other cases
#define DEEP_USUAL    2048  // terms, if the kernel is timed at fewer
#define DEEP_SAMPLES  64    // outputs that are compared, if expected.c computes them

// Blocks that take turns: the grid is the same for a size that is so many times as large.
#define TURNS_ROOM     2
#define TURNS_STEPS    60000000.0
#define TURNS_ELEMENTS (1ull << 22)
#define TURNS_PARTS    5  // eighths of a third turn, at most

struct large_plan {
    const struct exercise *exercise;
    launch_question *ask;
    void *asked;
    struct seed seed;
    struct random_key key;
    uint64_t draws;
    int rank;
    int array;                    // the parameter whose elements are counted
    bool is_wide[SIZE_RANK_MAX];  // this size is in an extent of that array
    int wide;                     // how many are
    struct size most;             // of each size, from exercise.ini
    uint32_t seen_grid[3];        // of the last case in which blocks take turns
    double rate;                  // accesses and barrier arrivals for a unit of work
    int count;
    struct planned_case *cases;
};

static uint32_t draw_below(struct large_plan *plan, uint64_t bound) {
    return random_below(plan->key, plan->draws++,
                        bound < UINT32_MAX ? (uint32_t)bound : UINT32_MAX);
}

// At least `from` and at most `most`.
static int32_t draw_between(struct large_plan *plan, int32_t from, int32_t most) {
    return most <= from ? most : from + (int32_t)draw_below(plan, (uint64_t)(most - from) + 1);
}

static int32_t smaller_of(int64_t a, int64_t b) {
    return (int32_t)(a < b ? a : b);
}

static int32_t larger_of(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static uint64_t elements_at(const struct large_plan *plan, struct size size) {
    const struct signature *signature = &plan->exercise->signature;
    return parameter_elements(signature, &signature->parameter[plan->array], size);
}

static void most_note(struct large_plan *plan, struct size size) {
    for (int d = 0; d < plan->rank; d++) {
        plan->most.at[d] = larger_of(plan->most.at[d], size.at[d]);
    }
}

// The largest output at an ordinary size, or the largest input.
static int array_choose(const struct large_plan *plan, struct size size) {
    const struct signature *signature = &plan->exercise->signature;
    int best = 0;
    uint64_t most = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < signature->parameter_count; i++) {
            const struct parameter *parameter = &signature->parameter[i];
            uint64_t elements = parameter_elements(signature, parameter, size);
            bool is_asked = (pass == 0) == parameter_is_output(parameter);
            if (parameter_is_array(parameter) && is_asked && elements > most) {
                best = i;
                most = elements;
            }
        }
    }
    return best;
}

static void plan_begin(struct large_plan *plan) {
    const struct exercise *exercise = plan->exercise;
    char label[LABEL_BYTES];
    (void)snprintf(label, sizeof label, "%s/large", exercise->name);
    plan->key = random_key_make(plan->seed, label);
    plan->rank = exercise->signature.size_count;
    struct size ordinary = {.m = 0};
    for (int d = 0; d < plan->rank; d++) {
        ordinary.at[d] = LONG_LEAST;
        plan->most.at[d] =
            exercise->signature.is_matmul ? SIZE_DIMENSION_MAX : larger_of(exercise->largest, 1);
    }
    for (int i = 0; i < exercise->case_count; i++) {
        most_note(plan, exercise->cases[i].size);
    }
    for (int i = 0; i < exercise->timed_count; i++) {
        most_note(plan, exercise->timed[i].size);
    }
    for (int i = 0; i < exercise->counted_count; i++) {
        most_note(plan, exercise->counted[i].size);
    }
    plan->array = array_choose(plan, ordinary);
    for (int d = 0; d < plan->rank; d++) {
        struct size other = ordinary;
        other.at[d] *= 2;
        plan->is_wide[d] = elements_at(plan, other) != elements_at(plan, ordinary);
        plan->wide += plan->is_wide[d];
    }
}

static int32_t tile_of(const struct large_plan *plan) {
    return plan->exercise->tile > 0 ? plan->exercise->tile : 16;
}

// The work of whole tiles, which is what blocks do.
static uint64_t padded_work(const struct large_plan *plan, struct size size) {
    const int32_t tile = tile_of(plan);
    for (int d = 0; d < plan->rank; d++) {
        size.at[d] = (size.at[d] + tile - 1) / tile * tile;
    }
    return signature_work(&plan->exercise->signature, size);
}

// The most steps for a unit of work, in the cases that have enough work to tell.
static void rate_learn(struct large_plan *plan, const struct passed_cases *passed) {
    uint64_t most = 0;
    for (int i = 0; i < passed->count; i++) {
        uint64_t work = padded_work(plan, passed->planned[i].size);
        most = work > most ? work : most;
    }
    for (int i = 0; i < passed->count; i++) {
        uint64_t work = padded_work(plan, passed->planned[i].size);
        double rate = (double)passed->steps[i] / (double)work;
        plan->rate = work >= most / RATE_SHARE && rate > plan->rate ? rate : plan->rate;
    }
}

// True if whole tiles of this size take at most so many steps, as far as the rate tells.
static bool is_affordable(const struct large_plan *plan, struct size size, double steps) {
    const struct signature *signature = &plan->exercise->signature;
    return signature_size_fits(signature, size) && signature_work(signature, size) <= WORK_MAX &&
           plan->rate * (double)padded_work(plan, size) <= steps;
}

static void plan_add(struct large_plan *plan, struct size size, uint32_t samples) {
    for (int i = 0; i < plan->count; i++) {
        if (size_equal(plan->cases[i].size, size)) {
            return;
        }
    }
    struct planned_case *added = &plan->cases[plan->count++];
    *added = case_of(plan->exercise, plan->seed, INPUTS_EXACT, size);
    added->samples = plan->exercise->signature.is_matmul ? 0 : samples;
    added->is_large = true;
}

// The sizes that are in no extent of the array, such as K of a product.
static struct size shallow_draw(struct large_plan *plan) {
    struct size size = {.m = 0};
    for (int d = 0; d < plan->rank; d++) {
        size.at[d] = draw_between(plan, 1, smaller_of(SHALLOW_MOST, plan->most.at[d]));
    }
    return size;
}

// The largest value of size d with at most `target` elements; 0 if there is none.
static int32_t last_size(const struct large_plan *plan, struct size size, int d, uint64_t target) {
    int32_t low = 0;
    int32_t high = plan->most.at[d];
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        size.at[d] = middle;
        bool is_more = elements_at(plan, size) > target;
        high = is_more ? middle - 1 : high;
        low = is_more ? low : middle;
    }
    return low;
}

// A drawn size with a few more than `from` elements.
static void plan_elements(struct large_plan *plan, uint64_t from, double steps) {
    const int32_t edge = plan->wide == 1 ? 1 : plan->wide == 2 ? BYTE_EDGE + 1 : LEAST_EDGE + 1;
    for (int try = 0; try < TRIES; try++) {
        struct size size = shallow_draw(plan);
        uint64_t target = from + from / 64 + draw_below(plan, from / 16);
        uint64_t left = target;
        int last = -1;
        for (int d = 0; d < plan->rank; d++) {
            size.at[d] = plan->is_wide[d] ? edge : size.at[d];
            last = plan->is_wide[d] ? d : last;
        }
        for (int d = 0; d < last; d++) {
            if (plan->is_wide[d]) {
                left = (uint64_t)last_size(plan, size, d, target);
                size.at[d] = draw_between(plan, edge, smaller_of((int64_t)left, plan->most.at[d]));
            }
        }
        size.at[last] = last_size(plan, size, last, target);
        bool fits = size.at[last] >= edge && elements_at(plan, size) > from;
        if (fits && is_affordable(plan, size, steps)) {
            plan_add(plan, size, 0);
            return;
        }
    }
}

static enum status launch_ask(const struct large_plan *plan, struct size size,
                              struct asked_grid *ret_shape, struct error *err) {
    *ret_shape = (struct asked_grid){.is_valid = false};
    bool fits = signature_size_fits(&plan->exercise->signature, size);
    return fits ? plan->ask(plan->asked, size, ret_shape, err) : STATUS_OK;
}

// The elements of the least size, of an exercise with one, that has HANDED_BLOCKS; 0 if none has.
static enum status elements_for_blocks(const struct large_plan *plan, uint64_t *ret_elements,
                                       struct error *err) {
    struct asked_grid shape = {.is_valid = false};
    enum status status = STATUS_OK;
    int32_t low = 0;  // has fewer
    int32_t high = plan->most.m + 1;
    while (high - low > 1 && !status) {
        const int32_t middle = low + (high - low) / 2;
        status = launch_ask(plan, (struct size){.m = middle}, &shape, err);
        bool is_less = shape.is_valid && shape.blocks < HANDED_BLOCKS;
        low = is_less ? middle : low;
        high = is_less ? high : middle;
    }
    *ret_elements = high > plan->most.m ? 0 : elements_at(plan, (struct size){.m = high});
    return status;
}

// Rows or columns as long as when the kernel is timed, or as long as the launch stays small.
static enum status plan_long(struct large_plan *plan, int d, struct error *err) {
    struct size size = shallow_draw(plan);
    struct asked_grid shape;
    bool is_small = false;
    int32_t longest = 0;
    for (int i = 0; i < plan->exercise->timed_count; i++) {
        longest = larger_of(longest, plan->exercise->timed[i].size.at[d]);
    }
    enum status status = STATUS_OK;
    size.at[d] = longest - (int32_t)draw_below(plan, (uint64_t)longest / 8 + 1);
    for (; size.at[d] >= LONG_LEAST && !is_small && !status; size.at[d] /= 2) {
        if (is_affordable(plan, size, LONG_STEPS)) {
            status = launch_ask(plan, size, &shape, err);
            is_small = shape.is_valid && shape.threads <= THREADS_MOST;
        }
        if (!status && is_small) {
            plan_add(plan, size, 0);
        }
    }
    return status;
}

// The size in which each size of this set has the same length, as far as it may be so long.
static struct size stretched(const struct large_plan *plan, struct size size, uint32_t set,
                             int64_t length) {
    for (int d = 0; d < plan->rank; d++) {
        size.at[d] = set >> d & 1 ? smaller_of(length, plan->most.at[d]) : size.at[d];
    }
    return size;
}

// Finds the least length from which on the grid stays the same.  *ret_least is 0 if it grows, or
// has one block.
static enum status grid_ends_at(const struct large_plan *plan, struct size base, uint32_t set,
                                int32_t *ret_least, struct asked_grid *ret_last,
                                struct error *err) {
    struct asked_grid shape = {.is_valid = false};
    int32_t length = 0;
    for (int d = 0; d < plan->rank; d++) {
        length = set >> d & 1 ? larger_of(length, plan->most.at[d]) : length;
    }
    *ret_least = 0;
    enum status status = launch_ask(plan, stretched(plan, base, set, length), ret_last, err);
    while (!status && !ret_last->is_valid && length > TURNS_ROOM) {
        length /= 2;
        status = launch_ask(plan, stretched(plan, base, set, length), ret_last, err);
    }
    int32_t low = 1;
    int32_t high = length / TURNS_ROOM;
    if (!status && ret_last->is_valid) {
        status = launch_ask(plan, stretched(plan, base, set, high), &shape, err);
    }
    if (status || !shape.is_valid || shape.blocks < 2 || shape.blocks < ret_last->blocks) {
        return status;
    }
    while (low < high && !status) {
        const int32_t middle = low + (high - low) / 2;
        status = launch_ask(plan, stretched(plan, base, set, middle), &shape, err);
        bool is_less = shape.blocks < ret_last->blocks;
        low = is_less ? middle + 1 : low;
        high = is_less ? high : middle;
    }
    *ret_least = low;
    return status;
}

// Where blocks take turns because the grid stays the same: more than two turns for each block, and
// a third one for some.
static enum status plan_turns(struct large_plan *plan, uint32_t set, bool *ret_takes_turns,
                              struct error *err) {
    const struct size base = shallow_draw(plan);
    struct asked_grid last;
    int32_t least = 0;
    enum status status = grid_ends_at(plan, base, set, &least, &last, err);
    *ret_takes_turns = false;
    if (status || least <= 1 || memcmp(last.grid, plan->seen_grid, sizeof last.grid) == 0) {
        return status;  // a grid that is the same from the start does not show how long a turn is
    }
    const double turns = 2.0 + 0.125 * (1 + draw_below(plan, TURNS_PARTS));
    const double factor = pow(turns, 1.0 / __builtin_popcount(set));
    const struct size size = stretched(plan, base, set, (int64_t)(factor * least) + 1);
    if (is_affordable(plan, size, TURNS_STEPS) && elements_at(plan, size) <= TURNS_ELEMENTS) {
        memcpy(plan->seen_grid, last.grid, sizeof last.grid);
        *ret_takes_turns = true;
        plan_add(plan, size, 0);
    }
    return status;
}

// For each of the array's sizes, a case in which blocks take turns along it, or one in which it is
// long; else, a case in which they take turns over all sizes together.
static enum status plan_stretched(struct large_plan *plan, struct error *err) {
    enum status status = STATUS_OK;
    bool takes_turns = false;
    bool any = false;
    uint32_t all = 0;
    for (int d = 0; d < plan->rank && !status; d++) {
        if (!plan->is_wide[d]) {
            continue;
        }
        all |= 1u << d;
        status = plan_turns(plan, 1u << d, &takes_turns, err);
        any = any || takes_turns;
        if (!status && !takes_turns && plan->wide > 1) {
            status = plan_long(plan, d, err);
        }
    }
    return status || any || plan->wide < 2 ? status : plan_turns(plan, all, &takes_turns, err);
}

// Few sums, as deep as when a product is timed, or as deep as its blocks can be afforded.
static void plan_deep(struct large_plan *plan) {
    const struct exercise *exercise = plan->exercise;
    struct size size = {.k = smaller_of(DEEP_USUAL, plan->most.k)};
    const int32_t units = tile_of(plan) / DEEP_UNIT;
    const uint32_t few = draw_below(plan, 2);  // rows or columns
    size.at[few] = DEEP_UNIT * draw_between(plan, 1, DEEP_FEW);
    size.at[1 - few] = DEEP_UNIT * draw_between(plan, DEEP_FROM, larger_of(units, DEEP_FROM + 1));
    for (int i = 0; i < exercise->timed_count; i++) {
        size.k = larger_of(size.k, exercise->timed[i].size.k);
    }
    while (size.k >= DEEP_LEAST &&
           (padded_work(plan, size) > DEEP_WORK_MAX || !is_affordable(plan, size, DEEP_STEPS))) {
        size.k /= 2;
    }
    if (size.k >= DEEP_LEAST) {
        plan_add(plan, size, DEEP_SAMPLES);
    }
}

enum status large_cases_plan(const struct exercise *exercise, struct seed seed,
                             const struct passed_cases *passed, launch_question *ask, void *asked,
                             struct large_cases *ret_cases, struct error *err) {
    struct large_plan plan = {
        .exercise = exercise, .ask = ask, .asked = asked, .seed = seed, .cases = ret_cases->list};
    plan_begin(&plan);
    rate_learn(&plan, passed);
    ret_cases->rate = plan.rate;
    enum status status = plan_stretched(&plan, err);
    if (status) {
        return status;
    }
    const struct parameter *counted = &exercise->signature.parameter[plan.array];
    const uint64_t elements[] = {parameter_is_output(counted) ? MANY_ELEMENTS : READ_ELEMENTS,
                                 MANY_ELEMENTS, SHORT_ELEMENTS};
    const int before = plan.count;
    uint64_t handed = 0;
    if (passed->hands_over && plan.rank == 1) {
        status = elements_for_blocks(&plan, &handed, err);
    }
    if (handed > elements[0] && plan.wide > 0) {
        plan_elements(&plan, handed, FEW_STEPS);
    }
    for (size_t i = 0; i < COUNT(elements) && plan.wide > 0 && plan.count == before; i++) {
        plan_elements(&plan, elements[i], i == 2 ? FEW_STEPS : MANY_STEPS);
    }
    for (int i = before; i < plan.count; i++) {
        plan.cases[i].newest_first = passed->hands_over;
    }
    if (signature_multiplies(&exercise->signature)) {
        plan_deep(&plan);
    }
    ret_cases->count = plan.count;
    return status;
}
