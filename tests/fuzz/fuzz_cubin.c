// A cubin, which NVRTC made of a student's file.
#include <stdlib.h>
#include <string.h>

#include "device/gpu/gpu_compile.h"
#include "device/object/symbols.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    struct elf_file cubin;
    struct error err = {.text = ""};
    char plain[256];
    const char *name;
    char *copy = fuzz_text(bytes, count);
    int registers = cubin_registers(copy, count, "matmul_sum");
    fuzz_demand(registers >= 0 && registers <= 255, "a number of registers that a GPU has");
    if (cubin_open(copy, count, &cubin, &err)) {
        fuzz_demand(err.text[0] != '\0', "a message");
        free(copy);
        return 0;
    }
    (void)cubin_has_entry(&cubin, "matmul_sum");
    for (size_t i = 1; i < cubin.count; i++) {
        if (cubin_symbol_at(&cubin, i, &name) != CUBIN_OTHER) {
            symbol_readable(name, plain, sizeof plain);
            fuzz_demand(memchr(plain, '\0', sizeof plain) != NULL, "a name that ends");
        }
    }
    elf_file_close(&cubin);
    free(copy);
    return 0;
}
