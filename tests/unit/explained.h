// A wrong C, made element by element, and what the explanations say about it.
#ifndef TESTS_UNIT_EXPLAINED_H
#define TESTS_UNIT_EXPLAINED_H

#include <stdlib.h>

#include "judge/cause/output_seen.h"
#include "product.h"

#define TEXT_MAX 256

// What a wrong kernel stores in C[i][j].
typedef float (*element_function)(struct matrices *x, int32_t i, int32_t j);

static enum explained explain(struct matrices *x, element_function element, char text[TEXT_MAX]) {
    struct output_seen seen;
    float *want = calloc(size_elements_c(x->size), sizeof *want);
    seen_init(&seen, signature_of_matmul(), x->size, ARRAY_C, x->c);
    seen.input[ARRAY_A] = x->a;
    seen.input[ARRAY_B] = x->b;
    seen.want = want;
    seen.sampled = seen.elements;
    for (uint64_t e = 0; e < seen.elements; e++) {  // some depend on those before them
        int32_t row = (int32_t)(e / seen.width);
        int32_t column = (int32_t)(e % seen.width);
        x->c[e] = element(x, row, column);
        want[e] = terms_sum(x, row, column, 0, x->size.k);
        if (seen_is_wrong(&seen, e)) {
            seen_add(&seen, e);
        }
    }
    enum explained explained = seen_hypotheses(&seen, text, TEXT_MAX);
    free(want);
    return explained;
}

#endif
