// Foreign text made fit to be shown: valid UTF-8 and no control characters.
#ifndef DEVICE_SOURCE_CLEAN_H
#define DEVICE_SOURCE_CLEAN_H

// In place: what is no UTF-8 and every control character becomes '?', but line ends stay and tabs
// become spaces. Source: the table of well-formed byte sequences of the Unicode Standard (D92).
void text_clean(char *text);

#endif
