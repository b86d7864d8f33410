// A message of g++ starts with its place, "file:12:5: "; lines without one belong to the message
// before.
#include "device/compile/compiler_messages.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/device.h"

bool compiler_message_line(const char **at, char text[COMPILER_LINE_MAX]) {
    if (**at == '\0') {
        return false;
    }
    size_t length = strcspn(*at, "\n");
    size_t kept = length < COMPILER_LINE_MAX - 1 ? length : COMPILER_LINE_MAX - 1;
    memcpy(text, *at, kept);
    text[kept] = '\0';
    *at += length + ((*at)[length] == '\n');
    return true;
}

// Reads "file:12:" or "file:12:5:" at the start of a line.
static const char *place_read(const char *text, struct compiler_message *message) {
    const char *colon = strchr(text, ':');
    if (!colon || colon == text || text[0] == ' ' ||
        (size_t)(colon - text) >= sizeof message->file) {
        return NULL;
    }
    char *end = NULL;
    long line = strtol(colon + 1, &end, 10);
    if (end == colon + 1 || *end != ':' || line < 1 || line > SOURCE_BYTES_MAX) {
        return NULL;
    }
    memcpy(message->file, text, (size_t)(colon - text));
    message->file[colon - text] = '\0';
    message->line = (int)line;
    if (isdigit((unsigned char)end[1])) {
        long column = strtol(end + 1, &end, 10);
        message->column = column <= SOURCE_BYTES_MAX ? (int)column : 0;
        end = strchr(end, ':');
    }
    return end ? end + 1 : NULL;
}

bool compiler_message_next(const char **at, struct compiler_message *message) {
    static const struct {
        const char *mark;
        enum message_kind kind;
    } kinds[] = {{" fatal error: ", MESSAGE_ERROR},
                 {" error: ", MESSAGE_ERROR},
                 {" warning: ", MESSAGE_WARNING},
                 {" note: ", MESSAGE_NOTE}};
    if (!compiler_message_line(at, message->text)) {
        return false;
    }
    message->file[0] = '\0';
    message->line = message->column = 0;
    message->kind = MESSAGE_NONE;
    message->said = NULL;
    bool context = text_starts(message->text, "In file included");
    const char *rest = context ? NULL : place_read(message->text, message);
    for (size_t i = 0; rest && i < COUNT(kinds) && message->kind == MESSAGE_NONE; i++) {
        if (text_starts(rest, kinds[i].mark)) {
            message->kind = kinds[i].kind;
            message->said = rest + strlen(kinds[i].mark);
        }
    }
    return true;
}

bool compiler_message_is_submission(const char *file) {
    return strcmp(file, BUILD_SOURCE) == 0;
}

bool compiler_message_is_own(const struct compiler_message *message, bool is_program) {
    return is_program ? message->file[0] != '\0' && message->file[0] != '/' &&
                            !text_starts(message->file, BUILD_TREE "/")
                      : compiler_message_is_submission(message->file);
}

bool compiler_message_is_open_brace(const struct compiler_message *message) {
    return message->kind == MESSAGE_ERROR &&
           strcmp(message->said, "expected '}' at end of input") == 0;
}

static bool compiler_message_is_shim(const char *file) {
    return strstr(file, "/emu/shim/cuda_") != NULL;
}

void compiler_message_plain(char *text) {
    static const char prefix[] = "__tilegrade_";
    for (char *at = strstr(text, prefix); at; at = strstr(at, prefix)) {
        const char *rest = at + strlen(prefix);
        memmove(at, rest, strlen(rest) + 1);
    }
}

// Ours are the headers next to kernel.cuh and those of the shim.
bool compiler_message_is_ours(const char *file) {
    return strstr(file, "/include/standin/") != NULL ||
           strstr(file, "/include/matmul.cuh") != NULL ||
           strstr(file, "/include/kernel.cuh") != NULL || strstr(file, "/include/ptx") != NULL ||
           compiler_message_is_shim(file);
}

// --- Characters that only look like those of C -------------------------------------------------

// The character of C that this one looks like, ' ' for blanks of all widths; '\0' for others.
static char looks_like(uint32_t character) {
    static const struct {
        uint32_t character;
        char plain;
    } others[] = {
        {0x00a0, ' '}, {0x200b, ' '}, {0x200c, ' '},  {0x200d, ' '},  {0x202f, ' '}, {0x2060, ' '},
        {0x3000, ' '}, {0xfeff, ' '}, {0x2018, '\''}, {0x2019, '\''}, {0x201c, '"'}, {0x201d, '"'},
        {0x2010, '-'}, {0x2011, '-'}, {0x2012, '-'},  {0x2013, '-'},  {0x2014, '-'}, {0x2212, '-'},
        {0x00d7, '*'}, {0x3001, ','}, {0x3002, '.'},  {0x3010, '['},  {0x3011, ']'}, {0x2215, '/'},
        {0x2217, '*'}, {0x037e, ';'},
    };
    if (character >= 0xff01 && character <= 0xff5e) {  // the full-width forms of ASCII
        return (char)(character - 0xff01 + '!');
    }
    for (size_t i = 0; i < COUNT(others); i++) {
        if (others[i].character == character) {
            return others[i].plain;
        }
    }
    return '\0';
}

char compiler_message_lookalike(const char *said, uint32_t *ret_character) {
    uint32_t character = 0;
    char plain = '\0';
    size_t bytes;
    for (const char *at = said; *at != '\0' && plain == '\0'; at += bytes) {
        character = utf8_read(at, &bytes);
        if (text_starts(at, "\\U")) {
            character = (uint32_t)strtoul(at + 2, NULL, 16);
        }
        plain = looks_like(character);
    }
    *ret_character = character;
    return plain;
}

// --- The messages of g++ as a student reads them --------------------------------------------

#define WARNING_LINES_MAX 4000

// Appends a line, with the student's file under its own name and other files without their folders.
static void line_show(FILE *out, const char *text, const char *name) {
    bool quoted = text[0] == ' ' && !strstr(text, " from ");  // the student's own line
    const char *at = text;
    while (*at != '\0') {
        if (text_starts(at, BUILD_SOURCE)) {
            (void)fputs(name, out);
            at += strlen(BUILD_SOURCE);
            continue;
        }
        bool starts = at == text || at[-1] == ' ' || at[-1] == '\'';
        if (!quoted && *at == '/' && starts) {
            size_t word = strcspn(at, " :'");
            while (word > 0 && at[word - 1] != '/') {
                word--;
            }
            at += word > 0 ? word : 1;
            continue;
        }
        (void)fputc(*at++, out);
    }
    (void)fputc('\n', out);
}

static bool any_error(const char *output) {
    struct compiler_message message;
    while (compiler_message_next(&output, &message)) {
        if (message.kind == MESSAGE_ERROR) {
            return true;
        }
    }
    return false;
}

// The output of shown messages, and the numbers of shown and hidden lines.
struct show {
    FILE *out;
    const char *name;  // of the student's file
    bool is_program;   // files with a relative name are the student's, too
    bool errors_only;
    int lines, lines_max, left_out;
};

// Shows either the messages about an unclosed { or all others: the true cause comes first.
static void messages_show(struct show *show, const char *output, bool open_braces) {
    bool shown = !show->errors_only;  // whether lines that belong to the last message are shown
    bool wanted = !open_braces;
    bool in_shim = false;  // its lines are not quoted
    bool launch = false;   // in a quoted line
    struct compiler_message message;
    while (compiler_message_next(&output, &message)) {
        static const char *const ways[] = {"In file included from /", "                 from /"};
        if (show->is_program && text_starts_any(message.text, ways, COUNT(ways))) {
            continue;  // a way through headers that are not the student's
        }
        bool quotes = message.text[0] == ' ' && strstr(message.text, " | ");
        launch = quotes ? launch || strstr(message.text, "<<<") : false;
        if (show->is_program && launch && !strstr(message.text, "<<<")) {
            continue;  // a mark: its column is one of the changed text
        }
        bool begins = message.kind == MESSAGE_ERROR || message.kind == MESSAGE_WARNING;
        bool ours = compiler_message_is_ours(message.file) ||
                    (show->is_program && compiler_message_is_own(&message, true));
        if (begins) {
            wanted = compiler_message_is_open_brace(&message) == open_braces;
        }
        if (message.file[0] != '\0' && !compiler_message_is_submission(message.file) && !ours) {
            shown = false;  // a file that must not be included: show nothing of its content
        } else if (message.kind == MESSAGE_WARNING && ours && message.file[0] == '/') {
            shown = false;  // such as a shuffle of a variable that only one lane has set
        } else if (begins) {
            shown = !show->errors_only || message.kind == MESSAGE_ERROR;
        } else if (show->is_program && strstr(message.text, "<lambda(auto")) {
            shown = false;  // a launch of a template
        } else if (message.text[0] != ' ' && message.kind == MESSAGE_NONE) {
            shown = true;  // "submission.cu: In function …", "In file included from …"
        }
        if (show->is_program && begins && strstr(message.text, "tilegrade")) {
            continue;  // of our own names; its line is shown
        }
        in_shim = message.kind ? compiler_message_is_shim(message.file) : in_shim;
        if (in_shim && (message.kind == MESSAGE_NOTE || message.text[0] == ' ')) {
            continue;
        }
        compiler_message_plain(message.text);
        if (shown && wanted && show->lines < show->lines_max) {
            line_show(show->out, message.text, show->name);
            show->lines++;
        } else if (shown && wanted) {
            show->left_out++;
        }
    }
}

static char *output_show(const char *output, const char *name, bool is_program) {
    char *text = NULL;
    size_t bytes = 0;
    char more[80] = "";
    FILE *out = xopen_memstream(&text, &bytes);
    bool errors = any_error(output);
    struct show show = {.out = out,
                        .name = name,
                        .is_program = is_program,
                        .errors_only = errors,
                        .lines_max = errors ? DIAGNOSTIC_LINES_MAX : WARNING_LINES_MAX};
    messages_show(&show, output, true);
    messages_show(&show, output, false);
    xclose_memstream(out, &text);
    text_clean(text);
    if (show.left_out > 0) {
        words_write(more, sizeof more, "… and %d more lines\n", show.left_out);
    }
    char *whole = xasprintf("%s%s", text, more);  // only what is foreign is cleaned
    free(text);
    return whole;
}

char *diagnostics_show(const char *output, const char *kernel) {
    char *name = xasprintf("%s.cu", kernel_exercise(kernel));
    char *text = output_show(output, name, false);
    free(name);
    return text;
}

char *program_messages_show(const char *output, const char *name) {
    return output_show(output, name, true);
}

// --- The messages of NVRTC as a student reads them ------------------------------------------

#define LOG_LINES_MAX 40

// Copies one line, with the student's file under its own name and our headers without their folder.
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

char *compile_log_show(const char *log, const char *kernel, const char *folder) {
    char *text = NULL;
    size_t used = 0;
    FILE *out = xopen_memstream(&text, &used);
    int lines = 0;
    size_t total = 0;
    for (const char *at = log; *at != '\0' && lines < LOG_LINES_MAX;) {
        size_t bytes = strcspn(at, "\r\n");
        bool keep = strspn(at, " \t") < bytes && !text_starts(at, "Remark: ");
        total += bytes;
        // Half of the room, because a shown name may be longer than the one it replaces.
        if (keep && total < DIAGNOSTICS_MAX / 2) {
            line_copy(out, at, bytes, kernel, folder);
            lines++;
        }
        at += bytes;
        at += strspn(at, "\r\n");
    }
    xclose_memstream(out, &text);
    text_clean(text);
    return text;
}
