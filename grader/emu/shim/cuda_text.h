// printf, assert, the memory functions of a kernel, and what a pointer points to.
#ifndef EMU_SHIM_CUDA_TEXT_H
#define EMU_SHIM_CUDA_TEXT_H

int printf(const char *format, ...) EMU_NAME(printf) __attribute__((format(printf, 1, 2)));
[[noreturn]] void __tilegrade_assert_failed(void) EMU_NAME(assert_failed);
#define assert(condition) ((condition) ? (void)0 : __tilegrade_assert_failed())

// These go through the machine, because the compiler does not instrument them.
void *__tilegrade_memcpy(void *to, const void *from, size_t bytes) EMU_NAME(memcpy);
void *__tilegrade_memset(void *to, int value, size_t bytes) EMU_NAME(memset);
#define memcpy  __tilegrade_memcpy
#define memmove __tilegrade_memcpy
#define memset  __tilegrade_memset

// Which memory a pointer points to.
unsigned int __isShared(const void *pointer) EMU_NAME(is_shared);
unsigned int __isGlobal(const void *pointer) EMU_NAME(is_global);

#endif
