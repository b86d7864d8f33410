// The tensor cores of the CPU device against those of a card: bits of products, and places of the
// elements of fragments.
#include <stdio.h>
#include <string.h>

#include "../gpu/tensor_cases.h"
#include "../gpu/tensor_h200.h"
#include "emu/memory/events.h"
#include "emu/tensor/tensor_cores.h"
#include "suite.h"  // last: Check has a macro called fail

// --- Products -----------------------------------------------------------------------------------

// A fragment's code, as fragment_decode takes it.
static uint32_t code_of(enum fragment_use use, enum fragment_type type, struct fragment_shape shape,
                        bool columns) {
    return (uint32_t)use | (uint32_t)type << 2 | (uint32_t)columns << 5 | shape.m << 6 |
           shape.n << 12 | shape.k << 18;
}

static const struct tensor_case {
    struct fragment_shape shape;
    enum fragment_type factor, c, d;
} cases[] = {
#define CASE(number, m, n, k, f, c, d)                                                             \
    [number] = {{m, n, k}, (enum fragment_type)f, (enum fragment_type)c, (enum fragment_type)d},
    TENSOR_CASES(CASE) TENSOR_MMA_CASES(CASE)
#undef CASE
};

static const uint64_t values[] = {
#define VALUE(number, hash) [number] = hash,
    TENSOR_VALUES(VALUE)
#undef VALUE
};

static void matrix_draw(uint32_t number, uint32_t product, uint32_t matrix, uint32_t count,
                        enum fragment_type type, uint32_t *bits) {
    for (uint32_t i = 0; i < count; i++) {
        bits[i] = tensor_input(number, product, matrix, i, (int)type);
    }
}

START_TEST(products_have_the_bits_of_a_card) {
    const struct tensor_case *c = &cases[_i];
    struct tensor_call call;
    uint32_t types = (uint32_t)c->c | (uint32_t)c->d << 3;
    ck_assert(tensor_call_decode(code_of(FRAGMENT_A, c->factor, c->shape, false), types, &call));
    const struct fragment_shape *shape = &c->shape;
    static struct tensor_operands operands;
    static uint32_t d[FRAGMENT_AREA_MAX];
    uint64_t hash = TENSOR_HASH_START;
    for (uint32_t product = 0; product < TENSOR_PRODUCTS; product++) {
        matrix_draw((uint32_t)_i, product, 0, shape->m * shape->k, c->factor, operands.a);
        matrix_draw((uint32_t)_i, product, 1, shape->k * shape->n, c->factor, operands.b);
        matrix_draw((uint32_t)_i, product, 2, shape->m * shape->n, c->c, operands.c);
        tensor_multiply(&call, &operands, d);
        for (uint32_t i = 0; i < shape->m * shape->n; i++) {
            hash = tensor_hash(hash, d[i]);
        }
    }
    ck_assert_msg(hash == values[_i], "case %d: 0x%016llx, a card 0x%016llx", _i,
                  (unsigned long long)hash, (unsigned long long)values[_i]);
}
END_TEST

START_TEST(integers_saturate_if_asked) {
    const struct fragment_shape shape = {16, 16, 16};
    struct tensor_call call;
    ck_assert(tensor_call_decode(code_of(FRAGMENT_A, FRAGMENT_S8, shape, false), T_INT | T_INT << 3,
                                 &call));
    static struct tensor_operands operands;
    static uint32_t d[FRAGMENT_AREA_MAX];
    operands.a[0] = 127;
    operands.b[0] = 127;
    operands.c[0] = INT32_MAX;
    tensor_multiply(&call, &operands, d);
    ck_assert_uint_eq(d[0], (uint32_t)INT32_MAX + 127 * 127);
    call.saturates = true;
    tensor_multiply(&call, &operands, d);
    ck_assert_uint_eq(d[0], INT32_MAX);
    operands.a[0] = (uint8_t)-128;
    operands.c[0] = (uint32_t)INT32_MIN;
    tensor_multiply(&call, &operands, d);
    ck_assert_uint_eq(d[0], (uint32_t)INT32_MIN);
}
END_TEST

// --- Fragments ----------------------------------------------------------------------------------

static const struct place_case {
    enum fragment_use use;
    enum fragment_type type;
    struct fragment_shape shape;
    uint64_t hash;
} places[] = {
#define PLACE(use, type, m, n, k, hash)                                                            \
    {(enum fragment_use)use, (enum fragment_type)type, {m, n, k}, hash},
    TENSOR_PLACES(PLACE)
#undef PLACE
};

static uint32_t place_code(const struct place_case *place, bool columns) {
    return code_of(place->use, place->type, place->shape, columns);
}

START_TEST(elements_are_where_a_card_has_them) {
    struct fragment fragment;
    uint64_t hash = TENSOR_HASH_START;
    ck_assert(fragment_decode(place_code(&places[_i], false), &fragment));
    for (uint32_t i = 0; i < WARP_LANES * FRAGMENT_ELEMENTS_MAX; i++) {
        uint32_t element = i % FRAGMENT_ELEMENTS_MAX;
        uint32_t row = 0, column = 0;
        if (element < fragment.elements) {
            fragment_place(&fragment, i / FRAGMENT_ELEMENTS_MAX, element, &row, &column);
        }
        hash = tensor_hash(hash, row * 64 + column);
    }
    ck_assert_msg(hash == places[_i].hash, "use %d, type %d, %ux%ux%u: another layout",
                  (int)fragment.use, (int)fragment.type, fragment.shape.m, fragment.shape.n,
                  fragment.shape.k);
}
END_TEST

// Loads and stores of all lanes together touch each element of the matrix, and nothing else.
START_TEST(parts_cover_the_matrix) {
    struct fragment fragment;
    for (int way = 0; way < 8; way++) {
        static uint8_t seen[64][64];
        bool columns = (way & 1) != 0;
        ck_assert(fragment_decode(place_code(&places[_i], columns), &fragment));
        uint32_t lines = columns ? fragment_columns(&fragment) : fragment_rows(&fragment);
        uint32_t length = columns ? fragment_rows(&fragment) : fragment_columns(&fragment);
        memset(seen, 0, sizeof seen);
        for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
            struct fragment_part parts[FRAGMENT_PARTS_MAX];
            uint32_t count = fragment_parts(&fragment, (way & 2) != 0, (way & 4) != 0, lane, parts);
            ck_assert_uint_le(count, FRAGMENT_PARTS_MAX);
            for (uint32_t i = 0; i < count; i++) {
                uint32_t elements = parts[i].bytes / fragment_element_bytes(&fragment);
                for (uint32_t at = 0; at < elements; at++) {
                    ck_assert_uint_lt(parts[i].line, lines);
                    ck_assert_uint_lt(parts[i].at + at, length);
                    seen[parts[i].line][parts[i].at + at] = 1;
                }
            }
        }
        for (uint32_t line = 0; line < lines; line++) {
            for (uint32_t at = 0; at < length; at++) {
                ck_assert_msg(seen[line][at], "way %d: %u, %u is never touched", way, line, at);
            }
        }
    }
}
END_TEST

START_TEST(what_cuda_lacks_is_refused) {
    struct fragment fragment;
    struct tensor_call call;
    const struct place_case deep = {FRAGMENT_A, FRAGMENT_TF32, {16, 16, 16}, 0};
    const struct place_case float_factor = {FRAGMENT_A, FRAGMENT_FLOAT, {16, 16, 16}, 0};
    const struct place_case halves = {FRAGMENT_A, FRAGMENT_HALF, {16, 16, 16}, 0};
    const struct place_case bytes = {FRAGMENT_A, FRAGMENT_S8, {16, 16, 16}, 0};
    ck_assert(!fragment_decode(place_code(&deep, false), &fragment));
    ck_assert(!fragment_decode(place_code(&float_factor, false), &fragment));
    ck_assert(!fragment_decode(UINT32_MAX, &fragment));
    ck_assert(tensor_call_decode(place_code(&halves, false), T_HALF | T_FLOAT << 3, &call));
    ck_assert(!tensor_call_decode(place_code(&halves, false), T_INT | T_INT << 3, &call));
    ck_assert(!tensor_call_decode(place_code(&bytes, false), T_FLOAT | T_FLOAT << 3, &call));
    ck_assert(!tensor_call_decode(UINT32_MAX, UINT32_MAX, &call));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("tensor");
    TCase *products = tcase_create("products");
    tcase_add_loop_test(products, products_have_the_bits_of_a_card, 0, TENSOR_CASE_COUNT);
    tcase_add_test(products, integers_saturate_if_asked);
    suite_add_tcase(suite, products);
    TCase *fragments = tcase_create("fragments");
    tcase_add_loop_test(fragments, elements_are_where_a_card_has_them, 0,
                        (int)(sizeof places / sizeof places[0]));
    tcase_add_loop_test(fragments, parts_cover_the_matrix, 0,
                        (int)(sizeof places / sizeof places[0]));
    tcase_add_test(fragments, what_cuda_lacks_is_refused);
    suite_add_tcase(suite, fragments);
    return suite;
}
