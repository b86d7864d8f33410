// Finds the terms of an element from the launches of a probe: see probed_terms.h.
#include "judge/cause/probed_terms.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/compose.h"
#include "base/memory.h"
#include "judge/cause/output_seen.h"

#define SINGLE_MAX  (TERMS_UNIT / 2)  // largest weight: keeps the parts of a number separate
#define SHOWN_MAX   4                 // terms of a formula
#define FORMULA_MAX 160               // bytes
#define TERM_MAX    64

// weight * A[a] * B[b]; -1: without this factor.
struct term {
    int32_t weight, a, b;
};

struct element_terms {
    int32_t row, column;
    int32_t constant;
    int count;
    struct term *term;  // room for all
};

// The properties that all wrong elements share.
struct pattern {
    bool adds_a, adds_b;  // a single element of A, or of B, is added
    bool multiplies;      // there is a product
    bool wrong_a_row, wrong_b_column;
    bool wrong_k;                      // the column of A is not the row of B
    bool wrong_a_column, wrong_b_row;  // the k of A, or of B, are not 0 to K - 1, once each
    bool lacks;                        // fewer or more terms than K
    bool is_repeated;                  // each element is one product, repeated
    int32_t times;                     // … so often
};

struct terms_reading {
    const struct terms_probe *probe;
    const float *a, *b, *c;
    struct element_terms terms;  // of the element being examined
    uint8_t *seen;               // [2][K]
};

static size_t elements(const struct terms_probe *probe) {
    return size_elements_c(probe->size);
}

// A whole number small enough to be a sum of chosen inputs.
static bool is_exact(float value) {
    return fabsf(value) < 0x1p24f && truncf(value) == value;
}

static struct term term_of(const struct terms_probe *probe, int32_t weight, int32_t this,
                           int32_t other) {
    return probe->is_a ? (struct term){weight, this, other} : (struct term){weight, other, this};
}

static void term_add(struct element_terms *terms, struct term term) {
    if (term.weight != 0) {
        terms->term[terms->count++] = term;
    }
}

// The number that element p of this matrix adds to an element of C; false if that is not one.
static bool sum_with(const struct terms_probe *probe, enum terms_other kind, int p, size_t at,
                     int32_t *ret_sum) {
    float with = probe->one[kind][(size_t)p * elements(probe) + at];
    float without = probe->none[kind][at];
    *ret_sum = is_exact(with) && is_exact(without) ? (int32_t)with - (int32_t)without : 0;
    return is_exact(with) && is_exact(without);
}

// Two whole numbers with this sum and this sum of squares; false if there are none.
static bool pair_find(int32_t sum, int32_t squares, int32_t ret_pair[2]) {
    double difference = sqrt((double)(2 * (int64_t)squares - (int64_t)sum * sum));
    if (!(truncf((float)difference) == (float)difference) || ((int32_t)difference + sum) % 2 != 0) {
        return false;
    }
    ret_pair[0] = (sum - (int32_t)difference) / 2;
    ret_pair[1] = (sum + (int32_t)difference) / 2;
    return ret_pair[0] != ret_pair[1];
}

static bool is_ordinal(const struct terms_probe *probe, int32_t number) {
    return number >= 1 && number <= probe->other_count;
}

// The terms with element p of this matrix.  False if they are not one single element and up to two
// products.
static bool terms_with(const struct terms_probe *probe, int p, size_t at,
                       struct element_terms *terms) {
    int32_t sum = 0;
    int32_t number = 0;
    int32_t squares = 0;
    int32_t pair[2];
    if (!sum_with(probe, TERMS_UNITS, p, at, &sum) ||
        !sum_with(probe, TERMS_ORDINALS, p, at, &number) ||
        !sum_with(probe, TERMS_SQUARES, p, at, &squares)) {
        return false;
    }
    int32_t weight = (sum + (sum < 0 ? -SINGLE_MAX : SINGLE_MAX)) / TERMS_UNIT;
    int32_t single = sum - weight * TERMS_UNIT;
    number -= single;
    squares -= single;
    term_add(terms, term_of(probe, single, p, -1));
    if (weight == 0) {
        return number == 0 && squares == 0;
    }
    int32_t one = number / weight;
    if (number == one * weight && squares == one * number && is_ordinal(probe, one)) {
        term_add(terms, term_of(probe, weight, p, one - 1));
        return true;
    }
    if (weight != 2 || !pair_find(number, squares, pair) || !is_ordinal(probe, pair[0]) ||
        !is_ordinal(probe, pair[1])) {
        return false;
    }
    term_add(terms, term_of(probe, 1, p, pair[0] - 1));
    term_add(terms, term_of(probe, 1, p, pair[1] - 1));
    return true;
}

// By the element of A, then of B; terms without one come last.
static int term_compare(const void *left, const void *right) {
    const struct term *x = left;
    const struct term *y = right;
    uint32_t x_number = (uint32_t)(x->a != y->a ? x->a : x->b);
    uint32_t y_number = (uint32_t)(x->a != y->a ? y->a : y->b);
    return (x_number > y_number) - (x_number < y_number);
}

// False if the element is not a sum of products and single elements.
static bool terms_read(struct terms_reading *reading, size_t at) {
    const struct terms_probe *probe = reading->probe;
    struct element_terms *terms = &reading->terms;
    terms->row = (int32_t)(at / (size_t)probe->size.n);
    terms->column = (int32_t)(at % (size_t)probe->size.n);
    terms->count = 0;
    if (!is_exact(probe->zero[at])) {
        return false;
    }
    terms->constant = (int32_t)probe->zero[at];
    for (int p = 0; p < probe->count; p++) {
        if (!terms_with(probe, p, at, terms)) {
            return false;
        }
    }
    for (int q = 0; q < probe->other_count && probe->other_one; q++) {
        float value = probe->other_one[(size_t)q * elements(probe) + at];
        if (!is_exact(value)) {
            return false;
        }
        term_add(terms, term_of(probe, (int32_t)value - terms->constant, -1, q));
    }
    qsort(terms->term, (size_t)terms->count, sizeof *terms->term, term_compare);
    return true;
}

// Do the terms give what the kernel computed?
static bool terms_give(const struct terms_reading *reading, float got) {
    const struct element_terms *terms = &reading->terms;
    double sum = terms->constant;
    for (int t = 0; t < terms->count; t++) {
        const struct term *term = &terms->term[t];
        sum += (double)term->weight * (term->a < 0 ? 1.0 : (double)reading->a[term->a]) *
               (term->b < 0 ? 1.0 : (double)reading->b[term->b]);
    }
    return sum == (double)got;
}

static double want_of(const struct terms_reading *reading, int32_t row, int32_t column) {
    struct size size = reading->probe->size;
    double sum = 0;
    for (int32_t k = 0; k < size.k; k++) {
        sum += (double)reading->a[row * size.k + k] * (double)reading->b[k * size.n + column];
    }
    return sum;
}

static void pattern_add_product(const struct terms_reading *reading, struct term term,
                                struct pattern *pattern) {
    struct size size = reading->probe->size;
    int32_t a_column = term.a % size.k;
    int32_t b_row = term.b / size.n;
    pattern->multiplies = true;
    pattern->wrong_a_row |= term.a / size.k != reading->terms.row;
    pattern->wrong_b_column |= term.b % size.n != reading->terms.column;
    pattern->wrong_k |= a_column != b_row;
    pattern->wrong_a_column |= reading->seen[a_column];
    pattern->wrong_b_row |= reading->seen[size.k + b_row];
    reading->seen[a_column] = 1;
    reading->seen[size.k + b_row] = 1;
}

// Adds a wrong element.  If it has no term, it may be next to an edge.
static void pattern_add(const struct terms_reading *reading, struct pattern *pattern) {
    const struct element_terms *terms = &reading->terms;
    struct size size = reading->probe->size;
    if (terms->count == 0) {
        return;
    }
    for (int32_t k = 0; k < 2 * size.k; k++) {
        reading->seen[k] = 0;
    }
    for (int t = 0; t < terms->count; t++) {
        struct term term = terms->term[t];
        if (term.a >= 0 && term.b >= 0) {
            pattern_add_product(reading, term, pattern);
            pattern->lacks |= term.weight != 1;
        } else {
            pattern->adds_a |= term.b < 0;
            pattern->adds_b |= term.a < 0;
        }
    }
    int32_t times = terms->count == 1 ? terms->term[0].weight : 0;
    pattern->is_repeated &= times > 1 && (pattern->times == 0 || pattern->times == times);
    pattern->times = times;
    pattern->lacks |= terms->count != size.k || terms->constant != 0;
}

static void pattern_say(const struct pattern *pattern, struct size size, char *text,
                        size_t text_bytes) {
    bool is_matmul = pattern->multiplies && !pattern->adds_a && !pattern->adds_b;
    bool places = is_matmul && !pattern->lacks;
    bool same_k = !pattern->wrong_k && !pattern->wrong_a_column && !pattern->wrong_b_row;
    if (pattern->adds_a && pattern->adds_b && !pattern->multiplies) {
        words_write(text, text_bytes, _("Elements of A and B are added, not multiplied."));
    } else if (is_matmul && pattern->is_repeated && size.k > 1) {
        words_write(text, text_bytes,
                    _("Each sum is one product, added %d times: its factors do not change with "
                      "k."),
                    pattern->times);
    } else if (places && same_k && pattern->wrong_b_column && !pattern->wrong_a_row) {
        words_write(text, text_bytes, _("The factors from B come from another column."));
    } else if (places && same_k && pattern->wrong_a_row && !pattern->wrong_b_column) {
        words_write(text, text_bytes, _("The factors from A come from another row."));
    } else if (places && !pattern->wrong_a_row && !pattern->wrong_b_column &&
               !pattern->wrong_b_row && pattern->wrong_k) {
        words_write(text, text_bytes,
                    pattern->wrong_a_column ? _("The factors from A come from another column k.")
                                            : _("The factors of a product belong to different k."));
    } else if (places && !pattern->wrong_a_row && !pattern->wrong_b_column &&
               !pattern->wrong_a_column && pattern->wrong_k) {
        words_write(text, text_bytes, _("The factors from B come from another row k."));
    }
}

// "16 * A[0][0]*B[1][0]".
static void term_text(struct size size, struct term term, char text[TERM_MAX]) {
    char a[TERM_MAX / 2] = "";
    char b[TERM_MAX / 2] = "";
    char weight[16] = "";
    if (term.a >= 0) {
        (void)snprintf(a, sizeof a, "A[%d][%d]", term.a / size.k, term.a % size.k);
    }
    if (term.b >= 0) {
        (void)snprintf(b, sizeof b, "B[%d][%d]", term.b / size.n, term.b % size.n);
    }
    if (term.weight != 1) {
        (void)snprintf(weight, sizeof weight, "%d*", term.weight);
    }
    (void)snprintf(text, TERM_MAX, "%.15s%.20s%s%.20s", weight, a, a[0] && b[0] ? "*" : "", b);
}

// "A[0][0]*B[0][1] + A[0][1]*B[1][1] + …".
static void formula_write(struct size size, const struct element_terms *terms,
                          char text[FORMULA_MAX]) {
    char term[TERM_MAX];
    size_t used = 0;
    text[0] = '\0';
    for (int t = 0; t < terms->count && t < SHOWN_MAX; t++) {
        term_text(size, terms->term[t], term);
        used +=
            (size_t)snprintf(text + used, FORMULA_MAX - used, "%s%s", used > 0 ? " + " : "", term);
    }
    if (terms->count > SHOWN_MAX) {
        (void)snprintf(text + used, FORMULA_MAX - used, " + …");
    } else if (terms->constant != 0) {
        (void)snprintf(text + used, FORMULA_MAX - used, " + %d", terms->constant);
    }
}

static void formula_right(struct size size, int32_t row, int32_t column, char text[FORMULA_MAX]) {
    struct term term[SHOWN_MAX];
    struct element_terms right = {.row = row, .column = column, .count = size.k, .term = term};
    for (int32_t k = 0; k < size.k && k < SHOWN_MAX; k++) {
        term[k] = (struct term){1, row * size.k + k, k * size.n + column};
    }
    formula_write(size, &right, text);
}

// Finds the first wrong element with a term, and the properties that all wrong elements share.
// False if there is none, or the terms do not give what was computed.
static bool wrong_read(struct terms_reading *reading, struct pattern *pattern,
                       char got[FORMULA_MAX], int32_t place[2]) {
    bool found = false;
    for (size_t at = 0; at < elements(reading->probe); at++) {
        if (value_is_unset(reading->c[at])) {
            continue;
        }
        if (!terms_read(reading, at) || !terms_give(reading, reading->c[at])) {
            return false;
        }
        const struct element_terms *terms = &reading->terms;
        if ((double)reading->c[at] == want_of(reading, terms->row, terms->column)) {
            continue;
        }
        pattern_add(reading, pattern);
        if (!found && terms->count > 0) {
            found = true;
            place[0] = terms->row;
            place[1] = terms->column;
            formula_write(reading->probe->size, terms, got);
        }
    }
    return found;
}

bool terms_needs_other(const struct terms_probe *probe) {
    for (size_t at = 0; at < elements(probe); at++) {
        if (is_exact(probe->none[TERMS_UNITS][at]) &&
            probe->none[TERMS_UNITS][at] != probe->zero[at]) {
            return true;
        }
    }
    return false;
}

void explain_terms(const struct terms_probe *probe, const float *a, const float *b, const float *c,
                   char *text, size_t text_bytes) {
    struct size size = probe->size;
    struct terms_reading reading = {.probe = probe, .a = a, .b = b, .c = c};
    struct pattern pattern = {.is_repeated = true};
    char got[FORMULA_MAX];
    char want[FORMULA_MAX];
    int32_t place[2];
    text[0] = '\0';
    reading.terms.term =
        xcalloc((size_t)(3 * probe->count + probe->other_count), sizeof *reading.terms.term);
    reading.seen = xcalloc(2 * (size_t)size.k, 1);
    if (wrong_read(&reading, &pattern, got, place)) {
        formula_right(size, place[0], place[1], want);
        pattern_say(&pattern, size, text, text_bytes);
        words_sentence(text, text_bytes, "C[%d][%d] is computed as %s, but should be %s.", place[0],
                       place[1], got, want);
    }
    free(reading.seen);
    free(reading.terms.term);
}
