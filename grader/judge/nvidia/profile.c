// See profile.h.
#include "judge/nvidia/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/translate.h"
#include "device/nvidia/ncu.h"
#include "device/nvidia/tool.h"
#include "exercise/exercise.h"
#include "judge/nvidia/tool_run.h"
#include "judge/run/gpu_lease.h"
#include "judge/run/case.h"
#include "judge/source/submitted.h"

#define METRICS_BYTES 2048
#define SHOWN_OF_TEXT 200

// X(field of struct counts, metric of Nsight Compute, what is added to it if there are asynchronous
// copies, why the two may differ)
#define PROFILE_METRICS(X)                                                                         \
    X(global_load_requests, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "", "")             \
    X(global_load_sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "", "")               \
    X(global_store_requests, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "", "")            \
    X(global_store_sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "",                  \
      N_("at edges, the stores of an unrolled loop cannot be distinguished"))                      \
    X(shared_load_requests, "smsp__inst_executed_op_shared_ld.sum", "",                            \
      N_("the compiler joins loads"))                                                              \
    X(shared_load_joined_requests, "smsp__inst_executed_op_shared_ld.sum", "",                     \
      N_("an estimate of what the compiler joins"))                                                \
    X(shared_load_wavefronts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "",          \
      N_("the compiler joins loads"))                                                              \
    X(shared_load_joined, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "",              \
      N_("an estimate of what the compiler joins"))                                                \
    X(shared_store_requests, "smsp__inst_executed_op_shared_st.sum",                               \
      "smsp__inst_executed_op_ldgsts.sum",                                                         \
      N_("ncu also counts copies that no lane of a warp makes"))                                   \
    X(shared_store_wavefronts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",             \
      "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum",                        \
      N_("the hardware also counts its own waits, and takes more for 16-byte copies that "         \
         "start in the middle of a sector"))

static const struct {
    const char *name, *metric, *plus, *why;
} metrics[] = {
#define PROFILE_METRIC_ROW(field, metric, plus, why) {#field, metric, plus, why},
    PROFILE_METRICS(PROFILE_METRIC_ROW)
#undef PROFILE_METRIC_ROW
};

#define METRIC_COUNT ((int)COUNT(metrics))

// The counters of ncu, row by row.
struct measured {
    bool copies;  // ask for asynchronous copies, which cards before 8.0 do not have
    double value[PROFILE_ROWS_MAX], plus[PROFILE_ROWS_MAX];
};

static void rows_fill(const struct counts *counts, const struct measured *measured,
                      struct profile *ret_profile) {
    const uint64_t counted[] = {
#define PROFILE_METRIC_VALUE(field, metric, plus, why) counts->field,
        PROFILE_METRICS(PROFILE_METRIC_VALUE)
#undef PROFILE_METRIC_VALUE
    };
    ret_profile->row_count = METRIC_COUNT;
    for (int i = 0; i < METRIC_COUNT; i++) {
        bool adds = metrics[i].plus[0] != '\0' && counts->async_copies > 0;
        ret_profile->row[i] =
            (struct profile_row){.name = metrics[i].name,
                                 .metric = metrics[i].metric,
                                 .plus = adds ? metrics[i].plus : "",
                                 .counted = counted[i],
                                 .measured = measured->value[i] + (adds ? measured->plus[i] : 0.0),
                                 .why = metrics[i].why};
    }
}

static enum status kernel_build(const struct judge_machine *machine, enum device_kind kind,
                                const struct exercise *exercise, const struct judge_source *source,
                                struct run_program *ret_program, struct error *err) {
    enum status status =
        run_build(machine, kind, exercise, source->text, source->bytes, ret_program, err);
    if (!status && ret_program->report.fault != BUILD_FAULT_NONE) {
        status = fail(err, STATUS_BAD_USAGE,
                      "%s.cu:%d: %s: run `make test EX=%s` first, a kernel must be right before it "
                      "is profiled",
                      exercise->name, ret_program->report.line, ret_program->report.text,
                      exercise->name);
        run_program_done(ret_program);
    }
    return status;
}

// Counts one launch on the CPU device.
static enum status work_count(const struct judge_options *options, const struct exercise *exercise,
                              const struct judge_source *source, struct size size,
                              struct counts *ret_counts, struct error *err) {
    struct run_program program;
    struct run_outcome outcome;
    const struct planned_case planned = case_of(exercise, options->seed, INPUTS_EXACT, size);
    enum status status =
        kernel_build(&options->machine, DEVICE_EMU, exercise, source, &program, err);
    if (status) {
        return status;
    }
    status = run_case_alone(&program, &planned, REQUEST_COUNT, &outcome, err);
    run_program_done(&program);
    if (!status && outcome.verdict != VERDICT_PASS) {
        status = fail(err, STATUS_BAD_USAGE,
                      "the kernel is not right at this size (%s): run `make test EX=%s` first",
                      verdict_title(outcome.verdict), exercise->name);
    }
    if (!status) {
        *ret_counts = outcome.counts;
    }
    return status;
}

static enum status metrics_join(bool copies, char text[METRICS_BYTES], struct error *err) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < 2 * METRIC_COUNT; i++) {
        const char *name = i < METRIC_COUNT ? metrics[i].metric : metrics[i - METRIC_COUNT].plus;
        if (name[0] == '\0' || strstr(text, name) || (i >= METRIC_COUNT && !copies)) {
            continue;
        }
        used +=
            (size_t)snprintf(text + used, METRICS_BYTES - used, "%s%s", used > 0 ? "," : "", name);
        if (used >= METRICS_BYTES) {
            return fail(err, STATUS_SYSTEM, "too many metrics");
        }
    }
    return STATUS_OK;
}

static enum status ncu_read(const char *output, struct measured *measured, struct error *err) {
    const char *names[PROFILE_ROWS_MAX];
    const char *plus[PROFILE_ROWS_MAX];
    for (int i = 0; i < METRIC_COUNT; i++) {
        names[i] = metrics[i].metric;
        plus[i] = metrics[i].plus;
    }
    switch (ncu_parse(output, names, METRIC_COUNT, measured->value)) {
    case NCU_FINE:
        (void)ncu_parse(output, plus, METRIC_COUNT, measured->plus);
        return STATUS_OK;
    case NCU_NO_PERMISSION:
        return fail(err, STATUS_UNAVAILABLE,
                    "ncu may not read the GPU's counters here (ERR_NVGPUCTRPERM): an administrator "
                    "can allow it, see https://developer.nvidia.com/ERR_NVGPUCTRPERM");
    case NCU_NO_TABLE:
    case NCU_TROUBLE_COUNT:
        break;
    }
    const char *said = strstr(output, "==ERROR==");
    return fail(err, STATUS_UNAVAILABLE, "ncu gave no counters: %.*s", SHOWN_OF_TEXT,
                said ? said : output);
}

// Reads the counters of one launch on the GPU.
static enum status ncu_measure(const struct judge_machine *machine, const struct exercise *exercise,
                               const struct judge_source *source, struct size size,
                               struct measured *measured, struct error *err) {
    struct run_program program;
    struct build_step step;
    char path[PATH_BYTES_MAX];
    char list[METRICS_BYTES];
    char *output = NULL;
    enum status status = nvidia_tool_find("ncu", path, err);
    status = status ? status : metrics_join(measured->copies, list, err);
    status = status ? status : gpu_lease_take(machine->lease, err);
    status = status ? status : kernel_build(machine, DEVICE_GPU, exercise, source, &program, err);
    if (status) {
        return status;
    }
    const struct tool_launch launch = {.programs = machine->paths.programs,
                                       .scratch = program.scratch,
                                       .kernel = program.kernel,
                                       .gpu = gpu_lease_index(machine),
                                       .size = size};
    status = ncu_command(path, list, &launch, &step, err);
    if (!status) {
        status = tool_run(&step, program.scratch, machine->lease, &output, err);
        build_step_done(&step);
    }
    if (!status) {
        status = ncu_read(output, measured, err);
    }
    free(output);
    run_program_done(&program);
    return status;
}

enum status profile_make(const struct judge_options *options, const struct exercise *exercise,
                         struct size size, struct profile *ret_profile, struct error *err) {
    struct judge_source source;
    struct counts counts;
    struct measured measured;
    char file[PATH_BYTES_MAX];
    char tool[PATH_BYTES_MAX];
    enum status status = path_make(file, err, "%s.cu", exercise->name);
    if (!status) {
        status = judge_source_read(options->submission, file, &source, err);
    }
    if (status) {
        return status;
    }
    if (!source.text) {
        status = fail(err, STATUS_BAD_USAGE, "%s: there is no such file, or it is not a text file",
                      file);
    }
    // First checks what may be missing.
    status = status ? status : nvidia_tool_find("ncu", tool, err);
    status = status ? status : work_count(options, exercise, &source, size, &counts, err);
    measured.copies = !status && counts.async_copies > 0;
    status =
        status ? status : ncu_measure(&options->machine, exercise, &source, size, &measured, err);
    if (!status) {
        rows_fill(&counts, &measured, ret_profile);
    }
    judge_source_done(&source);
    return status;
}
