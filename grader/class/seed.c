// See seed.h.
// Source: RFC 2104, HMAC.
#include "class/seed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <sha256.h>

#include "base/file.h"
#include "class/folder.h"

#define TEXT_BYTES (2 * CLASS_SEED_BYTES + 1)

// Draws one thing: HMAC-SHA256 of parts, with a NUL between two of them.
static void hmac(const struct class_seed *seed, const char *const *parts, int count,
                 unsigned char ret_digest[SHA256_DIGEST_LENGTH]) {
    unsigned char inner[SHA256_BLOCK_LENGTH] = {0};
    unsigned char outer[SHA256_BLOCK_LENGTH];
    SHA2_CTX context;
    memcpy(inner, seed->byte, sizeof seed->byte);
    for (size_t i = 0; i < sizeof inner; i++) {
        outer[i] = inner[i] ^ 0x5c;
        inner[i] ^= 0x36;
    }
    SHA256Init(&context);
    SHA256Update(&context, inner, sizeof inner);
    for (int i = 0; i < count; i++) {
        SHA256Update(&context, (const uint8_t *)parts[i], strlen(parts[i]) + (i + 1 < count));
    }
    SHA256Final(ret_digest, &context);
    SHA256Init(&context);
    SHA256Update(&context, outer, sizeof outer);
    SHA256Update(&context, ret_digest, SHA256_DIGEST_LENGTH);
    SHA256Final(ret_digest, &context);
}

// ret_text has 2 * count + 1 bytes.
static void hex_write(const unsigned char *bytes, size_t count, char *ret_text) {
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(ret_text + 2 * i, 3, "%02x", bytes[i]);
    }
}

static enum status seed_draw(const char *path, struct class_seed *ret_seed, struct error *err) {
    struct class_seed seed;
    char text[TEXT_BYTES + 1];
    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed) {
        return fail_errno(err, STATUS_SYSTEM, "cannot draw a random seed");
    }
    hex_write(seed.byte, sizeof seed.byte, text);
    memcpy(text + TEXT_BYTES - 1, "\n", 2);
    enum status status = class_file_write(path, text, TEXT_BYTES, err);
    if (!status) {
        *ret_seed = seed;
    }
    return status;
}

static enum status seed_read(const char *path, struct class_seed *ret_seed, struct error *err) {
    struct class_seed seed = {{0}};
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read(path, 2 * TEXT_BYTES, &text, &bytes, err);
    if (status) {
        return status;
    }
    size_t digits = strspn(text, "0123456789abcdef");
    bool is_seed = digits == TEXT_BYTES - 1 && text[digits + strspn(text + digits, "\n")] == '\0';
    for (int i = 0; is_seed && i < CLASS_SEED_BYTES; i++) {
        char pair[3] = {text[2 * i], text[2 * i + 1], '\0'};
        seed.byte[i] = (unsigned char)strtoul(pair, NULL, 16);
    }
    free(text);
    if (!is_seed) {
        return fail(err, STATUS_BAD_DATA,
                    "%s: not a seed of %d hexadecimal digits; restore it, or remove it and every "
                    "submission is graded again",
                    path, TEXT_BYTES - 1);
    }
    *ret_seed = seed;
    return STATUS_OK;
}

enum status class_seed_open(const char *out, struct class_seed *ret_seed, struct error *err) {
    char path[PATH_BYTES_MAX];
    bool exists = false;
    enum status status = path_make(path, err, "%s/seed", out);
    if (!status) {
        status = file_exists(path, &exists, err);
    }
    if (status) {
        return status;
    }
    return exists ? seed_read(path, ret_seed, err) : seed_draw(path, ret_seed, err);
}

void class_pseudonym(const struct class_seed *seed, const char *id,
                     char ret_pseudonym[PSEUDONYM_BYTES]) {
    unsigned char digest[SHA256_DIGEST_LENGTH];
    hmac(seed, (const char *const[]){"pseudonym", id}, 2, digest);
    hex_write(digest, PSEUDONYM_BYTES / 2, ret_pseudonym);
}

struct seed class_submission_seed(const struct class_seed *seed, const char *id,
                                  const char *submission) {
    unsigned char shared[SHA256_DIGEST_LENGTH];
    unsigned char digest[SHA256_DIGEST_LENGTH];
    struct seed drawn = {{0, 0}};
    hmac(seed, (const char *const[]){"shared"}, 1, shared);
    hmac(seed, (const char *const[]){"seed", id, submission}, 3, digest);
    digest[0] = shared[0];
    for (int i = 0; i < 16; i++) {
        drawn.word[i / 8] = drawn.word[i / 8] << 8 | digest[i];
    }
    return drawn;
}
