// Were A and B read at other places?  Each hypothesis is a pair of index formulas; the sum that
// they give is compared with what the elements hold.
#include "base/array.h"
#include "base/translate.h"
#include "judge/explain/evidence.h"
#include "judge/explain/finding_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An index formula, row * stride + column.  Letters: i j k, 0, t for k modulo the tile, and for a
// tile with row and column exchanged p q (in A) and r s (in B).
struct formula {
    char row;
    int8_t row_shift;
    char stride;  // M N K
    char column;
    int8_t column_shift;
    bool bounded;  // outside of the matrix it gives 0 instead of the neighbour in memory
    const char *note;
};

// The first of each table is the right one.  Where two give the same numbers the earlier one is
// named.
static const struct formula formulas_of_a[] = {
    {'i', 0, 'K', 'k', 0, false, ""},
    {'k', 0, 'K', 'i', 0, false, N_("Row and column of A are exchanged.")},
    {'k', 0, 'M', 'i', 0, false, N_("A is read column by column; it is stored row by row.")},
    {'i', 0, 'N', 'k', 0, false, N_("A row of A has K elements, not N.")},
    {'i', 0, 'M', 'k', 0, false, N_("A row of A has K elements, not M.")},
    {'j', 0, 'K', 'k', 0, false, N_("The column of C is used as the row of A.")},
    {'i', 1, 'K', 'k', 0, false, N_("The row of A is one too far.")},
    {'i', -1, 'K', 'k', 0, false, N_("The row of A is one too low.")},
    {'i', 0, 'K', 'k', 1, false, N_("A is read one element too far.")},
    {'i', 0, 'K', 'k', -1, false, N_("A is read one element too early.")},
    {'i', 0, 'K', 'k', 1, true, N_("The k of A is one ahead of that of B.")},
    {'i', 0, 'K', 'k', -1, true, N_("The k of A is one behind that of B.")},
    {'0', 0, 'K', 'k', 0, false, N_("A is always read from its first row.")},
    {'i', 0, 'K', '0', 0, false, N_("A is always read from its first column.")},
    {'i', 0, 'K', 't', 0, false, N_("A is always read from its first tile.")},
    {'p', 0, 'K', 'q', 0, true, N_("In the tiles of A row and column are exchanged.")},
};
static const struct formula formulas_of_b[] = {
    {'k', 0, 'N', 'j', 0, false, ""},
    {'j', 0, 'N', 'k', 0, false, N_("Row and column of B are exchanged.")},
    {'j', 0, 'K', 'k', 0, false, N_("B is read column by column; it is stored row by row.")},
    {'k', 0, 'K', 'j', 0, false, N_("A row of B has N elements, not K.")},
    {'k', 0, 'M', 'j', 0, false, N_("A row of B has N elements, not M.")},
    {'k', 0, 'N', 'i', 0, false, N_("The row of C is used as the column of B.")},
    {'k', 0, 'N', 'j', 1, false, N_("The column of B is one too far.")},
    {'k', 0, 'N', 'j', -1, false, N_("The column of B is one too low.")},
    {'k', 0, 'N', 'j', 1, true, N_("The column of B is one too far.")},
    {'k', 0, 'N', 'j', -1, true, N_("The column of B is one too low.")},
    {'0', 0, 'N', 'j', 0, false, N_("B is always read from its first row.")},
    {'k', 0, 'N', '0', 0, false, N_("B is always read from its first column.")},
    {'t', 0, 'N', 'j', 0, false, N_("B is always read from its first tile.")},
    {'r', 0, 'N', 's', 0, true, N_("In the tiles of B row and column are exchanged.")},
};
static const int32_t tiles[] = {8, 16, 32, 64};

#define EXACT_MAX 16777216.0  // 2^24: sums of magnitudes below it are exact in fp32
struct hypothesis {
    const struct formula *a, *b;
    int32_t tile;  // 0: no formula has a t
};

static bool needs_tile(const struct formula *formula) {
    return strchr("tpr", formula->row) || strchr("tqs", formula->column);
}

static int64_t letter_value(char letter, const struct element *element, int32_t k, int32_t tile) {
    switch (letter) {
    case 'i':
        return element->row;
    case 'j':
        return element->column;
    case 'k':
        return k;
    case 't':
        return k % tile;
    case 'p':
        return element->row - element->row % tile + k % tile;
    case 'q':
        return k - k % tile + element->row % tile;
    case 'r':
        return k - k % tile + element->column % tile;
    case 's':
        return element->column - element->column % tile + k % tile;
    default:
        return 0;
    }
}

static int32_t dimension(char letter, struct size size) {
    return letter == 'M' ? size.m : letter == 'N' ? size.n : size.k;
}

// The factor that the formula reads; false if it is outside of the allocation.
static bool factor(const struct formula *formula, struct size size, const float *matrix,
                   int32_t rows, int32_t columns, const struct element *element, int32_t k,
                   int32_t tile, float *ret_value) {
    int64_t row = letter_value(formula->row, element, k, tile) + formula->row_shift;
    int64_t column = letter_value(formula->column, element, k, tile) + formula->column_shift;
    if (formula->bounded && (row < 0 || row >= rows || column < 0 || column >= columns)) {
        *ret_value = 0.0f;
        return true;
    }
    int64_t index = row * dimension(formula->stride, size) + column;
    if (index < 0 || index >= (int64_t)rows * columns) {
        return false;
    }
    *ret_value = matrix[index];
    return true;
}

// What an element holds by a hypothesis: wrong pairs of factors may have sums that fp32 must round.
struct prediction {
    double sum, tolerance;
};

// False if the hypothesis reads outside for this element.
static bool predict(const struct evidence *evidence, struct hypothesis hypothesis,
                    const struct element *element, struct prediction *ret_prediction) {
    struct size size = evidence->size;
    int32_t terms = size.k;
    double sum = 0;  // exact: below 2^53
    double magnitude = 0;
    if (hypothesis.tile > 0 && needs_tile(hypothesis.a) && needs_tile(hypothesis.b)) {
        // the last tile is whole too
        terms = (size.k + hypothesis.tile - 1) / hypothesis.tile * hypothesis.tile;
    }
    for (int32_t k = 0; k < terms; k++) {
        float a = 0.0f;
        float b = 0.0f;
        if (!factor(hypothesis.a, size, evidence->a, size.m, size.k, element, k, hypothesis.tile,
                    &a) ||
            !factor(hypothesis.b, size, evidence->b, size.k, size.n, element, k, hypothesis.tile,
                    &b)) {
            return false;
        }
        sum += (double)a * (double)b;
        magnitude += fabs((double)a * (double)b);
    }
    ret_prediction->sum = sum;
    ret_prediction->tolerance = magnitude < EXACT_MAX ? 0 : terms * magnitude / EXACT_MAX;
    return true;
}

// True if every element that the hypothesis can predict holds the prediction, wrong or right.
static bool hypothesis_fits(const struct evidence *evidence, struct hypothesis hypothesis,
                            uint64_t rivals) {
    struct prediction prediction = {0, 0};
    int predicted = 0;
    for (int w = 0; w < evidence->wrong.count; w++) {
        const struct element *element = &evidence->wrong.list[w];
        if (predict(evidence, hypothesis, element, &prediction)) {
            if (!(fabs((double)element->got - prediction.sum) <= prediction.tolerance)) {
                return false;
            }
            predicted++;
        }
    }
    if (2 * predicted < evidence->wrong.count || !evidence_is_enough(evidence, predicted, rivals)) {
        return false;
    }
    for (int r = 0; r < evidence->right.count; r++) {
        const struct element *element = &evidence->right.list[r];
        if (predict(evidence, hypothesis, element, &prediction) &&
            !(fabs((double)element->got - prediction.sum) <= prediction.tolerance)) {
            return false;
        }
    }
    return true;
}

static void index_text(char letter, int shift, int32_t tile, char *text, size_t text_bytes) {
    if (letter == 't') {
        (void)snprintf(text, text_bytes, "k %% %d", tile);
    } else if (shift != 0) {
        (void)snprintf(text, text_bytes, "%c %c %d", letter, shift > 0 ? '+' : '-', abs(shift));
    } else {
        (void)snprintf(text, text_bytes, "%c", letter);
    }
}

// "A[i][k + 1]", or "A[i * N + k]" where the row length is not that of the matrix.
static void formula_text(char matrix, char own_stride, const struct formula *formula, int32_t tile,
                         char *text, size_t text_bytes) {
    char row[24];
    char column[24];
    index_text(formula->row, formula->row_shift, tile, row, sizeof row);
    index_text(formula->column, formula->column_shift, tile, column, sizeof column);
    if (formula->stride == own_stride) {
        (void)snprintf(text, text_bytes, "%c[%s][%s]", matrix, row, column);
    } else {
        (void)snprintf(text, text_bytes, "%c[%s * %c + %s]", matrix, row, formula->stride, column);
    }
}

static void hypothesis_text(struct hypothesis hypothesis, char *text, size_t text_bytes) {
    char a[64];
    char b[64];
    formula_text('A', 'K', hypothesis.a, hypothesis.tile, a, sizeof a);
    formula_text('B', 'N', hypothesis.b, hypothesis.tile, b, sizeof b);
    text[0] = '\0';
    words_sentence(text, text_bytes, "%s", _(hypothesis.a->note));
    words_sentence(text, text_bytes, "%s", _(hypothesis.b->note));
    if (hypothesis.a->row != 'p' && hypothesis.b->row != 'r') {  // a formula says less than words
        words_sentence(text, text_bytes, "C[i][j] is the sum over k of %s * %s.", a, b);
    }
}

static bool pair_explains(const struct evidence *evidence, const struct formula *a,
                          const struct formula *b, uint64_t rivals, char *text, size_t text_bytes) {
    bool by_tiles = needs_tile(a) || needs_tile(b);
    for (int t = 0; t < (by_tiles ? (int)COUNT(tiles) : 1); t++) {
        struct hypothesis hypothesis = {.a = a, .b = b, .tile = by_tiles ? tiles[t] : 0};
        if (hypothesis_fits(evidence, hypothesis, rivals)) {
            hypothesis_text(hypothesis, text, text_bytes);
            return true;
        }
    }
    return false;
}

// One of A and B read at another place.  *ret_rivals: a formula of A and one of B both fit, as they
// do where a size is 1; then neither is reported.
static bool single_explains(const struct evidence *evidence, char *text, size_t text_bytes,
                            bool *ret_rivals) {
    const uint64_t singles = (int)COUNT(formulas_of_a) + (int)COUNT(formulas_of_b);
    char rival[256];
    bool by_a = false;
    bool by_b = false;
    for (int f = 1; f < (int)COUNT(formulas_of_a) && !by_a; f++) {
        by_a = pair_explains(evidence, &formulas_of_a[f], &formulas_of_b[0], singles, text,
                             text_bytes);
    }
    for (int f = 1; f < (int)COUNT(formulas_of_b) && !by_b; f++) {
        by_b = pair_explains(evidence, &formulas_of_a[0], &formulas_of_b[f], singles,
                             by_a ? rival : text, by_a ? sizeof rival : text_bytes);
    }
    *ret_rivals = by_a && by_b;
    return by_a != by_b;
}

bool explain_by_factors(const struct evidence *evidence, char *text, size_t text_bytes) {
    const uint64_t pairs = (int)COUNT(formulas_of_a) * (int)COUNT(formulas_of_b);
    bool rivals = false;
    if (single_explains(evidence, text, text_bytes, &rivals) || rivals) {
        return !rivals;
    }
    for (int f = 1; f < (int)COUNT(formulas_of_a); f++) {
        for (int g = 1; g < (int)COUNT(formulas_of_b); g++) {
            if (pair_explains(evidence, &formulas_of_a[f], &formulas_of_b[g], pairs, text,
                              text_bytes)) {
                return true;
            }
        }
    }
    return false;
}
