// Idea: the lines of a loop are those from which the way back to its first line can be reached
// without that line.
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/assembly/functions.h"
#include "device/assembly/labels.h"
#include "device/assembly/loops.h"
#include "device/assembly/passes.h"

// What is known of a line.
struct wait_place {
    bool in_loop;       // the one that is looked at
    size_t next_jump;   // 1 + the next line that jumps to the same label; 0: none
    size_t first_jump;  // of a label: 1 + the first line that jumps to it
};

struct wait_search {
    const struct labels *labels;
    const struct loops *loops;
    struct wait_place *place;  // by line
    size_t *left;              // lines to look at
    size_t count;
};

static void loop_add(struct wait_search *search, size_t at) {
    if (!search->place[at].in_loop) {
        search->place[at].in_loop = true;
        search->left[search->count++] = at;
    }
}

// Adds the lines that lead to line `at`.
static void loop_add_before(struct wait_search *search, size_t at) {
    if (at > 0 && search->loops->reached[at - 1] &&
        !line_is_end(&search->labels->lines->line[at - 1])) {
        loop_add(search, at - 1);
    }
    for (size_t i = search->place[at].first_jump; i > 0; i = search->place[i - 1].next_jump) {
        loop_add(search, i - 1);
    }
}

// The line that asks, in the loop to whose first line ways lead back, if it does nothing else.
static int loop_line(struct wait_search *search, const struct functions *functions, size_t first) {
    const struct asm_lines *lines = search->labels->lines;
    unsigned does = 0;
    int source = 0;
    search->count = 0;
    for (size_t i = 0; i < lines->count; i++) {
        search->place[i].in_loop = false;
    }
    loop_add(search, first);
    search->count = 0;
    for (size_t i = 0; i < lines->count; i++) {
        if (search->loops->back[i] == first + 1) {
            loop_add(search, i);
        }
    }
    while (search->count > 0 && !(does & FUNCTION_WORKS)) {
        size_t at = search->left[--search->count];
        unsigned here = functions_does(functions, &lines->line[at]);
        source = here & FUNCTION_ASKS ? lines->line[at].source : source;
        does |= here;
        loop_add_before(search, at);
    }
    return does == FUNCTION_ASKS ? source : 0;
}

static int line_find(struct wait_search *search, const struct functions *functions) {
    const struct asm_lines *lines = search->labels->lines;
    bool asks = false;
    for (size_t i = 0; i < lines->count; i++) {
        const struct asm_line *line = &lines->line[i];
        struct label *label = line_is_jump(line) ? label_of_jump(search->labels, line) : NULL;
        asks |= line->is_submission && (functions_does(functions, line) & FUNCTION_ASKS);
        if (label) {
            search->place[i].next_jump = search->place[label->line].first_jump;
            search->place[label->line].first_jump = i + 1;
        }
    }
    int found = 0;
    for (size_t i = 0; i < lines->count && asks && found == 0; i++) {
        if (search->loops->back[i] > 0 && lines->line[i].is_submission) {
            found = loop_line(search, functions, search->loops->back[i] - 1);
        }
    }
    return found;
}

enum status waits_find(const struct asm_lines *lines, int *ret_line, struct error *err) {
    struct labels labels;
    struct functions functions = {.function = NULL};
    enum status status = labels_open(lines, &labels, err);
    if (!status) {
        status = functions_open(lines, NULL, &functions, err);
    }
    struct loops loops = {.back = NULL};
    if (!status) {
        status = loops_open(&labels, &functions, &loops, err);
    }
    struct wait_search search = {.labels = &labels,
                                 .loops = &loops,
                                 .place = calloc(lines->count + 1, sizeof *search.place),
                                 .left = calloc(lines->count + 1, sizeof *search.left)};
    if (!status && (!search.place || !search.left)) {
        status = fail(err, STATUS_NO_MEMORY, "no memory for the loops of kernel.s");
    }
    *ret_line = status ? 0 : line_find(&search, &functions);
    free(search.place);
    free(search.left);
    loops_done(&loops);
    functions_done(&functions);
    labels_done(&labels);
    return status;
}
