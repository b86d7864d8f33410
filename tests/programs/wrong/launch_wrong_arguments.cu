// expect: build_error 10
__global__ void add(float *sum, int count) {
    if (threadIdx.x < count) {
        atomicAdd(sum, 1.0f);
    }
}

int main() {
    float *d_sum;
    add<<<1, 32>>>(32, d_sum);
    return 0;
}
