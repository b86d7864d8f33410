// What include/standin/emu/mma.h and ptx.h call; see emu/hooks/lane_calls.c.  Declared here, before
// the kernel file, so that the file cannot decide whether its exercise lets it use tensor cores.
#ifndef EMU_SHIM_CUDA_MATRIX_H
#define EMU_SHIM_CUDA_MATRIX_H

#ifdef TILEGRADE_TENSOR_CORES
#define TILEGRADE_ALLOWED
#else
#define TILEGRADE_ALLOWED __attribute__((error("tilegrade_tensor_cores")))
#endif
void __tilegrade_matrix_put(unsigned int slot, unsigned int first, unsigned int second,
                            unsigned int third, unsigned int fourth) EMU_NAME(matrix_put);
unsigned long long __tilegrade_matrix_get(unsigned int slot) EMU_NAME(matrix_get);
void __tilegrade_matrix_load(unsigned int code, const void *from, unsigned int row_elements)
    EMU_NAME(matrix_load);
void __tilegrade_matrix_store(unsigned int code, const void *to, unsigned int row_elements)
    EMU_NAME(matrix_store);
void __tilegrade_matrix_multiply(unsigned int code, unsigned int types)
    EMU_NAME(matrix_multiply) TILEGRADE_ALLOWED;
// See emu/hooks/wgmma_calls.c.
void __tilegrade_wgmma(unsigned int code, void *sums, const void *registers, unsigned long long a,
                       unsigned long long b) EMU_NAME(wgmma_multiply) TILEGRADE_ALLOWED;
void __tilegrade_matrix_rows(unsigned int code, const void *row) EMU_NAME(matrix_rows);
#undef TILEGRADE_ALLOWED

#endif
