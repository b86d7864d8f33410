// What compilers print about a kernel file: g++ for the CPU device, NVRTC for the GPU's.
#include <stdlib.h>
#include <string.h>

#include "device/compile/compiler_errors.h"
#include "device/compile/compiler_messages.h"
#include "device/compile/compiler_trouble.h"
#include "device/compile/compiler_warnings.h"
#include "fuzz.h"

#define UNSET_MAX 8

static void judge_look(const char *log, int exit_code) {
    struct build_report report = {.fault = BUILD_FAULT_NONE};
    struct error err = {.text = ""};
    if (!diagnostics_judge(log, "matmul_sum", exit_code, &report, &err)) {
        fuzz_demand(report.fault != BUILD_FAULT_NONE && report.text[0] != '\0', "a reason");
    } else {
        fuzz_demand(err.text[0] != '\0', "a message");
    }
    build_report_done(&report);
}

static void shown_look(const char *log) {
    struct unset_variable unset[UNSET_MAX];
    char *shown = diagnostics_show(log, "matmul_sum");
    int lines = 0;
    for (const char *at = shown; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    fuzz_demand(lines <= DIAGNOSTIC_LINES_MAX + 1, "few lines");
    free(diagnostics_uninitialized(shown));
    (void)diagnostics_unset(shown, "matmul_sum", unset, UNSET_MAX);
    free(shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    char *log = fuzz_text(bytes, count);
    struct error err = {.text = ""};
    struct build_report report = {.fault = BUILD_FAULT_NONE};
    struct compiler_message message;
    const char *at = log;
    judge_look(log, 1);
    judge_look(log, 128 + 9);
    shown_look(log);
    while (compiler_message_next(&at, &message)) {
        (void)compiler_trouble(&message, &err);
    }
    compile_log_judge(log, "submission.cu", "__global__ void matmul_sum(float *C) {}\n",
                      "matmul_sum", &report);
    build_report_done(&report);
    free(compile_log_show(log, "matmul_sum", "/tmp/tilegrade.x"));
    free(log);
    return 0;
}
