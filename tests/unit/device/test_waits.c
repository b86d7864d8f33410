// Which loops wait for other threads, in assembly as gcc writes it.
#include <stdlib.h>
#include <string.h>

#include "device/assembly/rewrite.h"
#include "suite.h"  // last: Check has a macro called fail

#define HEAD                                                                                       \
    "\t.file 1 \"submission.cu\"\n\t.type\tkernel, @function\nkernel:\n\t.loc 1 3 1 view .LVU1\n"  \
    "\tmovq\t%rbx, %rsp\n\t.loc 1 7 1\n"
#define TRY "_Z3tryv:\n\tcall\temu_atomic_cas_32\n\tret\n"

static const struct {
    const char *body;
    int line;
} bodies[] = {
    {".L8:\n\tcall\temu_atomic_cas_32\n\ttestl\t%eax, %eax\n\tjne\t.L8\n\tret\n", 7},
    // By a function of the student's own.
    {".L8:\n\tcall\t_Z3tryv\n\ttestl\t%eax, %eax\n\tjne\t.L8\n\tret\n" TRY, 7},
    // Its condition is elsewhere, and work comes before it.
    {"\tjmp\t.L3\n.L8:\n\tcall\temu_atomic_add_32\n\tjmp\t.L9\n.L3:\n\tcall\t__tsan_read4\n"
     "\tjmp\t.L8\n.L9:\n\tcmpl\t%ebx, %eax\n\tjne\t.L8\n\tret\n",
     7},
    // With a condition before it, as gcc writes it.
    {"\tjmp\t.L8\n.L18:\n\tcall\temu_atomic_cas_32\n\tje\t.L14\n.L7:\n\ttestb\t%al, %al\n"
     "\tje\t.L17\n.L8:\n\ttestb\t$31, %bpl\n\tje\t.L18\n\tjmp\t.L7\n.L14:\n\tmovl\t$0, %eax\n"
     "\tjmp\t.L7\n.L17:\n\tret\n",
     7},
    // A volatile flag, in a file with fences.
    {"\tcall\temu_fence\n.L8:\n\tcall\t__tsan_volatile_read4\n\tcmpl\t$0, (%rax)\n\tje\t.L8\n"
     "\tret\n",
     7},
    // Near misses: a queue of work, also if the work is out of line; volatile tiles; a branch back
    // that is not a loop.
    {".L8:\n\tcall\temu_atomic_add_32\n\tcall\t__tsan_read4\n\tcmpl\t$9, %eax\n\tjl\t.L8\n\tret\n",
     0},
    {".L8:\n\tcall\temu_atomic_add_32\n\tcmpl\t$9, %eax\n\tjl\t.L5\n\tret\n.L5:\n"
     "\tcall\t__tsan_write4\n\tjmp\t.L8\n",
     0},
    {".L8:\n\tcall\temu_atomic_add_32\n\tcmpl\t$9, %eax\n\tjge\t.L5\n\ttestl\t%ebx, %ebx\n"
     "\tje\t.L8\n\tcall\t__tsan_write4\n\tjmp\t.L8\n.L5:\n\tret\n",
     0},
    {".L8:\n\tcall\t__tsan_volatile_read4\n\taddl\t$1, %ebx\n\tcmpl\t$9, %ebx\n\tjl\t.L8\n\tret\n",
     0},
    // Volatile elements that are added up; but a number may be computed for an atomic operation.
    {"\tcall\temu_fence\n.L8:\n\tcall\t__tsan_volatile_read4\n\taddss\t(%rbx), %xmm0\n"
     "\taddq\t$128, %rbx\n\tcmpq\t%rbx, %rax\n\tjne\t.L8\n\tret\n",
     0},
    {".L8:\n\taddss\t%xmm1, %xmm0\n\tcall\temu_atomic_cas_32\n\tjne\t.L8\n\tret\n", 7},
    {"\tje\t.L5\n.L8:\n\tret\n.L5:\n\tcall\temu_atomic_add_32\n\tjmp\t.L8\n", 0},
};

START_TEST(loops_that_wait_are_told_from_loops_that_work) {
    size_t length = strlen(HEAD) + strlen(bodies[_i].body) + 1;
    char *text = malloc(length);
    ck_assert_ptr_nonnull(text);
    (void)snprintf(text, length, "%s%s", HEAD, bodies[_i].body);
    struct asm_lines lines = lines_open(text);
    ck_assert_int_eq(waits_find(&lines), bodies[_i].line);
    lines_done(&lines);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("waits");
    TCase *tests = tcase_create("waits");
    tcase_add_loop_test(tests, loops_that_wait_are_told_from_loops_that_work, 0,
                        (int)(sizeof bodies / sizeof bodies[0]));
    suite_add_tcase(suite, tests);
    return suite;
}
