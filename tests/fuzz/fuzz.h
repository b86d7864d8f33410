// What the fuzz targets share: an input as a text or as a file, and a private folder.
//
// A target is one function that reads foreign bytes.  libFuzzer calls it (`make fuzz`), and
// replay.c does with inputs that are kept (`make check T=fuzz`).
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

// Takes one input; returns 0.  A mistake shows as a crash, by an assertion or a sanitizer.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

// Stops the program if `holds` is false; stays on in every build.
void fuzz_demand(int holds, const char *what);

// A copy with a final NUL.  Owns: the caller frees it.
char *fuzz_text(const uint8_t *bytes, size_t count);

// Goes into a new, empty folder, at the first call; it is removed at the end.
void fuzz_folder(void);

// Writes a file below that folder; the folders above it are made.
void fuzz_file(const char *path, const void *bytes, size_t count);

#endif
