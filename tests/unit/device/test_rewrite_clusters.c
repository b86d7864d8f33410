// The shapes of clusters in assembly: an alignment that stands for one becomes an entry of a list.
#include <stdlib.h>
#include <string.h>

#include "device/assembly/rewrite.h"
#include "suite.h"  // last: Check has a macro called fail

#define FUNCTION(name) "\t.globl\t" name "\n\t.type\t" name ", @function\n" name ":\n\tret\n"
#define NOPS                                                                                       \
    "\t.section\t__patchable_function_entries,\"awo\",@progbits,kernel\n\t.align 8\n"              \
    "\t.quad\t.LPFE1\n" SECTION ".LPFE1:\n\tnop\n"
#define VARIABLE "\t.type\ttile, @object\ntile:\n\t.zero\t4\n"
#define SECTION  "\t.section\t.text.kernel,\"ax\",@progbits\n"
#define ENTRY(name, shape)                                                                         \
    "\t.pushsection\temu_clusters,\"a\"\n\t.balign 8\n\t.8byte\t" name ", " shape                  \
    "\n\t.popsection\n"
#define LISTED(name, shape)                                                                        \
    "\t.globl\t" name "\n" ENTRY(name, shape) "\t.type\t" name ", @function\n" name ":\n\tret\n"

static void check_of(bool is_x86, const char *body, const char *wanted) {
    char *copy = strdup(body);
    ck_assert_ptr_nonnull(copy);
    struct asm_lines lines = lines_open(copy);
    rewrite_clusters(&lines, is_x86);
    char *text = lines_text(&lines);
    ck_assert_ptr_nonnull(strstr(text, wanted));
    ck_assert_ptr_nonnull(strstr(text, SECTION "\t.globl"));  // the alignment is gone
    free(text);
    lines_done(&lines);
}

static void check(const char *body, const char *wanted) {
    check_of(true, body, wanted);
}

START_TEST(a_shape_is_listed_with_its_kernel) {
    check(SECTION "\t.align 4096\n" FUNCTION("kernel"), LISTED("kernel", "2, 1, 1"));
    check(SECTION "\t.p2align 12\n" FUNCTION("kernel"), LISTED("kernel", "2, 1, 1"));
    check(SECTION "\t.align 268435456\n" FUNCTION("kernel"), LISTED("kernel", "2, 2, 2"));
}
END_TEST

START_TEST(on_aarch64_an_alignment_is_a_logarithm) {
    check_of(false, SECTION "\t.align\t12\n" FUNCTION("kernel"), LISTED("kernel", "2, 1, 1"));
    check_of(false, SECTION "\t.align\t28\n" FUNCTION("kernel"), LISTED("kernel", "2, 2, 2"));
}
END_TEST

// As __launch_bounds__ writes them.
START_TEST(nops_may_come_before_the_kernel) {
    check(SECTION "\t.align 4096\n\t.globl\tkernel\n" NOPS "\t.type\tkernel, @function\nkernel:\n",
          NOPS ENTRY("kernel", "2, 1, 1"));
}
END_TEST

START_TEST(too_many_blocks_are_the_shape_of_none) {
    check(SECTION "\t.align 2048\n" FUNCTION("kernel"), LISTED("kernel", "0, 0, 0"));
}
END_TEST

START_TEST(a_shape_belongs_to_one_kernel_only) {
    check(SECTION "\t.align 4096\n" FUNCTION("kernel") SECTION FUNCTION("next"),
          SECTION FUNCTION("next"));
}
END_TEST

START_TEST(the_alignment_of_a_variable_is_none) {
    check("\t.align 65536\n" VARIABLE SECTION FUNCTION("kernel"),
          "\t.align 65536\n" VARIABLE SECTION FUNCTION("kernel"));
}
END_TEST

START_TEST(other_alignments_of_code_stay) {
    check("\t.align 64\n" FUNCTION("first") SECTION FUNCTION("kernel"),
          "\t.align 64\n" FUNCTION("first"));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("rewrite_clusters");
    TCase *tests = tcase_create("clusters");
    tcase_add_test(tests, a_shape_is_listed_with_its_kernel);
    tcase_add_test(tests, on_aarch64_an_alignment_is_a_logarithm);
    tcase_add_test(tests, nops_may_come_before_the_kernel);
    tcase_add_test(tests, too_many_blocks_are_the_shape_of_none);
    tcase_add_test(tests, a_shape_belongs_to_one_kernel_only);
    tcase_add_test(tests, the_alignment_of_a_variable_is_none);
    tcase_add_test(tests, other_alignments_of_code_stay);
    suite_add_tcase(suite, tests);
    return suite;
}
