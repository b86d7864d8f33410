// Names of the places in memory that a finding speaks of: which array, which element.
//
// Findings give bytes from the start of an array.  Parameters are row-major without padding, so
// their rows and columns follow from the size; the shapes of __shared__ arrays come from the
// symbols of the built program.
#include "judge/explain/finding.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/compose.h"
#include "judge/code/mark.h"

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
    // The launch says how long `extern __shared__` is.
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

// Splits a flat element number into indices; false if the shape is unknown or the number negative.
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

void finding_element(const struct judged_finding *finding, char element[ELEMENT_MAX]) {
    words_write(element, ELEMENT_MAX, "%s",
                finding->array[0] != '\0' ? finding->array : _("memory"));
    for (int i = 0; i < finding->index_count; i++) {
        size_t used = strlen(element);
        (void)snprintf(element + used, ELEMENT_MAX - used, "[%lld]", (long long)finding->index[i]);
    }
}

bool finding_mbarrier(const struct shared_array_table *shared, uint32_t array, int64_t offset,
                      char text[MBARRIER_MAX]) {
    struct judged_finding place = {
        .finding = {.space = SPACE_SHARED, .array = array, .offset = offset}};
    char element[ELEMENT_MAX];
    finding_place(&place, shared);
    if (place.array[0] == '\0') {
        return false;
    }
    finding_element(&place, element);
    uint32_t bytes = shared->array[array].element_bytes;
    int64_t inside = place.index_count > 0 && bytes > 0 ? offset % bytes : offset;
    if (inside == 0 && bytes <= MBARRIER_BYTES) {
        words_write(text, MBARRIER_MAX, "the mbarrier %s", element);
    } else {
        words_write(text, MBARRIER_MAX, "the mbarrier at byte %lld of %s", (long long)inside,
                    element);
    }
    return true;
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
            !text_word_line(finding->source, array->name) || strlen(text) >= EXTENT_MAX / 2) {
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

void finding_marked(const struct judged_finding *finding, const struct shared_array_table *shared,
                    char name[ARRAY_NAME_MAX]) {
    name[0] = '\0';
    for (uint32_t i = 0; shared && i < shared->count; i++) {
        char candidate[ARRAY_NAME_MAX];
        (void)snprintf(candidate, sizeof candidate, "%.*s", ARRAY_NAME_MAX - 1,
                       shared->array[i].name);
        if (mark_names(finding->source, finding->mark, candidate)) {
            memcpy(name, candidate, ARRAY_NAME_MAX);
        }
    }
}

void finding_extent(const struct judged_finding *finding, const struct shared_array_table *shared,
                    char text[EXTENT_MAX]) {
    struct shape shape;
    text[0] = '\0';
    if (finding->finding.flags & FINDING_INNER_ROW) {
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
    // One row past the end is also what a column past the end of the last row looks like.
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
