// Marks the few loops over whole matrices that are worth vector code.
#ifndef JUDGE_FAST_H
#define JUDGE_FAST_H

// The program is built with -O2, where GCC 11 makes no vector code at all and GCC 12 only for
// constant trip counts.
#if defined(__GNUC__) && !defined(__clang__)
#define FAST __attribute__((optimize("O3")))
#else
#define FAST
#endif

#endif
