// Expressions with + - * / in their usual order, parentheses, names and numbers.  Expressions of
// whole numbers use the sizes of a launch, "2*R+1", "(H-2)*(W-2)", "N/256"; expressions of real
// numbers use the counters of a kernel, "shared_load_wavefronts / products".
//
// The parameters of a kernel in order, with types and with shapes in the sizes of a launch, as
// exercise.ini declares them:
//
//   sizes = H W
//
//   [parameters]
//   image = in float [H][W]
//   filter = constant float [3][3]
//   out = out float [H-2][W-2]
//   H = int
//   W = int
//   alpha = float 0.5
//
//   [inputs]
//   image = -1..1            ; or in sizes: 0..W-1
//
//   [work]
//   flop = 2*9*(H-2)*(W-2)
//   bytes = 4*(H*W + (H-2)*(W-2))
//
// A file without [parameters] is a product, with the fixed signature A, B, C, M, N, K.
#ifndef EXERCISE_SIGNATURE_H
#define EXERCISE_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/limits.h"
#include "base/size.h"
#include "exercise/ini_file.h"

#define EXPRESSION_NAME_BYTES 64  // of a name in it, with the final NUL

enum expression_kind { EXPRESSION_WHOLE, EXPRESSION_REAL };

// The reason why an expression has no value.
enum expression_fault {
    EXPRESSION_FINE,
    EXPRESSION_SYNTAX,
    EXPRESSION_NAME,      // that has no number
    EXPRESSION_DIVISION,  // by zero
    EXPRESSION_LARGE      // beyond 64 bits, not finite, or too many parentheses
};

// Returns the number for this name; false if there is none.
typedef bool expression_number(const void *context, const char *name, double *ret_number);

// Evaluates text.  / of whole numbers rounds towards 0.  *ret_at is the place of the fault; ret_at
// may be NULL.
enum expression_fault expression_value(const char *text, enum expression_kind kind,
                                       expression_number *number, const void *context,
                                       double *ret_value, const char **ret_at);

#define PARAMETERS_MAX       ARGUMENTS_MAX
#define PARAMETER_NAME_BYTES 32  // with the final NUL
#define PARAMETER_RANK_MAX   3
#define SCALAR_FLOATS_MAX    8  // numbers by value: as many as fit in registers on the CPU
#define EXPRESSION_BYTES     64
#define SIGNATURE_TEXT_BYTES 1024
#define SIGNATURE_BYTES_MAX  (UINT64_C(2) << 30)  // all arrays of one launch together

// X(enumerator, name in exercise.ini, name in C++, bytes, mangled name, significant bits or 0).
// Real types come first, in the order of expected/wire.h.
#define ELEMENTS(X)                                                                                \
    X(ELEMENT_FLOAT, "float", "float", 4, "f", 24)                                                 \
    X(ELEMENT_DOUBLE, "double", "double", 8, "d", 53)                                              \
    X(ELEMENT_HALF, "half", "__half", 2, "6__half", 11)                                            \
    X(ELEMENT_BF16, "bf16", "__nv_bfloat16", 2, "13__nv_bfloat16", 8)                              \
    X(ELEMENT_INT8, "int8", "int8_t", 1, "a", 0)                                                   \
    X(ELEMENT_INT16, "int16", "int16_t", 2, "s", 0)                                                \
    X(ELEMENT_INT32, "int32", "int", 4, "i", 0)                                                    \
    X(ELEMENT_INT64, "int64", "int64_t", 8, "l", 0)                                                \
    X(ELEMENT_UINT8, "uint8", "uint8_t", 1, "h", 0)                                                \
    X(ELEMENT_UINT16, "uint16", "uint16_t", 2, "t", 0)                                             \
    X(ELEMENT_UINT32, "uint32", "uint32_t", 4, "j", 0)                                             \
    X(ELEMENT_UINT64, "uint64", "uint64_t", 8, "m", 0)
#define ELEMENT_ENUMERATOR(enumerator, name, c_name, bytes, mangled, digits) enumerator,
enum element_type { ELEMENTS(ELEMENT_ENUMERATOR) ELEMENT_COUNT };
#undef ELEMENT_ENUMERATOR

const char *element_name(enum element_type element);     // "uint8"
const char *element_c_name(enum element_type element);   // "uint8_t"
const char *element_mangled(enum element_type element);  // "h"
size_t element_bytes(enum element_type element);
int element_digits(enum element_type element);     // 24 of float; 0 of whole numbers
bool element_is_real(enum element_type element);   // float, double, half or bf16
bool element_is_small(enum element_type element);  // half or bf16
bool element_holds(enum element_type element, double value);

enum parameter_kind {
    PARAMETER_ARRAY,
    PARAMETER_CONSTANT,  // not an argument: an array that the kernel file declares __constant__
    PARAMETER_SIZE,      // one of the sizes, by value, an int
    PARAMETER_SCALAR     // a number with the same value in every launch
};
enum parameter_role { ROLE_IN, ROLE_OUT, ROLE_INOUT };

// The way to draw an input.
enum draw_order {
    DRAW_ANY,
    DRAW_SORTED,
    DRAW_PERMUTATION,
    DRAW_ALIKE  // with real inputs all elements are equal; otherwise any
};
#define DRAW_RANGES_MAX 4  // of one array

struct draw {
    double low, high;  // inclusive; for a permutation: 0 to its elements - 1
    enum draw_order order;
    int more_count;  // further ranges of reals, which real cases take in turn
    struct draw_range {
        double low, high;
    } more[DRAW_RANGES_MAX - 1];
    bool is_usual;  // there is no line in [inputs]: a kernel must be right for any values
};

struct parameter {
    char name[PARAMETER_NAME_BYTES];
    enum parameter_kind kind;
    enum element_type element;
    enum parameter_role role;  // of an array
    int rank;                  // of an array: dimensions, 1 to PARAMETER_RANK_MAX
    char extent[PARAMETER_RANK_MAX][EXPRESSION_BYTES];   // outermost first
    int size;                                            // of PARAMETER_SIZE: number of the size
    double value;                                        // of PARAMETER_SCALAR
    struct draw draw;                                    // of an input: see parameter_draw
    char low[EXPRESSION_BYTES], high[EXPRESSION_BYTES];  // ends of its range in sizes, or ""
};

struct signature {
    bool is_matmul;
    int size_count;
    char size_name[SIZE_RANK_MAX][PARAMETER_NAME_BYTES];
    int parameter_count;  // includes parameters that are not kernel arguments
    struct parameter parameter[PARAMETERS_MAX];
    char flop[EXPRESSION_BYTES];   // "": not stated
    char bytes[EXPRESSION_BYTES];  // the minimum traffic of the operation
};

// The signature of a product: const float *A, const float *B, float *C, int M, int N, int K.
const struct signature *signature_of_matmul(void);

// True for any product of two matrices, recognised by its arrays: A [M][K] and B [K][N], both of
// float, of half or of bf16, and C [M][N] of float, where M, N and K are its sizes in this order;
// these are
// its only other parameters.
bool signature_multiplies(const struct signature *signature);

// --- Reading ------------------------------------------------------------------------------------
// Each takes one line and returns 0 after ini_fail.

int signature_sizes_read(struct ini *ini, const char *text, struct signature *signature);
int signature_parameter_read(struct ini *ini, const char *name, const char *text,
                             struct signature *signature);
int signature_input_read(struct ini *ini, const char *name, const char *text,
                         struct signature *signature);
int signature_work_read(struct ini *ini, const char *name, const char *text,
                        struct signature *signature);

// Checks for missing parts once all lines are read.  Errors: STATUS_BAD_DATA, after "path:1: ".
enum status signature_check(const struct signature *signature, const char *path, struct error *err);

// --- At a size ----------------------------------------------------------------------------------

// The place of a size in size_name; -1 if there is none of that name.
int signature_size_index(const struct signature *signature, const char *name);

// Evaluates an expression in sizes, like expression_value for whole numbers.
enum expression_fault signature_value(const struct signature *signature, const char *text,
                                      struct size size, double *ret_value, const char **ret_at);

// Reads "67x33x129", or "512", which is the same for all sizes, and checks that every array fits.
// Errors: STATUS_BAD_USAGE with the expected form.
enum status signature_size_parse(const struct signature *signature, const char *text,
                                 struct size *ret_size, struct error *err);

// Converts a typed size to one of this exercise: "512" means 512 for all of its sizes.
// Errors: as above.
enum status signature_size_fit(const struct signature *signature, struct size *size,
                               struct error *err);

// True if every extent is at least 1, all arrays take at most SIGNATURE_BYTES_MAX, and each input
// has values in its range.
bool signature_size_fits(const struct signature *signature, struct size size);

// True for the array parameters, also constant ones.
bool parameter_is_array(const struct parameter *parameter);
bool parameter_is_input(const struct parameter *parameter);   // holds data before the launch
bool parameter_is_output(const struct parameter *parameter);  // the result is judged

// Extent of one dimension; elements and bytes of the whole array. 0 if it is not an array.
uint64_t parameter_extent(const struct signature *signature, const struct parameter *parameter,
                          int dimension, struct size size);
uint64_t parameter_elements(const struct signature *signature, const struct parameter *parameter,
                            struct size size);
uint64_t parameter_bytes(const struct signature *signature, const struct parameter *parameter,
                         struct size size);

// The way to draw an input at a size: `start = 0..E` ends at the value of E.
struct draw parameter_draw(const struct signature *signature, const struct parameter *parameter,
                           struct size size);

// Floating-point operations and bytes of global memory that the operation needs; 0: not stated.
double signature_flop(const struct signature *signature, struct size size);
double signature_bytes(const struct signature *signature, struct size size);

// True if speeds are in FLOP/s and not in GB/s: with all sizes 1024, the operation needs more FLOP
// per byte than a GPU has.
bool signature_is_by_flop(const struct signature *signature);

// The work of a launch, for limits: multiply-adds for a product; else the larger of half the FLOP
// and the elements of all arrays.
uint64_t signature_work(const struct signature *signature, struct size size);

// The offsets of arrays in a block of memory, in bytes from its start; each begins on a page.
struct signature_layout {
    uint64_t at[PARAMETERS_MAX];     // of parameters that are arrays
    uint64_t bytes[PARAMETERS_MAX];  // 0 if it is not an array
    uint64_t total;
};
struct signature_layout signature_layout_of(const struct signature *signature, struct size size);

// --- As text ------------------------------------------------------------------------------------

// "const float *x, float *y, int N": the parameters of the kernel, without constant arrays.
void signature_parameters(const struct signature *signature, char text[SIGNATURE_TEXT_BYTES]);

// "x[1000]" or "image[3][7]" for the element of that index (row-major).
void parameter_place(const struct signature *signature, const struct parameter *parameter,
                     struct size size, uint64_t index, char *text, size_t bytes);

#endif
