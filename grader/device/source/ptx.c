// Looks for instructions in the text of PTX: see ptx.h.
#include "device/source/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

// The letter of the parameter with the type at `type`.
static char parameter_letter(const char *type) {
    static const struct {
        const char *type;
        char letter;
    } letters[] = {{".u64 ", 'L'}, {".b64 ", 'L'}, {".s64 ", 'L'}, {".f64 ", 'D'}, {".u32 ", 'I'},
                   {".b32 ", 'I'}, {".s32 ", 'I'}, {".f32 ", 'F'}, {".u16 ", 'S'}, {".b16 ", 'S'},
                   {".s16 ", 'S'}, {".u8 ", 'B'},  {".b8 ", 'B'},  {".s8 ", 'B'}};
    for (size_t i = 0; i < COUNT(letters); i++) {
        if (text_starts(type, letters[i].type)) {
            return letters[i].letter;
        }
    }
    return '?';
}

// Compares the list after the name of an entry point.
static bool list_is(const char *at, const char *parameters) {
    static const char mark[] = ".param ";
    const char *end = at + strcspn(at, ")");
    for (at = strstr(at, mark); at && at < end; at = strstr(at, mark)) {
        at += strlen(mark);
        if (*parameters == '\0' || *parameters == ',' || parameter_letter(at) != *parameters) {
            return false;
        }
        parameters++;
    }
    return *parameters == '\0' || *parameters == ',';
}

bool ptx_entry_takes(const char *ptx, const char *name, const char *parameters) {
    static const char mark[] = ".entry ";
    size_t length = strlen(name);
    bool takes = true;
    for (const char *at = strstr(ptx, mark); at && takes; at = strstr(at, mark)) {
        at += strlen(mark);
        if (text_starts(at, name) && !text_is_word(at[length])) {
            takes = list_is(at + length, parameters);
        }
    }
    return takes;
}

// Skips what may separate the parts of an instruction: blanks and comments.
static const char *gap_skip(const char *at) {
    for (;;) {
        if (*at != '\0' && strchr(" \t\n\r\f\v", *at)) {
            at++;
        } else if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*' && strstr(at + 2, "*/")) {
            at = strstr(at + 2, "*/") + 2;
        } else {
            return at;
        }
    }
}

// True if `at` is certainly in a comment, whatever the lines before it hold: it follows //, and
// neither a quote nor a mark of /* */ precedes it in its line.
static bool is_remark(const char *ptx, const char *at) {
    bool follows = false;
    while (at > ptx && at[-1] != '\n') {
        at--;
        if (*at == '"' || (at[0] == '/' && at[1] == '*') || (at[0] == '*' && at[1] == '/')) {
            return false;
        }
        follows = follows || (at[0] == '/' && at[1] == '/');
    }
    return follows;
}

// Past the word and modifier of an instruction at `at`; NULL if there is another one.
static const char *instruction_take(const char *at, const char *word, const char *modifier) {
    size_t length = strlen(modifier);
    const char *dot = text_starts(at, word) ? gap_skip(at + strlen(word)) : "";
    if (*dot != '.') {
        return NULL;
    }
    const char *next = gap_skip(dot + 1);
    bool is_it = text_starts(next, modifier) && !text_is_word(next[length]);
    return is_it ? next + length : NULL;
}

bool ptx_tensor_instruction(const char *ptx, char *ret_name, size_t name_bytes) {
    static const struct {
        const char *word, *modifier;
    } instructions[] = {{"mma", "sync"},   {"mma", "sp"},     {"wmma", "load"},
                        {"wmma", "mma"},   {"wmma", "store"}, {"wgmma", "mma_async"},
                        {"tcgen05", "mma"}};
    for (const char *at = ptx; *at != '\0'; at++) {
        if (at > ptx && (text_is_word(at[-1]) || strchr(".%$", at[-1]))) {
            continue;  // the middle of a word
        }
        for (size_t i = 0; i < COUNT(instructions); i++) {
            const char *rest = instruction_take(at, instructions[i].word, instructions[i].modifier);
            if (rest && !is_remark(ptx, at)) {
                size_t more = strspn(rest, ".:_abcdefghijklmnopqrstuvwxyz0123456789");
                (void)snprintf(ret_name, name_bytes, "%s.%s%.*s", instructions[i].word,
                               instructions[i].modifier, (int)more, rest);
                return true;
            }
        }
    }
    return false;
}
