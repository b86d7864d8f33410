// The inspector's pure parts: symbol names, and gcc's assembly text.
#include <stdio.h>
#include <string.h>

#include "device/assembly/assembly_text.h"
#include "device/object/symbols.h"
#include "device/source/source_check.h"
#include "suite.h"

static const struct {
    const char *name;
    enum symbol_class class;
} symbols[] = {
    {"emu_syncthreads", SYMBOL_OURS},
    {"__tsan_read4", SYMBOL_OURS},
    {"__ubsan_handle_out_of_bounds", SYMBOL_OURS},
    {"sqrtf", SYMBOL_OURS},
    {"exp", SYMBOL_OURS},
    {"memcpy", SYMBOL_OURS},
    {"fmaf", SYMBOL_OURS},
    {"__divti3", SYMBOL_OURS},
    {"malloc", SYMBOL_NEEDS_GPU},
    {"_Znam", SYMBOL_NEEDS_GPU},
    {"_Z6helperf", SYMBOL_STUDENT},
    {"__cxa_guard_acquire", SYMBOL_STATIC},
    {"__cxa_atexit", SYMBOL_STATIC},
    {"system", SYMBOL_FOREIGN},
    {"syscall", SYMBOL_FOREIGN},
    {"fopen", SYMBOL_FOREIGN},
    {"mallocf", SYMBOL_FOREIGN},
    {"f", SYMBOL_FOREIGN},
    {"emu", SYMBOL_FOREIGN},
};

START_TEST(undefined_symbols_are_classified) {
    enum symbol_class got = symbol_classify(symbols[_i].name);
    ck_assert_msg(got == symbols[_i].class, "%s: %d", symbols[_i].name, got);
}
END_TEST

static const struct {
    const char *symbol, *readable;
} names[] = {
    {"matmul_tiled", "matmul_tiled"},
    {"_Z6helperf", "helper"},
    {"_ZL5hostyf", "hosty"},
    {"_ZNK4Tile3getEv", "get"},
    {"_ZN1TC2Ef", "T"},
    {"_ZZ12matmul_tiledE2As", "As"},
    {"_ZZ12matmul_tiledE2As_0", "As"},
    {"_ZZ3sumILi4EEfPKfE3tmp", "tmp"},
    {"_ZGVZ8matmul_xE1s", "s"},
    {"_Znwm", "new"},
    {"_ZdaPv", "delete"},
    {"_Z", "_Z"},
    {"_Z99x", "_Z99x"},
    {"", ""},
};

START_TEST(names_are_made_readable) {
    char text[64];
    symbol_readable(names[_i].symbol, text, sizeof text);
    ck_assert_str_eq(text, names[_i].readable);
}
END_TEST

// What follows a guard's test, whose jump has been taken away, and whether the guard is dead.
static const struct {
    const char *after;
    bool is_dead;
} guards[] = {
    {"\tjmp\t.L1\n", true},
    {"\tje\t.L1\n", false},
    {"\tmovl\t%eax, %ebx\n\tje\t.L1\n", false},
    {"\taddss\t%xmm0, %xmm1\n\tje\t.L1\n", false},  // sets no flags
    {"\tandl\t$3, %eax\n\tje\t.L1\n", true},
    {"\tcmpb\t$0, %fs:_ZGVt@tpoff\n.L2:\n\tcmpl\t$1, %eax\n\tjle\t.L1\n", true},
    {"\tcall\tf\n\tje\t.L1\n", true},
    {"\ttestb\t$1, %fs:_ZGVs@tpoff\n", false},
};

START_TEST(a_guard_is_dead_if_nothing_asks_for_its_test) {
    char text[256];
    (void)snprintf(text, sizeof text, "\tcmpb\t$0, %%fs:_ZGVs@tpoff\n%s", guards[_i].after);
    ck_assert_int_eq(assembly_guard_is_dead(text, "_ZGVs"), guards[_i].is_dead);
}
END_TEST

START_TEST(implied_code_is_not_host_code) {
    ck_assert(symbol_is_implied("_ZZ12matmul_tiledENKUlfE_clEf"));
    ck_assert(symbol_is_implied("_ZN1TC2Ef"));
    ck_assert(symbol_is_implied("_ZTW4smem"));
    ck_assert(symbol_is_implied("matmul_tiled.cold"));
    ck_assert(symbol_is_implied("_ZZN1AILi16EE3runEvENKUlfE0_clEf"));
    ck_assert(symbol_is_implied("_ZZ1fRA16_fENKUlfE_clEf"));
    ck_assert(!symbol_is_implied("_Z6helperf"));
    ck_assert(!symbol_is_implied("_ZL11mulUltimateff"));
    ck_assert(!symbol_is_implied("_Z4EUlxf"));
    ck_assert(!symbol_is_implied("_Z3_Ulf"));
    ck_assert(!symbol_is_implied("_ZN2Li4EUlxEf"));
    ck_assert(!symbol_is_implied("_ZN3C1E4maddEff"));
    ck_assert(!symbol_is_implied("_ZNK1T3getEv"));
    ck_assert(!symbol_is_implied("matmul_tiled"));
}
END_TEST

START_TEST(overloads_of_the_kernel_are_found) {
    const char *parameters = NULL;
    ck_assert(symbol_is_overload("_Z12matmul_tiledPKfS0_Pfiii", "matmul_tiled", &parameters));
    ck_assert_str_eq(parameters, "PKfS0_Pfiii");
    ck_assert(symbol_is_overload("_ZL12matmul_tiledv", "matmul_tiled", &parameters));
    ck_assert_str_eq(parameters, "v");
    ck_assert(!symbol_is_overload("matmul_tiled", "matmul_tiled", &parameters));
    ck_assert(!symbol_is_overload("_Z13matmul_tiled2v", "matmul_tiled", &parameters));
    ck_assert(!symbol_is_overload("_Z11matmul_tiledv", "matmul_tiled", &parameters));
}
END_TEST

START_TEST(reserved_names) {
    ck_assert(symbol_is_reserved("__tsan_read4"));
    ck_assert(symbol_is_reserved("emu_kernel"));
    ck_assert(symbol_is_reserved("main"));
    ck_assert(!symbol_is_reserved("matmul_tiled"));
    ck_assert(!symbol_is_reserved("_Z4mainv"));
}
END_TEST

// As gcc writes it, shortened.
static const char assembly[] = "\t.file\t\"submission.cu\"\n"
                               "\t.section\t.text._Z4hostf,\"ax\",@progbits\n"
                               "\t.globl\t_Z4hostf\n"
                               "\t.type\t_Z4hostf, @function\n"
                               "_Z4hostf:\n"
                               ".LFB0:\n"
                               "\t.file 1 \"submission.cu\"\n"
                               "\t.loc 1 6 29 is_stmt 1 view -0\n"
                               "\tcall\tsystem\n"
                               "\tret\n"
                               "\t.size\t_Z4hostf, .-_Z4hostf\n"
                               "\t.type\t_Z6headerv, @function\n"
                               "_Z6headerv:\n"
                               "\t.file 2 \"/x/matmul.cuh\"\n"
                               "\t.loc 2 30 1\n"
                               "\t.size\t_Z6headerv, .-_Z6headerv\n"
                               "\t.type\tkernel, @function\n"
                               "kernel:\n"
                               "\t.loc 1 11 1 view -0\n"
                               "\t.section\t__patchable_function_entries,\"awo\",@progbits,kernel\n"
                               "\t.quad\t.LPFE1\n"
                               "\t.section\t.text.kernel\n"
                               "\t.loc 1 12 1\n"
                               "\tcall\tsystem2@PLT\n"
                               "\t.loc 1 13 1\n"
                               "\tmovss\tstate(%rip), %xmm0\n"
                               "\t.zero\t100\n"
                               "\t.size\tkernel, .-kernel\n"
                               "\t.section\t.init_array.00099,\"aw\"\n"
                               "\t.quad\t_sub_I_00099_0\n"
                               "\t.section\t.init_array,\"aw\"\n"
                               "\t.quad\t_ZL1fv\n"
                               "\t.zero\t28\n";

START_TEST(functions_of_the_text) {
    struct assembly_function function;
    const char *at = assembly;
    ck_assert_int_eq(assembly_file(assembly), 1);
    ck_assert(assembly_next(&at, 1, &function));
    ck_assert_str_eq(function.name, "_Z4hostf");
    ck_assert(function.is_submission && !function.is_device);
    ck_assert_int_eq(function.line, 6);
    ck_assert(assembly_next(&at, 1, &function));
    ck_assert_str_eq(function.name, "_Z6headerv");
    ck_assert(!function.is_submission);
    ck_assert(assembly_next(&at, 1, &function));
    ck_assert_str_eq(function.name, "kernel");
    ck_assert(function.is_submission && function.is_device);
    ck_assert_int_eq(function.line, 11);
    ck_assert_int_eq(function.threads_max, 0);
    ck_assert(!assembly_next(&at, 1, &function));
}
END_TEST

// gcc writes the nops of __launch_bounds__, and the mark of device code, before the label.
START_TEST(launch_bounds_are_the_nops_before_the_label) {
    static const char text[] = "\t.file 1 \"submission.cu\"\n"
                               "\t.type\thelper, @function\n"
                               "helper:\n"
                               "\t.loc 1 5 1\n"
                               "\tnop\n"
                               "\t.size\thelper, .-helper\n"
                               "\t.protected\tkernel\n"
                               "\t.section\t__patchable_function_entries,\"awo\",@progbits,kernel\n"
                               "\t.quad\t.LPFE1\n"
                               "\t.section\t.text.kernel\n"
                               ".LPFE1:\n"
                               "\tnop\n"
                               "\tnop\n"
                               "\tnop\n"
                               "\t.type\tkernel, @function\n"
                               "kernel:\n"
                               "\tnop\n"
                               "\t.loc 1 11 1\n"
                               "\tnop\n"
                               "\t.size\tkernel, .-kernel\n";
    struct assembly_function function;
    const char *at = text;
    ck_assert(assembly_next(&at, 1, &function));
    ck_assert(!function.is_device);
    ck_assert_int_eq(function.threads_max, 0);
    ck_assert(assembly_next(&at, 1, &function));
    ck_assert(function.is_device && function.is_kernel);
    ck_assert_int_eq(function.line, 11);
    ck_assert_int_eq(function.threads_max, 3);
}
END_TEST

START_TEST(lines_of_symbols) {
    ck_assert_int_eq(assembly_line_of(assembly, 1, "system"), 6);
    ck_assert_int_eq(assembly_line_of(assembly, 1, "system2"), 12);
    ck_assert_int_eq(assembly_line_of(assembly, 1, "state"), 13);
    ck_assert_int_eq(assembly_line_of(assembly, 1, "stat"), 0);
}
END_TEST

START_TEST(start_up_code_and_zeros) {
    char name[SYMBOL_TEXT_MAX];
    assembly_start(assembly, name);
    ck_assert_str_eq(name, "_ZL1fv");
    ck_assert_uint_eq(assembly_zeros(assembly), 128);
}
END_TEST

START_TEST(inline_assembly_is_found_with_its_line) {
    ck_assert_int_eq(assembly_inline(assembly), -1);
    ck_assert_int_eq(
        assembly_inline("\tnop\n#APP\n# 12 \"submission.cu\" 1\n\tsyscall\n# 0 \"\" 2\n#NO_APP\n"),
        12);
    ck_assert_int_eq(assembly_inline("#APP\n\t.globl foo\n#NO_APP\n"), 0);
    ck_assert_int_eq(assembly_inline("\t.string\t\"\\n#APP\\n\"\n"), -1);
    ck_assert_int_eq(assembly_inline(""), -1);
}
END_TEST

#define MARK "# 1 \"submission.cu\"\n"

static const struct {
    const char *text;
    enum source_problem problem;
    int line;
} tokens[] = {
    {MARK "int a;\nasm(\"nop \");\n", SOURCE_ASM, 2},
    {MARK "void f() {\n  __asm__ volatile (\"x\");\n}\n", SOURCE_ASM, 2},
    {MARK "__asm (\"a\\nb\");", SOURCE_ASM, 1},
    {MARK "float f() asm(\"emu_f\");", SOURCE_ASM, 1},
    {"# 5 \"x.h\" 1\nfloat f() asm(\"emu_f\"); __builtin_memcpy(a, b, 4);", SOURCE_FINE, 0},
    {MARK "int asmb, _asm, my_asm;", SOURCE_FINE, 0},
    {MARK "const char *s = \"asm(\\\"x y\\\")\"; char c = '\\''; asm(\"x y\");", SOURCE_ASM, 1},
    {MARK "const char *s = R\"x(asm(\"x y\"))x\";\n", SOURCE_FINE, 0},
    {MARK "int n = 1'000; asm(\"x y\");", SOURCE_ASM, 1},
    {MARK "__attribute__((section(\"tilegrade_constant.\" \"3\"))) int a;", SOURCE_FINE, 0},
    {MARK "__attribute__((section(\"tilegrade_constant.\" \"3x\"))) int a;", SOURCE_ATTRIBUTE, 1},
    {MARK "__attribute__((section(\"tilegrade_constant.3\"))) int a;", SOURCE_ATTRIBUTE, 1},
    {MARK "[[gnu::section(\".text\" \".a\")]] int a;", SOURCE_ATTRIBUTE, 1},
    {MARK "\n__attribute__((__section__\n(\"a\\n.b\"))) int a;", SOURCE_ATTRIBUTE, 2},
    {MARK "__attribute__((uninitialized)) int a;", SOURCE_ATTRIBUTE, 1},
    {MARK "<:<:gnu::alias(\"a b\"):>:> int a();", SOURCE_ATTRIBUTE, 1},
    {MARK "int section = 3; f(section, \"a b\"); section(3);", SOURCE_FINE, 0},
    {MARK "thread_local __attribute__((used)) int a;", SOURCE_FINE, 0},
    {MARK "thread_local __attribute__((used)) int a = 3;", SOURCE_SHARED, 1},
    {MARK "thread_local int a;", SOURCE_THREAD_LOCAL, 1},
    {MARK "for (__builtin_is_constant_evaluated() ? (void)0 : emu_return_at();;) return;",
     SOURCE_FINE, 0},
    {MARK "__builtin_va_list a;", SOURCE_BUILTIN, 1},
    {"", SOURCE_FINE, 0},
    {"\"never closed", SOURCE_FINE, 0},
    {"R\"(never closed", SOURCE_FINE, 0},
};

START_TEST(words_that_macros_make_are_found) {
    int line = 0;
    char word[SOURCE_WORD_MAX];
    enum source_problem problem = source_made_foreign(tokens[_i].text, &line, word);
    ck_assert_msg(problem == tokens[_i].problem, "%s: %d", tokens[_i].text, problem);
    ck_assert_msg(line == tokens[_i].line, "%s: line %d", tokens[_i].text, line);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("inspect");
    TCase *cases = tcase_create("inspect");
    tcase_add_loop_test(cases, a_guard_is_dead_if_nothing_asks_for_its_test, 0,
                        (int)(sizeof guards / sizeof *guards));
    tcase_add_loop_test(cases, undefined_symbols_are_classified, 0,
                        (int)(sizeof symbols / sizeof *symbols));
    tcase_add_loop_test(cases, names_are_made_readable, 0, (int)(sizeof names / sizeof *names));
    tcase_add_test(cases, implied_code_is_not_host_code);
    tcase_add_test(cases, overloads_of_the_kernel_are_found);
    tcase_add_test(cases, reserved_names);
    tcase_add_test(cases, functions_of_the_text);
    tcase_add_test(cases, launch_bounds_are_the_nops_before_the_label);
    tcase_add_test(cases, lines_of_symbols);
    tcase_add_test(cases, start_up_code_and_zeros);
    tcase_add_test(cases, inline_assembly_is_found_with_its_line);
    tcase_add_loop_test(cases, words_that_macros_make_are_found, 0,
                        (int)(sizeof tokens / sizeof *tokens));
    suite_add_tcase(suite, cases);
    return suite;
}
