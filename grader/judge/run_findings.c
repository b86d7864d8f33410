// Puts findings together: see run_findings.h.
#include "judge/run_findings.h"

#include <string.h>

#include "judge/explain_finding.h"

static bool is_same_place(const struct finding *a, const struct finding *b) {
    return a->kind == b->kind && a->space == b->space && a->array == b->array && a->pc == b->pc &&
           a->other_pc == b->other_pc;
}

// Where a new finding goes: behind the last one, or over the last warning where the list is full.
// -1: nowhere.
static int place_find(const struct judged_finding *list, int count, const struct finding *finding) {
    if (count < FINDINGS_MAX) {
        return count;
    }
    for (int i = count - 1; i >= 0 && finding->severity == SEVERITY_ERROR; i--) {
        if (list[i].finding.severity != SEVERITY_ERROR) {
            return i;
        }
    }
    return -1;
}

void run_findings_add(struct judged_finding *list, int *count, const struct findings *findings,
                      enum device_kind device, struct size size) {
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->list[i];
        bool known = false;
        for (int j = 0; j < *count && !known; j++) {
            known = list[j].device == device && is_same_place(&list[j].finding, finding);
            if (known) {
                list[j].finding.flags &= finding->flags | ~FINDING_SAME_WARP;
            }
        }
        int place = known ? -1 : place_find(list, *count, finding);
        if (place < 0) {
            continue;
        }
        list[place] = (struct judged_finding){.finding = *finding, .device = device, .size = size};
        *count = place == *count ? place + 1 : *count;
    }
}

// The same mistake in the eyes of a reader: kind and lines; without lines, the array has to tell
// them apart.
static bool is_same_mistake(const struct judged_finding *a, const struct judged_finding *b) {
    if (a->finding.kind != b->finding.kind || a->finding.severity != b->finding.severity ||
        a->finding.line != b->finding.line || a->finding.other_line != b->finding.other_line) {
        return false;
    }
    return a->finding.line != 0 || is_same_place(&a->finding, &b->finding);
}

// Keeps the first of each kind and pair of lines; counts add up within one launch.
static int merge(struct judged_finding *list, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int j = 0;
        while (j < kept && !is_same_mistake(&list[j], &list[i])) {
            j++;
        }
        if (j == kept) {
            list[kept++] = list[i];
            continue;
        }
        list[j].finding.flags &= list[i].finding.flags | ~FINDING_SAME_WARP;
        if (list[j].device == list[i].device &&
            memcmp(&list[j].size, &list[i].size, sizeof list[i].size) == 0) {
            list[j].finding.count += list[i].finding.count;
        }
    }
    return kept;
}

// Lower comes first.
static int rank_of(const struct judged_finding *finding, enum verdict verdict) {
    if (finding->finding.severity != SEVERITY_ERROR) {
        return finding->finding.severity == SEVERITY_WARNING ? 2 : 3;
    }
    return finding_verdict(&finding->finding) == verdict ? 0 : 1;
}

// Insertion sort: stable, and the list is short.
static void sort(struct judged_finding *list, int count, enum verdict verdict) {
    for (int i = 1; i < count; i++) {
        struct judged_finding moved = list[i];
        int j = i;
        while (j > 0 && rank_of(&list[j - 1], verdict) > rank_of(&moved, verdict)) {
            list[j] = list[j - 1];
            j--;
        }
        list[j] = moved;
    }
}

static bool is_error_race(const struct finding *finding) {
    return finding->kind == FINDING_RACE && finding->severity == SEVERITY_ERROR;
}

// Where threads of different warps race too, the barrier that orders them orders lanes as well:
// only where all races lie inside warps is __syncwarp what is missing.
static void warps_settle(struct judged_finding *list, int count) {
    uint32_t common = FINDING_SAME_WARP;
    for (int i = 0; i < count; i++) {
        common &= is_error_race(&list[i].finding) ? list[i].finding.flags : FINDING_SAME_WARP;
    }
    for (int i = 0; i < count && common == 0; i++) {
        list[i].finding.flags &= ~FINDING_SAME_WARP;
    }
}

// Shared memory that nobody filled, and threads that left before a barrier: the second is most
// likely why.
static void blame(struct judged_finding *list, int count) {
    const struct judged_finding *exited = NULL;
    for (int i = 0; i < count && !exited; i++) {
        exited = list[i].finding.kind == FINDING_EXITED_BEFORE_BARRIER ? &list[i] : NULL;
    }
    for (int i = 0; i < count && exited; i++) {
        if (list[i].finding.kind == FINDING_UNINITIALIZED &&
            list[i].finding.space == SPACE_SHARED) {
            finding_blame(&list[i], exited);
        }
    }
}

enum status run_findings_finish(const struct run_program *program,
                                const struct judge_source *source, enum verdict verdict,
                                struct judged_finding *list, int *count, struct error *err) {
    // Only the CPU device reports addresses.
    enum status status =
        program->kind == DEVICE_EMU ? run_locate(program, list, *count, err) : STATUS_OK;
    if (status) {
        return status;
    }
    *count = merge(list, *count);
    warps_settle(list, *count);
    sort(list, *count, verdict);
    for (int i = 0; i < *count; i++) {
        struct judged_finding *finding = &list[i];
        judge_source_line(source->text, source->bytes, finding->finding.line, finding->source,
                          sizeof finding->source);
        finding_explain(finding, &program->report.shared);
        judge_source_line(source->text, source->bytes, finding->finding.other_line,
                          finding->other_source, sizeof finding->other_source);
    }
    blame(list, *count);
    return STATUS_OK;
}
