// The object file, before it is linked: what it defines, what it calls, what would run by itself.
//
// The order of the checks is the order of precedence of the verdicts.
#include "device/inspect/object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "device/build/kind.h"
#include "device/inspect/inspect.h"
#include "device/object/names.h"
#include "device/object/symbol.h"
#include "device/assembly/listing.h"
#include "emu/count/flops.h"

// The limit for all __shared__ arrays of the file together, before the link drops the unused ones.
// More would only be slow to link.
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

// Looks at a symbol that is used but not in the file.
static bool check_undefined(struct object *object, const char *symbol, const GElf_Sym *entry) {
    // A thread-local symbol is `extern __shared__`.
    if (symbol[0] == '\0' ||
        (GELF_ST_TYPE(entry->st_info) == STT_TLS && !symbol_is_reserved(symbol))) {
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
        build_report_fault(object->report, BUILD_FAULT_NOT_ALLOWED, line_of(object, symbol),
                           "defines `%s` as extern \"C\", which only the kernel and its "
                           "LAUNCH_CONFIG may be: remove the extern \"C\"",
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
        // For variables gcc emits a function of its own, whose line number is meaningless.
        bool named = strcmp(function.name, name) == 0 && !text_starts(name, "_GLOBAL__");
        line = named && function.is_submission ? function.line : 0;
    }
    build_report_fault(
        object->report, BUILD_FAULT_NOT_ALLOWED, line,
        "has code that runs by itself before any launch (a constructor, or a variable "
        "that is set up at run time)");
}

// Code that runs before a kernel is launched, and more constants than a GPU has memory for.  gcc's
// own call of __tsan_init is in .init_array.00099.
static bool check_sections(struct object *object) {
    static const char *const prefixes[] = {".init_array", ".preinit_array", ".fini_array", ".ctors",
                                           ".dtors",      ".init",          ".fini"};
    size_t count = 0;
    int own_count = 0;
    uint64_t constants = 0;
    if (elf_getshdrnum(object->elf.elf, &count) != 0) {
        return true;
    }
    for (size_t i = 1; i < count; i++) {
        GElf_Shdr header;
        const char *name = elf_section(&object->elf, i, &header);
        constants += text_starts(name, CONSTANT_SECTION) ? header.sh_size : 0;
        bool own =
            strcmp(name, ".init_array.00099") == 0 && header.sh_size <= 8 && ++own_count == 1;
        if (!own && text_starts_any(name, prefixes, COUNT(prefixes))) {
            refuse_start(object);
            return false;
        }
    }
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
        status = object_write_shared(&object, err);
    }
    elf_file_close(&object.elf);
    free(object.text);
    return status;
}
