// The result of a build: the faults of a kernel file, as found by each step of a build and by the
// first check of its text, and the facts about the kernel.
//
// As report.json it is written by the inspector and the NVRTC program in the sandbox, and read by
// the judge, which checks every field:
//
//   {"fault": "not_allowed", "line": 12, "text": "…", "diagnostics": "…",
//    "threads_max": 256, "bounds_line": 12, "registers": 40,
//    "local_bytes": 96, "local_name": "acc", "registers_max": 128, "waits_line": 0, "patterns": 0,
//    "shared": [{"name": "As", "offset": 0, "bytes": 1024, "element_bytes": 4, "extent": [16, 16],
//    "dynamic": false}], "constants": [{"name": "filter", "address": 4210688, "bytes": 36}]}
#ifndef DEVICE_BUILD_REPORT_H
#define DEVICE_BUILD_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/words.h"
#include "emu/wire/finding.h"

// The fixed name of the student's file in the scratch folder.
#define BUILD_SOURCE "submission.cu"
#define BUILD_TREE   "tree"  // the changed files of a program

// A list of the files of a whole program, in the scratch folder: "LINES NAME" for each, where LINES
// is the number of lines of those before it.  All files together have one numbering of lines.
#define BUILD_FILES "files"

// The result of a build.  BUILD_FAULT_ values other than NONE are the student's.
enum build_fault {
    BUILD_FAULT_NONE,
    BUILD_FAULT_ERROR,          // the compiler refuses: build_error
    BUILD_FAULT_NOT_ALLOWED,    // host code, writable globals, foreign headers, undefined functions
    BUILD_FAULT_NO_KERNEL,      // no kernel of that name
    BUILD_FAULT_BAD_SIGNATURE,  // a kernel of that name with other parameters
    BUILD_FAULT_BAD_CONFIG,     // a LAUNCH_CONFIG with other sizes: shown as bad_signature
    BUILD_FAULT_NO_CONFIG,      // no LAUNCH_CONFIG for it: shown as no_kernel
    BUILD_FAULT_NEEDS_GPU,      // uses features that the CPU device cannot run
    BUILD_FAULT_MEMORY,         // its data, or the compiler that reads it, needs too much memory
    BUILD_FAULT_COUNT
};
const char *build_fault_name(enum build_fault fault);  // "none", "error", "not_allowed" …

#define LOCAL_NAME_MAX 64

// A __constant__ array of the file, as the linked program of the CPU device has it.
#define CONSTANT_ARRAYS_MAX 16
struct constant_array {
    char name[ARRAY_NAME_MAX];
    uint64_t address;  // 0: nothing uses it
    uint64_t bytes;
};

struct build_report {
    enum build_fault fault;
    int line;                   // of the student's file, 0 if unknown
    bool is_before_line;        // the place is the end of the last code before that line
    char text[ERROR_TEXT_MAX];  // one sentence for the student
    char *diagnostics;          // the compiler's messages, cleaned, at most 40 lines; may be empty
    uint32_t constant_count;
    struct constant_array constant[CONSTANT_ARRAYS_MAX];
    struct shared_array_table shared;  // emu
    uint32_t threads_max;              // emu: of the kernel's __launch_bounds__; 0 without one
    int bounds_line;                   // emu: the line of __launch_bounds__; 0 without one
    int registers;                     // gpu: of a thread of the kernel; 0 if unknown
    uint32_t local_bytes;              // emu: bytes of all arrays of a thread, in one function
    char local_name[LOCAL_NAME_MAX];   // emu: name of an array that cannot be in registers, or ""
    uint32_t registers_max;            // emu: the promised maximum per thread; 0: none
    int waits_line;                    // emu: line of a loop that waits for other threads; 0: none
    bool has_patterns;                 // emu: variables may be read before they have a value
};
void build_report_done(struct build_report *report);

// The text for a forbidden include, which several steps can find.
#define FOREIGN_INCLUDE_TEXT                                                                       \
    N_("includes a file that a kernel file may not include: only matmul.cuh, kernel.cuh, "         \
       "ptx.cuh and the usual CUDA and C headers are available, by name")

// LAUNCH_CONFIG with other sizes than those of the exercise.
#define BAD_CONFIG_TEXT                                                                            \
    N_("LAUNCH_CONFIG takes the name of the kernel and then the sizes, a plain name for each")

// Sets fault, line and text (formatted, in the chosen language) of report.
void build_report_fault(struct build_report *report, enum build_fault fault, int line,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

#define BUILD_REPORT           "report.json"  // in the scratch folder
#define BUILD_REPORT_BYTES_MAX (1 << 20)

// Writes the report.  Errors: STATUS_SYSTEM.
enum status build_report_write(const char *path, const struct build_report *report,
                               struct error *err);

// Reads the text of a report.  Errors: STATUS_SYSTEM "…: field 'x' …".
// Owns: the caller ends *ret_report with build_report_done.
enum status build_report_parse(const char *text, size_t bytes, struct build_report *ret_report,
                               struct error *err);

#endif
