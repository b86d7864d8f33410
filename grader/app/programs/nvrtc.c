// tilegrade-nvrtc: the compiler step of the GPU device, and the probe for GPUs.  It runs in the
// sandbox, so that neither NVRTC nor CUDA is ever loaded into the judge.
//
//     tilegrade-nvrtc SOURCE KERNEL sm_XX OUT.cubin INCLUDE_DIR [OPTION ...]
//         writes OUT.cubin, and report.json in the working folder
//     tilegrade-nvrtc --own SOURCE sm_XX OUT.cubin
//         compiles a file of the grader itself, which is not judged
//     tilegrade-nvrtc --probe
//         prints what struct gpu_info holds, as JSON
//
// Exit code 0: it did its work (the report may still refuse the source); 2: bad usage; 3: it could
// not.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/file.h"
#include "base/language.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/build_report.h"
#include "device/compile/build_plan.h"
#include "device/gpu/gpu_compile.h"
#include "device/gpu/gpu_info.h"

static int give_up(enum status status, const struct error *err) {
    fprintf(stderr, "tilegrade-nvrtc: %s\n", err->text);
    return status == STATUS_BAD_USAGE ? 2 : 3;
}

// Names go into options of the compiler: only letters, digits and _, and no digit first.
static bool name_check(const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t length = strlen(name);
    return length > 0 && length < 2 * NAME_BYTES_MAX && strspn(name, letters) == length &&
           !(name[0] >= '0' && name[0] <= '9');
}

static enum status result_write(const struct gpu_compile_result *result, const char *cubin_path,
                                struct error *err) {
    enum status status = STATUS_OK;
    if (result->cubin) {
        status = file_write(cubin_path, result->cubin, result->cubin_bytes, err);
    }
    // The report is written last: if it exists, so does the cubin.
    return status ? status : build_report_write(BUILD_REPORT, &result->report, err);
}

#define USAGE                                                                                      \
    "usage: tilegrade-nvrtc SOURCE KERNEL sm_XX OUT.cubin INCLUDE_DIR [" BUILD_TENSOR_CORES "] "   \
    "[" BUILD_TAKES "LETTERS] [-DNAME=VALUE ...] | --own SOURCE sm_XX OUT.cubin | --probe"

// Reads the options after INCLUDE_DIR.  Returns false at an unknown option.
static bool options_read(char **options, struct gpu_compile_request *request) {
    for (; *options; options++) {
        if (strcmp(*options, BUILD_TENSOR_CORES) == 0) {
            request->tensor_cores = true;
        } else if (text_starts(*options, BUILD_TAKES)) {
            request->takes = *options + strlen(BUILD_TAKES);
        } else if (text_starts(*options, "-D") && request->define_count < COMPILE_DEFINES_MAX) {
            request->defines[request->define_count++] = *options;
        } else {
            return false;
        }
    }
    return true;
}

// arguments: SOURCE KERNEL sm_XX OUT.cubin INCLUDE_DIR and options, then NULL.
static enum status compile(char **arguments, struct error *err) {
    struct gpu_compile_request request = {
        .kernel = arguments[1], .architecture = arguments[2], .include = arguments[4]};
    struct nvrtc nvrtc;
    struct gpu_compile_result result = {.cubin = NULL};
    char *source = NULL;
    if (!name_check(request.kernel) || !name_check(request.architecture)) {
        return fail(err, STATUS_BAD_USAGE, "'%s' or '%s' is no name", request.kernel,
                    request.architecture);
    }
    if (!options_read(arguments + 5, &request)) {
        return fail(err, STATUS_BAD_USAGE, USAGE);
    }
    enum status status = nvrtc_open(&nvrtc, err);
    if (status) {
        goto out;
    }
    status = file_read(arguments[0], SOURCE_BYTES_MAX, &source, &request.source_bytes, err);
    if (status) {
        goto out;
    }
    request.source = source;
    if (text_starts(source, "\xef\xbb\xbf")) {  // NVRTC does not accept a byte order mark
        request.source += 3;
        request.source_bytes -= 3;
    }
    status = gpu_compile(&nvrtc, &request, &result, err);
    if (status) {
        goto out;
    }
    status = result_write(&result, arguments[3], err);

out:
    gpu_compile_done(&result);
    free(source);
    return status;
}

// Our own file: any message of the compiler is our bug.
static enum status compile_own(char **arguments, struct error *err) {
    char architecture[64];
    const char *const options[] = {architecture, "-std=c++17", NULL};
    struct nvrtc nvrtc;
    struct nvrtc_output output = {.compiled = false};
    char *source = NULL;
    size_t bytes = 0;
    if (!name_check(arguments[1])) {
        return fail(err, STATUS_BAD_USAGE, "'%s' is no name", arguments[1]);
    }
    (void)snprintf(architecture, sizeof architecture, "--gpu-architecture=%.40s", arguments[1]);
    enum status status = nvrtc_open(&nvrtc, err);
    if (!status) {
        status = file_read(arguments[0], SOURCE_BYTES_MAX, &source, &bytes, err);
    }
    if (!status) {
        status = nvrtc_compile(&nvrtc, source, arguments[0], options, &output, err);
    }
    if (!status && !output.compiled) {
        status = fail(err, STATUS_SYSTEM, "%s does not compile: %.600s", arguments[0], output.log);
    }
    if (!status) {
        status = file_write(arguments[2], output.cubin, output.cubin_bytes, err);
    }
    nvrtc_output_done(&output);
    free(source);
    return status;
}

static enum status probe(struct error *err) {
    char *text = NULL;
    enum status status = gpu_info_probe(&text, err);
    if (!status && puts(text) < 0) {
        status = fail_errno(err, STATUS_SYSTEM, "stdout");
    }
    free(text);
    return status;
}

int main(int argc, char **argv) {
    struct error err = {.text = ""};
    json_set_alloc_funcs(xmalloc, free);
    enum status status = language_begin(&err);
    if (status) {
        return give_up(status, &err);
    }
    if (argc == 2 && strcmp(argv[1], "--probe") == 0) {
        status = probe(&err);
    } else if (argc == 5 && strcmp(argv[1], "--own") == 0) {
        status = compile_own(argv + 2, &err);
    } else if (argc >= 6) {
        status = compile(argv + 1, &err);
    } else {
        status = fail(&err, STATUS_BAD_USAGE, USAGE);
    }
    return status ? give_up(status, &err) : 0;
}
