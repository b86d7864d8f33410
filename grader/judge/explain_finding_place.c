// Names of the places in memory that a finding speaks of: which array, which element.
//
// Findings give bytes from the start of an array.  A, B and C are row-major without padding, so
// their rows and columns follow from the size; the shapes of __shared__ arrays come from the
// symbols of the built program.
#include "judge/explain_finding.h"

#include <stdio.h>
#include <string.h>

// The shape of the array that a finding touches; extents of 0 are unknown.
struct shape {
    char name[ARRAY_NAME_MAX];
    uint32_t element_bytes;
    int rank;
    int64_t extent[ARRAY_RANK_MAX];
};

static void shape_of_global(uint32_t array, struct size size, struct shape *shape) {
    static const char *const names[] = {[ARRAY_A] = "A", [ARRAY_B] = "B", [ARRAY_C] = "C"};
    (void)snprintf(shape->name, sizeof shape->name, "%s", names[array]);
    shape->element_bytes = sizeof(float);
    shape->rank = 2;
    shape->extent[0] = array == ARRAY_B ? size.k : size.m;
    shape->extent[1] = array == ARRAY_A ? size.k : size.n;
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

// False where the finding touches no array that has a name.
static bool shape_of(const struct judged_finding *finding, const struct shared_array_table *shared,
                     struct shape *shape) {
    const struct finding *seen = &finding->finding;
    *shape = (struct shape){.rank = 0};
    if (seen->space == SPACE_GLOBAL && seen->array < GLOBAL_ARRAY_COUNT) {
        shape_of_global(seen->array, finding->size, shape);
        return true;
    }
    if (seen->space == SPACE_SHARED && shared && seen->array < shared->count) {
        shape_of_shared(&shared->array[seen->array], seen->array_bytes, shape);
        return shape->name[0] != '\0';
    }
    return false;
}

// Splits a flat element number into indices; false where the shape is unknown or the number
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

void finding_extent(const struct judged_finding *finding, const struct shared_array_table *shared,
                    char text[128]) {
    struct shape shape;
    text[0] = '\0';
    if (!shape_of(finding, shared, &shape) || shape.rank == 0 || shape.extent[0] <= 0) {
        return;
    }
    const char *unit = shape.rank == 1 ? "element" : "row";
    if (shape.extent[0] == 1) {
        (void)snprintf(text, 128, "%s has only %s 0", shape.name, unit);
    } else {
        (void)snprintf(text, 128, "%s has %ss 0 to %lld", shape.name, unit,
                       (long long)shape.extent[0] - 1);
    }
}
