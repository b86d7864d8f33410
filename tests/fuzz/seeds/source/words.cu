#include "matmul.cuh"
#include <math.h>
#define JOIN(a, b) a##b
#line 7 "x"
static const char *s = "a\"b\\" R"x(raw)x" u8"ü" '\'' "\
";
/* a // b */ // c \
d
__attribute__((used)) __managed__ int x; thread_local int y; __builtin_trap(); 0x1p-3f 1'000
__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K)
{ asm("x"); }
