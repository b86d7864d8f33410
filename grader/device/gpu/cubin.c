// libelf reads the ELF file; this file knows what sections and attributes mean on a GPU.
#include "device/gpu/cubin.h"

#include <stdint.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"

#define MACHINE_CUDA    190   // EM_CUDA
#define OTHER_ENTRY     0x10  // st_other of an entry point (STO_CUDA_ENTRY)
#define ELF_SYMBOLS_MAX (1u << 20)

#define REGISTERS_SHIFT 24

// Attributes of .nv.info.
#define ATTRIBUTE_HEAD      4
#define ATTRIBUTE_REGISTERS 0x2f
#define FORMAT_SIZED        4  // others have no bytes after the head

static bool is_cubin(const struct elf_file *file) {
    GElf_Ehdr head;
    return gelf_getclass(file->elf) == ELFCLASS64 && gelf_getehdr(file->elf, &head) &&
           head.e_ident[EI_DATA] == ELFDATA2LSB && head.e_machine == MACHINE_CUDA;
}

// True if a symbol has its name and, unless the driver brings it, its section.
static bool symbol_is_whole(const struct elf_file *cubin, size_t i) {
    GElf_Sym symbol;
    GElf_Shdr section;
    if (!gelf_getsym(cubin->data, (int)i, &symbol) ||
        !elf_strptr(cubin->elf, cubin->names, symbol.st_name)) {
        return false;
    }
    return symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE ||
           elf_section(cubin, symbol.st_shndx, &section)[0] != '\0';
}

enum status cubin_open(char *bytes, size_t count, struct elf_file *ret_cubin, struct error *err) {
    struct elf_file cubin;
    if (!elf_file_in_memory(bytes, count, &cubin)) {
        return fail(err, STATUS_BAD_DATA, "the compiler's output is not a cubin");
    }
    bool whole = is_cubin(&cubin) && cubin.data && cubin.count <= ELF_SYMBOLS_MAX;
    for (size_t i = 1; whole && i < cubin.count; i++) {
        whole = symbol_is_whole(&cubin, i);
    }
    if (!whole) {
        elf_file_close(&cubin);
        return fail(err, STATUS_BAD_DATA, "the compiler's output is a broken cubin");
    }
    *ret_cubin = cubin;
    return STATUS_OK;
}

enum cubin_symbol cubin_symbol_at(const struct elf_file *cubin, size_t i, const char **ret_name) {
    GElf_Sym symbol;
    GElf_Shdr section;
    *ret_name = elf_symbol(cubin, i, &symbol);
    int type = GELF_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE) {
        return CUBIN_OTHER;  // printf and its like, which the driver brings
    }
    if (type == STT_FUNC && (symbol.st_other & OTHER_ENTRY) != 0) {
        return CUBIN_ENTRY;
    }
    const char *place = elf_section(cubin, symbol.st_shndx, &section);
    bool is_variable = text_starts(place, ".nv.global") || text_starts(place, ".bss") ||
                       text_starts(place, ".data");
    if (type == STT_SECTION || type == STT_FUNC || !is_variable) {
        return CUBIN_OTHER;
    }
    return section.sh_type == SHT_NOBITS ? CUBIN_UNSET : CUBIN_INITIALISED;
}

bool cubin_has_entry(const struct elf_file *cubin, const char *name) {
    const char *other;
    for (size_t i = 1; i < cubin->count; i++) {
        if (cubin_symbol_at(cubin, i, &other) == CUBIN_ENTRY && strcmp(other, name) == 0) {
            return true;
        }
    }
    return false;
}

// --- Registers ---------------------------------------------------------------

// The section of exactly that name: prefix and rest.  Returns its data, NULL if it has none.
static Elf_Data *section_find(const struct elf_file *file, const char *prefix, const char *rest,
                              GElf_Shdr *ret_header) {
    size_t length = strlen(prefix);
    for (Elf_Scn *at = NULL; (at = elf_nextscn(file->elf, at)) != NULL;) {
        const char *name = elf_section(file, elf_ndxscn(at), ret_header);
        if (strncmp(name, prefix, length) == 0 && strcmp(name + length, rest) == 0) {
            return elf_rawdata(at, NULL);
        }
    }
    return NULL;
}

// Looks for the attribute among those of .nv.info: format, attribute, size, then so many bytes.
static uint32_t attribute_find(const Elf_Data *info, uint32_t symbol) {
    const unsigned char *bytes = info->d_buf;
    size_t count = bytes ? info->d_size : 0;
    for (size_t at = 0; count - at >= ATTRIBUTE_HEAD;) {
        const unsigned char *head = bytes + at;
        size_t size = head[0] == FORMAT_SIZED ? head[2] | (size_t)head[3] << 8 : 0;
        uint32_t value[2];
        at += ATTRIBUTE_HEAD;
        if (size > count - at) {
            return 0;
        }
        if (head[1] == ATTRIBUTE_REGISTERS && size == sizeof value) {
            memcpy(value, bytes + at, sizeof value);
            if (value[0] == symbol) {
                return value[1];
            }
        }
        at += size;
    }
    return 0;
}

int cubin_registers(char *bytes, size_t count, const char *kernel) {
    struct elf_file file;
    GElf_Shdr text;
    GElf_Shdr header;
    uint32_t registers = 0;
    if (!elf_file_in_memory(bytes, count, &file)) {
        return 0;
    }
    if (is_cubin(&file) && section_find(&file, ".text.", kernel, &text)) {
        registers = text.sh_info >> REGISTERS_SHIFT;
        Elf_Data *info = section_find(&file, ".nv.info", "", &header);
        if (registers == 0 && info) {
            registers = attribute_find(info, text.sh_info);
        }
    }
    elf_file_close(&file);
    return registers <= REGISTERS_MAX ? (int)registers : 0;
}
