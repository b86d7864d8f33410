void tensor_pipeline(const number *A, const number *B, number *C, int M, int N, int K) {
    EACH(i, M) {
        EACH(j, N) {
            number sum = 0;
            for (int k = 0; k < K; ++k) {
                sum += A[i * K + k] * B[k * N + j];
            }
            C[i * N + j] = sum;
        }
    }
}
