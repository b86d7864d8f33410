// Which array lost its __shared__.
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

SUITE() {
    Suite *suite = suite_create("unshared");
    TCase *tests = tcase_create("unshared");
    tcase_add_loop_test(tests, an_array_without_the_word_is_found, 0,
                        (int)(sizeof rows / sizeof *rows));
    suite_add_tcase(suite, tests);
    return suite;
}
