// What went wrong in a matmul of exact inputs, from a few wrong and right elements, spread over C:
// which terms are missing, doubled or taken from elsewhere.
#ifndef JUDGE_CAUSE_MATMUL_CAUSE_H
#define JUDGE_CAUSE_MATMUL_CAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/model/inputs.h"

// Elements kept of each sort: enough to tell hypotheses apart, few enough to be quick.
#define EVIDENCE_MAX 32

// One element.  A value of exact inputs is an integer below 2^24; `integral` says that got is one
// too.
struct matmul_element {
    int32_t row, column;
    float got;
    int64_t want;
    bool integral;
};

// A sample of the elements that were added: those with the smallest random numbers, so that no
// pattern of rows or columns can hide in what was left out.  list[0] is the first in C.
struct element_list {
    int count;
    uint64_t added;
    struct matmul_element list[EVIDENCE_MAX];
    uint64_t number[EVIDENCE_MAX];
};

struct evidence {
    struct size size;
    const float *a, *b, *c;
    const float *want;  // the whole exact product; NULL: not all wrong elements are known
    struct random_key key;
    struct element_list wrong, right;
};

void evidence_init(struct evidence *evidence, const struct matmul *matmul, const float *want,
                   struct random_key key);

// Adds an element, right or wrong by got == want.
void evidence_add(struct evidence *evidence, int32_t row, int32_t column, int64_t want);

// The exact value of C[row][column].  Needs the whole product.
int64_t evidence_want(const struct evidence *evidence, int64_t row, int64_t column);

// Does a hypothesis hold for one element?
typedef bool (*element_test)(const struct evidence *evidence, const struct matmul_element *element,
                             const void *hypothesis);

// True if the hypothesis holds for every wrong element, or for every right one: the sample first,
// which rejects almost all, then all of C.  Only what is true here may be said of "each" or "all".
bool evidence_all_wrong(const struct evidence *evidence, element_test test, const void *hypothesis);
bool evidence_all_right(const struct evidence *evidence, element_test test, const void *hypothesis);

// Are `elements` elements that all fit one of `hypotheses` hypotheses more than chance?  One
// element is worth 11 bits, as a term of exact inputs is one of 2048 numbers.  Asks for a chance
// below 2^-6.  With K = 1 only the sign may differ, and the signs of a whole row go together: never
// enough to choose.
bool evidence_is_enough(const struct evidence *evidence, int elements, uint64_t hypotheses);

int32_t evidence_dimension(struct size size, char letter);  // of M N K

// May a cause name this dimension?  Not if at this size another one, or one more or less, gives the
// same number, or if it is 1.
bool evidence_names(struct size size, char letter);

// The subject of an explanation.  A later one is more specific.
enum explained {
    EXPLAINED_NOTHING,    // no hypothesis fits, or more than one does
    EXPLAINED_ALL_TERMS,  // the whole sum is missing, or in it twice, or no number
    EXPLAINED_TERMS,      // some terms are missing, or in it twice
    EXPLAINED_PLACES,     // elements of A, B or C are taken from other places
    EXPLAINED_PART,       // … from a part of A or B alone, which a map of what was read may deny
};

// Explanations by runs of terms: missing or counted twice.  Each writes one or two sentences where
// it explains something.
enum explained explain_by_runs(const struct evidence *evidence, char *text, size_t text_bytes);

// Explanations by other elements: values that belong elsewhere in C, sums that start with
// another's.  *ret_everywhere: the right elements hold values of the same places.
bool explain_by_elements(const struct evidence *evidence, char *text, size_t text_bytes,
                         bool *ret_everywhere);

// Explanations by whole rows or columns that hold the values of others.
enum explained explain_by_lines(const struct evidence *evidence, char *text, size_t text_bytes);

// Explanations by other factors: A or B read at other places.  `rivals`: other elements explain the
// wrong ones too, so only the formula is given, and no cause.
enum explained explain_by_factors(const struct evidence *evidence, bool rivals, char *text,
                                  size_t text_bytes);

// Explains the wrong elements that were collected by one hypothesis that fits all of them, tried
// from simple to odd: a run of k is missing (the last, partial tile …) or in the sum twice, whole
// elements belong to another row or column (transposed, shifted), a sum starts with another's, A or
// B was read at another place or with a wrong row length.  One or two sentences; "" if none fits,
// more than one does, or the elements are too few to tell.
enum explained explain_evidence(const struct evidence *evidence, char *text, size_t text_bytes);

// True of NaN, Inf and all else that no product of A and B comes near to: a value that was never
// set.
bool explain_is_unset(float got);

// The meaning of a NaN in C: the old value of C was read (poison_was_read), or something else.
const char *explain_nan_text(bool old_value);

#endif
