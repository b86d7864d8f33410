// The errors that beginners' files have most often, without a grammarian's words.
#ifndef DEVICE_BUILD_GXX_PLAIN_H
#define DEVICE_BUILD_GXX_PLAIN_H

#include <stdbool.h>

#include "device/source/fault.h"

// One error of g++: what it says, and the two lines below it, which quote the source and mark the
// place with a ^; "" if they are not there.
struct compiler_error {
    const char *said, *excerpt, *caret;
    int line;
};

// Returns  true: the report says it in other words. false: the error is not known here, and the
// report is unchanged.
bool compiler_plain(const struct compiler_error *error, struct build_report *report);

#endif
