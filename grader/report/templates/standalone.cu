// A whole program around $file, written by `make pack standalone`.
//
//     nvcc -O3 -arch=native -o program THIS_FILE && ./program 1000
//
// The sizes are $sizes; one number is taken for all of them.
#include <algorithm>
$headers#include <cuda_runtime.h>
#include <stdint.h>
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
#define LAUNCH_CONFIG(kernel, $sizes) \
    static __global__ void kernel##_launch_config(launch_config *launch, $int_sizes)

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
static launch_config configured($int_sizes) {
    launch_config launch;
    memset((void *)&launch, 0, sizeof launch);
    launch.grid = launch.block = dim3(0, 1, 1);
    launch_config *there;
    check(cudaMalloc(&there, sizeof launch), "cudaMalloc");
    check(cudaMemcpy(there, &launch, sizeof launch, cudaMemcpyHostToDevice), "cudaMemcpy");
    ${name}_launch_config<<<1, 1>>>(there, $sizes);
    check(cudaMemcpy(&launch, there, sizeof launch, cudaMemcpyDeviceToHost), "LAUNCH_CONFIG");
    check(cudaFree(there), "cudaFree");
    return launch;
}

// Launches the kernels of the file, one after the other.
static void run(launch_config *launch, $parameters, void *workspace) {
    if (launch->launch_count == 0) {
        $name<<<launch->grid, launch->block, launch->shared_bytes>>>($arguments);
    }
    for (int i = 0; i < launch->launch_count && i < LAUNCHES_MAX; ++i) {
        launch_step *step = &launch->launch[i];
        void *arguments[] = {$pointers, &workspace};  // the last one only if taken
        check(cudaLaunchKernel(kernel_find(step->kernel), step->grid, step->block, arguments,
                               step->shared_bytes, nullptr),
              step->kernel);
    }
    check(cudaGetLastError(), "launch");
}

template <typename Element>
static Element *to_device(const std::vector<Element> &host) {
    Element *there;
    check(cudaMalloc(&there, host.size() * sizeof(Element)), "cudaMalloc");
    check(cudaMemcpy(there, host.data(), host.size() * sizeof(Element), cudaMemcpyHostToDevice),
          "cudaMemcpy");
    return there;
}
$check
int main(int count, char **words) {
    int size[$rank];
    for (int i = 0; i < $rank; ++i) {
        size[i] = count > $rank ? atoi(words[1 + i]) : count > 1 ? atoi(words[1]) : 1024;
        if (size[i] < 1) {
            fprintf(stderr, "usage: %s [SIZE | $sizes]\n", words[0]);
            return 2;
        }
    }
    const int $size_values;
$arrays

    launch_config launch = configured($sizes);
    char *workspace = nullptr;
    if (launch.workspace_bytes > 0) {
        check(cudaMalloc(&workspace, launch.workspace_bytes), "cudaMalloc");
    }
    run(&launch, $arguments, workspace);  // once, so that everything is loaded
    cudaEvent_t start, stop;
    check(cudaEventCreate(&start), "event");
    check(cudaEventCreate(&stop), "event");
    check(cudaEventRecord(start), "event");
    run(&launch, $arguments, workspace);
    check(cudaEventRecord(stop), "event");
    check(cudaEventSynchronize(stop), "kernel");
    float ms = 0.0f;
    check(cudaEventElapsedTime(&ms, start, stop), "event");
    printf("%.3f ms\n", ms);
$results
}
