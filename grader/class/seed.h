// The secret seed of a class, and what is drawn from it: pseudonyms, and the seed of a submission.
//
// A returned result tells a student nothing about the next one: its seed is a function of the class
// seed, the student and the bytes that were handed in.  So results do not depend on the order or
// the number of jobs, or on the machine.  Only the shared part of a seed (base/random.h) is that of
// the class.
#ifndef CLASS_SEED_H
#define CLASS_SEED_H

#include "base/random.h"

#define CLASS_SEED_BYTES 32
#define PSEUDONYM_BYTES  17  // 16 hexadecimal digits and the final NUL

struct class_seed {
    unsigned char byte[CLASS_SEED_BYTES];
};

// Reads OUT/seed; draws it and writes it first if there is none.
// Errors: STATUS_BAD_DATA: the file holds something else.  STATUS_SYSTEM.
enum status class_seed_open(const char *out, struct class_seed *ret_seed, struct error *err);

// The first 16 digits of HMAC-SHA256(seed, "pseudonym\0" id).
void class_pseudonym(const struct class_seed *seed, const char *id,
                     char ret_pseudonym[PSEUDONYM_BYTES]);

// The first byte of HMAC-SHA256(seed, "shared"), then bytes 1 to 15 of
// HMAC-SHA256(seed, "seed\0" id "\0" submission).
//
// Units    `submission` is a hash in hexadecimal.
struct seed class_submission_seed(const struct class_seed *seed, const char *id,
                                  const char *submission);

#endif
