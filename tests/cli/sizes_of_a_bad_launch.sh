block_is() {
    sed "s|launch->block = .*|$1|" reference/sum.cu > student/sum.cu
    tilegrade test --exercise sum
}
block_is "launch->block = dim3(64, 64);"
block_is "launch->block = dim3(M / 8, 8);"
block_is "launch->block = dim3(0, 0, 0);"
block_is "launch->block.x = 8, launch->block.y = 8;"
block_is ""
sed "/launch->grid = /d" reference/sum.cu > student/sum.cu
tilegrade test --exercise sum
