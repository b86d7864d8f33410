// A whole program around $file, written by `make pack standalone`.
//
//     nvcc -O3 -arch=native -o product THIS_FILE && ./product 1000 2000 300
//
// The three numbers are M, N and K; one number is taken for all three.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

// --- What the course's header declares, for one program ------------------------------------------

#define LAUNCHES_MAX 4

struct launch_step {
    dim3 grid, block;
    unsigned long long shared_bytes;
    char kernel[48];
};

struct launch_config {
    dim3 grid, block;
    unsigned long long shared_bytes, workspace_bytes;
    int launch_count;
    launch_step launch[LAUNCHES_MAX];
};

__host__ __device__ constexpr int ceil_div(int whole, int part) {
    return (whole + part - 1) / part;
}

[[maybe_unused]] static __device__ void launch_add(launch_config *launch, const char *kernel,
                                                   dim3 grid, dim3 block,
                                                   unsigned long long shared_bytes = 0) {
    launch_step *step = &launch->launch[launch->launch_count++ % LAUNCHES_MAX];
    step->grid = grid;
    step->block = block;
    step->shared_bytes = shared_bytes;
    for (int i = 0; i < 47 && kernel[i]; ++i) {
        step->kernel[i] = kernel[i];
    }
}

#define LAUNCH(kernel, ...) launch_add(launch, #kernel, __VA_ARGS__)
#define LAUNCH_DEPENDENT LAUNCH  // here it begins when the launch before has ended
#define LAUNCH_CONFIG(kernel, M, N, K)                                                             \
    static __global__ void kernel##_launch_config(launch_config *launch, [[maybe_unused]] int M,   \
                                                  [[maybe_unused]] int N, [[maybe_unused]] int K)

// --- Your file -----------------------------------------------------------------------------------

$kernel

// --- The program ---------------------------------------------------------------------------------

static void check(cudaError_t error, const char *what) {
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

// The kernels that LAUNCH names.
static const struct {
    const char *name;
    const void *kernel;
} kernels[] = {$table{nullptr, nullptr}};

static const void *kernel_find(const char *name) {
    int i = 0;
    while (kernels[i].name && strcmp(kernels[i].name, name) != 0) {
        ++i;
    }
    return kernels[i].kernel;
}

// LAUNCH_CONFIG is device code, so one thread of the device runs it.
static launch_config configured(int M, int N, int K) {
    launch_config launch;
    memset((void *)&launch, 0, sizeof launch);
    launch.grid = launch.block = dim3(0, 1, 1);
    launch_config *there;
    check(cudaMalloc(&there, sizeof launch), "cudaMalloc");
    check(cudaMemcpy(there, &launch, sizeof launch, cudaMemcpyHostToDevice), "cudaMemcpy");
    ${name}_launch_config<<<1, 1>>>(there, M, N, K);
    check(cudaMemcpy(&launch, there, sizeof launch, cudaMemcpyDeviceToHost), "LAUNCH_CONFIG");
    check(cudaFree(there), "cudaFree");
    return launch;
}

// Launches the kernels of one product, one after the other.
static void product(launch_config *launch, const float *A, const float *B, float *C, int M, int N,
                    int K, float *workspace) {
    if (launch->launch_count == 0) {
        $name<<<launch->grid, launch->block, launch->shared_bytes>>>(A, B, C, M, N, K);
    }
    for (int i = 0; i < launch->launch_count && i < LAUNCHES_MAX; ++i) {
        launch_step *step = &launch->launch[i];
        void *arguments[] = {&A, &B, &C, &M, &N, &K, &workspace};  // the last one only if taken
        check(cudaLaunchKernel(kernel_find(step->kernel), step->grid, step->block, arguments,
                               step->shared_bytes, nullptr),
              step->kernel);
    }
    check(cudaGetLastError(), "launch");
}

// Compares some elements with sums of the host, which are exact: the inputs are small integers.
static int wrong_elements(const std::vector<float> &A, const std::vector<float> &B,
                          const std::vector<float> &C, int M, int N, int K) {
    int wrong = 0;
    for (int i = 0; i < 1000; ++i) {
        int row = rand() % M, col = rand() % N;
        double sum = 0.0;
        for (int k = 0; k < K; ++k) {
            sum += (double)A[(size_t)row * K + k] * B[(size_t)k * N + col];
        }
        if (C[(size_t)row * N + col] != (float)sum && wrong++ == 0) {
            printf("C[%d][%d] is %g and should be %g\n", row, col, C[(size_t)row * N + col], sum);
        }
    }
    return wrong;
}

int main(int count, char **words) {
    int M = count > 1 ? atoi(words[1]) : 1024;
    int N = count > 3 ? atoi(words[2]) : M;
    int K = count > 3 ? atoi(words[3]) : M;
    if (M < 1 || N < 1 || K < 1) {
        fprintf(stderr, "usage: %s [SIZE | M N K]\n", words[0]);
        return 2;
    }
    std::vector<float> a((size_t)M * K), b((size_t)K * N), c((size_t)M * N);
    for (float &value : a) {
        value = rand() % 9 - 4;
    }
    for (float &value : b) {
        value = rand() % 9 - 4;
    }

    launch_config launch = configured(M, N, K);

    float *A, *B, *C, *workspace = nullptr;
    check(cudaMalloc(&A, a.size() * sizeof(float)), "cudaMalloc");
    check(cudaMalloc(&B, b.size() * sizeof(float)), "cudaMalloc");
    check(cudaMalloc(&C, c.size() * sizeof(float)), "cudaMalloc");
    if (launch.workspace_bytes > 0) {
        check(cudaMalloc(&workspace, launch.workspace_bytes), "cudaMalloc");
    }
    check(cudaMemcpy(A, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemcpy(B, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");

    product(&launch, A, B, C, M, N, K, workspace);  // once, so that everything is loaded
    cudaEvent_t start, stop;
    check(cudaEventCreate(&start), "event");
    check(cudaEventCreate(&stop), "event");
    check(cudaEventRecord(start), "event");
    product(&launch, A, B, C, M, N, K, workspace);
    check(cudaEventRecord(stop), "event");
    check(cudaEventSynchronize(stop), "kernel");
    float ms = 0.0f;
    check(cudaEventElapsedTime(&ms, start, stop), "event");
    check(cudaMemcpy(c.data(), C, c.size() * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");

    int wrong = wrong_elements(a, b, c, M, N, K);
    printf("%d x %d x %d: %.3f ms, %.1f GFLOPS, %s\n", M, N, K, ms, 2e-6 * M * N * K / ms,
           wrong ? "wrong" : "1000 elements checked");
    check(cudaFree(A), "cudaFree");
    check(cudaFree(B), "cudaFree");
    check(cudaFree(C), "cudaFree");
    check(cudaFree(workspace), "cudaFree");
    return wrong ? 1 : 0;
}
