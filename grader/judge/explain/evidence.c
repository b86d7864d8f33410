// Samples elements without knowing how many will come, and tests hypotheses against all of them.
#include "judge/explain/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BITS_OF_A_TERM 11
#define BITS_OF_SAFETY 6

static void list_put(struct element_list *list, int at, struct matmul_element element,
                     uint64_t number) {
    list->list[at] = element;
    list->number[at] = number;
}

// Keeps the first element and those with the smallest numbers among the others.
static void list_add(struct element_list *list, struct matmul_element element, uint64_t number) {
    list->added++;
    if (list->count < EVIDENCE_MAX) {
        list_put(list, list->count++, element, number);
        return;
    }
    int largest = 1;
    for (int i = 2; i < EVIDENCE_MAX; i++) {
        largest = list->number[i] > list->number[largest] ? i : largest;
    }
    if (number < list->number[largest]) {
        list_put(list, largest, element, number);
    }
}

void evidence_init(struct evidence *evidence, const struct matmul *matmul, const float *want,
                   struct random_key key) {
    memset(evidence, 0, sizeof *evidence);
    evidence->size = matmul->size;
    evidence->a = matmul->a;
    evidence->b = matmul->b;
    evidence->c = matmul->c;
    evidence->want = want;
    evidence->key = key;
}

static struct matmul_element element_at(const struct evidence *evidence, int32_t row,
                                        int32_t column, int64_t want) {
    float got = evidence->c[(size_t)row * (size_t)evidence->size.n + (size_t)column];
    return (struct matmul_element){.row = row,
                                   .column = column,
                                   .got = got,
                                   .want = want,
                                   .integral = fabsf(got) < 0x1p53f && truncf(got) == got};
}

void evidence_add(struct evidence *evidence, int32_t row, int32_t column, int64_t want) {
    struct matmul_element element = element_at(evidence, row, column, want);
    uint64_t index = (uint64_t)row * (uint64_t)evidence->size.n + (uint64_t)column;
    list_add(element.got == (float)want ? &evidence->right : &evidence->wrong, element,
             random_at(evidence->key, index));
}

int64_t evidence_want(const struct evidence *evidence, int64_t row, int64_t column) {
    return (int64_t)evidence->want[row * evidence->size.n + column];
}

static bool test_all(const struct evidence *evidence, bool wrong, element_test test,
                     const void *hypothesis) {
    const struct element_list *list = wrong ? &evidence->wrong : &evidence->right;
    for (int i = 0; i < list->count; i++) {
        if (!test(evidence, &list->list[i], hypothesis)) {
            return false;
        }
    }
    if (list->added == (uint64_t)list->count) {
        return true;
    }
    for (int32_t row = 0; row < evidence->size.m; row++) {
        for (int32_t column = 0; column < evidence->size.n; column++) {
            struct matmul_element element =
                element_at(evidence, row, column, evidence_want(evidence, row, column));
            if (!(element.got == (float)element.want) == wrong &&
                !test(evidence, &element, hypothesis)) {
                return false;
            }
        }
    }
    return true;
}

bool evidence_all_wrong(const struct evidence *evidence, element_test test,
                        const void *hypothesis) {
    return test_all(evidence, true, test, hypothesis);
}

bool evidence_all_right(const struct evidence *evidence, element_test test,
                        const void *hypothesis) {
    return test_all(evidence, false, test, hypothesis);
}

bool evidence_is_enough(const struct evidence *evidence, int elements, uint64_t hypotheses) {
    int bits = elements * BITS_OF_A_TERM - BITS_OF_SAFETY;
    return evidence->size.k > 1 && bits >= 0 && (bits >= 63 || hypotheses <= UINT64_C(1) << bits);
}

int32_t evidence_dimension(struct size size, char letter) {
    return letter == 'M' ? size.m : letter == 'N' ? size.n : size.k;
}

bool evidence_names(struct size size, char letter) {
    int32_t value = evidence_dimension(size, letter);
    for (const char *other = "MNK"; *other; other++) {
        if (*other != letter && abs(evidence_dimension(size, *other) - value) <= 1) {
            return false;
        }
    }
    return value > 1;
}
