sed -e 's/#include "matmul.cuh"/&\n#include <stdio.h>/' \
    -e 's/    if (row < M/    if (row + col == 0) { printf("M is %d\\n", M); }\n&/' \
    reference/sum.cu > student/sum.cu
tilegrade test --exercise sum --size 2x3x4
tilegrade grade --seed 1 --device emu > grade.log
tr -d ' ' < build/grade/result.json | grep '^"output"'
