// A list of words, not of deeds: what g++ knows beside C++ reads and writes memory without the
// callbacks that the checks live on.  A GPU's compiler knows none of these words, so that nobody
// who writes CUDA misses them.
#include "device/source/words.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "device/source/text.h"

// Starts of words.  No macro of ours expands to one of these.
static const char *const foreign[] = {"__builtin_ia32_",
                                      "__builtin_aarch64_",
                                      "__builtin_neon_",
                                      "__builtin_sve_",
                                      "__builtin_str",
                                      "__builtin_stp",
                                      "__builtin___",
                                      "__builtin_bcopy",
                                      "__builtin_bzero",
                                      "__builtin_bcmp",
                                      "__builtin_index",
                                      "__builtin_rindex",
                                      "__builtin_frexp",
                                      "__builtin_modf",
                                      "__builtin_remquo",
                                      "__builtin_sincos",
                                      "__builtin_prefetch",
                                      "__builtin_apply",
                                      "__builtin_return",
                                      "__builtin_frame_address",
                                      "__builtin_thread_pointer",
                                      "__builtin_set_thread_pointer",
                                      "__builtin_setjmp",
                                      "__builtin_longjmp",
                                      "__builtin_eh_",
                                      "__builtin_unwind",
                                      "__builtin_dwarf",
                                      "__tsan_",
                                      "__ubsan_",
                                      "__asan",
                                      "__sync_",
                                      "__atomic_",
                                      "__sanitizer_",
                                      "AnnotateIgnore",
                                      "__typeof",
                                      "_Float16"};

// Starts of words that our macros expand to.
static const char *const ours[] = {"__builtin_mem", "emu_"};

static const char *const attributes[] = {"target",
                                         "target_clones",
                                         "ifunc",
                                         "alias",
                                         "weak",
                                         "weakref",
                                         "constructor",
                                         "destructor",
                                         "optimize",
                                         "symver",
                                         "naked",
                                         "tls_model",
                                         "init_priority",
                                         "cleanup",
                                         "no_sanitize",
                                         "no_sanitize_thread",
                                         "no_sanitize_address",
                                         "no_sanitize_undefined",
                                         "patchable_function_entry",
                                         "indirect_branch",
                                         "function_return",
                                         "returns_twice"};

struct scanner {
    const char *at;
    bool fresh;  // nothing but space since the line began
    int depth;   // of parentheses within __attribute__, or of [[; 0 outside
    bool double_bracket;
};

// Compares the start of a word.
static bool starts_with_any(const char *word, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strncmp(word, list[i], strlen(list[i])) == 0) {
            return true;
        }
    }
    return false;
}
#define STARTS_WITH_ANY(word, list) starts_with_any(word, list, sizeof(list) / sizeof *(list))

bool source_word_is_foreign(const char *word) {
    return STARTS_WITH_ANY(word, foreign);
}

// "__target__" and "target" alike.
static bool is_attribute(const char *word) {
    size_t length = strlen(word);
    if (length > 4 && strncmp(word, "__", 2) == 0 && strcmp(word + length - 2, "__") == 0) {
        word += 2;
        length -= 4;
    }
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (strlen(attributes[i]) == length && strncmp(word, attributes[i], length) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_word_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
}

// Reads the word at scanner->at, over joints of lines within it.
static void word_read(struct scanner *scanner, char word[SOURCE_WORD_MAX]) {
    size_t length = 0;
    while (is_word_letter(*scanner->at) || *scanner->at == SOURCE_JOINT) {
        if (*scanner->at != SOURCE_JOINT && length < SOURCE_WORD_MAX - 1) {
            word[length++] = *scanner->at;
        }
        scanner->at++;
    }
    word[length] = '\0';
}

static void space_skip(struct scanner *scanner) {
    while (*scanner->at == ' ' || *scanner->at == '\t' || *scanner->at == SOURCE_JOINT) {
        scanner->at++;
    }
}

// `goto *place;`, with the `&&label` of g++.
static bool is_computed_goto(struct scanner *scanner, const char *word) {
    if (strcmp(word, "goto") != 0) {
        return false;
    }
    space_skip(scanner);
    return *scanner->at == '*';
}

static enum source_word word_check(struct scanner *scanner, const char *word) {
    if (is_computed_goto(scanner, word)) {
        return SOURCE_WORD_BUILTIN;
    }
    if (strcmp(word, "__attribute__") == 0 || strcmp(word, "__attribute") == 0) {
        scanner->depth = 0;
        scanner->double_bracket = false;
        while (*scanner->at == '\n' || *scanner->at == '\r' || *scanner->at == ' ' ||
               *scanner->at == '\t' || *scanner->at == SOURCE_JOINT) {
            scanner->at++;
        }
        if (*scanner->at == '(') {
            scanner->depth = 1;
            scanner->at++;
        }
        return SOURCE_WORD_FINE;
    }
    if (scanner->depth > 0 && is_attribute(word)) {
        return SOURCE_WORD_ATTRIBUTE;
    }
    if (strcmp(word, "thread_local") == 0 || strcmp(word, "__thread") == 0 ||
        strcmp(word, "_Thread_local") == 0) {
        return SOURCE_WORD_THREAD_LOCAL;
    }
    if (strcmp(word, "__managed__") == 0) {
        return SOURCE_WORD_MANAGED;
    }
    return STARTS_WITH_ANY(word, foreign) || STARTS_WITH_ANY(word, ours) ? SOURCE_WORD_BUILTIN
                                                                         : SOURCE_WORD_FINE;
}

// What follows the # of a directive: `line 7`, or `7 "name"` as a preprocessor writes it.
static enum source_word directive_check(struct scanner *scanner, char word[SOURCE_WORD_MAX]) {
    scanner->at += *scanner->at == '#' ? 1 : 2;
    space_skip(scanner);
    struct scanner ahead = *scanner;
    word_read(&ahead, word);
    if (strcmp(word, "line") == 0 || (word[0] >= '0' && word[0] <= '9')) {
        return SOURCE_WORD_LINE;
    }
    return SOURCE_WORD_FINE;
}

// Steps over one letter that belongs to no word and keeps count of what is open.
static void mark_step(struct scanner *scanner) {
    char open = scanner->double_bracket ? '[' : '(';
    char close = scanner->double_bracket ? ']' : ')';
    char c = *scanner->at;
    if (c == '\n') {
        scanner->fresh = true;
    } else if (c != ' ' && c != '\t' && c != '\r' && c != SOURCE_JOINT) {
        scanner->fresh = false;
    }
    if (scanner->depth > 0) {
        scanner->depth += (c == open) - (c == close);
    } else if (c == '[' && scanner->at[1] == '[') {
        scanner->double_bracket = true;
        scanner->depth = 1;
    }
    scanner->at++;
}

enum source_word source_words_check(const char *text, const char *blank, int *ret_line,
                                    char ret_word[SOURCE_WORD_MAX]) {
    struct scanner scanner = {.at = blank, .fresh = true};
    char word[SOURCE_WORD_MAX];
    while (*scanner.at != '\0') {
        enum source_word found = SOURCE_WORD_FINE;
        const char *start = scanner.at;
        if (scanner.fresh && (*start == '#' || (*start == '%' && start[1] == ':'))) {
            found = directive_check(&scanner, word);
            scanner.fresh = false;
        } else if (is_word_letter(*start)) {
            scanner.fresh = false;
            word_read(&scanner, word);
            found = word_check(&scanner, word);
        } else {
            mark_step(&scanner);
        }
        if (found != SOURCE_WORD_FINE) {
            *ret_line = source_line(text, (size_t)(start - blank));
            (void)snprintf(ret_word, SOURCE_WORD_MAX, "%s", word);
            return found;
        }
    }
    return SOURCE_WORD_FINE;
}
