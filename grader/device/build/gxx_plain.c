// One sentence for each error, found by the words that g++ has used since version 8.
//
//     submission.cu:7:5: error: expected ',' or ';' before 'const'
//         7 |     const int col = blockIdx.x * 16 + threadIdx.x;
//           |     ^~~~~
#include "device/build/gxx_plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

#define WORD_MAX 64  // bytes of what is quoted, with the final NUL

// Copies quotation `number`, from 0; "" if there are fewer, or it is too long to be one word.
static void quoted(const char *said, int number, char word[WORD_MAX]) {
    const char *open = strchr(said, '\'');
    const char *close = open ? strchr(open + 1, '\'') : NULL;
    for (int i = 0; i < number && close; i++) {
        open = strchr(close + 1, '\'');
        close = open ? strchr(open + 1, '\'') : NULL;
    }
    word[0] = '\0';
    if (close && close - open - 1 < WORD_MAX) {
        (void)snprintf(word, WORD_MAX, "%.*s", (int)(close - open - 1), open + 1);
    }
}

// The last word of a quotation: acc of 'float acc'.
static const char *last_word(const char *text) {
    const char *space = strrchr(text, ' ');
    return space ? space + 1 : text;
}

// --- Something is missing ------------------------------------------------------------------

enum place { IN_LINE, FIRST_IN_LINE, PAST_LINE };

// The words before the type of a declaration.
static size_t specifiers(const char *text) {
    static const char *const words[] = {"__global__ ", "__device__ ", "__shared__ ",
                                        "static ",     "extern ",     "const "};
    size_t bytes = 0;
    for (size_t i = 0; i < COUNT(words); i++) {
        if (text_starts(text + bytes, words[i])) {
            bytes += strlen(words[i]);
            i = (size_t)-1;  // from the first again
        }
    }
    return bytes;
}

// Where the ^ is: both lines begin with a margin of the same width, up to the |.
static enum place place_of(const struct compiler_error *error) {
    const char *bar = strstr(error->excerpt, " | ");
    const char *mark = strchr(error->caret, '^');
    if (!bar || !mark) {
        return IN_LINE;
    }
    size_t start = (size_t)(bar - error->excerpt) + 3;
    size_t first = start + strspn(error->excerpt + start, " ");
    size_t at = (size_t)(mark - error->caret);
    bool begins = at == first || at == first + specifiers(error->excerpt + first);
    return begins ? FIRST_IN_LINE : at >= strlen(error->excerpt) ? PAST_LINE : IN_LINE;
}

// Is the ^ inside the parentheses of a `for` of its line?
static bool is_in_for(const struct compiler_error *error) {
    const char *head = strstr(error->excerpt, "for (");
    const char *mark = strchr(error->caret, '^');
    int depth = 0;
    for (const char *at = head; at && mark && *at && at - error->excerpt < mark - error->caret;
         at++) {
        depth += (*at == '(') - (*at == ')');
    }
    return depth > 0;
}

// `a = b` and in the next line `*(float4 *)…`: without the ; between them it is a product.
static bool product_of_lines(const struct compiler_error *error, struct build_report *report) {
    char right[WORD_MAX];
    bool is_product = text_starts(error->said, "no match for 'operator*' ") ||
                      strstr(error->said, " to binary 'operator*'");
    int number = is_product && text_starts(error->said, "no match") ? 2 : 1;
    quoted(error->said, number, right);
    size_t length = strlen(right);
    int above = (int)strtol(error->excerpt, NULL, 10);
    if (!is_product || length == 0 || right[length - 1] != '*' || above == 0 ||
        above >= error->line) {
        return false;
    }
    build_report_fault(report, BUILD_FAULT_ERROR, error->line,
                       "a ; is missing at the end of this line");
    report->is_before_line = true;
    return true;
}

static bool semicolon(const struct compiler_error *error, struct build_report *report) {
    static const char *const begins[] = {"expected ',' or ';' before ", "expected ';' before ",
                                         "expected initializer before "};
    enum place place = place_of(error);
    char word[WORD_MAX];
    size_t i = 0;
    if (product_of_lines(error, report)) {
        return true;
    }
    while (i < COUNT(begins) && !text_starts(error->said, begins[i])) {
        i++;
    }
    if (i == COUNT(begins)) {
        return false;
    }
    quoted(error->said + strlen(begins[i]), 0, word);
    // The first words of __shared__ and __global__, which begin a declaration.
    if (strcmp(word, "thread_local") == 0 || strcmp(word, "__attribute__") == 0) {
        place = FIRST_IN_LINE;
    }
    if (i == 2 && place != FIRST_IN_LINE) {
        return false;
    }
    if (place == FIRST_IN_LINE || place == PAST_LINE) {
        build_report_fault(report, BUILD_FAULT_ERROR, error->line,
                           "a ; is missing at the end of this line");
        report->is_before_line = place == FIRST_IN_LINE;
    } else if (is_in_for(error)) {
        build_report_fault(report, BUILD_FAULT_ERROR, error->line,
                           "the three parts in the head of a for are separated by ;");
    } else if (strcmp(word, "}") == 0) {
        build_report_fault(report, BUILD_FAULT_ERROR, error->line, "a ; is missing before }");
    } else if (word[0] != '\0') {
        build_report_fault(report, BUILD_FAULT_ERROR, error->line,
                           "an operator such as * or a ; is missing before %s", word);
    }
    return word[0] != '\0' || place != IN_LINE || is_in_for(error);
}

static bool missing(const struct compiler_error *error, struct build_report *report) {
    const char *said = error->said;
    int line = error->line;
    char wanted[WORD_MAX];
    char word[WORD_MAX];
    quoted(said, 0, wanted);
    quoted(said, 1, word);
    if (text_starts(said, "expected '") && strstr(said, "' before ") && word[0] != '\0' &&
        strlen(wanted) == 1 && strchr("()]}", wanted[0])) {
        build_report_fault(report, BUILD_FAULT_ERROR, line, "a %s is missing before %s", wanted,
                           word);
    } else if (text_starts(said, "expected primary-expression before '")) {
        build_report_fault(report, BUILD_FAULT_ERROR, line,
                           "a value or a name is missing before %s", wanted);
    } else if (text_starts(said, "expected declaration before '}'")) {
        build_report_fault(report, BUILD_FAULT_ERROR, line,
                           "there is one } too many, here or in the lines above");
    } else if (text_starts(said, "'else' without a previous 'if'")) {
        build_report_fault(report, BUILD_FAULT_ERROR, line,
                           "this else has no if: does a ; or a } end the if too early?");
    } else {
        return false;
    }
    return true;
}

// --- Names ---------------------------------------------------------------------------------

// g++ proposes any name that is spelled alike, also that of a function which no kernel needs.
static bool is_of_mathematics(const char *name) {
    static const char *const names[] = {"abs", "cos", "div", "erf",  "exp",  "fdim", "fma",  "fmod",
                                        "j0",  "j1",  "jn",  "log",  "pow",  "rint", "sin",  "tan",
                                        "y0",  "y1",  "yn",  "sqrt", "ceil", "norm", "lrint"};
    for (size_t i = 0; i < COUNT(names); i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool unknown_name(const struct compiler_error *error, struct build_report *report) {
    char name[WORD_MAX];
    char other[WORD_MAX] = "";
    const char *mean = strstr(error->said, "; did you mean '");
    quoted(error->said, 0, name);
    if (mean) {
        quoted(mean, 0, other);
    }
    bool proposed = other[0] != '\0' && other[0] != '_' && !is_of_mathematics(other);
    proposed = proposed || text_starts(other, "__sync");
    bool is_type = strstr(error->said, "' does not name a type") != NULL;
    if (error->said[0] != '\'' || name[0] == '\0' ||
        (!is_type && !strstr(error->said, "' was not declared in this scope"))) {
        return false;
    }
    if (proposed) {
        build_report_fault(report, BUILD_FAULT_ERROR, error->line,
                           "%s is not known here: did you mean %s?", name, other);
    } else if (is_type) {
        build_report_fault(report, BUILD_FAULT_ERROR, error->line,
                           "%s is not the name of a type: is int or float missing before it?",
                           name);
    } else {
        build_report_fault(report, BUILD_FAULT_ERROR, error->line,
                           "%s is not known here: is it declared above with its type, in the same "
                           "{ }, and spelled alike?",
                           name);
    }
    return true;
}

// The parts of dim3, uint3, float4 and their like.
static bool part(const struct compiler_error *error, struct build_report *report) {
    char type[WORD_MAX];
    char name[WORD_MAX];
    quoted(error->said, 0, type);
    quoted(error->said, 1, name);
    bool is_three = strstr(type, "uint3") || strstr(type, "dim3");
    char last = type[0] != '\0' ? type[strlen(type) - 1] : ' ';
    const char *parts = is_three || last == '3' ? ".x .y .z"
                        : last == '2'           ? ".x .y"
                                                : ".x .y .z .w";
    bool is_vector = is_three || last == '2' || last == '3' || last == '4';
    if (strstr(error->said, "has no member named '") && name[0] != '\0' && is_vector) {
        build_report_fault(report, BUILD_FAULT_ERROR, error->line,
                           "there is no .%s in %s, which has %s", name, last_word(type), parts);
        return true;
    }
    if ((strstr(error->said, "no match for 'operator") ||
         text_starts(error->said, "cannot convert '")) &&
        (strstr(error->said, "uint3'") || strstr(error->said, "dim3'"))) {
        build_report_fault(report, BUILD_FAULT_ERROR, error->line,
                           "threadIdx, blockIdx, blockDim and gridDim each have three numbers: one "
                           "of .x, .y and .z is missing");
        return true;
    }
    return false;
}

static bool use(const struct compiler_error *error, struct build_report *report) {
    const char *said = error->said;
    int line = error->line;
    char word[WORD_MAX];
    quoted(said, 0, word);
    if (word[0] == '\0') {
        return false;
    }
    if (text_starts(said, "redeclaration of '")) {
        build_report_fault(report, BUILD_FAULT_ERROR, line, "%s is declared twice in the same { }",
                           last_word(word));
    } else if (text_starts(said, "assignment of read-only ")) {
        build_report_fault(report, BUILD_FAULT_ERROR, line,
                           "%s is const and cannot be changed (a comparison is ==)",
                           last_word(word));
    } else if (text_starts(said, "return-statement with a value, in function returning 'void'")) {
        build_report_fault(report, BUILD_FAULT_ERROR, line,
                           "this function is void: its return has no value");
    } else if (text_starts(said, "request for member ") && strstr(said, "pointer type")) {
        build_report_fault(report, BUILD_FAULT_ERROR, line,
                           "%s belongs to what a pointer leads to: write -> in place of the dot",
                           word);
    } else if (text_starts(said, "invalid types '") && strchr(word, '*')) {
        build_report_fault(report, BUILD_FAULT_ERROR, line,
                           "an index in [ ] must be a whole number, such as an int");
    } else if (text_starts(said, "invalid types '")) {
        build_report_fault(report, BUILD_FAULT_ERROR, line,
                           "there is one [ ] too many: A, B and C are pointers, which take one "
                           "index, and A[i] is a number already");
    } else {
        return false;
    }
    return true;
}

bool compiler_plain(const struct compiler_error *error, struct build_report *report) {
    return semicolon(error, report) || missing(error, report) || unknown_name(error, report) ||
           part(error, report) || use(error, report);
}
