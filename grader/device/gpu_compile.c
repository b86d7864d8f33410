// What a cubin may hold is decided from the cubin and the PTX, not from the source, which can say
// anything in a macro.
#include "device/gpu_compile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/file.h"
#include "device/compile_log.h"
#include "device/cubin.h"
#include "device/source_text.h"

#define OPTIONS_MAX 12

// Fills in a fault with a text of one sentence.
static void fault_set(struct build_report *report, enum build_fault fault, int line,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));
static void fault_set(struct build_report *report, enum build_fault fault, int line,
                      const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report->fault = fault;
    report->line = line;
    (void)vsnprintf(report->text, sizeof report->text, format, arguments);
    va_end(arguments);
}

// What can be refused before the compiler reads it: it would open any path that the user may read.
static void source_judge(const struct gpu_compile_request *request, const char *blank,
                         struct build_report *report) {
    const char *nul = memchr(request->source, '\0', request->source_bytes);
    if (nul) {
        fault_set(report, BUILD_FAULT_ERROR,
                  source_line(request->source, (size_t)(nul - request->source)),
                  "The file holds a NUL byte: it is no text. Save it again as UTF-8.");
        return;
    }
    int line = 0;
    char name[128];
    if (source_foreign_include(request->source, blank, &line, name, sizeof name)) {
        fault_set(
            report, BUILD_FAULT_NOT_ALLOWED, line,
            "Line %d includes %s. A kernel file may include matmul.cuh and the usual CUDA and "
            "C headers, by their plain names.",
            line, name[0] != '\0' ? name : "a file named by a macro");
    }
}

// True for what the compiler itself puts into GPU memory: the texts of printf and assert, names of
// functions, and copies of constant arrays.  A variable of such a name that the student wrote
// stands in the source.
static bool is_compilers(const char *name, const char *source) {
    static const char *const starts[] = {
        "$str", "__unnamed_", "__const", "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", ".str"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (strncmp(name, starts[i], strlen(starts[i])) == 0) {
            return source_word_line(source, name) == 0;
        }
    }
    return false;
}

// Refuses the first variable that keeps a value between launches.
static void variables_judge(const struct cubin *cubin, const char *source, const char *blank,
                            struct build_report *report) {
    if (cubin->variable_count > CUBIN_SYMBOLS_MAX) {
        fault_set(
            report, BUILD_FAULT_NOT_ALLOWED, 0,
            "The file holds %d variables in GPU memory; at most %d constant ones are allowed.",
            cubin->variable_count, CUBIN_SYMBOLS_MAX);
        return;
    }
    for (int i = 0; i < cubin->variable_count; i++) {
        const struct cubin_variable *variable = &cubin->variable[i];
        char plain[CUBIN_NAME_MAX];
        cubin_plain_name(variable->name, plain);
        bool harmless = is_compilers(plain, source) || source_declares_const(blank, plain);
        if (!variable->initialised || !harmless) {
            fault_set(
                report, BUILD_FAULT_NOT_ALLOWED, source_word_line(blank, plain),
                "The variable %.64s keeps its value from one launch to the next. Use variables "
                "inside the kernel, __shared__ memory, or constants.",
                plain);
            return;
        }
    }
}

static void tensor_judge(const char *ptx, struct build_report *report) {
    char name[64];
    if (ptx_tensor_instruction(ptx, name, sizeof name)) {
        fault_set(
            report, BUILD_FAULT_NOT_ALLOWED, 0,
            "The kernel uses tensor cores (%s). This exercise is about fp32 arithmetic: multiply "
            "and add floats.",
            name);
    }
}

// A kernel of the right name with a mangled one is an overload: its parameters differ from the
// declaration in matmul.cuh.
static bool overload_find(const struct cubin *cubin, const char *kernel) {
    for (int i = 0; i < cubin->entry_count && i < CUBIN_SYMBOLS_MAX; i++) {
        char plain[CUBIN_NAME_MAX];
        cubin_plain_name(cubin->entry[i], plain);
        if (strcmp(plain, kernel) == 0 && strcmp(cubin->entry[i], kernel) != 0) {
            return true;
        }
    }
    return false;
}

// The first entry point that is no launch configuration, by its plain name; "" if there is none.
static void other_kernel(const struct cubin *cubin, char plain[CUBIN_NAME_MAX]) {
    plain[0] = '\0';
    for (int i = 0; i < cubin->entry_count && i < CUBIN_SYMBOLS_MAX && plain[0] == '\0'; i++) {
        if (!strstr(cubin->entry[i], LAUNCH_CONFIG_SUFFIX)) {
            cubin_plain_name(cubin->entry[i], plain);
        }
    }
}

static void entries_judge(const struct cubin *cubin, const char *kernel, const char *blank,
                          struct build_report *report) {
    char config[CUBIN_NAME_MAX];
    char other[CUBIN_NAME_MAX];
    (void)snprintf(config, sizeof config, "%s" LAUNCH_CONFIG_SUFFIX, kernel);
    other_kernel(cubin, other);
    if (!cubin_has_entry(cubin, kernel) && overload_find(cubin, kernel)) {
        fault_set(
            report, BUILD_FAULT_BAD_SIGNATURE, source_word_line(blank, kernel),
            "The kernel %s has other parameters than the course asks for: (const float *A, const "
            "float *B, float *C, int M, int N, int K).",
            kernel);
    } else if (!cubin_has_entry(cubin, kernel) && other[0] != '\0') {
        fault_set(report, BUILD_FAULT_NO_KERNEL, source_word_line(blank, other),
                  "There is no kernel %s in the file; it holds %.64s.", kernel, other);
    } else if (!cubin_has_entry(cubin, kernel)) {
        fault_set(report, BUILD_FAULT_NO_KERNEL, 0,
                  "There is no kernel in the file; it should hold __global__ void %s.", kernel);
    } else if (!cubin_has_entry(cubin, config)) {
        fault_set(
            report, BUILD_FAULT_NO_CONFIG, 0,
            "There is no LAUNCH_CONFIG(%s, M, N, K) in the file, which says how many blocks and "
            "threads to launch.",
            kernel);
    }
}

// Judges what the compiler made, in the order in which verdicts come.
static enum status output_judge(const struct nvrtc_output *output,
                                const struct gpu_compile_request *request, const char *blank,
                                struct build_report *report, struct error *err) {
    struct cubin *cubin = calloc(1, sizeof *cubin);
    if (!cubin) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the symbols of a cubin");
    }
    enum status status = cubin_read(output->cubin, output->cubin_bytes, cubin, err);
    if (!status) {
        variables_judge(cubin, request->source, blank, report);
        if (report->fault == BUILD_FAULT_NONE) {
            tensor_judge(output->ptx, report);
        }
        if (report->fault == BUILD_FAULT_NONE) {
            entries_judge(cubin, request->kernel, blank, report);
        }
    }
    free(cubin);
    return status;
}

// One option as owned text.
static enum status option_add(char *options[OPTIONS_MAX], int *count, struct error *err,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));
static enum status option_add(char *options[OPTIONS_MAX], int *count, struct error *err,
                              const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = *count < OPTIONS_MAX ? vasprintf(&options[*count], format, arguments) : -1;
    va_end(arguments);
    if (length < 0) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the compiler's options");
    }
    (*count)++;
    return STATUS_OK;
}

static enum status options_make(const struct nvrtc *nvrtc,
                                const struct gpu_compile_request *request,
                                char *options[OPTIONS_MAX], int *count, struct error *err) {
    enum status status =
        option_add(options, count, err, "--gpu-architecture=%s", request->architecture);
    status = status ? status : option_add(options, count, err, "-std=c++17");
    status = status ? status : option_add(options, count, err, "-lineinfo");
    status = status ? status : option_add(options, count, err, "-DKERNEL=%s", request->kernel);
    status = status ? status : option_add(options, count, err, "-I%s", request->include);
    status = status ? status : option_add(options, count, err, "-I%s/standin", request->include);
    if (!status && nvrtc->toolkit[0] != '\0') {
        status = option_add(options, count, err, "-I%s", nvrtc->toolkit);
        // Since CUDA 13 the headers of <cuda/barrier> and its like lie one folder deeper.
        status = status ? status : option_add(options, count, err, "-I%s/cccl", nvrtc->toolkit);
    }
    return status;
}

static enum status source_compile(const struct nvrtc *nvrtc,
                                  const struct gpu_compile_request *request,
                                  struct nvrtc_output *ret_output, struct error *err) {
    char *options[OPTIONS_MAX] = {NULL};
    int count = 0;
    enum status status = options_make(nvrtc, request, options, &count, err);
    if (!status) {
        status = nvrtc_compile(nvrtc, request->source, BUILD_SOURCE, (const char *const *)options,
                               count, ret_output, err);
    }
    for (int i = 0; i < count; i++) {
        free(options[i]);
    }
    return status;
}

enum status gpu_compile(const struct nvrtc *nvrtc, const struct gpu_compile_request *request,
                        struct gpu_compile_result *ret_result, struct error *err) {
    enum status status = STATUS_OK;
    struct gpu_compile_result result = {.cubin = NULL};
    struct nvrtc_output output = {.compiled = false};
    char *blank = source_blank(request->source);
    if (!blank) {
        return fail(err, STATUS_NO_MEMORY, "no memory to read the kernel file");
    }
    source_judge(request, blank, &result.report);
    if (result.report.fault == BUILD_FAULT_NONE) {
        status = source_compile(nvrtc, request, &output, err);
        if (!status && output.compiled) {
            status = output_judge(&output, request, blank, &result.report, err);
        } else if (!status) {
            status = compile_log_judge(output.log, BUILD_SOURCE, request->source, request->kernel,
                                       &result.report, err);
        }
    }
    if (status) {
        goto out;
    }
    result.report.diagnostics = compile_log_clean(output.log ? output.log : "", request->include);
    if (!result.report.diagnostics) {
        status = fail(err, STATUS_NO_MEMORY, "no memory for the compiler's messages");
        goto out;
    }
    if (result.report.fault == BUILD_FAULT_NONE) {
        result.cubin = output.cubin;
        result.cubin_bytes = output.cubin_bytes;
        output.cubin = NULL;  // now the result's
    }
    *ret_result = result;
    result = (struct gpu_compile_result){.cubin = NULL};

out:
    gpu_compile_done(&result);
    nvrtc_output_done(&output);
    free(blank);
    return status;
}

void gpu_compile_done(struct gpu_compile_result *result) {
    free(result->report.diagnostics);
    free(result->cubin);
    *result = (struct gpu_compile_result){.cubin = NULL};
}

// The names that build_report_read knows.
static const char *fault_name(enum build_fault fault) {
    static const char *const names[BUILD_FAULT_COUNT] = {
        [BUILD_FAULT_NONE] = "none",
        [BUILD_FAULT_ERROR] = "error",
        [BUILD_FAULT_NOT_ALLOWED] = "not_allowed",
        [BUILD_FAULT_NO_KERNEL] = "no_kernel",
        [BUILD_FAULT_BAD_SIGNATURE] = "bad_signature",
        [BUILD_FAULT_NO_CONFIG] = "no_config",
        [BUILD_FAULT_NEEDS_GPU] = "needs_gpu",
    };
    return names[fault];
}

enum status gpu_report_format(const struct build_report *report, char **ret_text,
                              struct error *err) {
    char *sentence = text_utf8(report->text);
    char *diagnostics = text_utf8(report->diagnostics ? report->diagnostics : "");
    json_t *root =
        sentence && diagnostics
            ? json_pack("{s:s, s:i, s:s, s:s}", "fault", fault_name(report->fault), "line",
                        report->line, "text", sentence, "diagnostics", diagnostics)
            : NULL;
    char *text = root ? json_dumps(root, JSON_INDENT(2)) : NULL;
    json_decref(root);
    free(sentence);
    free(diagnostics);
    if (!text) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the build report");
    }
    *ret_text = text;
    return STATUS_OK;
}
