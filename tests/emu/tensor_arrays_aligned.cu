// What aligns a box: its declaration, its type, a place in a struct, or arithmetic on its address.
// launch: 16x16x16
#include "matmul.cuh"
#include "ptx.cuh"

struct __align__(128) box {
    float at[128];
};

struct both {
    char flags[128];
    struct box box;
};

__device__ void copy_one(float *box, const tensor_map *map, unsigned long long *full, int parity)
{
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(full, 512);
        ptx::cp_async_bulk_tensor_2d_shared_global(box, map, 0, 0, full);
    }
    while (!ptx::mbarrier_try_wait_parity(full, parity)) {
    }
    __syncthreads();
}

__global__ void copy(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace, const __grid_constant__ tensor_maps maps)
{
    __shared__ __align__(128) float stated[128];
    __shared__ struct box typed;
    __shared__ struct both member;
    __shared__ float unstated[128 + 31];
    __shared__ unsigned long long full;
    extern __shared__ char dynamic[];
    char *rounded = (char *)((unsigned long long)dynamic + 1023 & ~1023ull);
    float *raised = unstated;
    while ((unsigned long long)raised % 128 != 0) {
        raised++;
    }
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    copy_one(stated, &maps.at[0], &full, 0);
    copy_one(typed.at, &maps.at[0], &full, 1);
    copy_one(member.box.at, &maps.at[0], &full, 0);
    copy_one((float *)rounded, &maps.at[0], &full, 1);
    copy_one(raised, &maps.at[0], &full, 0);
    C[threadIdx.x] = stated[threadIdx.x] + typed.at[threadIdx.x] + member.box.at[threadIdx.x] +
                     ((float *)rounded)[threadIdx.x] + raised[threadIdx.x];
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch_tensor(launch, 0, 0, TENSOR_FP32, M, K, K, 8, 16, 0);
    LAUNCH(copy, dim3(1), dim3(64), 512 + 1023);
}
