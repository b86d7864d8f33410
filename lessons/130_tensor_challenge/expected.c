void tensor_challenge(const number *A, const number *B, number *C, int M, int N, int K) {
    EACH(i, M * N) {
        const int row = i / N;
        const int col = i % N;
        number sum = 0;
        for (int k = 0; k < K; ++k) {
            sum += A[row * K + k] * B[k * N + col];
        }
        C[i] = sum;
    }
}
