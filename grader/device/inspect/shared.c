// The table of shared arrays, from the symbols of object and program: see shared.h.
#include "device/inspect/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/object/symbol.h"
#include "emu/memory/memory.h"

void inspect_name_copy(const char *symbol, char name[ARRAY_NAME_MAX]) {
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

// A file that uses LAUNCH has several kernels, and each block runs only one.
static bool has_launches(const struct inspected_program *program) {
    for (size_t i = 1; i < program->elf.count; i++) {
        GElf_Sym symbol;
        const char *name = elf_symbol(&program->elf, i, &symbol);
        if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && text_starts(name, "_Z10launch_add")) {
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

bool inspect_shared_fill(struct inspected_program *program) {
    for (size_t i = 1; i < program->object.count; i++) {
        GElf_Sym symbol;
        const char *name = elf_symbol(&program->object, i, &symbol);
        bool guard = text_starts(name, "_ZGV");  // dead: assembly_guard_is_dead
        // "$d" and ".LANCHOR0" on aarch64
        bool mark = symbol.st_size == 0 && symbol.st_shndx != SHN_UNDEF;
        if (GELF_ST_TYPE(symbol.st_info) == STT_TLS && name[0] != '\0' && !guard && !mark &&
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

// A variable without a place is taken for the array of its name if it has as many bytes.
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

void inspect_shared_shape(struct shared_array_table *table, const struct dwarf_variable *variable) {
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
