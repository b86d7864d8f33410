// Plainer words for what beginners' files are refused for most often.
#ifndef DEVICE_BUILD_GXX_ADVICE_H
#define DEVICE_BUILD_GXX_ADVICE_H

#include <stdbool.h>

#include "device/source/fault.h"

// Looks at what the compiler said of one error, in the words of LC_ALL=C.
//
// Returns  true: report says it in other words.  false: nothing is known here, report is unchanged.
bool compiler_advice(const char *said, int line, struct build_report *report);

#endif
