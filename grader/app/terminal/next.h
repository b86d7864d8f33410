// The last lines of a run: where its page is, and what to do next.
#ifndef APP_TERMINAL_NEXT_H
#define APP_TERMINAL_NEXT_H

#include "app/paths.h"
#include "app/terminal/terminal.h"

struct course;

// Whose run it was: all exercises of the course or the assignment, of which some were judged.
struct next_course {
    const struct places *places;
    const struct course *whole;
    bool own;  // the student's own files, not another folder
};

// After `make test`.
void terminal_next_test(const struct terminal *terminal, const struct next_course *course,
                        const struct judgement *judgement);

// After `make grade`, of the student's own files.
void terminal_next_grade(const struct terminal *terminal, const struct next_course *course,
                         const struct judgement *judgement);

#endif
