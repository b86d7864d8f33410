// prints: 0 1 2 3
// The pointers are gathered on the host, then copied.
#include <cstdio>

__global__ void number(int **rows) {
    rows[blockIdx.x][threadIdx.x] = blockIdx.x;
}

int main() {
    int *rows[4], **d_rows, first[4];
    for (int i = 0; i < 4; i++) {
        cudaMalloc(&rows[i], 32 * sizeof(int));
    }
    cudaMalloc(&d_rows, sizeof rows);
    cudaMemcpy(d_rows, rows, sizeof rows, cudaMemcpyHostToDevice);
    number<<<4, 32>>>(d_rows);
    for (int i = 0; i < 4; i++) {
        cudaMemcpy(&first[i], rows[i] + 31, sizeof(int), cudaMemcpyDeviceToHost);
        cudaFree(rows[i]);
    }
    cudaFree(d_rows);
    printf("%d %d %d %d\n", first[0], first[1], first[2], first[3]);
    return 0;
}
