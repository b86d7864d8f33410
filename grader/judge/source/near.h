// What may be meant where the file of an exercise is missing: one of nearly its name, or one in a
// folder inside.  It is told, never graded.
#ifndef JUDGE_SOURCE_NEAR_H
#define JUDGE_SOURCE_NEAR_H

#include <stdbool.h>

#define NEAR_PATH_MAX 80  // bytes of a path that is told, with the final NUL

// Looks in `folder` for what `file` ("tiled.cu") may be called: Tiled.cu, matmul_tiled.cu,
// "tiled (1).cu", tiled.cu.txt; or for hw/tiled.cu.  Follows no link.
//
// Returns  true with its path below folder, the first by the alphabet: in plain ASCII, so that it
//          can be printed anywhere; *ret_inside where it is in a folder inside.
bool judge_source_near(const char *folder, const char *file, char ret_path[NEAR_PATH_MAX],
                       bool *ret_inside);

#endif
