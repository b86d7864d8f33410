// The sentences that a student reads about addresses that are not aligned, word for word.
#include "finding_text.h"

START_TEST(misaligned_says_where_and_why_rows_matter) {
    struct judged_finding finding = finding_of(FINDING_MISALIGNED);
    finding.finding.space = SPACE_GLOBAL;
    finding.finding.array = ARRAY_A;
    finding.finding.offset = 4 * 30;
    finding.finding.access_bytes = 16;
    expect(finding,
           "16 bytes were read in one access at A[1][0], whose address is not a multiple of 16. It "
           "was thread (5, 3, 0) of block (1, 2, 0). A GPU stops the kernel at a "
           "misaligned access. It starts 120 bytes after the start of A, whose rows are 120 bytes "
           "long.",
           "tiled.cu:22: 16 bytes were read in one access at A[1][0], whose address is not a "
           "multiple of 16.");
    finding = finding_of(FINDING_MISALIGNED);
    finding.finding.access_bytes = 8;
    finding.finding.offset = 4;
    finding.finding.access = ACCESS_WRITE;
    expect(finding,
           "8 bytes were stored in one access at As[0][1], whose address is not a multiple of 8. "
           "It was thread (5, 3, 0) of block (1, 2, 0). A GPU stops the kernel at a "
           "misaligned access.",
           "tiled.cu:22: 8 bytes were stored in one access at As[0][1], whose address is not a "
           "multiple of 8.");
    finding.finding.access_bytes = 32;
    finding.finding.detail = MISALIGNED_FRAGMENT;
    expect(finding,
           "The fragment starts at As[0][1], whose address is not a multiple of 32. It was thread "
           "(5, 3, 0) of block (1, 2, 0). `load_matrix_sync` and `store_matrix_sync` require an "
           "address that is a multiple of 32 bytes.",
           "tiled.cu:22: the fragment starts at As[0][1], whose address is not a multiple of 32.");
    finding.finding.access_bytes = 16;
    finding.finding.detail = MISALIGNED_FRAGMENT_ROW;
    expect(finding,
           "The second row or column of the fragment starts at As[0][1], whose address is not a "
           "multiple of 16. It was thread (5, 3, 0) of block (1, 2, 0). The row length that "
           "`load_matrix_sync` and `store_matrix_sync` get must be a multiple of 16 bytes: 4 "
           "elements of float, 8 of half.",
           "tiled.cu:22: the second row or column of the fragment starts at As[0][1], whose "
           "address is not a multiple of 16.");
}
END_TEST

START_TEST(an_array_without_alignment_is_named) {
    struct judged_finding finding = finding_of(FINDING_MISALIGNED);
    finding.finding.access_bytes = 128;
    finding.finding.offset = 0;
    finding.finding.detail = MISALIGNED_BOX;
    expect(finding,
           "The box of a bulk tensor copy starts at As[0][0], whose address is not a multiple of "
           "128. It was thread (5, 3, 0) of block (1, 2, 0). The declaration of As lacks "
           "`__align__(128)`, so it is luck if it begins at such an address.",
           "tiled.cu:22: the box of a bulk tensor copy starts at As[0][0], whose address is not a "
           "multiple of 128.");
    finding.finding.offset = 4;
    expect(finding,
           "The box of a bulk tensor copy starts at As[0][1], whose address is not a multiple of "
           "128. It was thread (5, 3, 0) of block (1, 2, 0). A GPU stops the kernel at a "
           "misaligned access.",
           "tiled.cu:22: the box of a bulk tensor copy starts at As[0][1], whose address is not a "
           "multiple of 128.");
    finding.finding.access_bytes = 1024;
    finding.finding.detail = MISALIGNED_ROWS;
    expect(finding,
           "`wgmma` reads a factor from As[0][1] on, but groups of eight rows with this swizzle "
           "begin at a multiple of 1024 bytes. It was thread (5, 3, 0) of block (1, 2, 0). The "
           "declaration of As lacks `__align__(1024)`, so it is luck if it begins at such an "
           "address.",
           "tiled.cu:22: `wgmma` reads a factor from As[0][1] on, but groups of eight rows with "
           "this swizzle begin at a multiple of 1024 bytes.");
    finding.finding.offset = 128;  // the second row, wherever the array begins
    expect(finding,
           "`wgmma` reads a factor from As[2][0] on, but groups of eight rows with this swizzle "
           "begin at a multiple of 1024 bytes. It was thread (5, 3, 0) of block (1, 2, 0). "
           "Otherwise a GPU swizzles the rows in another way.",
           "tiled.cu:22: `wgmma` reads a factor from As[2][0] on, but groups of eight rows with "
           "this swizzle begin at a multiple of 1024 bytes.");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("alignment_text");
    TCase *tests = tcase_create("texts");
    tcase_add_test(tests, misaligned_says_where_and_why_rows_matter);
    tcase_add_test(tests, an_array_without_alignment_is_named);
    suite_add_tcase(suite, tests);
    return suite;
}
