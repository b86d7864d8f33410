// A cubin is made from a student's file, so every offset in it is checked: see cubin_registers.h.
#include "device/gpu/cubin_registers.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MACHINE_CUDA    190  // EM_CUDA
#define REGISTERS_SHIFT 24
#define REGISTERS_MAX   255

// Attributes of .nv.info.
#define ATTRIBUTE_HEAD      4
#define ATTRIBUTE_REGISTERS 0x2f
#define FORMAT_SIZED        4  // others have no bytes behind the head

static bool copy(const void *bytes, size_t count, uint64_t offset, void *ret_value, size_t wanted) {
    if (offset > count || wanted > count - offset) {
        return false;
    }
    memcpy(ret_value, (const char *)bytes + offset, wanted);
    return true;
}

struct cubin_file {
    const char *bytes;
    size_t count;
    Elf64_Ehdr head;
    Elf64_Shdr names;
};

static bool section_at(const struct cubin_file *file, uint32_t index, Elf64_Shdr *ret_section) {
    return index < file->head.e_shnum &&
           copy(file->bytes, file->count,
                file->head.e_shoff + (uint64_t)index * sizeof *ret_section, ret_section,
                sizeof *ret_section) &&
           (ret_section->sh_type == SHT_NOBITS ||
            (ret_section->sh_offset <= file->count &&
             ret_section->sh_size <= file->count - ret_section->sh_offset));
}

static bool file_open(const void *bytes, size_t count, struct cubin_file *file) {
    *file = (struct cubin_file){.bytes = bytes, .count = count};
    return copy(bytes, count, 0, &file->head, sizeof file->head) &&
           memcmp(file->head.e_ident, ELFMAG, SELFMAG) == 0 &&
           file->head.e_machine == MACHINE_CUDA && file->head.e_shentsize == sizeof(Elf64_Shdr) &&
           file->head.e_shoff <= count && section_at(file, file->head.e_shstrndx, &file->names) &&
           file->names.sh_type != SHT_NOBITS;  // whose place and size were not checked
}

// The section of exactly that name: prefix and rest.
static bool section_find(const struct cubin_file *file, const char *prefix, const char *rest,
                         Elf64_Shdr *ret_section) {
    const char *names = file->bytes + file->names.sh_offset;
    size_t length = strlen(prefix) + strlen(rest) + 1;
    for (uint32_t i = 1; i < file->head.e_shnum; i++) {
        if (!section_at(file, i, ret_section)) {
            return false;
        }
        size_t at = ret_section->sh_name;
        if (at < file->names.sh_size && length <= file->names.sh_size - at &&
            memcmp(names + at, prefix, strlen(prefix)) == 0 &&
            memcmp(names + at + strlen(prefix), rest, strlen(rest) + 1) == 0) {
            return true;
        }
    }
    return false;
}

// Looks for the attribute among those of .nv.info: format, attribute, size, then so many bytes.
static uint32_t attribute_find(const struct cubin_file *file, const Elf64_Shdr *info,
                               uint32_t symbol) {
    uint64_t end = info->sh_offset + info->sh_size;
    uint64_t at = info->sh_offset;
    while (at + ATTRIBUTE_HEAD <= end) {
        unsigned char head[ATTRIBUTE_HEAD];
        uint32_t value[2];
        (void)copy(file->bytes, file->count, at, head, sizeof head);
        uint32_t size = head[0] == FORMAT_SIZED ? head[2] | (uint32_t)head[3] << 8 : 0;
        at += ATTRIBUTE_HEAD;
        if (size > end - at) {
            return 0;
        }
        if (head[1] == ATTRIBUTE_REGISTERS && size == sizeof value) {
            (void)copy(file->bytes, file->count, at, value, sizeof value);
            if (value[0] == symbol) {
                return value[1];
            }
        }
        at += size;
    }
    return 0;
}

int cubin_registers(const void *bytes, size_t count, const char *kernel) {
    struct cubin_file file;
    Elf64_Shdr text;
    Elf64_Shdr info;
    if (!file_open(bytes, count, &file) || !section_find(&file, ".text.", kernel, &text)) {
        return 0;
    }
    uint32_t registers = text.sh_info >> REGISTERS_SHIFT;
    if (registers == 0 && section_find(&file, ".nv.info", "", &info) &&
        info.sh_type != SHT_NOBITS) {
        registers = attribute_find(&file, &info, text.sh_info);
    }
    return registers <= REGISTERS_MAX ? (int)registers : 0;
}
