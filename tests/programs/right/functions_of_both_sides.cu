// prints: 12 7 9 3 40
#include <algorithm>
#include <cstdio>

#define BOTH __host__ __device__

BOTH int doubled(int x) {
    return 2 * x;
}

constexpr int tripled(int x) {
    return 3 * x;
}

// One for each side.
int side() {
    return 4;
}
namespace gpu {
__device__ int side() {
    return 5;
}
}  // namespace gpu

// A name of the host that a kernel has for something else.
int count(int x) {
    return x + 6;
}

struct shape {
    int width;
    __device__ int area() const {
        return width * height();
    }
    __device__ int height() const {
        return 3;
    }
};
int height() {
    return 4;
}

template <class F> __global__ void run(int *result, F function) {
    auto count = [](int x) { return x + 1; };
    if (threadIdx.x == 0) {
        *result = function(count(gpu::side()));
    }
}

__device__ int helper(int x) {
    return doubled(x) - 3;
}

struct work {
    __device__ int operator()(int x) const {
        return helper(x) - shape{1}.area() + 6;
    }
};

int main() {
    int *d_result, result;
    cudaMalloc(&d_result, sizeof(int));
    run<<<1, 32>>>(d_result, work());
    cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(d_result);
    printf("%d %d %d %d %d\n", result, count(1), tripled(3), std::min(3, side()),
           height() * doubled(5));
    return 0;
}
