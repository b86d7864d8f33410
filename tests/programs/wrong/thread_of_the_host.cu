// expect: ended 3  (the checks are made for one thread of the host)
#include <cuda_runtime.h>
#include <thread>

static void work() {
    cudaSetDevice(0);
}

int main() {
    std::thread other(work);
    other.join();
    return 0;
}
