// Collects elements without knowing how many will come.
#include "judge/explain/evidence.h"

#include <math.h>
#include <string.h>

#define BITS_OF_A_TERM 11
#define BITS_OF_SAFETY 6

static void list_add(struct element_list *list, struct element element) {
    if (list->added % list->step == 0) {
        if (list->count == EVIDENCE_MAX) {
            for (int i = 0; i < EVIDENCE_MAX / 2; i++) {
                list->list[i] = list->list[2 * i];
            }
            list->count = EVIDENCE_MAX / 2;
            list->step *= 2;
        }
        if (list->added % list->step == 0) {
            list->list[list->count++] = element;
        }
    }
    list->added++;
}

void evidence_init(struct evidence *evidence, struct size size, const float *a, const float *b,
                   const float *c) {
    memset(evidence, 0, sizeof *evidence);
    evidence->size = size;
    evidence->a = a;
    evidence->b = b;
    evidence->c = c;
    evidence->wrong.step = 1;
    evidence->right.step = 1;
}

void evidence_add(struct evidence *evidence, int32_t row, int32_t column, int64_t want) {
    float got = evidence->c[(size_t)row * (size_t)evidence->size.n + (size_t)column];
    struct element element = {.row = row, .column = column, .got = got, .want = want};
    element.integral = fabsf(got) < 0x1p53f && truncf(got) == got;
    list_add(got == (float)want ? &evidence->right : &evidence->wrong, element);
}

int64_t evidence_want(const struct evidence *evidence, int32_t row, int32_t column) {
    struct size size = evidence->size;
    const float *a = evidence->a + (size_t)row * (size_t)size.k;
    int64_t sum = 0;
    for (int32_t k = 0; k < size.k; k++) {
        sum += (int64_t)(a[k] * evidence->b[(size_t)k * (size_t)size.n + (size_t)column]);
    }
    return sum;
}

bool evidence_is_enough(const struct evidence *evidence, int elements, uint64_t hypotheses) {
    int bits = elements * BITS_OF_A_TERM - BITS_OF_SAFETY;
    return evidence->size.k > 1 && bits >= 0 && (bits >= 63 || hypotheses <= UINT64_C(1) << bits);
}
