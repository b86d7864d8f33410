// prints: 35 70
#include <cstdio>

__global__ void twice(float *x, size_t pitch, int width, int height) {
    int column = threadIdx.x, row = threadIdx.y;
    if (column < width && row < height) {
        float *line = (float *)((char *)x + row * pitch);
        line[column] *= 2.0f;
    }
}

int main() {
    const int width = 9, height = 4;
    float x[height][width], y[height][width];
    for (int i = 0; i < width * height; i++) {
        x[i / width][i % width] = float(i);
    }
    float *d;
    size_t pitch;
    cudaMallocPitch(&d, &pitch, width * sizeof(float), height);
    cudaMemcpy2D(d, pitch, x, width * sizeof(float), width * sizeof(float), height,
                 cudaMemcpyHostToDevice);
    twice<<<1, dim3(16, 4)>>>(d, pitch, width, height);
    cudaMemcpy2D(y, width * sizeof(float), d, pitch, width * sizeof(float), height,
                 cudaMemcpyDeviceToHost);
    printf("%.0f %.0f\n", x[3][8], y[3][8]);
    cudaFree(d);
    return 0;
}
