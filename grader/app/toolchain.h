// The machine's equipment for kernels: a compiler for the CPU device, any g++ from version 11 on;
// and a GPU.  build/tilegrade-nvrtc looks for the GPU, in the sandbox: CUDA starts threads and maps
// huge ranges, which the judge must not have.
#ifndef APP_TOOLCHAIN_H
#define APP_TOOLCHAIN_H

#include <stdbool.h>

#include "base/error.h"
#include "base/file.h"
#include "device/compile/build_plan.h"
#include "device/gpu/gpu_info.h"
#include "sandbox/sandbox.h"

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

// sandbox: the sandbox of the workers, so that a GPU that they may not use does not count.
// Errors: STATUS_SYSTEM: the probe could not run.  A machine without a GPU is not
// an error.
enum status gpu_find(const struct device_paths *paths, const struct sandbox *sandbox,
                     struct gpu_info *ret_info, struct error *err);

// Why no GPU can be used; NULL if one can.
const char *gpu_missing(const struct gpu_info *info);

#endif
