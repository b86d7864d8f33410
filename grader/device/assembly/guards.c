// The guards by which g++ runs the constructor of a `__shared__` object once.  A GPU runs none:
// shared memory starts with no value (NVRTC warns).  So the constructor is passed over here too,
// and reading what it would have stored is reading uninitialised memory.
//
// g++ guards arrays of a class whose constructor is defaulted as well, though there is nothing to
// run.  Unexpected code is left as it is; assembly_guard_is_dead is then false, and the inspector
// refuses the file.
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "device/assembly/passes.h"

#define GUARD_TEST "\tcmpb\t$0, %fs:_ZGV"
#define LOOK_BACK  12  // lines from the test to the callback that reports it

// The callback before the test at line `at`, with the address of a guard.
static void callback_drop(struct asm_lines *lines, size_t at) {
    for (size_t i = at; i > 0 && at - i < LOOK_BACK; i--) {
        struct asm_line *line = &lines->line[i - 1];
        if (text_starts(line->text, "\tcall\t__tsan_read1")) {
            line->is_dropped = true;
            return;
        }
        if (line->kind != LINE_OTHER) {
            return;
        }
    }
}

enum status rewrite_guards(struct asm_lines *lines, struct error *err) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i + 1 < lines->count && !status; i++) {
        size_t jump = i + 1;
        if (!text_starts(lines->line[i].text, GUARD_TEST)) {
            continue;
        }
        while (jump + 1 < lines->count && lines->line[jump].kind == LINE_OTHER) {
            jump++;
        }
        struct asm_line *line = &lines->line[jump];
        char label[64] = "";
        bool to_end = sscanf(line->text, "\tjne\t%63[.L0-9]", label) == 1;
        if (!to_end && !text_starts(line->text, "\tje\t")) {
            continue;
        }
        callback_drop(lines, i);
        line->is_dropped = true;
        if (to_end) {
            status = lines_add(lines, jump, err, "\tjmp\t%s", label);
        }
    }
    return status;
}
