// The CSV that ncu prints, read as numbers.  Pure.
//
// Source: NVIDIA Nsight Compute 2025.3 (CUDA 13.0), `--csv --page raw --print-units base`: a row of
// names, a row of units, a row for each launch; recorded output is in
// tests/unit/device/test_nvidia_text.c.
#ifndef DEVICE_NVIDIA_NCU_H
#define DEVICE_NVIDIA_NCU_H

#include <stdbool.h>

#define NCU_METRICS_MAX 16

// Why there are no figures.
enum ncu_trouble {
    NCU_FINE,
    NCU_NO_PERMISSION,  // the driver gives counters only to administrators
    NCU_NO_TABLE,       // anything else: no table in what it printed
    NCU_TROUBLE_COUNT
};

// Sums of metrics, by name, over the launches in the output, except that of a LAUNCH_CONFIG;
// ret_values[i] is NAN if it is missing or not a number.
enum ncu_trouble ncu_parse(const char *text, const char *const *names, int count,
                           double *ret_values);

#endif
