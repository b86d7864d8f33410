// Names of findings, and the list of them.  It is short (FINDINGS_MAX), so it is searched from the
// front.
#include "emu/wire/finding.h"

#include <string.h>

const char *finding_kind_name(uint32_t kind) {
#define FINDING_NAME(enumerator, name) [enumerator] = name,
    static const char *const names[] = {FINDING_KINDS(FINDING_NAME)};
#undef FINDING_NAME
    return kind < FINDING_KIND_COUNT ? names[kind] : "unknown";
}

bool finding_is_outside(const struct finding *finding, enum outside what) {
    return finding->kind == FINDING_OUT_OF_BOUNDS && finding->detail == what;
}

bool finding_is_lost_update(const struct finding *finding) {
    return finding->kind == FINDING_RACE &&
           (finding->detail == RACE_LOST_UPDATE || finding->detail == RACE_GIVEN_UP);
}

bool finding_is_between_blocks(const struct finding *finding) {
    bool stores = finding->access == ACCESS_WRITE && finding->other_access == ACCESS_WRITE;
    return finding->flags & FINDING_BETWEEN_BLOCKS && !stores;
}

// The weight of an instance; the heaviest one is kept.  A lost update says most.  Then two blocks,
// as no barrier of a block orders them; then two warps, as no barrier of a warp orders them.
static uint32_t weight_of(const struct finding *finding) {
    uint32_t apart = finding_is_lost_update(finding)      ? 3
                     : finding_is_between_blocks(finding) ? 2
                     : finding->flags & FINDING_SAME_WARP ? 0
                                                          : 1;
    return finding->severity * 4 + apart;
}

bool finding_is_same(const struct finding *a, const struct finding *b) {
    bool other = a->other_pc == b->other_pc || a->kind == FINDING_UNINITIALIZED;
    return a->pc == b->pc && other && a->kind == b->kind && a->array == b->array &&
           a->space == b->space;
}

static struct finding *find(struct findings *findings, const struct finding *key) {
    for (uint32_t i = 0; i < findings->count; i++) {
        if (finding_is_same(&findings->list[i], key)) {
            return &findings->list[i];
        }
    }
    return NULL;
}

// A place for a finding in a full list: the last entry with less weight, or NULL.
static struct finding *give_way(struct findings *findings, const struct finding *finding) {
    for (uint32_t i = findings->count; i > 0; i--) {
        if (findings->list[i - 1].severity < finding->severity) {
            return &findings->list[i - 1];
        }
    }
    return NULL;
}

void findings_clear(struct findings *findings) {
    memset(findings, 0, sizeof *findings);
}

bool findings_hold(const struct findings *findings, const struct finding *finding) {
    for (uint32_t i = 0; i < findings->count; i++) {
        if (finding_is_same(&findings->list[i], finding)) {
            return weight_of(&findings->list[i]) >= weight_of(finding);
        }
    }
    return false;
}

bool findings_repeat(struct findings *findings, const struct finding *key) {
    struct finding *kept = find(findings, key);
    if (!kept) {
        if (findings->count < FINDINGS_MAX || give_way(findings, key)) {
            return false;
        }
        findings->dropped++;
        return true;
    }
    if (weight_of(key) > weight_of(kept)) {
        return false;
    }
    kept->count++;
    return true;
}

static void keep(struct finding *place, const struct finding *finding) {
    *place = *finding;
    if (findings_kept) {
        findings_kept(place);
    }
}

bool findings_add(struct findings *findings, const struct finding *finding) {
    uint64_t count = finding->count ? finding->count : 1;
    struct finding *kept = find(findings, finding);
    if (kept) {
        count += kept->count;
        if (weight_of(finding) > weight_of(kept)) {
            keep(kept, finding);
        }
        kept->count = count;
        return false;
    }
    if (findings->count < FINDINGS_MAX) {
        kept = &findings->list[findings->count++];
    } else {
        kept = give_way(findings, finding);  // a full list of notes must not hide an error
        findings->dropped++;
    }
    if (!kept) {
        return true;
    }
    keep(kept, finding);
    kept->count = count;
    return true;
}

void findings_thread(const uint32_t block[3], uint32_t linear, uint32_t ret_thread[3]) {
    ret_thread[0] = linear % block[0];
    ret_thread[1] = linear / block[0] % block[1];
    ret_thread[2] = linear / block[0] / block[1];
}
