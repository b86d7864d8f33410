// tune JOBS CSV [SECONDS]: times many builds of matrix multiplications, and cuBLAS, on one GPU.
//
// A line of JOBS is `CUBIN KERNEL MxNxK PARTS`, or `- cublas MxNxK 0`.  PARTS 0 takes the launches
// as LAUNCH_CONFIG lists them.  Otherwise the first kernel is launched with PARTS blocks in z, and
// the second, which adds the parts, gets -PARTS for K; with one part there is no second.  Each job
// runs on inputs that no recent launch has touched, so that caches are cold, with C full of NaN
// before; its products are checked in full by random vectors.  CSV gets one line when a job is
// done.  Jobs run in a child process, so a kernel that hangs or crashes loses only its own job.
//
// nvcc -O2 -arch=sm_90 -o tune tune.cu -lcuda -ldl
#include <cuda.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define JOBS_MAX    20000
#define REPEATS_MAX 41
#define POOL_BYTES  (768ull << 20)  // for each of A, B and C: several times any L2 cache
#define WORKSPACE   (128ull << 20)
#define CHECKED_MAX 3    // products of each job that are checked
#define JOB_SECONDS 6.0  // after this, the child counts as hung
#define VECTOR_MAX  (1 << 16)

typedef unsigned long long u64;

struct job {
    char cubin[160], kernel[64];
    int M, N, K, parts;
};

// What parent and child share: the child's progress.
struct progress {
    volatile int next;
    volatile double began;
};

// struct launch_config of matmul.cuh
struct dims {
    unsigned x, y, z;
};
struct step {
    struct dims grid, block;
    u64 shared_bytes, address;
    char kernel[48];
};
struct config {
    struct dims grid, block;
    u64 shared_bytes, workspace_bytes;
    unsigned launch_count, reserved;
    struct step launch[4];
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

// --- On the GPU

static __device__ u64 mixed(u64 z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// Odd 12-bit integers where k carries the wide factor of this matrix, else 1, with random signs:
// sums of products stay far below 2^24, so that any order of adding gives the same bits.
__global__ void fill(float *matrix, int rows, int columns, int by_row, int mine, u64 seed) {
    const u64 count = (u64)rows * columns;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count;
         i += (u64)gridDim.x * blockDim.x) {
        const int k = by_row ? (int)(i / columns) : (int)(i % columns);
        const u64 bits = mixed(seed + i);
        const int wide = (int)(mixed(k + 77) & 1) == mine;
        const int value = wide ? 2049 + (int)(bits & 0x7fe) : 1;
        matrix[i] = (float)(bits >> 40 & 1 ? -value : value);
    }
}

__global__ void vector_make(u64 *x, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        x[i] = mixed(i + 12345);
    }
}

// y = matrix * x, modulo 2^64: a warp for each row.
__global__ void apply(const float *matrix, const u64 *x, u64 *y, int rows, int columns) {
    const int row = blockIdx.x * 8 + threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    u64 sum = 0;
    if (row < rows) {
        for (int k = lane; k < columns; k += 32) {
            const float value = matrix[(u64)row * columns + k];
            sum += isnan(value) ? 0x123456789ull : (u64)(long long)value * x[k];
        }
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    }
    if (row < rows && lane == 0) {
        y[row] = sum;
    }
}

__global__ void differ(const u64 *x, const u64 *y, int count, unsigned *differences) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && x[i] != y[i]) {
        atomicAdd(differences, 1u);
    }
}

// --- The child

struct child {
    FILE *csv;
    CUdeviceptr a, b, c, workspace, config, vectors;
    unsigned *differences;
    void *cublas;
    int (*sgemm)(void *, int, int, int, int, int, const float *, const float *, int, const float *,
                 int, const float *, float *, int);
    u64 turn;
    int sizes[3];
    CUevent start[REPEATS_MAX + 2], end[REPEATS_MAX + 2];
};

static const char *text_of(CUresult result) {
    const char *text = "?";
    cuGetErrorName(result, &text);
    return text;
}

static int by_value(const void *left, const void *right) {
    const float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

static void *library_open(void) {
    const char *names[] = {
        "libcublas.so.13",
        "/usr/local/cuda/lib64/libcublas.so.13",
        "/usr/local/cuda/lib64/libcublas.so",
        "/opt/torch/.venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcublas.so.13",
        "libcublas.so.12",
        "libcublas.so"};
    for (const char *name : names) {
        void *library = dlopen(name, RTLD_NOW);
        if (library) {
            return library;
        }
    }
    return NULL;
}

static void cublas_open(struct child *child) {
    void *library = library_open();
    int (*create)(void **) = library ? (int (*)(void **))dlsym(library, "cublasCreate_v2") : NULL;
    int (*mode)(void *, int) =
        library ? (int (*)(void *, int))dlsym(library, "cublasSetMathMode") : NULL;
    if (!create || create(&child->cublas) != 0) {
        fprintf(stderr, "no cuBLAS: %s\n", dlerror());
        return;
    }
    mode(child->cublas, 0);  // CUBLAS_DEFAULT_MATH: no TF32
    child->sgemm = (decltype(child->sgemm))dlsym(library, "cublasSgemm_v2");
}

static void child_open(struct child *child) {
    CUdevice device;
    CUcontext context;
    CUresult result = cuInit(0);
    result = result ? result : cuDeviceGet(&device, 0);
    result = result ? result : cuDevicePrimaryCtxRetain(&context, device);
    result = result ? result : cuCtxSetCurrent(context);
    result = result ? result : cuMemAlloc(&child->a, POOL_BYTES);
    result = result ? result : cuMemAlloc(&child->b, POOL_BYTES);
    result = result ? result : cuMemAlloc(&child->c, POOL_BYTES);
    result = result ? result : cuMemAlloc(&child->workspace, WORKSPACE);
    result = result ? result : cuMemAlloc(&child->config, 4096);
    result = result ? result : cuMemAlloc(&child->vectors, 4 * VECTOR_MAX * sizeof(u64));
    cudaMalloc(&child->differences, sizeof(unsigned));
    for (int i = 0; i < REPEATS_MAX + 2 && !result; i++) {
        result = cuEventCreate(&child->start[i], 0);
        result = result ? result : cuEventCreate(&child->end[i], 0);
    }
    if (result) {
        fprintf(stderr, "no GPU: %s\n", text_of(result));
        exit(3);
    }
    cublas_open(child);
}

static u64 slot_bytes(u64 elements) {
    return (elements * sizeof(float) + 255) / 256 * 256;
}

static int slots_of(const struct job *job) {
    u64 most = slot_bytes((u64)job->M * job->K);
    const u64 b = slot_bytes((u64)job->K * job->N), c = slot_bytes((u64)job->M * job->N);
    most = b > most ? b : most;
    most = c > most ? c : most;
    const u64 slots = POOL_BYTES / most;
    return (int)(slots > 2048 ? 2048 : slots);
}

// New inputs for each size; the slots of one size serve all its jobs.
static void inputs_make(struct child *child, const struct job *job) {
    if (child->sizes[0] == job->M && child->sizes[1] == job->N && child->sizes[2] == job->K) {
        return;
    }
    const int slots = slots_of(job);
    for (int slot = 0; slot < slots; slot++) {
        fill<<<264, 256>>>((float *)(child->a + slot * slot_bytes((u64)job->M * job->K)), job->M,
                           job->K, 0, 0, 1000000007ull * slot);
        fill<<<264, 256>>>((float *)(child->b + slot * slot_bytes((u64)job->K * job->N)), job->K,
                           job->N, 1, 1, 1000000007ull * slot + 500000003);
    }
    cudaDeviceSynchronize();
    child->sizes[0] = job->M;
    child->sizes[1] = job->N;
    child->sizes[2] = job->K;
}

// The kernels of a job.
struct build {
    CUmodule module;
    CUfunction function[4];
    struct config config;
};

// A kernel of LAUNCH is found by its name and its parameters, with a workspace or without; the
// exercise's own is extern "C".  Source: Itanium C++ ABI, 5.1 "External Names (a.k.a. Mangling)".
static CUresult function_find(CUmodule module, const char *own, const char *name,
                              CUfunction *function) {
    if (name[0] == '\0' || strcmp(name, own) == 0) {
        return cuModuleGetFunction(function, module, own);
    }
    CUresult result = CUDA_ERROR_NOT_FOUND;
    for (const char *parameters : {"PKfS0_PfiiiS1_", "PKfS0_Pfiii"}) {
        char symbol[128];
        snprintf(symbol, sizeof symbol, "_Z%zu%s%s", strlen(name), name, parameters);
        result = cuModuleGetFunction(function, module, symbol);
        if (result != CUDA_ERROR_NOT_FOUND) {
            break;
        }
    }
    return result;
}

static CUresult build_open(struct child *child, const struct job *job, struct build *build) {
    CUfunction configure;
    char name[128];
    int M = job->M, N = job->N, K = job->K;
    void *arguments[] = {&child->config, &M, &N, &K};
    const struct config start = {{0, 1, 1}, {0, 1, 1}};
    CUresult result = cuModuleLoad(&build->module, job->cubin);
    snprintf(name, sizeof name, "%s_launch_config", job->kernel);
    result = result ? result : cuModuleGetFunction(&configure, build->module, name);
    result = result ? result : cuMemcpyHtoD(child->config, &start, sizeof start);
    result = result ? result : cuLaunchKernel(configure, 1, 1, 1, 1, 1, 1, 0, 0, arguments, NULL);
    result = result ? result : cuMemcpyDtoH(&build->config, child->config, sizeof build->config);
    struct config *config = &build->config;
    if (!result && config->launch_count == 0) {
        struct step *step = &config->launch[0];
        step->grid = config->grid;
        step->block = config->block;
        step->shared_bytes = config->shared_bytes;
        snprintf(step->kernel, sizeof step->kernel, "%s", job->kernel);
        config->launch_count = 1;
    }
    for (unsigned i = 0; i < config->launch_count && !result; i++) {
        result = function_find(build->module, job->kernel, config->launch[i].kernel,
                               &build->function[i]);
        if (!result && config->launch[i].shared_bytes > 48 << 10) {
            result = cuFuncSetAttribute(build->function[i],
                                        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                        (int)config->launch[i].shared_bytes);
        }
    }
    if (!result && (config->workspace_bytes > WORKSPACE ||
                    (job->parts > 1 && 4ull * job->parts * job->M * job->N > WORKSPACE))) {
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    return result;
}

static CUresult product(struct child *child, const struct job *job, struct build *build, u64 slot) {
    CUdeviceptr a = child->a + slot * slot_bytes((u64)job->M * job->K);
    CUdeviceptr b = child->b + slot * slot_bytes((u64)job->K * job->N);
    CUdeviceptr c = child->c + slot * slot_bytes((u64)job->M * job->N);
    int M = job->M, N = job->N, K = job->K;
    if (job->cubin[0] == '-') {
        const float one = 1.0f, zero = 0.0f;
        return child->sgemm && child->sgemm(child->cublas, 0, 0, N, M, K, &one, (float *)b, N,
                                            (float *)a, K, &zero, (float *)c, N) == 0
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_NOT_SUPPORTED;
    }
    void *arguments[] = {&a, &b, &c, &M, &N, &K, &child->workspace};
    CUresult result = CUDA_SUCCESS;
    const unsigned count = job->parts == 1 ? 1 : build->config.launch_count;
    for (unsigned i = 0; i < count && !result; i++) {
        struct step *step = &build->config.launch[i];
        if (job->parts > 0 && i == 0) {
            step->grid.z = job->parts;
        } else if (job->parts > 0) {
            K = -job->parts;
        }
        result = cuLaunchKernel(build->function[i], step->grid.x, step->grid.y, step->grid.z,
                                step->block.x, step->block.y, step->block.z,
                                (unsigned)step->shared_bytes, 0, arguments, NULL);
    }
    return result;
}

// How many rows of the product in `slot` are wrong.
static unsigned wrong_rows(struct child *child, const struct job *job, u64 slot) {
    u64 *x = (u64 *)child->vectors, *bx = x + VECTOR_MAX, *abx = bx + VECTOR_MAX,
        *cx = abx + VECTOR_MAX;
    const float *a = (float *)(child->a + slot * slot_bytes((u64)job->M * job->K));
    const float *b = (float *)(child->b + slot * slot_bytes((u64)job->K * job->N));
    const float *c = (float *)(child->c + slot * slot_bytes((u64)job->M * job->N));
    unsigned count = 0;
    cudaMemset(child->differences, 0, sizeof(unsigned));
    vector_make<<<(job->N + 255) / 256, 256>>>(x, job->N);
    apply<<<(job->K + 7) / 8, 256>>>(b, x, bx, job->K, job->N);
    apply<<<(job->M + 7) / 8, 256>>>(a, bx, abx, job->M, job->K);
    apply<<<(job->M + 7) / 8, 256>>>(c, x, cx, job->M, job->N);
    differ<<<(job->M + 255) / 256, 256>>>(abx, cx, job->M, child->differences);
    cudaMemcpy(&count, child->differences, sizeof count, cudaMemcpyDeviceToHost);
    return count;
}

static void job_run(struct child *child, const struct job *job) {
    struct build build = {};
    float ms[REPEATS_MAX] = {};
    int repeats = 0;
    unsigned wrong = 0;
    inputs_make(child, job);
    const u64 slots = (u64)slots_of(job);
    CUresult result = job->cubin[0] == '-' ? CUDA_SUCCESS : build_open(child, job, &build);
    // C is NaN, so that an element that is not written, or is read, shows.
    result = result ? result : cuMemsetD8Async(child->c, 0xff, POOL_BYTES, 0);
    const u64 first = child->turn;
    for (int i = 0; i < 2 && !result; i++) {
        result = cuEventRecord(child->start[i], 0);
        result = result ? result : product(child, job, &build, child->turn++ % slots);
        result = result ? result : cuEventRecord(child->end[i], 0);
    }
    result = result ? result : cuStreamSynchronize(0);
    result = result ? result : cuEventElapsedTime(&ms[0], child->start[1], child->end[1]);
    repeats = ms[0] > 10 ? 7 : ms[0] > 1.5f ? 11 : ms[0] > 0.2f ? 21 : REPEATS_MAX;
    // The queue is kept busy, so that the times do not include the host's latency.
    for (int i = 0; i < 16 && !result; i++) {
        result = cuMemsetD8Async(child->workspace, 0xff, WORKSPACE, 0);
    }
    for (int i = 0; i < repeats && !result; i++) {
        result = cuEventRecord(child->start[i], 0);
        result = result ? result : product(child, job, &build, child->turn++ % slots);
        result = result ? result : cuEventRecord(child->end[i], 0);
    }
    result = result ? result : cuStreamSynchronize(0);
    for (int i = 0; i < repeats && !result; i++) {
        result = cuEventElapsedTime(&ms[i], child->start[i], child->end[i]);
    }
    for (u64 i = 0; i < CHECKED_MAX && !result; i++) {
        wrong += wrong_rows(child, job, (i == 0 ? first : child->turn - i) % slots);
    }
    result = result ? result : (CUresult)cudaDeviceSynchronize();
    qsort(ms, repeats, sizeof *ms, by_value);
    fprintf(child->csv, "%s,%s,%d,%d,%d,%d,%.2f,%.2f,%.2f,%.3f,%s,%u\n", job->cubin, job->kernel,
            job->M, job->N, job->K, job->parts, ms[repeats / 2] * 1e3, ms[0] * 1e3,
            ms[repeats - 1] * 1e3, result ? 0.0 : 2e-9 * job->M * job->N * job->K / ms[repeats / 2],
            result  ? text_of(result)
            : wrong ? "WRONG"
                    : "ok",
            wrong);
    fflush(child->csv);
    if (build.module) {
        cuModuleUnload(build.module);
    }
    if (result && cuCtxSynchronize() != CUDA_SUCCESS) {
        _exit(1);  // the context is lost: a new child continues after this job
    }
}

static void child_run(const struct job *jobs, int count, struct progress *progress, const char *csv,
                      double until) {
    static struct child child;
    child.csv = fopen(csv, "a");
    child_open(&child);
    while (progress->next < count && now() < until) {
        const int mine = progress->next;
        progress->began = now();
        progress->next = mine + 1;
        job_run(&child, &jobs[mine]);
    }
    _exit(0);
}

// --- The parent

static int jobs_read(const char *path, struct job *jobs) {
    FILE *file = fopen(path, "r");
    int count = 0;
    while (file && count < JOBS_MAX &&
           fscanf(file, "%159s %63s %dx%dx%d %d", jobs[count].cubin, jobs[count].kernel,
                  &jobs[count].M, &jobs[count].N, &jobs[count].K, &jobs[count].parts) == 6) {
        count++;
    }
    return count;
}

int main(int argc, char **argv) {
    static struct job jobs[JOBS_MAX];
    struct progress *progress = (struct progress *)mmap(
        NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const int count = argc > 2 ? jobs_read(argv[1], jobs) : 0;
    const double until = now() + (argc > 3 ? atof(argv[3]) : 1e9);
    if (count == 0) {
        fprintf(stderr, "usage: tune JOBS CSV [SECONDS]\n");
        return 2;
    }
    int starts = 0;
    while (progress->next < count && now() < until && starts++ < 40) {
        progress->began = now() + 10;  // opening the GPU takes its time
        const pid_t pid = fork();
        if (pid == 0) {
            child_run(jobs, count, progress, argv[2], until);
        }
        int status = 0;
        while (waitpid(pid, &status, WNOHANG) == 0) {
            usleep(20000);
            if (now() > progress->began + JOB_SECONDS || now() > until + 4) {
                fprintf(stderr, "killed in job %d\n", progress->next);
                kill(pid, SIGKILL);
                waitpid(pid, &status, 0);
                break;
            }
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 3) {
            return 3;
        }
    }
    printf("%d of %d jobs, %d children\n", progress->next, count, starts);
    return 0;
}
