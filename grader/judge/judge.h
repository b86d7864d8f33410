// Judges one submission: each asked exercise is built, run at its cases and measured, and the first
// thing that is wrong is explained.  Also the judgement itself, which reports are made of.
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include <stdbool.h>

#include "base/random.h"
#include "device/build/build.h"
#include "device/gpu/info.h"
#include "device/channel/protocol.h"
#include "exercise/exercise.h"
#include "judge/speed/counted.h"
#include "judge/model/inputs.h"
#include "judge/model/verdict.h"
#include "judge/oracle/wrong_tiles.h"
#include "measure/estimate.h"
#include "measure/guards.h"
#include "measure/stats.h"
#include "sandbox/sandbox.h"

#define CLAUSE_MAX      400  // bytes of what was seen, with the final NUL
#define SOURCE_LINE_MAX 160  // bytes kept of a source line, with the final NUL

// What is shown of the text that a kernel printed.
#define OUTPUT_SHOWN_MAX 2048  // bytes, with the final NUL
#define OUTPUT_LINES_MAX 20

// A part of a text, in bytes; length 0 where there is none.
struct source_span {
    uint32_t start, length;
};

// One run of the kernel at one size on one device, judged.
struct case_result {
    struct size size;
    enum inputs_kind inputs;
    enum device_kind device;
    enum verdict verdict;
};

// A finding as reports show it: names, indices and lines filled in.
struct judged_finding {
    struct finding finding;
    enum device_kind device;
    struct size size;            // of the launch
    char array[ARRAY_NAME_MAX];  // "As", "A"; "" where no array is part of it
    int index_count;
    int64_t index[ARRAY_RANK_MAX];  // [row, column] in A, B, C and static arrays
    char clause[CLAUSE_MAX];  // what was seen, in a few words: "A[50][0] was read, but A has rows 0
                              // to 49"
    char message[ERROR_TEXT_MAX];  // one or two sentences for the student, without the line's text
    char lesson[128];              // "lessons/verdicts.md#race"
    char source[SOURCE_LINE_MAX];  // the text of the line, cleaned for printing; "" if unknown
    char other_source[SOURCE_LINE_MAX];
    uint32_t column, other_column;        // in the file, in bytes from 1; 0 if unknown
    struct source_span mark, other_mark;  // what to mark in source and other_source
};

#define CUBLAS_SAMPLES     7  // launches of cuBLAS alone at a size
#define CUBLAS_VERSION_MAX 16
#define CUBLAS_NOTE_MAX    300

// What cuBLAS needs for the product of one size.
struct cublas_times {
    int count;  // 0: not known
    double ms[CUBLAS_SAMPLES];
};

// A kernel in pairs with cuBLAS.
struct cublas_pairs {
    int pairs;  // 0: there are none
    enum speed_verdict verdict;
    double ratio, low, high;  // cuBLAS' time / student's
    double student_ms[STATS_SAMPLES_MAX], cublas_ms[STATS_SAMPLES_MAX];
};

// One timed or counted size.
struct speed_result {
    struct size size;
    enum speed_verdict verdict;
    bool counted;       // by work, not by time
    double full, zero;  // the thresholds that held
    double ratio;       // reference / student: the median, or of counted work
    double low, high;   // its interval; counted: low = high = ratio
    int pairs;
    double gflops, reference_gflops;    // 0 when counted
    int64_t points, points_max;         // milli-points
    double *student_ms, *reference_ms;  // raw samples [pairs]; NULL when counted
    struct gpu_state *states;           // of the GPU, after each launch of the reference [pairs]
    int launches;                       // of a sample: its time is their mean
    int attempts;                       // 1 unless a measurement was not believed …
    char doubt[DOUBT_MAX];              // … for this reason; "" if none
    double calibrated_ms;               // the reference alone, before
    double cublas_gflops;               // 0: not known; no part of a grade …
    struct cublas_times cublas;         // … from these, or from the pairs
    struct cublas_pairs cublas_pairs;
    struct counts counts, reference_counts;
    enum counted_metric metric;  // counted: the kind of work that decided …
    uint32_t metric_line;        // … and the source line that does most of it; 0 if not known
};

// How fast a counted kernel may be on a card that is not here.  No part of a grade.
struct kernel_estimate {
    bool made;
    bool has_reference;
    const struct card *card;
    struct size size;
    struct estimate student, reference;
    int registers;  // of a thread of the student's kernel; 0: not known
};

// What one block accesses at a small size.
struct index_map {
    struct size size;     // m = 0: there is none
    uint32_t threads[3];  // of a block
    uint32_t blocks[3];   // of the grid
    uint32_t launches;    // that make the product; the first was traced
    struct trace trace;
    struct shared_array_table shared;  // names and extents of its arrays
};

struct exercise_result {
    const struct exercise *exercise;
    char file[PATH_BYTES_MAX];  // "tiled.cu", as shown to people
    char sha256[65];            // of the submitted bytes; "" when there is no file
    enum verdict verdict;
    bool complete;                  // false: could not be judged on this machine (needs_gpu)
    bool speed_complete;            // false: correct, but its speed could not be measured here
    int64_t points;                 // milli-points
    int64_t points_max;             // that this run could give; 0 of 0 where it is not complete
    char headline[ERROR_TEXT_MAX];  // one sentence for the student
    char detail[ERROR_TEXT_MAX];    // what else helps: the first wrong element explained; "" if
                                    // nothing
    char *diagnostics;              // compiler's messages, "" if none
    struct size repeat_size;        // the smallest size that shows it; m = 0 where none applies
    char output[OUTPUT_SHOWN_MAX];  // what the kernel printed in the launch that is shown: the one
                                    // that fails, else the first; "" if nothing
    struct size output_size;        // of that launch
    char seed_text[SEED_TEXT_BYTES];
    int case_count;
    struct case_result cases[2 * CASES_MAX];
    int finding_count;
    struct judged_finding findings[FINDINGS_MAX];
    bool blind;  // it is right, and parts of A or B were not seen to be read: a hole in our map
    struct wrong_tiles wrong;  // where C is not right, in one of its cases
    struct index_map map;
    char *source;         // the submitted text as reports show it; NULL where there is none
    bool sanitized;       // compute-sanitizer went over it
    bool speed_withheld;  // left open, and its points stay to be won; detail says why
    char cublas_version[CUBLAS_VERSION_MAX];  // "13.0.2"; "" where nothing is known of it
    char cublas_note[CUBLAS_NOTE_MAX];        // why that is so; "" where it was not looked for
    struct kernel_estimate estimate;
    bool counted_alone;      // its work was counted, with no reference to compare it with
    struct size alone_size;  // … at this size
    struct counts alone;
    int speed_count;
    struct speed_result speed[EXERCISE_TIMED_MAX];
};

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

struct judgement {
    int exercise_count;
    struct exercise_result *exercises;  // [exercise_count]
    int64_t points, points_max;
    bool complete;
    bool measured;  // speed was asked for …
    bool counted;   // … and judged by counted work, not by time
    bool used_emu, used_gpu;
    char submission_sha256[65];  // over the names and hashes of its files
    const struct card *card;     // that the GPU is; NULL where that is not known
    char device_text[128];       // "emu", or the GPU's name
    char sandbox_text[SANDBOX_TEXT_BYTES];
    char seed_text[SEED_TEXT_BYTES];
};

// Judges every asked exercise.  Errors are ours, and then there is no judgement.  Owns: the caller
// frees with judgement_free.
enum status judge_submission(const struct judge_options *options, struct judgement **ret_judgement,
                             struct error *err);
void judgement_free(struct judgement *judgement);

#define RESULT_SCHEMA      "tilegrade/result/v1"
#define RESULT_REAL_DIGITS 17  // every double comes back bit for bit, so that a score can too

// The judgement as result.json (tilegrade/result/v1, grader/result.schema.json).  Owns: the caller
// frees *ret_text.
enum status result_write_json(const struct judgement *judgement, const char *grader_version,
                              char **ret_text, struct error *err);

#endif
