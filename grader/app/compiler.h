// Finds the compiler for kernels on the CPU device: any g++ from version 11 on.
#ifndef APP_COMPILER_H
#define APP_COMPILER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/file.h"

#define COMPILER_VARIABLE   "TILEGRADE_CXX"
#define COMPILER_OLDEST     11  // 11 to 14 are tested: same findings, same counts
#define COMPILER_LINE_BYTES 200

// The compiler that TILEGRADE_CXX names (a path, or a name found in PATH), else the first of
// /usr/bin/g++, g++-14, …, g++-11.  Only searches; a name that is not found is returned unchanged,
// so that the build reports it as missing.
void compiler_find(char ret_path[PATH_BYTES_MAX]);

// Asks the compiler for its version. *ret_line is the first line of its answer, for people.
// Errors: STATUS_UNAVAILABLE: it is missing, is not gcc (clang instruments differently, so its
// counts would differ), or is too old; the message says what to do.
enum status compiler_ask(const char *path, char ret_line[COMPILER_LINE_BYTES], struct error *err);

// The first number of its version; 0 if unknown.
int compiler_version(const char *path);

// True if TILEGRADE_CXX chose it.
bool compiler_is_chosen(void);

#endif
