// Idea: collect who calls whom, and carry what a function does to those that call it until nothing
// changes.
#include "device/assembly/functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "device/assembly/labels.h"

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

// Collects what each function calls and does by itself.
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

enum status functions_open(const struct asm_lines *lines, const char *dump, struct functions *ret,
                           struct error *err) {
    *ret = (struct functions){.function = calloc(FUNCTIONS_MAX, sizeof *ret->function)};
    if (!ret->function) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the functions of kernel.s");
    }
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
    return STATUS_OK;
}
