// g++ knows no pragma that CUDA has, and a macro can build one that CUDA does not have: so the
// operator makes none.  What would have an effect is refused (device/source/source_check.c).
#ifndef EMU_SHIM_CUDA_PRAGMA_H
#define EMU_SHIM_CUDA_PRAGMA_H

#pragma GCC system_header  // or g++ warns that _Pragma is redefined
#define _Pragma(...)

#endif
