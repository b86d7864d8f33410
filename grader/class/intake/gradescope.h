// submission_metadata.yml of Gradescope's export: who handed in which folder.
//
// Only what Gradescope writes is read of YAML, line by line: records at the left margin, their keys
// two columns in, the list of submitters with plain or quoted texts.  All else is stepped over by
// its indentation.  A text in another form is an error with its line, never a guess.
#ifndef CLASS_INTAKE_GRADESCOPE_H
#define CLASS_INTAKE_GRADESCOPE_H

#include <stdint.h>

#include "base/error.h"

#define GRADESCOPE_TEXT_BYTES     256
#define GRADESCOPE_SUBMITTERS_MAX 32

enum gradescope_text { SUBMITTER_NAME, SUBMITTER_SID, SUBMITTER_MAIL, SUBMITTER_TEXTS };

struct gradescope_record {
    int line;
    char folder[GRADESCOPE_TEXT_BYTES];  // "submission_123"
    int64_t created_at;                  // MOMENT_NONE: not said
    int submitter_count;
    char submitter[GRADESCOPE_SUBMITTERS_MAX][SUBMITTER_TEXTS][GRADESCOPE_TEXT_BYTES];
};

// Calls `each` for every record of a text that ends in NUL; `path` is for messages.
// Errors: STATUS_BAD_DATA "submission_metadata.yml:12: …".
enum status gradescope_read(const char *path, const char *text,
                            void (*each)(void *context, const struct gradescope_record *record),
                            void *context, struct error *err);

#endif
