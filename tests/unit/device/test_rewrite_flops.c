// The counting of floating-point operations and other instructions in assembly: which are counted,
// for which line, and where the counting code is put.
#include <stdlib.h>
#include <string.h>

#include "device/assembly/rewrite.h"
#include "emu/count/count_flops.h"
#include "suite.h"  // last: Check has a macro called fail

#define HEAD                                                                                       \
    OTHERS "\t.file 1 \"submission.cu\"\n\t.file 2 \"header.h\"\n"                                 \
           "\t.type\tkernel, @function\nkernel:\n\t.loc 1 3 1 view .LVU1\n\tmovq\t%rbx, %rsp\n"

// Of two functions that no header has.
#define OTHERS "\t.type\t_Z5apartv, @function\n_Z5apartv:\n\tret\n_Z7inlinedv:\n\tret\n"
#define DUMP                                                                                       \
    "\n;; Function apart (_Z5apartv, funcdef_no=1)\n\n__attribute__((noinline))\nvoid apart ()\n"  \
    "\n;; Function inlined (_Z7inlinedv, funcdef_no=2)\n\nvoid inlined ()\n"

// The rewritten body, without the head and the line that marks it as rewritten.
static char *rewritten(const char *body) {
    char *result = NULL;
    size_t length = strlen(HEAD) + strlen(body) + 1;
    char *copy = malloc(length);
    ck_assert_ptr_nonnull(copy);
    (void)snprintf(copy, length, "%s%s", HEAD, body);
    struct asm_lines lines = lines_open(copy);
    ck_assert(lines_are_known(&lines));
    rewrite_flops(&lines, DUMP);
    char *text = lines_text(&lines);
    const char *start = strstr(text, "%rsp\n");
    ck_assert_ptr_nonnull(start);
    result = strdup(start + strlen("%rsp\n"));
    free(text);
    lines_done(&lines);
    return result;
}

static void check(const char *body, const char *wanted) {
    char *got = rewritten(body);
    ck_assert_str_eq(got, wanted);
    free(got);
}

START_TEST(operations_of_a_block_are_added_before_the_flags_are_set) {
    check("\t.loc 1 22 5 is_stmt 0 view .LVU2\n\tmulss\t%xmm1, %xmm0\n\taddss\t%xmm0, %xmm2\n"
          "\tmovl\t%ebx, %eax\n\taddl\t$1, %eax\n\tjmp\t.L6\n",
          "\t.loc 1 22 5 is_stmt 0 view .LVU2\n\tmulss\t%xmm1, %xmm0\n\taddss\t%xmm0, %xmm2\n"
          "\tmovl\t%ebx, %eax\n\taddq\t$2, emu_flops+176(%rip)\n\taddq\t$2, "
          "emu_flops+32768(%rip)\n\taddl\t$1, %eax\n\tjmp\t.L6\n");
}
END_TEST

START_TEST(a_call_keeps_no_flags) {
    check("\tdivsd\t%xmm1, %xmm0\n\tcall\t__tsan_write4\n\tret\n",
          "\tdivsd\t%xmm1, %xmm0\n\taddq\t$1, emu_flops+24(%rip)\n\taddq\t$1, "
          "emu_flops+32768(%rip)\n\taddq\t$12, "
          "emu_flops+32784(%rip)\n\tcall\t__tsan_write4\n\tret\n");
}
END_TEST

START_TEST(flags_that_may_be_wanted_are_kept) {
    check("\tcmpl\t$3, %eax\n\tjg\t.L2\n\tmulss\t%xmm1, %xmm0\n\tjl\t.L3\n",
          "\tcmpl\t$3, %eax\n\tjg\t.L2\n"
          "\tleaq\t-128(%rsp), %rsp\n\tpushfq\n\taddq\t$1, emu_flops+24(%rip)\n\taddq\t$1, "
          "emu_flops+32768(%rip)\n"
          "\tpopfq\n\tleaq\t128(%rsp), %rsp\n\tmulss\t%xmm1, %xmm0\n\tjl\t.L3\n");
}
END_TEST

START_TEST(a_label_ends_a_block_unless_it_is_for_debuggers) {
    check("\tmulss\t%xmm1, %xmm0\n.LVL7:\n.LBB3:\n\tcmpl\t$3, %eax\n\tje\t.L1\n",
          "\tmulss\t%xmm1, %xmm0\n.LVL7:\n.LBB3:\n\taddq\t$1, emu_flops+24(%rip)\n\taddq\t$1, "
          "emu_flops+32768(%rip)\n"
          "\tcmpl\t$3, %eax\n\tje\t.L1\n");
    // The comparison is in another block, and not every path to that block multiplies.
    char *gcc = rewritten("\tmulss\t%xmm1, %xmm0\n.L7:\n\tcmpl\t$3, %eax\n\tje\t.L1\n");
    char *clang = rewritten("\tmulss\t%xmm1, %xmm0\n.LBB0_7:\n\tcmpl\t$3, %eax\n\tje\t.L1\n");
    ck_assert_ptr_nonnull(strstr(gcc, "popfq"));
    ck_assert_ptr_nonnull(strstr(clang, "popfq"));
    free(gcc);
    free(clang);
}
END_TEST

START_TEST(a_jump_to_earlier_lines_is_an_iteration_only_in_a_loop) {
    char *loop = rewritten(".L2:\n\tcmpl\t$3, %eax\n\tjl\t.L2\n\tret\n");
    char *moved = rewritten("\tjmp\t.L3\n.L2:\n\tmovl\t$1, %eax\n\tjmp\t.L4\n.L3:\n"
                            "\ttestl\t%eax, %eax\n\tje\t.L2\n.L4:\n\tret\n");
    ck_assert_ptr_nonnull(strstr(loop, "\taddq\t$1, emu_flops+32792(%rip)\n"));
    ck_assert_ptr_null(strstr(moved, "emu_flops"));
    free(loop);
    free(moved);
}
END_TEST

START_TEST(each_line_of_a_block_has_its_own_sum) {
    check("\t.loc 1 5 1\n\tmulss\t%xmm1, %xmm0\n\t.loc 1 6 1\n\tsqrtsd\t%xmm1, %xmm0\n"
          "\t.loc 1 5 9\n\tsubss\t%xmm1, %xmm0\n\ttestl\t%eax, %eax\n\tje\t.L1\n",
          "\t.loc 1 5 1\n\tmulss\t%xmm1, %xmm0\n\t.loc 1 6 1\n\tsqrtsd\t%xmm1, %xmm0\n"
          "\t.loc 1 5 9\n\tsubss\t%xmm1, %xmm0\n\taddq\t$2, emu_flops+40(%rip)\n"
          "\taddq\t$1, emu_flops+48(%rip)\n\taddq\t$3, emu_flops+32768(%rip)\n\taddq\t$12, "
          "emu_flops+32784(%rip)\n\ttestl\t%eax, "
          "%eax\n\tje\t.L1\n");
}
END_TEST

// Code of a header that is inlined into a student's function belongs to the student's line.
START_TEST(inlined_code_counts_for_the_line_that_called_it) {
    check("\t.loc 1 9 1\n\tmovl\t$1, %eax\n\t.loc 2 100 1\n\tmulss\t%xmm1, %xmm0\n"
          "\tcmpl\t$3, %eax\n\tje\t.L1\n",
          "\t.loc 1 9 1\n\tmovl\t$1, %eax\n\t.loc 2 100 1\n\tmulss\t%xmm1, %xmm0\n"
          "\taddq\t$1, emu_flops+72(%rip)\n\taddq\t$1, emu_flops+32768(%rip)\n\tcmpl\t$3, "
          "%eax\n\tje\t.L1\n");
}
END_TEST

static const struct {
    const char *instruction;
    int flops, integers, others;
} instructions[] = {
    {"addss\t%xmm1, %xmm0", 1, 0, 0},
    {"vsubsd\t%xmm1, %xmm0, %xmm2", 1, 0, 1},
    {"mulps\t%xmm1, %xmm0", 4, 0, 0},
    {"addpd\t%xmm1, %xmm0", 2, 0, 0},
    {"vfmadd213ss\t%xmm1, %xmm0, %xmm2", 2, 0, 0},
    {"vfnmsub231sd\t%xmm1, %xmm0, %xmm2", 2, 0, 1},
    {"call\tfmaf", 2, 0, 0},
    {"call\tsqrtf", 1, 0, 12},
    {"call\tfma@PLT", 2, 0, 0},
    // Near misses.
    {"cvtsi2ss\t%eax, %xmm0", 0, 0, 4},
    {"cvtss2sd\t%xmm0, %xmm0", 0, 0, 4},
    {"movss\t%xmm1, %xmm0", 0, 0, 0},
    {"addl\t$1, %eax", 0, 0, 0},
    {"imull\t%edx, %eax", 0, 1, 0},
    {"divl\t%ecx", 0, 0, 20},
    {"idivq\t%rcx", 0, 0, 60},
    {"divss\t%xmm1, %xmm0", 1, 0, 12},
    {"xorl\t%edx, %eax", 0, 1, 0},
    {"leal\t(%rax,%rdx), %eax", 0, 1, 0},
    {"call\texpf", 0, 0, 20},
    {"call\temu_fence", 0, 0, 50},
    {"call\temu_shfl_f32", 0, 0, 2},
    {"call\temu_match_any_u32", 0, 0, 20},
    {"call\temu_clock", 0, 0, 100},
    {"call\tj0f", 0, 0, 20},
    {"call\t__umodti3", 0, 0, 200},
    {"call\tkernel", 0, 0, 60},  // from itself
    {"call\tfmaxf", 0, 0, 2},
    {"ucomiss\t%xmm1, %xmm0", 0, 2, 0},
    {"maxss\t%xmm1, %xmm0", 0, 1, 0},
    {"xorps\t%xmm1, %xmm0", 0, 1, 0},
    {"shrb\t$3, %bl", 0, 1, 0},
    {"movl\t$4, %edx\n\tcall\temu_memcpy", 0, 0, 12},
    {"movl\t$4, %esi\n\tcall\t__tsan_read_range", 0, 0, 12},
    {"call\t_Z5apartv", 0, 0, 12},
    {"call\t__x86_indirect_thunk_rax", 0, 0, 60},
    // Near misses: addresses, steps of loops, zeros, functions of the student's own.
    {"xorl\t%eax, %eax", 0, 0, 0},
    {"addl\t$-1, %eax", 0, 0, 0},
    {"leaq\t(%rax,%rdx), %rax", 0, 0, 0},
    {"salq\t$4, %rax", 0, 0, 0},
    {"call\t_Z4expfi", 0, 0, 0},
    {"call\temu_fence_block", 0, 0, 0},
    {"movl\t$12, %esi\n\tcall\t__tsan_read_range", 0, 0, 0},
    {"call\t_Z7inlinedv", 0, 0, 0},
    {"xorps\t%xmm0, %xmm0", 0, 0, 0},
    {"call\t_Z6kernelv", 0, 0, 0},
    {"paddd\t%xmm1, %xmm0", 0, 0, 0},
};

// What a sum gets, at its place in the table; "" for 0.
static void sum_text(int more, int place, char text[64]) {
    (void)snprintf(text, 64, more > 0 ? "\taddq\t$%d, emu_flops+%d(%%rip)\n" : "", more, place);
}

START_TEST(operations_of_each_instruction) {
    char body[128];
    char wanted[512];
    char line[64];
    char all[64];
    char integers[64];
    char others[64];
    const char *instruction = instructions[_i].instruction;
    bool call = strncmp(instruction, "call", 4) == 0;  // which keeps no flags
    sum_text(instructions[_i].flops, 8 * 3, line);
    sum_text(instructions[_i].flops, 8 * FLOPS_ALL, all);
    sum_text(instructions[_i].integers, 8 * FLOPS_INTEGERS, integers);
    sum_text(instructions[_i].others, 8 * FLOPS_OTHERS, others);
    bool sets = instructions[_i].integers > 0 && strncmp(instruction, "leal", 4) != 0 &&
                !strstr(instruction, "%xmm") && strncmp(instruction, "sh", 2) != 0;
    (void)snprintf(body, sizeof body, "\t%s\n\tcmpl\t$3, %%eax\n\tje\t.L1\n", instruction);
    (void)snprintf(wanted, sizeof wanted, "%s%s%s%s", line, all, integers, others);
    char *got = rewritten(body);
    ck_assert_msg(strstr(got, wanted) != NULL, "%s", got);
    ck_assert_uint_eq(strlen(got), strlen(body) + strlen(wanted));
    ck_assert_msg(!(call || sets) || strncmp(got, wanted, strlen(wanted)) == 0, "%s", got);
    free(got);
}
END_TEST

START_TEST(jumps_back_are_iterations) {
    check(".L2:\n\tmovl\t%ebx, %eax\n\tcmpl\t$3, %eax\n\tjl\t.L2\n",
          ".L2:\n\tmovl\t%ebx, %eax\n\taddq\t$1, emu_flops+32792(%rip)\n"
          "\tcmpl\t$3, %eax\n\tjl\t.L2\n");
    // Nothing sets the flags before the jump, but no instruction reads them after it.
    check(".L2:\n\ttestl\t%eax, %eax\n\tje\t.L3\n\tleal\t1(%rbx), %ebx\n\tjmp\t.L2\n",
          ".L2:\n\ttestl\t%eax, %eax\n\tje\t.L3\n\tleal\t1(%rbx), %ebx\n"
          "\taddq\t$1, emu_flops+32776(%rip)\n\taddq\t$1, emu_flops+32792(%rip)\n"
          "\tjmp\t.L2\n");
    // Near misses: a jump ahead, and one to a handler that ends the launch.
    const char *ahead = "\tcmpl\t$3, %eax\n\tjl\t.L2\n.L2:\n\tret\n";
    const char *handler = ".L2:\n\tcall\t__ubsan_handle_out_of_bounds\n.L3:\n\tcmpl\t$3, %eax\n"
                          "\tja\t.L2\n\tret\n";
    check(ahead, ahead);
    check(handler, handler);
}
END_TEST

START_TEST(functions_of_headers_are_left_alone) {
    const char *body = "\t.size\tkernel, .-kernel\n\t.type\tother, @function\nother:\n"
                       "\t.loc 2 7 1\n\tmulss\t%xmm1, %xmm0\n\tcmpl\t$3, %eax\n\tret\n";
    check(body, body);
}
END_TEST

START_TEST(lines_beyond_the_table_count_for_none) {
    check("\t.loc 1 4096 1\n\tmulss\t%xmm1, %xmm0\n\tcall\t_Z1fv\n",
          "\t.loc 1 4096 1\n\tmulss\t%xmm1, %xmm0\n\taddq\t$1, emu_flops+0(%rip)\n\taddq\t$1, "
          "emu_flops+32768(%rip)\n\tcall\t_Z1fv\n");
}
END_TEST

START_TEST(other_processors_are_not_known) {
    char *text = strdup("\t.file 1 \"submission.cu\"\n\tfmul\ts0, s1, s2\n\tret\n");
    struct asm_lines lines = lines_open(text);
    ck_assert(!lines_are_known(&lines));
    lines_done(&lines);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("rewrite_flops");
    TCase *tests = tcase_create("flops");
    tcase_add_test(tests, operations_of_a_block_are_added_before_the_flags_are_set);
    tcase_add_test(tests, a_call_keeps_no_flags);
    tcase_add_test(tests, flags_that_may_be_wanted_are_kept);
    tcase_add_test(tests, a_label_ends_a_block_unless_it_is_for_debuggers);
    tcase_add_test(tests, a_jump_to_earlier_lines_is_an_iteration_only_in_a_loop);
    tcase_add_test(tests, each_line_of_a_block_has_its_own_sum);
    tcase_add_test(tests, inlined_code_counts_for_the_line_that_called_it);
    tcase_add_loop_test(tests, operations_of_each_instruction, 0,
                        (int)(sizeof instructions / sizeof instructions[0]));
    tcase_add_test(tests, jumps_back_are_iterations);
    tcase_add_test(tests, functions_of_headers_are_left_alone);
    tcase_add_test(tests, lines_beyond_the_table_count_for_none);
    tcase_add_test(tests, other_processors_are_not_known);
    suite_add_tcase(suite, tests);
    return suite;
}
