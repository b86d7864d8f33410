// Builds a kernel file in the sandbox: see program.h.
//
// The name that a student gave the file never reaches a tool: the bytes are copied to BUILD_SOURCE
// in a new folder.
#include "judge/build/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "device/compile/build_plan.h"
#include "device/compile/compiler_trouble.h"
#include "exercise/exercise.h"
#include "judge/build/step.h"
#include "judge/code/choice.h"
#include "judge/code/signature.h"
#include "sandbox/box.h"

// Builds, and reads what the steps left.
static enum status plan_run(const struct build_plan *plan, struct text text,
                            struct run_program *program, struct error *err) {
    struct run_steps steps;
    enum status status = run_steps(plan, program, text, &steps, err);
    const char *limit = steps.text;
    if (!status && limit && steps.run > 1) {
        // Only the compiler reads the student's text; a limit in a later step is our trouble.
        status = fail(err, STATUS_SYSTEM, "the step '%s' of a build reached a limit",
                      plan->step[steps.run - 1].what);
    }
    if (!status) {
        status =
            build_report_read(program->kind, program->scratch, program->kernel, steps.exit_codes,
                              steps.outputs, steps.run, &program->report, err);
    }
    if (!status && limit && program->report.fault == BUILD_FAULT_ERROR) {
        // What the compiler printed up to the limit still helps.
        (void)snprintf(program->report.text, sizeof program->report.text, "%s", limit);
    }
    program->reached_limit = limit != NULL;
    program->peak_bytes = steps.peak_bytes;
    run_steps_done(&steps);
    return status;
}

// Builds in a new folder.  Even after a failure, the caller frees what is there.
static enum status plan_build(const struct build_plan *plan, struct text text,
                              struct run_program *program, struct error *err) {
    char path[PATH_BYTES_MAX];
    enum status status = box_scratch_make(program->machine->sandbox, program->scratch, err);
    if (!status) {
        status = path_make(path, err, "%s/%s", program->scratch, BUILD_SOURCE);
    }
    if (!status) {
        status = file_write(path, text.at, text.bytes, err);
    }
    if (!status &&
        chmod(path, 0644) != 0) {  // whatever our umask is: a compiler may be another user
        status = fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    return status ? status : plan_run(plan, text, program, err);
}

// What the header declares: always for a kernel that is no product, and for one that takes the
// workspace.
static enum status contract_add(const struct signature *signature, bool uses_workspace,
                                enum device_kind kind, struct build_plan *plan, struct error *err) {
    char parameters[SIGNATURE_TEXT_BYTES];
    char sizes[SIZE_RANK_MAX * (PARAMETER_NAME_BYTES + 8)] = "";
    char takes[PARAMETERS_MAX + SIZE_RANK_MAX + 4] = "";
    struct build_contract contract = {signature->is_matmul ? NULL : parameters, sizes, takes,
                                      .uses_workspace = uses_workspace};
    size_t used = 0;
    int taken = 0;
    signature_parameters(signature, parameters);
    for (int i = 0; i < signature->size_count; i++) {
        used += (size_t)snprintf(sizes + used, sizeof sizes - used, "%sint %s", i > 0 ? ", " : "",
                                 signature->size_name[i]);
    }
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];
        contract.uses_stdint =
            contract.uses_stdint || strstr(element_c_name(parameter->element), "_t");
        contract.uses_half = contract.uses_half || parameter->element == ELEMENT_HALF;
        contract.uses_bf16 = contract.uses_bf16 || parameter->element == ELEMENT_BF16;
        if (parameter->kind != PARAMETER_CONSTANT) {
            takes[taken++] = parameter->kind == PARAMETER_ARRAY    ? 'L'
                             : parameter->element == ELEMENT_FLOAT ? 'F'
                             : parameter->element == ELEMENT_DOUBLE
                                 ? 'D'
                                 : " BS I   L"[element_bytes(parameter->element)];
        }
    }
    if (uses_workspace) {
        takes[taken++] = 'L';
    }
    takes[taken++] = ',';
    takes[taken++] = 'L';
    memset(takes + taken, 'I', (size_t)signature->size_count);
    return build_plan_contract(kind, &contract, plan, err);
}

// The plan of a build, and the kernel's name, in *program.
static enum status plan_make(const struct exercise *exercise, const char *text,
                             struct run_program *program, struct build_plan *plan,
                             struct error *err) {
    const struct judge_machine *machine = program->machine;
    const struct signature *signature = &exercise->signature;
    exercise_kernel_name(exercise, program->kernel);
    enum status status = build_plan_make(program->kind, &machine->paths, program->kernel,
                                         machine->gpu.architecture, plan, err);
    bool uses_workspace = signature_has_workspace(signature, text, program->kernel);
    if (!status && (!signature->is_matmul || uses_workspace)) {
        status = contract_add(signature, uses_workspace, program->kind, plan, err);
    }
    if (!status && exercise->precision != PRECISION_FP32) {
        status = build_plan_allow_tensor_cores(program->kind, plan, err);
    }
    if (!status && program->kind == DEVICE_EMU && choice_is_indexed(text)) {
        status = build_plan_leave_divisions(plan, err);
    }
    if (!status && machine->debugs) {
        status = build_plan_debug(plan, err);
    }
    return status;
}

enum status run_build_key(const struct judge_machine *machine, enum device_kind kind,
                          const struct exercise *exercise, struct text text,
                          char ret_key[BUILD_CACHE_KEY_BYTES], struct error *err) {
    struct run_program program = {.kind = kind, .machine = machine, .exercise = exercise};
    struct build_plan plan = {.step_count = 0};
    enum status status = plan_make(exercise, text.at, &program, &plan, err);
    if (!status) {
        status = build_cache_key(&machine->paths, &plan, text, ret_key, err);
    }
    build_plan_done(&plan);
    return status;
}

static enum status build_once(const struct judge_machine *machine, enum device_kind kind,
                              const struct exercise *exercise, struct text text,
                              struct run_program *ret_program, struct error *err) {
    struct run_program program = {.kind = kind, .machine = machine, .exercise = exercise};
    struct build_plan plan = {.step_count = 0};
    enum status status = plan_make(exercise, text.at, &program, &plan, err);
    if (!status) {
        status = plan_build(&plan, text, &program, err);
    }
    build_plan_done(&plan);
    if (status) {
        run_program_done(&program);
        return status;
    }
    *ret_program = program;
    return STATUS_OK;
}

enum status run_build_control(const struct judge_machine *machine, enum device_kind kind,
                              struct run_program *ret_program, struct error *err) {
    static const char text[] = "#include \"matmul.cuh\"\n"
                               "__global__ void matmul_control(const float *A, const float *B, "
                               "float *C, int M, int N, int K) {\n"
                               "    for (int i = 0; i < M * N; ++i) {\n"
                               "        float sum = 0.0f;\n"
                               "        for (int k = 0; k < K; ++k) {\n"
                               "            sum += A[i / N * K + k] * B[k * N + i % N];\n"
                               "        }\n"
                               "        C[i] = sum;\n"
                               "    }\n"
                               "}\n"
                               "LAUNCH_CONFIG(matmul_control, M, N, K) {\n"
                               "    launch->block = dim3(1);\n"
                               "    launch->grid = dim3(1);\n"
                               "}\n";
    static const struct exercise control = {.name = "control", .signature = {.is_matmul = true}};
    struct run_program program;
    enum status status =
        build_once(machine, kind, &control, (struct text){text, sizeof text - 1}, &program, err);
    if (!status && program.report.fault != BUILD_FAULT_NONE) {
        status = fail(
            err, STATUS_SYSTEM,
            "the compiler of device %s does not work here; it fails on the simplest kernel: %s",
            device_kind_name(kind), program.report.text);
        run_program_done(&program);
    }
    if (!status) {
        *ret_program = program;
    }
    return status;
}

static struct compiler_memory memory_of(const struct run_program *program) {
    const char *diagnostics = program->report.diagnostics;
    return compiler_memory_read(diagnostics ? diagnostics : "");
}

// True if so many bytes are most of what a step may have.
static bool has_used_its_memory(const struct run_program *program) {
    struct compiler_memory memory = memory_of(program);
    return memory.ended && memory.total_bytes > RUN_STEP_MEMORY_BYTES / 2;
}

// True if the compiler came near its limit, or asked for a good part of it at a time.  A compiler
// that has little when its memory ends was not stopped by the limit.
static bool is_large(const struct run_program *program) {
    return program->peak_bytes > RUN_STEP_MEMORY_BYTES / 4 ||
           memory_of(program).asked_bytes > RUN_STEP_MEMORY_BYTES / 4;
}

// True if the compiler failed without saying what is wrong with the file.
static bool is_unexplained(const struct run_program *program) {
    return program->report.fault == BUILD_FAULT_ERROR && program->report.line == 0 &&
           !program->reached_limit && !has_used_its_memory(program);
}

enum status run_build(const struct judge_machine *machine, enum device_kind kind,
                      const struct exercise *exercise, struct text text,
                      struct run_program *ret_program, struct error *err) {
    struct run_program program;
    struct run_program control;
    enum status status = build_once(machine, kind, exercise, text, &program, err);
    if (!status && is_unexplained(&program)) {
        // A machine short of memory, descriptors or processes does this to any file.  So the
        // simplest kernel is built, and then this one again.
        run_program_done(&program);
        status = run_build_control(machine, kind, &control, err);
        if (!status) {
            run_program_done(&control);
            status = build_once(machine, kind, exercise, text, &program, err);
        }
    }
    bool no_memory = !status && program.report.fault == BUILD_FAULT_ERROR &&
                     program.report.line == 0 && memory_of(&program).ended;
    if (no_memory && !is_large(&program)) {
        status = fail(err, STATUS_SYSTEM,
                      "the compiler got no more than %llu MiB: is this machine short of memory?",
                      (unsigned long long)(program.peak_bytes >> 20));
        run_program_done(&program);
    } else if (no_memory) {
        build_report_fault(&program.report, BUILD_FAULT_MEMORY, 0,
                           "the compiler needs more memory for this file than %d GiB: is there a "
                           "macro, template or array that grows without bound?",
                           (int)(RUN_STEP_MEMORY_BYTES >> 30));
    }
    if (!status) {
        *ret_program = program;
    }
    return status;
}

void run_program_done(struct run_program *program) {
    build_report_done(&program->report);
    if (program->scratch[0] != '\0') {
        // A folder that cannot be removed costs disk space, not a grade.
        (void)folder_remove(program->scratch, NULL);
    }
    program->scratch[0] = '\0';
}
