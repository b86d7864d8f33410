// Everything uses the default stream, so each step begins when the previous one is done.
#include "device/gpu/helper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/random.h"

#define BLOCK_THREADS     256
#define BLOCKS_PER_SM     8
#define COUNTERS_OF_BANDS GLOBAL_ARRAY_COUNT  // counters of inputs first, then those of bands
#define COUNTER_COUNT     (2 * GLOBAL_ARRAY_COUNT)

// As inputs.cu declares it.
struct inputs_matrix {
    cuda_address elements, role;
    uint64_t key0, key1, stream;
    int32_t rows, columns, by_row, mine, real;
};

struct inputs_array {
    cuda_address values;
    uint64_t key0, key1;
    struct draw_spec spec;
};

struct loaded {
    cuda_module_handle module;
    cuda_function_handle make, compare, words, array_make, array_compare;
};

static enum status text_read(const char *include, const char *file, char **ret_text,
                             struct error *err) {
    char path[PATH_BYTES_MAX];
    size_t bytes = 0;
    enum status status = path_make(path, err, "%s/../%s", include, file);
    return status ? status : file_read(path, SOURCE_BYTES_MAX, ret_text, &bytes, err);
}

enum status gpu_helper_source(const char *include, const char *file, char **ret_text,
                              struct error *err) {
    char *draw = NULL;
    char *own = NULL;
    enum status status = text_read(include, "device/channel/array_fill.h", &draw, err);
    if (!status) {
        status = text_read(include, file, &own, err);
    }
    if (!status && asprintf(ret_text, "%s#line 1 \"%s\"\n%s", draw, file, own) < 0) {
        status = fail(err, STATUS_NO_MEMORY, "no memory for %s", file);
    }
    free(own);
    free(draw);
    return status;
}

enum status gpu_helper_open(const struct gpu_context *context, const char *cubin,
                            struct gpu_helper *helper, struct error *err) {
    size_t bytes = 0;
    if (helper->image) {
        return STATUS_OK;
    }
    cuda_result result = context->driver.api.memory_allocate(&helper->role, SIZE_DIMENSION_MAX);
    if (result == CUDA_RESULT_SUCCESS) {
        result =
            context->driver.api.memory_allocate(&helper->results, COUNTER_COUNT * sizeof(uint32_t));
    }
    if (result != CUDA_RESULT_SUCCESS) {
        return cuda_fail(&context->driver, result, "memory for making inputs", err);
    }
    return file_read(cubin, FILE_BYTES_MAX, &helper->image, &bytes, err);
}

void gpu_helper_close(const struct gpu_context *context, struct gpu_helper *helper) {
    if (context->open && !context->lost && helper->role != 0) {
        (void)context->driver.api.memory_free(helper->role);
        (void)context->driver.api.memory_free(helper->results);
    }
    free(helper->image);
    *helper = (struct gpu_helper){.image = NULL};
}

static cuda_result helper_load(const struct gpu_context *context, const struct gpu_helper *helper,
                               struct loaded *loaded) {
    const struct cuda_api *api = &context->driver.api;
    cuda_result result = api->module_load(&loaded->module, helper->image);
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->module_function(&loaded->make, loaded->module, "inputs_make");
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->module_function(&loaded->compare, loaded->module, "inputs_compare");
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->module_function(&loaded->words, loaded->module, "words_compare");
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->module_function(&loaded->array_make, loaded->module, "array_make");
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->module_function(&loaded->array_compare, loaded->module, "array_compare");
    }
    return result;
}

static void helper_unload(const struct gpu_context *context, struct loaded *loaded) {
    if (loaded->module) {
        (void)context->driver.api.module_unload(loaded->module);
    }
}

static cuda_result run(const struct gpu_context *context, cuda_function_handle function,
                       void **parameters) {
    unsigned blocks = (unsigned)(context->multiprocessors > 0 ? context->multiprocessors : 1);
    return context->driver.api.launch(function, blocks * BLOCKS_PER_SM, 1, 1, BLOCK_THREADS, 1, 1,
                                      0, NULL, parameters, NULL);
}

// A and B as inputs.cu sees them.
static void matrices_of(const struct gpu_helper *helper, const struct gpu_inputs *inputs,
                        struct inputs_matrix matrix[2]) {
    struct size size = inputs->size;
    for (int i = 0; i < 2; i++) {
        matrix[i] = (struct inputs_matrix){.elements = inputs->array[i].start,
                                           .role = helper->role,
                                           .key0 = inputs->key.word[0],
                                           .key1 = inputs->key.word[1],
                                           .stream = i == ARRAY_A ? STREAM_A : STREAM_B,
                                           .rows = i == ARRAY_A ? size.m : size.k,
                                           .columns = i == ARRAY_A ? size.k : size.n,
                                           .by_row = i == ARRAY_B,
                                           .mine = i == ARRAY_A ? EXACT_A : EXACT_B,
                                           .real = inputs->kind == TIMED_REAL};
    }
}

static cuda_result roles_send(const struct gpu_context *context, const struct gpu_helper *helper,
                              const struct gpu_inputs *inputs) {
    uint8_t role[SIZE_DIMENSION_MAX];
    if (inputs->kind == TIMED_REAL) {
        return CUDA_RESULT_SUCCESS;
    }
    exact_roles(inputs->key, inputs->size.k, role);
    return context->driver.api.copy_to_device(helper->role, role, (size_t)inputs->size.k);
}

// A and B of a product, and the poison of C.
static cuda_result product_make(const struct gpu_context *context, const struct gpu_helper *helper,
                                const struct loaded *loaded, const struct gpu_inputs *inputs) {
    struct inputs_matrix matrix[2];
    cuda_result result = roles_send(context, helper, inputs);
    matrices_of(helper, inputs, matrix);
    for (int i = 0; i < 2 && result == CUDA_RESULT_SUCCESS; i++) {
        void *parameters[] = {&matrix[i]};
        result = run(context, loaded->make, parameters);
    }
    return result == CUDA_RESULT_SUCCESS
               ? context->driver.api.set_words(inputs->array[ARRAY_C].start, inputs->poison,
                                               size_elements_c(inputs->size), NULL)
               : result;
}

// Array i of any other kernel, as inputs.cu sees it.
static struct inputs_array array_of(const struct gpu_inputs *inputs, uint32_t i) {
    return (struct inputs_array){.values = inputs->array[i].start,
                                 .key0 = inputs->key.word[0],
                                 .key1 = inputs->key.word[1],
                                 .spec = inputs->draw[i]};
}

static cuda_result arrays_make(const struct gpu_context *context, const struct loaded *loaded,
                               const struct gpu_inputs *inputs) {
    cuda_result result = CUDA_RESULT_SUCCESS;
    for (uint32_t i = 0; i < ARGUMENTS_MAX && result == CUDA_RESULT_SUCCESS; i++) {
        struct inputs_array array = array_of(inputs, i);
        void *parameters[] = {&array};
        result = inputs->array[i].base != 0 ? run(context, loaded->array_make, parameters) : result;
    }
    return result;
}

static enum status launch_make(const struct gpu_context *context, const struct gpu_helper *helper,
                               const struct loaded *loaded, const struct gpu_inputs *inputs,
                               struct error *err) {
    enum status status = STATUS_OK;
    cuda_result result = arguments_are_of_product(inputs->arguments)
                             ? product_make(context, helper, loaded, inputs)
                             : arrays_make(context, loaded, inputs);
    if (result != CUDA_RESULT_SUCCESS) {
        return cuda_fail(&context->driver, result, "making inputs", err);
    }
    for (int i = 0; i < ARGUMENTS_MAX && !status; i++) {
        if (inputs->array[i].base != 0) {
            status = gpu_array_guards_fill(&context->driver, &inputs->array[i], err);
        }
    }
    return status ? status
                  : gpu_workspace_fill(&context->driver, &inputs->array[ARRAY_WORKSPACE], err);
}

enum status gpu_helper_make(const struct gpu_context *context, const struct gpu_helper *helper,
                            const struct gpu_inputs *inputs, int count, struct error *err) {
    struct loaded loaded = {.module = NULL};
    enum status status = STATUS_OK;
    cuda_result result = helper_load(context, helper, &loaded);
    for (int i = 0; i < count && result == CUDA_RESULT_SUCCESS && !status; i++) {
        status = launch_make(context, helper, &loaded, &inputs[i], err);
    }
    if (result == CUDA_RESULT_SUCCESS && !status) {
        result = context->driver.api.context_wait();
    }
    if (result != CUDA_RESULT_SUCCESS) {
        status = cuda_fail(&context->driver, result, "making inputs", err);
    }
    helper_unload(context, &loaded);
    return status;
}

static cuda_result product_compare(const struct gpu_context *context,
                                   const struct gpu_helper *helper, const struct loaded *loaded,
                                   const struct gpu_inputs *inputs) {
    struct inputs_matrix matrix[2];
    cuda_result result = roles_send(context, helper, inputs);
    matrices_of(helper, inputs, matrix);
    for (int i = 0; i < 2 && result == CUDA_RESULT_SUCCESS; i++) {
        cuda_address counter = helper->results + (cuda_address)i * sizeof(uint32_t);
        void *parameters[] = {&matrix[i], &counter};
        result = run(context, loaded->compare, parameters);
    }
    return result;
}

static cuda_result arrays_compare(const struct gpu_context *context,
                                  const struct gpu_helper *helper, const struct loaded *loaded,
                                  const struct gpu_inputs *inputs) {
    cuda_result result = CUDA_RESULT_SUCCESS;
    for (uint32_t i = 0; i < ARGUMENTS_MAX && result == CUDA_RESULT_SUCCESS; i++) {
        struct inputs_array array = array_of(inputs, i);
        cuda_address counter = helper->results + (cuda_address)i * sizeof(uint32_t);
        void *parameters[] = {&array, &counter};
        if (inputs->array[i].base != 0 && inputs->arguments->list[i].is_input) {
            result = run(context, loaded->array_compare, parameters);
        }
    }
    return result;
}

static cuda_result launch_compare(const struct gpu_context *context,
                                  const struct gpu_helper *helper, const struct loaded *loaded,
                                  const struct gpu_inputs *inputs) {
    uint64_t words = GPU_GUARD_BYTES / sizeof(uint32_t);
    uint32_t pattern = GPU_GUARD_WORD;
    cuda_result result = arguments_are_of_product(inputs->arguments)
                             ? product_compare(context, helper, loaded, inputs)
                             : arrays_compare(context, helper, loaded, inputs);
    for (int i = 0; i < 2 * GLOBAL_ARRAY_COUNT && result == CUDA_RESULT_SUCCESS; i++) {
        const struct gpu_array *array = &inputs->array[i / 2];
        if (array->base == 0) {
            continue;  // no workspace
        }
        cuda_address band = i % 2 == 0 ? array->base : array->start + array->bytes;
        cuda_address counter =
            helper->results + (cuda_address)(COUNTERS_OF_BANDS + i / 2) * sizeof(uint32_t);
        void *parameters[] = {&band, &words, &pattern, &counter};
        result = run(context, loaded->words, parameters);
    }
    return result;
}

enum status gpu_helper_compare(const struct gpu_context *context, const struct gpu_helper *helper,
                               const struct gpu_inputs *inputs, int count, struct answer *answer,
                               struct error *err) {
    const struct cuda_api *api = &context->driver.api;
    struct loaded loaded = {.module = NULL};
    uint32_t counters[COUNTER_COUNT] = {0};
    cuda_result result = helper_load(context, helper, &loaded);
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->set_words(helper->results, 0, COUNTER_COUNT, NULL);
    }
    for (int i = 0; i < count && result == CUDA_RESULT_SUCCESS; i++) {
        result = launch_compare(context, helper, &loaded, &inputs[i]);
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->copy_to_host(counters, helper->results, sizeof counters);
    }
    helper_unload(context, &loaded);
    if (result != CUDA_RESULT_SUCCESS) {
        return cuda_fail(&context->driver, result, "comparing inputs", err);
    }
    answer->timed.inputs_changed = 0;
    answer->guard_damaged = 0;
    for (int i = 0; i < GLOBAL_ARRAY_COUNT; i++) {
        answer->timed.inputs_changed |= counters[i] != 0 ? 1u << i : 0;
        answer->guard_damaged |= counters[COUNTERS_OF_BANDS + i] != 0 ? 1u << i : 0;
    }
    return STATUS_OK;
}
