// expect: out_of_bounds 4 11
// files: parts/twice_kernel.cu
#include <cuda_runtime.h>

void twice(int *values, int count);

int main() {
    int values[40] = {1};
    twice(values, 40);
    return values[0] - 2;
}
