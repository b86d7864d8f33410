// Atomic operations on A, B, C and shared memory.  The _system forms are the same here.
#ifndef EMU_SHIM_CUDA_ATOMIC_H
#define EMU_SHIM_CUDA_ATOMIC_H

#define TILEGRADE_ATOMIC(name, type, runtime)                                                      \
    type name(type *address, type value) EMU_NAME(runtime);                                        \
    type name##_block(type *address, type value) EMU_NAME(runtime##_block);                        \
    type name##_system(type *address, type value) EMU_NAME(runtime);
#define TILEGRADE_ATOMIC_CAS(type, runtime)                                                        \
    type atomicCAS(type *address, type compare, type value) EMU_NAME(runtime);                     \
    type atomicCAS_block(type *address, type compare, type value) EMU_NAME(runtime##_block);       \
    type atomicCAS_system(type *address, type compare, type value) EMU_NAME(runtime);

TILEGRADE_ATOMIC(atomicAdd, int, atomic_add_32)
TILEGRADE_ATOMIC(atomicAdd, unsigned int, atomic_add_32)
TILEGRADE_ATOMIC(atomicAdd, unsigned long long, atomic_add_64)
TILEGRADE_ATOMIC(atomicAdd, float, atomic_add_f32)
TILEGRADE_ATOMIC(atomicAdd, double, atomic_add_f64)
TILEGRADE_ATOMIC(atomicSub, int, atomic_sub_32)
TILEGRADE_ATOMIC(atomicSub, unsigned int, atomic_sub_32)
TILEGRADE_ATOMIC(atomicExch, int, atomic_exch_32)
TILEGRADE_ATOMIC(atomicExch, unsigned int, atomic_exch_32)
TILEGRADE_ATOMIC(atomicExch, unsigned long long, atomic_exch_64)
TILEGRADE_ATOMIC(atomicExch, float, atomic_exch_f32)
TILEGRADE_ATOMIC(atomicMin, int, atomic_min_i32)
TILEGRADE_ATOMIC(atomicMin, unsigned int, atomic_min_u32)
TILEGRADE_ATOMIC(atomicMin, long long, atomic_min_i64)
TILEGRADE_ATOMIC(atomicMin, unsigned long long, atomic_min_u64)
TILEGRADE_ATOMIC(atomicMax, int, atomic_max_i32)
TILEGRADE_ATOMIC(atomicMax, unsigned int, atomic_max_u32)
TILEGRADE_ATOMIC(atomicMax, long long, atomic_max_i64)
TILEGRADE_ATOMIC(atomicMax, unsigned long long, atomic_max_u64)
TILEGRADE_ATOMIC(atomicAnd, int, atomic_and_32)
TILEGRADE_ATOMIC(atomicAnd, unsigned int, atomic_and_32)
TILEGRADE_ATOMIC(atomicAnd, unsigned long long, atomic_and_64)
TILEGRADE_ATOMIC(atomicOr, int, atomic_or_32)
TILEGRADE_ATOMIC(atomicOr, unsigned int, atomic_or_32)
TILEGRADE_ATOMIC(atomicOr, unsigned long long, atomic_or_64)
TILEGRADE_ATOMIC(atomicXor, int, atomic_xor_32)
TILEGRADE_ATOMIC(atomicXor, unsigned int, atomic_xor_32)
TILEGRADE_ATOMIC(atomicXor, unsigned long long, atomic_xor_64)
TILEGRADE_ATOMIC(atomicInc, unsigned int, atomic_inc_u32)
TILEGRADE_ATOMIC(atomicDec, unsigned int, atomic_dec_u32)
TILEGRADE_ATOMIC_CAS(int, atomic_cas_32)
TILEGRADE_ATOMIC_CAS(unsigned int, atomic_cas_32)
TILEGRADE_ATOMIC_CAS(unsigned long long, atomic_cas_64)

#undef TILEGRADE_ATOMIC
#undef TILEGRADE_ATOMIC_CAS

#endif
