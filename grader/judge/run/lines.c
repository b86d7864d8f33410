// Counted work by source line: see lines.h.
#include "judge/run/lines.h"

#include <string.h>

#include "judge/run/locate.h"

enum status run_lines_locate(const struct run_program *program, struct count_lines *lines,
                             struct error *err) {
    uint64_t addresses[COUNT_LINES_MAX];
    struct build_place places[COUNT_LINES_MAX];
    for (uint32_t i = 0; i < lines->count; i++) {
        addresses[i] = lines->access[i].pc;
    }
    enum status status = run_places(program, addresses, (int)lines->count, places, err);
    for (uint32_t i = 0; i < lines->count && !status; i++) {
        lines->access[i].line = places[i].line;
    }
    return status;
}

// The entry of a line, made if there is none.
static struct line_work *work_of(struct line_work work[LINE_WORKS_MAX], int *count, uint32_t line) {
    int at = 0;
    while (at < *count && work[at].line < line) {
        at++;
    }
    if (at == *count || work[at].line != line) {
        memmove(&work[at + 1], &work[at], (size_t)(*count - at) * sizeof *work);
        memset(&work[at], 0, sizeof *work);
        work[at].line = line;
        (*count)++;
    }
    return &work[at];
}

int run_lines_merge(const struct count_lines *lines, struct line_work ret_work[LINE_WORKS_MAX]) {
    int count = 0;
    for (uint32_t i = 0; i < lines->count; i++) {
        const struct count_line *from = &lines->access[i];
        struct count_line *to = &work_of(ret_work, &count, from->line)->kind[from->kind];
        to->requests += from->requests;
        to->units += from->units;
        to->ideal += from->ideal;
        to->bytes += from->bytes;
        to->lanes += from->lanes;
    }
    for (uint32_t i = 0; i < lines->flops_count; i++) {
        const struct count_flops *from = &lines->flops[i];
        work_of(ret_work, &count, (uint32_t)from->line)->flops += from->flops;
    }
    return count;
}
