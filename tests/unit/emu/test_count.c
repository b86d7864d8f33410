// The counter: accesses of threads that run one after the other become instructions of warps.
#include "emu/count/count.h"

#include "count_rig.h"

#define MAXIMUM 4096  // accesses of one lane in a script

static void touch(enum memory_space space, uint32_t bytes, enum access_kind kind, uint32_t thread,
                  uint64_t pc) {
    int64_t offset = (int64_t)(thread % 32) * bytes;
    struct access access = rig_access(&rig, space, ARRAY_C, offset, bytes, kind, thread, pc);
    ck_assert(!count_access(count, &access));
}

// --- One instruction after the other -----------------------------------------

START_TEST(one_load_of_each_thread_is_a_request_a_warp) {
    for (uint32_t thread = 0; thread < 96; thread++) {
        load(thread, thread * 4, 1);
    }
    end();
    ck_assert_uint_eq(counts.global_load_requests, 3);
    ck_assert_uint_eq(counts.global_load_sectors, 12);
    ck_assert_uint_eq(counts.global_load_bytes, 384);
    ck_assert_uint_eq(counts.global_store_requests, 0);
    ck_assert_uint_eq(counts.shared_load_requests, 0);
    ck_assert_uint_eq(counts.blocks, 1);
    ck_assert_uint_eq(counts.threads, 96);
}
END_TEST

START_TEST(spaces_kinds_and_sizes_are_told_apart) {
    for (uint32_t thread = 0; thread < 32; thread++) {
        touch(SPACE_GLOBAL, 16, ACCESS_READ, thread, 1);
        touch(SPACE_GLOBAL, 8, ACCESS_WRITE, thread, 2);
        touch(SPACE_SHARED, 16, ACCESS_READ, thread, 3);
        touch(SPACE_SHARED, 4, ACCESS_WRITE, thread, 4);
        touch(SPACE_CONSTANT, 4, ACCESS_READ, thread, 6);
    }
    end();
    ck_assert_uint_eq(counts.global_load_requests, 1);
    ck_assert_uint_eq(counts.global_load_sectors, 16);
    ck_assert_uint_eq(counts.global_load_bytes, 512);
    ck_assert_uint_eq(counts.global_store_requests, 1);
    ck_assert_uint_eq(counts.global_store_sectors, 8);
    ck_assert_uint_eq(counts.global_store_bytes, 256);
    ck_assert_uint_eq(counts.shared_load_requests, 1);
    ck_assert_uint_eq(counts.shared_load_wavefronts, 4);
    ck_assert_uint_eq(counts.shared_load_ideal, 4);
    ck_assert_uint_eq(counts.shared_store_requests, 1);
    ck_assert_uint_eq(counts.shared_store_wavefronts, 1);
}
END_TEST

START_TEST(bank_conflicts_are_wavefronts_beyond_the_ideal) {
    for (uint32_t thread = 0; thread < 32; thread++) {
        struct access access =
            rig_access(&rig, SPACE_SHARED, RIG_TILE, thread * 64, 4, ACCESS_READ, thread, 1);
        count_access(count, &access);
    }
    end();
    ck_assert_uint_eq(counts.shared_load_wavefronts, 16);
    ck_assert_uint_eq(counts.shared_load_ideal, 1);
}
END_TEST

START_TEST(known_patterns_are_priced_anew_at_another_place_in_a_sector) {
    for (uint32_t k = 0; k < 9; k++) {
        for (uint32_t thread = 0; thread < 32; thread++) {
            load(thread, thread * 4 + k * 4, 1);
        }
        count_barrier(count);
    }
    end();
    ck_assert_uint_eq(counts.global_load_sectors, 2 * 4 + 7 * 5);
}
END_TEST

START_TEST(launches_and_blocks_start_from_nothing) {
    load(0, 0, 1);
    end();
    ck_assert_int_eq(count_launch_begin(count, &rig.shape, NULL, NULL), STATUS_OK);
    count_block_begin(count, NULL);
    load(0, 0, 1);
    count_block_end(count);
    count_block_begin(count, NULL);
    load(1, 0, 1);
    end();
    ck_assert_uint_eq(counts.global_load_requests, 2);
    ck_assert_uint_eq(counts.blocks, 2);
}
END_TEST

// --- Lanes that part ---------------------------------------------------------

START_TEST(lanes_that_skip_an_instruction_do_not_split_the_next) {
    for (uint32_t thread = 0; thread < 32; thread++) {
        load(thread, thread * 4, 1);
        if (thread % 3 == 0) {
            load(thread, thread * 4, 2);
        }
        load(thread, thread * 4, 3);
    }
    end();
    ck_assert_uint_eq(counts.global_load_requests, 3);
    ck_assert_uint_eq(counts.global_load_bytes, (32 + 11 + 32) * 4);
}
END_TEST

START_TEST(two_branches_are_two_requests) {
    for (uint32_t thread = 0; thread < 32; thread++) {
        load(thread, thread * 4, thread < 16 ? 1 : 2);
        load(thread, thread * 4, 3);
    }
    end();
    ck_assert_uint_eq(counts.global_load_requests, 3);
    ck_assert_uint_eq(counts.global_load_sectors, 2 + 2 + 4);
}
END_TEST

START_TEST(loops_of_different_length_take_as_many_requests_as_the_longest) {
    for (uint32_t thread = 0; thread < 32; thread++) {
        for (uint32_t k = 0; k <= thread; k++) {
            load(thread, thread * 4, 1);
        }
        load(thread, thread * 4, 2);
    }
    end();
    ck_assert_uint_eq(counts.global_load_requests, 33);
}
END_TEST

START_TEST(barrier_ends_what_can_be_merged) {
    load(0, 0, 1);
    count_barrier(count);
    load(1, 4, 1);
    end();
    ck_assert_uint_eq(counts.global_load_requests, 2);
    ck_assert_uint_eq(counts.barriers, 3);
}
END_TEST

START_TEST(warp_barrier_of_all_live_lanes_ends_what_can_be_merged) {
    for (uint32_t thread = 16; thread < 32; thread++) {
        count_exit(count, thread);
    }
    load(0, 0, 1);
    count_warp_sync(count, 0, 0x0000ffffu);
    load(1, 4, 1);
    end();
    ck_assert_uint_eq(counts.global_load_requests, 2);
}
END_TEST

START_TEST(warp_barrier_of_some_lanes_splits_nothing) {
    for (uint32_t thread = 0; thread < 16; thread++) {
        load(thread, thread * 4, 1);
    }
    count_warp_sync(count, 0, 0x0000ffffu);
    for (uint32_t thread = 16; thread < 32; thread++) {
        load(thread, thread * 4, 1);
    }
    end();
    ck_assert_uint_eq(counts.global_load_requests, 1);
}
END_TEST

START_TEST(warps_without_live_threads_do_not_arrive) {
    count_barrier(count);
    for (uint32_t thread = 0; thread < 33; thread++) {
        count_exit(count, thread);
    }
    count_barrier(count);
    end();
    ck_assert_uint_eq(counts.barriers, 3 + 2);
}
END_TEST

START_TEST(last_warp_may_be_short) {
    count_block_end(count);
    rig.shape.thread_count = 40;
    ck_assert_int_eq(count_launch_begin(count, &rig.shape, NULL, NULL), STATUS_OK);
    count_block_begin(count, NULL);
    for (uint32_t thread = 0; thread < 40; thread++) {
        load(thread, thread * 4, 1);
    }
    count_barrier(count);
    end();
    ck_assert_uint_eq(counts.global_load_requests, 2);
    ck_assert_uint_eq(counts.global_load_sectors, 4 + 1);
    ck_assert_uint_eq(counts.barriers, 2);
}
END_TEST

// As in tests/counters/patterns.cu: for these two it is known what a GPU does.
START_TEST(inner_loops_of_different_length_meet_in_every_outer_round) {
    for (uint32_t thread = 0; thread < 32; thread++) {
        for (uint32_t i = 0; i < 2; i++) {
            load(thread, thread * 4, 1);
            for (uint32_t j = 0; j < ((i + thread) % 2 == 0 ? 1u : 3u); j++) {
                load(thread, thread * 4, 2);
            }
        }
    }
    end();
    ck_assert_uint_eq(counts.global_load_requests, 2 + 6);
}
END_TEST

START_TEST(lanes_that_skip_meet_in_every_round) {
    for (uint32_t thread = 0; thread < 32; thread++) {
        for (uint32_t i = 0; i < 5; i++) {
            if ((thread + i) % 3 == 0) {
                load(thread, thread * 4, 1);
            }
            load(thread, thread * 4, 2);
        }
    }
    end();
    ck_assert_uint_eq(counts.global_load_requests, 5 + 5);
}
END_TEST

START_TEST(atomics_are_requests_of_their_own) {
    for (uint32_t thread = 0; thread < 32; thread++) {
        struct access global =
            rig_access(&rig, SPACE_GLOBAL, ARRAY_C, 0, 4, ACCESS_ATOMIC, thread, 1);
        struct access shared =
            rig_access(&rig, SPACE_SHARED, RIG_TILE, thread % 2 * 4, 4, ACCESS_ATOMIC, thread, 2);
        count_access(count, &global);
        count_access(count, &shared);
    }
    end();
    ck_assert_uint_eq(counts.global_atomic_requests, 1);
    ck_assert_uint_eq(counts.global_atomic_sectors, 32);
    ck_assert_uint_eq(counts.global_atomic_ideal, 1);
    ck_assert_uint_eq(counts.global_atomic_bytes, 128);
    ck_assert_uint_eq(counts.shared_atomic_requests, 1);
    ck_assert_uint_eq(counts.shared_atomic_wavefronts, 16);
    ck_assert_uint_eq(counts.global_store_requests, 0);
    ck_assert_uint_eq(counts.memory_lanes, 64);
}
END_TEST

// --- By place ----------------------------------------------------------------

START_TEST(work_is_told_by_place_and_kind) {
    for (uint32_t thread = 0; thread < 32; thread++) {
        touch(SPACE_GLOBAL, 4, ACCESS_READ, thread, 70);
        touch(SPACE_GLOBAL, 4, ACCESS_WRITE, thread, 70);
        if (thread < 8) {
            touch(SPACE_SHARED, 16, ACCESS_READ, thread, 50);
        }
    }
    end();
    const struct count_line *line = counts.lines.access;
    ck_assert_uint_eq(counts.lines.count, 3);
    ck_assert_uint_eq(line[0].pc, 50);
    ck_assert_uint_eq(line[0].kind, COUNT_SHARED_LOAD);
    ck_assert_uint_eq(line[0].lanes, 8);
    ck_assert_uint_eq(line[0].bytes, 128);
    ck_assert_uint_eq(line[1].pc, 70);
    ck_assert_uint_eq(line[1].kind, COUNT_GLOBAL_LOAD);
    ck_assert_uint_eq(line[2].kind, COUNT_GLOBAL_STORE);
    ck_assert_uint_eq(line[2].units, 4);
    ck_assert(count_lines_check(&counts.lines));
}
END_TEST

START_TEST(one_place_of_two_calls_is_one_line_of_two_instructions) {
    for (uint32_t thread = 0; thread < 32; thread++) {
        for (uint32_t call = 1; call <= 2; call++) {
            struct access access =
                rig_access(&rig, SPACE_GLOBAL, ARRAY_A, thread * 4, 4, ACCESS_READ, thread, 9);
            access.site = call;  // the machine numbers a place once for each caller
            count_access(count, &access);
        }
    }
    end();
    ck_assert_uint_eq(counts.lines.count, 1);
    ck_assert_uint_eq(counts.lines.access[0].requests, 2);
}
END_TEST

// --- Long scripts: more than a log holds -------------------------------------

// What each lane does: the numbers of the places that it reaches, in order.
static uint8_t script[WARP_LANES][MAXIMUM];
static uint32_t script_length[WARP_LANES];

static void script_add(uint32_t lane, uint8_t place) {
    ck_assert_uint_lt(script_length[lane], MAXIMUM);
    script[lane][script_length[lane]++] = place;
}

// Runs the lanes as the machine does: each until its log is full or it ends.
static void script_run(void) {
    uint32_t at[WARP_LANES] = {0};
    bool running = true;
    while (running) {
        running = false;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
            bool full = false;
            while (!full && at[lane] < script_length[lane]) {
                full = load(lane, lane * 4, 1000u + script[lane][at[lane]++]);
            }
            running = running || at[lane] < script_length[lane];
        }
    }
}

// The requests by definition: for each place, as many as its most frequent lane makes there.
static uint64_t script_requests(void) {
    uint64_t requests = 0;
    for (uint32_t place = 0; place < 256; place++) {
        uint32_t most = 0;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
            uint32_t visits = 0;
            for (uint32_t i = 0; i < script_length[lane]; i++) {
                visits += script[lane][i] == place;
            }
            most = visits > most ? visits : most;
        }
        requests += most;
    }
    return requests;
}

START_TEST(long_loops_are_merged_as_short_ones) {
    for (uint32_t lane = 0; lane < 32; lane++) {
        for (uint32_t k = 0; k < 1001; k++) {
            script_add(lane, 1);
            script_add(lane, 2);
        }
        script_add(lane, 3);
    }
    script_run();
    end();
    ck_assert_uint_eq(counts.global_load_requests, 2003);
    ck_assert_uint_eq(counts.global_load_sectors, 2003 * 4);
}
END_TEST

START_TEST(lanes_may_end_early_in_long_loops) {
    for (uint32_t lane = 0; lane < 32; lane++) {
        for (uint32_t k = 0; k < 100 + 20 * lane; k++) {
            script_add(lane, 1);
            script_add(lane, 2);
        }
    }
    script_run();
    end();
    ck_assert_uint_eq(counts.global_load_requests, 2 * (100 + 20 * 31));
}
END_TEST

START_TEST(lanes_that_skip_in_long_loops_meet_in_every_round) {
    for (uint32_t lane = 0; lane < 32; lane++) {
        for (uint32_t k = 0; k < 500; k++) {
            script_add(lane, 1);
            if ((k + lane) % 3 == 0) {
                script_add(lane, 2);
            }
            if (lane >= 16) {
                script_add(lane, 3);
            }
        }
        script_add(lane, 4);
    }
    script_run();
    end();
    // In every iteration some lanes reach the second place, and some the third.
    ck_assert_uint_eq(counts.global_load_requests, 3 * 500 + 1);
}
END_TEST

START_TEST(lanes_that_part_in_sixteen_ways_are_sixteen_requests) {
    for (uint32_t lane = 0; lane < 32; lane++) {
        for (uint32_t k = 0; k < 500; k++) {
            script_add(lane, (uint8_t)(lane % 16));
        }
    }
    script_run();
    end();
    ck_assert_uint_eq(counts.global_load_requests, 16 * 500);
}
END_TEST

START_TEST(one_lane_that_does_much_more_is_waited_for) {
    for (uint32_t lane = 0; lane < 32; lane++) {
        for (uint32_t k = 0; k < 200; k++) {
            script_add(lane, 1);
            for (uint32_t i = 0; lane == 7 && i < 10; i++) {
                script_add(lane, 2);
            }
        }
    }
    script_run();
    end();
    ck_assert_uint_eq(counts.global_load_requests, 200 + 2000);
}
END_TEST

START_TEST(a_lane_too_far_ahead_never_blocks_and_loses_nothing) {
    for (uint32_t lane = 0; lane < 32; lane++) {
        for (uint32_t k = 0; k < 20; k++) {
            script_add(lane, 1);
            for (uint32_t i = 0; lane == 7 && i < 3 * COUNT_LOG_MAX; i++) {
                script_add(lane, 2);
            }
        }
    }
    script_run();
    end();
    ck_assert_uint_eq(counts.global_load_bytes, 4 * (32 * 20 + 20 * 3 * COUNT_LOG_MAX));
    ck_assert_uint_ge(counts.global_load_requests, script_requests());
}
END_TEST

START_TEST(a_full_log_asks_once_for_a_turn_of_the_others) {
    for (uint32_t i = 0; i + 1 < COUNT_LOG_MAX; i++) {
        ck_assert(!load(0, 0, 1));
    }
    ck_assert(load(0, 0, 1));
    ck_assert(!load(0, 0, 1));  // no other lane ran: merged alone
    end();
    ck_assert_uint_eq(counts.global_load_requests, COUNT_LOG_MAX + 1);
}
END_TEST

SUITE() {
    const TTest *const tests[] = {
        one_load_of_each_thread_is_a_request_a_warp,
        spaces_kinds_and_sizes_are_told_apart,
        bank_conflicts_are_wavefronts_beyond_the_ideal,
        known_patterns_are_priced_anew_at_another_place_in_a_sector,
        launches_and_blocks_start_from_nothing,
        lanes_that_skip_an_instruction_do_not_split_the_next,
        two_branches_are_two_requests,
        loops_of_different_length_take_as_many_requests_as_the_longest,
        barrier_ends_what_can_be_merged,
        warp_barrier_of_all_live_lanes_ends_what_can_be_merged,
        warp_barrier_of_some_lanes_splits_nothing,
        warps_without_live_threads_do_not_arrive,
        last_warp_may_be_short,
        inner_loops_of_different_length_meet_in_every_outer_round,
        lanes_that_skip_meet_in_every_round,
        atomics_are_requests_of_their_own,
        work_is_told_by_place_and_kind,
        one_place_of_two_calls_is_one_line_of_two_instructions,
        long_loops_are_merged_as_short_ones,
        lanes_may_end_early_in_long_loops,
        lanes_that_skip_in_long_loops_meet_in_every_round,
        lanes_that_part_in_sixteen_ways_are_sixteen_requests,
        one_lane_that_does_much_more_is_waited_for,
        a_lane_too_far_ahead_never_blocks_and_loses_nothing,
        a_full_log_asks_once_for_a_turn_of_the_others,
    };
    Suite *suite = suite_create("count");
    TCase *tcase = tcase_create("count");
    tcase_add_checked_fixture(tcase, begin, done);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return suite;
}
