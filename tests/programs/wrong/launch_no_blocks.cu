// expect: host_launch_failed 12  (n / 256 is 0)
#include <cstdio>

__global__ void nothing(int n) {
    if (threadIdx.x == 0 && n < 0) {
        printf("never\n");
    }
}

int main() {
    int n = 200;
    nothing<<<n / 256, 256>>>(n);
    cudaDeviceSynchronize();
    return 0;
}
