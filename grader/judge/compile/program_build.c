// Builds a kernel file in the sandbox, and asks the inspector for the lines of addresses.
//
// The name that a student gave the file never reaches a tool: the bytes are copied to BUILD_SOURCE
// in a new folder.
#include "judge/compile/program_build.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/compose.h"
#include "base/file.h"
#include "base/memory.h"
#include "device/compile/build_plan.h"
#include "device/compile/compiler_trouble.h"
#include "exercise/exercise.h"
#include "judge/code/kernel_text.h"
#include "judge/model/judged_finding.h"
#include "sandbox/box.h"

#define STEP_CPU_SECONDS 15
#define STEP_OUTPUT_KIB  256
#define READABLE_MAX     64  // folders

// Each text contains its number, so that it can be found and translated as a whole.
#define TEXT_OF_TIME   N_("compiling it takes longer than 15 s")
#define TEXT_OF_OUTPUT N_("the compiler's messages about it are longer than 256 KiB")
_Static_assert(STEP_CPU_SECONDS == 15 && STEP_OUTPUT_KIB == 256, "as the texts say");

// The limits of a step.  Each process of a step gets the full processor time, and at most two
// follow each other (compiler, assembler).  So only a machine that is too busy reaches the
// wall-clock limit, which is our problem, not the student's.
static const struct box_limits step_limits = {
    .wall_ms = 240 * 1000,
    .cpu_seconds = STEP_CPU_SECONDS,
    .memory_bytes = RUN_STEP_MEMORY_BYTES,
    .file_bytes = 256ull << 20,
    .output_bytes = STEP_OUTPUT_KIB << 10,
    .open_files = 64,
    .processes = 0,
};

enum status run_step(const struct build_step *step, const struct run_program *program,
                     struct run_step_end *ret_end, struct error *err) {
    const struct judge_machine *machine = program->machine;
    const char *readable[READABLE_MAX + 1] = {machine->paths.include, machine->paths.shim,
                                              machine->paths.programs, machine->paths.compiler,
                                              step->reads_headers ? "/usr/include" : NULL};
    size_t count = step->reads_headers ? 5 : 4;
    for (size_t i = 0; step->reads_headers && program->readable && program->readable[i]; i++) {
        assert(count < READABLE_MAX);
        readable[count++] = program->readable[i];
    }
    struct box_command command = {.argument = (char *const *)step->argument,
                                  .folder = program->scratch,
                                  .passed = device_variables(program->kind),
                                  .limits = step_limits,
                                  .sandbox = machine->sandbox,
                                  .profile =
                                      program->kind == DEVICE_GPU ? PROFILE_GPU : PROFILE_TOOL,
                                  .readable = readable};
    struct box *box = NULL;
    enum box_end end = BOX_RUNNING;
    enum status status = box_run(&command, &box, &end, err);
    if (status) {
        goto out;
    }
    if (end == BOX_WALL_LIMIT) {
        status = fail(err, STATUS_SYSTEM,
                      "the step '%s' of a build did not end within %d s; is this machine too busy?",
                      step->what, (int)(step_limits.wall_ms / 1000));
        goto out;
    }
    char *output = xstrdup(box_output(box));
    const char *text = NULL;
    if (end == BOX_CPU_LIMIT || compiler_time_ended(output)) {
        text = TEXT_OF_TIME;
    } else if (end == BOX_OUTPUT_LIMIT) {
        text = TEXT_OF_OUTPUT;
    }
    *ret_end = (struct run_step_end){.exit_code = box_exit_code(box),
                                     .output = output,
                                     .text = text,
                                     .peak_bytes = box_peak_bytes(box)};

out:
    box_free(box);
    return status;
}

static enum status steps_run(const struct build_plan *plan, const struct run_program *program,
                             struct run_steps *steps, struct error *err) {
    while (steps->run < plan->step_count) {
        int i = steps->run;
        struct run_step_end end;
        enum status status = run_step(&plan->step[i], program, &end, err);
        if (status) {
            return status;
        }
        steps->exit_codes[i] = end.exit_code;
        steps->outputs[i] = end.output;
        steps->text = end.text;
        steps->peak_bytes = end.peak_bytes;
        steps->run++;
        if (steps->text || steps->exit_codes[i] != 0) {
            break;
        }
    }
    return STATUS_OK;
}

enum status run_steps(const struct build_plan *plan, const struct run_program *program,
                      struct text text, struct run_steps *ret_steps, struct error *err) {
    const char *cache = program->kind == DEVICE_EMU ? program->machine->cache : NULL;
    char key[BUILD_CACHE_KEY_BYTES];
    *ret_steps = (struct run_steps){.run = 0};
    for (int i = 0; i < BUILD_STEPS_MAX; i++) {
        ret_steps->exit_codes[i] = -1;
    }
    if (!cache) {
        return steps_run(plan, program, ret_steps, err);
    }
    enum status status = build_cache_key(&program->machine->paths, plan, text, key, err);
    if (status) {
        return status;
    }
    if (build_cache_take(cache, key, program->scratch, plan->step_count, ret_steps->outputs)) {
        memset(ret_steps->exit_codes, 0, sizeof ret_steps->exit_codes);
        ret_steps->run = plan->step_count;
        return STATUS_OK;
    }
    status = steps_run(plan, program, ret_steps, err);
    bool built = !status && ret_steps->run == plan->step_count && !ret_steps->text &&
                 ret_steps->exit_codes[ret_steps->run - 1] == 0;
    if (built) {
        build_cache_keep(cache, key, program->scratch, plan->step_count, ret_steps->outputs);
    }
    return status;
}

void run_steps_done(struct run_steps *steps) {
    for (int i = 0; i < BUILD_STEPS_MAX; i++) {
        free(steps->outputs[i]);
        steps->outputs[i] = NULL;
    }
}

// Builds, and reads the results of the steps.
static enum status plan_run(const struct build_plan *plan, struct text text,
                            struct run_program *program, struct error *err) {
    struct run_steps steps;
    enum status status = run_steps(plan, program, text, &steps, err);
    const char *limit = steps.text;
    if (!status && limit && steps.run > 1) {
        // Only the compiler reads the student's text; a limit in a later step is our problem.
        status = fail(err, STATUS_SYSTEM, "the step '%s' of a build reached a limit",
                      plan->step[steps.run - 1].what);
    }
    if (!status) {
        const struct build_folder folder = {program->scratch, program->kernel, program->kind};
        status = build_report_read(&folder, steps.exit_codes, steps.outputs, steps.run,
                                   &program->report, err);
    }
    if (!status && limit && program->report.fault == BUILD_FAULT_ERROR) {
        // The compiler's output up to the limit still helps.
        (void)snprintf(program->report.text, sizeof program->report.text, "%s", limit);
    }
    program->reached_limit = limit != NULL;
    program->peak_bytes = steps.peak_bytes;
    run_steps_done(&steps);
    return status;
}

// Builds in a new folder, which the caller removes even after a failure.
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
        chmod(path, 0644) != 0) {  // despite our umask: a compiler may run as another user
        status = fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    return status ? status : plan_run(plan, text, program, err);
}

// The declarations of the header: always for a kernel that is not a matmul, and for a matmul that
// takes the workspace.
static void contract_add(const struct signature *signature, bool uses_workspace,
                         enum device_kind kind, struct build_plan *plan) {
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
    build_plan_contract(kind, &contract, plan);
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
        contract_add(signature, uses_workspace, program->kind, plan);
    }
    if (!status && exercise->precision != PRECISION_FP32) {
        build_plan_allow_tensor_cores(program->kind, plan);
    }
    if (!status && program->kind == DEVICE_EMU && choice_is_indexed(text)) {
        build_plan_leave_arithmetic(plan);
    }
    if (!status && machine->debugs) {
        build_plan_debug(plan);
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
    if (exercise->is_program) {
        char path[NAME_BYTES_MAX + 4];
        (void)snprintf(path, sizeof path, "%s.cu", exercise->name);
        const struct program_source source = {.path = path, .exercise = exercise, .text = text};
        return run_build_program(machine, &source, ret_program, err);
    }
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

// True if this is most of the memory that a step may use.
static bool has_used_its_memory(const struct run_program *program) {
    struct compiler_memory memory = memory_of(program);
    return memory.ended && memory.total_bytes > RUN_STEP_MEMORY_BYTES / 2;
}

// True if the compiler came near its limit, or requested a large part of it in one piece.  A
// compiler that runs out of memory with little in use was not stopped by the limit.
static bool is_large(const struct run_program *program) {
    return program->peak_bytes > RUN_STEP_MEMORY_BYTES / 4 ||
           memory_of(program).asked_bytes > RUN_STEP_MEMORY_BYTES / 4;
}

// True if the compiler failed without naming a mistake in the file.
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
        // simplest kernel is built, and then this kernel again.
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
    for (int i = 0; i < program->files.count; i++) {
        free(program->files.name[i]);
    }
    free(program->files.name);
    free(program->files.before);
    free(program->files.text);
    program->files = (struct program_files){.text = NULL};
    if (program->scratch[0] != '\0') {
        // A folder that cannot be removed costs disk space, not a grade.
        (void)folder_remove(program->scratch, NULL);
    }
    program->scratch[0] = '\0';
}

enum status run_places(const struct run_program *program, const uint64_t *addresses, int count,
                       struct build_place *ret_places, struct error *err) {
    struct run_step_end end;
    bool is_known = false;
    memset(ret_places, 0, (size_t)count * sizeof *ret_places);
    for (int i = 0; i < count; i++) {
        is_known = is_known || addresses[i] != 0;
    }
    if (!is_known) {
        return STATUS_OK;
    }
    struct build_step step =
        build_locate_command(&program->machine->paths, program->scratch, addresses, count);
    enum status status = run_step(&step, program, &end, err);
    build_step_done(&step);
    if (status) {
        return status;
    }
    if (end.exit_code == 0 && !end.text) {
        build_locate_parse(end.output, count, ret_places);
    } else {  // a finding without its line would make the result depend on the day
        status = fail(err, STATUS_SYSTEM, "the lines of a program could not be found: %.200s",
                      end.output);
    }
    free(end.output);
    return status;
}

enum status run_locate(const struct run_program *program, struct judged_finding *findings,
                       int count, struct error *err) {
    uint64_t addresses[4 * FINDINGS_MAX];
    struct build_place places[4 * FINDINGS_MAX];
    if (count <= 0) {
        return STATUS_OK;
    }
    for (int i = 0; i < count; i++) {
        addresses[4 * i] = findings[i].finding.pc;
        addresses[4 * i + 1] = findings[i].finding.other_pc;
        addresses[4 * i + 2] = findings[i].finding.call_pc;
        addresses[4 * i + 3] = findings[i].finding.init_pc;
    }
    enum status status = run_places(program, addresses, 4 * count, places, err);
    if (status) {
        return status;
    }
    for (int i = 0; i < count; i++) {
        findings[i].finding.line = places[4 * i].line;
        findings[i].shown.column = places[4 * i].column;
        findings[i].finding.other_line = places[4 * i + 1].line;
        findings[i].other_shown.column = places[4 * i + 1].column;
        findings[i].finding.call_line = places[4 * i + 2].line;
        findings[i].finding.init_line = places[4 * i + 3].line;
    }
    return STATUS_OK;
}

enum status run_lines_locate(const struct run_program *program, struct count_lines *lines,
                             struct error *err) {
    uint64_t addresses[COUNT_LINES_MAX];
    struct build_place places[COUNT_LINES_MAX];
    for (uint32_t i = 0; i < lines->count; i++) {
        addresses[i] = lines->access[i].pc;
    }
    enum status status = run_places(program, addresses, (int)lines->count, places, err);
    for (uint32_t i = 0; i < lines->count && !status; i++) {
        lines->access[i].line = places[i].line;
    }
    return status;
}

// The entry of a line, made if there is none.
static struct line_work *work_of(struct line_work work[LINE_WORKS_MAX], int *count, uint32_t line) {
    int at = 0;
    while (at < *count && work[at].line < line) {
        at++;
    }
    if (at == *count || work[at].line != line) {
        memmove(&work[at + 1], &work[at], (size_t)(*count - at) * sizeof *work);
        memset(&work[at], 0, sizeof *work);
        work[at].line = line;
        (*count)++;
    }
    return &work[at];
}

int run_lines_merge(const struct count_lines *lines, struct line_work ret_work[LINE_WORKS_MAX]) {
    int count = 0;
    for (uint32_t i = 0; i < lines->count; i++) {
        const struct count_line *from = &lines->access[i];
        struct count_line *to = &work_of(ret_work, &count, from->line)->kind[from->kind];
        to->requests += from->requests;
        to->units += from->units;
        to->ideal += from->ideal;
        to->bytes += from->bytes;
        to->lanes += from->lanes;
    }
    for (uint32_t i = 0; i < lines->flops_count; i++) {
        const struct count_flops *from = &lines->flops[i];
        work_of(ret_work, &count, (uint32_t)from->line)->flops += from->flops;
    }
    return count;
}
