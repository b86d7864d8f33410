// void fiber_switch(struct fiber *from, const struct fiber *to): rdi, rsi.  fiber.c defines the
// order of the words.
//
// It ends with pop and jmp: the return predictor expects the call that came into this stack and would miss every ret
// (measured: 8 ns instead of 20 to 40 ns).
#if defined(__x86_64__)
        .text
        .globl  fiber_switch
        .type   fiber_switch, @function
fiber_switch:
        pushq   %r15
        pushq   %r14
        pushq   %r13
        pushq   %r12
        pushq   %rbx
        pushq   %rbp
        movq    %rsp, (%rdi)
        movq    (%rsi), %rsp
        popq    %rbp
        popq    %rbx
        popq    %r12
        popq    %r13
        popq    %r14
        popq    %r15
        popq    %rcx
        jmp     *%rcx
        .size   fiber_switch, .-fiber_switch

// void emu_syncthreads(void): saves the thread as fiber_switch does, asks schedule_meet(pc, stack
// pointer) which thread to resume, and goes on there.  The kernel calls it, and it leaves by a jump
// into a kernel, so that no return in between is mispredicted: two of them cost more than the rest
// of a barrier.
        .section emu_hooks, "ax", %progbits
        .globl  emu_syncthreads
        .type   emu_syncthreads, @function
emu_syncthreads:
        movq    (%rsp), %rdi
        pushq   %r15
        pushq   %r14
        pushq   %r13
        pushq   %r12
        pushq   %rbx
        pushq   %rbp
        movq    %rsp, %rsi
        subq    $8, %rsp
        call    schedule_meet
        movq    %rax, %rsp
        popq    %rbp
        popq    %rbx
        popq    %r12
        popq    %r13
        popq    %r14
        popq    %r15
        popq    %rcx
        jmp     *%rcx
        .size   emu_syncthreads, .-emu_syncthreads
#endif
        .section .note.GNU-stack, "", %progbits
