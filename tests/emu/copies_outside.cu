// A struct from a call stored past the end of an array, and one loaded for a call.
// launch: 8x8x8
// expect: out_of_bounds C @store
// expect: out_of_bounds C @store
// expect: out_of_bounds cells @load
// expect: out_of_bounds cells @load
#include "matmul.cuh"

struct Cell {
    float x, y, z;
};

__device__ Cell cell(int x)
{
    return Cell{(float)x, 0.0f, 0.0f};
}
__device__ float sum(Cell cell)
{
    return cell.x + cell.y + cell.z;
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Cell cells[4];
    Cell *out = (Cell *)C, *begin = cells;
    for (int i = 0; i < 4; i++) {
        begin[i] = cell(i);
    }
    // 64 floats are 21 cells, and a third of one.
    out[20] = cell(1);
    out[21] = cell(1);  //@store
    __syncthreads();
    C[0] = sum(begin[3]);
    C[0] = sum(begin[4]);  //@load
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
