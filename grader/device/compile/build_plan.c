// The build for the CPU device: g++ with our shim and instrumentation, the inspector before and
// after the link.  The build for a GPU: one program, which loads NVRTC and writes the cubin and the
// report.  Nothing is run here.
//
// Nothing of a submission runs before the last step has accepted it.  The inspector looks at the
// texts first, so that no assembler ever sees a student's `asm` text.
#include "device/compile/build_plan.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/build_report.h"
#include "device/compile/compiler_errors.h"
#include "device/compile/compiler_messages.h"
#include "device/device.h"

static int step_length(const struct build_step *step) {
    int count = 0;
    while (step->argument[count]) {
        count++;
    }
    return count;
}

void step_add(struct build_step *step, const char *format, ...) {
    int at = step_length(step);
    assert(at < BUILD_ARGUMENTS_MAX);
    va_list arguments;
    va_start(arguments, format);
    step->argument[at] = xvasprintf(format, arguments);
    va_end(arguments);
}

void step_add_words(struct build_step *step, const char *words) {
    while (*words != '\0') {
        size_t length = strcspn(words, " ");
        step_add(step, "%.*s", (int)length, words);
        words += length + (words[length] == ' ');
    }
}

void build_step_done(struct build_step *step) {
    for (int i = 0; i < BUILD_ARGUMENTS_MAX; i++) {
        free(step->argument[i]);
        step->argument[i] = NULL;
    }
}

void build_plan_done(struct build_plan *plan) {
    for (int i = 0; i < BUILD_STEPS_MAX; i++) {
        build_step_done(&plan->step[i]);
    }
    plan->step_count = 0;
}

#define COMPILER "/usr/bin/g++"
#define LINKER   "/usr/bin/gcc"  // the runtime is C: no need for libstdc++

// -Og without these keeps one callback for each access of the source, in its order, and each
// barrier one call: a jump threaded past a barrier would copy it
// (decisions/0001-sanitizer-callbacks.md).  -fno-inline keeps helpers separate, so that each has
// its own lines; separate sections let the link drop unused code, so that the shared arrays of
// another kernel in the file do not count.
#define FLAGS_LANGUAGE                                                                             \
    "-x c++ -std=c++17 -nostdinc -nostdinc++ -fno-exceptions -fno-rtti -fdiagnostics-color=never"
// Calls by pointer go through emu/hooks/indirect_x86_64.S.
#if defined(__x86_64__)
#define FLAGS_CALLS "-mindirect-branch=thunk-extern -fno-jump-tables"
#else
#define FLAGS_CALLS ""
#endif
#define FLAGS_CODE                                                                                 \
    "-g -Og -fno-inline -fno-tree-fre -fno-tree-dce -fno-thread-jumps "                            \
    "-ffp-contract=off "                                                                           \
    "-fsanitize=thread,bounds,return,integer-divide-by-zero,shift-exponent,float-cast-overflow "   \
    "--param=tsan-distinguish-volatile=1 "                                                         \
    "-fno-extern-tls-init -fno-stack-protector -fcf-protection=none -fno-pie -fno-lto "            \
    "-fkeep-static-functions -ffunction-sections -fdata-sections"
// An unset variable gets a conspicuous value, a large negative number, so that it is not 0 by luck.
// A variable that is set before it is read is unaffected.
#define FLAGS_PATTERN   "-ftrivial-auto-var-init=pattern"
#define PATTERN_VERSION 12  // gcc 11 lacks the option
#define PATTERN         0xfefefefeu
// As floats infinity, which a product with 0 and a maximum show.
#define PATTERN_OTHER 0x7f800000u
#define WORKER        "worker"
#define WORKER_OTHER  "worker-other"
// An array of variable length is an error, as it is for NVRTC.  The other options are for warnings
// that compiler_warnings.c reads.
#define FLAGS_WARNINGS                                                                             \
    "-Wall -Wno-sign-compare -Wno-unknown-pragmas -Wno-unused-function -Werror=vla "               \
    "-Wuninitialized -Wshadow -Wempty-body -Wcomma-subscript -Wlogical-op -Wtype-limits "          \
    "-Wfloat-conversion"

// Whole programs, with the headers of the host.  Their calls by pointer are the machine's own.
#define FLAGS_PROGRAM "-x c++ -std=c++17 -fdiagnostics-color=never -fno-jump-tables"
#define WARNINGS_PROGRAM                                                                           \
    "-Wall -Wno-attributes -Wno-sign-compare -Wno-unknown-pragmas -Wno-unused -Wuninitialized "    \
    "-Wno-reorder -Wempty-body -Wcomma-subscript -Wlogical-op"
#define DEFINE_PROGRAM "-DTILEGRADE_PROGRAM"

// The compiler's list of instrumented functions, for the inspector.
#define DUMP(pass) "-fdump-tree-" pass "-lineno=kernel.tsan"

const char *build_emu_flags(void) {
    return FLAGS_LANGUAGE " " FLAGS_CODE "\n" FLAGS_CALLS "\n" FLAGS_WARNINGS
                          "\n" BUILD_FLAGS_EXPECTED "\n" FLAGS_PROGRAM " " FLAGS_CODE
                          " " FLAGS_PATTERN " " WARNINGS_PROGRAM " " DEFINE_PROGRAM "\n";
}

enum emu_step {
    STEP_COMPILE,
    STEP_PREPROCESS,
    STEP_TEXT,
    STEP_ASSEMBLE,
    STEP_TRIM,
    STEP_OBJECT,
    STEP_LINK,
    STEP_PROGRAM
};
#define EMU_STEPS             (STEP_PROGRAM + 1)
#define EMU_STEPS_OF_COMPILER 2  // the first steps of the plan: compile and preprocess

static const char *compiler_of(const struct device_paths *paths) {
    return paths->compiler[0] != '\0' ? paths->compiler : COMPILER;
}

// Adds the compiler and `words`, which say what to produce from the submission.  Both steps that
// call the compiler must see the same text, so everything that the preprocessor depends on is added
// here.
static void compiler_step(const struct device_paths *paths, const char *kernel, const char *what,
                          const char *words, struct build_step *step) {
    step->what = what;
    step_add(step, "%s", compiler_of(paths));
    step_add_words(step, FLAGS_LANGUAGE " " FLAGS_CODE " " FLAGS_CALLS);
    if (paths->compiler_version >= PATTERN_VERSION) {
        step_add(step, FLAGS_PATTERN);
    }
    if (paths->checks_locals) {
        step_add(step, "-fsanitize=object-size");
    }
    // The precompiled shim (the Makefile makes it) is found before the shim itself.  It saves half
    // of the compiler's time.  g++ ignores one that another g++ or other flags have made.
    step_add_words(step, FLAGS_WARNINGS " -include cuda_emu.h");
    step_add(step, "-iquote%s/precompiled%s", paths->programs, paths->shim);
    step_add(step, "-iquote%s", paths->shim);
    step_add(step, "-I%s", paths->include);
    step_add(step, "-I%s/standin", paths->include);
    step_add(step, "-I%s/standin/c", paths->include);
    step_add(step, "-DKERNEL=%s", kernel);
    step_add_words(step, words);
    step_add(step, BUILD_SOURCE);
}

// "tilegrade-inspect word".
static void inspect_step(const struct device_paths *paths, const char *what, const char *word,
                         struct build_step *step) {
    step->what = what;
    step_add(step, "%s/tilegrade-inspect", paths->programs);
    step_add(step, "%s", word);
}

// The page size follows the alignment of shared arrays; a static program lets the sandbox allow
// almost nothing; with -z now the pointers that its start-up code fills in become read-only.  The
// plugin is for -flto; loading it takes a fifth of the link.
#define FLAGS_LINK                                                                                 \
    "-static -no-pie -fno-use-linker-plugin -Wl,-z,max-page-size=65536,-z,noexecstack,-z,now "     \
    "-Wl,--gc-sections"

// `pattern`: the 32 bits that a variable without a value holds.
static void link_step(const struct device_paths *paths, const char *kernel, uint32_t pattern,
                      const char *result, struct build_step *step) {
    step->what = "link";
    step_add_words(step, LINKER " -nostdlib " FLAGS_LINK);
    // In quotes: ld takes a name such as `add` for a hexadecimal number with its base after it.
    step_add(step, "-Wl,--defsym=emu_kernel=\"%s\"", kernel);
    step_add(step, "-Wl,--defsym=emu_launch_config=%s" LAUNCH_CONFIG_SUFFIX, kernel);
    step_add(step, "-Wl,--defsym=emu_pattern_4=0x%" PRIx32, pattern);
    step_add(step, "-Wl,--defsym=emu_pattern_8=0x%" PRIx32 "%" PRIx32, pattern, pattern);
    step_add_words(step, "kernel.o shared.s");
    // It contains the needed parts of the C library (the Makefile says why).
    step_add(step, "%s/emu-worker.o", paths->programs);
    step_add(step, "%s/libemu-worker.a", paths->programs);  // for hooks/fences.c
    step_add_words(step, "-lgcc -o");
    step_add(step, "%s", result);
}

static enum status emu_plan(const struct device_paths *paths, const char *kernel,
                            struct build_plan *plan, struct error *err) {
    if (access(compiler_of(paths), X_OK) != 0 || access(LINKER, X_OK) != 0) {
        return fail(err, STATUS_UNAVAILABLE,
                    "%s: the C++ compiler is missing: run `make setup` (package g++)",
                    compiler_of(paths));
    }
    struct build_step *step = plan->step;
    plan->step_count = EMU_STEPS;
    compiler_step(paths, kernel, "compile", "-S -MD -MF kernel.d " DUMP("tsan") " -o kernel.s",
                  &step[STEP_COMPILE]);
    compiler_step(paths, kernel, "preprocess", "-E -o kernel.ii", &step[STEP_PREPROCESS]);
    inspect_step(paths, "inspect text", "text", &step[STEP_TEXT]);
    step[STEP_ASSEMBLE].what = "assemble";
    step_add_words(&step[STEP_ASSEMBLE], "as kernel.s -o kernel.o");
    // The marks of device code are read from kernel.s; in the object they would keep unused kernels
    // in the link.
    step[STEP_TRIM].what = "trim";
    step_add_words(&step[STEP_TRIM],
                   "objcopy --remove-section=__patchable_function_entries kernel.o");
    inspect_step(paths, "inspect object", "object", &step[STEP_OBJECT]);
    step_add(&step[STEP_OBJECT], "%s", kernel);
    step_add(&step[STEP_OBJECT], "%s", paths->include);
    step_add(&step[STEP_OBJECT], "%s", paths->shim);
    link_step(paths, kernel, PATTERN, WORKER, &step[STEP_LINK]);
    inspect_step(paths, "inspect program", "program", &step[STEP_PROGRAM]);
    step_add(&step[STEP_PROGRAM], "%s", kernel);
    return STATUS_OK;
}

static void replace(struct build_step *step, const char *old, const char *new) {
    for (int i = 0; step->argument[i]; i++) {
        if (strcmp(step->argument[i], old) == 0) {
            free(step->argument[i]);
            step->argument[i] = xstrdup(new);
        }
    }
}

void build_plan_debug(struct build_plan *plan) {
    replace(&plan->step[STEP_COMPILE], "-Og", "-O0");
    replace(&plan->step[STEP_PREPROCESS], "-Og", "-O0");
    // Without optimization gcc's pass has another name.
    replace(&plan->step[STEP_COMPILE], DUMP("tsan"), DUMP("tsan0"));
}

void build_plan_leave_arithmetic(struct build_plan *plan) {
    step_add(&plan->step[STEP_COMPILE],
             "-fno-sanitize=integer-divide-by-zero,shift-exponent,float-cast-overflow");
}

// A name with the runtime's prefix that the runtime lacks: it belongs to a feature of C++ or CUDA
// that this device does not support.
static bool link_needs_gpu(const char *output, struct build_report *report) {
    static const char mark[] = "undefined reference to `";
    const char *found = strstr(output, mark);
    if (!found) {
        return false;
    }
    const char *name = found + strlen(mark);
    int length = (int)strcspn(name, "'\n");
    bool runtime =
        text_starts(name, "emu_") || text_starts(name, "__tsan_") || text_starts(name, "__ubsan_");
    if (!runtime) {
        return false;
    }
    // "…/submission.cu:18: undefined reference to …"
    static const char source[] = BUILD_SOURCE ":";
    const char *place = strstr(output, source);
    int line = place && place < found ? (int)strtol(place + strlen(source), NULL, 10) : 0;
    build_report_fault(report, BUILD_FAULT_NEEDS_GPU, line,
                       "uses something that only a GPU can run (%.*s)", length, name);
    return true;
}

static enum status emu_failed(const char *kernel, int step, int exit_code, const char *output,
                              struct build_report *report, struct error *err) {
    const char *text = output ? output : "";
    if (step == STEP_COMPILE || step == STEP_PREPROCESS) {
        return diagnostics_judge(text, kernel, exit_code, report, err);
    }
    bool inspector = step == STEP_TEXT || step == STEP_OBJECT || step == STEP_PROGRAM;
    if (inspector && exit_code == 1) {
        return STATUS_OK;  // refused; the report says why
    }
    if (step == STEP_LINK && link_needs_gpu(text, report)) {
        return STATUS_OK;
    }
    static const char *const names[EMU_STEPS] = {
        [STEP_COMPILE] = "compile",   [STEP_PREPROCESS] = "preprocess",
        [STEP_TEXT] = "inspect text", [STEP_ASSEMBLE] = "assemble",
        [STEP_TRIM] = "trim",         [STEP_OBJECT] = "inspect object",
        [STEP_LINK] = "link",         [STEP_PROGRAM] = "inspect program"};
    return fail(err, STATUS_SYSTEM, "build step '%s' failed with code %d: %.400s", names[step],
                exit_code, text[0] != '\0' ? text : _("no message"));
}

static void gpu_plan(const struct device_paths *paths, const char *kernel, const char *architecture,
                     struct build_plan *plan) {
    struct build_step *step = &plan->step[0];
    step->what = "compile";
    plan->step_count = 1;
    step_add(step, "%s/tilegrade-nvrtc", paths->programs);
    step_add(step, BUILD_SOURCE);
    step_add(step, "%s", kernel);
    step_add(step, "%s", architecture);
    step_add(step, "kernel.cubin");
    step_add(step, "%s", paths->include);
}

static enum status gpu_failed(int exit_code, const char *output, struct build_report *report,
                              struct error *err) {
    if (exit_code > 128) {
        // NVRTC runs in that process, so a signal that ends it was caused by the student's text.
        build_report_fault(report, BUILD_FAULT_ERROR, 0,
                           "the compiler did not finish this file: does a macro, template or loop "
                           "grow without bound?");
        return STATUS_OK;
    }
    return fail(err, STATUS_SYSTEM, "tilegrade-nvrtc failed: %.300s",
                output && *output ? output : _("no message"));
}

// --- Plans ------------------------------------------------------------------------------

void build_plan_allow_tensor_cores(enum device_kind kind, struct build_plan *plan) {
    int steps = kind == DEVICE_EMU ? EMU_STEPS_OF_COMPILER : 1;
    for (int i = 0; i < steps; i++) {
        step_add(&plan->step[i], kind == DEVICE_EMU ? EMU_TENSOR_CORES : BUILD_TENSOR_CORES);
    }
}

void build_plan_contract(enum device_kind kind, const struct build_contract *contract,
                         struct build_plan *plan) {
    int steps = kind == DEVICE_EMU ? EMU_STEPS_OF_COMPILER : 1;
    for (int i = 0; i < steps; i++) {
        struct build_step *step = &plan->step[i];
        if (contract->parameters) {
            step_add(step, "-DKERNEL_PARAMETERS=%s", contract->parameters);
            step_add(step, "-DKERNEL_SIZES=%s", contract->sizes);
        }
        if (contract->uses_workspace) {
            step_add(step, "-DKERNEL_USES_WORKSPACE");
        }
        if (contract->uses_half) {
            step_add(step, "-DKERNEL_USES_HALF");
        }
        if (contract->uses_bf16) {
            step_add(step, "-DKERNEL_USES_BF16");
        }
        if (contract->uses_stdint) {
            step_add(step, "-DKERNEL_USES_STDINT");
        }
        if (kind == DEVICE_GPU) {
            step_add(step, BUILD_TAKES "%s", contract->takes);
        }
    }
}

enum status build_plan_make(enum device_kind kind, const struct device_paths *paths,
                            const char *kernel, const char *architecture,
                            struct build_plan *ret_plan, struct error *err) {
    enum status status = STATUS_OK;
    struct build_plan plan = {.step_count = 0};
    if (kind == DEVICE_EMU) {
        status = emu_plan(paths, kernel, &plan, err);
    } else {
        gpu_plan(paths, kernel, architecture, &plan);
    }
    if (status) {
        build_plan_done(&plan);
        return status;
    }
    *ret_plan = plan;
    return STATUS_OK;
}

// --- Whole programs ------------------------------------------------------------------------------

struct build_step build_program_compile(const struct device_paths *paths,
                                        const struct build_program_file *file) {
    struct build_step step = {.what = "compile", .reads_headers = true};
    step_add(&step, "%s", file->is_c ? "gcc" : compiler_of(paths));
    if (file->is_c) {
        step_add_words(&step, "-g -O1 -fno-pie -fdiagnostics-color=never -c -o");
        step_add(&step, "%s", file->object);
    } else {
        step_add_words(&step, FLAGS_PROGRAM " " FLAGS_CODE);
        if (paths->compiler_version >= PATTERN_VERSION) {
            step_add(&step, FLAGS_PATTERN);
        }
        step_add_words(&step, WARNINGS_PROGRAM " " DEFINE_PROGRAM " -include cuda_emu.h");
        step_add(&step, "-iquote%s/precompiled%s", paths->programs, paths->shim);
        step_add(&step, "-iquote%s", paths->shim);
        step_add(&step, "-I%s/standin", paths->include);
        step_add(&step, "-I%s", paths->include);
        step_add_words(&step, "-S " DUMP("tsan") " -o kernel.s");
    }
    for (int i = 0; file->options[i]; i++) {
        step_add(&step, "%s", file->options[i]);
    }
    // __FILE__ is the name that the student gave.
    step_add(&step, "-fmacro-prefix-map=" BUILD_SOURCE "=%s", file->shown);
    step_add(&step, "%s", file->text);
    return step;
}

struct build_step build_program_rewrite(const struct device_paths *paths) {
    struct build_step step = {.what = NULL};
    inspect_step(paths, "inspect text", "program-text", &step);
    return step;
}

struct build_step build_program_assemble(const char *object) {
    struct build_step step = {.what = "assemble"};
    step_add_words(&step, "as kernel.s -o");
    step_add(&step, "%s", object);
    return step;
}

struct build_step build_program_trim(const struct device_paths *paths, const char *object,
                                     const char *function) {
    struct build_step step = {.what = "trim"};
    step_add_words(&step, "objcopy --remove-section=__patchable_function_entries");
    step_add(&step, "--redefine-syms=%s/" PROGRAM_NAMES, paths->programs);
    if (function) {  // its file may have a main for its author, which nothing calls here
        step_add_words(&step, "--redefine-sym=main=emu_program_main "
                              "--redefine-sym=exit=emu_program_exit "
                              "--rename-section=.init_array=emu_init_array");
    }
    step_add(&step, "%s", object);
    return step;
}

// Adds kernel0.o, kernel1.o …
static void objects_add(int count, struct build_step *step) {
    for (int i = 0; i < count; i++) {
        step_add(step, BUILD_PROGRAM_OBJECT, i);
    }
}

struct build_step build_program_objects(const struct device_paths *paths, const char *function,
                                        int objects) {
    struct build_step step = {.what = NULL};
    inspect_step(paths, "inspect objects", "program-objects", &step);
    step_add(&step, "%s", function);
    objects_add(objects, &step);
    return step;
}

struct build_step build_program_arrays(const struct device_paths *paths, int objects) {
    struct build_step step = {.what = NULL};
    inspect_step(paths, "inspect arrays", "program-arrays", &step);
    objects_add(objects, &step);
    return step;
}

struct build_step build_program_link(const struct device_paths *paths, int objects,
                                     const char *function) {
    struct build_step step = {.what = "link"};
    // The files of a program follow the C library's start, and shared.s follows them.
    step_add_words(&step, COMPILER " " FLAGS_LINK
                                   " -Wl,-u,emu_program_start,--defsym=emu_program_text=_start "
                                   "-Wl,--defsym=emu_launch_config=0");
    step_add(&step, function ? "-Wl,--defsym=emu_kernel=\"%s\"" : "-Wl,--defsym=emu_kernel=0",
             function);
    step_add(&step, "-Wl,--defsym=emu_pattern_4=0x%" PRIx32, PATTERN);
    step_add(&step, "-Wl,--defsym=emu_pattern_8=0x%" PRIx32 "%" PRIx32, PATTERN, PATTERN);
    objects_add(objects, &step);
    step_add_words(&step, "shared.s");
    step_add(&step, "%s/libemu-worker.a", paths->programs);
    step_add_words(&step, "-o " WORKER);
    return step;
}

// --- Kernels -------------------------------------------------------------------------------------

struct build_step build_other_link_command(const struct device_paths *paths, const char *kernel) {
    struct build_step step = {.what = "link with another pattern"};
    link_step(paths, kernel, PATTERN_OTHER, WORKER_OTHER, &step);
    return step;
}

struct build_step build_other_worker_command(const char *folder) {
    struct build_step step = {.what = "worker"};
    step_add(&step, "%s/" WORKER_OTHER, folder);
    return step;
}

struct build_step build_worker_command(const struct build_folder *folder,
                                       const struct device_paths *paths, int gpu) {
    struct build_step step = {.what = "worker"};
    if (folder->kind == DEVICE_EMU) {
        step_add(&step, "%s/" WORKER, folder->path);
    } else {
        step_add(&step, "%s/tilegrade-gpu-worker", paths->programs);
        step_add(&step, "%s/kernel.cubin", folder->path);
        step_add(&step, "%s", folder->kernel);
        step_add(&step, "%d", gpu);
    }
    return step;
}

// --- Reports ----------------------------------------------------------------------------

// The inspector's exit code if it refused and gave the reason in the report.
#define EXIT_REFUSED 1

enum status build_report_load(const char *scratch, struct build_report *ret_report,
                              struct error *err) {
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    enum status status = path_make(path, err, "%s/%s", scratch, BUILD_REPORT);
    if (!status) {
        status = file_read(path, BUILD_REPORT_BYTES_MAX, &text, &bytes, err);
    }
    if (!status) {
        status = build_report_parse(text, bytes, ret_report, err);
    }
    free(text);
    return status ? STATUS_SYSTEM : STATUS_OK;
}

enum status build_report_read(const struct build_folder *folder, const int *exit_codes,
                              char *const *outputs, int steps_run, struct build_report *ret_report,
                              struct error *err) {
    assert(steps_run >= 1 && steps_run <= BUILD_STEPS_MAX);
    int last = steps_run - 1;
    struct build_report report;
    memset(&report, 0, sizeof report);
    enum status status = STATUS_OK;
    if (exit_codes[last] != 0) {
        status =
            folder->kind == DEVICE_EMU
                ? emu_failed(folder->kernel, last, exit_codes[last], outputs[last], &report, err)
                : gpu_failed(exit_codes[last], outputs[last], &report, err);
    }
    // One of our steps refused, or all steps are done: the report has the details.
    if (!status && report.fault == BUILD_FAULT_NONE) {
        status = build_report_load(folder->path, &report, err);
        if (!status && exit_codes[last] == EXIT_REFUSED && report.fault == BUILD_FAULT_NONE) {
            status = fail(err, STATUS_SYSTEM, "%s: refused without a reason", BUILD_REPORT);
        }
    }
    // Step 0 of the CPU device is the compiler.  Its messages help if it refuses the file, and if
    // the file compiles, they are warnings.  For the other faults one sentence says everything, and
    // the messages may quote files that are not the student's.
    bool helps = report.fault == BUILD_FAULT_NONE || report.fault == BUILD_FAULT_ERROR ||
                 report.fault == BUILD_FAULT_BAD_SIGNATURE;
    if (!status && folder->kind == DEVICE_EMU && helps) {
        free(report.diagnostics);
        report.diagnostics = diagnostics_show(outputs[0] ? outputs[0] : "", folder->kernel);
    }
    if (!status && !report.diagnostics) {
        report.diagnostics = xstrdup("");
    }
    if (status) {
        build_report_done(&report);
        return status;
    }
    *ret_report = report;
    return STATUS_OK;
}

// --- Places -----------------------------------------------------------------------------

struct build_step build_locate_command(const struct device_paths *paths, const char *scratch,
                                       const uint64_t *addresses, int address_count) {
    struct build_step step = {.what = "locate"};
    step_add(&step, "%s/tilegrade-inspect", paths->programs);
    step_add(&step, "locate");
    step_add(&step, "%s/worker", scratch);
    for (int i = 0; i < address_count; i++) {
        step_add(&step, "0x%" PRIx64, addresses[i]);
    }
    return step;
}

void build_locate_parse(const char *output, int address_count, struct build_place *ret_places) {
    const char *at = output;
    for (int i = 0; i < address_count; i++) {
        unsigned line = 0;
        unsigned column = 0;
        int used = 0;
        if (at && sscanf(at, "%9u %9u %n", &line, &column, &used) == 2 && used > 0) {
            at += used;
        } else {
            at = NULL;  // the following lines no longer match the addresses
            line = column = 0;
        }
        ret_places[i] = (struct build_place){.line = line, .column = line > 0 ? column : 0};
    }
}
