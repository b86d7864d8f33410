// Kernels that the worker of a timed launch runs in addition to the student's kernel: they make the
// inputs of a key, exact or real, and later check that memory is unchanged.
//
// The host makes the same numbers: for a product by base/random.c and base/random.h, for any other
// kernel by device/channel/array_fill.h, whose text is compiled before this one.  A difference
// between the two would show as a wrong result in every timed launch.  The unit tests compile this
// file as C, so it uses only the common subset of C and CUDA C++.

typedef draw_word inputs_word;

// An odd integer of 12 bits (11 if the key requires it), or 1, with a sign: signed_integer
// of base/random.c.
static __device__ float inputs_element(unsigned bits, int wide, inputs_word key1) {
    int narrow = key1 >> 32 == 0x4e617277u;  // EXACT_NARROW
    int big = narrow ? 1025 + (int)(bits & 0x3feu) : 2049 + (int)(bits & 0x7feu);
    int magnitude = wide ? big : 1;
    return (float)((bits >> 15 & 1u) != 0 ? -magnitude : magnitude);
}

// An odd multiple of 2^-24 in (-1, 1): uniform of judge/model/inputs.c.
static __device__ float inputs_uniform(unsigned bits) {
    int odd = (int)(bits >> 8) * 2 + 1 - (1 << 24);
    return (float)odd * 5.9604644775390625e-8f;
}

// One matrix.  Exact: each number of the sequence gives four elements of a row; role says for each
// k which matrix carries the wide factor; k is the column of A (by_row 0) and the row of B (by_row
// 1), and `mine` is the role of this matrix.  Real: each number gives two elements, in row-major
// order.
struct inputs_matrix {
    float *elements;  // [rows][columns]
    const unsigned char *role;
    inputs_word key0, key1, stream;
    int rows, columns, by_row, mine, real;
};

#define INPUTS_OF_A_WORD 4  // elements, at most

static __device__ inputs_word inputs_word_count(struct inputs_matrix m) {
    inputs_word elements = (inputs_word)m.rows * (inputs_word)m.columns;
    return m.real ? (elements + 1) / 2
                  : (inputs_word)m.rows * (inputs_word)((m.columns + 3) / 4);
}

// Element i of number w of the sequence: its place in the matrix, and its value.  False if there is
// none.
static __device__ int inputs_find(struct inputs_matrix m, inputs_word w, inputs_word bits, int i,
                                  inputs_word *place, float *value) {
    if (m.real) {
        *place = 2 * w + (inputs_word)i;
        *value = inputs_uniform((unsigned)(bits >> (i & 1) * 32));
        return i < 2 && *place < (inputs_word)m.rows * (inputs_word)m.columns;
    }
    inputs_word words = (inputs_word)((m.columns + 3) / 4);
    int row = (int)(w / words);
    int column = (int)(w % words) * 4 + i;
    if (column >= m.columns) {
        return 0;
    }
    *place = (inputs_word)row * (inputs_word)m.columns + (inputs_word)column;
    *value = inputs_element((unsigned)(bits >> 16 * i) & 0xffffu,
                            m.role[m.by_row ? row : column] == m.mine, m.key1);
    return 1;
}

#ifdef __cplusplus
extern "C" {
#endif

__global__ void inputs_make(struct inputs_matrix m) {
    inputs_word step = (inputs_word)gridDim.x * blockDim.x;
    for (inputs_word w = (inputs_word)blockIdx.x * blockDim.x + threadIdx.x;
         w < inputs_word_count(m); w += step) {
        inputs_word bits = draw_random(m.key0, m.key1, m.stream + w);
        for (int i = 0; i < INPUTS_OF_A_WORD; ++i) {
            inputs_word place = 0;
            float value = 0.0f;
            if (inputs_find(m, w, bits, i, &place, &value)) {
                m.elements[place] = value;
            }
        }
    }
}

// Adds to *differences the number of elements that differ in any bit from the output of
// inputs_make.
__global__ void inputs_compare(struct inputs_matrix m, unsigned *differences) {
    inputs_word step = (inputs_word)gridDim.x * blockDim.x;
    unsigned count = 0;
    for (inputs_word w = (inputs_word)blockIdx.x * blockDim.x + threadIdx.x;
         w < inputs_word_count(m); w += step) {
        inputs_word bits = draw_random(m.key0, m.key1, m.stream + w);
        for (int i = 0; i < INPUTS_OF_A_WORD; ++i) {
            inputs_word place = 0;
            float want = 0.0f;
            if (inputs_find(m, w, bits, i, &place, &want)) {
                // No input is 0 or NaN, so that equal numbers have equal bits.
                count += !(m.elements[place] == want);
            }
        }
    }
    if (count != 0) {
        atomicAdd(differences, count);
    }
}

// One array of a kernel that is not a matmul.
struct inputs_array {
    unsigned char *values;
    inputs_word key0, key1;
    struct draw_spec spec;
};

__global__ void array_make(struct inputs_array a) {
    inputs_word step = (inputs_word)gridDim.x * blockDim.x;
    for (inputs_word i = (inputs_word)blockIdx.x * blockDim.x + threadIdx.x; i < a.spec.elements;
         i += step) {
        inputs_word bits = draw_element(&a.spec, a.key0, a.key1, i);
        switch (a.spec.one_bytes) {
        case 1:
            a.values[i] = (unsigned char)bits;
            break;
        case 2:
            ((unsigned short *)a.values)[i] = (unsigned short)bits;
            break;
        case 4:
            ((unsigned *)a.values)[i] = (unsigned)bits;
            break;
        default:
            ((inputs_word *)a.values)[i] = bits;
        }
    }
}

// Adds to *differences the number of elements that differ in any bit from the output of array_make.
__global__ void array_compare(struct inputs_array a, unsigned *differences) {
    inputs_word step = (inputs_word)gridDim.x * blockDim.x;
    unsigned count = 0;
    for (inputs_word i = (inputs_word)blockIdx.x * blockDim.x + threadIdx.x; i < a.spec.elements;
         i += step) {
        inputs_word want = draw_element(&a.spec, a.key0, a.key1, i);
        switch (a.spec.one_bytes) {
        case 1:
            count += a.values[i] != (unsigned char)want;
            break;
        case 2:
            count += ((unsigned short *)a.values)[i] != (unsigned short)want;
            break;
        case 4:
            count += ((unsigned *)a.values)[i] != (unsigned)want;
            break;
        default:
            count += ((inputs_word *)a.values)[i] != want;
        }
    }
    if (count != 0) {
        atomicAdd(differences, count);
    }
}

// Adds to *differences the number of words that differ from the pattern.
__global__ void words_compare(const unsigned *words, inputs_word word_count, unsigned pattern,
                              unsigned *differences) {
    inputs_word step = (inputs_word)gridDim.x * blockDim.x;
    unsigned count = 0;
    for (inputs_word w = (inputs_word)blockIdx.x * blockDim.x + threadIdx.x; w < word_count;
         w += step) {
        count += words[w] != pattern;
    }
    if (count != 0) {
        atomicAdd(differences, count);
    }
}

#ifdef __cplusplus
}
#endif
