// Counters, registers and accesses are read as result.json has them: see kernel.h.
#include "judge/answers/kernel.h"

#include <string.h>

static const json_t *counts_of(const json_t *exercise) {
    return json_object_get(exercise, "counts");
}

// Multiply-adds of a whole warp that a product needs; 0 of another kernel.
static double products_of(const json_t *exercise) {
    const json_t *size = json_object_get(counts_of(exercise), "size");
    const json_t *kernel = json_object_get(exercise, "kernel");
    double products = 1.0 / WARP_LANES;
    const json_t *extent = NULL;
    size_t i = 0;
    if (kernel && !json_is_true(json_object_get(kernel, "product"))) {
        return 0.0;
    }
    json_array_foreach(size, i, extent) {
        products *= json_number_value(extent);
    }
    return products;
}

static double counter_of(const json_t *exercise, const char *name) {
    return json_number_value(json_object_get(counts_of(exercise), name));
}

// What `make predict` counts, too: report/practice/predict.py.  0 of a kernel that is no product.
static double wavefronts_per_product(const json_t *exercise) {
    double products = products_of(exercise);
    double wavefronts = counter_of(exercise, "global_load_wavefronts") +
                        counter_of(exercise, "shared_load_joined") +
                        counter_of(exercise, "shared_store_wavefronts");
    return products > 0.0 ? wavefronts / products : 0.0;
}

// A counter that is missing is 0: the kernel lacks that kind of access.
static bool kernel_number(const void *context, const char *name, double *ret_number) {
    const json_t *exercise = context;
    const json_t *student = json_object_get(json_object_get(exercise, "estimate"), "student");
    if (strcmp(name, "products") == 0) {
        *ret_number = products_of(exercise);
    } else if (strcmp(name, "p") == 0) {
        *ret_number = wavefronts_per_product(exercise);
    } else if (strcmp(name, "registers") == 0) {
        *ret_number = json_number_value(json_object_get(student, name));
    } else if (strcmp(name, "occupancy") == 0) {
        *ret_number = 100.0 * json_number_value(json_object_get(student, name));
    } else {
        *ret_number = counter_of(exercise, name);
    }
    return true;
}

static json_int_t integer_at(const json_t *array, size_t at) {
    return json_integer_value(json_array_get(array, at));
}

// The first byte that `thread` accesses of the array, by the accesses of one place in the kernel;
// -1 if it accesses none.  Steps that change the thread are counted through.
static json_int_t first_byte(const json_t *steps, size_t step, json_int_t who, json_int_t at,
                             json_int_t thread) {
    if (step == json_array_size(steps)) {
        return who == thread ? at : -1;
    }
    const json_t *one = json_array_get(steps, step);
    json_int_t count = integer_at(one, 1) != 0 ? integer_at(one, 0) : 1;
    json_int_t first = -1;
    for (json_int_t i = 0; i < count; i++) {
        json_int_t found = first_byte(steps, step + 1, who + i * integer_at(one, 1),
                                      at + i * integer_at(one, 2), thread);
        first = first < 0 || (found >= 0 && found < first) ? found : first;
    }
    return first;
}

static bool index_write(const json_t *array, json_int_t byte, struct question_value *value) {
    const json_t *extent = json_object_get(array, "extent");
    json_int_t bytes = json_integer_value(json_object_get(array, "element_bytes"));
    json_int_t element = bytes > 0 ? byte / bytes : -1;
    int rank = (int)json_array_size(extent);
    if (element < 0 || rank > QUESTION_RANK_MAX) {
        return false;
    }
    value->rank = rank > 0 ? rank : 1;
    for (int i = value->rank - 1; i > 0; i--) {
        json_int_t dimension = integer_at(extent, (size_t)i);
        if (dimension < 1) {
            return false;
        }
        value->index[i] = (long)(element % dimension);
        element /= dimension;
    }
    value->index[0] = (long)element;
    return true;
}

static bool kernel_place(const void *context, const char *array, int x, int y, int time,
                         struct question_value *ret_value) {
    const json_t *maps = json_object_get(context, "maps");
    const json_t *map = json_array_get(json_object_get(maps, "list"), 0);
    const json_t *arrays = json_object_get(map, "arrays");
    json_int_t thread = y * integer_at(json_object_get(map, "threads"), 0) + x;
    const json_t *access = NULL;
    size_t i = 0;
    struct question_value value = {.rank = 0};
    json_array_foreach(json_object_get(map, "accesses"), i, access) {
        const json_t *held = json_array_get(arrays, (size_t)integer_at(access, 2));
        const char *kind = json_string_value(json_array_get(access, 1));
        const char *name = json_string_value(json_object_get(held, "name"));
        if (!kind || !name || strcmp(kind, "load") != 0 || strcmp(name, array) != 0) {
            continue;
        }
        json_int_t byte = first_byte(json_array_get(access, 7), 0, integer_at(access, 5),
                                     integer_at(access, 6), thread);
        if (byte >= 0 && time-- == 0) {
            if (!index_write(held, byte, &value)) {
                return false;
            }
            *ret_value = value;
            return true;
        }
    }
    return false;
}

bool answers_kernel_of(const json_t *exercise, struct question_kernel *ret_kernel) {
    if (!counts_of(exercise)) {
        return false;
    }
    *ret_kernel = (struct question_kernel){exercise, kernel_number, kernel_place};
    return true;
}
