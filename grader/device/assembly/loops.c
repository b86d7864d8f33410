// Idea: walk through each function.  A way back to a line that is being walked from closes a loop;
// a jump to an earlier line that was left before closes none.
#include "device/assembly/loops.h"

#include <stdlib.h>

// What is known of a line.
struct walk_step {
    enum { NEW, ENTERED, DONE } walked;
    int ways;  // out of it that were walked
};

struct walk {
    const struct labels *labels;
    struct walk_step *place;  // by line
    size_t *left;             // lines that are being walked from
    size_t count;
};

// The line that way 0 or 1 leads to; the number of lines if there is none.
static size_t way(const struct labels *labels, size_t from, int number) {
    const struct asm_lines *lines = labels->lines;
    const struct asm_line *line = &lines->line[from];
    if (number == 0) {
        return line_is_end(line) ? lines->count : from + 1;
    }
    const struct label *label = line_is_jump(line) ? label_of_jump(labels, line) : NULL;
    return label ? label->line : lines->count;
}

static void function_walk(struct walk *walk, size_t start, struct loops *loops) {
    size_t lines = walk->labels->lines->count;
    walk->count = 0;
    walk->left[walk->count++] = start;
    walk->place[start].walked = ENTERED;
    while (walk->count > 0) {
        size_t at = walk->left[walk->count - 1];
        struct walk_step *place = &walk->place[at];
        size_t to = place->ways < 2 ? way(walk->labels, at, place->ways) : lines;
        loops->reached[at] = true;
        if (place->ways++ == 2) {
            place->walked = DONE;
            walk->count--;
        } else if (to < lines && walk->place[to].walked == ENTERED) {
            loops->back[at] = to + 1;
        } else if (to < lines && walk->place[to].walked == NEW) {
            walk->place[to].walked = ENTERED;
            walk->left[walk->count++] = to;
        }
    }
}

enum status loops_open(const struct labels *labels, const struct functions *functions,
                       struct loops *loops, struct error *err) {
    const struct asm_lines *lines = labels->lines;
    struct walk walk = {.labels = labels,
                        .place = calloc(lines->count + 1, sizeof *walk.place),
                        .left = calloc(lines->count + 1, sizeof *walk.left)};
    *loops = (struct loops){.back = calloc(lines->count + 1, sizeof *loops->back),
                            .reached = calloc(lines->count + 1, sizeof *loops->reached)};
    bool ready = walk.place && walk.left && loops->back && loops->reached;
    for (size_t i = 0; i < lines->count && ready; i++) {
        if (functions_begun(functions, &lines->line[i]) >= 0 && walk.place[i].walked == NEW) {
            function_walk(&walk, i, loops);
        }
    }
    free(walk.place);
    free(walk.left);
    return ready ? STATUS_OK : fail(err, STATUS_NO_MEMORY, "no memory for the loops of kernel.s");
}

void loops_done(struct loops *loops) {
    free(loops->back);
    free(loops->reached);
}
