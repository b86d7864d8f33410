// The memories of a GPU: how long a value takes to arrive, and how many bytes they deliver.
//
// One thread follows a chain of addresses in a random order, which no prefetch can guess. How long
// the chain is says which memory answers: 8 KB stay in L1, 4 MB in L2, and what was flushed from L2
// comes from global memory. Each link of that last chain is followed once.
#include "tools/ladder/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LIMIT_MS     60000
#define RUNS         5           // the best one counts
#define L1_BYTES     (8u << 10)  // of the chain
#define L2_BYTES     (4u << 20)
#define GLOBAL_BYTES (32u << 20)
#define LINK_BYTES   512  // between two links, so that each has its own lines
#define LINK_L1      64   // the chain in L1 is short
#define STEPS        16384
#define READ_THREADS 1024
#define READ_BLOCKS  2  // per SM
#define READ_ROUNDS  20000
#define L2_ROUNDS    2000
#define COPY_BYTES   ((size_t)4 << 30)
#define COPY_THREADS 256
#define COPY_BLOCK   (16u << 10)  // bytes that a block of copy_global copies
#define VALUE_BYTES  16           // of a load in read_*
#define SHARED_READ  (16u << 10)  // bytes that all blocks of read_l1 read

struct chase_times {  // as in levels.cu
    uint64_t clocks, ns, end;
};

struct levels {
    const struct gpu_context *context;
    cuda_module_handle module;
    cuda_address from, to;  // copy_bytes each
    cuda_address times;
    size_t copy_bytes, l2_bytes;
};

struct level {
    const char *name;
    const char *chase, *read;          // kernels; NULL: not measured
    uint32_t chain_bytes, link_bytes;  // 0: the kernel makes the chain
    bool flushed;
    int attribute;  // of the driver, its bytes; 0: it has none
};

static size_t attribute_of(const struct gpu_context *context, int attribute) {
    int value = 0;
    (void)context->driver.api.device_attribute(&value, attribute, context->device);
    return value > 0 ? (size_t)value : 0;
}

static cuda_result launch(const struct levels *levels, const char *kernel, unsigned blocks,
                          unsigned threads, void **parameters, float *ret_ms) {
    const struct cuda_api *api = &levels->context->driver.api;
    cuda_function_handle function = NULL;
    cuda_result result = api->module_function(&function, levels->module, kernel);
    result = result ? result : api->event_record(levels->context->start, NULL);
    result = result ? result
                    : api->launch(function, blocks, 1, 1, threads, 1, 1, 0, NULL, parameters, NULL);
    result = result ? result : api->event_record(levels->context->end, NULL);
    result = result ? result : gpu_context_wait(levels->context, LIMIT_MS);
    return result ? result
                  : api->event_elapsed(ret_ms, levels->context->start, levels->context->end);
}

// A chain through all links of `from`, in one circle of random order (Sattolo's algorithm).
static cuda_result chain_make(const struct levels *levels, const struct level *level) {
    uint32_t links = level->chain_bytes / level->link_bytes;
    uint32_t *next = malloc(links * sizeof *next);
    char *chain = calloc(1, level->chain_bytes);
    uint64_t random = 1;
    cuda_result result = next && chain ? CUDA_RESULT_SUCCESS : CUDA_RESULT_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < links && !result; i++) {
        next[i] = i;
    }
    for (uint32_t i = links - 1; i > 0 && !result; i--) {
        random = random * 6364136223846793005u + 1442695040888963407u;  // Knuth's generator
        uint32_t other = (uint32_t)(random >> 33) % i;
        uint32_t kept = next[i];
        next[i] = next[other];
        next[other] = kept;
    }
    for (uint32_t i = 0; i < links && !result; i++) {
        cuda_address to = levels->from + (uint64_t)next[i] * level->link_bytes;
        *(cuda_address *)(void *)(chain + (size_t)i * level->link_bytes) = to;
    }
    result = result ? result
                    : levels->context->driver.api.copy_to_device(levels->from, chain,
                                                                 level->chain_bytes);
    free(next);
    free(chain);
    return result;
}

static cuda_result chase(const struct levels *levels, const struct level *level, double *ret_clocks,
                         double *ret_ns) {
    const struct cuda_api *api = &levels->context->driver.api;
    cuda_address start = level->chain_bytes > 0 ? levels->from : 0;
    cuda_address out = levels->times;
    int warm = level->flushed ? 0 : STEPS;
    int steps = STEPS;
    void *parameters[] = {&start, &warm, &steps, &out};
    cuda_result result = level->chain_bytes > 0 ? chain_make(levels, level) : CUDA_RESULT_SUCCESS;
    *ret_clocks = INFINITY;
    for (int run = 0; run < RUNS && !result; run++) {
        struct chase_times times = {0};
        float ms = 0.0f;
        if (level->flushed) {
            result = api->set_words(levels->to, 0, levels->copy_bytes / sizeof(uint32_t), NULL);
        }
        result = result ? result : launch(levels, level->chase, 1, 1, parameters, &ms);
        result = result ? result : api->copy_to_host(&times, out, sizeof times);
        if (!result && (double)times.clocks / steps < *ret_clocks) {
            *ret_clocks = (double)times.clocks / steps;
            *ret_ns = (double)times.ns / steps;
        }
    }
    return result;
}

// The largest power of two that is at most half of L2, and at least one read of a block.
static unsigned l2_values(const struct levels *levels) {
    unsigned values = SHARED_READ / VALUE_BYTES;
    while (4 * (size_t)values * VALUE_BYTES <= levels->l2_bytes &&
           2 * (size_t)values * VALUE_BYTES <= levels->copy_bytes) {
        values *= 2;
    }
    return values;
}

static cuda_result deliver(const struct levels *levels, const struct level *level,
                           double *ret_gb_s) {
    bool copies = level->flushed;
    bool l2 = level->attribute == CUDA_DEVICE_L2_BYTES;
    unsigned values = l2 ? l2_values(levels) : SHARED_READ / VALUE_BYTES;
    int rounds = l2 ? L2_ROUNDS : READ_ROUNDS;
    unsigned blocks = copies ? (unsigned)(levels->copy_bytes / COPY_BLOCK)
                             : (unsigned)levels->context->multiprocessors * READ_BLOCKS;
    unsigned threads = copies ? COPY_THREADS : READ_THREADS;
    double bytes = copies ? 2.0 * (double)levels->copy_bytes  // read, and written
                          : (double)blocks * READ_THREADS * VALUE_BYTES * rounds;
    cuda_address from = levels->from;
    cuda_address to = levels->to;
    cuda_address out = levels->times;
    void *copy[] = {&from, &to};
    void *read[] = {&from, &values, &rounds, &out};
    cuda_result result = CUDA_RESULT_SUCCESS;
    *ret_gb_s = 0.0;
    for (int run = 0; run < RUNS && !result; run++) {
        float ms = 0.0f;
        result = launch(levels, level->read, blocks, threads, copies ? copy : read, &ms);
        double gb_s = !result && ms > 0.0f ? bytes / ((double)ms * 1e6) : 0.0;
        *ret_gb_s = gb_s > *ret_gb_s ? gb_s : *ret_gb_s;
    }
    return result;
}

static cuda_result rows_print(const struct levels *levels) {
    static const struct level level[] = {
        {"registers", NULL, NULL, 0, 0, false, CUDA_DEVICE_REGISTERS},
        {"shared", "chase_shared", "read_shared", 0, 0, false, CUDA_DEVICE_SHARED_BYTES},
        {"L1", "chase_l1", "read_l1", L1_BYTES, LINK_L1, false, 0},
        {"L2", "chase_l2", "read_l2", L2_BYTES, LINK_BYTES, false, CUDA_DEVICE_L2_BYTES},
        {"global", "chase_l2", "copy_global", GLOBAL_BYTES, LINK_BYTES, true, 0},
        {"constant", "chase_constant", NULL, 0, 0, false, CUDA_DEVICE_CONSTANT_BYTES},
    };
    cuda_result result = CUDA_RESULT_SUCCESS;
    (void)printf("level,bytes,clocks,ns,gb_per_s\n");
    for (size_t i = 0; i < sizeof level / sizeof level[0] && !result; i++) {
        double clocks = NAN;
        double ns = NAN;
        double gb_s = NAN;
        size_t bytes = level[i].flushed ? levels->context->memory_bytes
                                        : attribute_of(levels->context, level[i].attribute);
        if (level[i].attribute == CUDA_DEVICE_REGISTERS) {
            bytes *= sizeof(uint32_t);
        }
        if (level[i].chase) {
            result = chase(levels, &level[i], &clocks, &ns);
        }
        if (level[i].read && !result) {
            result = deliver(levels, &level[i], &gb_s);
        }
        (void)printf("%s,%zu,%.1f,%.1f,%.0f\n", level[i].name, bytes, clocks, ns, gb_s);
    }
    return result;
}

enum status bench_levels(struct bench *bench, struct error *err) {
    const struct cuda_api *api = &bench->context.driver.api;
    struct levels levels = {.context = &bench->context,
                            .l2_bytes = attribute_of(&bench->context, CUDA_DEVICE_L2_BYTES)};
    char *cubin = NULL;
    size_t bytes = 0;
    double peak = 0.0;
    levels.copy_bytes = bench->context.memory_bytes / 8 < COPY_BYTES
                            ? bench->context.memory_bytes / 8 / COPY_BLOCK * COPY_BLOCK
                            : COPY_BYTES;
    enum status status = bench_own(bench, "tools/ladder/levels.cu", &cubin, &bytes, err);
    if (!status) {
        status = bench_peak(bench, &peak, err);  // brings the clock up
    }
    if (status) {
        free(cubin);
        return status;
    }
    cuda_result result = api->module_load(&levels.module, cubin);
    result = result ? result : api->memory_allocate(&levels.from, levels.copy_bytes);
    result = result ? result : api->memory_allocate(&levels.to, levels.copy_bytes);
    result = result ? result : api->memory_allocate(&levels.times, sizeof(struct chase_times));
    result = result ? result : rows_print(&levels);
    (void)api->memory_free(levels.times);
    (void)api->memory_free(levels.to);
    (void)api->memory_free(levels.from);
    if (levels.module) {
        (void)api->module_unload(levels.module);
    }
    free(cubin);
    return result ? cuda_fail(&bench->context.driver, result, "measuring the memories", err)
                  : STATUS_OK;
}
