// What judge.c asks expected_program.c for, by the size of a launch.
#ifndef TESTS_HIDDEN_H
#define TESTS_HIDDEN_H

enum hidden_kind { KIND_ZERO, KIND_ONES, KIND_FILL, KIND_NOTHING };

// M: above all mappings, what a kernel would most like to store into, by name.
#define TARGETS 1000
enum hidden_target {
    TARGET_FINDINGS = TARGETS,  // the list of findings becomes empty
    TARGET_CHECKS,              // nothing is checked
    TARGET_BOUNDS,              // A is as large as memory
    TARGET_RACE,                // nothing is known about earlier accesses
    TARGETS_END
};

// N: the first word of a mapping, the last, or one in between by its number.
#define PLACE_FIRST 1
#define PLACE_LAST  2
#define PLACES      4

#endif
