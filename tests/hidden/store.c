// The store that no check sees, which only this test can make: into any mapping of the worker, in
// the way that /proc/self/maps names them.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/machine/machine_state.h"
#include "hidden.h"

void hidden_store(int mapping, int place, int kind);

static char maps[1 << 16];

// The line of that number, from 1; NULL if there are fewer.
static const char *line_find(int number) {
    int file = open("/proc/self/maps", O_RDONLY);
    size_t used = 0;
    ssize_t got = 0;
    while ((got = read(file, maps + used, sizeof maps - 1 - used)) > 0) {
        used += (size_t)got;
    }
    (void)close(file);
    maps[used] = '\0';
    const char *line = maps;
    for (int i = 1; i < number && *line != '\0'; i++) {
        line = strchr(line, '\n') + 1;
    }
    return *line == '\0' ? NULL : line;
}

static void target_store(int target) {
    struct emu_machine *machine = &machine_state;
    switch (target) {
    case TARGET_FINDINGS:
        findings_clear(&machine->result.findings);
        break;
    case TARGET_CHECKS:
        machine->checks = false;
        break;
    case TARGET_BOUNDS:
        machine->memory.bytes[ARRAY_A] = UINT64_MAX / 2;
        break;
    case TARGET_RACE:
        memset(machine->race, 0, sizeof *machine->race);
        break;
    default:
        break;
    }
}

void hidden_store(int mapping, int place, int kind) {
    static const uint64_t patterns[] = {0, UINT64_MAX, 0};
    if (mapping >= TARGETS) {
        target_store(mapping);
        return;
    }
    const char *line = line_find(mapping);
    unsigned long long first = 0;
    unsigned long long end = 0;
    if (kind >= KIND_NOTHING || !line || sscanf(line, "%llx-%llx", &first, &end) != 2) {
        return;
    }
    uint64_t words = (end - first) / sizeof(uint64_t);
    uint64_t at = place == PLACE_FIRST  ? 0
                  : place == PLACE_LAST ? words - 1
                                        : (uint64_t)place * 0x9e3779b97f4a7c15u % words;
    volatile uint64_t *to = (volatile uint64_t *)(uintptr_t)first;
    to[at] = patterns[kind];
    for (uint64_t i = 0; kind == KIND_FILL && i < words; i++) {
        to[i] = patterns[kind];
    }
}
