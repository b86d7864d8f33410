// Lists of CUDA's own words, so that any extension of a compiler is refused without being listed
// here.  The words are those that NVRTC 13 accepts; tests/language/test_acceptance.py tries each of
// them.
//
// NVRTC ignores what follows a NUL byte, so two compilers would see two programs: the judge refuses
// such a file itself.  gcc writes the string of `section("…")` into its assembly text without
// checking it: a newline in the string starts a new line there, which could be anything.  So it
// must be a plain name.
#include "device/source/source_check.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/cpp_lexer.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/build_report.h"

// Words with such a prefix belong to a compiler or to the grader.
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

// The expansions of macros in our headers.
static const char *const made_builtins[] = {
    "__builtin_offsetof", "__builtin_tilegrade_assume", "emu_return_at",    "__tilegrade_memcpy",
    "__tilegrade_memset", "__tilegrade_assert_failed",  "__tilegrade_note", "__tilegrade_ldg"};

static const char *const attributes[] = {
    // Standard attributes, and their namespaces.
    "maybe_unused", "nodiscard", "deprecated", "noreturn", "fallthrough", "likely", "unlikely",
    "carries_dependency", "no_unique_address", "assume", "using", "gnu", "nv", "nvidia",
    // In __attribute__ or [[gnu::…]].
    "aligned", "always_inline", "noinline", "unused", "used", "packed", "const", "pure", "nv_pure",
    "may_alias", "format", "nonnull", "nothrow", "warn_unused_result", "hot", "cold",
    "assume_aligned", "returns_nonnull"};
static const char *const made_attributes[] = {"patchable_function_entry", "visibility", "section"};

// g++ ignores attributes that it does not know.
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

// The file defines a macro of that name; its expansion is checked in the preprocessed text.
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
    if (strcmp(word, "tilegrade") == 0) {
        return SOURCE_BUILTIN;  // the namespace that our headers call
    }
    if (strcmp(word, "goto") == 0 && cpp_begins(next, '*')) {
        return SOURCE_BUILTIN;  // `goto *place;`, with the `&&label` of g++
    }
    // In preprocessed text the first one is the expansion of __shared__.
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

// With `tensor_maps maps` as a parameter, each thread gets a copy: a copy of a map is not a valid
// map.
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

// Follows the next token of a file; `after` is past it.
//
// Returns  SOURCE_BUILTIN, SOURCE_ATTRIBUTE, SOURCE_THREAD_LOCAL, SOURCE_MANAGED,
//          SOURCE_TENSOR_MAPS or SOURCE_FINE.
static enum source_problem words_follow(struct source_words *words, const struct cpp_token *token,
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
    bool names = words->depth > 0 && words->depth <= 2;  // values of attributes are deeper
    return names ? attribute_check(words, word) : word_check(words, word, &next);
}

// True if the words after `#pragma` name a pragma that CUDA does not have.
static bool words_pragma_is_foreign(struct cpp_lexer lexer) {
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

#define HEADER_NAME_MAX 256

// The state of a scan of a file's tokens.
struct look {
    struct cpp_lexer lexer;  // past the current token
    bool asks;               // the last word asks whether a macro is defined
    bool in_pragma;          // in the line of a #pragma
    bool makes_pragma;       // the operand of a _Pragma does not begin with a string
    int pack_line;           // of the first pack(…) that may be its argument; 0 if there is none
    struct source_words words;
};

static struct cpp_token next_token(struct cpp_lexer lexer) {
    struct cpp_token next;
    (void)cpp_next(&lexer, &next);
    return next;
}

// --- Files --------------------------------------------------------------------------------------

// True for a literal header name that is not a path outside our headers.
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

// Refuses `#include` and the like with any other name.  The lexer is past the #.  Returns the line;
// 0 if it is allowed.
static int directive_line(struct cpp_lexer lexer) {
    static const char *const includes[] = {"include_next", "include", "import", "embed"};
    struct cpp_token word;
    if (!cpp_next(&lexer, &word) || word.fresh) {
        return 0;
    }
    if (cpp_is_any(&word, includes, COUNT(includes))) {
        struct cpp_token name = next_token(lexer);
        return name_is_plain(&name) ? 0 : lexer.line;
    }
    return 0;
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
    next = next_token(ahead);
    return !name_is_plain(&next);
}

// The line of a forbidden include that begins with this token; 0 if there is none.
static int include_line(struct look *look, const struct cpp_token *token) {
    static const char *const asking[] = {"ifdef", "ifndef", "defined"};
    if (cpp_is_directive(token)) {
        return directive_line(look->lexer);
    }
    if (is_foreign_question(look, token)) {
        return token->line;
    }
    look->asks = cpp_is_any(token, asking, COUNT(asking)) || (look->asks && cpp_begins(token, '('));
    return 0;
}

// --- Words --------------------------------------------------------------------------------------

// `#line 7`, or `# 7 "name"` as a preprocessor writes it; `#pragma`.
static enum source_problem directive_check(struct cpp_lexer lexer) {
    struct cpp_token word;
    if (!cpp_next(&lexer, &word) || word.fresh) {
        return SOURCE_FINE;
    }
    if (cpp_is(&word, "line") || word.kind == CPP_NUMBER) {
        return SOURCE_LINE;
    }
    return cpp_is(&word, "pragma") && words_pragma_is_foreign(lexer) ? SOURCE_PRAGMA : SOURCE_FINE;
}

// --- The operator _Pragma -----------------------------------------------------------------------

// True for `_Pragma("pack(1)")` and the like.  Also follows texts that a macro may turn into one.
static bool is_lost_pragma(struct look *look, const struct cpp_token *token) {
    static const char *const kept[] = {"pack", "push_macro", "pop_macro"};
    static const char *const arguments[] = {"push", "pop"};
    struct cpp_lexer ahead = look->lexer;
    struct cpp_token next;
    look->in_pragma = !token->fresh && (look->in_pragma || cpp_is(token, "pragma"));
    if (!cpp_next(&ahead, &next) || !cpp_begins(&next, '(') || !cpp_next(&ahead, &next)) {
        return false;
    }
    if (cpp_is(token, "pack") && !look->in_pragma && look->pack_line == 0 &&
        (next.kind == CPP_NUMBER || cpp_is_any(&next, arguments, COUNT(arguments)))) {
        look->pack_line = token->line;
    }
    if (!cpp_is(token, "_Pragma")) {
        return false;
    }
    look->makes_pragma |= next.kind != CPP_STRING && next.kind != CPP_RAW_STRING;
    for (size_t i = 0; i < COUNT(kept); i++) {
        if (memmem(next.at, next.bytes, kept[i], strlen(kept[i]))) {
            return next.kind == CPP_STRING || next.kind == CPP_RAW_STRING;
        }
    }
    return false;
}

enum source_problem source_foreign(const char *text, int *ret_line,
                                   char ret_word[SOURCE_WORD_MAX]) {
    struct look look = {.lexer = cpp_open(text, strlen(text)), .words = {.text = text}};
    enum source_problem problem = SOURCE_FINE;
    struct cpp_token token;
    while (cpp_next(&look.lexer, &token)) {
        int line = include_line(&look, &token);
        if (line > 0) {
            *ret_line = line;
            return SOURCE_INCLUDE;
        }
        if (problem == SOURCE_FINE) {
            problem = cpp_is_directive(&token) ? directive_check(look.lexer)
                      : is_lost_pragma(&look, &token)
                          ? SOURCE_PRAGMA_OPERATOR
                          : words_follow(&look.words, &token, look.lexer);
            if (problem != SOURCE_FINE) {
                *ret_line = token.line;
                cpp_copy(&token, ret_word, SOURCE_WORD_MAX);
            }
        }
    }
    if (problem == SOURCE_FINE && look.makes_pragma && look.pack_line > 0) {
        *ret_line = look.pack_line;
        return SOURCE_PRAGMA_OPERATOR;
    }
    return problem;
}

// The shim's own sections, see cuda_emu.h.
#define OWN_SECTION "tilegrade_constant."

// To look ahead, read from a copy.
struct scanner {
    struct cpp_lexer lexer;
    const char *text;
    bool is_submission;
};

// `# 12 "submission.cu" 2`: what follows is line 12 of that file.  Other lines with # are pragmas.
static void marker_read(struct scanner *scanner, const char *marker) {
    char name[64] = "";
    int line = 0;
    cpp_line_skip(&scanner->lexer);
    if (sscanf(marker, "# %d \"%63[^\"\n]\"", &line, name) == 2) {
        scanner->is_submission = strcmp(name, BUILD_SOURCE) == 0;
        scanner->lexer.line = line - 1;  // the end of this line counts it up
    }
}

// The next token of the program.  A # from a macro is never the first character of its line.
static bool next(struct scanner *scanner, struct cpp_token *token) {
    for (;;) {
        scanner->lexer.header = CPP_NO_HEADER;  // the preprocessor left no directives
        if (!cpp_next(&scanner->lexer, token)) {
            return false;
        }
        if (!cpp_begins(token, '#') || (token->at > scanner->text && token->at[-1] != '\n')) {
            return true;
        }
        marker_read(scanner, token->at);
    }
}

// True if the next tokens are the operand that __constant__ gives to the attribute `section`: ("…"
// "7").
static bool is_own_section(struct scanner scanner) {
    struct cpp_token token;
    if (!next(&scanner, &token) || !next(&scanner, &token) ||
        !cpp_is(&token, "\"" OWN_SECTION "\"") || !next(&scanner, &token) ||
        token.kind != CPP_STRING || token.bytes < 3) {
        return false;
    }
    size_t digits = 0;
    while (isdigit((unsigned char)token.at[1 + digits])) {
        digits++;
    }
    return digits + 2 == token.bytes && next(&scanner, &token) && cpp_begins(&token, ')');
}

// True if a `thread_local` comes from __shared__ and not from another macro.
static bool is_shared(struct scanner scanner) {
    static const char *const rest[] = {"__attribute__", "(", "(", "used"};
    struct cpp_token token;
    for (size_t i = 0; i < COUNT(rest); i++) {
        if (!next(&scanner, &token) || !cpp_is(&token, rest[i])) {
            return false;
        }
    }
    return true;
}

// Examines the declaration after the `thread_local` of a __shared__: true if it has a `=`.  A
// braced initial value looks like the members of a struct, and g++ refuses it unless it is 0.
static bool has_value(struct scanner scanner) {
    struct cpp_token token;
    int depth = 0;
    while (next(&scanner, &token) && (depth > 0 || !cpp_begins(&token, ';'))) {
        depth += cpp_begins(&token, '(') || cpp_begins(&token, '[') || cpp_begins(&token, '{');
        depth -= cpp_begins(&token, ')') || cpp_begins(&token, ']') || cpp_begins(&token, '}');
        if (depth == 0 && token.kind == CPP_PUNCTUATOR && memchr(token.at, '=', token.bytes)) {
            return true;
        }
    }
    return false;
}

static enum source_problem token_check(const struct scanner *scanner, struct source_words *words,
                                       const struct cpp_token *token) {
    static const char *const sections[] = {"section", "__section__"};
    static const char *const assembly[] = {"asm", "__asm", "__asm__"};
    enum source_problem problem = words_follow(words, token, scanner->lexer);
    if (problem != SOURCE_FINE || token->kind != CPP_WORD) {
        return problem;
    }
    if (cpp_is_any(token, assembly, COUNT(assembly))) {
        return SOURCE_ASM;
    }
    if (words->depth > 0 && cpp_is_any(token, sections, COUNT(sections)) &&
        !is_own_section(*scanner)) {
        return SOURCE_ATTRIBUTE;
    }
    if (cpp_is(token, "thread_local") && !is_shared(*scanner)) {
        return SOURCE_THREAD_LOCAL;
    }
    return cpp_is(token, "thread_local") && has_value(*scanner) ? SOURCE_SHARED : SOURCE_FINE;
}

enum source_problem source_made_foreign(const char *text, int *ret_line,
                                        char ret_word[SOURCE_WORD_MAX]) {
    struct scanner scanner = {.lexer = cpp_open(text, strlen(text)), .text = text};
    struct source_words words = {.text = NULL};
    struct cpp_token token;
    while (next(&scanner, &token)) {
        enum source_problem problem =
            scanner.is_submission ? token_check(&scanner, &words, &token) : SOURCE_FINE;
        if (problem != SOURCE_FINE) {
            *ret_line = token.line;
            cpp_copy(&token, ret_word, SOURCE_WORD_MAX);
            return problem;
        }
    }
    return SOURCE_FINE;
}

static const char byte_order_mark[] = {'\xef', '\xbb', '\xbf'};

// UTF-16 with its mark, or without one: every second byte of plain text is 0.
static bool is_utf16(const char *bytes, size_t count) {
    if (count < 4) {
        return false;
    }
    bool marked = memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0;
    bool little = bytes[0] != '\0' && bytes[1] == '\0' && bytes[2] != '\0' && bytes[3] == '\0';
    bool big = bytes[0] == '\0' && bytes[1] != '\0' && bytes[2] == '\0' && bytes[3] != '\0';
    return marked || little || big;
}

static bool is_blank(const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!memchr(" \t\r\n\v\f", bytes[i], 6)) {
            return false;
        }
    }
    return true;
}

static void check(const char *bytes, size_t count, struct build_report *report) {
    if (count > SOURCE_BYTES_MAX) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, 0,
                           "the file has %zu bytes; a kernel file may have at most %d", count,
                           SOURCE_BYTES_MAX);
        return;
    }
    if (is_utf16(bytes, count)) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, 0,
                           "the file is saved as UTF-16: save it as UTF-8 in your editor");
        return;
    }
    const char *nul = memchr(bytes, '\0', count);
    if (nul) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED,
                           text_line_number(bytes, (size_t)(nul - bytes)),
                           "the file contains a NUL byte, so it is not the text of a program");
        return;
    }
    if (is_blank(bytes, count)) {
        build_report_fault(report, BUILD_FAULT_NO_KERNEL, 0, "the file is empty");
    }
}

// The fault of each problem, and the sentence about its line; %s is the word.
static const struct {
    enum build_fault fault;
    const char *text;
} refusals[] = {
    [SOURCE_INCLUDE] = {BUILD_FAULT_NOT_ALLOWED, FOREIGN_INCLUDE_TEXT},
    [SOURCE_BUILTIN] =
        {BUILD_FAULT_NOT_ALLOWED,
         N_("uses `%s`, an internal name of the compiler or the grader, which CUDA does not have")},
    [SOURCE_ATTRIBUTE] = {BUILD_FAULT_NOT_ALLOWED,
                          N_("uses the attribute `%s`, which is not allowed in a kernel file")},
    [SOURCE_PRAGMA] = {BUILD_FAULT_NOT_ALLOWED,
                       N_("has a #pragma that CUDA does not have: remove it")},
    [SOURCE_PRAGMA_OPERATOR] = {BUILD_FAULT_NOT_ALLOWED,
                                N_("has `pack`, `push_macro` or `pop_macro` in a _Pragma, which "
                                   "the CPU device ignores: write it as a line, #pragma")},
    [SOURCE_THREAD_LOCAL] = {BUILD_FAULT_NOT_ALLOWED,
                             N_("declares a `%s` variable, which CUDA does not have: a variable "
                                "inside the kernel already belongs to one thread")},
    [SOURCE_MANAGED] =
        {BUILD_FAULT_NOT_ALLOWED,
         N_("declares a `%s` variable: a kernel file must not have writable global variables")},
    [SOURCE_LINE] = {BUILD_FAULT_NOT_ALLOWED,
                     N_("has a #line directive: remove it, so that lines keep their numbers")},
    [SOURCE_ASM] = {BUILD_FAULT_NEEDS_GPU, N_("uses inline assembly, which only a GPU can run")},
    [SOURCE_SHARED] = {BUILD_FAULT_ERROR,
                       N_("a __shared__ variable has an initial value: shared memory starts "
                          "without values, so let a thread store it")},
    [SOURCE_TENSOR_MAPS] = {BUILD_FAULT_ERROR,
                            N_("takes `%s` without const __grid_constant__: each thread would get "
                               "a copy, and a GPU makes no bulk copy by the copy of a map")},
};

_Static_assert(COUNT(refusals) == SOURCE_TENSOR_MAPS + 1, "each problem has a sentence");

void source_refuse(enum source_problem problem, int line, const char *word,
                   struct build_report *report) {
    if (problem != SOURCE_FINE) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        build_report_fault(report, refusals[problem].fault, line, refusals[problem].text, word);
#pragma GCC diagnostic pop
    }
}

// Gives both compilers the same text: g++ joins lines at a backslash followed by blanks, NVRTC does
// not.  Removes such blanks.
static size_t splices_tidy(char *text, size_t count) {
    size_t kept = 0;
    size_t past = 0;  // the last letter that is not a blank
    for (size_t i = 0; i < count; i++) {
        bool ends = text[i] == '\n' || (text[i] == '\r' && i + 1 < count && text[i + 1] == '\n');
        if (ends && past > 0 && text[past - 1] == '\\') {
            kept = past;
        }
        text[kept++] = text[i];
        past = memchr(" \t\v\f", text[i], 4) ? past : kept;
    }
    return kept;
}

char *source_prepare(const char *bytes, size_t count, size_t *ret_count,
                     struct build_report *ret_report) {
    if (count >= sizeof byte_order_mark &&
        memcmp(bytes, byte_order_mark, sizeof byte_order_mark) == 0) {
        bytes += sizeof byte_order_mark;
        count -= sizeof byte_order_mark;
    }
    *ret_count = 0;
    memset(ret_report, 0, sizeof *ret_report);
    check(bytes, count, ret_report);
    if (ret_report->fault != BUILD_FAULT_NONE) {
        return NULL;
    }
    char *copy = xmalloc(count + 2);
    memcpy(copy, bytes, count);
    count = splices_tidy(copy, count);
    // Without a final newline, the compiler's own text would run into the last line.  The largest
    // file has no room for one.
    if (copy[count - 1] != '\n' && count < SOURCE_BYTES_MAX) {
        copy[count++] = '\n';
    }
    copy[count] = '\0';
    // Paths in #include are refused before a compiler opens them: reading a device file might
    // never end.
    int line = 0;
    char word[SOURCE_WORD_MAX] = "";
    enum source_problem problem = source_foreign(copy, &line, word);
    source_refuse(problem, line, word, ret_report);
    if (ret_report->fault != BUILD_FAULT_NONE) {
        free(copy);
        return NULL;
    }
    *ret_count = count;
    return copy;
}
