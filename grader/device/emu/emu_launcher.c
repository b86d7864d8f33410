// The CPU device behind the worker's interface: arrays in, the launches of one product, arrays and
// findings out.
#include "device/channel/launcher.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/machine/emu.h"

// Multiply-adds of a process that shares a launch: some milliseconds of work, as a fork costs one
// or two.
#define SHARE_WORK 200000u

struct launcher {
    struct emu_machine *machine;  // NULL until the set-up request
    uint64_t static_bytes;        // static shared memory of the kernel file; 0 if unknown
    void *array[ARGUMENTS_MAX];
    uint64_t room[ARGUMENTS_MAX];  // bytes of each, kept between launches
    struct emu_result result;
};

enum status launcher_open(int argument_count, char *const *arguments,
                          struct launcher **ret_launcher, struct error *err) {
    (void)argument_count;
    (void)arguments;
    struct launcher *launcher = calloc(1, sizeof *launcher);
    if (!launcher) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the CPU device");
    }
    *ret_launcher = launcher;
    return STATUS_OK;
}

void launcher_close(struct launcher *launcher) {
    if (!launcher) {
        return;
    }
    emu_close(launcher->machine);
    for (int i = 0; i < ARGUMENTS_MAX; i++) {
        free(launcher->array[i]);
    }
    free(launcher);
}

static enum status set_up(struct launcher *launcher, const struct request *request,
                          struct error *err) {
    if (launcher->machine) {
        return fail(err, STATUS_BAD_DATA, "the machine was set up before");
    }
    enum status status = emu_host_open ? emu_host_open(&request->shared, &launcher->machine, err)
                                       : emu_open(&request->shared, &launcher->machine, err);
    if (status) {
        return status;
    }
    launcher->static_bytes = 0;
    for (uint32_t i = 0; i < request->shared.count; i++) {
        const struct shared_array *array = &request->shared.array[i];
        launcher->static_bytes += array->is_dynamic ? 0 : array->bytes;
    }
    // If there is more than a block may have, it belongs to several kernels; the build has checked
    // each one.
    if (launcher->static_bytes > SHARED_BYTES_MAX) {
        launcher->static_bytes = 0;
    }
    return STATUS_OK;
}

static enum status array_read(struct launcher *launcher, uint32_t i,
                              const struct argument *argument, int fd, struct error *err) {
    if (launcher->room[i] < argument->bytes) {
        free(launcher->array[i]);
        launcher->room[i] = 0;
        launcher->array[i] = malloc(argument->bytes);
        if (!launcher->array[i]) {
            return fail(err, STATUS_NO_MEMORY, "no memory for a matrix");
        }
        launcher->room[i] = argument->bytes;
    }
    char *to = launcher->array[i];
    for (uint64_t done = 0; done < argument->bytes;) {
        ssize_t got = pread(fd, to + done, argument->bytes - done, (off_t)(argument->at + done));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return fail_errno(err, STATUS_SYSTEM, "the matrices cannot be read");
        }
        done += (uint64_t)got;
    }
    return STATUS_OK;
}

static enum status array_write(const struct launcher *launcher, uint32_t i,
                               const struct argument *argument, int fd, struct error *err) {
    const char *from = launcher->array[i];
    for (uint64_t done = 0; done < argument->bytes;) {
        ssize_t put = pwrite(fd, from + done, argument->bytes - done, (off_t)(argument->at + done));
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return fail_errno(err, STATUS_SYSTEM, "the matrices cannot be written");
        }
        done += (uint64_t)put;
    }
    return STATUS_OK;
}

// Checks that the cluster has a valid size and that the grid consists of whole clusters.
static enum bad_launch cluster_check(const struct plan_launch *launch) {
    uint32_t shape[3];
    if (!emu_cluster_shape(launch->address, shape)) {
        return BAD_LAUNCH_CLUSTER_SIZE;
    }
    bool whole = true;
    for (int i = 0; i < 3; i++) {
        whole = whole && launch->grid[i] % shape[i] == 0;
    }
    return whole ? BAD_LAUNCH_NONE : BAD_LAUNCH_CLUSTER_GRID;
}

// The answer holds the first invalid launch of the plan, else the first launch.
static void plan_check(const struct launcher *launcher, const struct request *request,
                       const struct launch_plan *plan, struct answer *answer) {
    uint32_t index = 0;
    for (uint32_t i = 0; i < plan->count && answer->bad_launch == BAD_LAUNCH_NONE; i++) {
        const struct plan_launch *launch = &plan->launch[i];
        // __launch_bounds__ is known for the exercise's own kernel; the size of its arrays only if
        // there is no other kernel.
        uint64_t static_bytes = launch->address == 0 ? launcher->static_bytes : 0;
        uint32_t threads_max = emu_is_own_kernel(launch->address) ? request->threads_max : 0;
        answer->bad_launch =
            emu_may_launch(launch->address, launch->kernel)
                ? launch_config_check(launch->grid, launch->block, launch->shared_bytes,
                                      static_bytes, threads_max)
                : BAD_LAUNCH_KERNEL;
        if (answer->bad_launch == BAD_LAUNCH_NONE) {
            answer->bad_launch = cluster_check(launch);
        }
        index = answer->bad_launch == BAD_LAUNCH_NONE ? 0 : i;
    }
    launch_plan_tell(plan, index, answer);
}

// Asks the kernel file for its configuration.  Returns whether it is valid; if not, the answer says
// why.
static enum status configure(struct launcher *launcher, const struct request *request,
                             struct launch_plan *ret_plan, struct answer *answer,
                             struct error *err) {
    struct launch_config config;
    enum status status =
        emu_configure(launcher->machine, request->size, &config, &launcher->result, err);
    if (status) {
        return status;
    }
    answer->bad_launch = BAD_LAUNCH_CONFIG_FAILED;
    if (launcher->result.end == EMU_FINISHED) {
        answer->workspace_bytes = config.workspace_bytes;
        answer->bad_launch = launch_plan_make(&config, ret_plan);
    }
    if (answer->bad_launch == BAD_LAUNCH_NONE) {
        plan_check(launcher, request, ret_plan, answer);
    }
    if (answer->bad_launch == BAD_LAUNCH_NONE) {
        answer->bad_launch = launch_plan_fits(ret_plan, &request->arguments);
    }
    if (answer->bad_launch == BAD_LAUNCH_NONE) {
        answer->bad_launch = launch_plan_known(ret_plan);
    }
    if (answer->bad_launch == BAD_LAUNCH_NONE && arguments_lack(&request->arguments)) {
        answer->bad_launch = BAD_LAUNCH_CONSTANT;
    }
    if (answer->bad_launch != BAD_LAUNCH_NONE) {
        answer->end = RUN_BAD_LAUNCH;
        answer->findings = launcher->result.findings;  // if LAUNCH_CONFIG itself was stopped
    }
    return STATUS_OK;
}

// As many processes as have enough work, by the judge's minimum for the launch.
static uint32_t processes_of(const struct request *request) {
    uint64_t most = request->work / SHARE_WORK;
    return most < request->processes ? (uint32_t)most : request->processes;
}

// EMU_ bits for REQUEST_ bits.
static uint32_t observe_of(uint32_t flags) {
    return (flags & REQUEST_CHECK ? EMU_CHECK : 0) | (flags & REQUEST_COUNT ? EMU_COUNT : 0) |
           (flags & REQUEST_TRACE ? EMU_TRACE : 0) | (flags & REQUEST_FIRST ? EMU_FIRST : 0) |
           (flags & REQUEST_LAST ? EMU_LAST : 0) | (flags & REQUEST_SAMPLE ? EMU_SAMPLE : 0) |
           (flags & REQUEST_LANES ? EMU_LANES : 0) | (flags & REQUEST_ZEROS ? EMU_ZEROS : 0) |
           (flags & REQUEST_OLDS ? EMU_OLDS : 0) | (flags & REQUEST_JUNK ? EMU_JUNK : 0) |
           (flags & REQUEST_PART ? EMU_PART : 0) | (flags & REQUEST_INPUTS ? EMU_INPUTS : 0);
}

static enum status launch(struct launcher *launcher, const struct request *request, int fd,
                          struct answer *answer, struct error *err) {
    struct emu_request run = {.size = request->size,
                              .order = request->order,
                              .sample_draw = request->sample_draw,
                              .part_blocks = request->part_blocks,
                              .arrays_fd = fd,
                              .access_budget = request->access_budget,
                              .cpu_ms_max = request->time_ms_max,
                              .processes = processes_of(request),
                              .arguments = &request->arguments};
    const struct arguments *arguments = &request->arguments;
    const bool calls_host = request->flags & REQUEST_HOST && emu_host_run;
    enum status status =
        calls_host ? STATUS_OK : configure(launcher, request, &run.plan, answer, err);
    if (status || answer->bad_launch != BAD_LAUNCH_NONE) {
        return status;
    }
    if (request->flags & REQUEST_PLAN) {
        answer->end = RUN_FINISHED;
        return STATUS_OK;
    }
    const bool copies = !(request->flags & REQUEST_PART);
    for (uint32_t i = 0; i < arguments->count && !status; i++) {
        const bool is_constant = arguments->list[i].kind == ARGUMENT_CONSTANT;
        if (arguments->list[i].bytes > 0 && (copies || is_constant)) {
            status = array_read(launcher, i, &arguments->list[i], fd, err);
            run.array[i] = launcher->array[i];
        }
    }
    if (status) {
        return status;
    }
    run.observe = observe_of(request->flags);
    status = calls_host ? emu_host_run(&run, &launcher->result, err)
                        : emu_run(launcher->machine, &run, &launcher->result, err);
    if (status) {
        return status;
    }
    for (uint32_t i = 0; i < arguments->count && !status && copies; i++) {
        if (arguments_global_bytes(arguments, i) > 0) {
            status = array_write(launcher, i, &arguments->list[i], fd, err);
        }
    }
    if (status) {
        return status;
    }
    answer->end = launcher->result.end == EMU_FINISHED ? RUN_FINISHED : RUN_STOPPED;
    answer->hands_over = launcher->result.hands_over;
    answer->processes = launcher->result.processes;
    answer->steps = launcher->result.steps;
    answer->counts = launcher->result.counts;
    answer->findings = launcher->result.findings;
    answer->coverage = launcher->result.coverage;
    answer->is_apart = launcher->result.is_apart;
    if (request->flags & REQUEST_TRACE) {
        launch_plan_tell(&run.plan, launcher->result.traced, answer);
        answer->trace = launcher->result.trace;
    }
    return STATUS_OK;
}

enum status launcher_run(struct launcher *launcher, const struct request *request, int matrices_fd,
                         struct answer *ret_answer, struct error *err) {
    if (request->kind == REQUEST_SETUP) {
        return set_up(launcher, request, err);
    }
    if (!launcher->machine) {
        return fail(err, STATUS_BAD_DATA, "a launch before the set-up");
    }
    emu_announce(launcher->machine, PROTOCOL_SOCKET_FD, request->nonce);
    return launch(launcher, request, matrices_fd, ret_answer, err);
}
