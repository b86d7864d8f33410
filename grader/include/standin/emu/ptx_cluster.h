// The CPU device's half of ptx_cluster.cuh, which says what each function does.
#ifndef TILEGRADE_EMU_PTX_CLUSTER_H
#define TILEGRADE_EMU_PTX_CLUSTER_H

#include "begin.h"

namespace ptx {
namespace tilegrade {

void meet_arrive() __asm__("emu_cluster_arrive");
void meet_wait() __asm__("emu_cluster_wait");
unsigned int cluster_rank() __asm__("emu_cluster_rank");
unsigned int cluster_extent(unsigned int axis) __asm__("emu_cluster_extent");
void *cluster_map(const void *address, unsigned int rank) __asm__("emu_cluster_map");
void arrive_there(unsigned long long *mbarrier, unsigned int rank,
                  bool relaxed) __asm__("emu_cluster_mbarrier_arrive");

}  // namespace tilegrade

EMU_CALL void cluster_arrive() {
    tilegrade::meet_arrive();
}
EMU_CALL void cluster_wait() {
    tilegrade::meet_wait();
}
EMU_CALL unsigned int cluster_ctarank() {
    return tilegrade::cluster_rank();
}
EMU_CALL unsigned int cluster_nctarank() {
    return tilegrade::cluster_extent(0) * tilegrade::cluster_extent(1) *
           tilegrade::cluster_extent(2);
}
template <class T> EMU_CALL T *mapa(T *address, unsigned int rank) {
    return (T *)tilegrade::cluster_map((const void *)address, rank);
}
EMU_CALL void mbarrier_arrive_cluster(unsigned long long *mbarrier, unsigned int rank) {
    tilegrade::arrive_there(mbarrier, rank, false);
}
EMU_CALL void mbarrier_arrive_relaxed_cluster(unsigned long long *mbarrier, unsigned int rank) {
    tilegrade::arrive_there(mbarrier, rank, true);
}

}  // namespace ptx

#include "end.h"

#endif
