// g++ knows none of CUDA's pragmas, and a macro can build a pragma that CUDA does not have, so the
// operator expands to nothing.  Pragmas that would have an effect are refused
// (device/source/source_check.c).
#ifndef EMU_SHIM_CUDA_PRAGMA_H
#define EMU_SHIM_CUDA_PRAGMA_H

#pragma GCC system_header  // or g++ warns that _Pragma is redefined
#define _Pragma(...)

#endif
