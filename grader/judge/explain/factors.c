// Were A and B read at other places?  Each hypothesis is a pair of index formulas; the sum that
// they give is compared with what the elements hold.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "judge/explain/evidence.h"

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

// A note names a cause, so it is given only if nothing else gives the same C.  A row of A or a
// column of B that is too far has none: C may be stored too far instead.
// The first of each table is the right one.  Where two give the same numbers the earlier one is
// named.
static const struct formula formulas_of_a[] = {
    {'i', 0, 'K', 'k', 0, false, ""},
    {'k', 0, 'K', 'i', 0, false, N_("Row and column of A are exchanged.")},
    {'k', 0, 'M', 'i', 0, false, N_("A is read column by column; it is stored row by row.")},
    {'i', 0, 'N', 'k', 0, false, N_("A row of A has K elements, not N.")},
    {'i', 0, 'M', 'k', 0, false, N_("A row of A has K elements, not M.")},
    {'j', 0, 'K', 'k', 0, false, N_("The column of C is used as the row of A.")},
    {'i', 1, 'K', 'k', 0, false, ""},
    {'i', -1, 'K', 'k', 0, false, ""},
    {'i', 0, 'K', 'k', 1, false, N_("A is read one element too far.")},
    {'i', 0, 'K', 'k', -1, false, N_("A is read one element too early.")},
    {'i', 0, 'K', 'k', 1, true, N_("The k of A is one ahead of that of B.")},
    {'i', 0, 'K', 'k', -1, true, N_("The k of A is one behind that of B.")},
    {'0', 0, 'K', 'k', 0, false, ""},
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
    {'k', 0, 'N', 'j', 1, false, ""},
    {'k', 0, 'N', 'j', -1, false, ""},
    {'k', 0, 'N', 'j', 1, true, ""},
    {'k', 0, 'N', 'j', -1, true, ""},
    {'0', 0, 'N', 'j', 0, false, N_("B is always read from its first row.")},
    {'k', 0, 'N', '0', 0, false, ""},
    {'t', 0, 'N', 'j', 0, false, N_("B is always read from its first tile.")},
    {'r', 0, 'N', 's', 0, true, N_("In the tiles of B row and column are exchanged.")},
};
static const int32_t factor_tiles[] = {8, 16, 32, 64};

#define FACTORS_WORK_MAX                                                                           \
    (200ull * 1000 * 1000)    // multiply-adds: a second or two for each that may fit
#define EXACT_MAX 16777216.0  // 2^24: sums of magnitudes below it are exact in fp32
struct factor_hypothesis {
    const struct formula *a, *b;
    int32_t tile;  // 0: no formula has a t
};

static bool needs_tile(const struct formula *formula) {
    return strchr("tpr", formula->row) || strchr("tqs", formula->column);
}

static int64_t letter_value(char letter, const struct matmul_element *element, int32_t k,
                            int32_t tile) {
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

// The factor that the formula reads; 0 outside of the allocation.  An access there is a finding of
// its own, so here a condition has kept the kernel from it.  *ret_doubt is set where a shift leads
// there: what the kernel takes instead may be small.
static float factor(const struct formula *formula, struct size size, const float *matrix,
                    int32_t rows, int32_t columns, const struct matmul_element *element, int32_t k,
                    int32_t tile, bool *ret_doubt) {
    int64_t row = letter_value(formula->row, element, k, tile) + formula->row_shift;
    int64_t column = letter_value(formula->column, element, k, tile) + formula->column_shift;
    int64_t index = row * evidence_dimension(size, formula->stride) + column;
    if (index < 0 || index >= (int64_t)rows * columns ||
        (formula->bounded && (row < 0 || row >= rows || column < 0 || column >= columns))) {
        *ret_doubt |= formula->row_shift != 0 || formula->column_shift != 0;
        return 0.0f;
    }
    return matrix[index];
}

// True if the element holds the sum that the hypothesis gives.  Wrong pairs of factors may have
// sums that fp32 must round.
static bool hypothesis_holds(const struct evidence *evidence, const struct matmul_element *element,
                             const void *context) {
    const struct factor_hypothesis *hypothesis = context;
    struct size size = evidence->size;
    int32_t terms = size.k;
    int32_t tile = hypothesis->tile;
    double sum = 0;  // exact: below 2^53
    double magnitude = 0;
    bool doubt = false;
    if (tile > 0 && needs_tile(hypothesis->a) && needs_tile(hypothesis->b)) {
        terms = (size.k + tile - 1) / tile * tile;  // the last tile is whole too
    }
    for (int32_t k = 0; k < terms; k++) {
        double a =
            factor(hypothesis->a, size, evidence->a, size.m, size.k, element, k, tile, &doubt);
        double b =
            factor(hypothesis->b, size, evidence->b, size.k, size.n, element, k, tile, &doubt);
        sum += a * b;
        magnitude += fabs(a * b);
    }
    double tolerance = magnitude < EXACT_MAX ? 0 : terms * magnitude / EXACT_MAX;
    return fabs((double)element->got - sum) <= tolerance && !(doubt && tolerance > 0);
}

// True if every element of C, wrong or right, holds what the hypothesis gives.
static bool hypothesis_fits(const struct evidence *evidence, struct factor_hypothesis hypothesis,
                            uint64_t rivals) {
    return evidence_is_enough(evidence, evidence->wrong.count, rivals) &&
           evidence_all_wrong(evidence, hypothesis_holds, &hypothesis) &&
           evidence_all_right(evidence, hypothesis_holds, &hypothesis);
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

// Nothing without notes, where only a note has words for the tiles.
static void hypothesis_text(struct factor_hypothesis hypothesis, bool notes, char *text,
                            size_t text_bytes) {
    char a[64];
    char b[64];
    formula_text('A', 'K', hypothesis.a, hypothesis.tile, a, sizeof a);
    formula_text('B', 'N', hypothesis.b, hypothesis.tile, b, sizeof b);
    text[0] = '\0';
    if (notes) {
        words_sentence(text, text_bytes, "%s", hypothesis.a->note);
        words_sentence(text, text_bytes, "%s", hypothesis.b->note);
    }
    if (hypothesis.a->row != 'p' && hypothesis.b->row != 'r') {  // a formula says less than words
        words_sentence(text, text_bytes, "C[i][j] is the sum over k of %s * %s.", a, b);
    }
}

// What fits: the first hypothesis, whether others say something else of C, and whether one has a
// row length that this size does not tell from others.
struct factors_found {
    struct factor_hypothesis hypothesis;
    bool any, several, untold;
};

// True if the two have one note, or both exchange row and column, in all of the matrix or in a tile
// that holds all of it.
static bool notes_agree(const struct formula *one, const struct formula *other,
                        const char *exchanged) {
    return strcmp(one->note, other->note) == 0 ||
           (strchr(exchanged, one->row) && strchr(exchanged, other->row));
}

static bool says_same(struct factor_hypothesis one, struct factor_hypothesis other) {
    return notes_agree(one.a, other.a, "kp") && notes_agree(one.b, other.b, "jr");
}

static bool is_told(struct factor_hypothesis hypothesis, struct size size) {
    return (hypothesis.a->stride == 'K' || evidence_names(size, hypothesis.a->stride)) &&
           (hypothesis.b->stride == 'N' || evidence_names(size, hypothesis.b->stride));
}

// Tries formula f of A with formula g of B.
static void pair_try(const struct evidence *evidence, int f, int g, uint64_t rivals,
                     struct factors_found *found) {
    const struct formula *a = &formulas_of_a[f];
    const struct formula *b = &formulas_of_b[g];
    bool by_tiles = needs_tile(a) || needs_tile(b);
    for (int t = 0; t < (by_tiles ? (int)COUNT(factor_tiles) : 1); t++) {
        struct factor_hypothesis hypothesis = {
            .a = a, .b = b, .tile = by_tiles ? factor_tiles[t] : 0};
        if (hypothesis_fits(evidence, hypothesis, rivals)) {
            found->several |= found->any && !says_same(found->hypothesis, hypothesis);
            found->untold |= !is_told(hypothesis, evidence->size) &&
                             !(found->any && says_same(found->hypothesis, hypothesis));
            found->hypothesis = found->any ? found->hypothesis : hypothesis;
            found->any = true;
            return;
        }
    }
}

static bool reads_part(const struct factor_hypothesis *hypothesis) {
    const struct formula *formula[] = {hypothesis->a, hypothesis->b};
    bool part = false;
    for (size_t i = 0; i < COUNT(formula); i++) {
        part |= strchr("0t", formula[i]->row) || strchr("0t", formula[i]->column);
    }
    return part;
}

enum explained explain_by_factors(const struct evidence *evidence, bool rivals, char *text,
                                  size_t text_bytes) {
    const int count_a = (int)COUNT(formulas_of_a);
    const int count_b = (int)COUNT(formulas_of_b);
    struct factors_found of_a = {.any = false};
    struct factors_found of_b = {.any = false};
    struct factors_found of_both = {.any = false};
    if (size_multiply_adds(evidence->size) > FACTORS_WORK_MAX) {
        return EXPLAINED_NOTHING;
    }
    for (int f = 1; f < count_a; f++) {
        pair_try(evidence, f, 0, (uint64_t)(count_a + count_b), &of_a);
    }
    for (int g = 1; g < count_b; g++) {
        pair_try(evidence, 0, g, (uint64_t)(count_a + count_b), &of_b);
    }
    if (of_a.any && of_b.any) {
        return EXPLAINED_NOTHING;  // as where a size is 1: neither is reported
    }
    const struct factors_found *found = of_a.any ? &of_a : of_b.any ? &of_b : &of_both;
    if (found == &of_both) {
        for (int f = 1; f < count_a; f++) {
            for (int g = 1; g < count_b; g++) {
                pair_try(evidence, f, g, (uint64_t)count_a * (uint64_t)count_b, &of_both);
            }
        }
    }
    if (!found->any || found->untold) {
        return EXPLAINED_NOTHING;
    }
    // Several causes that give this C: the formula is true of it, and no cause is.
    hypothesis_text(found->hypothesis, !rivals && !found->several, text, text_bytes);
    return text[0] == '\0'                  ? EXPLAINED_NOTHING
           : reads_part(&found->hypothesis) ? EXPLAINED_PART
                                            : EXPLAINED_PLACES;
}
