// Thread block clusters, a part of ptx.cuh, which includes this file.
//
// The blocks of a cluster run at the same time, and each may access the shared memory of the others
// after the first barrier of the cluster, and before the last one.  A kernel declares the number of
// blocks:
//
//     __global__ void __cluster_dims__(2, 1, 1) multiply(const float *A, …)
//
//     ptx::cluster_arrive();
//     ptx::cluster_wait();
//     float *there = ptx::mapa(tile, ptx::cluster_ctarank() ^ 1);
//
// Source  PTX ISA, "barrier.cluster", "mapa", "mbarrier.arrive", "%cluster_ctarank".
#ifndef PTX_CLUSTER_CUH
#define PTX_CLUSTER_CUH

namespace ptx {

// Arrives at the barrier of the cluster; waits until all threads of all its blocks have arrived.
// All threads of a warp call it together.  Accesses before the arrival are ordered before the
// accesses of the others after the wait.
PTX_CALL void cluster_arrive()
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
PTX_CALL void cluster_wait()
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// The number of this block in its cluster, from 0; and the number of blocks in the cluster.
PTX_CALL unsigned cluster_ctarank()
{
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
PTX_CALL unsigned cluster_nctarank()
{
    unsigned count;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
    return count;
}

// The address in the shared memory of block `rank` that corresponds to `address` in this block.
template <class T> PTX_CALL T *mapa(T *address, unsigned rank)
{
    T *there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(address), "r"(rank));
    return there;
}

// Arrives at the mbarrier of block `rank` at the same place as `mbarrier` in this block.  Only that
// block may wait for it.
PTX_CALL void mbarrier_arrive_cluster(unsigned long long *mbarrier, unsigned rank)
{
    asm volatile("{\n\t.reg .b32 there;\n\t"
                 "mapa.shared::cluster.u32 there, %0, %1;\n\t"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n\t}" ::"r"(
                     (unsigned)__cvta_generic_to_shared(mbarrier)),
                 "r"(rank)
                 : "memory");
}

// The same, but it does not release this thread's stores, and waits for no store to become visible.
// It is for buffers that threads have only read, which the waiting threads may then overwrite.
PTX_CALL void mbarrier_arrive_relaxed_cluster(unsigned long long *mbarrier, unsigned rank)
{
    asm volatile("{\n\t.reg .b32 there;\n\t"
                 "mapa.shared::cluster.u32 there, %0, %1;\n\t"
                 "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [there];\n\t}" ::"r"(
                     (unsigned)__cvta_generic_to_shared(mbarrier)),
                 "r"(rank)
                 : "memory");
}

}  // namespace ptx

#endif
