// Kernels for two right programs of this folder.
#pragma once

#define SAXPY_THREADS 32

__global__ void saxpy_fill(float *x, float value) {
    x[threadIdx.x] = value;
}

__global__ void saxpy(float a, const float *x, float *y) {
    y[threadIdx.x] = a * x[threadIdx.x] + y[threadIdx.x];
}
