// The patterns of tests/counters/patterns.cu, each a kernel of its own, and the reference kernels
// at two sizes, for Nsight Compute to watch: see counters.py.
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "../counters/patterns.cu"

static_assert(GLOBAL_COUNT >= SHARED_COUNT, "a launch for each pattern");

template <int N> __global__ void pattern(const float *B, float *C, int M) {
    constexpr struct pattern global = global_patterns[N];
    constexpr struct pattern shared = shared_patterns[N % SHARED_COUNT];
    pattern_run(global, shared, B, C, M);
}

template <int N> __global__ void divergent(const float *A, float *C) {
    shape_run(A, C, N);
}

#define REFERENCES(X) X(naive) X(tiled) X(register_tiled)
#define DECLARE(name)                                                                              \
    extern "C" __global__ void matmul_##name(const float *, const float *, float *, int, int,      \
                                             int);                                                 \
    LAUNCH_CONFIG(matmul_##name, M, N, K);
REFERENCES(DECLARE)

static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        fprintf(stderr, "counters: %s\n", cudaGetErrorString(error));
        exit(3);
    }
}

template <int... N>
static void patterns_launch(std::integer_sequence<int, N...>, const float *B, float *C) {
    (pattern<N><<<1, 32>>>(B, C, 1), ...);
}

template <int... N>
static void shapes_launch(std::integer_sequence<int, N...>, const float *A, float *C) {
    (divergent<N><<<1, 32>>>(A, C), ...);
}

int main() {
    const int sizes[] = {512, 500, 384, 380, 256, 252};
    const size_t bytes = 512 * 512 * sizeof(float);
    float *A = NULL;
    float *B = NULL;
    float *C = NULL;
    struct launch_config *config = NULL;
    struct launch_config host;
    check(cudaMalloc(&A, bytes));
    check(cudaMalloc(&B, bytes));
    check(cudaMalloc(&C, bytes));
    check(cudaMalloc(&config, sizeof *config));
    check(cudaMemset(A, 0, bytes));
    check(cudaMemset(B, 0, bytes));
    for (int n : sizes) {
#define LAUNCH(name)                                                                               \
    check(cudaMemset(config, 0, sizeof *config));                                                  \
    matmul_##name##_launch_config<<<1, 1>>>(config, n, n, n);                                      \
    check(cudaMemcpy(&host, config, sizeof host, cudaMemcpyDeviceToHost));                         \
    matmul_##name<<<host.grid, host.block, host.shared_bytes>>>(A, B, C, n, n, n);
        REFERENCES(LAUNCH)
    }
    shapes_launch(std::make_integer_sequence<int, SHAPE_COUNT>(), A, C);
    patterns_launch(std::make_integer_sequence<int, GLOBAL_COUNT>(), B, C);
    check(cudaDeviceSynchronize());
    return 0;
}
