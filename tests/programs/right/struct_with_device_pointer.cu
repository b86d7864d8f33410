// prints: 6 6
// The host reads and stores the struct itself, but never what its pointer leads to.
#include <cstdio>
#include <vector>

struct matrix {
    int rows, columns;
    float *data;
    __host__ __device__ int size() const {
        return rows * columns;
    }
};

__global__ void fill(matrix m, float value) {
    int i = threadIdx.x;
    if (i < m.size()) {
        m.data[i] = value;
    }
}

int main() {
    matrix m = {2, 3, nullptr};
    std::vector<float> host(m.size());
    cudaMalloc(&m.data, m.size() * sizeof(float));
    fill<<<1, 32>>>(m, 6.0f);
    cudaMemcpy(host.data(), m.data, m.size() * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%d %g\n", m.size(), host[5]);
    cudaFree(m.data);
    return 0;
}
