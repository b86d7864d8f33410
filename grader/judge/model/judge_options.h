// The options of the judge: the task, the machine, and the listener for its progress.
#ifndef JUDGE_MODEL_JUDGE_OPTIONS_H
#define JUDGE_MODEL_JUDGE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "base/size.h"
#include "device/compile/build_plan.h"
#include "device/device.h"
#include "device/gpu/gpu_info.h"

struct card;
struct course;
struct cublas_table;
struct exercise;
struct expected_store;
struct gpu_lease;
struct sandbox;

// The machine that builds and runs kernels.
struct judge_machine {
    struct device_paths paths;
    const struct sandbox *sandbox;  // borrowed; NULL: only limits
    uint32_t jobs;                  // processes that may share a launch; the result is the same
    const char *cache;              // folder of finished builds; NULL: none, as always in `grade`
    const char *counts;  // folder of the references' counts; NULL: they are made each time
    bool debugs;         // builds are for a debugger
    bool has_nvrtc;      // the GPU device's compiler is installed; this needs no GPU
    struct gpu gpu;      // the target of builds; all zero if there is none
    struct expected_store *expected;  // expected results of other kernels than matmuls; NULL: none
    struct gpu_lease *lease;          // GPUs to run on, all like `gpu`; NULL: `gpu` itself,
                                      // unshared
};

// The time that launches have taken, and the slowness of the machine (judge/run/run_worker.h).
struct judge_patience {
    double slowness;                        // as a multiple of an ordinary machine; at least 1
    uint64_t kernel_ms[DEVICE_KIND_COUNT];  // time of the kernel that is judged
    uint64_t grade_ms;                      // time of all kernels
};

// Work to do in addition to judging whether C is right.
struct judge_extras {
    bool speed;
    bool no_references;           // a handout: work is counted, and compared with numbers
    bool maps;                    // maps of a block's accesses: two more short launches
    const struct card *card;      // to estimate for; NULL: the default
    struct cublas_table *cublas;  // times of cuBLAS, to be filled; NULL: cuBLAS is not timed
};

// The stage that the judge has reached.
enum judge_stage { STAGE_CASES, STAGE_SPEED };

// The listener that follows the judge's work.
struct judge_listener {
    void *context;
    void (*progress)(void *context, const struct exercise *exercise, enum judge_stage stage,
                     int done, int total);             // may be NULL
    void (*waiting)(void *context, const char *text);  // called while others use the GPU; may be
                                                       // NULL
};

#define ONLY_SIZES_MAX 2

struct judge_options {
    const struct course *course;
    int submission;    // the folder with <exercise>.cu files, open
    const char *only;  // one exercise's name, or NULL for all
    struct size only_size[ONLY_SIZES_MAX];
    int only_size_count;  // 0: the exercise's own list
    struct seed seed;
    bool uses[DEVICE_KIND_COUNT];
    struct judge_machine machine;
    struct judge_extras extras;
    bool verdict_only;  // ends at the first case that fails, and does not look for its cause
    struct judge_listener listener;
    struct judge_patience *patience;  // set by judge_submission; NULL: only limits for each launch
};

// Reports that `done` of `total` steps of a stage are done, and the next begins.
static inline void judge_report_progress(const struct judge_listener *listener,
                                         const struct exercise *exercise, enum judge_stage stage,
                                         int done, int total) {
    if (listener->progress) {
        listener->progress(listener->context, exercise, stage, done, total);
    }
}

#endif
