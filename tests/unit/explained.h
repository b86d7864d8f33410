// A wrong C, made element by element, and what the explanations say about it.
#ifndef TESTS_UNIT_EXPLAINED_H
#define TESTS_UNIT_EXPLAINED_H

#include <stdlib.h>

#include "judge/cause/matmul_cause.h"
#include "product.h"

#define TEXT_MAX 256

// What a wrong kernel stores in C[i][j].
typedef float (*element_function)(struct matrices *x, int32_t i, int32_t j);

static enum explained explain(struct matrices *x, element_function element, char text[TEXT_MAX]) {
    struct evidence evidence;
    float *want = calloc(size_elements_c(x->size), sizeof *want);
    evidence_init(&evidence, &(struct matmul){x->size, x->a, x->b, x->c}, want,
                  (struct random_key){{7, 11}});
    for (int32_t i = 0; i < x->size.m; i++) {
        for (int32_t j = 0; j < x->size.n; j++) {
            *c_at(x, i, j) = element(x, i, j);  // some elements depend on those before them
        }
    }
    for (int32_t i = 0; i < x->size.m; i++) {
        for (int32_t j = 0; j < x->size.n; j++) {
            float sum = terms_sum(x, i, j, 0, x->size.k);
            want[(size_t)i * (size_t)x->size.n + (size_t)j] = sum;
            evidence_add(&evidence, i, j, (int64_t)sum);
        }
    }
    enum explained explained = explain_evidence(&evidence, text, TEXT_MAX);
    free(want);
    return explained;
}

#endif
