// Names and titles of verdicts, made from the lists in verdict.h.
#include "judge/model/verdict.h"

#include <string.h>

#define VERDICT_NAME(enumerator, name, title) [enumerator] = name,
static const char *const verdict_names[] = {VERDICTS(VERDICT_NAME)};
#undef VERDICT_NAME

#define VERDICT_TITLE(enumerator, name, title) [enumerator] = title,
static const char *const verdict_titles[] = {VERDICTS(VERDICT_TITLE)};
#undef VERDICT_TITLE

#define SPEED_NAME(enumerator, name, title) [enumerator] = name,
static const char *const speed_names[] = {SPEED_VERDICTS(SPEED_NAME)};
#undef SPEED_NAME

#define SPEED_TITLE(enumerator, name, title) [enumerator] = title,
static const char *const speed_titles[] = {SPEED_VERDICTS(SPEED_TITLE)};
#undef SPEED_TITLE

const char *verdict_name(enum verdict verdict) {
    return (unsigned)verdict < VERDICT_COUNT ? verdict_names[verdict] : "unknown";
}

const char *verdict_title(enum verdict verdict) {
    return (unsigned)verdict < VERDICT_COUNT ? _(verdict_titles[verdict]) : "unknown";
}

bool verdict_parse(const char *name, enum verdict *ret_verdict) {
    for (int i = 0; i < VERDICT_COUNT; i++) {
        if (strcmp(name, verdict_names[i]) == 0) {
            *ret_verdict = (enum verdict)i;
            return true;
        }
    }
    return false;
}

const char *speed_verdict_name(enum speed_verdict verdict) {
    return (unsigned)verdict < SPEED_VERDICT_COUNT ? speed_names[verdict] : "unknown";
}

const char *speed_verdict_title(enum speed_verdict verdict) {
    return (unsigned)verdict < SPEED_VERDICT_COUNT ? _(speed_titles[verdict]) : "unknown";
}
