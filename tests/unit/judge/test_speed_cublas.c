// Sentences about cuBLAS that need no GPU.  The rest is tested with a simulated GPU
// (tests/grade/test_cublas.py).
#include "judge/speed/speed.h"

#include "suite.h"  // last: Check has a macro called fail

START_TEST(versions_read_as_people_write_them) {
    static const struct {
        uint32_t number;
        const char *text;
    } versions[] = {{130002, "13.0.2"}, {120805, "12.8.5"}, {11402, "11.4.2"}, {110, "0.1.10"}};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        char text[CUBLAS_VERSION_MAX];
        cublas_version_format(versions[i].number, text);
        ck_assert_str_eq(text, versions[i].text);
    }
}
END_TEST

SUITE() {
    Suite *suite = suite_create("speed_cublas");
    TCase *tests = tcase_create("versions");
    tcase_add_test(tests, versions_read_as_people_write_them);
    suite_add_tcase(suite, tests);
    return suite;
}
