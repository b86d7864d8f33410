// A message is a line that says what happened, and lines below it that say where: see sanitizer.h.
#include "device/nvidia/sanitizer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define MARK       "========="
#define LINE_BYTES 512

const char *sanitizer_tool_name(int tool) {
    static const char *const names[SANITIZER_TOOLS] = {"memcheck", "racecheck", "initcheck",
                                                       "synccheck"};
    return tool >= 0 && tool < SANITIZER_TOOLS ? names[tool] : "";
}

struct reading {
    const char *file;
    struct sanitizer_report *report;
    bool has_open;  // a message whose place is still to come
    struct finding open;
};

static bool is_same(const struct finding *a, const struct finding *b) {
    return a->kind == b->kind && a->line == b->line && a->other_line == b->other_line &&
           a->space == b->space;
}

// Stores the open message if it has a line of the file.
static void close_open(struct reading *reading) {
    struct sanitizer_report *report = reading->report;
    const struct finding *finding = &reading->open;
    bool known = false;
    if (!reading->has_open || finding->line == 0) {
        reading->has_open = false;
        return;
    }
    reading->has_open = false;
    for (int i = 0; i < report->count && !known; i++) {
        known = is_same(&report->finding[i], finding);
        if (known) {
            report->finding[i].count += finding->count;
        }
    }
    if (!known && report->count < SANITIZER_FINDINGS_MAX) {
        report->finding[report->count++] = *finding;
    }
}

static void open_message(struct reading *reading, enum finding_kind kind) {
    close_open(reading);
    reading->has_open = true;
    reading->open =
        (struct finding){.kind = kind, .severity = SEVERITY_ERROR, .array = ARRAY_NONE, .count = 1};
}

static enum memory_space space_of(const char *line) {
    return strstr(line, "__shared__")   ? SPACE_SHARED
           : strstr(line, "__global__") ? SPACE_GLOBAL
                                        : SPACE_UNKNOWN;
}

// "… read of size 4 bytes": what was done, to how many bytes.
static void access_read(const char *line, struct finding *finding) {
    const char *size = strstr(line, "of size ");
    finding->space = space_of(line);
    finding->access = strstr(line, "atomic")  ? ACCESS_ATOMIC
                      : strstr(line, "write") ? ACCESS_WRITE
                                              : ACCESS_READ;
    unsigned long bytes = size ? strtoul(size + strlen("of size "), NULL, 10) : 0;
    finding->access_bytes = bytes <= 16 ? (uint32_t)bytes : 0;
}

// The number after "file:" if a line names the file, else 0.
static uint32_t line_number(const char *line, const char *file) {
    size_t length = strlen(file);
    for (const char *at = strstr(line, file); at; at = strstr(at + 1, file)) {
        bool starts = at == line || at[-1] == ' ' || at[-1] == '/';
        if (starts && at[length] == ':') {
            unsigned long number = strtoul(at + length + 1, NULL, 10);
            return number <= UINT32_MAX ? (uint32_t)number : 0;
        }
    }
    return 0;
}

static void triple_read(const char *line, const char *word, uint32_t ret_triple[3]) {
    unsigned values[3];
    const char *at = strstr(line, word);
    if (at && sscanf(at + strlen(word), " (%u,%u,%u)", &values[0], &values[1], &values[2]) == 3) {
        memcpy(ret_triple, values, sizeof values);
    }
}

// Reads the first line of a message.  False if it is not one.
static bool begin(struct reading *reading, const char *line) {
    if (text_starts(line, "Invalid __") || text_starts(line, "Uninitialized __")) {
        bool invalid = line[0] == 'I';
        open_message(reading, invalid ? FINDING_OUT_OF_BOUNDS : FINDING_UNINITIALIZED);
        access_read(line, &reading->open);
        return true;
    }
    if (text_starts(line, "Barrier error detected")) {
        open_message(reading, FINDING_BARRIER_DIVERGENCE);
        return true;
    }
    bool is_race = strstr(line, "Race reported between") || strstr(line, "hazard detected at");
    if (is_race && (text_starts(line, "Error") || text_starts(line, "Warning"))) {
        open_message(reading, FINDING_RACE);
        reading->open.space = SPACE_SHARED;
        // A race inside a warp is an error here too: no GPU since Volta runs its lanes in step.
        return true;
    }
    return false;
}

// "[508 hazards]" at the end of a race.
static uint64_t hazards_of(const char *line) {
    const char *at = strrchr(line, '[');
    unsigned long count = at && strstr(at, "hazard") ? strtoul(at + 1, NULL, 10) : 0;
    return count > 0 ? count : 1;
}

// A line below the first one.
static void go_on(struct reading *reading, const char *line) {
    struct finding *finding = &reading->open;
    uint32_t number = line_number(line, reading->file);
    enum access_kind access = strstr(line, "Write") ? ACCESS_WRITE : ACCESS_READ;
    if (number > 0 && finding->line == 0) {
        finding->line = number;
        finding->access = finding->kind == FINDING_RACE ? access : finding->access;
        triple_read(line, "Thread", finding->thread);
    } else if (number > 0 && finding->kind == FINDING_RACE && finding->other_line == 0) {
        finding->other_line = number;
        finding->other_access = access;
        finding->count = hazards_of(line);
        triple_read(line, "Thread", finding->other_thread);
    }
    triple_read(line, "thread", finding->thread);
    triple_read(line, "block", finding->block);
    if (finding->kind == FINDING_OUT_OF_BOUNDS && strstr(line, "misaligned")) {
        finding->kind = FINDING_MISALIGNED;
    }
}

static void line_take(struct reading *reading, const char *line) {
    if (!text_starts(line, MARK)) {
        return;  // a line about the program, not the kernel
    }
    line += strlen(MARK);
    line += strspn(line, " ");
    if (strstr(line, "SUMMARY:")) {
        reading->report->finished = true;
    }
    if (*line == '\0') {
        close_open(reading);
    } else if (begin(reading, line)) {
        // The place may be on the same line.
        go_on(reading, line);
    } else if (reading->has_open) {
        go_on(reading, line);
    }
}

void sanitizer_parse(const char *text, const char *file, struct sanitizer_report *ret_report) {
    struct reading reading = {.file = file, .report = ret_report};
    *ret_report = (struct sanitizer_report){.finished = false};
    for (const char *at = text; *at != '\0';) {
        char line[LINE_BYTES];
        size_t length = strcspn(at, "\n");
        (void)snprintf(line, sizeof line, "%.*s",
                       (int)(length < sizeof line ? length : sizeof line - 1), at);
        line_take(&reading, line);
        at += length + (at[length] == '\n');
    }
    close_open(&reading);
}
