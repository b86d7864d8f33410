// What a LAUNCH_CONFIG may return, and the plan that is made of it.
#include "device/channel/launch_check.h"

#include <string.h>

#include "suite.h"  // last: Check has a macro called fail

static struct launch_config config;
static struct launch_plan plan;

static struct launch_config one_kernel(void) {
    return (struct launch_config){.grid = {4, 5, 1}, .block = {16, 8, 1}, .shared_bytes = 96};
}

static struct launch_config two_launches(void) {
    return (struct launch_config){
        .grid = {0, 1, 1},
        .block = {0, 1, 1},
        .workspace_bytes = 400,
        .launch_count = 2,
        .launch = {{.grid = {7, 1, 3}, .block = {64, 1, 1}, .address = 16, .kernel = "sum_parts"},
                   {.grid = {2, 9, 1}, .block = {8, 8, 1}, .address = 32, .kernel = "add_parts"}}};
}

// matmul.cuh has the same numbers in CUDA C++ (tests/emu/launches_layout.cu).
START_TEST(the_layout_is_that_of_matmul_cuh) {
    ck_assert_uint_eq(sizeof(struct plan_launch), 88);
    ck_assert_uint_eq(sizeof(struct launch_config), 400);
    ck_assert_uint_eq(offsetof(struct launch_config, workspace_bytes), 32);
    ck_assert_uint_eq(offsetof(struct launch_config, launch), 48);
}
END_TEST

// The messages contain these numbers, and so does lessons/launches.md.
START_TEST(what_is_told_of_the_limits_are_the_limits) {
    char text[128];
    (void)snprintf(text, sizeof text, "LAUNCH is used more than %d times", PLAN_LAUNCHES_MAX);
    ck_assert_str_eq(plain(bad_launch_text(BAD_LAUNCH_TOO_MANY)), text);
    (void)snprintf(text, sizeof text, "the workspace is larger than %u MiB",
                   WORKSPACE_BYTES_MAX >> 20);
    ck_assert_str_eq(plain(bad_launch_text(BAD_LAUNCH_WORKSPACE)), text);
    (void)snprintf(text, sizeof text, "a block has more than %d threads", THREADS_MAX);
    ck_assert_str_eq(plain(bad_launch_text(BAD_LAUNCH_BLOCK_TOO_LARGE)), text);
}
END_TEST

START_TEST(one_kernel_is_a_plan_of_one_launch) {
    config = one_kernel();
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_NONE);
    ck_assert_uint_eq(plan.count, 1);
    ck_assert_uint_eq(plan.launch[0].grid[1], 5);
    ck_assert_uint_eq(plan.launch[0].block[0], 16);
    ck_assert_uint_eq(plan.launch[0].shared_bytes, 96);
    ck_assert_uint_eq(plan.launch[0].address, 0);
    ck_assert_uint_eq(plan.workspace_bytes, 0);
}
END_TEST

START_TEST(a_list_is_taken_in_its_order) {
    config = two_launches();
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_NONE);
    ck_assert_uint_eq(plan.count, 2);
    ck_assert_str_eq(plan.launch[0].kernel, "sum_parts");
    ck_assert_str_eq(plan.launch[1].kernel, "add_parts");
    ck_assert_uint_eq(plan.workspace_bytes, 400);
}
END_TEST

START_TEST(a_list_may_be_full_but_no_longer) {
    config = two_launches();
    config.launch[2] = config.launch[3] = config.launch[1];
    config.launch_count = PLAN_LAUNCHES_MAX;
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_NONE);
    config.launch_count = PLAN_LAUNCHES_MAX + 1;
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_TOO_MANY);
    config.launch_count = UINT32_MAX;
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_TOO_MANY);
}
END_TEST

START_TEST(a_list_beside_a_launch_of_its_own_is_refused) {
    for (int i = 0; i < 3; i++) {
        config = two_launches();
        config.grid[i] = 2;
        ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_BOTH);
        config = two_launches();
        config.block[i] = 2;
        ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_BOTH);
    }
    config = two_launches();
    config.shared_bytes = 1;
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_BOTH);
}
END_TEST

START_TEST(a_workspace_has_a_limit_and_whole_words) {
    config = one_kernel();
    config.workspace_bytes = WORKSPACE_BYTES_MAX;
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_NONE);
    ck_assert_uint_eq(plan.workspace_bytes, WORKSPACE_BYTES_MAX);
    config.workspace_bytes = 5;
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_NONE);
    ck_assert_uint_eq(plan.workspace_bytes, 8);
    config.workspace_bytes = WORKSPACE_BYTES_MAX + 1;
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_WORKSPACE);
    config.workspace_bytes = UINT64_MAX;
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_WORKSPACE);
}
END_TEST

START_TEST(a_name_without_an_end_is_refused) {
    config = two_launches();
    memset(config.launch[1].kernel, 'x', KERNEL_NAME_MAX - 1);
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_NONE);
    config.launch[1].kernel[KERNEL_NAME_MAX - 1] = 'x';
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_KERNEL);
}
END_TEST

START_TEST(the_answer_has_one_launch_and_the_extents_of_the_others) {
    struct answer answer = {.magic = 0};
    config = two_launches();
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_NONE);
    launch_plan_tell(&plan, 1, &answer);
    ck_assert_uint_eq(answer.launch_count, 2);
    ck_assert_uint_eq(answer.launch, 1);
    ck_assert_uint_eq(answer.grid[1], 9);
    ck_assert_uint_eq(answer.other_grid[0], 7);
    ck_assert_uint_eq(answer.other_grid[2], 3);
    ck_assert_uint_eq(answer.other_block[0], 64);
    ck_assert_uint_eq(answer.workspace_bytes, 400);
}
END_TEST

START_TEST(the_exercises_own_kernel_is_no_list) {
    struct answer answer = {.magic = 0};
    config = one_kernel();
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_NONE);
    launch_plan_tell(&plan, 0, &answer);
    ck_assert_uint_eq(answer.launch_count, 0);
    ck_assert_uint_eq(answer.grid[1], 5);
    ck_assert_uint_eq(answer.other_grid[1], 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("launch_plan");
    TCase *tcase = tcase_create("launch_plan");
    tcase_add_test(tcase, the_layout_is_that_of_matmul_cuh);
    tcase_add_test(tcase, what_is_told_of_the_limits_are_the_limits);
    tcase_add_test(tcase, one_kernel_is_a_plan_of_one_launch);
    tcase_add_test(tcase, a_list_is_taken_in_its_order);
    tcase_add_test(tcase, a_list_may_be_full_but_no_longer);
    tcase_add_test(tcase, a_list_beside_a_launch_of_its_own_is_refused);
    tcase_add_test(tcase, a_workspace_has_a_limit_and_whole_words);
    tcase_add_test(tcase, a_name_without_an_end_is_refused);
    tcase_add_test(tcase, the_answer_has_one_launch_and_the_extents_of_the_others);
    tcase_add_test(tcase, the_exercises_own_kernel_is_no_list);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
