// expect: host_past_device 10  (the second half begins in the middle, but all bytes are copied)
#include <vector>

int main() {
    const int n = 512;
    std::vector<int> y(n);
    int *d_y;
    cudaMalloc(&d_y, n * sizeof(int));
    cudaMemset(d_y, 0, n * sizeof(int));
    cudaMemcpy(y.data(), d_y + n / 2, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_y);
    return 0;
}
