// Where the pieces of a box are, in global and in shared memory.
#include "emu/tensor/tensor_box.h"

#include "suite.h"  // last: Check has a macro called fail

// 100 rows of 30 floats, 128 bytes apart; a box of 4 rows of 32.
static struct plan_tensor matrix(void) {
    return (struct plan_tensor){
        .type = 7, .rank = 2, .size = {30, 100}, .stride = {128}, .box = {32, 4}};
}

static void is_piece(struct box_piece piece, uint64_t shared, uint64_t offset, uint32_t inside) {
    ck_assert_uint_eq(piece.shared, shared);
    ck_assert_uint_eq(piece.offset, offset);
    ck_assert_uint_eq(piece.inside, inside);
}

// Row r of 8 pieces: piece p is where p XOR r is, as the Programming Guide draws it.
START_TEST(the_swizzle_of_128_bytes_mixes_eight_pieces) {
    for (uint64_t row = 0; row < 16; row++) {
        for (uint64_t piece = 0; piece < 8; piece++) {
            ck_assert_uint_eq(box_swizzle(4096 + row * 128 + piece * 16, 128),
                              4096 + row * 128 + (piece ^ row % 8) * 16);
        }
    }
}
END_TEST

// Rows of 64 bytes: two rows have the same pattern, which repeats after eight.
START_TEST(the_swizzle_of_64_bytes_mixes_four_pieces) {
    for (uint64_t row = 0; row < 16; row++) {
        for (uint64_t piece = 0; piece < 4; piece++) {
            ck_assert_uint_eq(box_swizzle(row * 64 + piece * 16, 64),
                              row * 64 + (piece ^ row / 2 % 4) * 16);
        }
    }
}
END_TEST

START_TEST(the_swizzle_of_32_bytes_mixes_two_pieces) {
    for (uint64_t row = 0; row < 16; row++) {
        for (uint64_t piece = 0; piece < 2; piece++) {
            ck_assert_uint_eq(box_swizzle(row * 32 + piece * 16, 32),
                              row * 32 + (piece ^ row / 4 % 2) * 16);
        }
    }
}
END_TEST

// What counts is the address: a box that begins 128 bytes later begins with another row's pattern.
START_TEST(the_swizzle_depends_on_the_address) {
    struct plan_tensor tensor = matrix();
    const int32_t at[TENSOR_RANK_MAX] = {0, 5};
    tensor.swizzle = 128;
    is_piece(box_piece(&tensor, at, 1024, 0), 1024, 5 * 128, 16);
    is_piece(box_piece(&tensor, at, 1024 + 128, 0), 1024 + 128 + 16, 5 * 128, 16);
    is_piece(box_piece(&tensor, at, 1024, 8), 1024 + 128 + 16, 6 * 128, 16);
}
END_TEST

START_TEST(the_pieces_of_a_box_follow_one_another) {
    struct plan_tensor tensor = matrix();
    const int32_t at[TENSOR_RANK_MAX] = {4, 7};
    ck_assert_uint_eq(box_bytes(&tensor), 512);
    is_piece(box_piece(&tensor, at, 0, 0), 0, 7 * 128 + 16, 16);
    is_piece(box_piece(&tensor, at, 0, 1), 16, 7 * 128 + 32, 16);
    is_piece(box_piece(&tensor, at, 0, 8), 128, 8 * 128 + 16, 16);
    is_piece(box_piece(&tensor, at, 0, 24), 384, 10 * 128 + 16, 16);
}
END_TEST

// Rows of 48 bytes with a swizzle of 64: seen on an H200.
START_TEST(rows_that_are_shorter_than_the_swizzle_have_gaps) {
    struct plan_tensor tensor = matrix();
    const int32_t at[TENSOR_RANK_MAX] = {0};
    const uint64_t places[6][3] = {{0, 16, 32},     {64, 80, 96},    {144, 128, 176},
                                   {208, 192, 240}, {288, 304, 256}, {352, 368, 320}};
    tensor.swizzle = 64;
    ck_assert(!box_has_gaps(&tensor));
    tensor.box[0] = 12;
    tensor.box[1] = 6;
    ck_assert(box_has_gaps(&tensor));
    ck_assert_uint_eq(box_bytes(&tensor), 6 * 48);
    for (uint32_t i = 0; i < 6 * 3; i++) {
        is_piece(box_piece(&tensor, at, 0, i), places[i / 3][i % 3], i / 3 * 128 + i % 3 * 16, 16);
    }
    tensor.swizzle = 0;
    ck_assert(!box_has_gaps(&tensor));
    is_piece(box_piece(&tensor, at, 0, 3), 48, 128, 16);
}
END_TEST

START_TEST(a_piece_may_be_inside_in_part) {
    struct plan_tensor tensor = matrix();
    const int32_t at[TENSOR_RANK_MAX] = {4, 0};
    is_piece(box_piece(&tensor, at, 0, 5), 5 * 16, 16 + 5 * 16, 16);  // floats 24 to 27
    is_piece(box_piece(&tensor, at, 0, 6), 6 * 16, 16 + 6 * 16, 8);   // 28 and 29, the last ones
    is_piece(box_piece(&tensor, at, 0, 7), 7 * 16, 0, 0);
}
END_TEST

START_TEST(coordinates_may_be_anywhere) {
    const struct {
        int32_t x, y;
        uint32_t number, inside;
    } cases[] = {{-4, 0, 0, 0},         {-4, 0, 1, 16},
                 {0, -1, 0, 0},         {0, -1, 8, 16},
                 {0, 99, 0, 16},        {0, 99, 8, 0},
                 {28, 0, 0, 8},         {32, 0, 0, 0},
                 {INT32_MIN, 0, 31, 0}, {INT32_MAX - 3, INT32_MAX, 31, 0},
                 {0, INT32_MIN, 0, 0},  {0, INT32_MAX, 31, 0}};
    struct plan_tensor tensor = matrix();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int32_t at[TENSOR_RANK_MAX] = {cases[i].x, cases[i].y};
        struct box_piece piece = box_piece(&tensor, at, 0, cases[i].number);
        ck_assert_msg(piece.inside == cases[i].inside, "case %zu: %u", i, piece.inside);
    }
}
END_TEST

// Rows of 8 bytes are no box, so bytes have boxes of 16 at least.
START_TEST(a_box_has_up_to_five_dimensions) {
    const struct plan_tensor tensor = {.type = 0,
                                       .rank = 5,
                                       .size = {16, 3, 5, 7, 2},
                                       .stride = {16, 48, 240, 1680},
                                       .box = {16, 1, 2, 3, 2}};
    const int32_t at[TENSOR_RANK_MAX] = {0, 2, 4, 5, 1};
    ck_assert_uint_eq(box_bytes(&tensor), 16 * 12);
    const uint64_t first = 2 * 16 + 4 * 48 + 5 * 240 + 1680;
    is_piece(box_piece(&tensor, at, 0, 0), 0, first, 16);
    is_piece(box_piece(&tensor, at, 0, 1), 16, 0, 0);  // 5 of 5 in the third dimension
    is_piece(box_piece(&tensor, at, 0, 2), 32, first + 240, 16);
    is_piece(box_piece(&tensor, at, 0, 4), 64, 0, 0);  // 7 of 7 in the fourth
    is_piece(box_piece(&tensor, at, 0, 6), 96, 0, 0);  // 2 of 2 in the fifth
}
END_TEST

START_TEST(the_largest_box_is_larger_than_any_array) {
    const struct plan_tensor tensor = {.type = 8, .rank = 5, .box = {256, 256, 256, 256, 256}};
    ck_assert_uint_eq(box_bytes(&tensor), 8ull << 40);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("box");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, the_swizzle_of_128_bytes_mixes_eight_pieces);
    tcase_add_test(tcase, the_swizzle_of_64_bytes_mixes_four_pieces);
    tcase_add_test(tcase, the_swizzle_of_32_bytes_mixes_two_pieces);
    tcase_add_test(tcase, the_swizzle_depends_on_the_address);
    tcase_add_test(tcase, the_pieces_of_a_box_follow_one_another);
    tcase_add_test(tcase, rows_that_are_shorter_than_the_swizzle_have_gaps);
    tcase_add_test(tcase, a_piece_may_be_inside_in_part);
    tcase_add_test(tcase, coordinates_may_be_anywhere);
    tcase_add_test(tcase, a_box_has_up_to_five_dimensions);
    tcase_add_test(tcase, the_largest_box_is_larger_than_any_array);
    suite_add_tcase(suite, tcase);
    return suite;
}
