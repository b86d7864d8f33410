// stdin: 3 4 5
// prints: 9 16 25
#include <iostream>
#include <vector>

__global__ void square(int *x, int n) {
    if (threadIdx.x < n) {
        x[threadIdx.x] *= x[threadIdx.x];
    }
}

int main() {
    std::vector<int> x;
    for (int value; std::cin >> value;) {
        x.push_back(value);
    }
    int *d_x;
    cudaMalloc(&d_x, x.size() * sizeof(int));
    cudaMemcpy(d_x, x.data(), x.size() * sizeof(int), cudaMemcpyDefault);
    square<<<1, 32>>>(d_x, (int)x.size());
    cudaMemcpy(x.data(), d_x, x.size() * sizeof(int), cudaMemcpyDefault);
    cudaFree(d_x);
    for (size_t i = 0; i < x.size(); i++) {
        std::cout << x[i] << (i + 1 < x.size() ? " " : "\n");
    }
}
