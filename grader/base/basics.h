// Things that C lacks: the number of elements of an array, time since a fixed moment, and marks for
// the few loops over whole matrices that are worth vector code.
#ifndef BASE_BASICS_H
#define BASE_BASICS_H

#include <stdint.h>
#include <time.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static inline int64_t clock_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline uint64_t clock_ms(void) {
    return (uint64_t)clock_ns() / 1000000u;
}

// The program is built with -O2, where GCC 11 makes no vector code at all and GCC 12 only for
// constant trip counts.
#if defined(__GNUC__) && !defined(__clang__)
#define FAST __attribute__((optimize("O3")))
#else
#define FAST
#endif

// Compiles a function twice; at run time, the version that the processor supports is used.  The
// code that chooses does not work with sanitizers.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES
#endif

#endif
