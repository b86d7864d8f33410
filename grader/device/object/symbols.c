// The lists below contain the names that correct kernels were found to need.  A kernel that uses a
// missing name is refused, never silently linked.
//
// Demangling is left to libsupc++, the part of the C++ runtime that can be linked alone.
#include "device/object/symbols.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/memory.h"
#include "base/text.h"

// Mathematics of the C library and of libgcc: no state, no system call.
static const char *const pure_functions[] = {
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "hypot",
    "labs",
    "ldexp",
    "lgamma",
    "llabs",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "lrint",
    "lround",
    "modf",
    "nearbyint",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "roundeven",
    "scalbn",
    "sin",
    "sincos",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "ilogb",
    "logb",
    "remquo",
    "exp10",
    "j0",
    "j1",
    "y0",
    "y1",
    "__popcountdi2",
    "__popcountsi2",
    "__divti3",
    "__modti3",
    "__udivti3",
    "__umodti3",
    "__multi3",
    "__muldc3",
    "__mulsc3",
    "__divdc3",
    "__divsc3",
    "__powidf2",
    "__powisf2",
    "__fixunsdfti",
    "__fixunssfti",
    "__floatuntidf",
    "__floatuntisf",
    "__fixdfti",
    "__fixsfti",
    "__floattidf",
    "__floattisf",
    "__clzdi2",
    "__ctzdi2",
    "__ffsdi2",
    "__paritydi2",
    "__bswapsi2",
    "__bswapdi2",
    "memcpy",
    "memmove",
    "memset",
};

// Device functions of CUDA that have no counterpart here: the heap of a GPU, and the rest of the C
// library in device code.
static const char *const gpu_functions[] = {"malloc", "free",    "_Znwm",   "_Znam",   "_ZdlPv",
                                            "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "vprintf", "__nvvm_"};

// The worker's own way into the machine, which a kernel must not call.
static const char *const worker_functions[] = {"emu_open", "emu_close", "emu_run", "emu_configure"};

static const char *const static_functions[] = {
    "__cxa_guard_acquire", "__cxa_guard_release", "__cxa_guard_abort", "__cxa_atexit",
    "__cxa_thread_atexit", "__dso_handle",        "__tls_guard"};

static bool in_list(const char *name, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, list[i]) == 0) {
            return true;
        }
    }
    return false;
}
#define IN_LIST(name, list) in_list(name, list, COUNT(list))

// "expf" and "exp" alike.
bool symbol_is_pure(const char *name) {
    char base[32];
    size_t length = strlen(name);
    if (IN_LIST(name, pure_functions)) {
        return true;
    }
    if (length < 2 || length >= sizeof base || name[length - 1] != 'f') {
        return false;
    }
    memcpy(base, name, length - 1);
    base[length - 1] = '\0';
    return IN_LIST(base, pure_functions);
}

bool symbol_takes_pointer(const char *name) {
    static const char *const names[] = {"frexp",  "frexpf", "modf",    "modff",
                                        "remquo", "sincos", "remquof", "sincosf",
                                        "memcpy", "memset", "memmove"};
    return IN_LIST(name, names);
}

enum symbol_class symbol_classify(const char *name) {
    if (IN_LIST(name, worker_functions)) {
        return SYMBOL_FOREIGN;
    }
    if (text_starts(name, "emu_") || text_starts(name, "__tsan_") ||
        text_starts(name, "__ubsan_handle_") || text_starts(name, "__x86_indirect_thunk_") ||
        strcmp(name, "_GLOBAL_OFFSET_TABLE_") == 0 || strcmp(name, "__cxa_pure_virtual") == 0 ||
        symbol_is_pure(name)) {
        return SYMBOL_OURS;
    }
    if (IN_LIST(name, gpu_functions)) {
        return SYMBOL_NEEDS_GPU;
    }
    if (IN_LIST(name, static_functions) || text_starts(name, "_ZGV") || text_starts(name, "_ZTH")) {
        return SYMBOL_STATIC;
    }
    return text_starts(name, "_Z") ? SYMBOL_STUDENT : SYMBOL_FOREIGN;
}

// True if the digits are part of a type or a value, "S12_", "A16_f", "UlvE0_" or "Li16E", and not
// the length of a name.  `before` is the text between the previous name and them.
static bool is_number(const char *before, const char *digits, const char *end) {
    size_t length = (size_t)(digits - before);
    char last = length > 0 ? digits[-1] : '\0';
    bool value = length > 1 && digits[-2] == 'L' && last >= 'a' && last <= 'z';
    return (*end == '_' && last != '\0' && strchr("STAE", last)) || (*end == 'E' && value);
}

// Finds a mark such as "Ul" in a mangled symbol, but not in the names that it contains: "5mulUl".
static const char *mark_find(const char *symbol, const char *mark) {
    const char *before = symbol;
    for (const char *at = symbol; *at != '\0';) {
        const char *end = at + strspn(at, "0123456789");
        if (text_starts(at, mark)) {
            return at;
        }
        if (end == at) {
            at++;
        } else if (is_number(before, at, end)) {
            at = end;
        } else {
            at = end + strnlen(end, strtoul(at, NULL, 10));
            before = at;
        }
    }
    return NULL;
}

bool symbol_is_lambda(const char *name) {
    return text_starts(name, "_Z") && mark_find(name, "Ul");
}

// The body of a lambda is device code like the function that contains it.  A generic lambda is not:
// NVRTC requires `__device__` after its parameters.  In the symbol's name, its parameters are T_,
// T0_ …: "UlT_E_".
static bool is_plain_lambda(const char *name) {
    const char *lambda = symbol_is_lambda(name) ? mark_find(name, "Ul") : NULL;
    size_t length = lambda ? strcspn(lambda, "E") : 0;
    for (size_t i = 2; i + 1 < length; i++) {
        size_t digits = strspn(lambda + i + 1, "0123456789");
        if (lambda[i] == 'T' && lambda[i + 1 + digits] == '_') {
            return false;
        }
    }
    return lambda != NULL;
}

bool symbol_is_implied(const char *name) {
    static const char *const special[] = {"C1E", "C2E", "D0E", "D1E", "D2E", "aSE"};
    if (text_starts(name, "_ZTW") || text_starts(name, "_ZTH") ||
        text_starts(name, "_GLOBAL__sub_I") || text_starts(name, "_sub_I_00099")) {
        return true;
    }
    // A lambda, or a part that the compiler split off: "matmul_tiled.cold".
    if (is_plain_lambda(name) || strchr(name, '.')) {
        return true;
    }
    for (size_t i = 0; i < COUNT(special); i++) {
        if (text_starts(name, "_ZN") && mark_find(name, special[i])) {
            return true;
        }
    }
    return false;
}

bool symbol_is_overload(const char *symbol, const char *name, const char **ret_parameters) {
    char mark[24];
    size_t length = strlen(name);
    if (!text_starts(symbol, "_Z")) {
        return false;
    }
    const char *at = symbol + 2 + (symbol[2] == 'L');
    (void)snprintf(mark, sizeof mark, "%zu", length);
    if (!text_starts(at, mark) || strncmp(at + strlen(mark), name, length) != 0) {
        return false;
    }
    *ret_parameters = at + strlen(mark) + length;
    return true;
}

bool symbol_is_reserved(const char *name) {
    static const char *const names[] = {"errno", "h_errno", "main"};
    return text_starts(name, "__") || text_starts(name, "emu_") || IN_LIST(name, names);
}

// Declared by <cxxabi.h>, which C cannot include.  Source: Itanium C++ ABI, 3.4.
char *__cxa_demangle(const char *symbol, char *buffer, size_t *length, int *status);

char *symbol_demangle(const char *symbol) {
    // Without its prefix, "i" would be demangled to the type int.
    char *text = text_starts(symbol, "_Z") ? __cxa_demangle(symbol, NULL, NULL, NULL) : NULL;
    return text ? text : xstrdup(symbol);
}

static size_t identifier_length(const char *at) {
    size_t length = 0;
    while (text_is_word(at[length])) {
        length++;
    }
    return length;
}

void symbol_readable(const char *symbol, char *text, size_t bytes) {
    char *whole = symbol_demangle(symbol);
    const char *found = whole;
    size_t found_length = strlen(found);
    int depth = 0;  // open brackets: around parameters, template arguments, lambdas
    for (const char *at = found; *at != '\0';) {
        size_t length = identifier_length(at);
        if (length == 0) {
            depth += strchr("(<{[", *at) ? 1 : strchr(")>}]", *at) ? -1 : 0;
            at++;
            continue;
        }
        if (text_is(at, length, "operator")) {
            bool word = text_starts(at + length, " new") || text_starts(at + length, " del");
            at += length + (text_starts(at + length, "()") ? 2 : 0);
            at += word ? 0 : strcspn(at, "(");  // "operator<<(": no brackets
            continue;
        }
        if (depth == 0 && !text_is(at, length, "const")) {
            found = at;
            found_length = length;
        }
        at += length;
    }
    (void)snprintf(text, bytes, "%.*s", (int)found_length, found);
    free(whole);
}
