// One load for each thread.
#include "emu/check/race_guess.h"

#include <string.h>

static uint64_t value_at(uint64_t address, uint32_t bytes) {
    uint64_t value = 0;
    memcpy(&value, (const void *)(uintptr_t)address, bytes);
    return value;
}

static void forget(struct race_guesses *guesses, struct race_guess *guess) {
    guess->address = 0;
    guesses->count--;
}

static void report(struct race_guesses *guesses, struct findings *findings,
                   struct race_guess *guess) {
    bool right = guess->meets_compare && race_guess_is_right(guesses, guess->site);
    if (!right && !findings_repeat(findings, &guess->finding)) {
        findings_add(findings, &guess->finding);
    }
    forget(guesses, guess);
}

void race_guess_note(struct race_guesses *guesses, struct findings *findings, uint32_t thread,
                     const struct race_guess *guess) {
    struct race_guess *mine = &guesses->of[thread];
    if (mine->address == guess->address) {
        return;
    }
    if (mine->address != 0) {
        report(guesses, findings, mine);
    }
    *mine = *guess;
    mine->value = value_at(guess->address, guess->bytes);
    guesses->count++;
}

bool race_guess_decide(struct race_guesses *guesses, struct findings *findings,
                       const struct access *access, bool compares) {
    struct race_guess *guess = &guesses->of[access->thread];
    if (guess->address != access->address) {
        return compares && guesses->changes && access->bytes <= sizeof(uint64_t) &&
               value_at(access->address, access->bytes) == guesses->compared;
    }
    bool right = compares && guess->bytes == access->bytes && guess->value == guesses->compared &&
                 (guesses->changes || guess->meets_compare);
    if (right) {
        forget(guesses, guess);
    } else {
        report(guesses, findings, guess);
    }
    return right;
}

void race_guess_settle(struct race_guesses *guesses, struct findings *findings) {
    for (uint32_t i = 0; guesses->count > 0 && i < THREADS_MAX; i++) {
        if (guesses->of[i].address != 0) {
            report(guesses, findings, &guesses->of[i]);
        }
    }
}
