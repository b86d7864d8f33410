// Idea: a loop is a jump back, with all lines from which the jump can be reached without the label
// that it leads to.
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/assembly/functions.h"
#include "device/assembly/labels.h"
#include "device/assembly/passes.h"

// The lines of a loop.
struct loop {
    const struct labels *labels;
    bool *seen;
    size_t *left;  // to look at
    size_t count;
};

static void add(struct loop *loop, size_t at) {
    if (!loop->seen[at]) {
        loop->seen[at] = true;
        loop->left[loop->count++] = at;
    }
}

// Adds the lines that lead to line `at`; false if it begins a function.
static bool add_before(struct loop *loop, size_t at) {
    const struct lines *lines = loop->labels->lines;
    const struct line *line = &lines->line[at];
    if (at == 0 || (line->kind == LINE_LABEL && line->text[0] != '.')) {
        return false;
    }
    if (!line_is_end(&lines->line[at - 1])) {
        add(loop, at - 1);
    }
    const struct label *label =
        line->kind == LINE_LABEL ? label_at(loop->labels, line->text) : NULL;
    for (size_t i = 0; i < lines->count && label; i++) {
        if (line_is_jump(&lines->line[i]) &&
            label_of_jump(loop->labels, &lines->line[i]) == label) {
            add(loop, i);
        }
    }
    return true;
}

// The line that asks, in a loop from line `first` to the jump in line `last`; 0 if there is none.
static size_t asks(const struct lines *lines, const struct functions *functions, size_t first,
                   size_t last) {
    size_t at = first;
    while (at <= last && !(functions_does(functions, &lines->line[at]) & FUNCTION_ASKS)) {
        at++;
    }
    return at <= last ? at : 0;
}

// True if the loop does nothing else.
static bool only_asks(struct loop *loop, const struct functions *functions, size_t first,
                      size_t last) {
    const struct lines *lines = loop->labels->lines;
    unsigned does = 0;
    memset(loop->seen, 0, lines->count * sizeof *loop->seen);
    loop->count = 0;
    for (add(loop, last); loop->count > 0 && !(does & FUNCTION_WORKS);) {
        size_t at = loop->left[--loop->count];
        does |= functions_does(functions, &lines->line[at]);
        if (at != first && !add_before(loop, at)) {
            return false;
        }
    }
    return does == FUNCTION_ASKS;
}

static int line_find(struct loop *loop, const struct functions *functions) {
    const struct lines *lines = loop->labels->lines;
    for (size_t i = 0; i < lines->count; i++) {
        const struct line *line = &lines->line[i];
        const struct label *label =
            line->is_submission && line_is_jump(line) ? label_of_jump(loop->labels, line) : NULL;
        size_t at = label && label->line < i ? asks(lines, functions, label->line, i) : 0;
        if (at > 0 && only_asks(loop, functions, label->line, i)) {
            return lines->line[at].source;
        }
    }
    return 0;
}

enum status waits_find(const struct lines *lines, int *ret_line, struct error *err) {
    struct labels labels;
    struct functions functions = {.function = NULL};
    enum status status = labels_open(lines, &labels, err);
    if (!status) {
        status = functions_open(lines, NULL, &functions, err);
    }
    struct loop loop = {.labels = &labels,
                        .seen = calloc(lines->count + 1, sizeof *loop.seen),
                        .left = calloc(lines->count + 1, sizeof *loop.left)};
    if (!status && (!loop.seen || !loop.left)) {
        status = fail(err, STATUS_NO_MEMORY, "no memory for the loops of kernel.s");
    }
    *ret_line = status ? 0 : line_find(&loop, &functions);
    free(loop.seen);
    free(loop.left);
    functions_done(&functions);
    labels_done(&labels);
    return status;
}
