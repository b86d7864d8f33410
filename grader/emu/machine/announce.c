// Sends each finding as soon as it is kept, from whatever thread is running.
//
// Also called from signal handlers, so it uses nothing but send.
#include "emu/wire/announcement.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "emu/machine/state.h"

static bool is_of_one(const struct finding *finding) {
    return finding->kind != FINDING_RACE && finding->kind != FINDING_BARRIER_DIVERGENCE &&
           finding->kind != FINDING_EXITED_BEFORE_BARRIER;
}

// The first function that the kernel called, if the finding is of the running thread.
static void call_add(const struct emu_machine *machine, struct finding *finding) {
    const struct thread *thread = &machine->thread[machine->current];
    if (is_of_one(finding) && thread->depth > 1 && thread->depth <= CALLERS_MAX &&
        memcmp(thread->index, finding->thread, sizeof thread->index) == 0) {
        finding->call_pc = thread->caller[1];
    }
}

// The values that the finding's thread noted last, or the thread that is not at the barrier.
static void values_add(const struct emu_machine *machine, struct finding *finding) {
    const uint32_t *block = machine->shape.block;
    const uint32_t *index =
        finding->kind == FINDING_BARRIER_DIVERGENCE ? finding->other_thread : finding->thread;
    uint32_t thread = (index[2] * block[1] + index[1]) * block[0] + index[0];
    if (finding->kind == FINDING_RACE || finding->kind == FINDING_EXITED_BEFORE_BARRIER ||
        thread >= THREADS_MAX) {
        return;
    }
    const struct noted *noted = &machine->noted[thread];
    if (noted->count > 0 && memcmp(noted->block, finding->block, sizeof noted->block) == 0) {
        finding->value_count = noted->count;
        memcpy(finding->value, noted->value, sizeof finding->value);
    }
}

void findings_kept(struct finding *finding) {
    const struct emu_machine *machine = &machine_state;
    struct announcement message;
    ssize_t sent = -1;
    call_add(machine, finding);
    values_add(machine, finding);
    if (machine->channel_fd == 0) {
        return;
    }
    memset(&message, 0, sizeof message);
    message.magic = ANNOUNCEMENT_MAGIC;
    message.run = machine->configuring ? ANNOUNCED_IN_CONFIG
                  : machine->given_up  ? ANNOUNCED_IN_SHARE
                                       : ANNOUNCED_ALONE;
    message.nonce = machine->nonce;
    message.finding = *finding;
    message.finding.count = finding->count ? finding->count : 1;
    do {
        sent = send(machine->channel_fd, &message, sizeof message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    if (sent != (ssize_t)sizeof message) {
        _exit(1);  // a finding that cannot be announced must not be lost: no answer is sent
    }
}

void emu_announce(struct emu_machine *machine, int channel_fd, uint64_t nonce) {
    machine->channel_fd = channel_fd;
    machine->nonce = nonce;
}
