// The findings of the judge: the data that reports are made of.
#ifndef JUDGE_MODEL_JUDGEMENT_H
#define JUDGE_MODEL_JUDGEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "judge/model/answers.h"
#include "judge/model/finding.h"
#include "judge/model/inputs.h"
#include "judge/model/pictures.h"
#include "judge/model/speed.h"
#include "judge/model/verdict.h"
#include "sandbox/sandbox.h"

struct card;
struct exercise;

// One run of the kernel at one size on one device, judged.
struct case_result {
    struct size size;
    enum inputs_kind inputs;
    enum device_kind device;
    enum verdict verdict;
};

struct case_list {
    int count;
    struct case_result list[2 * CASES_MAX];  // the cases of both devices
};

// The time on a GPU that other graders use too.
struct gpu_use {
    double locked_s;  // alone on it
    double waited_s;  // for it
};

// What a kernel printed in one launch.
struct shown_output {
    char text[OUTPUT_SHOWN_MAX];  // "" if nothing
    struct size size;             // the size of that launch
};

// Why the verdict is what it is, in words.
struct explanation {
    char headline[ERROR_TEXT_MAX];  // one sentence for the student
    char detail[ERROR_TEXT_MAX];    // further help: the first wrong element explained, or ""
    char *diagnostics;              // owned: compiler's messages; "" or NULL if none
    struct size repeat_size;        // the smallest size that shows it; m = 0 if none applies
};

struct exercise_result {
    const struct exercise *exercise;
    char file[NAME_BYTES_MAX + 4];  // "tiled.cu", as shown to people
    char sha256[65];                // hash of the submitted bytes; "" if there is no file
    char *source;                   // owned: the submitted text as reports show it; may be NULL
    enum verdict verdict;
    bool complete;  // false: could not be judged on this machine (needs_gpu)
    bool blind;     // right, but the CPU device saw no read of some parts of A or B
    bool waits;     // right, but it does not end if its threads and blocks run in another order
    // Milli-points: given, in all, and the part of all that this machine could not decide.
    int64_t points, points_max, points_open;
    struct explanation why;
    struct case_list cases;
    struct finding_list findings;
    struct shown_output output;  // printed by the launch that fails, else by the first
    struct wrong_tiles wrong;    // where C is not right, in one of its cases
    struct wrong_cells cells;    // what C holds instead, at the size that the texts speak of
    struct index_maps *maps;     // owned; NULL: none
    struct speed_outcome speed;
    struct gpu_use gpu;  // all 0 if it ran on none
};

// Whose grade it is, and when it was given: said in the result, without any effect on points.
struct judgement_origin {
    const struct assignment *assignment;  // borrowed; NULL: none
    int extension_days_max;               // the longest extension in the class
    const char *student, *job;            // borrowed; NULL: not said
    int64_t graded_at;                    // seconds since 1970, UTC; 0: not said
    int64_t milliseconds;                 // the time that it took
    int64_t cpu_milliseconds;             // the same of all processors; 0: not said
};

struct judgement {
    int exercise_count;
    struct exercise_result *exercises;  // [exercise_count]
    struct answers_result answers;
    int64_t points, points_max, points_open;  // of the exercises and the answers
    bool complete;
    bool measured;  // speed was asked for …
    bool counted;   // … and judged by counted work, not by time
    bool used_emu, used_gpu;
    char submission_sha256[65];  // over the names and hashes of its files
    const struct card *card;     // the GPU's model; NULL if it is not known
    char device_text[128];       // "emu", or the GPU's name
    char sandbox_text[SANDBOX_TEXT_BYTES];
    char seed_text[SEED_TEXT_BYTES];
    struct judgement_origin origin;  // set by the caller of the judge
};

#endif
