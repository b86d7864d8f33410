// For the tests of the sentences about races.
#ifndef RACE_TEXT_H
#define RACE_TEXT_H

#include "finding_text.h"

static struct judged_finding race_of(enum access_kind first, enum access_kind second) {
    struct judged_finding finding = finding_of(FINDING_RACE);
    finding.finding.access = first;
    finding.finding.other_access = second;
    finding.finding.line = 13;
    finding.finding.other_line = 22;
    return finding;
}

static const char *who = "The first was thread (5, 3, 0), the second thread (0, 3, 0), both of "
                         "block (1, 2, 0).";

// The clause as a headline, and as the start of a message that continues with the threads and the
// reason.
static void says(struct judged_finding finding, const char *clause, const char *rest) {
    char message[ERROR_TEXT_MAX];
    char headline[ERROR_TEXT_MAX];
    (void)snprintf(message, sizeof message, "%s. %s %s", clause, who, rest);
    for (const char *first = "anst"; *first; first++) {
        message[0] = (char)(message[0] == *first ? *first - 'a' + 'A' : message[0]);
    }
    (void)snprintf(headline, sizeof headline, "tiled.cu:%u: %s.", finding.finding.line, clause);
    expect(finding, message, headline);
}

static struct judged_finding in_lines(struct judged_finding finding, uint32_t line,
                                      uint32_t other_line) {
    finding.finding.line = line;
    finding.finding.other_line = other_line;
    return finding;
}

#endif
