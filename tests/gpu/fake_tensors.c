// Products and tensor maps of the fake driver; part of fake_cuda.c.
#ifdef FAKE_BF16
typedef uint16_t fake_element;  // of A and B

static float fake_value(fake_element bits) {
    uint32_t word = (uint32_t)bits << 16;
    float value = 0.0f;
    memcpy(&value, &word, sizeof value);
    return value;
}
#else
#ifdef FAKE_HALF
typedef _Float16 fake_element;
#else
typedef float fake_element;
#endif

static float fake_value(fake_element value) {
    return (float)value;
}
#endif

static void product(const struct parameters *p) {
    const fake_element *a = ADDRESS(fake_element, p->a);
    const fake_element *b = ADDRESS(fake_element, p->b);
    for (int row = 0; row < p->m; row++) {
        for (int column = 0; column < p->n; column++) {
            float sum = 0.0f;
            for (int k = 0; k < p->k; k++) {
                sum += fake_value(a[(size_t)row * (size_t)p->k + (size_t)k]) *
                       fake_value(b[(size_t)k * (size_t)p->n + (size_t)column]);
            }
            ADDRESS(float, p->c)[(size_t)row * (size_t)p->n + (size_t)column] = sum;
        }
    }
}

// A map that holds its address and its first box.
FAKE(cuTensorMapEncodeTiled,
     (void *map, int type, uint32_t rank, void *address, const uint64_t *size,
      const uint64_t *stride, const uint32_t *box, const uint32_t *step, int interleave,
      int swizzle, int l2_promotion, int fill)) {
    bool is_right = (uintptr_t)map % 64 == 0 && type == 7 && rank == 2 && size[1] > 0 &&
                    stride[0] % 16 == 0 && step[0] == 1 && interleave == 0 && swizzle == 3 &&
                    l2_promotion == 3 && fill == 0;
    memcpy(map, &address, sizeof address);
    memcpy((char *)map + 8, box, sizeof *box);
    return is_right ? (int)option("tensor_encode", 0) : CUDA_RESULT_INVALID_VALUE;
}
// cuFuncGetParamInfo of kernels of products, for a driver that has it; maps are where a Hopper card
// has them.
int fake_parameter(cuda_function_handle function, size_t index, size_t *offset, size_t *bytes);
int fake_parameter(cuda_function_handle function, size_t index, size_t *offset, size_t *bytes) {
    static const size_t of_config[] = {0, 8, 12, 16, 20};
    static const size_t of_kernel[] = {0, 8, 16, 24, 28, 32, 40, 48, 48 + 16 * 128};
    bool config = (uintptr_t)function == FUNCTION_CONFIG;
    const size_t *offsets = config ? of_config : of_kernel;
    size_t count = config                                                             ? 4
                   : (uintptr_t)function == FUNCTION_KERNEL                           ? 6
                   : (uintptr_t)function == FUNCTION_SUM && option("tensor", -1) >= 0 ? 8
                                                                                      : 7;
    if (index >= count) {
        return CUDA_RESULT_INVALID_VALUE;
    }
    *offset = offsets[index];
    *bytes = index == 5 && !config ? 4 : offsets[index + 1] - offsets[index];
    return 0;
}
// maps.at[2] as launch_tensor describes it: one row of four floats, after the first such row.
static void tensor_list(uint32_t *config, long parameter) {
    struct plan_tensor *tensor = (struct plan_tensor *)(config + 108) + 2;
    *tensor = (struct plan_tensor){.parameter = (uint32_t)parameter,
                                   .type = 7,
                                   .rank = 2,
                                   .swizzle = (uint32_t)option("tensor_swizzle", 128),
                                   .offset = 16,
                                   .size = {4, (uint64_t)option("tensor_height", 1)},
                                   .stride = {16},
                                   .box = {8, 1}};
}

// What sum_parts is called with: A, B, C, M, N, K, the workspace and maps.
static bool tensors_are_right(uintptr_t function, const unsigned char *parameters, uint64_t bytes) {
    struct parameters p;
    long which = option("tensor", -1);
    memcpy(&p, parameters, 48);
    uint64_t address = (which == 0 ? p.a : which == 1 ? p.b : p.workspace) + 16;
    const unsigned char *map = parameters + 48 + 2 * 128;
    return which >= 0 && function == FUNCTION_SUM && bytes == 48 + 16 * 128 &&
           memcmp(map, &address, sizeof address) == 0 && map[8] == 8;
}
