// Values of variables that a kernel notes before an access, in the build that explains a finding.
#include <string.h>

#include "emu/machine/state.h"

long long emu_note_values(int count, const long long *values);

// Keeps the values for the running thread until the next note.  Returns the first.  Called by
// shim/cuda_notes.h; only the judge writes such calls (device/source/source_check.c refuses them in
// a submission).
long long emu_note_values(int count, const long long *values) {
    struct emu_machine *machine = &machine_state;
    struct noted *noted = &machine->noted[machine->current];
    uint32_t wanted = count > 0 ? (uint32_t)count : 0;
    noted->count = wanted < FINDING_VALUES_MAX ? wanted : FINDING_VALUES_MAX;
    memset(noted->value, 0, sizeof noted->value);
    for (uint32_t i = 0; i < noted->count; i++) {
        noted->value[i] = values[i];
    }
    memcpy(noted->block, machine->place.index, sizeof noted->block);
    return noted->value[0];
}
