// prints: sum 4950
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <vector>

template <class T> class device_array {
  public:
    explicit device_array(size_t size) : size_(size) {
        if (cudaMalloc(&data_, size * sizeof(T)) != cudaSuccess) {
            throw std::runtime_error("no memory");
        }
    }
    device_array(const device_array &) = delete;
    device_array(device_array &&other) noexcept : data_(other.data_), size_(other.size_) {
        other.data_ = nullptr;
    }
    ~device_array() {
        cudaFree(data_);
    }
    T *get() {
        return data_;
    }
    std::vector<T> to_host() const {
        std::vector<T> host(size_);
        cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
        return host;
    }

  private:
    T *data_ = nullptr;
    size_t size_;
};

__global__ void iota(int *x, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        x[i] = i;
    }
}

static device_array<int> numbers(int n) {
    device_array<int> made(n);
    iota<<<2, 32>>>(made.get(), n);
    return made;
}

int main() {
    const auto host = numbers(100).to_host();
    printf("sum %d\n", std::accumulate(host.begin(), host.end(), 0));
}
