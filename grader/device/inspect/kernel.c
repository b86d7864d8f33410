// The kernel that the grader asks for, or what is there instead.
#include "device/inspect/object.h"

#include <stdio.h>
#include <string.h>

#include "device/build/kind.h"
#include "device/object/names.h"
#include "device/object/symbol.h"
#include "device/assembly/listing.h"

static bool defines(const struct object *object, const char *wanted) {
    for (size_t i = 1; i < object->elf.count; i++) {
        GElf_Sym symbol;
        const char *name = elf_symbol(&object->elf, i, &symbol);
        if (symbol.st_shndx != SHN_UNDEF && GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
            strcmp(name, wanted) == 0) {
            return true;
        }
    }
    return false;
}

// There is no kernel of that name with C linkage: says what there is instead.
static void explain_missing(struct object *object) {
    struct assembly_function function;
    const char *at = object->text;
    const char *kernel = object->kernel;
    while (assembly_next(&at, object->file, &function)) {
        const char *parameters = NULL;
        char name[128];
        symbol_readable(function.name, name, sizeof name);
        if (symbol_is_overload(function.name, kernel, &parameters)) {
            if (strcmp(parameters, "PKfS0_Pfiii") == 0) {
                build_report_fault(object->report, BUILD_FAULT_NO_KERNEL, 1,
                                   "does not include matmul.cuh: its first line of code is "
                                   "#include \"matmul.cuh\"");
            } else {
                build_report_fault(object->report, BUILD_FAULT_BAD_SIGNATURE, function.line,
                                   "%s does not have the parameters that the grader passes: (const "
                                   "float *A, const float *B, float *C, int M, int N, int K)",
                                   kernel);
            }
            return;
        }
        if (function.is_submission && function.is_device && strstr(name, "matmul") &&
            !strstr(name, LAUNCH_CONFIG_SUFFIX)) {
            build_report_fault(object->report, BUILD_FAULT_NO_KERNEL, function.line,
                               "has no kernel %s; the function here is called %s", kernel, name);
            return;
        }
    }
    build_report_fault(object->report, BUILD_FAULT_NO_KERNEL, 0,
                       "has no kernel %s: write `__global__ void %s(…)`", kernel, kernel);
}

void object_check_kernel(struct object *object) {
    char config[NAME_BYTES_MAX + 32];
    (void)snprintf(config, sizeof config, "%s" LAUNCH_CONFIG_SUFFIX, object->kernel);
    if (!defines(object, object->kernel)) {
        explain_missing(object);
    } else if (!defines(object, config)) {
        build_report_fault(object->report, BUILD_FAULT_NO_CONFIG, 0,
                           "has no LAUNCH_CONFIG(%s, M, N, K), which says how many blocks of how "
                           "many threads to launch",
                           object->kernel);
    }
}
