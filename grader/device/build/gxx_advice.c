// A character that only looks like one of C, a keyword of CUDA with too few underscores, an array
// whose size is a variable, a store to A or B: here the compiler's words lead astray, or are about
// what g++ makes of the file.
#include "device/build/gxx_advice.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/utf8.h"

#define NAME_MAX_BYTES 40  // bytes of a quoted name, with the final NUL

// --- Characters -------------------------------------------------------------------------

// The character of C that this one looks like, ' ' for blanks of all widths; '\0' for others.
static char looks_like(uint32_t character) {
    static const struct {
        uint32_t character;
        char plain;
    } others[] = {
        {0x00a0, ' '}, {0x200b, ' '}, {0x200c, ' '},  {0x200d, ' '},  {0x202f, ' '}, {0x2060, ' '},
        {0x3000, ' '}, {0xfeff, ' '}, {0x2018, '\''}, {0x2019, '\''}, {0x201c, '"'}, {0x201d, '"'},
        {0x2010, '-'}, {0x2011, '-'}, {0x2012, '-'},  {0x2013, '-'},  {0x2014, '-'}, {0x2212, '-'},
        {0x00d7, '*'}, {0x3001, ','}, {0x3002, '.'},  {0x3010, '['},  {0x3011, ']'}, {0x2215, '/'},
        {0x2217, '*'}, {0x037e, ';'},
    };
    if (character >= 0xff01 && character <= 0xff5e) {  // the full-width forms of ASCII
        return (char)(character - 0xff01 + '!');
    }
    for (size_t i = 0; i < COUNT(others); i++) {
        if (others[i].character == character) {
            return others[i].plain;
        }
    }
    return '\0';
}

// The first such character that the compiler names, as itself or as \U0000ff1b; 0 for none.
static uint32_t odd_character(const char *said) {
    size_t bytes;
    for (const char *at = said; *at != '\0'; at += bytes) {
        uint32_t character = utf8_read(at, &bytes);
        if (text_starts(at, "\\U")) {
            character = (uint32_t)strtoul(at + 2, NULL, 16);
        }
        if (looks_like(character) != '\0') {
            return character;
        }
    }
    return 0;
}

static bool advise_character(const char *said, int line, struct build_report *report) {
    uint32_t character = odd_character(said);
    char plain = looks_like(character);
    if (plain == '\0') {
        return false;
    }
    if (plain == ' ') {
        build_report_fault(report, BUILD_FAULT_ERROR, line,
                           "contains a blank or invisible character that C does not allow "
                           "(U+%04X): replace it with a plain space",
                           character);
    } else {
        build_report_fault(report, BUILD_FAULT_ERROR, line,
                           "contains a character that only looks like %c (U+%04X, perhaps from "
                           "another keyboard layout): write a plain %c",
                           plain, character, plain);
    }
    return true;
}

// --- Words ------------------------------------------------------------------------------

// Copies the name that begins at `from`.  False if there is none, or it is too long.
static bool name_copy(const char *from, char name[NAME_MAX_BYTES]) {
    size_t length = strspn(from, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    if (length == 0 || length >= NAME_MAX_BYTES) {
        return false;
    }
    memcpy(name, from, length);
    name[length] = '\0';
    return true;
}

// "'_shared_' was not declared", "'shared' does not name a type".
static bool advise_underscores(const char *said, int line, struct build_report *report) {
    static const char *const keywords[] = {"shared", "global", "device", "constant"};
    char name[NAME_MAX_BYTES];
    if (said[0] != '\'' || !name_copy(said + 1, name) ||
        (!strstr(said, "was not declared") && !strstr(said, "does not name a type"))) {
        return false;
    }
    const char *bare = name + strspn(name, "_");
    size_t length = strcspn(bare, "_");
    if (bare[length + strspn(bare + length, "_")] != '\0') {
        return false;
    }
    for (size_t i = 0; i < COUNT(keywords); i++) {
        if (text_is(bare, length, keywords[i])) {
            build_report_fault(report, BUILD_FAULT_ERROR, line,
                               "%s is not known: did you mean __%s__, with two underscores on "
                               "either side?",
                               name, keywords[i]);
            return true;
        }
    }
    return false;
}

static bool advise_size(const char *said, int line, struct build_report *report) {
    static const char *const begin = "variable length array '";
    char name[NAME_MAX_BYTES];
    if (!text_starts(said, begin) || !name_copy(said + strlen(begin), name)) {
        return false;
    }
    build_report_fault(report, BUILD_FAULT_ERROR, line,
                       "the size of the array %s is a variable: make it a constant, with #define "
                       "or constexpr",
                       name);
    return true;
}

// "assignment of read-only location '*(A + …": what is quoted is g++'s own arithmetic.
static bool advise_const(const char *said, int line, struct build_report *report) {
    static const char *const begin = "assignment of read-only location '*(";
    char name[NAME_MAX_BYTES];
    if (!text_starts(said, begin) || !name_copy(said + strlen(begin), name)) {
        return false;
    }
    build_report_fault(report, BUILD_FAULT_ERROR, line,
                       "stores to %s, which is const: it can only be read", name);
    return true;
}

bool compiler_advice(const char *said, int line, struct build_report *report) {
    return advise_character(said, line, report) || advise_underscores(said, line, report) ||
           advise_size(said, line, report) || advise_const(said, line, report);
}
