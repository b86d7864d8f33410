// What the worker of a timed launch runs on the GPU besides the student's kernel: makes the exact
// inputs of a key, and later checks that memory is unchanged.
//
// The host makes the same numbers by base/exact_inputs.c and base/random.h; a difference between
// the two would show as a wrong product in every timed launch.  The unit tests compile this file
// as C, so it keeps to what C and CUDA C++ share.

typedef unsigned long long inputs_word;

// SplitMix64's finaliser over key and index: random_at of base/random.h.
static __device__ inputs_word inputs_random(inputs_word key0, inputs_word key1, inputs_word index) {
    inputs_word z = key0 + (index + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z = (z ^ (z >> 31)) ^ key1;
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93ULL;
    return z ^ (z >> 32);
}

// An odd 12-bit integer, or one of 11 bits if the key says so, or 1, with a sign: signed_integer
// of base/exact_inputs.c.
static __device__ float inputs_element(unsigned bits, int wide, inputs_word key1) {
    int narrow = key1 >> 32 == 0x4e617277u;  // EXACT_NARROW
    int big = narrow ? 1025 + (int)(bits & 0x3feu) : 2049 + (int)(bits & 0x7feu);
    int magnitude = wide ? big : 1;
    return (float)((bits >> 15 & 1u) != 0 ? -magnitude : magnitude);
}

// One matrix of exact inputs: each number of the sequence gives four elements of a row.  role says
// for each k which matrix carries the wide factor; k is the column of A (by_row 0) and the row of B
// (by_row 1), and `mine` is the role of this matrix.
struct inputs_matrix {
    float *elements;  // [rows][columns]
    const unsigned char *role;
    inputs_word key0, key1, stream;
    int rows, columns, by_row, mine;
};

static __device__ inputs_word inputs_word_count(struct inputs_matrix m) {
    return (inputs_word)m.rows * (inputs_word)((m.columns + 3) / 4);
}

#ifdef __cplusplus
extern "C" {
#endif

__global__ void inputs_make(struct inputs_matrix m) {
    inputs_word words = (inputs_word)((m.columns + 3) / 4);
    inputs_word step = (inputs_word)gridDim.x * blockDim.x;
    for (inputs_word w = (inputs_word)blockIdx.x * blockDim.x + threadIdx.x;
         w < inputs_word_count(m); w += step) {
        inputs_word bits = inputs_random(m.key0, m.key1, m.stream + w);
        int row = (int)(w / words);
        int first = (int)(w % words) * 4;
        float *at = m.elements + (inputs_word)row * (inputs_word)m.columns;
        for (int i = 0; i < 4 && first + i < m.columns; ++i) {
            int k = m.by_row ? row : first + i;
            int wide = m.role[k] == m.mine;
            at[first + i] = inputs_element((unsigned)(bits >> 16 * i) & 0xffffu, wide, m.key1);
        }
    }
}

// Adds to *differences how many elements are not, bit for bit, what inputs_make wrote.
__global__ void inputs_compare(struct inputs_matrix m, unsigned *differences) {
    inputs_word words = (inputs_word)((m.columns + 3) / 4);
    inputs_word step = (inputs_word)gridDim.x * blockDim.x;
    unsigned count = 0;
    for (inputs_word w = (inputs_word)blockIdx.x * blockDim.x + threadIdx.x;
         w < inputs_word_count(m); w += step) {
        inputs_word bits = inputs_random(m.key0, m.key1, m.stream + w);
        int row = (int)(w / words);
        int first = (int)(w % words) * 4;
        const float *at = m.elements + (inputs_word)row * (inputs_word)m.columns;
        for (int i = 0; i < 4 && first + i < m.columns; ++i) {
            int k = m.by_row ? row : first + i;
            float want = inputs_element((unsigned)(bits >> 16 * i) & 0xffffu,
                                        m.role[k] == m.mine, m.key1);
            // No exact input is 0 or NaN, so that equal numbers have equal bits.
            count += !(at[first + i] == want);
        }
    }
    if (count != 0) {
        atomicAdd(differences, count);
    }
}

// Adds to *differences how many words differ from the pattern.
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
