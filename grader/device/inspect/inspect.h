// The inspector examines the results of compiling a kernel file, between the steps of its build,
// before any of it runs.
//
// It runs in the sandbox, in the scratch folder, on the files of the build: kernel.ii, kernel.s,
// kernel.d, kernel.o, shared.s, worker. Each inspection fills a report; a fault in it is the
// student's and ends the build.
#ifndef DEVICE_INSPECT_INSPECT_H
#define DEVICE_INSPECT_INSPECT_H

#include "device/build_report.h"

#define CONSTANT_SECTION "tilegrade_constant"  // where the shim puts __constant__ variables

// Checks kernel.ii and kernel.s: no inline assembly, which could do anything and which a GPU would
// not accept, no other student text that reaches the assembler unchanged, and no arrays too large
// to assemble.  Then rewrites kernel.s: see device/assembly/rewrite.h.
enum status inspect_text(struct build_report *report, struct error *err);

// Checks kernel.o, with kernel.s for lines and kernel.d for the files that were included: the
// kernel and its LAUNCH_CONFIG exist, there is no host code, no foreign function is called, no code
// runs by itself.  Writes shared.s, which gives every `extern __shared__` array the same address.
enum status inspect_object(const char *kernel, const char *include_folder, const char *shim_folder,
                           struct build_report *report, struct error *err);

// The text of shared.s for kernel.o.  Owns: the caller frees *ret_text.
enum status inspect_shared(char **ret_text, struct error *err);

// Checks that worker has no writable data, and lists its __shared__ arrays.  Finds the kernel's
// line and __launch_bounds__ in kernel.s.
enum status inspect_program(const char *kernel, struct build_report *report, struct error *err);

// The same of whole programs, where host code may do anything:
//
// text     rewrites kernel.s; inline assembly needs a GPU.
// objects  checks that one of them has main; writes shared.s.
// arrays   lists the __shared__ arrays of worker, which was linked from the objects.
enum status inspect_program_text(struct build_report *report, struct error *err);
enum status inspect_program_objects(const char *function, int count, char *const *names,
                                    struct build_report *report, struct error *err);
enum status inspect_program_arrays(int count, char *const *names, struct build_report *report,
                                   struct error *err);

// Prints "line column" of the student's file for each address, "0 0" for others.  Addresses are
// return addresses, so the call is just before them.  Errors: STATUS_SYSTEM.
enum status inspect_locate(const char *program, int count, char *const *addresses, char **ret_text,
                           struct error *err);

#endif
