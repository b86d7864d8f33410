// The launches and variables of a program become what g++ compiles.
#include <stdlib.h>
#include <string.h>

#include "device/source/program_text.h"
#include "suite.h"  // last: Check has a macro called fail

#define LAUNCH(config, callee) "::tilegrade::launch(::tilegrade::config(" config "), " callee ")"
#define CALL(config, callee)                                                                       \
    "::tilegrade::launch_any(::tilegrade::config(" config                                          \
    "), [](auto... tilegrade_argument) { " callee "(tilegrade_argument...); })"

#define PLAIN    "__global__ void k(float *x, int n);\n"
#define TEMPLATE "template <int B, class T = int> __global__ void t(T *x) { x[0] = B; }\n"

// before: what the other files of the program hold.
static const struct {
    const char *before, *text, *result;
} texts[] = {
    // Launches.
    {PLAIN, "k<<<g, b>>>(x, 3);", LAUNCH("g, b", "k") "(x, 3);"},
    {PLAIN, "k<<<g, b, 4 * sizeof(int), s>>>(x, 3);",
     LAUNCH("g, b, 4 * sizeof(int), s", "k") "(x, 3);"},
    {PLAIN, "k <<< dim3(n / 8, 2), dim3{8, 8} >>> (x, 3);",
     "::tilegrade::launch(::tilegrade::config(  dim3(n / 8, 2), dim3{8, 8} ), k) (x, 3);"},
    {PLAIN, "if (n > 0) k<<<1, 1>>>(x, 3); else k<<<2, 1>>>(x, 3);",
     "if (n > 0) " LAUNCH("1, 1", "k") "(x, 3); else " LAUNCH("2, 1", "k") "(x, 3);"},
    {PLAIN, "(void)k<<<1, 1>>>(x, 3);", "(void)" LAUNCH("1, 1", "k") "(x, 3);"},
    {PLAIN, "return k<<<1, 1>>>(x, 3);", "return " LAUNCH("1, 1", "k") "(x, 3);"},
    // Lines stay.
    {PLAIN, "k<<<\n  g,  // blocks\n  b\n>>>(\n  x, 3);",
     "::tilegrade::launch(::tilegrade::config(\n  g,  // blocks\n  b\n), k)(\n  x, 3);"},
    {PLAIN, "k  // the kernel\n<<<1, 1>>>(x, 3);",
     "::tilegrade::launch(::tilegrade::config(  // the kernel\n1, 1), k)(x, 3);"},
    // Templates.
    {TEMPLATE, "t<8><<<1, 1>>>(x);", CALL("1, 1", "t<8>") "(x);"},
    {TEMPLATE, "t<8, std::vector<std::pair<int, int>>><<<1, 1>>>(x);",
     CALL("1, 1", "t<8, std::vector<std::pair<int, int>>>") "(x);"},
    {TEMPLATE, "t<(n > 2), float><<<n >> 2, 1 << 4>>>(x);",
     CALL("n >> 2, 1 << 4", "t<(n > 2), float>") "(x);"},
    {TEMPLATE, "t<8><<<f<g<h<int>>>::v, 1>>>(x);", CALL("f<g<h<int>>>::v, 1", "t<8>") "(x);"},
    {TEMPLATE, "ns::t<8><<<1, 1>>>(x);", CALL("1, 1", "ns::t<8>") "(x);"},
    {"template <>\n#pragma once\n__global__ void t<3>(int *x);\n", "t<3><<<1, 1>>>(x);",
     CALL("1, 1", "t<3>") "(x);"},
    // A template before a plain kernel, and a kernel that no file declares.
    {"template <class T> T f(T x) { return x; }\n" PLAIN, "k<<<1, 1>>>(x, 3);",
     LAUNCH("1, 1", "k") "(x, 3);"},
    {"", "::ns::k<<<1, 1>>>(x);", LAUNCH("1, 1", "::ns::k") "(x);"},
    {"", "kernels[i]<<<1, 1>>>(x);", LAUNCH("1, 1", "kernels[i]") "(x);"},
    {"", "if (x) (*f)<<<1, 1>>>(x);", "if (x) " LAUNCH("1, 1", "(*f)") "(x);"},
    {"", "o.f->k<<<1, 1>>>(x);", LAUNCH("1, 1", "o.f->k") "(x);"},
    // A call chooses an overload, and knows the default values.
    {PLAIN "__global__ void k(int *x, int n) {}\n", "k<<<1, 1>>>(x, 3);",
     CALL("1, 1", "k") "(x, 3);"},
    {PLAIN "__global__ void k(float *y, int count) {}\n", "k<<<1, 1>>>(x, 3);",
     LAUNCH("1, 1", "k") "(x, 3);"},
    {"extern \"C\" __global__ void __launch_bounds__(256, 2) d(float *x, int n = 4) {}\n",
     "d<<<1, 1>>>(x);", CALL("1, 1", "d") "(x);"},
    // In macros.
    {PLAIN, "#define RUN(f, ...) f<<<g, b>>>(__VA_ARGS__)\nRUN(k, x, 3);",
     "#define RUN(f, ...) " LAUNCH("g, b", "f") "(__VA_ARGS__)\nRUN(k, x, 3);"},
    {PLAIN, "#define RUN \\\n  k<<<g, \\\n b>>>(x, 3)\n;",
     "#define RUN \\\n  ::tilegrade::launch(::tilegrade::config(g, \\\n b), k)(x, 3)\n;"},
    // No launches.
    {PLAIN, "int y = n << 3 >> 1; s = \"k<<<1, 1>>>(x)\";  // k<<<1, 1>>>(x)",
     "int y = n << 3 >> 1; s = \"k<<<1, 1>>>(x)\";  // k<<<1, 1>>>(x)"},
    {PLAIN, "k<<<1, 1; f<g<h<int>>>(x);", "k<<<1, 1; f<g<h<int>>>(x);"},
    {PLAIN, "#define OPEN k<<<\n1, 1>>>(x);", "#define OPEN k<<<\n1, 1>>>(x);"},
    {"", "std::cout <<\"<<<\";", "std::cout <<\"<<<\";"},
    // Variables.
    {"", "__device__ int count;", "__tilegrade_variable__ int count;"},
    {"", "static __device__ float x[4] = {1};", "static __tilegrade_variable__ float x[4] = {1};"},
    {"", "__device__ unsigned long long a = 0, *b;",
     "__tilegrade_variable__ unsigned long long a = 0, *b;"},
    {"", "__device__ __align__(16) ns::box<int, (2 > 1)> x;",
     "__tilegrade_variable__ __align__(16) ns::box<int, (2 > 1)> x;"},
    {"", "extern __device__ int x; extern __constant__ float c[4];",
     "extern  int x; extern  float c[4];"},
    {"", "__device__ float (*f)(float) = g;", "__tilegrade_variable__ float (*f)(float) = g;"},
    {"", "__managed__ int x{3};", "__tilegrade_managed__ int x{3};"},
    {"", "__device__ __managed__ int x;", " __tilegrade_managed__ int x;"},
    {"", "__managed__ __device__ int x;", "__tilegrade_managed__  int x;"},
    {"", "__align__(16) __device__ float4 x;", "__align__(16) __tilegrade_variable__ float4 x;"},
    // No variables.
    {"", "__device__ float f(float x) { return x; }", "__device__ float f(float x) { return x; }"},
    {"", "struct s { __host__ __device__ s() = default; __device__ int operator()(int) const; };",
     "struct s { __host__ __device__ s() = default; __device__ int operator()(int) const; };"},
    {"", "__device__ bool operator<(s a, s b);", "__device__ bool operator<(s a, s b);"},
    {"", "auto f = [] __device__ (int i) { return i; };",
     "auto f = [] __device__ (int i) { return i; };"},
    {"", "__constant__ __device__ float c[4];", "__constant__ __device__ float c[4];"},
    {"", "extern __shared__ int s[]; extern \"C\" __device__ int f(int);",
     "extern __shared__ int s[]; extern \"C\" __device__ int f(int);"},
    {"", "#define HD __host__ __device__\nint x;", "#define HD __host__ __device__\nint x;"},
    {"", "template <class T> __device__ __forceinline__ std::pair<T, int> f(T x);",
     "template <class T> __device__ __forceinline__ std::pair<T, int> f(T x);"},
};

START_TEST(a_program_becomes_what_g_plus_plus_compiles) {
    struct program_kernels kernels = {.kernel = NULL};
    struct text before = {texts[_i].before, strlen(texts[_i].before)};
    struct text text = {texts[_i].text, strlen(texts[_i].text)};
    program_kernels_read(before, &kernels);
    char *result = program_text(text, &kernels);
    ck_assert_str_eq(result, texts[_i].result);
    free(result);
    program_kernels_done(&kernels);
}
END_TEST

START_TEST(included_files_are_listed) {
    const char *text = "#include <stdio.h>\n# include \"a/b.cuh\"\n// #include \"c\"\n#define X\n"
                       "#include \"d.h\"\nint include = \"e\";\n#include MACRO\n";
    static const char *const names[] = {"stdio.h", "a/b.cuh", "d.h"};
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    char name[64];
    bool quoted = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        ck_assert(program_include_next(&lexer, name, sizeof name, &quoted));
        ck_assert_str_eq(name, names[i]);
        ck_assert_int_eq(quoted, i > 0);
    }
    ck_assert(!program_include_next(&lexer, name, sizeof name, &quoted));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("program_text");
    TCase *tests = tcase_create("program_text");
    tcase_add_loop_test(tests, a_program_becomes_what_g_plus_plus_compiles, 0,
                        (int)(sizeof texts / sizeof texts[0]));
    tcase_add_test(tests, included_files_are_listed);
    suite_add_tcase(suite, tests);
    return suite;
}
