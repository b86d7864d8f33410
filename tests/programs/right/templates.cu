// prints: 10.0 20 40
#include <cstdio>

namespace math {
template <class T> struct plus {
    __device__ T operator()(T a, T b) const {
        return a + b;
    }
};
template <class T> struct times {
    T factor;
    __device__ T operator()(T a, T) const {
        return a * factor;
    }
};
}  // namespace math

template <int THREADS, class T, class F> __global__ void apply(T *x, int n, F f) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) {
        x[i] = f(x[i], x[i]);
    }
}

template <class T> __global__ void fill(T *x, T value, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = value;
    }
}

template <class T, class F> T run(T value, F f) {
    T *d_x, x;
    cudaMalloc(&d_x, 10 * sizeof(T));
    fill<<<1, 16>>>(d_x, value, 10);
    apply<32><<<1, 32>>>(d_x, 10, f);
    cudaMemcpy(&x, d_x + 9, sizeof x, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    return x;
}

int main() {
    printf("%.1f %d %ld\n", run(5.0f, math::plus<float>()), run(10, math::plus<int>{}),
           run(10l, math::times<long>{4}));
    return 0;
}
