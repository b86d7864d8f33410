// Plainer words for what beginners' files are refused for most often.
#ifndef DEVICE_BUILD_GXX_ADVICE_H
#define DEVICE_BUILD_GXX_ADVICE_H

#include <stdbool.h>

#include "device/source/fault.h"

// Looks at the compiler's message about one error, as worded under LC_ALL=C.
//
// Returns  true: the report says it in other words. false: the error is not known here, and the
// report is unchanged.
bool compiler_advice(const char *said, int line, struct build_report *report);

#endif
