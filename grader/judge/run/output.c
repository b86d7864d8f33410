// Keeps whole lines where it can: half a number would be a wrong number.
#include "judge/run/output.h"

#include <string.h>

#define MARK "…\n"

void run_output_cut(const char *text, char shown[OUTPUT_SHOWN_MAX]) {
    const size_t room = OUTPUT_SHOWN_MAX - sizeof MARK - 1;  // a line end may be added too
    size_t used = 0;
    for (int lines = 0; lines < OUTPUT_LINES_MAX && text[used] != '\0'; lines++) {
        size_t length = strcspn(text + used, "\n");
        length += text[used + length] == '\n';
        if (used + length > room) {
            used = used == 0 ? room : used;
            break;
        }
        used += length;
    }
    memcpy(shown, text, used);
    shown[used] = '\0';
    if (text[used] != '\0') {
        if (used > 0 && shown[used - 1] != '\n') {
            shown[used++] = '\n';
        }
        memcpy(shown + used, MARK, sizeof MARK);
    }
}
