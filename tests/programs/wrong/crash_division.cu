// expect: host_crash 6  (the program has no arguments)
#include <cstdio>

int main(int count, char **) {
    int parts = count - 1;
    int size = 1000 / parts;
    printf("%d\n", size);
    return 0;
}
