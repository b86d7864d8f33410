// An expected.c as the judge calls it: one function with the parameters of an exercise.
#ifndef JUDGE_EXPECTED_FUNCTION_H
#define JUDGE_EXPECTED_FUNCTION_H

#include <stdbool.h>

#include "base/limits.h"
#include "include/expected/wire.h"

enum expected_kind { EXPECTED_ARRAY, EXPECTED_SIZE, EXPECTED_SCALAR };

struct expected_parameter {
    char name[ARRAY_NAME_MAX];
    enum expected_kind kind;
    enum expected_type type;            // of a size: EXPECTED_INT32
    enum expected_direction direction;  // of an array
};

struct expected_function {
    char name[NAME_BYTES_MAX];
    char path[PATH_BYTES_MAX];  // "lessons/200_transpose/expected.c", for messages
    int count;
    struct expected_parameter parameter[EXPECTED_ARRAYS_MAX];
};

// The name of an element's type in CUDA C: "float", "unsigned char" …
const char *expected_type_name(enum expected_type type);

#endif
