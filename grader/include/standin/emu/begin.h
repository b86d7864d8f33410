// Opens a header of the CPU device that a kernel file includes, which the shim does not hold: words
// that mean something else in a kernel file are C++ again.  No guard: end.h closes.
#pragma push_macro("return")
#pragma push_macro("__asm__")
#undef return
#undef __asm__

// Inlined, so that the line of the call in the kernel file is the place of what happens in it.
#define EMU_CALL   inline __attribute__((always_inline, artificial))
#define EMU_INLINE constexpr EMU_CALL
// Declared only: a call that is left in the program is "needs a GPU", at its line.
#define EMU_NEEDS_GPU(what) __attribute__((error("tilegrade_needs_gpu_" #what)))
