// Opens a header of the CPU device that is not part of the shim: macros that replace words of C++
// in a kernel file are undefined until end.h.  Included several times, so it has no guard.
#pragma push_macro("return")
#pragma push_macro("__asm__")
#undef return
#undef __asm__

// Inlined, so that findings in it have the line of the call in the kernel file.
#define EMU_CALL   inline __attribute__((always_inline, artificial))
#define EMU_INLINE constexpr EMU_CALL
// Only declared: a call that remains in the program is reported as "needs a GPU" with its line.
#define EMU_NEEDS_GPU(what) __attribute__((error("tilegrade_needs_gpu_" #what)))
