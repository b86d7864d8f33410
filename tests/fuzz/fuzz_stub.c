// A reference with its cuts; and any two files, as tokens.
#include <stdlib.h>
#include <string.h>

#include "exercise/stub.h"
#include "fuzz.h"

static int has_mark(const char *text) {
    for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        if (strncmp(at + strspn(at, " \t"), "//@cut ", 7) == 0) {
            return 1;
        }
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    struct error err = {.text = ""};
    char *text = fuzz_text(bytes, count);
    char *stub = NULL;
    fuzz_demand(token_streams_equal((const char *)bytes, count, (const char *)bytes, count),
                "a file equals itself");
    if (!stub_cut("reference/fuzz.cu", text, &stub, &err)) {
        fuzz_demand(!has_mark(stub), "no mark in a stub");
        (void)token_streams_equal(stub, strlen(stub), text, strlen(text));
    }
    free(stub_unmark(text, stub ? stub : ""));
    free(stub);
    free(text);
    return 0;
}
