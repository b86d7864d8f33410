// Which values explain a finding: the variables of the access's index and of the conditions around
// it, and the text of a build that notes them.
//
// Names come from the file's tokens, numbers from a second run; the two meet in
// judge/explain/values.c.
#ifndef JUDGE_CODE_WATCH_H
#define JUDGE_CODE_WATCH_H

#include "judge/code/code.h"
#include "judge/model/finding.h"

#define WATCH_ITEMS_MAX (FINDING_VALUES_MAX - 1)  // the first value is the index itself

struct watch_item {
    char name[VALUE_NAME_MAX];  // as written: "row", "t * TILE + tx"
    int first, end;             // its tokens at the access
    int declared;               // token of its declaration; -1: not one variable
};

struct index_watch {
    struct code code;
    struct code_path path;
    int place;                       // the access's first token
    int wrapped_first, wrapped_end;  // the index, or what stands for it; a barrier's condition
    int count;                       // 0: nothing to say
    struct watch_item item[WATCH_ITEMS_MAX];
    bool holds;                // of a condition: what it is where threads come to the barrier
    int brackets;              // of the access: 1 for `A[i]`, 2 for `As[i][j]`; 0: it has none
    int row, stride, column;   // items of `array[row * stride + column]`, all -1 if it is none
    int matrix[MATRIX_COUNT];  // tokens: the kernel's parameters for A, B and C; -1 as above
    int size[3];               // items: the kernel's parameters for M, N and K; -1 elsewhere
    int sizes_line;            // line of these parameters
};

// Chooses values for a finding that has a line and a mark.  kernel: the name of the kernel that
// the grader calls.  Errors: STATUS_NO_MEMORY.  Owns: the caller frees with watch_done; text must
// live as long.
enum status watch_choose(const char *text, size_t bytes, const struct judged_finding *finding,
                         const char *kernel, struct index_watch *ret_watch, struct error *err);
void watch_done(struct index_watch *watch);

// The same file with a note around the index: lines stay, columns do not.
// Owns: the caller frees *ret_text.
enum status watch_write(const struct index_watch *watch, char **ret_text, struct error *err);

// The letter of a size (M, N, K) that the parameter of an item gets from the launch; '\0' if it is
// none of them.
char watch_size_letter(const struct index_watch *watch, int item);

// True if a variable has one value in a launch: nothing is assigned to it but where it is declared.
bool watch_is_fixed(const struct index_watch *watch, int item);

// Takes `row * stride + column` apart: tokens of each, -1 where it is another expression.
struct watch_parts {
    int row_first, row_end, stride_first, stride_end, column_first, column_end;
};
bool watch_split(const struct index_watch *watch, int first, int end,
                 struct watch_parts *ret_parts);

#endif
