// The inspector: examines a submission's object between the steps of its build.  It runs in the
// sandbox, in the scratch folder.
//
//     tilegrade-inspect text
//         reads kernel.ii, kernel.s; rewrites kernel.s
//     tilegrade-inspect rewrite
//         rewrites kernel.s, without looking at anything (for tests)
//     tilegrade-inspect shared
//         reads kernel.o; prints shared.s (for tests)
//     tilegrade-inspect flags
//         prints the compiler's flags: a line for any processor, and one for this machine's (for
// tests)
//     tilegrade-inspect object KERNEL INCLUDE SHIM
//         reads kernel.o, kernel.s, kernel.d, kernel.tsan; writes shared.s
//     tilegrade-inspect program KERNEL
//         reads worker, kernel.o, kernel.s
//     tilegrade-inspect program-text
//         rewrites kernel.s of a whole program
//     tilegrade-inspect program-objects OBJECT...
//         reads the objects of a whole program; writes shared.s
//     tilegrade-inspect program-arrays OBJECT...
//         reads worker and the objects that it was linked from
//     tilegrade-inspect locate PROGRAM ADDRESS...
//         prints "line column" for each
//
// Exit code 0: no objection; 1: the submission is refused, and report.json says why; 3: it could
// not do its work.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/language.h"
#include "base/memory.h"
#include "device/assembly/rewrite.h"
#include "device/build_report.h"
#include "device/compile/build_plan.h"
#include "device/inspect/inspect.h"

static enum status inspect(int argc, char **argv, struct build_report *report, struct error *err) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "text") == 0 && argc == 2) {
        return inspect_text(report, err);
    }
    if (strcmp(what, "rewrite") == 0 && argc == 2) {
        return rewrite_kernel(report, err);
    }
    if (strcmp(what, "object") == 0 && argc == 5) {
        return inspect_object(argv[2], argv[3], argv[4], report, err);
    }
    if (strcmp(what, "program") == 0 && argc == 3) {
        return inspect_program(argv[2], report, err);
    }
    if (strcmp(what, "program-text") == 0 && argc == 2) {
        return inspect_program_text(report, err);
    }
    if (strcmp(what, "program-objects") == 0 && argc > 3) {
        return inspect_program_objects(argv[2], argc - 3, argv + 3, report, err);
    }
    if (strcmp(what, "program-arrays") == 0 && argc > 2) {
        return inspect_program_arrays(argc - 2, argv + 2, report, err);
    }
    return fail(err, STATUS_BAD_USAGE,
                "usage: tilegrade-inspect text | rewrite | object KERNEL INCLUDE SHIM | "
                "program KERNEL | locate PROGRAM ADDRESS...");
}

static int shared(void) {
    struct error err;
    char *text = NULL;
    enum status status = inspect_shared(&text, &err);
    if (status) {
        (void)fprintf(stderr, "tilegrade-inspect: %s\n", err.text);
        return status_exit_code(status);
    }
    bool printed = fputs(text, stdout) >= 0 && fflush(stdout) == 0;
    free(text);
    return printed ? 0 : 3;
}

static int locate(int argc, char **argv) {
    struct error err;
    char *text = NULL;
    enum status status = inspect_locate(argv[2], argc - 3, argv + 3, &text, &err);
    if (status) {
        (void)fprintf(stderr, "tilegrade-inspect: %s\n", err.text);
        return status_exit_code(status);
    }
    bool printed = fputs(text, stdout) >= 0 && fflush(stdout) == 0;
    free(text);
    return printed ? 0 : 3;
}

int main(int argc, char **argv) {
    struct error err;
    json_set_alloc_funcs(xmalloc, free);
    if (language_begin(&err)) {
        (void)fprintf(stderr, "tilegrade-inspect: %s\n", err.text);
        return EXIT_FAILURE;
    }
    if (argc >= 3 && strcmp(argv[1], "locate") == 0) {
        return locate(argc, argv);
    }
    if (argc == 2 && strcmp(argv[1], "shared") == 0) {
        return shared();
    }
    if (argc == 2 && strcmp(argv[1], "flags") == 0) {
        return fputs(build_emu_flags(), stdout) >= 0 && fflush(stdout) == 0 ? 0 : 3;
    }
    static struct build_report report;
    enum status status = inspect(argc, argv, &report, &err);
    if (!status) {
        status = build_report_write(BUILD_REPORT, &report, &err);
    }
    if (status) {
        (void)fprintf(stderr, "tilegrade-inspect: %s\n", err.text);
        return status_exit_code(status);
    }
    return report.fault == BUILD_FAULT_NONE ? 0 : 1;
}
