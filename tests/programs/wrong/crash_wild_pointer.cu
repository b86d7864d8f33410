// expect: host_crash 6  (the row is computed from a number of the file, not of the table)
#include <cstdio>
#include <cstdlib>

static int pick(const int *table, long row) {
    return table[row * 1000000000];
}

int main() {
    int *table = (int *)calloc(16, sizeof(int));
    printf("%d\n", pick(table, 77));
    free(table);
    return 0;
}
