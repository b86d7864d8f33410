// expect: host_wrong_way 13  (the result is copied with the direction of the input)
#include <vector>

__global__ void fill(int *x) {
    x[threadIdx.x] = threadIdx.x;
}

int main() {
    std::vector<int> x(32);
    int *d_x;
    cudaMalloc(&d_x, 32 * sizeof(int));
    fill<<<1, 32>>>(d_x);
    cudaMemcpy(x.data(), d_x, 32 * sizeof(int), cudaMemcpyHostToDevice);
    cudaFree(d_x);
    return 0;
}
