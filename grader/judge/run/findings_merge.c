// Merges findings: see findings_merge.h.
#include "judge/run/findings_merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/cpp_lexer.h"
#include "base/text.h"
#include "emu/wire/finding.h"
#include "judge/code/access_text.h"
#include "judge/code/barrier_place.h"
#include "judge/compile/program_build.h"
#include "judge/model/judged_finding.h"
#include "judge/say/finding_text.h"

// The place of a new finding: after the last one, or that of the last warning if the list is full.
// -1: none.
static int place_find(const struct finding_list *list, const struct finding *finding) {
    if (list->count < FINDINGS_MAX) {
        return list->count;
    }
    for (int i = list->count - 1; i >= 0 && finding->severity == SEVERITY_ERROR; i--) {
        if (list->list[i].finding.severity != SEVERITY_ERROR) {
            return i;
        }
    }
    return -1;
}

void run_findings_add(struct finding_list *list, const struct findings *findings,
                      enum device_kind device, struct size size) {
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->list[i];
        bool known = false;
        for (int j = 0; j < list->count && !known; j++) {
            struct judged_finding *there = &list->list[j];
            known = there->device == device && finding_is_same(&there->finding, finding);
            if (known) {
                there->finding.flags &= finding->flags | ~FINDING_SAME_WARP;
            }
        }
        int place = known ? -1 : place_find(list, finding);
        if (place < 0) {
            continue;
        }
        list->list[place] =
            (struct judged_finding){.finding = *finding, .device = device, .size = size};
        list->count += place == list->count;
    }
}

// Two findings are the same mistake for a reader if kind and lines agree; without lines, if the
// arrays agree too.
static bool is_same_mistake(const struct judged_finding *a, const struct judged_finding *b) {
    if (a->finding.kind != b->finding.kind || a->finding.severity != b->finding.severity ||
        a->finding.line != b->finding.line || a->finding.other_line != b->finding.other_line) {
        return false;
    }
    return a->finding.line != 0 || finding_is_same(&a->finding, &b->finding);
}

// Keeps the first of each kind and pair of lines; counts add up within one launch.
static int merge(struct judged_finding *list, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int j = 0;
        while (j < kept && !is_same_mistake(&list[j], &list[i])) {
            j++;
        }
        if (j == kept) {
            list[kept++] = list[i];
            continue;
        }
        list[j].finding.flags &= list[i].finding.flags | ~FINDING_SAME_WARP;
        if (list[j].device == list[i].device &&
            memcmp(&list[j].size, &list[i].size, sizeof list[i].size) == 0) {
            list[j].finding.count += list[i].finding.count;
        }
    }
    return kept;
}

// A size is in question only where elements have several bytes, which the runtime may not know.
static int sizes_settle(struct judged_finding *list, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        struct finding *seen = &list[i].finding;
        const uint32_t bytes = seen->of_program.element_bytes;
        bool is_fill = seen->kind == FINDING_HOST && seen->detail == HOST_FILLED_BYTES;
        bool is_part = seen->kind == FINDING_HOST && seen->detail == HOST_FEW_BYTES;
        if (is_fill && seen->access_bytes <= 1) {
            seen->access_bytes = bytes;
        }
        if (!(is_fill && bytes != 2 && bytes != 4 && bytes != 8) &&
            !(is_part && bytes != seen->access_bytes)) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

static bool is_error(const struct judged_finding *finding, enum finding_kind kind) {
    return finding->finding.kind == kind && finding->finding.severity == SEVERITY_ERROR;
}

static bool is_same_array(const struct finding *a, const struct finding *b) {
    return a->space == b->space && a->array == b->array && a->array != ARRAY_NONE;
}

static bool has_line(const struct finding *finding, uint32_t line) {
    return line != 0 && (finding->line == line || finding->other_line == line);
}

// Consequences of an access outside of its array: its line stores or reads elsewhere, and the
// intended cell is left empty.
static bool follows_from_bounds(const struct finding *later, const struct finding *bounds) {
    bool same_line = has_line(later, bounds->line);
    if (finding_is_outside(bounds, OUTSIDE_ROW)) {
        return same_line;
    }
    if (later->kind == FINDING_UNINITIALIZED) {
        return bounds->access == ACCESS_WRITE && is_same_array(later, bounds);
    }
    return same_line && is_same_array(later, bounds);
}

// True if `later` is a consequence of the mistake that `first` names.
static bool follows_from(const struct judged_finding *later, const struct judged_finding *first) {
    const struct finding *seen = &later->finding;
    if (is_error(first, FINDING_HOST) && first->finding.detail == HOST_LAUNCH_FAILED) {
        return is_error(later, FINDING_HOST) && seen->detail == HOST_UNSET_COPIED;
    }
    bool workspace = seen->space == SPACE_GLOBAL && seen->array == ARRAY_WORKSPACE;
    bool empty =
        is_error(later, FINDING_UNINITIALIZED) && (workspace || seen->space == SPACE_SHARED);
    bool race = is_error(later, FINDING_RACE);
    if (later->device != first->device || !(empty || race)) {
        return false;
    }
    if (is_error(first, FINDING_BARRIER_DIVERGENCE)) {
        return seen->space == SPACE_SHARED;
    }
    if (is_error(first, FINDING_OUT_OF_BOUNDS)) {
        return follows_from_bounds(seen, &first->finding);
    }
    // A thread that reads too early may be the first to reach the place.
    return empty && is_error(first, FINDING_RACE) && is_same_array(seen, &first->finding) &&
           has_line(&first->finding, seen->line);
}

// Drops findings that follow from another one: a student fixes the cause.
static int consequences_drop(struct judged_finding *list, int count) {
    bool dropped[FINDINGS_MAX] = {false};
    int kept = 0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count && !dropped[i]; j++) {
            dropped[i] = j != i && follows_from(&list[i], &list[j]);
        }
    }
    for (int i = 0; i < count; i++) {
        if (!dropped[i]) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

// Lower comes first.
static int rank_of(const struct judged_finding *finding, enum verdict verdict) {
    if (finding->finding.severity != SEVERITY_ERROR) {
        return finding->finding.severity == SEVERITY_WARNING ? 2 : 3;
    }
    return finding_verdict(&finding->finding) == verdict ? 0 : 1;
}

// Insertion sort: stable, and the list is short.
static void sort(struct judged_finding *list, int count, enum verdict verdict) {
    for (int i = 1; i < count; i++) {
        struct judged_finding moved = list[i];
        int j = i;
        while (j > 0 && rank_of(&list[j - 1], verdict) > rank_of(&moved, verdict)) {
            list[j] = list[j - 1];
            j--;
        }
        list[j] = moved;
    }
}

static bool is_error_race(const struct finding *finding) {
    return finding->kind == FINDING_RACE && finding->severity == SEVERITY_ERROR;
}

// If threads of different warps race too, the barrier that orders them also orders the lanes:
// __syncwarp is missing only if all races are inside warps.
static void warps_settle(struct judged_finding *list, int count) {
    uint32_t common = FINDING_SAME_WARP;
    for (int i = 0; i < count; i++) {
        common &= is_error_race(&list[i].finding) ? list[i].finding.flags : FINDING_SAME_WARP;
    }
    for (int i = 0; i < count && common == 0; i++) {
        list[i].finding.flags &= ~FINDING_SAME_WARP;
    }
}

// If shared memory was never filled and threads left before a barrier, the second is the likely
// cause.
static void blame(struct judged_finding *list, int count) {
    const struct judged_finding *exited = NULL;
    for (int i = 0; i < count && !exited; i++) {
        exited = list[i].finding.kind == FINDING_EXITED_BEFORE_BARRIER ? &list[i] : NULL;
    }
    for (int i = 0; i < count && exited; i++) {
        if (list[i].finding.kind == FINDING_UNINITIALIZED &&
            list[i].finding.space == SPACE_SHARED) {
            finding_blame(&list[i], exited);
        }
    }
}

// The text of a line, and the part to mark in it.  The column becomes the first one of the mark.
static void line_fill(const struct submitted *source, uint32_t line, uint32_t access,
                      struct shown_line *shown) {
    uint32_t indent = submitted_indent(source->text, source->bytes, line);
    submitted_line(source->text, source->bytes, line, shown->text, sizeof shown->text);
    shown->mark = (struct source_span){0, 0};
    if (shown->column > indent) {
        shown->mark = mark_find(shown->text, shown->column - indent - 1, (enum access_kind)access);
    }
    shown->column = shown->mark.length > 0 ? indent + shown->mark.start + 1 : shown->column;
}

// A mistake of host code in a header is reported at the line that called it.
static enum status callers_take(const struct run_program *program, struct judged_finding *list,
                                int count, struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++) {
        struct finding *seen = &list[i].finding;
        struct build_place place[FINDING_VALUES_MAX];
        uint64_t further[FINDING_VALUES_MAX];
        if (seen->kind != FINDING_HOST) {
            continue;
        }
        if (seen->line == 0) {
            seen->line = seen->call_line > 0 ? seen->call_line : seen->init_line;
        }
        if (seen->line == 0) {
            memcpy(further, seen->value, sizeof further);
            status = run_places(program, further, (int)seen->value_count, place, err);
        }
        for (uint32_t k = 0; k < seen->value_count && seen->line == 0; k++) {
            seen->line = place[k].line;
        }
        seen->call_line = seen->init_line = seen->value_count = 0;
    }
    return status;
}

// The last name before the first comma of an allocation's arguments: d_x in
// `CHECK(cudaMalloc((void **)&d_x, bytes))`.
static void name_find(const char *line, char name[ARRAY_NAME_MAX]) {
    struct cpp_lexer lexer = cpp_open(line, strlen(line));
    struct cpp_token token;
    bool inside = false;
    int depth = 0;
    name[0] = '\0';
    while (cpp_next(&lexer, &token)) {
        char word[ARRAY_NAME_MAX];
        cpp_copy(&token, word, sizeof word);
        if (!inside) {
            inside = token.kind == CPP_WORD && (strncmp(word, "cudaMalloc", 10) == 0 ||
                                                strncmp(word, "cudaHostAlloc", 13) == 0);
            continue;
        }
        depth += cpp_begins(&token, '(') || cpp_begins(&token, '[');
        depth -= cpp_begins(&token, ')') || cpp_begins(&token, ']');
        if (depth == 0 || (depth == 1 && cpp_is(&token, ","))) {
            return;
        }
        if (token.kind == CPP_WORD && depth == 1) {
            (void)snprintf(name, ARRAY_NAME_MAX, "%s", word);
        }
    }
}

static uint32_t type_bytes(const struct cpp_token *token) {
    static const struct {
        const char *name;
        uint32_t bytes;
    } types[] = {{"float", 4},   {"int", 4},      {"unsigned", 4}, {"double", 8},   {"char", 1},
                 {"short", 2},   {"long", 8},     {"float2", 8},   {"float4", 16},  {"int2", 8},
                 {"int4", 16},   {"uint", 4},     {"size_t", 8},   {"half", 2},     {"__half", 2},
                 {"uint8_t", 1}, {"uint32_t", 4}, {"int32_t", 4},  {"uint64_t", 8}, {"bool", 1}};
    for (size_t i = 0; i < COUNT(types); i++) {
        if (cpp_is(token, types[i].name)) {
            return types[i].bytes;
        }
    }
    return 0;
}

// The size of what a pointer of that name points to, by its declaration: `float *d_x, *d_y;`.
static uint32_t element_find(const struct submitted *source, const char *name) {
    struct cpp_lexer lexer = cpp_open(source->text, source->bytes);
    struct cpp_token token;
    uint32_t type = 0;
    bool star = false;
    while (name[0] != '\0' && cpp_next(&lexer, &token)) {
        uint32_t bytes = token.kind == CPP_WORD ? type_bytes(&token) : 0;
        if (star && type > 0 && token.kind == CPP_WORD && cpp_is(&token, name)) {
            return type;
        }
        star = cpp_is(&token, "*");
        type = bytes > 0 ? bytes : type;
        if (cpp_begins(&token, ';') || cpp_begins(&token, '{') || cpp_begins(&token, '(')) {
            type = 0;
        }
    }
    return 0;
}

// What the host has done to the array is the other place of a finding that has none.
static void calls_take(struct judged_finding *list, int count) {
    for (int i = 0; i < count; i++) {
        struct finding *seen = &list[i].finding;
        seen->other_pc = seen->other_pc == 0 ? seen->of_program.call_pc : seen->other_pc;
    }
}

// Names the arrays of a program by the lines that allocate them, and fills in the lines that
// launched the kernels.
static enum status arrays_name(const struct run_program *program, const struct submitted *source,
                               struct judged_finding *list, int count, struct error *err) {
    uint64_t address[2 * FINDINGS_MAX] = {0};
    struct build_place place[2 * FINDINGS_MAX];
    for (int i = 0; i < count; i++) {
        address[i] = list[i].finding.of_program.pc;
        address[count + i] = list[i].finding.of_program.launch_pc;
    }
    enum status status = run_places(program, address, 2 * count, place, err);
    for (int i = 0; i < count && !status; i++) {
        struct program_array *array = &list[i].finding.of_program;
        list[i].launch_line = place[count + i].line;
        char line[SOURCE_LINE_MAX] = "";
        list[i].of_program = true;
        if (array->pc == 0) {
            continue;  // a variable, or no array
        }
        submitted_line(source->text, source->bytes, place[i].line, line, sizeof line);
        // Two allocations of one line are told apart by their columns.
        uint32_t indent = submitted_indent(source->text, source->bytes, place[i].line);
        uint32_t at = place[i].column > indent ? place[i].column - indent - 1 : 0;
        name_find(at < strlen(line) ? line + at : line, array->name);
        if (array->name[0] == '\0') {
            name_find(line, array->name);
        }
        if (array->element_bytes <= 1) {
            uint32_t bytes = element_find(source, array->name);
            array->element_bytes = bytes > 0 ? bytes : array->element_bytes;
        }
    }
    return status;
}
_Static_assert(2 * FINDINGS_MAX <= BUILD_ARGUMENTS_MAX - 3, "run_places takes no more");

enum status run_findings_finish(const struct run_program *program, const struct submitted *source,
                                enum verdict verdict, struct finding_list *findings,
                                struct error *err) {
    struct judged_finding *list = findings->list;
    int count = findings->count;
    const bool of_program = program->files.count > 0;
    if (of_program) {
        calls_take(list, count);
    }
    // Only the CPU device reports addresses.
    enum status status =
        program->kind == DEVICE_EMU ? run_locate(program, list, count, err) : STATUS_OK;
    if (!status && of_program) {
        status = arrays_name(program, source, list, count, err);
        status = status ? status : callers_take(program, list, count, err);
    }
    if (status) {
        return status;
    }
    if (of_program) {
        count = sizes_settle(list, count);
    }
    count = merge(list, count);
    count = consequences_drop(list, count);
    warps_settle(list, count);
    sort(list, count, verdict);
    findings->count = count;
    for (int i = 0; i < count; i++) {
        struct judged_finding *finding = &list[i];
        const struct finding *seen = &finding->finding;
        if (program->exercise) {
            finding->signature = &program->exercise->signature;
        }
        line_fill(source, seen->line, seen->access, &finding->shown);
        line_fill(source, seen->other_line, seen->other_access, &finding->other_shown);
        if (finding->launch_line > 0) {
            line_fill(source, finding->launch_line, ACCESS_READ, &finding->launch_shown);
        }
        finding_place(finding, &program->report.shared);
    }
    barriers_find(source->text, source->bytes, findings);
    for (int i = 0; i < findings->count; i++) {
        finding_explain(&list[i], &program->report.shared);
    }
    blame(list, findings->count);
    return STATUS_OK;
}
