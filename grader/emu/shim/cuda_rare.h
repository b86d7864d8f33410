// Math and integer functions of CUDA that few kernels use, and those that only a GPU can run.
#ifndef EMU_SHIM_CUDA_RARE_H
#define EMU_SHIM_CUDA_RARE_H

#ifndef TILEGRADE_PROGRAM
extern "C" {
float scalbnf(float, int);
double scalbn(double, int);
float j0f(float);
double j0(double);
float j1f(float);
double j1(double);
}
#endif

EMU_PLAIN float rcbrtf(float x) {
    return 1.0f / __builtin_cbrtf(x);
}
EMU_PLAIN double rcbrt(double x) {
    return 1.0 / __builtin_cbrt(x);
}
EMU_PLAIN float rhypotf(float x, float y) {
    return 1.0f / __builtin_hypotf(x, y);
}
EMU_PLAIN double rhypot(double x, double y) {
    return 1.0 / __builtin_hypot(x, y);
}
EMU_PLAIN float norm3df(float x, float y, float z) {
    return __builtin_sqrtf(x * x + y * y + z * z);
}
EMU_PLAIN float rnorm3df(float x, float y, float z) {
    return 1.0f / norm3df(x, y, z);
}
EMU_PLAIN float norm4df(float x, float y, float z, float w) {
    return __builtin_sqrtf(x * x + y * y + z * z + w * w);
}
EMU_PLAIN float rnorm4df(float x, float y, float z, float w) {
    return 1.0f / norm4df(x, y, z, w);
}
EMU_PLAIN float fdividef(float x, float y) {
    return x / y;
}
#ifndef TILEGRADE_PROGRAM
EMU_PLAIN double exp10(double x) {
    return __builtin_pow(10.0, x);
}
#endif
// Functions of pi times x: x is reduced to one turn first, which is exact.
EMU_PLAIN double sinpi(double x) {
    return __builtin_sin(3.14159265358979323846 * __builtin_remainder(x, 2.0));
}
EMU_PLAIN double cospi(double x) {
    return __builtin_cos(3.14159265358979323846 * __builtin_remainder(x, 2.0));
}
EMU_PLAIN float sinpif(float x) {
    return (float)sinpi(x);
}
EMU_PLAIN float cospif(float x) {
    return (float)cospi(x);
}
EMU_PLAIN void sincospif(float x, float *sine, float *cosine) {
    *sine = sinpif(x);
    *cosine = cospif(x);
}
EMU_PLAIN void sincospi(double x, double *sine, double *cosine) {
    *sine = sinpi(x);
    *cosine = cospi(x);
}
EMU_PLAIN void __sincosf(float x, float *sine, float *cosine) {
    sincosf(x, sine, cosine);
}
EMU_PLAIN float normcdff(float x) {
    return 0.5f * __builtin_erfcf(-x * 0.70710678f);
}
#ifndef TILEGRADE_PROGRAM
EMU_PLAIN float remquof(float x, float y, int *quotient) {
    int part = 0;
    float result = __builtin_remquof(x, y, &part);
    *quotient = part;
    return result;
}
EMU_PLAIN double remquo(double x, double y, int *quotient) {
    int part = 0;
    double result = __builtin_remquo(x, y, &part);
    *quotient = part;
    return result;
}
#endif

EMU_PLAIN unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned int)x) << 32 | __brev((unsigned int)(x >> 32));
}
EMU_PLAIN long long __mul64hi(long long x, long long y) {
    return (long long)((__int128)x * y >> 64);
}
EMU_PLAIN unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
EMU_PLAIN unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
EMU_PLAIN unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
EMU_PLAIN int __double2hiint(double x) {
    return (int)(__double_as_longlong(x) >> 32);
}
EMU_PLAIN int __double2loint(double x) {
    return (int)__double_as_longlong(x);
}
EMU_PLAIN double __hiloint2double(int high, int low) {
    return __longlong_as_double(
        (long long)((unsigned long long)(unsigned int)high << 32 | (unsigned int)low));
}
EMU_PLAIN long long llmin(long long x, long long y) {
    return x < y ? x : y;
}
EMU_PLAIN long long llmax(long long x, long long y) {
    return x > y ? x : y;
}
EMU_PLAIN unsigned long long ullmin(unsigned long long x, unsigned long long y) {
    return x < y ? x : y;
}
EMU_PLAIN unsigned long long ullmax(unsigned long long x, unsigned long long y) {
    return x > y ? x : y;
}

// --- Only declared, so that a call is reported as "needs a GPU" with its line

#define TILEGRADE_GPU(type, what, name)                                                            \
    template <class... ARGUMENTS>                                                                  \
    __attribute__((error("tilegrade_needs_gpu_" #what))) type name(ARGUMENTS...);
#define TILEGRADE_GPU_ROUNDED(name)                                                                \
    TILEGRADE_GPU(double, directed_rounding_of_double, name##_rz)                                  \
    TILEGRADE_GPU(double, directed_rounding_of_double, name##_rd)                                  \
    TILEGRADE_GPU(double, directed_rounding_of_double, name##_ru)
TILEGRADE_GPU_ROUNDED(__dadd)
TILEGRADE_GPU_ROUNDED(__dsub)
TILEGRADE_GPU_ROUNDED(__dmul)
TILEGRADE_GPU_ROUNDED(__ddiv)
TILEGRADE_GPU_ROUNDED(__drcp)
TILEGRADE_GPU_ROUNDED(__dsqrt)
TILEGRADE_GPU_ROUNDED(__fma)
TILEGRADE_GPU_ROUNDED(__ll2double)
TILEGRADE_GPU_ROUNDED(__ull2double)
TILEGRADE_GPU_ROUNDED(__ll2float)
TILEGRADE_GPU_ROUNDED(__ull2float)
#define TILEGRADE_GPU_PARTS(name)                                                                  \
    TILEGRADE_GPU(unsigned int, SIMD_intrinsics, name##2)                                          \
    TILEGRADE_GPU(unsigned int, SIMD_intrinsics, name##4)
TILEGRADE_GPU_PARTS(__vabs)
TILEGRADE_GPU_PARTS(__vabsss)
TILEGRADE_GPU_PARTS(__vabsdiffs)
TILEGRADE_GPU_PARTS(__vabsdiffu)
TILEGRADE_GPU_PARTS(__vaddss)
TILEGRADE_GPU_PARTS(__vaddus)
TILEGRADE_GPU_PARTS(__vavgs)
TILEGRADE_GPU_PARTS(__vavgu)
TILEGRADE_GPU_PARTS(__vcmpeq)
TILEGRADE_GPU_PARTS(__vcmpne)
TILEGRADE_GPU_PARTS(__vcmpgts)
TILEGRADE_GPU_PARTS(__vcmpgtu)
TILEGRADE_GPU_PARTS(__vcmplts)
TILEGRADE_GPU_PARTS(__vcmpltu)
TILEGRADE_GPU_PARTS(__vmaxs)
TILEGRADE_GPU_PARTS(__vmaxu)
TILEGRADE_GPU_PARTS(__vmins)
TILEGRADE_GPU_PARTS(__vminu)
TILEGRADE_GPU_PARTS(__vneg)
TILEGRADE_GPU_PARTS(__vsads)
TILEGRADE_GPU_PARTS(__vsadu)
TILEGRADE_GPU_PARTS(__vseteq)
TILEGRADE_GPU_PARTS(__vsubss)
TILEGRADE_GPU_PARTS(__vsubus)
TILEGRADE_GPU(int, SIMD_intrinsics, __dp2a_lo)
TILEGRADE_GPU(int, SIMD_intrinsics, __dp2a_hi)
TILEGRADE_GPU(float, erfinvf, erfinvf)
TILEGRADE_GPU(float, erfcinvf, erfcinvf)
TILEGRADE_GPU(float, normcdfinvf, normcdfinvf)
TILEGRADE_GPU(float, cyl_bessel_i0f, cyl_bessel_i0f)
TILEGRADE_GPU(float, cyl_bessel_i1f, cyl_bessel_i1f)
TILEGRADE_GPU(void, prefetching, __prefetch_global_l1)
TILEGRADE_GPU(void, prefetching, __prefetch_global_l2)
TILEGRADE_GPU(size_t, generic_addresses, __cvta_generic_to_shared)
TILEGRADE_GPU(size_t, generic_addresses, __cvta_generic_to_global)
// Of any type, so that a use of the result compiles.
template <class T, class... ARGUMENTS>
__attribute__((error("tilegrade_needs_gpu_textures"))) T tex1D(ARGUMENTS...);
template <class T, class... ARGUMENTS>
__attribute__((error("tilegrade_needs_gpu_textures"))) T tex1Dfetch(ARGUMENTS...);
template <class T, class... ARGUMENTS>
__attribute__((error("tilegrade_needs_gpu_textures"))) T tex2D(ARGUMENTS...);
template <class T, class... ARGUMENTS>
__attribute__((error("tilegrade_needs_gpu_textures"))) T tex3D(ARGUMENTS...);
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;

#ifndef TILEGRADE_PROGRAM
#define TILEGRADE_HEAP __attribute__((error("tilegrade_needs_gpu_the_heap_of_a_kernel")))
TILEGRADE_HEAP void *malloc(size_t);
TILEGRADE_HEAP void free(void *);
#undef TILEGRADE_HEAP
#endif
#undef TILEGRADE_GPU_PARTS
#undef TILEGRADE_GPU_ROUNDED
#undef TILEGRADE_GPU

#endif
