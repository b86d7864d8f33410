// Vector types and dim3, with CUDA's alignments: a float4 is one 16-byte access, at a multiple of
// 16.  They are plain structs: gcc -Og copies them as a whole, so that one line stays one access.
#ifndef EMU_SHIM_CUDA_TYPES_H
#define EMU_SHIM_CUDA_TYPES_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;

// The language needs this for `for (int x : {1, 2})`; g++ fills in these two members.
namespace std {
template <class T> class initializer_list {
    const T *first;
    size_t count;
    __attribute__((always_inline)) constexpr initializer_list(const T *from, size_t size_)
        : first(from), count(size_) {
    }

  public:
    __attribute__((always_inline)) constexpr initializer_list() : first(nullptr), count(0) {
    }
    __attribute__((always_inline)) constexpr size_t size() const {
        return count;
    }
    __attribute__((always_inline)) constexpr const T *begin() const {
        return first;
    }
    __attribute__((always_inline)) constexpr const T *end() const {
        return first + count;
    }
};
}  // namespace std

// gcc instruments `s[i] = t`, but not the store of `s[i] = f()` where f returns a struct, and it
// stores the members of `s[i] = {x, y}` one by one.  So an assignment from a temporary is a call of
// the runtime.  It is a template, because the struct must stay trivial for __shared__ arrays.
// Braces have no type, so they get the default.
template <class T, class U> struct tilegrade_same {};
template <class T> struct tilegrade_same<T, T> { typedef int type; };
#define TILEGRADE_ASSIGN(name)                                                                     \
    name &operator=(const name &) = default;                                                       \
    template <class T = name, typename tilegrade_same<T, name>::type = 0> name &operator=(T &&);
#define TILEGRADE_ASSIGN_NAME(name, bytes)                                                         \
    template <> name &name::operator=<name, 0>(name &&) EMU_NAME(assign_##bytes);

// TILEGRADE_VECTORS(name, type, alignment of 2, alignment of 4, bytes of 2, 3 and 4): name1 to
// name4 and their make functions.
#define TILEGRADE_VECTORS(name, type, align2, align4, bytes2, bytes3, bytes4)                      \
    struct name##1 {                                                                               \
        type x;                                                                                    \
    };                                                                                             \
    struct __align__(align2) name##2 {                                                             \
        type x, y;                                                                                 \
        TILEGRADE_ASSIGN(name##2)                                                                  \
    };                                                                                             \
    struct name##3 {                                                                               \
        type x, y, z;                                                                              \
        TILEGRADE_ASSIGN(name##3)                                                                  \
    };                                                                                             \
    struct __align__(align4) name##4 {                                                             \
        type x, y, z, w;                                                                           \
        TILEGRADE_ASSIGN(name##4)                                                                  \
    };                                                                                             \
    TILEGRADE_ASSIGN_NAME(name##2, bytes2)                                                         \
    TILEGRADE_ASSIGN_NAME(name##3, bytes3)                                                         \
    TILEGRADE_ASSIGN_NAME(name##4, bytes4)                                                         \
    EMU_INLINE name##1 make_##name##1(type x) {                                                    \
        return name##1 {x};                                                                        \
    }                                                                                              \
    EMU_INLINE name##2 make_##name##2(type x, type y) {                                            \
        return name##2 {x, y};                                                                     \
    }                                                                                              \
    EMU_INLINE name##3 make_##name##3(type x, type y, type z) {                                    \
        return name##3 {x, y, z};                                                                  \
    }                                                                                              \
    EMU_INLINE name##4 make_##name##4(type x, type y, type z, type w) {                            \
        return name##4 {x, y, z, w};                                                               \
    }

// Source of the alignments: CUDA C++ Programming Guide, "Built-in Vector Types".
TILEGRADE_VECTORS(char, signed char, 2, 4, 2, 3, 4)
TILEGRADE_VECTORS(uchar, unsigned char, 2, 4, 2, 3, 4)
TILEGRADE_VECTORS(short, short, 4, 8, 4, 6, 8)
TILEGRADE_VECTORS(ushort, unsigned short, 4, 8, 4, 6, 8)
TILEGRADE_VECTORS(int, int, 8, 16, 8, 12, 16)
TILEGRADE_VECTORS(uint, unsigned int, 8, 16, 8, 12, 16)
TILEGRADE_VECTORS(long, long, 16, 16, 16, 24, 32)
TILEGRADE_VECTORS(ulong, unsigned long, 16, 16, 16, 24, 32)
TILEGRADE_VECTORS(longlong, long long, 16, 16, 16, 24, 32)
TILEGRADE_VECTORS(ulonglong, unsigned long long, 16, 16, 16, 24, 32)
TILEGRADE_VECTORS(float, float, 8, 16, 8, 12, 16)
TILEGRADE_VECTORS(double, double, 16, 16, 16, 24, 32)

struct dim3 {
    unsigned int x, y, z;
    __attribute__((always_inline)) constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1,
                                                  unsigned int z_ = 1)
        : x(x_), y(y_), z(z_) {
    }
    __attribute__((always_inline)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {
    }
    __attribute__((always_inline)) constexpr operator uint3() const {
        return uint3{x, y, z};
    }
};

#undef TILEGRADE_VECTORS
#undef TILEGRADE_ASSIGN
#undef TILEGRADE_ASSIGN_NAME

#endif
