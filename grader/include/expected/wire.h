// What the judge and the runner of an expected.c say to each other: a memfd for each call.
//
// The judge writes a request, and the values of all arrays, and sends the memfd over the socket
// that is descriptor 3.  The runner calls the function once, writes an answer and the results, and
// sends one byte.  Nothing in it is trusted: the judge checks each field, and reads it only after
// that byte, or after the runner has ended.
#ifndef EXPECTED_WIRE_H
#define EXPECTED_WIRE_H

#include <stdint.h>

#define EXPECTED_FD         3
#define EXPECTED_MAGIC      0x7465737475706d6fu
#define EXPECTED_ARRAYS_MAX 24
#define EXPECTED_ANSWER_AT  4096   // offset of the answer
#define EXPECTED_DATA_AT    65536  // offset of the first array
#define EXPECTED_PAGE_BYTES 65536  // a multiple of every page size
#define EXPECTED_SAID_BYTES 256

enum expected_type {
    EXPECTED_FLOAT,
    EXPECTED_DOUBLE,
    EXPECTED_HALF,
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
    static const uint8_t bytes[EXPECTED_TYPES] = {4, 8, 2, 1, 2, 4, 8, 1, 2, 4, 8};
    return bytes[type];
}

static inline int expected_type_is_number(uint32_t type) {
    return type <= EXPECTED_HALF;
}

struct expected_array {
    uint32_t type;
    uint32_t direction;
    uint64_t elements;
    uint64_t values_at;   // in the memfd: the values before the launch; their end is a page's end
    uint64_t results_at;  // the results of an array that is not EXPECTED_IN
};

// A result of a number.  All zero: it was not computed.
struct expected_result {
    double value;
    double bound;      // EXPECTED_EXACT, or how far an honest kernel may be; infinite: undecided
    double magnitude;  // the sum of the magnitudes of its terms
};
#define EXPECTED_EXACT (-1.0)

// A result of a whole number of an array: the elements are written twice, after two runs in which
// they began with different bytes.  Where the two differ, it was not computed.
struct expected_request {
    uint64_t magic;
    uint64_t bytes;  // of the memfd
    uint32_t array_count;
    uint32_t scalar_count;
    uint32_t samples;  // of each EACH loop; 0: all
    uint32_t cpu_ms_max;
    uint32_t is_raw;  // arrays are passed as they are: a check function, or plain values
    uint64_t key[2];  // draws the samples
    struct expected_array array[EXPECTED_ARRAYS_MAX];
    double real[EXPECTED_ARRAYS_MAX];    // the values of scalar parameters …
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

// What a function may do that the judge has to know.
enum expected_note {
    NOTE_OVERFLOWS,    // a sum or product of exact values left the exact range
    NOTE_UNDECIDED,    // rounding decides a comparison, or a conversion to a whole number
    NOTE_EXPONENTIAL,  // an exponential that is neither 0 nor 1
    NOTE_COMPARED,     // two numbers were compared
    EXPECTED_NOTES
};

struct expected_answer {
    uint32_t end;    // enum expected_end
    uint32_t array;  // of EXPECTED_OUTSIDE and EXPECTED_NO_WRITE
    int64_t index;
    uint64_t pc;                       // an address in the line that ended it
    int64_t refused;                   // what a check function returned: 0 if all is right
    uint64_t each_loops;               // loops of EACH that were begun
    uint64_t note_pc[EXPECTED_NOTES];  // the first place of each note …
    uint64_t notes[EXPECTED_NOTES];    // … and how often
    char said[EXPECTED_SAID_BYTES];    // by a check function, of its result; ends in NUL
};

#endif
