// emu_copy_{read,write}{1,2,4,8,16,_words}, emu_copy_{vector,aligned}{8,16} and some with _fs: what
// a kernel calls next to its own calls, with the address in %rdi; see accesses.c.  Nothing else is
// free there, so all that C may change is saved, the flags too.  _fs: the address counts from the
// thread pointer.
#if defined(__x86_64__)

        .equ    STORE, 1 << 30   // COPY_STORE of accesses.c
        .equ    VECTOR, 1 << 29  // COPY_VECTOR
        .equ    ALIGNED, 1 << 28 // COPY_ALIGNED

        .text

        .macro  ENTRY name, code
        .globl  emu_copy_\name
        .type   emu_copy_\name, @function
emu_copy_\name:
        pushq   %rsi
        movl    $\code, %esi
        jmp     copy_told
        .size   emu_copy_\name, . - emu_copy_\name
        .globl  emu_copy_\name\()_fs
        .type   emu_copy_\name\()_fs, @function
emu_copy_\name\()_fs:
        pushq   %rsi
        movl    $\code, %esi
        pushfq
        addq    %fs:0, %rdi
        popfq
        jmp     copy_told
        .size   emu_copy_\name\()_fs, . - emu_copy_\name\()_fs
        .endm

        ENTRY   read1, 1
        ENTRY   read2, 2
        ENTRY   read4, 4
        ENTRY   read8, 8
        ENTRY   read16, 16
        ENTRY   vector8, VECTOR+8
        ENTRY   vector16, VECTOR+16
        ENTRY   aligned8, ALIGNED+8
        ENTRY   aligned16, ALIGNED+16
        ENTRY   write1, STORE+1
        ENTRY   write2, STORE+2
        ENTRY   write4, STORE+4
        ENTRY   write8, STORE+8
        ENTRY   write16, STORE+16

        // As many times 8 bytes as %rcx says.
        .globl  emu_copy_read_words
        .type   emu_copy_read_words, @function
emu_copy_read_words:
        pushq   %rsi
        leaq    (,%rcx,8), %rsi
        jmp     copy_told
        .size   emu_copy_read_words, . - emu_copy_read_words
        .globl  emu_copy_write_words
        .type   emu_copy_write_words, @function
emu_copy_write_words:
        pushq   %rsi
        leaq    STORE(,%rcx,8), %rsi
        jmp     copy_told
        .size   emu_copy_write_words, . - emu_copy_write_words

        // On the stack: %rsi, the return address, %rdi; above them what the kernel has there.
        .type   copy_told, @function
copy_told:
        pushfq
        pushq   %rax
        pushq   %rcx
        pushq   %rdx
        pushq   %r8
        pushq   %r9
        pushq   %r10
        pushq   %r11
        pushq   %rbx
        movq    %rsp, %rbx
        movq    80(%rbx), %rdx
        leaq    96(%rbx), %rcx
        subq    $256, %rsp
        andq    $-16, %rsp
        .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movaps  %xmm\number, 16*\number(%rsp)
        .endr
        call    emu_copy_hook
        .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movaps  16*\number(%rsp), %xmm\number
        .endr
        movq    %rbx, %rsp
        popq    %rbx
        popq    %r11
        popq    %r10
        popq    %r9
        popq    %r8
        popq    %rdx
        popq    %rcx
        popq    %rax
        popfq
        popq    %rsi
        ret
        .size   copy_told, . - copy_told
#endif
        .section .note.GNU-stack, "", %progbits
