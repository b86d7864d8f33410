// An ELF file read with every offset checked, because a submission can put text of its own into the
// assembler.
#include "device/gpu/cubin.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MACHINE_CUDA    190   // EM_CUDA
#define OTHER_ENTRY     0x10  // st_other of an entry point (STO_CUDA_ENTRY)
#define SECTIONS_MAX    4096
#define ELF_SYMBOLS_MAX (1u << 20)

struct image {
    const unsigned char *bytes;
    size_t count;
    Elf64_Ehdr head;
};

// Copies out what lies at offset; false where it does not lie inside the file.
static bool image_copy(const struct image *image, uint64_t offset, void *ret_value, size_t bytes) {
    if (offset > image->count || bytes > image->count - offset) {
        return false;
    }
    memcpy(ret_value, image->bytes + offset, bytes);
    return true;
}

static bool section_at(const struct image *image, uint32_t index, Elf64_Shdr *ret_section) {
    return index < image->head.e_shnum &&
           image_copy(image, image->head.e_shoff + (uint64_t)index * sizeof *ret_section,
                      ret_section, sizeof *ret_section);
}

// A NUL-terminated text of a string table, borrowed; NULL where there is none.
static const char *text_at(const struct image *image, const Elf64_Shdr *table, uint32_t offset) {
    if (table->sh_offset > image->count || table->sh_size > image->count - table->sh_offset ||
        offset >= table->sh_size) {
        return NULL;
    }
    const char *text = (const char *)image->bytes + table->sh_offset + offset;
    return memchr(text, '\0', table->sh_size - offset) ? text : NULL;
}

static bool head_check(struct image *image) {
    return image_copy(image, 0, &image->head, sizeof image->head) &&
           memcmp(image->head.e_ident, ELFMAG, SELFMAG) == 0 &&
           image->head.e_ident[EI_CLASS] == ELFCLASS64 &&
           image->head.e_ident[EI_DATA] == ELFDATA2LSB && image->head.e_machine == MACHINE_CUDA &&
           image->head.e_shentsize == sizeof(Elf64_Shdr) && image->head.e_shnum <= SECTIONS_MAX &&
           image->head.e_shoff <= image->count;
}

static void entry_add(struct cubin *cubin, const char *name) {
    if (cubin->entry_count < CUBIN_SYMBOLS_MAX) {
        (void)snprintf(cubin->entry[cubin->entry_count], CUBIN_NAME_MAX, "%s", name);
    }
    cubin->entry_count++;
}

static void variable_add(struct cubin *cubin, const char *name, uint64_t bytes, bool initialised) {
    if (cubin->variable_count < CUBIN_VARIABLES_MAX) {
        struct cubin_variable *variable = &cubin->variable[cubin->variable_count];
        (void)snprintf(variable->name, sizeof variable->name, "%s", name);
        variable->bytes = bytes;
        variable->initialised = initialised;
    }
    cubin->variable_count++;
}

// Files one symbol.  False: the file is malformed.
static bool symbol_take(const struct image *image, const Elf64_Shdr *names, const Elf64_Sym *symbol,
                        struct cubin *cubin) {
    const char *name = text_at(image, names, symbol->st_name);
    if (!name) {
        return false;
    }
    if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= SHN_LORESERVE) {
        return true;  // printf and its like, which the driver brings
    }
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    if (type == STT_FUNC && (symbol->st_other & OTHER_ENTRY) != 0) {
        entry_add(cubin, name);
        return true;
    }
    Elf64_Shdr section;
    Elf64_Shdr section_names;
    if (type == STT_SECTION || type == STT_FUNC) {
        return true;
    }
    if (!section_at(image, symbol->st_shndx, &section) ||
        !section_at(image, image->head.e_shstrndx, &section_names)) {
        return false;
    }
    const char *section_name = text_at(image, &section_names, section.sh_name);
    if (!section_name) {
        return false;
    }
    if (strncmp(section_name, ".nv.global", 10) == 0 || strncmp(section_name, ".bss", 4) == 0 ||
        strncmp(section_name, ".data", 5) == 0) {
        variable_add(cubin, name, symbol->st_size, section.sh_type != SHT_NOBITS);
    }
    return true;
}

static bool symbols_take(const struct image *image, const Elf64_Shdr *table, struct cubin *cubin) {
    Elf64_Shdr names;
    uint64_t count = table->sh_size / sizeof(Elf64_Sym);
    if (!section_at(image, table->sh_link, &names) || count > ELF_SYMBOLS_MAX) {
        return false;
    }
    for (uint64_t i = 1; i < count; i++) {
        Elf64_Sym symbol;
        if (!image_copy(image, table->sh_offset + i * sizeof symbol, &symbol, sizeof symbol) ||
            !symbol_take(image, &names, &symbol, cubin)) {
            return false;
        }
    }
    return true;
}

enum status cubin_read(const void *bytes, size_t count, struct cubin *ret_cubin,
                       struct error *err) {
    struct image image = {.bytes = bytes, .count = count};
    bool has_symbols = false;
    if (!head_check(&image)) {
        return fail(err, STATUS_BAD_DATA, "the compiler's output is no cubin");
    }
    struct cubin *cubin = calloc(1, sizeof *cubin);
    if (!cubin) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the symbols of a cubin");
    }
    bool whole = true;
    for (uint32_t i = 0; i < image.head.e_shnum && whole; i++) {
        Elf64_Shdr section;
        whole = section_at(&image, i, &section);
        if (whole && section.sh_type == SHT_SYMTAB) {
            has_symbols = true;
            whole = symbols_take(&image, &section, cubin);
        }
    }
    if (whole && has_symbols) {
        *ret_cubin = *cubin;
    }
    free(cubin);
    if (!whole || !has_symbols) {
        return fail(err, STATUS_BAD_DATA, "the compiler's output is a broken cubin");
    }
    return STATUS_OK;
}

bool cubin_has_entry(const struct cubin *cubin, const char *name) {
    for (int i = 0; i < cubin->entry_count && i < CUBIN_SYMBOLS_MAX; i++) {
        if (strcmp(cubin->entry[i], name) == 0) {
            return true;
        }
    }
    return false;
}

// Copies the name at `at`, which the Itanium C++ ABI writes as its length and its letters.  Returns
// what follows it, or NULL.
static const char *source_name_take(const char *at, char plain[CUBIN_NAME_MAX]) {
    char *letters = NULL;
    if (*at < '1' || *at > '9') {
        return NULL;
    }
    unsigned long length = strtoul(at, &letters, 10);
    if (length >= CUBIN_NAME_MAX || length > strlen(letters)) {
        return NULL;
    }
    (void)snprintf(plain, CUBIN_NAME_MAX, "%.*s", (int)length, letters);
    return letters + length;
}

// A name in namespaces or classes, after its N: the last part before the closing E.  Template
// arguments, I…E, are inner names and literals such as Li3E, whose digits are no length.
static void nested_name_take(const char *at, char plain[CUBIN_NAME_MAX]) {
    char inner[CUBIN_NAME_MAX];
    int depth = 0;
    while (*at != '\0' && (depth > 0 || *at != 'E')) {
        const char *next = source_name_take(at, depth > 0 ? inner : plain);
        if (next) {
            at = next;
        } else if ((*at == 'L' && at[1] >= 'a' && at[1] <= 'z') || *at == 'S' || *at == 'T') {
            const char *close = strchr(at, *at == 'L' ? 'E' : '_');
            at = close ? close + 1 : at + 1;
        } else {
            depth += *at == 'I' ? 1 : *at == 'E' ? -1 : 0;
            at++;
        }
    }
}

// A name inside a function, after both Z: the one behind the last E that is followed by a name.
static void local_name_take(const char *at, char plain[CUBIN_NAME_MAX]) {
    for (const char *end = at + strlen(at); end > at; end--) {
        char name[CUBIN_NAME_MAX];
        const char *rest = end[-1] == 'E' ? source_name_take(end, name) : NULL;
        if (rest && (*rest == '\0' || *rest == '_')) {
            memcpy(plain, name, sizeof name);
            return;
        }
    }
}

void cubin_plain_name(const char *name, char plain[CUBIN_NAME_MAX]) {
    (void)snprintf(plain, CUBIN_NAME_MAX, "%s", name);
    if (strncmp(name, "_Z", 2) != 0) {
        return;
    }
    const char *at = name + 2;
    if (*at == 'N') {
        nested_name_take(at + 1, plain);
    } else if (*at == 'Z') {
        local_name_take(at + 1, plain);
    } else {
        (void)source_name_take(*at == 'L' ? at + 1 : at, plain);
    }
}
