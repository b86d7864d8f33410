// Keeps the last access of each thread to each other block: if it is ordered before that block's
// end, so are the earlier ones.
#include "emu/check/remote.h"

#include <string.h>

#include "emu/check/address_checks.h"
#include "emu/memory/vault.h"

struct remote_last {
    uint64_t cluster;  // number of the cluster that it belongs to
    uint32_t epoch;
    struct access access;
};

struct remote {
    const struct launch_shape *shape;
    struct findings *findings;
    uint64_t cluster;
    bool is_early;  // this access came before the first barrier
    struct finding early;
    struct block_place place[CLUSTER_BLOCKS_MAX];
    struct remote_last last[CLUSTER_BLOCKS_MAX][CLUSTER_BLOCKS_MAX][THREADS_MAX];  // [to][from]
};

enum status remote_new(struct remote **ret_remote, struct error *err) {
    *ret_remote = NULL;
    return vault_need(ret_remote, sizeof **ret_remote, err);
}

void remote_launch_begin(struct remote *remote, const struct launch_shape *shape,
                         struct findings *findings) {
    remote->shape = shape;
    remote->findings = findings;
}

void remote_cluster_begin(struct remote *remote) {
    remote->cluster++;
    remote->is_early = false;
}

static struct finding race_of(const struct remote *remote, enum race_gap gap,
                              const struct block_place *place, const struct access *access) {
    struct finding finding = access_finding(FINDING_RACE, place, access);
    finding.detail = gap;
    finding.flags = FINDING_BETWEEN_BLOCKS;
    findings_thread(remote->shape->block, access->thread, finding.thread);
    return finding;
}

static bool has_race(const struct findings *findings) {
    for (uint32_t i = 0; i < findings->count; i++) {
        if (findings->list[i].kind == FINDING_RACE &&
            findings->list[i].severity == SEVERITY_ERROR) {
            return true;
        }
    }
    return false;
}

void remote_cluster_end(struct remote *remote) {
    if (remote->is_early && !has_race(remote->findings)) {
        findings_add(remote->findings, &remote->early);
    }
}

void remote_access(struct remote *remote, const struct remote_use *use,
                   const struct access *access) {
    remote->last[use->to][use->from][access->thread] =
        (struct remote_last){.cluster = remote->cluster, .epoch = use->epoch, .access = *access};
    remote->place[use->from] = *use->place;
    if (use->before_barrier && !remote->is_early) {
        remote->is_early = true;
        remote->early = race_of(remote, RACE_BLOCK_BEGINS, use->place, access);
    }
}

void remote_too_late(struct remote *remote, const struct block_place *place,
                     const struct access *access, const struct remote_end *end) {
    struct finding finding = race_of(remote, RACE_BLOCK_ENDS, place, access);
    finding.other_pc = end->pc;
    memcpy(finding.other_block, end->place->index, sizeof finding.other_block);
    findings_thread(remote->shape->block, end->thread, finding.other_thread);
    if (!findings_repeat(remote->findings, &finding)) {
        findings_add(remote->findings, &finding);
    }
}

void remote_block_end(struct remote *remote, const struct follow *follow,
                      const struct remote_end *end) {
    for (uint32_t from = 0; from < remote->shape->cluster_blocks; from++) {
        for (uint32_t i = 0; i < remote->shape->thread_count; i++) {
            const struct remote_last *last = &remote->last[end->rank][from][i];
            const struct follow_access earlier = {
                .block = remote->place[from].linear, .thread = i, .epoch = last->epoch};
            bool ordered = last->access.kind == ACCESS_WRITE
                               ? follow_is_ordered(follow, &earlier, end->thread)
                               : follow_is_done(follow, &earlier, end->thread);
            if (last->cluster == remote->cluster && !ordered) {
                remote_too_late(remote, &remote->place[from], &last->access, end);
            }
        }
    }
}
