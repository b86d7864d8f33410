#include "../reference/sum.cu"
