// prints: 99999 1 4950000
#include <cstdio>
#include <list>
#include <numeric>
#include <vector>

__global__ void count(int *seen) {
    atomicAdd(seen, 1);
}

// Blocks of the heap begin at every multiple of 16, also at the start of a page.
int main() {
    std::list<int> numbers;
    for (int i = 0; i < 100000; i++) {
        numbers.push_back(i);
    }
    while (numbers.size() > 1) {
        numbers.pop_front();
    }
    std::vector<std::vector<int>> rows(1000, std::vector<int>(100));
    long sum = 0;
    for (auto &row : rows) {
        std::iota(row.begin(), row.end(), 0);
        sum = std::accumulate(row.begin(), row.end(), sum);
    }
    int seen = 0;
    int *device;
    cudaMalloc(&device, sizeof seen);
    cudaMemset(device, 0, sizeof seen);
    count<<<1, 1>>>(device);
    cudaMemcpy(&seen, device, sizeof seen, cudaMemcpyDeviceToHost);
    cudaFree(device);
    printf("%d %d %ld\n", numbers.front(), seen, sum);
}
