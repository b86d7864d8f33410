// `tilegrade doctor`: lists every component as found or missing, with instructions to install it.
// The libraries that this program is linked with are present, or it would not run; the programs it
// calls are searched for.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands/commands.h"
#include "app/standing.h"
#include "app/terminal/terminal.h"
#include "app/terminal/terminal_text.h"
#include "app/toolchain.h"
#include "base/basics.h"
#include "base/memory.h"
#include "base/words.h"
#include "sandbox/box.h"

#define ANSWER_WALL_MS 20000
#define ANSWER_BYTES   (64 << 10)
#define TEXT_COLUMN    24
#define STATE_COLUMNS  8
#define NAME_COLUMNS   12

struct component {
    const char *name;
    const char *what;
    const char *arguments[4];  // a command that succeeds if it is installed
    const char *remedy;
};

// The first runs reports; the others build the program and run it.
static const struct component components[] = {
    {"python3", N_("renders reports"), {"/usr/bin/python3", "--version"}, "make setup"},
    {"make", N_("runs all commands"), {"make", "--version"}, "make setup"},
    {"Check",
     N_("runs the tests of make test"),
     {"pkg-config", "--modversion", "check"},
     "make setup"},
    {"jansson", N_("writes results"), {"pkg-config", "--modversion", "jansson"}, "make setup"},
    {"inih", N_("reads exercise files"), {"pkg-config", "--modversion", "inih"}, "make setup"},
    {"libmd", N_("computes SHA-256 hashes"), {"pkg-config", "--modversion", "libmd"}, "make setup"},
    {"libdw",
     N_("finds the source line of an address"),
     {"pkg-config", "--modversion", "libdw"},
     "make setup"},
    {"gettext", N_("compiles the Chinese messages"), {"msgfmt", "--version"}, "make setup"},
};

// Writes the first line of the command's output.  False if the command is missing or fails.
static bool component_ask(const struct component *component, char *ret_line, size_t bytes_max) {
    struct box_command command = {
        .argument = (char *const *)component->arguments,
        .folder = "/tmp",
        .limits = {.wall_ms = ANSWER_WALL_MS, .output_bytes = ANSWER_BYTES, .open_files = 64}};
    struct box *box = NULL;
    enum box_end end = BOX_RUNNING;
    bool found = false;
    if (!box_run(&command, &box, &end, NULL) && end == BOX_EXITED && box_exit_code(box) == 0) {
        const char *output = box_output(box);
        (void)snprintf(ret_line, bytes_max, "%.*s", (int)strcspn(output, "\n"), output);
        found = true;
    }
    box_free(box);
    return found;
}

static void row_print(const struct terminal *terminal, bool found, bool optional, const char *name,
                      const char *text) {
    const char *state = found ? _("found") : optional ? _("absent") : _("MISSING");
    terminal_color(terminal,
                   found      ? COLOR_GREEN
                   : optional ? COLOR_YELLOW
                              : COLOR_RED,
                   "  %s%*s", state, STATE_COLUMNS - terminal_columns(state, strlen(state)), "");
    (void)printf(" %s%*s ", name, NAME_COLUMNS - terminal_columns(name, strlen(name)), "");
    terminal_hang(terminal, TEXT_COLUMN, text);
}

// One row, with the version and the origin of the compiler.
static bool compiler_print(const struct terminal *terminal, const char *path) {
    char line[COMPILER_LINE_BYTES];
    char text[PATH_BYTES_MAX + COMPILER_LINE_BYTES + 64];
    struct error why = {.text = ""};
    bool found = compiler_ask(path, line, &why) == STATUS_OK;
    if (found) {
        (void)snprintf(text, sizeof text, _("compiles kernels for the CPU device: %s: %s%s"), path,
                       line, compiler_is_chosen() ? " (" COMPILER_VARIABLE ")" : "");
    }
    row_print(terminal, found, false, "g++", found ? text : why.text);
    return found;
}

static int components_print(const struct terminal *terminal, bool released) {
    int missing = 0;
    for (size_t i = 0; i < (released ? 1 : COUNT(components)); i++) {
        const struct component *component = &components[i];
        char text[400];
        char line[200];
        bool found = component_ask(component, line, sizeof line);
        (void)snprintf(text, sizeof text, found ? _("%s: %s") : _("%s; to install it: %s"),
                       _(component->what), found ? line : component->remedy);
        row_print(terminal, found, false, component->name, text);
        missing += !found;
    }
    return missing;
}

static void gpus_print(const struct terminal *terminal, const struct gpu_info *info) {
    char text[400];
    for (int i = 0; i < info->gpu_count; i++) {
        const struct gpu *gpu = &info->gpus[i];
        (void)snprintf(text, sizeof text, "%d: %s, %s, %.1f GiB", gpu->index, gpu->name,
                       gpu->architecture, (double)gpu->memory_bytes / (1 << 30));
        row_print(terminal, true, true, "GPU", text);
        if (gpu->pageable_memory_access) {
            // Source: NVIDIA/open-gpu-kernel-modules, issue 338.
            row_print(terminal, false, true, _("GPU memory"),
                      _("protection of a worker's memory from the kernel it runs: HMM is on, so a "
                        "kernel on this GPU could change the times that its worker measures. Only "
                        "the grader's own clock would show it, and every result says so. To fix "
                        "this, put the line `options nvidia_uvm uvm_disable_hmm=1` into "
                        "/etc/modprobe.d/nvidia-uvm.conf and restart."));
        }
    }
    if (info->gpu_count == 0) {
        (void)snprintf(text, sizeof text, _("%.300s; the CPU device does not need one"),
                       info->driver_reason);
        row_print(terminal, false, true, "GPU", text);
    }
    if (info->driver_version > 0) {  // its absence is already the reason above
        (void)snprintf(text, sizeof text, _("for CUDA %d.%d"), info->driver_version / 1000,
                       info->driver_version % 1000 / 10);
        row_print(terminal, true, true, _("driver"), text);
    }
    if (info->nvrtc_major > 0) {
        (void)snprintf(text, sizeof text, "%d.%d, %.300s", info->nvrtc_major, info->nvrtc_minor,
                       info->nvrtc_path);
    } else {
        (void)snprintf(text, sizeof text, "%.300s", info->nvrtc_reason);
    }
    row_print(terminal, info->nvrtc_major > 0, true, "NVRTC", text);
}

static void gpu_print(const struct terminal *terminal, const struct app *app,
                      const struct sandbox *sandbox) {
    struct gpu_info *info = xcalloc(1, sizeof *info);
    struct error why = {.text = ""};
    if (gpu_find(&app->places->device, sandbox, info, &why)) {
        row_print(terminal, false, true, "GPU", why.text);
    } else {
        gpus_print(terminal, info);
    }
    free(info);
}

// Returns whether enough layers of the sandbox work; if not, *ret_sandbox is NULL.
static bool sandbox_print(const struct terminal *terminal, const struct app *app,
                          struct sandbox **ret_sandbox) {
    const struct device_paths *paths = &app->places->device;
    const char *const needed[] = {paths->include, paths->shim, paths->programs, NULL};
    char text[SANDBOX_TEXT_BYTES];
    struct error why = {.text = ""};
    *ret_sandbox = NULL;
    bool enough = sandbox_open(POLICY_DEFAULT, needed, ret_sandbox, &why) == STATUS_OK;
    if (enough) {
        sandbox_text(*ret_sandbox, text);
    }
    row_print(terminal, enough, false, _("sandbox"), enough ? text : why.text);
    return enough;
}

// The parts of the course that exist; nothing if the program is not in a course.
static enum status course_print(const struct terminal *terminal, const struct app *app,
                                struct error *err) {
    struct course *course = NULL;
    char text[PATH_BYTES_MAX + 100];
    if (app->places->root[0] == '\0') {
        row_print(terminal, false, true, _("course"), _("no course here"));
        return STATUS_OK;
    }
    enum status status = course_open(app->places->root, &course, err);
    if (!status) {
        struct progress_made made = progress_made(app->places, course);
        (void)snprintf(text, sizeof text,
                       course->has_references ? _("%s: %d exercises with references, %d pass")
                                              : _("%s: %d exercises, %d pass"),
                       app->places->root_real, course->exercise_count, made.passed);
        row_print(terminal, true, false, _("course"), text);
    }
    course_free(course);
    return status;
}

enum status cmd_doctor(const struct app *app, enum exit_code *ret_code, struct error *err) {
    struct terminal terminal = terminal_of(stdout, "", "");
    (void)printf("tilegrade %s\n", TILEGRADE_VERSION);
    enum status status = course_print(&terminal, app, err);
    if (status) {
        return status;
    }
    int missing = !compiler_print(&terminal, app->places->device.compiler);
    missing += components_print(&terminal, app->places->device.is_released);
    struct sandbox *sandbox = NULL;
    missing += !sandbox_print(&terminal, app, &sandbox);
    gpu_print(&terminal, app, sandbox);
    sandbox_close(sandbox);
    (void)printf("%s\n", missing == 0
                             ? _("Everything that is needed is installed.")
                             : _("Something is missing; its line above says how to install it."));
    *ret_code = missing == 0 ? EXIT_ALL_WELL : EXIT_HARNESS;
    return STATUS_OK;
}
