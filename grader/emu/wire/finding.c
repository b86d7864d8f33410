// Names of findings.
#include "emu/wire/finding.h"

const char *finding_kind_name(uint32_t kind) {
#define FINDING_NAME(enumerator, name) [enumerator] = name,
    static const char *const names[] = {FINDING_KINDS(FINDING_NAME)};
#undef FINDING_NAME
    return kind < FINDING_KIND_COUNT ? names[kind] : "unknown";
}
