// expect: host_freed_foreign 7  (free() gets memory of the device)
#include <cstdlib>

int main() {
    float *d_x;
    cudaMalloc(&d_x, 256);
    free(d_x);
    return 0;
}
