// What the tensor cores of a card made of the cases of tensor_cases.h, by tensor_values.cu:
// NVIDIA H200, driver 580.159.04, CUDA 13.0, 2026-11-23.
// clang-format off
#ifndef TESTS_GPU_TENSOR_H200_H
#define TESTS_GPU_TENSOR_H200_H

// X(number of the case, hash of the bits of all its products)
#define TENSOR_VALUES(X) \
    X(0, 0x29c2a8548a235d3bull) \
    X(1, 0x37457d55b9f2416eull) \
    X(2, 0x7eaad16755d8a3d1ull) \
    X(3, 0xa1ed3bde7a028c12ull) \
    X(4, 0xfa197de49ddade71ull) \
    X(5, 0x7f78d7ef46008b06ull) \
    X(6, 0x4e1a21180446ad37ull) \
    X(7, 0xcaf08137095e44d3ull) \
    X(8, 0x2a91ed1b8fe25aa6ull) \
    X(9, 0x3eef560585605414ull) \
    X(10, 0xefa35d02877bce5bull) \
    X(11, 0xb1e5285396f76c30ull) \
    X(12, 0x630cca6a43852df5ull) \
    X(13, 0x69fae09cf1ea6b73ull) \
    X(14, 0x9dce6567a1a90aa7ull) \
    X(15, 0x5089b6f8abc01539ull) \
    X(16, 0x200ba7d504fdbbbeull) \
    X(17, 0xdd71b9a5392ff287ull) \
    X(18, 0x60bf94c8bc210102ull) \
    X(19, 0x4fb698def709a071ull) \
    X(20, 0x254cec2ae32e6d67ull) \
    X(21, 0xcf355476b0b5a33cull) \
    X(22, 0x5eca704197a4a2a3ull) \
    X(23, 0x26a6754bb6c6925aull) \
    X(24, 0xb5a92815db23c522ull) \
    X(25, 0xf3e7a0b885c67b1dull) \
    X(26, 0xaafa5bc931c422a6ull) \
    X(27, 0xefca6df93490b2f8ull) \
    X(28, 0xdc0a4a6c63e1339eull) \
    X(29, 0xeeba73eca4edbbd0ull) \
    X(30, 0xf358b4621fe043f7ull) \
    X(31, 0xf4fb39044919c667ull) \
    X(32, 0x42891be20059610eull) \
    X(33, 0x55187784262d7a9eull)

// X(use, type, M, N, K, hash of row * 64 + column of the elements of all lanes)
#define TENSOR_PLACES(X) \
    X(0, 0, 16, 16, 16, 0xb2c051dac1446b25ull) \
    X(1, 0, 16, 16, 16, 0xa8c8334afb72eb25ull) \
    X(0, 0, 32, 8, 16, 0x17bf24eb88db9ba5ull) \
    X(1, 0, 32, 8, 16, 0x5c4dc82e9ffb6525ull) \
    X(0, 0, 8, 32, 16, 0xe7a87b5d250f3d25ull) \
    X(1, 0, 8, 32, 16, 0x9fd6d31f884e33a5ull) \
    X(0, 1, 16, 16, 16, 0x064237bc9cb3d1a5ull) \
    X(1, 1, 16, 16, 16, 0x7ca30ce6234b75a5ull) \
    X(0, 1, 32, 8, 16, 0x17bf24eb88db9ba5ull) \
    X(1, 1, 32, 8, 16, 0x152568b0ca8903e5ull) \
    X(0, 1, 8, 32, 16, 0x6703983838d067e5ull) \
    X(1, 1, 8, 32, 16, 0x9fd6d31f884e33a5ull) \
    X(0, 3, 16, 16, 16, 0xcef18dd1d497c025ull) \
    X(1, 3, 16, 16, 16, 0xe897a8d73659c1e5ull) \
    X(0, 3, 32, 8, 16, 0xce19d8a00596e6a5ull) \
    X(1, 3, 32, 8, 16, 0x0bbf2f9d0bb8b8c5ull) \
    X(0, 3, 8, 32, 16, 0x25bfea59047fdbe5ull) \
    X(1, 3, 8, 32, 16, 0x2603933112c753a5ull) \
    X(0, 4, 16, 16, 16, 0xcef18dd1d497c025ull) \
    X(1, 4, 16, 16, 16, 0xe897a8d73659c1e5ull) \
    X(0, 4, 32, 8, 16, 0xce19d8a00596e6a5ull) \
    X(1, 4, 32, 8, 16, 0x0bbf2f9d0bb8b8c5ull) \
    X(0, 4, 8, 32, 16, 0x25bfea59047fdbe5ull) \
    X(1, 4, 8, 32, 16, 0x2603933112c753a5ull) \
    X(0, 2, 16, 16, 8, 0x35b0664c3ec9bfa5ull) \
    X(1, 2, 16, 16, 8, 0x0020c86d2ff18725ull) \
    X(2, 5, 16, 16, 16, 0x064237bc9cb3d1a5ull) \
    X(2, 5, 32, 8, 16, 0x59469447dcd15aa5ull) \
    X(2, 5, 8, 32, 16, 0xd9dd8122e96698a5ull) \
    X(2, 0, 16, 16, 16, 0x064237bc9cb3d1a5ull) \
    X(2, 0, 32, 8, 16, 0x59469447dcd15aa5ull) \
    X(2, 0, 8, 32, 16, 0xd9dd8122e96698a5ull) \
    X(2, 6, 16, 16, 16, 0x064237bc9cb3d1a5ull) \
    X(2, 6, 32, 8, 16, 0x59469447dcd15aa5ull) \
    X(2, 6, 8, 32, 16, 0xd9dd8122e96698a5ull)

#endif
