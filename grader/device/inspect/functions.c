// The functions of an object file: whose code they are, and how they were compiled.
#include "device/inspect/object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "device/inspect/inspect.h"
#include "device/object/names.h"
#include "device/object/symbol.h"
#include "device/assembly/listing.h"

// For NVRTC a lambda with __device__ is host code.
static bool is_marked_lambda(const struct assembly_function *function) {
    const char *lambda = strstr(function->name, "Ul");
    return function->is_submission && function->is_device && lambda && strstr(lambda, "_cl");
}

static void refuse_host(struct object *object, const struct assembly_function *function,
                        const char *name) {
    if (strcmp(function->name, object->kernel) == 0) {
        build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, function->line,
                           "the function `%s` is host code: write __global__ before it, because "
                           "the grader launches it",
                           name);
    } else if (strcmp(name, "main") == 0) {
        build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, function->line,
                           "the function `%s` is host code: remove it, because the grader launches "
                           "the kernel",
                           name);
    } else {
        build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, function->line,
                           "the function `%s` is host code: write __device__ before it, because a "
                           "kernel calls it",
                           name);
    }
}

// Host code is a function of the student's file without the mark of __device__ or __global__.
bool object_check_functions(struct object *object) {
    struct assembly_function function;
    const char *at = object->text;
    while (assembly_next(&at, object->file, &function)) {
        if (function.is_submission && !function.is_device && !symbol_is_implied(function.name)) {
            char name[128];
            symbol_readable(function.name, name, sizeof name);
            if (symbol_is_lambda(function.name)) {
                build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, function.line,
                                   "a lambda with `auto` parameters is taken for host code: name "
                                   "the types of its parameters");
                return false;
            }
            refuse_host(object, &function, name);
            return false;
        }
        if (is_marked_lambda(&function)) {
            build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, function.line,
                               "a lambda in a kernel is already device code: remove its "
                               "__device__, which the GPU compiler does not accept there");
            return false;
        }
        if (strcmp(function.name, object->kernel) == 0 && !function.is_kernel) {
            build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, function.line,
                               "`%s` is a __device__ function: write __global__ before it, because "
                               "the grader launches it",
                               object->kernel);
            return false;
        }
    }
    return true;
}

// Attributes and pragmas can switch the instrumentation of a function off, or optimise accesses
// away.  gcc's dump of the instrumenting pass names every function that went through it under the
// options of the command line.
enum status object_check_instrumented(struct object *object, struct error *err) {
    char *dump = NULL;
    size_t bytes = 0;
    enum status status = file_read("kernel.tsan", BUILD_TEXT_MAX, &dump, &bytes, err);
    if (status) {
        return status;
    }
    struct assembly_function function;
    const char *at = object->text;
    while (assembly_next(&at, object->file, &function)) {
        char mark[SYMBOL_TEXT_MAX + 16];
        bool wrapper = text_starts(function.name, "_ZTW") || text_starts(function.name, "_ZTH");
        (void)snprintf(mark, sizeof mark, "(%.*s, funcdef_no=", (int)strcspn(function.name, "."),
                       function.name);
        if (function.is_submission && !wrapper && !strstr(dump, mark)) {
            char name[128];
            symbol_readable(function.name, name, sizeof name);
            build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, function.line,
                               "`%s` is compiled with options of its own (an attribute such as "
                               "no_sanitize or optimize, or a #pragma GCC): remove them",
                               name);
            break;
        }
    }
    free(dump);
    return STATUS_OK;
}
