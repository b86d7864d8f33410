# A kernel that runs here, with a reference that does not: it is graded, its speed stays open with
# its points in the maximum, and regrade agrees.
grep -v @ reference/sum.cu >student/sum.cu
sed -i 's/#include "matmul.cuh"/&\n#include <cuda_fp8.h>/' reference/sum.cu
tilegrade grade --device emu --seed 1
echo "exit code $?"
grep -E '"(complete|speed_complete|points|points_max)"' build/grade/result.json
tilegrade regrade
