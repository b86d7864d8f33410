// Registers of a kernel, read from a cubin that is made here, byte for byte.
#include "device/gpu/gpu_compile.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "suite.h"  // last: Check has a macro called fail

#define MACHINE_CUDA 190

// The names of the sections: "", .shstrtab, .text.matmul_a, .nv.info
static const char names[] = "\0.shstrtab\0.text.matmul_a\0.nv.info";
enum { NAME_TABLE = 1, NAME_TEXT = 11, NAME_INFO = 26 };

struct file {
    Elf64_Ehdr head;
    Elf64_Shdr section[4];
    char names[sizeof names];
    unsigned char info[24];
};

// Two attributes: the registers of symbols 7 and 16.
static const unsigned char info[24] = {4, 0x2f, 8, 0, 7,  0, 0, 0, 99, 0, 0, 0,
                                       4, 0x2f, 8, 0, 16, 0, 0, 0, 59, 0, 0, 0};

static struct file file_make(void) {
    struct file file;
    memset((char *)&file, 0, sizeof file);
    memcpy(file.head.e_ident, ELFMAG, SELFMAG);
    file.head.e_ident[EI_CLASS] = ELFCLASS64;
    file.head.e_ident[EI_DATA] = ELFDATA2LSB;
    file.head.e_ident[EI_VERSION] = EV_CURRENT;
    file.head.e_machine = MACHINE_CUDA;
    file.head.e_shentsize = sizeof(Elf64_Shdr);
    file.head.e_shnum = 4;
    file.head.e_shstrndx = 1;
    file.head.e_shoff = offsetof(struct file, section);
    file.section[1] = (Elf64_Shdr){.sh_name = NAME_TABLE,
                                   .sh_type = SHT_STRTAB,
                                   .sh_offset = offsetof(struct file, names),
                                   .sh_size = sizeof names};
    file.section[2] = (Elf64_Shdr){.sh_name = NAME_TEXT, .sh_type = SHT_PROGBITS, .sh_info = 16};
    file.section[3] = (Elf64_Shdr){.sh_name = NAME_INFO,
                                   .sh_type = SHT_LOPROC,
                                   .sh_offset = offsetof(struct file, info),
                                   .sh_size = sizeof info};
    memcpy(file.names, names, sizeof names);
    memcpy(file.info, info, sizeof info);
    return file;
}

START_TEST(registers_stand_with_the_symbol_of_the_kernel) {
    struct file file = file_make();
    ck_assert_int_eq(cubin_registers((char *)&file, sizeof file, "matmul_a"), 59);
    ck_assert_int_eq(cubin_registers((char *)&file, sizeof file, "matmul_"), 0);
    ck_assert_int_eq(cubin_registers((char *)&file, sizeof file, "matmul_ab"), 0);
}
END_TEST

START_TEST(older_files_have_them_in_the_section) {
    struct file file = file_make();
    file.section[2].sh_info = 40u << 24 | 3;
    ck_assert_int_eq(cubin_registers((char *)&file, sizeof file, "matmul_a"), 40);
}
END_TEST

START_TEST(more_than_a_gpu_has_are_not_known) {
    struct file file = file_make();
    file.info[20] = 0;
    file.info[21] = 1;  // 256
    ck_assert_int_eq(cubin_registers((char *)&file, sizeof file, "matmul_a"), 0);
}
END_TEST

START_TEST(a_cut_or_foreign_file_is_not_known) {
    struct file file = file_make();
    for (size_t bytes = 0; bytes < offsetof(struct file, info) + 24; bytes++) {
        ck_assert_int_eq(cubin_registers((char *)&file, bytes, "matmul_a"), 0);
    }
    file.head.e_machine = EM_X86_64;
    ck_assert_int_eq(cubin_registers((char *)&file, sizeof file, "matmul_a"), 0);
}
END_TEST

// Each byte in turn gets hostile values: nothing outside the file is read.
START_TEST(no_byte_leads_outside_of_the_file) {
    for (size_t i = 0; i < sizeof(struct file); i++) {
        struct file file = file_make();
        ((unsigned char *)&file)[i] ^= 0xff;
        int registers = cubin_registers((char *)&file, sizeof file, "matmul_a");
        ck_assert(registers >= 0 && registers <= 255);
    }
}
END_TEST

// A section without bytes may claim any place and size, but the section of names may not.
START_TEST(names_that_have_no_bytes_are_not_read) {
    struct file file = file_make();
    file.section[1].sh_type = SHT_NOBITS;
    file.section[1].sh_offset = 1ull << 40;
    ck_assert_int_eq(cubin_registers((char *)&file, sizeof file, "matmul_a"), 0);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("cubin_registers");
    TCase *tests = tcase_create("registers");
    tcase_add_test(tests, registers_stand_with_the_symbol_of_the_kernel);
    tcase_add_test(tests, older_files_have_them_in_the_section);
    tcase_add_test(tests, more_than_a_gpu_has_are_not_known);
    tcase_add_test(tests, a_cut_or_foreign_file_is_not_known);
    tcase_add_test(tests, no_byte_leads_outside_of_the_file);
    tcase_add_test(tests, names_that_have_no_bytes_are_not_read);
    suite_add_tcase(suite, tests);
    return suite;
}
