// Idea: walk through each function.  A way back to a line that is being walked from closes a loop;
// its lines are those from which the way back can be reached without that line.
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/assembly/functions.h"
#include "device/assembly/labels.h"
#include "device/assembly/passes.h"

// What is known of a line.
struct place {
    enum { NEW, ENTERED, DONE } walked;
    int ways;           // out of it that were walked
    bool in_loop;       // the one that is looked at
    size_t next_jump;   // 1 + the next line that jumps to the same label; 0: none
    size_t first_jump;  // of a label: 1 + the first line that jumps to it
    size_t back;        // 1 + the line to which a way back leads from here
};

struct walk {
    const struct labels *labels;
    struct place *place;  // by line
    size_t *left;         // lines to look at
    size_t count;
};

// The line that way 0 or 1 leads to; the number of lines if there is none.
static size_t way(const struct walk *walk, size_t from, int number) {
    const struct lines *lines = walk->labels->lines;
    const struct line *line = &lines->line[from];
    if (number == 0) {
        return line_is_end(line) ? lines->count : from + 1;
    }
    const struct label *label = line_is_jump(line) ? label_of_jump(walk->labels, line) : NULL;
    return label ? label->line : lines->count;
}

static void function_walk(struct walk *walk, size_t start) {
    size_t count = walk->labels->lines->count;
    walk->count = 0;
    walk->left[walk->count++] = start;
    walk->place[start].walked = ENTERED;
    while (walk->count > 0) {
        size_t at = walk->left[walk->count - 1];
        struct place *place = &walk->place[at];
        size_t to = place->ways < 2 ? way(walk, at, place->ways) : count;
        if (place->ways++ == 2) {
            place->walked = DONE;
            walk->count--;
        } else if (to < count && walk->place[to].walked == ENTERED) {
            place->back = to + 1;
        } else if (to < count && walk->place[to].walked == NEW) {
            walk->place[to].walked = ENTERED;
            walk->left[walk->count++] = to;
        }
    }
}

static void loop_add(struct walk *walk, size_t at) {
    if (!walk->place[at].in_loop) {
        walk->place[at].in_loop = true;
        walk->left[walk->count++] = at;
    }
}

// Adds the lines that lead to line `at`.
static void loop_add_before(struct walk *walk, size_t at) {
    if (at > 0 && walk->place[at - 1].walked && !line_is_end(&walk->labels->lines->line[at - 1])) {
        loop_add(walk, at - 1);
    }
    for (size_t i = walk->place[at].first_jump; i > 0; i = walk->place[i - 1].next_jump) {
        loop_add(walk, i - 1);
    }
}

// The line that asks, in the loop to whose first line ways lead back, if it does nothing else.
static int loop_line(struct walk *walk, const struct functions *functions, size_t first) {
    const struct lines *lines = walk->labels->lines;
    unsigned does = 0;
    int source = 0;
    walk->count = 0;
    for (size_t i = 0; i < lines->count; i++) {
        walk->place[i].in_loop = false;
    }
    loop_add(walk, first);
    walk->count = 0;
    for (size_t i = 0; i < lines->count; i++) {
        if (walk->place[i].back == first + 1) {
            loop_add(walk, i);
        }
    }
    while (walk->count > 0 && !(does & FUNCTION_WORKS)) {
        size_t at = walk->left[--walk->count];
        unsigned here = functions_does(functions, &lines->line[at]);
        source = here & FUNCTION_ASKS ? lines->line[at].source : source;
        does |= here;
        loop_add_before(walk, at);
    }
    return does == FUNCTION_ASKS ? source : 0;
}

static int line_find(struct walk *walk, const struct functions *functions) {
    const struct lines *lines = walk->labels->lines;
    bool asks = false;
    for (size_t i = 0; i < lines->count; i++) {
        const struct line *line = &lines->line[i];
        struct label *label = line_is_jump(line) ? label_of_jump(walk->labels, line) : NULL;
        asks |= line->is_submission && (functions_does(functions, line) & FUNCTION_ASKS);
        if (label) {
            walk->place[i].next_jump = walk->place[label->line].first_jump;
            walk->place[label->line].first_jump = i + 1;
        }
    }
    for (size_t i = 0; i < lines->count && asks; i++) {
        if (functions_begun(functions, &lines->line[i]) >= 0 && walk->place[i].walked == NEW) {
            function_walk(walk, i);
        }
    }
    int found = 0;
    for (size_t i = 0; i < lines->count && asks && found == 0; i++) {
        if (walk->place[i].back > 0 && lines->line[i].is_submission) {
            found = loop_line(walk, functions, walk->place[i].back - 1);
        }
    }
    return found;
}

enum status waits_find(const struct lines *lines, int *ret_line, struct error *err) {
    struct labels labels;
    struct functions functions = {.function = NULL};
    enum status status = labels_open(lines, &labels, err);
    if (!status) {
        status = functions_open(lines, NULL, &functions, err);
    }
    struct walk walk = {.labels = &labels,
                        .place = calloc(lines->count + 1, sizeof *walk.place),
                        .left = calloc(lines->count + 1, sizeof *walk.left)};
    if (!status && (!walk.place || !walk.left)) {
        status = fail(err, STATUS_NO_MEMORY, "no memory for the loops of kernel.s");
    }
    *ret_line = status ? 0 : line_find(&walk, &functions);
    free(walk.place);
    free(walk.left);
    functions_done(&functions);
    labels_done(&labels);
    return status;
}
