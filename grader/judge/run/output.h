// What a kernel printed in one launch, cut to what people read.
#ifndef JUDGE_RUN_OUTPUT_H
#define JUDGE_RUN_OUTPUT_H

#include "base/limits.h"

// Copies the first OUTPUT_LINES_MAX lines of text, as far as they fit; "…" stands in a line of its
// own where something was left out.  Control characters go when it is written for people.
void run_output_cut(const char *text, char shown[OUTPUT_SHOWN_MAX]);

#endif
