// A catalogue of texts: whatever is taken is looked up without a step outside of it.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/texts.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static const char *const asked[] = {"", "one", "two", "a", "zz", "one\004two"};
    struct texts texts;
    struct error err = {""};
    char *copy = malloc(count + 1);  // of just this length, aligned
    fuzz_demand(copy != NULL, "memory");
    memcpy(copy, bytes, count);
    copy = realloc(copy, count > 0 ? count : 1);
    fuzz_demand(copy != NULL, "memory");
    if (texts_read("zh", copy, count, &texts, &err)) {
        fuzz_demand(err.text[0] != '\0', "a reason");
    } else {
        for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
            const char *found = texts_find(&texts, asked[i]);
            bool inside = found >= copy && found + strlen(found) < copy + count;
            fuzz_demand(found == asked[i] || inside, "a text of the catalogue");
        }
    }
    free(copy);
    return 0;
}
