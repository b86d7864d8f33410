// Seeds, and the keys drawn from them.
#include "base/random.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include <sha256.h>

enum status seed_fresh(struct seed *ret_seed, struct error *err) {
    struct seed seed;
    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed) {
        return fail_errno(err, STATUS_SYSTEM, "cannot draw a random seed");
    }
    *ret_seed = seed;
    return STATUS_OK;
}

enum status seed_parse(const char *text, struct seed *ret_seed, struct error *err) {
    struct seed seed = {{0, 0}};
    size_t length = strlen(text);
    if (length < 1 || length > 32) {
        return fail(err, STATUS_BAD_USAGE, "bad seed '%s': write 1 to 32 hexadecimal digits", text);
    }
    for (size_t i = 0; i < length; i++) {
        unsigned char digit = (unsigned char)text[i];
        if (!isxdigit(digit)) {
            return fail(err, STATUS_BAD_USAGE, "bad seed '%s': write 1 to 32 hexadecimal digits",
                        text);
        }
        uint64_t value =
            isdigit(digit) ? (uint64_t)(digit - '0') : (uint64_t)(tolower(digit) - 'a' + 10);
        seed.word[0] = (seed.word[0] << 4) | (seed.word[1] >> 60);
        seed.word[1] = (seed.word[1] << 4) | value;
    }
    *ret_seed = seed;
    return STATUS_OK;
}

struct seed seed_shared(struct seed seed) {
    return (struct seed){{seed.word[0] >> 56, 1}};
}

void seed_format(struct seed seed, char text[SEED_TEXT_BYTES]) {
    (void)snprintf(text, SEED_TEXT_BYTES, "%016" PRIx64 "%016" PRIx64, seed.word[0], seed.word[1]);
}

struct random_key random_key_make(struct seed seed, const char *label) {
    SHA2_CTX context;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)&seed, sizeof seed);
    SHA256Update(&context, (const uint8_t *)label, strlen(label));
    SHA256Final(digest, &context);
    struct random_key key;
    memcpy(&key, digest, sizeof key);
    return key;
}
