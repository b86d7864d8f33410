// The access of a finding in the text of a kernel: its position in the line, so that a terminal can
// underline it; the variables of its index and of the conditions around it, and the text of a build
// that notes their values; the call that passed its array to a helper function.
//
// Names come from the file's tokens, numbers from a second run; the two meet in
// judge/say/values_story.c.
#ifndef JUDGE_CODE_ACCESS_TEXT_H
#define JUDGE_CODE_ACCESS_TEXT_H

#include "judge/code/statements.h"
#include "judge/model/judged_finding.h"

// Finds the expression that a compiler's column belongs to: `As[ty][k]` for the column of its last
// bracket, the left side of an assignment for the column of a store, its right side for the column
// of a load.
//
// at       bytes from the start of source.
// Returns  length 0 if at is outside of source.
struct source_span mark_find(const char *source, uint32_t at, enum access_kind access);

// True if the marked text is name, or begins with it: "As[ty][k]" with "As".
bool mark_names(const char *source, struct source_span mark, const char *name);

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
    int wrapped_first, wrapped_end;  // the index, or a replacement for it; a barrier's condition
    int count;                       // 0: nothing to say
    struct watch_item item[WATCH_ITEMS_MAX];
    bool holds;                // of a condition: its value in threads that reach the barrier
    int brackets;              // of the access: 1 for `A[i]`, 2 for `As[i][j]`; 0: none
    int row, stride, column;   // items of `array[row * stride + column]`; all -1 for another form
    int matrix[MATRIX_COUNT];  // tokens: the kernel's parameters for A, B and C; -1 as above
    int size[3];               // items: the kernel's parameters for M, N and K; -1 elsewhere
    int sizes_line;            // line of these parameters
};

// Chooses the values to note for a finding that has a line and a mark. kernel: the name of the
// kernel that
// the grader calls.  Owns: the caller frees with watch_done; text must live as long.
struct index_watch watch_choose(const char *text, size_t bytes,
                                const struct judged_finding *finding, const char *kernel);
void watch_done(struct index_watch *watch);

// The same file with a note around the index: lines stay, columns do not.
// Owns: the caller frees it.
char *watch_write(const struct index_watch *watch);

// The letter of the size (M, N, K) that an item's parameter gets from the launch; '\0' for any
// other item.
char watch_size_letter(const struct index_watch *watch, int item);

// True if a variable has one value in a launch: it is assigned only at its declaration.
bool watch_is_fixed(const struct index_watch *watch, int item);

// Splits `row * stride + column` into the tokens of each part; -1 for any other expression.
struct watch_parts {
    int row_first, row_end, stride_first, stride_end, column_first, column_end;
};
bool watch_split(const struct index_watch *watch, int first, int end,
                 struct watch_parts *ret_parts);

// Adds "The call is in line 49, with row = blockIdx.y * BM + a_row." if the access is in a helper
// function and only one call passes this array.  The text names the parameters that the index uses.
// Adds nothing otherwise.
void explain_caller(const struct index_watch *watch, struct judged_finding *finding,
                    char sentences[ERROR_TEXT_MAX]);

#endif
