// A page of hints.
#include <string.h>

#include "exercise/hints.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    struct error err = {.text = ""};
    fuzz_file("page.md", bytes, count);
    struct hints hints = {.text = NULL};
    if (!hints_read("page.md", &hints, &err)) {
        fuzz_demand(hints.count >= hints.todo_count && hints.todo_count > 0, "a hint");
        for (int i = 0; i < hints.count; i++) {
            for (int step = 0; step < hints.list[i].step_count; step++) {
                fuzz_demand(strlen(hints.list[i].steps[step]) <= count, "a step of the file");
            }
        }
    }
    hints_done(&hints);
    hints = (struct hints){.text = NULL};
    if (!hints_of_page("page.md", "race", &hints, &err) && hints.count > 0) {
        for (int step = 0; step < hints.list[0].step_count; step++) {
            fuzz_demand(strlen(hints.list[0].steps[step]) <= count, "a part of the section");
        }
    }
    hints_done(&hints);
    return 0;
}
