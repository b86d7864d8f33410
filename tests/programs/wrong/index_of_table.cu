// expect: host_index 7  (a digit of 10 is one too many)
#include <cstdio>

static const int powers[10] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};

static int power(int digit) {
    return powers[digit];
}

int main(int count, char **) {
    printf("%d\n", power(count + 9));
    return 0;
}
