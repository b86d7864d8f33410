// gcc's dump of a pass, written with -lineno, line by line.
#ifndef DEVICE_INSPECT_DUMP_H
#define DEVICE_INSPECT_DUMP_H

#include <stdbool.h>

#define DUMP_LINE_BYTES 1024  // longer lines are cut

// The next line of *at, which moves past it, without the places in it; *ret_source is the line of
// the source that the first of them names, 0 if there is none.  False at the end.
bool dump_line(const char **at, char line[DUMP_LINE_BYTES], int *ret_source);

#endif
