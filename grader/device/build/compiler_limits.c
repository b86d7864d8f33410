// Reads "cc1plus: out of memory allocating 65536 bytes after a total of 2133458944 bytes", as
// xmalloc_failed of GCC's libiberty words it, and two shorter ones.
#include "device/build/compiler_limits.h"

#include <stdlib.h>
#include <string.h>

bool compiler_time_ended(const char *messages) {
    return strstr(messages, "CPU time limit exceeded signal terminated program") != NULL;
}

// The number behind a mark; 0 where the mark is not there.
static uint64_t number_behind(const char *messages, const char *mark) {
    const char *at = strstr(messages, mark);
    return at ? strtoull(at + strlen(mark), NULL, 10) : 0;
}

struct compiler_memory compiler_memory_read(const char *messages) {
    bool allocating = strstr(messages, "out of memory allocating") != NULL;
    return (struct compiler_memory){
        .ended = allocating || strstr(messages, "virtual memory exhausted") != NULL,
        .asked_bytes = number_behind(messages, "out of memory allocating "),
        .total_bytes = number_behind(messages, "after a total of "),
    };
}
