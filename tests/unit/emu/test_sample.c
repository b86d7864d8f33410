// The sample of blocks that is checked in a launch that is counted, and orders of blocks.
#include "emu/memory/block_order.h"
#include "emu/wire/launch_plan.h"
#include "suite.h"

static const uint32_t grids[][3] = {{1, 1, 1}, {2, 1, 1},   {1, 3, 2},
                                    {4, 4, 1}, {32, 32, 1}, {7, 5, 3}};

START_TEST(corners_and_edges_are_in_every_sample) {
    const uint32_t *grid = grids[_i];
    uint64_t plane = (uint64_t)grid[0] * grid[1];
    for (uint64_t draw = 0; draw < 50; draw++) {
        struct sample sample = sample_of(draw, grid);
        bool last_column = false;
        bool last_row = false;
        ck_assert_uint_ge(sample.count, 1);
        ck_assert_uint_le(sample.count, SAMPLE_MAX);
        for (uint32_t i = 0; i < sample.count; i++) {
            ck_assert_uint_lt(sample.block[i], plane * grid[2]);
            last_column |= sample.block[i] % grid[0] == grid[0] - 1;
            last_row |= sample.block[i] % plane / grid[0] == grid[1] - 1;
        }
        ck_assert(last_column && last_row);
        ck_assert(sample_holds(&sample, 0) && sample_holds(&sample, plane * grid[2] - 1));
    }
}
END_TEST

START_TEST(every_block_is_in_some_sample_and_few_in_each) {
    const uint32_t grid[3] = {16, 8, 2};
    int held[256] = {0};
    for (uint64_t draw = 0; draw < 2000; draw++) {
        struct sample sample = sample_of(draw * 0x9e3779b97f4a7c15u, grid);
        ck_assert_uint_eq(sample.count, 16);
        for (uint64_t block = 0; block < 256; block++) {
            held[block] += sample_holds(&sample, block);
        }
    }
    for (int block = 1; block < 255; block++) {
        ck_assert_int_gt(held[block], 20);
        ck_assert_int_lt(held[block], 1000);
    }
}
END_TEST

START_TEST(a_part_has_the_last_block_and_none_twice) {
    const uint32_t *grid = grids[_i];
    const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    for (uint64_t draw = 0; draw < 50; draw++) {
        const struct sample one = part_of(draw, grid, 1);
        const struct sample part = part_of(draw, grid, 8);
        ck_assert_uint_eq(one.count, blocks > 1);
        ck_assert(blocks == 1 || one.block[0] == blocks - 1);
        ck_assert(blocks <= 8 ? part.count == 0 : part.block[0] == blocks - 1);
        ck_assert_uint_eq(part_of(draw, grid, UINT32_MAX).count, 0);
        for (uint32_t i = 0; i < part.count; i++) {
            const struct sample before = {.count = 1, .block = {part.block[i]}};
            ck_assert_uint_lt(part.block[i], blocks);
            for (uint32_t j = 0; j < i; j++) {
                ck_assert(!sample_holds(&before, part.block[j]));
            }
        }
        ck_assert(blocks < 100 || part.count == 8);
    }
}
END_TEST

START_TEST(without_a_sample_all_blocks_are_watched) {
    const struct sample none = {.count = 0};
    ck_assert(sample_holds(&none, 0) && sample_holds(&none, 12345));
}
END_TEST

// Counts the blocks that begin before the first one ends, if each hands something over once and
// goes on when this order says so.
static int begun_before_an_end(uint64_t order, int blocks) {
    int begun = 0;
    while (begun < blocks && order_pauses(order, (uint64_t)begun, 1)) {
        begun++;
    }
    return begun;
}

START_TEST(all_blocks_begin_and_the_newest_goes_on_first) {
    const struct turn turn = turn_of(ORDER_NEWEST, 100);
    ck_assert_uint_eq(turn.start, 0);
    ck_assert_uint_eq(turn.step, 1);
    ck_assert_int_eq(begun_before_an_end(ORDER_NEWEST, 1000), 1000);
    for (uint32_t count = 1; count < 100; count++) {
        ck_assert_uint_eq(order_resumes(ORDER_NEWEST, count, count), count - 1);
    }
}
END_TEST

START_TEST(drawn_orders_differ_in_blocks_that_pause_and_go_on) {
    int most = 0, least = 1000, first = 0, last = 0;
    for (uint64_t order = ORDER_NEWEST + 1; order < 200; order++) {
        int begun = begun_before_an_end(order, 1000);
        most = begun > most ? begun : most;
        least = begun < least ? begun : least;
        uint32_t place = order_resumes(order, 0, 10);
        ck_assert_uint_lt(place, 10);
        first += place == 0;
        last += place == 9;
    }
    ck_assert_int_ge(most, 64);
    ck_assert_int_eq(least, 0);
    ck_assert(first > 20 && last > 20 && first + last < 190);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("sample");
    TCase *cases = tcase_create("sample");
    tcase_add_loop_test(cases, corners_and_edges_are_in_every_sample, 0,
                        (int)(sizeof grids / sizeof *grids));
    tcase_add_loop_test(cases, a_part_has_the_last_block_and_none_twice, 0,
                        (int)(sizeof grids / sizeof grids[0]));
    tcase_add_test(cases, every_block_is_in_some_sample_and_few_in_each);
    tcase_add_test(cases, without_a_sample_all_blocks_are_watched);
    tcase_add_test(cases, all_blocks_begin_and_the_newest_goes_on_first);
    tcase_add_test(cases, drawn_orders_differ_in_blocks_that_pause_and_go_on);
    suite_add_tcase(suite, cases);
    return suite;
}
