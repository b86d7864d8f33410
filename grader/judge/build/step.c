// Runs the steps of a build in the sandbox: see step.h.
#include "judge/build/step.h"

#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "device/compile/compiler_trouble.h"
#include "sandbox/box.h"

#define STEP_CPU_SECONDS 15
#define STEP_OUTPUT_KIB  256

// Each text contains its number, so that it can be found and translated as a whole.
#define TEXT_OF_TIME   N_("compiling it takes longer than 15 s")
#define TEXT_OF_OUTPUT N_("the compiler's messages about it are longer than 256 KiB")
_Static_assert(STEP_CPU_SECONDS == 15 && STEP_OUTPUT_KIB == 256, "as the texts say");

// What a step may use.  Each process of a step gets the full processor time, and at most two follow
// each other (compiler, assembler).  So only a machine that is too busy reaches the wall-clock
// limit, which is our trouble, not the student's.
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
    const char *const readable[] = {machine->paths.include,
                                    machine->paths.shim,
                                    machine->paths.programs,
                                    machine->paths.compiler,
                                    step->reads_headers ? "/usr/include" : NULL,
                                    NULL};
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
    char *output = strdup(box_output(box));
    if (!output) {
        status = fail(err, STATUS_NO_MEMORY, "no memory for a compiler's messages");
        goto out;
    }
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
