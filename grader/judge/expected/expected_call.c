// Calls the function of an expected.c, in its own process: see expected_program.h. A message is one
// byte and a descriptor, the memory of the call; so is the answer, without one.
#include "judge/expected/expected_program.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "device/compile/build_plan.h"
#include "judge/compile/program_build.h"
#include "judge/expected/expected_case.h"

#define WATCH_MS 100

// The program ends a call that takes too long itself, so there is no limit for all of them.
static const struct box_limits limits = {
    .cpu_seconds = 24ull * 3600,
    .memory_bytes = 256ull << 30,  // pages are allocated when they are touched
    .file_bytes = 16ull << 30,
    .output_bytes = 64 << 10,
    .open_files = 16,
};

static void process_stop(struct expected_process *process) {
    if (process->box) {
        fd_close(&process->socket_fd);
        box_free(process->box);
        process->box = NULL;
    }
}

static enum status process_start(const struct expected_program *program,
                                 struct expected_process *process, struct error *err) {
    const struct judge_machine *machine = program->build.machine;
    struct build_step step = {.what = "expected.c"};
    int sockets[2] = {-1, -1};
    step_add(&step, "%s/" EXPECTED_NUMBERS, program->build.scratch);
    enum status status = STATUS_OK;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "cannot open the channel to an expected.c");
    }
    if (!status) {
        const char *const readable[] = {step.argument[0], NULL};
        const struct box_command command = {.argument = step.argument,
                                            .folder = program->build.scratch,
                                            .passed = device_variables(DEVICE_EMU),
                                            .descriptor = &sockets[1],
                                            .descriptor_count = 1,
                                            .limits = limits,
                                            .sandbox = machine->sandbox,
                                            .profile = PROFILE_KERNEL,
                                            .readable = readable};
        status = box_start(&command, &process->box, err);
    }
    fd_close(&sockets[1]);
    build_step_done(&step);
    if (status) {
        fd_close(&sockets[0]);
        return status;
    }
    process->socket_fd = sockets[0];
    return STATUS_OK;
}

static bool memory_send(const struct expected_process *process, int memory_fd) {
    char byte = 0;
    struct iovec data = {&byte, 1};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof memory_fd)] = {0};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof memory_fd);
    memcpy(CMSG_DATA(head), &memory_fd, sizeof memory_fd);
    return sendmsg(process->socket_fd, &message, MSG_NOSIGNAL) == 1;
}

// Waits for the answer, and reads the program's output meanwhile.
static enum status answer_wait(const struct expected_process *process, uint64_t deadline,
                               enum expected_end_of_call *ret_end, struct error *err) {
    enum box_end end = BOX_RUNNING;
    bool is_closed = false;
    for (;;) {
        struct pollfd fds[2] = {{.fd = is_closed ? -1 : process->socket_fd, .events = POLLIN},
                                {.fd = box_output_fd(process->box), .events = POLLIN}};
        char byte;
        if (poll(fds, 2, WATCH_MS) < 0 && errno != EINTR) {
            return fail_errno(err, STATUS_SYSTEM, "cannot wait for an expected.c");
        }
        if (fds[0].revents != 0 && recv(process->socket_fd, &byte, 1, MSG_DONTWAIT) == 1) {
            *ret_end = CALL_RETURNED;
            return STATUS_OK;
        }
        is_closed = is_closed || fds[0].revents != 0;
        enum status status = box_poll(process->box, 0, &end, err);
        if (status || end != BOX_RUNNING) {
            *ret_end = CALL_ENDED;
            return status;
        }
        if (clock_ms() >= deadline) {
            box_kill(process->box);
            *ret_end = CALL_LATE;
            return STATUS_OK;
        }
    }
}

// Sends a memory with a request and waits at most deadline_ms.
// Errors: those of box_start and box_poll.
static enum status expected_process_call(const struct expected_program *program, int memory_fd,
                                         uint64_t deadline_ms, enum expected_end_of_call *ret_end,
                                         struct error *err) {
    struct expected_process *process = program->process;
    enum box_end end = BOX_RUNNING;
    enum status status = STATUS_OK;
    // The last call may have ended the program.  A kernel's outputs may have made a check function
    // corrupt its memory.
    if (process->box &&
        (program->is_check || box_poll(process->box, 0, &end, NULL) || end != BOX_RUNNING)) {
        process_stop(process);
    }
    if (!process->box) {
        status = process_start(program, process, err);
    }
    if (!status && !memory_send(process, memory_fd)) {
        status = fail_errno(err, STATUS_SYSTEM, "cannot send to an expected.c");
    }
    return status ? status : answer_wait(process, clock_ms() + deadline_ms, ret_end, err);
}

struct expected_process *expected_process_new(void) {
    return xcalloc(1, sizeof(struct expected_process));
}

void expected_process_free(struct expected_process *process) {
    if (process) {
        process_stop(process);
    }
    free(process);
}

#define DEADLINE_FACTOR 8  // wall clock of a call, as a multiple of its processor time

static uint64_t page_up(uint64_t bytes) {
    return (bytes + EXPECTED_PAGE_BYTES - 1) / EXPECTED_PAGE_BYTES * EXPECTED_PAGE_BYTES;
}

static enum expected_direction direction_of(const struct expected_program *program,
                                            const struct parameter *parameter) {
    return program->is_check || !parameter_is_output(parameter) ? EXPECTED_IN
           : parameter_is_input(parameter)                      ? EXPECTED_INOUT
                                                                : EXPECTED_OUT;
}

// Adds an array, with room for results if there are any.
static void array_add(const struct expected_program *program, const struct parameter *parameter,
                      const struct expected_arguments *arguments,
                      struct expected_results *results) {
    struct expected_request *request = &results->request;
    bool is_number = element_is_real(parameter->element) && !request->is_raw;
    struct expected_array *array = &request->array[request->array_count++];
    uint64_t elements = parameter_elements(program->signature, parameter, arguments->size);
    uint64_t bytes = elements * element_bytes(parameter->element);
    bool repeats = arguments->period_bytes > 0 && bytes > arguments->period_bytes;
    *array = (struct expected_array){.type = parameter->element,
                                     .direction = direction_of(program, parameter),
                                     .elements = elements,
                                     .values_at = results->bytes,
                                     .period = repeats ? arguments->period_bytes : 0};
    results->bytes += page_up(bytes);
    array->results_at = results->bytes;
    if (array->direction != EXPECTED_IN) {
        results->bytes +=
            page_up(is_number ? elements * sizeof(struct expected_result) : EXPECTED_RUNS * bytes);
    }
}

// The offset of everything in the memfd.
static void request_make(const struct expected_program *program,
                         const struct expected_arguments *arguments,
                         struct expected_results *results) {
    const struct signature *signature = program->signature;
    struct expected_request *request = &results->request;
    *request = (struct expected_request){.magic = EXPECTED_MAGIC,
                                         .samples = arguments->samples,
                                         .cpu_ms_max = 1000 * program->seconds_max,
                                         .is_raw = program->is_check || arguments->is_plain,
                                         .is_plain = arguments->is_plain,
                                         .is_trial = arguments->trial != NULL,
                                         .key = {arguments->key.word[0], arguments->key.word[1]}};
    results->bytes = EXPECTED_DATA_AT;
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];
        bool is_inout = parameter_is_input(parameter) && parameter_is_output(parameter);
        results->array[i] = -1;
        request->real[i] = parameter->value;
        request->whole[i] =
            parameter->kind == PARAMETER_SIZE ? arguments->size.at[parameter->size] : 0;
        if (!parameter_is_array(parameter)) {
            continue;
        }
        results->array[i] = (int)request->array_count;
        array_add(program, parameter, arguments, results);
        if (program->is_check && is_inout) {
            array_add(program, parameter, arguments, results);
        }
    }
    if (arguments->trial) {
        arguments->trial->tape_at = results->bytes;
        results->bytes += page_up(arguments->trial->tape_max * sizeof(double));
    }
    request->bytes = results->bytes;
    if (arguments->picks) {
        memcpy(request->picks, arguments->picks, sizeof request->picks);
    }
}

// A memfd of that size, which no process can shrink.
static enum status memory_open(struct expected_results *results, struct error *err) {
    results->fd = memfd_create("expected", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (results->fd < 0 || ftruncate(results->fd, (off_t)results->bytes) != 0 ||
        fcntl(results->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        return fail_errno(err, STATUS_SYSTEM, "memory for the expected result");
    }
    results->memory =
        mmap(NULL, results->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, results->fd, 0);
    if (results->memory == MAP_FAILED) {
        results->memory = NULL;
        return fail_errno(err, STATUS_SYSTEM, "memory for the expected result");
    }
    return STATUS_OK;
}

static void array_write(struct expected_results *results, const struct expected_array *array,
                        const void *values) {
    memcpy(results->memory + array->values_at, values,
           array->period > 0 ? array->period : array->elements * expected_type_bytes(array->type));
}

static void values_write(const struct expected_program *program,
                         const struct expected_arguments *arguments,
                         struct expected_results *results) {
    memcpy(results->memory, &results->request, sizeof results->request);
    if (arguments->trial) {
        memcpy(results->memory + EXPECTED_TRIAL_AT, arguments->trial, sizeof *arguments->trial);
    }
    for (int i = 0; i < program->signature->parameter_count; i++) {
        const struct parameter *parameter = &program->signature->parameter[i];
        if (!parameter_is_array(parameter)) {
            continue;
        }
        const struct expected_array *array = &results->request.array[results->array[i]];
        if (parameter_is_input(parameter)) {
            array_write(results, array++, arguments->values[i]);
        }
        if (program->is_check && parameter_is_output(parameter)) {
            array_write(results, array, arguments->after[i]);
        }
    }
}

// Our header is inlined, so the last of the frames that addr2line prints is the teacher's.
int expected_line(const struct expected_program *program, uint64_t pc) {
    struct build_step step = {.what = "addr2line"};
    struct run_step_end end = {.output = NULL};
    int line = 0;
    step_add_words(&step, "/usr/bin/addr2line -i -e " EXPECTED_NUMBERS);
    step_add(&step, "0x%llx", (unsigned long long)pc);
    if (pc != 0 && !run_step(&step, &program->build, &end, NULL)) {
        for (const char *at = end.output; (at = strstr(at, "expected.c:")); at++) {
            line = (int)strtol(at + strlen("expected.c:"), NULL, 10);
        }
    }
    free(end.output);
    build_step_done(&step);
    return line;
}

static const struct parameter *parameter_of(const struct expected_program *program,
                                            const struct expected_results *results,
                                            uint32_t array) {
    for (int i = program->signature->parameter_count - 1; i >= 0; i--) {
        // A check function gets an inout array twice.
        if (results->array[i] >= 0 && results->array[i] <= (int)array) {
            return &program->signature->parameter[i];
        }
    }
    return NULL;
}

static enum status outside_report(const struct expected_program *program,
                                  const struct expected_results *results,
                                  const struct expected_answer *answer, const char *place,
                                  struct error *err) {
    const struct parameter *parameter = parameter_of(program, results, answer->array);
    if (!parameter) {
        return fail(err, STATUS_SYSTEM, "%s: the runner gave an impossible answer", place);
    }
    if (answer->end == EXPECTED_NO_WRITE) {
        return fail(err, STATUS_BAD_DATA,
                    "%s: writes %s[%lld], but exercise.ini says that %s is an input: write another "
                    "array, or declare it inout",
                    place, parameter->name, (long long)answer->index, parameter->name);
    }
    return fail(err, STATUS_BAD_DATA,
                "%s: uses %s[%lld], but %s has the elements 0 to %lld at this size: correct the "
                "index, or the shape in exercise.ini",
                place, parameter->name, (long long)answer->index, parameter->name,
                (long long)results->request.array[answer->array].elements - 1);
}

// A function that did not end well is a mistake in the course.
static enum status end_report(const struct expected_program *program,
                              const struct expected_results *results,
                              const struct expected_answer *answer, const struct box *box,
                              struct error *err) {
    char place[PATH_BYTES_MAX + 16];
    int line = expected_line(program, answer->pc);
    (void)snprintf(place, sizeof place, line > 0 ? "%s:%d" : "%s", program->path, line);
    switch (answer->end) {
    case EXPECTED_LATE:
        return fail(err, STATUS_BAD_DATA,
                    "%s: does not end within %u s at this size: is there a loop without end? For "
                    "large outputs, write the loop over independent elements as EACH(i, n)",
                    place, program->seconds_max);
    case EXPECTED_OUTSIDE:
    case EXPECTED_NO_WRITE:
        return outside_report(program, results, answer, place, err);
    case EXPECTED_WILD:
        return fail(err, STATUS_BAD_DATA,
                    "%s: accesses memory that belongs to no array: check the pointer or index in "
                    "this line",
                    place);
    case EXPECTED_DEEP:
        return fail(err, STATUS_BAD_DATA,
                    "%s: uses up the stack (8 MiB): make the local array smaller, or end the "
                    "recursion",
                    place);
    case EXPECTED_UNSET:
        return fail(err, STATUS_BAD_DATA,
                    "%s: uses a number that was never set: give the variable a value, or write "
                    "the output before it is read",
                    place);
    case EXPECTED_ZERO:
        return fail(err, STATUS_BAD_DATA, "%s: divides by zero: check the divisor", place);
    default:
        return fail(err, STATUS_SYSTEM, "%s: its program ended without a result (code %d): %.200s",
                    program->path, box_exit_code(box), box_output(box));
    }
}

static enum status call_once(const struct expected_program *program,
                             struct expected_results *results, struct expected_answer *answer,
                             struct error *err) {
    enum expected_end_of_call end = CALL_ENDED;
    enum status status = expected_process_call(
        program, results->fd, DEADLINE_FACTOR * 1000ull * program->seconds_max, &end, err);
    if (status) {
        return status;
    }
    memcpy(answer, results->memory + EXPECTED_ANSWER_AT, sizeof *answer);
    if (end == CALL_LATE && answer->end == EXPECTED_NOTHING) {
        return fail(err, STATUS_SYSTEM,
                    "%s: got too little processor time; is this machine too "
                    "busy?",
                    program->path);
    }
    if (answer->end == EXPECTED_DONE) {
        return STATUS_OK;
    }
    struct error why = {.text = ""};
    status = end_report(program, results, answer, program->process->box, &why);
    if (status == STATUS_BAD_DATA && program->is_check) {
        // A wrong output, such as an index that does not exist, can cause this in a right check
        // function.
        (void)snprintf(results->why, sizeof results->why, "%s", why.words);
        return STATUS_OK;
    }
    if (err) {
        *err = why;
    }
    return status;
}

enum status expected_run(const struct expected_program *program,
                         const struct expected_arguments *arguments,
                         struct expected_results *ret_results, struct error *err) {
    struct expected_results results = {.fd = -1};
    struct expected_answer answer;
    request_make(program, arguments, &results);
    enum status status = memory_open(&results, err);
    if (!status) {
        values_write(program, arguments, &results);
        status = call_once(program, &results, &answer, err);
    }
    if (status) {
        expected_results_done(&results);
        return status;
    }
    if (arguments->trial) {
        struct expected_trial *trial = arguments->trial;
        const struct expected_trial asked = *trial;
        memcpy(trial, results.memory + EXPECTED_TRIAL_AT, sizeof *trial);
        trial->tape_at = asked.tape_at;
        trial->tape_max = asked.tape_max;
        if (trial->site_count > EXPECTED_SITES_MAX || trial->run_count > EXPECTED_RUNS_MAX) {
            trial->is_full = 1;  // there are no sites that we can read
        }
        if (arguments->tape) {
            memcpy(arguments->tape, results.memory + asked.tape_at,
                   asked.tape_max * sizeof(double));
        }
    }
    results.refused = answer.refused;
    results.each_loops = answer.each_loops;
    results.is_rounded = answer.is_rounded != 0;
    (void)snprintf(results.said, sizeof results.said, "%.*s", EXPECTED_SAID_BYTES - 1, answer.said);
    text_end(results.said);
    text_clean(results.said);
    for (int i = 0; i < EXPECTED_NOTES; i++) {
        results.notes[i] = answer.notes[i];
        results.note_pc[i] = answer.note_pc[i];
    }
    *ret_results = results;
    return STATUS_OK;
}

void expected_results_done(struct expected_results *results) {
    if (results->memory) {
        (void)munmap(results->memory, results->bytes);
    }
    if (results->fd >= 0) {
        (void)close(results->fd);
    }
    *results = (struct expected_results){.fd = -1};
}

static const struct expected_array *array_of(const struct expected_results *results,
                                             int parameter) {
    return &results->request.array[results->array[parameter]];
}

const void *expected_raw(const struct expected_results *results, int parameter) {
    return results->memory + array_of(results, parameter)->results_at;
}

const struct expected_result *expected_numbers(const struct expected_results *results,
                                               int parameter) {
    return (const struct expected_result *)(const void *)(results->memory +
                                                          array_of(results, parameter)->results_at);
}

const void *expected_wholes(const struct expected_results *results, int parameter, int run) {
    const struct expected_array *array = array_of(results, parameter);
    uint64_t bytes = array->elements * expected_type_bytes(array->type);
    // An array that is only an output has the results of the runs, one after the other; any other
    // array has those of one run.
    return results->memory + array->results_at +
           (array->direction == EXPECTED_OUT ? (uint64_t)run * bytes : 0);
}

bool expected_rounds_to(const struct expected_results *results, int parameter, uint64_t element,
                        const void *value) {
    if (!results->is_rounded) {
        return false;
    }
    enum element_type type = (enum element_type)array_of(results, parameter)->type;
    double got = draw_value(type, value, 0);
    double down = draw_value(type, expected_wholes(results, parameter, 2), element);
    double up = draw_value(type, expected_wholes(results, parameter, 3), element);
    return got >= fmin(down, up) && got <= fmax(down, up);
}

// Bytes of the results of an element.
static uint64_t result_bytes(const struct expected_array *array) {
    return expected_type_is_number(array->type) ? sizeof(struct expected_result)
                                                : expected_type_bytes(array->type);
}

uint64_t expected_next(const struct expected_results *results, int parameter, uint64_t first) {
    const struct expected_array *array = array_of(results, parameter);
    uint64_t each = result_bytes(array);
    if (first >= array->elements) {
        return array->elements;
    }
    off_t at = lseek(results->fd, (off_t)(array->results_at + first * each), SEEK_DATA);
    if (at < 0) {
        return array->elements;  // there is no more data anywhere
    }
    uint64_t next = ((uint64_t)at - array->results_at) / each;
    return next < first ? first : next > array->elements ? array->elements : next;
}

#define HOLE_BYTES 4096  // holes of a file end at a multiple of these

uint64_t expected_after(const struct expected_results *results, int parameter, uint64_t element) {
    const struct expected_array *array = array_of(results, parameter);
    uint64_t at = array->results_at + element * result_bytes(array);
    bool is_near = at / HOLE_BYTES == (at + result_bytes(array)) / HOLE_BYTES;
    return is_near ? element + 1 : expected_next(results, parameter, element + 1);
}
