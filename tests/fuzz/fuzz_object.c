// The object and the program that were made of a kernel file: ELF and DWARF.  The first four bytes
// of an input are the size of the object, little-endian; the object and the program follow.  If the
// input is shorter than that, all of it is used as both.
#include <stdlib.h>
#include <string.h>

#include "device/compile/build_plan.h"
#include "device/inspect/inspect.h"
#include "fuzz.h"

#define PREFIX 4

static const char assembly[] = "\t.file 1 \"submission.cu\"\n"
                               "\t.section __patchable_function_entries,\"awo\"\n"
                               "\t.globl\tmatmul_sum\n\t.type\tmatmul_sum, @function\n"
                               "matmul_sum:\n\t.loc 1 3 1\n\tret\n";

static void files_write(const uint8_t *bytes, size_t count) {
    size_t object = 0;
    for (size_t i = 0; i < PREFIX && count >= PREFIX; i++) {
        object |= (size_t)bytes[i] << (8 * i);
    }
    if (count < PREFIX || object > count - PREFIX) {
        fuzz_file("kernel.o", bytes, count);
        fuzz_file("worker", bytes, count);
        return;
    }
    fuzz_file("kernel.o", bytes + PREFIX, object);
    fuzz_file("worker", bytes + PREFIX + object, count - PREFIX - object);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static char address[] = "0x1030";
    static char last[] = "0xffffffffffffffff";
    char *const addresses[] = {address, last};
    struct build_report report = {.fault = BUILD_FAULT_NONE};
    struct error err = {.text = ""};
    char *text = NULL;
    fuzz_file("kernel.s", assembly, sizeof assembly - 1);
    fuzz_file("kernel.d", "kernel.o: submission.cu\n", 24);
    fuzz_file(BUILD_SOURCE, "float x;\n", 9);
    files_write(bytes, count);
    if (inspect_object("matmul_sum", "/nonexistent", "/nonexistent", &report, &err)) {
        fuzz_demand(err.text[0] != '\0', "a message");
    }
    build_report_done(&report);
    memset(&report, 0, sizeof report);
    (void)inspect_program("matmul_sum", &report, &err);
    fuzz_demand(report.shared.count <= SHARED_ARRAYS_MAX, "a table that fits");
    build_report_done(&report);
    if (!inspect_shared(&text, &err)) {
        free(text);
    }
    if (!inspect_locate("worker", 2, addresses, &text, &err)) {
        free(text);
    }
    return 0;
}
