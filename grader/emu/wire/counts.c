// The counts by place, inserted into short sorted arrays.
#include "emu/wire/counts.h"

#include <string.h>

static int line_compare(const struct count_line *a, const struct count_line *b) {
    if (a->pc != b->pc) {
        return a->pc < b->pc ? -1 : 1;
    }
    return a->kind == b->kind ? 0 : a->kind < b->kind ? -1 : 1;
}

void count_lines_put(struct count_lines *lines, const struct count_line *line) {
    uint32_t at = 0;
    while (at < lines->count && line_compare(&lines->access[at], line) < 0) {
        at++;
    }
    if (at == COUNT_LINES_MAX) {
        return;
    }
    struct count_line *entry = &lines->access[at];
    if (at == lines->count || line_compare(entry, line) != 0) {
        uint32_t room = COUNT_LINES_MAX - 1 - at;
        uint32_t behind = lines->count - at;
        memmove(entry + 1, entry, (behind < room ? behind : room) * sizeof *entry);
        lines->count += lines->count < COUNT_LINES_MAX;
        *entry = *line;
        return;
    }
    entry->requests += line->requests;
    entry->units += line->units;
    entry->ideal += line->ideal;
    entry->bytes += line->bytes;
    entry->lanes += line->lanes;
}

void count_lines_put_flops(struct count_lines *lines, uint64_t line, uint64_t flops) {
    uint32_t at = 0;
    while (at < lines->flops_count && lines->flops[at].line < line) {
        at++;
    }
    if (at == COUNT_LINES_MAX) {
        return;
    }
    struct count_flops *entry = &lines->flops[at];
    if (at == lines->flops_count || entry->line != line) {
        uint32_t room = COUNT_LINES_MAX - 1 - at;
        uint32_t behind = lines->flops_count - at;
        memmove(entry + 1, entry, (behind < room ? behind : room) * sizeof *entry);
        lines->flops_count += lines->flops_count < COUNT_LINES_MAX;
        *entry = (struct count_flops){.line = line};
    }
    entry->flops += flops;
}

void count_lines_add(struct count_lines *sum, const struct count_lines *more) {
    for (uint32_t i = 0; i < more->count; i++) {
        count_lines_put(sum, &more->access[i]);
    }
    for (uint32_t i = 0; i < more->flops_count; i++) {
        count_lines_put_flops(sum, more->flops[i].line, more->flops[i].flops);
    }
}

bool count_lines_check(const struct count_lines *lines) {
    if (lines->count > COUNT_LINES_MAX || lines->flops_count > COUNT_LINES_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < lines->count; i++) {
        const struct count_line *line = &lines->access[i];
        const uint64_t sums[] = {line->requests, line->units, line->ideal, line->bytes,
                                 line->lanes};
        for (int j = 0; j < 5; j++) {
            if (sums[j] >= 1ull << 62) {
                return false;
            }
        }
        if (line->kind >= COUNT_KINDS || line->line != 0 || line->ideal > line->units ||
            (i > 0 && line_compare(line - 1, line) >= 0)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < lines->flops_count; i++) {
        if (lines->flops[i].flops >= 1ull << 62 || lines->flops[i].line >= 1u << 31 ||
            (i > 0 && lines->flops[i - 1].line >= lines->flops[i].line)) {
            return false;
        }
    }
    return true;
}
