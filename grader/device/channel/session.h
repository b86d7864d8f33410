// The judge's end of the channel to one worker: sends requests, collects the worker's announcements
// before its answer (emu/wire/finding.h), waits for answers until a deadline, checks them.  It does
// not depend on how the worker was started.
#ifndef DEVICE_CHANNEL_SESSION_H
#define DEVICE_CHANNEL_SESSION_H

#include "device/channel/protocol.h"
#include "emu/wire/finding.h"

struct announced {
    uint32_t count;  // of messages
    bool in_config;
    bool in_share;
    struct findings alone;  // merged, not checked yet: their places depend on the answer's grid
};

// Adds a message of `bytes` bytes.  A late message of an earlier request, whose answer has been
// taken, is ignored.
//
// Returns false if it is not an announcement, or if it exceeds the number that an honest worker can
// send.
bool announced_add(struct announced *announced, const struct request *request,
                   const struct announcement *message, size_t bytes);

// Completes a well-formed answer: announced findings that it lacks are added.
//
// Returns  false if the answer is not credible: it says that LAUNCH_CONFIG ended well although it
//          had a finding, or that several processes shared a launch that must run in one.
bool announced_settle(const struct announced *announced, const struct request *request,
                      struct answer *answer);

// How a request ended, seen by the judge.
enum session_end {
    SESSION_ANSWERED,   // the answer is complete and well-formed
    SESSION_DIED,       // the worker closed its end without an answer
    SESSION_LATE,       // no answer by the deadline
    SESSION_MALFORMED,  // an impossible answer: wrong length, nonce, fields
};

struct session {
    int socket_fd;    // our end; -1 when closed
    int worker_fd;    // the worker's end, to be inherited as PROTOCOL_SOCKET_FD; closed by
                      // session_started
    int matrices_fd;  // memfd, to be inherited as PROTOCOL_MATRICES_FD
    uint64_t next_nonce;
    uint64_t bytes;                    // current size of the memfd
    struct shared_array_table shared;  // as sent by session_setup
    enum session_end end;              // of the last request
    int (*watch)(void *context);       // see session_watch; NULL = none
    void *watch_context;
};

#define SESSION_WATCH_NONE (-1)  // nothing to watch (any more)
#define SESSION_WATCH_ENDED                                                                        \
    (-2)  // the worker has ended: an answer that is not there yet will not come

enum status session_open(struct session *ret_session, struct error *err);
void session_started(struct session *session);  // after the fork: closes the worker's end here
void session_close(struct session *session);

// While a session waits for an answer, something has to read the worker's output, or the worker
// would stop at a full pipe.  watch is called at least every 100 ms of waiting and whenever the
// descriptor that it returned last is readable; it reads the available output without blocking and
// returns that descriptor, or a SESSION_WATCH_ value.
void session_watch(struct session *session, int (*watch)(void *context), void *context);

// The requests below wait at most deadline_ms.  session->end says how they ended; *ret_answer is
// filled if that is SESSION_ANSWERED.

// Sends the shared-array table; must be the first request.
enum status session_setup(struct session *session, const struct shared_array_table *shared,
                          uint64_t deadline_ms, struct answer *ret_answer, struct error *err);

// Writes the arrays, sends the request (size, arguments, flags, budgets from *request; the rest is
// filled in) and waits at most deadline_ms.  array[i] has the contents of array i of
// request->arguments before the launch, or its period; NULL: zeros, of which the memfd keeps none.
enum status session_launch(struct session *session, const struct request *request,
                           const void *const array[ARGUMENTS_MAX], uint64_t deadline_ms,
                           struct answer *ret_answer, struct error *err);

// Writes to a file the messages of session_setup and session_launch (device/channel/protocol.h).
// session: a session without a worker.
enum status session_record(struct session *session, const struct request *request,
                           const void *const array[ARGUMENTS_MAX], const char *path,
                           struct error *err);

// Sends one part of a timed launch (kind, size, arguments, flags, time_ms_max and timed of
// *request; the rest is filled in) and waits at most deadline_ms.  No matrix is written.
enum status session_timed(struct session *session, const struct request *request,
                          uint64_t deadline_ms, struct answer *ret_answer, struct error *err);

// Copies bytes out of the memfd.  Several threads may do so at a time.
enum status session_read(const struct session *session, uint64_t offset, void *ret_bytes,
                         size_t count, struct error *err);

// The first bytes in [from, end) of the memfd that were ever written, as far as they go on
// without a gap, in whole pages.  False if there are none.
struct session_extent {
    uint64_t at, bytes;
};
bool session_data(const struct session *session, uint64_t from, uint64_t end,
                  struct session_extent *ret_extent);

// Copies an array out of the memfd (never maps it).  Errors: STATUS_SYSTEM, also if the worker
// shrank it.
enum status session_fetch(const struct session *session, const struct argument *array,
                          void *ret_elements, struct error *err);

#endif
