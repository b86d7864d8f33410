// expect: host_wrong_way 6  (cudaMemset is given the host's array)
#include <cstdlib>

int main() {
    int *x = (int *)malloc(64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    free(x);
    return 0;
}
