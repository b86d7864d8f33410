// The names of the files that students hand in: see kernels.h.
#include <stdio.h>

#include "class/intake/kernels.h"
#include "exercise/questions.h"

int kernels_wanted(const struct course *course) {
    int count = course->exercise_count + (course->page_count > 0);
    for (int i = 0; i < course->page_count; i++) {
        count += course->pages[i].is_bug;
    }
    return count;
}

void kernels_wanted_name(const struct course *course, int file, char name[KERNEL_FILE_BYTES]) {
    int left = file - course->exercise_count;
    const char *kernel = left < 0 ? course->exercises[file].name : NULL;
    for (int i = 0; i < course->page_count && left > 0; i++) {
        left -= course->pages[i].is_bug;
        kernel = left == 0 ? course->pages[i].name : NULL;
    }
    (void)snprintf(name, KERNEL_FILE_BYTES, "%s%s", kernel ? kernel : ANSWERS_FILE,
                   kernel ? ".cu" : "");
}
