// expect: host_index 8  (the loop runs to n, not to n - 1)
#include <cstdio>

int main() {
    const int n = 16;
    int x[n];
    for (int i = 0; i <= n; i++) {
        x[i] = i;
    }
    printf("%d\n", x[3]);
    return 0;
}
