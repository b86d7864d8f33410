// Accesses of assembly: which are proved to be reported, and which are reported by an added call.
#include <stdlib.h>
#include <string.h>

#include "device/assembly/rewrite.h"
#include "suite.h"  // last: Check has a macro called fail

#define HEAD                                                                                       \
    "\t.file 1 \"submission.cu\"\n\t.type\tkernel, @function\nkernel:\n\t.cfi_startproc\n"         \
    "\t.loc 1 7 1\n\tsubq\t$56, %rsp\n\t.cfi_def_cfa_offset 64\n"
#define TAIL                                                                                       \
    "\taddq\t$56, %rsp\n\tret\n.L90:\n\tmovl\t$.Lubsan_data0, %edi\n"                              \
    "\tcall\t__ubsan_handle_out_of_bounds\n\tjmp\t.L91\n\t.cfi_endproc\n"                          \
    "\t.size\tkernel, .-kernel\n\t.size\ttable, 32\n"

// Writes the calls that are added to a body, one a line, and "refused" if it is refused.
static void added(const char *body, char *ret_calls, size_t bytes) {
    char *copy = NULL;
    size_t used = 0;
    ck_assert_int_gt(asprintf(&copy, "%s%s%s", HEAD, body, TAIL), 0);
    struct asm_lines lines = lines_open(copy);
    int refused = rewrite_unseen(&lines);
    ret_calls[0] = '\0';
    for (size_t i = 0; i < lines.count; i++) {
        const char *call = lines.line[i].before;
        while (call && (call = strstr(call, "call\t")) != NULL) {
            call += strlen("call\t");
            used += (size_t)snprintf(ret_calls + used, bytes - used, "%.*s\n",
                                     (int)strcspn(call, "\n"), call);
            ck_assert_uint_lt(used, bytes);
        }
    }
    if (refused >= 0) {
        ck_assert_int_eq(refused, 7);
        (void)snprintf(ret_calls + used, bytes - used, "refused\n");
    }
    lines_done(&lines);
}

#define READ(address)     "\tleaq\t" address ", %rdi\n\tcall\t__tsan_read4\n"
#define WRITE(address)    "\tleaq\t" address ", %rdi\n\tcall\t__tsan_write4\n"
#define BOUND(name, most) "\tcmpq\t$" most ", %" name "\n\tja\t.L90\n"

static const struct {
    const char *name, *body, *calls;
} bodies[] = {
    // Seen: a callback has the same address, however it is written.
    {"load", READ("8(%rbx)") "\tmovss\t8(%rbx), %xmm0\n", ""},
    {"load by a copy of the register",
     "\tmovq\t%rbx, %rdi\n\tmovq\t%rbx, %rbp\n\tcall\t__tsan_read4\n\tmulss\t(%rbp), %xmm1\n", ""},
    {"sum in another order",
     "\tleaq\t(%rbx,%rbp,4), %rdi\n\tcall\t__tsan_read4\n\tsalq\t$2, %rbp\n\taddq\t%rbp, %rbx\n"
     "\tmovl\t(%rbx), %eax\n",
     ""},
    {"index computed again",
     "\tleal\t1(%rbx), %eax\n\tcltq\n\tleaq\t(%r12,%rax,4), %rdi\n\tcall\t__tsan_write4\n"
     "\taddl\t$1, %ebx\n\tmovslq\t%ebx, %rbx\n\tmovss\t%xmm0, (%r12,%rbx,4)\n",
     ""},
    {"address kept on the stack",
     "\tmovq\t%rbx, 8(%rsp)\n\tmovq\t%rbx, %rdi\n\tcall\t__tsan_read4\n\tmovq\t8(%rsp), %rax\n"
     "\tmovl\t(%rax), %eax\n",
     ""},
    {"shared memory",
     "\tmovq\t%fs:0, %rax\n\tleaq\t4+tile@tpoff(%rax,%rbx,4), %rdi\n\tcall\t__tsan_read4\n"
     "\tmovss\t%fs:4+tile@tpoff(,%rbx,4), %xmm0\n",
     ""},
    {"load on a condition", READ("8(%rbx)") "\tcmovns\t8(%rbx), %eax\n", ""},
    {"volatile load", "\tmovq\t%rbx, %rdi\n\tcall\t__tsan_volatile_read4\n\tmovl\t(%rbx), %eax\n",
     ""},
    {"part of a range",
     "\tmovl\t$12, %esi\n\tmovq\t%rbx, %rdi\n\tcall\t__tsan_read_range\n\tmovq\t(%rbx), %rax\n"
     "\tmovl\t8(%rbx), %edx\n",
     ""},
    {"load and store of one instruction",
     READ("(%rbx)") "\tmovq\t%rbx, %rdi\n\tcall\t__tsan_write4\n\taddl\t$1, (%rbx)\n", ""},
    {"variable on the stack", "\tmovl\t$1, 12(%rsp)\n\tpushq\t%rbx\n\tmovl\t20(%rsp), %eax\n", ""},
    {"index of thread", "\tmovl\temu_thread_index+8(%rip), %eax\n", ""},
    {"local array",
     "\tmovslq\t%ebx, %rax\n" BOUND("rax",
                                    "7") ".L91:\n"
                                         "\tmovslq\t%ebx, %rax\n\tmovss\t%xmm0, 16(%rsp,%rax,4)\n",
     ""},
    {"local array, loaded before the comparison",
     "\tmovslq\t%ebx, %rax\n\tmovss\t16(%rsp,%rax,4), %xmm0\n" BOUND("rax", "7"), ""},
    {"local array, with a mask", "\tandl\t$7, %ebx\n\tmovl\t16(%rsp,%rbx,4), %eax\n", ""},
    {"constant array", "\tmovslq\t%ebx, %rax\n" BOUND("rax", "7") "\tmovl\ttable(,%rax,4), %eax\n",
     ""},
    {"constant array in a loop whose condition comes last",
     "\tjmp\t.L5\n.L4:\n\tmovslq\t%ebx, %rax\n\tmovl\ttable(,%rax,4), %eax\n\taddl\t$1, %ebx\n"
     ".L5:\n\tmovslq\t%ebx, %rax\n\tcmpq\t$7, %rax\n\tjbe\t.L4\n",
     ""},
    {"array that is cleared",
     "\tmovq\t%rsp, %rdi\n\tmovl\t$6, %ecx\n\tmovl\t$0, %eax\n\trep stosq\n\tstosl\n", ""},
    {"copy of a large struct",
     "\tmovl\t$64, %esi\n\tmovq\t%rbx, %rdi\n\tcall\t__tsan_read_range\n\tmovl\t$64, %edx\n"
     "\tmovq\t%rbx, %rsi\n\tmovq\t%rsp, %rdi\n\tcall\tmemcpy\n",
     ""},
    {"result in a local variable", "\tmovq\t%rsp, %rdi\n\tcall\tmodff\n", ""},
    // Not seen.
    {"no callback", "\tmovss\t(%rbx), %xmm0\n", "emu_copy_read4\n"},
    {"another address", READ("8(%rbx)") "\tmovl\t12(%rbx), %eax\n", "emu_copy_read4\n"},
    {"a callback of another kind",
     "\tmovq\t%rbx, %rdi\n\tcall\t__tsan_atomic32_read\n\tmovl\t(%rbx), %eax\n",
     "emu_copy_read4\n"},
    {"more bytes", READ("(%rbx)") "\tmovq\t(%rbx), %rax\n", "emu_copy_read8\n"},
    {"a store after the callback of a load", READ("(%rbx)") "\tmovb\t$1, (%rbx)\n",
     "emu_copy_write1\n"},
    {"only half of a load and store", READ("(%rbx)") "\taddl\t$1, (%rbx)\n", "emu_copy_write4\n"},
    {"another register since", READ("(%rbx)") "\taddq\t$4, %rbx\n\tmovl\t(%rbx), %eax\n",
     "emu_copy_read4\n"},
    {"the register of another byte", READ("(%rbx)") "\tmovb\t$4, %bl\n\tmovl\t(%rbx), %eax\n",
     "emu_copy_read4\n"},
    {"two bytes of one register",
     "\tmovzbl\t%al, %edx\n\tmovzbl\t%ah, %ecx\n" READ("(%rbx,%rdx)") "\tmovl\t(%rbx,%rcx), %eax\n",
     "emu_copy_read4\n"},
    {"a register that a call may change", READ("(%rax)") "\tmovl\t(%rax), %eax\n",
     "emu_copy_read4\n"},
    {"a barrier since", READ("(%rbx)") "\tcall\temu_syncthreads\n\tmovl\t(%rbx), %eax\n",
     "emu_copy_read4\n"},
    {"another way", "\tjne\t.L3\n" READ("(%rbx)") ".L3:\n\tmovl\t(%rbx), %eax\n",
     "emu_copy_read4\n"},
    {"an address on the stack that a store may change",
     "\tmovq\t%rbx, 8(%rsp)\n\tmovq\t%rbx, %rdi\n\tcall\t__tsan_read4\n\tmovl\t$1, (%r12)\n"
     "\tmovq\t8(%rsp), %rax\n\tmovl\t(%rax), %eax\n",
     "emu_copy_write4\nemu_copy_read4\n"},
    {"store to an index of thread", "\tmovl\t$0, emu_thread_index(%rip)\n", "emu_copy_write4\n"},
    {"past an index of thread", "\tmovl\temu_thread_index+12(%rip), %eax\n", "emu_copy_read4\n"},
    {"load on a condition without a callback", "\tcmovl\t(%rbx), %rax\n", "emu_copy_read8\n"},
    {"a number as an address", "\tmovl\t4660, %eax\n", "emu_copy_read4\n"},
    {"shared memory without a callback", "\tmovl\t%fs:tile@tpoff, %eax\n", "emu_copy_read4_fs\n"},
    {"local array without a bound", "\tmovslq\t%ebx, %rax\n\tmovl\t$1, 16(%rsp,%rax,4)\n",
     "emu_copy_write4\n"},
    {"local array, a bound of another index",
     BOUND("r12", "7") "\tmovslq\t%ebx, %rax\n\tmovl\t$1, 16(%rsp,%rax,4)\n", "emu_copy_write4\n"},
    {"local array, stored before the comparison",
     "\tmovslq\t%ebx, %rax\n\tmovss\t%xmm0, 16(%rsp,%rax,4)\n" BOUND("rax", "7"),
     "emu_copy_write4\n"},
    {"local array, loaded and used before the comparison",
     "\tmovslq\t%ebx, %rax\n\tmovl\t16(%rsp,%rax,4), %edi\n\tcall\t_Z1fi\n" BOUND("rax", "7"),
     "emu_copy_read4\n"},
    {"local array, compared on one of two ways",
     "\tmovslq\t%ebx, %rax\n\tmovl\t16(%rsp,%rax,4), %r12d\n\ttestl\t%r13d, "
     "%r13d\n\tje\t.L3\n" BOUND("rax", "7") ".L3:\n",
     "emu_copy_read4\n"},
    {"the wrong side of a comparison",
     "\tcmpq\t$7, %rbx\n\tjbe\t.L3\n\tmovl\t$1, 16(%rsp,%rbx,4)\n.L3:\n", "emu_copy_write4\n"},
    {"constant array, a larger bound", BOUND("rbx", "8") "\tmovl\ttable(,%rbx,4), %eax\n",
     "emu_copy_read4\n"},
    {"copy without a callback",
     "\tmovl\t$64, %edx\n\tmovq\t%rbx, %rsi\n\tmovq\t%rsp, %rdi\n\tcall\tmemcpy\n", "emu_memcpy\n"},
    {"result anywhere", "\tmovq\t%rbx, %rdi\n\tcall\tmodf\n", "emu_copy_write8\n"},
    {"results anywhere", "\tmovq\t%rbx, %rdi\n\tmovq\t%r12, %rsi\n\tcall\tsincosf\n",
     "emu_copy_write4\nemu_copy_write4\n"},
    {"words anywhere", "\tmovq\t%rbx, %rdi\n\tmovq\t%r12, %rcx\n\trep movsq\n",
     "emu_copy_read_words\nemu_copy_write_words\n"},
    {"a struct that a call returns", "\tcall\t_Z1fv\n\tmovq\t%rax, (%rbx)\n", "emu_copy_write8\n"},
    {"a vector that a call takes",
     "\tmovq\t(%rbx), %xmm0\n\tmovq\t8(%rbx), %xmm1\n\tcall\t_Z3sum6float4\n",
     "emu_copy_aligned16\n"},
    // Not known.
    {"bytes that no call reports", "\trep movsb\n", "refused\n"},
    {"an instruction of another kind", "\tvmovups\t(%rbx), %ymm0\n", "refused\n"},
    {"an atomic instruction", "\tlock addl\t$1, (%rbx)\n", "refused\n"},
    {"another segment", "\tmovq\t%gs:8, %rax\n", "refused\n"},
};

START_TEST(an_access_is_reported_once) {
    char calls[256];
    added(bodies[_i].body, calls, sizeof calls);
    ck_assert_msg(strcmp(calls, bodies[_i].calls) == 0, "%s: %s", bodies[_i].name, calls);
}
END_TEST

START_TEST(no_function_runs_on_into_the_next) {
    static const char text[] = HEAD "\tcall\t_Z4failv\n\t.cfi_endproc\n";
    struct asm_lines lines = lines_open(strdup(text));
    (void)rewrite_unseen(&lines);
    ck_assert_str_eq(lines.line[lines.count - 1].before, "\tud2\n");
    lines_done(&lines);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("rewrite_unseen");
    TCase *cases = tcase_create("rewrite_unseen");
    tcase_add_loop_test(cases, an_access_is_reported_once, 0,
                        (int)(sizeof bodies / sizeof *bodies));
    tcase_add_test(cases, no_function_runs_on_into_the_next);
    suite_add_tcase(suite, cases);
    return suite;
}
