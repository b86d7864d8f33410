// Calls by pointer.  gcc (-mindirect-branch=thunk-extern) makes each of them a call of
// __x86_indirect_thunk_REGISTER, and device/assembly/rewrite.c lists the functions whose address a
// kernel takes. Only these are called, so a made-up address cannot lead into the worker's own code.
//
// Only the flags may change.  The thunks are in the section of the hooks, because their addresses
// are not places in a kernel.
#if defined(__x86_64__)
        .weak   __start_emu_call_targets
        .weak   __stop_emu_call_targets

        .macro  thunk register
        .globl  __x86_indirect_thunk_\register
        .type   __x86_indirect_thunk_\register, @function
__x86_indirect_thunk_\register:
        pushq   %\register
        jmp     indirect
        .size   __x86_indirect_thunk_\register, .-__x86_indirect_thunk_\register
        .endm

        .section emu_hooks, "ax", @progbits
        .irp    register, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15
        thunk   \register
        .endr

        // On the stack: the address to call, the return address of the caller.
        .type   indirect, @function
indirect:
        pushq   %rax
        pushq   %rcx
        movq    16(%rsp), %rax
        movq    $__start_emu_call_targets, %rcx
1:      cmpq    $__stop_emu_call_targets, %rcx
        jae     2f
        cmpq    %rax, (%rcx)
        je      3f
        addq    $8, %rcx
        jmp     1b
2:      movq    24(%rsp), %rdi
        andq    $-16, %rsp
        call    emu_call_refused
        ud2
3:      popq    %rcx
        popq    %rax
        leaq    8(%rsp), %rsp
        jmp     *-8(%rsp)               // signal handlers run on their own stack
        .size   indirect, .-indirect
#endif
        .section .note.GNU-stack, "", %progbits
