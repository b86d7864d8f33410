// The GPU launcher with a simulated driver: the answer for each way in which a launch ends, what is
// copied where, and that a damaged guard band is noticed. tests/gpu/check_gpu.sh checks a real GPU.
#include "gpu_launcher_rig.h"

START_TEST(a_launch_leaves_the_product_and_its_configuration) {
    float c[ROWS * COLUMNS];
    ck_assert_int_eq(run("", 0), STATUS_OK);
    ck_assert_int_eq(answer.end, RUN_FINISHED);
    ck_assert_uint_eq(answer.guard_damaged, 0);
    ck_assert_uint_gt(answer.elapsed_ns, 0);
    ck_assert_uint_eq(answer.grid[0], 1);
    ck_assert_uint_eq(answer.block[0], 16);
    ck_assert_int_eq(pread(matrices, c, sizeof c, (off_t)called.list[ARRAY_C].at), sizeof c);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        int row = i / COLUMNS;
        ck_assert_float_eq(c[i], (float)(2 * (4 * DEPTH * row + 10)));
    }
}
END_TEST

// --- Several launches for one product -----------------------------------------------------------

START_TEST(the_launches_of_a_plan_run_one_after_the_other) {
    float c[ROWS * COLUMNS];
    for (int times = 0; times < 2; times++) {  // the workspace is poisoned before each
        ck_assert_int_eq(run("plan=2", 0), STATUS_OK);
        ck_assert_int_eq(answer.end, RUN_FINISHED);
        ck_assert_uint_eq(answer.guard_damaged, 0);
        ck_assert_uint_eq(answer.launch_count, 2);
        ck_assert_uint_eq(answer.block[0], 16);
        ck_assert_uint_eq(answer.other_block[0], 17);
        ck_assert_uint_eq(answer.workspace_bytes, ROWS * COLUMNS * sizeof(float));
        ck_assert_int_eq(pread(matrices, c, sizeof c, (off_t)called.list[ARRAY_C].at), sizeof c);
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            ck_assert_float_eq(c[i], (float)(2 * (4 * DEPTH * (i / COLUMNS) + 10)));
        }
    }
}
END_TEST

START_TEST(a_dependent_launch_is_started_as_one) {
    float c = 0.0f;
    ck_assert_int_eq(run("plan=2 dependent=1", 0), STATUS_OK);
    ck_assert_int_eq(answer.end, RUN_FINISHED);
    ck_assert_int_eq(pread(matrices, &c, sizeof c, (off_t)called.list[ARRAY_C].at), sizeof c);
    ck_assert_float_eq(c, 20.0f);
}
END_TEST

START_TEST(a_missing_second_launch_leaves_c_alone) {
    float c = 1.0f;
    ck_assert_int_eq(run("plan=1", 0), STATUS_OK);
    ck_assert_int_eq(answer.end, RUN_FINISHED);
    ck_assert_int_eq(pread(matrices, &c, sizeof c, (off_t)called.list[ARRAY_C].at), sizeof c);
    ck_assert_float_eq(c, 0.0f);  // the value that the file had
}
END_TEST

START_TEST(a_kernel_that_is_not_there_is_a_bad_launch) {
    ck_assert_int_eq(run("plan=3", 0), STATUS_OK);
    ck_assert_int_eq(answer.end, RUN_BAD_LAUNCH);
    ck_assert_int_eq(answer.bad_launch, BAD_LAUNCH_KERNEL);
    ck_assert_str_eq(plain(answer.text), "LAUNCH names no __global__ function of the file");
}
END_TEST

START_TEST(five_launches_are_a_bad_launch) {
    ck_assert_int_eq(run("plan=5", 0), STATUS_OK);
    ck_assert_int_eq(answer.bad_launch, BAD_LAUNCH_TOO_MANY);
}
END_TEST

START_TEST(writes_beside_the_workspace_are_seen) {
    ck_assert_int_eq(run("plan_spoil=-4", 0), STATUS_OK);
    ck_assert_uint_eq(answer.guard_damaged, 1u << ARRAY_WORKSPACE);
    ck_assert_int_eq(run("plan_spoil=60", REQUEST_RELOAD), STATUS_OK);  // one element past the end
    ck_assert_uint_eq(answer.guard_damaged, 1u << ARRAY_WORKSPACE);
    ck_assert_int_eq(run("plan_spoil=56", REQUEST_RELOAD), STATUS_OK);  // the last element
    ck_assert_uint_eq(answer.guard_damaged, 0);
}
END_TEST

// --- Timed launches ------------------------------------------------------------------------------

static struct random_key inputs_key = {{0x1234567890abcdef, 0xfedcba0987654321}};
static enum timed_inputs inputs;

static enum status timed_part(const char *how, enum request_kind kind, uint32_t batch) {
    const struct request request = {
        .kind = kind,
        .size = {ROWS, COLUMNS, DEPTH},
        .arguments = called,
        .time_ms_max = 50,
        .timed = {.key = inputs_key, .poison = POISON_BITS, .batch = batch, .inputs = inputs}};
    ck_assert_int_eq(setenv("FAKE_CUDA", how, 1), 0);
    return launcher_run(launcher, &request, matrices, &answer, &err);
}

static void timed_all(const char *how, uint32_t batch) {
    ck_assert_int_eq(timed_part(how, REQUEST_PREPARE, batch), STATUS_OK);
    ck_assert_int_eq(answer.end, RUN_FINISHED);
    ck_assert_int_eq(timed_part(how, REQUEST_GO, batch), STATUS_OK);
    ck_assert_uint_eq(answer.elapsed_ns, 250000);
    ck_assert_int_eq(timed_part(how, REQUEST_COLLECT, batch), STATUS_OK);
}

// C of launch j is the product of the exact inputs that the host makes from the same key.
static void product_check(uint32_t batch) {
    const struct size size = {ROWS, COLUMNS, DEPTH};
    const struct timed_layout layout = timed_layout_of(&called, batch);
    for (uint32_t j = 0; j < batch; j++) {
        float a[ROWS * DEPTH];
        float b[DEPTH * COLUMNS];
        float c[ROWS * COLUMNS];
        inputs_fill(inputs == TIMED_REAL ? INPUTS_REAL : INPUTS_EXACT,
                    exact_batch_key(inputs_key, j), size, a, b);
        ck_assert_int_eq(pread(matrices, c, sizeof c, (off_t)(j * layout.stride)), sizeof c);
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            float sum = 0.0f;
            for (int k = 0; k < DEPTH; k++) {
                sum += a[i / COLUMNS * DEPTH + k] * b[k * COLUMNS + i % COLUMNS];
            }
            ck_assert_float_eq(c[i], sum);
        }
    }
}

START_TEST(a_timed_launch_leaves_the_product_of_the_inputs_of_its_key) {
    timed_all("", 1);
    ck_assert_uint_eq(answer.timed.inputs_changed, 0);
    ck_assert_uint_eq(answer.guard_damaged, 0);
    product_check(1);
}
END_TEST

// The GPU's real inputs are the host's, and a change of one is seen.
START_TEST(real_inputs_of_a_timed_launch_are_those_of_its_key) {
    inputs = TIMED_REAL;
    ck_assert_int_eq(ftruncate(matrices, (off_t)timed_layout_of(&called, 2).total), 0);
    timed_all("", 2);
    ck_assert_uint_eq(answer.timed.inputs_changed, 0);
    product_check(2);
    inputs = TIMED_EXACT;
}
END_TEST

START_TEST(each_launch_of_a_batch_has_inputs_of_its_own) {
    ck_assert_int_eq(ftruncate(matrices, (off_t)timed_layout_of(&called, 3).total), 0);
    timed_all("", 3);
    product_check(3);
}
END_TEST

START_TEST(a_timed_plan_has_all_its_launches_between_the_events) {
    ck_assert_int_eq(ftruncate(matrices, (off_t)timed_layout_of(&called, 3).total), 0);
    timed_all("plan=2", 3);
    ck_assert_int_eq(between_events, 2 * 3);
    ck_assert_uint_eq(answer.guard_damaged, 0);
    product_check(3);
    timed_all("plan=2", 2);  // each product finds its workspace poisoned
    product_check(2);
    timed_all("plan_spoil=60", 1);
    ck_assert_uint_eq(answer.guard_damaged, 1u << ARRAY_WORKSPACE);
}
END_TEST

// The GPU's inputs of 11 bits are the host's.
START_TEST(narrow_inputs_of_a_timed_launch_are_those_of_its_key) {
    struct random_key wide = inputs_key;
    inputs_key = exact_narrow(inputs_key);
    timed_all("", 1);
    ck_assert_uint_eq(answer.timed.inputs_changed, 0);
    product_check(1);
    inputs_key = wide;
}
END_TEST

START_TEST(a_timed_launch_that_writes_to_an_input_is_seen) {
    timed_all("input=4", 1);
    ck_assert_uint_eq(answer.timed.inputs_changed, 1u << ARRAY_A);
    ck_assert_uint_eq(answer.guard_damaged, 0);
    timed_all("input=-4", 1);  // before the input: its guard band
    ck_assert_uint_eq(answer.timed.inputs_changed, 0);
    ck_assert_uint_eq(answer.guard_damaged, 1u << ARRAY_A);
}
END_TEST

START_TEST(parts_of_a_timed_launch_out_of_order_are_refused) {
    ck_assert_int_eq(timed_part("", REQUEST_GO, 1), STATUS_BAD_USAGE);
    teardown();
    setup();
    ck_assert_int_eq(timed_part("", REQUEST_PREPARE, 1), STATUS_OK);
    ck_assert_int_eq(timed_part("", REQUEST_GO, 2), STATUS_BAD_USAGE);
    teardown();
    setup();
    timed_all("", 1);
    ck_assert_int_eq(timed_part("", REQUEST_COLLECT, 1), STATUS_BAD_USAGE);
}
END_TEST

START_TEST(a_timed_launch_that_fails_is_an_answer) {
    ck_assert_int_eq(timed_part("", REQUEST_PREPARE, 1), STATUS_OK);
    ck_assert_int_eq(timed_part("error=700", REQUEST_GO, 1), STATUS_OK);
    ck_assert_int_eq(answer.end, RUN_CRASHED);
    ck_assert_int_eq(answer.findings.list[0].kind, FINDING_OUT_OF_BOUNDS);
}
END_TEST

START_TEST(the_set_up_needs_nothing) {
    const struct request request = {.kind = REQUEST_SETUP};
    ck_assert_int_eq(launcher_run(launcher, &request, -1, &answer, &err), STATUS_OK);
    ck_assert_int_eq(answer.end, RUN_FINISHED);
}
END_TEST

// Offsets from the start of C, which has ROWS * COLUMNS * 4 = 60 bytes, and what damage there
// shows.
static const struct {
    const char *how;
    uint32_t damaged;
} spoils[] = {
    {"spoil=60", 4}, {"spoil=-4", 4}, {"spoil=1048632", 4}, {"spoil=-1048576", 4}, {"spoil=56", 0},
};

START_TEST(a_write_into_a_guard_band_is_seen_and_one_beside_it_is_not) {
    ck_assert_int_eq(run(spoils[_i].how, 0), STATUS_OK);
    ck_assert_int_eq(answer.end, RUN_FINISHED);
    ck_assert_uint_eq(answer.guard_damaged, spoils[_i].damaged);
}
END_TEST

START_TEST(guard_bands_are_whole_again_in_the_next_launch) {
    ck_assert_int_eq(run("spoil=60", 0), STATUS_OK);
    ck_assert_int_eq(run("", 0), STATUS_OK);
    ck_assert_uint_eq(answer.guard_damaged, 0);
}
END_TEST

START_TEST(a_fault_of_the_kernel_is_an_answer_and_ends_the_worker) {
    ck_assert_int_eq(run("error=700", 0), STATUS_OK);
    ck_assert_int_eq(answer.end, RUN_CRASHED);
    ck_assert_int_eq(answer.findings.list[0].kind, FINDING_OUT_OF_BOUNDS);
    ck_assert_int_eq(run("", 0), STATUS_SYSTEM);
    ck_assert_ptr_nonnull(strstr(err.text, "start another worker"));
}
END_TEST

START_TEST(a_fault_of_the_machine_is_an_error) {
    ck_assert_int_eq(run("error=214", 0), STATUS_SYSTEM);
    ck_assert_str_eq(err.text, "the launch: a fake error (FAKE_214)");
}
END_TEST

START_TEST(a_kernel_that_does_not_end_is_stopped_at_its_limit) {
    ck_assert_int_eq(run("hang", 0), STATUS_OK);
    ck_assert_int_eq(answer.end, RUN_STOPPED);
    ck_assert_int_eq(answer.findings.list[0].kind, FINDING_TIME_LIMIT);
    ck_assert_str_eq(answer.text, "the kernel still ran after 50 ms");
}
END_TEST

static const struct {
    const char *how;
    enum bad_launch reason;
} bad_launches[] = {
    {"config=0", BAD_LAUNCH_BLOCK_ZERO},
    {"config=33", BAD_LAUNCH_BLOCK_TOO_LARGE},
    {"refuse", BAD_LAUNCH_RESOURCES},
    {"clusters", BAD_LAUNCH_RESOURCES},
};

START_TEST(a_configuration_that_no_gpu_takes_is_a_bad_launch) {
    ck_assert_int_eq(run(bad_launches[_i].how, 0), STATUS_OK);
    ck_assert_int_eq(answer.end, RUN_BAD_LAUNCH);
    ck_assert_int_eq(answer.bad_launch, bad_launches[_i].reason);
}
END_TEST

START_TEST(shared_memory_beyond_48_kib_is_asked_for_up_to_what_the_gpu_has) {
    ck_assert_int_eq(run("shared=100352", 0), STATUS_OK);  // with 2 KiB of static memory: 100 KiB
    ck_assert_int_eq(answer.end, RUN_FINISHED);
    ck_assert_int_eq(run("", REQUEST_RELOAD), STATUS_OK);
    ck_assert_int_eq(run("shared=100353", REQUEST_RELOAD), STATUS_OK);
    ck_assert_int_eq(answer.bad_launch, BAD_LAUNCH_SHARED);
    ck_assert_str_eq(answer.text, "this GPU gives a block at most 102400 bytes of shared memory");
}
END_TEST

// 132 x 2048 threads at a time, 1 GiB: 3,971 bytes each fit.
START_TEST(a_kernel_whose_memory_no_such_gpu_has_is_a_bad_launch) {
    launcher->kernel.module.kernel.local_bytes = 3972;
    ck_assert_int_eq(run("no_memory", 0), STATUS_OK);
    ck_assert_int_eq(answer.bad_launch, BAD_LAUNCH_RESOURCES);
}
END_TEST

START_TEST(a_kernel_whose_memory_others_have_taken_is_our_trouble) {
    launcher->kernel.module.kernel.local_bytes = 3971;
    ck_assert_int_eq(run("no_memory", 0), STATUS_NO_MEMORY);
    ck_assert_str_eq(err.text,
                     "the GPU has no memory left for a launch; does another program use it?");
}
END_TEST

START_TEST(the_largest_block_is_launched) {
    ck_assert_int_eq(run("config=32", 0), STATUS_OK);
    ck_assert_int_eq(answer.end, RUN_FINISHED);
}
END_TEST

START_TEST(a_cubin_that_the_driver_refuses_is_our_trouble) {
    ck_assert_int_eq(run("load=209", REQUEST_RELOAD), STATUS_SYSTEM);
    ck_assert_str_eq(err.text, "loading the cubin: a fake error (FAKE_209)");
}
END_TEST

START_TEST(matrices_that_are_too_short_are_our_trouble) {
    ck_assert_int_eq(ftruncate(matrices, 10), 0);
    ck_assert_int_eq(run("", 0), STATUS_SYSTEM);
    ck_assert_str_eq(err.text, "the matrices of the judge end too early");
}
END_TEST

START_TEST(what_is_reserved_is_not_taken_again) {
    ck_assert_int_eq(ftruncate(matrices, 1 << 20), 0);
    ck_assert_int_eq(timed_part("", REQUEST_RESERVE, 2), STATUS_OK);
    const char *window = launcher->timed.window;
    cuda_address c = launcher->timed.array[1][ARRAY_C].base;
    timed_all("", 2);
    ck_assert(window && launcher->timed.window == window && c != 0 &&
              launcher->timed.array[1][ARRAY_C].base == c);
}
END_TEST

START_TEST(arguments_are_checked) {
    static char *const bad[][3] = {{"a", "b", "x"}, {"a", "b", "-1"}, {"a", "b", ""}};
    struct launcher *none = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(launcher_open(3, bad[i], &none, &err), STATUS_BAD_USAGE);
    }
    ck_assert_int_eq(launcher_open(0, bad[0], &none, &err), STATUS_BAD_USAGE);
    static char *const absent[] = {"/absent.cubin", "b", "0"};
    ck_assert_int_eq(launcher_open(3, absent, &none, &err), STATUS_BAD_DATA);
    static char *const second[] = {"Makefile", "b", "1"};
    ck_assert_int_eq(launcher_open(3, second, &none, &err), STATUS_UNAVAILABLE);
    ck_assert_ptr_null(none);
}
END_TEST

START_TEST(only_its_own_gpu_is_visible_and_by_one_queue) {
    struct launcher *other = NULL;
    ck_assert_int_eq(setenv("CUDA_VISIBLE_DEVICES", "7,GPU-x,0,3", 1), 0);
    ck_assert_int_eq(launcher_open(3, (char *[]){"Makefile", "b", "2"}, &other, &err), STATUS_OK);
    ck_assert_str_eq(getenv("CUDA_VISIBLE_DEVICES"), "0");
    ck_assert_str_eq(getenv("CUDA_DEVICE_MAX_CONNECTIONS"), "1");
    launcher_close(other);
}
END_TEST

// --- Tensor maps that LAUNCH_CONFIG describes ----------------------------------------------------

static const struct {
    const char *how;
    enum bad_launch bad;  // BAD_LAUNCH_NONE: the product is right
} tensors[] = {
    {"tensor=0", BAD_LAUNCH_NONE},     // of A
    {"tensor=1000", BAD_LAUNCH_NONE},  // of the workspace
    {"tensor=3", BAD_LAUNCH_TENSOR},   // M is not an array
    {"tensor=9", BAD_LAUNCH_TENSOR},   // nor is there a tenth parameter
    {"tensor_swizzle=16", BAD_LAUNCH_TENSOR_BOX},
    {"tensor_encode=1", BAD_LAUNCH_TENSOR},
    {"tensor_encode=801", BAD_LAUNCH_TENSOR_CARD},
    {"tensor_height=2", BAD_LAUNCH_NONE},  // to the end of B
    {"tensor_height=3", BAD_LAUNCH_TENSOR_BOUNDS},
};

START_TEST(a_kernel_gets_the_tensor_maps_that_its_configuration_describes) {
    ck_assert_int_eq(run(tensors[_i].how, 0), STATUS_OK);
    ck_assert_int_eq(answer.bad_launch, tensors[_i].bad);
    ck_assert_int_eq(answer.end, tensors[_i].bad ? RUN_BAD_LAUNCH : RUN_FINISHED);
}
END_TEST

START_TEST(a_driver_without_tensor_maps_is_said_to_be_the_reason) {
    launcher->context.driver.api.tensor_map_encode = NULL;
    ck_assert_int_eq(run("tensor=0", 0), STATUS_OK);
    ck_assert_int_eq(answer.bad_launch, BAD_LAUNCH_TENSOR_CARD);
    launcher->context.driver.api.tensor_map_encode = cuTensorMapEncodeTiled;
    launcher->context.driver.api.function_parameter = NULL;  // where the maps begin is not known
    ck_assert_int_eq(run("tensor=0", REQUEST_RELOAD), STATUS_OK);
    ck_assert_int_eq(answer.bad_launch, BAD_LAUNCH_TENSOR_CARD);
}
END_TEST

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

SUITE() {
    Suite *suite = suite_create("gpu_launcher");
    TCase *tests = tcase_create("gpu_launcher");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_launch_leaves_the_product_and_its_configuration);
    tcase_add_test(tests, the_launches_of_a_plan_run_one_after_the_other);
    tcase_add_test(tests, a_dependent_launch_is_started_as_one);
    tcase_add_test(tests, a_missing_second_launch_leaves_c_alone);
    tcase_add_test(tests, a_kernel_that_is_not_there_is_a_bad_launch);
    tcase_add_test(tests, five_launches_are_a_bad_launch);
    tcase_add_test(tests, writes_beside_the_workspace_are_seen);
    tcase_add_test(tests, a_timed_plan_has_all_its_launches_between_the_events);
    tcase_add_test(tests, a_timed_launch_leaves_the_product_of_the_inputs_of_its_key);
    tcase_add_test(tests, narrow_inputs_of_a_timed_launch_are_those_of_its_key);
    tcase_add_test(tests, real_inputs_of_a_timed_launch_are_those_of_its_key);
    tcase_add_test(tests, each_launch_of_a_batch_has_inputs_of_its_own);
    tcase_add_test(tests, a_timed_launch_that_writes_to_an_input_is_seen);
    tcase_add_test(tests, parts_of_a_timed_launch_out_of_order_are_refused);
    tcase_add_test(tests, a_timed_launch_that_fails_is_an_answer);
    tcase_add_test(tests, the_set_up_needs_nothing);
    tcase_add_loop_test(tests, a_write_into_a_guard_band_is_seen_and_one_beside_it_is_not, 0,
                        COUNT_OF(spoils));
    tcase_add_test(tests, guard_bands_are_whole_again_in_the_next_launch);
    tcase_add_test(tests, a_fault_of_the_kernel_is_an_answer_and_ends_the_worker);
    tcase_add_test(tests, a_fault_of_the_machine_is_an_error);
    tcase_add_test(tests, a_kernel_that_does_not_end_is_stopped_at_its_limit);
    tcase_add_loop_test(tests, a_configuration_that_no_gpu_takes_is_a_bad_launch, 0,
                        COUNT_OF(bad_launches));
    tcase_add_test(tests, the_largest_block_is_launched);
    tcase_add_test(tests, shared_memory_beyond_48_kib_is_asked_for_up_to_what_the_gpu_has);
    tcase_add_test(tests, a_kernel_whose_memory_no_such_gpu_has_is_a_bad_launch);
    tcase_add_test(tests, a_kernel_whose_memory_others_have_taken_is_our_trouble);
    tcase_add_test(tests, a_cubin_that_the_driver_refuses_is_our_trouble);
    tcase_add_test(tests, matrices_that_are_too_short_are_our_trouble);
    tcase_add_test(tests, what_is_reserved_is_not_taken_again);
    tcase_add_test(tests, arguments_are_checked);
    tcase_add_test(tests, only_its_own_gpu_is_visible_and_by_one_queue);
    tcase_add_loop_test(tests, a_kernel_gets_the_tensor_maps_that_its_configuration_describes, 0,
                        COUNT_OF(tensors));
    tcase_add_test(tests, a_driver_without_tensor_maps_is_said_to_be_the_reason);
    suite_add_tcase(suite, tests);
    return suite;
}
