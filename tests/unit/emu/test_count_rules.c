// What one warp instruction costs.
//
// The first table was read from Nsight Compute, pattern by pattern: tests/counters/patterns.h.
#include "emu/count/count_rules.h"

#include <stdbool.h>

#include "../counters/patterns.h"
#include "suite.h"

// --- What Nsight Compute says ------------------------------------------------

struct reading {
    const char *name;
    int kind;
    uint32_t bytes, base, keep, divide, modulo, stride, seed, mask;
    uint32_t requests, units, ideal;
};

#define READING(...) {__VA_ARGS__},
static const struct reading global_readings[] = {GLOBAL_PATTERNS(READING)};
static const struct reading shared_readings[] = {SHARED_PATTERNS(READING)};
#undef READING

// As offset_of in tests/counters/patterns.cu.
static void addresses_make(const struct reading *reading, uint32_t address[WARP_LANES]) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t i = lane & reading->keep;
        if (reading->seed != 0) {
            i = (i * 2654435761u + reading->seed * 40503u) * 2246822519u >> 16;
        }
        address[lane] = reading->base + i / reading->divide % reading->modulo * reading->stride;
    }
}

START_TEST(sectors_are_those_of_nsight_compute) {
    const struct reading *reading = &global_readings[_i];
    uint32_t address[WARP_LANES];
    addresses_make(reading, address);
    uint32_t sectors = reading->kind == LOAD || reading->kind == STORE
                           ? count_sectors(address, reading->mask)
                           : count_atomic_sectors(address, reading->mask);
    uint32_t touched = count_sectors(address, reading->mask);
    uint32_t ideal = count_ideal(reading->mask, reading->bytes, SECTOR_BYTES, touched);
    ck_assert_msg(sectors == reading->units, "%s: %u sectors, read %u", reading->name, sectors,
                  reading->units);
    ck_assert_msg(ideal == reading->ideal, "%s: ideal %u, read %u", reading->name, ideal,
                  reading->ideal);
}
END_TEST

START_TEST(wavefronts_are_those_of_nsight_compute) {
    const struct reading *reading = &shared_readings[_i];
    uint32_t address[WARP_LANES];
    uint32_t ideal = 0;
    addresses_make(reading, address);
    uint32_t wavefronts =
        reading->kind == LOAD ? count_wavefronts(address, reading->bytes, reading->mask, &ideal)
        : reading->kind == STORE
            ? count_store_wavefronts(address, reading->bytes, reading->mask, &ideal)
            : count_atomic_wavefronts(address, reading->bytes, reading->mask, &ideal);
    ck_assert_msg(wavefronts == reading->units, "%s: %u wavefronts, read %u", reading->name,
                  wavefronts, reading->units);
    ck_assert_msg(ideal == reading->ideal, "%s: ideal %u, read %u", reading->name, ideal,
                  reading->ideal);
}
END_TEST

// Near misses: what a load saves, a store does not, and what a store saves, an atomic does not.
START_TEST(loads_stores_and_atomics_of_one_pattern_differ) {
    uint32_t address[WARP_LANES];
    uint32_t ideal = 0;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        address[lane] = lane / 2 * 8;
    }
    ck_assert_uint_eq(count_wavefronts(address, 8, ALL, &ideal), 1);
    ck_assert_uint_eq(count_store_wavefronts(address, 8, ALL, &ideal), 2);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        address[lane] = 4;
    }
    ck_assert_uint_eq(count_store_wavefronts(address, 4, ALL, &ideal), 1);
    ck_assert_uint_eq(count_atomic_wavefronts(address, 4, ALL, &ideal), 32);
    ck_assert_uint_eq(count_sectors(address, ALL), 1);
    ck_assert_uint_eq(count_atomic_sectors(address, ALL), 32);
}
END_TEST

// --- Further patterns --------------------------------------------------------

// Lane i has the address base + i / divide % modulo * stride, in bytes.
struct pattern {
    const char *name;
    uint32_t bytes;
    uint32_t base;
    uint32_t divide;
    uint32_t modulo;
    uint32_t stride;
    uint32_t mask;
    uint32_t sectors;
    uint32_t wavefronts;
    uint32_t ideal;
};

static const struct pattern patterns[] = {
    // name                      bytes base div mod stride mask   sectors wavefronts ideal
    {"words in a row", 4, 0, 1, 32, 4, ALL, 4, 1, 1},
    {"words in a row, shifted", 4, 4, 1, 32, 4, ALL, 5, 1, 1},
    {"one word", 4, 64, 1, 1, 0, ALL, 1, 1, 1},
    {"two words of one bank", 4, 0, 16, 2, 128, ALL, 2, 2, 1},
    {"two words of two banks", 4, 0, 16, 2, 64, ALL, 2, 1, 1},
    {"every word twice", 4, 0, 2, 16, 4, ALL, 2, 1, 1},
    {"two rows of 16 words", 4, 0, 1, 16, 4, ALL, 2, 1, 1},
    {"stride 2", 4, 0, 1, 32, 8, ALL, 8, 2, 1},
    {"stride 3", 4, 0, 1, 32, 12, ALL, 12, 1, 1},
    {"stride 4", 4, 0, 1, 32, 16, ALL, 16, 4, 1},
    {"stride 8", 4, 0, 1, 32, 32, ALL, 32, 8, 1},
    {"stride 16", 4, 0, 1, 32, 64, ALL, 32, 16, 1},
    {"stride 17", 4, 0, 1, 32, 68, ALL, 32, 1, 1},
    {"stride 32: a column", 4, 0, 1, 32, 128, ALL, 32, 32, 1},
    {"stride 33: a padded column", 4, 0, 1, 32, 132, ALL, 32, 1, 1},
    {"half a warp in a row", 4, 0, 1, 32, 4, 0x0000ffffu, 2, 1, 1},
    {"one lane", 4, 12, 1, 32, 4, 0x00000100u, 1, 1, 1},
    {"every other lane", 4, 0, 1, 32, 4, 0x55555555u, 4, 1, 1},
    {"half words in a row", 2, 0, 1, 32, 2, ALL, 2, 1, 1},
    {"bytes in a row", 1, 0, 1, 32, 1, ALL, 1, 1, 1},
    {"8 bytes in a row", 8, 0, 1, 32, 8, ALL, 8, 2, 2},
    {"8 bytes, one place", 8, 32, 1, 1, 0, ALL, 1, 1, 1},
    {"8 bytes, pairs of lanes", 8, 0, 2, 16, 8, ALL, 4, 1, 1},
    {"8 bytes, halves at one place each", 8, 0, 16, 2, 128, ALL, 2, 2, 2},
    {"8 bytes, both halves the same row", 8, 0, 1, 16, 8, ALL, 4, 2, 2},
    {"8 bytes, stride 2", 8, 0, 1, 32, 16, ALL, 16, 4, 2},
    {"8 bytes, a column of 128 bytes", 8, 0, 1, 32, 128, ALL, 32, 32, 2},
    {"8 bytes, lower half alone", 8, 0, 1, 32, 8, 0x0000ffffu, 4, 1, 1},
    {"8 bytes, every other lane", 8, 0, 1, 32, 8, 0x55555555u, 8, 2, 1},
    {"16 bytes in a row", 16, 0, 1, 32, 16, ALL, 16, 4, 4},
    {"16 bytes, one place", 16, 0, 1, 1, 0, ALL, 1, 2, 2},
    {"16 bytes, pairs of lanes", 16, 0, 2, 16, 16, ALL, 8, 2, 2},
    {"16 bytes, four places of 8 lanes", 16, 0, 8, 4, 16, ALL, 2, 2, 2},
    {"16 bytes, all quarters the same row", 16, 0, 1, 8, 16, ALL, 4, 4, 4},
    {"16 bytes, stride 2", 16, 0, 1, 32, 32, ALL, 32, 8, 4},
    {"16 bytes, a column of 128 bytes", 16, 0, 1, 32, 128, ALL, 32, 32, 4},
    {"16 bytes, first quarter alone", 16, 0, 1, 32, 16, 0x000000ffu, 4, 1, 1},
    {"nobody", 4, 0, 1, 32, 4, 0, 0, 0, 0},
};

START_TEST(patterns_cost_what_the_rules_say) {
    const struct pattern *p = &patterns[_i];
    uint32_t address[WARP_LANES];
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        address[lane] = p->base + lane / p->divide % p->modulo * p->stride;
    }
    uint32_t ideal;
    ck_assert_msg(count_sectors(address, p->mask) == p->sectors, "%s: sectors", p->name);
    ck_assert_msg(count_wavefronts(address, p->bytes, p->mask, &ideal) == p->wavefronts,
                  "%s: wavefronts", p->name);
    ck_assert_msg(ideal == p->ideal, "%s: ideal", p->name);
}
END_TEST

START_TEST(word_strides_conflict_by_their_divisor_with_32) {
    uint32_t address[WARP_LANES];
    uint32_t divisor = (uint32_t)_i & (uint32_t)-_i;  // the largest power of two that divides it
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        address[lane] = lane * (uint32_t)_i * 4;
    }
    uint32_t ideal;
    ck_assert_uint_eq(count_wavefronts(address, 4, ALL, &ideal), divisor > 32 ? 32 : divisor);
    ck_assert_uint_eq(ideal, 1);
}
END_TEST

// Warps of a 16 x 16 block are two rows of it.
static uint32_t tile_wavefronts(uint32_t row_words, bool column) {
    uint32_t address[WARP_LANES];
    uint32_t ideal;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t x = lane % 16;
        uint32_t y = lane / 16;
        address[lane] = (column ? x * row_words + y : y * row_words + 3) * 4;
    }
    return count_wavefronts(address, 4, ALL, &ideal);
}

START_TEST(columns_of_a_tile_conflict_unless_padded) {
    ck_assert_uint_eq(tile_wavefronts(16, true), 8);
    ck_assert_uint_eq(tile_wavefronts(17, true), 2);
    ck_assert_uint_eq(tile_wavefronts(16, false), 1);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("count_rules");
    TCase *tcase = tcase_create("count_rules");
    tcase_add_loop_test(tcase, sectors_are_those_of_nsight_compute, 0, GLOBAL_COUNT);
    tcase_add_loop_test(tcase, wavefronts_are_those_of_nsight_compute, 0, SHARED_COUNT);
    tcase_add_test(tcase, loads_stores_and_atomics_of_one_pattern_differ);
    tcase_add_loop_test(tcase, patterns_cost_what_the_rules_say, 0,
                        (int)(sizeof patterns / sizeof patterns[0]));
    tcase_add_loop_test(tcase, word_strides_conflict_by_their_divisor_with_32, 1, 65);
    tcase_add_test(tcase, columns_of_a_tile_conflict_unless_padded);
    suite_add_tcase(suite, tcase);
    return suite;
}
