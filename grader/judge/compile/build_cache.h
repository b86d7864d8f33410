// Finished builds, kept from one `test` to the next: a student who changes one of three exercises
// waits for one compiler run.  The program of an expected.c is kept in the same way.
//
// Only `test` has a cache.  `grade` never uses a program built by another run: a submission that
// escaped its sandbox could have put its own program there, and a grade is worth the compile time.
// An entry is one file, named by what went into the build and written by rename, with a checksum of
// its content at the end.  A partial or damaged entry is ignored.
#ifndef JUDGE_COMPILE_BUILD_CACHE_H
#define JUDGE_COMPILE_BUILD_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "device/compile/build_plan.h"

#define BUILD_CACHE_KEY_BYTES   65  // SHA-256 in hexadecimal, with the final NUL
#define BUILD_CACHE_ENTRIES_MAX 48  // about 2 MB each; the least recently used is removed first

// The name of a build: its text, its commands, and every file of ours and the compiler's that takes
// part.  Errors: STATUS_BAD_DATA, STATUS_SYSTEM (a file of ours cannot be read).
enum status build_cache_key(const struct device_paths *paths, const struct build_plan *plan,
                            struct text text, char ret_key[BUILD_CACHE_KEY_BYTES],
                            struct error *err);

// Puts the files of a build into the scratch folder, and the output of its steps into ret_outputs
// [step_count].  Returns false if there is no such entry; the content of the folder is then
// undefined.
// Owns: the caller frees each of ret_outputs.
bool build_cache_take(const char *cache, const char *key, const char *scratch, int step_count,
                      char **ret_outputs);

// Keeps the files of the scratch folder except BUILD_SOURCE.  If the cache cannot be written, the
// next run compiles again.
void build_cache_keep(const char *cache, const char *key, const char *scratch, int step_count,
                      char *const *outputs);

#endif
