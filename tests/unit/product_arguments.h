// What the kernel of a product is called with, for tests of both devices.
#ifndef TESTS_UNIT_PRODUCT_ARGUMENTS_H
#define TESTS_UNIT_PRODUCT_ARGUMENTS_H

#include "judge/model/inputs.h"

static inline struct arguments product_arguments(int32_t m, int32_t n, int32_t k) {
    return arguments_of(signature_of_matmul(), (struct size){m, n, k}, NULL);
}

#endif
