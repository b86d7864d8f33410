// What the judge found out: the data that reports are made of.
#ifndef JUDGE_MODEL_JUDGEMENT_H
#define JUDGE_MODEL_JUDGEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "exercise/exercise.h"
#include "judge/model/finding.h"
#include "judge/model/inputs.h"
#include "judge/model/pictures.h"
#include "judge/model/speed.h"
#include "judge/model/verdict.h"
#include "sandbox/sandbox.h"

// One run of the kernel at one size on one device, judged.
struct case_result {
    struct size size;
    enum inputs_kind inputs;
    enum device_kind device;
    enum verdict verdict;
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

#endif
