// Several rows that fit are never chosen from: that is for the teacher to see.
#include "class/intake/match.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/words.h"

#define NAME_BYTES 256

static bool is_same(const char *a, const char *b) {
    return a && b && strcmp(a, b) == 0;
}

static bool is_same_word(const char *a, const char *b) {
    return a && b && strcasecmp(a, b) == 0;
}

static bool fits_key(const struct person *row, const struct person *owner) {
    for (int i = 0; i < KEY_COUNT; i++) {
        if (i == KEY_GITHUB ? is_same_word(row->key[i], owner->key[i])
                            : is_same(row->key[i], owner->key[i])) {
            return true;
        }
    }
    return false;
}

static bool fits_id(const struct person *row, const struct person *owner) {
    return is_same(row->id, owner->id);
}

// True if a number or login of the platform is known of both, and differs: then they are two
// people, whatever else is alike.
static bool contradicts(const struct person *row, const struct person *owner) {
    for (int i = 0; i < KEY_COUNT; i++) {
        if (row->key[i] && owner->key[i] && !is_same_word(row->key[i], owner->key[i])) {
            return true;
        }
    }
    return false;
}

// A folder may be named by whatever the teacher knows a student by.
static bool fits_any_key(const struct person *row, const struct person *owner) {
    for (int i = 0; i < KEY_COUNT; i++) {
        if (is_same(row->key[i], owner->id) ||
            (i == KEY_GITHUB && is_same_word(row->key[i], owner->id))) {
            return true;
        }
    }
    return is_same_word(row->id, owner->key[KEY_GITHUB]) ||
           is_same_word(row->key[KEY_USERNAME], owner->key[KEY_GITHUB]);
}

static bool fits_mail(const struct person *row, const struct person *owner) {
    return is_same_word(row->mail, owner->mail) || is_same_word(row->mail, owner->id);
}

// Letters and digits alone, in lower case as far as ASCII goes.
static void name_fold(const char *name, size_t bytes, char *folded, size_t *used) {
    for (size_t i = 0; i < bytes && *used + 1 < NAME_BYTES; i++) {
        unsigned char letter = (unsigned char)name[i];
        if (isalnum(letter) || letter >= 0x80) {
            folded[(*used)++] = (char)(letter < 0x80 ? tolower(letter) : letter);
        }
    }
    folded[*used] = '\0';
}

// The name folded, and with its last word first.
static void name_forms(const char *name, char plain[NAME_BYTES], char turned[NAME_BYTES]) {
    size_t used = 0;
    const char *last = strrchr(name, ' ');
    name_fold(name, strlen(name), plain, &used);
    used = 0;
    if (last) {
        name_fold(last, strlen(last), turned, &used);
    }
    name_fold(name, last ? (size_t)(last - name) : strlen(name), turned, &used);
}

static bool fits_name(const struct person *row, const struct person *owner) {
    char plain[2][NAME_BYTES];
    char turned[2][NAME_BYTES];
    const char *name = owner->name ? owner->name : owner->id;
    if (!row->name || !name) {
        return false;
    }
    name_forms(row->name, plain[0], turned[0]);
    name_forms(name, plain[1], turned[1]);
    return plain[0][0] != '\0' &&
           (strcmp(plain[0], plain[1]) == 0 || strcmp(turned[0], plain[1]) == 0 ||
            strcmp(plain[0], turned[1]) == 0);
}

// True if a letter is written in parts: a letter and a combining mark, or the parts of a Korean
// syllable.
static bool has_parts(const char *text) {
    size_t bytes = 0;
    for (const char *at = text; at && *at != '\0'; at += bytes) {
        uint32_t letter = utf8_read(at, &bytes);
        if ((letter >= 0x300 && letter <= 0x36f) || letter == 0x3099 || letter == 0x309a ||
            (letter >= 0x1161 && letter <= 0x11ff)) {
            return true;
        }
    }
    return false;
}

// True if the submission or the roster writes letters in parts: then two texts that look alike may
// differ.  Normal forms need tables of Unicode, so texts are compared byte by byte, and people are
// told what to look for.
static bool parts_are_used(const struct roster *roster, const struct person *owner) {
    bool used = has_parts(owner->id) || has_parts(owner->name);
    for (int i = 0; i < roster->count && !used; i++) {
        used = has_parts(roster->person[i].id) || has_parts(roster->person[i].name);
    }
    return used;
}

struct match match_find(const struct roster *roster, const struct person *owner) {
    static bool (*const ways[])(const struct person *, const struct person *) = {
        fits_key, fits_id, fits_any_key, fits_mail, fits_name};
    struct match match = {.row = -1};
    bool other = false;
    int way_count = (int)(sizeof ways / sizeof *ways);
    for (int way = 0; way < way_count; way++) {
        int found = 0;
        for (int i = 0; i < roster->count; i++) {
            if (!ways[way](&roster->person[i], owner)) {
                continue;
            }
            if (way > 0 && contradicts(&roster->person[i], owner)) {
                other = true;
            } else {
                match.row = i;
                found++;
            }
        }
        if (found == 1) {
            match.by_name = way == way_count - 1;
            return match;
        }
        if (found > 1) {
            match.row = -1;
            match.why = _("more than one student of the roster fits it");
            return match;
        }
    }
    if (other) {
        match.why =
            _("a student of the roster has this id, mail address or name, but another number "
              "or login; if it is the same person, correct these in the roster, or leave out "
              "their column");
        return match;
    }
    if (parts_are_used(roster, owner)) {
        match.why = _("no student of the roster has this id, login, mail address or name, byte by "
                      "byte: a letter such as é is written as one character or as two (as on a "
                      "Mac); write it alike in the roster and in the name");
        return match;
    }
    match.why = owner->key[KEY_CANVAS_ID] ? _("no student of the roster has this canvas_id or name")
                : owner->key[KEY_MOODLE_ID]
                    ? _("no student of the roster has this moodle_id or name")
                    : _("no student of the roster has this id, login, mail address or name");
    return match;
}
