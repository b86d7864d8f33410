// The places of __shared__ arrays, which are thread-local variables, one in each of its sections.
//
// Arrays begin far apart, so that an index past one is in a gap and never in the next one.
#include <string.h>

#include "base/text.h"
#include "device/assembly/passes.h"
#include "emu/memory/memory.h"

enum status rewrite_shared(struct asm_lines *lines, bool is_x86, struct error *err) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i + 1 < lines->count && !status; i++) {
        const struct asm_line *section = &lines->line[i];
        struct asm_line *next = &lines->line[i + 1];
        bool holds_array = text_starts(section->text, "\t.section\t.tbss.") &&
                           !text_starts(section->text, "\t.section\t.tbss._ZGV");  // dead
        int shift = line_alignment(next, is_x86);
        if (holds_array) {
            next->is_dropped = shift >= 0;
            status = lines_add(lines, i + 1, err, "\t.balign\t%u\n\t.zero\t%u", MEMORY_ALIGN_BYTES,
                               memory_shift(shift >= 0 ? 1ull << shift : 1));
        }
    }
    return status;
}
