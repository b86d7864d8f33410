// Says what went wrong in a product of exact inputs: which terms are missing, doubled or taken from
// elsewhere.
#ifndef JUDGE_EXPLAIN_PRODUCT_H
#define JUDGE_EXPLAIN_PRODUCT_H

#include <stddef.h>

#include "judge/explain/evidence.h"

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
