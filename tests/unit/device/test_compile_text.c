// What is read from the text of a kernel file, from the compiler's messages and from names in a
// cubin.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/compile/compiler_errors.h"
#include "device/compile/compiler_messages.h"
#include "device/gpu/gpu_compile.h"
#include "device/object/symbols.h"
#include "device/source/declarations.h"
#include "device/source/source_check.h"
#include "suite.h"  // last: Check has a macro called fail

// --- The text of a file -----------------------------------------------------------------------

static const struct include_case {
    const char *text;
    int line;  // 0: nothing foreign
} include_cases[] = {
    {"#include \"matmul.cuh\"\n#include <stdio.h>\n#include <cuda/barrier>\n", 0},
    {"int a;\n#include \"/etc/passwd\"\n", 2},
    {"#include </etc/passwd>\n", 1},
    {"#include \"../reference/tiled.cu\"\n", 1},
    {"#include \"a/../../b\"\n", 1},
    {"#define F \"/etc/passwd\"\n#include F\n", 2},
    {"  #  include\t\"/x\"\n", 1},
    {"%:include \"/x\"\n", 1},
    {"#inc\\\nlude \"/x\"\n", 2},
    {"/* */ #include \"/x\"\n", 1},
    {"#include /* */ \"/x\"\n", 1},
    {"#include_next \"/x\"\n", 1},
    {"#embed \"/x\"\n", 1},
    {"// #include \"/x\"\n", 0},
    {"/*\n#include \"/x\"\n*/\n", 0},
    {"const char *s = \"#include \\\"/x\\\"\";\n", 0},
    {"#includes \"/x\"\n", 0},
    {"#include", 1},
    {"\n#import \"/x\"\n", 2},
    {"#import \"matmul.cuh\"\n", 0},
    {"#if __has_include(<a/*b>)\n#endif\n#include \"/x\"\n", 3},  // a name has no comment
    {"#if __has_include(<a>/*b>)\n#endif\n#include \"/x\"\n", 0},
    {"#embed NAME\n", 1},
    {"#if __has_include(\"/x\")\n", 1},
    {"#if __has_include(NAME)\n", 1},
    {"\n#define ASK __has_include\n", 2},
    {"#define ASK(x) __has_include(x)\n", 1},
    {"#ifdef __has_include\n#if __has_include(<cuda_fp16.h>)\n#endif\n#endif\n", 0},
    {"#if defined(__has_include) && __has_include(\"mma.h\")\n", 0},
};

START_TEST(foreign_includes_are_found_with_their_line) {
    const struct include_case *c = &include_cases[_i];
    char word[SOURCE_WORD_MAX];
    int line = 0;
    bool foreign = source_foreign(c->text, &line, word) == SOURCE_INCLUDE;
    ck_assert_msg(foreign == (c->line > 0), "%s", c->text);
    ck_assert_int_eq(line, c->line);
}
END_TEST

static const struct {
    const char *text;
    enum source_problem problem;
    int line;
} word_cases[] = {
    {"int n = __builtin_expect(x, 1);\n__builtin_unreachable(); __builtin_assume(x > 0);\n",
     SOURCE_FINE, 0},
    {"float *p = (float *)__builtin_assume_aligned(q, 16);\n", SOURCE_FINE, 0},
    {"\n__builtin_va_copy(a, b);\n", SOURCE_BUILTIN, 2},
    {"__builtin_init_dwarf_reg_size_table(C);\n", SOURCE_BUILTIN, 1},
    {"__builtin_popcount(3);\n", SOURCE_BUILTIN, 1},
    {"__sync_fetch_and_add(p, 1);\n", SOURCE_BUILTIN, 1},
    {"#define COPY __builtin_\\  \nmemcpy\n", SOURCE_BUILTIN, 1},
    {"const char *s = \"__builtin_memcpy\";  // __atomic_load\n", SOURCE_FINE, 0},
    {"__global__ __launch_bounds__(256, 2) void k();\n__shared__ __align__(16) float a[4];\n",
     SOURCE_FINE, 0},
    {"__attribute__((aligned(16))) float a; alignas(uninitialized) int b;\n", SOURCE_FINE, 0},
    {"__attribute__((__noinline__, __const__)) int f(); [[maybe_unused]] int b[2];\n", SOURCE_FINE,
     0},
    {"[[deprecated(\"weak\"), nodiscard]] int f(); [[gnu::always_inline]] inline int g();\n",
     SOURCE_FINE, 0},
    {"[[using gnu: aligned(8), unused]] int a = b[c[0]];\n", SOURCE_FINE, 0},
    {"__attribute__((format(printf, 1, 2))) int weak(const char *uninitialized);\n", SOURCE_FINE,
     0},
    {"#define ALIGNED aligned(16)\n__attribute__((ALIGNED)) float a;\n", SOURCE_FINE, 0},
    {"__attribute__((uninitialized)) float a;\n", SOURCE_ATTRIBUTE, 1},
    {"__attribute((aligned(4), __weak__)) float a;\n", SOURCE_ATTRIBUTE, 1},
    {"[[gnu::no_sanitize(\"thread\")]] int f();\n", SOURCE_ATTRIBUTE, 1},
    {"\n<:<:gnu::optimize(\"O3\"):>:> int f();\n", SOURCE_ATTRIBUTE, 2},
    {"[[using gnu: used, target(\"avx\")]] int f();\n", SOURCE_ATTRIBUTE, 1},
    {"a<::weak> x; b <::c> y;\n", SOURCE_FINE, 0},
    {"#pragma unroll\n#pragma unroll 4\n#pragma nv_diag_suppress 177\n#pragma once\n", SOURCE_FINE,
     0},
    {"#pragma\n#pragma GCC unroll 4\n_Pragma(\"unroll\") int dependency;\n", SOURCE_FINE, 0},
    {"#pragma GCC dependency \"x\"\n", SOURCE_PRAGMA, 1},
    {"\n#pragma GCC optimize(\"O3\")\n", SOURCE_PRAGMA, 2},
    {"#pragma weak f\n", SOURCE_PRAGMA, 1},
    {"void f(int K, const __grid_constant__ tensor_maps maps)\n", SOURCE_FINE, 0},
    {"void f(__grid_constant__ const struct tensor_maps maps)\n", SOURCE_FINE, 0},
    {"void f(tensor_maps const __grid_constant__ maps, int K)\n", SOURCE_FINE, 0},
    {"void f(const tensor_maps &maps); void g(const tensor_maps *maps);\n", SOURCE_FINE, 0},
    {"#define MAPS tensor_maps\nvoid f(const __grid_constant__ MAPS maps)\n", SOURCE_FINE, 0},
    {"void f(int K,\n const tensor_maps maps)\n", SOURCE_TENSOR_MAPS, 2},
    {"void f(tensor_maps const maps)\n", SOURCE_TENSOR_MAPS, 1},
    {"void f(const __grid_constant__ int K, struct tensor_maps maps)\n", SOURCE_TENSOR_MAPS, 1},
    {"\n_Pragma(\"pack(push, 1)\")\n", SOURCE_PRAGMA_OPERATOR, 2},
    {"_Pragma(R\"(push_macro(\"x\"))\")\n", SOURCE_PRAGMA_OPERATOR, 1},
    {"#define DO(x) _Pragma(#x)\nDO(pack(1))\n", SOURCE_PRAGMA_OPERATOR, 2},
    {"#define DO(x) _Pragma(#x)\n#pragma pack(1)\nDO(unroll)\nint i = pack(j);\n", SOURCE_FINE, 0},
    {"_Pragma(\"unroll\") int i = pack(1);\n", SOURCE_FINE, 0},
    {"#pragma GCC\ndiagnostic x;\n", SOURCE_PRAGMA, 1},
    {"thread_local int a;\n", SOURCE_THREAD_LOCAL, 1},
    {"__managed__ int a;\n", SOURCE_MANAGED, 1},
    {"# 7 \"x.h\"\n", SOURCE_LINE, 1},
    {"void f() { goto *p; }\n", SOURCE_BUILTIN, 1},
};

START_TEST(words_that_cuda_lacks_are_found_with_their_line) {
    char word[SOURCE_WORD_MAX];
    int line = 0;
    enum source_problem problem = source_foreign(word_cases[_i].text, &line, word);
    ck_assert_msg(problem == word_cases[_i].problem, "%s: %d", word_cases[_i].text, problem);
    ck_assert_int_eq(line, word_cases[_i].line);
}
END_TEST

START_TEST(blanks_after_a_backslash_do_not_keep_lines_apart) {
    static const char text[] = "#define A \\ \t\nb\\\nc \\ \r\n\\ d\n";
    struct build_report report;
    size_t bytes = 0;
    char *copy = source_prepare(text, sizeof text - 1, &bytes, &report);
    ck_assert_str_eq(copy, "#define A \\\nb\\\nc \\\r\n\\ d\n");
    ck_assert_uint_eq(bytes, strlen(copy));
    free(copy);
}
END_TEST

START_TEST(only_a_declaration_of_the_name_itself_is_const) {
    const char *text =
        "const float a[2] = {1, 2}; static constexpr int b = 3; const float *c[2];\n"
        "float *const d[1] = {0}; __device__ const float e[] = {1};\n"
        "float f[2] = {1}; const float g = h[0]; void k(const int l[2]) { float m[3]; }\n";
    ck_assert(source_declares_const(text, "a"));
    ck_assert(source_declares_const(text, "b"));
    ck_assert(!source_declares_const(text, "c"));
    ck_assert(source_declares_const(text, "d"));
    ck_assert(source_declares_const(text, "e"));
    ck_assert(!source_declares_const(text, "f"));
    ck_assert(!source_declares_const(text, "h"));
    ck_assert(!source_declares_const(text, "l"));
    ck_assert(!source_declares_const(text, "m"));
    ck_assert(!source_declares_const(text, "absent"));
    text = "constexpr int a = (1, 2), b[2] = {1, 2}, c[1] = {3}, *d = {0};\n"
           "int e = 1, f = 2; void g(const int i = 1, int j = 2); __device__ int k = 3, l = 4;\n";
    ck_assert(source_declares_const(text, "b"));
    ck_assert(source_declares_const(text, "c"));
    ck_assert(!source_declares_const(text, "d"));
    ck_assert(!source_declares_const(text, "f"));
    ck_assert(!source_declares_const(text, "j"));
    ck_assert(!source_declares_const(text, "l"));
}
END_TEST

START_TEST(a_constant_hides_no_variable_of_its_name) {
    const char *text = "__device__ int a[2] = {1}; void f() { const int a = 3; }\n"
                       "void g() { const int b = 3; } void h() { static int b = 1; }\n";
    ck_assert(!source_declares_const(text, "a"));
    ck_assert(!source_declares_const(text, "b"));
    text =
        "__device__ const int a[2] = {1}; void f() { int a = 3; a = 4; for (int a = 0;;) { } }\n"
        "static __device__ void g(int a[4]) { } static __device__ int h(int x) { return a[x]; }\n"
        "struct s { static constexpr int a[1] = {1}; }; constexpr int s::a[1];\n";
    ck_assert(source_declares_const(text, "a"));
}
END_TEST

START_TEST(tensor_instructions_are_words_of_ptx_not_parts_of_words) {
    char name[64] = "";
    ck_assert(ptx_tensor_instruction("\twmma.load.a.sync {%r1};", name, sizeof name));
    ck_assert_str_eq(name, "wmma.load.a.sync");
    ck_assert(ptx_tensor_instruction("{mma.sync.aligned.m16n8k8 x;}", name, sizeof name));
    ck_assert(ptx_tensor_instruction("@%p1 wgmma.mma_async.sync x;", name, sizeof name));
    ck_assert(ptx_tensor_instruction("tcgen05.mma x;", name, sizeof name));
    ck_assert(
        !ptx_tensor_instruction("\t// mma.sync\n add.f32 x; // wmma.mma\n", name, sizeof name));
    ck_assert(!ptx_tensor_instruction(".file 1 \"cuda/include/crt/mma.h\"\n", name, sizeof name));
    ck_assert(!ptx_tensor_instruction("gamma.f32 my_mma.sync mma_row comma.y mma, wgmma.fence",
                                      name, sizeof name));
}
END_TEST

START_TEST(a_tensor_instruction_is_found_however_it_is_written) {
    static const char *const texts[] = {
        "mma .sync.aligned x;",
        "mma\n.sync x;",
        "mma/* */.sync x;",
        "mma // \n . /**/ sync x;",
        "// \\\n mma.sync x;",             // a line of PTX is not joined with the next
        "/* /* */ mma.sync x;",            // comments do not nest
        "/*\n// */ mma.sync x;",           // the comment ends in a line that looks like a comment
        ".pragma \"//\"; mma.sync x;",     // a string that looks like a comment
        ".pragma \"\n// \"; mma.sync x;",  // or like the start of a comment
        "# 1 \"\n mma.sync x; // \"\n",
        "L1:mma.sync x;",
        "{mma.sp.sync x;}",
        "mma.sp::ordered_metadata.sync x;",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char name[64] = "";
        ck_assert_msg(ptx_tensor_instruction(texts[i], name, sizeof name), "%s", texts[i]);
        ck_assert_msg(strncmp(name, "mma.s", 5) == 0, "%s: %s", texts[i], name);
    }
}
END_TEST

START_TEST(parameters_of_an_entry_point_are_compared_one_by_one) {
    static const char ptx[] = ".visible .entry two(\n\t.param .u64 .ptr .align 1 two_param_0,\n"
                              "\t.param .u32 two_param_1\n)\n{ .param .b32 inner; }\n"
                              ".entry none()\n.entry real(.param .f32 x)\n"
                              ".entry big(.param .align 4 .b8 x[4000])\n";
    ck_assert(ptx_entry_takes(ptx, "two", "LI"));
    ck_assert(!ptx_entry_takes(ptx, "two", "L"));
    ck_assert(!ptx_entry_takes(ptx, "two", "LII"));
    ck_assert(!ptx_entry_takes(ptx, "two", "IL"));
    ck_assert(ptx_entry_takes(ptx, "none", ""));
    ck_assert(!ptx_entry_takes(ptx, "none", "L"));
    ck_assert(!ptx_entry_takes(ptx, "real", "I"));
    ck_assert(ptx_entry_takes(ptx, "real", "F,LI"));
    ck_assert(!ptx_entry_takes(ptx, "real", ",F"));
    ck_assert(!ptx_entry_takes(ptx, "big", "L"));
    ck_assert(ptx_entry_takes(ptx, "absent", "LI"));
    ck_assert(ptx_entry_takes(ptx, "tw", "III"));  // a name is not found as the prefix of another
}
END_TEST

START_TEST(every_entry_point_of_a_name_is_compared) {
    ck_assert(!ptx_entry_takes("// .entry k(.param .u64 a)\n.entry k(.param .u32 a)", "k", "L"));
}
END_TEST

// --- Names ------------------------------------------------------------------------------------

static const struct {
    const char *name, *plain;
} plain_names[] = {
    {"stash", "stash"},
    {"_Z12matmul_tiledPfS_S_iii", "matmul_tiled"},
    {"_Z1fP6float4", "f"},
    {"_ZL3tab", "tab"},
    {"_ZZ5otherPfE1n", "n"},
    {"_ZZ5otherPfE1n_0", "n"},
    {"_ZZN1a1bILi3EEEvPfE5count", "count"},
    {"_ZN1SILi3EE1vE", "v"},
    {"_ZN12_GLOBAL__N_12w2E", "w2"},
    {"_Z", "_Z"},
    {"_ZN", "_ZN"},
    {"_Z99x", "_Z99x"},
    {"_ZZE", "_ZZE"},
    {"_ZNLi", "_ZNLi"},
};

START_TEST(plain_names_come_out_of_mangled_ones) {
    char plain[64];
    symbol_readable(plain_names[_i].name, plain, sizeof plain);
    ck_assert_str_eq(plain, plain_names[_i].plain);
}
END_TEST

START_TEST(what_is_no_cubin_is_refused) {
    struct elf_file cubin;
    struct error err;
    char zeros[256] = {0};
    char magic[] = "\177ELF";
    ck_assert_int_eq(cubin_open(zeros, 0, &cubin, &err), STATUS_BAD_DATA);
    ck_assert_int_eq(cubin_open(magic, 4, &cubin, &err), STATUS_BAD_DATA);
    ck_assert_int_eq(cubin_open(zeros, sizeof zeros, &cubin, &err), STATUS_BAD_DATA);
}
END_TEST

// --- Logs -------------------------------------------------------------------------------------

static enum build_fault log_fault(const char *log, const char *source, int *ret_line) {
    struct build_report report = {.fault = BUILD_FAULT_NONE};
    compile_log_judge(log, BUILD_SOURCE, source, "matmul_x", &report);
    ck_assert_str_ne(report.text, "");
    *ret_line = report.line;
    return report.fault;
}

START_TEST(host_code_weighs_more_than_other_errors_before_it) {
    int line = 0;
    ck_assert_int_eq(
        log_fault("submission.cu(2): error: expected a \";\"\n\n"
                  "submission.cu(9): error: A function without execution space annotations "
                  "is considered a host function, and …\n",
                  "", &line),
        BUILD_FAULT_NOT_ALLOWED);
    ck_assert_int_eq(line, 9);
    ck_assert_int_eq(log_fault("submission.cu(2): error: expected a \";\"\n"
                               "submission.cu(3): error: another\n",
                               "", &line),
                     BUILD_FAULT_ERROR);
    ck_assert_int_eq(line, 2);
}
END_TEST

START_TEST(a_clash_of_linkage_is_a_bad_signature_only_for_the_kernel) {
    int line = 0;
    const char *log =
        "submission.cu(2): error: more than one instance of overloaded function has \"C\" "
        "linkage\n";
    ck_assert_int_eq(log_fault(log, "\nvoid matmul_x(int);\n", &line), BUILD_FAULT_BAD_SIGNATURE);
    ck_assert_int_eq(log_fault(log, "\nvoid helper(int);\n", &line), BUILD_FAULT_ERROR);
}
END_TEST

START_TEST(a_refusal_without_a_known_message_is_still_a_build_error) {
    int line = 7;
    ck_assert_int_eq(log_fault("", "", &line), BUILD_FAULT_ERROR);
    ck_assert_int_eq(line, 0);
    ck_assert_int_eq(
        log_fault("ptxas error   : Entry function uses too much shared data\n", "", &line),
        BUILD_FAULT_ERROR);
}
END_TEST

START_TEST(an_instruction_of_another_gpu_leaves_the_exercise_open) {
    static const char *const lacks[] = {
        "Feature 'mbarrier.try_wait.parity' requires .target sm_90 or higher",
        "Instruction 'wgmma.fence' not supported on .target 'sm_100'"};
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++) {
        char log[512];
        struct build_report report = {.fault = BUILD_FAULT_NONE};
        (void)snprintf(log, sizeof log,
                       "ptxas application ptx input, line 38; error   : .noComplete modifier "
                       "required for instruction 'mbarrier.arrive with count argument'\n"
                       "ptxas application ptx input, line 38; error   : %s\n"
                       "ptxas fatal   : Ptx assembly aborted due to errors\n",
                       lacks[i]);
        compile_log_judge(log, BUILD_SOURCE, "", "matmul_x", &report);
        ck_assert_int_eq(report.fault, BUILD_FAULT_NEEDS_GPU);
        ck_assert_ptr_nonnull(strstr(report.text, lacks[i]));
    }
}
END_TEST

START_TEST(a_missing_header_of_the_toolkit_leaves_the_exercise_open) {
    struct build_report report = {.fault = BUILD_FAULT_NONE};
    compile_log_judge("/x/standin/mma.h(8): catastrophic error: could not open source "
                      "file \"mma.h\"\n",
                      BUILD_SOURCE, "", "matmul_x", &report);
    ck_assert_int_eq(report.fault, BUILD_FAULT_NEEDS_GPU);
    ck_assert_ptr_nonnull(strstr(report.text, "\"mma.h\""));
    ck_assert_ptr_nonnull(strstr(report.text, "install the toolkit"));
}
END_TEST

START_TEST(shown_messages_name_the_file_of_the_student) {
    char *text = compile_log_show("submission.cu(2): error: x\xe9\n\n/a/b/matmul.cuh(1): note\r\n"
                                  "Remark: The warnings can be suppressed\n",
                                  "matmul_tiled", "/a/b");
    ck_assert_str_eq(text, "tiled.cu(2): error: x?\nmatmul.cuh(1): note\n");
    free(text);
}
END_TEST

START_TEST(at_most_forty_lines_are_shown) {
    char log[1000];
    int lines = 0;
    for (size_t i = 0; i + 2 < sizeof log; i += 2) {
        memcpy(log + i, "x\n", 3);
    }
    char *text = compile_log_show(log, "k", "");
    for (const char *at = text; *at != '\0'; at++) {
        lines += *at == '\n';
    }
    ck_assert_int_eq(lines, 40);
    free(text);
}
END_TEST

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

SUITE() {
    Suite *suite = suite_create("compile_text");
    TCase *texts = tcase_create("texts");
    tcase_add_loop_test(texts, foreign_includes_are_found_with_their_line, 0,
                        COUNT_OF(include_cases));
    tcase_add_loop_test(texts, words_that_cuda_lacks_are_found_with_their_line, 0,
                        COUNT_OF(word_cases));
    tcase_add_test(texts, blanks_after_a_backslash_do_not_keep_lines_apart);
    tcase_add_test(texts, only_a_declaration_of_the_name_itself_is_const);
    tcase_add_test(texts, a_constant_hides_no_variable_of_its_name);
    tcase_add_test(texts, tensor_instructions_are_words_of_ptx_not_parts_of_words);
    tcase_add_test(texts, a_tensor_instruction_is_found_however_it_is_written);
    tcase_add_test(texts, parameters_of_an_entry_point_are_compared_one_by_one);
    tcase_add_test(texts, every_entry_point_of_a_name_is_compared);
    tcase_add_loop_test(texts, plain_names_come_out_of_mangled_ones, 0, COUNT_OF(plain_names));
    tcase_add_test(texts, what_is_no_cubin_is_refused);
    tcase_add_test(texts, host_code_weighs_more_than_other_errors_before_it);
    tcase_add_test(texts, a_clash_of_linkage_is_a_bad_signature_only_for_the_kernel);
    tcase_add_test(texts, a_refusal_without_a_known_message_is_still_a_build_error);
    tcase_add_test(texts, an_instruction_of_another_gpu_leaves_the_exercise_open);
    tcase_add_test(texts, a_missing_header_of_the_toolkit_leaves_the_exercise_open);
    tcase_add_test(texts, shown_messages_name_the_file_of_the_student);
    tcase_add_test(texts, at_most_forty_lines_are_shown);
    suite_add_tcase(suite, texts);
    return suite;
}
