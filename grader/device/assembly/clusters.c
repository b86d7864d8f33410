// The __cluster_dims__ of the kernels: emu/shim/cuda_clusters.h writes them as an alignment of the
// kernel's code.  Here that becomes an entry of a list, for emu/machine/configure.c.
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "device/assembly/passes.h"
#include "device/object/names.h"
#include "emu/shim/cuda_clusters.h"

#define SHAPE(x, y, z) {x, y, z},
static const unsigned shapes[][3] = {{0, 0, 0}, TILEGRADE_CLUSTER_SHAPES(SHAPE)};
#undef SHAPE

#define TYPE     "\t.type\t"
#define FUNCTION ", @function"

// The number of the shape that a line stands for; -1 for other lines.
static int shape_of(const struct asm_line *line, bool is_x86) {
    int shift = line_alignment(line, is_x86);
    bool known =
        shift >= TILEGRADE_CLUSTER_SHIFT && shift - TILEGRADE_CLUSTER_SHIFT < (int)COUNT(shapes);
    return known ? shift - TILEGRADE_CLUSTER_SHIFT : -1;
}

// The function whose type the line gives; its length is 0 for other lines.
static size_t function_of(const struct asm_line *line, const char **ret_name) {
    size_t end = line->length - (line->length > strlen(FUNCTION) ? strlen(FUNCTION) : 0);
    bool is_function = text_starts(line->text, TYPE) && end > strlen(TYPE) &&
                       (strncmp(line->text + end, FUNCTION, strlen(FUNCTION)) == 0 ||
                        strncmp(line->text + end, ", %function", strlen(FUNCTION)) == 0);
    *ret_name = line->text + strlen(TYPE);
    return is_function ? end - strlen(TYPE) : 0;
}

enum status rewrite_clusters(struct asm_lines *lines, bool is_x86, struct error *err) {
    enum status status = STATUS_OK;
    size_t aligned = 0;  // the last line that stood for a shape
    int shape = -1;      // no function has followed it yet
    for (size_t i = 0; i < lines->count && !status; i++) {
        struct asm_line *line = &lines->line[i];
        const char *name = NULL;
        size_t length = function_of(line, &name);
        if (shape_of(line, is_x86) >= 0) {
            shape = shape_of(line, is_x86);
            aligned = i;
        } else if (length == 0 && text_starts(line->text, TYPE)) {
            shape = -1;  // it was that of a variable
        } else if (length > 0 && shape >= 0) {
            lines->line[aligned].is_dropped = true;
            status =
                lines_add(lines, i, err,
                          "\t.pushsection\temu_clusters,\"a\"\n\t.balign 8\n"
                          "\t.8byte\t%.*s, %u, %u, %u\n\t.popsection",
                          (int)length, name, shapes[shape][0], shapes[shape][1], shapes[shape][2]);
            shape = -1;
        }
    }
    return status;
}
