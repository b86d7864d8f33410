// Padding of the structs of a kernel file, for the CPU device: emu/check/padding.h.
#ifndef DEVICE_INSPECT_PADDING_H
#define DEVICE_INSPECT_PADDING_H

#include <stdio.h>

#include <libelf.h>

// Writes the list as assembly; an empty one without debug information.  An object will
// do: nothing is asked that the link fills in.
void padding_write(Elf *elf, FILE *out);

#endif
