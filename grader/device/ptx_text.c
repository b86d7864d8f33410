// Looks for instructions in the text of PTX: see ptx_text.h.
#include "device/ptx_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/source_text.h"

bool ptx_tensor_instruction(const char *ptx, char *ret_name, size_t name_bytes) {
    static const char *const starts[] = {"mma.", "wmma.", "wgmma.", "tcgen05."};
    bool found = false;
    char *blank = source_blank(ptx);
    // Without memory for the copy the text is searched as it is: comments could then be taken for
    // code, never the reverse.
    const char *text = blank ? blank : ptx;
    for (const char *at = text; *at != '\0' && !found;) {
        size_t length = 0;
        while (source_is_word(at[length]) || at[length] == '.' || at[length] == '%') {
            length++;
        }
        for (size_t i = 0; i < sizeof starts / sizeof *starts && !found; i++) {
            if (strncmp(at, starts[i], strlen(starts[i])) == 0) {
                (void)snprintf(ret_name, name_bytes, "%.*s", (int)length, at);
                found = true;
            }
        }
        at += length > 0 ? length : 1;
    }
    free(blank);
    return found;
}
