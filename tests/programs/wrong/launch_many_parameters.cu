// expect: host_launch_failed 17  (the table is too large for a parameter)
#include <cuda_runtime.h>

struct table {
    int entry[2048];
};

__global__ void look(table t, int *out) {
    *out = t.entry[7];
}

int main() {
    static table t;
    int *out;
    cudaMalloc(&out, sizeof(int));
    cudaMemset(out, 0, sizeof(int));
    look<<<1, 1>>>(t, out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
