// What a LAUNCH_CONFIG may return, and the plan that is made of it.
#include "device/channel/launcher.h"

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
    ck_assert_uint_eq(sizeof(struct plan_launch), 96);
    ck_assert_uint_eq(sizeof(struct launch_config), 2352);
    ck_assert_uint_eq(sizeof(struct plan_tensor), 120);
    ck_assert_uint_eq(offsetof(struct launch_config, tensor), 432);
    ck_assert_uint_eq(offsetof(struct launch_config, workspace_bytes), 32);
    ck_assert_uint_eq(offsetof(struct launch_config, launch), 48);
    ck_assert_uint_eq(offsetof(struct plan_launch, dependent), 88);
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

START_TEST(the_first_launch_depends_on_none) {
    config = two_launches();
    config.launch[1].dependent = 1;
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_NONE);
    ck_assert_uint_eq(plan.launch[1].dependent, 1);
    config.launch[0].dependent = 1;
    ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_NONE);
    ck_assert_uint_eq(plan.launch[0].dependent, 0);
    ck_assert_uint_eq(plan.launch[1].dependent, 1);
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

// Rows of 4100 floats; a box of 32 x 128 of them.
static struct plan_tensor a_tensor(void) {
    return (struct plan_tensor){.type = 7,
                                .rank = 2,
                                .swizzle = 128,
                                .size = {4099, 100},
                                .stride = {16400},
                                .box = {32, 128}};
}

START_TEST(a_tensor_map_breaks_no_rule_of_cuda) {
    const struct {
        size_t offset, bytes;
        uint64_t value;
        enum bad_launch bad;
    } cases[] = {
#define X(member, value, bad)                                                                      \
    {offsetof(struct plan_tensor, member), sizeof((struct plan_tensor *)0)->member, value, bad}
        X(type, 7, BAD_LAUNCH_NONE),
        X(type, 12, BAD_LAUNCH_NONE),
        X(type, 13, BAD_LAUNCH_TENSOR),
        X(rank, 0, BAD_LAUNCH_NONE),
        X(rank, 1, BAD_LAUNCH_NONE),
        X(rank, 6, BAD_LAUNCH_TENSOR),
        X(swizzle, 0, BAD_LAUNCH_NONE),
        X(swizzle, 64, BAD_LAUNCH_TENSOR_BOX),
        X(swizzle, 48, BAD_LAUNCH_TENSOR_BOX),
        X(swizzle, 256, BAD_LAUNCH_TENSOR_BOX),
        X(offset, 16, BAD_LAUNCH_NONE),
        X(offset, 8, BAD_LAUNCH_TENSOR_OFFSET),
        X(size[0], 1, BAD_LAUNCH_NONE),
        X(size[0], 0, BAD_LAUNCH_TENSOR),
        X(size[1], 1ull << 32, BAD_LAUNCH_TENSOR),
        X(stride[0], 16, BAD_LAUNCH_NONE),
        X(stride[0], 16396, BAD_LAUNCH_TENSOR_ROWS),
        X(stride[0], 0, BAD_LAUNCH_TENSOR),
        X(stride[0], 1ull << 40, BAD_LAUNCH_TENSOR),
        X(box[0], 28, BAD_LAUNCH_NONE),
        X(box[0], 30, BAD_LAUNCH_TENSOR_BOX),
        X(box[0], 36, BAD_LAUNCH_TENSOR_BOX),
        X(box[0], 0, BAD_LAUNCH_TENSOR_BOX),
        X(box[1], 256, BAD_LAUNCH_NONE),
        X(box[1], 257, BAD_LAUNCH_TENSOR_BOX),
#undef X
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        config = one_kernel();
        config.tensor[7] = a_tensor();
        memcpy((char *)&config.tensor[7] + cases[i].offset, &cases[i].value, cases[i].bytes);
        ck_assert_msg(launch_plan_make(&config, &plan) == cases[i].bad, "case %zu", i);
    }
}
END_TEST

START_TEST(a_tensor_map_ends_inside_of_its_array) {
    struct arguments arguments = {.count = 2};
    arguments.list[1] = (struct argument){.kind = ARGUMENT_ARRAY, .bytes = 99 * 16400 + 4 * 4099};
    for (uint32_t where = 0; where < 2; where++) {
        config = one_kernel();
        config.tensor[0] = a_tensor();
        config.tensor[0].parameter = where == 0 ? 1 : TENSOR_WORKSPACE;
        config.workspace_bytes = arguments.list[1].bytes;
        ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_NONE);
        ck_assert_int_eq(launch_plan_fits(&plan, &arguments), BAD_LAUNCH_NONE);
        plan.tensor[0].size[0]++;
        ck_assert_int_eq(launch_plan_fits(&plan, &arguments), BAD_LAUNCH_TENSOR_BOUNDS);
        plan.tensor[0].size[0]--;
        plan.tensor[0].offset = 16;
        ck_assert_int_eq(launch_plan_fits(&plan, &arguments), BAD_LAUNCH_TENSOR_BOUNDS);
        plan.tensor[0].offset = UINT64_MAX - 15;
        plan.tensor[0].size[1] = UINT32_MAX;
        plan.tensor[0].stride[0] = (1ull << 40) - 16;
        ck_assert_int_eq(launch_plan_fits(&plan, &arguments), BAD_LAUNCH_TENSOR_BOUNDS);
    }
    plan.tensor[0].parameter = 2;  // no array
    ck_assert_int_eq(launch_plan_fits(&plan, &arguments), BAD_LAUNCH_TENSOR);
}
END_TEST

// Of what NVIDIA does not say, the CPU device makes nothing up.
START_TEST(the_cpu_device_knows_tensor_maps_without_rounding) {
    const struct {
        uint32_t type;
        bool is_known;
    } cases[] = {{7, true}, {8, true}, {9, true}, {10, false}, {12, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        config = one_kernel();
        config.tensor[3] = a_tensor();
        config.tensor[3].type = cases[i].type;
        config.tensor[3].box[0] = 16;
        ck_assert_int_eq(launch_plan_make(&config, &plan), BAD_LAUNCH_NONE);
        ck_assert_msg(launch_plan_known(&plan) ==
                          (cases[i].is_known ? BAD_LAUNCH_NONE : BAD_LAUNCH_TENSOR_UNKNOWN),
                      "case %zu", i);
    }
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

SUITE() {
    Suite *suite = suite_create("launch_plan");
    TCase *tcase = tcase_create("launch_plan");
    tcase_add_test(tcase, the_layout_is_that_of_matmul_cuh);
    tcase_add_test(tcase, what_is_told_of_the_limits_are_the_limits);
    tcase_add_test(tcase, one_kernel_is_a_plan_of_one_launch);
    tcase_add_test(tcase, a_list_is_taken_in_its_order);
    tcase_add_test(tcase, a_list_may_be_full_but_no_longer);
    tcase_add_test(tcase, a_list_beside_a_launch_of_its_own_is_refused);
    tcase_add_test(tcase, the_first_launch_depends_on_none);
    tcase_add_test(tcase, a_workspace_has_a_limit_and_whole_words);
    tcase_add_test(tcase, a_name_without_an_end_is_refused);
    tcase_add_test(tcase, a_tensor_map_breaks_no_rule_of_cuda);
    tcase_add_test(tcase, a_tensor_map_ends_inside_of_its_array);
    tcase_add_test(tcase, the_cpu_device_knows_tensor_maps_without_rounding);
    tcase_add_test(tcase, the_answer_has_one_launch_and_the_extents_of_the_others);
    tcase_add_test(tcase, the_exercises_own_kernel_is_no_list);
    suite_add_tcase(suite, tcase);
    return suite;
}
