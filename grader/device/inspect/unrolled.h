// Which loops a kernel file asks the compiler not to unroll, or not whole: `#pragma unroll 1`,
// `#pragma nounroll`.
#ifndef DEVICE_INSPECT_UNROLLED_H
#define DEVICE_INSPECT_UNROLLED_H

#define UNROLLED_MAX 64  // loops; further ones are left to the compiler

struct unrolled {
    int count;
    struct unrolled_loop {
        int first, last;  // the lines of its condition
        unsigned factor;  // copies of its body that are made; 1: it is not unrolled
    } loop[UNROLLED_MAX];
};

void unrolled_find(const char *source, struct unrolled *ret);

// The factor of the loop whose condition is in this line; 0 if the compiler chooses.
unsigned unrolled_factor(const struct unrolled *unrolled, int line);

#endif
