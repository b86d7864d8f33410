// A description of a wrong output: the elements that are wrong, their values, and the cause.  The
// output is one of an exercise with an expected.c, or C of a matmul of exact inputs.
#ifndef JUDGE_CAUSE_OUTPUT_SEEN_H
#define JUDGE_CAUSE_OUTPUT_SEEN_H

#include "judge/expected/expected_case.h"

#define EXPECTED_TEXT_MAX 512

// The subject of an explanation.  A later one is more specific.
enum explained {
    EXPLAINED_NOTHING,    // no hypothesis fits, or more than one does
    EXPLAINED_ALL_TERMS,  // the whole sum is missing, counted twice, or not a number
    EXPLAINED_TERMS,      // some terms are missing or counted twice
    EXPLAINED_PLACES,     // elements of inputs or outputs are taken from other places
    EXPLAINED_PART,       // from only a part of A or B, which a map of reads may disprove
};

// One output after a launch, compared whole.
struct output_seen {
    const struct signature *signature;
    struct size size;
    int parameter;
    const struct parameter *declared;
    const void *input[PARAMETERS_MAX];  // the contents of each array before the launch
    const void *values;                 // the contents of this output after it
    const struct expected_case *made;   // NULL: the output is C of a matmul
    const float *want;                  // the right C of a matmul; whole numbers
    uint8_t *state;                     // of `made`: [elements], enum element_state
    uint64_t elements, width;           // width: of a row; all elements if there are no rows
    uint64_t wrong;                     // elements that are wrong or unwritten
    uint64_t sampled;                   // elements that were compared
    uint64_t first;                     // the first wrong one …
    uint64_t last;                      // … and the last
};

#define AGREEMENT_KEYS    64
#define AGREEMENT_SEVERAL 3

// The strength of the evidence if a call gives every element: elements that are wrong by the same
// amount or factor count once.
struct agreement {
    double bits;   // by which the wrong elements agree better than any value near the right one
    bool several;  // at least AGREEMENT_SEVERAL agree
    int count;
    double key[AGREEMENT_KEYS];
};

// Begins with no wrong element. values: the output after the launch.
void seen_init(struct output_seen *seen, const struct signature *signature, struct size size,
               int parameter, const void *values);

static inline double seen_got(const struct output_seen *seen, uint64_t element) {
    return seen->made ? draw_value(seen->declared->element, seen->values, element)
                      : (double)((const float *)seen->values)[element];
}

static inline double seen_want(const struct output_seen *seen, uint64_t element) {
    double bound = 0;
    return seen->made ? expected_want(seen->made, seen->parameter, element, &bound)
                      : (double)seen->want[element];
}

static inline bool seen_is_wrong(const struct output_seen *seen, uint64_t element) {
    return seen->made
               ? seen->state[element] == ELEMENT_WRONG || seen->state[element] == ELEMENT_UNWRITTEN
               : !(seen_got(seen, element) == (double)seen->want[element]);
}

// Counts one more wrong element; they come in their order.
static inline void seen_add(struct output_seen *seen, uint64_t element) {
    seen->first = seen->wrong == 0 ? element : seen->first;
    seen->last = element;
    seen->wrong++;
}

// Does a hypothesis hold for one element?
typedef bool (*seen_test)(const struct output_seen *seen, uint64_t element, const void *hypothesis);

// True if the hypothesis holds for every wrong element, or for every right one.  A few are tested
// first, which rejects almost all hypotheses.  Only then may a text say "each" or "all".
bool seen_all_wrong(const struct output_seen *seen, seen_test test, const void *hypothesis);
bool seen_all_right(const struct output_seen *seen, seen_test test, const void *hypothesis);

// "y[99]" or "image[3][7]".
void seen_place(const struct output_seen *seen, uint64_t element, char *text, size_t bytes);

// Names the elements: "all of y", "only the last element", "y[256] and all after it", "the last of
// each 32 elements", "columns 64 to 66", "the last row and the last column", else "12 of 2211
// elements".
// Returns  whether they are a pattern of blocks or columns, which values alone hardly explain.
bool seen_where(const struct output_seen *seen, char *text, size_t bytes);

// The value of each wrong element: zero, a value of another place or of an input, its own value
// times or plus a number, or a sum of too few neighbours.  For C of a matmul also the terms that
// are missing from the sum, and the elements of A and B that it has instead.  This was checked for
// every wrong element.  EXPLAINED_NOTHING with "" if nothing fits, if more than one hypothesis
// does, or if the elements are too few to tell.
enum explained seen_hypotheses(const struct output_seen *seen, char *text, size_t bytes);

// The meaning of a NaN in an output: its content before the launch was read, or something else.
void seen_nan_explain(const struct signature *signature, int parameter, bool is_old_value,
                      char *text, size_t bytes);

// True for NaN, Inf and any other value that no sum of exact inputs comes near to: a value that was
// never set.
bool value_is_unset(double got);

// True if the output's content before the launch went into each wrong element.
bool seen_is_of_old_value(const struct output_seen *seen);

// Finds an operand that is left out, by calling expected.c with fewer elements or with some of the
// inputs set to 0: the result must be that of the launch in every element.  A call that fails
// explains nothing.
void seen_missing_input(const struct output_seen *seen, enum explained *ret_explained, char *text,
                        size_t bytes);

// Says that each wrong element of a copy holds another element of an input, and which one the first
// holds.  False, with the text unchanged, if that is not so, or may be chance.
bool seen_copied_input(const struct output_seen *seen, char *text, size_t bytes);

// True if a call with these arguments gives every element of the output.
bool seen_agrees(const struct output_seen *seen, const struct expected_arguments *arguments,
                 struct agreement *ret_agreement);

// True if the inputs have so many values that two ways to compute an output differ: with 1 and -1
// alone, a product and a quotient are the same.
bool seen_tells_apart(const struct output_seen *seen);

// Finds an input whose elements were read in another order, or from later places.  If there is
// none, leaves both arguments unchanged.
void seen_reordered_input(const struct output_seen *seen, enum explained *ret_explained, char *text,
                          size_t bytes);

// Finds an operation of expected.c that was omitted or replaced, or some of whose terms were not
// used, by running it with such a change: every element must equal the result of the launch, and no
// other change may give it.  Otherwise leaves both arguments unchanged.
void seen_other_operation(const struct output_seen *seen, enum explained *ret_explained, char *text,
                          size_t bytes);

// A sentence if all elements, right or wrong, have no more bits than a half or bfloat16 number, and
// chance does not explain that; else NULL.
const char *seen_few_bits(const struct output_seen *seen);

// --- C of a matmul -------------------------------------------------------------------------------

#define BITS_OF_A_TERM 11  // a term of exact inputs is one of 2048 numbers
#define BITS_OF_SAFETY 6   // a hypothesis must be this much better than chance

// Explanations by runs of terms: missing, or counted twice.  Each writes one or two sentences if it
// explains something.
enum explained matmul_runs_explain(const struct output_seen *seen, char *text, size_t bytes);

// Explanations by other factors: A or B read at other places.  `rivals`: other explanations also
// fit, so only the formula is given, and no cause.
enum explained matmul_factors_explain(const struct output_seen *seen, bool rivals, char *text,
                                      size_t bytes);

// May a cause name this dimension (M, N or K)?  Not if it is 1, or if at this size another
// dimension equals it or differs from it by 1.
bool matmul_names(struct size size, char letter);
int32_t matmul_dimension(struct size size, char letter);

// True if the terms of the element are large enough to overflow FP16 in some order.
bool matmul_may_overflow(const struct output_seen *seen, uint64_t element);

#endif
