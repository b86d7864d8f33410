// expect: needs_gpu 8
// A mistake in a call of a graph would come first: graph_with_a_mistake.cu.
#include <cuda_runtime.h>

int main() {
    cudaGraph_t graph;
    int nodes = 1;
    cudaGraphCreate(&graph, 0);
    return nodes - 1;
}
