// Draws the sizes of large cases: see large_cases.h.
#include "judge/run/large_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/cpp_lexer.h"
#include "judge/model/inputs.h"
#include "judge/model/judgement.h"

#define LABEL_BYTES (NAME_BYTES_MAX + 16)
#define TRIES       64  // a drawn size that does not fit is drawn again, this many times

// Elements of the largest output, or of the largest input if that is larger.
#define SHORT_ELEMENTS (1ull << 16)  // more than an index of 16 bits can number
#define MANY_ELEMENTS  (1ull << 18)
#define READ_ELEMENTS  (1ull << 19)  // of an input, which costs less than an output …
#define MANY_STEPS     9500000.0     // … if they take this kernel no more
#define LEAST_EDGE     32            // of three sizes of an array, each is larger than this
#define FEW_STEPS      (LARGE_STEPS / 4.0)

// The last of so many blocks looks back at one more than a warp has lanes.
#define HANDED_BLOCKS 34

// One block of a later launch has at most 1024 threads, for a value of each block of the first one.
#define SUMMED_BLOCKS 1025

#define WORK_MAX     (1ull << 25)
#define RATE_SHARE   8  // cases with at least this part of the most work tell what work costs
#define SHALLOW_MOST 9  // the most terms of a sum in a wide case

// Matrices that are long in one direction.
#define LONG_LEAST    1024  // longer than this, or
#define SHORT_LEAST   512   // than this, which takes no more than THIN_STEPS
#define BYTE_EDGE     256   // the other size is larger than this, so that there are MANY_ELEMENTS,
#define SHORT_EDGE    64    // or than this, so that there are SHORT_ELEMENTS: WIDE_STEPS
#define WIDE_STEPS    5000000.0
#define WIDE_MOST     16000000.0  // of several launches, which run in no parts
#define LONG_STEPS    3500000.0   // of two columns of tiles
#define THIN_STEPS    1200000.0   // of one
#define THREADS_SHARE 0.05        // of a launch, for each of these steps
#define GROUP         8           // of so many rows of tiles, as blocks are often numbered
#define UNIT_LEAST    32
#define UNIT_MOST     128
#define SLICE         16  // terms that a block adds together, at most
#define ASK_BREADTH   16  // other sizes, when LAUNCH_CONFIG is asked how long a tile is

// Sums as deep as when the kernel is timed: work of whole tiles, of which a product has few.
#define DEEP_WORK_MAX 17000000ull
#define DEEP_STEPS    12000000.0
#define DEEP_UNIT     8     // rows and columns are multiples, as most timed sizes are …
#define DEEP_FEW      2     // … either at most of so many units, which saves small tiles …
#define DEEP_FROM     5     // … and the other at least of so many: more than a warp
#define DEEP_LEAST    512   // terms; sums of fewer are in other cases
#define DEEP_USUAL    2048  // terms, if the kernel is timed at fewer
#define DEEP_SAMPLES  64    // outputs that are compared, if expected.c computes them

// Sizes at the constants of a kernel's file.
#define CONSTANT_LEAST  9
#define CONSTANT_CASES  24         // are drawn …
#define CONSTANT_STEPS  1500000.0  // … of which each takes no more than this, …
#define CONSTANT_TOTAL  4000000.0  // … and all of them no more than this
#define CONSTANT_BEYOND 16

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
    double floor;                 // … and for one with few terms
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

// The work of whole tiles, which is what blocks do, and of whole slices if a sum has several.
static uint64_t padded_work(const struct large_plan *plan, struct size size) {
    for (int d = 0; d < plan->rank; d++) {
        const int32_t tile = plan->is_wide[d] ? tile_of(plan) : smaller_of(tile_of(plan), SLICE);
        const bool is_padded = plan->is_wide[d] || size.at[d] > SLICE;
        size.at[d] = is_padded ? (size.at[d] + tile - 1) / tile * tile : size.at[d];
    }
    return signature_work(&plan->exercise->signature, size);
}

// The size with one term in each sum.
static struct size flat(const struct large_plan *plan, struct size size) {
    for (int d = 0; d < plan->rank; d++) {
        size.at[d] = plan->is_wide[d] ? size.at[d] : 1;
    }
    return size;
}

static bool is_shallow(const struct large_plan *plan, struct size size) {
    bool is = plan->rank > plan->wide;
    for (int d = 0; d < plan->rank; d++) {
        is = is && (plan->is_wide[d] || size.at[d] <= SHALLOW_MOST);
    }
    return is;
}

// The most steps for a unit of work, in the cases that have enough work to tell; and for one of
// flat sizes, in cases with few terms, since a block may do as much for one term as for several.
static void rate_learn(struct large_plan *plan, const struct passed_cases *passed) {
    uint64_t most = 0;
    uint64_t most_flat = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < passed->count; i++) {
            const struct size size = passed->planned[i].size;
            const bool is_flat = is_shallow(plan, size);
            const uint64_t work = is_flat ? 0 : padded_work(plan, size);
            const uint64_t flat_work = is_flat ? padded_work(plan, flat(plan, size)) : 0;
            if (pass == 0) {
                most = work > most ? work : most;
                most_flat = flat_work > most_flat ? flat_work : most_flat;
                continue;
            }
            const double steps = (double)passed->steps[i];
            if (work > 0 && work >= most / RATE_SHARE) {
                plan->rate = fmax(plan->rate, steps / (double)work);
            }
            if (flat_work > 0 && flat_work >= most_flat / RATE_SHARE) {
                plan->floor = fmax(plan->floor, steps / (double)flat_work);
            }
        }
    }
}

// The steps of whole tiles of this size, as far as the rates tell.
static double steps_expected(const struct large_plan *plan, struct size size) {
    return fmax(plan->rate * (double)padded_work(plan, size),
                plan->floor * (double)padded_work(plan, flat(plan, size)));
}

static bool is_affordable(const struct large_plan *plan, struct size size, double steps) {
    const struct signature *signature = &plan->exercise->signature;
    return signature_size_fits(signature, size) && signature_work(signature, size) <= WORK_MAX &&
           steps_expected(plan, size) <= steps;
}

static struct planned_case large_case(const struct large_plan *plan, struct size size,
                                      uint32_t samples) {
    struct planned_case planned = case_of(plan->exercise, plan->seed, INPUTS_EXACT, size);
    planned.samples = plan->exercise->signature.is_matmul ? 0 : samples;
    planned.is_large = true;
    return planned;
}

static void plan_add(struct large_plan *plan, struct size size) {
    for (int i = 0; i < plan->count; i++) {
        if (size_equal(plan->cases[i].size, size)) {
            return;
        }
    }
    plan->cases[plan->count++] = large_case(plan, size, 0);
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
    const int32_t edge = plan->wide == 1 ? 1 : LEAST_EDGE + 1;
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
            plan_add(plan, size);
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

// The least value of size d that has so many blocks; more than `most` if none has.
static enum status least_with_blocks(const struct large_plan *plan, struct size size, int d,
                                     int32_t most, uint64_t blocks, int32_t *ret_least,
                                     struct error *err) {
    struct asked_grid shape = {.is_valid = false};
    enum status status = STATUS_OK;
    int32_t low = 0;  // has fewer
    int32_t high = most + 1;
    while (high - low > 1 && !status) {
        size.at[d] = low + (high - low) / 2;
        status = launch_ask(plan, size, &shape, err);
        bool is_less = shape.is_valid && shape.blocks < blocks;
        low = is_less ? size.at[d] : low;
        high = is_less ? high : size.at[d];
    }
    *ret_least = high;
    return status;
}

// The length of a tile of the kernel in direction d, in which a long size is not whole.
static enum status unit_find(const struct large_plan *plan, int d, int32_t *ret_unit,
                             struct error *err) {
    struct size size = {.m = 0};
    int32_t least = 0;
    for (int i = 0; i < plan->rank; i++) {
        size.at[i] = smaller_of(ASK_BREADTH, plan->most.at[i]);
    }
    enum status status = least_with_blocks(
        plan, size, d, smaller_of(GROUP * UNIT_MOST + 1, plan->most.at[d]), GROUP + 1, &least, err);
    const int32_t tile = (least - 1) / GROUP;
    const bool is_known = tile >= UNIT_LEAST && tile <= UNIT_MOST && tile % ASK_BREADTH == 0;
    *ret_unit = is_known ? tile : larger_of(tile_of(plan), UNIT_LEAST);
    return status;
}

// How the end of a size fits tiles, and loads of 16 bytes.
enum ending { END_TILES, END_VECTORS, END_ODD };

// A size that begins so many tiles.
static int32_t tiles_draw(struct large_plan *plan, int32_t tiles, int32_t unit, enum ending end) {
    const int32_t vector = plan->exercise->precision == PRECISION_FP32 ? 4 : 8;
    int32_t rest = unit;
    if (end == END_VECTORS) {
        rest = vector * draw_between(plan, 1, unit / vector - 1);
    } else if (end == END_ODD) {
        rest = 1 + 2 * draw_between(plan, 0, unit / 2 - 1);
    }
    return (tiles - 1) * unit + rest;
}

// The size of a sum with few terms.
static int32_t terms_draw(struct large_plan *plan, enum ending end) {
    return end == END_ODD ? 1 + 2 * draw_between(plan, 0, SHALLOW_MOST / 2)
                          : 8 << draw_below(plan, 3);
}

// One case of plan_directions.
struct long_case {
    const int32_t *unit;  // of each size
    int along;            // the size that is longer than `length`
    int32_t length;
    int32_t breadth;  // the other one is larger than this
    int odd;          // the size that fits no tile and no load of 16 bytes, as all others do
    double steps;     // at most
};

// Begins an odd number of tiles in the long direction, so that a group of 2, 4, 8, … is not whole.
// A launch of many threads costs more than its work, as of a block for each short row.
static enum status plan_direction(struct large_plan *plan, const struct long_case *shape,
                                  bool *ret_planned, struct error *err) {
    struct asked_grid launch = {.is_valid = false};
    enum status status = STATUS_OK;
    *ret_planned = false;
    for (int try = 0; try < TRIES && !status && !*ret_planned; try++) {
        struct size size = {.m = 0};
        const enum ending others = draw_below(plan, 3) == 0 ? END_VECTORS : END_TILES;
        for (int d = 0; d < plan->rank; d++) {
            const int32_t unit = shape->unit[d];
            const int32_t least = d == shape->along ? shape->length : shape->breadth;
            const enum ending end = d == shape->odd ? END_ODD : others;
            int32_t tiles = (least + unit - 1) / unit + 1;
            if (d == shape->along) {
                tiles = larger_of(tiles, least >= LONG_LEAST ? GROUP : 1) | 1;
            }
            size.at[d] =
                plan->is_wide[d] ? tiles_draw(plan, tiles, unit, end) : terms_draw(plan, end);
            size.at[d] = smaller_of(size.at[d], plan->most.at[d]);
        }
        if (!is_affordable(plan, size, shape->steps)) {
            continue;
        }
        status = launch_ask(plan, size, &launch, err);
        if (!status && launch.is_valid && (double)launch.threads > THREADS_SHARE * shape->steps) {
            break;
        }
        if (!status) {
            plan_add(plan, size);
            *ret_planned = true;
        }
    }
    return status;
}

// The largest value of size d at which the kernel is timed, or a little less.
static int32_t timed_length_draw(struct large_plan *plan, int d) {
    int32_t longest = SHORT_LEAST;
    for (int i = 0; i < plan->exercise->timed_count; i++) {
        longest = larger_of(longest, plan->exercise->timed[i].size.at[d]);
    }
    return longest - (int32_t)draw_below(plan, (uint64_t)longest / 8 + 1);
}

// Matrices that are long in each direction: for each, a wide and a narrow one.  The wide one of
// the first direction has many elements, that of the other one two columns of tiles.  Another size
// is odd in each.  A product runs at timed sizes in parts.
static enum status plan_directions(struct large_plan *plan, struct error *err) {
    int32_t unit[SIZE_RANK_MAX] = {0};
    enum status status = STATUS_OK;
    bool is_planned = false;
    int side[2] = {0};
    struct size asked = {.m = 0};
    struct asked_grid launch = {.is_valid = false};
    for (int d = 0, sides = 0; d < plan->rank && !status; d++) {
        unit[d] = UNIT_LEAST;
        asked.at[d] = smaller_of(LONG_LEAST + 1, plan->most.at[d]);
        if (plan->is_wide[d]) {
            side[sides++] = d;
            status = unit_find(plan, d, &unit[d], err);
        }
    }
    const uint32_t first = draw_below(plan, 2);
    const int odd = (int)draw_below(plan, (uint64_t)plan->rank);
    status = status ? status : launch_ask(plan, asked, &launch, err);
    for (int i = 0; i < 2 && !status; i++) {
        struct long_case narrow = {.unit = unit,
                                   .along = side[i == 0 ? first : 1 - first],
                                   .odd = (odd + i + 1) % plan->rank,
                                   .steps = THIN_STEPS};
        struct long_case wide = narrow;
        wide.length = LONG_LEAST;
        wide.odd = (odd + i) % plan->rank;
        wide.breadth = i == 0 ? BYTE_EDGE : 1;
        wide.steps = i == 0 ? WIDE_STEPS : LONG_STEPS;
        const double most = i == 0 && launch.has_others ? WIDE_MOST : wide.steps;
        for (is_planned = false; !is_planned && wide.steps <= most && !status; wide.steps *= 1.4) {
            status = plan_direction(plan, &wide, &is_planned, err);
        }
        if (!status && !is_planned && i == 0) {
            wide.breadth = SHORT_EDGE;
            wide.steps = FEW_STEPS;
            status = plan_direction(plan, &wide, &is_planned, err);
        }
        narrow.length = plan->rank == plan->wide ? timed_length_draw(plan, narrow.along) : 0;
        do {
            narrow.length = larger_of(narrow.length, SHORT_LEAST);
            status = status ? status : plan_direction(plan, &narrow, &is_planned, err);
            narrow.length /= 2;
        } while (!status && !is_planned && narrow.length >= SHORT_LEAST);
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
        plan_add(plan, size);
    }
    return status;
}

// For each of the array's sizes, a case in which blocks take turns along it; if there is none, a
// case in which they take turns over all sizes together.
static enum status plan_stretched(struct large_plan *plan, struct error *err) {
    enum status status = STATUS_OK;
    bool takes_turns = false;
    bool any = false;
    uint32_t all = 0;
    for (int d = 0; d < plan->rank && !status; d++) {
        if (plan->is_wide[d]) {
            all |= 1u << d;
            status = plan_turns(plan, 1u << d, &takes_turns, err);
            any = any || takes_turns;
        }
    }
    return status || any || plan->wide < 2 ? status : plan_turns(plan, all, &takes_turns, err);
}

// Few sums, as deep as when a product is timed, or as deep as its blocks can be afforded.
static struct planned_case plan_deep(struct large_plan *plan) {
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
    return size.k < DEEP_LEAST ? (struct planned_case){.is_large = false}
                               : large_case(plan, size, DEEP_SAMPLES);
}

// A whole number without a sign; 0: another token, or a value that is no size.
static int32_t constant_of(const struct cpp_token *token) {
    char text[24];
    char digits[24];
    char *end = NULL;
    int count = 0;
    if (token->kind != CPP_NUMBER || token->bytes >= sizeof text) {
        return 0;
    }
    cpp_copy(token, text, sizeof text);
    for (const char *at = text; *at; at++) {
        if (*at != '\'') {
            digits[count++] = *at;
        }
    }
    digits[count] = '\0';
    const unsigned long value = strtoul(digits, &end, 0);
    const bool is_whole = end[strspn(end, "uUlL")] == '\0';
    return is_whole && value >= CONSTANT_LEAST && value <= INT32_MAX / 2 ? (int32_t)value : 0;
}

static bool has_constant(const char *text, int32_t value) {
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct cpp_token token;
    bool found = false;
    while (!found && cpp_next(&lexer, &token)) {
        found = constant_of(&token) == value;
    }
    return found;
}

struct constants constants_find(const char *text, const char *stub) {
    struct constants constants = {.count = 0};
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct cpp_token token;
    while (constants.count < CONSTANTS_MAX && cpp_next(&lexer, &token)) {
        const int32_t value = constant_of(&token);
        bool is_known = value == 0 || has_constant(stub, value);
        for (int i = 0; i < constants.count; i++) {
            is_known = is_known || constants.value[i] == value;
        }
        if (!is_known) {
            constants.value[constants.count++] = value;
        }
    }
    return constants;
}

// A value at a constant: just below, the same, or a little more.
static int32_t constant_draw(struct large_plan *plan, int32_t constant) {
    switch (draw_below(plan, 4)) {
    case 0:
        return constant - 1;
    case 1:
        return constant;
    case 2:
        return constant + 1;
    default:
        return constant + draw_between(plan, 2, CONSTANT_BEYOND);
    }
}

// One size at a constant, and each other one at a constant, too, or small.
static struct size constant_size(struct large_plan *plan, const struct constants *constants,
                                 int32_t constant, int at) {
    struct size size = {.m = 0};
    for (int d = 0; d < plan->rank; d++) {
        const uint32_t other = draw_below(plan, (uint64_t)constants->count);
        const uint32_t way = d == at ? 0 : draw_below(plan, 5) % 4;
        size.at[d] = way == 0   ? constant_draw(plan, d == at ? constant : constants->value[other])
                       : way == 1 ? 1
                     : way == 2 ? 8 * draw_between(plan, 1, 3)
                                : draw_between(plan, 2, 2 * ASK_BREADTH);
        size.at[d] = smaller_of(size.at[d], plan->most.at[d]);
    }
    return size;
}

// Sizes at the constants, and, of an exercise with one size, as many blocks as one of them says.
static enum status plan_constants(struct large_plan *plan, const struct constants *constants,
                                  struct error *err) {
    double left = CONSTANT_TOTAL;
    enum status status = STATUS_OK;
    for (int i = 0; i < CONSTANT_CASES && constants->count > 0 && !status; i++) {
        const int round = i / constants->count;
        const int at = round % plan->rank;
        const int32_t constant = constants->value[i % constants->count];
        struct size size = constant_size(plan, constants, constant, at);
        if (plan->rank == 1 && round == 0) {
            status = least_with_blocks(plan, size, 0, plan->most.m, (uint64_t)constant + 1, &size.m,
                                       err);
        }
        const bool fits = !status && size.m <= plan->most.m && constant <= plan->most.at[at];
        if (fits && is_affordable(plan, size, fmin(CONSTANT_STEPS, left))) {
            left -= steps_expected(plan, size);
            plan_add(plan, size);
        }
    }
    return status;
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
    struct asked_grid launch = {.is_valid = false};
    int32_t least = 0;
    if (plan.wide == 2) {
        status = plan_directions(&plan, err);
    } else if (plan.rank == 1) {
        const struct size size = {.m = smaller_of(READ_ELEMENTS, plan.most.m)};
        status = launch_ask(&plan, size, &launch, err);
    }
    if (!status && (passed->hands_over || launch.has_others) && plan.rank == 1) {
        status = least_with_blocks(&plan, (struct size){.m = 0}, 0, plan.most.m,
                                   passed->hands_over ? HANDED_BLOCKS : SUMMED_BLOCKS, &least, err);
    }
    const uint64_t handed =
        least > plan.most.m || plan.rank > 1 ? 0 : elements_at(&plan, (struct size){.m = least});
    if (handed > elements[0] && plan.wide == 1) {
        plan_elements(&plan, handed, FEW_STEPS);
    }
    for (size_t i = 0;
         i < COUNT(elements) && plan.wide > 0 && plan.wide != 2 && plan.count == before; i++) {
        plan_elements(&plan, elements[i], i == 2 ? FEW_STEPS : MANY_STEPS);
    }
    for (int i = before; i < plan.count; i++) {
        plan.cases[i].newest_first = passed->hands_over;
    }
    if (signature_multiplies(&exercise->signature)) {
        ret_cases->deep = plan_deep(&plan);
    }
    if (!status) {
        status = plan_constants(&plan, &passed->constants, err);
    }
    ret_cases->count = plan.count;
    return status;
}
