// Opened ELF files: objects and programs of the scratch folder, and cubins in memory.
#ifndef DEVICE_OBJECT_ELF_H
#define DEVICE_OBJECT_ELF_H

#include <stdbool.h>

#include <gelf.h>

#include "base/error.h"

struct elf_file {
    int fd;  // -1 if the file is in memory
    Elf *elf;
    Elf_Scn *symbols;  // the symbol table; NULL if there is none
    Elf_Data *data;    // its entries; NULL if there is none
    size_t count;      // the number of symbols
    size_t names;      // section of their names
};

// Opens a file that has symbols.
// Errors: STATUS_SYSTEM.  Owns: the caller ends it with elf_file_close.
enum status elf_file_open(const char *path, struct elf_file *ret_file, struct error *err);

// Opens an ELF file in memory, whose bytes must outlive *ret_file; it need not have symbols.  False
// if it is not an ELF file.  Owns: as above.
bool elf_file_in_memory(char *bytes, size_t count, struct elf_file *ret_file);

void elf_file_close(struct elf_file *file);

// Reads symbol i and returns its name ("" if it has none).
const char *elf_symbol(const struct elf_file *file, size_t i, GElf_Sym *ret_symbol);

// The name of a section ("" if there is none of that number), and its header.
const char *elf_section(const struct elf_file *file, size_t section, GElf_Shdr *ret_header);

#endif
