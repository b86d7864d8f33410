// expect: crash 7 13(the kernel is given the host's array)
#include <cstdlib>

__global__ void twice(int *x, int n) {
    int i = threadIdx.x;
    if (i < n) {
        x[i] = 2 * i;
    }
}

int main() {
    int *x = (int *)malloc(32 * sizeof(int));
    twice<<<1, 32>>>(x, 32);
    cudaDeviceSynchronize();
    free(x);
    return 0;
}
