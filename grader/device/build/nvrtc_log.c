// NVRTC's messages, shown: see nvrtc_log.h.
#include "device/build/nvrtc_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "device/build/kind.h"

#define LOG_LINES_MAX 40

// Copies one line with the student's file by its name and our headers without their folder.
static void line_copy(FILE *out, const char *line, size_t bytes, const char *kernel,
                      const char *folder) {
    const char *exercise = kernel_exercise(kernel);
    size_t source = strlen(BUILD_SOURCE);
    size_t length = strlen(folder);
    for (size_t i = 0; i < bytes;) {
        if (length > 0 && bytes - i > length && strncmp(line + i, folder, length) == 0 &&
            line[i + length] == '/') {
            i += length + 1;
        } else if (bytes - i >= source && strncmp(line + i, BUILD_SOURCE, source) == 0) {
            (void)fprintf(out, "%s.cu", exercise);
            i += source;
        } else {
            (void)fputc(line[i++], out);
        }
    }
    (void)fputc('\n', out);
}

enum status compile_log_show(const char *log, const char *kernel, const char *folder,
                             char **ret_text, struct error *err) {
    char *text = NULL;
    size_t used = 0;
    FILE *out = open_memstream(&text, &used);
    if (!out) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the compiler's messages");
    }
    int lines = 0;
    size_t total = 0;
    for (const char *at = log; *at != '\0' && lines < LOG_LINES_MAX;) {
        size_t bytes = strcspn(at, "\r\n");
        bool keep = strspn(at, " \t") < bytes && !text_starts(at, "Remark: ");
        total += bytes;
        if (keep && total < DIAGNOSTICS_MAX /
                                2) {  // half: a name shown may be longer than the name it replaces
            line_copy(out, at, bytes, kernel, folder);
            lines++;
        }
        at += bytes;
        at += strspn(at, "\r\n");
    }
    bool failed = ferror(out) != 0;
    if (!stream_close(out, &text) || failed) {
        free(text);
        return fail(err, STATUS_NO_MEMORY, "no memory for the compiler's messages");
    }
    text_clean(text);
    *ret_text = text;
    return STATUS_OK;
}
