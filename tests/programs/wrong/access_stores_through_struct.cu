// expect: host_access 21  (the pointer in the struct belongs to the device)
#include <cuda_runtime.h>

struct vector {
    int n;
    float *data;
};

__global__ void twice(vector v) {
    int i = threadIdx.x;
    if (i < v.n) {
        v.data[i] *= 2.0f;
    }
}

int main() {
    vector v;
    v.n = 64;
    cudaMalloc((void **)&v.data, v.n * sizeof(float));
    for (int i = 0; i < v.n; i++) {
        v.data[i] = 1.0f;
    }
    twice<<<1, 64>>>(v);
    cudaDeviceSynchronize();
    cudaFree(v.data);
    return 0;
}
