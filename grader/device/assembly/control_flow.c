// Labels: a label that is reached only by one jump keeps the facts that are known at the jump.
//
// Functions: collect the calls, and propagate the effects of a function to its callers until
// nothing changes.
//
// Loops: a depth-first walk through each function.  An edge back to a line on the current path
// closes a loop; a jump to an earlier line that is already finished does not.
#include "device/assembly/control_flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/memory.h"
#include "base/text.h"

#define HANDLER_MAX 8  // instructions before the call for an index out of bounds

bool line_calls(const struct asm_line *line, const char *start) {
    char callee[64];
    if (!text_starts(line->text, "\tcall\t")) {
        return false;
    }
    line_callee(line, callee, sizeof callee);
    return text_starts(callee, start);
}

bool line_is_last_call(const struct asm_line *line) {
    return line_calls(line, "__ubsan_handle_") &&
           !line_calls(line, "__ubsan_handle_type_mismatch") &&
           !line_calls(line, "__ubsan_handle_shift_out_of_bounds") &&
           !line_calls(line, "__ubsan_handle_float_cast_overflow");
}

bool line_is_jump(const struct asm_line *line) {
    return line->kind == LINE_INSTRUCTION && line->text[1] == 'j';
}

bool line_is_end(const struct asm_line *line) {
    return text_starts(line->text, "\tjmp\t") || text_starts(line->text, "\tret") ||
           text_starts(line->text, "\tud2") || line_is_last_call(line);
}

struct label *label_at(const struct labels *labels, const char *text) {
    char *end = NULL;
    if (!text_starts(text, ".L") || !strchr("0123456789", text[2])) {
        return NULL;
    }
    unsigned long number = strtoul(text + 2, &end, 10);
    return number < labels->count ? &labels->label[number] : NULL;
}

struct label *label_of_jump(const struct labels *labels, const struct asm_line *line) {
    const char *target = memchr(line->text + 1, '\t', line->length - 1);
    return target ? label_at(labels, target + 1) : NULL;
}

// Follows the stack pointer.
static void depth_follow(const char *text, int64_t *depth, int64_t *kept) {
    static const char start[] = "\t.cfi_";
    char *end = NULL;
    if (!text_starts(text, start)) {
        return;
    }
    const char *name = text + sizeof start - 1;
    long number = strtol(name + strcspn(name, " \n"), &end, 10);
    if (text_starts(name, "startproc")) {
        *depth = 8;
    } else if (text_starts(name, "remember_state")) {
        *kept = *depth;
    } else if (text_starts(name, "restore_state")) {
        *depth = *kept;
    } else if (text_starts(name, "def_cfa ")) {
        *depth = number == 7 && *end == ',' ? strtol(end + 1, NULL, 10) : -1;
    } else if (text_starts(name, "def_cfa_register") || text_starts(name, "escape")) {
        *depth = -1;
    } else if (text_starts(name, "def_cfa_offset ") && *depth >= 0) {
        *depth = number;
    }
}

// Notes `.size name, 36`; a function has `.-name`.
static void size_note(struct labels *labels, const struct asm_line *line) {
    const char *comma =
        text_starts(line->text, "\t.size\t") ? memchr(line->text, ',', line->length) : NULL;
    if (comma && comma[2] != '.') {
        labels->size[labels->sizes++] = line->text + strlen("\t.size\t");
    }
}

// Finds the paths to each label.
static void labels_count(struct labels *labels) {
    bool live = true;
    int64_t depth = 8;
    int64_t kept = 8;
    for (size_t i = 0; i < labels->lines->count; i++) {
        const struct asm_line *line = &labels->lines->line[i];
        const char *data = text_starts(line->text, "\t.quad\t") ? line->text + 7 : NULL;
        const char *number =
            line->kind == LINE_INSTRUCTION ? memmem(line->text, line->length, "$.L", 3) : NULL;
        struct label *named = data     ? label_at(labels, data)
                              : number ? label_at(labels, number + 1)
                                       : NULL;
        if (named) {
            named->jumps = 2;
        } else if (live && line_is_jump(line) && label_of_jump(labels, line)) {
            label_of_jump(labels, line)->jumps++;
        } else if (line->kind == LINE_LABEL && label_at(labels, line->text)) {
            struct label *label = label_at(labels, line->text);
            label->line = i;
            label->depth = depth;
            label->falls = live;
        }
        depth_follow(line->text, &depth, &kept);
        size_note(labels, line);
        live = (live || line->kind == LINE_LABEL) && !line_is_end(line);
    }
}

void labels_open(const struct asm_lines *lines, struct labels *labels) {
    size_t sizes = 0;
    *labels = (struct labels){.lines = lines};
    for (size_t i = 0; i < labels->lines->count; i++) {
        const struct asm_line *line = &labels->lines->line[i];
        sizes += text_starts(line->text, "\t.size\t");
        if (line->kind == LINE_LABEL && text_starts(line->text, ".L")) {
            unsigned long number = strtoul(line->text + 2, NULL, 10);
            bool usual = number < labels->lines->count + 4096;  // as gcc counts
            labels->count = usual && number >= labels->count ? number + 1 : labels->count;
        }
    }
    labels->label = xcalloc(labels->count + 1, sizeof *labels->label);
    labels->size = xcalloc(sizes + 1, sizeof *labels->size);
    labels_count(labels);
}

void labels_done(struct labels *labels) {
    free(labels->label);
    free(labels->size);
}

bool labels_lead_to_end(const struct asm_lines *lines, size_t at) {
    int left = HANDLER_MAX;
    for (; at < lines->count && left > 0; at++) {
        const struct asm_line *line = &lines->line[at];
        if (line_is_last_call(line)) {
            return true;
        }
        if (line_is_jump(line) || text_starts(line->text, "\tcall") || line->kind == LINE_LABEL) {
            return false;
        }
        left -= line->kind == LINE_INSTRUCTION;
    }
    return false;
}

uint64_t labels_size(const struct labels *labels, const char *name, size_t bytes) {
    static const char *const indices[] = {"emu_thread_index", "emu_block_index", "emu_block_extent",
                                          "emu_grid_extent"};
    for (size_t i = 0; i < COUNT(indices); i++) {
        if (text_is(name, bytes, indices[i])) {
            return 3 * sizeof(uint32_t);
        }
    }
    if (bytes > 3 && text_starts(name, ".LC")) {
        return 16;  // at least, if they are loaded as numbers
    }
    if (memmem(name, bytes, "@gottpoff", 9)) {
        return 8;  // the offset of a thread-local variable
    }
    for (size_t i = 0; i < labels->sizes; i++) {
        const char *size = labels->size[i];
        if (strncmp(size, name, bytes) == 0 && size[bytes] == ',') {
            return strtoul(size + bytes + 2, NULL, 10);
        }
    }
    return 0;
}

#define NAME_MAX_BYTES 512

void functions_done(struct functions *functions) {
    free(functions->function);
}

int functions_find(const struct functions *functions, const char *name, size_t length) {
    for (int i = 0; i < functions->count; i++) {
        const struct function_effects *function = &functions->function[i];
        if (function->length == length && memcmp(function->name, name, length) == 0) {
            return i;
        }
    }
    return -1;
}

int functions_begun(const struct functions *functions, const struct asm_line *line) {
    bool names = line->kind == LINE_LABEL && line->text[0] != '.' && line->length > 1;
    return names ? functions_find(functions, line->text, line->length - 1) : -1;
}

static bool calls(const struct function_effects *from, int to) {
    return from->calls[to / 8] >> to % 8 & 1u;
}

bool functions_lead(const struct functions *functions, int from, int to) {
    return from >= 0 && to >= 0 && calls(&functions->function[from], to);
}

unsigned functions_does(const struct functions *functions, const struct asm_line *line) {
    const struct {
        const char *start;
        unsigned does;
    } known[] = {{"__tsan_volatile_", functions->fences ? FUNCTION_ASKS : FUNCTION_WORKS},
                 {"__tsan_func_", 0},
                 {"__tsan_", FUNCTION_WORKS},
                 {"emu_atomic", FUNCTION_ASKS},
                 {"emu_mem", FUNCTION_WORKS},
                 {"emu_syncthreads", FUNCTION_WORKS}};
    char callee[NAME_MAX_BYTES];
    line_callee(line, callee, sizeof callee);
    for (size_t i = 0; i < COUNT(known); i++) {
        if (text_starts(callee, known[i].start)) {
            return known[i].does;
        }
    }
    int function = callee[0] != '\0' ? functions_find(functions, callee, strlen(callee)) : -1;
    return function >= 0 ? functions->function[function].does : 0;
}

// ";; Function add (_Z3addPff, …", and later "__attribute__((noinline, …".
static void apart_find(struct functions *functions, const char *dump) {
    static const char head[] = "\n;; Function ";
    static const char mark[] = "\n__attribute__((";
    for (const char *at = strstr(dump, head); at;) {
        const char *next = strstr(at + 1, head);
        const char *end = at + 1 + strcspn(at + 1, "\n");
        const char *open = strstr(at, " (_");
        const char *attributes = strstr(end, mark);
        const char *word = attributes && (!next || attributes < next)
                               ? memmem(attributes, 1 + strcspn(attributes + 1, "\n"), "noinline",
                                        strlen("noinline"))
                               : NULL;
        if (word && open && open < end) {
            const char *name = open + 2;
            int function = functions_find(functions, name, strcspn(name, ",\n"));
            if (function >= 0) {
                functions->function[function].is_apart = true;
            }
        }
        at = next;
    }
}

// Collects the calls of each function, and its own effects.
static void bodies_read(const struct asm_lines *lines, struct functions *functions) {
    struct function_effects *now = NULL;
    for (size_t i = 0; i < lines->count; i++) {
        const struct asm_line *line = &lines->line[i];
        int begun = functions_begun(functions, line);
        now = begun >= 0 ? &functions->function[begun] : now;
        if (!now || line->kind != LINE_INSTRUCTION) {
            continue;
        }
        char callee[NAME_MAX_BYTES];
        line_callee(line, callee, sizeof callee);
        int called = callee[0] ? functions_find(functions, callee, strlen(callee)) : -1;
        if (called >= 0) {
            now->calls[called / 8] |= (unsigned char)(1u << called % 8);
        } else if (callee[0] != '\0') {
            now->does |= functions_does(functions, line);
        }
    }
}

static void calls_close(struct functions *functions) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < functions->count; i++) {
            struct function_effects *from = &functions->function[i];
            const struct function_effects before = *from;
            for (int j = 0; j < functions->count; j++) {
                const struct function_effects *to = &functions->function[j];
                if (!calls(&before, j)) {
                    continue;
                }
                from->does |= to->does;
                for (size_t k = 0; k < sizeof from->calls; k++) {
                    from->calls[k] |= to->calls[k];
                }
            }
            changed |= memcmp(&before, from, sizeof before) != 0;
        }
    }
}

void functions_open(const struct asm_lines *lines, const char *dump, struct functions *ret) {
    *ret = (struct functions){.function = xcalloc(FUNCTIONS_MAX, sizeof *ret->function)};
    for (size_t i = 0; i < lines->count; i++) {
        const struct asm_line *line = &lines->line[i];
        ret->fences |= line_calls(line, "emu_fence");
        if (line->kind == LINE_LABEL && line->text[0] != '.' && line->length > 1 &&
            ret->count < FUNCTIONS_MAX) {
            ret->function[ret->count++] =
                (struct function_effects){.name = line->text, .length = line->length - 1};
        }
    }
    if (dump) {
        apart_find(ret, dump);
    }
    bodies_read(lines, ret);
    calls_close(ret);
}

// What is known about a line.
struct walk_step {
    enum { NEW, ENTERED, DONE } walked;
    int ways;  // outgoing edges already walked
};

struct walk {
    const struct labels *labels;
    struct walk_step *place;  // by line
    size_t *left;             // lines on the current path
    size_t count;
};

// The target line of edge 0 or 1; the number of lines if there is none.
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

void loops_open(const struct labels *labels, const struct functions *functions,
                struct loops *loops) {
    const struct asm_lines *lines = labels->lines;
    struct walk walk = {.labels = labels,
                        .place = xcalloc(lines->count + 1, sizeof *walk.place),
                        .left = xcalloc(lines->count + 1, sizeof *walk.left)};
    *loops = (struct loops){.back = xcalloc(lines->count + 1, sizeof *loops->back),
                            .reached = xcalloc(lines->count + 1, sizeof *loops->reached)};
    for (size_t i = 0; i < lines->count; i++) {
        if (functions_begun(functions, &lines->line[i]) >= 0 && walk.place[i].walked == NEW) {
            function_walk(&walk, i, loops);
        }
    }
    free(walk.place);
    free(walk.left);
}

void loops_done(struct loops *loops) {
    free(loops->back);
    free(loops->reached);
}
