// expect: needs_gpu 2
#include <thrust/device_vector.h>

int main() {
    thrust::device_vector<int> values(4);
    return (int)values.size() - 4;
}
