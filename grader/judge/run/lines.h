// Counted work by source line.
#ifndef JUDGE_RUN_LINES_H
#define JUDGE_RUN_LINES_H

#include "emu/wire/count_lines.h"
#include "judge/build/program.h"

// Fills in the source line of each place of a worker's table.  Errors: as run_places.
enum status run_lines_locate(const struct run_program *program, struct count_lines *lines,
                             struct error *err);

// The work of one source line: the sums of its places.
struct line_work {
    uint32_t line;
    struct count_line kind[COUNT_KINDS];  // requests is 0 for kinds that the line has not
    uint64_t flops;
};

#define LINE_WORKS_MAX (2 * COUNT_LINES_MAX)

// Puts a located table together by line, in the order of lines.  Returns how many.
int run_lines_merge(const struct count_lines *lines, struct line_work ret_work[LINE_WORKS_MAX]);

#endif
