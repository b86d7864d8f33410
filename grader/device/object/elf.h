// Opened ELF files of the scratch folder.
#ifndef DEVICE_OBJECT_ELF_H
#define DEVICE_OBJECT_ELF_H

#include <gelf.h>

#include "base/error.h"

struct elf_file {
    int fd;
    Elf *elf;
    Elf_Scn *symbols;  // the symbol table; NULL if there is none
    Elf_Data *data;    // its entries
    size_t count;      // of symbols
    size_t names;      // section of their names
};

// Errors: STATUS_SYSTEM.  Owns: the caller ends it with elf_file_close.
enum status elf_file_open(const char *path, struct elf_file *ret_file, struct error *err);
void elf_file_close(struct elf_file *file);

// Symbol i and its name ("" if it has none).
const char *elf_symbol(const struct elf_file *file, size_t i, GElf_Sym *ret_symbol);

// The name of a section ("" if there is none of that number), and its header.
const char *elf_section(const struct elf_file *file, size_t section, GElf_Shdr *ret_header);

#endif
