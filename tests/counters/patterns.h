// One-warp access patterns and what they cost, as Nsight Compute says:
// NVIDIA H200, 580.159.04, Nsight Compute Version 2025.3.1.0, 2026-11-21.
// Made by make_patterns.py; read by tests/gpu/counters.py.
//
// X(name, kind, bytes, base, keep, divide, modulo, stride, seed, mask, requests, units, ideal)
//   Lane i of those in mask accesses `bytes` at base + (i & keep) / divide % modulo * stride; where
//   seed is not 0, a number hashed from i and seed takes the place of i & keep.
//   units are sectors of global memory, or wavefronts of shared memory; ideal, the least of them.
// clang-format off
#ifndef PATTERNS_H
#define PATTERNS_H

// Kinds: a load, a store, an atomic operation without and with its result used.
#define LOAD   0
#define STORE  1
#define REDUCE 2
#define FETCH  3

#define ALL 0xffffffffu  // lanes

// Launch numbers, handed to the kernel as N.  A launch makes one pattern of each table, of the
// shorter one from its start again.
#define PATTERN_FIRST  200
#define GLOBAL_COUNT   200
#define SHARED_COUNT   192
#define SHAPE_FIRST    1000
#define SHAPE_COUNT    6

#define GLOBAL_PATTERNS(X) \
    X("4 bytes, stride 1", LOAD, 4, 0, 31, 1, 32, 4, 0, ALL, 1, 4, 4) \
    X("4 bytes, stride 2", LOAD, 4, 0, 31, 1, 32, 8, 0, ALL, 1, 8, 4) \
    X("4 bytes, stride 3", LOAD, 4, 0, 31, 1, 32, 12, 0, ALL, 1, 12, 4) \
    X("4 bytes, stride 4", LOAD, 4, 0, 31, 1, 32, 16, 0, ALL, 1, 16, 4) \
    X("4 bytes, stride 5", LOAD, 4, 0, 31, 1, 32, 20, 0, ALL, 1, 20, 4) \
    X("4 bytes, stride 6", LOAD, 4, 0, 31, 1, 32, 24, 0, ALL, 1, 24, 4) \
    X("4 bytes, stride 7", LOAD, 4, 0, 31, 1, 32, 28, 0, ALL, 1, 28, 4) \
    X("4 bytes, stride 8", LOAD, 4, 0, 31, 1, 32, 32, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 9", LOAD, 4, 0, 31, 1, 32, 36, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 10", LOAD, 4, 0, 31, 1, 32, 40, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 11", LOAD, 4, 0, 31, 1, 32, 44, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 12", LOAD, 4, 0, 31, 1, 32, 48, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 13", LOAD, 4, 0, 31, 1, 32, 52, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 14", LOAD, 4, 0, 31, 1, 32, 56, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 15", LOAD, 4, 0, 31, 1, 32, 60, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 16", LOAD, 4, 0, 31, 1, 32, 64, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 17", LOAD, 4, 0, 31, 1, 32, 68, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 18", LOAD, 4, 0, 31, 1, 32, 72, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 19", LOAD, 4, 0, 31, 1, 32, 76, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 20", LOAD, 4, 0, 31, 1, 32, 80, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 21", LOAD, 4, 0, 31, 1, 32, 84, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 22", LOAD, 4, 0, 31, 1, 32, 88, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 23", LOAD, 4, 0, 31, 1, 32, 92, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 24", LOAD, 4, 0, 31, 1, 32, 96, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 25", LOAD, 4, 0, 31, 1, 32, 100, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 26", LOAD, 4, 0, 31, 1, 32, 104, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 27", LOAD, 4, 0, 31, 1, 32, 108, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 28", LOAD, 4, 0, 31, 1, 32, 112, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 29", LOAD, 4, 0, 31, 1, 32, 116, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 30", LOAD, 4, 0, 31, 1, 32, 120, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 31", LOAD, 4, 0, 31, 1, 32, 124, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 32", LOAD, 4, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 4) \
    X("4 bytes, stride 33", LOAD, 4, 0, 31, 1, 32, 132, 0, ALL, 1, 32, 4) \
    X("8 bytes, stride 1", LOAD, 8, 0, 31, 1, 32, 8, 0, ALL, 1, 8, 8) \
    X("8 bytes, stride 2", LOAD, 8, 0, 31, 1, 32, 16, 0, ALL, 1, 16, 8) \
    X("8 bytes, stride 3", LOAD, 8, 0, 31, 1, 32, 24, 0, ALL, 1, 24, 8) \
    X("8 bytes, stride 4", LOAD, 8, 0, 31, 1, 32, 32, 0, ALL, 1, 32, 8) \
    X("8 bytes, stride 5", LOAD, 8, 0, 31, 1, 32, 40, 0, ALL, 1, 32, 8) \
    X("8 bytes, stride 8", LOAD, 8, 0, 31, 1, 32, 64, 0, ALL, 1, 32, 8) \
    X("8 bytes, stride 16", LOAD, 8, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 8) \
    X("8 bytes, stride 17", LOAD, 8, 0, 31, 1, 32, 136, 0, ALL, 1, 32, 8) \
    X("8 bytes, stride 32", LOAD, 8, 0, 31, 1, 32, 256, 0, ALL, 1, 32, 8) \
    X("8 bytes, stride 33", LOAD, 8, 0, 31, 1, 32, 264, 0, ALL, 1, 32, 8) \
    X("16 bytes, stride 1", LOAD, 16, 0, 31, 1, 32, 16, 0, ALL, 1, 16, 16) \
    X("16 bytes, stride 2", LOAD, 16, 0, 31, 1, 32, 32, 0, ALL, 1, 32, 16) \
    X("16 bytes, stride 3", LOAD, 16, 0, 31, 1, 32, 48, 0, ALL, 1, 32, 16) \
    X("16 bytes, stride 4", LOAD, 16, 0, 31, 1, 32, 64, 0, ALL, 1, 32, 16) \
    X("16 bytes, stride 5", LOAD, 16, 0, 31, 1, 32, 80, 0, ALL, 1, 32, 16) \
    X("16 bytes, stride 8", LOAD, 16, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 16) \
    X("16 bytes, stride 16", LOAD, 16, 0, 31, 1, 32, 256, 0, ALL, 1, 32, 16) \
    X("16 bytes, stride 17", LOAD, 16, 0, 31, 1, 32, 272, 0, ALL, 1, 32, 16) \
    X("16 bytes, stride 32", LOAD, 16, 0, 31, 1, 32, 512, 0, ALL, 1, 32, 16) \
    X("16 bytes, stride 33", LOAD, 16, 0, 31, 1, 32, 528, 0, ALL, 1, 32, 16) \
    X("store of 4 bytes, stride 1", STORE, 4, 0, 31, 1, 32, 4, 0, ALL, 1, 4, 4) \
    X("store of 4 bytes, stride 2", STORE, 4, 0, 31, 1, 32, 8, 0, ALL, 1, 8, 4) \
    X("store of 4 bytes, stride 3", STORE, 4, 0, 31, 1, 32, 12, 0, ALL, 1, 12, 4) \
    X("store of 4 bytes, stride 8", STORE, 4, 0, 31, 1, 32, 32, 0, ALL, 1, 32, 4) \
    X("store of 4 bytes, stride 17", STORE, 4, 0, 31, 1, 32, 68, 0, ALL, 1, 32, 4) \
    X("store of 4 bytes, stride 32", STORE, 4, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 4) \
    X("store of 4 bytes, stride 33", STORE, 4, 0, 31, 1, 32, 132, 0, ALL, 1, 32, 4) \
    X("store of 8 bytes, stride 1", STORE, 8, 0, 31, 1, 32, 8, 0, ALL, 1, 8, 8) \
    X("store of 8 bytes, stride 2", STORE, 8, 0, 31, 1, 32, 16, 0, ALL, 1, 16, 8) \
    X("store of 8 bytes, stride 3", STORE, 8, 0, 31, 1, 32, 24, 0, ALL, 1, 24, 8) \
    X("store of 8 bytes, stride 8", STORE, 8, 0, 31, 1, 32, 64, 0, ALL, 1, 32, 8) \
    X("store of 8 bytes, stride 17", STORE, 8, 0, 31, 1, 32, 136, 0, ALL, 1, 32, 8) \
    X("store of 8 bytes, stride 32", STORE, 8, 0, 31, 1, 32, 256, 0, ALL, 1, 32, 8) \
    X("store of 8 bytes, stride 33", STORE, 8, 0, 31, 1, 32, 264, 0, ALL, 1, 32, 8) \
    X("store of 16 bytes, stride 1", STORE, 16, 0, 31, 1, 32, 16, 0, ALL, 1, 16, 16) \
    X("store of 16 bytes, stride 2", STORE, 16, 0, 31, 1, 32, 32, 0, ALL, 1, 32, 16) \
    X("store of 16 bytes, stride 3", STORE, 16, 0, 31, 1, 32, 48, 0, ALL, 1, 32, 16) \
    X("store of 16 bytes, stride 8", STORE, 16, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 16) \
    X("store of 16 bytes, stride 17", STORE, 16, 0, 31, 1, 32, 272, 0, ALL, 1, 32, 16) \
    X("store of 16 bytes, stride 32", STORE, 16, 0, 31, 1, 32, 512, 0, ALL, 1, 32, 16) \
    X("store of 16 bytes, stride 33", STORE, 16, 0, 31, 1, 32, 528, 0, ALL, 1, 32, 16) \
    X("4 bytes, one place", LOAD, 4, 64, 31, 1, 1, 4, 0, ALL, 1, 1, 1) \
    X("4 bytes, shifted by one", LOAD, 4, 4, 31, 1, 32, 4, 0, ALL, 1, 5, 4) \
    X("4 bytes, pairs", LOAD, 4, 0, 31, 2, 16, 4, 0, ALL, 1, 2, 2) \
    X("4 bytes, halves at one place", LOAD, 4, 0, 31, 16, 2, 128, 0, ALL, 1, 2, 2) \
    X("4 bytes, two neighbours", LOAD, 4, 0, 31, 16, 2, 4, 0, ALL, 1, 1, 1) \
    X("4 bytes, quarters at one place", LOAD, 4, 0, 31, 8, 4, 4, 0, ALL, 1, 1, 1) \
    X("4 bytes, quarters 128 bytes apart", LOAD, 4, 0, 31, 8, 4, 128, 0, ALL, 1, 4, 4) \
    X("4 bytes, both halves the same row", LOAD, 4, 0, 31, 1, 16, 4, 0, ALL, 1, 2, 2) \
    X("4 bytes, all quarters the same row", LOAD, 4, 0, 31, 1, 8, 4, 0, ALL, 1, 1, 1) \
    X("4 bytes, lane and lane^2 alike", LOAD, 4, 0, 29, 1, 32, 4, 0, ALL, 1, 4, 4) \
    X("4 bytes, lane and lane^4 alike", LOAD, 4, 0, 27, 1, 32, 4, 0, ALL, 1, 4, 4) \
    X("4 bytes, lower half alone", LOAD, 4, 0, 31, 1, 32, 4, 0, 0x0000ffffu, 1, 2, 2) \
    X("4 bytes, every other lane", LOAD, 4, 0, 31, 1, 32, 4, 0, 0x55555555u, 1, 4, 2) \
    X("4 bytes, one lane", LOAD, 4, 48, 31, 1, 32, 4, 0, 0x00000100u, 1, 1, 1) \
    X("4 bytes, some lanes", LOAD, 4, 0, 31, 1, 32, 8, 0, 0x0f3c81e5u, 1, 7, 2) \
    X("4 bytes, first quarter alone", LOAD, 4, 0, 31, 1, 32, 4, 0, 0x000000ffu, 1, 1, 1) \
    X("8 bytes, one place", LOAD, 8, 64, 31, 1, 1, 8, 0, ALL, 1, 1, 1) \
    X("8 bytes, shifted by one", LOAD, 8, 8, 31, 1, 32, 8, 0, ALL, 1, 9, 8) \
    X("8 bytes, pairs", LOAD, 8, 0, 31, 2, 16, 8, 0, ALL, 1, 4, 4) \
    X("8 bytes, halves at one place", LOAD, 8, 0, 31, 16, 2, 128, 0, ALL, 1, 2, 2) \
    X("8 bytes, two neighbours", LOAD, 8, 0, 31, 16, 2, 8, 0, ALL, 1, 1, 1) \
    X("8 bytes, quarters at one place", LOAD, 8, 0, 31, 8, 4, 8, 0, ALL, 1, 1, 1) \
    X("8 bytes, quarters 128 bytes apart", LOAD, 8, 0, 31, 8, 4, 128, 0, ALL, 1, 4, 4) \
    X("8 bytes, both halves the same row", LOAD, 8, 0, 31, 1, 16, 8, 0, ALL, 1, 4, 4) \
    X("8 bytes, all quarters the same row", LOAD, 8, 0, 31, 1, 8, 8, 0, ALL, 1, 2, 2) \
    X("8 bytes, lane and lane^2 alike", LOAD, 8, 0, 29, 1, 32, 8, 0, ALL, 1, 8, 8) \
    X("8 bytes, lane and lane^4 alike", LOAD, 8, 0, 27, 1, 32, 8, 0, ALL, 1, 4, 4) \
    X("8 bytes, lower half alone", LOAD, 8, 0, 31, 1, 32, 8, 0, 0x0000ffffu, 1, 4, 4) \
    X("8 bytes, every other lane", LOAD, 8, 0, 31, 1, 32, 8, 0, 0x55555555u, 1, 8, 4) \
    X("8 bytes, one lane", LOAD, 8, 48, 31, 1, 32, 8, 0, 0x00000100u, 1, 1, 1) \
    X("8 bytes, some lanes", LOAD, 8, 0, 31, 1, 32, 16, 0, 0x0f3c81e5u, 1, 10, 4) \
    X("8 bytes, first quarter alone", LOAD, 8, 0, 31, 1, 32, 8, 0, 0x000000ffu, 1, 2, 2) \
    X("16 bytes, one place", LOAD, 16, 64, 31, 1, 1, 16, 0, ALL, 1, 1, 1) \
    X("16 bytes, shifted by one", LOAD, 16, 16, 31, 1, 32, 16, 0, ALL, 1, 17, 16) \
    X("16 bytes, pairs", LOAD, 16, 0, 31, 2, 16, 16, 0, ALL, 1, 8, 8) \
    X("16 bytes, halves at one place", LOAD, 16, 0, 31, 16, 2, 128, 0, ALL, 1, 2, 2) \
    X("16 bytes, two neighbours", LOAD, 16, 0, 31, 16, 2, 16, 0, ALL, 1, 1, 1) \
    X("16 bytes, quarters at one place", LOAD, 16, 0, 31, 8, 4, 16, 0, ALL, 1, 2, 2) \
    X("16 bytes, quarters 128 bytes apart", LOAD, 16, 0, 31, 8, 4, 128, 0, ALL, 1, 4, 4) \
    X("16 bytes, both halves the same row", LOAD, 16, 0, 31, 1, 16, 16, 0, ALL, 1, 8, 8) \
    X("16 bytes, all quarters the same row", LOAD, 16, 0, 31, 1, 8, 16, 0, ALL, 1, 4, 4) \
    X("16 bytes, lane and lane^2 alike", LOAD, 16, 0, 29, 1, 32, 16, 0, ALL, 1, 8, 8) \
    X("16 bytes, lane and lane^4 alike", LOAD, 16, 0, 27, 1, 32, 16, 0, ALL, 1, 8, 8) \
    X("16 bytes, lower half alone", LOAD, 16, 0, 31, 1, 32, 16, 0, 0x0000ffffu, 1, 8, 8) \
    X("16 bytes, every other lane", LOAD, 16, 0, 31, 1, 32, 16, 0, 0x55555555u, 1, 16, 8) \
    X("16 bytes, one lane", LOAD, 16, 48, 31, 1, 32, 16, 0, 0x00000100u, 1, 1, 1) \
    X("16 bytes, some lanes", LOAD, 16, 0, 31, 1, 32, 32, 0, 0x0f3c81e5u, 1, 15, 8) \
    X("16 bytes, first quarter alone", LOAD, 16, 0, 31, 1, 32, 16, 0, 0x000000ffu, 1, 4, 4) \
    X("store of 4 bytes, one place", STORE, 4, 64, 31, 1, 1, 4, 0, ALL, 1, 1, 1) \
    X("store of 4 bytes, shifted by one", STORE, 4, 4, 31, 1, 32, 4, 0, ALL, 1, 5, 4) \
    X("store of 4 bytes, pairs", STORE, 4, 0, 31, 2, 16, 4, 0, ALL, 1, 2, 2) \
    X("store of 4 bytes, halves at one place", STORE, 4, 0, 31, 16, 2, 128, 0, ALL, 1, 2, 2) \
    X("store of 8 bytes, one place", STORE, 8, 64, 31, 1, 1, 8, 0, ALL, 1, 1, 1) \
    X("store of 8 bytes, shifted by one", STORE, 8, 8, 31, 1, 32, 8, 0, ALL, 1, 9, 8) \
    X("store of 8 bytes, pairs", STORE, 8, 0, 31, 2, 16, 8, 0, ALL, 1, 4, 4) \
    X("store of 8 bytes, halves at one place", STORE, 8, 0, 31, 16, 2, 128, 0, ALL, 1, 2, 2) \
    X("store of 16 bytes, one place", STORE, 16, 64, 31, 1, 1, 16, 0, ALL, 1, 1, 1) \
    X("store of 16 bytes, shifted by one", STORE, 16, 16, 31, 1, 32, 16, 0, ALL, 1, 17, 16) \
    X("store of 16 bytes, pairs", STORE, 16, 0, 31, 2, 16, 16, 0, ALL, 1, 8, 8) \
    X("store of 16 bytes, halves at one place", STORE, 16, 0, 31, 16, 2, 128, 0, ALL, 1, 2, 2) \
    X("1 bytes in a row", LOAD, 1, 0, 31, 1, 32, 1, 0, ALL, 1, 1, 1) \
    X("1 bytes, shifted by one", LOAD, 1, 1, 31, 1, 32, 1, 0, ALL, 1, 2, 1) \
    X("1 bytes, stride 33", LOAD, 1, 0, 31, 1, 32, 33, 0, ALL, 1, 32, 1) \
    X("store of 1 bytes in a row", STORE, 1, 0, 31, 1, 32, 1, 0, ALL, 1, 1, 1) \
    X("store of 1 bytes, stride 128", STORE, 1, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 1) \
    X("2 bytes in a row", LOAD, 2, 0, 31, 1, 32, 2, 0, ALL, 1, 2, 2) \
    X("2 bytes, shifted by one", LOAD, 2, 2, 31, 1, 32, 2, 0, ALL, 1, 3, 2) \
    X("2 bytes, stride 33", LOAD, 2, 0, 31, 1, 32, 66, 0, ALL, 1, 32, 2) \
    X("store of 2 bytes in a row", STORE, 2, 0, 31, 1, 32, 2, 0, ALL, 1, 2, 2) \
    X("store of 2 bytes, stride 128", STORE, 2, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 2) \
    X("4 bytes, scattered 1", LOAD, 4, 0, 31, 1, 8, 4, 1, ALL, 1, 1, 1) \
    X("store of 4 bytes, scattered 1", STORE, 4, 0, 31, 1, 8, 4, 21, ALL, 1, 1, 1) \
    X("8 bytes, scattered 1", LOAD, 8, 0, 31, 1, 8, 8, 1, ALL, 1, 2, 2) \
    X("store of 8 bytes, scattered 1", STORE, 8, 0, 31, 1, 8, 8, 21, ALL, 1, 2, 2) \
    X("16 bytes, scattered 1", LOAD, 16, 0, 31, 1, 8, 16, 1, ALL, 1, 4, 4) \
    X("store of 16 bytes, scattered 1", STORE, 16, 0, 31, 1, 8, 16, 21, ALL, 1, 4, 4) \
    X("4 bytes, scattered 2", LOAD, 4, 0, 31, 1, 64, 4, 2, ALL, 1, 8, 4) \
    X("store of 4 bytes, scattered 2", STORE, 4, 0, 31, 1, 64, 4, 22, ALL, 1, 8, 4) \
    X("8 bytes, scattered 2", LOAD, 8, 0, 31, 1, 64, 8, 2, ALL, 1, 16, 8) \
    X("store of 8 bytes, scattered 2", STORE, 8, 0, 31, 1, 64, 8, 22, ALL, 1, 16, 8) \
    X("16 bytes, scattered 2", LOAD, 16, 0, 31, 1, 64, 16, 2, ALL, 1, 26, 16) \
    X("store of 16 bytes, scattered 2", STORE, 16, 0, 31, 1, 64, 16, 22, ALL, 1, 26, 16) \
    X("4 bytes, scattered 3", LOAD, 4, 0, 31, 1, 256, 4, 3, 0xdaa66d13u, 1, 16, 3) \
    X("store of 4 bytes, scattered 3", STORE, 4, 0, 31, 1, 256, 4, 23, 0xdaa66d13u, 1, 17, 3) \
    X("8 bytes, scattered 3", LOAD, 8, 0, 31, 1, 256, 8, 3, 0xdaa66d13u, 1, 17, 5) \
    X("store of 8 bytes, scattered 3", STORE, 8, 0, 31, 1, 256, 8, 23, 0xdaa66d13u, 1, 17, 5) \
    X("16 bytes, scattered 3", LOAD, 16, 0, 31, 1, 256, 16, 3, 0xdaa66d13u, 1, 17, 9) \
    X("store of 16 bytes, scattered 3", STORE, 16, 0, 31, 1, 256, 16, 23, 0xdaa66d13u, 1, 17, 9) \
    X("4 bytes, scattered 4", LOAD, 4, 0, 31, 1, 1024, 4, 4, ALL, 1, 32, 4) \
    X("store of 4 bytes, scattered 4", STORE, 4, 0, 31, 1, 1024, 4, 24, ALL, 1, 32, 4) \
    X("8 bytes, scattered 4", LOAD, 8, 0, 31, 1, 1024, 8, 4, ALL, 1, 32, 8) \
    X("store of 8 bytes, scattered 4", STORE, 8, 0, 31, 1, 1024, 8, 24, ALL, 1, 32, 8) \
    X("16 bytes, scattered 4", LOAD, 16, 0, 31, 1, 1024, 16, 4, ALL, 1, 32, 16) \
    X("store of 16 bytes, scattered 4", STORE, 16, 0, 31, 1, 1024, 16, 24, ALL, 1, 32, 16) \
    X("4 bytes, scattered 5", LOAD, 4, 0, 31, 1, 4, 4, 5, ALL, 1, 1, 1) \
    X("8 bytes, scattered 5", LOAD, 8, 0, 31, 1, 4, 8, 5, ALL, 1, 1, 1) \
    X("16 bytes, scattered 5", LOAD, 16, 0, 31, 1, 4, 16, 5, ALL, 1, 2, 2) \
    X("4 bytes, scattered 6", LOAD, 4, 0, 31, 1, 24, 4, 6, 0xb54cda26u, 1, 3, 2) \
    X("8 bytes, scattered 6", LOAD, 8, 0, 31, 1, 24, 8, 6, 0xb54cda26u, 1, 6, 4) \
    X("16 bytes, scattered 6", LOAD, 16, 0, 31, 1, 24, 16, 6, 0xb54cda26u, 1, 9, 8) \
    X("4 bytes, scattered 7", LOAD, 4, 0, 31, 1, 40, 4, 7, ALL, 1, 5, 4) \
    X("8 bytes, scattered 7", LOAD, 8, 0, 31, 1, 40, 8, 7, ALL, 1, 10, 8) \
    X("16 bytes, scattered 7", LOAD, 16, 0, 31, 1, 40, 16, 7, ALL, 1, 16, 16) \
    X("4 bytes, scattered 8", LOAD, 4, 0, 31, 1, 700, 4, 8, ALL, 1, 22, 4) \
    X("8 bytes, scattered 8", LOAD, 8, 0, 31, 1, 700, 8, 8, ALL, 1, 28, 8) \
    X("16 bytes, scattered 8", LOAD, 16, 0, 31, 1, 700, 16, 8, ALL, 1, 32, 16) \
    X("reduction of 4 bytes in a row", REDUCE, 4, 0, 31, 1, 32, 4, 0, ALL, 1, 4, 4) \
    X("reduction of 4 bytes, stride 8", REDUCE, 4, 0, 31, 1, 32, 32, 0, ALL, 1, 32, 4) \
    X("reduction of 4 bytes, pairs", REDUCE, 4, 0, 31, 2, 32, 4, 0, ALL, 1, 4, 2) \
    X("reduction of 8 bytes in a row", REDUCE, 8, 0, 31, 1, 32, 8, 0, ALL, 1, 8, 8) \
    X("reduction of 8 bytes, one place", REDUCE, 8, 0, 31, 1, 1, 8, 0, ALL, 1, 32, 1) \
    X("reduction of 8 bytes, stride 8", REDUCE, 8, 0, 31, 1, 32, 64, 0, ALL, 1, 32, 8) \
    X("reduction of 8 bytes, pairs", REDUCE, 8, 0, 31, 2, 32, 8, 0, ALL, 1, 8, 4) \
    X("reduction of 4 bytes, scattered", REDUCE, 4, 0, 31, 1, 64, 4, 5, ALL, 1, 13, 4) \
    X("reduction of 4 bytes, some lanes", REDUCE, 4, 0, 31, 1, 32, 4, 0, 0x0f3c81e5u, 1, 4, 2) \
    X("reduction of 4 bytes, stride 32", REDUCE, 4, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 4) \
    X("atomic of 4 bytes in a row", FETCH, 4, 0, 31, 1, 32, 4, 0, ALL, 1, 4, 4) \
    X("atomic of 4 bytes, stride 8", FETCH, 4, 0, 31, 1, 32, 32, 0, ALL, 1, 32, 4) \
    X("atomic of 4 bytes, pairs", FETCH, 4, 0, 31, 2, 32, 4, 0, ALL, 1, 4, 2) \
    X("atomic of 8 bytes in a row", FETCH, 8, 0, 31, 1, 32, 8, 0, ALL, 1, 8, 8) \
    X("atomic of 8 bytes, one place", FETCH, 8, 0, 31, 1, 1, 8, 0, ALL, 1, 32, 1) \
    X("atomic of 8 bytes, stride 8", FETCH, 8, 0, 31, 1, 32, 64, 0, ALL, 1, 32, 8) \
    X("atomic of 8 bytes, pairs", FETCH, 8, 0, 31, 2, 32, 8, 0, ALL, 1, 8, 4) \
    X("atomic of 4 bytes, scattered", FETCH, 4, 0, 31, 1, 64, 4, 5, ALL, 1, 13, 4) \
    X("atomic of 4 bytes, some lanes", FETCH, 4, 0, 31, 1, 32, 4, 0, 0x0f3c81e5u, 1, 4, 2) \
    X("atomic of 4 bytes, stride 32", FETCH, 4, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 4)

#define SHARED_PATTERNS(X) \
    X("4 bytes, stride 1", LOAD, 4, 0, 31, 1, 32, 4, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 2", LOAD, 4, 0, 31, 1, 32, 8, 0, ALL, 1, 2, 1) \
    X("4 bytes, stride 3", LOAD, 4, 0, 31, 1, 32, 12, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 4", LOAD, 4, 0, 31, 1, 32, 16, 0, ALL, 1, 4, 1) \
    X("4 bytes, stride 5", LOAD, 4, 0, 31, 1, 32, 20, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 6", LOAD, 4, 0, 31, 1, 32, 24, 0, ALL, 1, 2, 1) \
    X("4 bytes, stride 7", LOAD, 4, 0, 31, 1, 32, 28, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 8", LOAD, 4, 0, 31, 1, 32, 32, 0, ALL, 1, 8, 1) \
    X("4 bytes, stride 9", LOAD, 4, 0, 31, 1, 32, 36, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 10", LOAD, 4, 0, 31, 1, 32, 40, 0, ALL, 1, 2, 1) \
    X("4 bytes, stride 11", LOAD, 4, 0, 31, 1, 32, 44, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 12", LOAD, 4, 0, 31, 1, 32, 48, 0, ALL, 1, 4, 1) \
    X("4 bytes, stride 13", LOAD, 4, 0, 31, 1, 32, 52, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 14", LOAD, 4, 0, 31, 1, 32, 56, 0, ALL, 1, 2, 1) \
    X("4 bytes, stride 15", LOAD, 4, 0, 31, 1, 32, 60, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 16", LOAD, 4, 0, 31, 1, 32, 64, 0, ALL, 1, 16, 1) \
    X("4 bytes, stride 17", LOAD, 4, 0, 31, 1, 32, 68, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 18", LOAD, 4, 0, 31, 1, 32, 72, 0, ALL, 1, 2, 1) \
    X("4 bytes, stride 19", LOAD, 4, 0, 31, 1, 32, 76, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 20", LOAD, 4, 0, 31, 1, 32, 80, 0, ALL, 1, 4, 1) \
    X("4 bytes, stride 21", LOAD, 4, 0, 31, 1, 32, 84, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 22", LOAD, 4, 0, 31, 1, 32, 88, 0, ALL, 1, 2, 1) \
    X("4 bytes, stride 23", LOAD, 4, 0, 31, 1, 32, 92, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 24", LOAD, 4, 0, 31, 1, 32, 96, 0, ALL, 1, 8, 1) \
    X("4 bytes, stride 25", LOAD, 4, 0, 31, 1, 32, 100, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 26", LOAD, 4, 0, 31, 1, 32, 104, 0, ALL, 1, 2, 1) \
    X("4 bytes, stride 27", LOAD, 4, 0, 31, 1, 32, 108, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 28", LOAD, 4, 0, 31, 1, 32, 112, 0, ALL, 1, 4, 1) \
    X("4 bytes, stride 29", LOAD, 4, 0, 31, 1, 32, 116, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 30", LOAD, 4, 0, 31, 1, 32, 120, 0, ALL, 1, 2, 1) \
    X("4 bytes, stride 31", LOAD, 4, 0, 31, 1, 32, 124, 0, ALL, 1, 1, 1) \
    X("4 bytes, stride 32", LOAD, 4, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 1) \
    X("4 bytes, stride 33", LOAD, 4, 0, 31, 1, 32, 132, 0, ALL, 1, 1, 1) \
    X("8 bytes, stride 1", LOAD, 8, 0, 31, 1, 32, 8, 0, ALL, 1, 2, 2) \
    X("8 bytes, stride 2", LOAD, 8, 0, 31, 1, 32, 16, 0, ALL, 1, 4, 2) \
    X("8 bytes, stride 3", LOAD, 8, 0, 31, 1, 32, 24, 0, ALL, 1, 2, 2) \
    X("8 bytes, stride 4", LOAD, 8, 0, 31, 1, 32, 32, 0, ALL, 1, 8, 2) \
    X("8 bytes, stride 5", LOAD, 8, 0, 31, 1, 32, 40, 0, ALL, 1, 2, 2) \
    X("8 bytes, stride 8", LOAD, 8, 0, 31, 1, 32, 64, 0, ALL, 1, 16, 2) \
    X("8 bytes, stride 16", LOAD, 8, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 2) \
    X("8 bytes, stride 17", LOAD, 8, 0, 31, 1, 32, 136, 0, ALL, 1, 2, 2) \
    X("8 bytes, stride 32", LOAD, 8, 0, 31, 1, 32, 256, 0, ALL, 1, 32, 2) \
    X("8 bytes, stride 33", LOAD, 8, 0, 31, 1, 32, 264, 0, ALL, 1, 2, 2) \
    X("16 bytes, stride 1", LOAD, 16, 0, 31, 1, 32, 16, 0, ALL, 1, 4, 4) \
    X("16 bytes, stride 2", LOAD, 16, 0, 31, 1, 32, 32, 0, ALL, 1, 8, 4) \
    X("16 bytes, stride 3", LOAD, 16, 0, 31, 1, 32, 48, 0, ALL, 1, 4, 4) \
    X("16 bytes, stride 4", LOAD, 16, 0, 31, 1, 32, 64, 0, ALL, 1, 16, 4) \
    X("16 bytes, stride 5", LOAD, 16, 0, 31, 1, 32, 80, 0, ALL, 1, 4, 4) \
    X("16 bytes, stride 8", LOAD, 16, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 4) \
    X("16 bytes, stride 16", LOAD, 16, 0, 31, 1, 32, 256, 0, ALL, 1, 32, 4) \
    X("16 bytes, stride 17", LOAD, 16, 0, 31, 1, 32, 272, 0, ALL, 1, 4, 4) \
    X("16 bytes, stride 32", LOAD, 16, 0, 31, 1, 32, 512, 0, ALL, 1, 32, 4) \
    X("16 bytes, stride 33", LOAD, 16, 0, 31, 1, 32, 528, 0, ALL, 1, 4, 4) \
    X("store of 4 bytes, stride 1", STORE, 4, 0, 31, 1, 32, 4, 0, ALL, 1, 1, 1) \
    X("store of 4 bytes, stride 2", STORE, 4, 0, 31, 1, 32, 8, 0, ALL, 1, 2, 1) \
    X("store of 4 bytes, stride 3", STORE, 4, 0, 31, 1, 32, 12, 0, ALL, 1, 1, 1) \
    X("store of 4 bytes, stride 8", STORE, 4, 0, 31, 1, 32, 32, 0, ALL, 1, 8, 1) \
    X("store of 4 bytes, stride 17", STORE, 4, 0, 31, 1, 32, 68, 0, ALL, 1, 1, 1) \
    X("store of 4 bytes, stride 32", STORE, 4, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 1) \
    X("store of 4 bytes, stride 33", STORE, 4, 0, 31, 1, 32, 132, 0, ALL, 1, 1, 1) \
    X("store of 8 bytes, stride 1", STORE, 8, 0, 31, 1, 32, 8, 0, ALL, 1, 2, 2) \
    X("store of 8 bytes, stride 2", STORE, 8, 0, 31, 1, 32, 16, 0, ALL, 1, 4, 2) \
    X("store of 8 bytes, stride 3", STORE, 8, 0, 31, 1, 32, 24, 0, ALL, 1, 2, 2) \
    X("store of 8 bytes, stride 8", STORE, 8, 0, 31, 1, 32, 64, 0, ALL, 1, 16, 2) \
    X("store of 8 bytes, stride 17", STORE, 8, 0, 31, 1, 32, 136, 0, ALL, 1, 2, 2) \
    X("store of 8 bytes, stride 32", STORE, 8, 0, 31, 1, 32, 256, 0, ALL, 1, 32, 2) \
    X("store of 8 bytes, stride 33", STORE, 8, 0, 31, 1, 32, 264, 0, ALL, 1, 2, 2) \
    X("store of 16 bytes, stride 1", STORE, 16, 0, 31, 1, 32, 16, 0, ALL, 1, 4, 4) \
    X("store of 16 bytes, stride 2", STORE, 16, 0, 31, 1, 32, 32, 0, ALL, 1, 8, 4) \
    X("store of 16 bytes, stride 3", STORE, 16, 0, 31, 1, 32, 48, 0, ALL, 1, 4, 4) \
    X("store of 16 bytes, stride 8", STORE, 16, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 4) \
    X("store of 16 bytes, stride 17", STORE, 16, 0, 31, 1, 32, 272, 0, ALL, 1, 4, 4) \
    X("store of 16 bytes, stride 32", STORE, 16, 0, 31, 1, 32, 512, 0, ALL, 1, 32, 4) \
    X("store of 16 bytes, stride 33", STORE, 16, 0, 31, 1, 32, 528, 0, ALL, 1, 4, 4) \
    X("4 bytes, one place", LOAD, 4, 64, 31, 1, 1, 4, 0, ALL, 1, 1, 1) \
    X("4 bytes, shifted by one", LOAD, 4, 4, 31, 1, 32, 4, 0, ALL, 1, 1, 1) \
    X("4 bytes, pairs", LOAD, 4, 0, 31, 2, 16, 4, 0, ALL, 1, 1, 1) \
    X("4 bytes, halves at one place", LOAD, 4, 0, 31, 16, 2, 128, 0, ALL, 1, 2, 1) \
    X("4 bytes, two neighbours", LOAD, 4, 0, 31, 16, 2, 4, 0, ALL, 1, 1, 1) \
    X("4 bytes, quarters at one place", LOAD, 4, 0, 31, 8, 4, 4, 0, ALL, 1, 1, 1) \
    X("4 bytes, quarters 128 bytes apart", LOAD, 4, 0, 31, 8, 4, 128, 0, ALL, 1, 4, 1) \
    X("4 bytes, both halves the same row", LOAD, 4, 0, 31, 1, 16, 4, 0, ALL, 1, 1, 1) \
    X("4 bytes, all quarters the same row", LOAD, 4, 0, 31, 1, 8, 4, 0, ALL, 1, 1, 1) \
    X("4 bytes, lane and lane^2 alike", LOAD, 4, 0, 29, 1, 32, 4, 0, ALL, 1, 1, 1) \
    X("4 bytes, lane and lane^4 alike", LOAD, 4, 0, 27, 1, 32, 4, 0, ALL, 1, 1, 1) \
    X("4 bytes, lower half alone", LOAD, 4, 0, 31, 1, 32, 4, 0, 0x0000ffffu, 1, 1, 1) \
    X("4 bytes, every other lane", LOAD, 4, 0, 31, 1, 32, 4, 0, 0x55555555u, 1, 1, 1) \
    X("4 bytes, one lane", LOAD, 4, 48, 31, 1, 32, 4, 0, 0x00000100u, 1, 1, 1) \
    X("4 bytes, some lanes", LOAD, 4, 0, 31, 1, 32, 8, 0, 0x0f3c81e5u, 1, 2, 1) \
    X("4 bytes, first quarter alone", LOAD, 4, 0, 31, 1, 32, 4, 0, 0x000000ffu, 1, 1, 1) \
    X("8 bytes, one place", LOAD, 8, 64, 31, 1, 1, 8, 0, ALL, 1, 1, 1) \
    X("8 bytes, shifted by one", LOAD, 8, 8, 31, 1, 32, 8, 0, ALL, 1, 2, 2) \
    X("8 bytes, pairs", LOAD, 8, 0, 31, 2, 16, 8, 0, ALL, 1, 1, 1) \
    X("8 bytes, halves at one place", LOAD, 8, 0, 31, 16, 2, 128, 0, ALL, 1, 2, 2) \
    X("8 bytes, two neighbours", LOAD, 8, 0, 31, 16, 2, 8, 0, ALL, 1, 1, 1) \
    X("8 bytes, quarters at one place", LOAD, 8, 0, 31, 8, 4, 8, 0, ALL, 1, 1, 1) \
    X("8 bytes, quarters 128 bytes apart", LOAD, 8, 0, 31, 8, 4, 128, 0, ALL, 1, 4, 2) \
    X("8 bytes, both halves the same row", LOAD, 8, 0, 31, 1, 16, 8, 0, ALL, 1, 2, 2) \
    X("8 bytes, all quarters the same row", LOAD, 8, 0, 31, 1, 8, 8, 0, ALL, 1, 2, 2) \
    X("8 bytes, lane and lane^2 alike", LOAD, 8, 0, 29, 1, 32, 8, 0, ALL, 1, 2, 2) \
    X("8 bytes, lane and lane^4 alike", LOAD, 8, 0, 27, 1, 32, 8, 0, ALL, 1, 2, 2) \
    X("8 bytes, lower half alone", LOAD, 8, 0, 31, 1, 32, 8, 0, 0x0000ffffu, 1, 1, 1) \
    X("8 bytes, every other lane", LOAD, 8, 0, 31, 1, 32, 8, 0, 0x55555555u, 1, 2, 1) \
    X("8 bytes, one lane", LOAD, 8, 48, 31, 1, 32, 8, 0, 0x00000100u, 1, 1, 1) \
    X("8 bytes, some lanes", LOAD, 8, 0, 31, 1, 32, 16, 0, 0x0f3c81e5u, 1, 4, 1) \
    X("8 bytes, first quarter alone", LOAD, 8, 0, 31, 1, 32, 8, 0, 0x000000ffu, 1, 1, 1) \
    X("16 bytes, one place", LOAD, 16, 64, 31, 1, 1, 16, 0, ALL, 1, 2, 2) \
    X("16 bytes, shifted by one", LOAD, 16, 16, 31, 1, 32, 16, 0, ALL, 1, 4, 4) \
    X("16 bytes, pairs", LOAD, 16, 0, 31, 2, 16, 16, 0, ALL, 1, 2, 2) \
    X("16 bytes, halves at one place", LOAD, 16, 0, 31, 16, 2, 128, 0, ALL, 1, 2, 2) \
    X("16 bytes, two neighbours", LOAD, 16, 0, 31, 16, 2, 16, 0, ALL, 1, 2, 2) \
    X("16 bytes, quarters at one place", LOAD, 16, 0, 31, 8, 4, 16, 0, ALL, 1, 2, 2) \
    X("16 bytes, quarters 128 bytes apart", LOAD, 16, 0, 31, 8, 4, 128, 0, ALL, 1, 4, 4) \
    X("16 bytes, both halves the same row", LOAD, 16, 0, 31, 1, 16, 16, 0, ALL, 1, 4, 4) \
    X("16 bytes, all quarters the same row", LOAD, 16, 0, 31, 1, 8, 16, 0, ALL, 1, 4, 4) \
    X("16 bytes, lane and lane^2 alike", LOAD, 16, 0, 29, 1, 32, 16, 0, ALL, 1, 4, 4) \
    X("16 bytes, lane and lane^4 alike", LOAD, 16, 0, 27, 1, 32, 16, 0, ALL, 1, 4, 4) \
    X("16 bytes, lower half alone", LOAD, 16, 0, 31, 1, 32, 16, 0, 0x0000ffffu, 1, 2, 2) \
    X("16 bytes, every other lane", LOAD, 16, 0, 31, 1, 32, 16, 0, 0x55555555u, 1, 4, 2) \
    X("16 bytes, one lane", LOAD, 16, 48, 31, 1, 32, 16, 0, 0x00000100u, 1, 1, 1) \
    X("16 bytes, some lanes", LOAD, 16, 0, 31, 1, 32, 32, 0, 0x0f3c81e5u, 1, 5, 2) \
    X("16 bytes, first quarter alone", LOAD, 16, 0, 31, 1, 32, 16, 0, 0x000000ffu, 1, 1, 1) \
    X("store of 4 bytes, one place", STORE, 4, 64, 31, 1, 1, 4, 0, ALL, 1, 1, 1) \
    X("store of 4 bytes, shifted by one", STORE, 4, 4, 31, 1, 32, 4, 0, ALL, 1, 1, 1) \
    X("store of 4 bytes, pairs", STORE, 4, 0, 31, 2, 16, 4, 0, ALL, 1, 1, 1) \
    X("store of 4 bytes, halves at one place", STORE, 4, 0, 31, 16, 2, 128, 0, ALL, 1, 2, 1) \
    X("store of 8 bytes, one place", STORE, 8, 64, 31, 1, 1, 8, 0, ALL, 1, 2, 2) \
    X("store of 8 bytes, shifted by one", STORE, 8, 8, 31, 1, 32, 8, 0, ALL, 1, 2, 2) \
    X("store of 8 bytes, pairs", STORE, 8, 0, 31, 2, 16, 8, 0, ALL, 1, 2, 2) \
    X("store of 8 bytes, halves at one place", STORE, 8, 0, 31, 16, 2, 128, 0, ALL, 1, 2, 2) \
    X("store of 16 bytes, one place", STORE, 16, 64, 31, 1, 1, 16, 0, ALL, 1, 4, 4) \
    X("store of 16 bytes, shifted by one", STORE, 16, 16, 31, 1, 32, 16, 0, ALL, 1, 4, 4) \
    X("store of 16 bytes, pairs", STORE, 16, 0, 31, 2, 16, 16, 0, ALL, 1, 4, 4) \
    X("store of 16 bytes, halves at one place", STORE, 16, 0, 31, 16, 2, 128, 0, ALL, 1, 4, 4) \
    X("1 bytes in a row", LOAD, 1, 0, 31, 1, 32, 1, 0, ALL, 1, 1, 1) \
    X("1 bytes, shifted by one", LOAD, 1, 1, 31, 1, 32, 1, 0, ALL, 1, 1, 1) \
    X("1 bytes, stride 33", LOAD, 1, 0, 31, 1, 32, 33, 0, ALL, 1, 1, 1) \
    X("store of 1 bytes in a row", STORE, 1, 0, 31, 1, 32, 1, 0, ALL, 1, 1, 1) \
    X("store of 1 bytes, stride 128", STORE, 1, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 1) \
    X("2 bytes in a row", LOAD, 2, 0, 31, 1, 32, 2, 0, ALL, 1, 1, 1) \
    X("2 bytes, shifted by one", LOAD, 2, 2, 31, 1, 32, 2, 0, ALL, 1, 1, 1) \
    X("2 bytes, stride 33", LOAD, 2, 0, 31, 1, 32, 66, 0, ALL, 1, 1, 1) \
    X("store of 2 bytes in a row", STORE, 2, 0, 31, 1, 32, 2, 0, ALL, 1, 1, 1) \
    X("store of 2 bytes, stride 128", STORE, 2, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 1) \
    X("4 bytes, scattered 1", LOAD, 4, 0, 31, 1, 8, 4, 1, ALL, 1, 1, 1) \
    X("store of 4 bytes, scattered 1", STORE, 4, 0, 31, 1, 8, 4, 21, ALL, 1, 1, 1) \
    X("8 bytes, scattered 1", LOAD, 8, 0, 31, 1, 8, 8, 1, ALL, 1, 2, 2) \
    X("store of 8 bytes, scattered 1", STORE, 8, 0, 31, 1, 8, 8, 21, ALL, 1, 2, 2) \
    X("16 bytes, scattered 1", LOAD, 16, 0, 31, 1, 8, 16, 1, ALL, 1, 4, 4) \
    X("store of 16 bytes, scattered 1", STORE, 16, 0, 31, 1, 8, 16, 21, ALL, 1, 4, 4) \
    X("4 bytes, scattered 2", LOAD, 4, 0, 31, 1, 64, 4, 2, ALL, 1, 1, 1) \
    X("store of 4 bytes, scattered 2", STORE, 4, 0, 31, 1, 64, 4, 22, ALL, 1, 1, 1) \
    X("8 bytes, scattered 2", LOAD, 8, 0, 31, 1, 64, 8, 2, ALL, 1, 4, 2) \
    X("store of 8 bytes, scattered 2", STORE, 8, 0, 31, 1, 64, 8, 22, ALL, 1, 4, 2) \
    X("16 bytes, scattered 2", LOAD, 16, 0, 31, 1, 64, 16, 2, ALL, 1, 8, 4) \
    X("store of 16 bytes, scattered 2", STORE, 16, 0, 31, 1, 64, 16, 22, ALL, 1, 8, 4) \
    X("4 bytes, scattered 3", LOAD, 4, 0, 31, 1, 256, 4, 3, 0xdaa66d13u, 1, 2, 1) \
    X("store of 4 bytes, scattered 3", STORE, 4, 0, 31, 1, 256, 4, 23, 0xdaa66d13u, 1, 2, 1) \
    X("8 bytes, scattered 3", LOAD, 8, 0, 31, 1, 256, 8, 3, 0xdaa66d13u, 1, 4, 2) \
    X("store of 8 bytes, scattered 3", STORE, 8, 0, 31, 1, 256, 8, 23, 0xdaa66d13u, 1, 2, 2) \
    X("16 bytes, scattered 3", LOAD, 16, 0, 31, 1, 256, 16, 3, 0xdaa66d13u, 1, 4, 3) \
    X("store of 16 bytes, scattered 3", STORE, 16, 0, 31, 1, 256, 16, 23, 0xdaa66d13u, 1, 5, 3) \
    X("4 bytes, scattered 4", LOAD, 4, 0, 31, 1, 1024, 4, 4, ALL, 1, 2, 1) \
    X("store of 4 bytes, scattered 4", STORE, 4, 0, 31, 1, 1024, 4, 24, ALL, 1, 2, 1) \
    X("8 bytes, scattered 4", LOAD, 8, 0, 31, 1, 1024, 8, 4, ALL, 1, 4, 2) \
    X("store of 8 bytes, scattered 4", STORE, 8, 0, 31, 1, 1024, 8, 24, ALL, 1, 4, 2) \
    X("16 bytes, scattered 4", LOAD, 16, 0, 31, 1, 1024, 16, 4, ALL, 1, 8, 4) \
    X("store of 16 bytes, scattered 4", STORE, 16, 0, 31, 1, 1024, 16, 24, ALL, 1, 7, 4) \
    X("4 bytes, scattered 5", LOAD, 4, 0, 31, 1, 4, 4, 5, ALL, 1, 1, 1) \
    X("8 bytes, scattered 5", LOAD, 8, 0, 31, 1, 4, 8, 5, ALL, 1, 2, 2) \
    X("16 bytes, scattered 5", LOAD, 16, 0, 31, 1, 4, 16, 5, ALL, 1, 4, 4) \
    X("4 bytes, scattered 6", LOAD, 4, 0, 31, 1, 24, 4, 6, 0xb54cda26u, 1, 1, 1) \
    X("8 bytes, scattered 6", LOAD, 8, 0, 31, 1, 24, 8, 6, 0xb54cda26u, 1, 2, 1) \
    X("16 bytes, scattered 6", LOAD, 16, 0, 31, 1, 24, 16, 6, 0xb54cda26u, 1, 4, 2) \
    X("4 bytes, scattered 7", LOAD, 4, 0, 31, 1, 40, 4, 7, ALL, 1, 2, 1) \
    X("8 bytes, scattered 7", LOAD, 8, 0, 31, 1, 40, 8, 7, ALL, 1, 4, 2) \
    X("16 bytes, scattered 7", LOAD, 16, 0, 31, 1, 40, 16, 7, ALL, 1, 6, 4) \
    X("4 bytes, scattered 8", LOAD, 4, 0, 31, 1, 700, 4, 8, ALL, 1, 3, 1) \
    X("8 bytes, scattered 8", LOAD, 8, 0, 31, 1, 700, 8, 8, ALL, 1, 4, 2) \
    X("16 bytes, scattered 8", LOAD, 16, 0, 31, 1, 700, 16, 8, ALL, 1, 10, 4) \
    X("reduction of 4 bytes in a row", REDUCE, 4, 0, 31, 1, 32, 4, 0, ALL, 1, 1, 1) \
    X("reduction of 4 bytes, stride 8", REDUCE, 4, 0, 31, 1, 32, 32, 0, ALL, 1, 8, 1) \
    X("reduction of 4 bytes, pairs", REDUCE, 4, 0, 31, 2, 32, 4, 0, ALL, 1, 2, 1) \
    X("reduction of 4 bytes, scattered", REDUCE, 4, 0, 31, 1, 64, 4, 5, ALL, 1, 2, 1) \
    X("reduction of 4 bytes, some lanes", REDUCE, 4, 0, 31, 1, 32, 4, 0, 0x0f3c81e5u, 1, 1, 1) \
    X("reduction of 4 bytes, stride 32", REDUCE, 4, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 1) \
    X("atomic of 4 bytes in a row", FETCH, 4, 0, 31, 1, 32, 4, 0, ALL, 1, 1, 1) \
    X("atomic of 4 bytes, stride 8", FETCH, 4, 0, 31, 1, 32, 32, 0, ALL, 1, 8, 1) \
    X("atomic of 4 bytes, pairs", FETCH, 4, 0, 31, 2, 32, 4, 0, ALL, 1, 2, 1) \
    X("atomic of 4 bytes, scattered", FETCH, 4, 0, 31, 1, 64, 4, 5, ALL, 1, 2, 1) \
    X("atomic of 4 bytes, some lanes", FETCH, 4, 0, 31, 1, 32, 4, 0, 0x0f3c81e5u, 1, 1, 1) \
    X("atomic of 4 bytes, stride 32", FETCH, 4, 0, 31, 1, 32, 128, 0, ALL, 1, 32, 1)

#endif
