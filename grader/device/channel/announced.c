// The findings of one process replace each other by the same rule as in the worker, so an honest
// answer has all that were announced.
#include "device/channel/announced.h"

// A finding is announced when it is new, and when one of more weight replaces it.  There are six
// weights (emu/wire/findings.c).  Each process of a launch has a list of its own, and a launch may
// run alone twice.
#define WEIGHTS           6u
#define ANNOUNCEMENTS_MAX (WEIGHTS * FINDINGS_MAX * (LAUNCH_SHARES_MAX + 3))

bool announced_add(struct announced *announced, const struct request *request,
                   const struct announcement *message, size_t bytes) {
    if (bytes != sizeof *message || message->magic != ANNOUNCEMENT_MAGIC ||
        message->run >= ANNOUNCEMENT_RUN_COUNT || message->nonce > request->nonce ||
        announced->count >= ANNOUNCEMENTS_MAX) {
        return false;
    }
    announced->count++;
    if (message->nonce < request->nonce) {
        return true;
    }
    announced->in_config |= message->run == ANNOUNCED_IN_CONFIG;
    announced->in_share |= message->run == ANNOUNCED_IN_SHARE;
    if (message->run == ANNOUNCED_ALONE) {
        (void)findings_add(&announced->alone, &message->finding);
    }
    return true;
}

bool announced_settle(const struct announced *announced, const struct request *request,
                      struct answer *answer) {
    if (answer->end == RUN_TROUBLE) {
        return true;  // says nothing about the kernel
    }
    if ((announced->in_config && answer->end != RUN_BAD_LAUNCH) ||
        (announced->in_share && answer->processes > 1)) {
        return false;
    }
    return answer_add_findings(request, &announced->alone, answer);
}
