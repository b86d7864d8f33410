// The shapes of clusters that the CPU device runs, for the shim and, in C, for
// device/assembly/rewrite.c.
//
// A kernel's shape is an alignment of its code: no other attribute of a function accepts any
// constant, shows in kernel.s and also works on an earlier declaration, except for
// patchable_function_entry, which is used for launch bounds.  The alignment is removed again.
#ifndef EMU_SHIM_CUDA_CLUSTERS_H
#define EMU_SHIM_CUDA_CLUSTERS_H

#define TILEGRADE_CLUSTER_BLOCKS 8   // the largest size that every GPU supports
#define TILEGRADE_CLUSTER_SHIFT  11  // of the alignment that stands for shape 0, see below

// X(x, y, z): the shapes of number 1, 2, …; number 0 means more blocks than the maximum.
// clang-format off
#define TILEGRADE_CLUSTER_SHAPES(X)                                                                \
    X(2, 1, 1) X(3, 1, 1) X(4, 1, 1) X(5, 1, 1) X(6, 1, 1) X(7, 1, 1) X(8, 1, 1) X(1, 2, 1)        \
    X(1, 4, 1) X(1, 8, 1) X(2, 2, 1) X(4, 2, 1) X(2, 4, 1) X(1, 1, 2) X(1, 1, 4) X(1, 1, 8)        \
    X(2, 2, 2)
// clang-format on

#ifdef __cplusplus
template <long long X, long long Y = 1, long long Z = 1> struct tilegrade_cluster {
    static constexpr int number() {
        int at = 0;
        int found = -1;
#define TILEGRADE_SHAPE(x, y, z)                                                                   \
    at++;                                                                                          \
    found = X == x && Y == y && Z == z ? at : found;
        TILEGRADE_CLUSTER_SHAPES(TILEGRADE_SHAPE)
#undef TILEGRADE_SHAPE
        bool fits = X > 0 && Y > 0 && Z > 0 && X <= 8 && Y <= 8 && Z <= 8 &&
                    X * Y * Z <= TILEGRADE_CLUSTER_BLOCKS;
        return fits ? found : 0;
    }
    static constexpr bool is_one = X == 1 && Y == 1 && Z == 1;
    static_assert(is_one || number() >= 0, "tilegrade_needs_gpu_clusters_of_this_shape");
    static constexpr int alignment =
        is_one ? 1 : 1 << (TILEGRADE_CLUSTER_SHIFT + (number() > 0 ? number() : 0));
};
#define __cluster_dims__(...) __attribute__((aligned(tilegrade_cluster<__VA_ARGS__>::alignment)))
#endif

#endif
