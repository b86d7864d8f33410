// The order in which explanations are tried: NaN, values that were never set, terms, elements,
// factors.
#include "judge/explain/product.h"

#include <math.h>
#include <stdio.h>

#include "base/compose.h"
#include "judge/model/inputs.h"

// Far above every sum of exact inputs, and below what the CPU device puts into a variable that has
// no value (FLAGS_PATTERN in device/compile/build_plan.c: -1.69e38).
#define UNSET_LEAST 1e30f

#define EXPLANATION_MAX 400  // bytes of one, with the final NUL

const char *explain_nan_text(bool old_value) {
    return old_value
               ? _("The old value of C went into the sum; C holds nothing useful on entry.")
               : _("A and B hold no NaN: a value that was never set went into the sum, or one "
                   "from outside of A and B.");
}

static bool element_is_nan(const struct evidence *evidence, const struct matmul_element *element,
                           const void *hypothesis) {
    (void)evidence, (void)hypothesis;
    return isnan(element->got);
}

static bool element_is_poison(const struct evidence *evidence, const struct matmul_element *element,
                              const void *hypothesis) {
    (void)evidence, (void)hypothesis;
    return poison_was_read(element->got);
}

bool explain_is_unset(float got) {
    return isnan(got) || fabsf(got) >= UNSET_LEAST;
}

static bool element_is_unset(const struct evidence *evidence, const struct matmul_element *element,
                             const void *hypothesis) {
    (void)evidence, (void)hypothesis;
    return fabsf(element->got) >= UNSET_LEAST;
}

static bool element_is_integral(const struct evidence *evidence,
                                const struct matmul_element *element, const void *hypothesis) {
    (void)evidence, (void)hypothesis;
    return element->integral;
}

// Explains the NaN elements; false if some wrong elements are not NaN.
static bool explain_nan(const struct evidence *evidence, char *text, size_t text_bytes) {
    if (!evidence_all_wrong(evidence, element_is_nan, NULL)) {
        return false;
    }
    words_write(text, text_bytes, "%s",
                explain_nan_text(evidence_all_wrong(evidence, element_is_poison, NULL)));
    return true;
}

// True if all wrong elements are larger than any product; what this says holds for garbage too.
static bool explain_unset(const struct evidence *evidence, char *text, size_t text_bytes) {
    if (!evidence_all_wrong(evidence, element_is_unset, NULL)) {
        return false;
    }
    words_write(text, text_bytes,
                _("No product of A and B is that large: a variable or an array was read before it "
                  "had a value."));
    return true;
}

// Elements of other places, then other factors, then whole rows and columns of others.  Where only
// the wrong elements agree with other places, a formula that agrees with all of C says more.
static enum explained explain_places(const struct evidence *evidence, char *text,
                                     size_t text_bytes) {
    char formula[EXPLANATION_MAX];
    bool everywhere = false;
    bool by_elements = explain_by_elements(evidence, text, text_bytes, &everywhere);
    if (by_elements && everywhere) {
        return EXPLAINED_PLACES;
    }
    enum explained explained = explain_by_factors(evidence, by_elements, formula, sizeof formula);
    if (explained != EXPLAINED_NOTHING) {
        (void)snprintf(text, text_bytes, "%s", formula);
        return explained;
    }
    return by_elements ? EXPLAINED_PLACES : explain_by_lines(evidence, text, text_bytes);
}

enum explained explain_evidence(const struct evidence *evidence, char *text, size_t text_bytes) {
    text[0] = '\0';
    if (evidence->wrong.count == 0 || !evidence->want) {
        return EXPLAINED_NOTHING;
    }
    if (explain_nan(evidence, text, text_bytes) || explain_unset(evidence, text, text_bytes)) {
        return EXPLAINED_ALL_TERMS;
    }
    if (!evidence_all_wrong(evidence, element_is_integral, NULL)) {
        return EXPLAINED_NOTHING;  // no sum of whole numbers
    }
    enum explained explained = explain_by_runs(evidence, text, text_bytes);
    if (explained == EXPLAINED_NOTHING) {
        explained = explain_places(evidence, text, text_bytes);
    }
    if (explained == EXPLAINED_NOTHING) {
        text[0] = '\0';
    }
    return explained;
}
