// A thin layer over libelf that answers with empty names instead of NULL.
#include "device/object/elf.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void symbols_find(struct elf_file *file) {
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(file->elf, section)) != NULL) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB &&
            header.sh_entsize > 0) {
            file->symbols = section;
            file->data = elf_getdata(section, NULL);
            file->count = header.sh_size / header.sh_entsize;
            file->names = header.sh_link;
            return;
        }
    }
}

enum status elf_file_open(const char *path, struct elf_file *ret_file, struct error *err) {
    (void)elf_version(EV_CURRENT);
    struct elf_file file = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (file.fd < 0) {
        return fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    file.elf = elf_begin(file.fd, ELF_C_READ_MMAP, NULL);
    if (!file.elf || elf_kind(file.elf) != ELF_K_ELF) {
        elf_file_close(&file);
        return fail(err, STATUS_SYSTEM, "%s: is not an ELF file", path);
    }
    symbols_find(&file);
    if (!file.data) {
        elf_file_close(&file);
        return fail(err, STATUS_SYSTEM, "%s: has no symbols", path);
    }
    *ret_file = file;
    return STATUS_OK;
}

bool elf_file_in_memory(char *bytes, size_t count, struct elf_file *ret_file) {
    (void)elf_version(EV_CURRENT);
    struct elf_file file = {.fd = -1, .elf = elf_memory(bytes, count)};
    if (!file.elf || elf_kind(file.elf) != ELF_K_ELF) {
        elf_file_close(&file);
        return false;
    }
    symbols_find(&file);
    *ret_file = file;
    return true;
}

void elf_file_close(struct elf_file *file) {
    (void)elf_end(file->elf);
    if (file->fd >= 0) {
        (void)close(file->fd);
    }
    *file = (struct elf_file){.fd = -1};
}

const char *elf_symbol(const struct elf_file *file, size_t i, GElf_Sym *ret_symbol) {
    if (!gelf_getsym(file->data, (int)i, ret_symbol)) {
        memset(ret_symbol, 0, sizeof *ret_symbol);
        return "";
    }
    const char *name = elf_strptr(file->elf, file->names, ret_symbol->st_name);
    return name ? name : "";
}

const char *elf_section(const struct elf_file *file, size_t section, GElf_Shdr *ret_header) {
    size_t names = 0;
    Elf_Scn *found = elf_getscn(file->elf, section);
    if (!found || !gelf_getshdr(found, ret_header) || elf_getshdrstrndx(file->elf, &names) != 0) {
        memset(ret_header, 0, sizeof *ret_header);
        return "";
    }
    const char *name = elf_strptr(file->elf, names, ret_header->sh_name);
    return name ? name : "";
}
