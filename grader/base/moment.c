// Neither the locale nor the time zone of the machine is consulted.
// Source: RFC 3339, section 5.6.
#include "base/moment.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// Takes `count` digits and, unless it is NUL, the separator after them.
static bool number_take(const char **at, int count, char separator, int *ret_number) {
    int number = 0;
    for (int i = 0; i < count; i++) {
        if (!isdigit((unsigned char)**at)) {
            return false;
        }
        number = 10 * number + (*(*at)++ - '0');
    }
    if (separator != '\0' && *(*at)++ != separator) {
        return false;
    }
    *ret_number = number;
    return true;
}

// "Z", "+01:00" or "-05:30", at the end of the text.
static bool offset_take(const char *at, int *ret_seconds) {
    int hours = 0;
    int minutes = 0;
    if (strcmp(at, "Z") == 0) {
        *ret_seconds = 0;
        return true;
    }
    char sign = *at++;
    if ((sign != '+' && sign != '-') || !number_take(&at, 2, ':', &hours) ||
        !number_take(&at, 2, '\0', &minutes) || *at != '\0' || hours > 23 || minutes > 59) {
        return false;
    }
    *ret_seconds = (sign == '-' ? -60 : 60) * (60 * hours + minutes);
    return true;
}

bool moment_parse(const char *text, int64_t *ret_seconds) {
    const char *at = text;
    struct tm date = {.tm_isdst = 0};
    int offset = 0;
    if (!number_take(&at, 4, '-', &date.tm_year) || !number_take(&at, 2, '-', &date.tm_mon) ||
        !number_take(&at, 2, 'T', &date.tm_mday) || !number_take(&at, 2, ':', &date.tm_hour) ||
        !number_take(&at, 2, ':', &date.tm_min) || !number_take(&at, 2, '\0', &date.tm_sec)) {
        return false;
    }
    if (*at == '.' && isdigit((unsigned char)at[1])) {
        at += 1 + strspn(at + 1, "0123456789");
    }
    if (!offset_take(at, &offset)) {
        return false;
    }
    date.tm_year -= 1900;
    date.tm_mon -= 1;
    struct tm checked = date;
    time_t seconds = timegm(&checked);  // turns 31 February into 3 March
    if (checked.tm_mon != date.tm_mon || checked.tm_mday != date.tm_mday ||
        checked.tm_hour != date.tm_hour || checked.tm_min != date.tm_min ||
        checked.tm_sec != date.tm_sec) {
        return false;
    }
    *ret_seconds = (int64_t)seconds - offset;
    return true;
}

void moment_format(int64_t seconds, char ret_text[MOMENT_TEXT_BYTES]) {
    time_t time = (time_t)seconds;
    struct tm date;
    ret_text[0] = '\0';
    if (seconds != MOMENT_NONE && gmtime_r(&time, &date)) {
        (void)strftime(ret_text, MOMENT_TEXT_BYTES, "%Y-%m-%dT%H:%M:%SZ", &date);
    }
}

int64_t moment_now(void) {
    return (int64_t)time(NULL);
}
