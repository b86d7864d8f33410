// Which array lost its __shared__, and which line alone stores to an array.
#include "judge/code/kernel_text.h"

#include "suite.h"

#define STUB "__shared__ __align__(16) float As[16][16];\n__shared__ float Bs[16][16], row[16];\n"

static const struct {
    const char *text, *name;  // NULL: none
    int line;
} rows[] = {
    {STUB, NULL, 0},
    {"int i;\nfloat As[16][16];\n__shared__ float Bs[16][16];\n", "As", 2},
    {"__shared__ float As[16][16];\n\n__align__(16) float Bs[16][16];", "Bs", 3},
    {"__shared__ float As[16][16], Bs[16][16];\nif (x) As[0][1] = Bs[1][0]; else Bs[2][3] = 1;",
     NULL, 0},
    {"__shared__ float As[16][16];\n// float Bs[16][16];\n", NULL, 0},
    {"float a[4][4];\nif (x) As[0][1] = 1;\n{ As[1][2] = 1; }\nreturn As[0];", NULL, 0},
    {"extern __shared__ float As[];\nfloat (*Bs)[16] = (float (*)[16])As;\nBs[0][0] = 1;", NULL, 0},
    {"", NULL, 0},
};

START_TEST(an_array_without_the_word_is_found) {
    struct unshared found = unshared_find(STUB, rows[_i].text);
    ck_assert_int_eq(found.line, rows[_i].line);
    if (rows[_i].name) {
        ck_assert_str_eq(found.name, rows[_i].name);
    }
}
END_TEST

#define KERNEL "__global__ void k(const float *x, float *z, int N) {\n"

static const struct {
    const char *text;
    int line, conditions, outermost, innermost, loop;
} stores[] = {
    {KERNEL "z[threadIdx.y] = x[0];\n}\n", 2, 0, 0, 0, 0},
    {KERNEL "int i = threadIdx.x;\nif (i >= N) return;\nz[i] = x[i];\n}\n", 4, 1, 3, 3, 0},
    {KERNEL "if (N > 1) {\nfloat y = x[0].z;\nif (N > 2)\nz[0] = y;\n}\n}\n", 5, 2, 2, 4, 0},
    {KERNEL "atomicAdd(&z[0], x[0]);\n}\n", 2, 0, 0, 0, 0},
    {KERNEL "*(float4 *)&z[N] = *(const float4 *)&z[0];\n}\n", 2, 0, 0, 0, 0},
    {KERNEL "float4 *four = (float4 *)&z[N];\nz[0] = 1;\n}\n", 0, 0, 0, 0, 0},
    // No kernel stores to it if it has no name there.
    {KERNEL "z[0] = 1;\n}\n__global__ void other(const float *, float *, int) {\n}\n", 2, 0, 0, 0,
     0},
    {KERNEL "z[0] = 1;\n}\n__global__ void other(const float *x, float *y, int) {\n}\n", 0, 0, 0, 0,
     0},
    // Two lines, a pointer, a function, a macro, and a function that is no kernel.
    {KERNEL "z[0] = 1;\nz[1] = 2;\n}\n", 0, 0, 0, 0, 0},
    {KERNEL "z[0] = 1;\nfloat *other = z + 1;\n}\n", 0, 0, 0, 0, 0},
    {KERNEL "z[0] = 1;\nstore(z, 1);\n}\n", 0, 0, 0, 0, 0},
    {KERNEL "float &other = z[1];\nz[0] = 1;\n}\n", 0, 0, 0, 0, 0},
    {"#define STORE z[1] = 2\n" KERNEL "z[0] = 1;\nSTORE;\n}\n", 0, 0, 0, 0, 0},
    {"__device__ void store(float *z) {\nz[0] = 1;\n}\n" KERNEL "}\n", 0, 0, 0, 0, 0},
    // An index that no loop around it changes.
    {KERNEL "for (int e = 0; e < 4; ++e) {\nz[N] = e;\n}\n}\n", 3, 0, 0, 0, 2},
    {KERNEL "for (int e = 0; e < 4; ++e) {\nz[N + e] = e;\n}\n}\n", 3, 0, 0, 0, 0},
    {KERNEL "for (int e = 0; e < 4; ++e) {\nz[N] = e;\nN += 4;\n}\n}\n", 3, 0, 0, 0, 0},
    {KERNEL "for (int e = 0; e < 4; ++e) {\nz[at()] = e;\n}\n}\n", 3, 0, 0, 0, 0},
    {"#define I (N + e)\n" KERNEL "for (int e = 0; e < 4; ++e) {\nz[I] = e;\n}\n}\n", 4, 0, 0, 0,
     0},
    {"#define I 2\n" KERNEL "for (int e = 0; e < 4; ++e) {\nz[I] = e;\n}\n}\n", 4, 0, 0, 0, 3},
    {KERNEL "for (int i = 0; i < N; ++i) {\nfor (int e = 0; e < 4; ++e) {\nz[i] = e;\n}\n}\n}\n", 4,
     0, 0, 0, 0},
};

START_TEST(the_only_line_that_stores_is_found) {
    struct only_store store = only_store_find(stores[_i].text, "z", 1);
    ck_assert_int_eq(store.line, stores[_i].line);
    ck_assert_int_eq(store.conditions, stores[_i].conditions);
    ck_assert_int_eq(store.outermost.line, stores[_i].outermost);
    ck_assert_int_eq(store.innermost.line, stores[_i].innermost);
    ck_assert_int_eq(store.loop_line, stores[_i].loop);
}
END_TEST

START_TEST(a_shared_array_has_one_declaration) {
    static const char *const once = "__global__ void k() {\n__shared__ float As[2][2];\n"
                                    "if (x < 2) As[0][1] = 1;\nfloat a = As[1][1];\n}\n";
    struct only_store store = only_store_find(once, "As", -1);
    ck_assert_int_eq(store.line, 3);
    ck_assert_str_eq(store.innermost.text, "x < 2");
    ck_assert_str_eq(store.element, "As[0][1]");
    // Its rows are handed on.
    ck_assert_int_eq(only_store_find("__global__ void k() {\n__shared__ float As[2][2];\n"
                                     "As[0][1] = 1;\nstore(As[1]);\n}\n",
                                     "As", -1)
                         .line,
                     0);
    ck_assert_int_eq(only_store_find("__global__ void k() {\n__shared__ float As[2];\n"
                                     "As[0] = 1;\n{\n__shared__ float As[2];\n}\n}\n",
                                     "As", -1)
                         .line,
                     0);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("unshared");
    TCase *tests = tcase_create("unshared");
    tcase_add_loop_test(tests, an_array_without_the_word_is_found, 0,
                        (int)(sizeof rows / sizeof *rows));
    tcase_add_loop_test(tests, the_only_line_that_stores_is_found, 0,
                        (int)(sizeof stores / sizeof *stores));
    tcase_add_test(tests, a_shared_array_has_one_declaration);
    suite_add_tcase(suite, tests);
    return suite;
}
