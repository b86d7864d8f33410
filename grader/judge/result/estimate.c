// Written beside the grade, and labelled: see estimate.h.
#include "judge/result/estimate.h"

#include "base/texts.h"

#define ESTIMATE_NOTE N_("an estimate from counted work, no measurement")

static json_t *kernel_json(const struct estimate *estimate, int registers) {
    json_t *object = json_pack(
        "{s:f, s:f, s:s, s:s, s:s, s:f, s:s, s:f}", "gflops", estimate->gflops, "ms", estimate->ms,
        "bound", estimate_bound_name(estimate->bound), "bound_text",
        estimate_bound_text(estimate->bound), "lesson", estimate_bound_lesson(estimate->bound),
        "occupancy", estimate->occupancy.share, "occupancy_limit",
        occupancy_limit_name(estimate->occupancy.limit), "waves", estimate->waves);
    if (object && json_object_set_new(object, "registers",
                                      registers > 0 ? json_integer(registers) : json_null()) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

json_t *result_peaks_json(const struct card *card) {
    double giga_clocks = card->clock_mhz / 1000.0;
    const struct multiprocessor *unit = card->multiprocessor;
    return json_pack("{s:f, s:f, s:f, s:f}", "gflops",
                     2.0 * unit->fma_per_clock * card->multiprocessors * giga_clocks, "l1_gb_s",
                     (double)unit->shared_bytes_per_clock * card->multiprocessors * giga_clocks,
                     "l2_gb_s", card->l2_bytes_per_clock * giga_clocks, "memory_gb_s",
                     card->memory_gb_s);
}

json_t *result_estimate_json(const struct kernel_estimate *estimate) {
    json_t *object = json_pack(
        "{s:s, s:s, s:o, s:[i, i, i], s:o}", "note", _(ESTIMATE_NOTE), "card", estimate->card->name,
        "card_peaks", result_peaks_json(estimate->card), "size", estimate->size.m, estimate->size.n,
        estimate->size.k, "student", kernel_json(&estimate->student, estimate->registers));
    if (object && estimate->has_reference &&
        json_object_set_new(object, "reference_gflops", json_real(estimate->reference.gflops)) !=
            0) {
        json_decref(object);
        return NULL;
    }
    return object;
}
