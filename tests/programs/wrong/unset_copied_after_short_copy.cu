// expect: host_unset_copied 10 9  (the first copy takes elements for bytes)
#include <vector>

int main() {
    const int n = 128;
    std::vector<int> x(n, 1), y(n);
    int *d_x;
    cudaMalloc(&d_x, n * sizeof(int));
    cudaMemcpy(d_x, x.data(), n, cudaMemcpyHostToDevice);
    cudaMemcpy(y.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    return 0;
}
