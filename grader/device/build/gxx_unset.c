// Variables without a value and barriers that are not calls, read from the messages of g++ as they
// are shown:
//
//     tiled.cu: In function 'void matmul_tiled(const float*, …)':
//     tiled.cu:12:13: warning: 'acc' is used uninitialized [-Wuninitialized]
//     tiled.cu:15:9: warning: statement is a reference, not call, to function '__syncthreads'
#include "base/text.h"
#include "device/build/gxx_diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads one line; false if it is not such a warning.
static bool unset_read(const char *line, size_t length, struct unset_variable *ret_variable) {
    static const char warning[] = ": warning: '";
    static const char no_call[] = ": warning: statement is a reference, not call, to function '";
    const char *name = memmem(line, length, warning, strlen(warning));
    const char *barrier = memmem(line, length, no_call, strlen(no_call));
    size_t before_name = barrier ? strlen(no_call) : strlen(warning);
    name = barrier ? barrier : name;
    const char *colon = memchr(line, ':', length);
    if (!name || !colon || colon >= name) {
        return false;
    }
    char *end = NULL;
    long number = strtol(colon + 1, &end, 10);
    long column = end < name && *end == ':' ? strtol(end + 1, NULL, 10) : 0;
    name += before_name;
    const char *quote = memchr(name, '\'', (size_t)(line + length - name));
    if (!quote || number < 1 || number > SOURCE_BYTES_MAX || column < 0 ||
        column > SOURCE_BYTES_MAX) {
        return false;
    }
    size_t rest = (size_t)(line + length - quote);
    bool is = memmem(quote, rest, "' is used uninitialized", 23) == quote;
    bool may = memmem(quote, rest, "' may be used uninitialized", 27) == quote;
    bool waits = barrier && text_starts(name, "__sync");
    if (!is && !may && !waits) {
        return false;
    }
    *ret_variable = (struct unset_variable){
        .line = (int)number, .column = (int)column, .is_certain = is, .is_no_call = waits};
    (void)snprintf(ret_variable->name, sizeof ret_variable->name, "%.*s", (int)(quote - name),
                   name);
    return true;
}

int diagnostics_unset(const char *shown, const char *kernel, struct unset_variable *list, int max) {
    int count = 0;
    bool in_kernel = false;
    while (*shown != '\0' && count < max) {
        size_t length = strcspn(shown, "\n");
        const char *function = memmem(shown, length, ": In ", 5);
        if (function && !memmem(shown, length, ": warning: ", 11)) {
            in_kernel = memmem(shown, length, kernel, strlen(kernel)) != NULL;
        } else if (unset_read(shown, length, &list[count])) {
            list[count].is_certain = list[count].is_certain && in_kernel;
            count++;
        }
        shown += length + (shown[length] == '\n');
    }
    return count;
}
