// expect: build_error 9
#include <cuda_runtime.h>

int main() {
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaKernelNodeParams parameters = {};
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&node, graph, &parameters);
    return 0;
}
