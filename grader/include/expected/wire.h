// The messages between the judge and the runner of an expected.c: a memfd for each call.
//
// The judge writes a request, and the values of all arrays, and sends the memfd over the socket
// that is descriptor 3.  The runner calls the function once, writes an answer and the results, and
// sends one byte.  Nothing in the memfd is trusted: the judge checks each field, and reads it only
// after that byte, or after the runner has ended.
#ifndef EXPECTED_WIRE_H
#define EXPECTED_WIRE_H

#include <stdint.h>

#define EXPECTED_FD         3
#define EXPECTED_MAGIC      0x7465737475706d6fu
#define EXPECTED_ARRAYS_MAX 24
#define EXPECTED_ANSWER_AT  4096   // offset of the answer
#define EXPECTED_TRIAL_AT   16384  // offset of the trial
#define EXPECTED_DATA_AT    65536  // offset of the first array
#define EXPECTED_PAGE_BYTES 65536  // a multiple of every page size
#define EXPECTED_SAID_BYTES 256
#define EXPECTED_PICKS_MAX  64

enum expected_type {
    EXPECTED_FLOAT,
    EXPECTED_DOUBLE,
    EXPECTED_HALF,
    EXPECTED_BF16,
    EXPECTED_INT8,
    EXPECTED_INT16,
    EXPECTED_INT32,
    EXPECTED_INT64,
    EXPECTED_UINT8,
    EXPECTED_UINT16,
    EXPECTED_UINT32,
    EXPECTED_UINT64,
    EXPECTED_TYPES
};

enum expected_direction { EXPECTED_IN, EXPECTED_OUT, EXPECTED_INOUT };

static inline uint64_t expected_type_bytes(uint32_t type) {
    static const uint8_t bytes[EXPECTED_TYPES] = {4, 8, 2, 2, 1, 2, 4, 8, 1, 2, 4, 8};
    return bytes[type];
}

static inline int expected_type_is_number(uint32_t type) {
    return type <= EXPECTED_BF16;
}

struct expected_array {
    uint32_t type;
    uint32_t direction;
    uint64_t elements;
    uint64_t values_at;   // in the memfd: the values before the launch; their end is a page's end
    uint64_t period;      // bytes after which the values of a long array repeat; 0: they do not
    uint64_t results_at;  // the results of an array that is not EXPECTED_IN
};

// A result of a number.  All zero: the element was not computed.
struct expected_result {
    double value;
    double bound;  // below 0: exact; or the largest error of an honest kernel; infinite: undecided
    double magnitude;  // the sum of the magnitudes of its terms
};
#define EXPECTED_EXACT (-1.0)
#define EXPECTED_COPY  (-2.0)  // an element of an array: 0 has its sign too

// The iterations that a loop of EACH computes if it has so many of them.
struct expected_picks {
    int64_t iterations;
    uint32_t count;
    int32_t at[EXPECTED_PICKS_MAX];  // in ascending order
};
#define EXPECTED_LOOPS_MAX 4

// Results of whole numbers: the elements are written after two runs in which they began with
// different bytes.  If the two differ, the element was not computed.  If floating-point numbers
// were rounded on the way, two more runs follow, in which each is rounded down, and then up.
#define EXPECTED_RUNS 4
struct expected_request {
    uint64_t magic;
    uint64_t bytes;  // of the memfd
    uint32_t array_count;
    uint32_t scalar_count;
    uint32_t samples;  // of each EACH loop; 0: all
    uint32_t cpu_ms_max;
    uint32_t is_raw;    // arrays are passed as they are: a check function, or plain values …
    uint32_t is_plain;  // … of which halves are floats: the function without numbers is called
    uint32_t is_trial;  // a struct expected_trial is at EXPECTED_TRIAL_AT
    uint64_t key[2];    // draws the samples
    struct expected_picks picks[EXPECTED_LOOPS_MAX];  // in place of samples; count 0: none
    struct expected_array array[EXPECTED_ARRAYS_MAX];
    double real[EXPECTED_ARRAYS_MAX];    // the values of scalar parameters
    int64_t whole[EXPECTED_ARRAYS_MAX];  // … and of sizes
};

enum expected_end {
    EXPECTED_NOTHING,  // the runner ended by itself
    EXPECTED_DONE,
    EXPECTED_LATE,      // more than cpu_ms_max
    EXPECTED_OUTSIDE,   // accesses element `index` of an array that has fewer
    EXPECTED_NO_WRITE,  // writes an input
    EXPECTED_WILD,      // an address in no array
    EXPECTED_DEEP,      // uses up its stack
    EXPECTED_UNSET,     // uses an element that was never set
    EXPECTED_ZERO,      // divides a whole number by zero
    EXPECTED_ENDS
};

// Events in a function that the judge has to know.
enum expected_note {
    NOTE_OVERFLOWS,    // a sum or product of exact values left the exact range
    NOTE_UNDECIDED,    // rounding decides a comparison, or a conversion to a whole number
    NOTE_EXPONENTIAL,  // an exponential that is neither 0 nor 1
    NOTE_COMPARED,     // two numbers were compared
    NOTE_FUNCTION,     // more than sums and products: a quotient, a function, a conversion
    NOTE_HUGE,         // magnitudes so large that some order of the terms may overflow
    NOTE_TWO,          // results that are the sum of two elements
    NOTE_MORE,         // results that are more than that, or the larger of two
    EXPECTED_NOTES
};

// --- Trials: what would the function compute if one of its operations were another one? ----------

#define EXPECTED_SITES_MAX 32
#define EXPECTED_RUNS_MAX  1024

enum expected_operation {
    OPERATION_SUM,
    OPERATION_DIFFERENCE,
    OPERATION_PRODUCT,
    OPERATION_QUOTIENT,
    OPERATION_LARGER,
    OPERATION_SMALLER,
    OPERATION_FUNCTION,      // of one operand
    OPERATION_FIRST,         // the first operand unchanged
    OPERATION_SECOND,        // … or the second
    OPERATION_FIRST_TWICE,   // the operation with the first operand twice
    OPERATION_SECOND_TWICE,  // … or the second
    OPERATIONS
};

// A place of the function where an operation is executed.  It accumulates if its result is an
// operand the next time; a run consists of all terms of one result.
struct expected_site {
    uint64_t pc;
    uint32_t operation;
    uint32_t accumulator;  // 0: it does not accumulate; 1, 2: the operand with the result so far
    uint64_t calls;
    uint64_t runs;
    uint64_t longest;  // terms of a run
};

enum expected_way {
    TRIAL_RECORD,     // nothing is changed
    TRIAL_OPERATION,  // `instead` is done
    TRIAL_TERMS,      // some terms of each run are omitted
    TRIAL_VALUES      // results of some calls have other values
};

struct expected_trial {
    uint32_t way;
    uint32_t instead;  // enum expected_operation
    uint32_t where_count;
    uint64_t where[EXPECTED_SITES_MAX];  // pc of the sites that are changed
    // Terms [first, last] of each block are omitted; block 0: of the whole run.
    uint64_t block, first, last;
    // TRIAL_VALUES: the results of these calls of where[0].  TRIAL_RECORD: the ends of its runs are
    // stored here, and all its terms on the tape.
    uint32_t run_count;
    uint64_t call[EXPECTED_RUNS_MAX];
    double value[EXPECTED_RUNS_MAX];
    double base[EXPECTED_RUNS_MAX];  // initial value of a run
    uint64_t tape_at;                // double [tape_max] in the memfd
    uint64_t tape_max;
    // Found during the call.
    uint64_t epoch;    // iterations of EACH: a run does not go beyond one
    uint32_t is_full;  // there are more sites or runs than fit
    uint32_t site_count;
    struct expected_site site[EXPECTED_SITES_MAX];
};

struct expected_answer {
    uint32_t end;    // enum expected_end
    uint32_t array;  // for EXPECTED_OUTSIDE and EXPECTED_NO_WRITE
    int64_t index;
    uint64_t pc;                       // an address in the line that ended the call
    int64_t refused;                   // the result of a check function: 0 if all is right
    uint64_t each_loops;               // loops of EACH that were begun
    uint32_t is_rounded;               // whole numbers have results of all EXPECTED_RUNS
    uint64_t note_pc[EXPECTED_NOTES];  // the first place of each note
    uint64_t notes[EXPECTED_NOTES];    // … and how often
    char said[EXPECTED_SAID_BYTES];    // the message of a check function; ends in NUL
};

#endif
