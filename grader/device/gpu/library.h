// NVIDIA's libraries, found at run time: toolkits, distributions and Python packages all put them
// in different places.
#ifndef DEVICE_GPU_LIBRARY_H
#define DEVICE_GPU_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

// Loads the first of the names that is found: by plain name, then from $CUDA_HOME, $CUDA_PATH,
// /usr/local/cuda*, the distribution's folder and Python's nvidia packages.
// Returns  NULL if there is none.
void *library_open(const char *const *names, size_t count);

// Puts the function of that name into *ret_function, a pointer to one.  False if there is none.
bool library_symbol(void *library, const char *name, void *ret_function);

#endif
