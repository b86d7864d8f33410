# A lock, or tickets, without a fence: the fence is missing, not an atomic addition. A counter that
# nobody asks is no lock.
judge() { # NAME LANGUAGE
    tilegrade --root "$REPOSITORY" test --exercise reduction --submission "$1" --out "$1" \
        --language "$2" --device emu | sed -n '/^  where/q; /^  位置/q; s/^  //; 2,$p'
}
mkdir lock
cat >lock/reduction.cu <<'EOF'
#include "kernel.cuh"

__global__ void clear(const float *x, float *y, int N, float *workspace)
{
    y[0] = 0.0f;
    workspace[0] = 0.0f;
}

__global__ void reduction(const float *x, float *y, int N, float *workspace)
{
    __shared__ float total;
    int *lock = (int *)workspace;
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x == 0) {
        total = 0.0f;
    }
    __syncthreads();
    if (i < N) {
        atomicAdd(&total, x[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        y[0] += total;
        atomicExch(lock, 0);
    }
}

LAUNCH_CONFIG(reduction, N)
{
    launch->workspace_bytes = 4;
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(reduction, dim3(ceil_div(N, 64)), dim3(64));
}
EOF
change() { # NAME FROM: by the script
    mkdir "$1"
    sed "$3" "$2/reduction.cu" >"$1/reduction.cu"
}
change one_fence lock 's/^        atomicExch/        __threadfence();  \/\/ the sum first\n&/'
change two_fences one_fence 's/^        y\[0\]/        __threadfence();  \/\/ the lock first\n&/'
change counter lock '
    s/while (atomicCAS(lock, 0, 1) != 0) {/if (atomicAdd(lock, 1) < 0) {/
    /atomicExch/d'
for name in lock one_fence two_fences counter; do
    echo "$name"
    judge "$name" en
done
judge lock zh
