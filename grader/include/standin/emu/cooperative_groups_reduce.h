// Reductions and scans of a group.  Source: CUDA C++ Programming Guide, "Group Collectives".
//
// Operations are done in the order of ranks, in pairs, halves and so on; a GPU may choose another.
#ifndef TILEGRADE_EMU_COOPERATIVE_GROUPS_REDUCE_H
#define TILEGRADE_EMU_COOPERATIVE_GROUPS_REDUCE_H

#include "cooperative_groups.h"

#include "begin.h"

namespace cooperative_groups {

#define TILEGRADE_OPERATION(name, expression)                                                      \
    template <class T> struct name {                                                               \
        EMU_CALL T operator()(T x, T y) const {                                                    \
            return expression;                                                                     \
        }                                                                                          \
    };
TILEGRADE_OPERATION(plus, x + y)
TILEGRADE_OPERATION(less, y < x ? y : x)
TILEGRADE_OPERATION(greater, x < y ? y : x)
TILEGRADE_OPERATION(bit_and, x &y)
TILEGRADE_OPERATION(bit_or, x | y)
TILEGRADE_OPERATION(bit_xor, x ^ y)
#undef TILEGRADE_OPERATION

template <unsigned int SIZE, class PARENT, class T, class OPERATION>
EMU_CALL T reduce(const thread_block_tile<SIZE, PARENT> &group, T value, OPERATION &&operation) {
    for (unsigned int step = 1; step < SIZE; step *= 2) {
        T other = group.shfl_xor(value, step);
        value = group.thread_rank() & step ? operation(other, value) : operation(value, other);
    }
    return value;
}
template <class T, class OPERATION>
EMU_CALL T reduce(const coalesced_group &group, T value, OPERATION &&operation) {
    T result = group.shfl(value, 0);
    for (unsigned int rank = 1; rank < group.size(); rank++) {
        result = operation(result, group.shfl(value, (int)rank));
    }
    return result;
}

template <class GROUP, class T, class OPERATION>
EMU_CALL T inclusive_scan(const GROUP &group, T value, OPERATION &&operation) {
    for (unsigned int step = 1; step < group.size(); step *= 2) {
        T other = group.shfl_up(value, step);
        if (group.thread_rank() >= step) {
            value = operation(other, value);
        }
    }
    return value;
}
template <class GROUP, class T> EMU_CALL T inclusive_scan(const GROUP &group, T value) {
    return inclusive_scan(group, value, plus<T>());
}
template <class GROUP, class T, class OPERATION>
EMU_CALL T exclusive_scan(const GROUP &group, T value, OPERATION &&operation) {
    T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
    return group.thread_rank() > 0 ? before : T();
}
template <class GROUP, class T> EMU_CALL T exclusive_scan(const GROUP &group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups

#include "end.h"

#endif
