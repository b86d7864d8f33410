// expect: pass  (a class template with its own buffers, tile sizes as parameters)
#include "matmul.cuh"

template <int BM, int BN, int BK, int TM, int TN> class Product {
  public:
    struct Buffers {
        float a[BK][BM + 1];
        float b[BK][BN];
    };
    static constexpr int THREADS = BM / TM * (BN / TN);

    __device__ Product(Buffers &buffers, int row0, int col0) : s(buffers), row0(row0), col0(col0) {
    }

    __device__ void load(const float *A, const float *B, int M, int N, int K, int k0) {
        for (int i = threadIdx.x; i < BM * BK; i += THREADS) {
            const int r = i / BK, k = i % BK;
            s.a[k][r] = row0 + r < M && k0 + k < K ? A[(row0 + r) * K + k0 + k] : 0.0f;
        }
        for (int i = threadIdx.x; i < BK * BN; i += THREADS) {
            const int k = i / BN, c = i % BN;
            s.b[k][c] = k0 + k < K && col0 + c < N ? B[(k0 + k) * N + col0 + c] : 0.0f;
        }
    }

    __device__ void multiply() {
        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < TM; ++i) {
                for (int j = 0; j < TN; ++j) {
                    acc[i][j] += s.a[k][my_row() + i] * s.b[k][my_col() + j];
                }
            }
        }
    }

    __device__ void store(float *C, int M, int N) const {
        for (int e = 0; e < TM * TN; ++e) {
            const int r = row0 + my_row() + e / TN, c = col0 + my_col() + e % TN;
            if (r < M && c < N) {
                C[r * N + c] = acc[e / TN][e % TN];
            }
        }
    }

  private:
    __device__ int my_row() const {
        return threadIdx.x / (BN / TN) * TM;
    }
    __device__ int my_col() const {
        return threadIdx.x % (BN / TN) * TN;
    }

    Buffers &s;
    const int row0, col0;
    float acc[TM][TN] = {};
};

__global__ void matmul_register_tiled(const float *A, const float *B, float *C, int M, int N,
                                      int K) {
    using Work = Product<32, 64, 8, 4, 4>;
    __shared__ typename Work::Buffers buffers;
    Work work(buffers, blockIdx.y * 32, blockIdx.x * 64);
    for (int k0 = 0; k0 < K; k0 += 8) {
        work.load(A, B, M, N, K, k0);
        __syncthreads();
        work.multiply();
        __syncthreads();
    }
    work.store(C, M, N);
}

LAUNCH_CONFIG(matmul_register_tiled, M, N, K) {
    launch->block = dim3(Product<32, 64, 8, 4, 4>::THREADS);
    launch->grid = dim3(ceil_div(N, 64), ceil_div(M, 32));
}
