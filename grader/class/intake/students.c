// Names of layouts and states, as options and files have them.
#include "class/intake/students.h"

const char *class_layout_name(enum class_layout layout) {
#define LAYOUT_NAME(enumerator, name) name,
    static const char *const names[] = {CLASS_LAYOUTS(LAYOUT_NAME)};
#undef LAYOUT_NAME
    return names[layout];
}

const char *class_state_name(enum class_state state) {
    static const char *const names[] = {"ready", "missing", "empty", "broken"};
    return names[state];
}
