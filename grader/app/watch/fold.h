// Text for a screen of a certain width.
#ifndef APP_WATCH_FOLD_H
#define APP_WATCH_FOLD_H

// The text with every line that is wider than `columns` (at least 20) broken, at a blank if there
// is one.  What follows the break is indented like the last column of a table, or else like the
// line.  Colours (ESC [ 1 ; 3 1 m) take no room; other escape characters are left out.  Code
// that a compiler quotes is cut.
// Returns  NULL without memory.  Owns: the caller frees it.
char *folded(const char *text, int columns);

#endif
