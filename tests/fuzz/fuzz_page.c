// A page of hints.
#include <stdlib.h>

#include "exercise/hints.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    struct error err = {""};
    fuzz_file("page.md", bytes, count);
    for (int step = 0; step < 4; step++) {
        char *hint = NULL;
        int hint_count = 0;
        if (!hint_read("page.md", step, &hint, &hint_count, &err)) {
            fuzz_demand(hint && hint_count > step, "a hint that is there");
            free(hint);
        }
    }
    return 0;
}
