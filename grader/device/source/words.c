// Lists of what CUDA has, so that what a compiler adds is refused without being known here.  The
// words are those that NVRTC 13 takes; tests/language/test_acceptance.py asks it for each of them.
#include "device/source/words.h"

#include <string.h>

#include "base/array.h"
#include "base/text.h"

// Words that begin so belong to a compiler or to the grader.
static const char *const reserved[] = {"__builtin_",   "__sync_",  "__atomic_", "__tsan_",
                                       "__ubsan_",     "__asan",   "emu_",      "__sanitizer_",
                                       "__tilegrade_", "__typeof", "_Float16",  "AnnotateIgnore"};

// Words of `reserved` that CUDA has.
static const char *const builtins[] = {"__builtin_expect",    "__builtin_unreachable",
                                       "__builtin_assume",    "__builtin_assume_aligned",
                                       "__builtin_align__",   "__builtin_addressof",
                                       "__builtin_bit_cast",  "__builtin_is_constant_evaluated",
                                       "__builtin_isnan",     "__builtin_isinf",
                                       "__builtin_isfinite",  "__builtin_copysign",
                                       "__builtin_copysignf", "__builtin_LINE",
                                       "__builtin_COLUMN",    "__builtin_FILE",
                                       "__builtin_FUNCTION"};

// What the macros of our headers make of a student's words.
static const char *const made_builtins[] = {
    "__builtin_offsetof", "__builtin_tilegrade_assume", "emu_return_at",   "__tilegrade_memcpy",
    "__tilegrade_memset", "__tilegrade_assert_failed",  "__tilegrade_note"};

static const char *const attributes[] = {
    // Standard ones, and their name spaces.
    "maybe_unused", "nodiscard", "deprecated", "noreturn", "fallthrough", "likely", "unlikely",
    "carries_dependency", "no_unique_address", "assume", "using", "gnu", "nv", "nvidia",
    // In __attribute__ or [[gnu::…]].
    "aligned", "always_inline", "noinline", "unused", "used", "packed", "const", "pure", "nv_pure",
    "may_alias", "format", "nonnull", "nothrow", "warn_unused_result", "hot", "cold",
    "assume_aligned", "returns_nonnull"};
static const char *const made_attributes[] = {"patchable_function_entry", "visibility", "section"};

// g++ ignores those that it does not know.
static const char *const pragmas[] = {
    "unroll",    "nounroll",  "once", "pack",    "push_macro", "message",
    "pop_macro", "STDC",      "omp",  "acc",     "clang",      "region",
    "ivdep",     "endregion", "mark", "warning", "loop",       "hd_warning_disable"};
static const char *const pragma_starts[] = {"nv_", "diag_"};
static const char *const gcc_pragmas[] = {"diagnostic", "unroll", "ivdep"};

static bool in_list(const char *word, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, list[i]) == 0) {
            return true;
        }
    }
    return false;
}
#define IN_LIST(word, list) in_list(word, list, COUNT(list))

// "__aligned__" and "aligned" alike.
static bool is_attribute(const char *word, const char *const *list, size_t count) {
    char name[SOURCE_WORD_MAX];
    size_t length = strlen(word);
    bool dressed = length > 4 && text_starts(word, "__") && strcmp(word + length - 2, "__") == 0;
    memcpy(name, word, length + 1);
    name[length - (dressed ? 2 : 0)] = '\0';
    return in_list(name + (dressed ? 2 : 0), list, count);
}

// The file defines a macro of that name; what it stands for is seen in the preprocessed text.
static bool is_macro(const char *text, const char *word) {
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct cpp_token token;
    while (cpp_next(&lexer, &token)) {
        if (cpp_is_directive(&token) && cpp_next(&lexer, &token) && cpp_is(&token, "define") &&
            cpp_next(&lexer, &token) && cpp_is(&token, word)) {
            return true;
        }
    }
    return false;
}

// --- Words --------------------------------------------------------------------------------------

static struct cpp_token token_after(struct cpp_lexer lexer) {
    struct cpp_token next;
    (void)cpp_next(&lexer, &next);
    return next;
}

static enum source_problem attribute_check(const struct source_words *words, const char *word) {
    bool known = is_attribute(word, attributes, COUNT(attributes)) ||
                 (words->text ? is_macro(words->text, word)
                              : is_attribute(word, made_attributes, COUNT(made_attributes)));
    return known ? SOURCE_FINE : SOURCE_ATTRIBUTE;
}

static enum source_problem word_check(const struct source_words *words, const char *word,
                                      const struct cpp_token *next) {
    static const char *const thread_local_words[] = {"thread_local", "__thread", "_Thread_local"};
    if (strcmp(word, "goto") == 0 && cpp_begins(next, '*')) {
        return SOURCE_BUILTIN;  // `goto *place;`, with the `&&label` of g++
    }
    // In preprocessed text the first is what __shared__ stands for.
    if (IN_LIST(word, thread_local_words) && (words->text || strcmp(word, "thread_local") != 0)) {
        return SOURCE_THREAD_LOCAL;
    }
    if (strcmp(word, "__managed__") == 0) {
        return SOURCE_MANAGED;
    }
    bool known = !text_starts_any(word, reserved, COUNT(reserved)) || IN_LIST(word, builtins) ||
                 (!words->text && IN_LIST(word, made_builtins));
    return known ? SOURCE_FINE : SOURCE_BUILTIN;
}

// `tensor_maps maps` as a parameter, of which each thread gets a copy: a copy of a map is no map.
static bool is_copied_maps(struct source_words *words, const struct cpp_token *token,
                           struct cpp_lexer after) {
    struct cpp_token next;
    bool ends = cpp_begins(token, '(') || cpp_begins(token, ',') || cpp_begins(token, ';');
    words->in_place = !ends && (words->in_place || cpp_is(token, "__grid_constant__"));
    if (!words->text || words->in_place || !cpp_is(token, "tensor_maps")) {
        return false;
    }
    while (cpp_next(&after, &next) && cpp_is(&next, "const")) {
    }
    if (next.kind != CPP_WORD || cpp_is(&next, "__grid_constant__")) {
        return false;
    }
    next = token_after(after);
    return cpp_begins(&next, ')') || cpp_begins(&next, ',');
}

enum source_problem words_follow(struct source_words *words, const struct cpp_token *token,
                                 struct cpp_lexer after) {
    struct cpp_token next = token_after(after);
    bool is_word = token->kind == CPP_WORD;
    bool opens = cpp_begins(token, '(') || cpp_begins(token, '[') || cpp_begins(token, '{');
    bool closes = cpp_begins(token, ')') || cpp_begins(token, ']') || cpp_begins(token, '}');
    bool begins = (words->attribute && cpp_begins(token, '(')) ||
                  (cpp_begins(token, '[') && cpp_begins(&next, '['));
    if (words->depth > 0) {
        words->depth += opens - closes;
    } else if (begins) {
        words->depth = 1;
    }
    words->attribute = cpp_is(token, "__attribute__") || cpp_is(token, "__attribute");
    if (is_copied_maps(words, token, after)) {
        return SOURCE_TENSOR_MAPS;
    }
    if (!is_word) {
        return SOURCE_FINE;
    }
    char word[SOURCE_WORD_MAX];
    cpp_copy(token, word, sizeof word);
    bool names = words->depth > 0 && words->depth <= 2;  // deeper are the values of attributes
    return names ? attribute_check(words, word) : word_check(words, word, &next);
}

bool words_pragma_is_foreign(struct cpp_lexer lexer) {
    struct cpp_token token;
    char word[SOURCE_WORD_MAX];
    if (!cpp_next(&lexer, &token) || token.fresh) {
        return false;
    }
    if (cpp_is(&token, "GCC")) {
        return !cpp_next(&lexer, &token) || token.fresh ||
               !cpp_is_any(&token, gcc_pragmas, COUNT(gcc_pragmas));
    }
    cpp_copy(&token, word, sizeof word);
    return !IN_LIST(word, pragmas) && !text_starts_any(word, pragma_starts, COUNT(pragma_starts));
}
