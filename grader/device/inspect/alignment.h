// Alignment that the structs of a kernel file ask for, for the CPU device: emu/check/align.h.
#ifndef DEVICE_INSPECT_ALIGNMENT_H
#define DEVICE_INSPECT_ALIGNMENT_H

#include <stdio.h>

#include <libelf.h>

// Writes the list as assembly; an empty one without debug information.
void alignment_write(Elf *elf, FILE *out);

#endif
