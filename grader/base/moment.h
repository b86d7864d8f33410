// Dates: a point in time as seconds since 1970 in UTC, written as RFC 3339 has it.
#ifndef BASE_MOMENT_H
#define BASE_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

#define MOMENT_NONE       INT64_MIN  // not known, or not set
#define MOMENT_TEXT_BYTES 40

// Reads "2026-12-01T23:59:00+01:00" or "…Z"; fractions of a second are dropped.  False if it is
// anything else; a time without its offset from UTC is.
bool moment_parse(const char *text, int64_t *ret_seconds);

// "2026-12-01T22:59:00Z"; "" for MOMENT_NONE.
void moment_format(int64_t seconds, char ret_text[MOMENT_TEXT_BYTES]);

int64_t moment_now(void);

#endif
