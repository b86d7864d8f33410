// All passes in their order, and the small passes.
//
// Calls: a function may be called by a pointer if the file takes its address, and if it is a
// function of the file or a mathematical function of the C library that takes only numbers.
// emu/hooks/indirect_x86_64.S calls no other function.  If it is a kernel, it also gets an entry
// with its symbol: LAUNCH may start no other kernel.  gcc writes an address as `$name` in an
// instruction, or as `.quad name` among data.
//
// Clusters: emu/shim/cuda_clusters.h writes the __cluster_dims__ of a kernel as an alignment of its
// code.  Here that becomes an entry of a list, for emu/machine/launches.c.
//
// Guards: g++ uses them to run the constructor of a `__shared__` object once.  A GPU runs no
// constructor: shared memory starts with no value (NVRTC warns).  So the constructor is skipped
// here too, and reading a member that it would have set is reading uninitialised memory.  g++
// guards arrays of a class whose constructor is defaulted as well, though there is nothing to run.
// Unexpected code is left unchanged; assembly_guard_is_dead is then false, and the inspector
// refuses the file.
//
// Constants: each `__constant__` variable gets a margin on both sides, and an entry of a list, for
// emu/memory/kernel_memory.c.  So do the device and managed variables of a program.
//
// Pattern: the compiler stores 0xfe bytes in variables that have no value yet.  Here these numbers
// become symbols, so that the same object can be linked with other values in such variables.
//
// Shared arrays are thread-local variables, one in each of its sections.  They begin far apart, so
// that an index past one is in a gap and never in the next one.
//
// Waits: the lines of a loop are those from which its back edge can be reached without passing its
// first line.
#include "device/assembly/rewrite.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/assembly/assembly_text.h"
#include "device/assembly/control_flow.h"
#include "device/object/symbols.h"
#include "emu/memory/kernel_memory.h"
#include "emu/shim/cuda_clusters.h"

#define TARGETS_MAX 64  // calls of further functions are refused

struct targets {
    char name[TARGETS_MAX][SYMBOL_TEXT_MAX];
    int count;
};

static bool is_symbol_letter(char letter) {
    return isalnum((unsigned char)letter) || letter == '_' || letter == '.';
}

// Reads the symbol that starts at `at`; false if there is none, or it is too long to be kept.
static bool symbol_read(const char *at, const char *end, char name[SYMBOL_TEXT_MAX]) {
    size_t length = 0;
    while (at + length < end && is_symbol_letter(at[length])) {
        length++;
    }
    if (length == 0 || length >= SYMBOL_TEXT_MAX ||
        !(isalpha((unsigned char)at[0]) || at[0] == '_')) {
        return false;
    }
    memcpy(name, at, length);
    name[length] = '\0';
    return true;
}

static bool is_function(const struct asm_lines *lines, const char *name) {
    char type[SYMBOL_TEXT_MAX + 24];
    (void)snprintf(type, sizeof type, "\t.type\t%s, @function\n", name);
    return (symbol_is_pure(name) && !symbol_takes_pointer(name)) ||
           strstr(lines->text, type) != NULL;
}

static void target_add(const struct asm_lines *lines, const char *name, struct targets *targets) {
    for (int i = 0; i < targets->count; i++) {
        if (strcmp(targets->name[i], name) == 0) {
            return;
        }
    }
    if (targets->count < TARGETS_MAX && is_function(lines, name)) {
        (void)snprintf(targets->name[targets->count++], SYMBOL_TEXT_MAX, "%s", name);
    }
}

static void targets_find(const struct asm_lines *lines, struct targets *targets) {
    char name[SYMBOL_TEXT_MAX];
    bool debug = false;
    for (size_t i = 0; i < lines->count; i++) {
        const struct asm_line *line = &lines->line[i];
        const char *end = line->text + line->length;
        const char *at = NULL;
        if (text_starts(line->text, "\t.section\t") || text_starts(line->text, "\t.text")) {
            debug = text_starts(line->text, "\t.section\t.debug");
        } else if (text_starts(line->text, "\t.quad\t")) {
            at = line->text + strlen("\t.quad\t");
        } else if (line->kind == LINE_INSTRUCTION) {
            at = memchr(line->text, '$', line->length);
            at = at ? at + 1 : NULL;
        }
        if (at && !debug && symbol_read(at, end, name)) {
            target_add(lines, name, targets);
        }
    }
}

// gcc writes no ".protected" for a static function, so any of them may be a kernel.
static bool is_kernel(const struct asm_lines *lines, const char *name) {
    char mark[SYMBOL_TEXT_MAX + 24];
    (void)snprintf(mark, sizeof mark, "\t.protected\t%s\n", name);
    return text_starts(name, "_ZL") || strstr(lines->text, mark) != NULL;
}

// Lists the functions that may be called by a pointer: emu/hooks/indirect_x86_64.S.
static void rewrite_calls(struct asm_lines *lines) {
    struct targets *targets = xcalloc(1, sizeof *targets);
    targets_find(lines, targets);
    size_t last = lines->count - 1;
    for (int i = 0; i < targets->count; i++) {
        lines_add(lines, last,
                  "\t.pushsection\temu_call_targets,\"a\",@progbits\n\t.quad\t%s\n"
                  "\t.popsection",
                  targets->name[i]);
        if (is_kernel(lines, targets->name[i])) {
            lines_add(lines, last,
                      "\t.pushsection\temu_kernels,\"a\",@progbits\n\t.quad\t%s, 771f\n"
                      "\t.popsection\n"
                      "\t.pushsection\t.rodata.emu_kernels,\"a\",@progbits\n"
                      "771:\t.string\t\"%s\"\n\t.popsection",
                      targets->name[i], targets->name[i]);
        }
    }
    free(targets);
}

#define SHAPE(x, y, z) {x, y, z},
static const unsigned shapes[][3] = {{0, 0, 0}, TILEGRADE_CLUSTER_SHAPES(SHAPE)};
#undef SHAPE

#define TYPE     "\t.type\t"
#define FUNCTION ", @function"

// The number of the shape that a line encodes; -1 for other lines.
static int shape_of(const struct asm_line *line, bool is_x86) {
    int shift = line_alignment(line, is_x86);
    bool known =
        shift >= TILEGRADE_CLUSTER_SHIFT && shift - TILEGRADE_CLUSTER_SHIFT < (int)COUNT(shapes);
    return known ? shift - TILEGRADE_CLUSTER_SHIFT : -1;
}

// The function whose type the line gives; its length is 0 for other lines.
static size_t function_of(const struct asm_line *line, const char **ret_name) {
    size_t end = line->length - (line->length > strlen(FUNCTION) ? strlen(FUNCTION) : 0);
    bool is_function = text_starts(line->text, TYPE) && end > strlen(TYPE) &&
                       (strncmp(line->text + end, FUNCTION, strlen(FUNCTION)) == 0 ||
                        strncmp(line->text + end, ", %function", strlen(FUNCTION)) == 0);
    *ret_name = line->text + strlen(TYPE);
    return is_function ? end - strlen(TYPE) : 0;
}

void rewrite_clusters(struct asm_lines *lines, bool is_x86) {
    size_t aligned = 0;  // the last line that encodes a shape
    int shape = -1;      // no function has followed it yet
    for (size_t i = 0; i < lines->count; i++) {
        struct asm_line *line = &lines->line[i];
        const char *name = NULL;
        size_t length = function_of(line, &name);
        if (shape_of(line, is_x86) >= 0) {
            shape = shape_of(line, is_x86);
            aligned = i;
        } else if (length == 0 && text_starts(line->text, TYPE)) {
            shape = -1;  // it belonged to a variable
        } else if (length > 0 && shape >= 0) {
            lines->line[aligned].is_dropped = true;
            lines_add(lines, i,
                      "\t.pushsection\temu_clusters,\"a\"\n\t.balign 8\n"
                      "\t.8byte\t%.*s, %u, %u, %u\n\t.popsection",
                      (int)length, name, shapes[shape][0], shapes[shape][1], shapes[shape][2]);
            shape = -1;
        }
    }
}

#define GUARD_TEST "\tcmpb\t$0, %fs:_ZGV"
#define LOOK_BACK  12  // lines from the test to the callback that reports it

// The callback before the test at line `at`, with the address of a guard.
static void callback_drop(struct asm_lines *lines, size_t at) {
    for (size_t i = at; i > 0 && at - i < LOOK_BACK; i--) {
        struct asm_line *line = &lines->line[i - 1];
        if (text_starts(line->text, "\tcall\t__tsan_read1")) {
            line->is_dropped = true;
            return;
        }
        if (line->kind != LINE_OTHER) {
            return;
        }
    }
}

// Skips the constructors of __shared__ objects.
static void rewrite_guards(struct asm_lines *lines) {
    for (size_t i = 0; i + 1 < lines->count; i++) {
        size_t jump = i + 1;
        if (!text_starts(lines->line[i].text, GUARD_TEST)) {
            continue;
        }
        while (jump + 1 < lines->count && lines->line[jump].kind == LINE_OTHER) {
            jump++;
        }
        struct asm_line *line = &lines->line[jump];
        char label[64] = "";
        bool to_end = sscanf(line->text, "\tjne\t%63[.L0-9]", label) == 1;
        if (!to_end && !text_starts(line->text, "\tje\t")) {
            continue;
        }
        callback_drop(lines, i);
        line->is_dropped = true;
        if (to_end) {
            lines_add(lines, jump, "\tjmp\t%s", label);
        }
    }
}

void rewrite_shared(struct asm_lines *lines, bool is_x86) {
    for (size_t i = 0; i + 1 < lines->count; i++) {
        const struct asm_line *section = &lines->line[i];
        struct asm_line *next = &lines->line[i + 1];
        bool holds_array = text_starts(section->text, "\t.section\t.tbss.") &&
                           !text_starts(section->text, "\t.section\t.tbss._ZGV");  // dead
        int shift = line_alignment(next, is_x86);
        if (holds_array) {
            next->is_dropped = shift >= 0;
            lines_add(lines, i + 1, "\t.balign\t%u\n\t.zero\t%u", MEMORY_ALIGN_BYTES,
                      memory_shift(shift >= 0 ? 1ull << shift : 1));
        }
    }
}

#define SIZE "\t.size\t"

// The sections of variables that the shim places, and the lists of these variables.
static const char *const parts[][2] = {
    {"\t.section\ttilegrade_constant.", "emu_constants"},
    {"\t.section\ttilegrade_device.", "emu_device_variables"},
    {"\t.section\ttilegrade_managed.", "emu_managed_variables"},
};

// The variables that the shim marks by their alignment, from this power of two on.
#define MARKED_SHIFT 13
static const char *const marked[] = {"emu_constants", "emu_device_variables",
                                     "emu_managed_variables"};

// The list of the variables in the section that begins at the line; NULL for other sections.
static const char *list_of(const struct asm_line *line) {
    for (size_t i = 0; i < COUNT(parts); i++) {
        if (text_starts(line->text, parts[i][0])) {
            return parts[i][1];
        }
    }
    return NULL;
}

static void rewrite_constants(struct asm_lines *lines, bool is_x86) {
    const char *list = NULL;
    int shift = 0;         // of the next variable's alignment
    bool in_data = false;  // a section without code
    for (size_t i = 0; i + 1 < lines->count; i++) {
        const struct asm_line *line = &lines->line[i];
        if (text_starts(line->text, "\t.section\t") || text_starts(line->text, "\t.text") ||
            text_starts(line->text, "\t.data") || text_starts(line->text, "\t.bss")) {
            list = list_of(line);
            in_data = !text_starts(line->text, "\t.text") &&
                      !text_starts(line->text, "\t.section\t.text");
            shift = 0;
        } else if (in_data && line_alignment(line, is_x86) >= MARKED_SHIFT &&
                   line_alignment(line, is_x86) < MARKED_SHIFT + (int)COUNT(marked)) {
            list = marked[line_alignment(line, is_x86) - MARKED_SHIFT];
            shift = line_alignment(line, is_x86);
        } else if (list && line_alignment(line, is_x86) >= 0) {
            shift = line_alignment(line, is_x86);
        } else if (list && text_starts(line->text, TYPE)) {
            lines_add(lines, i,
                      "\t.subsection\t1\n\t.zero\t%u\n\t.subsection\t0\n"
                      "\t.zero\t%u\n\t.balign\t%llu",
                      MEMORY_MARGIN_BYTES, MEMORY_MARGIN_BYTES, 1ull << shift);
            shift = 0;
        } else if (list && text_starts(line->text, SIZE)) {
            const char *symbol = line->text + strlen(SIZE);
            lines_add(lines, i,
                      "\t.pushsection\t%s,\"a\"\n\t.balign 8\n\t.8byte\t%.*s, 772f\n"
                      "\t.popsection\n"
                      "\t.pushsection\t.rodata.emu_variables,\"a\",@progbits\n"
                      "772:\t.string\t\"%.*s\"\n\t.popsection",
                      list, (int)(line->length - strlen(SIZE)), symbol, (int)strcspn(symbol, ","),
                      symbol);
        }
    }
}

// The pattern in all the ways in which gcc writes it.
static const char *const patterns[][2] = {{"-16843010", "emu_pattern_4"},
                                          {"0xfefefefe", "emu_pattern_4"},
                                          {"-72340172838076674", "emu_pattern_8"},
                                          {"0xfefefefefefefefe", "emu_pattern_8"}};

// True if the file has such a number of its own.
static bool has_pattern_number(void) {
    static const char *const numbers[] = {
        "fefefe", "FEFEFE", "16843010", "4278124286", "72340172838076674", "18374403900871474942"};
    struct error err;
    char *text = NULL;
    size_t bytes = 0;
    bool has = file_read(BUILD_SOURCE, BUILD_TEXT_MAX, &text, &bytes, &err) != STATUS_OK;
    for (size_t i = 0; i < COUNT(numbers) && !has; i++) {
        has = strstr(text, numbers[i]) != NULL;
    }
    free(text);
    return has;
}

static void rewrite_pattern(struct asm_lines *lines) {
    for (size_t i = 0; i + 1 < lines->count; i++) {
        struct asm_line *line = &lines->line[i];
        bool data = text_starts(line->text, "\t.long\t") || text_starts(line->text, "\t.quad\t");
        const char *end = line->text + line->length;
        const char *at =
            data ? line->text + strlen("\t.long\t") : memchr(line->text, '$', line->length);
        if (line->is_dropped || !at || (!data && line->kind != LINE_INSTRUCTION)) {
            continue;
        }
        at += !data;
        for (size_t k = 0; k < COUNT(patterns); k++) {
            size_t length = strlen(patterns[k][0]);
            if ((size_t)(end - at) >= length && memcmp(at, patterns[k][0], length) == 0 &&
                !isxdigit((unsigned char)at[length])) {
                lines_add(lines, i, "%.*s%s%.*s", (int)(at - line->text), line->text,
                          patterns[k][1], (int)(end - at - (ptrdiff_t)length), at + length);
                line->is_dropped = true;
            }
        }
    }
}

// What is known about a line.
struct wait_place {
    bool in_loop;       // in the current loop
    size_t next_jump;   // 1 + the next line that jumps to the same label; 0: none
    size_t first_jump;  // of a label: 1 + the first line that jumps to it
};

struct wait_search {
    const struct labels *labels;
    const struct loops *loops;
    struct wait_place *place;  // by line
    size_t *left;              // lines still to be examined
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

#define VOLATILE_CALL "__tsan_volatile_"  // and more

// The line that polls in the loop with these back edges, if the loop does nothing else.
static int loop_line(struct wait_search *search, const struct functions *functions, size_t first) {
    const struct asm_lines *lines = search->labels->lines;
    unsigned does = 0;
    int source = 0;
    bool has_atomics = false;
    bool adds_up = false;
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
        char callee[sizeof VOLATILE_CALL];
        line_callee(&lines->line[at], callee, sizeof callee);
        has_atomics |= (here & FUNCTION_ASKS) && strcmp(callee, VOLATILE_CALL) != 0;
        adds_up |= lines->line[at].is_submission && flops_of(&lines->line[at]) > 0;
        source = here & FUNCTION_ASKS ? lines->line[at].source : source;
        does |= here;
        loop_add_before(search, at);
    }
    // Volatile elements that are added up are no flags.
    return does == FUNCTION_ASKS && (has_atomics || !adds_up) ? source : 0;
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

int waits_find(const struct asm_lines *lines) {
    struct labels labels;
    struct functions functions;
    struct loops loops;
    labels_open(lines, &labels);
    functions_open(lines, NULL, &functions);
    loops_open(&labels, &functions, &loops);
    struct wait_search search = {.labels = &labels,
                                 .loops = &loops,
                                 .place = xcalloc(lines->count + 1, sizeof *search.place),
                                 .left = xcalloc(lines->count + 1, sizeof *search.left)};
    int line = line_find(&search, &functions);
    free(search.place);
    free(search.left);
    loops_done(&loops);
    functions_done(&functions);
    labels_done(&labels);
    return line;
}

#define UNSEEN_TEXT                                                                                \
    N_("passes or returns a struct straight from or to memory, which cannot be checked on this "   \
       "processor: copy it to a local variable first, or use a GPU")

// Runs the passes, on assembly of x86-64.
static void passes_run(struct asm_lines *lines, const char *dump, bool is_program,
                       struct build_report *report) {
    rewrite_flops(lines, dump);
    int refused = rewrite_unseen(lines);
    if (refused >= 0 && !is_program) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, refused,
                           "accesses memory by an instruction that cannot be checked");
    }
    rewrite_guards(lines);
    if (!is_program) {
        rewrite_calls(lines);
    }
    if (!has_pattern_number()) {
        rewrite_pattern(lines);
    }
}

static enum status text_rewrite(bool is_program, struct build_report *report, struct error *err) {
    char *text = NULL;
    char *dump = NULL;
    size_t bytes = 0;
    enum status status = file_read("kernel.s", BUILD_TEXT_MAX, &text, &bytes, err);
    if (status) {
        return status;
    }
    struct asm_lines lines = lines_open(text);
    bool is_known = lines_are_known(&lines);
    int unseen = is_known ? -1 : rewrite_unseen_copy(&lines);
    if (unseen >= 0 && !is_program) {
        build_report_fault(report, BUILD_FAULT_NEEDS_GPU, unseen, UNSEEN_TEXT);
    }
    if (is_known && access("kernel.tsan", F_OK) == 0) {  // tests may have none
        status = file_read("kernel.tsan", BUILD_TEXT_MAX, &dump, &bytes, err);
    }
    if (!status) {
        if (is_known) {
            report->waits_line = is_program ? waits_find(&lines) : 0;
            passes_run(&lines, dump, is_program, report);
        }
        rewrite_shared(&lines, is_known);
        rewrite_constants(&lines, is_known);
        rewrite_clusters(&lines, is_known);
        text = lines_text(&lines);
        status = file_write("kernel.s", text, strlen(text), err);
        free(text);
    }
    free(dump);
    lines_done(&lines);
    return status;
}

enum status rewrite_kernel(struct build_report *report, struct error *err) {
    return text_rewrite(false, report, err);
}

enum status rewrite_program(struct build_report *report, struct error *err) {
    return text_rewrite(true, report, err);
}
