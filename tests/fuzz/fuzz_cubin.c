// A cubin, which NVRTC made of a student's file.
#include <string.h>

#include "device/gpu/cubin.h"
#include "device/gpu/cubin_registers.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static struct cubin cubin;
    struct error err = {""};
    char plain[CUBIN_NAME_MAX];
    int registers = cubin_registers(bytes, count, "matmul_sum");
    fuzz_demand(registers >= 0 && registers <= 255, "a number of registers that a GPU has");
    if (cubin_read(bytes, count, &cubin, &err)) {
        fuzz_demand(err.text[0] != '\0', "a message");
        return 0;
    }
    (void)cubin_has_entry(&cubin, "matmul_sum");
    for (int i = 0; i < cubin.entry_count && i < CUBIN_SYMBOLS_MAX; i++) {
        fuzz_demand(memchr(cubin.entry[i], '\0', CUBIN_NAME_MAX) != NULL, "a name that ends");
        cubin_plain_name(cubin.entry[i], plain);
    }
    for (int i = 0; i < cubin.variable_count && i < CUBIN_VARIABLES_MAX; i++) {
        cubin_plain_name(cubin.variable[i].name, plain);
    }
    return 0;
}
