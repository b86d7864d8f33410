// A compiler's messages are looked up in tables of patterns and sentences.  The words are those of
// g++ since version 8 under LC_ALL=C, of NVRTC's front end, which is EDG's, and of ptxas.  If a
// wording changes, the verdict is build_error, never pass.
//
// The compiler quotes the student's text, so a pattern matches only the part of a line that the
// compiler words itself, or leads to a verdict that gives no points.
#include "device/compile/compiler_errors.h"

#include <assert.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/compile/compiler_messages.h"
#include "device/compile/compiler_trouble.h"
#include "device/device.h"

// --- Tables of patterns and sentences -------------------------------------------------------

#define ROWS_MAX    48
#define GROUPS_MAX  8
#define VALUES_MAX  4
#define VALUE_BYTES 64  // a longer one is not a single word: its row is skipped

// One error, with the two lines below it, which quote the source and mark the place with a ^; "" if
// they are missing.
struct compiler_error {
    const char *said, *source, *caret;
    const char *kernel;
    int line;
};

// The position of the ^ in the source line.
enum caret_place {
    ANYWHERE,
    LINE_END,     // past its last character
    IN_FOR,       // inside the parentheses of a `for`
    BEFORE_LINE,  // anywhere; for the student the place is before the line, as with the next two
    LINE_START,   // at its first word, or at the first after the specifiers of a declaration
    LATER_LINE    // no matter where: the error is in a later line
};

struct saying {
    enum build_fault fault;
    const char *said;  // an extended regular expression; KERNEL in it is the kernel's name
    // The values of the sentence: numbers of groups; _ for group 1, if it is not a <header>, with
    // blanks in place of underscores; A to G for the groups 1 to 7 without &, as types of values; k
    // for the kernel, h for its header.
    const char *values;
    const char *sentence;
    const char *source;      // the same of the source line; NULL: any
    const char *last_value;  // after the others
    enum caret_place place;
};

// The first four members; the others, if they are not 0, follow by name.
#define SAY(name, pattern, value_list, text)                                                       \
    .fault = BUILD_FAULT_##name, .said = pattern, .values = value_list, .sentence = text

// A table, and its patterns, which are compiled when they are first needed.
struct sayings {
    const struct saying *row;
    size_t count;
    struct {
        bool is_ready;
        regex_t regex;
    } pattern[ROWS_MAX][2];
};

static void sayings_done(struct sayings *sayings) {
    for (size_t i = 0; i < sayings->count; i++) {
        for (int part = 0; part < 2; part++) {
            if (sayings->pattern[i][part].is_ready) {
                regfree(&sayings->pattern[i][part].regex);
            }
        }
    }
}

static void pattern_compile(const char *pattern, const char *kernel, regex_t *regex) {
    static const char mark[] = "KERNEL";
    const char *at = strstr(pattern, mark);
    char *named =
        at ? xasprintf("%.*s%s%s", (int)(at - pattern), pattern, kernel, at + strlen(mark))
           : xstrdup(pattern);
    int code = regcomp(regex, named, REG_EXTENDED);
    if (code == REG_ESPACE) {
        memory_end();
    }
    assert(code == 0);
    free(named);
}

// Matches row i: part 0 is the message, part 1 the source line.
static bool row_matches(struct sayings *sayings, size_t i, int part,
                        const struct compiler_error *error, regmatch_t group[GROUPS_MAX]) {
    const char *pattern = part == 0 ? sayings->row[i].said : sayings->row[i].source;
    regex_t *regex = &sayings->pattern[i][part].regex;
    bool *ready = &sayings->pattern[i][part].is_ready;
    if (!*ready) {
        pattern_compile(pattern, error->kernel, regex);
    }
    *ready = true;
    int code = regexec(regex, part == 0 ? error->said : error->source, GROUPS_MAX, group, 0);
    if (code == REG_ESPACE) {
        memory_end();
    }
    return code == 0;
}

// The words before the type of a declaration.
static size_t specifiers(const char *text) {
    static const char *const words[] = {"__global__ ", "__device__ ", "__shared__ ",
                                        "static ",     "extern ",     "const "};
    size_t bytes = 0;
    for (size_t i = 0; i < COUNT(words); i++) {
        if (text_starts(text + bytes, words[i])) {
            bytes += strlen(words[i]);
            i = (size_t)-1;  // start again from the first
        }
    }
    return bytes;
}

// Both lines begin with a margin of the same width, up to the |.
static bool place_is(const struct compiler_error *error, enum caret_place place) {
    const char *source = error->source;
    const char *bar = strstr(source, " | ");
    const char *mark = strchr(error->caret, '^');
    size_t at = mark ? (size_t)(mark - error->caret) : 0;
    size_t first = bar ? (size_t)(bar - source) + 3 : 0;
    int depth = 0;
    if (place == ANYWHERE || place == BEFORE_LINE) {
        return true;
    }
    if (place == LATER_LINE) {
        int above = (int)strtol(source, NULL, 10);
        return above != 0 && above < error->line;
    }
    if (place == IN_FOR) {
        const char *head = mark ? strstr(source, "for (") : NULL;
        for (; head && *head != '\0' && (size_t)(head - source) < at; head++) {
            depth += (*head == '(') - (*head == ')');
        }
        return depth > 0;
    }
    first += bar ? strspn(source + first, " ") : 0;
    bool starts = at == first || at == first + specifiers(source + first);
    return bar && mark && (place == LINE_START ? starts : at >= strlen(source) && !starts);
}

// Copies the values of a row's sentence.  False if one is too long.
static bool values_fill(const struct saying *row, const struct compiler_error *error,
                        const regmatch_t group[GROUPS_MAX], char value[VALUES_MAX][VALUE_BYTES]) {
    int count = 0;
    for (const char *way = row->values; *way != '\0'; way++) {
        bool is_type = *way >= 'A' && *way < 'A' + GROUPS_MAX - 1;
        int number = *way == '_' ? 1 : is_type ? *way - 'A' + 1 : *way - '0';
        const regmatch_t *taken = &group[number % GROUPS_MAX];
        const char *text = *way == 'k'   ? error->kernel
                           : *way == 'h' ? kernel_header(error->kernel)
                                         : error->said + taken->rm_so;
        size_t length = strchr("kh", *way) ? strlen(text) : (size_t)(taken->rm_eo - taken->rm_so);
        if (length >= VALUE_BYTES) {
            return false;
        }
        memcpy(value[count], text, length);
        value[count][length] = '\0';
        for (char *at = strchr(value[count], '&'); at && is_type; at = strchr(at, '&')) {
            memmove(at, at + 1, strlen(at));
        }
        for (char *at = value[count]; *way == '_' && *text != '<' && *at != '\0'; at++) {
            *at = *at == '_' ? ' ' : *at;
        }
        count++;
    }
    (void)snprintf(value[count], VALUE_BYTES, "%s", row->last_value ? row->last_value : "");
    return true;
}

// Reports the error by the first matching row.  False if there is none.
static bool sayings_report(struct sayings *sayings, const struct compiler_error *error,
                           struct build_report *report) {
    regmatch_t group[GROUPS_MAX];
    char value[VALUES_MAX][VALUE_BYTES];
    for (size_t i = 0; i < sayings->count; i++) {
        const struct saying *row = &sayings->row[i];
        if ((!row->source || row_matches(sayings, i, 1, error, group)) &&
            row_matches(sayings, i, 0, error, group) && place_is(error, row->place) &&
            values_fill(row, error, group, value)) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            build_report_fault(report, row->fault, error->line, row->sentence, value[0], value[1],
                               value[2]);
#pragma GCC diagnostic pop
            report->is_before_line = row->place >= BEFORE_LINE;
            return true;
        }
    }
    return false;
}

// --- What g++ says --------------------------------------------------------------------------

#define QUOTED     "'([^']+)'"
#define LAST       "'([^']* )?([^' ]+)'"  // acc of 'float acc'
#define NAME       "([[:alnum:]_]+)"
#define CONFLICT   "^(conflicting declaration|ambiguating new declaration).*"
#define UNKNOWN    "^" QUOTED "(.*')? (does not name a type|was not declared in this scope)"
#define MISSING    "^expected (',' or )?';' before "
#define UNEXPECTED "^expected ((',' or )?';'|initializer) before "
// g++ proposes any similarly spelled name, even of a function that no kernel needs.
#define FAR_FETCHED                                                                                \
    "([^;]*$|; did you mean '(_[^']*|abs|cos|div|erf|exp|fdim|fma|fmod|j0|j1|jn|log|pow|rint|sin"  \
    "|tan|y0|y1|yn|sqrt|ceil|norm|lrint)')"
#define NO_SUCH "(No such file or directory|Is a directory|Permission denied)"

#define HOST_TEXT                                                                                  \
    N_("contains host code: a kernel file contains device code only; the grader allocates, "       \
       "copies and launches")
#define GAVE_UP_TEXT                                                                               \
    N_("the compiler gave up on this file: does a macro, template or array grow without bound?")
#define SEMICOLON_TEXT N_("a ; is missing at the end of this line")
#define MEAN_TEXT      N_("%s is not known here: did you mean %s?")

// Errors for an #include of a file that is neither the student's nor one of our headers.
static const struct saying includes[] = {
    {SAY(NEEDS_GPU, "^((cuda|cub|cooperative_groups)/[^:]*).*" NO_SUCH, "1",
         N_("includes <%s>, which is available only on a GPU"))},
    {SAY(NOT_ALLOWED, "^(matmul[^:]*).*" NO_SUCH, "1",
         N_("includes %s, which does not exist: did you mean matmul.cuh?"))},
    {SAY(NOT_ALLOWED, "^([^:]+).*" NO_SUCH, "1",
         N_("includes %s, which a kernel file may not include: only matmul.cuh, kernel.cuh, "
            "ptx.cuh and the usual CUDA and C headers are available, by name"))},
    {SAY(NOT_ALLOWED, "", "", FOREIGN_INCLUDE_TEXT)},
};

// The same for a program.
static const struct saying program_includes[] = {
    {SAY(NEEDS_GPU,
         "^((thrust|cub|cuda|nv|cutlass|cute)/[^:]*|(cublas|cufft|curand|cusparse|cusolver|cudnn|"
         "nccl|nvrtc|nvml|npp|cudaProfiler|nvgraph|mpi)[^:]*).*" NO_SUCH,
         "1", N_("includes %s, of a library that is not modelled here: this program needs a GPU"))},
    {SAY(ERROR, "^([^:]+).*" NO_SUCH, "1",
         N_("includes %s, which is neither next to the program's files nor in a folder of -I nor a "
            "header of CUDA, C or C++"))},
};

// Any of these errors decides the verdict, whatever comes before it.
static const struct saying decisive[] = {
    // The shim refuses by such names.
    {SAY(NEEDS_GPU, "tilegrade_needs_gpu[_: ]*inline_ptx([ '\"(;]|$)", "",
         N_("uses inline PTX (asm), which only a GPU can run; ldmatrix, mma.sync, wgmma, mbarrier "
            "and cp.async also run here, as functions of ptx.cuh"))},
    {SAY(NEEDS_GPU, "tilegrade_needs_gpu[_: ]*([^_: '\"(;][^ '\"(;]*)", "_",
         N_("uses %s, which only a GPU can run"))},
    {SAY(NEEDS_GPU, "tilegrade_needs_gpu", "", N_("uses something that only a GPU can run"))},
    {SAY(NOT_ALLOWED, "tilegrade_tensor_cores", "",
         N_("uses tensor cores: this exercise asks for fp32 arithmetic, so multiply and add "
            "floats"))},
    {SAY(NOT_ALLOWED, "'(cout|cerr)'", "",
         N_("prints with a C++ stream, which is host code: a kernel prints with printf"))},
    {SAY(NOT_ALLOWED, "'cuda[A-Z].*was not declared", "", HOST_TEXT)},
    {SAY(NOT_ALLOWED, "expected primary-expression", "", HOST_TEXT), .source = "<<<"},
    {SAY(ERROR, "^expected constructor", "h",
         N_("LAUNCH_CONFIG is not known here: is #include \"%s\" missing at the top of the file?")),
     .source = "LAUNCH_CONFIG"},
    {SAY(BAD_CONFIG, "macro \"LAUNCH_CONFIG\"|" CONFLICT LAUNCH_CONFIG_SUFFIX, "",
         BAD_CONFIG_TEXT)},
    {SAY(BAD_CONFIG, "^two or more data types", "", BAD_CONFIG_TEXT),
     .source = "launch_config \\*launch"},
    {SAY(BAD_SIGNATURE, CONFLICT "KERNEL", "kk",
         N_("declares %s differently from matmul.cuh: it is `__global__ void %s(const float *A, "
            "const float *B, float *C, int M, int N, int K)`"))},
};

// The same in a program, which may have host code.
static const struct saying program_decisive[] = {
    {SAY(NEEDS_GPU, "tilegrade_needs_gpu[_: ]*([^_: '\"(;][^ '\"(;]*)", "_",
         N_("uses %s, which only a GPU can run"))},
    // Of CUDA, but not of the shim.
    {SAY(NEEDS_GPU,
         "'((cuda(Graph|Array|Mipmapped|(Create|Destroy|Get)(Texture|Surface)|Texture|Surface|"
         "Resource"
         "|Channel|CreateChannel|Address|Filter|ReadMode|Boundary|BindTexture|Memcpy3D|Malloc3D|"
         "MallocArray|FreeArray|Memcpy[^']*Array|Pitched|Extent|Ipc|External|Import|MemPool|Access"
         "|DeviceGetDefaultMemPool|GetMip|EGL|Egl)|make_cuda|tex(1|2|3|Cube)|surf(1|2|3|Cube)"
         "|texture|surface|CU[a-z]|cu(Init|Device|Ctx|Module|Mem|Launch|Stream|Event|Func|Graph|"
         "Link|Array|Tex|Surf|Get))[[:alnum:]_]*)' "
         "(was not declared|does not name a type|has not been declared|is not a)",
         "1",
         N_("uses %s: textures, surfaces, arrays of CUDA, graphs, memory pools and the driver API "
            "are not modelled here, so this program needs a GPU"))},
    {SAY(NEEDS_GPU,
         "constraints? in 'asm'|constraint [0-9]+ must specify|invalid 'asm'|unknown register name",
         "", N_("uses inline PTX (asm), which only a GPU can run"))},
};

// The first error in a program, if none is decisive; the rows of `usual` follow.
static const struct saying program_usual[] = {
    {SAY(ERROR, "^no match for call to '\\(tilegrade::launcher<(.*)>\\) \\((.*)\\)'", "AB",
         N_("this launch does not fit the kernel: it takes (%s), and is given (%s)"))},
    {SAY(ERROR, "^no match for call to '\\(tilegrade::launcher<", "",
         N_("the arguments of this launch do not fit the kernel: compare their number and types "
            "with its parameters"))},
    {SAY(ERROR, "^no matching function for call to '([^(<]*)", "1",
         N_("no form of %s takes these arguments: compare their number and types with its "
            "parameters"))},
    {SAY(ERROR, "^too few arguments to function '[^(]*[ *&]([^ (*&]+)\\(", "1",
         N_("this call gives %s too few arguments"))},
    {SAY(ERROR, "^too many arguments to function '[^(]*[ *&]([^ (*&]+)\\(", "1",
         N_("this call gives %s too many arguments"))},
    {SAY(ERROR, "^redefinition of '(struct|class|union|enum) " NAME, "2",
         N_("defines the type %s a second time: CUDA's headers have such types as int4 and float2, "
            "so use theirs or choose another name"))},
    {SAY(ERROR, "^redefinition of '[^(]*[ *&]([^ (*&]+)\\(", "1",
         N_("defines %s a second time, with the same parameters: remove one definition, or give it "
            "another name"))},
    {SAY(ERROR, "^expected (';'|initializer) before " QUOTED, "2",
         N_("the type of %s is the name of a function: write `auto`, the name, `=` and a call of "
            "that "
            "function")),
     .source =
         "\\bthis_(grid|thread_block|thread|cluster)[[:blank:]]+[[:alnum:]_]+[[:blank:]]*[;{]"},
    {SAY(ERROR,
         "^'(cuda[A-Z][[:alnum:]]*)' was not declared in this scope; did you mean '(cuda[^']*)",
         "12",
         N_("%s is not known here: did you mean %s? lessons/programs.md lists the functions of "
            "CUDA's runtime that run without a GPU"))},
    {SAY(ERROR, "^'(cuda[A-Z][[:alnum:]]*)' was not declared in this scope", "1",
         N_("%s is not known here: lessons/programs.md lists the functions of CUDA's runtime that "
            "run without a GPU"))},
    {SAY(ERROR, "^'(const )?([^']+)' has no member named " QUOTED, "23",
         N_("%s has no member %s"))},
    {SAY(ERROR, "^(invalid conversion from|cannot convert) " QUOTED " to " QUOTED, "BC",
         N_("a value of the type %s is given where %s is needed"))},
};

// The first error, if none is decisive: the most frequent errors in beginners' files.
static const struct saying usual[] = {
    // A keyword of CUDA with too few underscores.
    {SAY(ERROR,
         "^'(_*(shared|global|device|constant)_*)[^[:alnum:]_].*(was not declared|does not name a "
         "type)",
         "12", N_("%s is not known: did you mean __%s__, with two underscores on either side?"))},
    {SAY(ERROR, "^variable length array '" NAME, "1",
         N_("the size of the array %s is a variable: make it a constant, with #define or "
            "constexpr"))},
    {SAY(ERROR, "^assignment of read-only location '\\*\\(" NAME, "1",
         N_("stores to %s, which is const: it can only be read"))},

    // `a = b` and in the next line `*(float4 *)…`: without the ; between them it is a product.
    {SAY(ERROR,
         "^no match for 'operator\\*' [^']*'[^']*'[^']*'[^']*\\*'|^[^']*'[^']*'[^']*'[^']*\\*'"
         ".* to binary 'operator\\*'",
         "", SEMICOLON_TEXT),
     .place = LATER_LINE},
    // The first words of __shared__ and __global__, which begin a declaration.
    {SAY(ERROR, UNEXPECTED "[^']*'(thread_local|__attribute__)'", "", SEMICOLON_TEXT),
     .place = BEFORE_LINE},
    {SAY(ERROR, UNEXPECTED, "", SEMICOLON_TEXT), .place = LINE_START},
    {SAY(ERROR, MISSING, "", SEMICOLON_TEXT), .place = LINE_END},
    {SAY(ERROR, MISSING, "", N_("the three parts in the head of a for are separated by ;")),
     .place = IN_FOR},
    {SAY(ERROR, MISSING "[^']*'}'", "", N_("a ; is missing before }"))},
    {SAY(ERROR, MISSING "[^']*" QUOTED, "2",
         N_("an operator such as * or a ; is missing before %s"))},
    {SAY(ERROR, "^expected '([]()}])' before [^']*" QUOTED, "12", N_("a %s is missing before %s"))},
    {SAY(ERROR, "^expected primary-expression before " QUOTED, "1",
         N_("a value or a name is missing before %s"))},
    {SAY(ERROR, "^expected declaration before '}'", "",
         N_("there is one } too many, here or in the lines above"))},
    {SAY(ERROR, "^'else' without a previous 'if'", "",
         N_("this else has no if: does a ; or a } end the if too early?"))},

    // Names.
    {SAY(ERROR, "^'(__shfl(_up|_down|_xor)?|__any|__all|__ballot)' was not declared", "11",
         N_("CUDA has no %s any more: %s_sync replaces it, with the mask of the lanes that take "
            "part as its first argument, usually 0xffffffff"))},
    {SAY(ERROR, "^'(u(int|long|short))' (was not declared|does not name a type)", "1",
         N_("%s is a name of Linux's headers, which not every CUDA compiler has: write unsigned "
            "in front of int, long or short"))},
    {SAY(ERROR, UNKNOWN "; did you mean '(__sync[^']*)", "14", MEAN_TEXT)},
    {SAY(ERROR, "^" QUOTED "(.*')? does not name a type" FAR_FETCHED, "1",
         N_("%s is not the name of a type: is int or float missing before it?"))},
    {SAY(ERROR, "^" QUOTED "(.*')? was not declared in this scope" FAR_FETCHED, "1",
         N_("%s is not known here: is it declared above with its type, in the same { }, and "
            "spelled alike?"))},
    {SAY(ERROR, UNKNOWN "; did you mean " QUOTED, "14", MEAN_TEXT)},

    // The parts of dim3, uint3, float4 and their like.
    {SAY(ERROR, "^'([^']* )?([^' ]*3)'.* has no member named " QUOTED, "32",
         N_("there is no .%s in %s, which has %s")),
     .last_value = ".x .y .z"},
    {SAY(ERROR, "^'([^']* )?([^' ]*2)'.* has no member named " QUOTED, "32",
         N_("there is no .%s in %s, which has %s")),
     .last_value = ".x .y"},
    {SAY(ERROR, "^'([^']* )?([^' ]*4)'.* has no member named " QUOTED, "32",
         N_("there is no .%s in %s, which has %s")),
     .last_value = ".x .y .z .w"},
    {SAY(ERROR, "(no match for 'operator|^cannot convert ').*(uint3|dim3)'", "",
         N_("threadIdx, blockIdx, blockDim and gridDim each have three numbers: one of .x, .y and "
            ".z is missing"))},

    // The use of a name.
    {SAY(ERROR, "^(invalid conversion from|cannot convert) '[^']*[^'*]' to '[^']*\\*'", "",
         N_("the first argument of an atomic function is an address, such as &sum, and not a "
            "number")),
     .source = "atomic(Add|Sub|Min|Max|Exch|CAS|And|Or|Xor)[[:blank:]]*\\("},
    {SAY(ERROR, "^redeclaration of " LAST, "2", N_("%s is declared twice in the same { }"))},
    {SAY(ERROR, "^assignment of read-only [^']*" LAST, "2",
         N_("%s is const and cannot be changed (a comparison is ==)"))},
    {SAY(ERROR, "^return-statement with a value, in function returning 'void'", "",
         N_("this function is void: its return has no value"))},
    {SAY(ERROR, "^request for member " QUOTED ".*pointer type", "1",
         N_("%s belongs to what a pointer leads to: write -> in place of the dot"))},
    {SAY(ERROR, "^invalid types '[^']*\\*", "",
         N_("an index in [ ] must be a whole number, such as an int"))},
    {SAY(ERROR, "^invalid types '", "",
         N_("there is one [ ] too many: A, B and C are pointers, which take one index, and A[i] is "
            "a number already"))},
};
_Static_assert(COUNT(includes) <= ROWS_MAX && COUNT(decisive) <= ROWS_MAX &&
                   COUNT(usual) <= ROWS_MAX,
               "ROWS_MAX");

// --- Characters that only look like those of C -------------------------------------------------

static bool character_report(const struct compiler_error *error, struct build_report *report) {
    uint32_t character = 0;
    char plain = compiler_message_lookalike(error->said, &character);
    if (plain == ' ') {
        build_report_fault(report, BUILD_FAULT_ERROR, error->line,
                           "contains a blank or invisible character that C does not allow "
                           "(U+%04X): replace it with a plain space",
                           character);
    } else if (plain != '\0') {
        build_report_fault(report, BUILD_FAULT_ERROR, error->line,
                           "contains a character that only looks like %c (U+%04X, perhaps from "
                           "another keyboard layout): write a plain %c",
                           plain, character, plain);
    }
    return plain != '\0';
}

// --- g++'s output -------------------------------------------------------------------------------

// The line of the student's file in "In file included from a.h:1,", "                 from
// submission.cu:3:", or "    inlined from '...' at submission.cu:76:35:"; 0 if there is none.
static int leading_line(const char *text) {
    static const char from[] = " from " BUILD_SOURCE ":";
    static const char at[] = " at " BUILD_SOURCE ":";
    const char *before = text_starts(text, "    inlined from ") ? at
                         : text_starts(text, "In file included") || text_starts(text, "         ")
                             ? from
                             : NULL;
    const char *found = before ? strstr(text, before) : NULL;
    return found ? (int)strtol(found + strlen(before), NULL, 10) : 0;
}

// The line of the student's file that a note below an error names; 0 if no note has these words.
static int note_line(const char *after, const char *words) {
    struct compiler_message message;
    while (compiler_message_next(&after, &message) && message.kind != MESSAGE_ERROR) {
        if (message.kind == MESSAGE_NOTE && compiler_message_is_submission(message.file) &&
            strstr(message.text, words)) {
            return message.line;
        }
    }
    return 0;
}

// Finds the line of the student's file in which one of our macros is expanded: the line that
// contains the macro's name.  If none does, because names are pasted, it is the last line, which is
// outside other macros.  `file` becomes the file of that line.
static int expansion_line(const char *after, bool is_program, char file[PATH_BYTES_MAX]) {
    static const char words[] = "in expansion of macro '";
    struct compiler_message message;
    int line = 0;
    while (compiler_message_next(&after, &message) && message.kind != MESSAGE_ERROR) {
        const char *found = strstr(message.text, words);
        if (!message.kind || !found || !compiler_message_is_own(&message, is_program)) {
            continue;
        }
        const char *name = found + strlen(words);
        const char *next = after;
        char source[COMPILER_LINE_MAX];
        line = message.line;
        (void)snprintf(file, PATH_BYTES_MAX, "%s", message.file);
        if (compiler_message_line(&next, source) &&
            memmem(source, strlen(source), name, strcspn(name, "'"))) {
            return line;
        }
    }
    return line;
}

// The state of reading the output.
struct gxx_output {
    struct sayings includes, decisive, usual;
    struct compiler_error first;  // its texts are the members below
    char said[COMPILER_LINE_MAX], source[COMPILER_LINE_MAX], caret[COMPILER_LINE_MAX];
    int from_line;   // the student's line that led to the next message; 0 if none
    int open_brace;  // line of the first { that is not closed; 0 if none
    int define;      // line of a #define with a wrong ; at its end; 0 if none
    bool is_program;
    struct sayings program;     // asked before `usual`
    char from[PATH_BYTES_MAX];  // the file of from_line
    char file[PATH_BYTES_MAX];  // the file of the error that was reported
};

// True if the error decides more than "the compiler refuses".
static bool is_decisive(struct gxx_output *output, const struct compiler_message *message,
                        const struct compiler_error *error, struct build_report *report) {
    bool ours = compiler_message_is_own(message, output->is_program) ||
                compiler_message_is_ours(message->file);
    bool absent =
        strstr(message->text, "fatal error: ") &&
        (strstr(message->said, "No such file or directory") ||
         strstr(message->said, "Is a directory") || strstr(message->said, "Permission denied"));
    bool of_include = absent || (!ours && !output->is_program);
    return sayings_report(of_include ? &output->includes : &output->decisive, error, report);
}

// True if the compiler did not expect the ; of a `#define TILE 16;`.
static bool is_defined_semicolon(const struct compiler_message *message, const char *source) {
    const char *code = strstr(source, " | ");
    const char *last = source + strlen(source);
    while (last > source && (last[-1] == ' ' || last[-1] == '\r')) {
        last--;
    }
    return code && text_starts(code + 3 + strspn(code + 3, " "), "#define") && last[-1] == ';' &&
           strstr(message->said, "';' token") && compiler_message_is_submission(message->file);
}

// Takes one message; `rest` is the output after it.  True if it decides the verdict.
static bool message_take(struct gxx_output *output, const struct compiler_message *message,
                         const char *rest, struct build_report *report) {
    int leading = leading_line(message->text);
    output->from_line = leading > 0 ? leading : output->from_line;
    bool is_program = output->is_program;
    if (is_program && message->kind == MESSAGE_NONE && compiler_message_is_own(message, true)) {
        output->from_line = message->line;  // "prog.cu:3:5:   required from here"
        (void)snprintf(output->from, sizeof output->from, "%s", message->file);
    }
    if (message->kind != MESSAGE_ERROR) {
        return false;
    }
    // An error inside one of our macros is in our header; a note names the line that used the
    // macro.
    char file[PATH_BYTES_MAX] = BUILD_SOURCE;
    int line = message->line;
    if (compiler_message_is_own(message, is_program)) {
        (void)snprintf(file, sizeof file, "%s", message->file);
    } else {
        line = expansion_line(rest, is_program, file);
    }
    if (line == 0 && is_program && output->from_line > 0) {
        (void)snprintf(file, sizeof file, "%s", output->from);
    }
    line = line > 0 ? line : output->from_line;
    output->from_line = 0;
    const char *after = rest;
    char source[COMPILER_LINE_MAX] = "";
    (void)compiler_message_line(&after, source);
    struct compiler_error error = {.said = message->said,
                                   .source = source,
                                   .caret = "",
                                   .kernel = output->first.kernel,
                                   .line = line};
    if (is_decisive(output, message, &error, report)) {
        (void)snprintf(output->file, sizeof output->file, "%s", file);
        return true;
    }
    if (compiler_message_is_open_brace(message) && output->open_brace == 0) {
        output->open_brace = note_line(rest, "to match this '{'");
    }
    if (output->define == 0 && is_defined_semicolon(message, source)) {
        output->define = message->line;
    }
    if (output->said[0] == '\0') {
        (void)snprintf(output->said, sizeof output->said, "%s", message->said);
        compiler_message_plain(output->said);
        (void)snprintf(output->source, sizeof output->source, "%s", source);
        (void)compiler_message_line(&after, output->caret);
        output->first.line = line;
        (void)snprintf(output->file, sizeof output->file, "%s", file);
    }
    return false;
}

// The verdict if no message has decided it.
static void gxx_conclude(struct gxx_output *output, int exit_code, struct build_report *report) {
    const struct compiler_error *first = &output->first;
    if (output->open_brace > 0) {
        build_report_fault(report, BUILD_FAULT_ERROR, output->open_brace,
                           "a } is missing: the { of line %d, or one inside it, is not closed",
                           output->open_brace);
    } else if (output->define > 0) {
        build_report_fault(report, BUILD_FAULT_ERROR, output->define,
                           "the ; at the end of a #define becomes part of every place that uses "
                           "its name");
    } else if (first->said[0] == '\0' && exit_code > 128) {
        build_report_fault(report, BUILD_FAULT_ERROR, 0,
                           "the compiler did not finish this file: does a macro, template or "
                           "include grow without bound?");
    } else if (first->said[0] == '\0') {
        build_report_fault(report, BUILD_FAULT_ERROR, 0, GAVE_UP_TEXT);
    } else if (!character_report(first, report) &&
               !sayings_report(&output->program, first, report) &&
               !sayings_report(&output->usual, first, report)) {
        build_report_fault(report, BUILD_FAULT_ERROR, first->line, "does not compile: %.400s",
                           first->said);
    }
}

static enum status gxx_judge(const char *output, int exit_code, struct gxx_output *read,
                             struct build_report *report, struct error *err) {
    struct compiler_message message;
    enum status status = STATUS_OK;
    bool decided = false;
    if (exit_code == 128 + SIGKILL) {
        // The box reports its own limits; this signal came from elsewhere.
        return fail(err, STATUS_SYSTEM,
                    "the compiler was killed: is this machine short of memory?");
    }
    read->first.said = read->said;
    read->first.source = read->source;
    read->first.caret = read->caret;
    while (!status && !decided && compiler_message_next(&output, &message)) {
        status = compiler_trouble(&message, err);
        decided = !status && message_take(read, &message, output, report);
    }
    if (!status && !decided) {
        gxx_conclude(read, exit_code, report);
    }
    sayings_done(&read->includes);
    sayings_done(&read->decisive);
    sayings_done(&read->usual);
    sayings_done(&read->program);
    return status;
}

enum status diagnostics_judge(const char *output, const char *kernel, int exit_code,
                              struct build_report *report, struct error *err) {
    struct gxx_output read = {.includes = {.row = includes, .count = COUNT(includes)},
                              .decisive = {.row = decisive, .count = COUNT(decisive)},
                              .usual = {.row = usual, .count = COUNT(usual)},
                              .first = {.kernel = kernel}};
    return gxx_judge(output, exit_code, &read, report, err);
}

enum status program_errors_judge(const char *output, int exit_code, struct build_report *report,
                                 char ret_file[PATH_BYTES_MAX], struct error *err) {
    struct gxx_output read = {
        .includes = {.row = program_includes, .count = COUNT(program_includes)},
        .decisive = {.row = program_decisive, .count = COUNT(program_decisive)},
        .usual = {.row = usual, .count = COUNT(usual)},
        .first = {.kernel = "main"},
        .is_program = true,
        .program = {.row = program_usual, .count = COUNT(program_usual)}};
    enum status status = gxx_judge(output, exit_code, &read, report, err);
    (void)snprintf(ret_file, PATH_BYTES_MAX, "%s", read.file);
    return status;
}

// --- NVRTC's log ------------------------------------------------------------------------------

#define FUNCTION_TEXT                                                                              \
    N_("this function is host code: write __device__ before it, because a kernel file contains "   \
       "device code only")
#define LAUNCH_TEXT                                                                                \
    N_("launches a kernel: a kernel file contains device code only; the grader allocates, copies " \
       "and launches")
#define SIGNATURE_TEXT                                                                             \
    N_("declares the kernel differently from matmul.cuh: it returns void and takes (const float "  \
       "*A, const float *B, float *C, int M, int N, int K)")

static const struct saying nvrtc_errors[] = {
    {SAY(NOT_ALLOWED, "is considered a host function", "", FUNCTION_TEXT)},
    {SAY(NOT_ALLOWED, "redeclared without __global__", "",
         N_("this is the kernel: write __global__ before it, because the grader launches it"))},
    {SAY(NOT_ALLOWED, "explicitly marked as a __host__ function", "", FUNCTION_TEXT)},
    {SAY(NOT_ALLOWED, "is considered a host variable", "",
         N_("this variable belongs to the host: a kernel file may contain constants (constexpr), "
            "and variables inside its functions"))},
    {SAY(NOT_ALLOWED, "identifier \"cuda.*is undefined", "", HOST_TEXT)},
    {SAY(NOT_ALLOWED, "kernel launch from __device__|device-side kernel launch", "", LAUNCH_TEXT)},
    {SAY(NOT_ALLOWED, "open source file", "", FOREIGN_INCLUDE_TEXT)},
    {SAY(BAD_CONFIG, LAUNCH_CONFIG_SUFFIX "\" has \"C\" linkage", "", BAD_CONFIG_TEXT),
     .source = "KERNEL"},
    {SAY(BAD_CONFIG, "arguments in invocation of macro \"LAUNCH_CONFIG\"", "", BAD_CONFIG_TEXT)},
    {SAY(BAD_SIGNATURE,
         "has \"C\" linkage|distinguished by return type alone|must have a void return type", "",
         SIGNATURE_TEXT),
     .source = "KERNEL"},
};

// Reads one line of the log: a message that is an error, and whether it is about the file.  False
// for others.
static bool nvrtc_error_read(const char *line, const char *file, bool *ret_own,
                             struct compiler_error *ret_error) {
    static const char *const kinds[] = {"): error: ",       "): catastrophic error: ",
                                        "ptxas error   : ", "ptxas fatal   : ",
                                        "; error   : ",     "; fatal   : "};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const char *at = strstr(line, kinds[i]);
        size_t name = strlen(file);
        if (at) {
            *ret_own = strncmp(line, file, name) == 0 && line[name] == '(';
            ret_error->line = *ret_own ? (int)strtol(line + name + 1, NULL, 10) : 0;
            ret_error->said = at + strlen(kinds[i]);
            return true;
        }
    }
    return false;
}

// Copies a line of a text, from 1; "" if it has fewer.
static void source_line(const char *source, int line, char text[COMPILER_LINE_MAX]) {
    text[0] = '\0';
    for (int i = 0; i < line && compiler_message_line(&source, text); i++) {
    }
}

// Reports an error of NVRTC if it outweighs the present one: not_allowed comes before any other
// error, and other errors come before a bad signature.
static void nvrtc_error_take(struct sayings *sayings, const struct compiler_error *error, bool own,
                             struct build_report *report) {
    static const int weight[BUILD_FAULT_COUNT] = {[BUILD_FAULT_NOT_ALLOWED] = 3,
                                                  [BUILD_FAULT_ERROR] = 1,
                                                  [BUILD_FAULT_NEEDS_GPU] = 2,
                                                  [BUILD_FAULT_BAD_SIGNATURE] = 2,
                                                  [BUILD_FAULT_BAD_CONFIG] = 2};
    struct build_report found = {.fault = BUILD_FAULT_NONE};
    // ptxas knows the instruction, but this architecture does not have it.
    bool lacks = !own && (strstr(error->said, "requires .target") ||
                          strstr(error->said, "not supported on .target"));
    if (lacks) {
        build_report_fault(&found, BUILD_FAULT_NEEDS_GPU, 0,
                           "uses an instruction that this GPU does not have (%.120s): the lesson "
                           "says which GPU has it, and DEVICE=emu tests the kernel on the CPU",
                           error->said);
    } else if (!own || !sayings_report(sayings, error, &found)) {
        build_report_fault(&found, BUILD_FAULT_ERROR, error->line, "does not compile: %.400s",
                           error->said);
    }
    if (weight[found.fault] > weight[report->fault]) {
        report->fault = found.fault;
        report->line = found.line;
        memcpy(report->text, found.text, sizeof report->text);
    }
}

void compile_log_judge(const char *log, const char *file, const char *source, const char *kernel,
                       struct build_report *report) {
    struct sayings sayings = {.row = nvrtc_errors, .count = COUNT(nvrtc_errors)};
    char line[COMPILER_LINE_MAX];
    char quoted[COMPILER_LINE_MAX];
    struct compiler_error error = {.source = quoted, .caret = "", .kernel = kernel};
    bool own = false;
    bool done = false;
    while (!done && compiler_message_line(&log, line)) {
        if (!nvrtc_error_read(line, file, &own, &error)) {
            continue;
        }
        // A header of ours includes the toolkit's; if that one is missing, the message names our
        // header.  This is not the file's fault, and no reason to leave other exercises ungraded.
        done = !own && strstr(error.said, "open source file") != NULL;
        if (done) {
            build_report_fault(report, BUILD_FAULT_NEEDS_GPU, 0,
                               "includes a header of the CUDA toolkit that is not on this "
                               "machine (%s): install the toolkit, or set CUDA_HOME",
                               error.said);
        } else {
            source_line(source, error.line, quoted);
            nvrtc_error_take(&sayings, &error, own, report);
        }
    }
    if (report->fault == BUILD_FAULT_NONE) {
        build_report_fault(report, BUILD_FAULT_ERROR, 0, GAVE_UP_TEXT);
    }
    sayings_done(&sayings);
}
