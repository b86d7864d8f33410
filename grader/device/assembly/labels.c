// Idea: a label that one jump leads to, and nothing else, continues what is known at the jump.
#include "device/assembly/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

#define HANDLER_MAX 8  // instructions before the call for an index that is outside

bool line_calls(const struct asm_line *line, const char *start) {
    char callee[64];
    if (!text_starts(line->text, "\tcall\t")) {
        return false;
    }
    line_callee(line, callee, sizeof callee);
    return text_starts(callee, start);
}

bool line_is_last_call(const struct asm_line *line) {
    return line_calls(line, "__ubsan_handle_") && !line_calls(line, "__ubsan_handle_type_mismatch");
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

// Follows where the stack pointer is.
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

// Notes `.size name, 36`; that of a function is `.-name`.
static void size_note(struct labels *labels, const struct asm_line *line) {
    const char *comma =
        text_starts(line->text, "\t.size\t") ? memchr(line->text, ',', line->length) : NULL;
    if (comma && comma[2] != '.') {
        labels->size[labels->sizes++] = line->text + strlen("\t.size\t");
    }
}

// Finds out which ways lead to each label.
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

enum status labels_open(const struct asm_lines *lines, struct labels *labels, struct error *err) {
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
    labels->label = calloc(labels->count + 1, sizeof *labels->label);
    labels->size = calloc(sizes + 1, sizeof *labels->size);
    if (!labels->label || !labels->size) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the labels of kernel.s");
    }
    labels_count(labels);
    return STATUS_OK;
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
        return 16;  // at least, where they are loaded as numbers
    }
    if (memmem(name, bytes, "@gottpoff", 9)) {
        return 8;  // where a thread-local variable is
    }
    for (size_t i = 0; i < labels->sizes; i++) {
        const char *size = labels->size[i];
        if (strncmp(size, name, bytes) == 0 && size[bytes] == ',') {
            return strtoul(size + bytes + 2, NULL, 10);
        }
    }
    return 0;
}
