// Integer functions of a kernel: counting bits, products of halves, min and max of all types.
#ifndef EMU_SHIM_CUDA_INTEGER_H
#define EMU_SHIM_CUDA_INTEGER_H

EMU_INLINE int __popc(unsigned int x) {
    return __builtin_popcount(x);
}
EMU_INLINE int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
EMU_INLINE int __clz(int x) {
    return x ? __builtin_clz((unsigned int)x) : 32;
}
EMU_INLINE int __clzll(long long x) {
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
EMU_INLINE int __ffs(int x) {
    return __builtin_ffs(x);
}
EMU_INLINE int __ffsll(long long x) {
    return __builtin_ffsll(x);
}
EMU_INLINE unsigned int __brev(unsigned int x) {
    unsigned int result = 0;
    for (int bit = 0; bit < 32; bit++) {
        result |= ((x >> bit) & 1u) << (31 - bit);
    }
    return result;
}
// The place of the set bit that is |offset| - 1 set bits away from `base`, up or down.
EMU_INLINE unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
    int step = offset > 0 ? 1 : -1;
    int wanted = offset > 0 ? offset : offset < 0 ? -offset : 1;
    for (unsigned int bit = base; bit < 32 && (offset != 0 || bit == base);
         bit += (unsigned int)step) {
        wanted -= (int)(mask >> bit & 1u);
        if (wanted == 0) {
            return bit;
        }
    }
    return 0xffffffffu;
}
EMU_INLINE int __mul24(int x, int y) {
    return (int)((unsigned int)((x << 8) >> 8) * (unsigned int)((y << 8) >> 8));
}
EMU_INLINE unsigned int __umul24(unsigned int x, unsigned int y) {
    return (x & 0xffffffu) * (y & 0xffffffu);
}
EMU_INLINE int __mulhi(int x, int y) {
    return (int)(((long long)x * y) >> 32);
}
EMU_INLINE unsigned int __umulhi(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x * y) >> 32);
}
EMU_INLINE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)(((((unsigned long long)high << 32) | low) << (shift & 31)) >> 32);
}
EMU_INLINE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)((((unsigned long long)high << 32) | low) >> (shift & 31));
}

// Bytes, halves and sums.  Source: CUDA Math API, "Integer Intrinsics" and "SIMD Intrinsics".
EMU_INLINE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
    unsigned long long bytes = ((unsigned long long)y << 32) | x;
    unsigned int result = 0;
    for (int i = 0; i < 4; i++) {
        result |= (unsigned int)((bytes >> 8 * ((selector >> 4 * i) & 7)) & 0xff) << 8 * i;
    }
    return result;
}
EMU_INLINE int __dp4a(int x, int y, int sum) {
    unsigned int result = (unsigned int)sum;
    for (int i = 0; i < 32; i += 8) {
        result += (unsigned int)((signed char)(x >> i) * (signed char)(y >> i));
    }
    return (int)result;
}
EMU_INLINE unsigned int __dp4a(unsigned int x, unsigned int y, unsigned int sum) {
    for (int i = 0; i < 32; i += 8) {
        sum += ((x >> i) & 0xff) * ((y >> i) & 0xff);
    }
    return sum;
}
EMU_INLINE unsigned int __sad(int x, int y, unsigned int sum) {
    return sum + (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x);
}
EMU_INLINE unsigned int __usad(unsigned int x, unsigned int y, unsigned int sum) {
    return sum + (x > y ? x - y : y - x);
}
EMU_INLINE int __hadd(int x, int y) {
    return (int)(((long long)x + y) >> 1);
}
EMU_INLINE int __rhadd(int x, int y) {
    return (int)(((long long)x + y + 1) >> 1);
}
EMU_INLINE unsigned int __uhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y) >> 1);
}
EMU_INLINE unsigned int __urhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}
// Each part separately: the top bit of a part is added without a carry.
EMU_INLINE unsigned int __vadd4(unsigned int x, unsigned int y) {
    return ((x & 0x7f7f7f7fu) + (y & 0x7f7f7f7fu)) ^ ((x ^ y) & 0x80808080u);
}
EMU_INLINE unsigned int __vadd2(unsigned int x, unsigned int y) {
    return ((x & 0x7fff7fffu) + (y & 0x7fff7fffu)) ^ ((x ^ y) & 0x80008000u);
}
EMU_INLINE unsigned int __vsub4(unsigned int x, unsigned int y) {
    return ((x | 0x80808080u) - (y & 0x7f7f7f7fu)) ^ ((x ^ ~y) & 0x80808080u);
}
EMU_INLINE unsigned int __vsub2(unsigned int x, unsigned int y) {
    return ((x | 0x80008000u) - (y & 0x7fff7fffu)) ^ ((x ^ ~y) & 0x80008000u);
}

// min and max by CUDA's rules: mixed signs compare as unsigned.
EMU_INLINE int min(int x, int y) {
    return x < y ? x : y;
}
EMU_INLINE int max(int x, int y) {
    return x > y ? x : y;
}
EMU_INLINE unsigned int min(unsigned int x, unsigned int y) {
    return x < y ? x : y;
}
EMU_INLINE unsigned int max(unsigned int x, unsigned int y) {
    return x > y ? x : y;
}
EMU_INLINE long min(long x, long y) {
    return x < y ? x : y;
}
EMU_INLINE long max(long x, long y) {
    return x > y ? x : y;
}
EMU_INLINE unsigned long min(unsigned long x, unsigned long y) {
    return x < y ? x : y;
}
EMU_INLINE unsigned long max(unsigned long x, unsigned long y) {
    return x > y ? x : y;
}
EMU_INLINE long long min(long long x, long long y) {
    return x < y ? x : y;
}
EMU_INLINE long long max(long long x, long long y) {
    return x > y ? x : y;
}
EMU_INLINE unsigned long long min(unsigned long long x, unsigned long long y) {
    return x < y ? x : y;
}
EMU_INLINE unsigned long long max(unsigned long long x, unsigned long long y) {
    return x > y ? x : y;
}
EMU_INLINE unsigned int min(int x, unsigned int y) {
    return min((unsigned int)x, (unsigned int)y);
}
EMU_INLINE unsigned int max(int x, unsigned int y) {
    return max((unsigned int)x, (unsigned int)y);
}
EMU_INLINE unsigned int min(unsigned int x, int y) {
    return min((unsigned int)x, (unsigned int)y);
}
EMU_INLINE unsigned int max(unsigned int x, int y) {
    return max((unsigned int)x, (unsigned int)y);
}
EMU_INLINE unsigned long long min(long long x, unsigned long long y) {
    return min((unsigned long long)x, (unsigned long long)y);
}
EMU_INLINE unsigned long long max(long long x, unsigned long long y) {
    return max((unsigned long long)x, (unsigned long long)y);
}
EMU_INLINE unsigned long long min(unsigned long long x, long long y) {
    return min((unsigned long long)x, (unsigned long long)y);
}
EMU_INLINE unsigned long long max(unsigned long long x, long long y) {
    return max((unsigned long long)x, (unsigned long long)y);
}
EMU_INLINE float min(float x, float y) {
    return __builtin_fminf(x, y);
}
EMU_INLINE float max(float x, float y) {
    return __builtin_fmaxf(x, y);
}
EMU_INLINE double min(double x, double y) {
    return __builtin_fmin(x, y);
}
EMU_INLINE double max(double x, double y) {
    return __builtin_fmax(x, y);
}
EMU_INLINE double min(float x, double y) {
    return __builtin_fmin(x, y);
}
EMU_INLINE double max(float x, double y) {
    return __builtin_fmax(x, y);
}
EMU_INLINE double min(double x, float y) {
    return __builtin_fmin(x, y);
}
EMU_INLINE double max(double x, float y) {
    return __builtin_fmax(x, y);
}
EMU_INLINE unsigned int umin(unsigned int x, unsigned int y) {
    return min(x, y);
}
EMU_INLINE unsigned int umax(unsigned int x, unsigned int y) {
    return max(x, y);
}

#endif
