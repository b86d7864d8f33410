// The build for a GPU: one program, which loads NVRTC and writes the cubin and the report.
#include "base/texts.h"
#include "device/build/steps.h"

#include <string.h>
#include <unistd.h>

#include "device/build/report.h"

enum status build_gpu_plan(const struct device_paths *paths, const char *kernel,
                           const char *architecture, struct build_plan *plan, struct error *err) {
    struct build_step *step = &plan->step[0];
    step->what = "compile";
    plan->step_count = 1;
    enum status status = step_add(step, err, "%s/tilegrade-nvrtc", paths->programs);
    if (!status) {
        status = step_add(step, err, "%s", BUILD_SOURCE);
    }
    if (!status) {
        status = step_add(step, err, "%s", kernel);
    }
    if (!status) {
        status = step_add(step, err, "%s", architecture);
    }
    if (!status) {
        status = step_add(step, err, "kernel.cubin");
    }
    if (!status) {
        status = step_add(step, err, "%s", paths->include);
    }
    return status;
}

enum status build_gpu_worker(const struct device_paths *paths, const char *scratch,
                             const char *kernel, int gpu, struct build_step *step,
                             struct error *err) {
    enum status status = step_add(step, err, "%s/tilegrade-gpu-worker", paths->programs);
    if (!status) {
        status = step_add(step, err, "%s/kernel.cubin", scratch);
    }
    if (!status) {
        status = step_add(step, err, "%s", kernel);
    }
    if (!status) {
        status = step_add(step, err, "%d", gpu);
    }
    return status;
}

enum status build_gpu_failed(int exit_code, const char *output, struct build_report *report,
                             struct error *err) {
    if (exit_code > 128) {
        // NVRTC runs in that process, so a signal there is what the student's text did to it.
        build_report_fault(report, BUILD_FAULT_ERROR, 0,
                           "the compiler did not come to an end with this file: is there a macro, "
                           "template or loop that grows without bound?");
        return STATUS_OK;
    }
    return fail(err, STATUS_SYSTEM, "tilegrade-nvrtc failed: %.300s",
                output && *output ? output : _("no message"));
}
