// The launches of judge/explain/terms.h: see probe.h.
#include "judge/run/probe.h"

#include <stdlib.h>
#include <string.h>

#include "judge/explain/terms.h"

#define ONES_MAX  12   // elements of the smaller matrix: three launches for each
#define OTHER_MAX 400  // elements of the larger one
#define ADDED_MAX 40   // … if each needs a launch
#define C_MAX     1000

#define CHECK_MAX   31            // numbers of the last launch, in magnitude: all sums are exact
#define CHECK_DRAWS (1ull << 41)  // indices into the random numbers of a case

struct probing {
    struct run_worker *worker;
    struct size size;
    struct terms_probe probe;
    float *this, *other;  // one of them is A
    float *results;       // C of all launches
    bool ended;           // each launch ended by itself
};

static int this_count(struct size size) {
    size_t a = size_elements_a(size);
    size_t b = size_elements_b(size);
    return (int)(a < b ? a : b);
}

static int other_count(struct size size) {
    size_t a = size_elements_a(size);
    size_t b = size_elements_b(size);
    return (int)(a < b ? b : a);
}

bool run_probe_fits(struct size size) {
    return size_multiply_adds(size) <= (uint64_t)C_MAX * ONES_MAX && this_count(size) <= ONES_MAX &&
           other_count(size) <= OTHER_MAX && size_elements_c(size) <= C_MAX;
}

// C of one launch, with what `this` and `other` hold.
static enum status probe_launch(struct probing *probing, float *c, struct error *err) {
    const bool is_a = probing->probe.is_a;
    const struct matmul inputs = {.size = probing->size,
                                  .a = is_a ? probing->this : probing->other,
                                  .b = is_a ? probing->other : probing->this};
    bool ended = false;
    if (!probing->ended) {
        return STATUS_OK;
    }
    enum status status = run_case_product(probing->worker, &inputs, c, &ended, err);
    probing->ended = ended;
    return status;
}

static void matrix_fill(float *matrix, int count, enum terms_other kind) {
    for (int i = 0; i < count; i++) {
        float number = (float)(i + 1);
        matrix[i] = kind == TERMS_UNITS      ? TERMS_UNIT
                    : kind == TERMS_ORDINALS ? number
                                             : number * number;
    }
}

// Makes a matrix 0 but for one 1; at -1: but for none.
static void fill_one(float *matrix, int count, int at) {
    memset(matrix, 0, (size_t)count * sizeof *matrix);
    if (at >= 0) {
        matrix[at] = 1;
    }
}

// All launches but those of the other matrix alone.
static enum status launch_all(struct probing *probing, struct error *err) {
    struct terms_probe *probe = &probing->probe;
    size_t elements = size_elements_c(probing->size);
    float *at = probing->results;
    probe->zero = at;
    enum status status = probe_launch(probing, at, err);
    for (int kind = 0; kind < TERMS_OTHER_COUNT; kind++) {
        matrix_fill(probing->other, probe->other_count, (enum terms_other)kind);
        probe->none[kind] = at + elements;
        probe->one[kind] = at + 2 * elements;
        for (int p = -1; p < probe->count && !status; p++) {
            at += elements;
            fill_one(probing->this, probe->count, p);
            status = probe_launch(probing, at, err);
        }
    }
    return status;
}

static enum status launch_other(struct probing *probing, struct error *err) {
    struct terms_probe *probe = &probing->probe;
    size_t elements = size_elements_c(probing->size);
    float *at = probing->results + (1 + TERMS_OTHER_COUNT * (size_t)(probe->count + 1)) * elements;
    enum status status = STATUS_OK;
    fill_one(probing->this, probe->count, -1);
    probe->other_one = at;
    for (int q = 0; q < probe->other_count && !status; q++) {
        fill_one(probing->other, probe->other_count, q);
        status = probe_launch(probing, at + (size_t)q * elements, err);
    }
    return status;
}

// From -CHECK_MAX to CHECK_MAX, without 0.
static void fill_random(struct random_key key, uint64_t first, float *matrix, int count) {
    for (int i = 0; i < count; i++) {
        int32_t number = (int32_t)random_below(key, first + (uint64_t)i, 2 * CHECK_MAX) - CHECK_MAX;
        matrix[i] = (float)(number + (number >= 0));
    }
}

// A launch with ordinary numbers, and what it shows.
static enum status launch_ordinary(struct probing *probing, const struct planned_case *planned,
                                   char *text, size_t text_bytes, struct error *err) {
    float *a = probing->probe.is_a ? probing->this : probing->other;
    float *b = probing->probe.is_a ? probing->other : probing->this;
    float *c = malloc(size_elements_c(probing->size) * sizeof *c);
    if (!c) {
        return fail(err, STATUS_NO_MEMORY, "no memory to explain a product");
    }
    fill_random(planned->key, CHECK_DRAWS, probing->this, probing->probe.count);
    fill_random(planned->key, CHECK_DRAWS + ONES_MAX, probing->other, probing->probe.other_count);
    enum status status = probe_launch(probing, c, err);
    if (!status && probing->ended) {
        explain_terms(&probing->probe, a, b, c, text, text_bytes);
    }
    free(c);
    return status;
}

enum status run_probe(struct run_worker *worker, const struct planned_case *planned, char *text,
                      size_t text_bytes, struct error *err) {
    struct size size = planned->size;
    struct probing probing = {.worker = worker, .size = size, .ended = true};
    struct terms_probe *probe = &probing.probe;
    enum status status = STATUS_OK;
    text[0] = '\0';
    *probe = (struct terms_probe){.size = size,
                                  .is_a = size_elements_a(size) <= size_elements_b(size),
                                  .count = this_count(size),
                                  .other_count = other_count(size)};
    size_t launches =
        1 + TERMS_OTHER_COUNT * (size_t)(probe->count + 1) + (size_t)probe->other_count;
    probing.this = calloc((size_t)probe->count, sizeof(float));
    probing.other = calloc((size_t)probe->other_count, sizeof(float));
    probing.results = calloc(launches * size_elements_c(size), sizeof(float));
    if (!probing.this || !probing.other || !probing.results) {
        status = fail(err, STATUS_NO_MEMORY, "no memory to explain a product");
    }
    if (!status) {
        status = launch_all(&probing, err);
    }
    bool added = !status && probing.ended && terms_needs_other(probe);
    if (added && probe->other_count <= ADDED_MAX) {
        status = launch_other(&probing, err);
    }
    if (!status && probing.ended && (!added || probe->other_one)) {
        status = launch_ordinary(&probing, planned, text, text_bytes, err);
    }
    free(probing.results);
    free(probing.other);
    free(probing.this);
    return status;
}
