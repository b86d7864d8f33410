// expect: host_few_bytes 22  (the width of the rows in elements)
#include <cstdio>
#include <vector>

__global__ void number(float *image, size_t pitch, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (x < width && y < height) {
        ((float *)((char *)image + y * pitch))[x] = x;
    }
}

int main() {
    const int width = 100, height = 8;
    std::vector<float> image(width * height, 0.0f);
    float *d_image;
    size_t pitch;
    cudaMallocPitch(&d_image, &pitch, width * sizeof(float), height);
    dim3 grid((width + 63) / 64, height);
    number<<<grid, 64>>>(d_image, pitch, width, height);
    const size_t row = width * sizeof(float);
    cudaMemcpy2D(image.data(), row, d_image, pitch, width, height, cudaMemcpyDeviceToHost);
    printf("%g\n", image[width - 1]);
    cudaFree(d_image);
    return 0;
}
