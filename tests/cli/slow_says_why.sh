sed -e 's/row = blockIdx.y \* blockDim.y + threadIdx.y/r = blockIdx.y * blockDim.y + threadIdx.y/' \
    -e 's/col = blockIdx.x \* blockDim.x + threadIdx.x/row = blockIdx.x * blockDim.x + threadIdx.x, col = r/' \
    -e 's/ceil_div(N, 8), ceil_div(M, 8)/ceil_div(M, 8), ceil_div(N, 8)/' reference/sum.cu > student/sum.cu
tilegrade grade --seed 1 --device emu
