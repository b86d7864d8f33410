// The linked program: what its static data are.  Symbols say where, debug information says what.
#include "device/inspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "device/build_report.h"
#include "device/inspect_dwarf.h"
#include "device/inspect_elf.h"
#include "device/inspect_names.h"
#include "device/inspect_text.h"
#include "device/source_text.h"
#include "emu/memory.h"

// Where shim puts __constant__ data; gcc may make such a section writable, but a kernel has no
// business in writing it.
#define CONSTANT_SECTION "tilegrade_constant"

struct program {
    struct elf_file object;  // kernel.o, for the names that are the student's
    struct elf_file elf;     // worker
    struct build_report *report;
    uint64_t static_bytes;   // of all static __shared__ arrays
    uint64_t largest_bytes;  // of those of one function
};

// --- The table of shared arrays ---------------------------------------------------------

static void name_copy(const char *symbol, char name[ARRAY_NAME_MAX]) {
    char readable[256];
    symbol_readable(symbol, readable, sizeof readable);
    (void)snprintf(name, ARRAY_NAME_MAX, "%.*s", ARRAY_NAME_MAX - 1, readable);
}

// Finds a thread-local symbol of the object in the program, where it has its final offset.  The
// link drops unused ones.
static bool final_place(const struct program *program, const char *name, const GElf_Sym *symbol,
                        GElf_Sym *ret_symbol) {
    bool undefined = symbol->st_shndx == SHN_UNDEF;
    for (size_t i = 1; i < program->elf.count; i++) {
        const char *other = elf_symbol(&program->elf, i, ret_symbol);
        if (GELF_ST_TYPE(ret_symbol->st_info) == STT_TLS && ret_symbol->st_shndx != SHN_UNDEF &&
            strcmp(other, name) == 0 &&
            (undefined || (ret_symbol->st_size == symbol->st_size &&
                           GELF_ST_BIND(ret_symbol->st_info) == GELF_ST_BIND(symbol->st_info)))) {
            return true;
        }
    }
    return false;
}

// The shim aligns every __shared__ array; what is thread-local and not so aligned is the student's
// own thread_local, spelled by a macro (source_words.h refuses the word itself).
static bool is_shared(const struct program *program, const GElf_Sym *symbol) {
    GElf_Shdr section;
    if (symbol->st_shndx == SHN_UNDEF) {
        return true;  // `extern __shared__`
    }
    (void)elf_section(&program->object, symbol->st_shndx, &section);
    return section.sh_addralign >= MEMORY_ALIGN_BYTES;
}

// Bytes of the symbol's name before that of the variable: "_ZZ9sum_partsPKf…E" of
// "_ZZ9sum_partsPKf…E2As".  All of the name where it is no variable of a function.
static size_t owner_length(const char *symbol) {
    size_t length = strlen(symbol);
    char name[ARRAY_NAME_MAX];
    char end[ARRAY_NAME_MAX + 24];
    name_copy(symbol, name);
    (void)snprintf(end, sizeof end, "E%zu%s", strlen(name), name);
    for (size_t at = length; strncmp(symbol, "_ZZ", 3) == 0 && at-- > 0;) {
        if (strncmp(symbol + at, end, strlen(end)) == 0) {
            return at;
        }
    }
    return length;
}

// The static arrays of one function, as far as they are in the program.
static uint64_t bytes_beside(const struct program *program, const char *symbol) {
    size_t owner = owner_length(symbol);
    uint64_t bytes = 0;
    for (size_t i = 1; i < program->object.count; i++) {
        GElf_Sym other;
        GElf_Sym place;
        const char *name = elf_symbol(&program->object, i, &other);
        if (GELF_ST_TYPE(other.st_info) == STT_TLS && other.st_shndx != SHN_UNDEF &&
            owner_length(name) == owner && strncmp(name, symbol, owner) == 0 &&
            final_place(program, name, &other, &place)) {
            bytes += place.st_size;
        }
    }
    return bytes;
}

// A file that uses LAUNCH has several kernels, and each block runs only one.
static bool has_launches(const struct program *program) {
    for (size_t i = 1; i < program->elf.count; i++) {
        GElf_Sym symbol;
        const char *name = elf_symbol(&program->elf, i, &symbol);
        if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && strncmp(name, "_Z10launch_add", 14) == 0) {
            return true;
        }
    }
    return false;
}

static bool array_add(struct program *program, const char *name, const GElf_Sym *symbol) {
    GElf_Sym place;
    GElf_Shdr section;
    struct shared_array_table *table = &program->report->shared;
    if (!final_place(program, name, symbol, &place)) {
        return true;
    }
    if (!is_shared(program, symbol)) {
        char readable[ARRAY_NAME_MAX];
        name_copy(name, readable);
        build_report_fault(program->report, BUILD_FAULT_NOT_ALLOWED, 0,
                           "the variable `%s` is thread_local, which CUDA does not have", readable);
        return false;
    }
    if (table->count == SHARED_ARRAYS_MAX) {
        build_report_fault(program->report, BUILD_FAULT_NEEDS_GPU, 0,
                           "has more than %d __shared__ arrays, which is more than the CPU device "
                           "keeps apart",
                           SHARED_ARRAYS_MAX);
        return false;
    }
    struct shared_array *array = &table->array[table->count++];
    name_copy(name, array->name);
    array->offset = place.st_value;
    array->is_dynamic = symbol->st_shndx == SHN_UNDEF;
    array->bytes = array->is_dynamic ? 0 : place.st_size;
    uint64_t bytes = array->is_dynamic ? 0 : bytes_beside(program, name);
    program->static_bytes += array->bytes;
    program->largest_bytes = bytes > program->largest_bytes ? bytes : program->largest_bytes;
    (void)elf_section(&program->elf, place.st_shndx, &section);
    if (section.sh_type != SHT_NOBITS) {
        build_report_fault(program->report, BUILD_FAULT_ERROR, 0,
                           "the __shared__ array `%s` has an initial value; shared memory starts "
                           "with none",
                           array->name);
        return false;
    }
    return true;
}

static bool table_fill(struct program *program) {
    for (size_t i = 1; i < program->object.count; i++) {
        GElf_Sym symbol;
        const char *name = elf_symbol(&program->object, i, &symbol);
        bool guard = strncmp(name, "_ZGV", 4) == 0;  // dead: assembly_guard_is_dead
        if (GELF_ST_TYPE(symbol.st_info) == STT_TLS && name[0] != '\0' && !guard &&
            !array_add(program, name, &symbol)) {
            return false;
        }
    }
    uint64_t bytes = has_launches(program) ? program->largest_bytes : program->static_bytes;
    if (bytes > SHARED_BYTES_MAX) {
        build_report_fault(program->report, BUILD_FAULT_ERROR, 0,
                           "the __shared__ arrays take %llu bytes; a block has %d",
                           (unsigned long long)bytes, SHARED_BYTES_MAX);
        return false;
    }
    return true;
}

static void table_shape(struct shared_array_table *table, const struct dwarf_variable *variable) {
    for (uint32_t i = 0; i < table->count; i++) {
        struct shared_array *array = &table->array[i];
        bool same = array->is_dynamic
                        ? variable->is_declared && strcmp(array->name, variable->name) == 0
                        : variable->is_thread_local && array->offset == variable->value;
        if (same && array->rank == 0 && array->element_bytes == 0) {
            dwarf_shape(variable, array);
        }
    }
}

// --- Data that a launch could leave for the next ----------------------------------------

static bool is_harmless_section(const char *name) {
    return strncmp(name, ".data.rel.ro", 12) == 0 ||
           strncmp(name, CONSTANT_SECTION, strlen(CONSTANT_SECTION)) == 0;
}

static bool is_writable(const struct program *program, uint64_t address) {
    size_t count = 0;
    if (elf_getshdrnum(program->elf.elf, &count) != 0) {
        return true;
    }
    for (size_t i = 1; i < count; i++) {
        GElf_Shdr header;
        const char *name = elf_section(&program->elf, i, &header);
        bool inside = (header.sh_flags & SHF_ALLOC) && !(header.sh_flags & SHF_TLS) &&
                      address >= header.sh_addr && address - header.sh_addr < header.sh_size;
        if (inside) {
            return (header.sh_flags & SHF_WRITE) && !is_harmless_section(name);
        }
    }
    return false;  // dropped by the link
}

static bool variable_check(const struct dwarf_variable *variable, void *context) {
    struct program *program = context;
    table_shape(&program->report->shared, variable);
    if (variable->is_declared || variable->is_thread_local ||
        !is_writable(program, variable->value)) {
        return true;
    }
    build_report_fault(
        program->report, BUILD_FAULT_NOT_ALLOWED, variable->line,
        "the variable `%s` keeps its value from one launch to the next: a kernel has no "
        "writable global or static variables",
        variable->name);
    return false;
}

static enum status variables_check(struct program *program, struct error *err) {
    Dwarf *dwarf = dwarf_begin_elf(program->elf.elf, DWARF_C_READ, NULL);
    Dwarf_Die unit;
    if (!dwarf || !dwarf_submission(dwarf, &unit)) {
        (void)dwarf_end(dwarf);
        return fail(err, STATUS_SYSTEM, "worker: has no debug information of %s", BUILD_SOURCE);
    }
    dwarf_variables(&unit, variable_check, program);
    (void)dwarf_end(dwarf);
    return STATUS_OK;
}

// A variable of the whole file that nothing uses is gone from the program; NVRTC still refuses it.
static enum status unused_check(struct program *program, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read(BUILD_SOURCE, INSPECT_TEXT_MAX, &text, &bytes, err);
    for (size_t i = 1; i < program->object.count && !status; i++) {
        GElf_Sym symbol;
        GElf_Shdr section;
        const char *name = elf_symbol(&program->object, i, &symbol);
        if (GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx == SHN_UNDEF) {
            continue;
        }
        const char *place = elf_section(&program->object, symbol.st_shndx, &section);
        if ((section.sh_flags & SHF_WRITE) && !is_harmless_section(place)) {
            char readable[ARRAY_NAME_MAX];
            name_copy(name, readable);
            build_report_fault(program->report, BUILD_FAULT_NOT_ALLOWED,
                               source_word_line(text, readable),
                               "the variable `%s` could keep a value from one launch to the next: "
                               "a kernel has no writable global or static variables",
                               readable);
            break;
        }
    }
    free(text);
    return status;
}

// Finds a kernel's __launch_bounds__ in the texts, which stands in its line or above it, also where
// a macro holds it.
static enum status bounds_line(int kernel_line, int *ret_line, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read(BUILD_SOURCE, INSPECT_TEXT_MAX, &text, &bytes, err);
    char *blank = status ? NULL : source_blank(text);
    if (!status && !blank) {
        status = fail(err, STATUS_NO_MEMORY, "no memory for " BUILD_SOURCE);
    } else if (!status) {
        *ret_line = source_word_line_above(blank, "__launch_bounds__", kernel_line);
    }
    free(blank);
    free(text);
    return status;
}

// What the kernel promises of its launch.
static enum status bounds_read(const char *kernel, struct build_report *report, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    struct assembly_function function;
    enum status status = file_read("kernel.s", INSPECT_TEXT_MAX, &text, &bytes, err);
    int file = status ? 0 : assembly_file(text);
    for (const char *at = text; !status && assembly_next(&at, file, &function);) {
        if (strcmp(function.name, kernel) == 0 && function.threads_max > 0) {
            report->threads_max = (uint32_t)function.threads_max;
            status = bounds_line(function.line, &report->bounds_line, err);
        }
    }
    free(text);
    return status;
}

enum status inspect_program(const char *kernel, struct build_report *report, struct error *err) {
    struct program program = {.object = {.fd = -1}, .elf = {.fd = -1}, .report = report};
    enum status status = elf_file_open("kernel.o", &program.object, err);
    if (!status) {
        status = elf_file_open("worker", &program.elf, err);
    }
    if (!status && table_fill(&program)) {
        status = variables_check(&program, err);
    }
    if (!status && report->fault == BUILD_FAULT_NONE) {
        status = unused_check(&program, err);
    }
    if (!status && report->fault == BUILD_FAULT_NONE) {
        status = bounds_read(kernel, report, err);
    }
    elf_file_close(&program.object);
    elf_file_close(&program.elf);
    return status;
}
