// prints: 0 1 2 3
// Pointers to managed memory are valid on both sides, also inside managed memory.
#include <cstdio>

struct node {
    int value;
    node *next;
};

__global__ void number(node *list) {
    int i = 0;
    for (node *at = list; at != nullptr; at = at->next) {
        at->value = i++;
    }
}

int main() {
    node *list = nullptr;
    for (int i = 0; i < 4; i++) {
        node *made;
        cudaMallocManaged(&made, sizeof(node));
        made->next = list;
        list = made;
    }
    number<<<1, 1>>>(list);
    cudaDeviceSynchronize();
    while (list != nullptr) {
        node *next = list->next;
        printf(next ? "%d " : "%d\n", list->value);
        cudaFree(list);
        list = next;
    }
    return 0;
}
