// Shrinking: the resulting size fails and is small, and finding it costs no more calls than
// allowed.
#include <string.h>

#include "judge/diagnose/diagnose.h"
#include "suite.h"

// A kernel that fails at the sizes that its function names, and counts the calls.
struct kernel {
    bool (*fails)(struct size size);
    int calls;
    uint64_t cost;  // of the last size that failed
    struct size seen[SHRINK_CALLS_LIMIT];
};

static bool run(void *context, struct size size) {
    struct kernel *kernel = context;
    for (int i = 0; i < kernel->calls; i++) {
        ck_assert_msg(memcmp(&kernel->seen[i], &size, sizeof size) != 0, "tried twice");
    }
    ck_assert(size.m >= 1 && size.n >= 1 && size.k >= 1);
    ck_assert_uint_lt(size_multiply_adds(size), kernel->cost);
    kernel->seen[kernel->calls++] = size;
    if (kernel->fails(size)) {
        kernel->cost = size_multiply_adds(size);
        return true;
    }
    return false;
}

static bool always(struct size size) {
    (void)size;
    return true;
}
static bool never(struct size size) {
    (void)size;
    return false;
}
static bool k_is_ragged(struct size size) {
    return size.k % 16 != 0;
}
static bool two_tiles_of_k(struct size size) {
    return size.k > 16;
}
static bool m_above_tile(struct size size) {
    return size.m > 16;
}
static bool n_beats_m(struct size size) {
    return size.n > size.m;
}
static bool two_tiles_each_way(struct size size) {
    return size.m > 16 && size.n > 16;
}
static bool k_is_23(struct size size) {
    return size.k == 23;
}
static bool above_40(struct size size) {
    return size.k > 40;
}

struct expectation {
    bool (*fails)(struct size size);
    struct size from, to;
};

static const struct expectation expectations[] = {
    {always, {67, 33, 129}, {1, 1, 1}},
    {never, {67, 33, 129}, {67, 33, 129}},  // the size given fails, whatever happens
    {k_is_ragged, {67, 33, 129}, {1, 1, 1}},
    {two_tiles_of_k, {67, 33, 129}, {1, 1, 17}},
    {m_above_tile, {67, 33, 129}, {17, 1, 1}},
    {n_beats_m, {33, 67, 129}, {1, 2, 1}},
    {two_tiles_each_way, {67, 33, 129}, {17, 17, 1}},
    {k_is_23, {30, 40, 23}, {1, 1, 23}},
    {always, {1, 1, 1}, {1, 1, 1}},
};

START_TEST(the_smallest_failing_size_is_found) {
    const struct expectation *expected = &expectations[_i];
    struct kernel kernel = {.fails = expected->fails, .cost = UINT64_MAX};
    struct size size = shrink_size(expected->from, 16, SHRINK_CALLS_DEFAULT, run, &kernel);
    ck_assert_msg(memcmp(&size, &expected->to, sizeof size) == 0, "%dx%dx%d after %d calls", size.m,
                  size.n, size.k, kernel.calls);
    ck_assert_int_le(kernel.calls, SHRINK_CALLS_DEFAULT);
}
END_TEST

START_TEST(a_size_between_the_candidates_comes_close) {
    struct kernel kernel = {.fails = above_40, .cost = UINT64_MAX};
    struct size size =
        shrink_size((struct size){67, 33, 129}, 16, SHRINK_CALLS_DEFAULT, run, &kernel);
    ck_assert_int_eq(size.m, 1);
    ck_assert_int_eq(size.n, 1);
    ck_assert_int_gt(size.k, 40);
    ck_assert_int_le(size.k, 48);
}
END_TEST

START_TEST(the_number_of_calls_is_kept) {
    for (int calls_max = 0; calls_max <= 12; calls_max++) {
        struct kernel kernel = {.fails = k_is_23, .cost = UINT64_MAX};
        struct size size = shrink_size((struct size){100, 100, 23}, 16, calls_max, run, &kernel);
        ck_assert_int_le(kernel.calls, calls_max);
        ck_assert_int_eq(size.k, 23);
    }
}
END_TEST

START_TEST(dimensions_are_kept_apart) {
    static const struct {
        struct size from, to;
    } rows[] = {
        {{1, 1, 1}, {2, 4, 6}},     {{17, 1, 1}, {17, 2, 4}}, {{1, 1, 17}, {2, 4, 17}},
        {{5, 4, 3}, {5, 7, 3}},     {{2, 1, 1}, {2, 4, 6}},   {{16, 16, 16}, {16, 18, 20}},
        {{1, 17, 17}, {2, 17, 19}}, {{2, 9, 5}, {2, 9, 5}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct size size = shrink_apart(rows[i].from);
        ck_assert_msg(memcmp(&size, &rows[i].to, sizeof size) == 0, "%dx%dx%d", size.m, size.n,
                      size.k);
    }
}
END_TEST

SUITE() {
    Suite *suite = suite_create("shrink");
    TCase *tests = tcase_create("shrink");
    tcase_add_loop_test(tests, the_smallest_failing_size_is_found, 0,
                        (int)(sizeof expectations / sizeof expectations[0]));
    tcase_add_test(tests, a_size_between_the_candidates_comes_close);
    tcase_add_test(tests, the_number_of_calls_is_kept);
    tcase_add_test(tests, dimensions_are_kept_apart);
    suite_add_tcase(suite, tests);
    return suite;
}
