// The program's findings and arrays arrive as messages while it runs; they are worked out when it
// has ended.
#include "judge/run/program_run.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/cpp_lexer.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "judge/run/findings_merge.h"
#include "sandbox/box.h"

#define POLL_MS       50
#define PROCESSES_MAX 128  // with its threads; a failed fork costs the program, not the machine
#define PLACES_MAX    (BUILD_ARGUMENTS_MAX - 3)
#define MESSAGE_BYTES 65536

// Much is reserved, for shadows of all device memory, and little of it is touched.
static const struct box_limits program_limits = {
    .cpu_seconds = 3600,
    .memory_bytes = 1ull << 40,
    .file_bytes = 1ull << 30,
    .output_bytes = 1 << 10,
    .open_files = 64,
};

// --- Messages ------------------------------------------------------------------------------------

static bool notice_take(const struct array_notice *notice, struct program_arrays *arrays) {
    if (notice->array >= MEMORY_ARRAYS_MAX || notice->memory > MEMORY_PINNED) {
        return false;
    }
    arrays->count = notice->array >= arrays->count ? notice->array + 1 : arrays->count;
    arrays->array[notice->array] = (struct program_array){.pc = notice->pc,
                                                          .bytes = notice->bytes,
                                                          .element_bytes = notice->element_bytes,
                                                          .memory = notice->memory};
    char *name = arrays->array[notice->array].name;
    for (size_t i = 0; i + 1 < sizeof notice->name && text_is_word(notice->name[i]); i++) {
        name[i] = notice->name[i];
    }
    return true;
}

// The program is not trusted: every number that is an index is in its range afterwards.
static bool finding_take(const struct announcement *message, struct findings *findings) {
    const struct finding *seen = &message->finding;
    bool valid = seen->kind < FINDING_KIND_COUNT && seen->severity < SEVERITY_COUNT &&
                 seen->space < SPACE_COUNT && seen->access < 1024 && seen->other_access < 1024 &&
                 seen->value_count <= FINDING_VALUES_MAX && seen->parties < PARTIES_COUNT;
    if (valid) {
        findings_add(findings, seen);
    }
    return valid;
}

static bool message_take(const char *message, size_t bytes, struct program_arrays *arrays,
                         struct findings *findings) {
    struct array_notice notice;
    struct announcement announcement;
    uint32_t magic = 0;
    memcpy(&magic, message, bytes < sizeof magic ? bytes : sizeof magic);
    if (magic == ARRAY_NOTICE_MAGIC && bytes == sizeof notice) {
        memcpy(&notice, message, sizeof notice);
        return notice_take(&notice, arrays);
    }
    if (magic == ANNOUNCEMENT_MAGIC && bytes == sizeof announcement) {
        memcpy(&announcement, message, sizeof announcement);
        return finding_take(&announcement, findings);
    }
    return false;
}

// Takes all messages that have arrived.  False if the program sends something else.
static bool messages_take(int fd, struct program_arrays *arrays, struct findings *findings) {
    static char message[MESSAGE_BYTES];
    for (;;) {
        ssize_t got = recv(fd, message, sizeof message, MSG_DONTWAIT);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return true;
        }
        if (!message_take(message, (size_t)got, arrays, findings)) {
            return false;
        }
    }
}

// --- The process ---------------------------------------------------------------------------------

static enum status box_watch(struct box *box, int fd, struct program_result *result,
                             struct findings *findings, struct error *err) {
    enum box_end end = BOX_RUNNING;
    bool valid = true;
    while (end == BOX_RUNNING && valid) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        (void)poll(&ready, 1, POLL_MS);
        valid = messages_take(fd, &result->arrays, findings);
        enum status status = box_poll(box, ready.revents & POLLHUP ? POLL_MS : 0, &end, err);
        if (status) {
            return status;
        }
    }
    valid = valid && messages_take(fd, &result->arrays, findings);
    if (!valid) {
        box_kill(box);
        return fail(err, STATUS_SYSTEM, "the program sent a message that is not ours");
    }
    result->exit_code = box_exit_code(box);
    result->was_lost = end == BOX_SIGNALLED;
    return STATUS_OK;
}

static enum status process_run(const struct run_program *program, const char *folder,
                               char *const *argument, struct program_result *result,
                               struct findings *findings, struct error *err) {
    int pair[2] = {-1, -1};
    char worker[PATH_BYTES_MAX];
    struct box *box = NULL;
    int count = 0;
    while (argument[count]) {
        count++;
    }
    char **words = xcalloc((size_t)count + 2, sizeof *words);
    memcpy(words + 1, argument, (size_t)count * sizeof *words);
    words[0] = worker;
    const char *const readable[] = {worker, NULL};
    enum status status = path_make(worker, err, "%s/worker", program->scratch);
    if (!status && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "cannot make a socket");
    }
    struct box_command command = {.argument = words,
                                  .folder = folder,
                                  .descriptor = &pair[1],
                                  .descriptor_count = 1,
                                  .limits = program_limits,
                                  .sandbox = program->machine->sandbox,
                                  .profile = PROFILE_PROGRAM,
                                  .readable = readable,
                                  .shares_streams = true};
    if (sandbox_counts_processes(program->machine->sandbox)) {
        command.limits.processes = PROCESSES_MAX;
    }
    if (!status) {
        status = box_start(&command, &box, err);
    }
    fd_close(&pair[1]);
    const struct shared_array_table *shared = &program->report.shared;
    if (!status && send(pair[0], shared, sizeof *shared, MSG_NOSIGNAL) != (ssize_t)sizeof *shared) {
        status = fail_errno(err, STATUS_SYSTEM, "the program ended before it began");
    }
    if (!status) {
        status = box_watch(box, pair[0], result, findings, err);
    }
    box_free(box);
    fd_close(&pair[0]);
    free(words);
    return status;
}

// --- Names of arrays -----------------------------------------------------------------------------

// The last name before the first comma of an allocation's arguments: d_x in
// `CHECK(cudaMalloc((void **)&d_x, bytes))`.
static void name_find(const char *line, char name[ARRAY_NAME_MAX]) {
    struct cpp_lexer lexer = cpp_open(line, strlen(line));
    struct cpp_token token;
    bool inside = false;
    int depth = 0;
    name[0] = '\0';
    while (cpp_next(&lexer, &token)) {
        char word[ARRAY_NAME_MAX];
        cpp_copy(&token, word, sizeof word);
        if (!inside) {
            inside = token.kind == CPP_WORD && (strncmp(word, "cudaMalloc", 10) == 0 ||
                                                strncmp(word, "cudaHostAlloc", 13) == 0);
            continue;
        }
        depth += cpp_begins(&token, '(') || cpp_begins(&token, '[');
        depth -= cpp_begins(&token, ')') || cpp_begins(&token, ']');
        if (depth == 0 || (depth == 1 && cpp_is(&token, ","))) {
            return;
        }
        if (token.kind == CPP_WORD && depth == 1) {
            (void)snprintf(name, ARRAY_NAME_MAX, "%s", word);
        }
    }
}

static uint32_t type_bytes(const struct cpp_token *token) {
    static const struct {
        const char *name;
        uint32_t bytes;
    } types[] = {{"float", 4},   {"int", 4},      {"unsigned", 4}, {"double", 8},   {"char", 1},
                 {"short", 2},   {"long", 8},     {"float2", 8},   {"float4", 16},  {"int2", 8},
                 {"int4", 16},   {"uint", 4},     {"size_t", 8},   {"half", 2},     {"__half", 2},
                 {"uint8_t", 1}, {"uint32_t", 4}, {"int32_t", 4},  {"uint64_t", 8}, {"bool", 1}};
    for (size_t i = 0; i < COUNT(types); i++) {
        if (cpp_is(token, types[i].name)) {
            return types[i].bytes;
        }
    }
    return 0;
}

// The size of what a pointer of that name points to, by its declaration: `float *d_x, *d_y;`.
static uint32_t element_find(const struct submitted *source, const char *name) {
    struct cpp_lexer lexer = cpp_open(source->text, source->bytes);
    struct cpp_token token;
    uint32_t type = 0;
    bool star = false;
    while (name[0] != '\0' && cpp_next(&lexer, &token)) {
        uint32_t bytes = token.kind == CPP_WORD ? type_bytes(&token) : 0;
        if (star && type > 0 && token.kind == CPP_WORD && cpp_is(&token, name)) {
            return type;
        }
        star = cpp_is(&token, "*");
        type = bytes > 0 ? bytes : type;
        if (cpp_begins(&token, ';') || cpp_begins(&token, '{') || cpp_begins(&token, '(')) {
            type = 0;
        }
    }
    return 0;
}

static enum status arrays_name(const struct run_program *program, const struct submitted *source,
                               struct program_arrays *arrays, struct error *err) {
    enum status status = STATUS_OK;
    for (uint32_t first = 0; first < arrays->count && !status; first += PLACES_MAX) {
        uint64_t address[PLACES_MAX];
        struct build_place place[PLACES_MAX];
        int count = 0;
        while (count < PLACES_MAX && first + (uint32_t)count < arrays->count) {
            address[count] = arrays->array[first + (uint32_t)count].pc;
            count++;
        }
        status = run_places(program, address, count, place, err);
        for (int i = 0; i < count && !status; i++) {
            struct program_array *array = &arrays->array[first + (uint32_t)i];
            char line[SOURCE_LINE_MAX] = "";
            array->line = place[i].line;
            if (array->line > 0) {
                submitted_line(source->text, source->bytes, array->line, line, sizeof line);
            }
            if (array->pc == 0) {
                continue;  // a variable
            }
            // Two allocations of one line are told apart by their columns.
            uint32_t indent = submitted_indent(source->text, source->bytes, array->line);
            uint32_t at = place[i].column > indent ? place[i].column - indent - 1 : 0;
            name_find(at < strlen(line) ? line + at : line, array->name);
            if (array->name[0] == '\0') {
                name_find(line, array->name);
            }
            if (array->element_bytes <= 1) {
                uint32_t bytes = element_find(source, array->name);
                array->element_bytes = bytes > 0 ? bytes : array->element_bytes;
            }
        }
    }
    return status;
}

// --- Findings ------------------------------------------------------------------------------------

static enum status findings_explain(const struct run_program *program,
                                    const struct submitted *source, const struct findings *findings,
                                    struct program_result *result, struct error *err) {
    static const struct signature none = {.parameter_count = 0};
    enum status status = arrays_name(program, source, &result->arrays, err);
    if (status) {
        return status;
    }
    run_findings_add(&result->findings, findings, DEVICE_EMU, (struct size){0});
    for (int i = 0; i < result->findings.count; i++) {
        result->findings.list[i].signature = &none;
        result->findings.list[i].arrays = result->arrays.array;
        result->findings.list[i].array_count = result->arrays.count;
    }
    return run_findings_finish(program, source, VERDICT_PASS, &result->findings, err);
}

enum status program_run(const struct run_program *program, const char *folder,
                        char *const *argument, const struct submitted *source,
                        struct program_result *ret_result, struct error *err) {
    struct findings *findings = xcalloc(1, sizeof *findings);
    memset(ret_result, 0, sizeof *ret_result);
    enum status status = process_run(program, folder, argument, ret_result, findings, err);
    if (!status) {
        status = findings_explain(program, source, findings, ret_result, err);
    }
    free(findings);
    return status;
}
