// Matrix multiplication by a whole warp, nvcuda::wmma, on the CPU device.
//
// Factors of double, of 4 bits and of 1 bit need a GPU.
#ifndef TILEGRADE_EMU_MMA_H
#define TILEGRADE_EMU_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#include "begin.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
}  // namespace experimental

// To 11 digits, the nearest; of two equally near, the one farther from 0.  Source: PTX ISA,
// cvt.rna.tf32.f32.
EMU_CALL float __float_to_tf32(float x) {
    unsigned int bits = __float_as_uint(x);
    bool finite = (bits & 0x7f800000u) != 0x7f800000u;
    return __uint_as_float((finite ? bits + 0x1000u : bits) & 0xffffe000u);
}

namespace tilegrade {

template <class X, class Y> struct is_same {
    enum { value = 0 };
};
template <class X> struct is_same<X, X> {
    enum { value = 1 };
};

// The element type in memory, and its number in emu/tensor/tensor_cores.h.
template <class T> struct element_of {
    static_assert(!is_same<T, double>::value && !is_same<T, experimental::precision::u4>::value &&
                      !is_same<T, experimental::precision::s4>::value &&
                      !is_same<T, experimental::precision::b1>::value,
                  "tilegrade_needs_gpu: tensor_cores_with_factors_of_this_type");
    typedef T type;
    enum { number = 7 };
};
#define TILEGRADE_ELEMENT(name, stored, number_)                                                   \
    template <> struct element_of<name> {                                                          \
        typedef stored type;                                                                       \
        enum { number = number_ };                                                                 \
    };
TILEGRADE_ELEMENT(__half, __half, 0)
TILEGRADE_ELEMENT(__nv_bfloat16, __nv_bfloat16, 1)
TILEGRADE_ELEMENT(precision::tf32, float, 2)
TILEGRADE_ELEMENT(signed char, signed char, 3)
TILEGRADE_ELEMENT(unsigned char, unsigned char, 4)
TILEGRADE_ELEMENT(float, float, 5)
TILEGRADE_ELEMENT(int, int, 6)
#undef TILEGRADE_ELEMENT

// The same for its use.
template <class USE> struct use_of;
template <> struct use_of<matrix_a> {
    enum { number = 0 };
};
template <> struct use_of<matrix_b> {
    enum { number = 1 };
};
template <> struct use_of<accumulator> {
    enum { number = 2 };
};

// Elements that each lane holds; 0 if CUDA has no such fragment.  A half factor of 16x16x16, and 8
// rows or columns of such a factor, are held twice.
constexpr int elements(int use, int type, int m, int n, int k) {
    bool tf32 = type == 2;
    bool sum = use == 2;
    bool wide = m == 32 && n == 8 && k == 16;
    bool high = m == 8 && n == 32 && k == 16;
    bool square = m == 16 && n == 16 && (k == 16 || (k == 8 && (tf32 || (sum && type == 5))));
    if (!(wide || high || square) || (tf32 && k != 8) || sum != (type == 0 ? sum : type >= 5)) {
        return 0;
    }
    return sum ? 8 : tf32 ? 4 : type == 0 ? 16 : square ? 8 : wide == !use ? 16 : 4;
}

EMU_CALL unsigned int bits_of(float x) {
    return __float_as_uint(x);
}
EMU_CALL unsigned int bits_of(int x) {
    return (unsigned int)x;
}
EMU_CALL unsigned int bits_of(signed char x) {
    return (unsigned char)x;
}
EMU_CALL unsigned int bits_of(unsigned char x) {
    return x;
}
template <int DIGITS, int LEAST>
EMU_CALL unsigned int bits_of(const ::tilegrade::small_float<DIGITS, LEAST> &x) {
    return x.to_bits();
}

EMU_CALL void of_bits(unsigned int bits, float &x) {
    x = __uint_as_float(bits);
}
EMU_CALL void of_bits(unsigned int bits, int &x) {
    x = (int)bits;
}
EMU_CALL void of_bits(unsigned int bits, signed char &x) {
    x = (signed char)bits;
}
EMU_CALL void of_bits(unsigned int bits, unsigned char &x) {
    x = (unsigned char)bits;
}
template <int DIGITS, int LEAST>
EMU_CALL void of_bits(unsigned int bits, ::tilegrade::small_float<DIGITS, LEAST> &x) {
    x = ::tilegrade::small_float<DIGITS, LEAST>::of_bits((unsigned short)bits);
}

}  // namespace tilegrade

// Incomplete if CUDA has no such fragment, so that its declaration is an error.
template <class USE, int M, int N, int K, class T, class LAYOUT = void,
          bool EXISTS =
              (tilegrade::elements(tilegrade::use_of<USE>::number, tilegrade::element_of<T>::number,
                                   M, N, K) > 0) &&
              (tilegrade::use_of<USE>::number == 2) == tilegrade::is_same<LAYOUT, void>::value>
class fragment;

template <class USE, int M, int N, int K, class T, class LAYOUT>
class fragment<USE, M, N, K, T, LAYOUT, true> {
  public:
    enum {
        num_elements = tilegrade::elements(tilegrade::use_of<USE>::number,
                                           tilegrade::element_of<T>::number, M, N, K),
        num_storage_elements = num_elements
    };
    typedef T element_type;
    typedef typename tilegrade::element_of<T>::type storage_element_type;

    // Without the alignment, a struct of 16 bytes would allow a float4 at any address.
    enum { alignment = sizeof(storage_element_type) * num_elements % 16 == 0 ? 16 : 0 };
    alignas(alignment) storage_element_type x[num_elements];
};

#define TILEGRADE_FRAGMENT fragment<USE, M, N, K, T, LAYOUT>
#define TILEGRADE_TEMPLATE template <class USE, int M, int N, int K, class T, class LAYOUT>
#define TILEGRADE_STORED   typename tilegrade::element_of<T>::type

namespace tilegrade {

// See fragment_decode in emu/tensor/tensor_cores.h.
template <class USE, int M, int N, int K, class T, bool COLUMNS> struct code_of {
    enum : unsigned int {
        number = use_of<USE>::number | element_of<T>::number << 2 | (COLUMNS ? 1 : 0) << 5 |
                 M << 6 | N << 12 | K << 18
    };
};

// Written out, four and two at a time: a loop's own instructions would be counted.
template <int FIRST, class FRAGMENT> EMU_CALL void put(const FRAGMENT &from, unsigned int slot) {
    __tilegrade_matrix_put(slot + FIRST, bits_of(from.x[FIRST]), bits_of(from.x[FIRST + 1]),
                           bits_of(from.x[FIRST + 2]), bits_of(from.x[FIRST + 3]));
    if constexpr (FIRST + 4 < FRAGMENT::num_elements) {
        put<FIRST + 4>(from, slot);
    }
}

template <int FIRST, class FRAGMENT> EMU_CALL void get(FRAGMENT &to, unsigned int slot) {
    unsigned long long two = __tilegrade_matrix_get(slot + FIRST);
    of_bits((unsigned int)two, to.x[FIRST]);
    of_bits((unsigned int)(two >> 32), to.x[FIRST + 1]);
    if constexpr (FIRST + 2 < FRAGMENT::num_elements) {
        get<FIRST + 2>(to, slot);
    }
}

template <int I, class FRAGMENT, class VALUE> EMU_CALL void fill(FRAGMENT &to, const VALUE &x) {
    to.x[I] = x;
    if constexpr (I + 1 < FRAGMENT::num_elements) {
        fill<I + 1>(to, x);
    }
}

}  // namespace tilegrade

TILEGRADE_TEMPLATE EMU_CALL void fill_fragment(TILEGRADE_FRAGMENT &to, const TILEGRADE_STORED &x) {
    tilegrade::fill<0>(to, x);
}

TILEGRADE_TEMPLATE EMU_CALL void load_matrix_sync(TILEGRADE_FRAGMENT &to,
                                                  const TILEGRADE_STORED *from, unsigned int row) {
    constexpr bool columns = tilegrade::is_same<LAYOUT, col_major>::value;
    static_assert(!tilegrade::is_same<USE, accumulator>::value,
                  "an accumulator is loaded with its layout");
    __tilegrade_matrix_load(tilegrade::code_of<USE, M, N, K, T, columns>::number, from, row);
    tilegrade::get<0>(to, 0);
}

template <int M, int N, int K, class T>
EMU_CALL void load_matrix_sync(fragment<accumulator, M, N, K, T> &to, const T *from,
                               unsigned int row, layout_t layout) {
    typedef tilegrade::code_of<accumulator, M, N, K, T, false> rows;
    typedef tilegrade::code_of<accumulator, M, N, K, T, true> columns;
    __tilegrade_matrix_load(layout == mem_col_major ? columns::number : rows::number, from, row);
    tilegrade::get<0>(to, 0);
}

template <int M, int N, int K, class T>
EMU_CALL void store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T> &from,
                                unsigned int row, layout_t layout) {
    typedef tilegrade::code_of<accumulator, M, N, K, T, false> rows;
    typedef tilegrade::code_of<accumulator, M, N, K, T, true> columns;
    tilegrade::put<0>(from, 0);
    __tilegrade_matrix_store(layout == mem_col_major ? columns::number : rows::number, to, row);
}

// The types of C and D: float or half for factors of half, int for those of int8, else float.
template <int M, int N, int K, class T, class LAYOUT_A, class LAYOUT_B, class C, class D>
EMU_CALL void mma_sync(fragment<accumulator, M, N, K, D> &d,
                       const fragment<matrix_a, M, N, K, T, LAYOUT_A> &a,
                       const fragment<matrix_b, M, N, K, T, LAYOUT_B> &b,
                       const fragment<accumulator, M, N, K, C> &c, bool saturates = false) {
    constexpr int factor = tilegrade::element_of<T>::number;
    constexpr int from = tilegrade::element_of<C>::number;
    constexpr int into = tilegrade::element_of<D>::number;
    static_assert(factor == 3 || factor == 4 ? from == 6 && into == 6
                  : factor == 0              ? (from == 0 || from == 5) && (into == 0 || into == 5)
                                             : from == 5 && into == 5,
                  "CUDA has no multiplication of these types");
    tilegrade::put<0>(a, 0);
    tilegrade::put<0>(b, 16);
    tilegrade::put<0>(c, 32);
    __tilegrade_matrix_multiply(tilegrade::code_of<matrix_a, M, N, K, T, false>::number,
                                from | into << 3 | (saturates ? 1u : 0u) << 6);
    tilegrade::get<0>(d, 32);
}

#undef TILEGRADE_FRAGMENT
#undef TILEGRADE_TEMPLATE
#undef TILEGRADE_STORED

}  // namespace wmma
}  // namespace nvcuda

#include "end.h"

#endif
