// What NVML says, with a simulated NVML; and the names of GPUs and of their parts.
#include <string.h>

#include "device/gpu/gpu_info.h"
#include "suite.h"

static int silent;  // the function from 1 that fails; 0: none
static nvml_handle asked;

#define WHOLE ((nvml_handle)(uintptr_t)1)
#define PART  ((nvml_handle)(uintptr_t)2)

static int fake_init(void) {
    return silent == 1;
}
static int fake_by_uuid(const char *uuid, nvml_handle *device) {
    *device = strncmp(uuid, "MIG-", 4) == 0 ? PART : WHOLE;
    return silent == 2;
}
static int fake_of_part(nvml_handle part, nvml_handle *device) {
    ck_assert_ptr_eq(part, PART);
    *device = WHOLE;
    return silent == 3;
}
static int fake_clock(nvml_handle device, int domain, unsigned *mhz) {
    asked = device;
    *mhz = domain == 1 ? 1980 : 3201;
    return silent == 4;
}
static int fake_reasons(nvml_handle device, unsigned long long *reasons) {
    (void)device;
    *reasons = GPU_REASON_HW_THERMAL;
    return silent == 5;
}
static int fake_temperature(nvml_handle device, int sensor, unsigned *celsius) {
    (void)device;
    *celsius = sensor == 0 ? 48 : 0;
    return silent == 6;
}
static int fake_power(nvml_handle device, unsigned *milliwatts) {
    (void)device;
    *milliwatts = 460000;
    return silent == 7;
}

static const struct nvml_api api = {fake_init,    fake_by_uuid,     fake_of_part, fake_clock,
                                    fake_reasons, fake_temperature, fake_power};

static struct gpu_state read_state(const char *uuid) {
    struct gpu_clocks clocks;
    asked = NULL;
    gpu_clocks_use(&api, uuid, &clocks);
    return gpu_clocks_read(&clocks);
}

static void reset(void) {
    silent = 0;
}

START_TEST(clocks_reasons_heat_and_power_are_read) {
    struct gpu_state state = read_state("GPU-1");
    ck_assert_uint_eq(state.known, 15);
    ck_assert_uint_eq(state.sm_mhz, 1980);
    ck_assert_uint_eq(state.memory_mhz, 3201);
    ck_assert_uint_eq(state.reasons, GPU_REASON_HW_THERMAL);
    ck_assert_uint_eq(state.celsius, 48);
    ck_assert_uint_eq(state.milliwatts, 460000);
}
END_TEST

START_TEST(what_nvml_does_not_say_is_unknown_and_zero) {
    static const uint32_t unknown[] = {
        15, 15, 0, GPU_STATE_CLOCKS, GPU_STATE_REASONS, GPU_STATE_HEAT, GPU_STATE_POWER};
    silent = _i;
    struct gpu_state state = read_state("GPU-1");
    ck_assert_uint_eq(state.known, 15 & ~unknown[_i - 1]);
    ck_assert(state.known & GPU_STATE_CLOCKS || state.sm_mhz == 0);
    ck_assert(state.known & GPU_STATE_REASONS || state.reasons == 0);
}
END_TEST

START_TEST(a_part_has_the_clocks_of_the_gpu_that_it_is_a_part_of) {
    ck_assert_uint_eq(read_state("MIG-1").sm_mhz, 1980);
    ck_assert_ptr_eq(asked, WHOLE);
    silent = 3;
    ck_assert_uint_eq(read_state("MIG-1").known, 0);
}
END_TEST

START_TEST(without_nvml_nothing_is_known) {
    struct gpu_clocks clocks;
    gpu_clocks_open("GPU-none", &clocks);  // on a machine without it, or without this GPU
    ck_assert_uint_eq(gpu_clocks_read(&clocks).known, 0);
}
END_TEST

// --- UUIDs --------------------------------------------------------------------------------------

static unsigned char whole_byte, part_byte;

static int fake_uuid(struct cuda_uuid *uuid, cuda_device device) {
    memset(uuid->bytes, whole_byte, sizeof uuid->bytes);
    return device;
}
static int fake_uuid_of_part(struct cuda_uuid *uuid, cuda_device device) {
    memset(uuid->bytes, part_byte, sizeof uuid->bytes);
    return device;
}

START_TEST(a_gpu_and_a_part_of_one_have_names_of_their_own) {
    struct cuda_driver driver = {.api = {.device_uuid = fake_uuid}};
    char text[GPU_UUID_MAX];
    whole_byte = 0xab;
    gpu_uuid_of(&driver, 0, text);  // an older driver
    ck_assert_str_eq(text, "GPU-abababab-abab-abab-abab-abababababab");
    driver.api.device_uuid_of_part = fake_uuid_of_part;
    part_byte = 0xab;
    gpu_uuid_of(&driver, 0, text);
    ck_assert_str_eq(text, "GPU-abababab-abab-abab-abab-abababababab");
    part_byte = 0xcd;
    gpu_uuid_of(&driver, 0, text);
    ck_assert_str_eq(text, "MIG-cdcdcdcd-cdcd-cdcd-cdcd-cdcdcdcdcdcd");
    gpu_uuid_of(&driver, 1, text);  // the driver does not say
    ck_assert_str_eq(text, "");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("gpu_clocks");
    TCase *tests = tcase_create("gpu_clocks");
    tcase_add_checked_fixture(tests, reset, NULL);
    tcase_add_test(tests, clocks_reasons_heat_and_power_are_read);
    tcase_add_loop_test(tests, what_nvml_does_not_say_is_unknown_and_zero, 1, 8);
    tcase_add_test(tests, a_part_has_the_clocks_of_the_gpu_that_it_is_a_part_of);
    tcase_add_test(tests, without_nvml_nothing_is_known);
    tcase_add_test(tests, a_gpu_and_a_part_of_one_have_names_of_their_own);
    suite_add_tcase(suite, tests);
    return suite;
}
