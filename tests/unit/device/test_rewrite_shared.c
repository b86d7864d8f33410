// The places of __shared__ arrays in assembly: far apart, and aligned as declared, but not more.
#include <stdlib.h>
#include <string.h>

#include "device/assembly/rewrite.h"
#include "suite.h"  // last: Check has a macro called fail

#define SECTION "\t.section\t.tbss._ZZ1kvE1a,\"awT\",@nobits\n"
#define ARRAY   "\t.type\t_ZZ1kvE1a, @object\n_ZZ1kvE1a:\n\t.zero\t64\n"

static void check(bool is_x86, const char *body, const char *wanted) {
    char *copy = strdup(body);
    ck_assert_ptr_nonnull(copy);
    struct asm_lines lines = lines_open(copy);
    rewrite_shared(&lines, is_x86);
    char *text = lines_text(&lines);
    ck_assert_str_eq(text, wanted);
    free(text);
    lines_done(&lines);
}

START_TEST(an_array_has_its_alignment_and_no_larger_one) {
    check(true, SECTION "\t.align 128\n" ARRAY, SECTION "\t.balign\t65536\n\t.zero\t128\n" ARRAY);
    check(true, SECTION "\t.align 1024\n" ARRAY, SECTION "\t.balign\t65536\n\t.zero\t0\n" ARRAY);
}
END_TEST

START_TEST(an_array_without_alignment_has_that_of_wmma) {
    check(true, SECTION "\t.align 4\n" ARRAY, SECTION "\t.balign\t65536\n\t.zero\t32\n" ARRAY);
    check(true, SECTION ARRAY, SECTION "\t.balign\t65536\n\t.zero\t32\n" ARRAY);
}
END_TEST

START_TEST(on_aarch64_anchors_move_with_their_array) {
    check(false, SECTION "\t.align\t7\n\t.set\t.LANCHOR0,. + 0\n" ARRAY,
          SECTION "\t.balign\t65536\n\t.zero\t128\n\t.set\t.LANCHOR0,. + 0\n" ARRAY);
}
END_TEST

START_TEST(other_variables_stay) {
    static const char guard[] =
        "\t.section\t.tbss._ZGVZ1kvE1a,\"awT\",@nobits\n\t.align 8\n_ZGVZ1kvE1a:\n\t.zero\t8\n";
    static const char constant[] = "\t.section\t.rodata.a,\"a\"\n\t.align 32\na:\n\t.zero\t64\n";
    check(true, guard, guard);
    check(true, constant, constant);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("rewrite_shared");
    TCase *tests = tcase_create("shared");
    tcase_add_test(tests, an_array_has_its_alignment_and_no_larger_one);
    tcase_add_test(tests, an_array_without_alignment_has_that_of_wmma);
    tcase_add_test(tests, on_aarch64_anchors_move_with_their_array);
    tcase_add_test(tests, other_variables_stay);
    suite_add_tcase(suite, tests);
    return suite;
}
