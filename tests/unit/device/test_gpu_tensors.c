// Tensor maps that LAUNCH_CONFIG describes, through the GPU launcher with a simulated driver.
#include "gpu_launcher_rig.h"

static const struct {
    const char *how;
    enum bad_launch bad;  // BAD_LAUNCH_NONE: the product is right
} tensors[] = {
    {"tensor=0", BAD_LAUNCH_NONE},     // of A
    {"tensor=1000", BAD_LAUNCH_NONE},  // of the workspace
    {"tensor=3", BAD_LAUNCH_TENSOR},   // M is no array
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

int main(void) {
    Suite *suite = suite_create("gpu_tensors");
    TCase *tests = tcase_create("gpu_tensors");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, a_kernel_gets_the_tensor_maps_that_its_configuration_describes, 0,
                        sizeof tensors / sizeof *tensors);
    tcase_add_test(tests, a_driver_without_tensor_maps_is_said_to_be_the_reason);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
