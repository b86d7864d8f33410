// A compare-and-exchange that fails is tried again in most kernels.  So it is noted only when its
// thread ends, or has gone on to other words.
#include "emu/check/lost_update.h"

#include <string.h>

#include "emu/check/address_checks.h"

// Another thread has changed the word between these places.
static void lost_note(const struct lost_update *lost, const struct seen_word *seen, uint64_t pc,
                      uint64_t other_pc, enum race_gap gap) {
    struct access access = {
        .pc = pc, .address = seen->address, .kind = ACCESS_ATOMIC, .bytes = seen->bytes};
    bool shared = memory_find_shared(lost->memory, &access);
    if (!shared && !memory_find_global(lost->memory, &access)) {
        return;
    }
    access.space = shared ? SPACE_SHARED : SPACE_GLOBAL;
    struct finding finding = access_finding(FINDING_RACE, lost->place, &access);
    finding.severity = SEVERITY_NOTE;
    finding.detail = gap;
    finding.parties = PARTIES_ATOMICS;
    finding.other_pc = other_pc;
    finding.other_access = ACCESS_ATOMIC;
    findings_thread(lost->shape->block, lost->thread, finding.thread);
    memcpy(finding.other_block, finding.block, sizeof finding.other_block);
    memcpy(finding.other_thread, finding.thread, sizeof finding.other_thread);
    (void)findings_add(lost->findings, &finding);
}

static void given_up(const struct lost_update *lost, const struct seen_word *seen) {
    if (seen->failed_pc != 0) {
        lost_note(lost, seen, seen->failed_after, seen->failed_pc, RACE_GIVEN_UP);
    }
}

void lost_update_look(const struct lost_update *lost, const struct atomic_done *done,
                      struct seen_words *seen) {
    struct seen_word now = {.address = done->address,
                            .pc = done->pc,
                            .bytes = done->bytes,
                            .only_read = done->operation == OPERATION_READ};
    uint64_t old = 0;
    memcpy(&old, done->old, done->bytes);
    memcpy(&now.value, (const void *)(uintptr_t)done->address, done->bytes);
    const int at = seen->word[0].address == done->address ? 0 : 1;
    const struct seen_word *before = &seen->word[at];
    bool changed = before->address == done->address && before->value != old;
    if (before->address != done->address) {
        given_up(lost, before);
    } else if (changed && done->has_failed) {
        now.failed_pc = done->pc;
        now.failed_after = before->failed_pc != 0 ? before->failed_after : before->pc;
    } else if (changed && !done->has_compared && !now.only_read &&
               (before->only_read || done->operation == OPERATION_EXCHANGE)) {
        lost_note(lost, before, before->pc, done->pc, RACE_LOST_UPDATE);
    }
    if (at == 1) {
        seen->word[1] = seen->word[0];
    }
    seen->word[0] = now;
}

void lost_update_end(const struct lost_update *lost, const struct seen_words *seen) {
    given_up(lost, &seen->word[0]);
    given_up(lost, &seen->word[1]);
}
