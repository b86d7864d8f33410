// When counted work is not believed: facts of the build, and the estimate against the reference's.
#include "judge/speed/why_open.h"

#include <string.h>

#include "estimate_data.h"
#include "judge/model/points.h"
#include "judge/run/launch_outcome.h"
#include "suite.h"  // last: Check has a macro called fail

#define EDGE 256  // of the counted size in estimate_data.h

static struct exercise exercise = {
    .name = "tiled",
    .timed_count = 2,
    .timed = {{{2048, 2048, 2048}, 0.95, 0.8, 1}, {{4096, 4096, 4096}, 0.95, 0.8, 1}},
    .counted_count = 1,
    .counted = {{{EDGE, EDGE, EDGE}, 0.95, 0.3, 1}}};
static struct run_program student, reference;
static struct run_outcome student_outcome, reference_outcome;
static struct why_open_plans plans;

static void setup(void) {
    const struct counts *counts = NULL;
    for (size_t i = 0; i < sizeof estimate_rows / sizeof *estimate_rows; i++) {
        if (strcmp(estimate_rows[i].name, "tiled") == 0) {
            counts = &estimate_rows[i].counts;
        }
    }
    ck_assert_ptr_nonnull(counts);
    exercise.signature = *signature_of_matmul();
    memset(&student, 0, sizeof student);
    memset(&reference, 0, sizeof reference);
    memset(&student_outcome, 0, sizeof student_outcome);
    reference_outcome = student_outcome;
    reference_outcome.counts = *counts;
    // Of all threads alike: two operations for each product.
    reference_outcome.counts.flops = 2 * EDGE * EDGE * EDGE;
    reference_outcome.counts.flop_slots = reference_outcome.counts.flops;
    reference_outcome.counts.flop_blocks = counts->blocks;
    reference_outcome.counts.working_blocks = counts->blocks;
    reference_outcome.counts.working_warps = counts->threads / WARP_LANES;
    student_outcome.counts = reference_outcome.counts;
    for (int i = 0; i < exercise.timed_count; i++) {
        uint64_t edge = (uint64_t)exercise.timed[i].size.m / 16;
        plans.reference[i] = (struct planned_launch){
            .is_valid = true, .is_one = true, .blocks = edge * edge, .block_threads = 256};
        plans.student[i] = plans.reference[i];
    }
}

// The sentence for the student, or "".
static const char *sentence(double share) {
    static char text[ERROR_TEXT_MAX];
    const struct estimated_kernel mine = estimated_of(&student, &student_outcome);
    const struct estimated_kernel theirs = estimated_of(&reference, &reference_outcome);
    const struct why_open_request request = {.exercise = &exercise,
                                             .plans = &plans,
                                             .asked = &exercise.counted[0],
                                             .student = &mine,
                                             .reference = &theirs,
                                             .report = &student.report,
                                             .share = share};
    why_open_find(&request, text);
    return text;
}

static void expect(const char *part) {
    const char *text = sentence(1.0);
    ck_assert_msg(strstr(plain(text), part) != NULL, "'%s' is not in '%s'", part, text);
}

START_TEST(the_same_work_is_believed) {
    ck_assert_str_eq(sentence(1.0), "");
}
END_TEST

START_TEST(what_brings_no_points_is_not_doubted) {
    student_outcome.counts.flop_slots *= 8;
    expect("times as many operations");
    ck_assert_str_eq(sentence(0.0), "");
}
END_TEST

START_TEST(few_blocks_are_doubted) {
    plans.student[1].blocks = 8;
    student_outcome.counts.blocks = 8;
    expect("the number of its blocks is 8, and a large GPU has 132 SMs");
}
END_TEST

// There is no estimate of kernels on tensor cores.
static void use_tensor_cores(void) {
    exercise.signature.is_matmul = false;
    student_outcome.counts.tensor_flops = reference_outcome.counts.tensor_flops = 1u << 20;
    student_outcome.counts.tensor_calls = reference_outcome.counts.tensor_calls = 1u << 8;
}

START_TEST(of_tensor_cores_an_idle_card_is_doubted) {
    use_tensor_cores();
    plans.student[1].blocks = 65;
    expect("the number of the kernel's blocks is 65, and a large GPU has 132 SMs");
    plans.student[1].blocks = 66;  // a near miss: each second SM has one
    ck_assert_str_eq(sentence(1.0), "");
    plans.student[1].blocks = 1;
    plans.reference[1].blocks = 1;  // the reference has no more
    ck_assert_str_eq(sentence(1.0), "");
}
END_TEST

START_TEST(of_tensor_cores_barriers_everywhere_are_doubted) {
    use_tensor_cores();
    uint64_t requests = counts_requests(&student_outcome.counts);
    reference_outcome.counts.barriers = requests / 5;
    student_outcome.counts.barriers = requests + 1;
    expect("more often than they load and store");
    student_outcome.counts.barriers = requests;  // near misses
    ck_assert_str_eq(sentence(1.0), "");
    student_outcome.counts.barriers = requests + 1;
    reference_outcome.counts.barriers = requests / 4 + 1;
    ck_assert_str_eq(sentence(1.0), "");
}
END_TEST

START_TEST(few_warps_are_doubted) {
    student_outcome.shared_bytes = 200 * 1024;  // one block on an SM
    student_outcome.counts.waits = reference_outcome.counts.waits =
        reference_outcome.counts.barriers / 2;
    expect("about 8 of its warps compute on an SM at a time");
    student_outcome.shared_bytes = 20 * 1024;  // a near miss: still eight
    ck_assert_str_eq(sentence(1.0), "");
}
END_TEST

START_TEST(warps_that_only_wait_do_not_hide_anything) {
    student_outcome.counts.threads *= 4;
    for (int i = 0; i < exercise.timed_count; i++) {
        plans.student[i].block_threads = 1024;
    }
    student_outcome.counts.waits = reference_outcome.counts.waits =
        reference_outcome.counts.barriers / 2;
    expect("about 16 of its warps compute on an SM");
}
END_TEST

START_TEST(many_idle_blocks_are_doubted) {
    student_outcome.counts.blocks *= 256;
    student_outcome.counts.flop_blocks *= 256;
    student_outcome.counts.threads *= 256;
    for (int i = 0; i < exercise.timed_count; i++) {
        plans.student[i].blocks *= 256;
    }
    expect("it starts ");
}
END_TEST

START_TEST(barriers_are_counted_and_a_few_are_believed) {
    student_outcome.counts.barriers *= 20;
    expect("its warps wait at barriers ");
    student_outcome.counts.barriers = 3 * reference_outcome.counts.barriers;
    ck_assert_str_eq(sentence(1.0), "");
}
END_TEST

// A grid of as many blocks at any size waits no more often at a larger one.
START_TEST(barriers_that_do_not_grow_are_no_cause) {
    char text[ERROR_TEXT_MAX];
    const struct counts mine = {.barriers = 3184};
    const struct counts theirs = {.barriers = 1568};
    struct estimated_pair pair = {.size = {{1 << 28}}, .ratio = 0.2};
    pair.student = (struct estimate){.blocks = 132.0, .warps = 8.0, .barriers = 3184.0};
    pair.reference = (struct estimate){.blocks = 528.0, .warps = 64.0, .barriers = 25872.0};
    pair.student.resource_ms[RESOURCE_LATENCY] = 1.0;
    why_slower(&pair, &mine, &theirs, text);
    ck_assert_ptr_nonnull(strstr(plain(text), "about 8 of its warps compute on an SM"));
    pair.student.barriers = 3184.0 * 1024.0;
    why_slower(&pair, &mine, &theirs, text);
    ck_assert_ptr_nonnull(strstr(plain(text), "its warps wait at barriers 3184 times"));
}
END_TEST

START_TEST(instructions_are_counted_and_indices_are_free) {
    uint64_t products = (uint64_t)EDGE * EDGE * EDGE;
    student_outcome.counts.other_slots = 20 * products;
    expect("divisions");
    student_outcome.counts.other_slots = 0;
    student_outcome.counts.integer_slots = 30 * products;
    expect("integer arithmetic");
    student_outcome.counts.integer_slots = 2 * products;  // with two loads for each
    ck_assert_str_eq(sentence(1.0), "");
}
END_TEST

START_TEST(operations_are_told_from_idle_threads) {
    student_outcome.counts.flops *= 8;
    student_outcome.counts.flop_slots *= 8;
    expect("8.0 times as many floating-point operations");
    student_outcome.counts.flops /= 8;
    expect("threads idle while others of their warp compute");
}
END_TEST

START_TEST(operations_that_were_not_counted_are_doubted) {
    student_outcome.counts.flops = reference_outcome.counts.flops / 2 - 1;
    expect("Less than half of the reference's number of floating-point operations");
    student_outcome.counts.flops++;
    ck_assert_str_eq(sentence(1.0), "");
    student_outcome.counts.flops = 0;
    reference_outcome.counts.flops = 0;  // of a processor on which they are not counted
    reference_outcome.counts.flop_blocks = student_outcome.counts.flop_blocks = 0;
    ck_assert_str_eq(sentence(1.0), "");
}
END_TEST

START_TEST(work_on_tensor_cores_is_compared_with_the_references) {
    uint64_t flops = 2ull * EDGE * EDGE * EDGE;
    student_outcome.counts.tensor_flops = flops;  // the reference has none
    ck_assert_str_eq(sentence(1.0), "");
    reference_outcome.counts.tensor_flops = flops;
    student_outcome.counts.tensor_flops = flops / 2 - 1;
    expect("The reference multiplies on tensor cores, and this kernel does not, or does less than "
           "half of it there.");
    student_outcome.counts.tensor_flops = flops / 2;
    ck_assert_str_eq(sentence(1.0), "");
    student_outcome.counts.tensor_flops = flops / 2 * 3;
    ck_assert_str_eq(sentence(1.0), "");
    student_outcome.counts.tensor_flops = flops * 3;
    expect("The kernel does 3.0 times the reference's work on tensor cores");
    student_outcome.counts.tensor_flops = flops / 2 * 3 + 1;
    expect("The kernel does 1.5 times");
}
END_TEST

// A kernel for tensor cores: no estimate, but what it takes at least.  The work of lesson 100 at
// 256x256x256, which takes the tensor cores 4.14 us of an SM.
static void tensor_setup(void) {
    exercise.signature.is_matmul = false;
    reference_outcome.counts.tensor_flops = 2 * EDGE * EDGE * EDGE;
    reference_outcome.counts.tensor_calls = 8192;
    reference_outcome.counts.copies_ahead = 1000;
    reference_outcome.counts.blocks = 2;
    reference_outcome.counts.threads = 512;
    student_outcome.counts = reference_outcome.counts;
    student_outcome.shared_bytes = reference_outcome.shared_bytes = 96 * 1024;  // two blocks fit
}

START_TEST(on_tensor_cores_time_in_which_threads_idle_is_doubted) {
    tensor_setup();
    student_outcome.counts.idle_ns = 8400;
    expect("Threads sleep, wait for fences or ask mbarriers so often");
    student_outcome.counts.idle_ns = 8200;  // a near miss
    ck_assert_str_eq(sentence(1.0), "");
    student_outcome.counts.idle_ns = 8400;
    reference_outcome.counts.idle_ns = 1000;  // the reference does it too
    ck_assert_str_eq(sentence(1.0), "");
    student_outcome.shared_bytes = 120 * 1024;  // now one block fits
    expect("Threads sleep, wait for fences or ask mbarriers so often");
    reference_outcome.counts.tensor_flops = 0;  // another kind of kernel
    ck_assert_str_eq(sentence(1.0), "");
}
END_TEST

START_TEST(on_tensor_cores_instructions_without_end_are_doubted) {
    tensor_setup();
    uint64_t useful = counts_requests(&student_outcome.counts) + 8192;
    uint64_t most = 32768;  // that four schedulers issue in 4.14 us
    student_outcome.counts.integer_slots = 32 * (30 * useful + most + 100);
    expect("Instructions that neither load, store nor multiply");
    student_outcome.counts.integer_slots = 32 * (30 * useful + most - 100);  // near misses
    ck_assert_str_eq(sentence(1.0), "");
    student_outcome.counts.loop_slots = 32 * 2 * useful;
    ck_assert_str_eq(sentence(1.0), "");
    student_outcome.counts.loop_slots += 32 * 100;
    expect("Instructions that neither load, store nor multiply");
    student_outcome.counts.loop_slots = 0;
    student_outcome.counts.other_slots = 32 * 200;
    expect("Instructions that neither load, store nor multiply");
    reference_outcome.counts.other_slots = 32 * 200;
    ck_assert_str_eq(sentence(1.0), "");
}
END_TEST

START_TEST(on_tensor_cores_empty_blocks_are_doubted) {
    tensor_setup();
    student_outcome.counts.blocks = 60;
    expect("the kernel starts 60 blocks, and the reference 2");
    student_outcome.counts.blocks = 58;  // a near miss
    ck_assert_str_eq(sentence(1.0), "");
}
END_TEST

START_TEST(on_tensor_cores_many_bulk_copies_are_doubted) {
    tensor_setup();
    student_outcome.counts.bulk_copies = 350;
    expect("The kernel makes 350 bulk copies at the counted size, and the reference 0.");
    student_outcome.counts.bulk_copies = 340;  // a near miss
    ck_assert_str_eq(sentence(1.0), "");
    student_outcome.counts.bulk_copies = 350;
    reference_outcome.counts.bulk_copies = 50;
    ck_assert_str_eq(sentence(1.0), "");
}
END_TEST

START_TEST(on_tensor_cores_small_multiplications_are_doubted) {
    tensor_setup();
    student_outcome.counts.tensor_calls = 2 * 8192;  // m16n8k8
    expect("it needs 16384 multiplications of warps");
    student_outcome.counts.tensor_calls = 8192 + 8192 / 4;  // a near miss: few are small
    ck_assert_str_eq(sentence(1.0), "");
    student_outcome.counts.tensor_calls = 8192;
    reference_outcome.counts.tensor_calls = 128;  // wgmma
    ck_assert_str_eq(sentence(1.0), "");
    reference_outcome.counts.tensor_calls = 2 * 8192;  // of TF32, the largest is m16n8k8
    student_outcome.counts.tensor_calls = 2 * 8192;
    ck_assert_str_eq(sentence(1.0), "");
}
END_TEST

START_TEST(on_tensor_cores_copies_without_multiplications_are_doubted) {
    tensor_setup();
    struct counts *counts = &student_outcome.counts;
    counts->copies_ahead = 0;
    counts->copies_awaited = 2 * counts->threads + 1;
    expect("always waits for its copies before it multiplies again");
    counts->copies_awaited = 2 * counts->threads;  // near misses: few slices
    ck_assert_str_eq(sentence(1.0), "");
    counts->copies_awaited = 100 * counts->threads;
    counts->copies_ahead = 1;  // some are under way meanwhile
    ck_assert_str_eq(sentence(1.0), "");
    counts->copies_ahead = 0;
    reference_outcome.counts = *counts;
    ck_assert_str_eq(sentence(1.0), "");
}
END_TEST

START_TEST(arrays_that_registers_cannot_hold_are_doubted) {
    student.report.local_bytes = 255 * 4;
    ck_assert_str_eq(sentence(1.0), "");
    student.report.local_bytes = 256 * 4;
    expect("have 256 words, and a thread has at most 255 registers");
    student.report.local_bytes = 80 * 4;
    student.report.registers_max = 64;
    expect("promises that 64 registers per thread are enough, and its arrays and loop variables "
           "alone have 80");
    student.report.registers_max = 100;
    ck_assert_str_eq(sentence(1.0), "");
    (void)snprintf(student.report.local_name, LOCAL_NAME_MAX, "acc");
    expect("cannot keep the array `acc`");
}
END_TEST

START_TEST(registers_of_a_whole_block_are_doubted) {
    plans.student[0].is_one = true;
    plans.student[0].block_threads = 1024;
    student.report.local_bytes = 44 * 4;  // and 20 more: all 64 registers
    ck_assert_str_eq(sentence(1.0), "");
    student.report.local_bytes = 45 * 4;
    expect("have 45 words, a block has 1024 threads, and an SM has 65536 registers");
    student.report.threads_max = 1024;
    ck_assert_str_eq(sentence(1.0), "");
}
END_TEST

START_TEST(waits_are_doubted) {
    student.report.waits_line = 12;
    expect("In line 12, threads wait in a loop");
}
END_TEST

START_TEST(lanes_that_take_turns_are_doubted) {
    uint64_t requests = counts_requests(&reference_outcome.counts);
    reference_outcome.counts.turns = requests;
    student_outcome.counts.turns = 28 * requests;
    expect("in 28.0 turns");
    student_outcome.counts.turns = 7 * requests / 4;  // a near miss: the edges of C
    ck_assert_str_eq(sentence(1.0), "");
    student_outcome.counts.loop_slots = 32ull * EDGE * EDGE * EDGE;
    expect("instructions that neither load nor multiply-add");
}
END_TEST

START_TEST(a_block_that_does_half_of_the_work_is_doubted) {
    struct counts *counts = &student_outcome.counts;
    uint64_t passes = counts->global_load_wavefronts + counts->global_store_wavefronts +
                      counts->shared_load_wavefronts + counts->shared_store_wavefronts;
    counts->block_passes_max = passes / 2;
    expect("times as long as the reference");
    counts->block_passes_max = 2 * passes / counts->blocks;  // a near miss: others are at edges
    ck_assert_str_eq(sentence(1.0), "");
}
END_TEST

START_TEST(a_timed_size_without_a_launch_is_doubted) {
    plans.student[0].is_valid = false;
    expect("timed at 2048x2048x2048, and its launch configuration gave no valid launch");
}
END_TEST

// Another kernel may run at another size, so the counted one stands for itself.
START_TEST(several_launches_are_compared_at_the_counted_size) {
    student_outcome.launch_count = reference_outcome.launch_count = 2;
    plans.student[0].is_one = false;
    ck_assert_str_eq(sentence(1.0), "");
    student_outcome.counts.other_slots = 100ull * EDGE * EDGE * EDGE;
    expect("At 256x256x256 the kernel is estimated to take");
}
END_TEST

START_TEST(shares_are_those_of_the_points) {
    const struct exercise_speed *asked = &exercise.counted[0];
    ck_assert(score_share(asked, 2.0) == 1.0);
    ck_assert(score_share(asked, 0.3) == 0.0);
    ck_assert(score_share(asked, 0.1) == 0.0);
    ck_assert_double_eq_tol(score_share(asked, 0.625), 0.5, 1e-9);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("doubt");
    TCase *tests = tcase_create("doubt");
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, the_same_work_is_believed);
    tcase_add_test(tests, what_brings_no_points_is_not_doubted);
    tcase_add_test(tests, few_blocks_are_doubted);
    tcase_add_test(tests, of_tensor_cores_an_idle_card_is_doubted);
    tcase_add_test(tests, of_tensor_cores_barriers_everywhere_are_doubted);
    tcase_add_test(tests, few_warps_are_doubted);
    tcase_add_test(tests, warps_that_only_wait_do_not_hide_anything);
    tcase_add_test(tests, many_idle_blocks_are_doubted);
    tcase_add_test(tests, barriers_are_counted_and_a_few_are_believed);
    tcase_add_test(tests, barriers_that_do_not_grow_are_no_cause);
    tcase_add_test(tests, instructions_are_counted_and_indices_are_free);
    tcase_add_test(tests, operations_are_told_from_idle_threads);
    tcase_add_test(tests, operations_that_were_not_counted_are_doubted);
    tcase_add_test(tests, work_on_tensor_cores_is_compared_with_the_references);
    tcase_add_test(tests, on_tensor_cores_time_in_which_threads_idle_is_doubted);
    tcase_add_test(tests, on_tensor_cores_instructions_without_end_are_doubted);
    tcase_add_test(tests, on_tensor_cores_empty_blocks_are_doubted);
    tcase_add_test(tests, on_tensor_cores_many_bulk_copies_are_doubted);
    tcase_add_test(tests, on_tensor_cores_small_multiplications_are_doubted);
    tcase_add_test(tests, on_tensor_cores_copies_without_multiplications_are_doubted);
    tcase_add_test(tests, arrays_that_registers_cannot_hold_are_doubted);
    tcase_add_test(tests, registers_of_a_whole_block_are_doubted);
    tcase_add_test(tests, waits_are_doubted);
    tcase_add_test(tests, lanes_that_take_turns_are_doubted);
    tcase_add_test(tests, a_block_that_does_half_of_the_work_is_doubted);
    tcase_add_test(tests, a_timed_size_without_a_launch_is_doubted);
    tcase_add_test(tests, several_launches_are_compared_at_the_counted_size);
    tcase_add_test(tests, shares_are_those_of_the_points);
    suite_add_tcase(suite, tests);
    return suite;
}
