// The process of an expected.c: started when it is first needed, it answers one call after the
// other, because starting it in its sandbox costs more than most calls.  A check function, which
// reads what a kernel has stored, gets a new process for each call.
#ifndef JUDGE_EXPECTED_PROCESS_H
#define JUDGE_EXPECTED_PROCESS_H

#include <stdbool.h>

#include "judge/expected/program.h"
#include "sandbox/box.h"

struct expected_process {
    int socket_fd;    // open while box is not NULL
    struct box *box;  // NULL: none runs
};

// How a call ended.
enum expected_end_of_call {
    CALL_RETURNED,  // and the process waits for the next call
    CALL_ENDED,     // it ended in this call: the answer in the memory may say why
    CALL_LATE,      // no answer by the deadline; it was killed
};

// Those of a program: with numbers, and with plain values.  NULL: no memory.
struct expected_process *expected_processes_new(void);
void expected_processes_free(struct expected_process *processes);  // ends them; NULL is fine

// Hands a memory with a request over and waits at most deadline_ms.
// Errors: those of box_start and box_poll.
enum status expected_process_call(const struct expected_program *program, bool is_values,
                                  int memory_fd, uint64_t deadline_ms,
                                  enum expected_end_of_call *ret_end, struct error *err);

// The box of the last call of this program, for messages; stays until the next call.
const struct box *expected_process_box(const struct expected_program *program, bool is_values);

#endif
