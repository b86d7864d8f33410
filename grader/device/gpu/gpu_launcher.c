// The GPU device: runs launches of one cubin through the driver API, next to the student's kernel.
//
// Invariant: after a launch that failed or outlasted its limit the context is lost, and so is this
// worker; every later request is answered with RUN_TROUBLE, and the judge starts another worker.
// The inputs are the only data of the judge in this process.
#include "device/channel/launcher.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/file.h"
#include "device/compile/build_plan.h"
#include "device/gpu/gpu_timed.h"
#include "device/gpu/launch.h"

#define VISIBLE_VARIABLE "CUDA_VISIBLE_DEVICES"
#define QUEUES_VARIABLE  "CUDA_DEVICE_MAX_CONNECTIONS"

struct launcher {
    struct gpu_context context;
    struct gpu_kernel kernel;
    struct gpu_array array[GLOBAL_ARRAY_COUNT];
    struct gpu_timed timed;
};

// The bytes of array i on the GPU: in whole words, as the guard bands are.
static size_t array_bytes(const struct request *request, uint32_t i) {
    return (arguments_global_bytes(&request->arguments, i) + 3) / 4 * 4;
}

static enum status arrays_fit(struct launcher *launcher, const struct request *request,
                              struct error *err) {
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < ARGUMENTS_MAX && !status; i++) {
        status = gpu_array_fit(&launcher->context.driver, &launcher->array[i],
                               array_bytes(request, i), err);
    }
    return status;
}

static enum status arrays_upload(struct launcher *launcher, const struct request *request, int fd,
                                 struct error *err) {
    const struct cuda_driver *driver = &launcher->context.driver;
    enum status status = arrays_fit(launcher, request, err);
    for (uint32_t i = 0; i < request->arguments.count && !status; i++) {
        if (array_bytes(request, i) > 0) {
            status = gpu_array_upload(driver, &launcher->array[i], fd,
                                      (off_t)request->arguments.list[i].at, err);
        }
    }
    if (!status) {
        status = gpu_array_fit(driver, &launcher->array[ARRAY_WORKSPACE],
                               launcher->kernel.plan.workspace_bytes, err);
    }
    return status ? status : gpu_workspace_fill(driver, &launcher->array[ARRAY_WORKSPACE], err);
}

static enum status arrays_download(struct launcher *launcher, const struct request *request, int fd,
                                   struct answer *answer, struct error *err) {
    const struct cuda_driver *driver = &launcher->context.driver;
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < GLOBAL_ARRAY_COUNT && !status; i++) {
        bool intact = true;
        if (array_bytes(request, i) > 0) {
            status = gpu_array_download(driver, &launcher->array[i], fd,
                                        (off_t)request->arguments.list[i].at, err);
        }
        if (!status && launcher->array[i].base != 0) {
            status = gpu_array_guards(driver, &launcher->array[i], &intact, err);
        }
        answer->guard_damaged |= intact ? 0 : 1u << i;
    }
    return status;
}

// A launch whose result is checked: arrays come from the judge and are returned to it.
static enum status launch(struct launcher *launcher, const struct request *request, int fd,
                          struct answer *answer, struct error *err) {
    enum status status = gpu_configure(&launcher->context, &launcher->kernel, request, answer, err);
    if (status || answer->end != RUN_FINISHED) {
        return status;
    }
    status = arrays_upload(launcher, request, fd, err);
    if (!status) {
        status = gpu_constants_fill(&launcher->context, &launcher->kernel, request, fd, err);
    }
    if (!status) {
        status = gpu_kernel_queue(&launcher->context, &launcher->kernel, launcher->array,
                                  &request->arguments, answer, err);
    }
    if (!status && answer->end == RUN_FINISHED) {
        status = gpu_kernel_wait(&launcher->context, request, answer, err);
    }
    if (status || answer->end != RUN_FINISHED) {
        return status;
    }
    return arrays_download(launcher, request, fd, answer, err);
}

static enum status request_do(struct launcher *launcher, const struct request *request, int fd,
                              struct answer *answer, struct error *err) {
    enum status status = STATUS_OK;
    if ((request->flags & REQUEST_RELOAD) != 0) {
        status = gpu_kernel_load(&launcher->context, &launcher->kernel, err);
    }
    if (status) {
        return status;
    }
    switch ((enum request_kind)request->kind) {
    case REQUEST_SETUP:  // only the CPU device uses the names of shared arrays
    case REQUEST_COUNT_OF_KINDS:
        return STATUS_OK;
    case REQUEST_LAUNCH: {
        int64_t begin = clock_ns();
        status = launch(launcher, request, fd, answer, err);
        answer->elapsed_ns = (uint64_t)(clock_ns() - begin);
        return status;
    }
    case REQUEST_RESERVE:
        return request->timed.batch > 0
                   ? gpu_timed_reserve(&launcher->context, &launcher->timed, request, fd, err)
                   : arrays_fit(launcher, request, err);
    case REQUEST_PREPARE:
        return gpu_timed_prepare(&launcher->context, &launcher->kernel, &launcher->timed, request,
                                 answer, err);
    case REQUEST_GO:
        return gpu_timed_go(&launcher->context, &launcher->kernel, &launcher->timed, request,
                            answer, err);
    case REQUEST_COLLECT:
        break;
    }
    return gpu_timed_collect(&launcher->context, &launcher->timed, request, fd, answer, err);
}

// The driver opens a context with this many queues, one after the other for all processes of the
// host.  One queue is enough, because nothing here runs concurrently.
static enum status queues_limit(struct error *err) {
    return setenv(QUEUES_VARIABLE, "1", 1) == 0
               ? STATUS_OK
               : fail_errno(err, STATUS_NO_MEMORY, "%s", QUEUES_VARIABLE);
}

// Hides all other GPUs from this process: the driver would open each of them, which takes time and
// holds up the processes that use them.  *device is the number of the GPU, before and after.
static enum status others_hide(int *device, struct error *err) {
    const char *list = getenv(VISIBLE_VARIABLE);
    char own[GPU_UUID_MAX + 16];
    int length = snprintf(own, sizeof own, "%d", *device);
    if (list) {
        for (int i = 0; i < *device && list; i++) {
            list = strchr(list, ',');
            list = list ? list + 1 : NULL;
        }
        length = list ? snprintf(own, sizeof own, "%.*s", (int)strcspn(list, ","), list) : 0;
    }
    if (length <= 0 || length >= (int)sizeof own) {
        return STATUS_OK;  // that is not a list of GPUs, which the driver will report
    }
    *device = 0;
    return setenv(VISIBLE_VARIABLE, own, 1) == 0 ? STATUS_OK
                                                 : fail_errno(err, STATUS_NO_MEMORY, "%s", own);
}

// --- The interface -----------------------------------------------------------------------------

// Our own kernels are in the same folder as the student's cubin.
static enum status helper_place(const char *cubin, char path[PATH_BYTES_MAX], struct error *err) {
    const char *slash = strrchr(cubin, '/');
    int folder = slash ? (int)(slash - cubin) + 1 : 0;
    return path_make(path, err, "%.*s%s", folder, cubin, BUILD_INPUTS);
}

enum status launcher_open(int argument_count, char *const *arguments,
                          struct launcher **ret_launcher, struct error *err) {
    enum status status = STATUS_OK;
    char *end = NULL;
    long device = argument_count == 3 ? strtol(arguments[2], &end, 10) : -1;
    if (!end || end == arguments[2] || *end != '\0' || device < 0 || device > INT_MAX) {
        return fail(err, STATUS_BAD_USAGE,
                    "the GPU worker takes a cubin, a kernel and a GPU's number");
    }
    struct launcher *launcher = calloc(1, sizeof *launcher);
    if (!launcher) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the GPU worker");
    }
    status = gpu_module_read(arguments[0], arguments[1], &launcher->kernel.module, err);
    if (!status) {
        status = helper_place(arguments[0], launcher->timed.helper_path, err);
    }
    int number = (int)device;
    if (!status) {
        status = others_hide(&number, err);
    }
    if (!status) {
        status = queues_limit(err);
    }
    if (!status) {
        status = gpu_context_open(&launcher->context, number, err);
    }
    if (!status) {
        status = gpu_kernel_load(&launcher->context, &launcher->kernel, err);
    }
    if (status) {
        launcher_close(launcher);
        return status;
    }
    *ret_launcher = launcher;
    return STATUS_OK;
}

void launcher_close(struct launcher *launcher) {
    if (!launcher) {
        return;
    }
    gpu_timed_done(&launcher->context, &launcher->timed);
    if (launcher->context.open && !launcher->context.lost) {
        for (int i = 0; i < GLOBAL_ARRAY_COUNT; i++) {
            gpu_array_free(&launcher->context.driver, &launcher->array[i]);
        }
        gpu_kernel_free(&launcher->context, &launcher->kernel);
    }
    gpu_context_close(&launcher->context);
    gpu_module_done(&launcher->kernel.module);
    free(launcher);
}

enum status launcher_run(struct launcher *launcher, const struct request *request, int matrices_fd,
                         struct answer *ret_answer, struct error *err) {
    memset(ret_answer, 0, sizeof *ret_answer);
    ret_answer->end = RUN_FINISHED;
    if (launcher->context.lost) {
        return fail(err, STATUS_SYSTEM,
                    "the GPU's context was lost in an earlier launch; start another worker");
    }
    enum status status = request_do(launcher, request, matrices_fd, ret_answer, err);
    if (status) {
        launcher->context.lost = true;  // a launch may still be running
    }
    return status;
}
