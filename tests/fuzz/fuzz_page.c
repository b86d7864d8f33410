// A page of a lesson: its hints, its links and anchors.
#include <stdlib.h>
#include <string.h>

#include "exercise/hints.h"
#include "exercise/links.h"
#include "fuzz.h"

static void link_report(void *context, const char *message) {
    (void)context;
    fuzz_demand(strncmp(message, "page.md:", 8) == 0, "a message that names its place");
}

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
    (void)links_check("page.md", link_report, NULL, &err);
    char *text = fuzz_text(bytes, count);
    char anchor[64];
    size_t length = strcspn(text, "\n");
    size_t kept = length < sizeof anchor ? length : sizeof anchor - 1;
    memcpy(anchor, text, kept);
    anchor[kept] = '\0';
    (void)links_anchor_in(text, anchor);
    free(text);
    return 0;
}
