// Before the link: the preprocessed file and gcc's assembly, before any assembler reads one; then
// the object file: its definitions, its calls, and code that would run by itself.
//
// The order of the checks is the order of precedence of the verdicts.
#include "device/inspect/inspect.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "device/assembly/assembly_text.h"
#include "device/assembly/rewrite.h"
#include "device/build_report.h"
#include "device/device.h"
#include "device/inspect/dwarf.h"
#include "device/object/elf.h"
#include "device/object/symbols.h"
#include "device/source/source_check.h"
#include "emu/count/count_flops.h"
#include "emu/memory/kernel_memory.h"
#include "emu/memory/vault.h"

struct object {
    struct elf_file elf;
    char *text;  // kernel.s
    int file;    // number of the student's file in it
    const char *kernel;
    struct build_report *report;
};

// Draws the address of the machine, so that no kernel knows where it is.
static enum status machine_place(FILE *out, struct error *err) {
    struct seed seed;
    enum status status = seed_fresh(&seed, err);
    if (!status) {
        uint64_t pages = (VAULT_NAMED_HIGH - VAULT_NAMED_LOW) / VAULT_PAGE_BYTES;
        (void)fprintf(out, "\t.globl machine_state\n\t.set machine_state, 0x%llx\n",
                      VAULT_NAMED_LOW +
                          seed.word[0] % pages * (unsigned long long)VAULT_PAGE_BYTES);
        // The code of a whole program ends here: emu/host/host_launch.c.
        (void)fprintf(out, "\t.text\n\t.globl emu_program_text_end\nemu_program_text_end:\n");
    }
    return status;
}

// The name of an `extern __shared__` array; NULL for other symbols.  libstdc++ has thread-local
// variables, too.
static const char *dynamic_name(const struct elf_file *elf, size_t at) {
    GElf_Sym symbol;
    const char *name = elf_symbol(elf, at, &symbol);
    bool dynamic = symbol.st_shndx == SHN_UNDEF && GELF_ST_TYPE(symbol.st_info) == STT_TLS &&
                   name[0] != '\0' && !text_starts(name, "_ZSt") && !text_starts(name, "_ZNSt");
    return dynamic ? name : NULL;
}

static bool has_dynamic(const struct elf_file *elf, const char *name) {
    for (size_t i = 1; i < elf->count; i++) {
        const char *other = dynamic_name(elf, i);
        if (other && strcmp(other, name) == 0) {
            return true;
        }
    }
    return false;
}

// All `extern __shared__` arrays are one memory, as on a GPU: undefined thread-local symbols get
// one address.
static void dynamic_write(const struct elf_file *files, size_t count, FILE *out) {
    uint64_t alignment = 1;
    bool any = false;
    for (size_t k = 0; k < count; k++) {
        uint64_t here = types_declared_alignment(files[k].elf);
        alignment = here > alignment ? here : alignment;
    }
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 1; i < files[k].count; i++) {
            const char *name = dynamic_name(&files[k], i);
            bool again = false;
            for (size_t j = 0; name && j < k; j++) {
                again |= has_dynamic(&files[j], name);
            }
            if (!name || again) {
                continue;
            }
            if (!any) {
                (void)fprintf(
                    out, "\t.section .tbss.dynamic,\"awT\",%%nobits\n\t.balign %u\n\t.zero %u\n",
                    MEMORY_ALIGN_BYTES, memory_shift(alignment));
            }
            any = true;
            (void)fprintf(out, "\t.globl %s\n\t.type %s, %%object\n%s:\n", name, name, name);
        }
    }
    if (any) {
        (void)fprintf(out, "\t.zero %d\n", SHARED_ROOM_BYTES);
    }
}

static enum status shared_text(const struct elf_file *files, size_t count, char **ret_text,
                               size_t *ret_bytes, struct error *err) {
    char *text = NULL;
    FILE *out = xopen_memstream(&text, ret_bytes);
    dynamic_write(files, count, out);
    types_write(files, count, out);
    enum status status = machine_place(out, err);
    (void)fprintf(out, "\t.section .note.GNU-stack,\"\",%%progbits\n");
    xclose_memstream(out, &text);
    if (status) {
        free(text);
        return status;
    }
    *ret_text = text;
    return STATUS_OK;
}

// Writes shared.s: all `extern __shared__` arrays are one memory, as on a GPU.
// Errors: STATUS_SYSTEM.
static enum status shared_write(const struct elf_file *files, size_t count, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    enum status status = shared_text(files, count, &text, &bytes, err);
    if (!status) {
        status = file_write("shared.s", text, bytes, err);
    }
    free(text);
    return status;
}

enum status inspect_shared(char **ret_text, struct error *err) {
    struct elf_file elf = {.fd = -1};
    size_t bytes = 0;
    enum status status = elf_file_open("kernel.o", &elf, err);
    if (!status) {
        status = shared_text(&elf, 1, ret_text, &bytes, err);
    }
    elf_file_close(&elf);
    return status;
}

// NVRTC treats a lambda with __device__ as host code.
static bool is_marked_lambda(const struct assembly_function *function) {
    const char *lambda = strstr(function->name, "Ul");
    return function->is_submission && function->is_device && lambda && strstr(lambda, "_cl");
}

static void refuse_host(struct object *object, const struct assembly_function *function,
                        const char *name) {
    if (strcmp(function->name, object->kernel) == 0) {
        build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, function->line,
                           "the function `%s` is host code: write __global__ before it, because "
                           "the grader launches it",
                           name);
    } else if (strcmp(name, "main") == 0) {
        build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, function->line,
                           "the function `%s` is host code: remove it, because the grader launches "
                           "the kernel",
                           name);
    } else {
        build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, function->line,
                           "the function `%s` is host code: write __device__ before it, because a "
                           "kernel calls it",
                           name);
    }
}

// Checks that nothing is host code; if something is, returns false with a fault in the report.
//
// Host code is a function of the student's file without the mark of __device__ or __global__.
static bool object_check_functions(struct object *object) {
    struct assembly_function function;
    const char *at = object->text;
    while (assembly_next(&at, object->file, &function)) {
        if (function.is_submission && !function.is_device && !symbol_is_implied(function.name)) {
            char name[128];
            symbol_readable(function.name, name, sizeof name);
            if (symbol_is_lambda(function.name)) {
                build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, function.line,
                                   "a lambda with `auto` parameters is taken for host code: name "
                                   "the types of its parameters");
                return false;
            }
            refuse_host(object, &function, name);
            return false;
        }
        if (is_marked_lambda(&function)) {
            build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, function.line,
                               "a lambda in a kernel is already device code: remove its "
                               "__device__, which the GPU compiler does not accept there");
            return false;
        }
        if (strcmp(function.name, object->kernel) == 0 && !function.is_kernel) {
            build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, function.line,
                               "`%s` is a __device__ function: write __global__ before it, because "
                               "the grader launches it",
                               object->kernel);
            return false;
        }
    }
    return true;
}

// Checks that every function went through the instrumenting pass under the options of the command
// line; else puts a fault into the report.  Errors: STATUS_SYSTEM.
//
// Attributes and pragmas can switch the instrumentation of a function off, or optimise accesses
// away.  gcc's dump of the instrumenting pass names every function that went through it under the
// options of the command line.
static enum status object_check_instrumented(struct object *object, struct error *err) {
    char *dump = NULL;
    size_t bytes = 0;
    enum status status = file_read("kernel.tsan", BUILD_TEXT_MAX, &dump, &bytes, err);
    if (status) {
        return status;
    }
    struct assembly_function function;
    const char *at = object->text;
    while (assembly_next(&at, object->file, &function)) {
        char mark[SYMBOL_TEXT_MAX + 16];
        bool wrapper = text_starts(function.name, "_ZTW") || text_starts(function.name, "_ZTH");
        (void)snprintf(mark, sizeof mark, "(%.*s, funcdef_no=", (int)strcspn(function.name, "."),
                       function.name);
        if (function.is_submission && !wrapper && !strstr(dump, mark)) {
            char name[128];
            symbol_readable(function.name, name, sizeof name);
            build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, function.line,
                               "`%s` is compiled with options of its own (an attribute such as "
                               "no_sanitize or optimize, or a #pragma GCC): remove them",
                               name);
            break;
        }
    }
    free(dump);
    return STATUS_OK;
}

static bool defines(const struct elf_file *elf, const char *wanted) {
    for (size_t i = 1; i < elf->count; i++) {
        GElf_Sym symbol;
        const char *name = elf_symbol(elf, i, &symbol);
        if (symbol.st_shndx != SHN_UNDEF && GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
            strcmp(name, wanted) == 0) {
            return true;
        }
    }
    return false;
}

// There is no kernel of that name with C linkage: reports what was found instead.
static void explain_missing(struct object *object) {
    struct assembly_function function;
    const char *at = object->text;
    const char *kernel = object->kernel;
    while (assembly_next(&at, object->file, &function)) {
        const char *parameters = NULL;
        char name[128];
        symbol_readable(function.name, name, sizeof name);
        if (symbol_is_overload(function.name, kernel, &parameters)) {
            if (strcmp(parameters, "PKfS0_Pfiii") == 0) {
                build_report_fault(object->report, BUILD_FAULT_NO_KERNEL, 1,
                                   "does not include matmul.cuh: its first line of code is "
                                   "#include \"matmul.cuh\"");
            } else {
                build_report_fault(object->report, BUILD_FAULT_BAD_SIGNATURE, function.line,
                                   "%s does not have the parameters that the grader passes: (const "
                                   "float *A, const float *B, float *C, int M, int N, int K)",
                                   kernel);
            }
            return;
        }
        if (function.is_submission && function.is_device && strstr(name, "matmul") &&
            !strstr(name, LAUNCH_CONFIG_SUFFIX)) {
            build_report_fault(object->report, BUILD_FAULT_NO_KERNEL, function.line,
                               "has no kernel %s; the function here is called %s", kernel, name);
            return;
        }
    }
    build_report_fault(object->report, BUILD_FAULT_NO_KERNEL, 0,
                       "has no kernel %s: write `__global__ void %s(…)`", kernel, kernel);
}

// Checks that the kernel and its LAUNCH_CONFIG exist; otherwise puts a fault into the report, with
// what was found instead.
static void object_check_kernel(struct object *object) {
    char config[NAME_BYTES_MAX + 32];
    (void)snprintf(config, sizeof config, "%s" LAUNCH_CONFIG_SUFFIX, object->kernel);
    if (!defines(&object->elf, object->kernel)) {
        explain_missing(object);
    } else if (!defines(&object->elf, config)) {
        build_report_fault(object->report, BUILD_FAULT_NO_CONFIG, 0,
                           "has no LAUNCH_CONFIG(%s, M, N, K), which says how many blocks of how "
                           "many threads to launch",
                           object->kernel);
    }
}

// The limit for all __shared__ arrays of the file together, before the link drops the unused ones.
// More would only slow down the link.
#define OBJECT_SHARED_MAX (1 << 20)
#define SYMBOL_SHOWN_MAX  128  // bytes of a name in a message, with the final NUL

static enum status text_read(char **ret_text, struct error *err) {
    size_t bytes = 0;
    return file_read("kernel.s", BUILD_TEXT_MAX, ret_text, &bytes, err);
}

// --- Files that were included -----------------------------------------------------------

static bool inside_folder(const char *path, size_t length, const char *folder) {
    size_t count = strlen(folder);
    return length > count && memcmp(path, folder, count) == 0 && path[count] == '/' &&
           !memmem(path, length, "/../", 4);
}

// kernel.d is a rule for make: "kernel.o: submission.cu /…/cuda_emu.h \<line end> …", spaces in
// names as "\ ".
static enum status check_includes(struct object *object, const char *include_folder,
                                  const char *shim_folder, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read("kernel.d", BUILD_TEXT_MAX, &text, &bytes, err);
    if (status) {
        return status;
    }
    char *out = text;  // unescaped in place, words end in '\n'
    for (const char *at = text; *at != '\0'; at++) {
        if (at[0] == '\\' && at[1] == '\n') {
            *out++ = '\n';
            at++;
        } else if (at[0] == '\\' && at[1] == ' ') {
            *out++ = ' ';
            at++;
        } else {
            *out++ = *at == ' ' ? '\n' : *at;
        }
    }
    *out = '\0';
    const char *colon = strstr(text, ":\n");
    for (const char *at = colon ? colon + 2 : text; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        bool own = length == strlen(BUILD_SOURCE) && memcmp(at, BUILD_SOURCE, length) == 0;
        if (length > 0 && !own && !inside_folder(at, length, include_folder) &&
            !inside_folder(at, length, shim_folder)) {
            build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, 0, FOREIGN_INCLUDE_TEXT);
            break;
        }
        at += length + (at[length] == '\n');
    }
    free(text);
    return STATUS_OK;
}

// --- Symbols ----------------------------------------------------------------------------

// The line where a symbol is defined, if it is a function of the file, else of its first use.
static int line_of(const struct object *object, const char *symbol) {
    struct assembly_function function;
    const char *at = object->text;
    while (assembly_next(&at, object->file, &function)) {
        if (function.line > 0 && strcmp(function.name, symbol) == 0) {
            return function.line;
        }
    }
    return assembly_line_of(object->text, object->file, symbol);
}

static void refuse_static(struct object *object, const char *symbol) {
    char name[SYMBOL_SHOWN_MAX];
    symbol_readable(symbol, name, sizeof name);
    build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, line_of(object, symbol),
                       "has a variable that is set up at run time (`%s`): a static or __shared__ "
                       "variable may have no constructor, and a constant's value must be known to "
                       "the compiler",
                       name);
}

// Examines a symbol that is used but not defined in the file.
static bool check_undefined(struct object *object, const char *symbol, const GElf_Sym *entry) {
    // A thread-local symbol is `extern __shared__`.  In NVIDIA's samples its name is `__smem` or
    // `__smem_d`.
    if (symbol[0] == '\0' || (GELF_ST_TYPE(entry->st_info) == STT_TLS &&
                              (!symbol_is_reserved(symbol) || text_starts(symbol, "__smem")))) {
        return true;
    }
    char name[SYMBOL_SHOWN_MAX];
    symbol_readable(symbol, name, sizeof name);
    switch (symbol_classify(symbol)) {
    case SYMBOL_OURS:
        return true;
    case SYMBOL_STUDENT:
        build_report_fault(object->report, BUILD_FAULT_ERROR, line_of(object, symbol),
                           "uses `%s`, which is declared but not defined in the file", name);
        break;
    case SYMBOL_NEEDS_GPU:
        build_report_fault(object->report, BUILD_FAULT_NEEDS_GPU, line_of(object, symbol),
                           "calls `%s`: a kernel has a heap only on a GPU", name);
        break;
    case SYMBOL_STATIC:
        refuse_static(object, symbol);
        break;
    case SYMBOL_FOREIGN:
        build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, line_of(object, symbol),
                           "uses `%s`, which is not a device function", name);
        break;
    }
    return false;
}

static bool check_defined(struct object *object, const char *symbol, const GElf_Sym *entry) {
    int type = GELF_ST_TYPE(entry->st_info);
    bool global = GELF_ST_BIND(entry->st_info) != STB_LOCAL;
    char name[SYMBOL_SHOWN_MAX];
    // A symbol of our own, in no section: C++ does not make such a symbol.
    if (entry->st_shndx == SHN_ABS && strcmp(symbol, FLOPS_KNOWN_SYMBOL) == 0) {
        return true;
    }
    symbol_readable(symbol, name, sizeof name);
    if (type == STT_GNU_IFUNC || (global && symbol_is_reserved(symbol))) {
        build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, line_of(object, symbol),
                           "defines `%s`, a name that is reserved for the system", name);
        return false;
    }
    bool dead = text_starts(symbol, "_ZGV") && type == STT_TLS &&
                assembly_guard_is_dead(object->text, symbol);
    if ((text_starts(symbol, "_ZGV") && !dead) || strcmp(symbol, "__tls_guard") == 0) {
        refuse_static(object, symbol);
        return false;
    }
    // The configuration of another kernel in the file is harmless: nothing calls it.
    size_t length = strlen(symbol);
    size_t suffix = strlen(LAUNCH_CONFIG_SUFFIX);
    bool ours = strcmp(symbol, object->kernel) == 0 ||
                (length > suffix && strcmp(symbol + length - suffix, LAUNCH_CONFIG_SUFFIX) == 0);
    if (type == STT_FUNC && global && !ours && !text_starts(symbol, "_Z")) {
        build_report_fault(
            object->report, BUILD_FAULT_NOT_ALLOWED, line_of(object, symbol),
            "declares `%s` extern \"C\"; only the kernel and its LAUNCH_CONFIG may be "
            "extern \"C\", so remove it",
            name);
        return false;
    }
    return true;
}

static bool check_symbols(struct object *object) {
    uint64_t shared = 0;
    for (size_t i = 1; i < object->elf.count; i++) {
        GElf_Sym symbol;
        const char *name = elf_symbol(&object->elf, i, &symbol);
        if (symbol.st_shndx == SHN_UNDEF ? !check_undefined(object, name, &symbol)
                                         : !check_defined(object, name, &symbol)) {
            return false;
        }
        if (GELF_ST_TYPE(symbol.st_info) == STT_TLS && symbol.st_shndx != SHN_UNDEF) {
            shared += symbol.st_size < OBJECT_SHARED_MAX ? symbol.st_size : OBJECT_SHARED_MAX;
        }
    }
    if (shared >= OBJECT_SHARED_MAX) {
        build_report_fault(object->report, BUILD_FAULT_ERROR, 0,
                           "the __shared__ arrays take more than %d bytes; a block has %d",
                           OBJECT_SHARED_MAX, SHARED_BYTES_MAX);
        return false;
    }
    return true;
}

static void refuse_start(struct object *object) {
    char name[SYMBOL_TEXT_MAX];
    struct assembly_function function;
    const char *at = object->text;
    int line = 0;
    assembly_start(object->text, name);
    while (name[0] != '\0' && line == 0 && assembly_next(&at, object->file, &function)) {
        // For variables gcc emits a separate function, whose line number is meaningless.
        bool named = strcmp(function.name, name) == 0 && !text_starts(name, "_GLOBAL__");
        line = named && function.is_submission ? function.line : 0;
    }
    build_report_fault(
        object->report, BUILD_FAULT_NOT_ALLOWED, line,
        "has code that runs by itself before any launch (a constructor, or a variable "
        "that is set up at run time)");
}

// Of the variables, without the margins between them.
static uint64_t constant_bytes(const struct elf_file *elf) {
    uint64_t bytes = 0;
    for (size_t i = 1; i < elf->count; i++) {
        GElf_Sym symbol;
        GElf_Shdr section;
        (void)elf_symbol(elf, i, &symbol);
        bool constant = GELF_ST_TYPE(symbol.st_info) == STT_OBJECT &&
                        symbol.st_shndx != SHN_UNDEF &&
                        text_starts(elf_section(elf, symbol.st_shndx, &section), CONSTANT_SECTION);
        bytes += constant ? symbol.st_size : 0;
    }
    return bytes;
}

// Refuses code that runs before a kernel is launched, and more constants than fit in a GPU's
// constant memory.  gcc's own call of __tsan_init is in .init_array.00099.
static bool check_sections(struct object *object) {
    static const char *const prefixes[] = {".init_array", ".preinit_array", ".fini_array", ".ctors",
                                           ".dtors",      ".init",          ".fini"};
    size_t count = 0;
    int own_count = 0;
    if (elf_getshdrnum(object->elf.elf, &count) != 0) {
        return true;
    }
    for (size_t i = 1; i < count; i++) {
        GElf_Shdr header;
        const char *name = elf_section(&object->elf, i, &header);
        bool own =
            strcmp(name, ".init_array.00099") == 0 && header.sh_size <= 8 && ++own_count == 1;
        if (!own && text_starts_any(name, prefixes, COUNT(prefixes))) {
            refuse_start(object);
            return false;
        }
    }
    uint64_t constants = constant_bytes(&object->elf);
    if (constants > CONSTANT_BYTES_MAX) {
        build_report_fault(object->report, BUILD_FAULT_ERROR, 0,
                           "the __constant__ variables have %llu bytes, and a GPU has %d for them",
                           (unsigned long long)constants, CONSTANT_BYTES_MAX);
        return false;
    }
    return true;
}

enum status inspect_object(const char *kernel, const char *include_folder, const char *shim_folder,
                           struct build_report *report, struct error *err) {
    struct object object = {.elf = {.fd = -1}, .kernel = kernel, .report = report};
    enum status status = text_read(&object.text, err);
    if (!status) {
        object.file = assembly_file(object.text);
        status = elf_file_open("kernel.o", &object.elf, err);
    }
    if (!status) {
        status = check_includes(&object, include_folder, shim_folder, err);
    }
    if (!status && report->fault == BUILD_FAULT_NONE && check_sections(&object) &&
        object_check_functions(&object) && check_symbols(&object)) {
        status = object_check_instrumented(&object, err);
    }
    if (!status && report->fault == BUILD_FAULT_NONE) {
        object_check_kernel(&object);
    }
    if (!status && report->fault == BUILD_FAULT_NONE) {
        status = shared_write(&object.elf, 1, err);
    }
    elf_file_close(&object.elf);
    free(object.text);
    return status;
}

#define STATIC_BYTES_MAX (64 << 20)  // all arrays in kernel.s, before the assembler writes them

// Checks the student's text after macro expansion.  False if it is refused.
static bool tokens_inspect(const char *text, struct build_report *report) {
    int line = 0;
    char word[SOURCE_WORD_MAX] = "";
    enum source_problem problem = source_made_foreign(text, &line, word);
    source_refuse(problem, line, word, report);
    return report->fault == BUILD_FAULT_NONE;
}

// Reads a text that the compiler made.  If it is too large, the macros of the file grow without
// bound, which is its fault: then *ret_text stays NULL, and the report has a fault.
static enum status made_text_read(const char *path, char **ret_text, struct build_report *report,
                                  struct error *err) {
    struct stat about;
    size_t bytes = 0;
    if (stat(path, &about) == 0 && about.st_size > BUILD_TEXT_MAX) {
        build_report_fault(report, BUILD_FAULT_ERROR, 0,
                           "expands to %lld MiB of text for the compiler; at most %d MiB are read: "
                           "does a macro grow without bound?",
                           (long long)about.st_size >> 20, BUILD_TEXT_MAX >> 20);
        return STATUS_OK;
    }
    return file_read(path, BUILD_TEXT_MAX, ret_text, &bytes, err);
}

enum status inspect_text(struct build_report *report, struct error *err) {
    char *text = NULL;
    char *preprocessed = NULL;
    int line = -1;
    enum status status = made_text_read("kernel.s", &text, report, err);
    if (!status && text) {
        status = made_text_read("kernel.ii", &preprocessed, report, err);
    }
    if (status || !preprocessed || !tokens_inspect(preprocessed, report)) {
        goto out;
    }
    line = assembly_inline(text);
    if (line >= 0) {
        build_report_fault(report, BUILD_FAULT_NEEDS_GPU, line,
                           "uses inline assembly, which only a GPU can run");
    } else if (assembly_calls_anywhere(text)) {
        build_report_fault(
            report, BUILD_FAULT_NOT_ALLOWED, 0,
            "has an attribute or option that changes how functions are called: remove it");
    } else if (assembly_zeros(text) > STATIC_BYTES_MAX) {
        build_report_fault(report, BUILD_FAULT_MEMORY, 0,
                           "the static arrays take %llu bytes; a kernel file may have %d",
                           assembly_zeros(text), STATIC_BYTES_MAX);
    } else {
        status = rewrite_kernel(report, err);
    }

out:
    free(text);
    free(preprocessed);
    return status;
}

// --- Whole programs -----------------------------------------------------------------------------

enum status inspect_program_text(struct build_report *report, struct error *err) {
    char *text = NULL;
    enum status status = made_text_read("kernel.s", &text, report, err);
    int line = text ? assembly_inline(text) : -1;
    if (line > 0) {
        build_report_fault(report, BUILD_FAULT_NEEDS_GPU, line,
                           "uses inline assembly, which only a GPU can run");
    } else if (text) {
        status = rewrite_program(report, err);
    }
    free(text);
    return status;
}

enum status inspect_program_objects(const char *function, int count, char *const *names,
                                    struct build_report *report, struct error *err) {
    struct elf_file *files = xcalloc((size_t)count + 1, sizeof *files);
    enum status status = STATUS_OK;
    bool has_function = false;
    int opened = 0;
    for (; opened < count && !status; opened++) {
        files[opened].fd = -1;
        status = elf_file_open(names[opened], &files[opened], err);
        has_function |= !status && defines(&files[opened], function);
    }
    if (!status && !has_function && strcmp(function, "main") == 0) {
        build_report_fault(report, BUILD_FAULT_ERROR, 0,
                           "has no function `main`, with which a program starts");
    } else if (!status && !has_function) {
        build_report_fault(report, BUILD_FAULT_NO_KERNEL, 0, "has no function `%s`", function);
    } else if (!status) {
        status = shared_write(files, (size_t)count, err);
    }
    while (opened-- > 0) {
        elf_file_close(&files[opened]);
    }
    free(files);
    return status;
}
