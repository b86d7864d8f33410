// The allowed contents of a cubin are checked in the cubin and the PTX, not in the source, where a
// macro can hide anything.  libelf reads the ELF file; this file knows what sections and attributes
// mean on a GPU.
#include "device/gpu/gpu_compile.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/limits.h"
#include "base/text.h"
#include "device/compile/compiler_errors.h"
#include "device/compile/compiler_messages.h"
#include "device/device.h"
#include "device/object/symbols.h"
#include "device/source/declarations.h"
#include "device/source/source_check.h"

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

// Skips the separators in an instruction: blanks and comments.
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

// True if `at` is certainly in a comment, whatever the earlier lines contain: it follows //, and
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

// The place after the word and modifier of an instruction at `at`; NULL if another instruction is
// there.
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

#define MACHINE_CUDA    190   // EM_CUDA
#define OTHER_ENTRY     0x10  // st_other of an entry point (STO_CUDA_ENTRY)
#define ELF_SYMBOLS_MAX (1u << 20)

#define REGISTERS_SHIFT 24

// Attributes of .nv.info.
#define ATTRIBUTE_HEAD      4
#define ATTRIBUTE_REGISTERS 0x2f
#define FORMAT_SIZED        4  // other formats have no bytes after the head

static bool is_cubin(const struct elf_file *file) {
    GElf_Ehdr head;
    return gelf_getclass(file->elf) == ELFCLASS64 && gelf_getehdr(file->elf, &head) &&
           head.e_ident[EI_DATA] == ELFDATA2LSB && head.e_machine == MACHINE_CUDA;
}

// True if a symbol has its name and, unless the driver provides it, its section.
static bool symbol_is_whole(const struct elf_file *cubin, size_t i) {
    GElf_Sym symbol;
    GElf_Shdr section;
    if (!gelf_getsym(cubin->data, (int)i, &symbol) ||
        !elf_strptr(cubin->elf, cubin->names, symbol.st_name)) {
        return false;
    }
    return symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE ||
           elf_section(cubin, symbol.st_shndx, &section)[0] != '\0';
}

enum status cubin_open(char *bytes, size_t count, struct elf_file *ret_cubin, struct error *err) {
    struct elf_file cubin;
    if (!elf_file_in_memory(bytes, count, &cubin)) {
        return fail(err, STATUS_BAD_DATA, "the compiler's output is not a cubin");
    }
    bool whole = is_cubin(&cubin) && cubin.data && cubin.count <= ELF_SYMBOLS_MAX;
    for (size_t i = 1; whole && i < cubin.count; i++) {
        whole = symbol_is_whole(&cubin, i);
    }
    if (!whole) {
        elf_file_close(&cubin);
        return fail(err, STATUS_BAD_DATA, "the compiler's output is a broken cubin");
    }
    *ret_cubin = cubin;
    return STATUS_OK;
}

enum cubin_symbol cubin_symbol_at(const struct elf_file *cubin, size_t i, const char **ret_name) {
    GElf_Sym symbol;
    GElf_Shdr section;
    *ret_name = elf_symbol(cubin, i, &symbol);
    int type = GELF_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE) {
        return CUBIN_OTHER;  // printf and the like, which the driver provides
    }
    if (type == STT_FUNC && (symbol.st_other & OTHER_ENTRY) != 0) {
        return CUBIN_ENTRY;
    }
    const char *place = elf_section(cubin, symbol.st_shndx, &section);
    bool is_variable = text_starts(place, ".nv.global") || text_starts(place, ".bss") ||
                       text_starts(place, ".data");
    if (type == STT_SECTION || type == STT_FUNC || !is_variable) {
        return CUBIN_OTHER;
    }
    return section.sh_type == SHT_NOBITS ? CUBIN_UNSET : CUBIN_INITIALISED;
}

bool cubin_has_entry(const struct elf_file *cubin, const char *name) {
    const char *other;
    for (size_t i = 1; i < cubin->count; i++) {
        if (cubin_symbol_at(cubin, i, &other) == CUBIN_ENTRY && strcmp(other, name) == 0) {
            return true;
        }
    }
    return false;
}

// --- Registers ---------------------------------------------------------------

// The section of exactly that name: prefix and rest.  Returns its data, NULL if it has none.
static Elf_Data *section_find(const struct elf_file *file, const char *prefix, const char *rest,
                              GElf_Shdr *ret_header) {
    size_t length = strlen(prefix);
    for (Elf_Scn *at = NULL; (at = elf_nextscn(file->elf, at)) != NULL;) {
        const char *name = elf_section(file, elf_ndxscn(at), ret_header);
        if (strncmp(name, prefix, length) == 0 && strcmp(name + length, rest) == 0) {
            return elf_rawdata(at, NULL);
        }
    }
    return NULL;
}

// Looks for the attribute in .nv.info, whose entries are: format, attribute, size, then that many
// bytes.
static uint32_t attribute_find(const Elf_Data *info, uint32_t symbol) {
    const unsigned char *bytes = info->d_buf;
    size_t count = bytes ? info->d_size : 0;
    for (size_t at = 0; count - at >= ATTRIBUTE_HEAD;) {
        const unsigned char *head = bytes + at;
        size_t size = head[0] == FORMAT_SIZED ? head[2] | (size_t)head[3] << 8 : 0;
        uint32_t value[2];
        at += ATTRIBUTE_HEAD;
        if (size > count - at) {
            return 0;
        }
        if (head[1] == ATTRIBUTE_REGISTERS && size == sizeof value) {
            memcpy(value, bytes + at, sizeof value);
            if (value[0] == symbol) {
                return value[1];
            }
        }
        at += size;
    }
    return 0;
}

int cubin_registers(char *bytes, size_t count, const char *kernel) {
    struct elf_file file;
    GElf_Shdr text;
    GElf_Shdr header;
    uint32_t registers = 0;
    if (!elf_file_in_memory(bytes, count, &file)) {
        return 0;
    }
    if (is_cubin(&file) && section_find(&file, ".text.", kernel, &text)) {
        registers = text.sh_info >> REGISTERS_SHIFT;
        Elf_Data *info = section_find(&file, ".nv.info", "", &header);
        if (registers == 0 && info) {
            registers = attribute_find(info, text.sh_info);
        }
    }
    elf_file_close(&file);
    return registers <= REGISTERS_MAX ? (int)registers : 0;
}

#define OPTIONS_MAX    (12 + COMPILE_DEFINES_MAX)
#define PRODUCT_TAKES  "LLLIII,LIII"
#define NAME_MAX_BYTES 256  // bytes of a quoted name, with the final NUL

// The facts that decide the verdict on a cubin.
struct cubin_check {
    const struct gpu_compile_request *request;
    const char *ptx;
    struct elf_file cubin;
    struct build_report *report;
};

// Refuses text that the compiler must not even read: an #include makes it open any path that the
// user may read.
static void source_judge(const struct gpu_compile_request *request, struct build_report *report) {
    const char *nul = memchr(request->source, '\0', request->source_bytes);
    if (nul) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED,
                           text_line_number(request->source, (size_t)(nul - request->source)),
                           "contains a NUL byte, so it is not text: save it again as UTF-8");
        return;
    }
    int line = 0;
    char word[SOURCE_WORD_MAX];
    if (source_foreign(request->source, &line, word) == SOURCE_INCLUDE) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, line, FOREIGN_INCLUDE_TEXT);
    }
}

// True for data that the compiler itself puts into GPU memory: the texts of printf and assert,
// names of functions, and copies of constant arrays.  If the student wrote a variable with such a
// name, the name is in the source.
static bool is_compilers(const char *name, const char *source) {
    static const char *const starts[] = {
        "$str", "__unnamed_", "__const", "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", ".str"};
    return text_starts_any(name, starts, COUNT(starts)) && text_word_line(source, name) == 0;
}

// True for tables that the compiler makes, for virtual functions, types and sinf.  No C++ variable
// has such a name unless the student chose it.
static bool is_table(const char *name, const char *source) {
    static const char *const starts[] = {"_ZTV", "_ZTT", "_ZTI", "_ZTS", "__cudart_"};
    return text_starts_any(name, starts, COUNT(starts)) && source_name_line(source, name) == 0 &&
           !source_builds_names(source);
}

// True if a variable occurs only once in the PTX, in its definition as local to this file: no code
// of the file reads or writes it.  The toolkit's headers leave a thousand of these.
static bool is_unused(const char *ptx, const char *name) {
    size_t length = strlen(name);
    int count = 0;
    if (!text_starts(name, "_ZN")) {
        return false;  // outside every namespace, unlike the variables of headers
    }
    for (const char *at = strstr(ptx, name); at && count < 2; at = strstr(at + length, name)) {
        if (text_is_word(at[length]) || (at > ptx && text_is_word(at[-1]))) {
            continue;
        }
        const char *line = memrchr(ptx, '\n', (size_t)(at - ptx));
        count += text_starts(line ? line + 1 : ptx, ".global ") ? 1 : 2;
    }
    return count < 2;
}

// Refuses a variable that keeps a value between launches.  True if it did.
static bool variable_judge(const char *name, bool initialised, const struct cubin_check *judging) {
    char plain[NAME_MAX_BYTES];
    if (is_unused(judging->ptx, name) ||
        (initialised && is_table(name, judging->request->source))) {
        return false;
    }
    symbol_readable(name, plain, sizeof plain);
    if (initialised && (is_compilers(plain, judging->request->source) ||
                        source_declares_const(judging->request->source, plain))) {
        return false;
    }
    build_report_fault(judging->report, BUILD_FAULT_NOT_ALLOWED,
                       source_name_line(judging->request->source, plain),
                       "`%.64s` keeps its value from one launch to the next: use variables inside "
                       "the kernel, __shared__ memory, or constants",
                       plain);
    return true;
}

static void variables_judge(const struct cubin_check *judging) {
    const char *name;
    int count = 0;
    for (size_t i = 1; i < judging->cubin.count; i++) {
        enum cubin_symbol symbol = cubin_symbol_at(&judging->cubin, i, &name);
        count += symbol == CUBIN_UNSET || symbol == CUBIN_INITIALISED;
    }
    if (count > CUBIN_VARIABLES_MAX) {
        build_report_fault(
            judging->report, BUILD_FAULT_NOT_ALLOWED, 0,
            "has %d variables in GPU memory; at most %d are allowed, all of them constant", count,
            CUBIN_VARIABLES_MAX);
        return;
    }
    for (size_t i = 1; i < judging->cubin.count; i++) {
        enum cubin_symbol symbol = cubin_symbol_at(&judging->cubin, i, &name);
        if ((symbol == CUBIN_UNSET || symbol == CUBIN_INITIALISED) &&
            variable_judge(name, symbol == CUBIN_INITIALISED, judging)) {
            return;
        }
    }
}

static void tensor_judge(const char *ptx, struct build_report *report) {
    char name[64];
    if (ptx_tensor_instruction(ptx, name, sizeof name)) {
        build_report_fault(
            report, BUILD_FAULT_NOT_ALLOWED, 0,
            "uses tensor cores (%s): this exercise asks for fp32 arithmetic, so multiply and add "
            "floats",
            name);
    }
}

// A kernel that has the right name only in mangled form is an overload: its parameters differ from
// the declaration in matmul.cuh.  If there is no overload, `other` is the first entry point that is
// not a launch configuration, "" if there is none.
static bool overload_find(const struct elf_file *cubin, const char *kernel,
                          char other[NAME_MAX_BYTES]) {
    const char *name;
    char plain[NAME_MAX_BYTES];
    other[0] = '\0';
    for (size_t i = 1; i < cubin->count; i++) {
        if (cubin_symbol_at(cubin, i, &name) != CUBIN_ENTRY) {
            continue;
        }
        symbol_readable(name, plain, sizeof plain);
        if (strcmp(plain, kernel) == 0 && strcmp(name, kernel) != 0) {
            return true;
        }
        if (other[0] == '\0' && !strstr(name, LAUNCH_CONFIG_SUFFIX)) {
            memcpy(other, plain, sizeof plain);
        }
    }
    return false;
}

// These parameter lists decide how much of our memory a launch reads.  The kernel's list is
// declared in matmul.cuh, but a configuration can be written without its macro, and inline PTX can
// define both.
static bool parameters_differ(const struct cubin_check *judging, const char *config) {
    const char *takes = judging->request->takes ? judging->request->takes : PRODUCT_TAKES;
    const char *comma = strchrnul(takes, ',');
    return !ptx_entry_takes(judging->ptx, judging->request->kernel, takes) ||
           !ptx_entry_takes(judging->ptx, config, *comma == ',' ? comma + 1 : comma);
}

// "const float *x, float *y, int N".
static const char *parameters_of(const struct gpu_compile_request *request) {
    static const char mark[] = "-DKERNEL_PARAMETERS=";
    for (int i = 0; i < request->define_count; i++) {
        if (text_starts(request->defines[i], mark)) {
            return request->defines[i] + strlen(mark);
        }
    }
    return "const float *A, const float *B, float *C, int M, int N, int K";
}

static void entries_judge(const struct cubin_check *judging) {
    const char *kernel = judging->request->kernel;
    char config[NAME_MAX_BYTES];
    char other[NAME_MAX_BYTES];
    (void)snprintf(config, sizeof config, "%s" LAUNCH_CONFIG_SUFFIX, kernel);
    bool found = cubin_has_entry(&judging->cubin, kernel);
    if (!found && overload_find(&judging->cubin, kernel, other)) {
        build_report_fault(
            judging->report, BUILD_FAULT_BAD_SIGNATURE,
            source_name_line(judging->request->source, kernel),
            "declares %s differently from its exercise: it is `__global__ void %s(%s)`", kernel,
            kernel, parameters_of(judging->request));
    } else if (!found && other[0] != '\0') {
        build_report_fault(judging->report, BUILD_FAULT_NO_KERNEL,
                           source_name_line(judging->request->source, other),
                           "there is no kernel %s in the file, but there is %.64s", kernel, other);
    } else if (!found) {
        build_report_fault(judging->report, BUILD_FAULT_NO_KERNEL, 0,
                           "there is no kernel in the file: it should hold `__global__ void %s`",
                           kernel);
    } else if (!cubin_has_entry(&judging->cubin, config)) {
        build_report_fault(
            judging->report, BUILD_FAULT_NO_CONFIG, 0,
            "the file has no LAUNCH_CONFIG(%s, %s), which says how many blocks of how many threads "
            "to launch",
            kernel, judging->request->takes ? "…" : "M, N, K");
    } else if (parameters_differ(judging, config)) {
        build_report_fault(judging->report, BUILD_FAULT_BAD_SIGNATURE,
                           source_name_line(judging->request->source, config),
                           "declares %s or %s with parameters that differ from the exercise's",
                           kernel, config);
    }
}

// Judges the compiler's output, in the order of verdicts.
static enum status output_judge(const struct nvrtc_output *output,
                                const struct gpu_compile_request *request,
                                struct build_report *report, struct error *err) {
    struct cubin_check judging = {.request = request, .ptx = output->ptx, .report = report};
    enum status status = cubin_open(output->cubin, output->cubin_bytes, &judging.cubin, err);
    if (status) {
        return status;
    }
    variables_judge(&judging);
    if (report->fault == BUILD_FAULT_NONE && !request->tensor_cores) {
        tensor_judge(output->ptx, report);
    }
    if (report->fault == BUILD_FAULT_NONE) {
        entries_judge(&judging);
    }
    elf_file_close(&judging.cubin);
    if (report->fault == BUILD_FAULT_NONE) {
        report->registers = cubin_registers(output->cubin, output->cubin_bytes, request->kernel);
    }
    return STATUS_OK;
}

// One option as owned text.
static enum status option_add(char *options[OPTIONS_MAX], int *count, struct error *err,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));
static enum status option_add(char *options[OPTIONS_MAX], int *count, struct error *err,
                              const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = *count < OPTIONS_MAX ? vasprintf(&options[*count], format, arguments) : -1;
    va_end(arguments);
    if (length < 0) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the compiler's options");
    }
    (*count)++;
    return STATUS_OK;
}

static enum status options_make(const struct nvrtc *nvrtc,
                                const struct gpu_compile_request *request,
                                char *options[OPTIONS_MAX], int *count, struct error *err) {
    // wgmma and setmaxnreg exist only in sm_90a, which runs on no other GPU.
    bool hopper = strcmp(request->architecture, "sm_90") == 0;
    enum status status = option_add(options, count, err, "--gpu-architecture=%s%s",
                                    request->architecture, hopper ? "a" : "");
    status = status ? status : option_add(options, count, err, "-std=c++17");
    status = status ? status : option_add(options, count, err, "-lineinfo");
    status = status ? status : option_add(options, count, err, "-DKERNEL=%s", request->kernel);
    for (int i = 0; i < request->define_count && !status; i++) {
        status = option_add(options, count, err, "%s", request->defines[i]);
    }
    status = status ? status : option_add(options, count, err, "-I%s", request->include);
    status = status ? status : option_add(options, count, err, "-I%s/standin", request->include);
    status = status ? status : option_add(options, count, err, "-I%s/standin/c", request->include);
    if (!status && nvrtc->toolkit[0] != '\0') {
        status = option_add(options, count, err, "-I%s", nvrtc->toolkit);
        // Since CUDA 13 the headers of <cuda/barrier> and similar ones are one folder deeper.
        status = status ? status : option_add(options, count, err, "-I%s/cccl", nvrtc->toolkit);
    }
    return status;
}

static enum status source_compile(const struct nvrtc *nvrtc,
                                  const struct gpu_compile_request *request,
                                  struct nvrtc_output *ret_output, struct error *err) {
    char *options[OPTIONS_MAX + 1] = {NULL};
    int count = 0;
    enum status status = options_make(nvrtc, request, options, &count, err);
    if (!status) {
        status = nvrtc_compile(nvrtc, request->source, BUILD_SOURCE, (const char *const *)options,
                               ret_output, err);
    }
    for (int i = 0; i < count; i++) {
        free(options[i]);
    }
    return status;
}

enum status gpu_compile(const struct nvrtc *nvrtc, const struct gpu_compile_request *request,
                        struct gpu_compile_result *ret_result, struct error *err) {
    enum status status = STATUS_OK;
    struct gpu_compile_result result = {.cubin = NULL};
    struct nvrtc_output output = {.compiled = false};
    source_judge(request, &result.report);
    if (result.report.fault == BUILD_FAULT_NONE) {
        status = source_compile(nvrtc, request, &output, err);
        if (!status && output.compiled) {
            status = output_judge(&output, request, &result.report, err);
        } else if (!status) {
            compile_log_judge(output.log, BUILD_SOURCE, request->source, request->kernel,
                              &result.report);
        }
    }
    if (status) {
        goto out;
    }
    result.report.diagnostics =
        compile_log_show(output.log ? output.log : "", request->kernel, request->include);
    if (result.report.fault == BUILD_FAULT_NONE) {
        result.cubin = output.cubin;
        result.cubin_bytes = output.cubin_bytes;
        output.cubin = NULL;  // the result owns it now
    }
    *ret_result = result;
    result = (struct gpu_compile_result){.cubin = NULL};

out:
    gpu_compile_done(&result);
    nvrtc_output_done(&output);
    return status;
}

void gpu_compile_done(struct gpu_compile_result *result) {
    free(result->report.diagnostics);
    free(result->cubin);
    *result = (struct gpu_compile_result){.cubin = NULL};
}
