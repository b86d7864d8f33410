// The GPU launcher with a simulated driver, and a product of 5x3x4 in its memfd.
#ifndef GPU_LAUNCHER_RIG_H
#define GPU_LAUNCHER_RIG_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/gpu/driver.h"

static enum status made_up_driver_open(struct cuda_driver *ret_driver, struct error *err);

// The launcher is in no library, because each worker program links its own.
#define cuda_driver_open made_up_driver_open
#include "../../grader/device/gpu/context.c"
#include "../../grader/device/gpu/gpu_launcher.c"
#undef cuda_driver_open
#include "../gpu/fake_cuda.c"

#include "judge/model/inputs.h"
#include "scratch.h"
#include "product_arguments.h"
#include "suite.h"  // last: Check has a macro called fail

static enum status made_up_driver_open(struct cuda_driver *ret_driver, struct error *err) {
    (void)err;
    *ret_driver = (struct cuda_driver){.version = 13000,
                                       .api = {
                                           .error_name = cuGetErrorName,
                                           .error_text = cuGetErrorString,
                                           .device_count = cuDeviceGetCount,
                                           .device_get = cuDeviceGet,
                                           .device_attribute = cuDeviceGetAttribute,
                                           .context_retain = cuDevicePrimaryCtxRetain,
                                           .context_release = cuDevicePrimaryCtxRelease_v2,
                                           .context_current = cuCtxSetCurrent,
                                           .context_limit = cuCtxSetLimit,
                                           .context_reset_l2 = cuCtxResetPersistingL2Cache,
                                           .module_load = cuModuleLoadData,
                                           .module_unload = cuModuleUnload,
                                           .module_function = cuModuleGetFunction,
                                           .function_attribute = cuFuncGetAttribute,
                                           .function_attribute_set = cuFuncSetAttribute,
                                           .context_wait = cuCtxSynchronize,
                                           .device_uuid = cuDeviceGetUuid,
                                           .device_memory = cuDeviceTotalMem_v2,
                                           .memory_allocate = cuMemAlloc_v2,
                                           .memory_free = cuMemFree_v2,
                                           .copy_to_device = cuMemcpyHtoD_v2,
                                           .copy_to_host = cuMemcpyDtoH_v2,
                                           .set_words = cuMemsetD32Async,
                                           .event_create = cuEventCreate,
                                           .event_record = cuEventRecord,
                                           .event_query = cuEventQuery,
                                           .event_elapsed = cuEventElapsedTime,
                                           .launch = cuLaunchKernel,
                                           .tensor_map_encode = cuTensorMapEncodeTiled,
                                           .function_parameter = fake_parameter,
                                       }};
    return STATUS_OK;
}

static struct answer answer;
static struct error err;
static struct launcher *launcher;
static int matrices;
static struct scratch scratch;
static struct arguments called;

#define ROWS    5
#define COLUMNS 3
#define DEPTH   4

// A is 1 2 3 …, B is all 2, C is poison.
static void setup(void) {
    // Any file is a cubin to the fake.  The cubin of our own kernels is looked for next to it.
    static char cubin[PATH_BYTES_MAX];
    static char inputs[PATH_BYTES_MAX];
    static char *const arguments[] = {cubin, "matmul_x", "0"};
    scratch = scratch_make();
    called = product_arguments(ROWS, COLUMNS, DEPTH);
    scratch_write(&scratch, "kernel.cubin", "x", cubin);
    scratch_write(&scratch, BUILD_INPUTS, "x", inputs);
    float a[ROWS * DEPTH];
    float b[DEPTH * COLUMNS];
    for (int i = 0; i < ROWS * DEPTH; i++) {
        a[i] = (float)(i + 1);
    }
    for (int i = 0; i < DEPTH * COLUMNS; i++) {
        b[i] = 2.0f;
    }
    matrices = memfd_create("matrices", 0);
    ck_assert_int_ge(matrices, 0);
    ck_assert_int_eq(ftruncate(matrices, (off_t)arguments_memory_bytes(&called)), 0);
    ck_assert_int_eq(pwrite(matrices, a, sizeof a, (off_t)called.list[ARRAY_A].at), sizeof a);
    ck_assert_int_eq(pwrite(matrices, b, sizeof b, (off_t)called.list[ARRAY_B].at), sizeof b);
    ck_assert_msg(launcher_open(3, arguments, &launcher, &err) == STATUS_OK, "%s", err.text);
}

static void teardown(void) {
    launcher->context.lost = false;  // a real driver would free its memory; this one has to be told
    launcher_close(launcher);
    (void)close(matrices);
    scratch_remove(&scratch);
}

static enum status run(const char *how, uint32_t flags) {
    const struct request request = {.kind = REQUEST_LAUNCH,
                                    .size = {ROWS, COLUMNS, DEPTH},
                                    .arguments = called,
                                    .flags = flags,
                                    .time_ms_max = 50};
    ck_assert_int_eq(setenv("FAKE_CUDA", how, 1), 0);
    return launcher_run(launcher, &request, matrices, &answer, &err);
}

#endif
