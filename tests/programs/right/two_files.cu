// files: parts/count_kernel.cu
// prints: 96
#include <cstdio>

#include "parts/count_kernel.h"

int main() {
    printf("%d\n", count_threads(3, 32));
    return 0;
}
