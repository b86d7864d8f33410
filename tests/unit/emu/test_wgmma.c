// Where wgmma finds its factors, and where its threads have sums and factors.
#include <string.h>

#include "../gpu/wgmma_cases.h"
#include "emu/check/wgmma.h"
#include "emu/tensor/tensor_cores.h"
#include "suite.h"  // last: Check has a macro called fail

static uint64_t descriptor(uint64_t start, uint64_t leading, uint64_t stride, uint64_t mode) {
    return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | mode << 62;
}

START_TEST(descriptor_has_fields_as_ptx_has) {
    struct wgmma_factor factor = wgmma_factor_of(0x1230ull >> 4 | 1ull << 16 | 64ull << 32 |
                                                 3ull << 49 | 1ull << 62 | 5ull << 52);
    ck_assert_uint_eq(factor.start, 0x1230);
    ck_assert_uint_eq(factor.leading, 16);
    ck_assert_uint_eq(factor.stride, 1024);
    ck_assert_uint_eq(factor.base, 3);
    ck_assert_uint_eq(factor.swizzle, 128);
    ck_assert_uint_eq(factor.array, 5);
    ck_assert_uint_eq(wgmma_factor_of(2ull << 62).swizzle, 64);
    ck_assert_uint_eq(wgmma_factor_of(3ull << 62).swizzle, 32);
    ck_assert_uint_eq(wgmma_factor_of(0).swizzle, 0);
}
END_TEST

// By hand, from the canonical layouts of PTX: ((8, m), (T, 2k)) along K, and for M and N as well.
static const struct piece_case {
    uint64_t start, leading, stride, mode;
    bool transposed;
    uint32_t i;
    uint64_t at;
} pieces[] = {
    // Along K: piece 2 * row + half.
    {0, 128, 256, 0, false, 2 * 1, 16},
    {0, 128, 256, 0, false, 2 * 1 + 1, 16 + 128},
    {0, 128, 256, 0, false, 2 * 9 + 1, 16 + 256 + 128},
    {0, 0, 256, 3, false, 2 * 3 + 1, 3 * 32 + 16},  // rows 0 to 3 are as they are …
    {0, 0, 256, 3, false, 2 * 5, 5 * 32 + 16},      // … and 4 to 7 change places
    {0, 0, 512, 2, false, 2 * 2, 2 * 64 + 16},
    {0, 0, 512, 2, false, 2 * 15 + 1, 512 + 7 * 64 + 32},
    {0, 0, 1024, 1, false, 2 * 1, 128 + 16},
    {0, 0, 1024, 1, false, 2 * 1 + 1, 128},
    {32, 0, 1024, 1, false, 2 * 3 + 1, 3 * 128 + 0},  // the next 32 bytes of K
    {0, 0, 1024, 1, false, 2 * 63 + 1, 7 * 1024 + 7 * 128 + 96},
    // Along M or N: piece 16 * (row / 8) + k.
    {0, 128, 256, 0, true, 3, 3 * 16},
    {0, 128, 256, 0, true, 9, 128 + 16},
    {0, 128, 256, 0, true, 16 * 2 + 1, 2 * 256 + 16},
    {0, 4096, 1024, 1, true, 1, 128 + 16},
    {0, 4096, 1024, 1, true, 16 * 3 + 8, 1024 + 48},
    {0, 4096, 1024, 1, true, 16 * 8 + 2, 4096 + 2 * 128 + 32},
    {0, 4096, 512, 2, true, 16 * 5 + 2, 4096 + 2 * 64 + 0},
    {0, 4096, 256, 3, true, 16 * 2 + 4, 4096 + 4 * 32 + 16},
};

START_TEST(pieces_are_where_ptx_has_them) {
    const struct piece_case *is = &pieces[_i];
    struct wgmma_factor factor =
        wgmma_factor_of(descriptor(is->start, is->leading, is->stride, is->mode));
    ck_assert_uint_eq(wgmma_piece(&factor, is->transposed, is->i), is->at);
}
END_TEST

START_TEST(pattern_may_begin_at_any_row_of_128_bytes) {
    uint64_t code = descriptor(3 * 128, 0, 1024, 1);
    struct wgmma_factor plain = wgmma_factor_of(code);
    struct wgmma_factor based = wgmma_factor_of(code | 3ull << 49);
    ck_assert_uint_eq(wgmma_piece(&plain, false, 0), 3 * 128 + 48);
    ck_assert_uint_eq(wgmma_piece(&based, false, 0), 3 * 128);
    ck_assert_uint_eq(wgmma_piece(&based, false, 2), 4 * 128 + 16);
}
END_TEST

START_TEST(what_there_is_not_is_refused) {
    struct wgmma_call call;
    ck_assert(wgmma_decode(256 | FRAGMENT_HALF << 9 | 7u << 13, &call));
    ck_assert_uint_eq(call.k, 16);
    ck_assert(call.transposed[0] && call.transposed[1] && call.adds && !call.a_in_registers);
    ck_assert(wgmma_decode(8 | FRAGMENT_TF32 << 9 | 1u << 12, &call));
    ck_assert_uint_eq(call.k, 8);
    ck_assert(!wgmma_decode(8 | FRAGMENT_TF32 << 9 | 1u << 14, &call));  // only along K
    ck_assert(!wgmma_decode(8 | 1u << 12 | 1u << 13, &call));            // registers have one order
    ck_assert(!wgmma_decode(8 | FRAGMENT_S8 << 9, &call));
    ck_assert(!wgmma_decode(0, &call));
    ck_assert(!wgmma_decode(12, &call));
    ck_assert(!wgmma_decode(264, &call));
    ck_assert(!wgmma_decode(8 | 1u << 16, &call));
}
END_TEST

// Every sum, and every element of A in registers, is in one place of one lane.
START_TEST(lanes_hold_all_elements_once) {
    struct wgmma_call call;
    unsigned char sums[WGMMA_M * 32] = {0};
    unsigned char factors[WGMMA_M * WGMMA_K_MAX] = {0};
    ck_assert(wgmma_decode(32 | (uint32_t)_i << 9, &call));
    uint32_t each = call.k / 8;
    for (uint32_t thread = 0; thread < WARPGROUP_THREADS; thread++) {
        for (uint32_t i = 0; i < 16; i++) {
            sums[wgmma_place_of_sum(&call, thread / 32, thread % 32, i)]++;
        }
        for (uint32_t i = 0; i < 4 * each; i++) {
            factors[wgmma_place_of_factor(&call, thread / 32, thread % 32, i / each, i % each)]++;
        }
    }
    for (uint32_t i = 0; i < sizeof sums; i++) {
        ck_assert_uint_eq(sums[i], 1);
    }
    for (uint32_t i = 0; i < WGMMA_M * call.k; i++) {
        ck_assert_uint_eq(factors[i], 1);
    }
    // Warp 1, lane 6: row 16 + 1 + 8, columns 8 + 4 and 5.
    ck_assert_uint_eq(wgmma_place_of_sum(&call, 1, 6, 6), 25 * 32 + 12);
    ck_assert_uint_eq(wgmma_place_of_factor(&call, 1, 6, 3, each - 1),
                      25 * call.k + (each == 2 ? 8 + 4 + 1 : 4 + 2));
}
END_TEST

START_TEST(tf32_factors_lose_13_bits_and_old_sums_may_be_ignored) {
    static uint32_t a[WGMMA_M * WGMMA_K_MAX], b[WGMMA_N_MAX * WGMMA_K_MAX], d[WGMMA_M * 8];
    struct wgmma_call call;
    a[0] = 0x3f800fff;  // 1 and 12 bits that are cut
    b[0] = 0x40001fff;  // 2 and 13
    d[0] = 0x3f800000;
    ck_assert(wgmma_decode(8 | FRAGMENT_TF32 << 9 | 1u << 15, &call));
    wgmma_multiply(&call, a, b, d);
    ck_assert_uint_eq(d[0], 0x40400000);
    call.adds = false;
    d[1] = 0x7fc00000;
    wgmma_multiply(&call, a, b, d);
    ck_assert_uint_eq(d[0], 0x40000000);
    ck_assert_uint_eq(d[1], 0);
}
END_TEST

static const struct value_case {
    uint32_t number, k, type;
    uint64_t hash;
} values[] = {
#define VALUE(number, k, type, hash) {number, k, type, hash},
    WGMMA_CASES(VALUE)
#undef VALUE
};

// As tests/gpu/wgmma_values.cu compares it with a card.
START_TEST(drawn_products_have_the_same_bits_as_ever) {
    static uint32_t a[WGMMA_M * WGMMA_K_MAX], b[WGMMA_N * WGMMA_K_MAX], d[WGMMA_M * WGMMA_N];
    const struct value_case *is = &values[_i];
    uint64_t hash = TENSOR_HASH_START;
    struct wgmma_call call;
    ck_assert(wgmma_decode(WGMMA_N | is->type << 9 | 1u << 15, &call));
    ck_assert_uint_eq(call.k, is->k);
    for (uint32_t product = 0; product < TENSOR_PRODUCTS; product++) {
        for (uint32_t i = 0; i < WGMMA_M * is->k; i++) {
            a[i] = tensor_input(is->number, product, 0, i, (int)is->type);
        }
        for (uint32_t i = 0; i < WGMMA_N * is->k; i++) {
            b[i] = tensor_input(is->number, product, 1, i, (int)is->type);
        }
        for (uint32_t i = 0; i < WGMMA_M * WGMMA_N; i++) {
            d[i] = tensor_input(is->number, product, 2, i, T_FLOAT);
        }
        wgmma_multiply(&call, a, b, d);
        for (uint32_t i = 0; i < WGMMA_M * WGMMA_N; i++) {
            hash = tensor_hash(hash, d[i]);
        }
    }
    ck_assert_msg(hash == is->hash, "%u: 0x%016llxull", is->number, (unsigned long long)hash);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("wgmma");
    TCase *tests = tcase_create("layouts");
    tcase_add_test(tests, descriptor_has_fields_as_ptx_has);
    tcase_add_loop_test(tests, pieces_are_where_ptx_has_them, 0,
                        (int)(sizeof pieces / sizeof pieces[0]));
    tcase_add_test(tests, pattern_may_begin_at_any_row_of_128_bytes);
    tcase_add_test(tests, what_there_is_not_is_refused);
    tcase_add_loop_test(tests, lanes_hold_all_elements_once, FRAGMENT_HALF, FRAGMENT_TF32 + 1);
    tcase_add_test(tests, tf32_factors_lose_13_bits_and_old_sums_may_be_ignored);
    tcase_add_loop_test(tests, drawn_products_have_the_same_bits_as_ever, 0,
                        (int)(sizeof values / sizeof values[0]));
    suite_add_tcase(suite, tests);
    return suite;
}
