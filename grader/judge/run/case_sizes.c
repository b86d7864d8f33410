// Draws sizes: a table of sizes in terms of the tile, plus some from the seed, sorted by cost, so
// that the cheapest failing case comes first; and the size for counted speed that a seed selects.
#include "judge/run/case_sizes.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/basics.h"

#define LABEL_BYTES   (NAME_BYTES_MAX + SIZE_TEXT_MAX + 32)
#define FRESH_SIZES   4
#define FRESH_TRIES   64  // how often a drawn size that is too large is drawn again
#define FRESH_UNIT    8   // a multiple of this, or of this times a power of two
#define FRESH_UNITS   5
#define AGAIN_COST    50000  // multiply-adds: other orders of a case of this size cost some ms
#define OTHER_REALS   4    // cases of exercise.ini, the last ones, that are also run on real inputs
#define OTHER_SIZES   56   // room for at least this many is kept
#define SHORT_REALS   3    // real cases of at most a tile: of sums of few terms, the bound is small
#define SHORT_MAX     512  // the most of a size of a short case; of the next real one, a quarter
#define REAL_COST_MAX 131072  // multiply-adds of the real cases of drawn sizes
#define REAL_TERMS    17      // of a product at least, however large its C
#define COUNTED_EDGE  512.0   // edge of the counted size that fits the list of drawn sizes
#define COUNTED_UNIT  16
#define REAL_ELEMENTS 256  // the statistic for real inputs needs this many elements of C

// One dimension: tiles * tile + plus, at least 1.
struct dimension {
    int8_t tiles;
    int16_t plus;
};

struct planned_size {
    struct dimension m, n, k;
};

// Sizes around the tile in each dimension, with other values in the other dimensions; then sizes
// that need no tile.
static const struct planned_size planned[] = {
    {{0, 1}, {0, 1}, {0, 1}},     // one element
    {{0, 1}, {0, 1}, {1, 1}},     // one element, more than a tile of terms
    {{1, 1}, {1, -1}, {0, 1}},    // K = 1
    {{1, -1}, {1, -1}, {1, -1}},  // all just below the tile
    {{1, 0}, {1, 0}, {1, 0}},     // one tile
    {{1, 1}, {1, 1}, {1, 1}},     // all just above
    {{1, 0}, {1, 0}, {2, 0}},     // two tiles of terms
    {{1, 0}, {1, 0}, {1, -1}},    // only K is ragged
    {{1, 0}, {1, 0}, {2, 1}},    {{1, 1}, {1, 0}, {1, 0}},  // only M
    {{1, 0}, {1, 1}, {1, 0}},                               // only N
    {{2, -1}, {1, 1}, {2, 1}},                              // a mixture on both sides
    {{2, 1}, {2, -1}, {2, -1}},  {{2, 1}, {2, 1}, {1, 0}},
    {{0, 1}, {0, 97}, {0, 53}},   // one row, primes
    {{0, 97}, {0, 1}, {0, 53}},   // one column
    {{0, 3}, {0, 2}, {0, 211}},   // thin and long
    {{0, 37}, {0, 41}, {0, 43}},  // primes
    {{0, 52}, {0, 44}, {0, 36}},  // rows are a multiple of 16 bytes, but not of a tile
    {{0, 50}, {0, 46}, {0, 38}},  // of 8 bytes
    {{0, 64}, {0, 64}, {0, 64}},  // aligned square
};

#define BINADES_CASES 6                    // of a product
#define REALS_DRAWN   (3 + BINADES_CASES)  // two sizes, zeros, and many binades

// With real inputs: ragged, aligned, and many terms for few elements.
static const struct size real_sizes[] = {{33, 29, 31}, {64, 64, 64}, {17, 19, 257}};

_Static_assert(EXERCISE_CASES_MAX + (int)COUNT(planned) + FRESH_SIZES + (int)COUNT(real_sizes) +
                       REALS_DRAWN <=
                   CASES_MAX,
               "every planned case fits in the plan");

struct plan {
    const struct exercise *exercise;
    struct seed seed;
    uint64_t cost_max;
    int rank;          // of a size
    struct size most;  // maximum of each dimension; 0: any
    int count;
    uint32_t reals;   // cases with real inputs, which take the ranges of an array in turn …
    uint32_t ranges;  // … of which there are so many
    uint32_t scales;  // cases of a product with many binades, which take its scales in turn
    struct planned_case *cases;
};

struct planned_case case_of(const struct exercise *exercise, struct seed seed,
                            enum inputs_kind inputs, struct size size) {
    char label[LABEL_BYTES];
    char text[SIZE_TEXT_MAX];
    size_format(size, text);
    (void)snprintf(label, sizeof label, "%s/%s/%s", exercise->name, inputs_kind_name(inputs), text);
    struct random_key key = random_key_make(seed, label);
    const bool is_exact = inputs == INPUTS_EXACT || inputs == INPUTS_SPARSE;
    const bool narrow = is_exact && exercise->precision != PRECISION_FP32;
    return (struct planned_case){.size = size,
                                 .cost = signature_work(&exercise->signature, size),
                                 .inputs = inputs,
                                 .key = narrow ? exact_narrow(key) : key,
                                 .precision = exercise->precision};
}

// Adds a case unless it is already there or too large.
static void plan_add(struct plan *plan, struct size size, enum inputs_kind inputs) {
    const struct signature *signature = &plan->exercise->signature;
    if (signature_work(signature, size) > plan->cost_max || !signature_size_fits(signature, size)) {
        return;
    }
    const uint32_t range = inputs == INPUTS_REAL ? plan->reals % plan->ranges
                           : inputs == INPUTS_BINADES && signature->is_matmul
                               ? plan->scales % INPUTS_SCALES
                               : 0;
    for (int i = 0; i < plan->count; i++) {
        const struct planned_case *there = &plan->cases[i];
        if (there->inputs == inputs && size_equal(there->size, size) && there->range == range) {
            return;
        }
    }
    assert(plan->count < CASES_MAX);
    plan->cases[plan->count] = case_of(plan->exercise, plan->seed, inputs, size);
    plan->cases[plan->count++].range = range;
    plan->reals += inputs == INPUTS_REAL;
    plan->scales += inputs == INPUTS_BINADES;
}

static int32_t smaller_of(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int32_t dimension_of(struct dimension dimension, int32_t tile) {
    int32_t value = dimension.tiles * tile + dimension.plus;
    return value < 1 ? 1 : value;
}

// A drawn number up to `most`: a multiple of 8 to a tile, or odd.  A kernel that chooses a way by
// one size may rely on another there.
static int32_t fresh_dimension(struct random_key key, uint64_t index, int32_t tile, int32_t most,
                               bool is_multiple) {
    const int32_t value = 1 + (int32_t)random_below(key, 2 * index, (uint32_t)most);
    if (!is_multiple) {
        return value % 2 == 1 ? value : value - 1;
    }
    int32_t unit = FRESH_UNIT << random_below(key, 2 * index + 1, FRESH_UNITS);
    while (unit > FRESH_UNIT && (unit > tile || unit > most)) {
        unit /= 2;
    }
    return value <= unit ? smaller_of(unit, most) : value / unit * unit;
}

// Sizes that no kernel can be prepared for: each dimension up to three and a half tiles.  Of four,
// two are multiples in each dimension, and any two dimensions are so together, alone, and neither.
static void plan_fresh(struct plan *plan, int32_t tile) {
    static const uint32_t multiples[FRESH_SIZES] = {7, 1, 2, 4};  // a bit for each dimension
    char label[LABEL_BYTES];
    (void)snprintf(label, sizeof label, "%s/fresh sizes", plan->exercise->name);
    struct random_key key = random_key_make(plan->seed, label);
    const int32_t bound = 3 * tile + tile / 2;
    int wanted = plan->count + FRESH_SIZES;
    for (uint64_t try = 0; try < FRESH_TRIES && plan->count < wanted; try++) {
        struct size size = {.m = 0};
        uint64_t rank = (uint64_t)plan->rank;
        const uint32_t set = multiples[FRESH_SIZES - (wanted - plan->count)];
        for (uint64_t d = 0; d < rank; d++) {
            const int32_t most = plan->most.at[d] > 0 ? smaller_of(plan->most.at[d], bound) : bound;
            size.at[d] = fresh_dimension(key, rank * try + d, tile, most, set >> d & 1);
        }
        plan_add(plan, size, INPUTS_EXACT);
    }
}

static int compare_int(int32_t a, int32_t b) {
    return (a > b) - (a < b);
}

static int case_compare(const void *left, const void *right) {
    const struct planned_case *a = left;
    const struct planned_case *b = right;
    int order = (a->cost > b->cost) - (a->cost < b->cost);
    for (int i = 0; i < SIZE_RANK_MAX && !order; i++) {
        order = compare_int(a->size.at[i], b->size.at[i]);
    }
    return order ? order : compare_int((int32_t)a->inputs, (int32_t)b->inputs);
}

static int32_t tile_of(const struct exercise *exercise) {
    return exercise->tile > 0 ? exercise->tile : 16;
}

static struct random_key reals_key(const struct plan *plan) {
    char label[LABEL_BYTES];
    (void)snprintf(label, sizeof label, "%s/real sizes", plan->exercise->name);
    return random_key_make(plan->seed, label);
}

// A number of (low, high], or the most that size d may have if that is less.
static int32_t drawn_dimension(const struct plan *plan, uint64_t index, int d, int32_t low,
                               int32_t high) {
    int32_t value = low + 1 + (int32_t)random_below(reals_key(plan), index, (uint32_t)(high - low));
    return plan->most.at[d] > 0 && value > plan->most.at[d] ? plan->most.at[d] : value;
}

// Each size beyond a tile, up to four: drawn, or with `whole` a multiple of the tile, the last one
// four.  A kernel may go another way at any size, and do there what whole numbers do not show.
static void plan_real(struct plan *plan, int32_t tile, bool whole, enum inputs_kind inputs) {
    const bool is_product = signature_multiplies(&plan->exercise->signature);
    for (uint64_t try = 0; try < FRESH_TRIES; try++) {
        struct size size = {.m = 0};
        const uint64_t first = 1000 + (uint64_t)whole * 1000 + try * SIZE_RANK_MAX;
        for (int d = 0; d < plan->rank; d++) {
            const uint64_t index = first + (uint64_t)d;
            size.at[d] = !whole ? drawn_dimension(plan, index, d, tile, 4 * tile)
                         : d == plan->rank - 1
                             ? drawn_dimension(plan, index, d, 4 * tile - 1, 4 * tile)
                             : tile * drawn_dimension(plan, index, d, 1, 3);
        }
        if (is_product && (uint64_t)size.m * (uint64_t)size.n * (uint64_t)size.k > REAL_COST_MAX) {
            int32_t terms = REAL_COST_MAX / (size.m * size.n);
            size.k = terms < REAL_TERMS ? REAL_TERMS : whole ? terms / 4 * 4 : terms;
        }
        const int before = plan->count;
        if (signature_work(&plan->exercise->signature, size) <= 4 * REAL_COST_MAX) {
            plan_add(plan, size, inputs);
        }
        if (plan->count > before) {
            return;
        }
    }
}

// A size above `low`, and at most a tile, for inputs of this kind.
static void plan_short(struct plan *plan, int32_t low, int32_t tile, enum inputs_kind inputs,
                       uint64_t number) {
    struct size size = {.m = 0};
    const int32_t most = inputs == INPUTS_REAL ? SHORT_MAX >> (2 * number) : SHORT_MAX;
    for (int d = 0; d < plan->rank; d++) {
        size.at[d] = drawn_dimension(plan, SIZE_RANK_MAX * number + (uint64_t)d, d, low,
                                     tile < most ? tile : most);
    }
    if (inputs == INPUTS_BINADES && (size.m + (int32_t)number) % 2 == 0 && plan->most.m > 1) {
        size.m += size.m < 2 ? 1 : -1;  // one case has an even size, the other an odd one
    }
    plan_add(plan, size, inputs);
}

static void plan_all(struct plan *plan) {
    const struct exercise *exercise = plan->exercise;
    int32_t tile = tile_of(exercise);
    for (int i = 0; i < exercise->case_count; i++) {
        plan_add(plan, exercise->cases[i].size, INPUTS_EXACT);
    }
    for (int i = 0; i < (int)COUNT(planned); i++) {
        struct size size = {
            .m = dimension_of(planned[i].m, tile),
            .n = dimension_of(planned[i].n, tile),
            .k = dimension_of(planned[i].k, tile),
        };
        plan_add(plan, size, INPUTS_EXACT);
    }
    plan_fresh(plan, tile);
    for (int i = 0; i < (int)COUNT(real_sizes); i++) {
        assert(size_elements_c(real_sizes[i]) >= REAL_ELEMENTS);
        plan_add(plan, real_sizes[i], INPUTS_REAL);
    }
    plan_real(plan, tile, false, INPUTS_REAL);
    plan_real(plan, tile, true, INPUTS_REAL);
    plan_real(plan, tile, true, INPUTS_SPARSE);
    if (exercise->precision == PRECISION_FP32) {   // factors of fewer bits have fewer binades
        for (int i = 0; i < BINADES_CASES; i++) {  // some in whole tiles
            if (i % 3 == 1) {
                plan_real(plan, tile, true, INPUTS_BINADES);
            } else {
                plan_add(plan, real_sizes[0], INPUTS_BINADES);
            }
        }
    }
}

// Whole tiles of a product, and of others the largest case, so that blocks find zeros of others.
static void plan_sparse(struct plan *plan, int32_t tile) {
    const struct exercise *exercise = plan->exercise;
    struct size largest = exercise->cases[0].size;
    for (int i = 1; i < exercise->case_count; i++) {
        const uint64_t work = signature_work(&exercise->signature, exercise->cases[i].size);
        bool is_more = work > signature_work(&exercise->signature, largest);
        largest = is_more && work <= plan->cost_max ? exercise->cases[i].size : largest;
    }
    if (signature_multiplies(&exercise->signature)) {
        plan_real(plan, tile, true, INPUTS_SPARSE);
    } else {
        plan_add(plan, largest, INPUTS_SPARSE);
    }
}

// Sizes of a kernel that is not a matmul.  Only the author knows how large a size may be (the
// radius of a filter is not a length), so none is larger than the largest in [cases].
static void plan_other(struct plan *plan) {
    const struct exercise *exercise = plan->exercise;
    const int32_t tile = tile_of(exercise);
    const int32_t values[] = {
        1,        2,    3,        31,           32,       33,           97,
        tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1, 3 * tile + 5};
    const struct size base = exercise->cases[0].size;
    for (int i = 0; i < exercise->case_count; i++) {
        plan_add(plan, exercise->cases[i].size, INPUTS_EXACT);
        for (int d = 0; d < plan->rank; d++) {
            int32_t at = exercise->cases[i].size.at[d];
            plan->most.at[d] = at > plan->most.at[d] ? at : plan->most.at[d];
        }
    }
    for (size_t v = 0; v < COUNT(values); v++) {
        struct size all = plan->most;
        for (int d = 0; d < plan->rank; d++) {
            struct size one = base;
            one.at[d] = values[v];
            all.at[d] = values[v] < all.at[d] ? values[v] : all.at[d];
            if (plan->rank > 1 && values[v] <= plan->most.at[d] && plan->count < OTHER_SIZES) {
                plan_add(plan, one, INPUTS_EXACT);
            }
        }
        plan_add(plan, all, INPUTS_EXACT);
    }
    plan_fresh(plan, tile);
    for (int i = exercise->case_count - 1, reals = 0; i >= 0 && reals < OTHER_REALS; i--, reals++) {
        plan_add(plan, exercise->cases[i].size, INPUTS_REAL);
    }
    plan_real(plan, tile, false, INPUTS_REAL);
    plan_real(plan, tile, true, INPUTS_REAL);
    plan_sparse(plan, tile);
    for (uint64_t i = 0; i < SHORT_REALS; i++) {
        plan_short(plan, 0, tile, INPUTS_REAL, i);
    }
    plan_short(plan, 0, tile, INPUTS_BINADES, SHORT_REALS);
    plan_short(plan, 0, 4 * tile, INPUTS_BINADES, SHORT_REALS + 1);
    plan_short(plan, 0, 4 * tile, INPUTS_EQUAL, SHORT_REALS + 2);
    plan_short(plan, 2, 4 * tile, INPUTS_SPECIAL, SHORT_REALS + 3);
}

// A kernel may take another path at any size, so all cheap cases run again, and the largest one.
static void plan_again(struct plan *plan) {
    bool largest = true;
    for (int i = plan->count - 1; i >= 0; i--) {
        struct planned_case *exact = &plan->cases[i];
        if (exact->inputs == INPUTS_EXACT) {
            exact->again = largest || exact->cost <= AGAIN_COST;
            largest = false;
        }
    }
}

// Each call of a program is a process of its own, and its launches are checked as they are.
static void plan_once(struct plan *plan) {
    for (int i = 0; i < plan->count && plan->exercise->is_program; i++) {
        plan->cases[i].again = plan->cases[i].junk = false;
    }
}

// Chooses the smallest exact case with more than `tile` rows and columns, and so with several
// blocks.
static void plan_junk(struct plan *plan, int32_t tile) {
    for (int i = 0; i < plan->count; i++) {
        struct planned_case *exact = &plan->cases[i];
        bool several = exact->size.m > tile && (plan->rank < 3 || exact->size.n > tile);
        if (exact->inputs == INPUTS_EXACT && several) {
            exact->junk = true;
            return;
        }
    }
}

// Each other kind of inputs at one size.
static void plan_others(struct plan *plan, struct size size) {
    const struct exercise *exercise = plan->exercise;
    if (!exercise->signature.is_matmul) {
        plan_add(plan, size, INPUTS_BINADES);
        plan_add(plan, size, INPUTS_EQUAL);
        plan_add(plan, size, INPUTS_SPECIAL);
    } else if (exercise->precision == PRECISION_FP32) {
        const bool is_small = signature_work(&exercise->signature, size) <= 4 * REAL_COST_MAX;
        for (int i = 0; i < (is_small ? INPUTS_SCALES : 1); i++) {  // others have no such case
            plan_add(plan, size, INPUTS_BINADES);
        }
    }
    plan_add(plan, size, INPUTS_SPARSE);
}

// The ranges of the array that has most.
static uint32_t ranges_of(const struct signature *signature) {
    uint32_t most = 1;
    for (int i = 0; i < signature->parameter_count; i++) {
        const uint32_t ranges = 1 + (uint32_t)signature->parameter[i].draw.more_count;
        most = ranges > most ? ranges : most;
    }
    return most;
}

int cases_plan(const struct exercise *exercise, struct seed seed, const struct size *only,
               int only_count, uint64_t cost_max, struct planned_case ret_cases[CASES_MAX]) {
    struct plan plan = {.exercise = exercise,
                        .seed = seed,
                        .cost_max = cost_max,
                        .rank = exercise->signature.size_count,
                        .ranges = ranges_of(&exercise->signature),
                        .cases = ret_cases};
    if (only_count > 0) {
        plan.cost_max = UINT64_MAX;
        for (int i = 0; i < only_count; i++) {
            plan_add(&plan, only[i], INPUTS_EXACT);
            for (uint32_t range = 0; range < plan.ranges; range++) {
                plan_add(&plan, only[i], INPUTS_REAL);
            }
            plan_others(&plan, only[i]);
        }
        plan_again(&plan);
        plan_junk(&plan, 0);
        plan_once(&plan);
        for (int i = 0; i < plan.count; i++) {
            plan.cases[i].newest_first = true;  // as in a large case of this size
        }
        return plan.count;
    }
    if (exercise->signature.is_matmul) {
        plan_all(&plan);
    } else {
        plan_other(&plan);
    }
    qsort(plan.cases, (size_t)plan.count, sizeof *plan.cases, case_compare);
    plan_again(&plan);
    plan_junk(&plan, tile_of(exercise));
    plan_once(&plan);
    return plan.count;
}

// --- A size for counted speed --------------------------------------------------------------------

// A dimension for an exercise whose counted sizes have less work than COUNTED_EDGE^3.
static int scaled(int dimension, double edge) {
    int multiple = (int)(dimension * fmin(1.0, edge / COUNTED_EDGE)) / COUNTED_UNIT * COUNTED_UNIT;
    return multiple > COUNTED_UNIT ? multiple : COUNTED_UNIT;
}

// For a kernel that is not a matmul: the first counted size, with its large numbers reduced
// by at most half.
static struct size other_drawn_size(const struct exercise *exercise, int i) {
    struct size size = exercise->counted[0].size;
    for (int d = 0; d < size_rank(size); d++) {
        int32_t less =
            size.at[d] / (2 * COUNTED_DRAWN_SIZES) * (i + 1) / COUNTED_UNIT * COUNTED_UNIT;
        size.at[d] -= less;
    }
    return size;
}

void counted_drawn_sizes(const struct exercise *exercise,
                         struct size ret_sizes[COUNTED_DRAWN_SIZES]) {
    static const struct size sizes[COUNTED_DRAWN_SIZES] = {
        {384, 384, 384}, {384, 640, 256}, {640, 384, 256}, {256, 640, 384},
        {640, 256, 400}, {256, 768, 320}, {768, 256, 320}, {640, 640, 160},
        {384, 768, 224}, {768, 384, 224}, {256, 896, 288}, {896, 256, 288},
        {384, 896, 192}, {896, 384, 192}, {768, 768, 112}, {256, 384, 640}};
    double most = 0.0;
    for (int i = 0; i < exercise->counted_count; i++) {
        most = fmax(most, (double)size_multiply_adds(exercise->counted[i].size));
    }
    for (int i = 0; i < COUNTED_DRAWN_SIZES; i++) {
        if (!exercise->signature.is_matmul) {
            ret_sizes[i] = other_drawn_size(exercise, i);
            continue;
        }
        ret_sizes[i] = (struct size){scaled(sizes[i].m, cbrt(most)), scaled(sizes[i].n, cbrt(most)),
                                     scaled(sizes[i].k, cbrt(most))};
    }
}

struct exercise_speed counted_drawn(const struct exercise *exercise, struct seed seed) {
    struct size sizes[COUNTED_DRAWN_SIZES];
    char label[NAME_BYTES_MAX + 16];
    struct exercise_speed drawn = exercise->counted[0];
    counted_drawn_sizes(exercise, sizes);
    (void)snprintf(label, sizeof label, "%s/counted", exercise->name);
    drawn.size = sizes[random_key_make(seed_shared(seed), label).word[0] % COUNTED_DRAWN_SIZES];
    return drawn;
}
