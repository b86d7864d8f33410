// What the last `make test` said of a kernel, for the commands that go on from there.
#ifndef APP_LAST_TEST_H
#define APP_LAST_TEST_H

#include <stdbool.h>
#include <stdint.h>

#include "app/paths.h"
#include "base/size.h"
#include "exercise/exercise.h"
#include "judge/model/verdict.h"

struct last_test {
    bool known;  // it was tested
    bool stale;  // its file has changed since then
    enum verdict verdict;
    struct size size;  // at which it fails; m = 0: unknown
    uint32_t line;     // of its first finding; 0: none
    uint32_t block[3], thread[3];
    char sha256[65];  // of the file now
};

// The verdict is kept for each exercise.  Where it was found is read from build/test/result.json,
// if the file as it is now was among those tested last.
struct last_test last_test_of(const struct places *places, const struct exercise *exercise);

#endif
