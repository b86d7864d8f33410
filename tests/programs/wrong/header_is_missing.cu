// expect: build_error 2
#include "not_there.h"

int main() {
    return 0;
}
