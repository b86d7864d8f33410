// The findings of the judge, which reports are made from: drawings, speed, answers to questions,
// and the judgement that contains them all.
#ifndef JUDGE_MODEL_JUDGEMENT_H
#define JUDGE_MODEL_JUDGEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "base/size.h"
#include "device/channel/protocol.h"
#include "emu/wire/counts.h"
#include "emu/wire/finding.h"
#include "emu/wire/trace.h"
#include "exercise/exercise.h"
#include "exercise/questions.h"
#include "exercise/signature.h"
#include "judge/model/inputs.h"
#include "judge/model/judged_finding.h"
#include "judge/model/verdict.h"
#include "measure/estimate.h"
#include "measure/stats.h"
#include "sandbox/sandbox.h"

#define WRONG_TILES_MAX 32  // rows and columns of a picture

struct wrong_tiles {
    struct size size;       // the size of the launch; m = 0: there is no picture
    int32_t edge;           // rows and columns of C in a square, a power of 2
    int32_t rows, columns;  // squares in a column and in a row of the picture
    uint64_t wrong;         // elements of C that are not right
    uint32_t count[WRONG_TILES_MAX][WRONG_TILES_MAX];  // wrong elements in each square
};

#define WRONG_CELLS_MAX   1024  // elements of C, if each is explained
#define WRONG_CELLS_DEPTH 64    // terms of a sum, if runs of terms are tried

// The known facts about the value of a wrong element.
enum cell_value {
    CELL_UNKNOWN,  // not yet examined
    CELL_UNWRITTEN,
    CELL_ZERO,
    CELL_NOT_FINITE,
    CELL_PLACE,    // exactly the value of another element: fact is its row and column
    CELL_MISSING,  // the sum without a run of terms: fact is the first and the last k
    CELL_TWICE,    // the sum with a run of terms twice: as above
    CELL_OTHER,
    CELL_COUNT,
};

struct wrong_cell {
    int16_t row, column;
    int16_t fact[2];
    uint8_t held;  // enum cell_value
};

// The values of the wrong elements of a small C.
struct wrong_cells {
    struct size size;  // of the launch; m = 0: there is no picture
    int32_t count;
    struct wrong_cell cell[WRONG_CELLS_MAX];
};

// The accesses of one block at a small size.
struct index_map {
    const struct signature *signature;  // of the exercise; borrowed
    struct size size;
    uint32_t threads[3];  // the shape of a block
    uint32_t blocks[3];   // the shape of the grid
    uint32_t launches;    // launches of the whole product
    uint32_t launch;      // number of this launch, from 0: the one that does most work
    struct trace trace;
    struct shared_array_table shared;  // names and extents of its arrays
};

// The same kernel at whole tiles, in two blocks, and at a size whose last tiles reach beyond C.
#define INDEX_MAPS_MAX 3
struct index_maps {
    struct size tile;  // of a product: rows and columns of C that a block computes, and how far a
                       // phase goes; else 0
    int count;         // at least 1
    struct index_map map[INDEX_MAPS_MAX];
};

// A kind of work.  Each is lower for a better kernel.
enum counted_metric {
    COUNTED_SECTORS,     // 32-byte sectors of global memory
    COUNTED_WAVEFRONTS,  // wavefronts of shared memory
    COUNTED_BYTES,       // bytes of global memory asked for
    COUNTED_BUSIEST,     // wavefronts of the SM that ends last, if requested
    COUNTED_METRIC_COUNT
};

#define SPEED_NOTE_MAX     512
#define CUBLAS_SAMPLES     7  // launches of cuBLAS alone at a size
#define CUBLAS_VERSION_MAX 16
#define CUBLAS_NOTE_MAX    512

// The time that cuBLAS takes for the product of one size.
struct cublas_times {
    int count;  // 0: not known
    double ms[CUBLAS_SAMPLES];
};

// A kernel timed in pairs with cuBLAS.
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
    double ratio;       // reference / student: the median of pairs, or of counted work
    double low, high;   // its interval; counted: low = high = ratio
    int pairs;
    double gflops, reference_gflops;    // 0 when counted
    int64_t points, points_max;         // milli-points
    double *student_ms, *reference_ms;  // raw samples [pairs]; NULL when counted
    struct gpu_state *states;           // the GPU after each launch of the reference [pairs]
    int launches;                       // launches of one sample, whose time is their mean
    int attempts;                       // 1 unless a measurement was in doubt
    char doubt[DOUBT_MAX];              // the reason for the doubt; "" if none
    char note[SPEED_NOTE_MAX];          // a remark about the times; "" if none
    double calibrated_ms;               // the reference alone, before the pairs
    double cublas_gflops;               // 0: not known; not part of a grade
    struct cublas_times cublas;         // cublas_gflops is from these, or from the pairs
    struct cublas_pairs cublas_pairs;
    struct counts counts, reference_counts;
    enum counted_metric metric;        // counted: the kind of work that decided
    uint32_t metric_line;              // the source line with most of it; 0 if not known
    struct estimated_times estimated;  // counted: the times that decided; size.m = 0: the work did
};

// An estimate of a counted kernel's speed on another GPU.  Not part of a grade.
struct kernel_estimate {
    bool made;
    bool has_reference;
    const struct card *card;
    struct size size;
    struct estimate student, reference;
    int registers;  // per thread of the student's kernel; 0: not known
};

// The speed of one exercise.
struct speed_outcome {
    bool complete;  // false: correct, but its speed could not be measured here
    bool compared;  // with the reference, or with its numbers in a handout
    bool withheld;  // not judged; its points stay open; the detail says why
    int count;
    struct speed_result *list;                // owned; room for every size of the exercise
    char cublas_version[CUBLAS_VERSION_MAX];  // "13.0.2"; "" if nothing is known about it
    char cublas_note[CUBLAS_NOTE_MAX];        // why nothing is known; "" if not searched for
    struct kernel_estimate estimate;
    bool counted_alone;      // its work was counted, with no reference to compare it with
    struct size alone_size;  // at this size; counts that are in doubt are there too; m = 0: none
    struct counts alone;
};

// The state of the file with the answers.
enum answers_state {
    ANSWERS_NOT_ASKED,
    ANSWERS_MARKED,
    ANSWERS_MISSING,   // nothing was handed in: no points
    ANSWERS_WITHHELD,  // a handout does not have the right answers: points are open
};

// One question that is worth points.
struct answer_result {
    const struct question_page *page;  // borrowed from the course
    int number;                        // in its page, from 1
    char title[TITLE_BYTES_MAX];
    char title_zh[TITLE_BYTES_MAX];  // "": none
    char given[ANSWER_BYTES_MAX];    // "": not answered; for a repaired kernel, its verdict
    int unread_line;                 // of the file, if `given` has not the requested form
    bool right;
    int64_t points, points_max;  // milli-points
};

struct answers_result {
    enum answers_state state;
    char sha256[65];            // of the file as submitted; "" if there is none
    char note[ERROR_TEXT_MAX];  // a sentence about a missing or wrong part; "": none
    int count;
    struct answer_result *list;  // owned
    int fault_count;             // lines of the file that cannot be read; they cost nothing else
    int64_t points, points_max, points_open;
};

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

// The output of a kernel in one launch.
struct shown_output {
    char text[OUTPUT_SHOWN_MAX];  // "" if nothing
    struct size size;             // the size of that launch
};

// The explanation of the verdict.
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
    bool blind;     // right, but no read of some parts of A or B was seen
    bool waits;     // right, but it does not end if its threads and blocks run in another order
    // Milli-points: points given, the maximum, and the part of the maximum that this machine could
    // not decide.
    int64_t points, points_max, points_open;
    struct explanation why;
    struct case_list cases;
    struct finding_list findings;
    struct shown_output output;  // printed by the launch that fails, else by the first
    struct wrong_tiles wrong;    // the wrong places of C, in one of its cases
    struct wrong_cells cells;    // the values of C, at the size that the texts name
    struct index_maps *maps;     // owned; NULL: none
    struct speed_outcome speed;
    struct gpu_use gpu;  // all 0 if it ran on none
};

// The student and the time of a grade: recorded in the result, with no effect on points.
struct judgement_origin {
    const struct assignment *assignment;  // borrowed; NULL: none
    int extension_days_max;               // the longest extension in the class
    const char *student, *job;            // borrowed; NULL: not given
    int64_t graded_at;                    // seconds since 1970, UTC; 0: not given
    int64_t milliseconds;                 // the time that it took
    int64_t cpu_milliseconds;             // processor time of all processors; 0: unknown
};

struct judgement {
    int exercise_count;
    struct exercise_result *exercises;  // [exercise_count]
    struct answers_result answers;
    int64_t points, points_max, points_open;  // of the exercises and the answers
    bool complete;
    bool measured;  // speed was requested
    bool counted;   // speed was judged by counted work, not by time
    bool used_emu, used_gpu;
    char submission_sha256[65];  // over the names and hashes of its files
    const struct card *card;     // the GPU's model; NULL if it is not known
    char device_text[128];       // "emu", or the GPU's name
    char sandbox_text[SANDBOX_TEXT_BYTES];
    char seed_text[SEED_TEXT_BYTES];
    struct judgement_origin origin;  // set by the caller of the judge
};

#endif
