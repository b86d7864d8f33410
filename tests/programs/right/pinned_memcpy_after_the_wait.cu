// prints: 2.5
#include <cstdio>
#include <cstring>

__global__ void fill(float *x) {
    x[threadIdx.x] = 2.5f;
}

int main(int argc, char **) {
    float *y, *d_y;
    float *mine = new float[32];
    const size_t bytes = 32 * sizeof(float) * argc;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocHost(&y, bytes);
    cudaMalloc(&d_y, bytes);
    memset(y, 0, bytes);
    fill<<<1, 32, 0, stream>>>(d_y);
    cudaMemcpyAsync(y, d_y, bytes, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    memcpy(mine, y, bytes);
    printf("%.1f\n", mine[0]);
    delete[] mine;
    cudaStreamDestroy(stream);
    cudaFree(d_y);
    cudaFreeHost(y);
    return 0;
}
