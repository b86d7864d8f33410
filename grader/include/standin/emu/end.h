// Closes a header that begin.h opened.
#undef EMU_CALL
#undef EMU_INLINE
#undef EMU_NEEDS_GPU
#pragma pop_macro("return")
#pragma pop_macro("__asm__")
