// An exercise as data: lessons/NNN_name/exercise.ini, and the places of its other files.
//
// The file, for example (a comment is on a line of its own, keys are case-sensitive, an unknown key
// is an error):
//
//   ; whole points (1 point = 1000 milli-points), and how many of them are for speed
//   title = Tiled multiplication
//   points = 40
//   speed_points = 10
//   ; the cases include sizes around multiples of it
//   tile = 16
//   ; optional: the exercise that this one builds on, the type that factors are rounded to (fp32,
//   ; which is the default, tf32 or fp16), the library that kernels are also compared with, for no
//   ; points (only cublas), the number of SMs that share counted work, and the device that its
//   ; kernels need (only gpu)
//   before = naive
//   precision = fp32
//   against = cublas
//   multiprocessors = 132
//   device = gpu
//   ; optional: the student's file has a function of the host, not a kernel
//   kind = program
//   ; optional: not graded but where EX or an assignment names it
//   optional = yes
//   ; not a matmul: its sizes, and then the sections of signature.h; a product has
//   ; none of them
//   sizes = N
//   ; optional: the largest value of any size for which a kernel is run, if [timed] names none
//   largest = 4000000
//   ; optional: what a student has learned who passes, in one sentence
//   learned = The threads of a block share what they load.
//   ; optional: both in Chinese
//   title.zh = 分块的矩阵乘法
//   learned.zh = 一个线程块的线程共用它们加载的数据。
//
//   ; name = size; a product must have `one` (1x1x1) and `ragged` (no multiple of the tile)
//   [cases]
//   one = 1
//   ragged = 67x33x129
//
//   ; on a GPU: size = full zero weight (ratios to the reference; weight 1 by default)
//   [timed]
//   2048 = 0.95 0.30 3
//
//   ; without a GPU: the same for ratios of counted work
//   [counted]
//   512 = 0.95 0.30
#ifndef EXERCISE_EXERCISE_H
#define EXERCISE_EXERCISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/size.h"
#include "exercise/ini_file.h"
#include "exercise/signature.h"

#define LEARNED_BYTES_MAX  180  // with the final NUL; limited by the line length of an ini file
#define FOLDER_DIGITS_MAX  3    // of a lesson's number; older courses have two
#define KERNEL_BYTES_MAX   (NAME_BYTES_MAX + 16)  // of a kernel's name, with the final NUL
#define EXERCISE_TIMED_MAX 16
#define EXERCISE_CASES_MAX 96  // leaves room in CASES_MAX for the cases common to all exercises

// Multiply-adds of a case (signature_work).  No device would run a larger one: on a GPU, the
// judge's own check of the product takes most of the time.
#define EXERCISE_CASE_WORK_MAX 100000000ull

struct exercise_case {
    char name[NAME_BYTES_MAX];
    struct size size;
};

// A size at which speed counts, with two ratios to the reference (time or work of the reference /
// the student's).
struct exercise_speed {
    struct size size;
    double full;  // at or above it: all points; at most 0.97
    double zero;  // at or below it: no points
    int weight;   // its share of the speed points, relative to the other sizes
};

// The precision to which factors of a product may be rounded; sums are always fp32.
enum precision { PRECISION_FP32, PRECISION_TF32, PRECISION_FP16, PRECISION_COUNT };
const char *exercise_precision_name(enum precision precision);  // "fp32", "tf32", "fp16"

struct exercise {
    char name[NAME_BYTES_MAX];         // "tiled": the folder without its number
    const char *root;                  // of its course; borrowed
    char lesson[NAME_BYTES_MAX + 16];  // "lessons/020_tiled"
    int number;                        // 20
    char title[TITLE_BYTES_MAX];       // in English
    char title_zh[TITLE_BYTES_MAX];    // "": none
    struct signature signature;        // the parameters of its kernel
    bool is_program;                   // its function is one of the host, which launches kernels
    bool is_optional;                  // skipped unless EX or an assignment names it
    char learned[LEARNED_BYTES_MAX];   // a sentence, shown after a pass; "": none
    char learned_zh[LEARNED_BYTES_MAX];
    int64_t points_max;    // milli-points, correctness and speed together
    int64_t speed_points;  // the part of points_max that is for speed
    int32_t tile;
    int32_t largest;              // of any size, if no row of a section is larger; 0: not given
    char before[NAME_BYTES_MAX];  // the exercise that this one builds on; "": none
    enum precision precision;
    bool needs_gpu;       // its points are open without a GPU; that is not a fault
    bool against_cublas;  // compared in pairs if it is installed, for no points
    int multiprocessors;  // SMs that share counted work; 0: sharing does not count
    int case_count;
    struct exercise_case cases[EXERCISE_CASES_MAX];
    int timed_count;
    struct exercise_speed timed[EXERCISE_TIMED_MAX];
    int counted_count;
    struct exercise_speed counted[EXERCISE_TIMED_MAX];
};

// In the chosen language, or in English if there is no such text.
const char *exercise_title(const struct exercise *exercise);
const char *exercise_learned(const struct exercise *exercise);

// A page of questions whose answers give points.
struct question_page {
    char name[NAME_BYTES_MAX];         // the section in answers.ini: "tiled"
    char folder[NAME_BYTES_MAX + 32];  // of its questions.md: "lessons/020_tiled"
    bool is_bug;                       // the first question is for a line of a kernel
    char exercise[NAME_BYTES_MAX];     // of that kernel; its repair is handed in as NAME.cu
    int64_t points_max;                // milli-points, shared by its questions
};

struct course {
    char root[PATH_BYTES_MAX];  // the folder that holds lessons/, reference/, student/
    bool has_references;        // false: a handout
    int page_count;             // 0 without an assignment
    struct question_page pages[EXERCISES_MAX];
    int exercise_count;
    struct exercise exercises[EXERCISES_MAX];
};

// Reads every lessons/*/exercise.ini below root, in order of number.
// Errors: STATUS_BAD_DATA "lessons/020_tiled/exercise.ini:12: unknown key 'blok'"; none found; two
// with the same name or number.
// Owns: the caller frees *ret_course with course_free.
enum status course_open(const char *root, struct course **ret_course, struct error *err);
void course_free(struct course *course);

// Keeps only the exercises in a list such as "naive,tiled"; numbers and file names are also
// accepted.  For a misspelt name, the closest one is suggested.
// Errors: STATUS_BAD_USAGE with a list of the names.
enum status course_narrow(struct course *course, const char *names, struct error *err);

// Drops the optional exercises, unless there are no others.
void course_leave_optional(struct course *course);

#define NEAR_DISTANCE_MAX 2  // letters that a mistyped name may differ by

// The number of letters to change, add or drop to get from one name to the other.
size_t name_distance(const char *from, const char *to);

// Writes " naive tiled …", as far as there is room.
void course_names(const struct course *course, char *ret_names, size_t bytes);

// Milli-points of all answers.
int64_t course_answer_points(const struct course *course);

// The exercise of that name, or NULL.
const struct exercise *course_find(const struct course *course, const char *name);

// The exercise for a number as people type it, or NULL.  In a course whose folders are numbered in
// tens, 2, 20 and 020 all mean 020_tiled; 005 means 005_vector_add.
const struct exercise *course_numbered(const struct course *course, const char *digits);

// The number of digits at the start of a lesson's folder, such as "020_tiled": 3 or 2; else 0.
size_t exercise_number_digits(const char *folder);
int exercise_digits(const struct exercise *exercise);  // digits in its own folder: the width of a
                                                       // printed number

// The name of its kernel: the exercise's name, after "matmul_" for a product.
void exercise_kernel_name(const struct exercise *exercise, char name[KERNEL_BYTES_MAX]);

// The index of the timed size with the most work; 0 if there is none.
int exercise_largest_timed(const struct exercise *exercise);

// Reads one exercise file; path is used in messages and gives name and number.
enum status exercise_read(const char *path, struct exercise *ret_exercise, struct error *err);

#endif
