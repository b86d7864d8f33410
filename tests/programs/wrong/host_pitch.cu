// expect: host_past_host 20  (the pitch of the device is given for the host too)
#include <cstdio>
#include <vector>

__global__ void number(float *image, size_t pitch, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < width) {
        ((float *)((char *)image + blockIdx.y * pitch))[x] = x;
    }
}

int main() {
    const int width = 100, height = 8;
    std::vector<float> image(width * height, 0.0f);
    float *d_image;
    size_t pitch;
    cudaMallocPitch(&d_image, &pitch, width * sizeof(float), height);
    number<<<dim3((width + 63) / 64, height), 64>>>(d_image, pitch, width);
    const size_t row = width * sizeof(float);
    cudaMemcpy2D(image.data(), pitch, d_image, pitch, row, height, cudaMemcpyDeviceToHost);
    printf("%g\n", image[width - 1]);
    cudaFree(d_image);
    return 0;
}
