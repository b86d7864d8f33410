// The order in which explanations are tried: NaN, values that were never set, terms, elements,
// factors.
#include "judge/explain/product.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/translate.h"
#include "judge/model/inputs.h"

// Far above every sum of exact inputs, and below what the CPU device puts into a variable that has
// no value (FLAGS_PATTERN in device/build/emu.c: -1.69e38).
#define UNSET_LEAST 1e30f

const char *explain_nan_text(bool old_value) {
    return old_value
               ? _("The old value of C went into the sum; C holds nothing useful on entry.")
               : _("A and B hold no NaN: a value that was never set went into the sum, or one "
                   "from outside of A and B.");
}

// The NaN that the CPU device gives for the value of a lane that takes no part (JUNK in
// emu/machine/collectives.c); arithmetic keeps its bits.
static bool is_of_absent_lane(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == UINT32_MAX;
}

// Explains the NaN elements; false if some wrong elements are not NaN.
static bool explain_nan(const struct evidence *evidence, char *text, size_t text_bytes) {
    bool old_value = true;
    bool absent_lane = true;
    for (int w = 0; w < evidence->wrong.count; w++) {
        if (!isnan(evidence->wrong.list[w].got)) {
            return false;
        }
        old_value = old_value && poison_was_read(evidence->wrong.list[w].got);
        absent_lane = absent_lane && is_of_absent_lane(evidence->wrong.list[w].got);
    }
    (void)snprintf(text, text_bytes, "%s",
                   absent_lane
                       ? _("A shuffle asked for the value of a lane that takes no part (has "
                           "it returned?), and the undefined result went into the sum.")
                       : explain_nan_text(old_value));
    return true;
}

// True if all wrong elements are larger than any product; what this says holds for garbage too.
static bool explain_unset(const struct evidence *evidence, char *text, size_t text_bytes) {
    for (int w = 0; w < evidence->wrong.count; w++) {
        if (!(fabsf(evidence->wrong.list[w].got) >= UNSET_LEAST)) {
            return false;
        }
    }
    (void)snprintf(
        text, text_bytes,
        _("No product of A and B is that large: a variable or an array was read before it "
          "had a value."));
    return true;
}

enum explained explain_evidence(const struct evidence *evidence, char *text, size_t text_bytes) {
    text[0] = '\0';
    if (evidence->wrong.count == 0) {
        return EXPLAINED_NOTHING;
    }
    if (explain_nan(evidence, text, text_bytes) || explain_unset(evidence, text, text_bytes)) {
        return EXPLAINED_ALL_TERMS;
    }
    for (int w = 0; w < evidence->wrong.count; w++) {
        if (!evidence->wrong.list[w].integral) {
            return EXPLAINED_NOTHING;  // no sum of whole numbers
        }
    }
    enum explained explained = explain_by_runs(evidence, text, text_bytes);
    if (explained == EXPLAINED_NOTHING && (explain_by_elements(evidence, text, text_bytes) ||
                                           explain_by_factors(evidence, text, text_bytes))) {
        explained = EXPLAINED_PLACES;
    }
    if (explained == EXPLAINED_NOTHING) {
        text[0] = '\0';
    }
    return explained;
}
