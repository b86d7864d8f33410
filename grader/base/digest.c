// See digest.h.
#include "base/digest.h"

#include <assert.h>
#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

void digest_begin(struct digest *digest) {
    *digest = (struct digest){.status = STATUS_OK};
    digest->stream = open_memstream(&digest->text, &digest->bytes);
    if (!digest->stream) {
        digest->status = fail(&digest->err, STATUS_NO_MEMORY, "no memory");
    }
}

void digest_bytes(struct digest *digest, const void *bytes, size_t count) {
    if (!digest->status) {
        (void)fwrite(bytes, 1, count, digest->stream);
    }
}

void digest_text(struct digest *digest, const char *text) {
    digest_bytes(digest, text, strlen(text) + 1);
}

void digest_file(struct digest *digest, const char *path, size_t strip) {
    char *text = NULL;
    size_t bytes = 0;
    char hex[DIGEST_BYTES];
    if (digest->status) {
        return;
    }
    assert(strip <= strlen(path));
    digest->status = file_read(path, FILE_BYTES_MAX, &text, &bytes, &digest->err);
    if (!digest->status) {
        sha256_hex(text, bytes, hex);
        digest_text(digest, path + strip);
        digest_text(digest, hex);
        free(text);
    }
}

void digest_folder(struct digest *digest, const char *folder, size_t strip) {
    struct dirent **entries = NULL;
    if (digest->status) {
        return;
    }
    int count = scandir(folder, &entries, NULL, alphasort);
    if (count < 0) {
        digest->status = fail_errno(&digest->err, STATUS_SYSTEM, "%s", folder);
    }
    for (int i = 0; i < count; i++) {
        char path[PATH_BYTES_MAX];
        struct stat info;
        if (!digest->status && entries[i]->d_name[0] != '.') {
            digest->status = path_make(path, &digest->err, "%s/%s", folder, entries[i]->d_name);
            if (digest->status || stat(path, &info) != 0) {
                // A link that leads nowhere adds nothing.
            } else if (S_ISDIR(info.st_mode)) {
                digest_folder(digest, path, strip);
            } else {
                digest_file(digest, path, strip);
            }
        }
        free(entries[i]);
    }
    free(entries);
}

void digest_program(struct digest *digest, const char *path) {
    struct stat info;
    char *real = realpath(path, NULL);
    digest_text(digest, real ? real : path);
    if (real && stat(real, &info) == 0) {
        uint64_t identity[] = {info.st_ino, (uint64_t)info.st_size, (uint64_t)info.st_mtim.tv_sec,
                               (uint64_t)info.st_mtim.tv_nsec};
        digest_bytes(digest, identity, sizeof identity);
    }
    free(real);
}

enum status digest_end(struct digest *digest, char ret_hex[DIGEST_BYTES], struct error *err) {
    if (digest->stream && !stream_close(digest->stream, &digest->text) && !digest->status) {
        digest->status = fail(&digest->err, STATUS_NO_MEMORY, "no memory");
    }
    if (digest->status) {
        free(digest->text);
        return fail(err, digest->status, "%s", digest->err.text);
    }
    sha256_hex(digest->text, digest->bytes, ret_hex);
    free(digest->text);
    return STATUS_OK;
}
