// expect: ended 3  (no mistake of CUDA: the program itself says that its result is wrong)
#include <cstdio>

int main() {
    printf("FAILED\n");
    return 3;
}
