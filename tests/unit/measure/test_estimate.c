// Cards, occupancy, and the estimate against timings on an H200.
#include "measure/estimate.h"

#include <math.h>
#include <string.h>

#include "estimate_data.h"
#include "measure/growth.h"
#include "suite.h"  // last: Check has a macro called fail

#define ROW_COUNT ((int)(sizeof estimate_rows / sizeof *estimate_rows))

static const struct card *card_of(const char *name) {
    const struct card *card = NULL;
    ck_assert_int_eq(card_find(name, &card, NULL), STATUS_OK);
    return card;
}

static struct estimate estimate_of(const struct estimate_row *row, const char *card) {
    const struct estimate_request request = {.card = card_of(card),
                                             .size = {4096, 4096, 4096},
                                             .counted_size = {256, 256, 256},
                                             .counts = &row->counts,
                                             .registers = row->registers,
                                             .shared_bytes = row->shared_bytes};
    struct estimate estimate;
    ck_assert(estimate_make(&request, &estimate));
    return estimate;
}

static const struct estimate_row *row_of(const char *name) {
    for (int i = 0; i < ROW_COUNT; i++) {
        if (strcmp(estimate_rows[i].name, name) == 0) {
            return &estimate_rows[i];
        }
    }
    ck_abort_msg("no row %s", name);
    return NULL;
}

// --- Kernels that are not matmuls ------------------------------------------

// z = x + y for 65536 elements, in blocks of 128 threads that add four elements each.
START_TEST(a_kernel_without_multiply_adds_is_bound_by_memory) {
    const double elements = 65536;
    const double grown = 134217728;
    const uint64_t warps = 65536 / 32;
    const struct counts counts = {.blocks = 128,
                                  .threads = 128 * 128,
                                  .global_load_requests = 2 * warps,
                                  .global_load_sectors = 8 * warps,
                                  .global_load_wavefronts = 2 * warps,
                                  .global_store_requests = warps,
                                  .global_store_sectors = 4 * warps,
                                  .global_store_wavefronts = warps};
    struct estimate_request request = {.card = card_of("H200"),
                                       .size = {.at = {(int)grown}},
                                       .counted_size = {.at = {(int)elements}},
                                       .counts = &counts,
                                       .registers = 16,
                                       .growth = grown / elements,
                                       .flop = grown,
                                       .bytes = 12 * grown};
    struct estimate estimate;
    ck_assert(estimate_make(&request, &estimate));
    double least_ms = request.bytes / (card_of("H200")->memory_gb_s * 1e6);
    ck_assert_int_eq(estimate.bound, BOUND_MEMORY);
    ck_assert_double_gt(estimate.ms, least_ms);
    ck_assert_double_lt(estimate.ms, 1.5 * least_ms);
    ck_assert_double_eq_tol(estimate.gflops, grown / (estimate.ms * 1e6), 1e-6);
    request.flop = 0;  // a copy
    ck_assert(estimate_make(&request, &estimate));
    ck_assert_double_eq(estimate.gflops, 0);
    request.bytes = 0;  // not stated: what is asked for
    ck_assert(estimate_make(&request, &estimate));
    ck_assert_double_gt(estimate.ms, least_ms);
}
END_TEST

// A sum of 2^28 elements: in 528 blocks of 512 threads that load 16 bytes each.
static double sum_ms(struct counts *counts, double loads_at_once, uint64_t blocks) {
    const struct estimate_request request = {.card = card_of("H200"),
                                             .counts = counts,
                                             .growth = 1,
                                             .flop = 1u << 28,
                                             .bytes = 4.0 * (1u << 28),
                                             .blocks = blocks,
                                             .block_threads = 512,
                                             .loads_at_once = loads_at_once};
    struct estimate estimate;
    ck_assert(estimate_make(&request, &estimate));
    return estimate.ms;
}

static struct counts counts_of_sum(void) {
    const uint64_t loads = (1u << 28) / 128;
    return (struct counts){.blocks = 528,
                           .threads = 528 * 512,
                           .global_load_requests = loads,
                           .global_load_sectors = 16 * loads,
                           .global_load_bytes = 512 * loads,
                           .global_load_wavefronts = 4 * loads};
}

START_TEST(few_warps_wait_for_memory) {
    struct counts counts = counts_of_sum();
    const double least = 4.0 * (1u << 28) / (card_of("H200")->memory_gb_s * 1e6);
    ck_assert_double_gt(sum_ms(&counts, 4, 528), least);
    ck_assert_double_lt(sum_ms(&counts, 4, 528), 1.3 * least);
    ck_assert_double_lt(sum_ms(&counts, 1, 528), 1.4 * least);  // 64 warps with 512 bytes each
    ck_assert_double_gt(sum_ms(&counts, 1, 33), 6 * least);     // a quarter of the SMs
    ck_assert_double_eq(sum_ms(&counts, 0, 528), sum_ms(&counts, INFINITY, 528));
    counts.global_load_requests *= 4;  // words: a quarter of the bytes under way
    ck_assert_double_gt(sum_ms(&counts, 1, 528), 1.5 * least);
}
END_TEST

START_TEST(atomic_operations_on_one_address_take_turns) {
    struct counts counts = counts_of_sum();
    const double before = sum_ms(&counts, 4, 528);
    counts.global_atomic_requests = counts.global_atomic_sectors = 528;
    ck_assert_double_lt(sum_ms(&counts, 4, 528), 1.01 * before);
    counts.global_atomic_requests = counts.global_atomic_sectors = 1u << 23;
    ck_assert_double_gt(sum_ms(&counts, 4, 528), 50 * before);
}
END_TEST

START_TEST(stores_of_parts_of_sectors_cost_more) {
    struct counts counts = counts_of_sum();
    counts.global_store_requests = 1u << 23;
    counts.global_store_bytes = 128ull << 23;
    counts.global_store_sectors = 4u << 23;
    const double whole = sum_ms(&counts, 4, 528);
    counts.global_store_sectors = 32ull << 23;  // each lane in a sector of its own
    ck_assert_double_gt(sum_ms(&counts, 4, 528), 3 * whole);
}
END_TEST

// --- Growth ------------------------------------------------------------------

// 5 loads for each element of work, and 7 of each block.
static struct counts counts_of(uint64_t work, uint64_t blocks) {
    return (struct counts){.blocks = blocks,
                           .threads = 256 * blocks,
                           .global_load_requests = 5 * work + 7 * blocks,
                           .shared_store_requests = 3 * blocks,
                           .block_passes_max = 2 * work / blocks + 11};
}

START_TEST(counts_grow_with_work_and_blocks) {
    const struct counts small = counts_of(512, 32);
    const struct counts large = counts_of(8192, 64);
    const struct counts wanted = counts_of(1u << 20, 128);
    struct counts grown;
    counts_grow((struct counted_work){&small, 512, 32}, (struct counted_work){&large, 8192, 64},
                1u << 20, 128, &grown);
    ck_assert_mem_eq(&grown, &wanted, sizeof grown);
}
END_TEST

START_TEST(no_part_of_a_count_is_below_0) {
    struct counts small = counts_of(512, 32);
    struct counts large = counts_of(8192, 64);
    struct counts grown;
    small.shared_store_requests = 0;  // none of it is of each block …
    large.shared_store_requests = 8192;
    small.global_load_requests = 1u << 20;  // … and all of this
    large.global_load_requests = 64;
    counts_grow((struct counted_work){&small, 512, 32}, (struct counted_work){&large, 8192, 64},
                1u << 20, 128, &grown);
    ck_assert_uint_eq(grown.shared_store_requests, 1u << 20);
    ck_assert_uint_eq(grown.global_load_requests, 128);
    // Blocks that do as much work each tell nothing: all grows.
    large = counts_of(8192, 512);
    counts_grow((struct counted_work){&small, 512, 32}, (struct counted_work){&large, 8192, 512},
                1u << 20, 1024, &grown);
    ck_assert_uint_eq(grown.shared_store_requests, 3ull * 512 * 128);
}
END_TEST

// --- Cards -------------------------------------------------------------------

START_TEST(a_card_is_found_however_it_is_written) {
    ck_assert_ptr_eq(card_of("rtx3060"), card_of("RTX 3060"));
    ck_assert_ptr_eq(card_of("RTX-3060"), card_of("RTX 3060"));
    ck_assert_ptr_eq(card_of("h100_sxm"), card_of("H100 SXM"));
    ck_assert_str_eq(card_of(CARD_DEFAULT)->name, "H200");
}
END_TEST

START_TEST(an_unknown_card_is_refused_with_the_names_that_there_are) {
    const struct card *card = NULL;
    struct error err = {.text = ""};
    ck_assert_int_eq(card_find("RTX 306", &card, &err), STATUS_BAD_USAGE);
    ck_assert_ptr_null(card);
    ck_assert_ptr_nonnull(strstr(err.text, "there is no card 'RTX 306' in the table; it has "));
    ck_assert_ptr_nonnull(strstr(err.text, "GTX 1650"));
    ck_assert_ptr_nonnull(strstr(err.text, "H200"));
}
END_TEST

// Peak TFLOPS as NVIDIA's data sheets print them, to 2 %.
START_TEST(a_gpu_is_a_card_only_with_all_its_multiprocessors) {
    const struct card *card = card_of_gpu("NVIDIA GeForce RTX 3060", 28);
    ck_assert_ptr_nonnull(card);
    ck_assert_str_eq(card->name, "RTX 3060");
    ck_assert_str_eq(card_of_gpu("NVIDIA A100-SXM4-80GB", 108)->name, "A100");
    ck_assert_ptr_null(card_of_gpu("NVIDIA GeForce RTX 3060", 30));  // the laptop's GPU
    ck_assert_ptr_null(card_of_gpu("NVIDIA L40", 58));               // not an L4
    ck_assert_ptr_null(card_of_gpu("NVIDIA H200 MIG 1g.18gb", 16));  // a part of an H200
    ck_assert_ptr_null(card_of_gpu("", 0));
}
END_TEST

START_TEST(clock_and_units_give_the_peak_of_the_data_sheet) {
    static const struct {
        const char *name;
        double tflops;
    } peaks[] = {{"T4", 8.1},        {"RTX 2080", 10.1}, {"RTX 3060", 12.7},
                 {"RTX 3090", 35.6}, {"RTX 4090", 82.6}, {"L4", 30.3},
                 {"A100", 19.5},     {"H100 SXM", 67.0}, {"H200", 67.0}};
    for (size_t i = 0; i < sizeof peaks / sizeof *peaks; i++) {
        const struct card *card = card_of(peaks[i].name);
        double tflops = 2e-6 * card->multiprocessor->fma_per_clock * card->multiprocessors *
                        (double)card->clock_mhz;
        ck_assert_msg(fabs(tflops / peaks[i].tflops - 1) < 0.02, "%s: %g", card->name, tflops);
    }
}
END_TEST

START_TEST(every_card_has_a_source_and_possible_figures) {
    for (int i = 0; i < cards_count(); i++) {
        const struct card *card = card_at(i);
        const struct multiprocessor *one = card->multiprocessor;
        ck_assert_uint_gt(strlen(card->source), 10);
        ck_assert(one->threads_max % 32 == 0 && one->shared_block_bytes_max <= one->shared_bytes);
        ck_assert(card->memory_gb_s > 100 && card->l2_bytes_per_clock > 0 && card->l2_kib > 0);
        ck_assert_ptr_eq(card_of(card->name), card);
    }
    ck_assert_ptr_null(card_at(-1));
    ck_assert_ptr_null(card_at(cards_count()));
}
END_TEST

// --- Occupancy ---------------------------------------------------------------

// As Nsight Compute and cuOccupancyMaxActiveBlocksPerMultiprocessor report it for these kernels.
START_TEST(occupancy_is_that_of_nvidias_calculator) {
    static const struct {
        const char *card;
        struct occupancy_need need;
        int blocks;
        enum occupancy_limit limit;
    } rows[] = {
        {"H200", {256, 59, 8192}, 4, OCCUPANCY_REGISTERS},  // 64 registers: 16384 a block
        {"H200", {256, 65, 8192}, 3, OCCUPANCY_REGISTERS},  // 72
        {"H200", {64, 95, 8192}, 10, OCCUPANCY_REGISTERS},  // 96: 20 warps
        {"H200", {256, 32, 0}, 8, OCCUPANCY_THREADS},
        {"H200", {64, 32, 512}, 32, OCCUPANCY_THREADS},
        {"H200", {32, 32, 0}, 32, OCCUPANCY_BLOCKS},
        {"RTX 3060", {1024, 32, 8192}, 1, OCCUPANCY_THREADS},  // 1536 threads hold no second
        {"RTX 3060", {64, 0, 49152}, 2, OCCUPANCY_SHARED},     // 49 KiB of 100
        {"T4", {256, 0, 2048}, 4, OCCUPANCY_THREADS},
        {"T4", {64, 0, 65536}, 1, OCCUPANCY_SHARED},
        {"T4", {64, 0, 65537}, 0, OCCUPANCY_SHARED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct occupancy got = occupancy_of(card_of(rows[i].card)->multiprocessor, &rows[i].need);
        ck_assert_msg(got.blocks == rows[i].blocks && got.limit == rows[i].limit,
                      "row %zu: %d blocks by %s", i, got.blocks, occupancy_limit_name(got.limit));
    }
}
END_TEST

START_TEST(unknown_registers_are_no_limit) {
    const struct occupancy_need need = {.threads = 256, .shared_bytes = 8192};
    ck_assert(occupancy_of(card_of("H200")->multiprocessor, &need).share == 1.0);
}
END_TEST

// --- The estimate ------------------------------------------------------------

START_TEST(estimate_is_within_30_percent_of_the_measured_time) {
    const struct estimate_row *row = &estimate_rows[_i];
    double ms = estimate_of(row, "H200").ms;
    ck_assert_msg(fabs(ms / row->measured_ms - 1) < 0.30, "%s: %g ms, measured %g", row->name, ms,
                  row->measured_ms);
}
END_TEST

// The reference kernels and five deliberately slow ones, fastest first.
static const char *const ladder[] = {"double_buffered",    "register_tiled", "tiled",
                                     "register_conflicts", "naive",          "tiled_8",
                                     "tiled_conflicts",    "uncoalesced_16", "uncoalesced_32"};

START_TEST(order_of_the_references_and_slow_kernels_is_the_measured_one) {
    for (size_t i = 1; i < sizeof ladder / sizeof *ladder; i++) {
        const struct estimate_row *faster = row_of(ladder[i - 1]);
        const struct estimate_row *slower = row_of(ladder[i]);
        ck_assert(faster->measured_ms < slower->measured_ms);
        ck_assert_msg(estimate_of(faster, "H200").ms < estimate_of(slower, "H200").ms, "%s %s",
                      ladder[i - 1], ladder[i]);
    }
}
END_TEST

START_TEST(what_bounds_a_kernel_is_named) {
    ck_assert_int_eq(estimate_of(row_of("naive"), "H200").bound, BOUND_GLOBAL);
    ck_assert_int_eq(estimate_of(row_of("uncoalesced_32"), "H200").bound, BOUND_NEIGHBOURS);
    ck_assert_int_eq(estimate_of(row_of("tiled"), "H200").bound, BOUND_SHARED);
    ck_assert_int_eq(estimate_of(row_of("tiled_conflicts"), "H200").bound, BOUND_CONFLICTS);
    // As Nsight Compute reports it: instructions are issued in 63, 79 and 82 % of the clocks, and
    // no other unit is busier.
    ck_assert_int_eq(estimate_of(row_of("vectorized"), "H200").bound, BOUND_ISSUE);
    ck_assert_int_eq(estimate_of(row_of("warp_tiled"), "H200").bound, BOUND_ISSUE);
    ck_assert_int_eq(estimate_of(row_of("double_buffered"), "H200").bound, BOUND_ISSUE);
    ck_assert_str_eq(estimate_bound_name(BOUND_CONFLICTS), "conflicts");
    ck_assert_str_eq(estimate_bound_lesson(BOUND_CONFLICTS), "lessons/speed.md#conflicts");
}
END_TEST

START_TEST(a_copy_under_way_is_one_instruction_that_nobody_waits_for) {
    struct estimate_row row = *row_of("double_buffered");
    double with = estimate_of(&row, "H200").ms;
    row.counts.async_copies = 0;  // the same work by loads and stores
    double without = estimate_of(&row, "H200").ms;
    ck_assert_msg(with < 0.95 * without, "%g ms, %g ms", with, without);
}
END_TEST

START_TEST(few_blocks_leave_a_kernel_waiting) {
    const struct estimate_row *row = row_of("register_tiled");
    const struct estimate_request request = {.card = card_of("H200"),
                                             .size = {256, 256, 256},
                                             .counted_size = {256, 256, 256},
                                             .counts = &row->counts,
                                             .registers = row->registers,
                                             .shared_bytes = row->shared_bytes};
    struct estimate estimate;
    ck_assert(estimate_make(&request, &estimate));
    ck_assert_int_eq(estimate.bound, BOUND_LATENCY);
    ck_assert(estimate.waves < 0.1);
}
END_TEST

START_TEST(no_kernel_is_estimated_above_the_peak_of_its_card) {
    for (int i = 0; i < cards_count(); i++) {
        const struct card *card = card_at(i);
        double peak = 2e-3 * card->multiprocessor->fma_per_clock * card->multiprocessors *
                      (double)card->clock_mhz;
        for (int row = 0; row < ROW_COUNT; row++) {
            ck_assert(estimate_of(&estimate_rows[row], card->name).gflops < peak);
        }
    }
}
END_TEST

START_TEST(without_blocks_or_room_nothing_is_said) {
    struct counts nothing = {.blocks = 0};
    struct estimate_request request = {.card = card_of("T4"),
                                       .size = {64, 64, 64},
                                       .counted_size = {64, 64, 64},
                                       .counts = &nothing};
    struct estimate estimate;
    ck_assert(!estimate_make(&request, &estimate));
    request.counts = &row_of("tiled")->counts;
    ck_assert(estimate_make(&request, &estimate));
    request.shared_bytes = 100000;
    ck_assert(!estimate_make(&request, &estimate));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("estimate");
    TCase *tests = tcase_create("estimate");
    tcase_add_test(tests, a_card_is_found_however_it_is_written);
    tcase_add_test(tests, an_unknown_card_is_refused_with_the_names_that_there_are);
    tcase_add_test(tests, a_gpu_is_a_card_only_with_all_its_multiprocessors);
    tcase_add_test(tests, clock_and_units_give_the_peak_of_the_data_sheet);
    tcase_add_test(tests, every_card_has_a_source_and_possible_figures);
    tcase_add_test(tests, occupancy_is_that_of_nvidias_calculator);
    tcase_add_test(tests, unknown_registers_are_no_limit);
    tcase_add_loop_test(tests, estimate_is_within_30_percent_of_the_measured_time, 0, ROW_COUNT);
    tcase_add_test(tests, order_of_the_references_and_slow_kernels_is_the_measured_one);
    tcase_add_test(tests, what_bounds_a_kernel_is_named);
    tcase_add_test(tests, a_copy_under_way_is_one_instruction_that_nobody_waits_for);
    tcase_add_test(tests, few_blocks_leave_a_kernel_waiting);
    tcase_add_test(tests, no_kernel_is_estimated_above_the_peak_of_its_card);
    tcase_add_test(tests, without_blocks_or_room_nothing_is_said);
    tcase_add_test(tests, a_kernel_without_multiply_adds_is_bound_by_memory);
    tcase_add_test(tests, few_warps_wait_for_memory);
    tcase_add_test(tests, atomic_operations_on_one_address_take_turns);
    tcase_add_test(tests, stores_of_parts_of_sectors_cost_more);
    tcase_add_test(tests, counts_grow_with_work_and_blocks);
    tcase_add_test(tests, no_part_of_a_count_is_below_0);
    suite_add_tcase(suite, tests);
    return suite;
}
