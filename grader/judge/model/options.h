// What the judge is asked.
#ifndef JUDGE_MODEL_OPTIONS_H
#define JUDGE_MODEL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "base/size.h"
#include "device/build/build.h"
#include "device/gpu/info.h"

struct card;
struct course;
struct exercise;
struct sandbox;
struct cublas_table;  // judge/speed/cublas.h

// What the judge is at.
enum judge_stage { STAGE_CASES, STAGE_SPEED };

struct judge_options {
    const struct course *course;
    struct device_paths paths;
    const char *submission;  // folder with <exercise>.cu files
    const char *only;        // one exercise's name, or NULL for all
    bool use_emu, use_gpu;
    int gpu;                      // device number
    char architecture[16];        // "sm_90"
    char gpu_name[GPU_NAME_MAX];  // for people; "" if not known
    int gpu_multiprocessors;  // with the clock: the least time a product can take; 0 if not known
    int gpu_clock_khz;
    bool gpu_reaches_memory;      // a kernel on it can reach all memory of its worker
    bool has_nvrtc;               // the compiler of the GPU device is here, also without a GPU
    const struct card *card;      // to estimate for; NULL: the default
    char gpu_uuid[GPU_UUID_MAX];  // what a lease is taken for; "" if not known
    void (*waiting)(void *context, const char *text);  // for a GPU that others use; may be NULL
    const struct sandbox *sandbox;                     // borrowed; NULL: limits alone
    uint32_t jobs;                // processes that may share a launch; the result is the same
    const char *cache;            // folder of finished builds; NULL: none.  Never for a grade
    bool sanitize;                // with a GPU: compute-sanitizer goes over each kernel
    bool draw_maps;               // look at what a block accesses: two short launches more
    bool measure_speed;           // false for `test`
    bool no_references;           // a handout: work is counted, and no points are given for it
    struct cublas_table *cublas;  // times of cuBLAS, to be filled; NULL: it is not asked
    struct size only_size;        // m = 0: the exercise's own list
    struct seed seed;
    void (*progress)(void *context, const struct exercise *exercise, enum judge_stage stage,
                     int done,
                     int total);  // may be NULL
    void *progress_context;
};

// Tells that `done` of `total` steps of a stage are done, and the next begins.
static inline void judge_tell(const struct judge_options *options, const struct exercise *exercise,
                              enum judge_stage stage, int done, int total) {
    if (options->progress) {
        options->progress(options->progress_context, exercise, stage, done, total);
    }
}

#endif
