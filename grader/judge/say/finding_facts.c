// Works out the facts of a finding: names of places in memory, lines, threads and blocks as people
// write them, and the conditions that choose its sentences.
//
// Findings give bytes from the start of an array.  Parameters are row-major without padding, so
// their rows and columns follow from the size; the shapes of __shared__ arrays come from the
// symbols of the built program.
#include "judge/say/finding_facts.h"

#include <stdio.h>
#include <string.h>

#include "base/basics.h"
#include "base/text.h"
#include "emu/shim/program_errors.h"
#include "judge/code/access_text.h"
#include "judge/compile/program_build.h"

// --- Places --------------------------------------------------------------------------------------

// The shape of the array that a finding touches; extents of 0 are unknown.
struct shape {
    char name[ARRAY_NAME_MAX];
    uint32_t element_bytes;
    int rank;
    int64_t extent[ARRAY_RANK_MAX];
};

static void shape_of_workspace(uint64_t array_bytes, struct shape *shape) {
    (void)snprintf(shape->name, sizeof shape->name, "workspace");
    shape->element_bytes = sizeof(float);
    shape->rank = 1;
    shape->extent[0] = (int64_t)(array_bytes / sizeof(float));
}

static bool shape_of_program(const struct program_array *array, struct shape *shape) {
    (void)snprintf(shape->name, sizeof shape->name, "%s", array->name);
    shape->element_bytes = array->element_bytes;
    shape->rank = array->element_bytes > 0;
    shape->extent[0] =
        array->element_bytes > 0 ? (int64_t)(array->bytes / array->element_bytes) : 0;
    return shape->name[0] != '\0';
}

static void shape_of_global(const struct signature *signature, uint32_t array, struct size size,
                            struct shape *shape) {
    const struct parameter *parameter = &signature->parameter[array];
    (void)snprintf(shape->name, sizeof shape->name, "%s", parameter->name);
    shape->element_bytes = (uint32_t)element_bytes(parameter->element);
    shape->rank = parameter->rank;
    for (int i = 0; i < parameter->rank; i++) {
        shape->extent[i] = (int64_t)parameter_extent(signature, parameter, i, size);
    }
}

static void shape_of_shared(const struct shared_array *array, uint64_t array_bytes,
                            struct shape *shape) {
    (void)snprintf(shape->name, sizeof shape->name, "%.*s", ARRAY_NAME_MAX - 1, array->name);
    shape->element_bytes = array->element_bytes;
    shape->rank = array->rank <= ARRAY_RANK_MAX ? (int)array->rank : 0;
    int64_t row_elements = 1;
    for (int i = shape->rank - 1; i >= 0; i--) {
        shape->extent[i] = array->extent[i];
        if (i > 0) {
            row_elements *= array->extent[i];
        }
    }
    // The launch gives the length of `extern __shared__`.
    int64_t row_bytes = row_elements * (int64_t)array->element_bytes;
    if (shape->rank > 0 && shape->extent[0] == 0 && row_bytes > 0) {
        shape->extent[0] = (int64_t)array_bytes / row_bytes;
    }
}

// False if the finding touches no array that has a name.
static bool shape_of(const struct judged_finding *finding, const struct shared_array_table *shared,
                     struct shape *shape) {
    const struct finding *seen = &finding->finding;
    *shape = (struct shape){.rank = 0};
    if (finding->of_program && seen->space == SPACE_GLOBAL) {
        return shape_of_program(&seen->of_program, shape);
    }
    if (seen->space == SPACE_GLOBAL && seen->array == ARRAY_WORKSPACE) {
        shape_of_workspace(seen->array_bytes, shape);
        return true;
    }
    const struct signature *signature = finding_signature(finding);
    if (seen->space == SPACE_GLOBAL && seen->array < (uint32_t)signature->parameter_count) {
        shape_of_global(signature, seen->array, finding->size, shape);
        return true;
    }
    if (seen->space == SPACE_SHARED && shared && seen->array < shared->count) {
        shape_of_shared(&shared->array[seen->array], seen->array_bytes, shape);
        return shape->name[0] != '\0';
    }
    return false;
}

// Splits a linear element number into indices; false if the shape is unknown or the number
// negative.
static bool indices_of(const struct shape *shape, int64_t offset, int64_t index[ARRAY_RANK_MAX]) {
    if (offset < 0 || shape->rank == 0 || shape->element_bytes == 0) {
        return false;
    }
    int64_t rest = offset / shape->element_bytes;
    for (int i = shape->rank - 1; i > 0; i--) {
        if (shape->extent[i] <= 0) {
            return false;
        }
        index[i] = rest % shape->extent[i];
        rest /= shape->extent[i];
    }
    index[0] = rest;
    return true;
}

void finding_place(struct judged_finding *finding, const struct shared_array_table *shared) {
    struct shape shape;
    finding->array[0] = '\0';
    finding->index_count = 0;
    if (!shape_of(finding, shared, &shape)) {
        return;
    }
    (void)snprintf(finding->array, sizeof finding->array, "%s", shape.name);
    if (indices_of(&shape, finding->finding.offset, finding->index)) {
        finding->index_count = shape.rank;
    }
}

// Writes the element of a finding with a place as people write it: "As[3][0]"; "memory" if no array
// is known.
static void element_write(const struct judged_finding *finding, char element[ELEMENT_MAX]) {
    words_write(element, ELEMENT_MAX, "%s",
                finding->array[0] != '\0' ? finding->array : _("memory"));
    for (int i = 0; i < finding->index_count; i++) {
        size_t used = strlen(element);
        (void)snprintf(element + used, ELEMENT_MAX - used, "[%lld]", (long long)finding->index[i]);
    }
}

// Writes the name of the mbarrier at a byte offset in a shared array: "the mbarrier full[1]", "the
// mbarrier at byte 8 of ring" (inside a struct, whose members have no names here).
static void mbarrier_write(const struct shared_array_table *shared, uint32_t array, int64_t offset,
                           const char *unknown, char text[MBARRIER_MAX]) {
    struct judged_finding place = {
        .finding = {.space = SPACE_SHARED, .array = array, .offset = offset}};
    char element[ELEMENT_MAX];
    finding_place(&place, shared);
    if (place.array[0] == '\0') {
        words_write(text, MBARRIER_MAX, "%s", unknown);
        return;
    }
    element_write(&place, element);
    uint32_t bytes = shared->array[array].element_bytes;
    int64_t inside = place.index_count > 0 && bytes > 0 ? offset % bytes : offset;
    if (inside == 0 && bytes <= MBARRIER_BYTES) {
        words_write(text, MBARRIER_MAX, "the mbarrier %s", element);
    } else {
        words_write(text, MBARRIER_MAX, "the mbarrier at byte %lld of %s", (long long)inside,
                    element);
    }
}

static bool has_extent(const struct shared_array *array, uint64_t count) {
    for (uint32_t i = 0; i < array->rank && i < ARRAY_RANK_MAX; i++) {
        if (array->extent[i] == count) {
            return true;
        }
    }
    return false;
}

// The shared arrays of the finding's line that have an extent of array_bytes elements: "As and Bs".
static void candidates_of(const struct judged_finding *finding,
                          const struct shared_array_table *shared, char text[EXTENT_MAX]) {
    char before[EXTENT_MAX];
    for (uint32_t i = 0; shared && i < shared->count; i++) {
        const struct shared_array *array = &shared->array[i];
        if (!has_extent(array, finding->finding.array_bytes) ||
            !text_word_line(finding->shown.text, array->name) || strlen(text) >= EXTENT_MAX / 2) {
            continue;
        }
        (void)snprintf(before, sizeof before, "%s", text);
        if (before[0] == '\0') {
            (void)snprintf(text, EXTENT_MAX, "%.*s", ARRAY_NAME_MAX, array->name);
        } else {
            words_write(text, EXTENT_MAX, "%s and %.*s", before, ARRAY_NAME_MAX, array->name);
        }
    }
}

// Writes the name of the shared array that is marked in the source line; "" for any other text.
static void marked_write(const struct judged_finding *finding,
                         const struct shared_array_table *shared, char name[ARRAY_NAME_MAX]) {
    name[0] = '\0';
    for (uint32_t i = 0; shared && i < shared->count; i++) {
        char candidate[ARRAY_NAME_MAX];
        (void)snprintf(candidate, sizeof candidate, "%.*s", ARRAY_NAME_MAX - 1,
                       shared->array[i].name);
        if (mark_names(finding->shown.text, finding->shown.mark, candidate)) {
            memcpy(name, candidate, ARRAY_NAME_MAX);
        }
    }
}

// Writes the extent of the array for an access that is out of bounds: "A has rows 0 to 49", "s has
// elements 0 to 63".  For an index past its row: the shared arrays of the line that it fits, "As
// and Bs".  "" if unknown.
static void extent_write(const struct judged_finding *finding,
                         const struct shared_array_table *shared, char text[EXTENT_MAX]) {
    struct shape shape;
    text[0] = '\0';
    if (finding_is_outside(&finding->finding, OUTSIDE_ROW)) {
        candidates_of(finding, shared, text);
        return;
    }
    if (!shape_of(finding, shared, &shape) || shape.rank == 0 || shape.extent[0] <= 0) {
        return;
    }
    long long rows = shape.extent[0];
    if (shape.rank == 1) {
        words_write(text, EXTENT_MAX,
                    rows == 1 ? _("%s has only element 0") : _("%s has elements 0 to %lld"),
                    shape.name, rows - 1);
        return;
    }
    // A column past the end of the last row looks like one row past the end, too.
    if (finding->finding.space == SPACE_GLOBAL && finding->index_count == 2 &&
        finding->index[0] == rows) {
        long long column = shape.extent[1] + finding->index[1];
        if (rows == 1) {
            words_write(text, EXTENT_MAX,
                        _("%s has only row 0 (or column %lld of row 0 was meant)"), shape.name,
                        column);
        } else {
            words_write(text, EXTENT_MAX,
                        _("%s has rows 0 to %lld (or column %lld of row %lld was meant)"),
                        shape.name, rows - 1, column, rows - 1);
        }
        return;
    }
    words_write(text, EXTENT_MAX, rows == 1 ? _("%s has only row 0") : _("%s has rows 0 to %lld"),
                shape.name, rows - 1);
}

// --- Lines, threads and blocks -------------------------------------------------------------------

// The number of a line in its own file.
static uint32_t own_line(const struct judged_finding *judged, uint32_t line) {
    (void)program_file_of(judged->files, &line);
    return line;
}

static void line_write(const struct judged_finding *judged, uint32_t line, char text[WHERE_MAX]) {
    uint32_t first = judged->finding.line;
    const char *file = program_file_of(judged->files, &line);
    const char *titled = program_file_of(judged->files, &first);
    if (line == 0) {
        words_write(text, WHERE_MAX, "an unknown line");
    } else if (strcmp(file, titled) != 0) {
        words_write(text, WHERE_MAX, "line %u of %s", line, file);
    } else {
        words_write(text, WHERE_MAX, "line %u", line);
    }
}

void facts_thread(const uint32_t thread[3], char text[WHERE_MAX]) {
    words_write(text, WHERE_MAX, "thread (%u, %u, %u)", thread[0], thread[1], thread[2]);
}

void facts_block(const uint32_t block[3], char text[WHERE_MAX]) {
    if (block[0] + block[1] + block[2] == 0) {
        words_write(text, WHERE_MAX, "the first block");
    } else {
        words_write(text, WHERE_MAX, "block (%u, %u, %u)", block[0], block[1], block[2]);
    }
}

// "(1, 0)", with as many indices as the grid needs.
static void numbers_write(const uint32_t block[3], bool deep, char text[WHERE_MAX]) {
    if (deep) {
        (void)snprintf(text, WHERE_MAX, "(%u, %u, %u)", block[0], block[1], block[2]);
    } else {
        (void)snprintf(text, WHERE_MAX, "(%u, %u)", block[0], block[1]);
    }
}

static const char *access_past(uint32_t access) {
    return access == ACCESS_READ     ? _("read")
           : access == ACCESS_WRITE  ? _("stored")
           : access == ACCESS_ATOMIC ? _("changed by an atomic operation")
                                     : _("used");
}

// Bytes of a row of a parameter; 0 if it has no rows.
static uint64_t row_bytes_of(const struct judged_finding *judged) {
    const struct finding *seen = &judged->finding;
    const struct signature *signature = finding_signature(judged);
    if (seen->array >= (uint32_t)signature->parameter_count) {
        return 0;
    }
    const struct parameter *parameter = &signature->parameter[seen->array];
    return parameter->rank < 2
               ? 0
               : parameter_extent(signature, parameter, parameter->rank - 1, judged->size) *
                     element_bytes(parameter->element);
}

// --- Conditions ----------------------------------------------------------------------------------

// True if the access that comes second in the text, with no way back, was seen first.
static bool is_turned(const struct judged_finding *judged) {
    return judged->barrier.after > 0 && judged->barrier.after < judged->barrier.before &&
           judged->finding.line > judged->finding.other_line;
}

// The order of the two accesses in the text.
static enum hazard hazard_in_text(const struct judged_finding *judged) {
    enum hazard hazard = finding_hazard(&judged->finding);
    return !is_turned(judged)                  ? hazard
           : hazard == HAZARD_READ_AFTER_WRITE ? HAZARD_WRITE_AFTER_READ
           : hazard == HAZARD_WRITE_AFTER_READ ? HAZARD_READ_AFTER_WRITE
                                               : hazard;
}

static bool is_update(const struct judged_finding *judged) {
    const struct finding *seen = &judged->finding;
    const struct source_span *read = &judged->shown.mark;
    const struct source_span *stored = &judged->other_shown.mark;
    const char *text = judged->other_shown.text + stored->start;
    if (finding_hazard(seen) != HAZARD_WRITE_AFTER_READ || seen->other_access != ACCESS_WRITE ||
        seen->line == 0 || seen->line != seen->other_line || read->length == 0) {
        return false;
    }
    bool again = read->length == stored->length &&
                 memcmp(judged->shown.text + read->start, text, read->length) == 0;
    return again || (stored->length > 0 && (text_starts(text, "++") || text_starts(text, "--")));
}

// True if the address would be aligned if its array were.
static bool array_lacks_alignment(const struct finding *seen) {
    uint64_t from = seen->access_bytes ? (uint64_t)seen->offset % seen->access_bytes : 1;
    return (seen->detail == MISALIGNED_BOX && from == 0) ||
           (seen->detail == MISALIGNED_ROWS && from < seen->access_bytes / 8);
}

// True if the race is one with a copy or a wgmma that has not been waited for.
static bool is_under_way(const struct finding *seen) {
    return seen->parties == PARTIES_COPY || seen->parties == PARTIES_BULK ||
           seen->parties == PARTIES_WGMMA || seen->parties == PARTIES_SUMS;
}

static bool is_unset(const struct finding *seen, enum unset what) {
    return seen->kind == FINDING_UNINITIALIZED && seen->detail == what;
}

static bool has_flag(const struct finding *seen, uint32_t flags) {
    return (seen->flags & flags) != 0;
}

// The lines between which a barrier belongs, as far as the two accesses show: they are in the same
// iteration of a loop, or in two.
static void barrier_find(struct facts *facts) {
    const struct judged_finding *judged = facts->judged;
    const struct finding *seen = facts->seen;
    bool is_known = judged->barrier.after > 0;
    bool goes_on = seen->line < seen->other_line || is_turned(judged);
    facts->barrier_after = is_known && goes_on ? judged->barrier.after : seen->line;
    facts->barrier_before = is_known ? judged->barrier.before : seen->other_line;
}

#define ERROR_ENUMERATOR(name, number, text) name = (number),
enum { CUDA_ERRORS(ERROR_ENUMERATOR) };
#undef ERROR_ENUMERATOR

static void conditions_find(struct facts *facts) {
    const struct judged_finding *judged = facts->judged;
    const struct finding *seen = facts->seen;
    bool *is = facts->is;
#define CONDITION_SET(name, meaning) is[name] = (meaning);
    FINDING_CONDITIONS(CONDITION_SET)
#undef CONDITION_SET
}

// --- Host code -----------------------------------------------------------------------------------

// The names of CUDA's errors, with their texts.
static const char *error_text(uint32_t error) {
    switch (error) {
#define ERROR_CASE(name, number, text)                                                             \
    case (number):                                                                                 \
        return #name " (\"" text "\")";
        CUDA_ERRORS(ERROR_CASE)
#undef ERROR_CASE
    default:
        return "cudaErrorUnknown";
    }
}

static const char *copy_kind(uint32_t kind) {
    static const char *const names[COPY_KINDS] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                                  "cudaMemcpyDeviceToHost",
                                                  "cudaMemcpyDeviceToDevice", "cudaMemcpyDefault"};
    return kind < COPY_KINDS ? names[kind] : "";
}

static const char *memory_name(uint32_t memory) {
    return memory == MEMORY_OF_DEVICE ? _("memory of the device")
           : memory == MEMORY_MANAGED ? _("managed memory")
           : memory == MEMORY_PINNED  ? _("pinned memory of the host")
                                      : _("memory of the host");
}

static const char *free_name(uint32_t memory) {
    return memory == MEMORY_OF_DEVICE ? "`cudaFree`"
           : memory == MEMORY_PINNED  ? "`cudaFreeHost`"
                                      : _("`free` or `delete`");
}

// --- Sentences -----------------------------------------------------------------------------------

// Values of barriers, and of the host code of a program.
#define MORE_VALUES 15
static void more_values(const struct facts *facts, struct words_named *ret_values) {
    const struct finding *seen = facts->seen;
    const struct judged_finding *judged = facts->judged;
    const struct words_named values[MORE_VALUES] = {
        {"round_before", .number = own_line(judged, judged->barrier.round_before)},
        {"branch_line", .number = own_line(judged, judged->barrier.branch_line)},
        {"clue_line", .number = own_line(judged, judged->barrier.clue_line)},
        {"also", .text = facts->also ? facts->also->array : ""},
        {"also_line", .number = own_line(judged, facts->also ? facts->also->line : 0)},
        {"also_other_line", .number = own_line(judged, facts->also ? facts->also->other_line : 0)},
        {"guard_line", .number = own_line(judged, judged->guard.line)},
        {"guarded_line", .number = own_line(judged, judged->guard.guarded_line)},
        {"call_line", .number = own_line(judged, seen->call_line)},
        {"copied", .number = seen->other_offset},
        {"error", .text = error_text(seen->access)},
        {"kind", .text = copy_kind(seen->phases)},
        {"to", .text = memory_name(seen->access)},
        {"from", .text = memory_name(seen->other_access)},
        {"freed_by", .text = free_name(seen->other_access)},
    };
    memcpy(ret_values, values, sizeof values);
}

void facts_say(const struct facts *facts, const char *sentence, char *text, size_t text_bytes) {
    const struct finding *seen = facts->seen;
    const struct judged_finding *judged = facts->judged;
    uint64_t size = seen->array_bytes;
    uint64_t offset = (uint64_t)seen->offset;  // may be negative: differences wrap around
    const struct words_named values[] = {
        {"line", .text = facts->line},
        {"other_line", .text = facts->other_line},
        {"thread", .text = facts->thread},
        {"other_thread", .text = facts->other_thread},
        {"block", .text = facts->block},
        {"other_block", .text = facts->other_block},
        {"block_numbers", .text = facts->numbers},
        {"other_numbers", .text = facts->other_numbers},
        {"element", .text = facts->element},
        {"array", .text = judged->array},
        {"extent", .text = facts->extent},
        {"marked", .text = facts->marked},
        {"mark", .text = facts->mark},
        {"mbarrier", .text = facts->mbarrier},
        {"other_mbarrier", .text = facts->other_mbarrier},
        {"used", .text = access_past(seen->access)},
        {"syncthreads", .text = facts->is[IF_SAME_WARP] ? "__syncwarp" : "__syncthreads"},
        {"threadfence",
         .text = facts->is[IF_BETWEEN_BLOCKS] ? "__threadfence" : "__threadfence_block"},
        {"barrier", .text = facts->barrier},
        {"events", .text = facts->events},
        {"after", .number = own_line(judged, facts->barrier_after)},
        {"before", .number = own_line(judged, facts->barrier_before)},
        {"waiting", .number = seen->count_waiting},
        {"absent", .number = seen->count_absent},
        {"others", .number = seen->count_other},
        {"others_absent", .number = seen->absent_other},
        {"phase", .number = seen->phases},
        {"parity", .number = seen->phases % 2},
        {"phases_waited", .number = (long long)seen->phases - seen->phases_missed},
        {"phase_bytes", .number = seen->phase_bytes},
        {"inits", .number = seen->inits},
        {"init_number", .number = seen->init_number},
        {"init_line", .number = own_line(judged, seen->init_line)},
        {"offset", .number = seen->offset},
        {"size", .number = (long long)size},
        {"last", .number = (long long)(size - 1)},
        {"row_bytes", .number = (long long)facts->row_bytes},
        {"access_bytes", .number = seen->access_bytes},
        {"bytes_before", .number = (long long)(0 - offset)},
        {"bytes_inside", .number = (long long)(size - offset)},
        {"bytes_past", .number = (long long)(offset - size)},
        {"kib", .number = PRINTF_BYTES_MAX / 1024},
    };
    struct words_named all[COUNT(values) + MORE_VALUES];
    memcpy(all, values, sizeof values);
    more_values(facts, all + COUNT(values));
    words_fill_sentence(text, text_bytes, sentence, all, COUNT(all));
}

static bool holds(const struct facts *facts, const struct row *row) {
    bool good = true;
    for (size_t i = 0; i < COUNT(row->holds) && good; i++) {
        int condition = row->holds[i];
        good = condition < CONDITION_COUNT
                   ? facts->is[condition]
                   : facts->seen->detail == (uint32_t)condition - CONDITION_COUNT;
    }
    return good;
}

void facts_say_rows(const struct facts *facts, struct rows rows, char *text, size_t text_bytes) {
    bool said = false;
    for (size_t i = 0; i < rows.count; i++) {
        const struct row *row = &rows.row[i];
        if (!row->sentence) {
            said = false;
        } else if (!said && holds(facts, row)) {
            facts_say(facts, row->sentence, text, text_bytes);
            said = true;
        }
    }
}

void facts_find(struct facts *ret_facts, const struct judged_finding *judged,
                const struct shared_array_table *shared) {
    const struct finding *seen = &judged->finding;
    struct facts facts = {.judged = judged, .seen = seen, .row_bytes = row_bytes_of(judged)};
    bool deep = seen->block[2] + seen->other_block[2] > 0;
    uint32_t array = seen->space == SPACE_SHARED ? seen->array : ARRAY_NONE;
    line_write(judged, seen->line, facts.line);
    line_write(judged, seen->other_line, facts.other_line);
    facts_thread(seen->thread, facts.thread);
    facts_thread(seen->other_thread, facts.other_thread);
    facts_block(seen->block, facts.block);
    facts_block(seen->other_block, facts.other_block);
    numbers_write(seen->block, deep, facts.numbers);
    numbers_write(seen->other_block, deep, facts.other_numbers);
    element_write(judged, facts.element);
    extent_write(judged, shared, facts.extent);
    marked_write(judged, shared, facts.marked);
    (void)snprintf(facts.mark, sizeof facts.mark, "%.*s", (int)judged->shown.mark.length,
                   judged->shown.text + judged->shown.mark.start);
    mbarrier_write(shared, array, seen->offset, _("an mbarrier"), facts.mbarrier);
    mbarrier_write(shared, seen->other_array, seen->other_offset, _("another mbarrier"),
                   facts.other_mbarrier);
    barrier_find(&facts);
    conditions_find(&facts);
    if (seen->kind == FINDING_RACE) {
        facts_say_rows(&facts, finding_barrier, facts.barrier, sizeof facts.barrier);
        facts_say_rows(&facts, finding_events, facts.events, sizeof facts.events);
    }
    *ret_facts = facts;
}
