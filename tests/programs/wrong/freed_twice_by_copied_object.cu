// expect: host_freed_twice 10 10  (a copy of the object frees the same array)
#include <cuda_runtime.h>

struct buffer {
    float *data;
    explicit buffer(int n) {
        cudaMalloc(&data, n * sizeof(float));
    }
    ~buffer() {
        cudaFree(data);
    }
};

static int size_of(buffer b) {
    return b.data ? 1 : 0;
}

int main() {
    buffer b(32);
    return size_of(b) - 1;
}
