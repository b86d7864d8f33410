// The builtin functions of g++ access memory without the callbacks that the checks depend on.
// NVRTC knows none of these names, so no CUDA kernel needs them.
#include "device/source/foreign.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/cpp_lexer.h"
#include "base/text.h"

#define HEADER_NAME_MAX 256

// Prefixes of words.  No macro of ours expands to one of these.
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

// Prefixes of words that our macros expand to.
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

// A look at the tokens of a file.
struct look {
    struct cpp_lexer lexer;  // past the current token
    bool asks;               // the last word asks whether a macro is defined
    int depth;               // of parentheses within __attribute__, or of [[; 0 outside
    bool double_bracket;
};

bool source_word_is_foreign(const char *word) {
    return text_starts_any(word, foreign, COUNT(foreign));
}

static struct cpp_token token_after(struct cpp_lexer lexer) {
    struct cpp_token next;
    (void)cpp_next(&lexer, &next);
    return next;
}

// --- Files --------------------------------------------------------------------------------------

// True for a header name that is written out and is not a path out of our headers.
static bool name_is_plain(const struct cpp_token *token) {
    bool quoted = token->kind == CPP_HEADER || (token->kind == CPP_STRING && *token->at == '"');
    if (!quoted || token->fresh || token->bytes < 2 || token->bytes >= HEADER_NAME_MAX + 2) {
        return false;
    }
    const char *name = token->at + 1;
    size_t bytes = token->bytes - 2;
    return name[bytes] == (token->kind == CPP_HEADER ? '>' : '"') && name[0] != '/' &&
           !memmem(name, bytes, "..", 2) && !memchr(name, '\\', bytes);
}

// Refuses `#include` and the like of any other name, and `#pragma GCC dependency "file"`, which
// reads the time of a file.  The lexer is past the #.  Returns the line; 0 if it is allowed.
static int directive_line(struct cpp_lexer lexer) {
    static const char *const includes[] = {"include_next", "include", "import", "embed"};
    int line = lexer.line;
    struct cpp_token word;
    if (!cpp_next(&lexer, &word) || word.fresh) {
        return 0;
    }
    if (cpp_is_any(&word, includes, COUNT(includes))) {
        struct cpp_token name = token_after(lexer);
        return name_is_plain(&name) ? 0 : lexer.line;
    }
    bool depends = cpp_is(&word, "pragma") && cpp_next(&lexer, &word) && cpp_is(&word, "GCC") &&
                   cpp_next(&lexer, &word) && cpp_is(&word, "dependency");
    return depends ? line : 0;
}

// `__has_include` asks whether a file exists.  `#ifdef __has_include` is fine, and so is a
// plain name.
static bool is_foreign_question(const struct look *look, const struct cpp_token *token) {
    static const char *const questions[] = {"__has_include_next", "__has_include", "__has_embed"};
    if (!cpp_is_any(token, questions, COUNT(questions)) || (look->asks && !token->fresh)) {
        return false;
    }
    struct cpp_lexer ahead = look->lexer;
    struct cpp_token next;
    if (!cpp_next(&ahead, &next) || !cpp_begins(&next, '(')) {
        return true;
    }
    next = token_after(ahead);
    return !name_is_plain(&next);
}

// The same #pragma as an operator.
static bool is_dependency_operator(const struct look *look, const struct cpp_token *token) {
    struct cpp_lexer ahead = look->lexer;
    struct cpp_token next;
    if (!cpp_is(token, "_Pragma") || !cpp_next(&ahead, &next)) {
        return false;
    }
    next = token_after(ahead);
    return memmem(next.at, next.bytes, "dependency", strlen("dependency")) != NULL;
}

// The line of a forbidden include that begins with this token; 0 if there is none.
static int include_line(struct look *look, const struct cpp_token *token) {
    static const char *const asking[] = {"ifdef", "ifndef", "defined"};
    if (cpp_is_directive(token)) {
        return directive_line(look->lexer);
    }
    if (is_foreign_question(look, token) || is_dependency_operator(look, token)) {
        return token->line;
    }
    look->asks = cpp_is_any(token, asking, COUNT(asking)) || (look->asks && cpp_begins(token, '('));
    return 0;
}

// --- Words --------------------------------------------------------------------------------------

// "__target__" and "target" alike.
static bool is_attribute(const char *word) {
    size_t length = strlen(word);
    if (length > 4 && text_starts(word, "__") && strcmp(word + length - 2, "__") == 0) {
        word += 2;
        length -= 4;
    }
    for (size_t i = 0; i < COUNT(attributes); i++) {
        if (text_is(word, length, attributes[i])) {
            return true;
        }
    }
    return false;
}

// Keeps count of the brackets that are open round attributes.
static void bracket_count(struct look *look, const struct cpp_token *token) {
    char open = look->double_bracket ? '[' : '(';
    char close = look->double_bracket ? ']' : ')';
    if (look->depth > 0) {
        look->depth += cpp_begins(token, open) - cpp_begins(token, close);
    } else if (cpp_begins(token, '[')) {
        struct cpp_token next = token_after(look->lexer);
        look->double_bracket = cpp_begins(&next, '[');
        look->depth = look->double_bracket;
    }
}

// `#line 7`, or `# 7 "name"` as a preprocessor writes it.
static bool is_line_directive(const struct cpp_token *token, const struct cpp_token *next) {
    return cpp_is_directive(token) && !next->fresh &&
           (cpp_is(next, "line") || next->kind == CPP_NUMBER);
}

static enum source_problem word_check(struct look *look, const char *word,
                                      const struct cpp_token *next) {
    if (strcmp(word, "goto") == 0 && cpp_begins(next, '*')) {
        return SOURCE_BUILTIN;  // `goto *place;`, with the `&&label` of g++
    }
    if (strcmp(word, "__attribute__") == 0 || strcmp(word, "__attribute") == 0) {
        struct cpp_token opening;
        look->double_bracket = false;
        look->depth = cpp_begins(next, '(') && cpp_next(&look->lexer, &opening);
        return SOURCE_FINE;
    }
    if (look->depth > 0 && is_attribute(word)) {
        return SOURCE_ATTRIBUTE;
    }
    if (strcmp(word, "thread_local") == 0 || strcmp(word, "__thread") == 0 ||
        strcmp(word, "_Thread_local") == 0) {
        return SOURCE_THREAD_LOCAL;
    }
    if (strcmp(word, "__managed__") == 0) {
        return SOURCE_MANAGED;
    }
    return source_word_is_foreign(word) || text_starts_any(word, ours, COUNT(ours)) ? SOURCE_BUILTIN
                                                                                    : SOURCE_FINE;
}

static enum source_problem token_check(struct look *look, const struct cpp_token *token,
                                       const char *word) {
    struct cpp_token next = token_after(look->lexer);
    if (token->kind == CPP_WORD) {
        return word_check(look, word, &next);
    }
    bracket_count(look, token);
    return is_line_directive(token, &next) ? SOURCE_LINE : SOURCE_FINE;
}

enum source_problem source_foreign(const char *text, int *ret_line,
                                   char ret_word[SOURCE_WORD_MAX]) {
    struct look look = {.lexer = cpp_open(text, strlen(text))};
    enum source_problem problem = SOURCE_FINE;
    struct cpp_token token;
    while (cpp_next(&look.lexer, &token)) {
        int line = include_line(&look, &token);
        if (line > 0) {
            *ret_line = line;
            return SOURCE_INCLUDE;
        }
        char word[SOURCE_WORD_MAX];
        cpp_copy(&token, word, sizeof word);
        if (problem == SOURCE_FINE) {
            problem = token_check(&look, &token, word);
            if (problem != SOURCE_FINE) {
                *ret_line = token.line;
                memcpy(ret_word, word, sizeof word);
            }
        }
    }
    return problem;
}
