// The linked program: its static data, and which of them could carry a value from one launch to the
// next; its shared arrays.  Symbols give the places of data, debug information gives their types.
#include "device/inspect/inspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "device/assembly/assembly_text.h"
#include "device/assembly/rewrite.h"
#include "device/build_report.h"
#include "device/inspect/dwarf.h"
#include "device/inspect/local_arrays.h"
#include "device/object/elf.h"
#include "device/object/symbols.h"
#include "device/source/declarations.h"
#include "emu/memory/kernel_memory.h"

struct inspected_program {
    struct elf_file object;  // kernel.o, for the student's names
    struct elf_file elf;     // worker
    struct build_report *report;
    uint64_t static_bytes;   // all static __shared__ arrays
    uint64_t largest_bytes;  // the most that one function has
};

// The name of a variable as its source spells it, cut to fit.
static void inspect_name_copy(const char *symbol, char name[ARRAY_NAME_MAX]) {
    char readable[256];
    symbol_readable(symbol, readable, sizeof readable);
    (void)snprintf(name, ARRAY_NAME_MAX, "%.*s", ARRAY_NAME_MAX - 1, readable);
}

// Finds a thread-local symbol of the object in the program, where it has its final offset.  The
// link drops unused ones.
static bool final_place(const struct inspected_program *program, const char *name,
                        const GElf_Sym *symbol, GElf_Sym *ret_symbol) {
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

// True if two variables belong to the same function: their names differ only after the last "::".
static bool same_function(const char *symbol, const char *other) {
    bool local = text_starts(symbol, "_ZZ") && text_starts(other, "_ZZ");
    char *name = local ? symbol_demangle(symbol) : NULL;
    char *other_name = local ? symbol_demangle(other) : NULL;
    const char *colon = name ? strrchr(name, ':') : NULL;
    size_t scope = colon ? (size_t)(colon + 1 - name) : 0;
    bool same = colon && other_name && strncmp(name, other_name, scope) == 0 &&
                !strchr(other_name + scope, ':');
    free(name);
    free(other_name);
    return same || strcmp(symbol, other) == 0;
}

// The static arrays of one function, as far as they are in the program.
static uint64_t bytes_beside(const struct inspected_program *program, const char *symbol) {
    uint64_t bytes = 0;
    for (size_t i = 1; i < program->object.count; i++) {
        GElf_Sym other;
        GElf_Sym place;
        const char *name = elf_symbol(&program->object, i, &other);
        if (GELF_ST_TYPE(other.st_info) == STT_TLS && other.st_shndx != SHN_UNDEF &&
            same_function(symbol, name) && final_place(program, name, &other, &place)) {
            bytes += place.st_size;
        }
    }
    return bytes;
}

// A file that uses LAUNCH, or a program, has several kernels, and each block runs only one.
static bool has_launches(const struct inspected_program *program) {
    for (size_t i = 1; i < program->elf.count; i++) {
        GElf_Sym symbol;
        const char *name = elf_symbol(&program->elf, i, &symbol);
        if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
            (text_starts(name, "_Z10launch_add") || strcmp(name, "emu_program_start") == 0)) {
            return true;
        }
    }
    return false;
}

static bool array_add(struct inspected_program *program, const char *name, const GElf_Sym *symbol) {
    GElf_Sym place;
    GElf_Shdr section;
    struct shared_array_table *table = &program->report->shared;
    if (!final_place(program, name, symbol, &place)) {
        return true;
    }
    if (table->count == SHARED_ARRAYS_MAX) {
        build_report_fault(
            program->report, BUILD_FAULT_NEEDS_GPU, 0,
            "has more than %d __shared__ arrays, which is more than the CPU device can tell apart",
            SHARED_ARRAYS_MAX);
        return false;
    }
    struct shared_array *array = &table->array[table->count++];
    inspect_name_copy(name, array->name);
    array->offset = place.st_value;
    array->is_dynamic = symbol->st_shndx == SHN_UNDEF;
    array->bytes = array->is_dynamic ? 0 : place.st_size;
    uint64_t bytes = array->is_dynamic ? 0 : bytes_beside(program, name);
    program->static_bytes += array->bytes;
    program->largest_bytes = bytes > program->largest_bytes ? bytes : program->largest_bytes;
    (void)elf_section(&program->elf, place.st_shndx, &section);
    if (section.sh_type != SHT_NOBITS) {
        build_report_fault(
            program->report, BUILD_FAULT_ERROR, 0,
            "the __shared__ array `%s` has an initial value; shared memory starts without values",
            array->name);
        return false;
    }
    return true;
}

// Fills report->shared, except the shapes.  If false, the report has the reason.
static bool inspect_shared_fill(struct inspected_program *program) {
    for (size_t i = 1; i < program->object.count; i++) {
        GElf_Sym symbol;
        const char *name = elf_symbol(&program->object, i, &symbol);
        bool guard = text_starts(name, "_ZGV");  // dead: assembly_guard_is_dead
        // "$d" and ".LANCHOR0" on aarch64
        bool mark = symbol.st_size == 0 && symbol.st_shndx != SHN_UNDEF;
        bool library = symbol.st_shndx == SHN_UNDEF && text_starts(name, "_ZSt");
        if (GELF_ST_TYPE(symbol.st_info) == STT_TLS && name[0] != '\0' && !guard && !mark &&
            !library && !array_add(program, name, &symbol)) {
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

// A variable without a place is matched with the array of its name if the sizes are equal.
static bool fits(const struct dwarf_variable *variable, const struct shared_array *array) {
    struct shared_array shape = *array;
    if (!variable->is_placeless || strcmp(array->name, variable->name) != 0) {
        return false;
    }
    dwarf_shape(variable, &shape);
    uint64_t bytes = shape.element_bytes;
    for (uint32_t i = 0; i < shape.rank; i++) {
        bytes *= shape.extent[i];
    }
    return bytes == array->bytes;
}

// Fills in the shape of an array from its variable in the debug information.
static void inspect_shared_shape(struct shared_array_table *table,
                                 const struct dwarf_variable *variable) {
    for (uint32_t i = 0; i < table->count; i++) {
        struct shared_array *array = &table->array[i];
        bool same = array->is_dynamic
                        ? variable->is_declared && strcmp(array->name, variable->name) == 0
                        : (variable->is_thread_local && array->offset == variable->value) ||
                              fits(variable, array);
        if (same && array->rank == 0 && array->element_bytes == 0) {
            dwarf_shape(variable, array);
        }
    }
}

// The meaning of the nops at a kernel's start: see emu/shim/cuda_emu.h.
#define NOPS_BLOCKS    1
#define NOPS_REGISTERS 65

#define REGISTERS_UNIT 8

// gcc may make the section of a constant writable, but a kernel does not write to it.
static bool is_harmless_section(const char *name) {
    return text_starts(name, ".data.rel.ro") || text_starts(name, CONSTANT_SECTION);
}

static bool is_writable(const struct inspected_program *program, uint64_t address) {
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
    return false;  // the link has dropped it
}

static bool variable_check(const struct dwarf_variable *variable, void *context) {
    struct inspected_program *program = context;
    inspect_shared_shape(&program->report->shared, variable);
    if (variable->is_declared || variable->is_placeless || variable->is_thread_local ||
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

static enum status variables_check(struct inspected_program *program, struct error *err) {
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

// An unused global variable is missing from the program, but NVRTC still refuses it.
static enum status unused_check(struct inspected_program *program, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read(BUILD_SOURCE, BUILD_TEXT_MAX, &text, &bytes, err);
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
            inspect_name_copy(name, readable);
            build_report_fault(program->report, BUILD_FAULT_NOT_ALLOWED,
                               text_word_line(text, readable),
                               "the variable `%s` could keep a value from one launch to the next: "
                               "a kernel has no writable global or static variables",
                               readable);
            break;
        }
    }
    free(text);
    return status;
}

// The address of a global variable in the program; 0 if the link has dropped it.
static uint64_t final_address(const struct elf_file *elf, const char *name) {
    for (size_t i = 1; i < elf->count; i++) {
        GElf_Sym symbol;
        if (strcmp(elf_symbol(elf, i, &symbol), name) == 0 && symbol.st_shndx != SHN_UNDEF) {
            return symbol.st_value;
        }
    }
    return 0;
}

// The __constant__ arrays that the harness can fill: an exercise may name some.
static void constants_read(const struct inspected_program *program) {
    struct build_report *report = program->report;
    for (size_t i = 1; i < program->object.count; i++) {
        GElf_Sym symbol;
        GElf_Shdr section;
        const char *name = elf_symbol(&program->object, i, &symbol);
        bool is_global = GELF_ST_TYPE(symbol.st_info) == STT_OBJECT &&
                         GELF_ST_BIND(symbol.st_info) == STB_GLOBAL &&
                         symbol.st_shndx != SHN_UNDEF && strlen(name) < ARRAY_NAME_MAX;
        if (is_global && report->constant_count < CONSTANT_ARRAYS_MAX &&
            text_starts(elf_section(&program->object, symbol.st_shndx, &section),
                        CONSTANT_SECTION) &&
            (section.sh_flags & SHF_WRITE)) {
            struct constant_array *constant = &report->constant[report->constant_count++];
            (void)snprintf(constant->name, sizeof constant->name, "%s", name);
            constant->address = final_address(&program->elf, name);
            constant->bytes = symbol.st_size;
        }
    }
}

// The most registers that nvcc gives a thread, by the second number of __launch_bounds__ or by
// __maxnreg__; 0 if a kernel has neither.
static uint32_t registers_promised(const struct assembly_function *function) {
    if (function->nops > NOPS_REGISTERS) {
        return (uint32_t)(function->nops - NOPS_REGISTERS);
    }
    uint32_t blocks = function->nops > NOPS_BLOCKS ? (uint32_t)(function->nops - NOPS_BLOCKS) : 0;
    uint32_t threads = (uint32_t)function->threads_max * blocks;
    return threads > 0 ? REGISTERS_OF_SM / threads / REGISTERS_UNIT * REGISTERS_UNIT : 0;
}

// The maximum of registers that a kernel promises; 0 also if its warps redistribute them
// (setmaxnreg).
static enum status registers_read(const char *kernel, struct build_report *report,
                                  struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    struct assembly_function function;
    enum status status = file_read("kernel.s", BUILD_TEXT_MAX, &text, &bytes, err);
    bool moves = !status && strstr(text, "emu_wgmma_registers");
    int file = status ? 0 : assembly_file(text);
    for (const char *at = text; !status && !moves && assembly_next(&at, file, &function);) {
        if (strcmp(function.name, kernel) == 0) {
            report->registers_max = registers_promised(&function);
        }
    }
    free(text);
    return status;
}

// Arrays of a thread that cannot be in registers; and the promise of the kernel that has most of
// them, or of `kernel`.
static enum status local_arrays(const char *kernel, struct build_report *report,
                                struct error *err) {
    char *dump = NULL;
    char *source = NULL;
    size_t bytes = 0;
    char most[DUMP_LINE_BYTES] = "";
    enum status status = file_read("kernel.tsan", BUILD_TEXT_MAX, &dump, &bytes, err);
    if (!status) {
        status = file_read(BUILD_SOURCE, BUILD_TEXT_MAX, &source, &bytes, err);
    }
    if (!status) {
        locals_find(dump, source, report, most);
        status = registers_read(most[0] != '\0' ? most : kernel, report, err);
    }
    free(dump);
    free(source);
    return status;
}

// Loops that wait for other threads, and variables without a value at first.
static enum status waits_read(struct build_report *report, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read("kernel.s", BUILD_TEXT_MAX, &text, &bytes, err);
    if (!status) {
        report->has_patterns = strstr(text, "emu_pattern_") != NULL;
        struct asm_lines lines = lines_open(text);
        report->waits_line = lines_are_known(&lines) ? waits_find(&lines) : 0;
        lines_done(&lines);
    }
    return status;
}

// Finds a kernel's __launch_bounds__ in the text: on its line or above it, perhaps in a macro.
static enum status bounds_line(int kernel_line, int *ret_line, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read(BUILD_SOURCE, BUILD_TEXT_MAX, &text, &bytes, err);
    if (!status) {
        *ret_line = source_name_line_above(text, "__launch_bounds__", kernel_line);
    }
    free(text);
    return status;
}

// The kernel's promises about its launch.
static enum status bounds_read(const char *kernel, struct build_report *report, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    struct assembly_function function;
    enum status status = file_read("kernel.s", BUILD_TEXT_MAX, &text, &bytes, err);
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
    struct inspected_program program = {.object = {.fd = -1}, .elf = {.fd = -1}, .report = report};
    enum status status = elf_file_open("kernel.o", &program.object, err);
    if (!status) {
        status = elf_file_open("worker", &program.elf, err);
    }
    if (!status && inspect_shared_fill(&program)) {
        status = variables_check(&program, err);
    }
    if (!status && report->fault == BUILD_FAULT_NONE) {
        status = unused_check(&program, err);
    }
    if (!status && report->fault == BUILD_FAULT_NONE) {
        constants_read(&program);
        status = bounds_read(kernel, report, err);
    }
    if (!status && report->fault == BUILD_FAULT_NONE) {
        status = local_arrays(kernel, report, err);
    }
    if (!status && report->fault == BUILD_FAULT_NONE) {
        status = waits_read(report, err);
    }
    elf_file_close(&program.object);
    elf_file_close(&program.elf);
    return status;
}

static bool shape_visit(const struct dwarf_variable *variable, void *context) {
    inspect_shared_shape(context, variable);
    return true;
}

enum status inspect_program_arrays(int count, char *const *names, struct build_report *report,
                                   struct error *err) {
    struct inspected_program program = {.object = {.fd = -1}, .elf = {.fd = -1}, .report = report};
    enum status status = elf_file_open("worker", &program.elf, err);
    bool fits = true;
    for (int i = 0; i < count && !status && fits; i++) {
        status = elf_file_open(names[i], &program.object, err);
        if (!status) {
            fits = inspect_shared_fill(&program);
            elf_file_close(&program.object);
        }
    }
    if (!status && fits) {
        Dwarf *dwarf = dwarf_begin_elf(program.elf.elf, DWARF_C_READ, NULL);
        Dwarf_CU *unit = NULL;
        Dwarf_Die die;
        while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
            dwarf_variables(&die, shape_visit, &report->shared);
        }
        (void)dwarf_end(dwarf);
    }
    elf_file_close(&program.object);
    elf_file_close(&program.elf);
    return status;
}
