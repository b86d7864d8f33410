// The build for a GPU: one program, which loads NVRTC and writes the cubin and the report.
#include "device/build/steps.h"

void build_gpu_plan(const struct device_paths *paths, const char *kernel, const char *architecture,
                    struct build_plan *plan) {
    struct build_step *step = &plan->step[0];
    step->what = "compile";
    plan->step_count = 1;
    step_add(step, "%s/tilegrade-nvrtc", paths->programs);
    step_add(step, BUILD_SOURCE);
    step_add(step, "%s", kernel);
    step_add(step, "%s", architecture);
    step_add(step, "kernel.cubin");
    step_add(step, "%s", paths->include);
}

void build_gpu_worker(const struct device_paths *paths, const char *scratch, const char *kernel,
                      int gpu, struct build_step *step) {
    step_add(step, "%s/tilegrade-gpu-worker", paths->programs);
    step_add(step, "%s/kernel.cubin", scratch);
    step_add(step, "%s", kernel);
    step_add(step, "%d", gpu);
}

enum status build_gpu_failed(int exit_code, const char *output, struct build_report *report,
                             struct error *err) {
    if (exit_code > 128) {
        // NVRTC runs in that process, so a signal that ends it was caused by the student's text.
        build_report_fault(report, BUILD_FAULT_ERROR, 0,
                           "the compiler did not finish this file: does a macro, template or loop "
                           "grow without bound?");
        return STATUS_OK;
    }
    return fail(err, STATUS_SYSTEM, "tilegrade-nvrtc failed: %.300s",
                output && *output ? output : _("no message"));
}
