// The arrays of an expected.c as the function sees them: numbers are made from the values in the
// memfd when they are first touched, a chunk at a time, so that a function that looks at few of
// many elements costs little memory.  An input that is touched all over, as by columns, is made
// whole: a chunk of its own costs a fault, ten times the work of making its numbers.
#ifndef EXPECTED_PAGES_H
#define EXPECTED_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "include/expected/wire.h"

#define PAGES_CHUNK       256                    // numbers in a chunk, a whole number of pages
#define PAGES_AHEAD_MAX   64                     // chunks made at a time for one after the other
#define PAGES_BYTES_MAX   (UINT64_C(512) << 20)  // of numbers in memory at a time
#define PAGES_EXTENTS_MAX 30000                  // in memory, two mappings each: Linux allows 65530
#define PAGES_APART       16  // one chunk of so many, touched apart: all are made …
#define PAGES_WHOLE_MAX   (UINT64_C(4) << 30)  // … up to these bytes, besides PAGES_BYTES_MAX

// Chunks that were made together.
struct pages_extent {
    uint32_t array;
    uint32_t count;
    uint64_t first;
};

struct pages_array {
    const struct expected_array *array;
    unsigned char *base;   // of the reserved range: the first chunk begins with slack
    unsigned char *start;  // the first element
    uint64_t bytes;        // of the range without its guards
    uint64_t slack;        // elements before the first
    uint8_t *present;      // by chunk
    uint64_t next;         // the chunk after those made last …
    uint32_t ahead;        // … and how many these were
    uint64_t apart;        // times that another one than `next` was touched
    int64_t outside;       // an element before the first that was written; 0: none
};

// Reserves the arrays of the request.  `memory` is the memfd, mapped.  False: no memory.
bool pages_open(const struct expected_request *request, unsigned char *memory);
void pages_close(void);  // gives the arrays back
// The first element, as the function takes it.
void *pages_start(uint32_t array);
// Makes outputs ready for a run; whole numbers begin with bytes of `fill`.
void pages_begin(uint8_t fill);
// Writes the results.  `second`: whole numbers go to their second place.  False: an element before
// the first of an array was written.
bool pages_end(bool second, uint32_t *ret_array, int64_t *ret_index);

// Handles an access to an address.  True: it is there now.  False: *ret_end says what is wrong.
bool pages_touch(uint64_t address, enum expected_end *ret_end, uint32_t *ret_array,
                 int64_t *ret_index);

// Of the compiled file, which knows what a number is (include/expected/main.h).
extern const uint64_t expected_number_bytes;
void expected_fill(void *numbers, int64_t first, uint64_t count, uint64_t elements, uint32_t type,
                   const void *values);
int64_t expected_flush(const void *numbers, int64_t first, uint64_t count, uint64_t elements,
                       uint32_t type, const void *before, struct expected_result *results);
int64_t expected_call(void *const *array, const struct expected_request *request);

#endif
